/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The summary at the end of a run: cycles, what they are spent on, and a line for each level that missed.  Of two
 * levels, with -v, and under the names of other tools, it is in the columns and words of Cachegrind's, which
 * scripts and eyes know.
 */
#ifndef TOOL_OUTPUT_SUMMARY_H
#define TOOL_OUTPUT_SUMMARY_H

#include "pub_tool_basics.h"

#include "tool/common/event.h"
#include "tool/counts/levels.h"

struct missreasons;

struct summary {
	const ULong *totals;         /* N_EVENTS */
	const HChar *machine;        /* whose caches were simulated, for a line about it; or NULL */
	const struct levels *levels; /* NULL: no caches were simulated */
	Bool has_branches, has_prefetches;
	Bool has_cycles;
	const ULong *rows; /* with cycles: instructions, by enum instruction_match */
	const struct missreasons *reasons; /* why caches were missed; NULL if nobody asked */
	Bool has_returns; /* predictors of a machine: returns and targets are counted, too */
};

/* Prints the lines for what was simulated. */
void summary_print(const struct summary *summary);

#endif
