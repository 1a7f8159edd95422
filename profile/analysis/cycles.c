/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tarjan's algorithm with a stack of its own: call chains may be as long as
 * there are functions.  A node on the path keeps in next[] which edge it follows.
 */
#include "profile/analysis/cycles.h"

#include <string.h>

#include "profile/common/heap.h"

#define UNSEEN 0
#define NOBODY UINT32_MAX

struct search {
	const struct cycle_graph *graph;
	uint32_t *index;  /* by node: when it was seen, from 1; UNSEEN */
	uint32_t *low;    /* by node: the earliest index that is reached */
	uint32_t *parent; /* by node on the path: where it was reached from */
	size_t *next;     /* by node on the path: its next edge */
	uint32_t *open;   /* nodes seen whose component is not known yet, a stack */
	size_t n_open;
	uint32_t n_seen;
	uint32_t *component; /* by node, 0 = open or alone; of the caller */
	uint32_t n_components;
};

static void see(struct search *search, uint32_t node, uint32_t parent)
{
	search->index[node] = search->low[node] = ++search->n_seen;
	search->parent[node] = parent;
	search->next[node] = search->graph->first[node];
	search->open[search->n_open++] = node;
}

/* All that is open from node on is one component. */
static void close(struct search *search, uint32_t node)
{
	bool is_alone = search->open[search->n_open - 1] == node;
	uint32_t member;

	if (!is_alone)
		search->n_components++;
	do {
		member = search->open[--search->n_open];
		search->component[member] = is_alone ? 0 : search->n_components;
		search->low[member] = NOBODY; /* closed */
	} while (member != node);
}

/* All that can be reached from a node. */
static void explore(struct search *search, uint32_t start)
{
	uint32_t node = start;

	see(search, start, NOBODY);
	while (node != NOBODY) {
		if (search->next[node] < search->graph->first[node + 1]) {
			uint32_t to = search->graph->to[search->next[node]++];

			if (search->index[to] == UNSEEN) {
				see(search, to, node);
				node = to;
			} else if (search->low[to] != NOBODY &&
				   search->index[to] < search->low[node]) {
				search->low[node] = search->index[to];
			}
			continue;
		}

		uint32_t parent = search->parent[node];
		uint32_t low = search->low[node];

		if (low == search->index[node])
			close(search, node);
		else if (low < search->low[parent])
			search->low[parent] = low;
		node = parent;
	}
}

/* Numbers by the least node, instead of by when they were closed. */
static void renumber(uint32_t *component, size_t n, uint32_t *number)
{
	uint32_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (component[i] == 0)
			continue;
		if (number[component[i]] == 0)
			number[component[i]] = ++count;
		component[i] = number[component[i]];
	}
}

bool cycles_find(const struct cycle_graph *graph, const struct env *env, uint32_t *cycle,
		 size_t *count)
{
	struct search search = {
		.graph = graph,
		.index = heap_zeroed(env, graph->n, sizeof(uint32_t)),
		.low = heap_zeroed(env, graph->n, sizeof(uint32_t)),
		.parent = heap_zeroed(env, graph->n, sizeof(uint32_t)),
		.next = heap_zeroed(env, graph->n, sizeof(size_t)),
		.open = heap_zeroed(env, graph->n, sizeof(uint32_t)),
		.component = cycle,
	};
	bool fine = search.index && search.low && search.parent && search.next && search.open;

	memset(cycle, 0, graph->n * sizeof(*cycle));
	if (fine) {
		for (size_t i = 0; i < graph->n; i++)
			if (search.index[i] == UNSEEN)
				explore(&search, (uint32_t)i);
		/* A component has two nodes, so there are fewer of them than nodes. */
		memset(search.open, 0, graph->n * sizeof(*search.open));
		renumber(cycle, graph->n, search.open);
		*count = search.n_components;
	}
	env->release(env->ctx, search.index);
	env->release(env->ctx, search.low);
	env->release(env->ctx, search.parent);
	env->release(env->ctx, search.next);
	env->release(env->ctx, search.open);
	return fine;
}
