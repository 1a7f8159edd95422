/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What costgrind diff reports: which functions, calls and lines of a difference, in
 * which order; and that as a document.
 */
#ifndef CMDS_DIFF_DIFFREPORT_H
#define CMDS_DIFF_DIFFREPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cmds/emit/document.h"
#include "profile/analysis/difference.h"

struct difflimits;

struct diffreport_choice {
	/*
	 * "A,B": metrics; NULL = the main one (metric.h) and all events, and derived ones for totals; by object, people
	 * have EstCyc, D1m and DLm
	 */
	const char *show;
	bool is_prose;      /* without show, a curve is among the totals only */
	const char *sort;   /* the metric by which is ranked; NULL = the first shown */
	uint64_t threshold; /* millionths of the total, that a change must reach in a metric shown */
	bool lines;         /* list lines, of the functions listed */
	bool calls;         /* list calls */
	bool is_by_object;  /* functions are objects of data, and calls who misses on them */
};

struct diffreport_line {
	uint32_t row; /* of the function */
	const struct difference_line *line;
};

/* Fields are for reading; memory is the arena's, but for what difference and metrics own. */
struct diffreport {
	const struct difference *difference;
	const struct metrics *metrics;
	const char *old_path, *new_path;
	bool is_first; /* OLD is not there yet: NEW will be it, and is compared with itself */
	const char *normalised; /* the event by which NEW is scaled; NULL = it is as it is */
	bool has_lines, has_calls;
	bool is_by_object; /* as in the choice */
	uint64_t threshold;
	size_t *shown; /* metrics; the first is the one that ranks */
	size_t n_shown;
	size_t *totals; /* metrics: those shown; unless they were chosen, the main one and all others */
	size_t n_totals;
	uint32_t *functions; /* rows whose self costs changed, enough to be listed; ranked */
	size_t n_functions;
	size_t n_changed; /* all whose self costs changed; n_new and n_gone are among them */
	size_t n_new, n_gone;
	size_t n_renamed; /* whether they changed or not */
	/* Rows whose self costs are the same, but not what they call; none of those that call main(). */
	uint32_t *callers;
	size_t n_callers;
	size_t n_callers_all;
	uint32_t *renamed; /* rows that were renamed, at the same cost; by name */
	size_t n_renamed_same;
	uint32_t *arcs; /* numbers of difference->arcs, enough to be listed; ranked */
	size_t n_arcs;
	size_t n_arcs_all; /* 0 if calls are not wanted; without those by what calls main() */
	struct diffreport_line *lines;
	size_t n_lines;
	const struct difflimits *limits; /* NULL = none */
};

/*
 * Makes the report; memory is the arena's.  Returns NULL, or what is wrong, a message in the
 * arena or static: memory ran out, or (*is_usage is then true) a metric is not there.
 */
const char *diffreport_init(struct diffreport *report, const struct difference *difference,
			    const struct metrics *metrics, const struct diffreport_choice *choice,
			    struct arena *arena, bool *is_usage);

/*
 * "neither profile has an event 'X'", or what else is so if X (len bytes) is no metric of the difference: in
 * the arena, or that memory ran out.
 */
const char *diffreport_no_metric(const struct difference *difference, const char *name, size_t len,
				 struct arena *arena);

/* "new", "gone", "renamed", or "" for a row that is in both by its name. */
const char *diffreport_state(const struct difference *difference, size_t row);

/* The metric that ranks. */
const struct metric *diffreport_ranking(const struct diffreport *report);

/*
 * Writes the report in the format of a back end; memory is the arena's.  False if that ran out; errors
 * of writing stay in the stream.  (diffdocument.c)
 */
bool diffreport_print(const struct diffreport *report, const struct document_backend *backend,
		      FILE *out, struct arena *arena);

#endif
