/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variables of object files, which lie at fixed addresses.  Names are Valgrind's,
 * which reads debug files, too; how far a name goes, and where there is none, is found out once
 * and kept as a range, so that each address of it need not be asked for.
 */
#ifndef TOOL_DATA_VARIABLES_H
#define TOOL_DATA_VARIABLES_H

#include "pub_tool_basics.h"
#include "pub_tool_debuginfo.h"

#include "tool/data/elf_data.h"

struct data_object;
struct data_objects;
struct text;

/* What is known of memory around an address: so many bytes from start on are of one object. */
struct data_extent {
	Addr start;
	SizeT size;  /* 0: nothing is known */
	Addr origin; /* where the variable begins, from which offsets are; 0: that is not known */
};

struct data_range {
	struct data_extent extent;
	struct data_object *object;
};

/* An object file, as it was read when data of it was first asked for. */
struct variables_file {
	struct variables_file *next;
	const struct text *path;
	PtrdiffT bias;   /* of addresses in memory to those of the file */
	Bool is_program; /* it is what was executed */
	Bool is_read;    /* else data is nothing */
	struct elf_data data;
};

/* All zero is the beginning. */
struct variables {
	UInt epoch;                /* of Valgrind's object files, that the ranges are of */
	struct data_range *ranges; /* by address */
	UInt n, room;
	struct variables_file *files;
};

/* The object file that Valgrind knows by this description, read if it was not yet. */
struct variables_file *variables_file(struct variables *variables, struct data_objects *objects,
				      const DebugInfo *info);

/*
 * The variable that an address is of, or those without a name, or the file there; NULL: it is in no object
 * file.  *extent is not set then.
 */
struct data_object *variables_at(struct variables *variables, struct data_objects *objects,
				 Addr address, struct data_extent *extent);

#endif
