/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The members of a struct as a list, those of structs in it in their places: what costs of a type are told apart by.
 */
#ifndef CMDS_TYPES_TYPEMEMBERS_H
#define CMDS_TYPES_TYPEMEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/types/typetable.h"
#include "profile/common/arena.h"

/* A member of a struct, or of one in it. */
struct type_member {
	const char *name;      /* "node.next" */
	uint64_t offset, size; /* bytes */
	size_t outer;          /* place in members of data_type of the one that it is, or is in */
	uint64_t *costs;       /* by the model's events, of whoever has the list */
};

/*
 * Lists those of a struct by offset, without costs, as an array of the arena's; members of a union that have one place and
 * size are one.  The last one, "(elsewhere)", is for the rest: padding and what is unclear.  False if memory ran out.
 */
bool typemembers_list(struct type_member **members, size_t *n, const struct typetable *table,
		      uint32_t type, struct arena *arena);

/* The one at an offset: of several the last one that begins there or before, and has it; 0 if n is. */
size_t typemembers_at(const struct type_member *members, size_t n, uint64_t offset);

#endif
