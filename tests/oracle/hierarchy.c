/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/hierarchy.h"

/* first_level.take() */
static bool take_line(void *caches, uint64_t line)
{
	struct hierarchy *hierarchy = caches;

	if (line != hierarchy->last_code)
		cache_take(&hierarchy->i1, line);
	return cache_take(&hierarchy->d1, line) == CACHE_WAS_DIRTY;
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
	if (config->write_back)
		cache_keep_dirty(&hierarchy->d1);
	lower_init(&hierarchy->lower, config, (struct first_level){ take_line, hierarchy }, next);
	hierarchy->last_code = NO_LINE;
}

void hierarchy_evict(struct hierarchy *hierarchy, struct address_range range)
{
	cache_evict(&hierarchy->i1, range);
	cache_evict(&hierarchy->d1, range);
	lower_evict(&hierarchy->lower, range);
	hierarchy->last_code = NO_LINE;
}

enum access {
	ACCESS_FETCH,
	ACCESS_READ,
	ACCESS_WRITE,
};

/* Touches a line of the first level; returns the level that it was in, or the first one not asked. */
static unsigned touch_related(struct hierarchy *hierarchy, enum access access, uint64_t line)
{
	bool is_code = access == ACCESS_FETCH;
	struct cache *first = is_code ? &hierarchy->i1 : &hierarchy->d1;
	struct cache_touched touched = cache_touch_line(first, line);
	const struct lower_exchange exchange = {
		.line = line,
		.evicted = cache_touched_evicted(&touched),
		.evicted_is_dirty = touched.evicted_is_dirty,
		.is_code = is_code,
	};
	struct lower_found found = { 0 };

	if (touched.missed)
		found = lower_fill(&hierarchy->lower, &exchange);
	if (access == ACCESS_WRITE || found.is_dirty)
		cache_mark_dirty(first, touched.way);
	return found.level;
}

static unsigned serve_related(struct hierarchy *hierarchy, enum access access, uint64_t address,
			      uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << hierarchy->d1.line_bits;
	uint64_t line = address & ~(line_size - 1);
	uint64_t end = (address - line) + size;
	unsigned deepest = 0;

	/* By bytes covered: address + size may wrap around. */
	for (uint64_t covered = 0; covered < end; covered += line_size) {
		unsigned served = touch_related(hierarchy, access, line + covered);

		if (served > deepest)
			deepest = served;
	}
	return lower_serve_related(&hierarchy->lower, deepest, address, size);
}

static unsigned serve(struct hierarchy *hierarchy, enum access access, uint64_t address,
		      uint64_t size)
{
	struct cache *first = access == ACCESS_FETCH ? &hierarchy->i1 : &hierarchy->d1;

	if (hierarchy->lower.are_related)
		return serve_related(hierarchy, access, address, size);
	return cache_touch_all(first, address, size) ? lower_serve(&hierarchy->lower, address, size)
						     : 0;
}

unsigned hierarchy_fetch(struct hierarchy *hierarchy, uint64_t address, uint64_t size)
{
	uint64_t last = address + size - 1;

	hierarchy->last_code = last >> hierarchy->i1.line_bits << hierarchy->i1.line_bits;
	return serve(hierarchy, ACCESS_FETCH, address, size);
}

unsigned hierarchy_data(struct hierarchy *hierarchy, uint64_t address, uint64_t size)
{
	return serve(hierarchy, ACCESS_READ, address, size);
}

unsigned hierarchy_write(struct hierarchy *hierarchy, uint64_t address, uint64_t size)
{
	return serve(hierarchy, ACCESS_WRITE, address, size);
}

void hierarchy_modify(struct hierarchy *hierarchy, uint64_t address, uint64_t size)
{
	if (!cache_mark_all_dirty(&hierarchy->d1, address, size))
		serve(hierarchy, ACCESS_WRITE, address, size);
}

bool hierarchy_has(const struct hierarchy *hierarchy, unsigned level, uint64_t line)
{
	const struct cache *cache = level == 0 ? &hierarchy->d1
					       : &hierarchy->lower.caches[level - 1];

	return cache_find(cache, line) != SIZE_MAX;
}

unsigned hierarchy_prefetch(struct hierarchy *hierarchy, unsigned level, uint64_t line)
{
	if (hierarchy_has(hierarchy, level, line))
		return PREFETCH_HAD;
	return level == 0 ? serve(hierarchy, ACCESS_READ, line, 1)
			  : lower_prefetch(&hierarchy->lower, level, line);
}
