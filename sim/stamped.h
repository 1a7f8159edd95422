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

#include "sim/inlining.h"
#include "sim/oldest.h"

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
