/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds a difference to limits. */
#ifndef PROFILE_ANALYSIS_GATE_H
#define PROFILE_ANALYSIS_GATE_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/analysis/difference.h"
#include "profile/analysis/limit.h"

/* What became of one limit. */
struct verdict {
	const struct limit *limit;
	const struct measure *measure;
	size_t n_matched; /* functions that the pattern fits; 1 for totals */
	size_t n_gone;    /* of them: not in NEW */
	size_t n_broken;  /* of them */
	size_t row;       /* the one with the largest increase among the broken, if there are any */
	int128 old_value, new_value; /* of it, or of the totals */
};

/*
 * Compares a difference with a limit, by a measure of its event.  Time is in
 * proportion to functions and the length of their names.
 */
void gate_check(struct verdict *verdict, const struct difference *difference,
		const struct limit *limit, const struct measure *measure);

/* A function that breaks a limit. */
struct gate_row {
	size_t row;
	int128 old_value, new_value;
};

/*
 * The functions that break a checked limit, those with the largest increase first: most of them
 * at most.  Returns how many; 0 for totals.  Time is as of gate_check().
 */
size_t gate_list(const struct verdict *verdict, const struct difference *difference,
		 struct gate_row *list, size_t most);

/* Whether values exceed all bounds of a limit. */
bool gate_exceeds(const struct limit *limit, int128 old_value, int128 new_value);

#endif
