/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Single invocations, made up from a call graph, for formats that count them: a forest in which
 * each call that the graph counts is a node.  Who called the caller is not known, so what a
 * function called is divided evenly among its invocations:
 *
 *	main ---2---> f ---5---> g	main( f(g g) f(g g g) )
 *
 * Calls that close a cycle are invocations that call nothing: what the function called is
 * below those that were called from outside of the cycle.  So a function that called itself
 * 9 times has one invocation with 9 below it, not a chain of 10.
 */
#ifndef CMDS_CONVERT_INVOCATION_TREE_H
#define CMDS_CONVERT_INVOCATION_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/callgraph.h"

#define INVOCATION_NO_ARC SIZE_MAX /* of those that nobody called */

struct invocation_node {
	uint32_t function;
	uint32_t first, n_calls; /* those that it called are first, first + 1 ... */
	uint32_t next;           /* of the same function that calls something; private */
	size_t arc;              /* of the graph, that it is a call of */
};

/* Fields are for reading. */
struct invocation_tree {
	const struct callgraph *graph; /* sorted; outlives the tree */
	struct invocation_node *nodes;
	size_t n, capacity;
	uint64_t *counts; /* by arc: how many nodes it has */
	uint64_t *totals; /* by function: likewise */
	/*
	 * All calls, roots included; n is how many are nodes.  It is less if there are more than were
	 * wanted: of each arc then as many as are in proportion, 1 at least.
	 */
	uint64_t n_calls;
};

/*
 * Makes a tree of at most `most` nodes, but for those that each arc needs.  Calls that were not
 * counted are one.  keeps_cycles: else calls that close a cycle are left out.  Returns a status; to
 * be released in any case.
 */
int invocation_tree_init(struct invocation_tree *tree, const struct callgraph *graph, uint64_t most,
			 bool keeps_cycles);
void invocation_tree_release(struct invocation_tree *tree);

#endif
