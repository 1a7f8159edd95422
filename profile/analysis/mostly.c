/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/analysis/mostly.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/desc.h"
#include "writer/shared/events.h"

static const char *const part_names[] = {
#define NAME(name, term, word) name,
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

static void add_level(struct mostly *mostly, const char *word, size_t asked, size_t missed,
		      uint64_t cycles)
{
	mostly->levels[mostly->n_levels].word = word;
	mostly->levels[mostly->n_levels].asked = asked;
	mostly->levels[mostly->n_levels].missed = missed;
	mostly->levels[mostly->n_levels].cycles = cycles;
	mostly->n_levels++;
}

bool mostly_init(struct mostly *mostly, const struct model *model)
{
	const size_t n = model->n_events;
	const size_t l1 = model_event(model, "D1mr"), l2 = model_event(model, "L2dr");
	const size_t l3 = model_event(model, "L3dr"), last = model_event(model, "DLmr");
	size_t asked = l1;

	*mostly = (struct mostly){ .n_events = n };
	for (size_t i = 0; i < MOSTLY_PARTS; i++) {
		size_t event = model_event(model, part_names[i]);

		if (event == n)
			continue;
		mostly->parts[mostly->n] = cycle_part_find(part_names[i]);
		mostly->events[mostly->n++] = event;
	}
	if (l1 == n || last == n)
		return mostly->n > 0;
	if (l2 < n) {
		add_level(mostly, "L2", asked, l2, cycles_of(model, "L2", 14));
		asked = l2;
	}
	if (l3 < n) {
		add_level(mostly, "L3", asked, l3, cycles_of(model, "L3", 50));
		asked = l3;
	}
	add_level(mostly,
		  l3 < n   ? "L4"
		  : l2 < n ? "L3"
			   : "LL",
		  asked, last,
		  cycles_of(model,
			    l3 < n   ? "L4"
			    : l2 < n ? "L3"
				     : "LL",
			    50));
	add_level(mostly, "DRAM", last, n, cycles_of(model, "memory", 300));
	return mostly->n > 0;
}

const char *mostly_level(const struct mostly *mostly, const uint64_t *costs)
{
	const char *word = NULL;
	double most = 0;

	for (size_t i = 0; i < mostly->n_levels; i++) {
		size_t missed = mostly->levels[i].missed;
		uint64_t asked = costs[mostly->levels[i].asked];
		uint64_t left = missed < mostly->n_events ? costs[missed] : 0;
		double cost = left < asked
				      ? (double)(asked - left) * (double)mostly->levels[i].cycles
				      : 0;

		if (cost > most) {
			most = cost;
			word = mostly->levels[i].word;
		}
	}
	return word;
}

const char *mostly_word(const struct mostly *mostly, const uint64_t *costs)
{
	size_t order[MOSTLY_PARTS];
	const struct cycle_part *part;
	const char *level;

	if (mostly_order(mostly, costs, order) == 0)
		return "";
	part = mostly->parts[order[0]];
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
