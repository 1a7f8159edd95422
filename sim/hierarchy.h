/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulated memory system: I1 and D1 over one unified last level (LL).
 *
 * Rules (Cachegrind's, seeds: Cachegrind manual 5.8): a reference is one
 * access whatever its length.  It touches each line of the first level that
 * it covers, in ascending order, and misses if any of them missed.  Only if
 * it missed there, it touches each LL line that it covers, all of them, and
 * misses LL if any of them missed.  LL is neither inclusive nor exclusive: a
 * line evicted from LL stays in L1.  There are no prefetches, no write-backs
 * and no translation of addresses.
 */
#ifndef SIM_HIERARCHY_H
#define SIM_HIERARCHY_H

#include <stddef.h>
#include <stdint.h>

#include "sim/cache.h"
#include "sim/geometry.h"

struct hierarchy_geometry {
	struct cache_geometry i1, d1, ll;
};

struct hierarchy {
	struct cache i1, d1, ll;
};

/* What a reference did; LL_MISS is only ever set together with L1_MISS. */
enum {
	L1_MISS = 1,
	LL_MISS = 2,
};

/* Bytes of memory that hierarchy_init() needs; all geometries must be legal. */
size_t hierarchy_memory_size(const struct hierarchy_geometry *geometry);

/* Makes empty caches in the caller's memory; ownership as cache_init(). */
void hierarchy_init(struct hierarchy *hierarchy, const struct hierarchy_geometry *geometry,
		    void *memory);

/* Takes lines that have a byte in the range out of all caches. */
void hierarchy_evict(struct hierarchy *hierarchy, struct address_range range);

/*
 * Fetches an instruction of size bytes (1 or more) at address; the end may
 * wrap around the top of the address space.  Returns L1_MISS | LL_MISS bits.
 */
unsigned hierarchy_fetch(struct hierarchy *hierarchy, uint64_t address, uint64_t size);

/* Reads or writes size bytes (1 or more) at address; as hierarchy_fetch(). */
unsigned hierarchy_data(struct hierarchy *hierarchy, uint64_t address, uint64_t size);

#endif
