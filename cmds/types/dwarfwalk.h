/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What debug information is read with: walks over DIEs, and locations of variables as the few kinds that
 * matter.  For typereader.c and dwarftypes.c only.  Nothing in the file is believed.
 */
#ifndef CMDS_TYPES_DWARFWALK_H
#define CMDS_TYPES_DWARFWALK_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DWARFWALK_DEEPEST = 64 }; /* DIEs within DIEs; what is deeper is not looked at */

/* Where a walk is. */
struct dwarf_walk {
	size_t depth;           /* of the DIE, 0 = the first one */
	const Dwarf_Die *above; /* depth of them: what it is in */
	uint64_t low, high;     /* code that it holds for, as far as that is one stretch */
};

/*
 * Calls take() for a DIE and those in it, as far as take() wants that of the one above.
 */
void dwarfwalk(Dwarf_Die *root,
	       bool (*take)(void *ctx, Dwarf_Die *die, const struct dwarf_walk *walk), void *ctx);

/* Bytes of a variable, member or type; false if that is not known. */
bool dwarfwalk_size(Dwarf_Die *die, Dwarf_Word *size);

enum location_kind {
	LOCATION_OTHER,
	LOCATION_REGISTER,        /* in a register */
	LOCATION_VALUE,           /* is a register's value + offset */
	LOCATION_INDIRECT,        /* in memory, at a register's value + offset */
	LOCATION_FRAME,           /* in memory, at the frame's base + offset */
	LOCATION_FRAME_REFERENCE, /* its address is there */
	LOCATION_ADDRESS,
	LOCATION_THREAD, /* thread-local, at address bytes of what the object has for each thread */
	LOCATION_CFA,    /* of frame bases */
};

/* A variable, or a piece of it, in a stretch of code. */
struct dwarf_location {
	enum location_kind kind;
	uint64_t start, end; /* code; 0 and UINT64_MAX: wherever its scope is */
	unsigned reg;        /* by DWARF's number */
	int64_t offset;
	uint64_t address;
	uint64_t piece,
		piece_size; /* bytes of the variable: the first one, and how many; 0 = all */
	/* The rest is private. */
	Dwarf_Attribute *attribute;
	Dwarf_Op *ops;
	size_t n, next;
	ptrdiff_t list;
	Dwarf_Addr base;
};

/* The first, and the next location of an attribute, which outlives it; false if there is none. */
bool dwarf_location_first(struct dwarf_location *location, Dwarf_Attribute *attribute);
bool dwarf_location_next(struct dwarf_location *location);

#endif
