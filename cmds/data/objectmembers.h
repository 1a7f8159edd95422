/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is missed on an object of a known type, by member.  For objecttypes.c only.
 *
 * Two things are known of misses: on which piece of the object they are, of all; and which member the instruction refers to, of
 * some.  A piece that lies in one member is that member's.  Members that share pieces have what instructions say of them, and
 * the rest is of all of them, in a row of its own.  Where pieces and instructions contradict each other, as behind a header that the
 * type does not have, instructions alone are believed.
 */
#ifndef CMDS_DATA_OBJECTMEMBERS_H
#define CMDS_DATA_OBJECTMEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/data/objectcosts.h"
#include "cmds/data/objecttypes.h"
#include "cmds/types/typemembers.h"
#include "cmds/types/typetable.h"
#include "profile/common/arena.h"

/* Fields are private. */
struct object_members {
	struct arena *arena;
	const struct object_row *row;
	size_t n_events;
	uint64_t size;            /* bytes of the type */
	struct type_member *list; /* all that it has, with what instructions say of them */
	size_t n;
	size_t *group; /* by member: the first of those that it shares pieces with, or one before it */
	uint64_t *pieces; /* by member and event: of those that are the first, what pieces of the group have */
};

/* Of a struct and an object of it; memory is the arena's.  False if memory ran out. */
bool objectmembers_init(struct object_members *members, const struct object_row *row,
			const struct typetable *table, uint32_t type, size_t n_events,
			struct arena *arena);

/* An instruction that refers to an offset of the struct has missed on the object. */
void objectmembers_note(struct object_members *members, uint64_t offset, size_t event,
			uint64_t cost);

/* Makes the rows; false if memory ran out. */
bool objectmembers_finish(struct object_members *members, struct object_type *type);

#endif
