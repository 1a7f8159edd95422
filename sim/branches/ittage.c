/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/branches/ittage.h"

#include "sim/basics.h"
#include "sim/branches/predictor.h"

const struct ittage_size ittage_8k = {
	.log2_cells = 9,
	.tagged = { .log2_entries = 7,
		    .tag_bits = 10,
		    .lengths = { 0, 4, 8, 16, 40 },
		    .ticks = 256 },
};

const struct ittage_size ittage_64k = {
	.log2_cells = 11,
	.tagged = { .log2_entries = 9,
		    .tag_bits = 12,
		    .lengths = { 0, 4, 12, 24, 56 },
		    .ticks = 256 },
};

/* The cells, then the targets of entries, the entries. */
static size_t cells_size(const struct ittage_size *size)
{
	return sizeof(struct jump_cell) << size->log2_cells;
}

static size_t targets_size(const struct ittage_size *size)
{
	return tagged_count(&size->tagged) * sizeof(uint64_t);
}

size_t ittage_memory(const struct ittage_size *size)
{
	return cells_size(size) + targets_size(size) +
	       tagged_count(&size->tagged) * sizeof(struct tagged_entry);
}

void ittage_init(struct ittage *ittage, const struct ittage_size *size, void *memory)
{
	uint8_t *targets = (uint8_t *)memory + cells_size(size);

	*ittage = (struct ittage){ .size = size, .cells = memory, .targets = (void *)targets };
	tagged_init(&ittage->tagged, &size->tagged, (void *)(targets + targets_size(size)));
	for (size_t i = 0; i < (size_t)1 << size->log2_cells; i++)
		ittage->cells[i].expected = JUMP_NOWHERE;
}

/* -- entries of tagged tables ---------------------------------------------------------------- */

static uint64_t *target_of(const struct ittage *ittage, const struct tagged_entry *entry)
{
	return &ittage->targets[entry - ittage->tagged.entries];
}

static void entry_learn(struct tagged_entry *entry, uint64_t *own, uint64_t target)
{
	if (*own == target)
		entry->counter = (uint8_t)(entry->counter + (entry->counter < JUMP_SURE));
	else if (entry->counter > 0)
		entry->counter--;
	else
		*own = target;
}

/* Makes an entry for a target, without confidence, in table number first or a later one. */
static void allocate(struct ittage *ittage, const struct tagged_probe *probe,
		     struct jump_cell *cell, unsigned first, uint64_t target)
{
	const struct tagged_entry *entry =
		tagged_make(&ittage->tagged, probe, first, 0, &cell->made);

	if (entry != NULL)
		*target_of(ittage, entry) = target;
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

/* With credit.  True if the prediction was wrong. */
static ALWAYS_INLINED bool predict_by_tables(struct ittage *ittage,
					     const struct tagged_probe *probe,
					     struct jump_cell *cell, uint64_t target)
{
	struct tagged *tagged = &ittage->tagged;
	const bool cell_wrong = cell->target != target;
	bool wrong = cell_wrong;

	if (probe->found != 0) {
		const unsigned table = 31 - (unsigned)__builtin_clz(probe->found);
		struct tagged_entry *provider = tagged_at(tagged, table, probe->hashes[table]);
		uint64_t *own = target_of(ittage, provider);
		const bool provider_wrong = *own != target;
		const bool was_new = provider->counter == 0 && provider->useful == 0;

		if (!was_new || tagged->alternative < 0)
			wrong = provider_wrong;
		if (*own != cell->target)
			tagged_learn_use(tagged, provider, was_new, !provider_wrong, !cell_wrong);
		entry_learn(provider, own, target);
		if (wrong && provider_wrong)
			allocate(ittage, probe, cell, table + 1, target);
		if (cell_wrong)
			cell_raise_credit(cell,
					  provider_wrong ? JUMP_FRESH_CREDIT : JUMP_PROVEN_CREDIT);
	} else if (cell_wrong) {
		allocate(ittage, probe, cell, 0, target);
		cell_raise_credit(cell, JUMP_FRESH_CREDIT);
	}
	return wrong;
}

bool ittage_predict(struct ittage *ittage, struct branch_history *history,
		    struct branch_place *place, uint64_t target)
{
	struct jump_cell *cell = place->jump;
	const bool cell_wrong = cell->target != target;
	struct tagged_probe probe;
	bool wrong = cell_wrong;

	if (cell->credit != 0 || cell_wrong)
		tagged_ask(&ittage->tagged, history, place->key, cell->made, &probe);
	if (cell->credit != 0) {
		wrong = predict_by_tables(ittage, &probe, cell, target);
		if (!ittage->is_exact && !cell_wrong && cell->confidence == JUMP_SURE) {
			cell->credit--;
			if (cell->credit == 0)
				cell->made = 0;
		}
	} else if (cell_wrong) {
		allocate(ittage, &probe, cell, 0, target);
		cell_raise_credit(cell, JUMP_FRESH_CREDIT);
	}
	cell_learn(cell, target);
	return wrong;
}
