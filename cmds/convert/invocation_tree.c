/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions are taken in the order in which callers come before callees, so all
 * invocations of one that shall call something are there when its turn comes.  What each of
 * them calls is then made at once, and stands side by side.
 */
#define _GNU_SOURCE /* qsort_r */
#include "cmds/convert/invocation_tree.h"

#include <stdlib.h>

#include "profile/common/cost.h"
#include "profile/common/heap.h"

#define NO_NODE UINT32_MAX

struct growing {
	struct invocation_tree *tree;
	uint32_t *first, *last; /* by function: its nodes that call something */
	size_t *arcs;           /* of the function at work, by line */
};

__extension__ typedef unsigned __int128 product;

static uint64_t count_of(const struct callgraph_arc *arc)
{
	return arc->count > 0 ? arc->count : 1;
}

static bool is_kept(const struct callgraph_arc *arc, bool keeps_cycles)
{
	return keeps_cycles || !arc->is_back;
}

/* -- how many there are ------------------------------------------------------------------ */

static bool is_root(const struct callgraph *graph, uint32_t function)
{
	for (size_t i = graph->first_in[function]; i < graph->first_in[function + 1]; i++)
		if (!graph->arcs[graph->incoming[i]].is_back)
			return false;
	return true;
}

/* Sets how many nodes arcs and functions have. */
static int count_nodes(struct invocation_tree *tree, uint64_t most, bool keeps_cycles)
{
	const struct callgraph *graph = tree->graph;
	uint64_t needed = 0;    /* roots, and one for each arc */
	uint64_t spare, wanted; /* nodes beyond these */

	for (uint32_t i = 0; i < graph->n; i++)
		tree->totals[i] = is_root(graph, i);
	for (size_t i = 0; i < graph->n; i++)
		needed += tree->totals[i];
	tree->n_calls = needed;
	for (size_t i = 0; i < graph->n_arcs; i++) {
		if (!is_kept(&graph->arcs[i], keeps_cycles))
			continue;
		needed++;
		if (!cost_add(&tree->n_calls, count_of(&graph->arcs[i]), false))
			return PROFILE_RANGE;
	}
	if (needed >= NO_NODE)
		return PROFILE_RANGE;
	spare = most > needed ? most - needed : 0;
	wanted = tree->n_calls - needed;
	for (size_t i = 0; i < graph->n_arcs; i++) {
		uint64_t more = count_of(&graph->arcs[i]) - 1;

		if (!is_kept(&graph->arcs[i], keeps_cycles))
			continue;
		if (wanted > spare)
			more = (uint64_t)((product)more * spare / wanted);
		tree->counts[i] = 1 + more;
		tree->totals[graph->arcs[i].callee] += 1 + more;
	}
	return PROFILE_OK;
}

/* -- nodes ------------------------------------------------------------------------------- */

static bool add_node(struct growing *growing, uint32_t function, size_t arc)
{
	struct invocation_tree *tree = growing->tree;
	uint32_t number = (uint32_t)tree->n;

	if (!heap_reserve(tree->graph->env, (void **)&tree->nodes, &tree->capacity, tree->n + 1,
			  sizeof(*tree->nodes)))
		return false;
	tree->nodes[tree->n++] =
		(struct invocation_node){ .function = function, .next = NO_NODE, .arc = arc };
	if (arc != INVOCATION_NO_ARC && tree->graph->arcs[arc].is_back)
		return true;
	if (growing->first[function] == NO_NODE)
		growing->first[function] = number;
	else
		tree->nodes[growing->last[function]].next = number;
	growing->last[function] = number;
	return true;
}

static int compare_lines(const void *a, const void *b, void *ctx)
{
	const struct callgraph *graph = *(const struct callgraph *const *)ctx;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	uint64_t line_x = graph->arcs[x].line, line_y = graph->arcs[y].line;

	if (line_x != line_y)
		return line_x < line_y ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* What number i of n invocations calls. */
static bool add_calls(struct growing *growing, uint32_t node, size_t n_arcs, uint64_t i, uint64_t n)
{
	struct invocation_tree *tree = growing->tree;
	size_t first = tree->n;

	for (size_t j = 0; j < n_arcs; j++) {
		size_t arc = growing->arcs[j];
		uint64_t from = (uint64_t)((product)tree->counts[arc] * i / n);
		uint64_t to = (uint64_t)((product)tree->counts[arc] * (i + 1) / n);

		for (; from < to; from++)
			if (!add_node(growing, tree->graph->arcs[arc].callee, arc))
				return false;
	}
	tree->nodes[node].first = (uint32_t)first;
	tree->nodes[node].n_calls = (uint32_t)(tree->n - first);
	return true;
}

static bool grow_function(struct growing *growing, uint32_t function)
{
	struct invocation_tree *tree = growing->tree;
	const struct callgraph *graph = tree->graph;
	size_t n_arcs = 0;
	uint64_t n = 0, i = 0;

	if (growing->first[function] == NO_NODE && !add_node(growing, function, INVOCATION_NO_ARC))
		return false;
	for (size_t arc = graph->first[function]; arc < graph->first[function + 1]; arc++)
		if (tree->counts[arc] > 0)
			growing->arcs[n_arcs++] = arc;
	qsort_r(growing->arcs, n_arcs, sizeof(*growing->arcs), compare_lines, &graph);
	for (uint32_t node = growing->first[function]; node != NO_NODE;
	     node = tree->nodes[node].next)
		n++;
	for (uint32_t node = growing->first[function]; i < n; node = tree->nodes[node].next)
		if (!add_calls(growing, node, n_arcs, i++, n))
			return false;
	return true;
}

static int grow(struct invocation_tree *tree)
{
	const struct callgraph *graph = tree->graph;
	const struct env *env = graph->env;
	struct growing growing = {
		.tree = tree,
		.first = heap_zeroed(env, graph->n, sizeof(*growing.first)),
		.last = heap_zeroed(env, graph->n, sizeof(*growing.last)),
		.arcs = heap_zeroed(env, graph->n_arcs, sizeof(*growing.arcs)),
	};
	bool fine = growing.first && growing.last && growing.arcs;

	for (size_t i = 0; i < graph->n && fine; i++)
		growing.first[i] = NO_NODE;
	for (size_t i = 0; i < graph->n && fine; i++)
		fine = grow_function(&growing, graph->order[i]);
	env->release(env->ctx, growing.first);
	env->release(env->ctx, growing.last);
	env->release(env->ctx, growing.arcs);
	return fine ? PROFILE_OK : PROFILE_NO_MEMORY;
}

int invocation_tree_init(struct invocation_tree *tree, const struct callgraph *graph, uint64_t most,
			 bool keeps_cycles)
{
	int status;

	*tree = (struct invocation_tree){
		.graph = graph,
		.counts = heap_zeroed(graph->env, graph->n_arcs, sizeof(*tree->counts)),
		.totals = heap_zeroed(graph->env, graph->n, sizeof(*tree->totals)),
	};
	if (!tree->counts || !tree->totals)
		return PROFILE_NO_MEMORY;
	status = count_nodes(tree, most, keeps_cycles);
	return status ? status : grow(tree);
}

void invocation_tree_release(struct invocation_tree *tree)
{
	const struct env *env = tree->graph ? tree->graph->env : NULL;

	if (!env)
		return;
	env->release(env->ctx, tree->nodes);
	env->release(env->ctx, tree->counts);
	env->release(env->ctx, tree->totals);
	*tree = (struct invocation_tree){ 0 };
}
