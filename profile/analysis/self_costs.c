/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/analysis/self_costs.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

uint64_t *row_new(struct arena *arena, size_t n)
{
	uint64_t *row = arena_alloc(arena, n * sizeof(*row), 8);

	memset(row, 0, n * sizeof(*row));
	return row;
}

bool row_add(uint64_t *sums, const uint64_t *costs, size_t n, bool is_signed)
{
	bool fine = true;

	for (size_t i = 0; i < n; i++)
		fine &= cost_add(&sums[i], costs[i], is_signed);
	return fine;
}

void row_add_nested(uint64_t *sums, const uint64_t *costs, size_t n, bool is_signed)
{
	for (size_t i = 0; i < n; i++)
		cost_add_nested(&sums[i], costs[i], is_signed);
}

/* Work on one function after the other. */
struct self_costs_sum {
	struct self_costs *self_costs;
	const struct model *model;
	struct arena *arena;
	size_t capacity;
	uint64_t **rows; /* by pair, to add to */
	size_t rows_capacity;
	uint32_t *slots; /* by file: its pair in this function, if that is >= first */
};

/* The row of a file in the function at work, whose pairs begin at first. */
static uint64_t *row_of(struct self_costs_sum *summing, uint32_t function, size_t first,
			uint32_t file)
{
	struct self_costs *self_costs = summing->self_costs;
	size_t slot = summing->slots[file];
	uint64_t *row;

	if (slot >= first && slot < self_costs->n_pairs && self_costs->pairs[slot].file == file)
		return summing->rows[slot];
	self_costs->pairs = heap_grow(self_costs->pairs, &summing->capacity,
				      self_costs->n_pairs + 1, sizeof(*self_costs->pairs));
	summing->rows = heap_grow(summing->rows, &summing->rows_capacity, self_costs->n_pairs + 1,
				  sizeof(*summing->rows));
	row = row_new(summing->arena, summing->model->n_events);
	summing->slots[file] = (uint32_t)self_costs->n_pairs;
	summing->rows[self_costs->n_pairs] = row;
	self_costs->pairs[self_costs->n_pairs++] = (struct self_costs_pair){ function, file, row };
	return row;
}

static int add_function(struct self_costs_sum *summing, uint32_t function, const uint64_t *zeros)
{
	const struct model *model = summing->model;
	struct self_costs *self_costs = summing->self_costs;
	size_t first = self_costs->n_pairs;
	struct model_cursor cursor;
	struct model_line line;
	uint64_t *sum;

	model_lines(model, function, 0, &cursor);
	while (model_next_line(&cursor, &line)) {
		uint64_t *row = row_of(summing, function, first, line.file);

		if (!row_add(row, line.costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	}
	self_costs->self[function] = zeros;
	if (self_costs->n_pairs == first)
		return PROFILE_OK;
	self_costs->self[function] = self_costs->pairs[first].costs;
	if (self_costs->n_pairs == first + 1)
		return PROFILE_OK;
	sum = row_new(summing->arena, model->n_events);
	for (size_t i = first; i < self_costs->n_pairs; i++)
		if (!row_add(sum, self_costs->pairs[i].costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	self_costs->self[function] = sum;
	return PROFILE_OK;
}

int self_costs_compute(struct self_costs *self_costs, const struct model *model,
		       struct arena *arena)
{
	struct self_costs_sum summing = {
		.self_costs = self_costs,
		.model = model,
		.arena = arena,
		.slots = heap_array(model->names[NAME_FILE].count, sizeof(uint32_t)),
	};
	const uint64_t *zeros = row_new(arena, model->n_events);
	int status = PROFILE_OK;

	*self_costs = (struct self_costs){ .env = model->env };
	self_costs->self = heap_array(model->n_functions, sizeof(*self_costs->self));
	for (size_t i = 0; !status && i < model->n_functions; i++)
		status = add_function(&summing, (uint32_t)i, zeros);
	free(summing.slots);
	free(summing.rows);
	return status;
}

void self_costs_release(struct self_costs *self_costs)
{
	free(self_costs->pairs);
	free(self_costs->self);
	*self_costs = (struct self_costs){ .env = self_costs->env };
}
