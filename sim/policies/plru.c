/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tree-PLRU.  The ways of a set are the leaves of a binary tree, each node of which has a bit:
 * the side that the victim is on, 1 for the right one.  A touch has the bits on its path
 * point away from it.
 *
 *	            1			touch way 2: node 1 = left, node 3 = right
 *	        /       \
 *	      2           3		a node n has the children 2n and 2n + 1,
 *	    /   \       /   \		and bit n of the set's bits; bit 0 is not used
 *	   0     1     2     3
 *
 * LRU3PLRU4, of 12 ways, has three such trees of four, and takes the victim from the tree
 * that was used longest ago: Ice Lake's first level of data (uops.info/cache.html).
 */
#include "sim/policy.h"

static void point_away(uint64_t *bits, uint32_t assoc, uint32_t way)
{
	/* From the leaf up: the leaves are nodes, too. */
	for (uint32_t node = assoc + way; node > 1; node /= 2) {
		uint32_t parent = node / 2;
		uint64_t *word = &bits[parent / POLICY_BITS_PER_WORD];
		uint64_t bit = UINT64_C(1) << parent % POLICY_BITS_PER_WORD;

		*word = node % 2 == 0 ? *word | bit : *word & ~bit;
	}
}

static uint32_t pointed_at(const uint64_t *bits, uint32_t assoc)
{
	uint32_t node = 1;

	while (node < assoc)
		node = 2 * node +
		       (uint32_t)(bits[node / POLICY_BITS_PER_WORD] >> node % POLICY_BITS_PER_WORD &
				  1);
	return node - assoc;
}

static void touch(const struct policy_set *set, uint32_t way)
{
	point_away(set->bits, set->assoc, way);
}

static uint32_t miss(const struct policy_set *set)
{
	uint32_t way = policy_first_empty(set);

	if (way == set->assoc)
		way = pointed_at(set->bits, set->assoc);
	touch(set, way);
	return way;
}

static const char *not_a_tree(const struct policy *policy, uint32_t assoc)
{
	(void)policy;
	return (assoc & (assoc - 1)) != 0 ? "needs a power of two of ways" : NULL;
}

const struct policy policy_plru = {
	.name = "plru",
	.bits = 1,
	.settles = true,
	.tree_ways = (uint32_t)POLICY_WHOLE_SET,
	.hit = touch,
	.miss = miss,
	.misfit = not_a_tree,
};

/* --- three trees of four -------------------------------------------------------------- */

enum {
	TREES = 3,
	TREE_WAYS = 4,
	TREE_BITS = 4,              /* one of them not used */
	NEWEST = TREES * TREE_BITS, /* the place of the number of the tree that was used last, */
	SECOND = NEWEST + 2,        /* and the one before; the third one is what is left */
};

static uint64_t tree_bits(uint64_t bits, uint32_t tree)
{
	return bits >> tree * TREE_BITS & ((1 << TREE_BITS) - 1);
}

static uint32_t tree_at(uint64_t bits, uint32_t place)
{
	return bits >> place & 3;
}

static void touch_trees(const struct policy_set *set, uint32_t way)
{
	uint32_t tree = way / TREE_WAYS;
	uint64_t bits = set->bits[0], old = tree_bits(bits, tree), changed = old;
	uint32_t newest = tree_at(bits, NEWEST);

	point_away(&changed, TREE_WAYS, way % TREE_WAYS);
	bits ^= (old ^ changed) << tree * TREE_BITS;
	if (newest != tree) {
		bits &= ~(UINT64_C(15) << NEWEST);
		bits |= (uint64_t)tree << NEWEST | (uint64_t)newest << SECOND;
	}
	set->bits[0] = bits;
}

static uint32_t miss_trees(const struct policy_set *set)
{
	uint32_t way = policy_first_empty(set);

	if (way == set->assoc) {
		uint64_t bits = set->bits[0];
		/* All trees were used by now, so these are two different ones. */
		uint32_t tree = TREES - tree_at(bits, NEWEST) - tree_at(bits, SECOND);
		uint64_t in_tree = tree_bits(bits, tree);

		way = tree * TREE_WAYS + pointed_at(&in_tree, TREE_WAYS);
	}
	touch_trees(set, way);
	return way;
}

static const char *not_three_trees(const struct policy *policy, uint32_t assoc)
{
	(void)policy;
	return assoc != TREES * TREE_WAYS ? "needs 12 ways" : NULL;
}

const struct policy policy_lru3plru4 = {
	.name = "lru3plru4",
	.bits = 2,
	.settles = true,
	.tree_ways = TREE_WAYS,
	.hit = touch_trees,
	.miss = miss_trees,
	.misfit = not_three_trees,
};
