/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An ELF file, opened by libelf: its code, its build-id, its functions and variables by address.  Nothing in the file is
 * trusted: all that is returned lies within it.  For objectfile.c only.
 */
#ifndef CMDS_OBJECT_ELF_H
#define CMDS_OBJECT_ELF_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cmds/object/objectfile.h"
#include "profile/common/heap.h"

enum { ELFFILE_BUILD_ID = 2 * 64 + 1 }; /* hexadecimal, with its NUL */

/* A section of code. */
struct elf_section {
	uint64_t start, end; /* addresses; start < end */
	Elf_Scn *scn;
	const char *name;
	uint64_t entry_size;       /* of linkage tables; else 0 */
	const unsigned char *code; /* end - start bytes once it was asked for; NULL = not yet */
	bool is_missing;           /* they cannot be read */
};

/* Fields are for reading; all memory is the struct's. */
struct elffile {
	char *path;
	int fd;
	Elf *elf;
	GElf_Ehdr header;
	struct timespec modified;
	bool is_safe;                    /* nobody but this user and root can have written it */
	char build_id[ELFFILE_BUILD_ID]; /* "" = it has none */
	struct elf_section *sections;    /* of code, by address; without those that overlap */
	size_t n_sections;
};

/*
 * Opens a file.  NULL, or why not: a text that lives for ever.  Only regular files
 * count.  To be released if NULL was returned.
 */
const char *elffile_open(struct elffile *file, const char *path);
void elffile_release(struct elffile *file);

/* How many sections of code end at an address or before it. */
size_t elffile_sections_before(const struct elffile *file, uint64_t address);

/* The section of code that has an address, or NULL. */
struct elf_section *elffile_section(const struct elffile *file, uint64_t address);

/* The bytes from an address to the end of its section, *len of them; NULL if there are none. */
const unsigned char *elffile_code(const struct elffile *file, uint64_t address, size_t *len);

/* The contents of a section by its name; NULL if there is none. */
Elf_Data *elffile_data(const struct elffile *file, const char *name);

/* True if the file has a section of this name with contents. */
bool elffile_has(const struct elffile *file, const char *name);

/* -- symbols ----------------------------------------------------------------------- */

struct elf_symbol {
	struct object_symbol at;
	unsigned rank; /* of symbols at one address, the greatest counts */
};

struct elf_symbol_list {
	struct elf_symbol *symbols; /* by address, not overlapping */
	size_t n, capacity;
};

/*
 * The symbol table that some distributions (Fedora) leave in a stripped object: another ELF file,
 * compressed by xz, in its section .gnu_debugdata.  It has functions that are not exported, and no
 * lines.
 */
struct minidebug {
	Elf *elf;    /* NULL: there is none */
	char *image; /* owned; what elf is in */
};

/* Names are the files', the arena's, or in the minidebug. */
struct elfsymbols {
	struct elf_symbol_list functions, variables;
	struct elf_symbol_list aliases; /* functions that begin where another one does, by address */
	struct minidebug minidebug;     /* read where there is no other table of all functions */
	struct arena arena;
};

/*
 * Reads the symbols of an object and of its debug file, which may be NULL; both outlive the
 * struct; and the symbols of .gnu_debugdata, where neither has a symbol table.  A stub of the linkage table is named after what it
 * leads to: "puts@plt".
 */
void elfsymbols_init(struct elfsymbols *symbols, const struct elffile *object,
		     const struct elffile *debug);
void elfsymbols_release(struct elfsymbols *symbols);

/* The one at an address, or NULL. */
const struct object_symbol *elfsymbols_find(const struct elf_symbol_list *list, uint64_t address);

/* How many end at an address or before it. */
size_t elfsymbols_before(const struct elf_symbol_list *list, uint64_t address);

#endif
