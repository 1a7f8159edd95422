/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of some ways has the smallest stamp: the search of each miss in a first level (sim/machine.c). */
#ifndef SIM_OLDEST_H
#define SIM_OLDEST_H

#include <stddef.h>
#include <stdint.h>

#include "sim/inlining.h"

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

#endif
