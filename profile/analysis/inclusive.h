/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What functions cost with all that they call, and which of them call each
 * other in a circle.
 *
 * The inclusive cost of a function is its self cost plus the cost of its calls, calls of
 * itself (direct recursion) left out.  Functions that reach each other are a
 * cycle, a strongly connected component of two or more (Tarjan 1972).  In it, the
 * costs of calls mean nothing: each would be counted several times.  So, as
 * KCachegrind does, the inclusive cost of a member is its self cost plus the cost of
 * its calls that leave the cycle; the cycle's is the sum of all these.
 *
 * Where levels of recursion are told apart (f'2), that is not needed of functions on
 * the first one: all their calls count, and they cost what they cost.  In an interpreter, where nearly everything
 * is one cycle, only so is the cost of a function known.
 */
#ifndef PROFILE_ANALYSIS_INCLUSIVE_H
#define PROFILE_ANALYSIS_INCLUSIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/heap.h"
#include "profile/model/model.h"

/* -- cycles -------------------------------------------------------------------- */

/* A graph.  Nodes 0..n-1; the edges of node i lead to to[first[i]] .. to[first[i + 1] - 1]. */
struct cycle_graph {
	size_t n;
	const size_t *first; /* n + 1 numbers */
	const uint32_t *to;
};

/*
 * Sets cycle[i] to the number, from 1, of the component of two or more nodes
 * that i is in, or to 0.  They are numbered by their least nodes.  Returns how many there are.
 */
size_t cycles_find(const struct cycle_graph *graph, uint32_t *cycle);

#define INCLUSIVE_ALL_PARTS UINT32_MAX

struct inclusive_options {
	uint32_t part; /* of a model with separate_parts; INCLUSIVE_ALL_PARTS = their sum */
	/* Events to compute, n_events numbers of the model's; NULL = all of them, in its order. */
	const size_t *events;
	size_t n_events;
};

/* Arrays of n_events costs for each function, or each cycle, one after the other. */
struct inclusive {
	size_t n_functions, n_events;
	uint64_t *self;
	uint64_t *inclusive;
	uint64_t *called; /* by function: how often; calls by itself are left out */
	uint32_t *cycle;  /* by function: 1..n_cycles; 0 = in none */
	bool *is_whole; /* by function: all its calls are in its inclusive cost, if it is in a cycle */
	bool *calls_itself;    /* by function */
	size_t n_cycles;       /* numbered by their first functions */
	uint64_t *cycle_costs; /* of cycle c at (c - 1) * n_events */
};

/*
 * Computes all that, of a finished model; options NULL = all parts, all events.
 * To be released, also after a failure.  Returns a status; PROFILE_RANGE if a sum is beyond 64 bits.
 * Takes time and memory in proportion to functions and calls; no recursion.
 */
int inclusive_compute(struct inclusive *inclusive, const struct model *model,
		      const struct inclusive_options *options);
void inclusive_release(struct inclusive *inclusive);

/* The costs of a function, n_events numbers. */
static inline const uint64_t *inclusive_self(const struct inclusive *inclusive, uint32_t function)
{
	return inclusive->self + (size_t)function * inclusive->n_events;
}

static inline const uint64_t *inclusive_of(const struct inclusive *inclusive, uint32_t function)
{
	return inclusive->inclusive + (size_t)function * inclusive->n_events;
}

/*
 * What calls within a recursion cost at most, n_events numbers, as they are within each other: the cycle that both
 * ends are in, or the function that calls itself.  NULL of other calls.  Caller MODEL_NO_FUNCTION: any.
 */
static inline const uint64_t *inclusive_bound(const struct inclusive *inclusive, uint32_t caller,
					      uint32_t callee)
{
	uint32_t cycle = inclusive->cycle[callee];

	if (cycle != 0 && (caller == MODEL_NO_FUNCTION || inclusive->cycle[caller] == cycle))
		return inclusive->cycle_costs + (cycle - 1) * inclusive->n_events;
	if (inclusive->calls_itself[callee] && (caller == MODEL_NO_FUNCTION || caller == callee))
		return inclusive_of(inclusive, callee);
	return NULL;
}

/* -- self costs ------------------------------------------------------------------ */

/*
 * Self costs of functions, and of what each has in each source file: code that
 * was inlined from another file is its function's, but is in that file.
 */

/* What a function costs in a source file. */
struct self_costs_pair {
	uint32_t function;
	uint32_t file;
	const uint64_t *costs; /* n_events numbers */
};

/* Costs are the arena's, the arrays are to be released. */
struct self_costs {
	struct self_costs_pair *pairs; /* by function, then file by first appearance in it */
	size_t n_pairs;
	const uint64_t **self; /* by function; n_events numbers */
};

/* Adds up a finished model; returns a status.  To be released, also after a failure. */
int self_costs_compute(struct self_costs *self_costs, const struct model *model,
		       struct arena *arena);
void self_costs_release(struct self_costs *self_costs);

/* An arena's row of n zeros. */
uint64_t *row_new(struct arena *arena, size_t n);

/* Adds n counts to others; false if one is beyond 64 bits. */
bool row_add(uint64_t *sums, const uint64_t *costs, size_t n, bool is_signed);

/* The same of costs of calls, as cost_add_nested() does. */
void row_add_nested(uint64_t *sums, const uint64_t *costs, size_t n, bool is_signed);

#endif
