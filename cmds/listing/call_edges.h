/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who calls whom, calls from all places of a function added up; for lists of functions and of data. */
#ifndef CMDS_LISTING_CALL_EDGES_H
#define CMDS_LISTING_CALL_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/listing/listing.h"

struct call_edge {
	uint32_t caller, callee;
	uint64_t count;
	uint64_t *costs; /* inclusive, the arena's */
};

/* Private: sorted by caller; by_callee has the numbers of edges sorted by callee. */
struct call_edge_list {
	struct call_edge *all;
	size_t n, capacity;
	uint32_t *by_callee;
	size_t *first_by_caller, *first_by_callee; /* n_functions + 1 */
};

/*
 * Adds up calls of a finished model, of and by the functions f for which wanted[f] is
 * not 0, as the tree asks for.  Returns a status; to be released in any case.
 */
int call_edges_collect(struct call_edge_list *list, const struct model *model,
		       const uint32_t *wanted, enum listing_tree tree, struct arena *arena);
void call_edges_release(struct call_edge_list *list, const struct env *env);

/*
 * The callers or callees of a function, *n of them, not sorted, as an array of the
 * arena's; NULL if there are none.  False if memory ran out.
 */
bool call_edges_of(const struct call_edge_list *list, uint32_t function, bool callers,
		   struct listing_link **links, size_t *n, struct arena *arena);

#endif
