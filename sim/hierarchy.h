/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulated memory system: a list of levels.  The first one has a cache of
 * its own for instructions (I1) and for data (D1); those behind it, the lower
 * levels, are for both, the last of them being LL.  What a reference did is
 * the number of the level that served it:
 *
 *	0		the first level: it hit
 *	1 .. n_lower	a lower level; it missed all those before
 *	n_lower + 1	memory
 *
 * Rules (Cachegrind's, seeds: Cachegrind manual 5.8): a reference is one
 * access whatever its length.  It touches each line of the first level that
 * it covers, in ascending order, and misses if any of them missed.  Only if
 * it missed there, it touches each line of the next level that it covers, all
 * of them, and misses that level if any of them missed; and so on.  A line evicted from LL stays
 * in L1, unless a level says otherwise (cache_config.relation; sim/relation.h has
 * the rules, also of what is written back, if that is asked for).  Prefetchers (sim/prefetch/prefetchers.h)
 * are not part of it: they bring lines in from outside.
 */
#ifndef SIM_HIERARCHY_H
#define SIM_HIERARCHY_H

#include <stddef.h>
#include <stdint.h>

#include "sim/cache.h"
#include "sim/geometry.h"
#include "sim/inlining.h"
#include "sim/prefetch/prefetchers.h"

enum {
	HIERARCHY_MAX_LOWER = 4,                        /* lower levels */
	HIERARCHY_MAX_LEVELS = 1 + HIERARCHY_MAX_LOWER, /* memory is none */
};

struct machine_tlbs_config;

/* What is to be simulated; all geometries must be legal. */
struct hierarchy_config {
	struct cache_config i1, d1;
	unsigned n_lower; /* 1 or more, but for hierarchy_without_last() */
	struct cache_config lower[HIERARCHY_MAX_LOWER]; /* in the order in which they are asked */
	const char *machine; /* for users: whose caches these are; or NULL.  Nothing here reads it. */
	/* Nothing here reads these two: who simulates prefetches does (sim/prefetch/prefetchers.h). */
	struct prefetchers_config prefetchers;
	bool prefetch_instructions; /* those of the program bring lines in */
	bool write_back; /* dirty lines are known, and counted when they are written to memory */
	/* TLBs of struct machine (sim/tlbs/machinetlbs.h), NULL: none; struct hierarchy has none. */
	const struct machine_tlbs_config *tlbs;
};

/* The lower levels of a hierarchy. */
struct lower_levels {
	unsigned n;
	bool are_related; /* not all of them are CACHE_NINE, or dirty lines are known: sim/relation.h serves */
	struct cache caches[HIERARCHY_MAX_LOWER];
	enum cache_relation relations[HIERARCHY_MAX_LOWER];
	uint64_t n_written; /* dirty lines written to memory since lower_init(); the difference is a reference's */
};

struct hierarchy {
	struct cache i1, d1;
	struct lower_levels lower;
	uint64_t last_code; /* the line that was fetched from last; HIERARCHY_NO_LINE if none was */
};

/* No line's address. */
#define HIERARCHY_NO_LINE UINT64_C(1)

/* Cachegrind's machine, of three caches: all LRU. */
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

/* The last level. */
static inline const struct cache_config *hierarchy_last(const struct hierarchy_config *config)
{
	return &config->lower[config->n_lower - 1];
}

/*
 * The same without its last level, for a caller with one of another kind behind it
 * (sim/memory.h): a reference that is served by "memory" goes on there.
 */
static inline struct hierarchy_config hierarchy_without_last(const struct hierarchy_config *config)
{
	struct hierarchy_config rest = *config;

	rest.n_lower--;
	return rest;
}

/*
 * Why legal caches cannot be simulated together, in words that follow on "the caches: ", or NULL if they
 * can: with a level that is not CACHE_NINE, or with write_back, all caches must have the same line size, and I1 two sets or more.  The text is static.
 */
const char *hierarchy_misfit(const struct hierarchy_config *config);

/* Bytes of memory that hierarchy_init() needs. */
size_t hierarchy_memory_size(const struct hierarchy_config *config);

/* Makes empty caches in the caller's memory; ownership as cache_init().  hierarchy_misfit() is NULL. */
void hierarchy_init(struct hierarchy *hierarchy, const struct hierarchy_config *config,
		    void *memory);

/* Takes lines that have a byte in the range out of all caches; dirty ones are not written. */
void hierarchy_evict(struct hierarchy *hierarchy, struct address_range range);

/*
 * Fetches an instruction of size bytes (1 or more) at address; the end may
 * wrap around the top of the address space.  Returns the level that served it.
 */
unsigned hierarchy_fetch(struct hierarchy *hierarchy, uint64_t address, uint64_t size);

/*
 * Reads size bytes (1 or more) at address, or writes them if nothing is known of writes; as
 * hierarchy_fetch().
 */
unsigned hierarchy_data(struct hierarchy *hierarchy, uint64_t address, uint64_t size);

/* The same of a write, or a modify. */
unsigned hierarchy_write(struct hierarchy *hierarchy, uint64_t address, uint64_t size);

/* The place that was just read is written too: no reference of its own, unless a line of it has left D1 by then. */
void hierarchy_modify(struct hierarchy *hierarchy, uint64_t address, uint64_t size);

/* Whether a level, 0 being D1, has the line of that address. */
bool hierarchy_has(const struct hierarchy *hierarchy, unsigned level, uint64_t line);

/*
 * Does what a read of one byte of a line would do to a level, no victim, and to those behind, if the level has not
 * got it.  Returns what prefetch_caches.bring() does.
 */
unsigned hierarchy_prefetch(struct hierarchy *hierarchy, unsigned level, uint64_t line);

/* --- the lower levels alone, for a caller with a first level of another kind ------------- */

size_t lower_memory_size(const struct hierarchy_config *config);
void lower_init(struct lower_levels *lower, const struct hierarchy_config *config, void *memory);
void lower_evict(struct lower_levels *lower, struct address_range range);

/* A reference will probably be asked for soon: has the host fetch what lower_serve() looks at. */
static ALWAYS_INLINED void lower_prepare(const struct lower_levels *lower, uint64_t address)
{
	if (lower->n != 0)
		cache_prepare(&lower->caches[0], address);
}

/* The level that serves a reference which missed the first one: 1 or more.  Only if all levels are CACHE_NINE. */
static inline unsigned lower_serve(struct lower_levels *lower, uint64_t address, uint64_t size)
{
	unsigned i = 0;

	/* The whole reference again, also the lines that hit in the level before. */
	while (i < lower->n && cache_touch_all(&lower->caches[i], address, size))
		i++;
	return i + 1;
}

#endif
