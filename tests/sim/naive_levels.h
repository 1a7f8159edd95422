/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle of inclusion policies: the rules of sim/lower.h in another form.  A cache is a
 * list of lines for each set, most recently used first, so the policy is LRU; a reference is a list of
 * line numbers; what happens to a line is written as a story, with no thought of speed.
 */
#ifndef TESTS_SIM_NAIVE_LEVELS_H
#define TESTS_SIM_NAIVE_LEVELS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/lower.h"
#include "tests/sim/naive_cache.h"

enum {
	NAIVE_NOWHERE = -1,
	NAIVE_DIRTY = 512, /* lines of a cache that may be dirty, at most */
};

/* A cache, and which of its lines are dirty. */
struct naive_level {
	struct naive_cache cache;
	unsigned n_dirty;
	uint64_t dirty[NAIVE_DIRTY];
};

struct naive_levels {
	unsigned n; /* caches after the first level */
	struct naive_level i1, d1, lower[HIERARCHY_MAX_LOWER];
	enum inclusion inclusion[HIERARCHY_MAX_LOWER];
	uint64_t line_size;
	uint64_t last_code; /* line number + 1; 0: none */
	bool write_back;
	uint64_t n_written;
	/* Of several cores: */
	struct naive_level *shared; /* the last level, if it is not this one's own */
	unsigned n_peers;           /* 0: it is alone */
	struct naive_levels *peers; /* all cores, this one too */
};

static inline struct naive_level *naive_lower(struct naive_levels *levels, unsigned i)
{
	return levels->shared && i + 1 == levels->n ? levels->shared : &levels->lower[i];
}

enum naive_access {
	NAIVE_FETCH,
	NAIVE_READ,
	NAIVE_WRITE,
};

static inline void naive_levels_init(struct naive_levels *levels,
				     const struct hierarchy_config *config)
{
	memset(levels, 0, sizeof(*levels));
	levels->n = config->n_lower;
	levels->line_size = config->d1.geometry.line_size;
	levels->write_back = config->write_back;
	naive_init_config(&levels->i1.cache, &config->i1);
	naive_init_config(&levels->d1.cache, &config->d1);
	for (unsigned i = 0; i < levels->n; i++) {
		naive_init_config(&levels->lower[i].cache, &config->lower[i]);
		levels->inclusion[i] = config->lower[i].inclusion;
	}
}

static inline void naive_levels_release(struct naive_levels *levels)
{
	naive_release(&levels->i1.cache);
	naive_release(&levels->d1.cache);
	for (unsigned i = 0; i < levels->n; i++)
		naive_release(&levels->lower[i].cache);
}

/* --- one cache ------------------------------------------------------------------- */

static inline bool naive_has(const struct naive_level *level, uint64_t line)
{
	return naive_contains(&level->cache, line * level->cache.line_size);
}

/* Where a line is among the dirty ones, their number if it is clean. */
static inline unsigned naive_dirty_at(const struct naive_level *level, uint64_t line)
{
	unsigned i = 0;

	while (i < level->n_dirty && level->dirty[i] != line)
		i++;
	return i;
}

static inline void naive_soil(struct naive_levels *levels, struct naive_level *level, uint64_t line)
{
	if (!levels->write_back || naive_dirty_at(level, line) < level->n_dirty)
		return;
	if (level->n_dirty == NAIVE_DIRTY)
		abort();
	level->dirty[level->n_dirty++] = line;
}

/* Returns whether it was dirty. */
static inline bool naive_clean(struct naive_level *level, uint64_t line)
{
	unsigned i = naive_dirty_at(level, line);

	if (i == level->n_dirty)
		return false;
	level->dirty[i] = level->dirty[--level->n_dirty];
	return true;
}

/* Returns whether it was there and dirty. */
static inline bool naive_remove(struct naive_level *level, uint64_t line)
{
	naive_evict(&level->cache, line * level->cache.line_size, line * level->cache.line_size);
	return naive_clean(level, line);
}

static inline void naive_level_evict(struct naive_level *level, uint64_t first, uint64_t last)
{
	naive_evict(&level->cache, first, last);
	for (unsigned i = level->n_dirty; i-- > 0;) {
		if (!naive_has(level, level->dirty[i]))
			naive_clean(level, level->dirty[i]);
	}
}

static inline void naive_levels_evict(struct naive_levels *levels, uint64_t first, uint64_t last)
{
	naive_level_evict(&levels->i1, first, last);
	naive_level_evict(&levels->d1, first, last);
	for (unsigned i = 0; i < levels->n; i++)
		naive_level_evict(&levels->lower[i], first, last);
	levels->last_code = 0;
}

/* True if a line that comes needs the place of another, which is then *last. */
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

	while (end < levels->n && levels->inclusion[end] == INCLUSION_VICTIM)
		end++;
	return end;
}

/* Dirty data look for the next level that has the line. */
static inline void naive_write(struct naive_levels *levels, unsigned from, uint64_t line)
{
	while (from < levels->n && !naive_has(naive_lower(levels, from), line))
		from++;
	if (from == levels->n)
		levels->n_written++;
	else
		naive_soil(levels, naive_lower(levels, from), line);
}

/* Gives victims a line, from the last one on backwards: each hands its oldest on before it gets one. */
static inline void naive_give(struct naive_levels *levels, unsigned from, unsigned end,
			      uint64_t line, bool is_dirty)
{
	struct naive_level *level = naive_lower(levels, from);
	uint64_t gone;

	if (from == end) {
		if (is_dirty)
			naive_write(levels, end, line);
		return;
	}
	if (!naive_has(level, line) && naive_is_full(&level->cache, line, &gone)) {
		bool was_dirty = naive_remove(level, gone);

		naive_give(levels, from + 1, end, gone, was_dirty);
	}
	naive_touch(&level->cache, line * levels->line_size);
	if (is_dirty)
		naive_soil(levels, level, line);
}

/* A line leaves a core's caches before that one; returns whether it was dirty. */
static inline bool naive_remove_above(struct naive_levels *levels, int i, uint64_t line)
{
	bool is_dirty = naive_remove(&levels->d1, line);

	if (line + 1 != levels->last_code)
		naive_remove(&levels->i1, line);
	for (int above = 0; above < i; above++)
		is_dirty |= naive_remove(&levels->lower[above], line);
	return is_dirty;
}

/* A line is wanted in a cache that has victims; returns the number of the level that it was in. */
static inline unsigned naive_want(struct naive_levels *levels, struct naive_level *level, int i,
				  uint64_t line)
{
	unsigned end = naive_victims_end(levels, i);
	unsigned found = end + 1;
	bool is_full, is_dirty = false;
	uint64_t gone = 0;

	if (naive_has(level, line)) {
		naive_touch(&level->cache, line * levels->line_size);
		return (unsigned)(i + 1);
	}
	is_full = naive_is_full(&level->cache, line, &gone);
	naive_touch(&level->cache, line * levels->line_size);
	if (is_full)
		is_dirty = naive_clean(level, gone);
	if (is_full && i >= 0 && levels->inclusion[i] == INCLUSION_INCLUSIVE) {
		is_dirty |= naive_remove_above(levels, i, gone);
		for (unsigned k = 0; i + 1 == (int)levels->n && k < levels->n_peers; k++)
			is_dirty |= naive_remove_above(&levels->peers[k], i, gone);
	}
	for (unsigned victim = end; victim-- > (unsigned)(i + 1);) {
		if (naive_has(naive_lower(levels, victim), line))
			found = victim + 1;
	}
	if (found <= end && naive_remove(naive_lower(levels, found - 1), line)) {
		if (level == &levels->i1)
			naive_write(levels, found, line);
		else
			naive_soil(levels, level, line);
	}
	if (is_full)
		naive_give(levels, (unsigned)(i + 1), end, gone, is_dirty);
	return found;
}

/* --- a reference ------------------------------------------------------------------- */

/* A line is brought into a lower level, not a victim, that does not have it; returns the level that served it. */
static inline unsigned naive_levels_bring(struct naive_levels *levels, unsigned level,
					  uint64_t line)
{
	unsigned i = level - 1;

	for (;;) {
		unsigned next = naive_victims_end(levels, (int)i);
		unsigned served = naive_want(levels, naive_lower(levels, i), (int)i, line);

		if (served != next + 1 || next == levels->n)
			return served;
		i = next;
	}
}

/* Returns the level that served it. */
static inline unsigned naive_levels_refer(struct naive_levels *levels, enum naive_access access,
					  uint64_t address, uint64_t size)
{
	uint64_t n_lines = UINT64_MAX / levels->line_size + 1;
	uint64_t first = address / levels->line_size;
	uint64_t count = (address % levels->line_size + size - 1) / levels->line_size + 1;
	struct naive_level *level = access == NAIVE_FETCH ? &levels->i1 : &levels->d1;
	int i = NAIVE_NOWHERE;

	if (access == NAIVE_FETCH)
		levels->last_code = (first + count - 1) % n_lines + 1;
	for (;;) {
		unsigned next = naive_victims_end(levels, i);
		unsigned served = 0;

		for (uint64_t k = 0; k < count; k++) {
			uint64_t line = (first + k) % n_lines;
			unsigned one = naive_want(levels, level, i, line);

			served = one > served ? one : served;
			if (access == NAIVE_WRITE && i == NAIVE_NOWHERE)
				naive_soil(levels, level, line);
		}
		if (served != next + 1 || next == levels->n)
			return served;
		i = (int)next;
		level = naive_lower(levels, i);
	}
}

#endif
