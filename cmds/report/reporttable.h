/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Costs by place: lines of functions, calls from them, calls between functions.  What is
 * added gathers until reporttable_fold(), which sorts it and makes one of those of one place.
 */
#ifndef CMDS_REPORT_REPORTTABLE_H
#define CMDS_REPORT_REPORTTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/emit/json.h"
#include "cmds/report/reportrows.h"

struct report_place {
	uint32_t row;  /* function */
	uint32_t file; /* of the report */
	uint64_t line;
	uint32_t to; /* row that is called; 0 if it is no call */
};

struct report_entry {
	struct report_place place;
	uint64_t counts[N_SIDES];
	size_t costs;   /* where they are in the table's */
	unsigned sides; /* that have it: 1 << side for each */
};

/* Fields are for reading. */
struct reporttable {
	const struct reportrows *rows;
	struct report_entry *entries; /* those before n are sorted and folded; owned */
	size_t n, n_all, capacity;
	uint64_t *costs; /* n_events numbers of each side; owned */
	size_t n_costs, costs_capacity;
	size_t folded_costs; /* of the entries before n */
	uint64_t *spare;     /* owned */
	size_t spare_capacity;
	bool is_packed;  /* costs are what is left behind a forecast: they may be below 0 */
	bool is_related; /* those of the older side are what is to be added to the main one's */
};

void reporttable_init(struct reporttable *table, const struct reportrows *rows);
void reporttable_release(struct reporttable *table);

/* Adds costs (of the side's model, by its events) and a count to a place.  False if memory ran out. */
bool reporttable_add(struct reporttable *table, const struct report_place *place,
		     enum report_side side, uint64_t count, const uint64_t *costs);

/* Sorts and adds up what came since the last time.  Returns a status. */
int reporttable_fold(struct reporttable *table);

/* An entry's costs on a side. */
static inline const uint64_t *reporttable_costs(const struct reporttable *table, size_t entry,
						enum report_side side)
{
	return table->costs + table->entries[entry].costs + side * table->rows->n_events;
}

/* Has the older side's counts and costs be what is to be added to those of the main side. */
void reporttable_relate(struct reporttable *table);

/* Writes the costs of a side as an array of columns. */
void reporttable_write_costs(const struct reporttable *table, enum report_side side,
			     const char *key, struct json *json);

/* What a column is of. */
enum report_column {
	COLUMN_ROW, /* as differences */
	COLUMN_FILE,
	COLUMN_TO,
	COLUMN_COUNT,
	COLUMN_OTHER_COUNT, /* of the older side */
};

void reporttable_write_column(const struct reporttable *table, enum report_column column,
			      const char *key, struct json *json);

/* Lines, as json_steps() does. */
void reporttable_write_lines(const struct reporttable *table, struct json *json);

/*
 * Writes what the older side has by the same entries: "count", if has_counts, and "costs"; if they
 * are related, "p_count" and "p_costs".
 */
void reporttable_write_other(const struct reporttable *table, bool has_counts, struct json *json);

#endif
