/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/analysis/tally.h"

#include <string.h>

#include "profile/common/heap.h"

uint64_t *row_new(struct arena *arena, size_t n)
{
	uint64_t *row = arena_alloc(arena, n * sizeof(*row), 8);

	if (row)
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

/* Work on one function after the other. */
struct tallying {
	struct tally *tally;
	const struct model *model;
	struct arena *arena;
	size_t capacity;
	uint64_t **rows; /* by pair, to add to */
	size_t rows_capacity;
	uint32_t *slots; /* by file: its pair in this function, if that is >= first */
};

/* The row of a file in the function at work, whose pairs begin at first; NULL: no memory. */
static uint64_t *row_of(struct tallying *tallying, uint32_t function, size_t first, uint32_t file)
{
	struct tally *tally = tallying->tally;
	size_t slot = tallying->slots[file];
	uint64_t *row;

	if (slot >= first && slot < tally->n_pairs && tally->pairs[slot].file == file)
		return tallying->rows[slot];
	if (!heap_reserve(tally->env, (void **)&tally->pairs, &tallying->capacity,
			  tally->n_pairs + 1, sizeof(*tally->pairs)) ||
	    !heap_reserve(tally->env, (void **)&tallying->rows, &tallying->rows_capacity,
			  tally->n_pairs + 1, sizeof(*tallying->rows)))
		return NULL;
	row = row_new(tallying->arena, tallying->model->n_events);
	if (!row)
		return NULL;
	tallying->slots[file] = (uint32_t)tally->n_pairs;
	tallying->rows[tally->n_pairs] = row;
	tally->pairs[tally->n_pairs++] = (struct tally_pair){ function, file, row };
	return row;
}

static int add_function(struct tallying *tallying, uint32_t function, const uint64_t *zeros)
{
	const struct model *model = tallying->model;
	struct tally *tally = tallying->tally;
	size_t first = tally->n_pairs;
	struct model_cursor cursor;
	struct model_line line;
	uint64_t *sum;

	model_lines(model, function, 0, &cursor);
	while (model_next_line(&cursor, &line)) {
		uint64_t *row = row_of(tallying, function, first, line.file);

		if (!row)
			return PROFILE_NO_MEMORY;
		if (!row_add(row, line.costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	}
	tally->self[function] = zeros;
	if (tally->n_pairs == first)
		return PROFILE_OK;
	tally->self[function] = tally->pairs[first].costs;
	if (tally->n_pairs == first + 1)
		return PROFILE_OK;
	sum = row_new(tallying->arena, model->n_events);
	if (!sum)
		return PROFILE_NO_MEMORY;
	for (size_t i = first; i < tally->n_pairs; i++)
		if (!row_add(sum, tally->pairs[i].costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	tally->self[function] = sum;
	return PROFILE_OK;
}

int tally_compute(struct tally *tally, const struct model *model, struct arena *arena)
{
	const struct env *env = model->env;
	struct tallying tallying = {
		.tally = tally,
		.model = model,
		.arena = arena,
		.slots = heap_zeroed(env, model->names[NAME_FILE].count, sizeof(uint32_t)),
	};
	const uint64_t *zeros = row_new(arena, model->n_events);
	int status = PROFILE_OK;

	*tally = (struct tally){ .env = env };
	tally->self = heap_zeroed(env, model->n_functions, sizeof(*tally->self));
	if (!tally->self || !zeros || !tallying.slots)
		status = PROFILE_NO_MEMORY;
	for (size_t i = 0; !status && i < model->n_functions; i++)
		status = add_function(&tallying, (uint32_t)i, zeros);
	env->release(env->ctx, tallying.slots);
	env->release(env->ctx, tallying.rows);
	return status;
}

void tally_release(struct tally *tally)
{
	if (!tally->env)
		return;
	tally->env->release(tally->env->ctx, tally->pairs);
	tally->env->release(tally->env->ctx, (void *)tally->self);
	*tally = (struct tally){ .env = tally->env };
}
