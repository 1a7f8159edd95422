/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An ELF file is read by Valgrind's descriptors, which the program does not see.  What is in it is worth having,
 * but not the program's end: VG_(malloc) would end it where memory is limited (ulimit -v).
 */
#include "tool/elf/elfsource.h"

#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vki.h"

#include "tool/common/hot_memory.h"
#include "tool/common/syscall.h"

/* What lies before each piece of memory. */
struct piece {
	size_t size; /* bytes, with this */
} __attribute__((aligned(16)));

static void *allocate(size_t size)
{
	struct piece *piece = pages_take_sparingly(sizeof(*piece) + size);

	if (piece == NULL)
		return NULL;
	piece->size = sizeof(*piece) + size;
	return piece + 1;
}

static void release(void *memory)
{
	struct piece *piece = (struct piece *)memory - 1;

	pages_give_back(piece, piece->size);
}

static bool read_file(void *ctx, uint64_t offset, void *to, size_t size)
{
	const Int descriptor = *(const Int *)ctx;
	HChar *next = to;

	if (VG_(lseek)(descriptor, (Off64T)offset, VKI_SEEK_SET) != (Off64T)offset)
		return false;
	while (size != 0) {
		const Int n = VG_(read)(descriptor, next, size < 1 << 20 ? (Int)size : 1 << 20);

		if (n <= 0)
			return false;
		next += n;
		size -= (size_t)n;
	}
	return true;
}

static void sort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	VG_(ssort)(base, n, size, compare);
}

bool elf_source_open(struct elf_source *source, const char *path, int *descriptor)
{
	struct vg_stat about;

	/* In the place of an object that was replaced may be anything: opening a FIFO waits, and a device may act. */
	*source = (struct elf_source){ 0, read_file, descriptor, allocate, release, sort };
	if (sr_isError(VG_(stat)(path, &about)) || !VKI_S_ISREG(about.mode))
		return false;
	*descriptor = VG_(fd_open)(path, VKI_O_RDONLY | VKI_O_NONBLOCK | LINUX_O_NOCTTY, 0);
	if (*descriptor < 0)
		return false;
	if (VG_(fstat)(*descriptor, &about) == 0 && VKI_S_ISREG(about.mode) && about.size > 0) {
		source->size = (uint64_t)about.size;
		return true;
	}
	VG_(close)(*descriptor);
	return false;
}

void elf_source_close(const struct elf_source *source)
{
	VG_(close)(*(const Int *)source->ctx);
}
