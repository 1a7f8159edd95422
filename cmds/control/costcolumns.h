/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of costs by the events of a running target, aligned: the rows are measured first,
 * then printed.
 */
#ifndef CMDS_CONTROL_COSTCOLUMNS_H
#define CMDS_CONTROL_COSTCOLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cmds/control/runstate.h"

/* Fields are private, but events and n. */
struct costcolumns {
	const struct runstate *state;   /* borrowed */
	size_t events[RUNSTATE_EVENTS]; /* numbers of those shown, in order */
	size_t n;
	size_t widths[RUNSTATE_EVENTS]; /* by event */
};

/*
 * Chooses the events that list names ("Ir,Dr"), or, if it is NULL, the one that is shown first
 * and all that are recorded.  Those that are not
 * recorded are left out: the first of them is *missing, with *missing_len bytes, else NULL.
 * A list that leaves nothing is as NULL.
 */
void costcolumns_init(struct costcolumns *columns, const struct runstate *state, const char *list,
		      const char **missing, size_t *missing_len);

/* Makes room for a row; costs may be NULL. */
void costcolumns_measure(struct costcolumns *columns, const uint64_t *costs);

/*
 * Leaves out the last events, but the first one, so that a row has so many columns at most;
 * when all rows are measured.
 */
void costcolumns_fit(struct costcolumns *columns, size_t width);

/* Print names, or costs with commas, each with a blank behind it; a dot is what was not reported. */
void costcolumns_names(const struct costcolumns *columns, FILE *out);
void costcolumns_row(const struct costcolumns *columns, FILE *out, const uint64_t *costs);

#endif
