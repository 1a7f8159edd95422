/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policies that a row's order is enough for. */
#include "sim/policy.h"

const struct policy policy_lru = {
	.name = "lru",
	.settles = true,
	.tree_ways = 1,
	.hit = lru_touch,
	.miss = lru_miss,
};

static void ignore(const struct policy_set *set, uint32_t way)
{
	(void)set;
	(void)way;
}

/* The order is that of coming: what LRU does, but hits do not count. */
const struct policy policy_fifo = {
	.name = "fifo",
	.settles = true,
	.hit = ignore,
	.miss = lru_miss,
};

/* Lines stay where they came, and any of them may go. */
static uint32_t any_way(const struct policy_set *set)
{
	uint32_t way = policy_first_empty(set);

	if (way < set->assoc)
		return way;
	return (uint32_t)((uint64_t)policy_chance(set, set->variant) * set->assoc >> 32);
}

const struct policy policy_random = {
	.name = "random",
	.settles = true,
	.hit = ignore,
	.miss = any_way,
};
