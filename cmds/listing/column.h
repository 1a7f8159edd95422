/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of a report: which metrics of a profile are shown (profile/analysis/metric.h), and
 * by which is sorted; and --cycles, the formula of one of them.
 */
#ifndef CMDS_LISTING_COLUMN_H
#define CMDS_LISTING_COLUMN_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/analysis/metric.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"
#include "writer/shared/events.h"

struct sort_key {
	size_t metric;
	bool has_threshold;
	double threshold; /* percent */
};

/* Memory is the arena's that was given. */
struct columns {
	struct metrics metrics;
	size_t *shown; /* numbers of metrics; at least one */
	size_t n_shown;
	struct sort_key *keys; /* at least one, the first has a threshold */
	size_t n_keys;
	bool is_signed; /* the model */
};

struct column_choice {
	const char *show;   /* "A,B"; NULL = the main metric (metric.h), then all events */
	bool is_show_usual; /* nobody asked for `show`: people see what there is room for */
	const char *sort;   /* "A:1,B:1"; NULL = what is shown, in that order */
	bool is_few;        /* without show, people see few of them (cmds/listing/costcells.h) */
	bool is_prose;      /* without show, a curve has no columns: people have costgrind curve */
	/* Percent, of the first key, and of the other one of its pair (METRIC_UP), if none has its own. */
	double threshold;
	const char *estimate; /* the formula of EstCyc (metric.h); NULL = the usual one */
};

/*
 * Fills columns for a finished model that has an event at least.  Returns NULL,
 * or why the model cannot satisfy the choice, a message in the arena or static.
 */
const char *columns_init(struct columns *columns, const struct model *model,
			 const struct column_choice *choice, struct arena *arena);

/* <0, 0, >0: the order of rows, those that cost most first, by the sort keys. */
int columns_compare(const struct columns *columns, const uint64_t *a, const uint64_t *b);

/* True if counts reach, of the totals, the threshold of a sort key. */
bool columns_reach(const struct columns *columns, const uint64_t *costs, const uint64_t *totals);

/* -- --cycles: the formula of EstCyc, or what hits and mispredictions count in it ------------ */

#define CYCLEFORMULA_VALUE "FORMULA"
#define CYCLEFORMULA_HELP                                                               \
 "Formula of EstCyc, the estimate: 'Ir + 0.5*D1m + 30 LLm', or L1,LL,RAM[,B], cycles\n" \
 "of a hit in L1, in the last level, in memory, and of a mispredicted branch;\n"        \
 "it then comes first, also where Cyc was recorded [" EVENT_CYCLES_TEXT "]"

/* A formula that is made of an option. */
struct cycleformula {
	char text[128];
};

/*
 * Reads the value of the option; *estimate is then a formula that lies in `made` or is the value itself
 * (metric.h).  Returns NULL, or what was expected.
 */
const char *cycleformula_read(const char *value, struct cycleformula *made, const char **estimate);

#endif
