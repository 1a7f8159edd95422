/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Webgrind's version 4: of each function its invocations, of each invocation what it
 * called, with pointers both ways.  A profile that knows functions only has one
 * invocation of each; the nodes of an exact call tree are invocations.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmds/convert/webgrind.h"
#include "profile/analysis/pathtree.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"

struct invocation {
	uint32_t function; /* place in the order */
	uint64_t self, inclusive;
	uint64_t from_cost;
	uint32_t from_function, from_number;
	uint64_t from_line;
	size_t first, n_subcalls; /* of the table */
};

/* A call, as it stands in the table. */
struct subcall {
	uint32_t function, number;
	uint64_t line, cost;
};

struct invocations {
	struct invocation *all; /* by function, then in order */
	size_t *first;          /* by function: its invocations are first[i]..first[i + 1] - 1 */
	struct subcall *subcalls;
	size_t n, n_subcalls;
	uint64_t *inclusive, *called; /* by function: costs in all, and of all calls of it */
};

/* -- writing ------------------------------------------------------------------------------ */

static const struct invocations *invocations_of(const struct webgrind *webgrind)
{
	return webgrind->ctx;
}

static uint64_t record_size(const struct webgrind *webgrind, size_t i)
{
	const struct invocations *invocations = invocations_of(webgrind);

	return 16 +
	       WEBGRIND_INVOCATION * (uint64_t)(invocations->first[i + 1] - invocations->first[i]) +
	       webgrind_names_size(webgrind, i);
}

static void put_invocation(struct webgrind *webgrind, const struct invocation *invocation,
			   uint64_t table)
{
	webgrind_put_cost(webgrind, invocation->self);
	webgrind_put_cost(webgrind, invocation->inclusive);
	webgrind_put_cost(webgrind, invocation->from_cost);
	webgrind_put(webgrind, invocation->from_function);
	webgrind_put(webgrind, invocation->from_number);
	webgrind_put_count(webgrind, invocation->from_line);
	webgrind_put(webgrind, invocation->n_subcalls);
	webgrind_put(webgrind, table + WEBGRIND_CALL * (uint64_t)invocation->first);
}

static void put_record(struct webgrind *webgrind, size_t i)
{
	const struct invocations *invocations = invocations_of(webgrind);
	uint64_t table = webgrind->table, self = 0;

	for (size_t j = invocations->first[i]; j < invocations->first[i + 1]; j++)
		self += invocations->all[j].self; /* of one function: it has the sum already */
	webgrind_put_cost(webgrind, self);
	webgrind_put_cost(webgrind, invocations->inclusive[i]);
	webgrind_put_cost(webgrind, invocations->called[i]);
	webgrind_put(webgrind, invocations->first[i + 1] - invocations->first[i]);
	for (size_t j = invocations->first[i]; j < invocations->first[i + 1]; j++)
		put_invocation(webgrind, &invocations->all[j], table);
	webgrind_put_names(webgrind, i);
}

static void put_table(struct webgrind *webgrind)
{
	const struct invocations *invocations = invocations_of(webgrind);

	for (size_t i = 0; i < invocations->n_subcalls; i++) {
		const struct subcall *subcall = &invocations->subcalls[i];

		webgrind_put(webgrind, subcall->function);
		webgrind_put(webgrind, subcall->number);
		webgrind_put_count(webgrind, subcall->line);
		webgrind_put_cost(webgrind, subcall->cost);
	}
}

/* -- making them up -------------------------------------------------------------------------- */

static bool allocate(struct invocations *invocations, const struct webgrind *webgrind, size_t n,
		     size_t n_subcalls)
{
	const struct env *env = webgrind->graph.env;

	invocations->n = n;
	invocations->n_subcalls = n_subcalls;
	invocations->all = heap_zeroed(env, n, sizeof(*invocations->all));
	invocations->first = heap_zeroed(env, webgrind->n + 1, sizeof(*invocations->first));
	invocations->subcalls = heap_zeroed(env, n_subcalls, sizeof(*invocations->subcalls));
	invocations->inclusive = heap_zeroed(env, webgrind->n, sizeof(*invocations->inclusive));
	invocations->called = heap_zeroed(env, webgrind->n, sizeof(*invocations->called));
	return invocations->all && invocations->first && invocations->subcalls &&
	       invocations->inclusive && invocations->called;
}

static void release(struct invocations *invocations, const struct env *env)
{
	env->release(env->ctx, invocations->all);
	env->release(env->ctx, invocations->first);
	env->release(env->ctx, invocations->subcalls);
	env->release(env->ctx, invocations->inclusive);
	env->release(env->ctx, invocations->called);
}

static const struct invocation nobodys = { .from_function = WEBGRIND_NOBODY };

/* The arc of the caller, another function, whose calls of a function cost most; NULL = none. */
static const struct callgraph_arc *costliest(const struct callgraph *graph, uint32_t function)
{
	const struct callgraph_arc *found = NULL;

	for (size_t i = graph->first_in[function]; i < graph->first_in[function + 1]; i++) {
		const struct callgraph_arc *arc = &graph->arcs[graph->incoming[i]];

		if (arc->caller != function && (!found || arc->cost > found->cost))
			found = arc;
	}
	return found;
}

/* Sets what a function's only invocation is, and its calls. */
static void make_one(struct invocations *invocations, const struct webgrind *webgrind, size_t place,
		     size_t *n_subcalls)
{
	const struct callgraph *graph = &webgrind->graph;
	uint32_t function = webgrind->order[place];
	const struct callgraph_arc *from = costliest(graph, function);
	struct invocation *invocation = &invocations->all[place];

	invocation->function = (uint32_t)place;
	invocation->self = callgraph_self(graph, function);
	invocation->inclusive = callgraph_inclusive(graph, function);
	invocations->inclusive[place] = invocation->inclusive;
	if (from) {
		invocation->from_cost = from->cost;
		invocation->from_function = webgrind->rank[from->caller];
		invocation->from_line = from->line;
	}
	invocation->first = *n_subcalls;
	for (size_t i = graph->first[function]; i < graph->first[function + 1]; i++) {
		const struct callgraph_arc *arc = &graph->arcs[i];

		invocations->subcalls[(*n_subcalls)++] =
			(struct subcall){ webgrind->rank[arc->callee], 0, arc->line, arc->cost };
	}
	invocation->n_subcalls = *n_subcalls - invocation->first;
	for (size_t i = graph->first_in[function]; i < graph->first_in[function + 1]; i++)
		cost_add_nested(&invocations->called[place], graph->arcs[graph->incoming[i]].cost,
				false);
}

static int make_up(struct invocations *invocations, struct webgrind *webgrind)
{
	size_t n_subcalls = 0;

	if (!allocate(invocations, webgrind, webgrind->n, webgrind->graph.n_arcs))
		return PROFILE_NO_MEMORY;
	for (size_t i = 0; i < webgrind->n; i++) {
		invocations->all[i] = nobodys;
		invocations->first[i + 1] = i + 1;
	}
	for (size_t i = 0; i < webgrind->graph.n; i++)
		make_one(invocations, webgrind, i, &n_subcalls);
	webgrind->invocations = WEBGRIND_SYNTHETIC_TEXT;
	snprintf(webgrind->conversion->note, sizeof(webgrind->conversion->note),
		 "calls are not counted: without a call tree (--call-tree=yes), webgrind4 has one "
		 "invocation of each function; webgrind7 has counts");
	return PROFILE_OK;
}

/* -- those of a call tree -------------------------------------------------------------------- */

/* Of each node of the tree. */
struct numbering {
	const struct pathtree *tree;
	uint64_t *inclusive;
	uint32_t *number;   /* among those of its function */
	uint32_t *children; /* how many */
	uint32_t *open;     /* by function: nodes of the open chain */
};

static size_t place_of(const struct webgrind *webgrind, const struct pathtree *tree, size_t node)
{
	uint32_t function = tree->nodes[node].function;

	return function == PATHTREE_REST ? webgrind_rest(webgrind) : webgrind->rank[function];
}

/* Inclusive costs, numbers of children; children come behind their parents. */
static bool sum_up(const struct numbering *numbering)
{
	const struct pathtree *tree = numbering->tree;

	for (size_t i = tree->n; i > 0; i--) {
		uint32_t parent = tree->nodes[i - 1].parent;

		if (!cost_add(&numbering->inclusive[i - 1],
			      pathtree_costs(tree, (uint32_t)(i - 1))[0], false))
			return false;
		if (parent == PATHTREE_NONE)
			continue;
		numbering->children[parent]++;
		if (!cost_add(&numbering->inclusive[parent], numbering->inclusive[i - 1], false))
			return false;
	}
	return true;
}

/*
 * Adds up what the outermost nodes of each function cost: an inner one is in an outer one.
 * Nodes are in pre-order, so the chain that is open ends in the parent of the next one.
 */
static bool sum_outer(struct invocations *invocations, const struct webgrind *webgrind,
		      const struct numbering *numbering)
{
	const struct pathtree *tree = numbering->tree;
	uint32_t open = PATHTREE_NONE; /* the innermost node */

	for (size_t i = 0; i < tree->n; i++) {
		size_t place = place_of(webgrind, tree, i);

		for (; open != tree->nodes[i].parent; open = tree->nodes[open].parent)
			numbering->open[place_of(webgrind, tree, open)]--;
		if (numbering->open[place]++ == 0 &&
		    !cost_add(&invocations->inclusive[place], numbering->inclusive[i], false))
			return false;
		open = (uint32_t)i;
	}
	return true;
}

/* Sets where the invocations of each function begin, and their numbers. */
static void number_nodes(struct invocations *invocations, const struct webgrind *webgrind,
			 const struct numbering *numbering)
{
	const struct pathtree *tree = numbering->tree;

	for (size_t i = 0; i < tree->n; i++) {
		size_t place = place_of(webgrind, tree, i);

		numbering->number[i] = (uint32_t)invocations->first[place + 1]++;
	}
	for (size_t i = 0; i < webgrind->n; i++)
		invocations->first[i + 1] += invocations->first[i];
}

static bool make_from_node(struct invocations *invocations, struct webgrind *webgrind,
			   const struct numbering *numbering, size_t node)
{
	const struct pathtree *tree = numbering->tree;
	const struct pathtree_node *path = &tree->nodes[node];
	size_t place = place_of(webgrind, tree, node);
	struct invocation *invocation =
		&invocations->all[invocations->first[place] + numbering->number[node]];

	invocation->function = (uint32_t)place;
	invocation->self = pathtree_costs(tree, (uint32_t)node)[0];
	invocation->inclusive = numbering->inclusive[node];
	invocation->n_subcalls = numbering->children[node];
	if (invocation->inclusive > webgrind->most)
		webgrind->most = invocation->inclusive;
	if (path->parent != PATHTREE_NONE) {
		invocation->from_cost = invocation->inclusive;
		invocation->from_function = (uint32_t)place_of(webgrind, tree, path->parent);
		invocation->from_number = numbering->number[path->parent];
		invocation->from_line = path->line;
		if (!cost_add(&invocations->called[place], invocation->inclusive, false))
			return false;
	}
	return true;
}

/* The invocations' parts of the table, then the calls in them. */
static void make_subcalls(struct invocations *invocations, const struct webgrind *webgrind,
			  const struct numbering *numbering)
{
	const struct pathtree *tree = numbering->tree;
	size_t used = 0;

	for (size_t i = 0; i < invocations->n; i++) {
		invocations->all[i].first = used;
		used += invocations->all[i].n_subcalls;
		invocations->all[i].n_subcalls = 0;
	}
	for (size_t i = 0; i < tree->n; i++) {
		const struct pathtree_node *node = &tree->nodes[i];
		struct invocation *caller;

		if (node->parent == PATHTREE_NONE)
			continue;
		caller = &invocations
				  ->all[invocations->first[place_of(webgrind, tree, node->parent)] +
					numbering->number[node->parent]];
		invocations->subcalls[caller->first + caller->n_subcalls++] =
			(struct subcall){ (uint32_t)place_of(webgrind, tree, i),
					  numbering->number[i], node->line,
					  numbering->inclusive[i] };
	}
}

static int fill_from_tree(struct invocations *invocations, struct webgrind *webgrind,
			  const struct numbering *numbering)
{
	const struct pathtree *tree = numbering->tree;
	size_t n_calls = 0;

	if (!sum_up(numbering))
		return PROFILE_RANGE;
	for (size_t i = 0; i < tree->n; i++)
		n_calls += tree->nodes[i].parent != PATHTREE_NONE;
	if (!allocate(invocations, webgrind, tree->n, n_calls))
		return PROFILE_NO_MEMORY;
	number_nodes(invocations, webgrind, numbering);
	for (size_t i = 0; i < tree->n; i++)
		invocations->all[i] = nobodys;
	for (size_t i = 0; i < tree->n; i++)
		if (!make_from_node(invocations, webgrind, numbering, i))
			return PROFILE_RANGE;
	make_subcalls(invocations, webgrind, numbering);
	return sum_outer(invocations, webgrind, numbering) ? PROFILE_OK : PROFILE_RANGE;
}

static int make_from_tree(struct invocations *invocations, struct webgrind *webgrind,
			  const struct pathtree *tree)
{
	const struct env *env = webgrind->graph.env;
	struct numbering numbering = { .tree = tree };
	int status = PROFILE_NO_MEMORY;

	for (size_t i = 0; i < tree->n; i++)
		if (tree->nodes[i].function == PATHTREE_REST)
			webgrind->n = webgrind_rest(webgrind) + 1;
	numbering.inclusive = heap_zeroed(env, tree->n, sizeof(*numbering.inclusive));
	numbering.number = heap_zeroed(env, tree->n, sizeof(*numbering.number));
	numbering.children = heap_zeroed(env, tree->n, sizeof(*numbering.children));
	numbering.open = heap_zeroed(env, webgrind->n, sizeof(*numbering.open));
	if (numbering.inclusive && numbering.number && numbering.children && numbering.open)
		status = fill_from_tree(invocations, webgrind, &numbering);
	env->release(env->ctx, numbering.inclusive);
	env->release(env->ctx, numbering.number);
	env->release(env->ctx, numbering.children);
	env->release(env->ctx, numbering.open);
	return status;
}

int to_webgrind4(struct conversion *conversion)
{
	const struct pathtree *tree = conversion->tree;
	struct invocations invocations = { .n = 0 };
	struct webgrind webgrind;
	int status = webgrind_init(&webgrind, conversion, 4);

	if (!status && tree && tree->n > 0)
		status = make_from_tree(&invocations, &webgrind, tree);
	else if (!status)
		status = make_up(&invocations, &webgrind);
	if (!status) {
		webgrind.ctx = &invocations;
		webgrind.size = record_size;
		webgrind.put_record = put_record;
		webgrind.put_table = put_table;
		webgrind.table_size = WEBGRIND_CALL * (uint64_t)invocations.n_subcalls;
		webgrind.n_records += invocations.n + invocations.n_subcalls;
		for (size_t i = 0; i < webgrind.n; i++)
			if (invocations.called[i] > webgrind.most)
				webgrind.most = invocations.called[i];
		status = webgrind_write(&webgrind);
	}
	release(&invocations, webgrind.graph.env);
	webgrind_release(&webgrind);
	return status;
}
