/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/machine: machines of many shapes, driven as generated code drives them,
 * against struct hierarchy, the predictors, and the naive model.
 */
#include "sim/machine.h"

#include "tests/common/check.h"
#include "tests/sim/machine_pair.h"
#include "tests/sim/naive_cache.h"
#include "tests/sim/pair_states.h"
#include "tests/sim/test_policies.h"
#include "tests/sim/traffic.h"
#include "tests/sim/two_levels.h"

struct trial {
	struct pair pair;
	struct naive_cache naive[3];
	struct traffic data, code; /* made for D1 and for I1 */
	uint64_t branches, wrong;
	uint64_t fetches[TWO_LEVELS_OUTCOMES], references[TWO_LEVELS_OUTCOMES];
};

static struct trial trial; /* too large for the stack */

static void trial_init(const struct two_levels *geometry, uint64_t clock, bool low)
{
	const struct hierarchy_config config = two_levels(geometry);

	CHECK(geometry_check(&geometry->i1) == GEOMETRY_OK);
	CHECK(geometry_check(&geometry->d1) == GEOMETRY_OK);
	CHECK(geometry_check(&geometry->ll) == GEOMETRY_OK);
	memset(&trial, 0, sizeof(trial));
	pair_init(&trial.pair, &config, clock);
	naive_init(&trial.naive[0], &geometry->i1);
	naive_init(&trial.naive[1], &geometry->d1);
	naive_init(&trial.naive[2], &geometry->ll);
	if (low) {
		traffic_init_low(&trial.data, &geometry->d1);
		traffic_init_low(&trial.code, &geometry->i1);
	} else {
		traffic_init(&trial.data, &geometry->d1);
		traffic_init(&trial.code, &geometry->i1);
	}
}

static void trial_release(void)
{
	for (int i = 0; i < 3; i++)
		naive_release(&trial.naive[i]);
	pair_release(&trial.pair);
}

static bool trial_data(struct check_random *random)
{
	uint64_t address = traffic_address(&trial.data);
	uint64_t size = traffic_size(&trial.data);
	bool at_once = check_random_below(random, 16) == 0;
	unsigned naive = naive_reference(&trial.naive[1], &trial.naive[2], address, size);
	struct pair_outcome outcome = pair_data(&trial.pair, address, size, at_once);

	trial.references[naive]++;
	return CHECK_EQ_U64(outcome.machine, outcome.plain) && CHECK_EQ_U64(outcome.machine, naive);
}

/* Instructions are short, but now and then one is as long as none is. */
static bool trial_fetch(struct check_random *random, uint64_t *address)
{
	uint64_t size = 1 + check_random_below(random, check_random_below(random, 64) ? 15 : 600);
	struct pair_outcome outcome;
	unsigned naive;

	*address = traffic_address(&trial.code);
	naive = naive_reference(&trial.naive[0], &trial.naive[2], *address, size);
	outcome = pair_fetch(&trial.pair, *address, size);
	trial.fetches[naive]++;
	return CHECK_EQ_U64(outcome.machine, outcome.plain) && CHECK_EQ_U64(outcome.machine, naive);
}

/* Some branches have habits, some have none. */
static bool trial_branch(struct check_random *random, uint64_t address)
{
	bool is_jump = check_random_below(random, 4) == 0;
	bool by_chance = check_random_below(random, 8) == 0;
	uint64_t habit = address % 7 + trial.branches / 64 % 2;
	struct pair_outcome outcome;

	if (is_jump)
		outcome = pair_jump(&trial.pair, address, by_chance ? address : habit);
	else
		outcome = pair_branch(&trial.pair, address, by_chance ? habit & 1 : habit > 3);
	trial.branches++;
	trial.wrong += outcome.plain;
	return CHECK_EQ_U64(outcome.machine, outcome.plain);
}

static bool trial_state_is_right(void)
{
	return CHECK_STR(pair_fault(&trial.pair), NULL) &&
	       CHECK(naive_equals(&trial.naive[0], &trial.pair.hierarchy.i1)) &&
	       CHECK(naive_equals(&trial.naive[1], &trial.pair.hierarchy.d1)) &&
	       CHECK(naive_equals(&trial.naive[2], &trial.pair.hierarchy.lower.caches[0]));
}

/* Takes lines out of all caches, of machine and models; what the predictors know stays. */
static bool trial_evict(struct address_range range)
{
	for (int i = 0; i < 3; i++)
		naive_evict(&trial.naive[i], range.first, range.last);
	pair_evict(&trial.pair, range);
	/* What a block knew of its last line is not so any more: it has ended. */
	pair_begin_block(&trial.pair, PAIR_BLOCK);
	return trial_state_is_right();
}

/* Some lines of code or of data, at the end of the address space now and then. */
static struct address_range trial_range(struct check_random *random)
{
	uint64_t size = 1 + check_random_below(random, 4096);

	if (check_random_below(random, 8) == 0)
		return address_range(UINT64_MAX - check_random_below(random, 512), size);
	return address_range(
		traffic_address(check_random_below(random, 2) ? &trial.data : &trial.code), size);
}

static void compare_once(const struct two_levels *geometry, uint64_t clock, bool low,
			 uint64_t events)
{
	struct check_random random = CHECK_RANDOM_INIT;
	uint64_t address = 0; /* of the instruction */
	bool same = true;

	trial_init(geometry, clock, low);
	for (uint64_t i = 1; i <= events && same; i++) {
		uint64_t kind = check_random_below(&random, 16);

		if (check_random_below(&random, 16) == 0)
			pair_begin_block(&trial.pair, check_random_below(&random, 200));
		if (kind < 9)
			same = trial_data(&random);
		else if (kind < 13)
			same = trial_fetch(&random, &address);
		else
			same = trial_branch(&random, address);
		if (i % (events / 4) == 0)
			same = same && trial_state_is_right();
		if (i == events / 2)
			same = same && trial_evict(address_range_all());
		else if (i % (events / 64) == 0)
			same = same && trial_evict(trial_range(&random));
	}
	if (!same)
		printf("# in I1 %" PRIu64 ",%" PRIu32 ",%" PRIu32 " D1 %" PRIu64 ",%" PRIu32
		       ",%" PRIu32 " LL %" PRIu64 ",%" PRIu32 ",%" PRIu32 "\n",
		       geometry->i1.size, geometry->i1.assoc, geometry->i1.line_size,
		       geometry->d1.size, geometry->d1.assoc, geometry->d1.line_size,
		       geometry->ll.size, geometry->ll.assoc, geometry->ll.line_size);
	trial_release();
}

/* Without twins, and with. */
static void compare(const struct two_levels *geometry, uint64_t clock, bool low, uint64_t events)
{
	compare_once(geometry, clock, low, events);
	pair_with_twins = true;
	compare_once(geometry, clock, low, events);
	pair_with_twins = false;
}

/* The clock of most begins where its stamps outgrow 32 bits. */
#define NEARLY_32_BITS (UINT64_C(0xffffffff) - 100000)

TEST(equals_the_models)
{
	static const struct two_levels shapes[] = {
		{ { 32768, 8, 64 }, { 32768, 8, 64 }, { 1048576, 16, 64 } },
		{ { 65536, 2, 64 }, { 24576, 6, 64 }, { 3145728, 12, 64 } },
		{ { 24576, 6, 64 }, { 49152, 12, 64 }, { 1310720, 20, 64 } },
		{ { 131072, 4, 32 }, { 4194304, 8, 64 }, { 1048576, 16, 128 } },
		{ { 16384, 2, 32 }, { 262144, 1, 64 }, { 524288, 8, 64 } }, /* 4,096 lines */
		{ { 512, 1, 16 }, { 512, 2, 16 }, { 4096, 4, 256 } },
		{ { 512, 2, 256 }, { 1024, 1, 256 }, { 2048, 4, 16 } },
		{ { 1024, 16, 64 }, { 2048, 64, 32 }, { 4096, 64, 64 } },
		{ { 192, 3, 32 }, { 320, 5, 64 }, { 1792, 7, 128 } },
		{ { 32, 1, 16 }, { 32, 2, 16 }, { 32, 2, 16 } },
		{ { 2048, 2, 128 }, { 4096, 2, 64 }, { 1024, 2, 32 } }, /* LL smaller than D1 */
		{ { 16384, 256, 64 }, { 4096, 16, 256 }, { 49152, 12, 64 } },
		{ { 32, 2, 16 }, { 32, 1, 16 }, { 24576, 6, 64 } },
		{ { 4096, 64, 64 }, { 4096, 64, 64 }, { 16384, 4, 16 } },
	};

	for (size_t i = 0; i < 2 * sizeof(shapes) / sizeof(shapes[0]); i++) {
		compare(&shapes[i / 2], i / 2 % 4 ? NEARLY_32_BITS : 0, i % 2 == 0, 100000);
		CHECK(trial.references[0] > 1000 && trial.references[LL_HIT] > 100 &&
		      trial.references[MEMORY] > 1000);
		CHECK(trial.fetches[0] > 1000 && trial.fetches[LL_HIT] > 100 &&
		      trial.fetches[MEMORY] > 1000);
		CHECK(trial.wrong > trial.branches / 50 && trial.wrong < trial.branches / 50 * 49);
	}
}

/* Each associativity up to 64 in each of the first levels, sets 1 to 8, all line sizes. */
TEST(equals_the_models_in_every_small_shape)
{
	for (uint32_t assoc = 1; assoc <= 64; assoc++) {
		const uint32_t i1_assoc = 65 - assoc;
		const uint32_t i1_line = UINT32_C(16) << assoc % 5;
		const uint32_t d1_line = UINT32_C(16) << assoc / 2 % 5;
		const uint32_t ll_line = UINT32_C(16) << assoc / 3 % 5;

		for (uint32_t sets = assoc == 1 || i1_assoc == 1 ? 2 : 1; sets <= 8; sets *= 2) {
			const struct two_levels geometry = {
				{ (uint64_t)sets * i1_assoc * i1_line, i1_assoc, i1_line },
				{ (uint64_t)sets * assoc * d1_line, assoc, d1_line },
				{ UINT64_C(64) * 6 * ll_line, 6, ll_line },
			};

			compare(&geometry, NEARLY_32_BITS, false, 3000);
			compare(&geometry, NEARLY_32_BITS, true, 3000);
		}
	}
}

/*
 * First levels that C is called for, three lower levels, and other policies:
 * against struct hierarchy alone, the naive model knows none of it.
 */
static void compare_config_once(const struct hierarchy_config *config)
{
	static struct pair pair;
	struct check_random random = CHECK_RANDOM_INIT;
	struct traffic data, code;
	uint64_t served[HIERARCHY_MAX_LEVELS + 1] = { 0 };
	bool same = true;

	pair_init(&pair, config, NEARLY_32_BITS);
	traffic_init(&data, &config->d1.geometry);
	traffic_init(&code, &config->i1.geometry);
	for (int i = 0; i < 60000 && same; i++) {
		bool is_fetch = check_random_below(&random, 3) == 0;
		uint64_t address = traffic_address(is_fetch ? &code : &data);
		uint64_t size = 1 + check_random_below(&random, 40);
		/* If writes make lines dirty: a read, a write, or both. */
		uint64_t kind = config->write_back ? check_random_below(&random, 3) : 0;
		struct pair_outcome outcome =
			is_fetch    ? pair_fetch(&pair, address, size)
			: kind == 0 ? pair_data(&pair, address, size, i % 16 == 0)
			: kind == 1 ? pair_write(&pair, address, size, i % 16 == 0)
				    : pair_modify(&pair, address, size, i % 16 == 0);

		same = CHECK_EQ_U64(outcome.machine, outcome.plain);
		served[outcome.plain]++;
		if (i % 8000 == 0) {
			pair_evict(&pair, address_range(address, 2048));
		} else if (i % 7000 == 0 && !pair_with_twins) {
			if (i % 21000 == 0)
				pair_keep(&pair, config);
			else if (i % 14000 == 0)
				pair_clear(&pair, config);
			else if (i > 21000)
				pair_restore(&pair, config);
		} else if (i % 500 == 0) {
			pair_hide(&pair, address_range(address, i % 1000 == 0 ? 4096 : 1000000));
		}
		if (i % 5000 == 0)
			same = same && CHECK_STR(pair_fault(&pair), NULL);
	}
	CHECK_STR(pair_fault(&pair), NULL);
	for (unsigned level = 0; level <= config->n_lower + 1; level++)
		CHECK(served[level] > 50);
	CHECK((pair.machine->lower.n_written > 10) == config->write_back);
	pair_release(&pair);
}

/* Without twins, and with. */
static void compare_config(const struct hierarchy_config *config)
{
	compare_config_once(config);
	pair_with_twins = true;
	compare_config_once(config);
	pair_with_twins = false;
}

TEST(equals_the_hierarchy_with_other_levels_and_policies)
{
	static const struct policy *const policies[] = { &policy_lru, &test_fifo, &test_bit_plru };

	for (unsigned i = 0; i < 27; i++) {
		const struct hierarchy_config config = {
			.i1 = { .geometry = { 1024, 4, 32 }, .policy = policies[i % 3] },
			.d1 = { .geometry = { 2048, 8, 64 }, .policy = policies[i / 3 % 3] },
			.n_lower = 1 + i % 4,
			.lower = {
				{ .geometry = { 4096, 4, 64 }, .policy = policies[i / 9] },
				{ .geometry = { 12288, 6, 64 } },
				{ .geometry = { 32768, 16, 128 }, .policy = policies[i / 9] },
				{ .geometry = { 131072, 16, 64 } },
			},
		};

		compare_config(&config);
	}
}

/* D1 and I1 with them are C's to be asked; their lower levels are not all the same either. */
TEST(equals_the_hierarchy_with_other_sets)
{
	for (unsigned i = 0; i < 16; i++) {
		const struct hierarchy_config config = {
			.i1 = { .geometry = { i & 1 ? 1536 : 1024, 4, 32 }, .hashes_sets = i & 2 },
			.d1 = { .geometry = { i & 4 ? 3584 : 2048, 8, 64 }, .hashes_sets = i & 8 },
			.n_lower = 2,
			.lower = {
				{ .geometry = { 12288, 4, 64 }, .hashes_sets = i & 1 },
				{ .geometry = { 45056, 11, 64 }, .hashes_sets = true,
				  .hash_seed = i },
			},
		};

		compare_config(&config);
	}
}

/* A first level whose victim follows from stamps: trees of all sizes. */
TEST(equals_the_hierarchy_with_trees)
{
	const enum inclusion inclusions[] = { INCLUSION_NINE, INCLUSION_INCLUSIVE,
					      INCLUSION_VICTIM };

	for (uint32_t i = 0; i < 48; i++) {
		uint32_t ways = UINT32_C(1) << i % 8;
		bool is_three = i % 8 == 7;
		const struct cache_config first = {
			.geometry = { is_three ? 3072 : 256 * ways, is_three ? 12 : ways, 64 },
			.policy = is_three ? &policy_lru3plru4 : &policy_plru,
		};
		const struct hierarchy_config config = {
			.i1 = first,
			.d1 = first,
			.n_lower = 2,
			.lower = { { .geometry = { 12288, 4, 64 },
				     .inclusion = inclusions[i / 8 % 3] },
				   { .geometry = { 32768, 8, 64 } } },
			.write_back = i >= 24,
		};

		compare_config(&config);
	}
}

/* Generated code has a way for the newest line of each set. */
TEST(equals_the_hierarchy_with_policies_that_settle)
{
	static const struct policy *const policies[] = { &policy_mru, &policy_fifo,
							 &policy_random };
	const enum inclusion inclusions[] = { INCLUSION_NINE, INCLUSION_INCLUSIVE,
					      INCLUSION_VICTIM };

	for (unsigned i = 0; i < 48; i++) {
		const struct policy *data = policies[i % 3], *code = policies[i / 3 % 3];
		const struct hierarchy_config config = {
			.i1 = { .geometry = { 2048, 4, 64 }, .policy = code },
			.d1 = { .geometry = { 4096, 8, 64 },
				.policy = i % 5 == 0 ? &policy_lru : data,
				.hashes_sets = i % 5 == 0 },
			.n_lower = 2,
			.lower = {
				{ .geometry = { 12288, 4, 64 },
				  .inclusion = i % 2 ? INCLUSION_INCLUSIVE : INCLUSION_NINE },
				{ .geometry = { 32768, 8, 64 }, .policy = &policy_plru,
				  .inclusion = inclusions[i / 16] },
			},
		};

		compare_config(&config);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(equals_the_models),
		CHECK_TEST(equals_the_models_in_every_small_shape),
		CHECK_TEST(equals_the_hierarchy_with_other_levels_and_policies),
		CHECK_TEST(equals_the_hierarchy_with_other_sets),
		CHECK_TEST(equals_the_hierarchy_with_trees),
		CHECK_TEST(equals_the_hierarchy_with_policies_that_settle),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
