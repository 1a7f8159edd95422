/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/error.h"
#include "profile/common/heap.h"

/* -- costs by place -------------------------------------------------------------------- */

void reporttable_init(struct reporttable *table, const struct reportrows *rows)
{
	*table = (struct reporttable){ .rows = rows };
}

void reporttable_release(struct reporttable *table)
{
	if (!table->rows)
		return;
	heap_env.release(heap_env.ctx, table->entries);
	heap_env.release(heap_env.ctx, table->costs);
	heap_env.release(heap_env.ctx, table->spare);
}

static size_t width_of(const struct reporttable *table)
{
	return table->rows->n_events * reportrows_sides(table->rows);
}

bool reporttable_add(struct reporttable *table, const struct report_place *place,
		     enum report_side side, uint64_t count, const uint64_t *costs)
{
	const struct reportrows *rows = table->rows;
	const size_t *events = rows->sides[side].events;
	size_t width = width_of(table);
	void *entries = table->entries, *all = table->costs;
	uint64_t *to;

	if (!heap_reserve(&heap_env, &entries, &table->capacity, table->n_all + 1,
			  sizeof(*table->entries)))
		return false;
	table->entries = entries;
	if (!heap_reserve(&heap_env, &all, &table->costs_capacity, table->n_costs + width,
			  sizeof(*table->costs)))
		return false;
	table->costs = all;
	to = table->costs + table->n_costs;
	memset(to, 0, width * sizeof(*to));
	to += side * rows->n_events;
	for (size_t i = 0; i < rows->n_events; i++)
		to[i] = costs[events[i]];
	table->entries[table->n_all] = (struct report_entry){
		.place = *place,
		.costs = table->n_costs,
		.sides = 1u << side,
	};
	table->entries[table->n_all++].counts[side] = count;
	table->n_costs += width;
	return true;
}

static int compare_entries(const void *a, const void *b)
{
	const struct report_place *x = &((const struct report_entry *)a)->place;
	const struct report_place *y = &((const struct report_entry *)b)->place;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Adds a row of costs, and what else an entry has, to those of another entry. */
static bool add_row(const struct reporttable *table, struct report_entry *to, uint64_t *sums,
		    const struct report_entry *entry)
{
	const uint64_t *costs = table->costs + entry->costs;
	const struct reportrows *rows = table->rows;

	to->sides |= entry->sides;
	for (unsigned side = 0; side < reportrows_sides(rows); side++) {
		bool is_signed = rows->sides[side].model->is_signed;

		if (!cost_add(&to->counts[side], entry->counts[side], is_signed))
			return false;
		for (size_t i = 0; i < rows->n_events; i++, sums++, costs++)
			cost_add_nested(sums, *costs, is_signed);
	}
	return true;
}

/* Costs of the entries from n on, in their order and added up, into spare; the entries likewise. */
static int add_up(struct reporttable *table, size_t *n_spare)
{
	size_t width = width_of(table), n = table->n;

	*n_spare = 0;
	for (size_t i = table->n; i < table->n_all; i++) {
		const struct report_entry entry = table->entries[i];

		if (n > table->n && compare_entries(&table->entries[n - 1], &entry) == 0) {
			if (!add_row(table, &table->entries[n - 1], table->spare + *n_spare - width,
				     &entry))
				return PROFILE_RANGE;
			continue;
		}
		memcpy(table->spare + *n_spare, table->costs + entry.costs,
		       width * sizeof(*table->costs));
		table->entries[n] = entry;
		table->entries[n++].costs = table->folded_costs + *n_spare;
		*n_spare += width;
	}
	table->n = table->n_all = n;
	return PROFILE_OK;
}

int reporttable_fold(struct reporttable *table)
{
	size_t n = table->n_all - table->n, n_spare;
	void *spare = table->spare;
	int status;

	if (n == 0)
		return PROFILE_OK;
	qsort(table->entries + table->n, n, sizeof(*table->entries), compare_entries);
	if (!heap_reserve(&heap_env, &spare, &table->spare_capacity,
			  table->n_costs - table->folded_costs, sizeof(*table->spare)))
		return PROFILE_NO_MEMORY;
	table->spare = spare;
	status = add_up(table, &n_spare);
	if (status)
		return status;
	memcpy(table->costs + table->folded_costs, table->spare, n_spare * sizeof(*table->costs));
	table->folded_costs += n_spare;
	table->n_costs = table->folded_costs;
	return PROFILE_OK;
}

void reporttable_relate(struct reporttable *table)
{
	size_t n_events = table->rows->n_events;

	for (size_t i = 0; i < table->n; i++) {
		struct report_entry *entry = &table->entries[i];
		uint64_t *costs = table->costs + entry->costs;

		entry->counts[SIDE_OTHER] -= entry->counts[SIDE_MAIN];
		for (size_t event = 0; event < n_events; event++)
			costs[n_events + event] -= costs[event];
	}
	table->is_related = true;
}

void reporttable_write_costs(const struct reporttable *table, enum report_side side,
			     const char *key, struct json *json)
{
	bool is_signed = table->is_packed || table->is_related ||
			 table->rows->sides[side].model->is_signed;

	json_array(json, key, true);
	for (size_t event = 0; event < table->rows->n_events; event++) {
		size_t i = 0;

		while (i < table->n && reporttable_costs(table, i, side)[event] == 0)
			i++;
		if (i == table->n) {
			json_count(json, NULL, 0);
			continue;
		}
		json_array(json, NULL, true);
		for (i = 0; i < table->n; i++)
			json_cost(json, NULL, reporttable_costs(table, i, side)[event], is_signed);
		json_close(json);
	}
	json_close(json);
}

static uint64_t line_at(const void *table, size_t i)
{
	return ((const struct reporttable *)table)->entries[i].place.line;
}

void reporttable_write_lines(const struct reporttable *table, struct json *json)
{
	json_steps(json, "line", table->n, line_at, table);
}

void reporttable_write_column(const struct reporttable *table, enum report_column column,
			      const char *key, struct json *json)
{
	bool is_signed = table->rows->sides[SIDE_MAIN].model->is_signed;
	uint32_t last = 0;

	json_array(json, key, true);
	for (size_t i = 0; i < table->n; i++) {
		const struct report_entry *entry = &table->entries[i];

		switch (column) {
		case COLUMN_ROW:
			json_count(json, NULL, entry->place.row - last);
			last = entry->place.row;
			break;
		case COLUMN_FILE:
			json_count(json, NULL, entry->place.file);
			break;
		case COLUMN_TO:
			json_count(json, NULL, entry->place.to);
			break;
		case COLUMN_COUNT:
			json_cost(json, NULL, entry->counts[SIDE_MAIN], is_signed);
			break;
		case COLUMN_OTHER_COUNT:
			json_cost(json, NULL, entry->counts[SIDE_OTHER],
				  is_signed || table->is_related);
			break;
		}
	}
	json_close(json);
}

void reporttable_write_other(const struct reporttable *table, bool has_counts, struct json *json)
{
	if (has_counts)
		reporttable_write_column(table, COLUMN_OTHER_COUNT,
					 table->is_related ? "p_count" : "count", json);
	reporttable_write_costs(table, SIDE_OTHER, table->is_related ? "p_costs" : "costs", json);
}

/* -- lines and calls ------------------------------------------------------------------- */

struct cost_gathering {
	struct reportlines *to;
	struct reportrows *rows;
	enum report_side side;
	uint32_t row, function;
	uint32_t part;
};

static bool gather_lines(struct cost_gathering *gathering)
{
	struct model_cursor cursor;
	struct model_line line;

	model_lines(gathering->rows->sides[gathering->side].model, gathering->function,
		    gathering->part, &cursor);
	while (model_next_line(&cursor, &line)) {
		const struct report_place place = {
			.row = gathering->row,
			.file = reportrows_file(gathering->rows, gathering->side, line.file),
			.line = line.at.line,
		};

		if (!reporttable_add(&gathering->to->lines, &place, gathering->side, 0, line.costs))
			return false;
	}
	return true;
}

static bool gather_calls(struct cost_gathering *gathering)
{
	const struct reportrows_side *side = &gathering->rows->sides[gathering->side];
	struct model_cursor cursor;
	struct model_call call;

	model_calls(side->model, gathering->function, gathering->part, &cursor);
	while (model_next_call(&cursor, &call)) {
		struct report_place place = {
			.row = gathering->row,
			.to = side->rows[call.callee],
		};

		if (!reporttable_add(&gathering->to->arcs, &place, gathering->side, call.count,
				     call.costs))
			return false;
		if (!gathering->rows->is_detailed[gathering->row])
			continue;
		place.file = reportrows_file(gathering->rows, gathering->side, call.file);
		place.line = call.at.line;
		if (!reporttable_add(&gathering->to->calls, &place, gathering->side, call.count,
				     call.costs))
			return false;
	}
	return true;
}

/* One row of one side. */
static bool gather(struct cost_gathering *gathering)
{
	const struct reportrows_side *side = &gathering->rows->sides[gathering->side];
	size_t n_parts = model_cost_parts(side->model);

	gathering->function = side->functions[gathering->row];
	if (gathering->function == MODEL_NO_FUNCTION)
		return true;
	for (gathering->part = 0; gathering->part < n_parts; gathering->part++) {
		if (gathering->rows->is_detailed[gathering->row] && !gather_lines(gathering))
			return false;
		if (!gather_calls(gathering))
			return false;
	}
	return true;
}

/* -- whether they are packed ---------------------------------------------------------------- */

/* Calls may cost more than all there is, but not 1,000 times as much. */
static const uint64_t most = ((UINT64_C(1) << 53) - 1) / 1000;

static bool can_pack_side(const struct reportrows *rows, enum report_side i)
{
	const struct reportrows_side *side = &rows->sides[i];
	uint64_t sums[PROFILE_MAX_EVENTS];

	if (side->model->is_signed || !model_totals(side->model, sums))
		return false;
	for (size_t row = 0; row < rows->n; row++) {
		const uint64_t *inclusive = reportrows_inclusive(rows, i, row);

		for (size_t event = 0; inclusive && event < rows->n_events; event++)
			if (inclusive[event] > most)
				return false;
	}
	for (size_t event = 0; event < rows->n_events; event++)
		if (sums[side->events[event]] > most)
			return false;
	return true;
}

static bool can_pack_arcs(const struct reporttable *arcs)
{
	const struct reportrows *rows = arcs->rows;
	unsigned n_sides = reportrows_sides(rows);

	for (size_t i = 0; i < arcs->n; i++) {
		const uint64_t *costs = arcs->costs + arcs->entries[i].costs;

		for (unsigned side = 0; side < n_sides; side++)
			if (arcs->entries[i].counts[side] > most)
				return false;
		for (size_t j = 0; j < n_sides * rows->n_events; j++)
			if (costs[j] > most)
				return false;
	}
	/* Of a function, there may be many. */
	for (unsigned side = 0; side < n_sides; side++)
		for (size_t row = 0; row < rows->n; row++)
			if (reportrows_calls(rows, side, row) > most)
				return false;
	return true;
}

static bool can_pack(const struct reportlines *lines)
{
	const struct reportrows *rows = lines->arcs.rows;

	for (unsigned side = 0; side < reportrows_sides(rows); side++)
		if (!can_pack_side(rows, side))
			return false;
	return can_pack_arcs(&lines->arcs);
}

int reportlines_init(struct reportlines *lines, struct reportrows *rows)
{
	struct cost_gathering gathering = { .to = lines, .rows = rows };
	int status = PROFILE_OK;

	reporttable_init(&lines->lines, rows);
	reporttable_init(&lines->calls, rows);
	reporttable_init(&lines->arcs, rows);
	for (uint32_t row = 0; !status && row < rows->n; row++) {
		gathering.row = row;
		for (unsigned side = 0; !status && side < reportrows_sides(rows); side++) {
			gathering.side = side;
			if (!gather(&gathering))
				status = PROFILE_NO_MEMORY;
		}
		if (!status)
			status = reporttable_fold(&lines->lines);
		if (!status)
			status = reporttable_fold(&lines->calls);
		if (!status)
			status = reporttable_fold(&lines->arcs);
	}
	lines->is_packed = !status && can_pack(lines);
	return status;
}

void reportlines_release(struct reportlines *lines)
{
	reporttable_release(&lines->lines);
	reporttable_release(&lines->calls);
	reporttable_release(&lines->arcs);
}

/* -- packing ------------------------------------------------------------------------------ */

static uint64_t *costs_of(struct reporttable *table, size_t entry)
{
	return table->costs + table->entries[entry].costs;
}

/*
 * The last one of the calls of a function from the lines of another has what is left of the arc
 * between them: nothing is written of it.  last has room for a number for each row, all 0.
 */
static void pack_line_calls(struct reportlines *lines, size_t *last)
{
	struct reporttable *calls = &lines->calls;
	size_t n_events = calls->rows->n_events;
	size_t end;

	for (size_t i = 0; i < calls->n; i = end) {
		for (end = i;
		     end < calls->n && calls->entries[end].place.row == calls->entries[i].place.row;
		     end++)
			last[calls->entries[end].place.to] = end;
		for (size_t j = i; j < end; j++) {
			if (last[calls->entries[j].place.to] != j)
				continue;
			calls->entries[j].counts[SIDE_MAIN] = 0;
			memset(costs_of(calls, j), 0, n_events * sizeof(*calls->costs));
		}
	}
	calls->is_packed = true;
}

/* Arcs of the older profile only are no part of this: with them, there might be more cycles. */
static bool is_main(const struct report_entry *entry)
{
	return (entry->sides & 1u << SIDE_MAIN) != 0;
}

/*
 * The last one of a function's callers has what is left of its calls, and of its inclusive cost but
 * in cycles, where arcs do not add up to it.  last is by row: the last arc to it.
 */
static void pack_arcs(struct reportlines *lines, size_t *last)
{
	struct reporttable *arcs = &lines->arcs;
	const struct reportrows *rows = arcs->rows;
	const struct reportrows_side *side = &rows->sides[SIDE_MAIN];

	memset(last, 0xff, rows->n * sizeof(*last));
	for (size_t i = 0; i < arcs->n; i++)
		if (is_main(&arcs->entries[i]) &&
		    arcs->entries[i].place.row != arcs->entries[i].place.to)
			last[arcs->entries[i].place.to] = i;
	for (size_t row = 0; row < rows->n; row++) {
		uint32_t function = side->functions[row];
		const uint64_t *inclusive;

		if (last[row] == SIZE_MAX)
			continue;
		arcs->entries[last[row]].counts[SIDE_MAIN] = 0;
		if (side->sums->cycle[function] != 0)
			continue;
		inclusive = inclusive_of(side->sums, function);
		for (size_t event = 0; event < rows->n_events; event++)
			costs_of(arcs, last[row])[event] -= inclusive[event];
	}
	for (size_t i = 0; i < arcs->n; i++) {
		const struct report_place *place = &arcs->entries[i].place;
		uint64_t *costs = costs_of(arcs, i);

		if (!is_main(&arcs->entries[i]) || place->row == place->to ||
		    last[place->to] == i || side->sums->cycle[side->functions[place->to]] != 0)
			continue;
		for (size_t event = 0; event < rows->n_events; event++)
			costs_of(arcs, last[place->to])[event] += costs[event];
	}
	arcs->is_packed = true;
}

static int pack(struct reportlines *lines)
{
	size_t *last = heap_zeroed(&heap_env, lines->arcs.rows->n, sizeof(*last));

	if (!last)
		return PROFILE_NO_MEMORY;
	pack_line_calls(lines, last);
	pack_arcs(lines, last);
	heap_env.release(heap_env.ctx, last);
	return PROFILE_OK;
}

/* -- writing ------------------------------------------------------------------------------ */

static void write_arcs(const struct reportlines *lines, struct json *json)
{
	const struct reporttable *arcs = &lines->arcs, *calls = &lines->calls;

	json_object(json, "arcs", true);
	reporttable_write_column(arcs, COLUMN_ROW, "d_from", json);
	reporttable_write_column(arcs, COLUMN_TO, "to", json);
	reporttable_write_column(arcs, COLUMN_COUNT, arcs->is_packed ? "p_count" : "count", json);
	reporttable_write_costs(arcs, SIDE_MAIN, arcs->is_packed ? "p_costs" : "costs", json);
	json_close(json);
	json_object(json, "line_calls", true);
	reporttable_write_column(calls, COLUMN_ROW, "d_function", json);
	reporttable_write_column(calls, COLUMN_FILE, "file", json);
	reporttable_write_lines(calls, json);
	reporttable_write_column(calls, COLUMN_TO, "to", json);
	reporttable_write_column(calls, COLUMN_COUNT, calls->is_packed ? "p_count" : "count", json);
	reporttable_write_costs(calls, SIDE_MAIN, calls->is_packed ? "p_costs" : "costs", json);
	json_close(json);
}

int reportlines_write(struct reportlines *lines, struct json *json)
{
	int status = PROFILE_OK;

	if (lines->is_packed) {
		if (reportrows_sides(lines->arcs.rows) == N_SIDES) {
			reporttable_relate(&lines->arcs);
			reporttable_relate(&lines->calls);
			reporttable_relate(&lines->lines);
		}
		status = pack(lines);
	}
	if (status)
		return status;
	write_arcs(lines, json);
	json_object(json, "lines", true);
	reporttable_write_column(&lines->lines, COLUMN_ROW, "d_function", json);
	reporttable_write_column(&lines->lines, COLUMN_FILE, "file", json);
	reporttable_write_lines(&lines->lines, json);
	reporttable_write_costs(&lines->lines, SIDE_MAIN, "costs", json);
	json_close(json);
	return PROFILE_OK;
}

/* Those that the newer profile has not, as differences. */
static void write_only(const struct reporttable *arcs, struct json *json)
{
	size_t last = 0;

	json_array(json, "d_only", true);
	for (size_t i = 0; i < arcs->n; i++) {
		if (is_main(&arcs->entries[i]))
			continue;
		json_count(json, NULL, i - last);
		last = i;
	}
	json_close(json);
}

void reportlines_write_other(const struct reportlines *lines, struct json *json)
{
	json_object(json, "arcs", true);
	write_only(&lines->arcs, json);
	reporttable_write_other(&lines->arcs, true, json);
	json_close(json);
	json_object(json, "line_calls", true);
	reporttable_write_other(&lines->calls, true, json);
	json_close(json);
	json_object(json, "lines", true);
	reporttable_write_other(&lines->lines, false, json);
	json_close(json);
}
