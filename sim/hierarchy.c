/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A reference is cut into the lines of the level that it touches, at each
 * level anew, since line sizes may differ:
 *
 *	reference         [---------------]
 *	D1, 32 bytes  |       |       |       |      touches 3 lines
 *	LL, 64 bytes  |               |              touches 2 lines
 */
#include "sim/hierarchy.h"

static unsigned reference(struct hierarchy *hierarchy, struct cache *first, uint64_t address,
			  uint64_t size)
{
	if (!cache_touch_all(first, address, size))
		return 0;
	/* The whole reference again, also the lines that hit in the first level. */
	if (!cache_touch_all(&hierarchy->ll, address, size))
		return L1_MISS;
	return L1_MISS | LL_MISS;
}

size_t hierarchy_memory_size(const struct hierarchy_geometry *geometry)
{
	return cache_memory_size(&(const struct cache_config){ geometry->i1, NULL }) +
	       cache_memory_size(&(const struct cache_config){ geometry->d1, NULL }) +
	       cache_memory_size(&(const struct cache_config){ geometry->ll, NULL });
}

void hierarchy_init(struct hierarchy *hierarchy, const struct hierarchy_geometry *geometry,
		    void *memory)
{
	unsigned char *next = memory;

	cache_init(&hierarchy->i1, &(const struct cache_config){ geometry->i1, NULL }, next);
	next += cache_memory_size(&(const struct cache_config){ geometry->i1, NULL });
	cache_init(&hierarchy->d1, &(const struct cache_config){ geometry->d1, NULL }, next);
	next += cache_memory_size(&(const struct cache_config){ geometry->d1, NULL });
	cache_init(&hierarchy->ll, &(const struct cache_config){ geometry->ll, NULL }, next);
}

void hierarchy_evict(struct hierarchy *hierarchy, struct address_range range)
{
	cache_evict(&hierarchy->i1, range);
	cache_evict(&hierarchy->d1, range);
	cache_evict(&hierarchy->ll, range);
}

unsigned hierarchy_fetch(struct hierarchy *hierarchy, uint64_t address, uint64_t size)
{
	return reference(hierarchy, &hierarchy->i1, address, size);
}

unsigned hierarchy_data(struct hierarchy *hierarchy, uint64_t address, uint64_t size)
{
	return reference(hierarchy, &hierarchy->d1, address, size);
}
