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
#include "sim/shorttags.h"

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
	return aligned((size_t)geometry_lines(geometry) * sizeof(uint64_t));
}

/* Of LRU, whose tags may be short. */
static size_t short_tags_size(const struct cache_config *config)
{
	return cache_config_is_lru(config)
		       ? aligned((size_t)geometry_lines(&config->geometry) * sizeof(uint32_t))
		       : 0;
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

	return short_tags_size(config) + tags_size(&config->geometry) +
	       aligned(n_sets * words_for(config) * sizeof(uint64_t));
}

void cache_init(struct cache *cache, const struct cache_config *config, void *memory)
{
	const struct cache_geometry *geometry = &config->geometry;
	unsigned char *tags = (unsigned char *)memory + short_tags_size(config);

	*cache = (struct cache){
		.tags = (uint64_t *)(void *)tags,
		.short_tags = cache_config_is_lru(config) ? memory : NULL,
		.policy = policy_of(config),
		.bits = (uint64_t *)(void *)(tags + tags_size(geometry)),
		.set_mask = geometry_sets(geometry) - 1,
		.assoc = geometry->assoc,
		.bits_words = words_for(config),
	};
	while (UINT64_C(1) << cache->line_bits < geometry->line_size)
		cache->line_bits++;
	while (cache->set_mask >> cache->set_bits != 0)
		cache->set_bits++;
}

/* The tag that a line with a short one in a set has else. */
static inline uint64_t long_tag(const struct cache *cache, uint64_t set, uint32_t short_tag)
{
	if (short_tag == SHORTTAGS_NONE)
		return 0;
	return ((uint64_t)(short_tag - 1) << cache->set_bits | set) << cache->line_bits | 1;
}

uint64_t cache_tag(const struct cache *cache, uint64_t set, size_t way)
{
	size_t at = (size_t)set * cache->assoc + way;

	return cache->short_tags == NULL ? cache->tags[at]
					 : long_tag(cache, set, cache->short_tags[at]);
}

/* Has tags be long from now on. */
static void widen(struct cache *cache)
{
	if (cache->short_tags == NULL)
		return;
	/* An empty way is 0 in both, and large caches are not to be written all over. */
	for (uint64_t set = 0; set <= cache->set_mask; set++) {
		for (size_t way = 0; way < cache->assoc; way++) {
			uint64_t tag = cache_tag(cache, set, way);

			if (tag != 0)
				cache->tags[(size_t)set * cache->assoc + way] = tag;
		}
	}
	cache->short_tags = NULL;
}

void cache_keep_slots(struct cache *cache, uint32_t *slots)
{
	widen(cache);
	cache->slots = slots;
}

static uint32_t short_tag_of(const struct cache *cache, uint64_t address)
{
	return shorttag_of(address >> cache->line_bits, cache->set_bits);
}

static inline struct policy_set set_at(struct cache *cache, uint64_t set)
{
	size_t first = (size_t)set * cache->assoc;

	return (struct policy_set){
		.tags = cache->tags + first,
		.slots = cache->slots != NULL ? cache->slots + first : NULL,
		.bits = cache->bits + (size_t)set * cache->bits_words,
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

/* The same of a row of short tags. */
static void evict_short(struct cache *cache, uint64_t set, struct address_range range)
{
	uint32_t *row = cache->short_tags + (size_t)set * cache->assoc;
	size_t kept = 0;

	for (size_t way = 0; way < cache->assoc; way++) {
		uint64_t tag = long_tag(cache, set, row[way]);

		if (tag != 0 && !address_range_meets(range, tag - 1, cache->line_bits))
			row[kept++] = row[way];
	}
	while (kept < cache->assoc)
		row[kept++] = SHORTTAGS_NONE;
}

void cache_evict(struct cache *cache, struct address_range range)
{
	if (cache->assoc == 0) /* one that is not in use */
		return;
	for (uint64_t set = 0; set <= cache->set_mask; set++) {
		const struct policy_set ways = set_at(cache, set);

		if (cache->short_tags != NULL)
			evict_short(cache, set, range);
		else
			evict_from_set(cache, &ways, range);
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

static bool touch_any(struct cache *cache, uint64_t number, uint64_t tag, uint64_t *evicted)
{
	const struct policy_set set = set_at(cache, number);
	uint32_t way = (uint32_t)find(set.tags, set.assoc, tag);

	*evicted = 0;
	if (way == set.assoc) {
		*evicted = fill(cache->policy, &set, tag);
		return true;
	}
	cache->policy->hit(&set, way);
	return false;
}

/* Of a set whose first way has this index. */
static inline bool touch_short(const struct cache *cache, size_t first, uint32_t tag)
{
	uint32_t *row = cache->short_tags + first;

	switch (cache->assoc) { /* those that most machines have, in a few instructions each */
	case 8:
		return shorttags_touch_few(row, 8, tag);
	case 16:
		return shorttags_touch_few(row, 16, tag);
	default:
		return shorttags_touch(row, cache->assoc, tag);
	}
}

/* With long tags and without slots. */
static __attribute__((noinline)) bool touch_long(struct cache *cache, uint64_t address)
{
	size_t first = cache_set(cache, address);
	uint64_t tag = tag_of(cache, address), evicted;

	widen(cache);
	return cache->policy == &policy_lru
		       ? touch_lru(cache, first, NULL, tag, &evicted)
		       : touch_any(cache, cache_set_number(cache, address), tag, &evicted);
}

bool cache_touch(struct cache *cache, uint64_t address)
{
	uint32_t tag = short_tag_of(cache, address);

	if (cache->short_tags == NULL || tag == SHORTTAGS_NONE)
		return touch_long(cache, address);
	return touch_short(cache, cache_set(cache, address), tag);
}

/* With short tags. */
static struct cache_touched touch_short_line(const struct cache *cache, uint64_t set, uint32_t tag)
{
	uint64_t last = cache_tag(cache, set, cache->assoc - 1);
	size_t first = (size_t)set * cache->assoc;
	bool missed = touch_short(cache, first, tag);

	return (struct cache_touched){
		.way = first,
		.evicted = missed ? last : 0,
		.missed = missed,
	};
}

struct cache_touched cache_touch_line(struct cache *cache, uint64_t address)
{
	size_t first = cache_set(cache, address);
	uint64_t tag = tag_of(cache, address);
	uint32_t short_tag = short_tag_of(cache, address);
	uint32_t *slots = cache->slots != NULL ? cache->slots + first : NULL;
	struct cache_touched touched;

	if (cache->short_tags != NULL && short_tag != SHORTTAGS_NONE)
		return touch_short_line(cache, cache_set_number(cache, address), short_tag);
	widen(cache);
	touched.missed =
		cache->policy == &policy_lru
			? touch_lru(cache, first, slots, tag, &touched.evicted)
			: touch_any(cache, cache_set_number(cache, address), tag, &touched.evicted);
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

/* The way of a set whose first one has this index, assoc if the line is not there. */
static size_t find_line(const struct cache *cache, size_t first, uint64_t address)
{
	uint32_t tag = short_tag_of(cache, address);

	if (cache->short_tags == NULL)
		return find(cache->tags + first, cache->assoc, tag_of(cache, address));
	return tag == SHORTTAGS_NONE ? cache->assoc
				     : shorttags_find(cache->short_tags + first, cache->assoc, tag);
}

size_t cache_find(const struct cache *cache, uint64_t address)
{
	size_t first = cache_set(cache, address);
	size_t way = find_line(cache, first, address);

	return way < cache->assoc ? first + way : SIZE_MAX;
}
