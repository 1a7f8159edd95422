/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fully associative LRU cache beside one of a level: it sees the references that this one sees. */
#ifndef SIM_MISSES_FULLLEVEL_H
#define SIM_MISSES_FULLLEVEL_H

#include <stdint.h>

#include "sim/cache.h"
#include "sim/misses/curvetally.h"
#include "sim/misses/fullcache.h"
#include "sim/misses/memory.h"
#include "sim/misses/seen.h"
#include "sim/range.h"

struct full_level {
	struct fullcache cache;
	struct seen seen;
	struct curve_tally *tally; /* of all references to it, or NULL; its user's */
};

/* Of the size of a cache, in lines. */
void fulllevel_init(struct full_level *level, const struct cache_config *config,
		    const struct misses_memory *memory);

void fulllevel_release(struct full_level *level);

/* References size bytes (1 or more) at address, whose end may wrap around; returns bits FULL_... */
uint32_t fulllevel_refer(struct full_level *level, uint64_t address, uint64_t size);

/* Lines that have a byte in the range are taken out, and are as if they had never been asked for. */
void fulllevel_evict(struct full_level *level, struct address_range range);

#endif
