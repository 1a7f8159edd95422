/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes are written in a new order of numbers: 0 is a root above all, then those that stay, and behind the
 * children of each node that lost some the one that has their costs.
 */
#include "cmds/reporttree.h"

#include "profile/heap.h"

struct written {
	uint32_t parent; /* of those that are written */
	int64_t row;     /* -1 = none */
	size_t costs;
};

struct pruning {
	const struct pathtree *tree;
	const struct reportrows *rows;
	uint64_t *inclusive;               /* by node: of the event that is judged by */
	uint32_t *numbers;                 /* by node: number of what is written of it */
	uint32_t *rests;                   /* by number: that of the rest below it; 0 = none */
	uint32_t *row_of;                  /* by function of the tree's model */
	size_t events[PROFILE_MAX_EVENTS]; /* of the tree's model, by the report's; n_events = none */
	struct written *written;
	uint64_t *costs;
	size_t n, width;
};

static bool prepare(struct pruning *pruning)
{
	const struct pathtree *tree = pruning->tree;
	const struct reportrows *rows = pruning->rows;
	const struct model *model = rows->sides[SIDE_MAIN].model;
	size_t most = 2 * tree->n + 2; /* each node may have a rest */

	pruning->width = rows->n_events;
	pruning->inclusive = heap_zeroed(&heap_env, tree->n, sizeof(*pruning->inclusive));
	pruning->numbers = heap_zeroed(&heap_env, tree->n, sizeof(*pruning->numbers));
	pruning->rests = heap_zeroed(&heap_env, most, sizeof(*pruning->rests));
	pruning->row_of =
		heap_zeroed(&heap_env, tree->model->n_functions, sizeof(*pruning->row_of));
	pruning->written = heap_zeroed(&heap_env, most, sizeof(*pruning->written));
	pruning->costs = heap_zeroed(&heap_env, most, pruning->width * sizeof(*pruning->costs));
	if (!pruning->inclusive || !pruning->numbers || !pruning->rests || !pruning->row_of ||
	    !pruning->written || !pruning->costs)
		return false;
	for (uint32_t i = 0; i < tree->model->n_functions; i++)
		pruning->row_of[i] = reportrows_find(rows, tree->model, i);
	for (size_t i = 0; i < rows->n_events; i++)
		pruning->events[i] = model_event(
			tree->model, model->events[rows->sides[SIDE_MAIN].events[i]].name);
	for (size_t i = tree->n; i-- > 0;) {
		uint32_t parent = tree->nodes[i].parent;

		pruning->inclusive[i] += pathtree_costs(tree, (uint32_t)i)[0];
		if (parent != PATHTREE_NONE)
			pruning->inclusive[parent] += pruning->inclusive[i];
	}
	return true;
}

static uint32_t new_node(struct pruning *pruning, uint32_t parent, int64_t row)
{
	pruning->written[pruning->n] = (struct written){ parent, row, pruning->n * pruning->width };
	return (uint32_t)pruning->n++;
}

/* Gives each node the number of what is written of it, and that its costs. */
static void prune(struct pruning *pruning, uint64_t least)
{
	const struct pathtree *tree = pruning->tree;

	new_node(pruning, 0, -1);
	for (uint32_t i = 0; i < tree->n; i++) {
		const struct pathtree_node *node = &tree->nodes[i];
		uint32_t above = node->parent == PATHTREE_NONE ? 0 : pruning->numbers[node->parent];
		uint32_t row = node->function == PATHTREE_REST ? MODEL_NO_FUNCTION
							       : pruning->row_of[node->function];
		const uint64_t *costs = pathtree_costs(tree, i);
		uint32_t number;

		if (above != 0 && pruning->written[above].row == -2)
			number = above; /* within a rest */
		else if (pruning->inclusive[i] >= least)
			number = new_node(pruning, above,
					  row == MODEL_NO_FUNCTION ? -1 : (int64_t)row);
		else if (pruning->rests[above] != 0)
			number = pruning->rests[above];
		else
			number = pruning->rests[above] = new_node(pruning, above, -2);
		pruning->numbers[i] = number;
		for (size_t e = 0; e < pruning->width; e++)
			if (pruning->events[e] < tree->model->n_events)
				pruning->costs[pruning->written[number].costs + e] +=
					costs[pruning->events[e]];
	}
}

static void write_pruned(const struct pruning *pruning, struct jsonstream *json)
{
	uint64_t last = 0;

	jsonstream_open(json, "tree", '{');
	jsonstream_word(json, "exact", "true");
	jsonstream_open(json, "events", '[');
	for (size_t e = 0; e < pruning->width; e++)
		if (pruning->events[e] < pruning->tree->model->n_events)
			jsonstream_count(json, NULL, e);
	jsonstream_close(json, ']');
	jsonstream_open(json, "d_parent", '[');
	for (size_t i = 0; i < pruning->n; i++) {
		jsonstream_cost(json, NULL, pruning->written[i].parent - last, true);
		last = pruning->written[i].parent;
	}
	jsonstream_close(json, ']');
	jsonstream_open(json, "function", '[');
	for (size_t i = 0; i < pruning->n; i++)
		jsonstream_cost(json, NULL,
				(uint64_t)(pruning->written[i].row < 0 ? -1
								       : pruning->written[i].row),
				true);
	jsonstream_close(json, ']');
	jsonstream_open(json, "costs", '[');
	for (size_t e = 0; e < pruning->width; e++) {
		jsonstream_open(json, NULL, '[');
		for (size_t i = 0; i < pruning->n; i++)
			jsonstream_count(json, NULL, pruning->costs[i * pruning->width + e]);
		jsonstream_close(json, ']');
	}
	jsonstream_close(json, ']');
	jsonstream_close(json, '}');
}

int reporttree_write(const struct pathtree *tree, const struct reportrows *rows, double share,
		     struct jsonstream *json)
{
	struct pruning pruning = { .tree = tree, .rows = rows };
	int status = prepare(&pruning) ? PROFILE_OK : PROFILE_NO_MEMORY;

	if (!status) {
		uint64_t total = 0;

		for (size_t i = 0; i < tree->n; i++)
			total += pathtree_costs(tree, (uint32_t)i)[0];
		prune(&pruning, (uint64_t)((double)total * share));
		write_pruned(&pruning, json);
	}
	heap_env.release(heap_env.ctx, pruning.inclusive);
	heap_env.release(heap_env.ctx, pruning.numbers);
	heap_env.release(heap_env.ctx, pruning.rests);
	heap_env.release(heap_env.ctx, pruning.row_of);
	heap_env.release(heap_env.ctx, pruning.written);
	heap_env.release(heap_env.ctx, pruning.costs);
	return status;
}
