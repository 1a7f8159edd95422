/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which type objects of data have, and which members are missed on: by the instructions that miss on each
 * (a data profile of a run with --dump-instr=yes has their addresses), and by what their machine code and debug information
 * say of the type that they refer to (cmds/types/typeplaces.h).
 *
 * An object has the type that three quarters or more of those misses on it agree on of which a type is known: that itself,
 * or what it has in it, as a derived class has its base.  A type that is larger than the object is none of it, nor is a
 * struct whose size does not divide that of a block that is missed on behind one.
 */
#ifndef CMDS_DATA_OBJECTTYPES_H
#define CMDS_DATA_OBJECTTYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/data/objectcosts.h"
#include "cmds/object/codeobject.h"
#include "cmds/types/typecosts.h"
#include "cmds/types/typeplaces.h"
#include "profile/common/arena.h"

/*
 * What is missed of a type.  Names and places are as in struct type_member; where neither the place in the object nor the
 * instruction tells members apart, a row is of several: "key, value".  "(elsewhere)" is padding and what lies
 * behind, "(not known)" what only the object is known of.
 */
struct object_member {
	const char *name;
	uint64_t offset, size; /* bytes; 0 of what is in brackets */
	uint64_t *costs;       /* by the model's events */
};

/* The type of an object; struct object_row has it.  All belongs to the struct object_types. */
struct object_type {
	const char *name; /* of one: "struct node", "double" */
	uint64_t size;    /* bytes of one */
	bool is_array;    /* the object is, or may be, several of them */
	/* By offset, those with misses only: they add up to the object's costs.  None of what is no struct. */
	struct object_member *members;
	size_t n_members;
};

/* Fields are private but model.  {0} may be released. */
struct object_types {
	const struct model *model; /* NULL = types are not known of any */
	struct type_places places;
	struct code_objects objects; /* whose files were read: warnings are made of these */
	struct arena arena;
	bool *is_written; /* by event: it needs a write */
	bool *is_read;
};

/*
 * Sets `type` of those rows of a model's objects whose type is known, which point into `types` until that is released.  None is
 * known, and nothing wrong, where the model has no instructions.
 * The options outlive it.  Returns a status.  To be released in any case.
 */
int objecttypes_make(struct object_types *types, struct object_costs *costs,
		     const struct model *model, const struct typecosts_options *options);
void objecttypes_release(struct object_types *types);

#endif
