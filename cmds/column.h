/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns: the events of a profile, and what is derived from them by adding,
 * subtracting and weighting; which are shown, and by which is sorted.
 *
 * Derived are those that the files define ("event:"), and, where the events for
 * them were recorded:
 *
 *	L1m     I1mr + D1mr + D1mw           misses of a first level
 *	LLm     ILmr + DLmr + DLmw           misses of the last level
 *	Bm      Bcm + Bim                    branches mispredicted
 *	L1hit   Ir + Dr + Dw - L1m           served by a first level
 *	LLhit   L1m - LLm                    served by the last level
 *	RAMhit  LLm                          served by memory
 *	EstCyc  L1hit + 5 LLhit + 35 RAMhit  estimated cycles (the weights can be set)
 *
 * A count of 0 may mean two things: it did not happen, or it cannot happen there.
 * The latter is so where the event's reference has a count of 0 too: a line that
 * never read memory cannot miss when it reads.
 */
#ifndef CMDS_COLUMN_H
#define CMDS_COLUMN_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/amount.h"
#include "profile/arena.h"
#include "profile/model.h"

struct column_term {
	size_t event; /* of the model */
	int64_t factor;
};

struct column {
	const char *name;
	const char *long_name; /* NULL = none is known */
	const char *formula;   /* NULL: it is an event, its only term */
	struct column_term *terms;
	size_t n_terms;
	size_t *references; /* events; the column can happen where one is not 0 */
	size_t n_references;
	bool always; /* no reference is known: it can happen everywhere */
};

struct sort_key {
	size_t column;
	bool has_threshold;
	double threshold; /* percent */
};

/* Cycles for the estimate. */
struct column_weights {
	unsigned l1, ll, ram, branch;
};

/* Memory is the arena's that was given. */
struct columns {
	struct column *all; /* events in the model's order, then derived ones */
	size_t n_all;
	size_t n_events; /* the first of them */
	size_t *shown;   /* numbers of columns; at least one */
	size_t n_shown;
	struct sort_key *keys; /* at least one, the first has a threshold */
	size_t n_keys;
	bool is_signed; /* the model */
};

struct column_choice {
	const char *show; /* "A,B"; NULL = all events */
	const char *sort; /* "A:1,B:1"; NULL = all events */
	double threshold; /* percent, of the first key if it has none of its own */
	struct column_weights weights;
};

/*
 * Fills columns for a finished model that has an event at least.  Returns NULL,
 * or what is wrong, a message in the arena or static: out of memory, or a choice
 * that the model cannot satisfy (*is_usage is then true).
 */
const char *columns_init(struct columns *columns, const struct model *model,
			 const struct column_choice *choice, struct arena *arena, bool *is_usage);

/* The number of a column by its name, or by another name of the event; n_all if there is none. */
size_t columns_find(const struct columns *columns, const char *name, size_t len);

/* Whether all columns of a list, "Ir,Dr", are there. */
bool columns_have(const struct columns *columns, const char *names);

/* The column's amount of counts by the model's events. */
amount column_value(const struct column *column, const uint64_t *costs, bool is_signed);

/* Whether it could have happened: its amount is not 0, or a reference is not. */
bool column_can_happen(const struct column *column, const uint64_t *costs, bool is_signed);

/* <0, 0, >0: the order of rows, those that cost most first, by the sort keys. */
int columns_compare(const struct columns *columns, const uint64_t *a, const uint64_t *b);

/* Whether counts reach, of the totals, the threshold of a sort key. */
bool columns_reach(const struct columns *columns, const uint64_t *costs, const uint64_t *totals);

#endif
