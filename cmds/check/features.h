/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a profile has that some reader of the format cannot read: the traits that our
 * reader notes (profile/format/reader.h), and what only a look at the whole shows.
 */
#ifndef CMDS_CHECK_FEATURES_H
#define CMDS_CHECK_FEATURES_H

#include <stddef.h>

#include "profile/format/reader.h"
#include "profile/model/model.h"

enum feature {
	/* enum reader_trait comes first; then: */
	FEATURE_SEVERAL_EVENTS = N_READER_TRAITS,
	FEATURE_MANY_EVENTS,    /* more than 200 */
	FEATURE_UNKNOWN_EVENT,  /* one that gungraun does not know: it has a list of them */
	FEATURE_ODD_EVENT,      /* its name is no identifier */
	FEATURE_INSTR,          /* positions: with instr */
	FEATURE_RECURSION,      /* a function calls itself */
	FEATURE_SAME_BASENAMES, /* functions that differ by folders only */
	FEATURE_SAME_NAMES,     /* functions of one name in several files or objects */
	FEATURE_COMMANDS,       /* parts of several command lines */
	FEATURE_SIGNED_FORMULA, /* event: with a difference */
	FEATURE_LARGE_FILE,     /* 4 GiB or more */
	FEATURE_NOT_DETECTED,   /* nothing in the first 2047 bytes says what it is */
	FEATURE_NOT_CACHEGRIND, /* it is not in Cachegrind's own format */
	FEATURE_NOT_XDEBUG, /* several costs below one fn=, positions other than absolute lines */
	N_FEATURES,
};

/* A file that was read. */
struct features_file {
	const char *path;
	const struct reader_report *report;
	const struct model *model;
	uint64_t n_several; /* see struct merge_reader */
};

/* What a file has; notes[feature].count is 0 if it does not have it, line is 0 if it is of no line. */
void features_find(struct trait_note notes[N_FEATURES], const struct features_file *file);

/* What a feature is called, lower case. */
const char *feature_text(enum feature feature);

/* -- which reader cannot read what: a table ------------------------------------------ */

enum misread {
	MISREAD_LESS,  /* something is not shown, numbers are right */
	MISREAD_WRONG, /* numbers are wrong or lost */
	MISREAD_FAILS, /* it dies, hangs, or refuses the file */
};

struct reader_row {
	const char *reader; /* of readers_names */
	enum feature feature;
	enum misread misread;
	const char *effect; /* what it does then; lower case */
};

/* All rows, n of them, by reader. */
const struct reader_row *readers_table(size_t *n);

/* The readers in the table, as the user writes them; NULL ends them. */
extern const char *const readers_names[];

#endif
