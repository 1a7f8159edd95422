/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three tables of costs by place: lines of functions, calls from them, calls between functions (arcs).  What is
 * added to a table gathers until table_fold(), which sorts it and adds up the entries of each place.
 */
#include "cmds/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/error.h"
#include "profile/common/heap.h"

struct cost_place {
	uint32_t row;  /* function */
	uint32_t file; /* of the report */
	uint64_t line;
	uint32_t to; /* row that is called; 0 if it is no call */
};

struct entry {
	struct cost_place place;
	uint64_t counts[N_SIDES];
	size_t costs;   /* where they are in the table's */
	unsigned sides; /* that have it: 1 << side for each */
};

struct table {
	const struct reportrows *rows;
	struct entry *entries; /* the first n are sorted and folded; owned */
	size_t n, n_all, capacity;
	uint64_t *costs; /* n_events numbers of each side; owned */
	size_t n_costs, costs_capacity;
	size_t folded_costs; /* of the first n entries */
	uint64_t *spare;     /* owned */
	size_t spare_capacity;
	bool is_packed;  /* costs are differences from a forecast: they may be below 0 */
	bool is_related; /* costs of the older side are to be added to the main side's */
};

struct reportlines {
	struct reportrows *rows;
	struct table lines, calls, arcs;
	bool is_packed;
};

/* -- costs by place -------------------------------------------------------------------- */

static void table_release(struct table *table)
{
	free(table->entries);
	free(table->costs);
	free(table->spare);
}

/* Numbers of an entry. */
static size_t width_of(const struct table *table)
{
	return table->rows->n_events * reportrows_sides(table->rows);
}

static uint64_t *costs_of(const struct table *table, size_t entry, enum report_side side)
{
	return table->costs + table->entries[entry].costs + side * table->rows->n_events;
}

/* Adds costs (of the side's model, by its events) and a count to a place. */
static void table_add(struct table *table, const struct cost_place *place, enum report_side side,
		      uint64_t count, const uint64_t *costs)
{
	const struct reportrows *rows = table->rows;
	size_t width = width_of(table);
	struct entry *entry;
	uint64_t *to;

	table->entries = heap_grow(table->entries, &table->capacity, table->n_all + 1,
				   sizeof(*table->entries));
	table->costs = heap_grow(table->costs, &table->costs_capacity, table->n_costs + width,
				 sizeof(*table->costs));
	entry = &table->entries[table->n_all++];
	*entry = (struct entry){ .place = *place, .costs = table->n_costs, .sides = 1u << side };
	entry->counts[side] = count;
	to = table->costs + table->n_costs;
	memset(to, 0, width * sizeof(*to));
	for (size_t i = 0; i < rows->n_events; i++)
		to[side * rows->n_events + i] = costs[rows->sides[side].events[i]];
	table->n_costs += width;
}

static int compare_entries(const void *a, const void *b)
{
	const struct cost_place *x = &((const struct entry *)a)->place;
	const struct cost_place *y = &((const struct entry *)b)->place;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Adds an entry to another one, whose costs are in sums. */
static bool add_entry(const struct table *table, struct entry *to, uint64_t *sums,
		      const struct entry *entry)
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

/* Sorts and adds up what came since the last time.  Returns a status. */
static int table_fold(struct table *table)
{
	size_t width = width_of(table), n = table->n, n_spare = 0;

	if (table->n_all == n)
		return PROFILE_OK;
	qsort(table->entries + n, table->n_all - n, sizeof(*table->entries), compare_entries);
	table->spare = heap_grow(table->spare, &table->spare_capacity,
				 table->n_costs - table->folded_costs, sizeof(*table->spare));
	for (size_t i = n; i < table->n_all; i++) {
		const struct entry entry = table->entries[i];

		if (n > table->n && compare_entries(&table->entries[n - 1], &entry) == 0) {
			if (!add_entry(table, &table->entries[n - 1],
				       table->spare + n_spare - width, &entry))
				return PROFILE_RANGE;
			continue;
		}
		memcpy(table->spare + n_spare, table->costs + entry.costs,
		       width * sizeof(*table->costs));
		table->entries[n] = entry;
		table->entries[n++].costs = table->folded_costs + n_spare;
		n_spare += width;
	}
	table->n = table->n_all = n;
	memcpy(table->costs + table->folded_costs, table->spare, n_spare * sizeof(*table->costs));
	table->folded_costs += n_spare;
	table->n_costs = table->folded_costs;
	return PROFILE_OK;
}

/* Makes the older side's counts and costs what has to be added to the main side's. */
static void table_relate(struct table *table)
{
	size_t n_events = table->rows->n_events;

	for (size_t i = 0; i < table->n; i++) {
		struct entry *entry = &table->entries[i];
		uint64_t *costs = table->costs + entry->costs;

		entry->counts[SIDE_OTHER] -= entry->counts[SIDE_MAIN];
		for (size_t event = 0; event < n_events; event++)
			costs[n_events + event] -= costs[event];
	}
	table->is_related = true;
}

/* -- gathering ------------------------------------------------------------------------- */

/* A function of one side, which is a row. */
static void gather(struct reportlines *lines, enum report_side i, uint32_t row)
{
	const struct reportrows_side *side = &lines->rows->sides[i];
	uint32_t function = side->functions[row];
	bool is_detailed = lines->rows->is_detailed[row];
	size_t n_parts = function == MODEL_NO_FUNCTION ? 0 : model_cost_parts(side->model);

	for (uint32_t part = 0; part < n_parts; part++) {
		struct model_cursor cursor;
		struct model_line line;
		struct model_call call;

		if (is_detailed)
			model_lines(side->model, function, part, &cursor);
		while (is_detailed && model_next_line(&cursor, &line)) {
			const struct cost_place place = {
				.row = row,
				.file = reportrows_file_in(lines->rows, i, row, line.file),
				.line = line.at.line,
			};

			table_add(&lines->lines, &place, i, 0, line.costs);
		}
		model_calls(side->model, function, part, &cursor);
		while (model_next_call(&cursor, &call)) {
			struct cost_place place = { .row = row, .to = side->rows[call.callee] };

			table_add(&lines->arcs, &place, i, call.count, call.costs);
			if (!is_detailed)
				continue;
			place.file = reportrows_file_in(lines->rows, i, row, call.file);
			place.line = call.at.line;
			table_add(&lines->calls, &place, i, call.count, call.costs);
		}
	}
}

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
		/* A function may have many arcs. */
		if (reportrows_calls(rows, i, row) > most)
			return false;
	}
	for (size_t event = 0; event < rows->n_events; event++)
		if (sums[side->events[event]] > most)
			return false;
	return true;
}

static bool can_pack(const struct reportlines *lines)
{
	const struct table *arcs = &lines->arcs;
	unsigned n_sides = reportrows_sides(lines->rows);

	for (unsigned side = 0; side < n_sides; side++)
		if (!can_pack_side(lines->rows, side))
			return false;
	for (size_t i = 0; i < arcs->n; i++) {
		const uint64_t *costs = costs_of(arcs, i, SIDE_MAIN);

		for (unsigned side = 0; side < n_sides; side++)
			if (arcs->entries[i].counts[side] > most)
				return false;
		for (size_t j = 0; j < width_of(arcs); j++)
			if (costs[j] > most)
				return false;
	}
	return true;
}

int reportlines_make(struct reportlines **made, struct reportrows *rows, bool *is_packed)
{
	struct reportlines *lines = heap_zeroed(1, sizeof(*lines));
	int status = PROFILE_OK;

	lines->rows = rows;
	lines->lines.rows = lines->calls.rows = lines->arcs.rows = rows;
	for (uint32_t row = 0; !status && row < rows->n; row++) {
		for (unsigned side = 0; side < reportrows_sides(rows); side++)
			gather(lines, side, row);
		status = table_fold(&lines->lines);
		if (!status)
			status = table_fold(&lines->calls);
		if (!status)
			status = table_fold(&lines->arcs);
	}
	*is_packed = lines->is_packed = !status && can_pack(lines);
	*made = lines;
	return status;
}

void reportlines_free(struct reportlines *lines)
{
	if (!lines)
		return;
	table_release(&lines->lines);
	table_release(&lines->calls);
	table_release(&lines->arcs);
	free(lines);
}

void reportlines_add_sources(const struct reportlines *lines, struct reportsources *sources)
{
	const struct table *tables[] = { &lines->lines, &lines->calls };

	for (size_t t = 0; t < 2; t++)
		for (size_t i = 0; i < tables[t]->n; i++)
			reportsources_add(sources, tables[t]->entries[i].place.file,
					  tables[t]->entries[i].place.line);
}

/* -- packing --------------------------------------------------------------------------- */

/*
 * The last call from a function's lines to another function has what the others leave of the arc
 * between them: nothing is written of it.  last has room for a number for each row, all 0.
 */
static void pack_line_calls(struct reportlines *lines, size_t *last)
{
	struct table *calls = &lines->calls;
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
			memset(costs_of(calls, j, SIDE_MAIN), 0, n_events * sizeof(*calls->costs));
		}
	}
	calls->is_packed = true;
}

/* Arcs of the older profile only are no part of this: with them, there might be more cycles. */
static bool is_main(const struct entry *entry)
{
	return (entry->sides & 1u << SIDE_MAIN) != 0;
}

/*
 * A function's last caller has what the others leave of its calls and of its inclusive cost, except
 * in cycles, where arcs do not add up to it.  last is by row: the last arc to it.
 */
static void pack_arcs(struct reportlines *lines, size_t *last)
{
	struct table *arcs = &lines->arcs;
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
			costs_of(arcs, last[row], SIDE_MAIN)[event] -= inclusive[event];
	}
	for (size_t i = 0; i < arcs->n; i++) {
		const struct cost_place *place = &arcs->entries[i].place;
		const uint64_t *costs = costs_of(arcs, i, SIDE_MAIN);

		if (!is_main(&arcs->entries[i]) || place->row == place->to ||
		    last[place->to] == i || side->sums->cycle[side->functions[place->to]] != 0)
			continue;
		for (size_t event = 0; event < rows->n_events; event++)
			costs_of(arcs, last[place->to], SIDE_MAIN)[event] += costs[event];
	}
	arcs->is_packed = true;
}

/* -- writing --------------------------------------------------------------------------- */

static uint64_t main_cost(const void *table, size_t i, size_t event)
{
	return costs_of(table, i, SIDE_MAIN)[event];
}

static uint64_t other_cost(const void *table, size_t i, size_t event)
{
	return costs_of(table, i, SIDE_OTHER)[event];
}

static uint64_t row_at(const void *table, size_t i)
{
	return ((const struct table *)table)->entries[i].place.row;
}

static uint64_t line_at(const void *table, size_t i)
{
	return ((const struct table *)table)->entries[i].place.line;
}

enum column { COLUMN_FILE, COLUMN_TO, COLUMN_COUNT, COLUMN_OTHER_COUNT };

static uint64_t number_at(const void *table, size_t i, size_t column)
{
	const struct entry *entry = &((const struct table *)table)->entries[i];
	const uint64_t numbers[] = {
		[COLUMN_FILE] = entry->place.file,
		[COLUMN_TO] = entry->place.to,
		[COLUMN_COUNT] = entry->counts[SIDE_MAIN],
		[COLUMN_OTHER_COUNT] = entry->counts[SIDE_OTHER],
	};

	return numbers[column];
}

/* A table with these parts of places. */
static void write_table(const struct table *table, const char *key, const char *row_key,
			bool has_lines, bool has_calls, struct json *json)
{
	const bool is_signed = table->rows->sides[SIDE_MAIN].model->is_signed;
	const struct reporttable numbers = { number_at, table, table->n, is_signed };
	const struct reporttable costs = { main_cost, table, table->n,
					   is_signed || table->is_packed || table->is_related };

	json_object(json, key, true);
	json_steps(json, row_key, table->n, row_at, table);
	if (has_lines) {
		reporttable_column(&numbers, "file", COLUMN_FILE, json);
		json_steps(json, "line", table->n, line_at, table);
	}
	if (has_calls) {
		reporttable_column(&numbers, "to", COLUMN_TO, json);
		reporttable_column(&numbers, table->is_packed ? "p_count" : "count", COLUMN_COUNT,
				   json);
	}
	reporttable_costs(&costs, table->is_packed ? "p_costs" : "costs", table->rows->n_events,
			  json);
	json_close(json);
}

void reportlines_write(struct reportlines *lines, struct json *json)
{
	if (lines->is_packed) {
		size_t *last = heap_zeroed(lines->rows->n, sizeof(*last));

		if (reportrows_sides(lines->rows) == N_SIDES) {
			table_relate(&lines->arcs);
			table_relate(&lines->calls);
			table_relate(&lines->lines);
		}
		pack_line_calls(lines, last);
		pack_arcs(lines, last);
		free(last);
	}
	write_table(&lines->arcs, "arcs", "from", false, true, json);
	write_table(&lines->calls, "line_calls", "function", true, true, json);
	write_table(&lines->lines, "lines", "function", true, false, json);
}

/* What the older side has in the same entries. */
static void write_other(const struct table *table, bool has_counts, struct json *json)
{
	const bool is_signed = table->rows->sides[SIDE_MAIN].model->is_signed;
	const struct reporttable numbers = { number_at, table, table->n,
					     is_signed || table->is_related };
	const struct reporttable costs = { other_cost, table, table->n,
					   table->is_packed || table->is_related ||
						   table->rows->sides[SIDE_OTHER].model->is_signed };

	if (has_counts)
		reporttable_column(&numbers, table->is_related ? "p_count" : "count",
				   COLUMN_OTHER_COUNT, json);
	reporttable_costs(&costs, table->is_related ? "p_costs" : "costs", table->rows->n_events,
			  json);
	json_close(json);
}

void reportlines_write_other(const struct reportlines *lines, struct json *json)
{
	size_t last = 0;

	json_object(json, "arcs", true);
	/* Arcs that the newer profile does not have, as differences. */
	json_array(json, "d_only", true);
	for (size_t i = 0; i < lines->arcs.n; i++) {
		if (is_main(&lines->arcs.entries[i]))
			continue;
		json_count(json, NULL, i - last);
		last = i;
	}
	json_close(json);
	write_other(&lines->arcs, true, json);
	json_object(json, "line_calls", true);
	write_other(&lines->calls, true, json);
	json_object(json, "lines", true);
	write_other(&lines->lines, false, json);
}
