/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An ELF file, opened by libelf: its code and what identifies it.  Nothing in the file is
 * believed: what is said here lies within the file.
 */
#ifndef CMDS_OBJECT_ELFFILE_H
#define CMDS_OBJECT_ELFFILE_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

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

/* Whether the file has a section of this name with contents. */
bool elffile_has(const struct elffile *file, const char *name);

#endif
