/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Self costs of functions, and of what each has in each source file: code that
 * was inlined from another file is its function's, but stands in that file.
 */
#ifndef PROFILE_ANALYSIS_SELF_COSTS_H
#define PROFILE_ANALYSIS_SELF_COSTS_H

#include <stddef.h>
#include <stdint.h>

#include "profile/common/arena.h"
#include "profile/model/model.h"

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
	const struct env *env;
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
