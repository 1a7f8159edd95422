/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model's beginning and end, its names and its sums. */
#include "profile/model.h"

#include <string.h>

#include "profile/events.h"
#include "profile/heap.h"

bool model_init(struct model *model, const struct env *env)
{
	*model = (struct model){ .env = env };
	arena_init(&model->arena, env);
	return reader_dictionaries_init(model->names, env);
}

void model_release(struct model *model)
{
	const struct env *env = model->env;

	for (int kind = 0; kind < N_NAME_KINDS; kind++)
		env->release(env->ctx, model->shown[kind]);
	env->release(env->ctx, model->functions);
	env->release(env->ctx, model->function_slots);
	env->release(env->ctx, model->derived);
	env->release(env->ctx, model->parts);
	reader_dictionaries_release(model->names);
	arena_release(&model->arena);
	*model = (struct model){ .env = env };
}

size_t model_bytes(const struct model *model)
{
	size_t bytes = sizeof(*model) + model->arena.bytes;

	for (int kind = 0; kind < N_NAME_KINDS; kind++) {
		const struct dictionary *names = &model->names[kind];

		bytes += names->texts.bytes + names->capacity * sizeof(*names->entries) +
			 names->n_slots * sizeof(*names->slots) +
			 model->n_shown[kind] * sizeof(*model->shown[kind]);
	}
	return bytes + model->functions_capacity * sizeof(*model->functions) +
	       model->n_function_slots * sizeof(*model->function_slots) +
	       model->derived_capacity * sizeof(*model->derived) +
	       model->parts_capacity * sizeof(*model->parts);
}

struct name model_name(const struct model *model, enum name_kind kind, uint32_t number)
{
	uint32_t key = number;
	struct name name;

	if (number < model->n_shown[kind] && model->shown[kind][number] != DICTIONARY_NONE)
		key = model->shown[kind][number];
	name = dictionary_name(&model->names[kind], key);
	name.key = number;
	return name;
}

int model_compare_names(const struct model *model, enum name_kind kind, uint32_t a, uint32_t b)
{
	struct name of_a, of_b;

	if (a == b)
		return 0;
	of_a = model_name(model, kind, a);
	of_b = model_name(model, kind, b);
	return dictionary_compare(&of_a, &of_b);
}

size_t model_event(const struct model *model, const char *name)
{
	size_t i = 0;

	while (i < model->n_events && strcmp(model->events[i].name, name) != 0)
		i++;
	if (i < model->n_events)
		return i;
	for (i = 0; i < model->n_events; i++)
		if (strcmp(event_name(model->events[i].name), event_name(name)) == 0)
			break;
	return i;
}

static bool add_sums(const struct model *model, uint64_t *sums, const uint64_t *added, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!cost_add(&sums[i], added[i], model->is_signed))
			return false;
	return true;
}

bool model_totals(const struct model *model, uint64_t *totals)
{
	memset(totals, 0, model->n_events * sizeof(*totals));
	for (size_t i = 0; i < model->n_parts; i++)
		if (!add_sums(model, totals, model->parts[i].sums, model->parts[i].n))
			return false;
	return true;
}

bool model_summary(const struct model *model, uint64_t *summary)
{
	memset(summary, 0, model->n_events * sizeof(*summary));
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];
		const uint64_t *said = part->summary ? part->summary : part->totals;

		if (!add_sums(model, summary, said ? said : part->sums, part->n))
			return false;
	}
	return true;
}
