/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as the geometry of a machine and what happens to it, driven as
 * generated code drives it, against struct hierarchy and the predictors:
 * the same outcome of each event, and the same state at the end.
 *
 *	2 bytes	I1	3 bits line size, 4 bits sets; 6 bits associativity
 *	2 bytes	D1	the same
 *	2 bytes	LL	the same
 *	1 byte	clock	shift of the first stamp; 64: with twins, 128: with TLBs
 *	3 bytes	event	3 bits kind, 5 bits argument; place; detail; and so on
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/geometry.h"
#include "sim/machine.h"
#include "tests/sim/machine_pair.h"
#include "tests/sim/pair_states.h"
#include "tests/sim/two_levels.h"

enum {
	HEAD = 7,         /* bytes */
	EVENT = 3,        /* bytes */
	MAX_LINES = 4096, /* of a cache, so that an input does not take long */
};

enum kind {
	DATA,
	DATA_AGAIN,
	DATA_ONCE_MORE,
	DATA_AT_ONCE,
	FETCH,
	BRANCHES,
	JUMP,
	BLOCK,
};

/* One view of small pages, and one of large ones. */
static const struct machine_tlbs_config tlbs = {
	.tlbs = { { [TLB_ITLB] = { { 4, 2, 1 << TLB_4K | 1 << TLB_2M } },
		    [TLB_DTLB] = { { 3, 3, 1 << TLB_4K | 1 << TLB_2M } },
		    [TLB_STLB] = { { 6, 2, 1 << TLB_4K | 1 << TLB_2M } } } },
	.n_views = 2,
	.views = { { { .size = TLB_4K }, { .size = TLB_4K } },
		   { { .size = TLB_2M }, { .size = TLB_2M } } },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) require((condition), #condition, __LINE__)

static void require(bool held, const char *what, int line)
{
	if (held)
		return;
	fprintf(stderr, "fuzz_machine: line %d: %s is false\n", line, what);
	abort();
}

/* Every two bytes give a legal geometry. */
static struct cache_geometry read_geometry(const uint8_t *bytes)
{
	struct cache_geometry geometry = { .line_size = UINT32_C(16) << (bytes[0] & 7) % 5 };
	uint64_t sets = UINT64_C(1) << ((bytes[0] >> 3) & 15);

	geometry.assoc = 1 + (bytes[1] & 63);
	while (sets * geometry.assoc > MAX_LINES)
		sets /= 2;
	if (sets * geometry.assoc < 2)
		geometry.assoc = 2;
	geometry.size = sets * geometry.assoc * geometry.line_size;
	REQUIRE(geometry_check(&geometry) == GEOMETRY_OK);
	return geometry;
}

/*
 * At the bottom, around the top, and in between; neighbouring lines, lines of
 * one set, and lines that share an entry of a filter.
 */
static uint64_t read_address(const struct cache_geometry *geometry, uint64_t filter_entries,
			     const uint8_t *event)
{
	const uint64_t line_size = geometry->line_size;
	const uint64_t bases[] = { 0, 0 - 4 * line_size, 0x400000 };
	const uint64_t steps[] = { line_size, geometry->size / geometry->assoc,
				   filter_entries * line_size };

	return bases[event[1] % 3] + event[1] / 9 * steps[event[1] / 3 % 3] + event[2];
}

static void refer(struct pair *pair, const struct two_levels *geometry, const uint8_t *event)
{
	static const uint64_t long_sizes[] = { 32, 33, 64, 65, 128, 256, 300, 700 };
	enum kind kind = (enum kind)(event[0] & 7);
	unsigned argument = event[0] >> 3;
	uint64_t size = argument < 24 ? argument + 1 : long_sizes[argument - 24];
	uint64_t entries = pair->machine->filter_mask + 1;
	struct pair_outcome outcome;

	if (kind == FETCH)
		outcome = pair_fetch(pair, read_address(&geometry->i1, entries, event), size);
	else
		outcome = pair_data(pair, read_address(&geometry->d1, entries, event), size,
				    kind == DATA_AT_ONCE);
	REQUIRE(outcome.machine == outcome.plain);
}

/* The same branch eight times, or a jump. */
static void branch(struct pair *pair, const uint8_t *event)
{
	uint64_t address = (uint64_t)event[0] >> 3 << 6 | event[1];
	struct pair_outcome outcome;

	if ((event[0] & 7) == JUMP) {
		outcome = pair_jump(pair, address, event[2]);
		REQUIRE(outcome.machine == outcome.plain);
		return;
	}
	for (int bit = 0; bit < 8; bit++) {
		outcome = pair_branch(pair, address, event[2] >> bit & 1);
		REQUIRE(outcome.machine == outcome.plain);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct pair pair;
	struct two_levels geometry;
	struct hierarchy_config config;

	if (size < HEAD)
		return 0;
	geometry.i1 = read_geometry(data);
	geometry.d1 = read_geometry(data + 2);
	geometry.ll = read_geometry(data + 4);
	config = two_levels(&geometry);
	config.tlbs = data[6] >> 7 ? &tlbs : NULL;
	pair_with_twins = (data[6] & 64) != 0;
	pair_init(&pair, &config, UINT64_C(1) << data[6] % 63);
	for (size_t i = HEAD; i + EVENT <= size; i += EVENT) {
		switch ((enum kind)(data[i] & 7)) {
		case DATA:
		case DATA_AGAIN:
		case DATA_ONCE_MORE:
		case DATA_AT_ONCE:
		case FETCH:
			refer(&pair, &geometry, data + i);
			break;
		case BRANCHES:
		case JUMP:
			branch(&pair, data + i);
			break;
		case BLOCK:
			pair_begin_block(&pair, data[i + 1]);
			break;
		}
	}

	const char *fault = pair_fault(&pair);

	if (fault)
		fprintf(stderr, "fuzz_machine: %s\n", fault);
	REQUIRE(!fault);
	pair_release(&pair);
	return 0;
}
