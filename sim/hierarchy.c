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

size_t lower_memory_size(const struct hierarchy_config *config)
{
	size_t size = 0;

	for (unsigned i = 0; i < config->n_lower; i++)
		size += cache_memory_size(&config->lower[i]);
	return size;
}

void lower_init(struct lower_levels *lower, const struct hierarchy_config *config, void *memory)
{
	unsigned char *next = memory;

	lower->n = config->n_lower;
	for (unsigned i = 0; i < config->n_lower; i++) {
		cache_init(&lower->caches[i], &config->lower[i], next);
		next += cache_memory_size(&config->lower[i]);
	}
}

void lower_evict(struct lower_levels *lower, struct address_range range)
{
	for (unsigned i = 0; i < lower->n; i++)
		cache_evict(&lower->caches[i], range);
}

size_t hierarchy_memory_size(const struct hierarchy_config *config)
{
	return cache_memory_size(&config->i1) + cache_memory_size(&config->d1) +
	       lower_memory_size(config);
}

void hierarchy_init(struct hierarchy *hierarchy, const struct hierarchy_config *config,
		    void *memory)
{
	unsigned char *next = memory;

	cache_init(&hierarchy->i1, &config->i1, next);
	next += cache_memory_size(&config->i1);
	cache_init(&hierarchy->d1, &config->d1, next);
	next += cache_memory_size(&config->d1);
	lower_init(&hierarchy->lower, config, next);
}

void hierarchy_evict(struct hierarchy *hierarchy, struct address_range range)
{
	cache_evict(&hierarchy->i1, range);
	cache_evict(&hierarchy->d1, range);
	lower_evict(&hierarchy->lower, range);
}

static unsigned serve(struct hierarchy *hierarchy, struct cache *first, uint64_t address,
		      uint64_t size)
{
	return cache_touch_all(first, address, size) ? lower_serve(&hierarchy->lower, address, size)
						     : 0;
}

unsigned hierarchy_fetch(struct hierarchy *hierarchy, uint64_t address, uint64_t size)
{
	return serve(hierarchy, &hierarchy->i1, address, size);
}

unsigned hierarchy_data(struct hierarchy *hierarchy, uint64_t address, uint64_t size)
{
	return serve(hierarchy, &hierarchy->d1, address, size);
}
