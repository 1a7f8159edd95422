/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A reference is cut into the lines of the level that it touches, at each
 * level anew, since line sizes may differ:
 *
 *	reference         [---------------]
 *	D1, 32 bytes  |       |       |       |      touches 3 lines
 *	LL, 64 bytes  |               |              touches 2 lines
 *
 * Nearly all references lie in one line, so that is one comparison and one
 * touch; the loop over several lines is kept out of the way.
 */
#include "sim/hierarchy.h"

/* Touches the lines in ascending order; returns whether any missed. */
static bool touch_lines(struct cache *cache, uint64_t address, uint64_t size, uint64_t *clock)
{
	uint64_t line_size = UINT64_C(1) << cache->line_bits;
	bool missed = cache_touch(cache, address, ++*clock);

	/*
	 * By bytes covered rather than by addresses: address + size may wrap
	 * around, and then the line after the last one is line 0.
	 */
	for (uint64_t covered = line_size - (address & (line_size - 1)); covered < size;
	     covered += line_size) {
		if (cache_touch(cache, address + covered, ++*clock))
			missed = true;
	}
	return missed;
}

static inline bool touch_level(struct cache *cache, uint64_t address, uint64_t size,
			       uint64_t *clock)
{
	uint64_t last = (UINT64_C(1) << cache->line_bits) - 1; /* offset of a line's last byte */

	if (size - 1 <= last - (address & last))
		return cache_touch(cache, address, ++*clock);
	return touch_lines(cache, address, size, clock);
}

static inline unsigned reference(struct hierarchy *hierarchy, struct cache *first, uint64_t address,
				 uint64_t size)
{
	if (!touch_level(first, address, size, &hierarchy->clock))
		return 0;
	/* The whole reference again, also the lines that hit in the first level. */
	if (!touch_level(&hierarchy->ll, address, size, &hierarchy->clock))
		return L1_MISS;
	return L1_MISS | LL_MISS;
}

size_t hierarchy_memory_size(const struct hierarchy_geometry *geometry)
{
	return cache_memory_size(&geometry->i1) + cache_memory_size(&geometry->d1) +
	       cache_memory_size(&geometry->ll);
}

void hierarchy_init(struct hierarchy *hierarchy, const struct hierarchy_geometry *geometry,
		    void *memory)
{
	unsigned char *next = memory;

	cache_init(&hierarchy->i1, &geometry->i1, next);
	next += cache_memory_size(&geometry->i1);
	cache_init(&hierarchy->d1, &geometry->d1, next);
	next += cache_memory_size(&geometry->d1);
	cache_init(&hierarchy->ll, &geometry->ll, next);
	hierarchy->clock = 0;
}

void hierarchy_clear(struct hierarchy *hierarchy)
{
	/* The clock runs on: whoever keeps a copy of it need not hear of this. */
	cache_clear(&hierarchy->i1);
	cache_clear(&hierarchy->d1);
	cache_clear(&hierarchy->ll);
}

unsigned hierarchy_fetch(struct hierarchy *hierarchy, uint64_t address, uint64_t size)
{
	return reference(hierarchy, &hierarchy->i1, address, size);
}

unsigned hierarchy_data(struct hierarchy *hierarchy, uint64_t address, uint64_t size)
{
	return reference(hierarchy, &hierarchy->d1, address, size);
}
