/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Made-up references to try caches with, the same in every run: phases of
 * streams, strides, hot addresses, addresses all over a region, lines of one
 * set, and lines so far apart that they share an entry of the line filter
 * (sim/machine.h), some of them at both ends of the address space and across
 * them.
 */
#ifndef TESTS_SIM_TRAFFIC_H
#define TESTS_SIM_TRAFFIC_H

#include <stdint.h>

#include "sim/geometry.h"
#include "tests/common/check.h"

enum traffic_kind {
	TRAFFIC_STREAM,
	TRAFFIC_STRIDE,
	TRAFFIC_HOT,
	TRAFFIC_REGION,
	TRAFFIC_ONE_SET,
	TRAFFIC_ONE_ENTRY,
	TRAFFIC_KINDS,
};

enum {
	TRAFFIC_HOT_ADDRESSES = 24,
	TRAFFIC_FILTER = 2048, /* lines, or more for a larger cache */
};

struct traffic {
	struct check_random random;
	struct cache_geometry cache; /* that the references should fit badly in */
	enum traffic_kind kind;      /* of this phase */
	uint64_t left;               /* references before the next phase */
	uint64_t mask;               /* bits that addresses may have */
	uint64_t address;            /* of this phase: the next, or the lowest one */
	uint64_t stride;             /* bytes */
	uint64_t hot[TRAFFIC_HOT_ADDRESSES];
};

/* Somewhere in one of four regions that are a little larger than the cache. */
static inline uint64_t traffic_place(struct traffic *traffic)
{
	uint64_t span = traffic->cache.size + traffic->cache.size / 4;
	const uint64_t regions[] = { 0, 0 - span / 2, 0 - span, 0x400000 };

	return regions[check_random_below(&traffic->random, 4)] +
	       check_random_below(&traffic->random, span);
}

static inline void traffic_init(struct traffic *traffic, const struct cache_geometry *cache)
{
	*traffic = (struct traffic){
		.random = CHECK_RANDOM_INIT,
		.cache = *cache,
		.mask = UINT64_MAX,
	};
	for (int i = 0; i < TRAFFIC_HOT_ADDRESSES; i++)
		traffic->hot[i] = traffic_place(traffic);
}

/* Bytes between lines that share an entry of the filter, and a set. */
static inline uint64_t traffic_filter_span(const struct cache_geometry *cache)
{
	uint64_t entries = TRAFFIC_FILTER;

	while (entries * cache->line_size < cache->size)
		entries *= 2;
	return entries * cache->line_size;
}

static inline void traffic_begin_phase(struct traffic *traffic)
{
	struct check_random *random = &traffic->random;

	traffic->kind = (enum traffic_kind)check_random_below(random, TRAFFIC_KINDS);
	traffic->left = 1 + check_random_below(random, 400);
	traffic->address = traffic_place(traffic);
	traffic->stride = 1 + check_random_below(random, 16);
	if (traffic->kind == TRAFFIC_STRIDE)
		traffic->stride = traffic->cache.line_size * (1 + check_random_below(random, 9));
	if (traffic->kind == TRAFFIC_ONE_SET)
		traffic->stride = traffic->cache.size / traffic->cache.assoc;
	if (traffic->kind == TRAFFIC_ONE_ENTRY)
		traffic->stride = traffic_filter_span(&traffic->cache);
	traffic->hot[check_random_below(random, TRAFFIC_HOT_ADDRESSES)] = traffic->address;
}

/* The same with addresses that are small, so that each line has a short tag (sim/shorttags.h). */
static inline void traffic_init_low(struct traffic *traffic, const struct cache_geometry *cache)
{
	traffic_init(traffic, cache);
	traffic->mask = UINT32_MAX;
}

static inline uint64_t traffic_next(struct traffic *traffic)
{
	struct check_random *random = &traffic->random;
	uint64_t lowest;

	if (traffic->left == 0)
		traffic_begin_phase(traffic);
	traffic->left--;
	switch (traffic->kind) {
	case TRAFFIC_HOT:
		return traffic->hot[check_random_below(random, TRAFFIC_HOT_ADDRESSES)];
	case TRAFFIC_REGION:
		return traffic_place(traffic);
	case TRAFFIC_ONE_SET:
	case TRAFFIC_ONE_ENTRY:
		lowest = traffic->address;
		return lowest +
		       check_random_below(random, traffic->cache.assoc + 3) * traffic->stride;
	case TRAFFIC_STREAM:
	case TRAFFIC_STRIDE:
	case TRAFFIC_KINDS:
		break;
	}
	traffic->address += traffic->stride;
	return traffic->address;
}

static inline uint64_t traffic_address(struct traffic *traffic)
{
	return traffic_next(traffic) & traffic->mask;
}

/* Bytes of a reference: mostly as in programs, now and then 1 to 600, or about a page. */
static inline uint64_t traffic_size(struct traffic *traffic)
{
	uint64_t kind = check_random_below(&traffic->random, 256);

	if (kind == 0)
		return 4095 + check_random_below(&traffic->random, 3);
	if (kind < 16)
		return 1 + check_random_below(&traffic->random, 600);
	return UINT64_C(1) << check_random_below(&traffic->random, 6);
}

#endif
