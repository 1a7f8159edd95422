/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data of an ELF file of x86-64, according to the file: where variables are, and so where there are none, and the
 * block of thread-local variables.  Addresses are the file's, to which the loader adds a bias.
 *
 * Damaged files are safe: nothing outside the file is read.
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
	const char *name; /* in elf_data's names */
};

/* Any other variable with a size; its name stays in the file. */
struct elf_named {
	struct elf_span span;
	uint64_t name; /* offset in the file */
};

/* A word of the file's data that says, once the loader has filled it in, where the block is. */
struct elf_block_word {
	uint64_t address;
	uint64_t offset; /* in the block: the word is the distance of this from the thread pointer */
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
	struct elf_span *sections; /* those that are loaded, by start; they do not overlap */
	size_t n_sections;
	struct elf_span
		*variables; /* symbols that are neither functions nor thread-local, by start */
	size_t n_variables;
	struct elf_named *named; /* variables with a name and a size, by start */
	size_t n_named;
	struct elf_block block;
	char *names; /* of the thread-local variables, or NULL */
};

/*
 * Reads a file; false if it is not understood: then there is nothing to release.  Parts for which there is no memory are
 * missing, as if the file had been stripped.
 */
bool elf_data_read(struct elf_data *data, const struct elf_source *source);
void elf_data_release(struct elf_data *data, const struct elf_source *source);

/*
 * The largest span around an address that is in one section and holds no symbol or, if a symbol is there, the address
 * alone; size 0 if it is in no section.
 */
struct elf_span elf_data_gap(const struct elf_data *data, uint64_t address);

/* The variable at an address, the last one that begins there or before it, or NULL. */
const struct elf_named *elf_data_at(const struct elf_data *data, uint64_t address);

/* Reads the name of a variable, cut to size bytes (1 or more) with its NUL; false if it is not in the file. */
bool elf_data_name(const struct elf_named *named, const struct elf_source *source, char *name,
		   size_t size);

/* The thread-local variable at an offset in the block, or NULL. */
const struct elf_variable *elf_block_at(const struct elf_block *block, uint64_t offset);

/* The distance from the beginning of a program's block (not a library's) to the thread pointer, by the ABI. */
uint64_t elf_block_distance(const struct elf_block *block);

#endif
