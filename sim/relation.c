/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Indices of lower levels are from 0, levels as those that serve are one more.
 *
 *	level	0	1	2	3	4		a D1 miss of X that evicts Y:
 *		L1	L2	L3	L4	memory		X is looked for in L2,
 *		|victim |	|victim |			Y goes there; then L3 is touched
 *		'-group-'	'-group-'			with X, evicts Z; X is looked for in L4, ...
 */
#include "sim/relation.h"

static bool is_victim(const struct lower_levels *lower, unsigned i)
{
	return i < lower->n && lower->relations[i] == CACHE_VICTIM;
}

/* The first index from i on that is of no victim. */
static unsigned after_victims(const struct lower_levels *lower, unsigned i)
{
	while (is_victim(lower, i))
		i++;
	return i;
}

void relation_write_down(struct lower_levels *lower, unsigned i, uint64_t line)
{
	for (; i < lower->n; i++) {
		size_t way = cache_find(&lower->caches[i], line);

		if (way != SIZE_MAX) {
			cache_mark_dirty(&lower->caches[i], way);
			return;
		}
	}
	lower->n_written++;
}

/* The level that a line is found in, and taken out of, among the victims from index i on; else that behind them. */
static struct relation_found take_from_victims(struct lower_levels *lower, unsigned i,
					       uint64_t line)
{
	struct relation_found found;
	enum cache_taken taken = CACHE_WAS_ABSENT;

	for (; is_victim(lower, i); i++) {
		taken = cache_take(&lower->caches[i], line);
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
		struct cache_touched touched = cache_touch_line(&lower->caches[i], line);

		if (is_dirty)
			cache_mark_dirty(&lower->caches[i], touched.way);
		if (touched.evicted == 0)
			return;
		line = touched.evicted - 1;
		is_dirty = touched.evicted_is_dirty;
	}
	if (is_dirty)
		relation_write_down(lower, i, line);
}

struct relation_found relation_fill(struct lower_levels *lower,
				    const struct relation_exchange *exchange)
{
	struct relation_found found = take_from_victims(lower, 0, exchange->line);

	if (found.is_dirty && exchange->is_code) {
		relation_write_down(lower, found.level, exchange->line);
		found.is_dirty = false;
	}
	if (exchange->evicted != HIERARCHY_NO_LINE)
		put_away(lower, 0, exchange->evicted, exchange->evicted_is_dirty);
	return found;
}

/* Takes a line out of all levels before index i; returns whether it was dirty in any of them. */
static bool take_above(struct lower_levels *lower, const struct first_level *first, unsigned i,
		       uint64_t line)
{
	bool is_dirty = first->take(first->caches, line);

	while (i-- > 0) {
		if (cache_take(&lower->caches[i], line) == CACHE_WAS_DIRTY)
			is_dirty = true;
	}
	return is_dirty;
}

/* Touches a line in the group that begins at index i; returns the level that it was in, or the one behind. */
static unsigned touch_in_group(struct lower_levels *lower, const struct first_level *first,
			       unsigned i, uint64_t line)
{
	struct cache_touched touched;
	bool is_dirty;
	uint64_t evicted;
	struct relation_found found;

	/* Large levels are not in the host's near caches. */
	if (i + 1 < lower->n)
		cache_prepare(&lower->caches[i + 1], line);
	touched = cache_touch_line(&lower->caches[i], line);
	if (!touched.missed)
		return i + 1;
	evicted = touched.evicted - 1;
	is_dirty = touched.evicted_is_dirty;
	if (is_victim(lower, i + 1) && touched.evicted != 0)
		cache_prepare(&lower->caches[i + 1], evicted);
	if (touched.evicted != 0 && lower->relations[i] == CACHE_INCLUSIVE)
		is_dirty |= take_above(lower, first, i, evicted);
	found = take_from_victims(lower, i + 1, line);
	if (found.is_dirty)
		cache_mark_dirty(&lower->caches[i], touched.way);
	if (touched.evicted != 0)
		put_away(lower, i + 1, evicted, is_dirty);
	return found.level;
}

static unsigned touch_group(struct lower_levels *lower, const struct first_level *first, unsigned i,
			    uint64_t address, uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << lower->caches[i].line_bits;
	uint64_t line = address & ~(line_size - 1);
	unsigned deepest = 0;

	if ((address - line) + size <= line_size)
		return touch_in_group(lower, first, i, line);
	/* By bytes covered: address + size may wrap around. */
	for (uint64_t covered = 0; covered < (address - line) + size; covered += line_size) {
		unsigned served = touch_in_group(lower, first, i, line + covered);

		if (served > deepest)
			deepest = served;
	}
	return deepest;
}

/* Asks groups from the one on that begins at index i, if served says that those before did not find it all. */
static unsigned serve_from(struct lower_levels *lower, const struct first_level *first, unsigned i,
			   unsigned served, uint64_t address, uint64_t size)
{
	/* Most are found in the first level that is asked. */
	while (i < lower->n && served == i + 1) {
		served = touch_group(lower, first, i, address, size);
		i = after_victims(lower, i + 1);
	}
	return served;
}

unsigned relation_serve(struct lower_levels *lower, const struct first_level *first,
			unsigned served, uint64_t address, uint64_t size)
{
	return serve_from(lower, first, after_victims(lower, 0), served, address, size);
}

unsigned relation_prefetch(struct lower_levels *lower, const struct first_level *first,
			   unsigned level, uint64_t line)
{
	if (lower->are_related)
		return serve_from(lower, first, level - 1, level, line, 1);
	while (level <= lower->n && cache_touch(&lower->caches[level - 1], line))
		level++;
	return level;
}
