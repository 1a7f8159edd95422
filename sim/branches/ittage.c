/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/branches/ittage.h"

#include "sim/branches/predictor.h"
#include "sim/inlining.h"

enum {
	ALTERNATIVE_MIN = -8,
	ALTERNATIVE_MAX = 7,
	TAG_SHIFT = 44, /* of a hash */
};

const struct ittage_size ittage_8k = {
	.log2_cells = 9,
	.n_tables = 5,
	.log2_entries = 7,
	.tag_bits = 10,
	.lengths = { 4, 12, 32, 80, 200 },
};

const struct ittage_size ittage_64k = {
	.log2_cells = 11,
	.n_tables = 8,
	.log2_entries = 9,
	.tag_bits = 12,
	.lengths = { 4, 8, 16, 32, 64, 128, 256, 512 },
};

static size_t cells_size(const struct ittage_size *size)
{
	return sizeof(struct jump_cell) << size->log2_cells;
}

size_t ittage_memory(const struct ittage_size *size)
{
	return cells_size(size) +
	       (size->n_tables * sizeof(struct jump_entry) << size->log2_entries);
}

void ittage_init(struct ittage *ittage, const struct ittage_size *size, void *memory)
{
	*ittage = (struct ittage){
		.size = size,
		.cells = memory,
		.entries = (void *)((uint8_t *)memory + cells_size(size)),
		.random = 1,
	};
	for (unsigned i = 0; i < size->n_tables; i++)
		ittage->lengths[i] = history_length_of(size->lengths[i]);
	for (size_t i = 0; i < (size_t)1 << size->log2_cells; i++)
		ittage->cells[i].expected = JUMP_NOWHERE;
}

/* -- tagged tables --------------------------------------------------------------------------- */

static uint16_t tag_of(const struct ittage *ittage, uint64_t hash)
{
	return (uint16_t)(1 + (hash >> TAG_SHIFT & ((1U << ittage->size->tag_bits) - 1)));
}

static struct jump_entry *entry_at(const struct ittage *ittage, unsigned table, uint64_t hash)
{
	const unsigned bits = ittage->size->log2_entries;

	return &ittage->entries[(size_t)table << bits | (hash & ((UINT64_C(1) << bits) - 1))];
}

/* The provider, of the tables that made says, or NULL; then *table is its table. */
static struct jump_entry *find_provider(const struct ittage *ittage,
					const struct branch_history *history, uint64_t key,
					uint32_t made, unsigned *table)
{
	while (made != 0) {
		const unsigned i = 31 - (unsigned)__builtin_clz(made);
		const uint64_t hash = history_hash(history, &ittage->lengths[i], key);
		struct jump_entry *entry = entry_at(ittage, i, hash);

		if (entry->tag == tag_of(ittage, hash)) {
			*table = i;
			return entry;
		}
		made ^= UINT32_C(1) << i;
	}
	return NULL;
}

static void entry_learn(struct jump_entry *entry, uint64_t target)
{
	if (entry->target == target)
		entry->confidence = (uint8_t)(entry->confidence + (entry->confidence < JUMP_SURE));
	else if (entry->confidence > 0)
		entry->confidence--;
	else
		entry->target = target;
}

static bool flip_coin(struct ittage *ittage)
{
	ittage->random ^= ittage->random << 13;
	ittage->random ^= ittage->random >> 17;
	ittage->random ^= ittage->random << 5;
	return ittage->random & 1;
}

static void halve_useful(struct ittage *ittage)
{
	for (size_t i = 0; i < (size_t)ittage->size->n_tables << ittage->size->log2_entries; i++)
		ittage->entries[i].useful /= 2;
	ittage->tick = 0;
}

/* Makes an entry in table number first, or behind it, if there is one; in any case, random goes on. */
static NEVER_INLINED void allocate(struct ittage *ittage, const struct branch_history *history,
				   const struct branch_place *place, unsigned first,
				   uint64_t target)
{
	const unsigned n = ittage->size->n_tables;

	if (flip_coin(ittage) && first + 1 < n)
		first++;
	for (unsigned table = first; table < n; table++) {
		const uint64_t hash = history_hash(history, &ittage->lengths[table], place->key);
		struct jump_entry *entry = entry_at(ittage, table, hash);

		if (entry->useful == 0) {
			*entry = (struct jump_entry){ .target = target,
						      .tag = tag_of(ittage, hash) };
			place->jump->made |= (uint16_t)(1U << table);
			if (ittage->tick > 0)
				ittage->tick--;
			return;
		}
		ittage->tick++;
	}
	if (ittage->tick >= JUMP_TICKS)
		halve_useful(ittage);
}

/* What a provider makes of the cell's having another target; one of them may have been right. */
static void learn_use(struct ittage *ittage, struct jump_entry *provider, bool was_new,
		      bool was_right, bool cell_right)
{
	if (was_right && provider->useful < JUMP_MAX_USEFUL)
		provider->useful++;
	else if (!was_right && provider->useful > 0)
		provider->useful--;
	if (!was_new)
		return;
	if (was_right && ittage->alternative > ALTERNATIVE_MIN)
		ittage->alternative--;
	else if (cell_right && ittage->alternative < ALTERNATIVE_MAX)
		ittage->alternative++;
}

/* -- the whole ------------------------------------------------------------------------------ */

static void cell_learn(struct jump_cell *cell, uint64_t target)
{
	if (cell->target == target)
		cell->confidence = (uint16_t)(cell->confidence + (cell->confidence < JUMP_SURE));
	else if (cell->confidence > 0)
		cell->confidence--;
	else
		cell->target = target;
	cell->bits = ittage_bits(target);
	cell->expected = cell->credit == 0 && cell->confidence == JUMP_SURE ? cell->target
									    : JUMP_NOWHERE;
}

static void cell_raise_credit(struct jump_cell *cell, uint16_t credit)
{
	if (cell->credit < credit)
		cell->credit = credit;
}

/* With credit.  Returns whether the prediction was wrong. */
static ALWAYS_INLINED bool predict_by_tables(struct ittage *ittage,
					     const struct branch_history *history,
					     const struct branch_place *place, uint64_t target)
{
	struct jump_cell *cell = place->jump;
	const bool cell_wrong = cell->target != target;
	unsigned table;
	struct jump_entry *provider =
		find_provider(ittage, history, place->key, cell->made, &table);
	bool wrong = cell_wrong;

	if (provider != NULL) {
		const bool provider_wrong = provider->target != target;
		const bool was_new = provider->confidence == 0 && provider->useful == 0;

		if (!was_new || ittage->alternative < 0)
			wrong = provider_wrong;
		if (provider->target != cell->target)
			learn_use(ittage, provider, was_new, !provider_wrong, !cell_wrong);
		entry_learn(provider, target);
		if (wrong && provider_wrong)
			allocate(ittage, history, place, table + 1, target);
		if (cell_wrong)
			cell_raise_credit(cell,
					  provider_wrong ? JUMP_FRESH_CREDIT : JUMP_PROVEN_CREDIT);
	} else if (cell_wrong) {
		allocate(ittage, history, place, 0, target);
		cell_raise_credit(cell, JUMP_FRESH_CREDIT);
	}
	return wrong;
}

bool ittage_predict(struct ittage *ittage, struct branch_history *history,
		    struct branch_place *place, uint64_t target)
{
	struct jump_cell *cell = place->jump;
	const bool cell_wrong = cell->target != target;
	bool wrong = cell_wrong;

	if (cell->credit != 0) {
		history_settle(history);
		wrong = predict_by_tables(ittage, history, place, target);
		if (!cell_wrong && cell->confidence == JUMP_SURE) {
			cell->credit--;
			if (cell->credit == 0)
				cell->made = 0;
		}
	} else if (cell_wrong) {
		history_settle(history);
		allocate(ittage, history, place, 0, target);
		cell_raise_credit(cell, JUMP_FRESH_CREDIT);
	}
	cell_learn(cell, target);
	return wrong;
}
