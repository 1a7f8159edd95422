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
 *	name_rules_init(&rules);
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
 * folding; so an expression sees what the profile says, as in cg_diff.
 * Objects: the mapping, if maps_objects.  "???", what is not known, is in no folder; expressions
 * may match it, as in cg_diff.  A name that nothing is left of becomes "???".
 */
#ifndef PROFILE_NAMES_NAME_RULES_H
#define PROFILE_NAMES_NAME_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/error.h"
#include "profile/common/heap.h"
#include "profile/format/reader.h"
#include "profile/names/symbolname.h"

/*
 * An expression: Perl's substitution, s/OLD/NEW/gi, as cg_diff takes them for --mod-filename and --mod-funcname.  What that
 * does with a valid one is done here too:
 *
 * - any delimiter that Perl allows: s{OLD}{NEW}, s|OLD|NEW|, s'OLD'NEW' (nothing
 *   between single quotes is special in NEW);
 * - the flags g i m n s x (xx); a c d o p, which change nothing for a name;
 * - OLD is a regular expression of bytes (PCRE2's), NEW a text between double quotes with
 *
 *	$1 ${1} \1        a group, nothing if it took no part in the match
 *	$& $+{name}       what matched, a group by its name
 *	\U \L \E \u \l    upper case, lower case, the end of it; of one letter only
 *	\t \n \r \f \b \a \e \cX \033 \x1b \x{1b} \o{33} \N{U+1b}
 *
 *   and a backslash before what is meant literally.
 *
 * What Perl would run as code or look for in its script is an error (the flag e, other variables, several
 * statements, tr///), and so is what cg_diff takes without a word and then does nothing with (an empty OLD, the flag r),
 * and what PCRE2 cannot do in NEW ($` $' \Q) or does in another way (\u along with \L).
 *
 * Matching is limited, to about as many steps as take 0.1 s: an expression that tries
 * all ways through a name ("(a+)+$") is an error when it is applied.
 */
struct expression; /* opaque */

enum { EXPRESSION_MAX_NAME = 1024 * 1024 };

/*
 * Reads an expression of NUL-terminated text, which is not kept.  To be freed by the caller.  NULL: PROFILE_SYNTAX,
 * error->column (1.. in text, bytes; line is 1) says where and error->text what was expected.  error->file is left to
 * the caller.
 */
struct expression *expression_new(const char *text, struct profile_error *error);
void expression_free(struct expression *expression);

/*
 * Replaces in len bytes of a name: if something matched, the new name is added
 * to out and *matched is set to true, else all is as before and *matched false.
 * Not for two threads at once.  Returns a status: PROFILE_RANGE if a limit of
 * matching, or EXPRESSION_MAX_NAME bytes, were exceeded (error says so).
 */
int expression_apply(struct expression *expression, const char *name, size_t len, struct bytes *out,
		     bool *matched, struct profile_error *error);

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

/* In order. */
struct expression_list {
	struct expression **all; /* owned, as they are */
	size_t n, capacity;
};

/* symbols and maps_objects are for the user to set, before the first name; the rest is private. */
struct name_rules {
	unsigned symbols;  /* enum symbolname_flags; 0 = functions are not folded */
	bool maps_objects; /* mappings are for objects too */
	struct pathmap paths;
	struct expression_list files, functions;
	struct bytes buffers[2];    /* texts of the name at work */
	struct profile_error error; /* the first; status is PROFILE_OK if there was none */
};

/* Does nothing to names; takes no memory yet.  Not to be moved. */
void name_rules_init(struct name_rules *rules);
void name_rules_release(struct name_rules *rules);

/*
 * Adds "OLD=NEW", cut at the first "=".  OLD is not empty; "/" at its end, "//" and "/./" make no
 * difference.  NEW may be empty: OLD and the "/" after it go then.  A path is mapped if it is OLD or
 * within it (whole components: /a/b is within /a, /ab is not).  PROFILE_OK or PROFILE_SYNTAX
 * (error->column, line 1).
 */
int name_rules_add_map(struct name_rules *rules, const char *text, struct profile_error *error);

/* Adds an expression for NAME_FILE or NAME_FUNCTION; returns the same. */
int name_rules_add_expression(struct name_rules *rules, enum name_kind kind, const char *text,
			      struct profile_error *error);

/* True if no name would be changed, so that the hook can be left out. */
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

/* If name_rules_rename() has failed, the status of the first failure, copied to error. */
int name_rules_status(const struct name_rules *rules, struct profile_error *error);

#endif
