/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/roofline/roofs.h"

#include <stdlib.h>
#include <string.h>

#include "sim/machines/machinecosts.h"
#include "sim/machines/presets.h"

void roofs_init(struct roofs *roofs)
{
	memset(roofs, 0, sizeof(*roofs));
}

/* A line in the cycles between two of them. */
static double memory_of(const struct machinefile *machine)
{
	const struct machinefile_item *line = machinefile_find(machine, MACHINE_LINE);
	struct machinecosts costs;
	uint32_t cycles;

	machinecosts_read(&costs, machine);
	cycles = (costs.said & 1U << COST_TRANSFER) != 0 ? costs.cycles[COST_TRANSFER]
							 : costs.cycles[COST_STREAM];
	return line == NULL || costs.core == NULL || cycles == 0
		       ? 0
		       : (double)line->values[LINE_BYTES] / cycles;
}

void roofs_of(struct roofs *roofs, const struct machinefile *machine)
{
	roofs_init(roofs);
	memcpy(roofs->machine, machine->name, sizeof(roofs->machine));
	roofs->bytes[TRAFFIC_MEMORY] = memory_of(machine);
	for (size_t i = 0; i < machine->n_items; i++) {
		const struct machinefile_item *item = &machine->items[i];
		const double most = (double)item->values[ROOF_AMOUNT];

		if (item->kind != MACHINE_ROOF)
			continue;
		if (item->values[ROOF_OF] == ROOF_SINGLE)
			roofs->peak[TRAFFIC_SINGLE] = most;
		else if (item->values[ROOF_OF] == ROOF_DOUBLE)
			roofs->peak[TRAFFIC_DOUBLE] = most;
		else
			roofs->bytes[TRAFFIC_L1 + (item->values[ROOF_OF] - ROOF_L1D)] = most;
	}
	/* x87 adds one a cycle on all of them. */
	roofs->peak[TRAFFIC_X87] = roofs->peak[TRAFFIC_DOUBLE] > 0 ? 1 : 0;
}

/* The built-in machine that a profile was made for; NULL if it says none, or another one. */
static const struct machine_preset *machine_of(const struct model *model)
{
	char name[MACHINEFILE_NAME_SIZE];

	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			const size_t len = strcspn(part->descs[j].value, ",");

			if (strcmp(part->descs[j].type, "Machine") != 0 || len >= sizeof(name))
				continue;
			memcpy(name, part->descs[j].value, len);
			name[len] = '\0';
			return machine_preset_find(name);
		}
	}
	return NULL;
}

bool roofs_of_profile(struct roofs *roofs, const struct model *model)
{
	const struct machine_preset *preset = machine_of(model);
	struct machinefile_error error;
	struct machinefile *machine;

	roofs_init(roofs);
	if (!preset)
		return true;
	machine = calloc(1, sizeof(*machine));
	if (machine && machinefile_parse(machine, preset->text, preset->len, &error))
		roofs_of(roofs, machine);
	free(machine);
	return machine != NULL;
}

double roofs_attainable(const struct roofs *roofs, const struct traffic *traffic,
			const struct traffic_row *row, int *bound)
{
	double most = 0;
	bool knows_peak = true;

	*bound = BOUND_BY_NOTHING;
	for (size_t i = 0; i < N_TRAFFIC_KINDS; i++) {
		if (row->operations[i] != 0 && roofs->peak[i] <= 0)
			knows_peak = false;
		else if (row->operations[i] != 0)
			most += (double)row->operations[i] / roofs->peak[i];
	}
	if (!knows_peak)
		most = 0;
	if (most > 0)
		*bound = BOUND_BY_OPERATIONS;
	for (int place = TRAFFIC_L1; place < N_TRAFFIC_PLACES; place++) {
		double cycles;

		if (!traffic->has[place] || roofs->bytes[place] <= 0)
			continue;
		cycles = (double)row->bytes[place] / roofs->bytes[place];
		if (cycles > most) {
			most = cycles;
			*bound = BOUND_BY_PLACE + place;
		}
	}
	return most > 0 ? (double)row->all / most : 0;
}
