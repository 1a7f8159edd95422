/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The right side of a substitution s/OLD/NEW/, as Perl reads it: what is between
 * double quotes there, with
 *
 *	$1 ${1} \1        a group, nothing if it took no part in the match
 *	$& $` $'          what matched, what is before it, what is behind it
 *	$+{name}          a group by its name
 *	\U \L \Q \E       upper case, lower case, a backslash before all but [A-Za-z0-9_]; the end
 *	\u \l             of these; of one letter only
 *	\t \n \r \f \b \a \e \cX \033 \x1b \x{1b} \o{33} \N{U+1b}
 *
 * and a backslash before what shall stand for itself.  Other variables and arrays
 * are errors: Perl would look for variables of its script.
 */
#ifndef PROFILE_NAMES_REPLACEMENT_H
#define PROFILE_NAMES_REPLACEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/bytes.h"

struct replacement_item;

/* Fields are private.  Invariant: items in order; their literal texts are in literals. */
struct replacement {
	const struct env *env;
	struct replacement_item *items; /* owned */
	size_t n_items, capacity;
	struct bytes literals; /* and the names of groups, each with a NUL behind it */
};

/* Where a replacement is wrong. */
struct replacement_fault {
	size_t at;        /* byte of the text, 0.. */
	const char *text; /* static: what was expected; NULL = memory ran out */
};

/* What a substitution says of a match. */
struct replacement_match {
	const char *subject;
	size_t len;              /* of the subject */
	const size_t *positions; /* beginning and end of the match, of group 1, ...; or -1 twice */
	size_t n;                /* groups, with the match */
	/* The number of the group of this name, of several the first that took part; 0 = none. */
	size_t (*group_named)(void *ctx, const char *name);
	void *ctx;
};

/* Nothing is replaced by nothing; env outlives it.  To be released. */
void replacement_init(struct replacement *replacement, const struct env *env);
void replacement_release(struct replacement *replacement);

/* Reads len bytes of NEW into an empty one; literally: between single quotes.  False: see fault. */
bool replacement_parse(struct replacement *replacement, const char *text, size_t len,
		       bool literally, struct replacement_fault *fault);

/* Adds what a match is replaced by. */
void replacement_add(const struct replacement *replacement, const struct replacement_match *match,
		     struct bytes *out);

#endif
