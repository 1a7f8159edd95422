/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set is a row of tags in an order that is the policy's; with LRU, which
 * most caches have, most recently used first:
 *
 *	0x1041 0x3041 0x2041 (none)		touch 0x2040: a hit at place 2
 *	0x2041 0x1041 0x3041 (none)		those before it move down by one
 *
 * A miss is the same with the last place.  Programs touch what they touched
 * last, so the search seldom goes far.  (With stamps beside the tags instead,
 * as the first level of generated code has them, an LL of 8 MiB takes twice
 * the memory, and programs that miss much took 1.17 times as long.)
 */
#include "sim/cache.h"

#include "sim/policy.h"

enum {
	CACHE_ALIGNMENT = 64, /* bytes, a line of the host's cache: a set's tags lie together */
	WORD_BITS = 64,
};

static uint64_t tag_of(const struct cache *cache, uint64_t address)
{
	return (address >> cache->line_bits << cache->line_bits) | 1;
}

static const struct policy *policy_of(const struct cache_config *config)
{
	return config->policy == NULL ? &policy_lru : config->policy;
}

/* Rounded up, so that caches laid end to end are all aligned. */
static size_t aligned(size_t size)
{
	return (size + CACHE_ALIGNMENT - 1) / CACHE_ALIGNMENT * CACHE_ALIGNMENT;
}

static size_t tags_size(const struct cache_geometry *geometry)
{
	return aligned((size_t)(geometry->size / geometry->line_size) * sizeof(uint64_t));
}

/* Words of a set's bits. */
static uint32_t words_for(const struct cache_config *config)
{
	uint64_t bits = (uint64_t)policy_of(config)->bits * config->geometry.assoc;

	return (uint32_t)((bits + WORD_BITS - 1) / WORD_BITS);
}

size_t cache_memory_size(const struct cache_config *config)
{
	size_t n_sets = (size_t)geometry_sets(&config->geometry);

	return tags_size(&config->geometry) +
	       aligned(n_sets * words_for(config) * sizeof(uint64_t));
}

void cache_init(struct cache *cache, const struct cache_config *config, void *memory)
{
	const struct cache_geometry *geometry = &config->geometry;

	*cache = (struct cache){
		.tags = memory,
		.policy = policy_of(config),
		.bits = (uint64_t *)(void *)((unsigned char *)memory + tags_size(geometry)),
		.set_mask = geometry_sets(geometry) - 1,
		.assoc = geometry->assoc,
		.bits_words = words_for(config),
	};
	while (UINT64_C(1) << cache->line_bits < geometry->line_size)
		cache->line_bits++;
}

/* The set whose first way has this index. */
static inline struct policy_set set_at(struct cache *cache, size_t first)
{
	return (struct policy_set){
		.tags = cache->tags + first,
		.slots = cache->slots != NULL ? cache->slots + first : NULL,
		.bits = cache->bits + first / cache->assoc * cache->bits_words,
		.level = cache->level,
		.assoc = cache->assoc,
	};
}

/* Moves a way behind n - 1 others, of which those behind it move up. */
static void move_back(const struct policy_set *set, uint32_t way, uint32_t n)
{
	for (; way + 1 < n; way++) {
		uint64_t tag = set->tags[way];

		set->tags[way] = set->tags[way + 1];
		set->tags[way + 1] = tag;
		if (set->slots != NULL) {
			uint32_t slot = set->slots[way];

			set->slots[way] = set->slots[way + 1];
			set->slots[way + 1] = slot;
		}
	}
}

static void evict_from_set(const struct cache *cache, const struct policy_set *set,
			   struct address_range range)
{
	/* From the last one on, so that what moves up was looked at before. */
	for (uint32_t way = set->assoc; way-- > 0;) {
		if (set->tags[way] == 0 ||
		    !address_range_meets(range, set->tags[way] - 1, cache->line_bits))
			continue;
		set->tags[way] = 0;
		if (cache->bits_words == 0)
			move_back(set, way, set->assoc);
	}
}

void cache_evict(struct cache *cache, struct address_range range)
{
	for (size_t first = 0; first < cache_ways(cache); first += cache->assoc) {
		const struct policy_set set = set_at(cache, first);

		evict_from_set(cache, &set, range);
	}
}

/* The first way with a tag, assoc if none has it. */
static inline size_t find(const uint64_t *tags, size_t assoc, uint64_t tag)
{
	size_t way = 0;

	while (way < assoc && tags[way] != tag)
		way++;
	return way;
}

/* Brings a line in; returns the tag of the one that goes, or 0. */
static uint64_t fill(const struct policy *policy, const struct policy_set *set, uint64_t tag)
{
	uint32_t way = (uint32_t)find(set->tags, set->assoc, 0);
	uint64_t evicted;

	if (way == set->assoc)
		way = policy->victim(set);
	evicted = set->tags[way];
	set->tags[way] = tag;
	policy->fill(set, way);
	return evicted;
}

/* The same as below, for LRU: nothing is called, and the last way is empty or the victim. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the set moves them */
static inline bool touch_lru(const struct cache *cache, size_t first, uint32_t *slots, uint64_t tag,
			     uint64_t *evicted)
{
	const struct policy_set set = {
		.tags = cache->tags + first,
		.slots = slots,
		.assoc = cache->assoc,
	};
	size_t way = find(set.tags, set.assoc, tag);
	bool missed = way == set.assoc;

	*evicted = 0;
	if (missed) {
		way = lru_victim(&set);
		*evicted = set.tags[way];
		set.tags[way] = tag;
	}
	lru_touch(&set, (uint32_t)way);
	return missed;
}

static bool touch_any(struct cache *cache, size_t first, uint64_t tag, uint64_t *evicted)
{
	const struct policy_set set = set_at(cache, first);
	uint32_t way = (uint32_t)find(set.tags, set.assoc, tag);

	*evicted = 0;
	if (way == set.assoc) {
		*evicted = fill(cache->policy, &set, tag);
		return true;
	}
	cache->policy->hit(&set, way);
	return false;
}

bool cache_touch(struct cache *cache, uint64_t address)
{
	size_t first = cache_set(cache, address);
	uint64_t tag = tag_of(cache, address), evicted;

	/* Without slots, that is. */
	return cache->policy == &policy_lru ? touch_lru(cache, first, NULL, tag, &evicted)
					    : touch_any(cache, first, tag, &evicted);
}

struct cache_touched cache_touch_line(struct cache *cache, uint64_t address)
{
	size_t first = cache_set(cache, address);
	uint64_t tag = tag_of(cache, address);
	uint32_t *slots = cache->slots != NULL ? cache->slots + first : NULL;
	struct cache_touched touched;

	touched.missed = cache->policy == &policy_lru
				 ? touch_lru(cache, first, slots, tag, &touched.evicted)
				 : touch_any(cache, first, tag, &touched.evicted);
	touched.way = first + find(cache->tags + first, cache->assoc, tag);
	return touched;
}

bool cache_touch_all(struct cache *cache, uint64_t address, uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << cache->line_bits;
	bool missed = cache_touch(cache, address);

	/*
	 * By bytes covered rather than by addresses: address + size may wrap
	 * around, and then the line after the last one is line 0.
	 */
	for (uint64_t covered = line_size - (address & (line_size - 1)); covered < size;
	     covered += line_size) {
		if (cache_touch(cache, address + covered))
			missed = true;
	}
	return missed;
}

size_t cache_find(const struct cache *cache, uint64_t address)
{
	size_t first = cache_set(cache, address);
	size_t way = find(cache->tags + first, cache->assoc, tag_of(cache, address));

	return way < cache->assoc ? first + way : SIZE_MAX;
}
