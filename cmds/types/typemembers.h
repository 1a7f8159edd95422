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

/*
 * A member of a struct, or of one in it.  One of the elements of an array of structs stands for those of all of
 * them: its offset is that in the first element.
 */
struct type_member {
	const char *name;      /* "node.next", "level[].next" */
	uint64_t offset, size; /* bytes */
	uint64_t array;        /* of one in an array of structs: the array's offset, */
	uint64_t stride;       /* and bytes from one element to the next; else 0 */
	uint64_t end;          /* behind the array, or the member; UINT64_MAX = it has no bound */
	size_t outer;          /* place in members of data_type of the one that it is, or is in */
	uint64_t *costs;       /* by the model's events, of whoever has the list */
};

/*
 * Lists those of a struct by offset, without costs, as an array of the arena's; members of a union that have one place and
 * size are one.  The last one, "(elsewhere)", is for the rest: padding and what is unclear.  False if memory ran out.
 */
bool typemembers_list(struct type_member **members, size_t *n, const struct typetable *table,
		      uint32_t type, struct arena *arena);

/* How many elements of an array in the struct have a member, one if it is in no array; 0 if the array has no bound. */
uint64_t typemember_copies(const struct type_member *member);

/* Whether any of the bytes from start on, and before end, are of a member, in whichever element of an array. */
bool typemember_has(const struct type_member *member, uint64_t start, uint64_t end);

/* The one at an offset: of several the last one that begins there or before, and has it; 0 if n is. */
size_t typemembers_at(const struct type_member *members, size_t n, uint64_t offset);

#endif
