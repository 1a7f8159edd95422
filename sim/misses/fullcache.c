/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/misses/fullcache.h"

#include "sim/misses/linehash.h"

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

	return record->line != FULLCACHE_NO_LINE && record->at == place;
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
	cache->records[record] =
		(struct full_record){ .line = FULLCACHE_NO_LINE, .next = cache->free };
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
	struct full_touched touched = { .left = FULLCACHE_NO_LINE };
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

		if (line != FULLCACHE_NO_LINE && address_range_meets(range, line, cache->line_bits))
			free_record(cache, i);
	}
}
