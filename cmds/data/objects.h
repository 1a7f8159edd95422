/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_DATA_OBJECTS_H
#define CMDS_DATA_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/object/codeobject.h"
#include "cmds/listing/listing.h"
#include "cmds/types/typecosts.h"
#include "profile/common/arena.h"
#include "profile/common/bytes.h"
#include "profile/common/visitor.h"
#include "profile/model/model.h"

/* -- costs -------------------------------------------------------------------------------------- */

/*
 * Objects of data with their misses, of a profile that --data=yes wrote (docs/FORMAT.md, "Data profile"):
 * in it they are functions of the file [data], whose lines are offsets, and whose callers missed on them.
 */

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

/* -- types -------------------------------------------------------------------------------------- */

/*
 * Which type objects of data have, and which members are missed on: by the instructions that miss on each
 * (a data profile of a run with --dump-instr=yes has their addresses), and by what their machine code and debug information
 * say of the type that they refer to (cmds/types/typeplaces.h).
 *
 * An object has the type that three quarters or more of those misses on it agree on of which a type is known: that itself,
 * or what it has in it, as a derived class has its base.  A type that is larger than the object is none of it, nor is a
 * struct whose size does not divide that of a block that is missed on behind one.
 */

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
 * known, and nothing wrong, where the model has no instructions, or costgrind was built without what types are found out with.
 * The options outlive it.  Returns a status.  To be released in any case.
 */
int objecttypes_make(struct object_types *types, struct object_costs *costs,
		     const struct model *model, const struct typecosts_options *options);
void objecttypes_release(struct object_types *types);

/* -- files -------------------------------------------------------------------------------------- */

/*
 * Which files have the objects of data of profiles: these themselves, or those that they name
 * ("desc: Data profile:", of a sum one for each profile), each in its own directory; and whether what is there is of the same run.
 */

/* Fields are for reading; all memory is the arena's. */
struct objectfiles {
	const char **paths; /* of each file, once; an array of n */
	const char **names; /* the first profile that names it, NULL if that is the file itself */
	size_t n;
	bool are_named; /* some are */
	/* The first name that is none of a file in the profile's folder, and whose it is; NULL = all are. */
	const char *foreign, *foreign_by;
};

/*
 * The files of the model, which was read from the n profiles of these paths, in the order in which they are named
 * first: a profile that names none stands for itself.  False if memory ran out.
 */
bool objectfiles_find(struct objectfiles *files, const struct model *model,
		      const char *const *paths, size_t n, struct arena *arena);

/*
 * What is to be said of the first file that is named and is not there, or is none that may be read because a profile
 * names it (profile/common/namedfile.h); NULL if all are there, or memory ran out.  Others than these are not to be read.
 */
const char *objectfiles_missing(const struct objectfiles *files, struct arena *arena);

/*
 * What is to be said of a file whose objects are not those of all profiles that name it: by process, command, part and
 * machine, as far as both say them, and by the sums of the events that both have.  data was read from
 * the files, model from the profiles.  *are_others: they are another run's; else of more threads than the profiles are of.
 * NULL if there is nothing to be said, or memory ran out.
 */
const char *objectfiles_wrong(const struct objectfiles *files, const struct model *model,
			      const struct model *data, bool *are_others, struct arena *arena);

/* -- names -------------------------------------------------------------------------------------- */

/*
 * What the names of objects say that stand for blocks (docs/FORMAT.md, "Data profile"): by which calls these were
 * allocated, and how large they are: "make_node list.c:34 < list list.c:66 < main list.c:298, 64 B".
 */

struct object_size {
	bool is_known;
	bool is_of_elements;  /* of an array: least and most are the element's */
	uint64_t least, most; /* bytes */
};

/* What is said of the size; *chain is the length of what is said before it, the calls. */
struct object_size objectname_size(const char *name, size_t len, size_t *chain);

/*
 * Appends what stays the same when sources change: the functions of the calls, without files, lines and size, "make_node < list
 * < main".  A name without calls is appended as it is.
 */
void objectname_add_chain(struct bytes *text, const char *name, size_t len);

/*
 * Names of variables as their source has them.  A data profile has those of functions demangled, by Valgrind, and variables by
 * their symbols: "_ZN3app1C7membersE", "_ZL8counters (thread-local)".
 */

/*
 * Whether an object of data, of a group "[heap]" or of a file, has a variable's name that is mangled; then that is
 * appended as the source has it: "app::C::members".  A failed allocation is in text->failed.
 */
bool variablename_add(struct bytes *text, struct name name, struct name group);

/* Whether objects of a group are named by calls, not as variables are. */
bool variablename_is_of_calls(struct name group);

/*
 * A filter of data profiles in which objects have names that stay the same when sources change, so that two runs can
 * be compared: of blocks the functions that allocated them, without lines and sizes (objectname.h).  Others are
 * passed on as they are.  Objects of one name become one.
 */

/* Fields are private. */
struct objectview {
	struct visitor_filter filter;
	struct bytes text; /* of the name that is passed on */
};

/* To be released. */
void objectview_init(struct objectview *view);
void objectview_release(struct objectview *view);

/* The visitor that shall be told what `to` is to have; as often as one likes, one after the other. */
const struct visitor *objectview_to(struct objectview *view, const struct visitor *to);

#endif
