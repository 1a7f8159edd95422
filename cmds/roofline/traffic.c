/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations and bytes of functions, and a machine's limits for both. */
#include "cmds/roofline/roofline.h"

#include <stdlib.h>
#include <string.h>

#include "profile/analysis/inclusive.h"
#include "profile/common/desc.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"
#include "sim/machines/machinecosts.h"
#include "sim/machines/machinefile.h"

enum {
	USUAL_LINE = 64, /* bytes */
	NOT_KNOWN = 0,   /* number of a name */
	N_CYCLES = 6,
};

static const char *const operations[N_TRAFFIC_KINDS] = { "FlS", "FlD", "FlX" };

/* The misses of each level, of reads and of writes. */
static const char *const misses[][2] = {
	{ "D1mr", "D1mw" }, { "L2dr", "L2dw" }, { "L3dr", "L3dw" }, { "DLmr", "DLmw" }
};

static bool has_event(const struct model *model, const char *name)
{
	return model_event(model, name) < model->n_events;
}

static uint64_t count(const struct model *model, const uint64_t *costs, const char *name)
{
	const size_t event = model_event(model, name);

	return event < model->n_events ? costs[event] : 0;
}

const char *traffic_lacks(const struct model *model)
{
	if (!has_event(model, "FlS") || !has_event(model, "FlD"))
		return "floating-point operations (events FlS FlD FlX), found none: they are recorded with "
		       "--collect-flops=yes";
	if (!has_event(model, "BytR") && !has_event(model, "D1mr"))
		return "bytes (events BytR BytW) or misses, found none: they are recorded with "
		       "--collect-bytes=yes and --cache-sim=yes";
	return NULL;
}

/* By "desc: LL cache: 32768 B, 64 B, 8-way associative". */
static uint64_t line_of(const struct model *model)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			const struct part_desc *desc = &part->descs[j];
			const char *at = strcmp(desc->type, "LL cache") == 0
						 ? strstr(desc->value, " B, ")
						 : NULL;
			unsigned long long line = at ? strtoull(at + strlen(" B, "), NULL, 10) : 0;

			if (line >= 1 && line <= 65536)
				return line;
		}
	}
	return USUAL_LINE;
}

/* Finds which places there are; from[i] is where the lines come from that row i of misses counts. */
static void find_places(struct traffic *traffic, const struct model *model,
			enum traffic_place from[4])
{
	const bool has_l2 = has_event(model, "L2dr"), has_l3 = has_event(model, "L3dr");

	traffic->has[TRAFFIC_L1] = has_event(model, "BytR") && has_event(model, "BytW");
	traffic->last = has_l2 ? "L3" : "LL";
	from[0] = has_l2 ? TRAFFIC_L2 : TRAFFIC_L3;
	from[1] = TRAFFIC_L3;
	from[2] = TRAFFIC_L4;
	from[3] = TRAFFIC_MEMORY;
	for (size_t i = 0; i < 4; i++)
		if (has_event(model, misses[i][0]))
			traffic->has[from[i]] = true;
	if (has_l3)
		traffic->has[TRAFFIC_L4] = true;
}

static void fill(const struct traffic *traffic, const struct model *model,
		 const enum traffic_place from[4], const uint64_t *costs, struct traffic_row *row)
{
	static const char *const cycles[N_CYCLES] = { "CyBase", "CyDep", "CyFe",
						      "CyBr",   "CyMem", "CyTlb" };

	for (size_t i = 0; i < N_TRAFFIC_KINDS; i++) {
		row->operations[i] = count(model, costs, operations[i]);
		row->all += row->operations[i];
	}
	row->bytes[TRAFFIC_L1] = (int128)count(model, costs, "BytR") + count(model, costs, "BytW");
	for (size_t i = 0; i < 4; i++)
		row->bytes[from[i]] += ((int128)count(model, costs, misses[i][0]) +
					count(model, costs, misses[i][1])) *
				       traffic->line;
	row->bytes[TRAFFIC_MEMORY] += (int128)count(model, costs, "Wb") * traffic->line;
	for (size_t i = 0; i < N_CYCLES; i++)
		row->cycles += count(model, costs, cycles[i]);
}

/* Most operations first; else by name. */
static int compare_rows(const void *a, const void *b)
{
	const struct traffic_row *left = a, *right = b;
	int order;

	if (left->all != right->all)
		return left->all > right->all ? -1 : 1;
	order = strcmp(left->name, right->name);
	return order != 0 ? order
			  : strcmp(left->file ? left->file : "", right->file ? right->file : "");
}

static const char *copy_name(const struct model *model, enum name_kind kind, uint32_t number,
			     struct arena *arena)
{
	const struct name name = model_name(model, kind, number);

	return arena_copy(arena, name.text, name.len);
}

static int add_rows(struct traffic *traffic, const struct model *model,
		    const enum traffic_place from[4], struct arena *arena)
{
	uint64_t sums[PROFILE_MAX_EVENTS] = { 0 };

	traffic->rows = arena_alloc(arena, (model->n_functions + 1) * sizeof(*traffic->rows),
				    _Alignof(struct traffic_row));
	for (uint32_t i = 0; i < model->n_functions; i++) {
		const struct model_function *function = &model->functions[i];
		struct traffic_row *row = &traffic->rows[traffic->n];
		uint64_t self[PROFILE_MAX_EVENTS];

		model_self(model, i, 0, self);
		if (!row_add(sums, self, model->n_events, false))
			return PROFILE_RANGE;
		*row = (struct traffic_row){ .function = i };
		fill(traffic, model, from, self, row);
		if (row->all == 0)
			continue;
		row->name = copy_name(model, NAME_FUNCTION, function->name, arena);
		if (function->file != NOT_KNOWN)
			row->file = copy_name(model, NAME_FILE, function->file, arena);
		traffic->n++;
	}
	fill(traffic, model, from, sums, &traffic->total);
	qsort(traffic->rows, traffic->n, sizeof(*traffic->rows), compare_rows);
	return PROFILE_OK;
}

int traffic_find(struct traffic *traffic, const struct model *model, struct arena *arena)
{
	enum traffic_place from[4];

	*traffic = (struct traffic){ .line = line_of(model) };
	find_places(traffic, model, from);
	traffic->has_cycles = has_event(model, "CyBase");
	traffic->has_prefetches = has_event(model, "Pf");
	return add_rows(traffic, model, from, arena);
}

const char *traffic_place_name(const struct traffic *traffic, enum traffic_place place)
{
	static const char *const names[N_TRAFFIC_PLACES] = { "L1", "L2", "L3", "L4", "memory" };

	return place == TRAFFIC_L3 ? traffic->last : names[place];
}

double traffic_intensity(const struct traffic *traffic, const struct traffic_row *row,
			 enum traffic_place place)
{
	if (!traffic->has[place] || row->bytes[place] == 0)
		return -1;
	return (double)row->all / (double)row->bytes[place];
}

double traffic_rate(const struct traffic *traffic, const struct traffic_row *row)
{
	if (!traffic->has_cycles || row->cycles == 0)
		return -1;
	return 10.0 * (double)row->all / (double)row->cycles;
}

/* -- roofs ---------------------------------------------------------------------------------------- */

/* Bytes a cycle from memory: a line in the cycles from one line to the next. */
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
	memset(roofs, 0, sizeof(*roofs));
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

void roofs_of_profile(struct roofs *roofs, const struct model *model)
{
	const struct embedded_text *preset = NULL;
	struct machinefile_error error;
	struct machinefile *machine;

	memset(roofs, 0, sizeof(*roofs));
	for (size_t i = 0; i < model->n_parts; i++) {
		const char *said = part_desc_of(&model->parts[i].header, "Machine");
		const size_t len = said ? strcspn(said, ",") : 0;
		char *name;

		if (!said || len >= MACHINEFILE_NAME_SIZE)
			continue;
		name = heap_copy_part(said, len);
		preset = machine_preset_find(name);
		free(name);
		break;
	}
	if (!preset)
		return;
	machine = heap_alloc(sizeof(*machine));
	if (machinefile_parse(machine, preset->text, preset->len, &error))
		roofs_of(roofs, machine);
	free(machine);
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
