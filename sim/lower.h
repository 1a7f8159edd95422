/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which caches are simulated, and the lower levels of them: those that a reference asks when it has missed the
 * first level.  The first level has a cache for instructions (I1) and one for data (D1); each lower level is for both,
 * and the last one is LL.  What a reference did is the number of the level that served it:
 *
 *	0		the first level: it hit
 *	1 .. n_lower	a lower level; it missed all levels before
 *	n_lower + 1	memory
 *
 * Rules (Cachegrind's, from the Cachegrind manual 5.8): a reference is one access whatever its length.  It touches each
 * line of the first level that it covers, in ascending order, and misses if any of them missed.  Only then does it touch
 * every line of the next level that it covers, and miss that level if any of them missed; and so on.  A line evicted
 * from LL stays in L1.
 *
 * That is INCLUSION_NINE.  The inclusion policy of a level says which lines come and go together:
 *
 *	INCLUSION_NINE		non-inclusive, non-exclusive: a miss brings the line in, and what it evicts stays in
 *				the levels before
 *	INCLUSION_INCLUSIVE	the same, but what it evicts leaves all levels before, too
 *	INCLUSION_VICTIM	holds what the level before it has evicted.  A hit takes the line out, into the level
 *				that was asked for it first; a miss brings nothing in.
 *
 * A level and the victim levels that follow it are a group.  A line that replaces another in the first cache of a
 * group is looked for in the victims one after the other, and taken out where it is found; then the other
 * line goes into the first victim, what that evicts into the next one, and what leaves the last one is gone.  (Looked
 * for first: else the newcomer could push out what is wanted.)  A victim that already has the newcomer, since the two
 * first-level caches can give it one line twice, sees it as a hit.
 *
 * A reference is served by groups, one after the other:
 *
 *	It touches each line that it covers, in ascending order, in the first cache of the group, and for those that
 *	missed there the victims as above.  If a line was found nowhere in the group, the next group is asked for the
 *	whole reference.  The level that served the reference is the last one in which a line of it was found.
 *
 * So without victims a reference touches all of its lines in each level, as above, and a victim is asked only for lines
 * that missed the level before.
 *
 * An inclusive level takes no line out of I1 from which the last instruction was fetched: the processor has that
 * instruction, and generated code need not ask for its line again while it executes what is in it (sim/machine.h).  All
 * caches have the same line size, an instruction is no longer than a line, and the two lines that it may be on are in
 * different sets of I1: generated code touches those that hit before those that miss, which makes no difference then.
 *
 * Lines may be dirty (hierarchy_config.write_back).  A write makes the lines that it covers dirty in D1; no line of I1
 * is.  A dirty line that is evicted
 *
 *	goes dirty into the victim level that it goes into;
 *	else makes the line dirty in the first level further down that has it, which is no use of it;
 *	else is written to memory.
 *
 * An inclusive level's line is as dirty as any copy that leaves with it.  A dirty line that a victim gives back is dirty
 * in the cache that it comes into; for code it is written further down instead.  So no line is anywhere that it would
 * not be without dirty lines, and all other counts are the same.
 *
 * DynamoRIO's cache simulator and gem5's have the same three policies ("mostly inclusive" is NINE); the order above
 * is a choice.  Prefetchers (sim/prefetch/prefetchers.h) are no part of this: they bring lines in from outside.
 */
#ifndef SIM_LOWER_H
#define SIM_LOWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"
#include "sim/cache.h"
#include "sim/geometry.h"
#include "sim/prefetch/prefetchers.h"

enum {
	HIERARCHY_MAX_LOWER = 4,                        /* lower levels */
	HIERARCHY_MAX_LEVELS = 1 + HIERARCHY_MAX_LOWER, /* not counting memory */
};

/* --- which caches --------------------------------------------------------------- */

struct machine_tlbs_config;

/* What to simulate; all geometries must be legal. */
struct hierarchy_config {
	struct cache_config i1, d1;
	struct cache_config lower[HIERARCHY_MAX_LOWER]; /* in the order in which they are asked */
	unsigned n_lower;           /* 1 or more, except after hierarchy_without_last() */
	unsigned cores;             /* at most, up to CORES_MAX (sim/cores.h); 0 or 1: one */
	bool write_back;            /* dirty lines are known, and counted when written to memory */
	bool prefetch_instructions; /* for the callers of this: the program's own bring lines in */
	const struct machine_tlbs_config *tlbs; /* TLBs (sim/tlbs/machinetlbs.h), or NULL */
	const char *machine;                    /* for users: whose caches these are, or NULL */
	struct prefetchers_config prefetchers;  /* for the callers of this */
};

/* Three caches, as Cachegrind's: all LRU. */
static inline struct hierarchy_config
hierarchy_two_levels(struct cache_geometry i1, struct cache_geometry d1, struct cache_geometry ll)
{
	return (struct hierarchy_config){
		.i1 = { .name = "I1", .geometry = i1 },
		.d1 = { .name = "D1", .geometry = d1 },
		.n_lower = 1,
		.lower = { { .name = "LL", .geometry = ll } },
	};
}

static inline const struct cache_config *hierarchy_last(const struct hierarchy_config *config)
{
	return &config->lower[config->n_lower - 1];
}

/*
 * The same without its last level, for a caller that has one of another kind below it (sim/lastlevel.h): a reference that
 * "memory" serves goes on there.  With write_back, or a level that is not INCLUSION_NINE, one has to be left.
 */
static inline struct hierarchy_config hierarchy_without_last(const struct hierarchy_config *config)
{
	struct hierarchy_config rest = *config;

	rest.n_lower--;
	return rest;
}

/*
 * Why legal caches cannot be simulated together, in words that follow "the caches: ", or NULL if they can: with a level
 * that is not INCLUSION_NINE, or with write_back, all caches need the same line size, and I1 two sets or more.  The
 * text is static.
 */
const char *hierarchy_misfit(const struct hierarchy_config *config);

/* --- the lower levels ----------------------------------------------------------- */

/* The first level, as lower levels reach it. */
struct first_level {
	/* Takes a line, by its address, out of both caches, if it is there; returns true if it was dirty. */
	bool (*take)(void *caches, uint64_t line);
	void *caches; /* passed to take() */
};

struct lower_levels {
	unsigned n;
	bool are_related; /* not all of them are INCLUSION_NINE, or dirty lines are known */
	struct cache caches[HIERARCHY_MAX_LOWER];
	enum inclusion inclusion[HIERARCHY_MAX_LOWER];
	uint64_t n_written; /* dirty lines written to memory since lower_init(); a reference's are the difference */
	struct first_level first;
	/* With several cores (sim/coherence.h), are_related holds; all is NULL, NULL if there is one core. */
	struct cache *shared; /* the last level, if another core's lower levels have it; else NULL */
	struct first_level all; /* the levels before the last one, of all cores */
};

/* The cache with this index. */
static inline struct cache *lower_cache(struct lower_levels *lower, unsigned i)
{
	return lower->shared != NULL && i + 1 == lower->n ? lower->shared : &lower->caches[i];
}

static inline const struct cache *lower_cache_of(const struct lower_levels *lower, unsigned i)
{
	return lower->shared != NULL && i + 1 == lower->n ? lower->shared : &lower->caches[i];
}

/* Bytes of memory that lower_init() needs. */
size_t lower_memory_size(const struct hierarchy_config *config);

/*
 * Makes empty lower levels below a first level, in the caller's memory (see cache_init()); hierarchy_misfit() is NULL.
 * first is copied; it may be all NULL if all levels are INCLUSION_NINE.
 */
void lower_init(struct lower_levels *lower, const struct hierarchy_config *config,
		struct first_level first, void *memory);

/*
 * Take lines that have a byte in the range out of all lower levels; of those before the last one; of the last one.  Dirty
 * ones are not written.
 */
void lower_evict(struct lower_levels *lower, struct address_range range);
void lower_evict_own(struct lower_levels *lower, struct address_range range);
void lower_evict_last(struct lower_levels *lower, struct address_range range);

/* Has the host fetch what lower_serve() will look at for this reference. */
static ALWAYS_INLINED void lower_prepare(const struct lower_levels *lower, uint64_t address)
{
	if (lower->n != 0)
		cache_prepare(&lower->caches[0], address);
}

/*
 * Serves a reference of size bytes (1 or more) that missed the first level; returns the level that served it, 1 or more.
 * Only without are_related.
 */
static inline unsigned lower_serve(struct lower_levels *lower, uint64_t address, uint64_t size)
{
	unsigned i = 0;

	/* The whole reference again, also the lines that hit in the level before. */
	while (i < lower->n && cache_touch_all(&lower->caches[i], address, size))
		i++;
	return i + 1;
}

/* A line that has replaced another in a cache of the first level. */
struct lower_exchange {
	uint64_t line;
	uint64_t evicted; /* NO_LINE if there was none */
	bool evicted_is_dirty;
	bool is_code; /* the cache is I1 */
};

/* What served a line: a victim of the first level, or else the first level that was not asked. */
struct lower_found {
	unsigned level;
	bool is_dirty; /* the line is dirty in D1 now */
};

/* Exchanges a line with the victims of the first level. */
struct lower_found lower_fill(struct lower_levels *lower, const struct lower_exchange *exchange);

/*
 * Asks the levels after the first group for a whole reference of size bytes (1 or more) at address.  served is the
 * largest level that lower_fill() has returned for its lines, 0 if all of them hit; if all were found, no level is
 * asked.  Returns the level that served it.
 */
unsigned lower_serve_related(struct lower_levels *lower, unsigned served, uint64_t address,
			     uint64_t size);

/*
 * Does what is left of a reference whose lines the first level has touched, with or without are_related.  served as in
 * lower_serve_related(); without are_related any number, 0 if all lines hit.
 */
static ALWAYS_INLINED unsigned lower_serve_rest(struct lower_levels *lower, unsigned served,
						uint64_t address, uint64_t size)
{
	if (served == 0)
		return 0;
	return lower->are_related ? lower_serve_related(lower, served, address, size)
				  : lower_serve(lower, address, size);
}

/* Writes a dirty line to the first lower level from index i on that has it, else to memory. */
void lower_write_down(struct lower_levels *lower, unsigned i, uint64_t line);

/*
 * Brings a line into a level (1 .. n, not a victim) that does not have it, and into those below, as a reference to one
 * byte does that missed all levels before.  With or without are_related.  Returns the level that served it.
 */
unsigned lower_prefetch(struct lower_levels *lower, unsigned level, uint64_t line);

#endif
