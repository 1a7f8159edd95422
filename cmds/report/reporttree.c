/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First each chain of both trees becomes a node; the chains of one tree alone stay as they are.  Then those that stay
 * are numbered anew: 0 is a root above all, and after the children of each node that lost some there is one
 * that has their costs.
 */
#include "cmds/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/dictionary.h"
#include "profile/common/heap.h"

enum {
	ROW_NONE = -1,
	ROW_REST = -2, /* what is too cheap to be written; -1 in the data */
};

struct node {
	uint32_t parent;
	int64_t row;                 /* or ROW_NONE, ROW_REST */
	uint64_t inclusive[N_SIDES]; /* of the event that decides what is too cheap */
};

/* Nodes in pre-order, each with the costs of the main side, then of the other. */
struct nodes {
	struct node *all; /* owned */
	uint64_t *costs;  /* owned */
	size_t n, width;
};

struct reporttree {
	const struct reportrows *rows;
	const struct pathtree *trees[N_SIDES];      /* NULL = there is none */
	size_t n_events;                            /* of one side */
	size_t events[N_SIDES][PROFILE_MAX_EVENTS]; /* of the tree's model, by the report's */
	struct nodes nodes;                         /* what is written */
	struct nodes chains;                        /* before any is left out */
	struct idtable by_place; /* of chains, parent and row: number; only of two trees */
};

/* -- chains ---------------------------------------------------------------------------- */

static void nodes_init(struct nodes *nodes, size_t most, size_t width)
{
	nodes->width = width;
	nodes->all = heap_zeroed(most, sizeof(*nodes->all));
	nodes->costs = heap_zeroed(most, width * sizeof(*nodes->costs));
}

static void nodes_release(struct nodes *nodes)
{
	free(nodes->all);
	free(nodes->costs);
}

static uint32_t new_node(struct nodes *nodes, uint32_t parent, int64_t row)
{
	nodes->all[nodes->n] = (struct node){ .parent = parent, .row = row };
	return (uint32_t)nodes->n++;
}

/* The number of a node below another one, new if there is none. */
static uint32_t find_chain(struct reporttree *tree, uint32_t parent, int64_t row)
{
	uint64_t key = (uint64_t)parent << 32 | (uint32_t)row;
	bool is_shared = tree->trees[SIDE_OTHER] != NULL;
	uint32_t number = is_shared ? idtable_get(&tree->by_place, key) : IDTABLE_NONE;

	if (number != IDTABLE_NONE)
		return number;
	number = new_node(&tree->chains, parent, row);
	if (is_shared)
		idtable_put(&tree->by_place, key, number);
	return number;
}

static void add_tree(struct reporttree *tree, enum report_side side)
{
	const struct pathtree *from = tree->trees[side];
	const struct reportrows_side *of_side = &tree->rows->sides[side];
	uint32_t *numbers = heap_zeroed(from->n, sizeof(*numbers));
	uint32_t *rows = heap_zeroed(from->model->n_functions, sizeof(*rows));
	size_t *events = tree->events[side];

	for (size_t e = 0; e < tree->n_events; e++)
		events[e] =
			model_event(from->model, of_side->model->events[of_side->events[e]].name);
	for (uint32_t i = 0; i < from->model->n_functions; i++)
		rows[i] = reportrows_find(tree->rows, side, from->model, i);
	for (uint32_t i = 0; i < from->n; i++) {
		const struct pathtree_node *node = &from->nodes[i];
		const uint64_t *costs = pathtree_costs(from, i);
		uint32_t above = node->parent == PATHTREE_NONE ? 0 : numbers[node->parent];
		uint32_t row = node->function == PATHTREE_REST ? MODEL_NO_FUNCTION
							       : rows[node->function];
		uint64_t *to;

		numbers[i] =
			find_chain(tree, above, row == MODEL_NO_FUNCTION ? ROW_NONE : (int64_t)row);
		tree->chains.all[numbers[i]].inclusive[side] += costs[0];
		to = tree->chains.costs + numbers[i] * tree->chains.width + side * tree->n_events;
		for (size_t e = 0; e < tree->n_events; e++)
			if (events[e] < from->model->n_events)
				to[e] += costs[events[e]];
	}
	free(numbers);
	free(rows);
}

static bool is_costly(const struct reporttree *tree, const struct node *node, double share)
{
	const struct node *root = &tree->chains.all[0];

	for (unsigned side = 0; side < N_SIDES; side++)
		if (tree->trees[side] &&
		    node->inclusive[side] >= (uint64_t)((double)root->inclusive[side] * share))
			return true;
	return false;
}

/* Gives each chain the number of the node that is written for it, and that node its costs. */
static void prune(struct reporttree *tree, double share)
{
	const struct nodes *chains = &tree->chains;
	struct nodes *nodes = &tree->nodes;
	/* By chain: number of what is written; by number: the number of the rest below it, 0 = none. */
	uint32_t *numbers = heap_zeroed(chains->n, sizeof(*numbers));
	uint32_t *rests = heap_zeroed(2 * chains->n, sizeof(*rests));

	new_node(nodes, 0, ROW_NONE);
	for (size_t i = 1; i < chains->n; i++) {
		const struct node *node = &chains->all[i];
		uint32_t above = numbers[node->parent], number;

		if (nodes->all[above].row == ROW_REST)
			number = above;
		else if (is_costly(tree, node, share))
			number = new_node(nodes, above, node->row);
		else if (rests[above] != 0)
			number = rests[above];
		else
			number = rests[above] = new_node(nodes, above, ROW_REST);
		numbers[i] = number;
		for (size_t e = 0; e < nodes->width; e++)
			nodes->costs[number * nodes->width + e] +=
				chains->costs[i * nodes->width + e];
	}
	free(numbers);
	free(rests);
}

struct reporttree *reporttree_new(const struct reportrows *rows, const struct pathtree *main_tree,
				  const struct pathtree *other, double share)
{
	struct reporttree *tree = heap_zeroed(1, sizeof(*tree));
	size_t width = (other ? N_SIDES : 1) * rows->n_events;
	struct nodes *chains = &tree->chains;

	tree->rows = rows;
	tree->trees[SIDE_MAIN] = main_tree;
	tree->trees[SIDE_OTHER] = other;
	tree->n_events = rows->n_events;
	idtable_init(&tree->by_place);
	nodes_init(chains, 1 + main_tree->n + (other ? other->n : 0), width);
	new_node(chains, 0, ROW_NONE);
	add_tree(tree, SIDE_MAIN);
	if (other)
		add_tree(tree, SIDE_OTHER);
	for (size_t i = chains->n; i-- > 1;)
		for (unsigned side = 0; side < N_SIDES; side++)
			chains->all[chains->all[i].parent].inclusive[side] +=
				chains->all[i].inclusive[side];
	nodes_init(&tree->nodes, 2 * chains->n, width); /* each may have a rest */
	prune(tree, share);
	nodes_release(chains);
	idtable_release(&tree->by_place);
	return tree;
}

void reporttree_free(struct reporttree *tree)
{
	if (!tree)
		return;
	nodes_release(&tree->nodes);
	free(tree);
}

/* -- writing ------------------------------------------------------------------------------------ */

static void write_events(const struct reporttree *tree, enum report_side side, struct json *json)
{
	json_array(json, "events", true);
	for (size_t e = 0; e < tree->n_events; e++)
		if (tree->events[side][e] < tree->trees[side]->model->n_events)
			json_count(json, NULL, e);
	json_close(json);
}

static uint64_t parent_at(const void *tree, size_t i)
{
	return ((const struct reporttree *)tree)->nodes.all[i].parent;
}

static uint64_t function_at(const void *tree, size_t i, size_t column)
{
	const int64_t row = ((const struct reporttree *)tree)->nodes.all[i].row;

	(void)column;
	return (uint64_t)(row < 0 ? -1 : row);
}

static uint64_t main_cost(const void *ctx, size_t i, size_t event)
{
	const struct nodes *nodes = &((const struct reporttree *)ctx)->nodes;

	return nodes->costs[i * nodes->width + event];
}

static uint64_t other_cost(const void *ctx, size_t i, size_t event)
{
	return main_cost(ctx, i, ((const struct reporttree *)ctx)->n_events + event);
}

static uint64_t related_cost(const void *ctx, size_t i, size_t event)
{
	return other_cost(ctx, i, event) - main_cost(ctx, i, event);
}

void reporttree_write(const struct reporttree *tree, struct json *json)
{
	if (!tree) {
		json_null(json, "tree");
		return;
	}
	json_object(json, "tree", true);
	json_bool(json, "exact", true);
	write_events(tree, SIDE_MAIN, json);
	json_steps(json, "parent", tree->nodes.n, parent_at, tree);
	reporttable_column(&(struct reporttable){ function_at, tree, tree->nodes.n, true },
			   "function", 0, json);
	reporttable_costs(&(struct reporttable){ main_cost, tree, tree->nodes.n, false }, "costs",
			  tree->n_events, json);
	json_close(json);
}

void reporttree_write_other(const struct reporttree *tree, bool is_related, struct json *json)
{
	if (!tree || !tree->trees[SIDE_OTHER]) {
		json_null(json, "tree");
		return;
	}
	/* If the page can compute with differences: they are exact as doubles. */
	for (size_t i = 0; i < tree->nodes.n * tree->nodes.width && is_related; i++)
		is_related = tree->nodes.costs[i] >> 52 == 0;
	json_object(json, "tree", true);
	write_events(tree, SIDE_OTHER, json);
	reporttable_costs(&(struct reporttable){ is_related ? related_cost : other_cost, tree,
						 tree->nodes.n, is_related },
			  is_related ? "p_costs" : "costs", tree->n_events, json);
	json_close(json);
}
