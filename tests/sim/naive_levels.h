/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle of levels with relations: the rules of sim/relation.h in another form.  A cache is a
 * list of lines for each set, most recently used first, so the policy is LRU; a reference is a list of
 * line numbers; what happens to a line is written as a story, with no thought of speed.
 */
#ifndef TESTS_SIM_NAIVE_LEVELS_H
#define TESTS_SIM_NAIVE_LEVELS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hierarchy.h"
#include "tests/sim/naive_cache.h"

enum { NAIVE_NOWHERE = -1 };

struct naive_levels {
	unsigned n; /* caches behind the first level */
	struct naive_cache i1, d1, lower[HIERARCHY_MAX_LOWER];
	enum cache_relation relations[HIERARCHY_MAX_LOWER];
	uint64_t line_size;
	uint64_t last_code; /* line number + 1; 0: none */
};

static inline void naive_levels_init(struct naive_levels *levels,
				     const struct hierarchy_config *config)
{
	memset(levels, 0, sizeof(*levels));
	levels->n = config->n_lower;
	levels->line_size = config->d1.geometry.line_size;
	naive_init_config(&levels->i1, &config->i1);
	naive_init_config(&levels->d1, &config->d1);
	for (unsigned i = 0; i < levels->n; i++) {
		naive_init_config(&levels->lower[i], &config->lower[i]);
		levels->relations[i] = config->lower[i].relation;
	}
}

static inline void naive_levels_release(struct naive_levels *levels)
{
	naive_release(&levels->i1);
	naive_release(&levels->d1);
	for (unsigned i = 0; i < levels->n; i++)
		naive_release(&levels->lower[i]);
}

static inline void naive_levels_evict(struct naive_levels *levels, uint64_t first, uint64_t last)
{
	naive_evict(&levels->i1, first, last);
	naive_evict(&levels->d1, first, last);
	for (unsigned i = 0; i < levels->n; i++)
		naive_evict(&levels->lower[i], first, last);
	levels->last_code = 0;
}

/* --- one cache ------------------------------------------------------------------- */

static inline bool naive_has(const struct naive_cache *cache, uint64_t line)
{
	return naive_contains(cache, line * cache->line_size);
}

static inline void naive_remove(struct naive_cache *cache, uint64_t line)
{
	naive_evict(cache, line * cache->line_size, line * cache->line_size);
}

/* Whether a line that comes needs the place of another; that one is *last then. */
static inline bool naive_is_full(const struct naive_cache *cache, uint64_t line, uint64_t *last)
{
	uint64_t set = naive_set_of(cache, line);

	if (cache->used[set] < cache->assoc)
		return false;
	*last = cache->lines[set * cache->assoc + cache->assoc - 1];
	return true;
}

/* --- a line ---------------------------------------------------------------------- */

/* The victims of cache number i, -1 being the first level, are those up to this one, exclusively. */
static inline unsigned naive_victims_end(const struct naive_levels *levels, int i)
{
	unsigned end = (unsigned)(i + 1);

	while (end < levels->n && levels->relations[end] == CACHE_VICTIM)
		end++;
	return end;
}

/* Gives victims a line, from the last one on backwards: each hands its oldest on before it gets one. */
static inline void naive_give(struct naive_levels *levels, unsigned from, unsigned end,
			      uint64_t line)
{
	uint64_t oldest;

	if (from == end)
		return;
	if (!naive_has(&levels->lower[from], line) &&
	    naive_is_full(&levels->lower[from], line, &oldest)) {
		naive_remove(&levels->lower[from], oldest);
		naive_give(levels, from + 1, end, oldest);
	}
	naive_touch(&levels->lower[from], line * levels->line_size);
}

/* A line is wanted in a cache that has victims; returns the number of the level that it was in. */
static inline unsigned naive_want(struct naive_levels *levels, struct naive_cache *cache, int i,
				  uint64_t line)
{
	unsigned end = naive_victims_end(levels, i);
	unsigned found = end + 1;
	uint64_t oldest;
	bool is_full;

	if (naive_has(cache, line)) {
		naive_touch(cache, line * levels->line_size);
		return (unsigned)(i + 1);
	}
	is_full = naive_is_full(cache, line, &oldest);
	naive_touch(cache, line * levels->line_size);
	if (is_full && i >= 0 && levels->relations[i] == CACHE_INCLUSIVE) {
		naive_remove(&levels->d1, oldest);
		if (oldest + 1 != levels->last_code)
			naive_remove(&levels->i1, oldest);
		for (int above = 0; above < i; above++)
			naive_remove(&levels->lower[above], oldest);
	}
	for (unsigned victim = end; victim-- > (unsigned)(i + 1);) {
		if (naive_has(&levels->lower[victim], line))
			found = victim + 1;
	}
	if (found <= end)
		naive_remove(&levels->lower[found - 1], line);
	if (is_full)
		naive_give(levels, (unsigned)(i + 1), end, oldest);
	return found;
}

/* --- a reference ------------------------------------------------------------------- */

/* Returns the level that served it. */
static inline unsigned naive_levels_refer(struct naive_levels *levels, bool is_fetch,
					  uint64_t address, uint64_t size)
{
	uint64_t n_lines = UINT64_MAX / levels->line_size + 1;
	uint64_t first = address / levels->line_size;
	uint64_t count = (address % levels->line_size + size - 1) / levels->line_size + 1;
	unsigned served = 0;
	int i = NAIVE_NOWHERE;

	if (is_fetch)
		levels->last_code = (first + count - 1) % n_lines + 1;
	for (;;) {
		struct naive_cache *cache = is_fetch ? &levels->i1 : &levels->d1;
		unsigned next = naive_victims_end(levels, i);

		if (i >= 0)
			cache = &levels->lower[i];
		served = 0;
		for (uint64_t k = 0; k < count; k++) {
			unsigned one = naive_want(levels, cache, i, (first + k) % n_lines);

			served = one > served ? one : served;
		}
		if (served != next + 1 || next == levels->n)
			return served;
		i = (int)next;
	}
}

#endif
