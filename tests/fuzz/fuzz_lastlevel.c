/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as the geometry of a memory system, its options, and references
 * to it, against the naive model: the same outcome of each, and the same
 * costs at the end.
 *
 *	2 bytes	I1	3 bits line size, 3 bits sets; 4 bits associativity
 *	2 bytes	D1	the same
 *	2 bytes	LL	the same
 *	1 byte	options, 3 bits
 *	3 bytes	reference	2 bits kind, 2 bits place, 4 bits size - 1; 16 bits address
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/lastlevel.h"
#include "tests/sim/naive_lastlevel.h"

enum {
	HEAD = 7,      /* bytes */
	REFERENCE = 3, /* bytes */
};

enum kind {
	FETCH,
	READ,
	WRITE,
	WRITE_BEHIND, /* of a modify: like a write that hits the first level */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) require((condition), #condition, __LINE__)

static void require(bool held, const char *what, int line)
{
	if (held)
		return;
	fprintf(stderr, "fuzz_lastlevel: line %d: %s is false\n", line, what);
	abort();
}

/* What loaders point to: their number is that in here. */
static char loaders[NAIVE_LOADERS];

static void take(void *ctx, const struct line_cost *cost)
{
	struct naive_costs *costs = ctx;
	uint64_t *sums = costs->sums[(char *)cost->loader.code - loaders];

	sums[cost->level * 2 - 2] += cost->access_cost;
	sums[cost->level * 2 - 1] += cost->space_loss;
}

/* Every two bytes give a legal geometry. */
static struct cache_geometry read_geometry(const uint8_t *bytes)
{
	struct cache_geometry geometry = { .line_size = UINT32_C(16) << (bytes[0] & 7) % 5 };
	uint64_t sets = UINT64_C(1) << ((bytes[0] >> 3) & 7) % 6;

	geometry.assoc = 1 + (bytes[1] & 15);
	if (sets * geometry.assoc < 2)
		geometry.assoc = 2;
	geometry.size = sets * geometry.assoc * geometry.line_size;
	REQUIRE(geometry_check(&geometry) == GEOMETRY_OK);
	return geometry;
}

/* Around 0 and the top, 4 GiB further on, and where two streams of the prefetcher meet. */
static uint64_t read_address(const uint8_t *event)
{
	const uint64_t bases[] = { 0, 0 - UINT64_C(0x4000), UINT64_C(1) << 32, 0x407f00 };

	return bases[event[0] >> 2 & 3] + (uint64_t)(event[1] | event[2] << 8);
}

static void refer(struct last_level *memory, struct naive_memory *naive, const uint8_t *event)
{
	enum kind kind = (enum kind)(event[0] & 3);
	unsigned loader = event[2] % NAIVE_LOADERS;
	const struct lastlevel_reference reference = {
		.address = read_address(event),
		.size = 1 + (event[0] >> 4),
		.loader = { .code = &loaders[loader] },
		.is_write = kind >= WRITE,
	};
	/* Without uses, the first level is somebody else's. */
	bool missed = kind != WRITE_BEHIND && event[1] & 1;
	bool naive_missed = missed;
	unsigned outcome;

	if (memory->options.uses && kind != WRITE_BEHIND) {
		missed = kind == FETCH ? lastlevel_touch_code(memory, &reference)
				       : lastlevel_touch_data(memory, &reference);
		naive_missed = naive_first(naive, kind == FETCH ? &naive->i1 : &naive->d1,
					   reference.address, reference.size, loader);
	}
	REQUIRE(missed == naive_missed);
	outcome = lastlevel_see(memory, &reference, missed);
	REQUIRE(outcome == naive_behind(naive, reference.address, reference.size,
					reference.is_write, missed, loader));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct naive_memory naive;
	struct naive_costs costs = { { { 0 } } };
	const struct line_sink writer = { .take = take, .ctx = &costs };
	struct two_levels geometry;
	struct hierarchy_config config;
	struct lastlevel_options options;
	struct last_level memory;
	size_t space_size;
	void *space;

	if (size < HEAD)
		return 0;
	geometry.i1 = read_geometry(data);
	geometry.d1 = read_geometry(data + 2);
	geometry.ll = read_geometry(data + 4);
	options = (struct lastlevel_options){ data[6] & 1, data[6] & 2, data[6] & 4 };
	config = two_levels(&geometry);
	space_size = lastlevel_memory_size(&config, &options);
	space = aligned_alloc(64, space_size);
	REQUIRE(space != NULL);
	memset(space, 0, space_size);
	lastlevel_init(&memory, &config, &options, &writer, space);
	naive_memory_init(&naive, &geometry, &options);
	for (size_t i = HEAD; i + REFERENCE <= size; i += REFERENCE)
		refer(&memory, &naive, data + i);
	if (options.uses) {
		lastlevel_charge_resident(&memory, &writer);
		naive_memory_evict(&naive, 0, UINT64_MAX);
	}
	REQUIRE(memcmp(&costs, &naive.costs, sizeof(costs)) == 0);
	naive_memory_release(&naive);
	free(space);
	return 0;
}
