/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/analysis/mostly.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/desc.h"
#include "writer/shared/events.h"

static const char *const part_names[] = {
#define NAME(id, name, term, word) name,
	CYCLE_PARTS(NAME)
#undef NAME
};

_Static_assert(sizeof(part_names) / sizeof(part_names[0]) == MOSTLY_PARTS, "MOSTLY_PARTS");

/* The cycles of a level by "Core: ...; cycles of L1D 4, L2 14, L3 56 (assumed), memory 560"; `otherwise` if not said. */
static uint64_t cycles_of(const struct model *model, const char *level, uint64_t otherwise)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const char *core = part_desc_of(&model->parts[i].header, "Core");
		const char *at = core ? strstr(core, "cycles of ") : NULL;
		size_t len = strlen(level);

		for (at = at ? strstr(at, level) : NULL; at; at = strstr(at + 1, level)) {
			uint64_t cycles;

			if (at[-1] != ' ' || at[len] != ' ')
				continue;
			cycles = strtoull(at + len, NULL, 10);
			if (cycles > 0 && cycles < 1000000)
				return cycles;
		}
	}
	return otherwise;
}

enum { READS, WRITES, WRITE_PARTS = 4 };

/* What a level was asked for, and what that missed there: the events of reads and writes that are next. */
static void add_level(struct mostly *mostly, const struct model *model, const char *word,
		      const char *reads, const char *writes, uint64_t otherwise)
{
	const bool is_memory = reads == NULL;
	const char *name = is_memory ? "memory" : word;
	const size_t i = mostly->n_levels++;

	for (int k = READS; k <= WRITES; k++) {
		const char *event = k == READS ? reads : writes;

		mostly->levels[i].asked[k] =
			i == 0 ? model_event(model, k == READS ? "D1mr" : "D1mw")
			       : mostly->levels[i - 1].missed[k];
		mostly->levels[i].missed[k] = is_memory ? model->n_events
							: model_event(model, event);
	}
	mostly->levels[i].word = word;
	mostly->levels[i].cycles = cycles_of(model, name, otherwise);
}

bool mostly_init(struct mostly *mostly, const struct model *model)
{
	const size_t n = model->n_events;
	const bool has_l2 = model_event(model, "L2dr") < n;
	const bool has_l3 = model_event(model, "L3dr") < n;

	*mostly = (struct mostly){
		.instructions = model_event(model, "Ir"),
		.rounds = model_event(model, "Rep"),
		.n_events = n,
	};
	for (size_t i = 0; i < MOSTLY_PARTS; i++) {
		size_t event = model_event(model, part_names[i]);

		if (event == n)
			continue;
		mostly->parts[mostly->n] = cycle_part_find(part_names[i]);
		mostly->events[mostly->n++] = event;
	}
	if (model_event(model, "D1mr") == n || model_event(model, "DLmr") == n)
		return mostly->n > 0;
	if (has_l2)
		add_level(mostly, model, "L2", "L2dr", "L2dw", 14);
	if (has_l3)
		add_level(mostly, model, "L3", "L3dr", "L3dw", 50);
	add_level(mostly, model, has_l3 ? "L4" : has_l2 ? "L3" : "LL", "DLmr", "DLmw", 50);
	add_level(mostly, model, "DRAM", NULL, NULL, 300);
	return mostly->n > 0;
}

/* The dearest of the first n levels. */
static const char *dearest_level(const struct mostly *mostly, const uint64_t *costs, size_t n)
{
	const char *word = NULL;
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		double served = 0, cost;

		for (int k = READS; k <= WRITES; k++) {
			const size_t asking = mostly->levels[i].asked[k];
			const size_t missing = mostly->levels[i].missed[k];
			uint64_t asked = asking < mostly->n_events ? costs[asking] : 0;
			uint64_t left = missing < mostly->n_events ? costs[missing] : 0;

			if (left < asked)
				served += (double)(asked - left) / (k == READS ? 1 : WRITE_PARTS);
		}
		cost = served * (double)mostly->levels[i].cycles;
		if (cost > most) {
			most = cost;
			word = mostly->levels[i].word;
		}
	}
	return word;
}

const char *mostly_level(const struct mostly *mostly, const uint64_t *costs)
{
	return dearest_level(mostly, costs, mostly->n_levels);
}

const char *mostly_cache(const struct mostly *mostly, const uint64_t *costs)
{
	return dearest_level(mostly, costs, mostly->n_levels > 0 ? mostly->n_levels - 1 : 0);
}

/* Executing an instruction takes a fraction of a cycle, and so does a round: 4 of these are more. */
bool mostly_is_string(const struct mostly *mostly, const uint64_t *costs)
{
	return mostly->rounds < mostly->n_events && mostly->instructions < mostly->n_events &&
	       costs[mostly->rounds] / 4 > costs[mostly->instructions];
}

const char *mostly_word(const struct mostly *mostly, const uint64_t *costs)
{
	size_t order[MOSTLY_PARTS];
	const struct cycle_part *part;
	const char *level;

	if (mostly_order(mostly, costs, order) == 0)
		return "";
	part = mostly->parts[order[0]];
	if (strcmp(part->name, "CyBase") == 0 && mostly_is_string(mostly, costs))
		return "string ops";
	level = strcmp(part->name, "CyMem") == 0 ? mostly_level(mostly, costs) : NULL;
	return level ? level : part->word;
}

size_t mostly_order(const struct mostly *mostly, const uint64_t *costs, size_t *order)
{
	size_t n = 0;

	for (size_t i = 0; i < mostly->n; i++) {
		uint64_t cost = costs[mostly->events[i]];
		size_t at = n;

		if (cost == 0)
			continue;
		for (; at > 0 && costs[mostly->events[order[at - 1]]] < cost; at--)
			order[at] = order[at - 1];
		order[at] = i;
		n++;
	}
	return n;
}
