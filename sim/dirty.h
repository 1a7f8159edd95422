/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines of a cache (sim/cache.h) are dirty: written to, and not written back yet.  A flag for
 * each line, found by the cache's slots, so that it stays with its line however a policy moves that about.
 *
 * All functions take a cache without flags too, in which no line is dirty.
 */
#ifndef SIM_DIRTY_H
#define SIM_DIRTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/cache.h"

/* Invariant: of a set that begins with way i, the flag of slot s is flags[i + s]. */
struct dirty_lines {
	bool *flags; /* NULL: it has none */
};

/* Bytes of memory that dirty_init() needs, a multiple of 64. */
size_t dirty_memory_size(const struct cache_config *config);

/* Gives an empty cache of that shape flags, in the caller's memory, all zero, aligned to 8, and slots. */
void dirty_init(struct dirty_lines *dirty, struct cache *cache, const struct cache_config *config,
		void *memory);

/* As cache_touch_line(); a line that comes is clean.  *was_dirty is whether the evicted one was dirty. */
struct cache_touched dirty_touch(const struct dirty_lines *dirty, struct cache *cache,
				 uint64_t address, bool *was_dirty);

/* As cache_take(); *was_dirty is whether the line was there and dirty. */
bool dirty_take(const struct dirty_lines *dirty, struct cache *cache, uint64_t address,
		bool *was_dirty);

/* The line in a way, an index as in struct cache_touched, is dirty now; nothing without flags. */
void dirty_mark(const struct dirty_lines *dirty, const struct cache *cache, size_t way);

#endif
