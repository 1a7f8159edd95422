/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Of each cost of a function, line, instruction or call: its sum, minimum,
 * average and maximum over any number of profiles.  Where a profile has nothing,
 * its cost is 0.  Each of them becomes a column: Ir, IrMin, IrAvg, IrMax.
 *
 * How often calls and jumps were made is summed up, whatever the columns.
 *
 * Memory is that of a few profiles of their layout, however many there are.
 */
#ifndef CMDS_MERGE_COLUMN_STATS_H
#define CMDS_MERGE_COLUMN_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/filters/merged_header.h"
#include "profile/model/model.h"
#include "profile/names/name_rules.h"

/* Statistics; or-ed.  Columns are in this order. */
enum {
	COLUMN_STATS_SUM = 1,
	COLUMN_STATS_MIN = 2,
	COLUMN_STATS_AVG = 4, /* rounded to the nearest number, halves away from 0 */
	COLUMN_STATS_MAX = 8,
	COLUMN_STATS_ALL = 15,
};

enum {
	COLUMN_STATS_MAX_EVENTS = PROFILE_MAX_EVENTS / 4, /* of the inputs */
};

struct column_stats_options {
	bool no_positions;         /* costs of functions, not of lines */
	struct name_rules *rules;  /* what is done to names; NULL = nothing */
	struct progress *progress; /* NULL = none is shown */
	bool lenient;              /* skips lines that are not understood */
};

/* Fields are private, but header, to be read.  Not to be moved. */
struct column_stats {
	const struct env *env;
	struct column_stats_options options;
	struct merged_header header;
	uint64_t n_inputs;
	struct model sums; /* columns: sum, minimum and maximum of each of the header's events */
	char names[4 * COLUMN_STATS_MAX_EVENTS][8];
	const char *columns[4 * COLUMN_STATS_MAX_EVENTS];
};

/* Check the status: PROFILE_OK, or PROFILE_NO_MEMORY (release it all the same). */
int column_stats_init(struct column_stats *stats, const struct env *env,
		      const struct column_stats_options *options);
void column_stats_release(struct column_stats *stats);

/*
 * Adds a file.  Returns a status, with error filled; PROFILE_EVENTS if there are more than
 * COLUMN_STATS_MAX_EVENTS events.  After a failure it can only be released.
 */
int column_stats_add(struct column_stats *stats, const char *path, struct reader_report *report,
		     struct profile_error *error);

/*
 * Puts the columns of some statistics, of the events that all inputs have (or,
 * unless `common`, that some have), into an empty, initialised model, which is then
 * finished.  Returns a status.
 */
int column_stats_report(const struct column_stats *stats, unsigned statistics, bool common,
			struct model *model);

#endif
