/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of limits: how much more a run may cost than another one.  One limit a
 * line, of words with blanks between; "#" at the beginning of a word begins a comment.
 *
 *	limit   := scope event bound+ ["hard" | "soft"]
 *	scope   := "total" | "any" | "self" pattern | "inclusive" pattern | "region" pattern
 *	bound   := ("+" | "-" | "+-") number ["%"] | "<=" number | ">=" number | "improve"
 *	number  := digits, "_" between them ignored; with "%", up to four decimals
 *
 *	total        Ir       +2%               # at most 2 % more than OLD
 *	total        EstCyc   +5%  soft         # reported, but no failure
 *	total        Ir       +-2%              # nor more than 2 % less
 *	total        D1mr     <=100_000         # of NEW, whatever OLD has
 *	total        Ir       >=1_000_000       # a run that did nothing does not pass
 *	any          Ir       +10% +5000        # each function; more than both is too much
 *	self         parse_*  Ir  +0            # no increase in any of them
 *	inclusive    main.c:main  Ir  -5%       # must be 5 % less
 *	inclusive    "f(int, char)"  Ir  improve
 *	region       crc-?  Ir  +1%             # each region that the program named so
 *
 * A pattern is of the function's name, or of "file:name", where file is the path or
 * its last components ("b/c.c" of "/a/b/c.c"); "*" matches any bytes, "?" one.
 * Of a function that was renamed or has moved to another file, either name and file count.  "any" is "self *".  The pattern of regions
 * (region.h) is of the whole name.  In quotes, a pattern may have blanks,
 * and \" and \\ .  Events may be derived ones (metric.h), and counts are as people see them: of cycles, not of
 * tenths.  A limit is broken if all of
 * its bounds are exceeded.  Of each kind of bound there is one at most.  All of them are of one
 * direction, since a decrease exceeds no bound of an increase: +- does not go with the others, and >= goes
 * alone.  The sign of plus and minus in UTF-8 is another way to write "+-".
 */
#ifndef PROFILE_ANALYSIS_LIMIT_H
#define PROFILE_ANALYSIS_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/difference.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

enum limit_scope {
	LIMIT_TOTAL,
	LIMIT_SELF,
	LIMIT_INCLUSIVE,
	LIMIT_REGION, /* held to by limit_check_regions() */
};

enum { LIMIT_MAX_BYTES = 1024 * 1024 }; /* of a file */

struct limit {
	uint64_t line;         /* in the file, 1.. */
	uint64_t event_column; /* where the event is, 1.. */
	const char *text;      /* the limit as it stands, without comment */
	enum limit_scope scope;
	const char *pattern; /* NULL for totals */
	const char *event;
	bool is_soft;
	bool has_percent, has_change, has_most, has_least, must_improve;
	bool is_both_ways; /* percent and change are of decreases, too */
	int64_t percent;   /* millionths of OLD that NEW may be more; below 0: must be less */
	int64_t change;    /* the same as a count */
	int64_t most;      /* of NEW */
	int64_t least;     /* of NEW */
};

/* Texts are in the arena. */
struct limits {
	struct arena arena;
	struct limit *all; /* owned */
	size_t n, capacity;
};

/*
 * Reads limits from len bytes at data; name is the file's in errors.  Returns a
 * status, PROFILE_SYNTAX with line and column; release it all the same.
 */
int limits_parse(struct limits *limits, const char *data, size_t len, const char *name,
		 struct profile_error *error);

/* The same from a file; "-" is standard input. */
int limits_read(struct limits *limits, const char *path, struct profile_error *error);
void limits_release(struct limits *limits);

/* True if a text matches a pattern. */
bool limit_matches(const char *pattern, const char *text, size_t len);

/* True if a limit's pattern is of a function, by "name" or by "file:name". */
bool limit_fits_function(const char *pattern, struct name function, struct name file);

/* True if one of its bounds is of a change, so that it says nothing where there is no OLD. */
bool limit_is_relative(const struct limit *limit);

/* -- held to a difference -------------------------------------------------- */

/* What became of one limit: the first of these that is so.  All but the last one fail, unless the limit is soft. */
enum limit_state {
	LIMIT_NO_RESULT, /* NEW collected too little to say anything */
	LIMIT_UNMATCHED, /* the pattern fits no function, or region, of either profile; a region that it fits is not over */
	LIMIT_GONE, /* functions that it fits were in OLD, and none is in NEW; or a region is not */
	LIMIT_BROKEN,
	LIMIT_KEPT,
};

struct limit_verdict {
	const struct limit *limit;
	const struct metric *metric;
	enum limit_state state;
	size_t n_matched; /* functions, or regions, that the pattern fits; 1 for totals */
	size_t n_gone;    /* of them: not in NEW */
	size_t n_broken;  /* of them */
	size_t row;       /* the one that breaks it most, if there are any */
	int128 old_value, new_value; /* of it, or of the totals */
};

/*
 * Compares a difference with a limit that is not of regions, by a metric of its event; has_result is false if what NEW
 * collected says nothing about the program.  Time is in proportion to functions and the length of
 * their names.
 */
void limit_check(struct limit_verdict *verdict, const struct difference *difference,
		 const struct limit *limit, const struct metric *metric, bool has_result);

/* A region of two runs, or of one of them. */
struct limit_region {
	int128 old_value, new_value; /* of the limit's event; 0 where it is not there */
	const char *name;
	bool in_old, in_new;
	bool is_unmatched; /* in NEW it was never entered, or is not over: its values say nothing */
};

/*
 * True if a region breaks a limit of its scope.  One that is new is held to bounds of its own value only, "<=" and ">=";
 * one that is gone or unmatched breaks none, which is another failure.
 */
bool limit_region_is_broken(const struct limit *limit, const struct limit_region *region,
			    unsigned decimals);

/*
 * Holds n regions to a limit of their scope; verdict->row is then a number among them.  A limit is gone as soon as
 * one of its regions is, and unmatched as soon as one of them is, since each is a result of its own.
 */
void limit_check_regions(struct limit_verdict *verdict, const struct limit *limit,
			 const struct metric *metric, const struct limit_region *regions, size_t n);

/* A function that breaks a limit. */
struct limit_violation {
	size_t row;
	int128 old_value, new_value;
};

/*
 * The functions that break a checked limit, `most` of them at most.  Those that break it most come
 * first: the largest increase, with +- the largest change, with >= the least value.  Returns how many; 0
 * for totals.  Time is as of limit_check().
 */
size_t limit_check_list(const struct limit_verdict *verdict, const struct difference *difference,
			struct limit_violation *list, size_t most);

/* True if values, with this many decimals, exceed all bounds of a limit. */
bool limit_is_exceeded(const struct limit *limit, int128 old_value, int128 new_value,
		       unsigned decimals);

#endif
