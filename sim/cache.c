/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set is a row of tags, most recently used first:
 *
 *	0x1041 0x3041 0x2041 (none)		touch 0x2040: a hit at place 2
 *	0x2041 0x1041 0x3041 (none)		those before it move down by one
 *
 * A miss is the same with the last place.  Programs touch what they touched
 * last, so the search seldom goes far.
 */
#include "sim/cache.h"

enum {
	CACHE_ALIGNMENT = 64, /* bytes, a line of the host's cache: a set's tags lie together */
};

static uint64_t *set_of(const struct cache *cache, uint64_t address)
{
	return cache->tags +
	       (size_t)((address >> cache->line_bits) & cache->set_mask) * cache->assoc;
}

static uint64_t tag_of(const struct cache *cache, uint64_t address)
{
	return (address >> cache->line_bits << cache->line_bits) | 1;
}

size_t cache_memory_size(const struct cache_geometry *geometry)
{
	size_t size = (size_t)(geometry->size / geometry->line_size) * sizeof(uint64_t);

	/* Rounded up, so that caches laid end to end are all aligned. */
	return (size + CACHE_ALIGNMENT - 1) / CACHE_ALIGNMENT * CACHE_ALIGNMENT;
}

void cache_init(struct cache *cache, const struct cache_geometry *geometry, void *memory)
{
	cache->tags = memory;
	cache->set_mask = geometry_sets(geometry) - 1;
	cache->assoc = geometry->assoc;
	cache->line_bits = 0;
	while (UINT64_C(1) << cache->line_bits < geometry->line_size)
		cache->line_bits++;
}

/* Lines that stay move up. */
static void evict_from_set(const struct cache *cache, uint64_t *tags, struct address_range range)
{
	size_t n = 0, kept = 0;

	for (; n < cache->assoc && tags[n] != 0; n++)
		if (!address_range_meets(range, tags[n] - 1, cache->line_bits))
			tags[kept++] = tags[n];
	while (kept < n)
		tags[kept++] = 0;
}

void cache_evict(struct cache *cache, struct address_range range)
{
	for (uint64_t set = 0; set <= cache->set_mask; set++)
		evict_from_set(cache, cache->tags + (size_t)set * cache->assoc, range);
}

bool cache_touch(struct cache *cache, uint64_t address)
{
	uint64_t tag = tag_of(cache, address);
	uint64_t *tags = set_of(cache, address);
	size_t assoc = cache->assoc;
	size_t way = 0;
	bool missed;

	while (way < assoc && tags[way] != tag)
		way++;
	missed = way == assoc;
	if (missed)
		way--;
	for (; way > 0; way--)
		tags[way] = tags[way - 1];
	tags[0] = tag;
	return missed;
}

bool cache_touch_all(struct cache *cache, uint64_t address, uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << cache->line_bits;
	bool missed = cache_touch(cache, address);

	/*
	 * By bytes covered rather than by addresses: address + size may wrap
	 * around, and then the line after the last one is line 0.
	 */
	for (uint64_t covered = line_size - (address & (line_size - 1)); covered < size;
	     covered += line_size) {
		if (cache_touch(cache, address + covered))
			missed = true;
	}
	return missed;
}

bool cache_contains(const struct cache *cache, uint64_t address)
{
	uint64_t tag = tag_of(cache, address);
	const uint64_t *tags = set_of(cache, address);

	for (size_t way = 0; way < cache->assoc; way++) {
		if (tags[way] == tag)
			return true;
	}
	return false;
}
