/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The body of a profile: each context as a function with its self costs and, line by line, the calls that it made. */
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

/* Collects all that was counted until now; graph_free() frees it. */
void graph_make(struct graph *graph);
void graph_free(struct graph *graph);

/* The part that belongs to one thread, if threads are separated; it borrows from graph. */
struct graph graph_of_thread(const struct graph *graph, UInt thread);

/* Adds up its costs. */
void graph_totals(const struct graph *graph, ULong totals[N_EVENTS]);

/* Selects the recorded events, in the order of the columns. */
void graph_columns(const struct event_set *events, const ULong *counts, uint64_t columns[N_EVENTS]);

/* Writes it. */
void graph_write(struct writer *writer, const struct graph *graph);

/* --- inlined functions ------------------------------------------------------------------- */

/*
 * Unfolds a graph (--inline=calls): moves the costs, calls and jumps of inlined functions from the functions that they
 * were inlined in to functions of their own, adds calls of these, and sorts everything again.  The sum of all
 * costs does not change, nor does the inclusive cost of any function: the call of an inlined function costs what that costs with all
 * that it calls.
 *
 * Returns the memory that the graph uses from then on; unfolding_free() frees it, after the graph.
 */
struct inline_unfolding *unfold(struct graph *graph);
void unfolding_free(struct inline_unfolding *unfolding);

#endif
