/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set is a row of tags in an order that is the policy's; with LRU, which
 * most caches have, most recently used first:
 *
 *	0x1041 0x3041 0x2041 (none)		touch 0x2040: a hit at place 2
 *	0x2041 0x1041 0x3041 (none)		those before it move down by one
 *
 * A miss is the same with the last place.  Programs touch what they touched
 * last, so the search rarely goes far.  (With a stamp for each tag instead,
 * as the first level of generated code has them, an LL of 8 MiB takes twice
 * the memory, and programs that miss much took 1.17 times as long.)
 */
#include "sim/cache.h"

#include "sim/basics.h"
#include "sim/policy.h"
#include "sim/shorttags.h"

enum {
	WORD_BITS = 64,
	DIRTY_BIT = 2, /* clear in a line's address, as bit 0 is */
};

static uint64_t tag_of(const struct cache *cache, uint64_t address)
{
	return (address >> cache->line_bits << cache->line_bits) | 1;
}

static const struct policy *policy_of(const struct cache_config *config)
{
	return cache_config_is_lru(config) ? &policy_lru : config->policy;
}

static size_t tags_size(const struct cache_geometry *geometry)
{
	return aligned_size((size_t)geometry_lines(geometry) * sizeof(uint64_t));
}

static size_t short_tags_size(const struct cache_geometry *geometry)
{
	return aligned_size((size_t)geometry_lines(geometry) * sizeof(uint32_t));
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

	return short_tags_size(&config->geometry) + tags_size(&config->geometry) +
	       aligned_size(n_sets * words_for(config) * sizeof(uint64_t));
}

void cache_init(struct cache *cache, const struct cache_config *config, void *memory)
{
	const struct cache_geometry *geometry = &config->geometry;
	unsigned char *tags = (unsigned char *)memory + short_tags_size(geometry);

	*cache = (struct cache){
		.tags = (uint64_t *)(void *)tags,
		.short_tags = memory,
		.plain_tags = cache_config_is_plain(config) ? memory : NULL,
		.policy = policy_of(config),
		.bits = (uint64_t *)(void *)(tags + tags_size(geometry)),
		.short_bits = SHORTTAGS_ALL,
		.set_mask = geometry_sets(geometry) - 1,
		.assoc = geometry->assoc,
		.line_bits = geometry_line_bits(geometry),
		.bits_words = words_for(config),
	};
	while (cache->set_mask >> cache->set_bits != 0)
		cache->set_bits++;
	sets_init(&cache->sets, geometry_sets(geometry), config->hashes_sets, config->hash_seed);
}

/* The long tag of a line with a short one, in a set. */
static inline uint64_t long_tag(const struct cache *cache, uint64_t set, uint32_t short_tag)
{
	if (short_tag == SHORTTAGS_NONE)
		return 0;
	return sets_line(&cache->sets, (struct set_place){ short_tag - 1, set })
		       << cache->line_bits |
	       1;
}

uint64_t cache_tag(const struct cache *cache, uint64_t set, size_t way)
{
	size_t at = (size_t)set * cache->assoc + way;

	return cache->short_tags == NULL
		       ? cache->tags[at] & ~cache->dirty_bit
		       : long_tag(cache, set, cache->short_tags[at] & cache->short_bits);
}

/* Makes all tags long, for good. */
static void widen(struct cache *cache)
{
	if (cache->short_tags == NULL)
		return;
	/* An empty way is 0 in both, and large caches are not to be written all over. */
	for (uint64_t set = 0; set < cache_n_sets(cache); set++) {
		for (size_t way = 0; way < cache->assoc; way++) {
			size_t at = (size_t)set * cache->assoc + way;
			uint64_t tag = cache_tag(cache, set, way);

			if (tag != 0)
				cache->tags[at] = cache_is_dirty(cache, at) ? tag | cache->dirty_bit
									    : tag;
		}
	}
	cache->short_tags = NULL;
	cache->plain_tags = NULL;
}

void cache_keep_slots(struct cache *cache, uint32_t *slots)
{
	widen(cache);
	cache->slots = slots;
}

void cache_keep_dirty(struct cache *cache)
{
	cache->dirty_bit = DIRTY_BIT;
	cache->short_bits = SHORTTAGS_CLEAN;
	cache->plain_tags = NULL;
}

static inline struct set_place place_of(const struct cache *cache, uint64_t address)
{
	return sets_place(&cache->sets, address >> cache->line_bits);
}

static inline struct policy_set set_at(struct cache *cache, uint64_t set)
{
	size_t first = (size_t)set * cache->assoc;

	return (struct policy_set){
		.tags = cache->short_tags == NULL ? cache->tags + first : NULL,
		.short_tags = cache->short_tags != NULL ? cache->short_tags + first : NULL,
		.slots = cache->slots != NULL ? cache->slots + first : NULL,
		.bits = cache->bits + (size_t)set * cache->bits_words,
		.level = cache->level,
		.number = set,
		.n_sets = cache_n_sets(cache),
		.assoc = cache->assoc,
		.variant = cache->policy->variant,
	};
}

/* A way loses its line.  In a policy without bits it becomes the last one, and those after it move up. */
static void empty_way(const struct cache *cache, const struct policy_set *set, size_t way)
{
	size_t last = cache->bits_words == 0 ? set->assoc - 1 : way;
	uint32_t slot = set->slots != NULL ? set->slots[way] : 0;

	for (size_t i = way; i < last; i++) {
		if (set->short_tags != NULL)
			set->short_tags[i] = set->short_tags[i + 1];
		else
			set->tags[i] = set->tags[i + 1];
		if (set->slots != NULL)
			set->slots[i] = set->slots[i + 1];
	}
	if (set->short_tags != NULL)
		set->short_tags[last] = SHORTTAGS_NONE;
	else
		set->tags[last] = 0;
	if (set->slots != NULL)
		set->slots[last] = slot;
}

static void evict_from_set(struct cache *cache, uint64_t number, struct address_range range)
{
	const struct policy_set set = set_at(cache, number);

	/* From the last one on, so that what moves up was looked at before. */
	for (size_t way = set.assoc; way-- > 0;) {
		uint64_t tag = cache_tag(cache, number, way);

		if (tag != 0 && address_range_meets(range, tag - 1, cache->line_bits))
			empty_way(cache, &set, way);
	}
}

void cache_evict(struct cache *cache, struct address_range range)
{
	if (cache->assoc == 0) /* one that is not in use */
		return;
	for (uint64_t set = 0; set < cache_n_sets(cache); set++)
		evict_from_set(cache, set, range);
}

/* The first way from one on with a tag, dirty or not; assoc if none has it. */
static inline size_t find(const struct cache *cache, size_t first, uint64_t tag)
{
	const uint64_t *tags = cache->tags + first;
	size_t way = 0;

	while (way < cache->assoc && (tags[way] & ~cache->dirty_bit) != tag)
		way++;
	return way;
}

/* A miss took the place of the line with this tag, 0 if there was none. */
static void note_evicted(const struct cache *cache, struct cache_touched *touched, uint64_t tag)
{
	touched->evicted = tag & ~cache->dirty_bit;
	touched->evicted_is_dirty = (tag & cache->dirty_bit) != 0;
}

/* The same as below, for LRU: nothing is called, and the last way is empty or the victim. */
static inline struct cache_touched touch_lru(const struct cache *cache, size_t first, uint64_t tag)
{
	const struct policy_set set = {
		.tags = cache->tags + first,
		.slots = cache->slots != NULL ? cache->slots + first : NULL,
		.assoc = cache->assoc,
	};
	size_t way = find(cache, first, tag);
	struct cache_touched touched = { .way = first, .missed = way == set.assoc };

	if (touched.missed) {
		way = set.assoc - 1;
		note_evicted(cache, &touched, set.tags[way]);
		set.tags[way] = tag;
	}
	lru_touch(&set, (uint32_t)way);
	return touched;
}

/* The way in its set of the line at address, which has this place; assoc if it is not there. */
static size_t find_line(const struct cache *cache, struct set_place place, uint64_t address)
{
	size_t first = (size_t)place.set * cache->assoc;
	uint32_t tag = shorttag_of(place.quotient, cache->short_bits);

	if (cache->short_tags == NULL)
		return find(cache, first, tag_of(cache, address));
	return tag == SHORTTAGS_NONE ? cache->assoc
				     : shorttags_find(cache->short_tags + first, cache->assoc, tag,
						      cache->short_bits);
}

/* A touch, by the policy's functions.  Inlined, so that callers that ignore what was evicted do not pay for it. */
static ALWAYS_INLINED struct cache_touched touch_called(struct cache *cache, struct set_place place,
							uint64_t address)
{
	const struct policy_set set = set_at(cache, place.set);
	struct cache_touched touched = { .way = find_line(cache, place, address) };

	touched.missed = touched.way == cache->assoc;
	if (!touched.missed) {
		cache->policy->hit(&set, (uint32_t)touched.way);
		if (cache->bits_words == 0) /* it may have been moved */
			touched.way = find_line(cache, place, address);
		touched.way += (size_t)place.set * cache->assoc;
	} else {
		uint32_t way = cache->policy->miss(&set);

		touched.way = (size_t)place.set * cache->assoc + way;
		touched.evicted = cache_tag(cache, place.set, way);
		touched.evicted_is_dirty = cache_is_dirty(cache, touched.way);
		if (set.short_tags != NULL)
			set.short_tags[way] = shorttag_of(place.quotient, cache->short_bits);
		else
			set.tags[way] = tag_of(cache, address);
	}
	return touched;
}

/* Of a set whose first way has this index.  bits: cache->short_bits, a constant if they are known to be all. */
static inline bool touch_short(const struct cache *cache, size_t first, uint32_t tag, uint32_t bits)
{
	uint32_t old;

	return shorttags_touch(cache->short_tags + first, cache->assoc, tag, bits, &old);
}

/* The same, and says what it did. */
static struct cache_touched touch_short_line(const struct cache *cache, struct set_place place)
{
	size_t first = (size_t)place.set * cache->assoc;
	uint32_t tag = shorttag_of(place.quotient, cache->short_bits);
	struct cache_touched touched = { .way = first };
	uint32_t old;

	touched.missed = shorttags_touch(cache->short_tags + first, cache->assoc, tag,
					 cache->short_bits, &old);
	if (touched.missed) {
		touched.evicted = long_tag(cache, place.set, old & cache->short_bits);
		touched.evicted_is_dirty = (old & ~cache->short_bits) != 0;
	}
	return touched;
}

static ALWAYS_INLINED struct cache_touched touch_placed(struct cache *cache, struct set_place place,
							uint64_t address)
{
	if (shorttag_of(place.quotient, cache->short_bits) == SHORTTAGS_NONE)
		widen(cache);
	if (cache->policy != &policy_lru)
		return touch_called(cache, place, address);
	if (cache->short_tags != NULL)
		return touch_short_line(cache, place);
	return touch_lru(cache, (size_t)place.set * cache->assoc, tag_of(cache, address));
}

struct cache_touched cache_touch_line(struct cache *cache, uint64_t address)
{
	return touch_placed(cache, place_of(cache, address), address);
}

/* In a cache that is not plain, or has no short tags any more. */
static __attribute__((noinline)) bool touch_other(struct cache *cache, uint64_t address)
{
	struct set_place place = place_of(cache, address);
	uint32_t tag = shorttag_of(place.quotient, cache->short_bits);

	if (cache->policy == &policy_lru && cache->short_tags != NULL && tag != SHORTTAGS_NONE)
		return touch_short(cache, (size_t)place.set * cache->assoc, tag, cache->short_bits);
	return touch_placed(cache, place, address).missed;
}

bool cache_touch(struct cache *cache, uint64_t address)
{
	uint32_t tag = shorttag_of(address >> cache->line_bits >> cache->set_bits, SHORTTAGS_ALL);

	if (cache->plain_tags == NULL || tag == SHORTTAGS_NONE)
		return touch_other(cache, address);
	return touch_short(cache, cache_plain_set(cache, address), tag, SHORTTAGS_ALL);
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
	struct set_place place = place_of(cache, address);
	size_t way = find_line(cache, place, address);

	return way < cache->assoc ? (size_t)place.set * cache->assoc + way : SIZE_MAX;
}

bool cache_mark_all_dirty(struct cache *cache, uint64_t address, uint64_t size)
{
	uint64_t line_size = UINT64_C(1) << cache->line_bits;
	uint64_t line = address & ~(line_size - 1);
	uint64_t end = (address - line) + size;

	for (uint64_t covered = 0; covered < end; covered += line_size)
		if (cache_find(cache, line + covered) == SIZE_MAX)
			return false;
	for (uint64_t covered = 0; covered < end; covered += line_size)
		cache_mark_dirty(cache, cache_find(cache, line + covered));
	return true;
}

enum cache_taken cache_take(struct cache *cache, uint64_t address)
{
	struct set_place place = place_of(cache, address);
	size_t way = find_line(cache, place, address);
	enum cache_taken taken;
	struct policy_set set;

	if (way == cache->assoc)
		return CACHE_WAS_ABSENT;
	taken = cache_is_dirty(cache, (size_t)place.set * cache->assoc + way) ? CACHE_WAS_DIRTY
									      : CACHE_WAS_CLEAN;
	set = set_at(cache, place.set);
	empty_way(cache, &set, way);
	return taken;
}
