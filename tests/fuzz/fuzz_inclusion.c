/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a list of related levels and references to them: struct hierarchy, the machine as
 * generated code drives it, and the naive model, if all caches are LRU, serve each from the same level, and
 * are in the same state at the end.
 *
 *	1 byte	number of lower levels, 2 bits; whether I1 and D1 have policy and hash, 2 bits; write-back;
 *		twins
 *	2 bytes	a cache: 4 bits ways, 4 bits sets; 4 bits inclusion policy, 4 bits policy and hash:
 *		I1, D1, then the lower levels
 *	2 bytes	a reference: 3 bits kind, 5 bits size; line and, by kind, place in it; and so on
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/lower.h"
#include "tests/sim/machine_pair.h"
#include "tests/sim/naive_levels.h"
#include "tests/sim/pair_states.h"

enum {
	CACHE = 2,      /* bytes */
	REFERENCE = 2,  /* bytes */
	LINE_SIZE = 32, /* bytes */
};

enum kind {
	FETCH,
	FETCH_ON,
	DATA,
	DATA_AT_ONCE,
	DATA_LONG,
	BLOCK,
	EVICT,
	EVICT_ALL,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) require((condition), #condition, __LINE__)

static void require(bool held, const char *what, int line)
{
	if (held)
		return;
	fprintf(stderr, "fuzz_inclusion: line %d: %s is false\n", line, what);
	abort();
}

/* Every two bytes give a legal cache, of two sets or more. */
static struct cache_config read_cache(const uint8_t *bytes)
{
	static const struct policy *const policies[] = { &policy_fifo, &policy_plru, &policy_srrip,
							 &policy_mru };
	struct cache_config config = { .inclusion = (enum inclusion)((bytes[1] & 15) % 3) };
	unsigned other = bytes[1] >> 4;

	config.geometry.line_size = LINE_SIZE;
	config.geometry.assoc = 1 + (bytes[0] & 15);
	config.geometry.size = (uint64_t)(2 + (bytes[0] >> 4)) * config.geometry.assoc * LINE_SIZE;
	config.hashes_sets = other & 1;
	config.hash_seed = other;
	if (other >= 8)
		config.policy = policies[other / 2 % 4];
	if (config.policy == &policy_plru && config.geometry.assoc == 12)
		config.policy = &policy_lru3plru4;
	if (config.policy != NULL && policy_misfit(config.policy, config.geometry.assoc) != NULL)
		config.policy = &policy_random;
	REQUIRE(geometry_check_any_sets(&config.geometry) == GEOMETRY_OK);
	return config;
}

static bool is_all_lru(const struct hierarchy_config *config)
{
	bool is_lru = cache_config_is_lru(&config->i1) && cache_config_is_lru(&config->d1);

	for (unsigned i = 0; i < config->n_lower; i++)
		is_lru = is_lru && cache_config_is_lru(&config->lower[i]);
	return is_lru;
}

/* Returns the bytes that were read, 0 if there are too few. */
static size_t read_config(struct hierarchy_config *config, const uint8_t *data, size_t size)
{
	size_t at = 1;

	*config = (struct hierarchy_config){ .n_lower = size != 0 ? 1 + (data[0] & 3) : 0 };
	if (size < 1 + CACHE * (2 + config->n_lower))
		return 0;
	config->i1 = read_cache(data + at);
	config->d1 = read_cache(data + at + CACHE);
	at += (size_t)2 * CACHE;
	/* Most of them in the way that generated code has. */
	if (!(data[0] & 4))
		config->i1.policy = NULL, config->i1.hashes_sets = false;
	if (!(data[0] & 8))
		config->d1.policy = NULL, config->d1.hashes_sets = false;
	config->write_back = data[0] & 16;
	for (unsigned i = 0; i < config->n_lower; i++, at += CACHE)
		config->lower[i] = read_cache(data + at);
	REQUIRE(hierarchy_misfit(config) == NULL);
	return at;
}

static void evict(struct pair *pair, struct naive_levels *naive, struct address_range range)
{
	pair_evict(pair, range);
	naive_levels_evict(naive, range.first, range.last);
	pair_begin_block(pair, PAIR_BLOCK);
}

/* naive is NULL if there is none. */
static void refer(struct pair *pair, struct naive_levels *naive, const uint8_t *event)
{
	/* Code and data on the same lines; at both ends of the address space. */
	uint64_t address = (uint64_t)(event[1] & 0x7f) * LINE_SIZE + (event[0] >> 3) -
			   (event[1] & 0x80 ? 64 * LINE_SIZE : 0);
	enum kind kind = (enum kind)(event[0] & 7);
	uint64_t size = kind == DATA_LONG ? UINT64_C(40) * (1 + (event[0] >> 3)) : 8;
	enum naive_access access = kind <= FETCH_ON ? NAIVE_FETCH : NAIVE_READ;
	struct pair_outcome outcome;

	if (kind == FETCH_ON)
		size = LINE_SIZE;
	if (pair->hierarchy.d1.dirty_bit != 0 && kind > FETCH_ON && event[0] & 8)
		access = NAIVE_WRITE;
	outcome = access == NAIVE_FETCH  ? pair_fetch(pair, address, size)
		  : access == NAIVE_READ ? pair_data(pair, address, size, kind == DATA_AT_ONCE)
					 : pair_write(pair, address, size, kind == DATA_AT_ONCE);
	REQUIRE(outcome.machine == outcome.plain);
	REQUIRE(pair->machine->lower.n_written == pair->hierarchy.lower.n_written);
	if (!naive)
		return;
	REQUIRE(outcome.plain == naive_levels_refer(naive, access, address, size));
	REQUIRE(naive->n_written == pair->hierarchy.lower.n_written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct pair pair;
	static struct naive_levels naive;
	struct hierarchy_config config;
	size_t at = read_config(&config, data, size);
	const char *fault;

	if (at == 0)
		return 0;
	pair_with_twins = (data[0] & 32) != 0;
	pair_init(&pair, &config, 1);
	naive_levels_init(&naive, &config);
	for (; at + REFERENCE <= size; at += REFERENCE) {
		switch ((enum kind)(data[at] & 7)) {
		case FETCH:
		case FETCH_ON:
		case DATA:
		case DATA_AT_ONCE:
		case DATA_LONG:
			refer(&pair, is_all_lru(&config) ? &naive : NULL, data + at);
			break;
		case BLOCK:
			pair_begin_block(&pair, data[at + 1]);
			break;
		case EVICT:
			evict(&pair, &naive,
			      address_range((uint64_t)data[at + 1] * LINE_SIZE, 100));
			break;
		case EVICT_ALL:
			/* Rarely: it forgets what has been built up. */
			if (data[at] >> 3 == 0)
				evict(&pair, &naive, address_range_all());
			break;
		}
	}
	fault = pair_fault(&pair);
	if (fault)
		fprintf(stderr, "fuzz_inclusion: %s\n", fault);
	REQUIRE(!fault);
	naive_levels_release(&naive);
	pair_release(&pair);
	return 0;
}
