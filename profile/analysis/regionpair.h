/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions (profile/common/region.h) of a profile, summed over its parts, or of two profiles side by side, by name. */
#ifndef PROFILE_ANALYSIS_REGIONPAIR_H
#define PROFILE_ANALYSIS_REGIONPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/difference.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"

/* How to have regions, for profiles without any. */
#define REGIONPAIR_MISSING                                                               \
 "a program names them with COSTGRIND_REGION_BEGIN(name) and COSTGRIND_REGION_END(name)" \
 " of costgrind.h"

/* A region in one profile. */
struct region_side {
	uint64_t times, threads; /* as in struct part_region */
	bool is_there;           /* else all of this is 0 */
	bool is_open;
	const uint64_t *costs; /* inclusive; never NULL */
};

/* Names and costs are the arena's. */
struct region_pair {
	const char *name;
	struct region_side old_side, new_side;
};

struct region_pairs {
	struct region_pair *
		all; /* in NEW's order (struct regions), then those that are only in OLD, in its order */
	size_t n;
};

/* True if some part of a model has a region. */
bool regionpairs_are_in(const struct model *model);

/*
 * The regions of one finished model, as NEW; costs are by its events.  Returns PROFILE_OK, or PROFILE_RANGE
 * if a sum is beyond 64 bits.
 */
int regionpairs_of_model(struct region_pairs *pairs, const struct model *model,
			 struct arena *arena);

/* The regions of both models of a difference, by its events; NEW is scaled as the difference is.  Returns the same. */
int regionpairs_of_difference(struct region_pairs *pairs, const struct difference *difference,
			      struct arena *arena);

#endif
