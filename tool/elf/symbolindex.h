/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which function of an ELF file an address is in, by its symbol tables: of several files, if it has symbols in more than
 * one.  Where Valgrind's core finds a symbol this is the same one, whose name is the same, too:
 *
 *	- Functions (also indirect ones) and data with a size, in a section of code.  Of those that overlap, the one that
 *	  begins last, and of several that begin there the shortest.
 *	- Of several names of one place: the one that is the shortest up to its version ("@"), then one with a version,
 *	  then the first by its bytes; but PMPI_x before MPI_x.
 *
 * Where it finds none, the rest counts: first a symbol that is around one that has ended; then NOTYPE symbols with a
 * size; then what has no size, up to the next symbol or the end of its section, functions before NOTYPE.  Labels of
 * assemblers (.L*, $x) are no symbols, nor are data without a size, which end what is before them all the same.
 */
#ifndef TOOL_ELF_SYMBOLINDEX_H
#define TOOL_ELF_SYMBOLINDEX_H

#include "tool/elf/dwarf.h"
#include "tool/elf/elfobject.h"

/* How sure it is that code belongs to a symbol, the surest first. */
enum symbol_rank {
	SYMBOL_SIZED,
	SYMBOL_SIZED_LABEL, /* NOTYPE */
	SYMBOL_UNSIZED,
	SYMBOL_UNSIZED_LABEL,
	SYMBOL_BOUNDARY, /* nothing is named after it */
};

/* A symbol of code: address up to end, which is above it.  name is in the file, and not empty. */
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

/* The symbols of a file.  Zero-initialized, it is an index without symbols. */
struct symbol_index {
	struct indexed_symbol *symbols; /* by address; of one address in the order of names above */
	uint32_t n, room;
	struct symbol_span *spans; /* by address; none overlaps another */
	uint32_t n_spans;
};

/*
 * Adds the symbols of the tables of a kind (enum elf_section_type), whose names stay borrowed; returns how many it has found.
 * False if memory is refused: those before stay.
 */
bool symbol_index_add(struct symbol_index *index, const struct elfobject *object,
		      uint32_t section_type, const struct dwarf_memory *memory);

/* To be called once, after all are added.  False, and nothing is found, if memory is refused. */
bool symbol_index_finish(struct symbol_index *index, const struct dwarf_memory *memory);

/* The symbol that code at an address is named after, or NULL. */
const struct indexed_symbol *symbol_index_find(const struct symbol_index *index, uint64_t address);

/*
 * Calls visit with the names of all symbols that begin where one does, its own first, until it returns false.  A name that
 * symbols of several sizes have comes more than once.
 */
void symbol_index_names(const struct symbol_index *index, const struct indexed_symbol *symbol,
			bool (*visit)(void *ctx, const char *name), void *ctx);

void symbol_index_release(struct symbol_index *index, const struct dwarf_memory *memory);

#endif
