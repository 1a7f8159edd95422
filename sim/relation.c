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

/* The level that a line is found in, and taken out of, among the victims from index i on; else that behind them. */
static unsigned take_from_victims(struct lower_levels *lower, unsigned i, uint64_t line)
{
	while (is_victim(lower, i) && !cache_take(&lower->caches[i], line))
		i++;
	return i + 1;
}

/* A line that was evicted goes into the victims from index i on. */
static void put_into_victims(struct lower_levels *lower, unsigned i, uint64_t line)
{
	for (; is_victim(lower, i); i++) {
		uint64_t evicted = cache_touch_line(&lower->caches[i], line).evicted;

		if (evicted == 0)
			return;
		line = evicted - 1;
	}
}

/* A line has come in before index i, in the place of another. */
static unsigned fill(struct lower_levels *lower, unsigned i, uint64_t line, uint64_t evicted)
{
	unsigned served = take_from_victims(lower, i, line);

	if (evicted != HIERARCHY_NO_LINE)
		put_into_victims(lower, i, evicted);
	return served;
}

unsigned relation_fill(struct lower_levels *lower, uint64_t line, uint64_t evicted)
{
	return fill(lower, 0, line, evicted);
}

/* Takes a line out of all levels before index i. */
static void take_above(struct lower_levels *lower, const struct first_level *first, unsigned i,
		       uint64_t line)
{
	first->take(first->caches, line);
	while (i-- > 0)
		cache_take(&lower->caches[i], line);
}

/* Touches a line in the group that begins at index i; returns the level that it was in, or the one behind. */
static unsigned touch_in_group(struct lower_levels *lower, const struct first_level *first,
			       unsigned i, uint64_t line)
{
	struct cache_touched touched = cache_touch_line(&lower->caches[i], line);
	uint64_t evicted = touched.evicted == 0 ? HIERARCHY_NO_LINE : touched.evicted - 1;

	if (!touched.missed)
		return i + 1;
	if (evicted != HIERARCHY_NO_LINE && lower->relations[i] == CACHE_INCLUSIVE)
		take_above(lower, first, i, evicted);
	return fill(lower, i + 1, line, evicted);
}

static unsigned touch_group(struct lower_levels *lower, const struct first_level *first, unsigned i,
			    uint64_t address, uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << lower->caches[i].line_bits;
	uint64_t line = address & ~(line_size - 1);
	unsigned deepest = 0;

	/* By bytes covered: address + size may wrap around. */
	for (uint64_t covered = 0; covered < (address - line) + size; covered += line_size) {
		unsigned served = touch_in_group(lower, first, i, line + covered);

		if (served > deepest)
			deepest = served;
	}
	return deepest;
}

unsigned relation_serve(struct lower_levels *lower, const struct first_level *first,
			unsigned served, uint64_t address, uint64_t size)
{
	unsigned i = after_victims(lower, 0);

	while (i < lower->n && served == i + 1) {
		served = touch_group(lower, first, i, address, size);
		i = after_victims(lower, i + 1);
	}
	return served;
}
