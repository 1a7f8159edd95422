/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/machines/machinecosts.h"

/* How a cost that the text does not say is found; it may depend on those before it. */
static const struct cost_rule {
	uint32_t cycles;      /* a constant */
	uint32_t times_above; /* ... or a multiple of the level above */
	enum machine_cost as; /* ... or the same as this cost, if is_as */
	bool is_as;
	bool has_default; /* docs/MACHINES.md documents the default, so using it needs no mention */
} rules[N_MACHINE_COSTS] = {
	[COST_L1D] = { .cycles = 4 },
	[COST_L2] = { .times_above = 3 },
	[COST_L3] = { .times_above = 3 },
	[COST_L4] = { .times_above = 3 },
	[COST_MEMORY] = { .times_above = 6 },
	[COST_MISPREDICT] = { .cycles = 15 },
	[COST_STLB] = { .cycles = 8 },
	[COST_WALK] = { .cycles = 25 },
	[COST_FORWARD] = { .cycles = 5, .has_default = true },
	[COST_STREAM] = { .cycles = 12, .has_default = true },
	[COST_TRANSFER] = { .is_as = true, .as = COST_STREAM, .has_default = true },
	[COST_JUMP] = { .cycles = 1, .has_default = true },
	[COST_BTB] = { .cycles = 0, .has_default = true },
	[COST_RENAMED] = { .is_as = true, .as = COST_FORWARD, .has_default = true },
	[COST_CALL] = { .cycles = 0, .has_default = true }, /* as a jump */
	[COST_CORE] = { .times_above = 2, .has_default = true },
};

static const enum machinefile_kind amounts[N_AMOUNTS] = {
	[AMOUNT_WIDTH] = MACHINE_WIDTH,
	[AMOUNT_ROB] = MACHINE_ROB,
	[AMOUNT_FETCH] = MACHINE_FETCH,
	[AMOUNT_MISSES] = MACHINE_MISSES,
};

static void read_amounts(struct machinecosts *costs, const struct machinefile *file)
{
	for (unsigned amount = 0; amount < N_AMOUNTS; amount++) {
		const enum machinefile_kind kind = amounts[amount];
		const struct machinefile_item *item = machinefile_find(file, kind);

		costs->amounts[amount] = machinefile_rows[kind].fields[MACHINE_AMOUNT].usual;
		if (item == NULL)
			continue;
		costs->amounts[amount] = (uint32_t)item->values[MACHINE_AMOUNT];
		costs->amounts_said |= 1U << amount;
		if ((item->assumed & 1U << MACHINE_AMOUNT) != 0)
			costs->amounts_assumed |= 1U << amount;
		if (kind == MACHINE_MISSES)
			costs->misses_set = (uint32_t)item->values[MISSES_SET];
		if (kind == MACHINE_WIDTH)
			costs->decoded = (uint32_t)item->values[WIDTH_DECODED];
	}
}

/* Roofs bound what a level can deliver.  Assumed ones are nominal bus widths, which no program reaches. */
static void read_roofs(struct machinecosts *costs, const struct machinefile *file)
{
	for (size_t i = 0; i < file->n_items; i++) {
		const struct machinefile_item *item = &file->items[i];

		if (item->kind == MACHINE_ROOF && item->assumed == 0)
			costs->streamed[item->values[ROOF_OF]] =
				(uint32_t)item->values[ROOF_AMOUNT];
	}
}

static void read_said(struct machinecosts *costs, const struct machinefile *file)
{
	for (size_t i = 0; i < file->n_items; i++) {
		const struct machinefile_item *item = &file->items[i];
		uint64_t of;

		if (item->kind != MACHINE_COST)
			continue;
		of = item->values[COST_OF];
		costs->cycles[of] = (uint32_t)item->values[COST_CYCLES];
		costs->said |= 1U << of;
		if (item->assumed != 0)
			costs->assumed |= 1U << of;
	}
}

/* False for costs of levels of caches and TLBs that the machine does not have. */
static bool is_there(const struct machinefile *file, enum machine_cost of)
{
	if (of >= COST_L2 && of <= COST_L4)
		return machinefile_find(file, (enum machinefile_kind)(MACHINE_L1D + of)) != NULL;
	return of != COST_STLB || machinefile_find(file, MACHINE_STLB) != NULL;
}

static void complete(struct machinecosts *costs, const struct machinefile *file)
{
	uint32_t above = 0;

	for (enum machine_cost of = 0; of < N_MACHINE_COSTS; of++) {
		const struct cost_rule *rule = &rules[of];
		const uint32_t usual = rule->is_as             ? costs->cycles[rule->as]
				       : rule->times_above > 0 ? rule->times_above * above
							       : rule->cycles;

		if (!is_there(file, of)) {
			if (of == COST_STLB)
				costs->cycles[of] = usual; /* never charged */
			continue;
		}
		costs->has |= 1U << of;
		if ((costs->said & 1U << of) == 0)
			costs->cycles[of] = usual;
		if (rule->has_default && costs->cycles[of] == usual)
			costs->usual |= 1U << of;
		if (of <= COST_L4)
			above = costs->cycles[of];
	}
}

void machinecosts_read(struct machinecosts *costs, const struct machinefile *file)
{
	const struct machinefile_item *core = machinefile_find(file, MACHINE_CORE);
	const struct machinefile_item *targets = machinefile_find(file, MACHINE_BTB);

	*costs = (struct machinecosts){ .core = NULL };
	if (core != NULL)
		costs->core = machinefile_word(MACHINE_CORE, CORE_NAME, core->values[CORE_NAME]);
	read_amounts(costs, file);
	read_said(costs, file);
	read_roofs(costs, file);
	complete(costs, file);
	/* If its misses cost nothing, the first level does not matter. */
	if (targets != NULL && costs->cycles[COST_BTB] != 0)
		costs->near_targets = (uint32_t)targets->values[BTB_FIRST];
}

static void put_comma(struct phrase *phrase)
{
	if (phrase->len > 0)
		phrase_text(phrase, ", ");
}

static void put_amount(const struct machinecosts *costs, unsigned amount, struct phrase *phrase)
{
	put_comma(phrase);
	phrase_text(phrase, machinefile_rows[amounts[amount]].keyword);
	phrase_char(phrase, ' ');
	phrase_number(phrase, costs->amounts[amount]);
}

static void put_cost(const struct machinecosts *costs, unsigned of, struct phrase *phrase)
{
	phrase_text(phrase, machinefile_word(MACHINE_COST, COST_OF, of));
	phrase_char(phrase, ' ');
	phrase_number(phrase, costs->cycles[of]);
}

bool machinecosts_put_unsaid(const struct machinecosts *costs, struct phrase *phrase)
{
	const uint32_t unsaid = costs->has & ~costs->said;
	const size_t before = phrase->len;

	for (unsigned amount = 0; amount < N_AMOUNTS; amount++)
		if ((costs->amounts_said & 1U << amount) == 0)
			put_amount(costs, amount, phrase);
	for (unsigned of = 0; of < N_MACHINE_COSTS; of++)
		if ((unsaid & 1U << of) != 0 && !rules[of].has_default) {
			put_comma(phrase);
			phrase_text(phrase, "cost ");
			put_cost(costs, of, phrase);
		}
	return phrase->len > before;
}

static void put_assumed(struct phrase *phrase, uint32_t said, uint32_t assumed, unsigned bit)
{
	if ((said & 1U << bit) == 0 || (assumed & 1U << bit) != 0)
		phrase_text(phrase, " (assumed)");
}

/* What other cores serve costs nothing in a run that simulates one core. */
void machinecosts_put(const struct machinecosts *costs, struct phrase *phrase)
{
	phrase_text(phrase, costs->core);
	for (unsigned amount = 0; amount < N_AMOUNTS; amount++) {
		put_amount(costs, amount, phrase);
		put_assumed(phrase, costs->amounts_said, costs->amounts_assumed, amount);
	}
	if (costs->decoded != 0) {
		phrase_text(phrase, ", decoded ");
		phrase_number(phrase, costs->decoded);
	}
	if (costs->misses_set != 0) {
		phrase_text(phrase, ", set ");
		phrase_number(phrase, costs->misses_set);
	}
	if (costs->near_targets != 0) {
		phrase_text(phrase, ", btb first ");
		phrase_number(phrase, costs->near_targets);
	}
	for (unsigned of = 0; of < N_MACHINE_COSTS; of++)
		if ((costs->has & ~costs->usual & 1U << of) != 0 && of != COST_CORE) {
			phrase_text(phrase, of == 0 ? "; cycles of " : ", ");
			put_cost(costs, of, phrase);
			if ((!rules[of].has_default && (costs->said & 1U << of) == 0) ||
			    (costs->assumed & 1U << of) != 0)
				phrase_text(phrase, " (assumed)");
		}
	for (unsigned of = ROOF_L2; of <= ROOF_L4; of++)
		if (costs->streamed[of] != 0) {
			put_comma(phrase);
			phrase_text(phrase, machinefile_word(MACHINE_ROOF, ROOF_OF, of));
			phrase_char(phrase, ' ');
			phrase_number(phrase, costs->streamed[of]);
			phrase_text(phrase, " bytes");
		}
}
