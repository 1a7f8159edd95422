/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The oldest way of a set whose stamps lie side by side. */
#ifndef SIM_OLDEST_H
#define SIM_OLDEST_H

#include <stddef.h>
#include <stdint.h>

/* A way, and its stamp. */
struct oldest_candidate {
	uint64_t stamp;
	size_t way;
};

/* Without a branch, whatever the compiler thinks of it: which one it is cannot be predicted. */
static inline __attribute__((always_inline)) struct oldest_candidate
oldest_of_two(struct oldest_candidate a, struct oldest_candidate b)
{
	size_t is_b = -(size_t)(b.stamp < a.stamp);

	return (struct oldest_candidate){
		.stamp = b.stamp < a.stamp ? b.stamp : a.stamp,
		.way = a.way ^ ((a.way ^ b.way) & is_b),
	};
}

/* Of four ways, from one on. */
static inline __attribute__((always_inline)) struct oldest_candidate
oldest_of_four(const uint64_t *stamps, size_t way)
{
	struct oldest_candidate ways[4];

	for (size_t i = 0; i < 4; i++)
		ways[i] = (struct oldest_candidate){ stamps[way + i], way + i };
	return oldest_of_two(oldest_of_two(ways[0], ways[1]), oldest_of_two(ways[2], ways[3]));
}

/*
 * The way with the smallest stamp: an empty one, or the least recently used.  Of equal
 * stamps, which only empty ways have, any will do.  Of eight or twelve ways, if the compiler knows
 * that, pairs are compared, then pairs of pairs, so that the processor has several comparisons under way.
 */
static inline __attribute__((always_inline)) size_t oldest(const uint64_t *stamps, size_t assoc)
{
	struct oldest_candidate least = { stamps[0], 0 };

	if (assoc == 8)
		return oldest_of_two(oldest_of_four(stamps, 0), oldest_of_four(stamps, 4)).way;
	if (assoc == 12) {
		least = oldest_of_two(oldest_of_four(stamps, 0), oldest_of_four(stamps, 4));
		return oldest_of_two(least, oldest_of_four(stamps, 8)).way;
	}
	for (size_t way = 1; way < assoc; way++)
		least = oldest_of_two(least, (struct oldest_candidate){ stamps[way], way });
	return least.way;
}

#endif
