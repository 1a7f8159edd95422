/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing with linear probing, as in dictionary.c. */
#include "profile/model/functions.h"

#include <string.h>

#include "profile/common/heap.h"

static size_t find_slot(const struct model *model, const uint32_t *slots, size_t n_slots,
			const struct model_function *wanted)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t hash = (wanted->name * odd) ^ ((uint64_t)wanted->file << 32 | wanted->object);
	size_t i;

	hash = (hash ^ hash >> 31) * odd;
	for (i = (hash >> 32) & (n_slots - 1); slots[i] != MODEL_NO_FUNCTION;
	     i = (i + 1) & (n_slots - 1)) {
		const struct model_function *function = &model->functions[slots[i]];

		if (function->name == wanted->name && function->file == wanted->file &&
		    function->object == wanted->object)
			break;
	}
	return i;
}

static bool add_slots(struct model *model)
{
	size_t n_slots = model->n_function_slots ? 2 * model->n_function_slots : 64;
	uint32_t *slots = model->env->alloc(model->env->ctx, n_slots * sizeof(*slots));

	if (!slots)
		return false;
	memset(slots, 0xff, n_slots * sizeof(*slots));
	for (size_t i = 0; i < model->n_functions; i++)
		slots[find_slot(model, slots, n_slots, &model->functions[i])] = (uint32_t)i;
	model->env->release(model->env->ctx, model->function_slots);
	model->function_slots = slots;
	model->n_function_slots = n_slots;
	return true;
}

uint32_t model_find_function(const struct model *model, uint32_t object, uint32_t file,
			     uint32_t name)
{
	const struct model_function wanted = { .object = object, .file = file, .name = name };

	if (model->n_function_slots == 0)
		return MODEL_NO_FUNCTION;
	return model->function_slots[find_slot(model, model->function_slots,
					       model->n_function_slots, &wanted)];
}

uint32_t functions_intern(struct model *model, uint32_t object, uint32_t file, uint32_t name)
{
	const struct model_function wanted = { .object = object, .file = file, .name = name };
	uint32_t found = model_find_function(model, object, file, name);
	void *functions = model->functions;

	if (found != MODEL_NO_FUNCTION)
		return found;
	if (model->n_functions + 1 >= MODEL_NO_FUNCTION)
		return MODEL_NO_FUNCTION;
	if (4 * (model->n_functions + 1) > 3 * model->n_function_slots && !add_slots(model))
		return MODEL_NO_FUNCTION;
	if (!heap_reserve(model->env, &functions, &model->functions_capacity,
			  model->n_functions + 1, sizeof(*model->functions)))
		return MODEL_NO_FUNCTION;
	model->functions = functions;
	model->function_slots[find_slot(model, model->function_slots, model->n_function_slots,
					&wanted)] = (uint32_t)model->n_functions;
	model->functions[model->n_functions] = wanted;
	return (uint32_t)model->n_functions++;
}
