/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/dirty.h"

enum { ALIGNMENT = 64 }; /* bytes */

static size_t aligned(size_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t slots_size(const struct cache_config *config)
{
	return aligned((size_t)geometry_lines(&config->geometry) * sizeof(uint32_t));
}

size_t dirty_memory_size(const struct cache_config *config)
{
	return slots_size(config) +
	       aligned((size_t)geometry_lines(&config->geometry) * sizeof(bool));
}

void dirty_init(struct dirty_lines *dirty, struct cache *cache, const struct cache_config *config,
		void *memory)
{
	uint32_t *slots = memory;
	size_t n = cache_ways(cache);

	for (size_t i = 0; i < n; i++)
		slots[i] = (uint32_t)(i % cache->assoc);
	cache_keep_slots(cache, slots);
	dirty->flags = (bool *)memory + slots_size(config);
}

/* The flag of the line in a way. */
static bool *flag_of(const struct dirty_lines *dirty, const struct cache *cache, size_t way)
{
	return &dirty->flags[way - way % cache->assoc + cache->slots[way]];
}

struct cache_touched dirty_touch(const struct dirty_lines *dirty, struct cache *cache,
				 uint64_t address, bool *was_dirty)
{
	struct cache_touched touched = cache_touch_line(cache, address);
	bool *flag;

	*was_dirty = false;
	if (dirty->flags == NULL || !touched.missed)
		return touched;
	flag = flag_of(dirty, cache, touched.way);
	*was_dirty = *flag && touched.evicted != 0;
	*flag = false;
	return touched;
}

bool dirty_take(const struct dirty_lines *dirty, struct cache *cache, uint64_t address,
		bool *was_dirty)
{
	size_t way = dirty->flags != NULL ? cache_find(cache, address) : SIZE_MAX;

	*was_dirty = way != SIZE_MAX && *flag_of(dirty, cache, way);
	return cache_take(cache, address);
}

void dirty_mark(const struct dirty_lines *dirty, const struct cache *cache, size_t way)
{
	if (dirty->flags != NULL)
		*flag_of(dirty, cache, way) = true;
}
