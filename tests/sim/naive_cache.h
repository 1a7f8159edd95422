/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle of sim/'s caches: a list per set, most recently used line first,
 * and references cut into lines byte by byte.  Written to be obviously right
 * and not to be fast; it shares nothing with sim/ but the names of outcomes.
 */
#ifndef TESTS_SIM_NAIVE_CACHE_H
#define TESTS_SIM_NAIVE_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cache.h"
#include "sim/lower.h"

struct naive_cache {
	uint64_t sets, assoc, line_size;
	uint64_t *lines; /* line numbers; set s has used[s] of them from [s * assoc] on */
	uint64_t *used;
	bool hashes;
	uint64_t seed;
};

/* By the definition in sim/geometry.h. */
static inline uint64_t naive_set_of(const struct naive_cache *cache, uint64_t line)
{
	uint64_t x = line / cache->sets, rotation;

	if (!cache->hashes)
		return line % cache->sets;
	x ^= (cache->seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	x *= UINT64_C(0xbf58476d1ce4e5b9);
	x ^= x >> 32;
	x *= UINT64_C(0x94d049bb133111eb);
	/* The sets are few enough for the upper half to be found by halves. */
	rotation = ((x >> 32) * cache->sets + ((x & UINT32_MAX) * cache->sets >> 32)) >> 32;
	return (line % cache->sets + rotation) % cache->sets;
}

static inline void naive_init(struct naive_cache *cache, const struct cache_geometry *geometry)
{
	cache->hashes = false;
	cache->assoc = geometry->assoc;
	cache->line_size = geometry->line_size;
	cache->sets = geometry->size / cache->assoc / cache->line_size;
	cache->lines = calloc(cache->sets * cache->assoc, sizeof(*cache->lines));
	cache->used = calloc(cache->sets, sizeof(*cache->used));
	if (!cache->lines || !cache->used)
		abort();
}

/* With the sets of a configuration; its policy is LRU. */
static inline void naive_init_config(struct naive_cache *cache, const struct cache_config *config)
{
	naive_init(cache, &config->geometry);
	cache->hashes = config->hashes_sets;
	cache->seed = config->hash_seed;
}

static inline void naive_release(struct naive_cache *cache)
{
	free(cache->lines);
	free(cache->used);
}

/* True if the line that holds address is resident; changes nothing. */
static inline bool cache_contains(const struct cache *cache, uint64_t address)
{
	return cache_find(cache, address) != SIZE_MAX;
}

/* Returns whether it missed, as cache_touch(). */
static inline bool naive_touch(struct naive_cache *cache, uint64_t address)
{
	uint64_t line = address / cache->line_size;
	uint64_t set = naive_set_of(cache, line);
	uint64_t *list = cache->lines + set * cache->assoc;
	uint64_t *used = &cache->used[set];
	uint64_t place = 0;

	while (place < *used && list[place] != line)
		place++;

	bool missed = place == *used;

	if (missed && *used < cache->assoc)
		++*used;
	else if (missed)
		place--; /* the last one falls off */
	memmove(list + 1, list, place * sizeof(*list));
	list[0] = line;
	return missed;
}

/* True if the line that holds address is resident. */
static inline bool naive_contains(const struct naive_cache *cache, uint64_t address)
{
	uint64_t line = address / cache->line_size, set = naive_set_of(cache, line);

	for (uint64_t i = 0; i < cache->used[set]; i++)
		if (cache->lines[set * cache->assoc + i] == line)
			return true;
	return false;
}

/* As cache_evict(), bytes first to last. */
static inline void naive_evict(struct naive_cache *cache, uint64_t first, uint64_t last)
{
	for (uint64_t set = 0; set < cache->sets; set++) {
		uint64_t *list = cache->lines + set * cache->assoc;

		for (uint64_t i = cache->used[set]; i-- > 0;) {
			if (list[i] < first / cache->line_size || list[i] > last / cache->line_size)
				continue;
			memmove(list + i, list + i + 1, (cache->used[set] - i - 1) * sizeof(*list));
			cache->used[set]--;
		}
	}
}

/* Touches every line that a reference covers; returns whether any missed. */
static inline bool naive_touch_all(struct naive_cache *cache, uint64_t address, uint64_t size)
{
	bool missed = false;

	for (uint64_t i = 0; i < size; i++) {
		if (i == 0 || (address + i) % cache->line_size == 0)
			missed |= naive_touch(cache, address + i);
	}
	return missed;
}

/* As hierarchy_fetch() and hierarchy_data(). */
static inline unsigned naive_reference(struct naive_cache *first, struct naive_cache *ll,
				       uint64_t address, uint64_t size)
{
	if (!naive_touch_all(first, address, size))
		return 0;
	return naive_touch_all(ll, address, size) ? 2 : 1;
}

/*
 * True if the cache under test holds the same lines, in the same order of
 * use, no other ones, and keeps the invariant of struct cache.
 */
static inline bool naive_equals(const struct naive_cache *naive, const struct cache *cache)
{
	for (uint64_t set = 0; set < naive->sets; set++) {
		const uint64_t *lines = naive->lines + set * naive->assoc;

		for (uint64_t i = 0; i < naive->used[set]; i++) {
			uint64_t address = lines[i] * naive->line_size;

			if (cache_tag(cache, set, (size_t)i) != address + 1 ||
			    !cache_contains(cache, address))
				return false;
		}
		for (uint64_t i = naive->used[set]; i < naive->assoc; i++) {
			if (cache_tag(cache, set, (size_t)i) != 0)
				return false;
		}
	}
	return true;
}

#endif
