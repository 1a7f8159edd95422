/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two policies to try caches with: one that keeps an order, and one that keeps bits. */
#ifndef TESTS_SIM_TEST_POLICIES_H
#define TESTS_SIM_TEST_POLICIES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/policy.h"

/* First in, first out, by the order of the ways. */
static inline void test_ignore(const struct policy_set *set, uint32_t way)
{
	(void)set;
	(void)way;
}

static inline void test_to_front(const struct policy_set *set, uint32_t way)
{
	policy_to_front(set, way);
}

static inline uint32_t test_last_to_front(const struct policy_set *set)
{
	policy_to_front(set, set->assoc - 1);
	return 0;
}

static const struct policy test_fifo = {
	.name = "fifo",
	.hit = test_ignore,
	.miss = test_last_to_front,
};

/*
 * Bit-PLRU: a bit for each way, set at each touch; when all would be set, only
 * this touch's is.  The victim is the first way without it.
 */
static inline bool test_bit(const struct policy_set *set, uint32_t way)
{
	return set->bits[way / 64] >> way % 64 & 1;
}

static inline void test_mark(const struct policy_set *set, uint32_t way)
{
	uint32_t n = 0;

	set->bits[way / 64] |= UINT64_C(1) << way % 64;
	for (uint32_t i = 0; i < set->assoc; i++)
		n += test_bit(set, i);
	if (n < set->assoc)
		return;
	for (uint32_t i = 0; i < set->assoc; i++)
		set->bits[i / 64] &= ~(UINT64_C(1) << i % 64);
	set->bits[way / 64] |= UINT64_C(1) << way % 64;
}

static inline uint32_t test_unmarked(const struct policy_set *set)
{
	uint32_t way = policy_first_empty(set);

	if (way == set->assoc) {
		way = 0;
		while (way < set->assoc - 1 && test_bit(set, way))
			way++;
	}
	test_mark(set, way);
	return way;
}

static const struct policy test_bit_plru = {
	.name = "bit-plru",
	.bits = 1,
	.hit = test_mark,
	.miss = test_unmarked,
};

#endif
