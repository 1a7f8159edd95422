/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files for the printers of this folder. */
#ifndef TESTS_TOOL_ELF_READ_FILE_H
#define TESTS_TOOL_ELF_READ_FILE_H

#include <stdio.h>
#include <stdlib.h>

#include "tool/elf/dwarf.h"

/* Reads a file, to be freed by the caller; NULL if it cannot be opened.  Other errors end the program. */
static struct debug_bytes read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes;
	long size;

	if (!file)
		return (struct debug_bytes){ NULL, 0 };
	if (fseek(file, 0, SEEK_END) != 0)
		exit(1);
	size = ftell(file);
	rewind(file);
	bytes = malloc((size_t)size + 1);
	if (!bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size)
		exit(1);
	fclose(file);
	return (struct debug_bytes){ bytes, (uint64_t)size };
}

#endif
