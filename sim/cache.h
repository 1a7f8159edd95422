/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One set-associative cache with exact LRU replacement.
 *
 * A cache knows lines, not references: the hierarchy cuts references into
 * lines.  Reads and writes are alike (write-allocate).  The set of a line is
 * chosen by the low bits of its line number (bit selection), as in Cachegrind.
 *
 * Recency is a time stamp per way, given by the caller with each touch; the
 * victim of a miss is the way with the smallest stamp.  That is exact LRU as
 * long as stamps strictly increase within a set, and it lets generated code
 * note a hit with a single store.
 */
#ifndef SIM_CACHE_H
#define SIM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/geometry.h"

/*
 * Invariant: the ways of set s are tags[s * assoc .. s * assoc + assoc - 1],
 * and stamps likewise.  A tag is the line's address, that is its line number
 * << line_bits, so its bit 0 is clear; CACHE_NO_LINE has bit 0 set and so is
 * no line's address (line 0 and the last line are ordinary lines).  No tag
 * but CACHE_NO_LINE stands twice in a set.  An empty way has stamp 0, and
 * stamps given are at least 1.
 */
struct cache {
	uint64_t *tags;
	uint64_t *stamps;
	uint64_t set_mask; /* number of sets - 1 */
	uint32_t assoc;
	uint32_t line_bits; /* log2 of the line size in bytes, 4 or more */
};

#define CACHE_NO_LINE UINT64_C(1)

/* Bytes of memory that cache_init() needs; the geometry must be legal. */
size_t cache_memory_size(const struct cache_geometry *geometry);

/*
 * Makes an empty cache in the caller's memory: cache_memory_size() bytes,
 * aligned to 64 (or at least 8), not initialised, owned by the caller and
 * not moved while the cache is in use.
 */
void cache_init(struct cache *cache, const struct cache_geometry *geometry, void *memory);

/* Forgets all lines. */
void cache_clear(struct cache *cache);

/*
 * References the line that holds address: marks it most recently used, and
 * on a miss brings it in, in the place of the least recently used line of
 * its set.  stamp must be larger than any stamp given before.  Returns
 * whether it missed.
 */
bool cache_touch(struct cache *cache, uint64_t address, uint64_t stamp);

/* Whether the line that holds address is resident; changes nothing. */
bool cache_contains(const struct cache *cache, uint64_t address);

#endif
