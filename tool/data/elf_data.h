/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which data an ELF file of x86-64 has, as it lies in the file: where variables are, so that where none
 * is is known too, and the block of thread-local variables.  Addresses are those of the file, to which
 * the loader adds a bias.
 *
 * Whatever is in a file that is damaged, nothing outside of it is read.
 */
#ifndef TOOL_DATA_ELF_DATA_H
#define TOOL_DATA_ELF_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/elf/elfobject.h"

/* size bytes from start on. */
struct elf_span {
	uint64_t start, size;
};

/* A thread-local variable: start is its offset in the block. */
struct elf_variable {
	struct elf_span span;
	const char *name; /* elf_data's */
};

/* Any other variable that has a size; its name is left in the file. */
struct elf_named {
	struct elf_span span;
	uint64_t name; /* offset in the file */
};

/* A word of the file's data that says, once it is loaded, where the block is. */
struct elf_block_word {
	uint64_t address;
	uint64_t offset; /* of what it is the distance from the thread pointer, in the block */
	bool is_known;
};

/* The thread-local block. */
struct elf_block {
	uint64_t address, size, alignment; /* size 0: there is none */
	struct elf_variable *variables;    /* by start */
	size_t n_variables;
	struct elf_block_word distance; /* R_X86_64_TPOFF64 */
	struct elf_block_word module;   /* R_X86_64_DTPMOD64: the number of the module; no offset */
};

struct elf_data {
	struct elf_span *sections; /* those that are loaded, by start; none lies in another */
	size_t n_sections;
	struct elf_span
		*variables; /* symbols that are neither functions nor thread-local, by start */
	size_t n_variables;
	struct elf_named *named; /* those with a name and a size, by start */
	size_t n_named;
	struct elf_block block;
	char *names; /* those of the thread-local variables, or NULL */
};

/*
 * Reads a file; false if it is none that is understood: then there is nothing to release.  What memory is refused for
 * is missing, as from a file that was stripped.
 */
bool elf_data_read(struct elf_data *data, const struct elf_source *source);
void elf_data_release(struct elf_data *data, const struct elf_source *source);

/*
 * The largest piece around an address that lies in one section and holds no symbol, or, if a symbol is there, the
 * address alone; size 0 if it is in no section.
 */
struct elf_span elf_data_gap(const struct elf_data *data, uint64_t address);

/* The variable at an address, the last one that begins there or before it, or NULL. */
const struct elf_named *elf_data_at(const struct elf_data *data, uint64_t address);

/*
 * Reads the name of a variable, as far as it fits into size bytes, one or more, with its NUL; false if it
 * is not in the file.
 */
bool elf_data_name(const struct elf_named *named, const struct elf_source *source, char *name,
		   size_t size);

/* The thread-local variable at an offset in the block, or NULL. */
const struct elf_variable *elf_block_at(const struct elf_block *block, uint64_t offset);

/*
 * How far the block of a program, not of a library, begins below the thread pointer: as the ABI has it.
 */
uint64_t elf_block_distance(const struct elf_block *block);

#endif
