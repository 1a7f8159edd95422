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

#endif
