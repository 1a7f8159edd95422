/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any number of profiles as one, in memory that does not grow with their number: their sum, and statistics. */
#ifndef CMDS_MERGE_MERGER_H
#define CMDS_MERGE_MERGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/cli/profileio.h"
#include "profile/filters/merged_header.h"
#include "profile/model/build.h"
#include "profile/model/model.h"
#include "profile/names/name_rules.h"

struct merger_options {
	bool no_positions;         /* costs of functions, not of lines */
	struct name_rules *rules;  /* what is done to names; NULL = nothing */
	struct progress *progress; /* NULL = none is shown */
	bool lenient;              /* skips lines that are not understood */
	size_t slack;              /* bytes beyond the sum before that is made anew; 0 = 16 MiB */
};

/* -- the sum ------------------------------------------------------------------------------ */

/*
 * The sum of any number of profiles: per function, line, instruction, call and jump.  When what was
 * added takes much more memory than the sum, the sum is made anew.
 *
 * Fields are private, but header, corrected and n_lost, to be read.  Not to be moved.
 */
struct merger {
	struct merger_options options;
	struct merged_header header;
	struct model models[2];
	struct model *model; /* that is added to; the other one is empty */
	struct builder builder;
	bool copies;           /* a model: its names have been changed */
	size_t sum_bytes;      /* of the model when it was made anew, or of the first file */
	const char *last_path; /* the file that was added last, NULL = none; borrowed */
	uint64_t summary[PROFILE_MAX_EVENTS];
	size_t n_lost;  /* formulas that were not passed on, as they are of events that were not */
	bool corrected; /* totals that the last input said cannot be right */
};

/* options are copied; what they point to is borrowed. */
void merger_init(struct merger *merger, const struct merger_options *options);
void merger_release(struct merger *merger);

/*
 * Adds a file.  Returns a status, with error filled, perhaps of a file before; after a failure it
 * can only be released.  path is borrowed until it is.
 */
int merger_add(struct merger *merger, const char *path, struct reader_report *report,
	       struct profile_error *error);

/* Adds no more.  Returns a status; PROFILE_RANGE if a sum is beyond 64 bits. */
int merger_finish(struct merger *merger);

/*
 * Reports the sum: one part, by name, with the events that all inputs have (or,
 * unless `common`, that some have).  Returns a status.
 */
int merger_report(struct merger *merger, bool common, const struct visitor *visitor);

/* -- statistics --------------------------------------------------------------------------- */

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

/*
 * Of each cost of a function, line, instruction or call: its sum, minimum, average and maximum over
 * any number of profiles.  Where a profile has nothing, its cost is 0.  Each of them becomes a column:
 * Ir, IrMin, IrAvg, IrMax.  How often calls and jumps were made is summed up, whatever the columns.
 *
 * Fields are private, but header, to be read.  Not to be moved.
 */
struct column_stats {
	struct merger_options options;
	struct merged_header header;
	uint64_t n_inputs;
	struct model sums; /* columns: sum, minimum and maximum of each of the header's events */
	char names[4 * COLUMN_STATS_MAX_EVENTS][8];
	const char *columns[4 * COLUMN_STATS_MAX_EVENTS];
};

void column_stats_init(struct column_stats *stats, const struct merger_options *options);
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
