/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Indices of lower levels are from 0, levels as those that serve are one more.
 *
 *	level	0	1	2	3	4		a D1 miss of X that evicts Y:
 *		L1	L2	L3	L4	memory		X is looked for in L2,
 *		|victim |	|victim |			Y goes there; then L3 is touched
 *		'-group-'	'-group-'			with X, evicts Z; X is looked for in L4, ...
 *
 * A reference is cut into the lines of each level anew, since line sizes may differ if levels are not related:
 *
 *	reference         [---------------]
 *	D1, 32 bytes  |       |       |       |      touches 3 lines
 *	LL, 64 bytes  |               |              touches 2 lines
 */
#include "sim/lower.h"

static bool are_related(const struct hierarchy_config *config)
{
	if (config->write_back)
		return true;
	for (unsigned i = 0; i < config->n_lower; i++)
		if (config->lower[i].inclusion != INCLUSION_NINE)
			return true;
	return false;
}

const char *hierarchy_misfit(const struct hierarchy_config *config)
{
	const uint32_t line_size = config->i1.geometry.line_size;
	bool same = config->d1.geometry.line_size == line_size;

	if (!are_related(config))
		return NULL;
	for (unsigned i = 0; i < config->n_lower; i++)
		same = same && config->lower[i].geometry.line_size == line_size;
	if (!same)
		return "inclusive and victim levels, and write-back, need one line size for all caches";
	if (geometry_sets(&config->i1.geometry) == 1)
		return "inclusive and victim levels, and write-back, need an I1 of two sets or more";
	return NULL;
}

size_t lower_memory_size(const struct hierarchy_config *config)
{
	size_t size = 0;

	for (unsigned i = 0; i < config->n_lower; i++)
		size += cache_memory_size(&config->lower[i]);
	return size;
}

void lower_init(struct lower_levels *lower, const struct hierarchy_config *config,
		struct first_level first, void *memory)
{
	unsigned char *next = memory;

	lower->n = config->n_lower;
	lower->n_written = 0;
	lower->first = first;
	lower->shared = NULL;
	lower->all = (struct first_level){ NULL, NULL };
	lower->are_related = are_related(config);
	for (unsigned i = 0; i < config->n_lower; i++) {
		lower->inclusion[i] = config->lower[i].inclusion;
		cache_init(&lower->caches[i], &config->lower[i], next);
		next += cache_memory_size(&config->lower[i]);
		if (config->write_back)
			cache_keep_dirty(&lower->caches[i]);
	}
}

void lower_evict_own(struct lower_levels *lower, struct address_range range)
{
	for (unsigned i = 0; i + 1 < lower->n; i++)
		cache_evict(&lower->caches[i], range);
}

void lower_evict_last(struct lower_levels *lower, struct address_range range)
{
	if (lower->n != 0)
		cache_evict(lower_cache(lower, lower->n - 1), range);
}

void lower_evict(struct lower_levels *lower, struct address_range range)
{
	lower_evict_own(lower, range);
	lower_evict_last(lower, range);
}

static bool is_victim(const struct lower_levels *lower, unsigned i)
{
	return i < lower->n && lower->inclusion[i] == INCLUSION_VICTIM;
}

/* The first index from i on that is of no victim. */
static unsigned after_victims(const struct lower_levels *lower, unsigned i)
{
	while (is_victim(lower, i))
		i++;
	return i;
}

void lower_write_down(struct lower_levels *lower, unsigned i, uint64_t line)
{
	for (; i < lower->n; i++) {
		struct cache *cache = lower_cache(lower, i);
		size_t way = cache_find(cache, line);

		if (way != SIZE_MAX) {
			cache_mark_dirty(cache, way);
			return;
		}
	}
	lower->n_written++;
}

/* The level that a line is found in, and taken out of, among the victims from index i on; else the level after them. */
static struct lower_found take_from_victims(struct lower_levels *lower, unsigned i, uint64_t line)
{
	struct lower_found found;
	enum cache_taken taken = CACHE_WAS_ABSENT;

	for (; is_victim(lower, i); i++) {
		taken = cache_take(lower_cache(lower, i), line);
		if (taken != CACHE_WAS_ABSENT)
			break;
	}
	found.level = i + 1;
	found.is_dirty = taken == CACHE_WAS_DIRTY;
	return found;
}

/* A line that was evicted goes into the victims from index i on; what leaves them dirty is written further down. */
static void put_away(struct lower_levels *lower, unsigned i, uint64_t line, bool is_dirty)
{
	for (; is_victim(lower, i); i++) {
		struct cache *cache = lower_cache(lower, i);
		struct cache_touched touched = cache_touch_line(cache, line);

		if (is_dirty)
			cache_mark_dirty(cache, touched.way);
		if (touched.evicted == 0)
			return;
		line = touched.evicted - 1;
		is_dirty = touched.evicted_is_dirty;
	}
	if (is_dirty)
		lower_write_down(lower, i, line);
}

struct lower_found lower_fill(struct lower_levels *lower, const struct lower_exchange *exchange)
{
	struct lower_found found = take_from_victims(lower, 0, exchange->line);

	if (found.is_dirty && exchange->is_code) {
		lower_write_down(lower, found.level, exchange->line);
		found.is_dirty = false;
	}
	if (exchange->evicted != NO_LINE)
		put_away(lower, 0, exchange->evicted, exchange->evicted_is_dirty);
	return found;
}

/* Takes a line out of all levels before index i; returns whether it was dirty in any of them. */
static bool take_above(struct lower_levels *lower, unsigned i, uint64_t line)
{
	bool is_dirty;

	if (lower->all.take != NULL && i + 1 == lower->n)
		return lower->all.take(lower->all.caches, line);
	is_dirty = lower->first.take(lower->first.caches, line);
	while (i-- > 0) {
		if (cache_take(lower_cache(lower, i), line) == CACHE_WAS_DIRTY)
			is_dirty = true;
	}
	return is_dirty;
}

/* Touches a line in the group that begins at index i; returns the level that it was in, or the level after the group. */
static unsigned touch_in_group(struct lower_levels *lower, unsigned i, uint64_t line)
{
	struct cache *cache = lower_cache(lower, i);
	struct cache_touched touched;
	bool is_dirty;
	uint64_t evicted;
	struct lower_found found;

	/* Large levels are not in the host's near caches. */
	if (i + 1 < lower->n)
		cache_prepare(lower_cache(lower, i + 1), line);
	touched = cache_touch_line(cache, line);
	if (!touched.missed)
		return i + 1;
	evicted = touched.evicted - 1;
	is_dirty = touched.evicted_is_dirty;
	if (is_victim(lower, i + 1) && touched.evicted != 0)
		cache_prepare(lower_cache(lower, i + 1), evicted);
	if (touched.evicted != 0 && lower->inclusion[i] == INCLUSION_INCLUSIVE)
		is_dirty |= take_above(lower, i, evicted);
	found = take_from_victims(lower, i + 1, line);
	if (found.is_dirty)
		cache_mark_dirty(cache, touched.way);
	if (touched.evicted != 0)
		put_away(lower, i + 1, evicted, is_dirty);
	return found.level;
}

static unsigned touch_group(struct lower_levels *lower, unsigned i, uint64_t address, uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << lower->caches[i].line_bits;
	uint64_t line = address & ~(line_size - 1);
	unsigned deepest = 0;

	if ((address - line) + size <= line_size)
		return touch_in_group(lower, i, line);
	/* By bytes covered: address + size may wrap around. */
	for (uint64_t covered = 0; covered < (address - line) + size; covered += line_size) {
		unsigned served = touch_in_group(lower, i, line + covered);

		if (served > deepest)
			deepest = served;
	}
	return deepest;
}

/* Asks groups from the one on that begins at index i, if served says that those before did not find it all. */
static unsigned serve_from(struct lower_levels *lower, unsigned i, unsigned served,
			   uint64_t address, uint64_t size)
{
	while (i < lower->n && served == i + 1) {
		served = touch_group(lower, i, address, size);
		i = after_victims(lower, i + 1);
	}
	return served;
}

unsigned lower_serve_related(struct lower_levels *lower, unsigned served, uint64_t address,
			     uint64_t size)
{
	return serve_from(lower, after_victims(lower, 0), served, address, size);
}

unsigned lower_prefetch(struct lower_levels *lower, unsigned level, uint64_t line)
{
	if (lower->are_related)
		return serve_from(lower, level - 1, level, line, 1);
	while (level <= lower->n && cache_touch(&lower->caches[level - 1], line))
		level++;
	return level;
}
