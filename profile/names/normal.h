/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the user wants done to names before functions are compared or added up:
 * paths mapped, expressions applied, symbols folded.  A model that is built with
 * it has one function for all whose file, object and name become equal, with
 * exact sums.
 *
 *	struct normal normal;
 *	struct builder_options building = { .rename = normal_rename, .ctx = &normal };
 *
 *	normal_init(&normal, &heap_env);
 *	normal.symbols = SYMBOLNAME_USUAL;
 *	status = normal_add_map(&normal, "/build/1=/src", &error);
 *	status = normal_add_expression(&normal, NAME_FUNCTION, "s/_v[0-9]+//", &error);
 *	status = builder_init(&builder, &model, &building);
 *	... as in profile/model/build.h
 *	if (!status)
 *		status = normal_status(&normal, &error);
 *	...
 *	normal_release(&normal);
 *
 * Files: the first mapping that matches, then all expressions, in the order they were
 * added, each on what the one before has left.  Functions: all expressions, then
 * folding; so an expression sees what the profile says, as those of cg_diff do.
 * Objects: the mapping, if maps_objects.  "???", what is not known, is in no folder; expressions
 * may match it, as those of cg_diff do.  A name that nothing is left of becomes "???".
 */
#ifndef PROFILE_NAMES_NORMAL_H
#define PROFILE_NAMES_NORMAL_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/bytes.h"
#include "profile/common/error.h"
#include "profile/format/reader.h"
#include "profile/names/expression.h"
#include "profile/names/symbolname.h"

/* -- mappings of paths --------------------------------------------------------- */

/* Folders that are called otherwise: beginnings of paths and what to put there. */

struct pathmap_entry {
	size_t old, old_len; /* texts in struct pathmap */
	size_t new, new_len;
};

/* Fields are private.  Invariant: entries in the order in which they were added. */
struct pathmap {
	struct bytes texts;
	struct pathmap_entry *entries; /* owned */
	size_t n, capacity;
};

/* Empty; env outlives it. */
void pathmap_init(struct pathmap *map, const struct env *env);
void pathmap_release(struct pathmap *map);

/*
 * Adds "OLD=NEW", cut at the first "=".  OLD is not empty; "/" at its end, "//" and "/./" make no
 * difference.  NEW may be empty: OLD and the "/" behind it go then.  PROFILE_OK,
 * PROFILE_SYNTAX (error->column, line 1) or PROFILE_NO_MEMORY.
 */
int pathmap_add(struct pathmap *map, const char *text, struct profile_error *error);

/* The NEW of entry i, *len bytes; valid until an entry is added. */
const char *pathmap_new(const struct pathmap *map, size_t i, size_t *len);

/*
 * If a path is the OLD of an entry or within it (whole components: /a/b is within /a,
 * /ab is not), adds what it is called to out and returns true; the first such entry counts.
 */
bool pathmap_apply(const struct pathmap *map, const char *path, size_t len, struct bytes *out);

struct normal_step {
	struct expression *expression; /* owned */
};

/* In order. */
struct normal_list {
	struct normal_step *steps; /* owned */
	size_t n, capacity;
};

/* symbols and maps_objects are for the user to set, before the first name; the rest is private. */
struct normal {
	unsigned symbols;  /* enum symbolname_flags; 0 = functions are not folded */
	bool maps_objects; /* mappings are for objects too */
	const struct env *env;
	struct pathmap paths;
	struct normal_list files, functions;
	struct bytes buffers[2];    /* texts of the name at work */
	struct profile_error error; /* the first; status is PROFILE_OK if there was none */
};

/* Does nothing to names; takes no memory yet; env outlives it.  Not to be moved. */
void normal_init(struct normal *normal, const struct env *env);
void normal_release(struct normal *normal);

/* Adds "OLD=NEW" (pathmap_add()).  PROFILE_OK, or PROFILE_SYNTAX or PROFILE_NO_MEMORY, see error. */
int normal_add_map(struct normal *normal, const char *text, struct profile_error *error);

/* Adds an expression (expression.h) for NAME_FILE or NAME_FUNCTION; returns likewise. */
int normal_add_expression(struct normal *normal, enum name_kind kind, const char *text,
			  struct profile_error *error);

/* Whether no name would be changed, so that the hook can be left out. */
bool normal_is_empty(const struct normal *normal);

/*
 * The hook of struct builder_options.  Once something has failed, names are left
 * as they are: ask normal_status() when all has been read.
 */
bool normal_rename(void *normal, enum name_kind kind, const char **text, size_t *len);

/*
 * The normal form of one name: *text and *len are replaced by it, valid until the next
 * name, or left.  Returns a status: as expression_apply(), and error says which name.
 */
int normal_apply(struct normal *normal, enum name_kind kind, const char **text, size_t *len,
		 struct profile_error *error);

/* Whether normal_rename() has failed: the status of the first failure, copied to error. */
int normal_status(const struct normal *normal, struct profile_error *error);

#endif
