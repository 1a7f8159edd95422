/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libdwfl would read it too, but maps the files that it opens (elffile.c says why that is not done
 * here), and unpacks whatever is said to be there.
 */
#include "cmds/code/minidebug.h"

#include <lzma.h>
#include <stdlib.h>

enum {
	FIRST_SIZE = 1 << 16, /* bytes */
};

/* Unpacks into memory of this size.  LZMA_BUF_ERROR: it is too small. */
static lzma_ret unpack(const Elf_Data *packed, char *image, size_t size, size_t *used)
{
	uint64_t memory_limit = MINIDEBUG_MAX;
	size_t at = 0;

	*used = 0;
	return lzma_stream_buffer_decode(&memory_limit, 0, NULL, packed->d_buf, &at, packed->d_size,
					 (uint8_t *)image, used, size);
}

/* How large it is is not known before.  *image stays NULL if it is damaged, or too large. */
static bool unpack_all(const Elf_Data *packed, char **image, size_t *used)
{
	*image = NULL;
	for (size_t size = FIRST_SIZE; size <= MINIDEBUG_MAX; size *= 2) {
		char *made = malloc(size);
		lzma_ret result;

		if (!made)
			return false;
		result = unpack(packed, made, size, used);
		if (result == LZMA_OK) {
			*image = made;
			return true;
		}
		free(made);
		if (result != LZMA_BUF_ERROR)
			return result != LZMA_MEM_ERROR;
	}
	return true;
}

bool minidebug_open(struct minidebug *minidebug, const struct elffile *object)
{
	const Elf_Data *packed = elffile_data(object, ".gnu_debugdata");
	size_t size;

	*minidebug = (struct minidebug){ .elf = NULL };
	if (!packed)
		return true;
	if (!unpack_all(packed, &minidebug->image, &size))
		return false;
	if (minidebug->image)
		minidebug->elf = elf_memory(minidebug->image, size);
	if (minidebug->elf && elf_kind(minidebug->elf) != ELF_K_ELF) {
		elf_end(minidebug->elf);
		minidebug->elf = NULL;
	}
	return true;
}

void minidebug_release(struct minidebug *minidebug)
{
	elf_end(minidebug->elf);
	free(minidebug->image);
	*minidebug = (struct minidebug){ .elf = NULL };
}
