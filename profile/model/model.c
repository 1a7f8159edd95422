/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model's beginning and end, its names and its sums. */
#include "profile/model/model.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "profile/common/heap.h"

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
		free(model->shown[kind]);
	free(model->functions);
	free(model->function_slots);
	free(model->derived);
	free(model->parts);
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

/*
 * The build-id that a desc line "<build-id> <path>" (docs/FORMAT.md) says of an object, *len
 * digits; NULL if it says none of this one.
 */
static const char *said_build(const struct part_desc *desc, const char *object, size_t *len)
{
	const char *path = strchr(desc->value, ' ');

	if (strcmp(desc->type, "Build-id") != 0 && strcmp(desc->type, "Program") != 0)
		return NULL;
	if (!path || strcmp(path + 1, object) != 0 || strncmp(desc->value, "none ", 5) == 0)
		return NULL;
	*len = (size_t)(path - desc->value);
	return desc->value;
}

bool model_has_build(const struct model *model, const char *object, const char *build)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			size_t len;
			const char *said = said_build(&part->descs[j], object, &len);

			if (said && (strlen(build) != len || memcmp(build, said, len) != 0))
				return false;
		}
	}
	return true;
}

bool model_build(const struct model *model, const char *object, char build[MODEL_BUILD])
{
	build[0] = '\0';
	for (size_t i = 0; i < model->n_parts && build[0] == '\0'; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs && build[0] == '\0'; j++) {
			size_t len;
			const char *said = said_build(&part->descs[j], object, &len);

			if (!said || len >= MODEL_BUILD)
				continue;
			memcpy(build, said, len);
			build[len] = '\0';
		}
	}
	return build[0] != '\0' && model_has_build(model, object, build);
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

__extension__ typedef __int128 wide;

/* What a part cost: as it was said, or what its costs add up to. */
static const uint64_t *cost_of_part(const struct model_part *part, bool as_said)
{
	if (as_said && part->summary)
		return part->summary;
	return as_said && part->totals ? part->totals : part->sums;
}

/* Sums over parts; on the way they may well be beyond 64 bits, if some are below 0. */
static bool sum_parts(const struct model *model, bool as_said, uint64_t *sums)
{
	wide least = model->is_signed ? INT64_MIN : 0;
	wide most = model->is_signed ? INT64_MAX : (wide)UINT64_MAX;

	for (size_t event = 0; event < model->n_events; event++) {
		wide sum = 0;

		for (size_t i = 0; i < model->n_parts; i++) {
			const struct model_part *part = &model->parts[i];
			uint64_t cost = event < part->n ? cost_of_part(part, as_said)[event] : 0;

			sum += model->is_signed ? (wide)(int64_t)cost : (wide)cost;
		}
		if (sum < least || sum > most)
			return false;
		sums[event] = (uint64_t)sum;
	}
	return true;
}

bool model_totals(const struct model *model, uint64_t *totals)
{
	return sum_parts(model, false, totals);
}

void model_note_totals(const struct model *model, size_t first, struct reader_report *report)
{
	struct trait_note *note = &report->traits[TRAIT_WRONG_TOTALS];

	for (size_t i = first; i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];

		if (!part->totals ||
		    memcmp(part->totals, part->sums, part->n * sizeof(*part->sums)) == 0)
			continue;
		if (note->count++ == 0)
			note->line = part->header.totals_line;
	}
}

bool model_summary(const struct model *model, uint64_t *summary)
{
	return sum_parts(model, true, summary);
}

/* -- functions ----------------------------------------------------------------- */

/* Open addressing with linear probing, as in dictionary.c. */

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

static void add_slots(struct model *model)
{
	size_t n_slots = model->n_function_slots ? 2 * model->n_function_slots : 64;
	uint32_t *slots = heap_alloc(n_slots * sizeof(*slots));

	memset(slots, 0xff, n_slots * sizeof(*slots));
	for (size_t i = 0; i < model->n_functions; i++)
		slots[find_slot(model, slots, n_slots, &model->functions[i])] = (uint32_t)i;
	free(model->function_slots);
	model->function_slots = slots;
	model->n_function_slots = n_slots;
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

uint32_t model_intern_function(struct model *model, uint32_t object, uint32_t file, uint32_t name)
{
	const struct model_function wanted = { .object = object, .file = file, .name = name };
	uint32_t found = model_find_function(model, object, file, name);

	if (found != MODEL_NO_FUNCTION)
		return found;
	if (model->n_functions + 1 >= MODEL_NO_FUNCTION)
		heap_exhausted(); /* numbers have 32 bits */
	if (4 * (model->n_functions + 1) > 3 * model->n_function_slots)
		add_slots(model);
	model->functions = heap_grow(model->functions, &model->functions_capacity,
				     model->n_functions + 1, sizeof(*model->functions));
	model->function_slots[find_slot(model, model->function_slots, model->n_function_slots,
					&wanted)] = (uint32_t)model->n_functions;
	model->functions[model->n_functions] = wanted;
	return (uint32_t)model->n_functions++;
}
