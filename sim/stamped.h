/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Policies whose victim follows from the stamps of the last touches, so that a first level
 * needs nothing else to have them, and a hit is the same store for all of them (sim/machine.h).
 *
 * The ways of a set are the leaves of trees in a row, tree_ways in each (sim/policy.h).  The victim is in the tree
 * that was used longest ago, at the way that tree-PLRU's bits lead to:
 *
 *	LRU		trees of one way
 *	tree-PLRU	one tree, all ways
 *	LRU3PLRU4	three trees of four
 *
 * Each touch below a node has its bit point to the other side (sim/policies/plru.c).  So the bit points to the
 * side with the smaller newest stamp.  What a line that was taken out did to the bits
 * does not matter: a victim is looked for when the set is full, and its way was touched again by then.
 */
#ifndef SIM_STAMPED_H
#define SIM_STAMPED_H

#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"

/* --- the oldest of some ways: what each miss in a first level looks for ------------------ */

/* The associativities that D1 mostly has are worth copies of what a miss does. */
enum { OLDEST_COMMON_ASSOC = 8, OLDEST_LARGE_ASSOC = 12 };

/* A way, and its stamp. */
struct candidate {
	uint64_t stamp;
	size_t way;
};

/* Without a branch, whatever the compiler thinks of it: which one it is cannot be predicted. */
static ALWAYS_INLINED struct candidate older(struct candidate a, struct candidate b)
{
	size_t is_b = -(size_t)(b.stamp < a.stamp);

	return (struct candidate){
		.stamp = b.stamp < a.stamp ? b.stamp : a.stamp,
		.way = a.way ^ ((a.way ^ b.way) & is_b),
	};
}

/* Of two ways. */
static ALWAYS_INLINED struct candidate older_of(const uint64_t *stamps, size_t way, size_t other)
{
	return older((struct candidate){ stamps[way], way },
		     (struct candidate){ stamps[other], other });
}

/*
 * The way with the smallest stamp: the first empty one, or the least recently used.  Only empty
 * ways have equal stamps.  Of eight or twelve ways, if the compiler knows that, pairs are compared, then
 * pairs of pairs, so that the processor has several comparisons under way.
 */
static ALWAYS_INLINED size_t oldest(const uint64_t *stamps, size_t assoc)
{
	struct candidate least = { stamps[0], 0 };

	if (assoc == OLDEST_COMMON_ASSOC)
		return older(older(older_of(stamps, 0, 1), older_of(stamps, 2, 3)),
			     older(older_of(stamps, 4, 5), older_of(stamps, 6, 7)))
			.way;
	if (assoc == OLDEST_LARGE_ASSOC)
		return older(older(older(older_of(stamps, 0, 1), older_of(stamps, 2, 3)),
				   older(older_of(stamps, 4, 5), older_of(stamps, 6, 7))),
			     older(older_of(stamps, 8, 9), older_of(stamps, 10, 11)))
			.way;
	for (size_t way = 1; way < assoc; way++)
		least = older(least, (struct candidate){ stamps[way], way });
	return least.way;
}

/* The same of many ways, by eight. */
static inline size_t oldest_of_many(const uint64_t *stamps, size_t n)
{
	struct candidate least = { stamps[0], 0 };
	size_t way = 0;

	for (; way + OLDEST_COMMON_ASSOC <= n; way += OLDEST_COMMON_ASSOC) {
		size_t of_eight = way + oldest(stamps + way, OLDEST_COMMON_ASSOC);

		least = older(least, (struct candidate){ stamps[of_eight], of_eight });
	}
	for (; way < n; way++)
		least = older(least, (struct candidate){ stamps[way], way });
	return least.way;
}

/* --- victims of other policies ----------------------------------------------------------- */

/* The newest stamp of n ways, 1 or more. */
static ALWAYS_INLINED uint64_t stamped_newest(const uint64_t *stamps, size_t n)
{
	uint64_t newest = stamps[0];

	for (size_t way = 1; way < n; way++)
		newest = stamps[way] > newest ? stamps[way] : newest;
	return newest;
}

/* Where the bits of a tree of n ways, a power of two, lead; all of them have been touched. */
static ALWAYS_INLINED size_t stamped_in_tree(const uint64_t *stamps, size_t n)
{
	size_t first = 0;

	while (n > 1) {
		n /= 2;
		/* Which side it is cannot be predicted: no branch. */
		first += n & -(size_t)(stamped_newest(stamps + first + n, n) <
				       stamped_newest(stamps + first, n));
	}
	return first;
}

/* The tree that was used longest ago: its first way. */
static inline size_t stamped_tree(const uint64_t *stamps, size_t assoc, size_t tree_ways)
{
	struct candidate least = { stamped_newest(stamps, tree_ways), 0 };

	for (size_t first = tree_ways; first < assoc; first += tree_ways)
		least = older(least, (struct candidate){ stamped_newest(stamps + first, tree_ways),
							 first });
	return least.way;
}

/*
 * The way of a set that a line comes into: the first empty one, which has the stamp 0, or the
 * victim's.  Stamps of ways that are not empty differ.  tree_ways: policy_tree_ways(), not 0.
 */
static ALWAYS_INLINED size_t stamped_victim(const uint64_t *stamps, size_t assoc, size_t tree_ways)
{
	size_t way = oldest(stamps, assoc);

	if (tree_ways == 1 || stamps[way] == 0)
		return way;
	way = stamped_tree(stamps, assoc, tree_ways);
	return way + stamped_in_tree(stamps + way, tree_ways);
}

#endif
