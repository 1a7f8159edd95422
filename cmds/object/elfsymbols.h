/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and variables by address, of the symbol tables of an object. */
#ifndef CMDS_OBJECT_ELFSYMBOLS_H
#define CMDS_OBJECT_ELFSYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/object/elffile.h"
#include "cmds/object/objectfile.h"
#include "profile/common/arena.h"

/* -- MiniDebugInfo ------------------------------------------------------------- */

/*
 * The symbol table that some distributions (Fedora) leave in a stripped object: another ELF file,
 * compressed by xz, in its section .gnu_debugdata.  It has functions that are not exported, and no
 * lines.
 */

struct minidebug {
	Elf *elf;    /* NULL: there is none that can be read */
	char *image; /* owned; what elf is in */
};

/* -- symbols ----------------------------------------------------------------------- */

struct elf_symbol {
	struct object_symbol at;
	unsigned rank; /* of symbols at one address, the greatest counts */
};

struct elf_symbol_list {
	struct elf_symbol *symbols; /* by address, not overlapping */
	size_t n, capacity;
};

/* Names are the files', the arena's, or in the minidebug. */
struct elfsymbols {
	struct elf_symbol_list functions, variables;
	struct minidebug minidebug; /* read where there is no other table of all functions */
	struct arena arena;
};

/*
 * Reads the symbols of an object and of its debug file, which may be NULL; both outlive the
 * struct; of what .gnu_debugdata has, where neither has a symbol table.  A stub of the linkage table is called as what it leads to: "puts@plt".
 * False if memory ran out.  To be released in any case.
 */
bool elfsymbols_init(struct elfsymbols *symbols, const struct elffile *object,
		     const struct elffile *debug);
void elfsymbols_release(struct elfsymbols *symbols);

/* The one at an address, or NULL. */
const struct object_symbol *elfsymbols_find(const struct elf_symbol_list *list, uint64_t address);

/* How many end at an address or before it. */
size_t elfsymbols_before(const struct elf_symbol_list *list, uint64_t address);

#endif
