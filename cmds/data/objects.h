/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects of data with their misses, from a profile that --data=yes wrote (docs/FORMAT.md, "Data profile"): their
 * places, names and types, and the view of all that.
 */
#ifndef CMDS_DATA_OBJECTS_H
#define CMDS_DATA_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/cli/loader.h"
#include "cmds/listing/listing.h"
#include "cmds/object/codeobject.h"
#include "cmds/types/typecosts.h"
#include "profile/common/heap.h"
#include "profile/common/visitor.h"
#include "profile/model/model.h"

/* -- objects (objectcosts.c) -------------------------------------------------------------------
 *
 * In a data profile, an object is a function of the file [data].  Its lines are offsets in it, and its callers missed on it.
 */

#define OBJECTCOSTS_FILE "[data]"

/* A piece of an object. */
struct object_piece {
	uint64_t offset; /* bytes from the beginning of the object, or of an element */
	const uint64_t *costs;
};

struct object_row {
	uint32_t function;              /* in the model */
	struct name name;               /* its name; a variable's as in the source */
	const struct object_type *type; /* NULL = not known, or not asked for */
	const uint64_t *costs;
	const struct object_piece *pieces; /* by offset */
	size_t n_pieces;
	const struct listing_link *users; /* functions that missed on it, the most costly first */
	size_t n_users;
};

/* Arrays are the arena's. */
struct object_costs {
	struct object_row *rows; /* the most costly first */
	size_t n;
};

/* True if the model has objects of data. */
bool objectcosts_are_in(const struct model *model);

/* NULL if they are in; else what was expected. */
const char *objectcosts_missing(const struct model *model);

/* All of them; returns a status. */
int objectcosts_make(struct object_costs *costs, const struct basis *basis);

/*
 * A filter of data profiles that gives objects names that stay the same when sources change, so that two runs can be
 * compared.  Blocks are named by the functions that allocated them, without lines and sizes, variables as in their
 * sources.  Objects of one name become one.  Fields are private.
 */
struct object_names {
	struct visitor_filter filter;
	struct bytes text; /* of the name that is passed on */
};

/* To be released. */
void objectnames_init(struct object_names *names);
void objectnames_release(struct object_names *names);

/* The visitor for what `to` is to receive; may be called again for another one. */
const struct visitor *objectnames_to(struct object_names *names, const struct visitor *to);

/* -- names of blocks (objectname.c) ------------------------------------------------------------
 *
 * They say by which calls blocks were allocated, and how large they are: "make_node list.c:34 < list list.c:66
 * < main list.c:298, 64 B".
 */

struct object_size {
	bool is_known;
	bool is_of_elements;  /* of an array: least and most are the element's */
	uint64_t least, most; /* bytes */
};

/* The size in a name; *chain is the length of the calls before it. */
struct object_size objectname_size(const char *name, size_t len, size_t *chain);

/*
 * Appends the functions of the calls, without files, lines and size: "make_node < list < main".  A name without
 * calls is appended as it is.
 */
void objectname_add_chain(struct bytes *text, const char *name, size_t len);

/* -- types of objects (objecttypes.c) ----------------------------------------------------------
 *
 * The instructions that miss on an object say which type it has: by their addresses, which a data profile has with
 * --dump-instr=yes, their machine code and debug information.
 *
 * An object has the type that at least three quarters of the misses with a known type agree on: the type
 * itself, or what it contains, as a derived class contains its base.  A type that is larger than the object
 * cannot be its type, nor can a struct whose size does not divide the size of a block with misses after the
 * first struct.
 */

/*
 * Misses on a member.  Names and places are as in struct type_member; where neither the place in the object nor the
 * instruction distinguishes members, a row has several: "key, value".  "(elsewhere)" is padding and what follows
 * the struct; of "(not known)" only the object is known.
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
	/* By offset, with misses only: they add up to the object's costs.  Only of structs. */
	struct object_member *members;
	size_t n_members;
};

/* Fields are private but model and objects.  {0} may be released. */
struct object_types {
	const struct model *model; /* NULL = no types are known */
	struct type_places places;
	struct code_objects objects; /* whose files were read, for warnings */
	struct arena arena;
	bool *is_written; /* by event: it needs a write */
	bool *is_read;
};

/*
 * Sets `type` of the rows of a model's objects whose type is known, which live as long as `types`.  None is known
 * if the model has no instructions.  The options outlive it.  To be released.
 */
void objecttypes_make(struct object_types *types, struct object_costs *costs,
		      const struct model *model, const struct typecosts_options *options);
void objecttypes_release(struct object_types *types);

/* -- files (objectfiles.c) ---------------------------------------------------------------------
 *
 * The files that have the objects of profiles: the profiles themselves, or files in their directories that they name ("desc:
 * Data profile:"; a sum names one for each profile).  And whether these are of the same run.
 */

/* Fields are for reading; all memory is the arena's. */
struct objectfiles {
	const char **paths; /* of each file, once; an array of n */
	const char **names; /* the first profile that names it, NULL if that is the file itself */
	size_t n;
	bool are_named; /* some are */
	/* The first name that is no file's in the profile's directory, and who names it; NULL = all are. */
	const char *foreign, *foreign_by;
};

/*
 * The files of the model, which was read from the n profiles of these paths, in the order in which they are named
 * first.  A profile that names none has its objects itself.
 */
void objectfiles_find(struct objectfiles *files, const struct model *model,
		      const char *const *paths, size_t n, struct arena *arena);

/*
 * What is wrong with the first file that is named and is not there, or may not be read because a profile names it
 * (profile/format/source.h); NULL if nothing is.  Only then may they be read.
 */
const char *objectfiles_missing(const struct objectfiles *files, struct arena *arena);

/*
 * What is wrong if a file's objects do not belong to all profiles that name it: by process, command, part and
 * machine, as far as both say them, and by the sums of the events that both have.  data was read from
 * the files, model from the profiles.  *are_others: they are another run's; else of more threads than the profiles.
 * NULL if nothing is wrong.
 */
const char *objectfiles_wrong(const struct objectfiles *files, const struct model *model,
			      const struct model *data, bool *are_others, struct arena *arena);

/* -- the data profile of a profile (datafile.c) ---------------------------------------------------- */

/*
 * Reads the data profile that a profile names into *data, which was initialized, by the options that the profile was read by, but
 * with all threads and parts.  *is_there: it has one, of the same run; if it is gone, or another run's, a warning by the command's
 * name says so.  Returns an exit code.
 */
int datafile_read(struct model *data, bool *is_there, const struct model *model, const char *path,
		  const struct loader_options *usual, const char *command);

/* -- the view (objectview.c) -------------------------------------------------------------------- */

struct document; /* cmds/emit/document.h */

struct objectview {
	const struct object_costs *objects;
	const struct model *model; /* that they are of */
	const struct columns *columns;
	const uint64_t *totals; /* by event */
	size_t most;            /* objects that people see; 0 = all */
	bool is_page;           /* the document is a page's, with its numbers of functions */
	double detail;       /* of a page, percent: objects with less are one row for each kind */
	struct arena *arena; /* for what is needed on the way */
};

/* "Objects of data"; in a page, members of the object that is open.  The document has costs. */
void objectview_put(struct document *document, const struct objectview *view);

#endif
