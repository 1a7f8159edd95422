/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of debug information, read into a table as they are asked for.  For typereader.c only. */
#ifndef CMDS_TYPES_DWARFTYPES_H
#define CMDS_TYPES_DWARFTYPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/types/dwarfwalk.h"
#include "cmds/types/typetable.h"
#include "profile/common/bytes.h"
#include "profile/common/dictionary.h"

/* A struct whose members are still to be read. */
struct unread_type {
	uint32_t type;
	Dwarf_Die die;
};

/* Fields are private but table and failed. */
struct dwarftypes {
	struct typetable *table;
	bool failed; /* memory ran out */
	struct dictionary
		names; /* full ones of types in namespaces and classes, and of those that are defined */
	Dwarf_Die *definitions; /* by key of a name: the type; owned */
	bool *is_defined;       /* likewise */
	size_t definitions_capacity, is_defined_capacity;
	struct dictionary places; /* where DIEs are, as texts; what is known of them by key: */
	uint32_t *of_place;       /* type, owned */
	uint32_t *name_of_place;  /* key of its full name, owned */
	size_t of_place_capacity, name_of_place_capacity;
	struct unread_type *unread; /* owned */
	size_t n_unread, unread_capacity;
	struct bytes text; /* for names */
};

void dwarftypes_init(struct dwarftypes *types, struct typetable *table);
void dwarftypes_release(struct dwarftypes *types);

/* Notes the full name of a type, by what it is in, and where it is defined; false if memory ran out. */
bool dwarftypes_note(struct dwarftypes *types, Dwarf_Die *die, const struct dwarf_walk *walk);

/* The type of a variable, or that a function returns; TYPE_NONE = not known, or memory ran out (failed). */
uint32_t dwarftypes_of(struct dwarftypes *types, Dwarf_Die *die);

/* A pointer to a type, `target`; TYPE_NONE if memory ran out (failed). */
uint32_t dwarftypes_pointer(struct dwarftypes *types, uint32_t target);

#endif
