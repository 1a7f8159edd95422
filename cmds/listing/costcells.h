/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What something costs, in a row of a document.  Programs get one cell with the counts of all metrics
 * (CELL_COUNTS).  People get a column for each metric, a count with its percentage of the totals; or few columns, which
 * answer what is asked first: what leads, in cycles or whatever it is, its shares, what it mostly is, and
 * instructions.  In views, document_costs() puts either, of costs by event (const uint64_t *).
 */
#ifndef CMDS_LISTING_COSTCELLS_H
#define CMDS_LISTING_COSTCELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/emit/document.h"
#include "cmds/listing/column.h"
#include "profile/analysis/mostly.h"
#include "profile/common/heap.h"

struct costcells_options {
	bool is_few;     /* for people: few columns; then has_choice says nothing */
	bool is_scaled;  /* of few: counts as 40.3 M */
	bool percents;   /* for people, next to counts */
	bool has_sums;   /* rows may have percentages of sums so far, too */
	bool has_choice; /* the user chose metrics: all have columns */
	size_t width;    /* that lines have to fit into; 0 = any */
};

/* Which of the few columns a table has, and in which order. */
enum costcells_form {
	COSTS_OF_FUNCTIONS, /* cycles, share of self and inclusive costs, mostly, instructions */
	COSTS_OF_CODE,      /* share, cycles, mostly, instructions */
};

enum { COSTCELLS_FEW = 8, COSTCELLS_TEXT = INT128_TEXT };

enum {
	COSTCELLS_SCALED_FROM = 10000
}; /* counts that are scaled ("40.3 M") where they are to be read fast */

struct costcells {
	const struct columns *columns;
	int128 *totals; /* of the metrics shown; these arrays are the arena's */
	size_t n_shown; /* metrics that have a column */
	size_t *places; /* of each: its place in columns->shown */
	size_t room;    /* of what follows the counts on a line; 0 = any */
	/* Costs that are put are inclusive: metrics that have no inclusive costs are left empty. */
	bool is_inclusive;
	bool has_zeros; /* what is 0 is a result: it is shown as 0, whether it could happen or not */
	bool is_blank;  /* people see nothing in place of costs, not even that none can happen */
	/* For people: with costs, percentages of these sums, too; NULL = none. */
	const uint64_t *sums;
	/*
	 * Of few columns, for the next row of functions: its self and its inclusive costs; NULL = those that are put, if
	 * is_inclusive says that they are such.
	 */
	const uint64_t *self, *inclusive;
	/* Of few columns: the next row waits for memory in a pointer chase; for costcells_use(): some row does. */
	bool is_chase;
	bool is_few;
	/* Private. */
	struct costcolumn {
		enum {
			COST_PART,  /* of all columns: a count, and percentages */
			COST_COUNT, /* of few: these */
			COST_SHARE,
			COST_SUM, /* a share, with those before it */
			COST_SELF,
			COST_INCLUSIVE,
			COST_MOSTLY,
		} kind;
		size_t metric; /* its place in what is shown */
		char text[COSTCELLS_TEXT];
	} few[COSTCELLS_FEW];
	struct mostly mostly;
	bool is_scaled, has_sums, has_mostly, has_shares, has_instructions;
	bool has_inclusive_share;
	size_t width, lead, instructions;
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
 * Fills cells for costs of a model, with percentages of its totals (by event).  Views of the
 * document, which has begun, show costs so from now on.
 */
void costcells_init(struct costcells *cells, const struct columns *columns,
		    const struct model *model, const uint64_t *totals, struct document *document,
		    const struct costcells_options *options, struct arena *arena);

/* Of few columns: which ones tables have from now on; has_inclusive: rows of functions have such costs. */
void costcells_use(struct costcells *cells, enum costcells_form form, bool has_inclusive);

/* A share as people read it, "74.9 %", "<0.1 %"; nothing if it is 0 or there is no whole; text has COSTCELLS_TEXT
 * bytes.  Returns its length. */
size_t costcells_percent(char *text, int128 part, int128 whole);

/*
 * For programs: the counts of the metrics shown; costs NULL = no cell.  They stay until the next ones
 * of this number: a row can have two, 0 and 1.
 */
struct cell costcells_counts(struct costcells *cells, size_t number, const uint64_t *costs);

/* The same in percent of the totals. */
struct cell costcells_shares(struct costcells *cells, size_t number, const uint64_t *costs);

#endif
