/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What something costs, in a row of a document.  People get a column for each metric, a count with
 * its percentage of the totals; programs get one cell with the counts of all metrics (CELL_COUNTS).
 * In views, document_costs() puts either, of costs by event (const uint64_t *).
 */
#ifndef CMDS_LISTING_COSTCELLS_H
#define CMDS_LISTING_COSTCELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/emit/document.h"
#include "cmds/listing/column.h"
#include "profile/common/heap.h"

struct costcells_options {
	bool percents;   /* for people, next to counts */
	bool has_sums;   /* rows may have percentages of sums so far, too */
	bool has_choice; /* the user chose metrics: all have columns */
	size_t width;    /* that lines have to fit into; 0 = any */
};

struct costcells {
	const struct columns *columns;
	int128 *totals; /* of the metrics shown; these arrays are the arena's */
	size_t n_shown; /* metrics that have a column: the first ones of columns->shown */
	size_t room;    /* of what follows the counts on a line; 0 = any */
	/* Costs that are put are inclusive: metrics that have no inclusive costs are left empty. */
	bool is_inclusive;
	bool is_blank; /* people see nothing in place of costs, not even that none can happen */
	/* For people: with costs, percentages of these sums, too; NULL = none. */
	const uint64_t *sums;
	/* Private. */
	bool percents;
	struct document_costs shown;
	struct decimals *decimals;
	bool *has_inclusive;
	struct document_column *titles; /* for people */
	struct {
		int128 *values;
		bool *can_happen;
	} counting[2];
};

enum { COSTCELLS_LEAST_NAME = 24 }; /* columns of a name, however small the terminal is */

/*
 * Fills cells for costs of a model, of whose totals (by event) there are percentages.  Views of the
 * document, which has begun, show costs so from now on.
 */
void costcells_init(struct costcells *cells, const struct columns *columns, const uint64_t *totals,
		    struct document *document, const struct costcells_options *options,
		    struct arena *arena);

/*
 * For programs: the counts of the metrics shown; costs NULL = no cell.  They stay until the next ones
 * of this number: a row can have two, 0 and 1.
 */
struct cell costcells_counts(struct costcells *cells, size_t number, const uint64_t *costs);

/* The same in percent of the totals. */
struct cell costcells_shares(struct costcells *cells, size_t number, const uint64_t *costs);

#endif
