/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An ELF file that is in memory as a whole: mapped, decompressed, or registered with debuggers by a program that makes
 * code.  Its sections, its functions, and what a relocatable file leaves to be done.
 *
 * Source: the System V ABI, "ELF Header", "Sections" and "Symbol Table"; GDB's manual, "JIT Compilation
 * Interface".  In a relocatable file, symbols count from where their section is.
 */
#ifndef TOOL_ELF_ELFOBJECT_H
#define TOOL_ELF_ELFOBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/elf/elftables.h"

struct elfobject {
	const uint8_t *bytes;
	struct elf_header header;
};

struct elfobject_function {
	uint64_t address, size; /* size 0: unknown; else the last byte's address is below 2^64 */
	const char *name;       /* in the file, ended by a NUL; not empty */
};

/* Where it looks for the next function. */
struct elfobject_cursor {
	uint32_t section;
	uint64_t symbol;
};

/*
 * Looks at a file of len bytes, which is borrowed; false if it is none of 64 bits for this processor, or has no
 * sections.
 */
bool elfobject_open(struct elfobject *object, const uint8_t *bytes, size_t len);

/* Section number i, from 0; false if there are fewer. */
bool elfobject_section(const struct elfobject *object, uint32_t i, struct elf_section *section);

/* The text at an offset of a section of texts, by its number; "" if there is none that ends in a NUL. */
const char *elfobject_text(const struct elfobject *object, uint32_t number, uint32_t offset);

/* The next function that has code, after a cursor that is {0, 0} at first; false if there is none. */
bool elfobject_next(const struct elfobject *object, struct elfobject_cursor *cursor,
		    struct elfobject_function *function);

/* True if two texts that end in a NUL are the same. */
bool elfobject_is_same(const char *a, const char *b);

/*
 * The section of that name, with bytes in the file that are not compressed, and its number; false if there is
 * none.
 */
bool elfobject_find(const struct elfobject *object, const char *name, struct elf_section *section,
		    uint32_t *number);

/*
 * What a relocatable file leaves to be done in a section of that number, of which bytes are a copy of len bytes: addresses of
 * code are put in, and offsets in sections that are not loaded.  Programs do that to code alone, as a rule; where it
 * is done, nothing changes.  False if it cannot all be done: the rest is.
 */
bool elfobject_relocate(const struct elfobject *object, uint32_t number, uint8_t *bytes,
			uint64_t len);

#endif
