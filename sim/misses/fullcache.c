/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/misses/fullcache.h"

void fullcache_init(struct fullcache *cache, uint32_t n_lines, uint32_t line_bits,
		    const struct misses_memory *memory)
{
	/* Twice as many entries as lines: when the log is full, half of it is out of date. */
	const uint32_t bits = linehash_bits(n_lines);
	const size_t n = (size_t)1 << bits;

	*cache = (struct fullcache){
		.records = memory->allocate(n_lines * sizeof(*cache->records)),
		.buckets = memory->allocate(n * sizeof(*cache->buckets)),
		.log = memory->allocate(n * sizeof(*cache->log)),
		.n_lines = n_lines,
		.bucket_bits = bits,
		.line_bits = line_bits,
		.log_mask = (UINT32_C(1) << bits) - 1,
		.memory = *memory,
	};
}

void fullcache_release(struct fullcache *cache)
{
	cache->memory.release(cache->records);
	cache->memory.release(cache->buckets);
	cache->memory.release(cache->log);
}

static uint32_t *bucket_of(const struct fullcache *cache, uint64_t line)
{
	return &cache->buckets[linehash(line >> cache->line_bits, cache->bucket_bits)];
}

/* --- the log ------------------------------------------------------------------------------ */

static bool is_last_entry(const struct fullcache *cache, uint64_t at)
{
	const uint32_t place = (uint32_t)at & cache->log_mask;
	const struct full_record *record = &cache->records[cache->log[place]];

	return record->line != NO_LINE && record->at == place;
}

/* Drops entries that are out of date. */
static void compact(struct fullcache *cache)
{
	uint64_t to = cache->first;

	for (uint64_t at = cache->first; at != cache->end; at++) {
		const uint32_t record = cache->log[at & cache->log_mask];

		if (!is_last_entry(cache, at))
			continue;
		cache->records[record].at = (uint32_t)to & cache->log_mask;
		cache->log[to++ & cache->log_mask] = record;
	}
	cache->end = to;
}

static void note(struct fullcache *cache, uint32_t record)
{
	if (cache->end - cache->first > cache->log_mask)
		compact(cache);
	cache->records[record].at = (uint32_t)cache->end & cache->log_mask;
	cache->log[cache->end++ & cache->log_mask] = record;
}

/* The record of the line that was used longest ago; there is one. */
static uint32_t oldest_record(struct fullcache *cache)
{
	while (!is_last_entry(cache, cache->first))
		cache->first++;
	return cache->log[cache->first & cache->log_mask];
}

/* --- records ------------------------------------------------------------------------------ */

static void unchain(struct fullcache *cache, uint32_t record)
{
	uint32_t *link = bucket_of(cache, cache->records[record].line);

	while (*link != record + 1)
		link = &cache->records[*link - 1].next;
	*link = cache->records[record].next;
}

static void free_record(struct fullcache *cache, uint32_t record)
{
	unchain(cache, record);
	cache->records[record] = (struct full_record){ .line = NO_LINE, .next = cache->free };
	cache->free = record + 1;
	cache->n--;
}

static uint32_t take_record(struct fullcache *cache)
{
	const uint32_t free = cache->free;

	if (free == 0)
		return cache->n_records++;
	cache->free = cache->records[free - 1].next;
	return free - 1;
}

struct full_touched fullcache_touch(struct fullcache *cache, uint64_t address)
{
	const uint64_t line = address >> cache->line_bits << cache->line_bits;
	struct full_touched touched = { .left = NO_LINE };
	uint32_t *bucket = bucket_of(cache, line);
	uint32_t record = *bucket;

	while (record != 0 && cache->records[record - 1].line != line)
		record = cache->records[record - 1].next;
	if (record != 0) {
		note(cache, record - 1);
		return touched;
	}
	touched.missed = true;
	if (cache->n == cache->n_lines) {
		const uint32_t oldest = oldest_record(cache);

		touched.left = cache->records[oldest].line;
		free_record(cache, oldest);
	}
	record = take_record(cache);
	cache->records[record] = (struct full_record){ .line = line, .next = *bucket };
	*bucket = record + 1;
	cache->n++;
	note(cache, record);
	return touched;
}

void fullcache_evict(struct fullcache *cache, struct address_range range)
{
	for (uint32_t i = 0; i < cache->n_records; i++) {
		const uint64_t line = cache->records[i].line;

		if (line != NO_LINE && address_range_meets(range, line, cache->line_bits))
			free_record(cache, i);
	}
}

/* --- lines that were ever asked for -------------------------------------------------------- */

enum {
	FIRST_SIZE = 256, /* stretches */
	STRETCH_BITS = 6, /* log2 of SEEN_STRETCH */
	HASH_SHIFT = 32,  /* the middle of a product depends on all bits of the number */
};

static uint64_t first_index(const struct seen *seen, uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15) >> HASH_SHIFT & seen->mask;
}

/* Where a stretch is, or would be. */
static struct seen_stretch *find_stretch(const struct seen *seen, uint64_t key)
{
	uint64_t i = first_index(seen, key);

	while (seen->stretches[i].key != key && seen->stretches[i].key != 0)
		i = (i + 1) & seen->mask;
	return &seen->stretches[i];
}

static void make_table(struct seen *seen, uint64_t size)
{
	seen->stretches = seen->memory.allocate((size_t)size * sizeof(*seen->stretches));
	seen->mask = size - 1;
}

void seen_init(struct seen *seen, uint32_t line_bits, const struct misses_memory *memory)
{
	*seen = (struct seen){ .line_bits = line_bits, .memory = *memory };
	make_table(seen, FIRST_SIZE);
}

void seen_release(struct seen *seen)
{
	seen->memory.release(seen->stretches);
	seen->stretches = NULL;
}

static void grow(struct seen *seen)
{
	struct seen_stretch *old = seen->stretches;
	const uint64_t n = seen->mask + 1;

	make_table(seen, 2 * n);
	for (uint64_t i = 0; i < n; i++)
		if (old[i].key != 0)
			*find_stretch(seen, old[i].key) = old[i];
	seen->memory.release(old);
}

bool seen_add(struct seen *seen, uint64_t address)
{
	const uint64_t line = address >> seen->line_bits, key = (line >> STRETCH_BITS) + 1;
	const uint64_t bit = UINT64_C(1) << (line & (SEEN_STRETCH - 1));
	struct seen_stretch *stretch = find_stretch(seen, key);
	bool was_seen;

	if (stretch->key == 0) {
		if (2 * ++seen->n > seen->mask) {
			grow(seen);
			stretch = find_stretch(seen, key);
		}
		stretch->key = key;
	}
	was_seen = (stretch->lines & bit) != 0;
	stretch->lines |= bit;
	return was_seen;
}

void seen_forget(struct seen *seen, struct address_range range)
{
	for (uint64_t i = 0; i <= seen->mask; i++) {
		struct seen_stretch *stretch = &seen->stretches[i];
		const uint64_t first = (stretch->key - 1) << STRETCH_BITS;

		for (uint32_t bit = 0; stretch->lines >> bit != 0; bit++) {
			if (address_range_meets(range, (first + bit) << seen->line_bits,
						seen->line_bits))
				stretch->lines &= ~(UINT64_C(1) << bit);
			if (bit == SEEN_STRETCH - 1)
				break;
		}
	}
}
