/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Static functions of an ELF file that share their name with another function, and the sources that their symbols are listed
 * under (STT_FILE), which distinguish them if there is no debug information.  Compilers name sources without their folder,
 * so sources may share a name, too: functions of the second one are in "util.c (2)", in the order of the symbols.
 *
 * Limits of what is read: struct elf_source.  Time is in proportion to the number of symbols.
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

/* Reads a file; finds nothing if it is not understood, has only dynamic symbols, or memory is refused. */
void namesakes_read(struct namesakes *namesakes, const struct elf_source *source);
void namesakes_release(struct namesakes *namesakes, const struct elf_source *source);

/* The source of the function that begins at an address; NULL if it is not one of these functions. */
const char *namesakes_file(const struct namesakes *namesakes, uint64_t entry);

#endif
