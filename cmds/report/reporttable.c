/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/report/reporttable.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

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
