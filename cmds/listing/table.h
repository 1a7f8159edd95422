/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Aligned columns of counts.  Rows are measured first, then printed:
 *
 *	22,989 (16.51%)  18 ( 1.35%)  name
 */
#ifndef CMDS_LISTING_TABLE_H
#define CMDS_LISTING_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cmds/listing/column.h"

/* Fields are private. */
struct table {
	const struct columns *columns;
	const uint64_t *totals; /* NULL = no percentages */
	size_t *counts;         /* widths of the counts, by column shown */
	size_t *percents;       /* and of what is behind them */
	bool no_dots;           /* 0 also where nothing can happen */
};

/* Widths are the arena's; false if memory ran out. */
bool table_init(struct table *table, const struct columns *columns, const uint64_t *totals,
		struct arena *arena);

/*
 * To look as Valgrind's scripts have it: with room for percentages even if all counts are
 * 0; and of one of them, with 0 also where nothing can happen.
 */
void table_imitate(struct table *table, bool no_dots);

/* Makes room for a row; cumulative counts may be NULL. */
void table_metric(struct table *table, const uint64_t *costs, const uint64_t *cumulative);

/* The names of the columns; no line feed. */
void table_head(const struct table *table, FILE *out);

/* Prints blanks as wide as a row. */
void table_blank(const struct table *table, FILE *out);

/* Prints a row, no line feed; costs NULL = nothing can happen there. */
void table_row(const struct table *table, FILE *out, const uint64_t *costs,
	       const uint64_t *cumulative);

#endif
