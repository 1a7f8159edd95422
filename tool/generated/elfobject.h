/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions of an ELF file that describes generated code, as programs register it with
 * debuggers: a whole file in memory, whose sections say at which addresses its code is.
 *
 * Source: the System V ABI, "ELF Header", "Sections" and "Symbol Table"; GDB's manual, "JIT Compilation
 * Interface".  In a relocatable file, symbols count from where their section is.
 */
#ifndef TOOL_GENERATED_ELFOBJECT_H
#define TOOL_GENERATED_ELFOBJECT_H

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

/* The next function that has code, after a cursor that is {0, 0} at first; false if there is none. */
bool elfobject_next(const struct elfobject *object, struct elfobject_cursor *cursor,
		    struct elfobject_function *function);

#endif
