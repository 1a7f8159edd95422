/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines by address, of the DWARF debug information of an ELF file. */
#ifndef CMDS_OBJECT_LINETABLE_H
#define CMDS_OBJECT_LINETABLE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/object/elffile.h"

/*
 * libdw ends the program where it finds no memory, with a message and exit status 1, or dies.  Whether there is as much
 * as it takes for a unit; if not, *failed.
 */
bool linetable_has_room(bool *failed);

/* What libdw reads of a file.  Fields are private; {0} is nothing. */
struct debuginfo {
	Dwarf *dwarf;
	Dwarf *alt; /* of the file that dwz moved a part of it to; NULL = none */
	struct elffile alt_file;
};

/* Addresses of a compilation unit. */
struct line_range {
	uint64_t start, end;
	Dwarf_Off unit; /* where its DIE is */
};

/* Fields are private.  {0} is a table without lines. */
struct linetable {
	struct debuginfo info;
	Dwarf_Off last_unit;       /* looked at */
	bool failed;               /* memory ran out: not all lines are found */
	struct line_range *ranges; /* by start, none within another one */
	size_t n_ranges, capacity;
};

/*
 * Reads which units there are; of an ELF file that outlives the table.  Of damaged
 * information, what can be read counts, and if memory is short, nothing.
 */
void linetable_init(struct linetable *table, const struct elffile *file);
void linetable_release(struct linetable *table);

/* False if nothing is known of the address.  *file lives as long as the table. */
bool linetable_find(struct linetable *table, uint64_t address, const char **file, uint64_t *line);

/* The source files that units name.  Set file, which outlives it; the rest is private. */
struct linenames {
	const struct elffile *file;
	struct debuginfo info;
	Dwarf_Off next; /* header of the next unit */
	unsigned n;     /* units that libdw has read */
	bool is_done, failed;
};

void linenames_release(struct linenames *names);

/*
 * Passes to note() the names of the next unit that has any, relative ones with the folder that it was
 * compiled in.  They live until note() returns; if it returns false, the rest of the unit is skipped.
 * False if there is no further unit, or memory ran out (failed).
 */
bool linenames_next(struct linenames *names, bool (*note)(void *ctx, const char *name), void *ctx);

#endif
