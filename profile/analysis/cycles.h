/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to profile/: strongly connected components of a graph. */
#ifndef PROFILE_ANALYSIS_CYCLES_H
#define PROFILE_ANALYSIS_CYCLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "writer/env.h"

/* Nodes 0..n-1; the edges of node i lead to to[first[i]] .. to[first[i + 1] - 1]. */
struct cycle_graph {
	size_t n;
	const size_t *first; /* n + 1 numbers */
	const uint32_t *to;
};

/*
 * Sets cycle[i] to the number, from 1, of the component of two or more nodes
 * that i is in, or to 0; *count to how many there are.  They are numbered by
 * their least nodes.  False if memory ran out.
 */
bool cycles_find(const struct cycle_graph *graph, const struct env *env, uint32_t *cycle,
		 size_t *count);

#endif
