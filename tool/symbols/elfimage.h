/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An ELF file that is mapped into memory: its segments, and the symbols that it has for
 * other objects.  Nothing but memory is read, and only what is said to be readable; nothing
 * here knows Valgrind.
 *
 * Source of the layout: the System V ABI, "ELF Header", "Program Header" and "Dynamic Section"; of the hash
 * table of names (DT_GNU_HASH), which binutils documents nowhere, what its linkers write.
 */
#ifndef TOOL_SYMBOLS_ELFIMAGE_H
#define TOOL_SYMBOLS_ELFIMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether so many bytes, at least 1, can be read at an address. */
typedef bool elfimage_readable(uintptr_t address, size_t size);

struct elf_image {
	uintptr_t header;
	uint64_t bias;     /* added to an address as linked it gives the one in memory */
	uint64_t segments; /* where their table is, from the header on */
	unsigned n_segments;
	elfimage_readable *readable;
};

enum elf_segment_type {
	ELF_SEGMENT_LOAD = 1,
	ELF_SEGMENT_DYNAMIC = 2,
	ELF_SEGMENT_NOTE = 4,
};

struct elf_segment {
	uint32_t type;
	uint64_t offset; /* in the file */
	uintptr_t address;
	uint64_t file_size;
	uint64_t alignment;
};

/* Copies size bytes (1 or more) at an address; false if they cannot be read. */
bool elfimage_read(elfimage_readable *readable, uintptr_t address, void *to, size_t size);

/* The number that so many bytes (up to 8) are, the lowest first. */
uint64_t elfimage_number(const uint8_t *bytes, size_t size);

/*
 * Of the file whose ELF header is mapped at an address; false if it is no ELF file of 64 bits in this processor's
 * byte order, or if it is cut.
 */
bool elfimage_open(struct elf_image *image, uintptr_t header, elfimage_readable *readable);

/* Segment number i, from 0; false if it cannot be read. */
bool elfimage_segment(const struct elf_image *image, unsigned i, struct elf_segment *segment);

/*
 * Where what a dynamic symbol names is in memory; 0 if the file defines none of that name, or has
 * no hash table of the GNU kind.
 */
uintptr_t elfimage_symbol(const struct elf_image *image, const char *name);

#endif
