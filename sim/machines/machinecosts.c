/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/machines/machinecosts.h"

/* Costs that docs/MACHINES.md has a default of; the others are what machines are told apart by. */
#define WITH_DEFAULT                                                               \
 (1U << COST_FORWARD | 1U << COST_STREAM | 1U << COST_TRANSFER | 1U << COST_JUMP | \
  1U << COST_BTB | 1U << COST_RENAMED | 1U << COST_CALL)

enum {
	DEFAULT_L1D = 4,
	DEFAULT_FARTHER = 3,        /* a level, as times the one above */
	DEFAULT_MEMORY_FARTHER = 6, /* likewise */
	DEFAULT_MISPREDICT = 15,
	DEFAULT_STLB = 8,
	DEFAULT_WALK = 25,
	DEFAULT_FORWARD = 5,
	DEFAULT_STREAM = 12,
	DEFAULT_JUMP = 1,
};

static const struct {
	enum machinefile_kind kind;
	uint32_t instead;
} amounts[N_AMOUNTS] = {
	[AMOUNT_WIDTH] = { MACHINE_WIDTH, 4 },
	[AMOUNT_ROB] = { MACHINE_ROB, 224 },
	[AMOUNT_FETCH] = { MACHINE_FETCH, 32 },
	/* The smallest that processors of the last ten years have had. */
	[AMOUNT_MISSES] = { MACHINE_MISSES, 12 },
};

static void read_amounts(struct machinecosts *costs, const struct machinefile *file)
{
	for (unsigned amount = 0; amount < N_AMOUNTS; amount++) {
		const struct machinefile_item *item = machinefile_find(file, amounts[amount].kind);

		costs->amounts[amount] = amounts[amount].instead;
		if (item == NULL)
			continue;
		costs->amounts[amount] = (uint32_t)item->values[MACHINE_AMOUNT];
		costs->amounts_said |= 1U << amount;
		if ((item->assumed & 1U << MACHINE_AMOUNT) != 0)
			costs->amounts_assumed |= 1U << amount;
		if (item->kind == MACHINE_MISSES)
			costs->misses_set = (uint32_t)item->values[MISSES_SET];
		if (item->kind == MACHINE_WIDTH)
			costs->decoded = (uint32_t)item->values[WIDTH_DECODED];
	}
}

/* Roofs are the most that a level can give; those that are assumed, of a vendor's bus, no program has ever had. */
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

/* A cost that there is; its number, if the text does not say it. */
static void complete(struct machinecosts *costs, enum machine_cost of, uint32_t instead)
{
	costs->has |= 1U << of;
	if ((costs->said & 1U << of) == 0)
		costs->cycles[of] = instead;
	if ((WITH_DEFAULT & 1U << of) != 0 && costs->cycles[of] == instead)
		costs->usual |= 1U << of;
}

static void complete_all(struct machinecosts *costs, const struct machinefile *file)
{
	uint32_t above;

	complete(costs, COST_L1D, DEFAULT_L1D);
	above = costs->cycles[COST_L1D];
	for (unsigned of = COST_L2; of <= COST_L4; of++)
		if (machinefile_find(file, (enum machinefile_kind)(MACHINE_L1D + of)) != NULL) {
			complete(costs, (enum machine_cost)of, DEFAULT_FARTHER * above);
			above = costs->cycles[of];
		}
	complete(costs, COST_MEMORY, DEFAULT_MEMORY_FARTHER * above);
	complete(costs, COST_MISPREDICT, DEFAULT_MISPREDICT);
	if (machinefile_find(file, MACHINE_STLB) != NULL)
		complete(costs, COST_STLB, DEFAULT_STLB);
	else
		costs->cycles[COST_STLB] = DEFAULT_STLB; /* nothing is of it */
	complete(costs, COST_WALK, DEFAULT_WALK);
	complete(costs, COST_FORWARD, DEFAULT_FORWARD);
	complete(costs, COST_STREAM, DEFAULT_STREAM);
	complete(costs, COST_TRANSFER, costs->cycles[COST_STREAM]);
	complete(costs, COST_JUMP, DEFAULT_JUMP);
	complete(costs, COST_BTB, 0);
	complete(costs, COST_RENAMED, costs->cycles[COST_FORWARD]);
	complete(costs, COST_CALL, 0); /* as a jump */
}

void machinecosts_read(struct machinecosts *costs, const struct machinefile *file)
{
	const struct machinefile_item *core = machinefile_find(file, MACHINE_CORE);
	const struct machinefile_item *targets = machinefile_find(file, MACHINE_BTB);

	*costs = (struct machinecosts){ .core = NULL };
	if (core != NULL)
		costs->core = machinefile_rows[MACHINE_CORE]
				      .fields[CORE_NAME]
				      .words[core->values[CORE_NAME]];
	read_amounts(costs, file);
	read_said(costs, file);
	read_roofs(costs, file);
	complete_all(costs, file);
	/* A first level that costs nothing when it does not know is none. */
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
	phrase_text(phrase, machinefile_rows[amounts[amount].kind].keyword);
	phrase_char(phrase, ' ');
	phrase_number(phrase, costs->amounts[amount]);
}

static void put_cost(const struct machinecosts *costs, unsigned of, struct phrase *phrase)
{
	phrase_text(phrase, machinefile_rows[MACHINE_COST].fields[COST_OF].words[of]);
	phrase_char(phrase, ' ');
	phrase_number(phrase, costs->cycles[of]);
}

bool machinecosts_put_unsaid(const struct machinecosts *costs, struct phrase *phrase)
{
	const uint32_t unsaid = costs->has & ~costs->said & ~WITH_DEFAULT;
	const size_t before = phrase->len;

	for (unsigned amount = 0; amount < N_AMOUNTS; amount++)
		if ((costs->amounts_said & 1U << amount) == 0)
			put_amount(costs, amount, phrase);
	for (unsigned of = 0; of < N_MACHINE_COSTS; of++)
		if ((unsaid & 1U << of) != 0) {
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
		if ((costs->has & ~costs->usual & 1U << of) != 0) {
			phrase_text(phrase, of == 0 ? "; cycles of " : ", ");
			put_cost(costs, of, phrase);
			put_assumed(phrase, costs->said | WITH_DEFAULT, costs->assumed, of);
		}
	for (unsigned of = ROOF_L2; of <= ROOF_L4; of++)
		if (costs->streamed[of] != 0) {
			put_comma(phrase);
			phrase_text(phrase,
				    machinefile_rows[MACHINE_ROOF].fields[ROOF_OF].words[of]);
			phrase_char(phrase, ' ');
			phrase_number(phrase, costs->streamed[of]);
			phrase_text(phrase, " bytes");
		}
}
