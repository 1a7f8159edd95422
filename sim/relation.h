/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Levels that are not all CACHE_NINE: which lines come and go together.
 *
 *	CACHE_NINE	non-inclusive, non-exclusive: a miss brings the line in, and what goes stays
 *			in the levels before
 *	CACHE_INCLUSIVE	the same, but what goes leaves all levels before, too
 *	CACHE_VICTIM	holds what the level before it has evicted.  A hit takes the line
 *			out, into the level that it was looked for in first; a miss brings nothing in.
 *
 * A level and the victim levels that follow it are a group.  A line that comes into the
 * first cache of a group, in the place of another, is looked for in the victims one after the
 * other, and taken out where it is found; then the other goes into the first victim, what
 * has to go there into the next one, and what leaves the last one is gone.  (Looked for first: else
 * the newcomer could push out what is wanted.)  A victim that has the newcomer already, as the two
 * first-level caches can give it one line twice, sees it as a hit.
 *
 * A reference is served by groups, one after the other:
 *
 *	It touches each line that it covers, in ascending order, in the first cache of the group, and
 *	for those that missed there the victims as above.  If a line was found nowhere in the
 *	group, the next one is asked for the whole reference.  The level
 *	that served it is the last one in which a line of it was found.
 *
 * So without victims a reference touches all of its lines in each level, as sim/hierarchy.h says, and
 * a victim is asked only for lines that missed the level before.
 *
 * An inclusive level takes no line out of I1 from which the last instruction was fetched:
 * the processor has that instruction, and generated code need not ask for its line again
 * while it executes what is in it (sim/machine.h).  All caches have the same line size, an instruction is
 * no longer than a line, and the two lines that it may be on are in different sets of I1: generated code
 * touches those that hit before those that miss, which makes no difference then.
 *
 * Lines may be dirty (hierarchy_config.write_back).  A write makes those that it covers dirty in D1; no line of I1 is.
 * A dirty line that is evicted
 *
 *	goes dirty into the victim that it goes into;
 *	else makes the line dirty in the first level further down that has it, which is no use of it;
 *	else is written to memory.
 *
 * An inclusive level's line is as dirty as any copy that leaves with it.  A dirty line that a victim
 * gives back is dirty in the cache that it comes into; code has it written further down instead.
 * So nothing is where it would not be if no level knew of writes, and all other counts are the same.
 *
 * The three kinds are as in DynamoRIO's cache simulator and gem5's ("mostly inclusive" is NINE);
 * the order above is a choice.
 */
#ifndef SIM_RELATION_H
#define SIM_RELATION_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/hierarchy.h"

/* The first level, as a level behind it reaches it. */
struct first_level {
	/* Takes a line, by its address, out of both caches, if it is there; returns whether it was dirty. */
	bool (*take)(void *caches, uint64_t line);
	void *caches; /* handed on; the caller's, only while the call lasts */
};

/* A line has come into a cache of the first level in the place of another. */
struct relation_exchange {
	uint64_t line;
	uint64_t evicted; /* HIERARCHY_NO_LINE if there was none */
	bool evicted_is_dirty;
	bool is_code; /* it is I1 */
};

/* The level that has served a line: a victim of the first level, or else the first level that was not asked. */
struct relation_found {
	unsigned level;
	bool is_dirty; /* it is dirty in D1 now */
};

struct relation_found relation_fill(struct lower_levels *lower,
				    const struct relation_exchange *exchange);

/* A dirty line is written to the first lower level from index i on that has it, else to memory. */
void relation_write_down(struct lower_levels *lower, unsigned i, uint64_t line);

/*
 * Asks the levels behind the first group for a whole reference of size bytes (1 or more) at address.  served is
 * the largest level that relation_fill() has returned for its lines, 0 if all of them hit; if these were
 * all found, no level is asked.  Returns the level that served it.
 */
unsigned relation_serve(struct lower_levels *lower, const struct first_level *first,
			unsigned served, uint64_t address, uint64_t size);

/*
 * Brings a line into a level (1 .. lower->n, no victim) that has not got it, and into those behind it: as a reference
 * to one byte does that missed all levels before.  Of lower levels of any kind.  Returns the level that served it.
 */
unsigned relation_prefetch(struct lower_levels *lower, const struct first_level *first,
			   unsigned level, uint64_t line);

#endif
