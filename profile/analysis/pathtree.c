/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/analysis/pathtree.h"

#include <string.h>

#include "profile/common/cost.h"
#include "profile/common/filename.h"
#include "profile/common/heap.h"

void pathtree_init(struct pathtree *tree, const struct model *model, const struct env *env)
{
	*tree = (struct pathtree){ .env = env, .model = model };
}

void pathtree_release(struct pathtree *tree)
{
	tree->env->release(tree->env->ctx, tree->nodes);
	tree->env->release(tree->env->ctx, tree->costs);
	tree->nodes = NULL;
	tree->costs = NULL;
	tree->n = tree->capacity = tree->costs_capacity = 0;
}

uint32_t pathtree_add(struct pathtree *tree, const struct pathtree_node *node)
{
	size_t n_events = tree->model->n_events;

	if (tree->n >= PATHTREE_NONE - 1 ||
	    !heap_reserve(tree->env, (void **)&tree->nodes, &tree->capacity, tree->n + 1,
			  sizeof(*tree->nodes)) ||
	    !heap_reserve(tree->env, (void **)&tree->costs, &tree->costs_capacity,
			  (tree->n + 1) * n_events, sizeof(*tree->costs)))
		return PATHTREE_NONE;
	tree->nodes[tree->n] = *node;
	memset(tree->costs + tree->n * n_events, 0, n_events * sizeof(*tree->costs));
	return (uint32_t)tree->n++;
}

int pathtree_function(const struct model *model, uint32_t object, uint32_t file, uint32_t name,
		      uint32_t *function)
{
	const struct env *env = model->env;
	const struct name spelling = dictionary_name(&model->names[NAME_FILE], file);

	if (filename_is_unclean(spelling.text, spelling.len)) {
		char *clean = env->alloc(env->ctx, spelling.len);

		if (!clean)
			return PROFILE_NO_MEMORY;
		file = dictionary_find(&model->names[NAME_FILE], clean,
				       filename_clean(spelling.text, spelling.len, clean));
		env->release(env->ctx, clean);
	}
	*function = file == DICTIONARY_NONE ? MODEL_NO_FUNCTION
					    : model_find_function(model, object, file, name);
	return PROFILE_OK;
}

int pathtree_shape_init(struct pathtree_shape *shape, const struct pathtree *tree)
{
	const struct env *env = tree->env;

	*shape = (struct pathtree_shape){
		.tree = tree,
		.inclusive = heap_zeroed(env, tree->n, sizeof(*shape->inclusive)),
		.first = heap_zeroed(env, tree->n, sizeof(*shape->first)),
		.next = heap_zeroed(env, tree->n, sizeof(*shape->next)),
		.root = PATHTREE_NONE,
	};
	if (!shape->inclusive || !shape->first || !shape->next)
		return PROFILE_NO_MEMORY;
	for (size_t i = 0; i < tree->n; i++)
		shape->first[i] = PATHTREE_NONE;
	/* From the end, children are ready before their parents, and lists come out in order. */
	for (size_t i = tree->n; i > 0; i--) {
		uint32_t node = (uint32_t)(i - 1), parent = tree->nodes[node].parent;
		uint32_t *list = parent == PATHTREE_NONE ? &shape->root : &shape->first[parent];

		shape->next[node] = *list;
		*list = node;
		if (!cost_add(&shape->inclusive[node], pathtree_costs(tree, node)[0], false) ||
		    (parent != PATHTREE_NONE &&
		     !cost_add(&shape->inclusive[parent], shape->inclusive[node], false)))
			return PROFILE_RANGE;
	}
	return PROFILE_OK;
}

void pathtree_shape_release(struct pathtree_shape *shape)
{
	const struct env *env = shape->tree->env;

	env->release(env->ctx, shape->inclusive);
	env->release(env->ctx, shape->first);
	env->release(env->ctx, shape->next);
}

uint32_t pathtree_shape_next(const struct pathtree_shape *shape, uint32_t node, uint32_t *n_left)
{
	*n_left = 0;
	if (shape->first[node] != PATHTREE_NONE)
		return shape->first[node];
	while (node != PATHTREE_NONE) {
		++*n_left;
		if (shape->next[node] != PATHTREE_NONE)
			return shape->next[node];
		node = shape->tree->nodes[node].parent;
	}
	return PATHTREE_NONE;
}
