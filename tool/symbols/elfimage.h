/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An ELF file that is mapped into memory: its segments, its build-id, and its symbols for other objects.
 * Only memory that is declared readable is read; nothing here depends on Valgrind.
 *
 * Source: the System V ABI, "ELF Header", "Program Header" and "Dynamic Section".  The hash table of names
 * (DT_GNU_HASH) is documented nowhere; its layout was taken from what linkers write.
 */
#ifndef TOOL_SYMBOLS_ELFIMAGE_H
#define TOOL_SYMBOLS_ELFIMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if size bytes, at least 1, can be read at an address. */
typedef bool elfimage_readable(uintptr_t address, size_t size);

struct elf_image {
	uintptr_t header;
	uint64_t bias;     /* address in memory - address as linked */
	uint64_t segments; /* offset of their table from the header */
	unsigned n_segments;
	elfimage_readable *readable;
};

/*
 * Opens the file whose ELF header is mapped at an address; false if it is not an ELF file of x86-64, or is
 * incomplete.
 */
bool elfimage_open(struct elf_image *image, uintptr_t header, elfimage_readable *readable);

/*
 * The address in memory of a dynamic symbol; 0 if the file does not define it, or has no hash table of the
 * GNU kind.
 */
uintptr_t elfimage_symbol(const struct elf_image *image, const char *name);

enum {
	BUILD_ID_MAX = 32, /* bytes; linkers make 8, 16 or 20 */
};

struct build_id {
	uint8_t size; /* bytes; 0: there is none */
	uint8_t bytes[BUILD_ID_MAX];
};

/*
 * The build-id of the file whose ELF header is mapped at an address; size 0 if elfimage_open() fails for it, or
 * it has no build-id of up to BUILD_ID_MAX bytes.
 */
void elfimage_build_id(uintptr_t header, elfimage_readable *readable, struct build_id *id);

#endif
