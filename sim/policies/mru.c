/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bit-PLRU, called MRU where processors are measured: a bit for each way, set when the way is
 * touched.  If that was the last one without it, all others lose theirs.  The victim
 * is the first way without.
 *
 * Nehalem's last level has it; Sandy Bridge's a variant, here mru_n, that notes
 * nothing as long as a way of the set is empty (Abel and Reineke, sim/policy.h).
 */
#include "sim/policy.h"

/* Bits of the word'th word that belong to ways. */
static uint64_t ways_of(const struct policy_set *set, uint32_t word)
{
	uint32_t left = set->assoc - word * POLICY_BITS_PER_WORD;

	return left < POLICY_BITS_PER_WORD ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
}

static uint32_t words(const struct policy_set *set)
{
	return (set->assoc + POLICY_BITS_PER_WORD - 1) / POLICY_BITS_PER_WORD;
}

/* The first way without the bit, assoc if all have it. */
static uint32_t first_unmarked(const struct policy_set *set)
{
	for (uint32_t i = 0; i < words(set); i++) {
		uint64_t unmarked = ~set->bits[i] & ways_of(set, i);

		if (unmarked != 0)
			return i * POLICY_BITS_PER_WORD + (uint32_t)__builtin_ctzll(unmarked);
	}
	return set->assoc;
}

static void mark(const struct policy_set *set, uint32_t way)
{
	uint64_t *word = &set->bits[way / POLICY_BITS_PER_WORD];
	uint64_t bit = UINT64_C(1) << way % POLICY_BITS_PER_WORD;

	*word |= bit;
	if (first_unmarked(set) < set->assoc)
		return;
	for (uint32_t i = 0; i < words(set); i++)
		set->bits[i] = 0;
	*word = bit;
}

/* Of a full set. */
static uint32_t victim(const struct policy_set *set)
{
	uint32_t way = first_unmarked(set);

	/* All have it if there is only one. */
	return way < set->assoc ? way : 0;
}

static uint32_t miss(const struct policy_set *set)
{
	uint32_t way = policy_first_empty(set);

	if (way == set->assoc)
		way = victim(set);
	mark(set, way);
	return way;
}

static void hit_if_full(const struct policy_set *set, uint32_t way)
{
	if (policy_first_empty(set) == set->assoc)
		mark(set, way);
}

static uint32_t miss_if_full(const struct policy_set *set)
{
	uint32_t way = policy_first_empty(set);

	if (way < set->assoc)
		return way;
	way = victim(set);
	mark(set, way);
	return way;
}

const struct policy policy_mru = {
	.name = "mru",
	.bits = 1,
	.settles = true,
	.hit = mark,
	.miss = miss,
};
const struct policy policy_mru_n = {
	.name = "mru_n",
	.bits = 1,
	.hit = hit_if_full,
	.miss = miss_if_full,
};
