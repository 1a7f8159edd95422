/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The body of a profile: each context as a function with its self costs, and
 * behind them, line by line, the calls that it made.
 */
#ifndef TOOL_OUTPUT_GRAPH_H
#define TOOL_OUTPUT_GRAPH_H

#include <stdint.h>

#include "pub_tool_basics.h"

#include "tool/common/event.h"

struct arc;
struct cost;
struct jump_count;
struct inline_unfolding;
struct writer;

/* Costs, calls and jumps, in the order in which a profile has them. */
struct graph {
	struct cost *costs;
	struct arc **arcs;
	struct jump_count **jumps;
	UInt n_costs, n_arcs, n_jumps;
	struct inline_unfolding *unfolding; /* NULL: as it was counted */
};

/* All that was counted until now; to be freed by graph_free(). */
void graph_make(struct graph *graph);
void graph_free(struct graph *graph);

/* The part of it that is one thread's, where these are told apart: borrowed. */
struct graph graph_of_thread(const struct graph *graph, UInt thread);

/* Adds up its costs. */
void graph_totals(const struct graph *graph, ULong totals[N_EVENTS]);

/* The recorded events out of all, in the order of the columns. */
void graph_columns(const struct event_set *events, const ULong *counts, uint64_t columns[N_EVENTS]);

/* Writes it. */
void graph_write(struct writer *writer, const struct graph *graph);

/* -- inlined functions ------------------------------------------------------ */

/*
 * Unfolding a graph (--inline=calls; unfold.c): what inlined functions cost is taken out
 * of the functions that they were inlined in, and they are called there.
 *
 * What was counted is per instruction, and stays as it is.  The sum of all
 * costs does not change, nor does the inclusive cost of any function: what an
 * inlined function costs with all that it calls is what its call costs.
 */

/*
 * Has costs, calls and jumps of inlined functions belong to these, adds the
 * calls of them, and sorts all of it again.  Returns the memory that the graph
 * uses from then on, to be freed by unfolding_free() after it.
 */
struct inline_unfolding *unfold(struct graph *graph);
void unfolding_free(struct inline_unfolding *unfolding);

#endif
