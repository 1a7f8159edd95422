/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set is a row of tags and a row of stamps, in no particular order:
 *
 *	tags    0x1040  0x3040  (none)  0x2040
 *	stamps      17      29       0      23
 *
 * A hit looks for its tag and overwrites the stamp beside it; nothing moves.
 * A miss looks for the smallest stamp (an empty way has 0, so empty ways are
 * filled first, from the left) and overwrites both.  Tags and stamps are
 * arrays of their own because a hit, the frequent case, reads tags only.
 */
#include "sim/cache.h"

enum { CACHE_ALIGNMENT = 64 }; /* bytes, a line of the host's cache: a set's tags lie together */

static size_t line_count(const struct cache *cache)
{
	return (size_t)(cache->set_mask + 1) * cache->assoc;
}

static size_t first_way(const struct cache *cache, uint64_t address)
{
	return (size_t)((address >> cache->line_bits) & cache->set_mask) * cache->assoc;
}

static uint64_t tag_of(const struct cache *cache, uint64_t address)
{
	return address >> cache->line_bits << cache->line_bits;
}

size_t cache_memory_size(const struct cache_geometry *geometry)
{
	size_t lines = (size_t)(geometry->size / geometry->line_size);
	size_t size = lines * (sizeof(uint64_t) + sizeof(uint64_t));

	/* Rounded up, so that caches laid end to end are all aligned. */
	return (size + CACHE_ALIGNMENT - 1) / CACHE_ALIGNMENT * CACHE_ALIGNMENT;
}

void cache_init(struct cache *cache, const struct cache_geometry *geometry, void *memory)
{
	cache->set_mask = geometry_sets(geometry) - 1;
	cache->assoc = geometry->assoc;
	cache->line_bits = 0;
	while (UINT64_C(1) << cache->line_bits < geometry->line_size)
		cache->line_bits++;
	cache->tags = memory;
	cache->stamps = cache->tags + line_count(cache);
	cache_clear(cache);
}

void cache_clear(struct cache *cache)
{
	size_t lines = line_count(cache);

	for (size_t i = 0; i < lines; i++) {
		cache->tags[i] = CACHE_NO_LINE;
		cache->stamps[i] = 0;
	}
}

bool cache_touch(struct cache *cache, uint64_t address, uint64_t stamp)
{
	uint64_t tag = tag_of(cache, address);
	size_t first = first_way(cache, address);
	uint64_t *tags = cache->tags + first;
	uint64_t *stamps = cache->stamps + first;
	size_t assoc = cache->assoc;
	size_t victim = 0;

	for (size_t way = 0; way < assoc; way++) {
		if (tags[way] == tag) {
			stamps[way] = stamp;
			return false;
		}
	}
	for (size_t way = 1; way < assoc; way++) {
		if (stamps[way] < stamps[victim])
			victim = way;
	}
	tags[victim] = tag;
	stamps[victim] = stamp;
	return true;
}

bool cache_contains(const struct cache *cache, uint64_t address)
{
	uint64_t tag = tag_of(cache, address);
	const uint64_t *tags = cache->tags + first_way(cache, address);

	for (size_t way = 0; way < cache->assoc; way++) {
		if (tags[way] == tag)
			return true;
	}
	return false;
}
