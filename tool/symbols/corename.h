/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that the core knows and does not give by its public functions: all names of a function, not only
 * the one that it shows, and names of D as people write them.
 */
#ifndef TOOL_SYMBOLS_CORENAME_H
#define TOOL_SYMBOLS_CORENAME_H

#include "pub_tool_basics.h"

#include "tool/common/text.h"

/* The core's, not in its public headers: result is valid until the next call. */
extern void VG_(demangle)(Bool cxx, Bool z, const HChar *mangled, const HChar **result);

/* -- aliases ----------------------------------------------------------------- */

/* The names of one function, demangled; all zero is none. */
struct aliases {
	HChar **names;
	UInt n, room;
};

/*
 * Adds all names of the symbol that begins at an address of the running program: aliases, and what a linker has
 * folded into one body (--icf).  A symbol's version ("@@GLIBC_2.14") is left out.  Finds it by a binary search.
 */
void aliases_read(struct aliases *aliases, Addr entry);

/* Adds one name, as a symbol table has it. */
void aliases_add(struct aliases *aliases, const HChar *mangled);
void aliases_release(struct aliases *aliases);

/* -- D ----------------------------------------------------------------------- */

/* Names of D that were asked for, each demangled once. */
struct d_names {
	struct text_table given;
	const struct text **shown; /* by the number of the given one */
	UInt room;
};

void d_names_init(struct d_names *d_names);

/*
 * The name that is shown for one that the core has given; a text of names.  It is the same, but of a mangled one of D
 * that the core leaves as it is, as it does before 3.21.  Under the names of Valgrind's tools, and with
 * --demangle=no, that stays, too.
 */
const struct text *d_names_shown(struct d_names *d_names, struct text_table *names,
				 const HChar *given);

#endif
