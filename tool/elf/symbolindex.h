/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which function of an ELF file an address is in, by its symbol tables, which may be in several files.  Where Valgrind's core
 * finds a symbol, this finds the same symbol with the same name:
 *
 *	- Functions (also indirect ones) and data with a size, in a section of code.  If several overlap, the one that
 *	  begins last, and of these the shortest.
 *	- Of several names of one address: the shortest up to its version ("@"), then one with a version, then the first in
 *	  byte order; but PMPI_x before MPI_x.
 *
 * Where the core finds none: first a symbol around one that has ended; then NOTYPE symbols with a size; then symbols
 * without a size, up to the next symbol or the end of the section, functions before NOTYPE.  Labels of assemblers (.L*, $x)
 * do not count, nor do data without a size, but these end the symbol before them.
 */
#ifndef TOOL_ELF_SYMBOLINDEX_H
#define TOOL_ELF_SYMBOLINDEX_H

#include "tool/elf/dwarf.h"
#include "tool/elf/elfobject.h"

/* How certainly code belongs to a symbol, most certain first. */
enum symbol_rank {
	SYMBOL_SIZED,
	SYMBOL_SIZED_LABEL, /* NOTYPE */
	SYMBOL_UNSIZED,
	SYMBOL_UNSIZED_LABEL,
	SYMBOL_BOUNDARY, /* nothing is named after it */
};

/* A symbol of the code from address to end (exclusive), at least one byte.  name is in the file and not empty. */
struct indexed_symbol {
	uint64_t address, end;
	const char *name;
	enum symbol_rank rank;
};

/* A piece of code, and the symbol that it is named after. */
struct symbol_span {
	uint64_t start, end;
	uint32_t symbol;
};

/* The symbols of a file.  Zero-initialized, there are none. */
struct symbol_index {
	struct indexed_symbol *symbols; /* by address, then in the order of names above */
	uint32_t n, room;
	struct symbol_span *spans; /* by address, without overlaps */
	uint32_t n_spans;
};

/*
 * Adds the symbols of all tables of a type (enum elf_section_type); their names are borrowed.  False if memory is refused;
 * symbols added before stay.
 */
bool symbol_index_add(struct symbol_index *index, const struct elfobject *object,
		      uint32_t section_type, const struct dwarf_memory *memory);

/* To be called once, after all symbols are added.  False, with an empty index, if memory is refused. */
bool symbol_index_finish(struct symbol_index *index, const struct dwarf_memory *memory);

/* The symbol that code at an address is named after, or NULL. */
const struct indexed_symbol *symbol_index_find(const struct symbol_index *index, uint64_t address);

/*
 * Calls visit with the names of all symbols at the address of one, its own first, until it returns false.  A name may come more
 * than once, if symbols of several sizes have it.
 */
void symbol_index_names(const struct symbol_index *index, const struct indexed_symbol *symbol,
			bool (*visit)(void *ctx, const char *name), void *ctx);

void symbol_index_release(struct symbol_index *index, const struct dwarf_memory *memory);

#endif
