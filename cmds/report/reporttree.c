/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First all chains, of both trees, each a node; of one tree alone they stay as they are.  Then those that stay in
 * a new order of numbers: 0 is a root above all, and behind the children of each node that lost some
 * there is one that has their costs.
 */
#include "cmds/report/report.h"

#include <string.h>

#include "profile/common/heap.h"
#include "profile/format/idtable.h"

enum { ROW_REST = -2 }; /* of what is written: those that were too cheap */

/* Nodes before any is left out. */
struct chains {
	struct reporttree_node *nodes;
	uint64_t *costs;
	size_t n, width;
	struct idtable by_place; /* parent and row: number; only of two trees */
};

/* -- chains ------------------------------------------------------------------------------- */

/* The number of a node below another one, new if there is none; IDTABLE_NONE if memory ran out. */
static uint32_t find_chain(struct chains *chains, const struct reporttree *tree, uint32_t parent,
			   int64_t row)
{
	uint64_t key = (uint64_t)parent << 32 | (uint32_t)row;
	bool is_shared = tree->trees[SIDE_OTHER] != NULL;
	uint32_t number = is_shared ? idtable_get(&chains->by_place, key) : IDTABLE_NONE;

	if (number != IDTABLE_NONE)
		return number;
	number = (uint32_t)chains->n;
	if (is_shared && !idtable_put(&chains->by_place, key, number))
		return IDTABLE_NONE;
	chains->nodes[chains->n] = (struct reporttree_node){
		.parent = parent,
		.row = row,
		.costs = chains->n * chains->width,
	};
	chains->n++;
	return number;
}

static void add_node_costs(struct chains *chains, const struct reporttree *tree,
			   enum report_side side, uint32_t node, uint32_t number)
{
	const struct pathtree *from = tree->trees[side];
	const uint64_t *costs = pathtree_costs(from, node);
	struct reporttree_node *to = &chains->nodes[number];

	to->inclusive[side] += costs[0];
	for (size_t e = 0; e < tree->n_events; e++)
		if (tree->events[side][e] < from->model->n_events)
			chains->costs[to->costs + side * tree->n_events + e] +=
				costs[tree->events[side][e]];
}

static bool add_tree(struct chains *chains, struct reporttree *tree, enum report_side side)
{
	const struct pathtree *from = tree->trees[side];
	const struct reportrows_side *of_side = &tree->rows->sides[side];
	uint32_t *numbers = heap_zeroed(&heap_env, from->n, sizeof(*numbers));
	uint32_t *rows = heap_zeroed(&heap_env, from->model->n_functions, sizeof(*rows));
	bool fine = numbers && rows;

	for (size_t e = 0; e < tree->n_events; e++)
		tree->events[side][e] =
			model_event(from->model, of_side->model->events[of_side->events[e]].name);
	for (uint32_t i = 0; fine && i < from->model->n_functions; i++)
		rows[i] = reportrows_find(tree->rows, side, from->model, i);
	for (uint32_t i = 0; fine && i < from->n; i++) {
		const struct pathtree_node *node = &from->nodes[i];
		uint32_t above = node->parent == PATHTREE_NONE ? 0 : numbers[node->parent];
		uint32_t row = node->function == PATHTREE_REST ? MODEL_NO_FUNCTION
							       : rows[node->function];

		numbers[i] = find_chain(chains, tree, above,
					row == MODEL_NO_FUNCTION ? -1 : (int64_t)row);
		fine = numbers[i] != IDTABLE_NONE;
		if (fine)
			add_node_costs(chains, tree, side, i, numbers[i]);
	}
	heap_env.release(heap_env.ctx, numbers);
	heap_env.release(heap_env.ctx, rows);
	return fine;
}

static bool make_chains(struct chains *chains, struct reporttree *tree)
{
	size_t most = 1; /* the root */

	idtable_init(&chains->by_place, &heap_env);
	chains->width = tree->width;
	for (unsigned side = 0; side < N_SIDES; side++)
		if (tree->trees[side])
			most += tree->trees[side]->n;
	chains->nodes = heap_zeroed(&heap_env, most, sizeof(*chains->nodes));
	chains->costs = heap_zeroed(&heap_env, most, tree->width * sizeof(*chains->costs));
	if (!chains->nodes || !chains->costs)
		return false;
	chains->nodes[chains->n++].row = -1;
	for (unsigned side = 0; side < N_SIDES; side++)
		if (tree->trees[side] && !add_tree(chains, tree, side))
			return false;
	for (size_t i = chains->n; i-- > 1;) {
		const struct reporttree_node *node = &chains->nodes[i];

		for (unsigned side = 0; side < N_SIDES; side++)
			chains->nodes[node->parent].inclusive[side] += node->inclusive[side];
	}
	return true;
}

static void release_chains(struct chains *chains)
{
	idtable_release(&chains->by_place);
	heap_env.release(heap_env.ctx, chains->nodes);
	heap_env.release(heap_env.ctx, chains->costs);
}

/* -- what is written ------------------------------------------------------------------------ */

static uint32_t new_node(struct reporttree *tree, uint32_t parent, int64_t row)
{
	tree->nodes[tree->n] = (struct reporttree_node){
		.parent = parent,
		.row = row,
		.costs = tree->n * tree->width,
	};
	return (uint32_t)tree->n++;
}

static bool is_costly(const struct reporttree *tree, const struct chains *chains,
		      const struct reporttree_node *node, double share)
{
	const struct reporttree_node *root = &chains->nodes[0];

	for (unsigned side = 0; side < N_SIDES; side++)
		if (tree->trees[side] &&
		    node->inclusive[side] >= (uint64_t)((double)root->inclusive[side] * share))
			return true;
	return false;
}

/* Gives each chain the number of what is written of it, and that its costs. */
static bool prune(struct reporttree *tree, const struct chains *chains, double share)
{
	/* By chain: number of what is written; by number: that of the rest below it, 0 = none. */
	uint32_t *numbers = heap_zeroed(&heap_env, chains->n, sizeof(*numbers));
	uint32_t *rests = heap_zeroed(&heap_env, 2 * chains->n, sizeof(*rests));
	bool fine = numbers && rests;

	if (fine)
		new_node(tree, 0, -1);
	for (size_t i = 1; fine && i < chains->n; i++) {
		const struct reporttree_node *node = &chains->nodes[i];
		uint32_t above = numbers[node->parent], number;

		if (tree->nodes[above].row == ROW_REST)
			number = above;
		else if (is_costly(tree, chains, node, share))
			number = new_node(tree, above, node->row);
		else if (rests[above] != 0)
			number = rests[above];
		else
			number = rests[above] = new_node(tree, above, ROW_REST);
		numbers[i] = number;
		for (size_t e = 0; e < tree->width; e++)
			tree->costs[tree->nodes[number].costs + e] +=
				chains->costs[node->costs + e];
	}
	heap_env.release(heap_env.ctx, numbers);
	heap_env.release(heap_env.ctx, rests);
	return fine;
}

int reporttree_make(struct reporttree *tree, const struct reportrows *rows,
		    const struct pathtree *main_tree, const struct pathtree *other, double share)
{
	struct chains chains = { .n = 0 };
	bool fine;

	*tree = (struct reporttree){
		.rows = rows,
		.trees = { main_tree, other },
		.n_events = rows->n_events,
		.width = (other ? N_SIDES : 1) * rows->n_events,
	};
	fine = make_chains(&chains, tree);
	if (fine) {
		/* Each may have a rest. */
		tree->nodes = heap_zeroed(&heap_env, 2 * chains.n, sizeof(*tree->nodes));
		tree->costs =
			heap_zeroed(&heap_env, 2 * chains.n, tree->width * sizeof(*tree->costs));
		fine = tree->nodes && tree->costs && prune(tree, &chains, share);
	}
	release_chains(&chains);
	return fine ? PROFILE_OK : PROFILE_NO_MEMORY;
}

void reporttree_release(struct reporttree *tree)
{
	heap_env.release(heap_env.ctx, tree->nodes);
	heap_env.release(heap_env.ctx, tree->costs);
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

void reporttree_write(const struct reporttree *tree, struct json *json)
{
	uint64_t last = 0;

	if (!tree->rows) {
		json_null(json, "tree");
		return;
	}
	json_object(json, "tree", true);
	json_bool(json, "exact", true);
	write_events(tree, SIDE_MAIN, json);
	json_array(json, "d_parent", true);
	for (size_t i = 0; i < tree->n; i++) {
		json_cost(json, NULL, tree->nodes[i].parent - last, true);
		last = tree->nodes[i].parent;
	}
	json_close(json);
	json_array(json, "function", true);
	for (size_t i = 0; i < tree->n; i++)
		json_cost(json, NULL, (uint64_t)(tree->nodes[i].row < 0 ? -1 : tree->nodes[i].row),
			  true);
	json_close(json);
	json_array(json, "costs", true);
	for (size_t e = 0; e < tree->n_events; e++) {
		json_array(json, NULL, true);
		for (size_t i = 0; i < tree->n; i++)
			json_count(json, NULL, tree->costs[i * tree->width + e]);
		json_close(json);
	}
	json_close(json);
	json_close(json);
}

/* Whether differences can be shown. */
static bool is_small(const struct reporttree *tree)
{
	for (size_t i = 0; i < tree->n * tree->width; i++)
		if (tree->costs[i] >> 52 != 0)
			return false;
	return true;
}

static uint64_t other_cost(const struct reporttree *tree, size_t i, size_t e, bool is_related)
{
	const uint64_t *costs = &tree->costs[i * tree->width];

	return costs[tree->n_events + e] - (is_related ? costs[e] : 0);
}

void reporttree_write_other(const struct reporttree *tree, bool is_related, struct json *json)
{
	if (!tree->rows || !tree->trees[SIDE_OTHER]) {
		json_null(json, "tree");
		return;
	}
	is_related = is_related && is_small(tree);
	json_object(json, "tree", true);
	write_events(tree, SIDE_OTHER, json);
	json_array(json, is_related ? "p_costs" : "costs", true);
	for (size_t e = 0; e < tree->n_events; e++) {
		size_t i = 0;

		while (i < tree->n && other_cost(tree, i, e, is_related) == 0)
			i++;
		if (i == tree->n) {
			json_count(json, NULL, 0);
			continue;
		}
		json_array(json, NULL, true);
		for (i = 0; i < tree->n; i++)
			json_cost(json, NULL, other_cost(tree, i, e, is_related), is_related);
		json_close(json);
	}
	json_close(json);
	json_close(json);
}
