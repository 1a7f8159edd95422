/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Static functions of an ELF file that have the name of another function there, and the
 * sources that their symbols are listed under (STT_FILE): what tells them apart where there is no debug information.
 * Compilers name the source without its folder, so sources may have one name, too: the functions of the second one
 * are in "util.c (2)", in the order of the symbols.
 *
 * What is read is limited as tool/elf/elfobject.h says, and time is in proportion to the number of symbols.
 */
#ifndef TOOL_SYMBOLS_NAMESAKES_H
#define TOOL_SYMBOLS_NAMESAKES_H

#include "tool/elf/elfobject.h"

struct namesake {
	uint64_t entry; /* as linked */
	const char *file;
};

struct namesakes {
	struct namesake *all; /* by entry */
	size_t n;
	char *files; /* their names, or NULL */
};

/* Reads a file; it has none if it is not understood, has no symbols but dynamic ones, or memory is refused. */
void namesakes_read(struct namesakes *namesakes, const struct elf_source *source);
void namesakes_release(struct namesakes *namesakes, const struct elf_source *source);

/* The file of the function that begins at an address; NULL if it is none of them. */
const char *namesakes_file(const struct namesakes *namesakes, uint64_t entry);

#endif
