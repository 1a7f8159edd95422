/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of this computer, and memory, for readers of ELF files.  Files are opened with Valgrind's descriptors, which the program
 * does not see.  Memory is refused rather than exhausted: VG_(malloc) would end the program under a limit (ulimit -v), and
 * names are not worth that.
 */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/common/hot_memory.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/elf/debugfile.h"
#include "tool/elf/elfobject.h"

/* Not in the core's headers for tools. */
extern SysRes VG_(am_mmap_file_float_valgrind)(SizeT length, UInt prot, Int descriptor,
					       Off64T offset);
extern const HChar *VG_(clo_extra_debuginfo_path);

/* --- memory -------------------------------------------------------------------------------- */

enum {
	SMALLEST_CLASS = 5,   /* pieces of 2^5 bytes */
	N_CLASSES = 11,       /* up to 32 KiB; larger pieces have pages of their own */
	CHUNK_SIZE = 1 << 20, /* bytes that pieces are cut from */
};

/* The header of each piece of memory. */
struct piece {
	size_t size;        /* bytes, with this */
	struct piece *next; /* in the list of its class while it is free */
} __attribute__((aligned(16)));

/* Small pieces, which are reused. */
static struct {
	struct piece *free[N_CLASSES];
	UChar *next; /* of the last chunk */
	SizeT left;  /* bytes */
} pieces;

/* Under seccomp, a system call of ours may end the program; the profile has been written by then anyway. */
static void *take_pages(SizeT size)
{
	return tool_self.sealed ? NULL : pages_take_sparingly(size);
}

static void give_pages(void *pages, SizeT size)
{
	if (!tool_self.sealed)
		pages_give_back(pages, size);
}

static void *take_small(UInt rank)
{
	const SizeT size = (SizeT)1 << (rank + SMALLEST_CLASS);
	struct piece *piece = pieces.free[rank];

	if (piece != NULL) {
		pieces.free[rank] = piece->next;
		VG_(memset)(piece, 0, size);
	} else {
		if (pieces.left < size) {
			UChar *chunk = take_pages(CHUNK_SIZE);

			if (chunk == NULL)
				return NULL;
			pieces.next = chunk;
			pieces.left = CHUNK_SIZE;
		}
		piece = (void *)pieces.next;
		pieces.next += size;
		pieces.left -= size;
	}
	piece->size = size;
	return piece + 1;
}

static UInt class_of(SizeT size)
{
	UInt rank = 0;

	while (rank < N_CLASSES && size > (SizeT)1 << (rank + SMALLEST_CLASS))
		rank++;
	return rank;
}

static void *allocate(size_t size)
{
	struct piece *piece;
	UInt rank;

	if (size > SIZE_MAX / 2)
		return NULL;
	size += sizeof(*piece);
	rank = class_of(size);
	if (rank < N_CLASSES)
		return take_small(rank);
	piece = take_pages(size);
	if (piece == NULL)
		return NULL;
	piece->size = size;
	return piece + 1;
}

static void release(void *memory)
{
	struct piece *piece = (struct piece *)memory - 1;
	const UInt rank = class_of(piece->size);

	if (rank == N_CLASSES) {
		give_pages(piece, piece->size);
		return;
	}
	piece->next = pieces.free[rank];
	pieces.free[rank] = piece;
}

/* Merges two adjacent runs, n_left items and the rest up to n, into to. */
static void merge(const UChar *left, SizeT n_left, SizeT n, SizeT size, UChar *to,
		  int (*compare)(const void *, const void *))
{
	const UChar *const middle = left + n_left * size, *const end = left + n * size;
	const UChar *right = middle;

	while (left < middle && right < end) {
		const UChar **next = compare(left, right) <= 0 ? &left : &right;

		VG_(memcpy)(to, *next, size);
		*next += size;
		to += size;
	}
	VG_(memcpy)(to, left, (SizeT)(middle - left));
	VG_(memcpy)(to + (middle - left), right, (SizeT)(end - right));
}

/*
 * Merge sort, since VG_(ssort) moves items that are larger than a word slowly.  Linkers leave most items sorted, and sorted runs
 * are copied as a whole.
 */
static void sort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	UChar *from = base, *to, *room = NULL;
	size_t in_order = 1;

	while (in_order < n && compare(from + (in_order - 1) * size, from + in_order * size) <= 0)
		in_order++;
	if (in_order >= n)
		return;
	to = room = allocate(n * size);
	if (room == NULL) {
		VG_(ssort)(base, n, size, compare);
		return;
	}
	for (size_t width = 1; width < n; width *= 2) {
		UChar *const merged = to;

		for (size_t i = 0; i < n; i += 2 * width) {
			const size_t left = n - i < width ? n - i : width;
			const size_t both = n - i < 2 * width ? n - i : 2 * width;

			merge(from + i * size, left, both, size, to + i * size, compare);
		}
		to = from;
		from = merged;
	}
	if (from != base)
		VG_(memcpy)(base, from, n * size);
	release(room);
}

/* --- files --------------------------------------------------------------------------------- */

enum {
	MAX_READ = 1 << 25, /* bytes; larger files are mapped instead of read */
};

/*
 * Opens a regular file; -1 if there is none, or it is empty.  An object may have been replaced by anything: opening a FIFO
 * would block, and opening a device may have effects.
 */
static Int open_regular(const HChar *path, uint64_t *size)
{
	struct vg_stat about;
	Int descriptor;

	if (sr_isError(VG_(stat)(path, &about)) || !VKI_S_ISREG(about.mode))
		return -1;
	descriptor = VG_(fd_open)(path, VKI_O_RDONLY | VKI_O_NONBLOCK | LINUX_O_NOCTTY, 0);
	if (descriptor < 0)
		return -1;
	if (VG_(fstat)(descriptor, &about) == 0 && VKI_S_ISREG(about.mode) && about.size > 0) {
		*size = (uint64_t)about.size;
		return descriptor;
	}
	VG_(close)(descriptor);
	return -1;
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

/*
 * Whoever reads a mapped file past its end, after it was truncated, is killed.  Compilers overwrite .dwo files and objcopy debug
 * files, and a project may be rebuilt while its program runs.  So files that are not too large are read at once.
 */
static bool map(void *ctx, const char *path, struct debug_bytes *bytes, void **handle)
{
	SysRes mapped;
	Int descriptor;
	bool is_read = false;

	(void)ctx;
	*handle = NULL;
	if (tool_self.sealed)
		return false;
	descriptor = open_regular(path, &bytes->len);
	if (descriptor < 0)
		return false;
	if (bytes->len <= MAX_READ)
		*handle = allocate(bytes->len);
	if (*handle != NULL) {
		is_read = read_file(&descriptor, 0, *handle, bytes->len);
		bytes->at = *handle;
		if (!is_read)
			release(*handle);
	} else {
		mapped = VG_(am_mmap_file_float_valgrind)(bytes->len, VKI_PROT_READ, descriptor, 0);
		is_read = !sr_isError(mapped);
		bytes->at = (const uint8_t *)sr_Res(mapped);
	}
	VG_(close)(descriptor);
	return is_read;
}

static void unmap(void *ctx, struct debug_bytes bytes, void *handle)
{
	(void)ctx;
	if (handle != NULL)
		release(handle);
	else
		give_pages((void *)(Addr)bytes.at, bytes.len);
}

/* The folder path in the folder that an environment variable names; NULL if it is not set. */
static const HChar *folder_in(const HChar *variable, const HChar *path)
{
	const HChar *value = VG_(getenv)(variable);
	SizeT size;
	HChar *folder;

	if (value == NULL || value[0] != '/')
		return NULL;
	size = VG_(strlen)(value) + VG_(strlen)(path) + 1;
	folder = VG_(malloc)("costgrind.debuginfod", size);
	VG_(snprintf)(folder, (Int)size, "%s%s", value, path);
	return folder;
}

void debugfile_world_init(struct debugfile_world *world)
{
	static const struct dwarf_memory memory = { allocate, release, sort };

	*world = (struct debugfile_world){
		.memory = &memory,
		.map = map,
		.unmap = unmap,
		.extra_path = VG_(clo_extra_debuginfo_path),
				  .debuginfod_cache = folder_in("DEBUGINFOD_CACHE_PATH", ""),
		};
	if (world->debuginfod_cache == NULL)
		world->debuginfod_cache = folder_in("XDG_CACHE_HOME", "/debuginfod_client");
	if (world->debuginfod_cache == NULL)
		world->debuginfod_cache = folder_in("HOME", "/.cache/debuginfod_client");
}

/* --- files that are read piece by piece ---------------------------------------------------- */

bool elf_source_open(struct elf_source *source, const char *path, int *descriptor)
{
	*source = (struct elf_source){ 0, read_file, descriptor, allocate, release, sort };
	*descriptor = open_regular(path, &source->size);
	return *descriptor >= 0;
}

void elf_source_close(const struct elf_source *source)
{
	VG_(close)(*(const Int *)source->ctx);
}
