/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the user wants done to names before functions are compared or added up:
 * paths mapped, expressions applied, symbols folded.  A model that is built with
 * it has one function for all whose file, object and name become equal, with
 * exact sums.
 *
 *	struct name_rules rules;
 *	struct builder_options building = { .rename = name_rules_rename, .ctx = &rules };
 *
 *	name_rules_init(&rules, &heap_env);
 *	rules.symbols = SYMBOLNAME_USUAL;
 *	status = name_rules_add_map(&rules, "/build/1=/src", &error);
 *	status = name_rules_add_expression(&rules, NAME_FUNCTION, "s/_v[0-9]+//", &error);
 *	status = builder_init(&builder, &model, &building);
 *	... as in profile/model/build.h
 *	if (!status)
 *		status = name_rules_status(&rules, &error);
 *	...
 *	name_rules_release(&rules);
 *
 * Files: the first mapping that matches, then all expressions, in the order they were
 * added, each on what the one before has left.  Functions: all expressions, then
 * folding; so an expression sees what the profile says, as those of cg_diff do.
 * Objects: the mapping, if maps_objects.  "???", what is not known, is in no folder; expressions
 * may match it, as those of cg_diff do.  A name that nothing is left of becomes "???".
 */
#ifndef PROFILE_NAMES_NAME_RULES_H
#define PROFILE_NAMES_NAME_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/bytes.h"
#include "profile/common/error.h"
#include "profile/format/reader.h"
#include "profile/names/expression.h"
#include "profile/names/symbolname.h"

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

/* The NEW of entry i, *len bytes; valid until an entry is added. */
const char *pathmap_new(const struct pathmap *map, size_t i, size_t *len);

struct name_rule {
	struct expression *expression; /* owned */
};

/* In order. */
struct name_rule_list {
	struct name_rule *steps; /* owned */
	size_t n, capacity;
};

/* symbols and maps_objects are for the user to set, before the first name; the rest is private. */
struct name_rules {
	unsigned symbols;  /* enum symbolname_flags; 0 = functions are not folded */
	bool maps_objects; /* mappings are for objects too */
	const struct env *env;
	struct pathmap paths;
	struct name_rule_list files, functions;
	struct bytes buffers[2];    /* texts of the name at work */
	struct profile_error error; /* the first; status is PROFILE_OK if there was none */
};

/* Does nothing to names; takes no memory yet; env outlives it.  Not to be moved. */
void name_rules_init(struct name_rules *rules, const struct env *env);
void name_rules_release(struct name_rules *rules);

/*
 * Adds "OLD=NEW", cut at the first "=".  OLD is not empty; "/" at its end, "//" and "/./" make no
 * difference.  NEW may be empty: OLD and the "/" behind it go then.  A path is mapped if it is OLD or
 * within it (whole components: /a/b is within /a, /ab is not).  PROFILE_OK, PROFILE_SYNTAX
 * (error->column, line 1) or PROFILE_NO_MEMORY.
 */
int name_rules_add_map(struct name_rules *rules, const char *text, struct profile_error *error);

/* Adds an expression (expression.h) for NAME_FILE or NAME_FUNCTION; returns likewise. */
int name_rules_add_expression(struct name_rules *rules, enum name_kind kind, const char *text,
			      struct profile_error *error);

/* Whether no name would be changed, so that the hook can be left out. */
bool name_rules_is_empty(const struct name_rules *rules);

/*
 * The hook of struct builder_options.  Once something has failed, names are left
 * as they are: ask name_rules_status() when all has been read.
 */
bool name_rules_rename(void *rules, enum name_kind kind, const char **text, size_t *len);

/*
 * The normal form of one name: *text and *len are replaced by it, valid until the next
 * name, or left.  Returns a status: as expression_apply(), and error says which name.
 */
int name_rules_apply(struct name_rules *rules, enum name_kind kind, const char **text, size_t *len,
		     struct profile_error *error);

/* Whether name_rules_rename() has failed: the status of the first failure, copied to error. */
int name_rules_status(const struct name_rules *rules, struct profile_error *error);

#endif
