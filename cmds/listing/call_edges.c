/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/listing/call_edges.h"

#include <string.h>

#include "profile/common/heap.h"

/* Of the caller at work: the edge with each callee. */
struct collecting {
	struct call_edge_list *list;
	const struct model *model;
	const uint32_t *wanted;
	enum listing_tree tree;
	struct arena *arena;
	size_t *slots; /* by callee: its edge, if that is >= first */
};

static bool is_wanted(const struct collecting *collecting, uint32_t caller, uint32_t callee)
{
	return ((collecting->tree & TREE_CALLEES) && collecting->wanted[caller]) ||
	       ((collecting->tree & TREE_CALLERS) && collecting->wanted[callee]);
}

static struct call_edge *edge_with(struct collecting *collecting, uint32_t caller, size_t first,
				   uint32_t callee)
{
	struct call_edge_list *list = collecting->list;
	const struct model *model = collecting->model;
	size_t slot = collecting->slots[callee];
	uint64_t *row;

	if (slot >= first && slot < list->n && list->all[slot].callee == callee)
		return &list->all[slot];
	if (!heap_reserve(model->env, (void **)&list->all, &list->capacity, list->n + 1,
			  sizeof(*list->all)))
		return NULL;
	row = row_new(collecting->arena, model->n_events);
	if (!row)
		return NULL;
	collecting->slots[callee] = list->n;
	list->all[list->n] = (struct call_edge){ caller, callee, 0, row };
	return &list->all[list->n++];
}

static int collect_calls(struct collecting *collecting, uint32_t caller)
{
	const struct model *model = collecting->model;
	size_t first = collecting->list->n;
	struct model_cursor cursor;
	struct model_call call;

	model_calls(model, caller, 0, &cursor);
	while (model_next_call(&cursor, &call)) {
		struct call_edge *edge;

		if (!is_wanted(collecting, caller, call.callee))
			continue;
		edge = edge_with(collecting, caller, first, call.callee);
		if (!edge)
			return PROFILE_NO_MEMORY;
		if (!cost_add(&edge->count, call.count, model->is_signed))
			return PROFILE_RANGE;
		row_add_nested(edge->costs, call.costs, model->n_events, model->is_signed);
	}
	return PROFILE_OK;
}

/* Where the edges of each caller begin, and those of each callee. */
static bool index_both(struct call_edge_list *list, const struct model *model)
{
	size_t n = model->n_functions;
	size_t *next;

	list->first_by_caller = heap_zeroed(model->env, n + 1, sizeof(size_t));
	list->first_by_callee = heap_zeroed(model->env, n + 1, sizeof(size_t));
	list->by_callee = heap_zeroed(model->env, list->n, sizeof(uint32_t));
	next = heap_zeroed(model->env, n + 1, sizeof(size_t));
	if (!list->first_by_caller || !list->first_by_callee || !list->by_callee || !next) {
		model->env->release(model->env->ctx, next);
		return false;
	}
	for (size_t i = 0; i < list->n; i++) {
		list->first_by_caller[list->all[i].caller + 1]++;
		list->first_by_callee[list->all[i].callee + 1]++;
	}
	for (size_t i = 0; i < n; i++) {
		list->first_by_caller[i + 1] += list->first_by_caller[i];
		list->first_by_callee[i + 1] += list->first_by_callee[i];
	}
	memcpy(next, list->first_by_callee, (n + 1) * sizeof(size_t));
	for (size_t i = 0; i < list->n; i++)
		list->by_callee[next[list->all[i].callee]++] = (uint32_t)i;
	model->env->release(model->env->ctx, next);
	return true;
}

int call_edges_collect(struct call_edge_list *list, const struct model *model,
		       const uint32_t *wanted, enum listing_tree tree, struct arena *arena)
{
	struct collecting collecting = {
		.list = list,
		.model = model,
		.wanted = wanted,
		.tree = tree,
		.arena = arena,
		.slots = heap_zeroed(model->env, model->n_functions, sizeof(size_t)),
	};
	int status = collecting.slots ? PROFILE_OK : PROFILE_NO_MEMORY;

	*list = (struct call_edge_list){ .n = 0 };
	for (size_t i = 0; !status && i < model->n_functions; i++)
		status = collect_calls(&collecting, (uint32_t)i);
	if (!status && !index_both(list, model))
		status = PROFILE_NO_MEMORY;
	model->env->release(model->env->ctx, collecting.slots);
	return status;
}

void call_edges_release(struct call_edge_list *list, const struct env *env)
{
	env->release(env->ctx, list->all);
	env->release(env->ctx, list->by_callee);
	env->release(env->ctx, list->first_by_caller);
	env->release(env->ctx, list->first_by_callee);
	*list = (struct call_edge_list){ .n = 0 };
}

bool call_edges_of(const struct call_edge_list *list, uint32_t function, bool callers,
		   struct listing_link **links, size_t *n, struct arena *arena)
{
	const size_t *firsts = callers ? list->first_by_callee : list->first_by_caller;
	size_t first = firsts[function];

	*n = firsts[function + 1] - first;
	*links = NULL;
	if (*n == 0)
		return true;
	*links = arena_alloc(arena, *n * sizeof(**links), 8);
	if (!*links)
		return false;
	for (size_t i = 0; i < *n; i++) {
		const struct call_edge *edge =
			&list->all[callers ? list->by_callee[first + i] : first + i];

		(*links)[i] = (struct listing_link){
			.function = callers ? edge->caller : edge->callee,
			.count = edge->count,
			.costs = edge->costs,
		};
	}
	return true;
}
