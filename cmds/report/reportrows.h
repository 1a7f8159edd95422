/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions of a report: those of its profile, and of an older one that it is compared
 * with, in one table.  A side is one of the two.
 */
#ifndef CMDS_REPORT_REPORTROWS_H
#define CMDS_REPORT_REPORTROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/report/reportnames.h"
#include "profile/analysis/difference.h"
#include "profile/analysis/inclusive.h"
#include "profile/analysis/metric.h"
#include "profile/model/model.h"

enum report_side {
	SIDE_MAIN,
	SIDE_OTHER, /* the older profile, if there is one */
	N_SIDES,
};

/* Of one side. */
struct reportrows_side {
	const struct model *model;         /* NULL = there is no such side */
	const struct inclusive *sums;      /* by its functions, by the report's events */
	size_t events[PROFILE_MAX_EVENTS]; /* of the model, by the report's events */
	uint64_t totals[PROFILE_MAX_EVENTS];
	uint32_t *functions; /* by row; MODEL_NO_FUNCTION = none; owned */
	uint32_t *rows;      /* by function; owned */
	uint32_t *files;     /* by file: number among the report's files; owned */
};

/* Fields are for reading. */
struct reportrows {
	const struct env *env;
	struct reportnames *names;
	size_t n, n_events;
	struct reportrows_side sides[N_SIDES];
	bool *is_detailed;    /* by row: costs enough for its lines and instructions; owned */
	struct inclusive own; /* of a report without an older profile */
};

/*
 * Makes them of a finished model, or of a difference (model is then its new one).  A row is detailed if of
 * any event on any side its self cost, or of main_metric, which is of the report's events, its inclusive
 * cost, is that share of the total or more (0 = all are).  Returns a status.  To be released in any case.
 */
int reportrows_init(struct reportrows *rows, const struct model *model,
		    const struct difference *difference, struct reportnames *names);
void reportrows_choose(struct reportrows *rows, double share, const struct metric *main_metric);
void reportrows_release(struct reportrows *rows);

/* How many sides there are. */
static inline unsigned reportrows_sides(const struct reportrows *rows)
{
	return rows->sides[SIDE_OTHER].model ? N_SIDES : 1;
}

/* Costs of a row on a side, n_events numbers, or NULL if it has no such function. */
const uint64_t *reportrows_self(const struct reportrows *rows, enum report_side side, size_t row);
const uint64_t *reportrows_inclusive(const struct reportrows *rows, enum report_side side,
				     size_t row);

/* How often a row's function is called by others; 0 if there is no such function. */
uint64_t reportrows_calls(const struct reportrows *rows, enum report_side side, size_t row);

/* The number among the report's files of a file of a side's model. */
uint32_t reportrows_file(struct reportrows *rows, enum report_side side, uint32_t file);

/* The row of a function of another model, by its names on a side; MODEL_NO_FUNCTION if there is none. */
uint32_t reportrows_find(const struct reportrows *rows, enum report_side i,
			 const struct model *from, uint32_t number);

#endif
