/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects of data with their misses, of a profile that --data=yes wrote (docs/FORMAT.md, "Data profile"):
 * in it they are functions of the file [data], whose lines are offsets, and whose callers missed on them.
 */
#ifndef CMDS_DATA_OBJECTCOSTS_H
#define CMDS_DATA_OBJECTCOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/listing/listing.h"
#include "profile/model/model.h"

/* The file that objects are of. */
#define OBJECTCOSTS_FILE "[data]"

/* A piece of an object. */
struct object_piece {
	uint64_t offset; /* bytes from the beginning of the object, or of an element */
	const uint64_t *costs;
};

struct object_type; /* cmds/data/objecttypes.h */

struct object_row {
	uint32_t function;              /* that it is in the model */
	struct name name;               /* as that is, a variable's as its source has it */
	const struct object_type *type; /* NULL = not known, or not asked for */
	const uint64_t *costs;
	const struct object_piece *pieces; /* by offset */
	size_t n_pieces;
	const struct listing_link *users; /* functions that missed on it, those that did most first */
	size_t n_users;
};

/* Arrays are the arena's. */
struct object_costs {
	struct object_row *rows; /* those that cost most first */
	size_t n;
};

/* Whether the model has objects of data. */
bool objectcosts_are_in(const struct model *model);

/* NULL if they are in; else what was expected: of a data profile without misses, and of any other one. */
const char *objectcosts_missing(const struct model *model);

/* All of them; returns a status. */
int objectcosts_make(struct object_costs *costs, const struct basis *basis);

#endif
