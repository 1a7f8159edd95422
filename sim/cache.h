/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One set-associative cache with exact LRU replacement.
 *
 * A cache knows lines, not references: the hierarchy cuts references into
 * lines.  Reads and writes are alike (write-allocate).  The set of a line is
 * chosen by the low bits of its line number (bit selection), as in Cachegrind.
 *
 * The ways of a set are kept in the order of their last touch, so the victim
 * of a miss is the last one.
 */
#ifndef SIM_CACHE_H
#define SIM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/geometry.h"
#include "sim/range.h"

/*
 * Invariant: the ways of set s are tags[s * assoc .. s * assoc + assoc - 1],
 * most recently touched first.  A tag is the line's address with bit 0 set,
 * which is clear in a line's address; 0 is an empty way (so line 0 and the
 * last line are ordinary lines, and zeroed memory is an empty cache).  Empty
 * ways are the last of their set; no other tag stands twice in a set.
 */
struct cache {
	uint64_t *tags;
	uint64_t set_mask; /* number of sets - 1 */
	uint32_t assoc;
	uint32_t line_bits; /* log2 of the line size in bytes, 4 or more */
};

/* Bytes of memory that cache_init() needs, a multiple of 64; the geometry must be legal. */
size_t cache_memory_size(const struct cache_geometry *geometry);

/*
 * Makes an empty cache in the caller's memory: cache_memory_size() bytes,
 * aligned to 64 (or at least 8), all zero, owned by the caller and not moved
 * while the cache is in use.  The memory is not written before it is needed:
 * a large cache of a small program stays out of the resident set.
 */
void cache_init(struct cache *cache, const struct cache_geometry *geometry, void *memory);

/* Takes lines that have a byte in the range out, those of all sets in turn; the others stay in their order. */
void cache_evict(struct cache *cache, struct address_range range);

/*
 * References the line that holds address: makes it the most recently used of
 * its set, and on a miss brings it in, in the place of the least recently
 * used one.  Returns whether it missed.
 */
bool cache_touch(struct cache *cache, uint64_t address);

/*
 * References size bytes (1 or more) at address: touches each line that they
 * cover, in ascending order; the end may wrap around the top of the address
 * space.  Returns whether any missed.
 */
bool cache_touch_all(struct cache *cache, uint64_t address, uint64_t size);

/* Whether the line that holds address is resident; changes nothing. */
bool cache_contains(const struct cache *cache, uint64_t address);

#endif
