/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One set-associative cache with a replacement policy (sim/policy.h).
 *
 * A cache knows lines, not references: the hierarchy cuts references into
 * lines.  Reads and writes are alike (write-allocate).  The set of a line is
 * chosen by its number (sim/geometry.h): mostly by its low bits, as in Cachegrind.
 */
#ifndef SIM_CACHE_H
#define SIM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"
#include "sim/geometry.h"
#include "sim/policy.h"

/*
 * A lower level's inclusion policy (sim/lower.h): non-inclusive and non-exclusive; has all lines that the levels before it
 * have; has only lines that the level before it has evicted.
 */
enum inclusion {
	INCLUSION_NINE,
	INCLUSION_INCLUSIVE,
	INCLUSION_VICTIM,
};

/* What a cache is to be. */
struct cache_config {
	struct cache_geometry geometry; /* geometry_check_any_sets() accepts it */
	const struct policy *policy;    /* NULL: LRU; outlives the caches that use it */
	/* For users: its name; what there is to say in addition to the geometry, or NULL. */
	const char *name, *text;
	bool hashes_sets; /* sets are chosen by a hash, of this seed */
	uint32_t hash_seed;
	enum inclusion inclusion; /* of a level's cache; nothing here reads it */
};

static inline bool cache_config_is_lru(const struct cache_config *config)
{
	return policy_is_lru(config->policy);
}

/* True if sets are chosen by low bits. */
static inline bool cache_config_has_low_sets(const struct cache_config *config)
{
	return !config->hashes_sets && geometry_check(&config->geometry) == GEOMETRY_OK;
}

/* True if it is as Cachegrind's caches: LRU, with such sets. */
static inline bool cache_config_is_plain(const struct cache_config *config)
{
	return cache_config_is_lru(config) && cache_config_has_low_sets(config);
}

/*
 * Invariant: the ways of set s are tags[s * assoc .. s * assoc + assoc - 1], in
 * an order that is its policy's.  A tag is the line's address with bit 0 set,
 * which is clear in a line's address; 0 is an empty way (so line 0 and the
 * last line are ordinary lines, and zeroed memory is an empty cache).  If the
 * policy has no bits, empty ways are the last of their set.  No other tag
 * is twice in a set.
 *
 * Tags are short (sim/shorttags.h) until a line comes that has no short tag, or the caller
 * has slots; the others are made from them then.  cache_tag() reads whichever there are.
 *
 * If dirty lines are known (cache_keep_dirty()), a bit of its tag says that a line is: it goes where the line goes.
 *
 * A policy may move ways about.  Who keeps records of lines (sim/lastlevel.h) has
 * a slot for each tag: 0 to assoc - 1 in each set, in any order; a line has the
 * same slot from when it comes to when it goes.
 */
struct cache {
	uint64_t *tags;              /* if short_tags is NULL */
	uint32_t *short_tags;        /* in the same order, or NULL */
	uint32_t *plain_tags;        /* short_tags of a plain cache, else NULL */
	uint32_t *slots;             /* the caller's, or NULL */
	const struct policy *policy; /* &policy_lru if it is LRU */
	uint64_t *bits;              /* bits_words words a set */
	uint64_t dirty_bit;          /* of tags; 0 if dirty lines are not known */
	uint32_t short_bits;         /* of short tags: what is not the dirty bit */
	uint64_t set_mask;           /* number of sets - 1, if it is plain */
	uint32_t assoc;
	uint32_t line_bits; /* log2 of the line size in bytes, 4 or more */
	uint32_t set_bits;  /* log2 of the number of sets, if it is plain */
	uint32_t bits_words;
	struct sets sets;
	uint64_t level[POLICY_LEVEL_WORDS];
};

/* What a touch of a line has done. */
struct cache_touched {
	size_t way;       /* where its tag is now: an index of tags and slots */
	uint64_t evicted; /* the tag of the line that it took the place of; 0: none went */
	bool missed;
	bool evicted_is_dirty;
};

/* The address of the line that went, or NO_LINE. */
static inline uint64_t cache_touched_evicted(const struct cache_touched *touched)
{
	return touched->evicted == 0 ? NO_LINE : touched->evicted - 1;
}

/*
 * Bytes of memory that cache_init() needs, a multiple of 64; the geometry must be legal, and the policy
 * go with it (policy_misfit()).  There is room for short tags and for long ones; only the kind in
 * use is ever written.
 */
size_t cache_memory_size(const struct cache_config *config);

/*
 * Makes an empty cache in the caller's memory: cache_memory_size() bytes,
 * aligned to 64 (or at least 8), all zero, owned by the caller and not moved
 * while the cache is in use.  The memory is not written before it is needed:
 * a large cache of a small program stays out of the resident set.
 */
void cache_init(struct cache *cache, const struct cache_config *config, void *memory);

/* Keeps the caller's slots, 0 to assoc - 1 in each set, with the tags of an empty cache. */
void cache_keep_slots(struct cache *cache, uint32_t *slots);

/* Keeps track of which lines are dirty, in an empty cache without slots; a line that comes is clean. */
void cache_keep_dirty(struct cache *cache);

/* Takes lines that have a byte in the range out; the others stay in their order. */
void cache_evict(struct cache *cache, struct address_range range);

enum cache_taken {
	CACHE_WAS_ABSENT, /* and nothing is done */
	CACHE_WAS_CLEAN,
	CACHE_WAS_DIRTY,
};

/* Takes the line that holds address out, if it is there.  The slot stays with the empty way. */
enum cache_taken cache_take(struct cache *cache, uint64_t address);

/*
 * References the line that holds address: on a miss brings it in, into an
 * empty way or in place of the policy's victim.  Returns whether it
 * missed.  Only for caches without slots.
 */
bool cache_touch(struct cache *cache, uint64_t address);

/* The same, and says which line has made room for it, and where it is now. */
struct cache_touched cache_touch_line(struct cache *cache, uint64_t address);

/*
 * References size bytes (1 or more) at address: touches each line that they
 * cover, in ascending order; the end may wrap around the top of the address
 * space.  Returns whether any missed.
 */
bool cache_touch_all(struct cache *cache, uint64_t address, uint64_t size);

/* The index of the way of a line that is resident, else SIZE_MAX; changes nothing. */
size_t cache_find(const struct cache *cache, uint64_t address);

/* The tag of a way of a set, each from 0; dirty or not. */
uint64_t cache_tag(const struct cache *cache, uint64_t set, size_t way);

/* Marks the line in a way (see cache_find() and cache_touch_line()) as dirty; does nothing if dirty lines are not known. */
static inline void cache_mark_dirty(struct cache *cache, size_t way)
{
	if (cache->short_tags == NULL)
		cache->tags[way] |= cache->dirty_bit;
	else
		cache->short_tags[way] |= ~cache->short_bits;
}

/* Marks the line in a way as clean. */
static inline void cache_mark_clean(struct cache *cache, size_t way)
{
	if (cache->short_tags == NULL)
		cache->tags[way] &= ~cache->dirty_bit;
	else
		cache->short_tags[way] &= cache->short_bits;
}

/*
 * The lines of size bytes (1 or more) at address are dirty now, if all of them are there, which is no use of
 * them; else nothing is done.
 */
bool cache_mark_all_dirty(struct cache *cache, uint64_t address, uint64_t size);

/* True if the line in a way is dirty; no empty way is. */
static inline bool cache_is_dirty(const struct cache *cache, size_t way)
{
	return cache->short_tags == NULL ? (cache->tags[way] & cache->dirty_bit) != 0
					 : (cache->short_tags[way] & ~cache->short_bits) != 0;
}

/* How many sets it has; 0 if it is none. */
static inline uint64_t cache_n_sets(const struct cache *cache)
{
	return cache->sets.n;
}

/* The number of the set of an address; the index of its first way. */
static inline uint64_t cache_set_number(const struct cache *cache, uint64_t address)
{
	return sets_place(&cache->sets, address >> cache->line_bits).set;
}

static inline size_t cache_set(const struct cache *cache, uint64_t address)
{
	return (size_t)cache_set_number(cache, address) * cache->assoc;
}

/* The same of a plain cache. */
static inline size_t cache_plain_set(const struct cache *cache, uint64_t address)
{
	return (size_t)(address >> cache->line_bits & cache->set_mask) * cache->assoc;
}

/*
 * References the line that holds address, if the cache has it and it is found in a few instructions; returns true then.
 */
static inline bool cache_touch_found(const struct cache *cache, uint64_t address)
{
	const uint32_t tag =
		shorttag_of(address >> cache->line_bits >> cache->set_bits, SHORTTAGS_ALL);

	return cache->plain_tags != NULL && tag != SHORTTAGS_NONE &&
	       shorttags_touch_found(cache->plain_tags + cache_plain_set(cache, address),
				     cache->assoc, tag);
}

/*
 * An address will probably be touched soon: has the host fetch what that looks at.  Changes nothing.  (To gcc a function
 * that only prefetches has no effect, and a call of it is left out, unless it was inlined by then.)
 */
static ALWAYS_INLINED void cache_prepare(const struct cache *cache, uint64_t address)
{
	if (cache->plain_tags != NULL)
		__builtin_prefetch(cache->plain_tags + cache_plain_set(cache, address), 1);
	else if (cache->short_tags != NULL)
		__builtin_prefetch(cache->short_tags + cache_set(cache, address), 1);
}

/* How many lines it has room for. */
static inline size_t cache_ways(const struct cache *cache)
{
	return (size_t)cache_n_sets(cache) * cache->assoc;
}

#endif
