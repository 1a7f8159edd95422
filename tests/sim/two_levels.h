/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three caches of Cachegrind's machine, and its outcomes, for tables in tests. */
#ifndef TESTS_SIM_TWO_LEVELS_H
#define TESTS_SIM_TWO_LEVELS_H

#include "sim/lower.h"

/* The level that served a reference. */
enum {
	HIT,
	LL_HIT,
	MEMORY,
	TWO_LEVELS_OUTCOMES,
};

struct two_levels {
	struct cache_geometry i1, d1, ll;
};

static inline struct hierarchy_config two_levels(const struct two_levels *caches)
{
	return hierarchy_two_levels(caches->i1, caches->d1, caches->ll);
}

#endif
