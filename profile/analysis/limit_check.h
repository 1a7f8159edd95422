/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds a difference to limits. */
#ifndef PROFILE_ANALYSIS_LIMIT_CHECK_H
#define PROFILE_ANALYSIS_LIMIT_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/analysis/difference.h"
#include "profile/analysis/limit.h"

/* What became of one limit. */
struct limit_verdict {
	const struct limit *limit;
	const struct metric *metric;
	size_t n_matched; /* functions that the pattern fits; 1 for totals */
	size_t n_gone;    /* of them: not in NEW */
	size_t n_broken;  /* of them */
	size_t row;       /* the one with the largest increase among the broken, if there are any */
	int128 old_value, new_value; /* of it, or of the totals */
};

/*
 * Compares a difference with a limit, by a metric of its event.  Time is in
 * proportion to functions and the length of their names.
 */
void limit_check(struct limit_verdict *verdict, const struct difference *difference,
		 const struct limit *limit, const struct metric *metric);

/* A function that breaks a limit. */
struct limit_violation {
	size_t row;
	int128 old_value, new_value;
};

/*
 * The functions that break a checked limit, those with the largest increase first: most of them
 * at most.  Returns how many; 0 for totals.  Time is as of limit_check().
 */
size_t limit_check_list(const struct limit_verdict *verdict, const struct difference *difference,
			struct limit_violation *list, size_t most);

/* Whether values exceed all bounds of a limit. */
bool limit_is_exceeded(const struct limit *limit, int128 old_value, int128 new_value);

#endif
