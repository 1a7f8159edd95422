/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/branches/tage.h"

#include "sim/branches/predictor.h"
#include "sim/inlining.h"

enum {
	COUNTER_TAKEN = 4, /* an entry's counter predicts that from here on */
	COUNTER_MAX = 7,
	USEFUL_MAX = 3,
	ALTERNATIVE_MIN = -8,
	ALTERNATIVE_MAX = 7,
	CREDIT_BITS = TAGE_MAX_CREDIT * TAGE_CELL_CREDIT,
	TAG_SHIFT = 44,       /* of a hash */
	LOOP_CHANCE = 7 << 8, /* one in eight; other bits than flip_coin() has */
};

const struct tage_size tage_8k = {
	.log2_cells = 12,
	.n_tables = 7,
	.log2_entries = 9,
	.tag_bits = 10,
	.lengths = { 4, 8, 16, 32, 64, 128, 200 },
	.n_loops = 64,
};

const struct tage_size tage_64k = {
	.log2_cells = 14,
	.n_tables = 12,
	.log2_entries = 11,
	.tag_bits = 12,
	.lengths = { 4, 6, 10, 16, 25, 40, 64, 101, 160, 254, 403, 640 },
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
	return size->n_tables * sizeof(struct tage_entry) << size->log2_entries;
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
		.entries = (void *)entries,
		.loops = { .places = (void *)(entries + entries_size(size)),
			   .mask = size->n_loops - 1 },
		.log2_entries = size->log2_entries,
		.entry_mask = (UINT32_C(1) << size->log2_entries) - 1,
		.tag_mask = (UINT32_C(1) << size->tag_bits) - 1,
		.random = 1,
	};
	for (unsigned i = 0; i < size->n_tables; i++)
		tage->lengths[i] = history_length_of(size->lengths[i]);
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

/* -- tagged tables --------------------------------------------------------------------------- */

static uint16_t tag_of(const struct tage *tage, uint64_t hash)
{
	return (uint16_t)(1 + (hash >> TAG_SHIFT & tage->tag_mask));
}

static struct tage_entry *entry_at(const struct tage *tage, unsigned table, uint64_t hash)
{
	return &tage->entries[((size_t)table << tage->log2_entries) + (hash & tage->entry_mask)];
}

/* The provider, of the tables that made says, or NULL; then *table is its table. */
static ALWAYS_INLINED struct tage_entry *find_provider(const struct tage *tage,
						       const struct branch_history *history,
						       uint64_t key, uint32_t made, unsigned *table)
{
	while (made != 0) {
		const unsigned i = 31 - (unsigned)__builtin_clz(made);
		const uint64_t hash = history_hash(history, &tage->lengths[i], key);
		struct tage_entry *entry = entry_at(tage, i, hash);

		if (entry->tag == tag_of(tage, hash)) {
			*table = i;
			return entry;
		}
		made ^= UINT32_C(1) << i;
	}
	return NULL;
}

static bool entry_predicts(const struct tage_entry *entry)
{
	return entry->counter >= COUNTER_TAKEN;
}

/* It says little, and was never of use. */
static bool is_new(const struct tage_entry *entry)
{
	return entry->useful == 0 &&
	       (entry->counter == COUNTER_TAKEN || entry->counter == COUNTER_TAKEN - 1);
}

static void entry_learn(struct tage_entry *entry, bool taken)
{
	static const uint8_t next[2][COUNTER_MAX + 1] = { { 0, 0, 1, 2, 3, 4, 5, 6 },
							  { 1, 2, 3, 4, 5, 6, 7, 7 } };

	entry->counter = next[taken][entry->counter];
}

static void halve_useful(struct tage *tage)
{
	for (size_t i = 0; i < (size_t)tage->size->n_tables << tage->size->log2_entries; i++)
		tage->entries[i].useful /= 2;
	tage->tick = 0;
}

static bool flip_coin(struct tage *tage)
{
	tage->random ^= tage->random << 13;
	tage->random ^= tage->random >> 17;
	tage->random ^= tage->random << 5;
	return tage->random & 1;
}

/* Makes an entry in table number first, or behind it, if there is one; in any case, random goes on. */
static NEVER_INLINED void allocate(struct tage *tage, const struct branch_history *history,
				   const struct branch_place *place, unsigned first, bool taken)
{
	const unsigned n = tage->size->n_tables;

	if (flip_coin(tage) && first + 1 < n)
		first++;
	for (unsigned table = first; table < n; table++) {
		const uint64_t hash = history_hash(history, &tage->lengths[table], place->key);
		struct tage_entry *entry = entry_at(tage, table, hash);

		if (entry->useful == 0) {
			*entry = (struct tage_entry){
				.tag = tag_of(tage, hash),
				.counter = taken ? COUNTER_TAKEN : COUNTER_TAKEN - 1,
			};
			tage->trials[place->cell - tage->cells].made |= (uint16_t)(1U << table);
			if (tage->tick > 0)
				tage->tick--;
			return;
		}
		tage->tick++;
	}
	if (tage->tick >= TAGE_TICKS)
		halve_useful(tage);
}

/* What provider and cell, which says the opposite, make of that. */
static void learn_use(struct tage *tage, struct tage_entry *provider, bool was_new, bool was_right)
{
	if (was_right && provider->useful < USEFUL_MAX)
		provider->useful++;
	else if (!was_right && provider->useful > 0)
		provider->useful--;
	if (!was_new)
		return;
	if (was_right && tage->alternative > ALTERNATIVE_MIN)
		tage->alternative--;
	else if (!was_right && tage->alternative < ALTERNATIVE_MAX)
		tage->alternative++;
}

/* -- the whole ------------------------------------------------------------------------------ */

/* With credit.  Returns whether the prediction was wrong. */
static ALWAYS_INLINED bool predict_by_tables(struct tage *tage,
					     const struct branch_history *history,
					     const struct branch_place *place,
					     struct tage_trial *trial, bool taken)
{
	uint32_t *cell = place->cell;
	const bool direction = cell_predicts(cell);
	const bool cell_wrong = direction != taken;
	unsigned table;
	struct tage_entry *provider =
		find_provider(tage, history, place->key, trial->made & ~TAGE_HAS_LOOP, &table);
	bool wrong = cell_wrong;

	if (provider != NULL) {
		const bool provider_wrong = entry_predicts(provider) != taken;
		const bool was_new = is_new(provider);

		if (!was_new || tage->alternative < 0)
			wrong = provider_wrong;
		if (provider_wrong != cell_wrong) {
			trial->gain = (int16_t)(trial->gain + (provider_wrong ? -1 : 1));
			learn_use(tage, provider, was_new, !provider_wrong);
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
	    (tage->random & LOOP_CHANCE) == 0 && loops_claim(&tage->loops, cell, number, direction))
		trial->made |= TAGE_HAS_LOOP;
	return wrong;
}
