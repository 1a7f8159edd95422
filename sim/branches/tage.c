/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/branches/tage.h"

#include "sim/branches/predictor.h"
#include "sim/inlining.h"

enum {
	COUNTER_TAKEN = 4, /* an entry's counter predicts that from here on */
	COUNTER_MAX = 7,
	CREDIT_BITS = TAGE_MAX_CREDIT * TAGE_CELL_CREDIT,
	LOOP_CHANCE = 7 << 8, /* one in eight; other bits than tagged_make() looks at */
};

const struct tage_size tage_8k = {
	.log2_cells = 12,
	.tagged = { .n_tables = 7,
		    .log2_entries = 9,
		    .tag_bits = 10,
		    .lengths = { 4, 8, 16, 32, 64, 128, 200 },
		    .ticks = 512 },
	.n_loops = 64,
};

const struct tage_size tage_64k = {
	.log2_cells = 14,
	.tagged = { .n_tables = 12,
		    .log2_entries = 11,
		    .tag_bits = 12,
		    .lengths = { 4, 6, 10, 16, 25, 40, 64, 101, 160, 254, 403, 640 },
		    .ticks = 512 },
	.n_loops = 256,
};

/* The cells, then their trials, the entries, the loops. */
static size_t cells_size(const struct tage_size *size)
{
	return sizeof(uint32_t) << size->log2_cells;
}

static size_t trials_size(const struct tage_size *size)
{
	return sizeof(struct tage_trial) << size->log2_cells;
}

static size_t entries_size(const struct tage_size *size)
{
	return tagged_count(&size->tagged) * sizeof(struct tagged_entry);
}

size_t tage_memory(const struct tage_size *size)
{
	return cells_size(size) + trials_size(size) + entries_size(size) +
	       size->n_loops * sizeof(struct loop);
}

void tage_init(struct tage *tage, const struct tage_size *size, void *memory)
{
	uint8_t *trials = (uint8_t *)memory + cells_size(size);
	uint8_t *entries = trials + trials_size(size);

	*tage = (struct tage){
		.size = size,
		.cells = memory,
		.trials = (void *)trials,
		.loops = { .places = (void *)(entries + entries_size(size)),
			   .mask = size->n_loops - 1 },
	};
	tagged_init(&tage->tagged, &size->tagged, (void *)entries);
	for (uint32_t i = 0; i < UINT32_C(1) << size->log2_cells; i++)
		tage->cells[i] = TAGE_MAX_LEFT * (uint32_t)TAGE_CELL_EXECUTION | TAGE_CELL_WEAK;
}

/* -- the counter and the credit of a cell ---------------------------------------------------- */

static bool cell_predicts(const uint32_t *cell)
{
	return (*cell & TAGE_CELL_DIRECTION) != 0;
}

static void cell_learn(uint32_t *cell, bool taken)
{
	if (cell_predicts(cell) == taken)
		*cell &= ~(uint32_t)TAGE_CELL_WEAK;
	else if ((*cell & TAGE_CELL_WEAK) != 0)
		*cell ^= TAGE_CELL_DIRECTION;
	else
		*cell |= TAGE_CELL_WEAK;
}

static bool cell_has_credit(uint32_t cell)
{
	return (cell & CREDIT_BITS) != 0;
}

static void cell_raise_credit(uint32_t *cell, uint32_t credit)
{
	if ((*cell & CREDIT_BITS) < credit * TAGE_CELL_CREDIT)
		*cell = (*cell & ~(uint32_t)CREDIT_BITS) | credit * TAGE_CELL_CREDIT;
}

/* -- entries of tagged tables ---------------------------------------------------------------- */

static bool entry_predicts(const struct tagged_entry *entry)
{
	return entry->counter >= COUNTER_TAKEN;
}

/* It says little, and was never of use. */
static bool is_new(const struct tagged_entry *entry)
{
	return entry->useful == 0 &&
	       (entry->counter == COUNTER_TAKEN || entry->counter == COUNTER_TAKEN - 1);
}

static void entry_learn(struct tagged_entry *entry, bool taken)
{
	static const uint8_t next[2][COUNTER_MAX + 1] = { { 0, 0, 1, 2, 3, 4, 5, 6 },
							  { 1, 2, 3, 4, 5, 6, 7, 7 } };

	entry->counter = next[taken][entry->counter];
}

/* Makes an entry that says the outcome, weakly, in table number first or behind it. */
static void allocate(struct tage *tage, const struct branch_history *history,
		     const struct branch_place *place, unsigned first, bool taken)
{
	tagged_make(&tage->tagged, history, place->key, first,
		    taken ? COUNTER_TAKEN : COUNTER_TAKEN - 1,
		    &tage->trials[place->cell - tage->cells].made);
}

/* -- the whole ------------------------------------------------------------------------------ */

/* With credit.  Returns whether the prediction was wrong. */
static ALWAYS_INLINED bool predict_by_tables(struct tage *tage,
					     const struct branch_history *history,
					     const struct branch_place *place,
					     struct tage_trial *trial, bool taken)
{
	uint32_t *cell = place->cell;
	const bool cell_wrong = cell_predicts(cell) != taken;
	unsigned table;
	struct tagged_entry *provider = tagged_find(&tage->tagged, history, place->key,
						    trial->made & ~TAGE_HAS_LOOP, &table);
	bool wrong = cell_wrong;

	if (provider != NULL) {
		const bool provider_wrong = entry_predicts(provider) != taken;
		const bool was_new = is_new(provider);

		if (!was_new || tage->tagged.alternative < 0)
			wrong = provider_wrong;
		if (provider_wrong != cell_wrong) {
			trial->gain = (int16_t)(trial->gain + (provider_wrong ? -1 : 1));
			tagged_learn_use(&tage->tagged, provider, was_new, !provider_wrong,
					 !cell_wrong);
		}
		entry_learn(provider, taken);
		if (wrong && provider_wrong)
			allocate(tage, history, place, table + 1, taken);
		if (cell_wrong)
			cell_raise_credit(cell,
					  provider_wrong ? TAGE_FRESH_CREDIT : TAGE_PROVEN_CREDIT);
	} else if (cell_wrong) {
		allocate(tage, history, place, 0, taken);
		cell_raise_credit(cell, TAGE_FRESH_CREDIT);
	}
	return wrong;
}

/* A cell for which tables are no help leaves them alone for a while. */
static void end_trial(uint32_t *cell, struct tage_trial *trial)
{
	if (trial->gain < TAGE_MIN_GAIN) {
		*cell &= ~(uint32_t)CREDIT_BITS;
		trial->made &= TAGE_HAS_LOOP;
		trial->pause = (uint8_t)(4U << trial->failures);
		if (trial->failures < TAGE_MAX_FAILURES)
			trial->failures++;
	} else {
		trial->failures = 0;
	}
	trial->n = 0;
	trial->gain = 0;
}

/* Without a loop that is known. */
static ALWAYS_INLINED bool predict(struct tage *tage, struct branch_history *history,
				   const struct branch_place *place, struct tage_trial *trial,
				   bool taken)
{
	uint32_t *cell = place->cell;
	const bool cell_wrong = cell_predicts(cell) != taken;
	bool wrong = cell_wrong;

	if (cell_has_credit(*cell)) {
		history_settle(history);
		wrong = predict_by_tables(tage, history, place, trial, taken);
		if (!cell_wrong && (*cell & TAGE_CELL_WEAK) == 0) {
			*cell -= TAGE_CELL_CREDIT;
			if (!cell_has_credit(*cell))
				trial->made &= TAGE_HAS_LOOP;
		}
		if (++trial->n == TAGE_TRIAL)
			end_trial(cell, trial);
	} else if (cell_wrong && trial->pause > 0) {
		trial->pause--;
	} else if (cell_wrong) {
		history_settle(history);
		allocate(tage, history, place, 0, taken);
		cell_raise_credit(cell, TAGE_FRESH_CREDIT);
	}
	cell_learn(cell, taken);
	return wrong;
}

/* With a loop. */
static NEVER_INLINED bool predict_with_loop(struct tage *tage, struct branch_history *history,
					    const struct branch_place *place, struct loop *loop,
					    bool taken)
{
	uint32_t *cell = place->cell;
	bool wrong;

	if (loop_is_known(loop)) {
		wrong = loop_predict(loop, taken);
		if (wrong) {
			cell_learn(cell, taken);
			cell_raise_credit(cell, TAGE_FRESH_CREDIT);
		}
		return wrong;
	}
	wrong = predict(tage, history, place, &tage->trials[cell - tage->cells], taken);
	if (cell_predicts(cell) != loop->direction) {
		loop->cell = NULL;
		return wrong;
	}
	loop_learn(loop, taken);
	return wrong;
}

bool tage_predict(struct tage *tage, struct branch_history *history, struct branch_place *place,
		  bool taken)
{
	uint32_t *cell = place->cell;
	const uint32_t number = (uint32_t)(cell - tage->cells);
	struct tage_trial *trial = &tage->trials[number];
	bool direction, wrong;

	if ((trial->made & TAGE_HAS_LOOP) != 0) {
		struct loop *loop = loops_find(&tage->loops, cell, number);

		if (loop != NULL)
			return predict_with_loop(tage, history, place, loop, taken);
		trial->made &= (uint16_t)~TAGE_HAS_LOOP;
	}
	direction = cell_predicts(cell);
	wrong = predict(tage, history, place, trial, taken);
	if ((*cell & TAGE_CELL_OVER) != 0)
		*cell = (*cell & TAGE_CELL_STATE) | TAGE_MAX_LEFT * (uint32_t)TAGE_CELL_EXECUTION;
	if (wrong && taken != direction && cell_predicts(cell) == direction &&
	    (tage->tagged.random & LOOP_CHANCE) == 0 &&
	    loops_claim(&tage->loops, cell, number, direction))
		trial->made |= TAGE_HAS_LOOP;
	return wrong;
}
