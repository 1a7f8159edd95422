/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of callgrind_annotate, and of cg_annotate up to Valgrind 3.20.  A count that no
 * line of the profile has is a dot, and in the order of functions -1.  This is for perl_*.c only.
 */
#ifndef CMDS_ANNOTATE_PERL_FORM_H
#define CMDS_ANNOTATE_PERL_FORM_H

#include "cmds/annotate/scriptform.h"

/* Counts of which the first n_defined are there. */
struct costs {
	const uint64_t *counts;
	size_t n_defined;
};

/* A function that is listed. */
struct listed {
	uint32_t pair;
	const char *name; /* "file:function" */
	struct costs costs;
	uint64_t *inclusive; /* where costs are such: its counts */
};

struct perl_form {
	struct script_form *form;
	size_t widths[PROFILE_MAX_EVENTS]; /* of the table at work, by event */
	struct listed *functions;          /* sorted */
	size_t n_functions;
	const char **names;                       /* by pair */
	uint32_t *callers, *callees, *line_calls; /* rows of calls, sorted */
	struct script_lines lines;
	bool *reaches; /* by file: some function that is shown is in it */
	uint64_t *annotated;
	size_t n_annotated; /* events of these that are there */
};

static inline struct costs perl_row(const struct script_table *table, uint32_t row)
{
	return (struct costs){ script_counts(table, row), table->rows[row].n_defined };
}

/* Adds costs to others, of which *n_defined are there; false if a sum is beyond 64 bits. */
bool perl_add(const struct perl_form *perl, uint64_t *sums, size_t *n_defined, struct costs costs);

/* Fills what is to be printed, all but widths and annotated.  Returns a status. */
int perl_functions_make(struct perl_form *perl);

/* Keys of rows of calls. */
struct script_call_key perl_call_key(const struct perl_form *perl, uint32_t row);
struct script_line_call_key perl_line_call_key(const struct perl_form *perl, uint32_t row);

/* The columns of a table: as wide as titles, then with room for costs. */
void perl_reset_widths(struct perl_form *perl);
void perl_widen_for(struct perl_form *perl, struct costs costs);

/*
 * Print a row's costs; titles, alone or between two rules with what is behind them in their line; and
 * how often something was called.
 */
void perl_put_costs(struct perl_form *perl, struct costs costs);
void perl_put_titles(struct perl_form *perl);
void perl_put_heading(struct perl_form *perl, const char *behind);
void perl_put_times(struct perl_form *perl, uint64_t times);

/* Prints all sources, and what of the costs is in them.  Returns a status. */
int perl_put_sources(struct perl_form *perl);

#endif
