/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/lower: inclusive and victim levels, with the states of D1 and of two lower levels drawn
 * next to each step; then references by chance, to struct hierarchy, to the machine as generated code
 * drives it, and to the naive model.
 */
#include "sim/lower.h"

#include "tests/common/check.h"
#include "tests/sim/drawing.h"
#include "tests/sim/machine_pair.h"
#include "tests/sim/naive_levels.h"
#include "tests/sim/pair_states.h"
#include "tests/sim/pair_steps.h"
#include "tests/sim/test_policies.h"
#include "tests/sim/traffic.h"

/* --- by hand ----------------------------------------------------------------------- */

static struct pair pair;

/* Caches of one set, but for I1, which has two of two ways. */
static void begin_config(uint32_t d1, uint32_t l2, enum inclusion l2_inclusion, uint32_t l3,
			 enum inclusion l3_inclusion, bool write_back)
{
	const struct hierarchy_config config = {
		.write_back = write_back,
		.i1 = { .geometry = { 256, 2, 64 } },
		.d1 = { .geometry = { UINT64_C(64) * d1, d1, 64 } },
		.n_lower = l3 != 0 ? 2 : 1,
		.lower = { { .geometry = { UINT64_C(64) * l2, l2, 64 }, .inclusion = l2_inclusion },
			   { .geometry = { UINT64_C(64) * l3, l3, 64 },
			     .inclusion = l3_inclusion } },
	};

	CHECK_STR(hierarchy_misfit(&config), NULL);
	pair_init(&pair, &config, 1);
}

static void begin(uint32_t d1, uint32_t l2, enum inclusion l2_inclusion, uint32_t l3,
		  enum inclusion l3_inclusion)
{
	begin_config(d1, l2, l2_inclusion, l3, l3_inclusion, false);
}

static void finish(void)
{
	CHECK_STR(pair_fault(&pair), NULL);
	pair_release(&pair);
}

#define DATA(address, served, in_d1, in_l2, in_l3) \
 PAIR_STEP(pair, pair_data(&pair, address, 8, false), served, in_d1, in_l2, in_l3)
#define FETCH(address, served, in_d1, in_l2, in_l3) \
 PAIR_STEP(pair, pair_fetch(&pair, address, 4), served, in_d1, in_l2, in_l3)

/* Addresses of 64-byte lines. */
enum {
	A = 0,
	B = 64,
	C = 128,
	D = 192,
	E = 256,
};

TEST(line_evicted_from_an_inclusive_level_leaves_those_above)
{
	begin(2, 3, INCLUSION_NINE, 3, INCLUSION_INCLUSIVE);
	DATA(A, 3, "A.", "A..", "A..");
	DATA(B, 3, "BA", "BA.", "BA.");
	DATA(A, 0, "AB", "BA.", "BA."); /* L3 is not told */
	DATA(C, 3, "CA", "CBA", "CBA");
	DATA(A, 0, "AC", "CBA", "CBA");
	DATA(D, 3, "D.", "DCB", "DCB"); /* C makes room in D1, and A has to go from L3 */
	DATA(A, 3, "AD", "ADC", "ADC"); /* with B, which is in L2 */
	finish();

	begin(2, 3, INCLUSION_NINE, 3, INCLUSION_NINE); /* the same as it is otherwise */
	DATA(A, 3, "A.", "A..", "A..");
	DATA(B, 3, "BA", "BA.", "BA.");
	DATA(A, 0, "AB", "BA.", "BA.");
	DATA(C, 3, "CA", "CBA", "CBA");
	DATA(A, 0, "AC", "CBA", "CBA");
	DATA(D, 3, "DA", "DCB", "DCB");
	DATA(A, 0, "AD", "DCB", "DCB");
	finish();
}

TEST(victim_holds_what_was_evicted_and_gives_it_back)
{
	begin(2, 2, INCLUSION_NINE, 2, INCLUSION_VICTIM);
	DATA(A, 3, "A.", "A.", "..");
	DATA(B, 3, "BA", "BA", "..");
	DATA(C, 3, "CB", "CB", "A."); /* not C: only what L2 evicts */
	DATA(D, 3, "DC", "DC", "BA");
	DATA(A, 2, "AD", "AD", "CB"); /* A moves up, C comes in its place */
	DATA(E, 3, "EA", "EA", "DC"); /* B is gone */
	DATA(B, 3, "BE", "BE", "AD");
	finish();
}

/* If C came before A is looked for, A would have gone: the set is full, and A the oldest. */
TEST(victim_is_asked_before_it_gets_a_line)
{
	begin(2, 2, INCLUSION_NINE, 2, INCLUSION_VICTIM);
	DATA(A, 3, "A.", "A.", "..");
	DATA(B, 3, "BA", "BA", "..");
	DATA(C, 3, "CB", "CB", "A.");
	DATA(D, 3, "DC", "DC", "BA");
	DATA(A, 2, "AD", "AD", "CB");
	DATA(B, 2, "BA", "BA", "DC");
	finish();
}

TEST(victim_of_the_first_level)
{
	begin(2, 2, INCLUSION_VICTIM, 4, INCLUSION_NINE);
	DATA(A, 3, "A.", "..", "A...");
	DATA(B, 3, "BA", "..", "BA..");
	DATA(C, 3, "CB", "A.", "CBA.");
	DATA(A, 1, "AC", "B.", "CBA.");  /* L3 is not asked */
	FETCH(A, 2, "AC", "B.", "ACB."); /* D1 has it, which is no help */
	FETCH(B, 1, "AC", "..", "ACB.");
	FETCH(C, 2, "AC", "..", "CAB.");
	DATA(D, 3, "DA", "C.", "DCAB");
	FETCH(E, 3, "DA", "AC", "EDCA"); /* A, from I1 */
	DATA(B, 3, "BD", "AC", "BEDC");  /* A once more, from D1: a hit */
	finish();
}

TEST(victims_in_a_row)
{
	begin(2, 2, INCLUSION_VICTIM, 2, INCLUSION_VICTIM);
	DATA(A, 3, "A.", "..", "..");
	DATA(B, 3, "BA", "..", "..");
	DATA(C, 3, "CB", "A.", "..");
	DATA(D, 3, "DC", "BA", "..");
	DATA(E, 3, "ED", "CB", "A.");
	DATA(A, 2, "AE", "DC", "B."); /* up to D1, past L2 */
	DATA(C, 1, "CA", "ED", "B.");
	finish();
}

TEST(victim_behind_an_inclusive_level)
{
	begin(2, 2, INCLUSION_INCLUSIVE, 2, INCLUSION_VICTIM);
	DATA(A, 3, "A.", "A.", "..");
	DATA(B, 3, "BA", "BA", "..");
	DATA(A, 0, "AB", "BA", "..");
	DATA(C, 3, "C.", "CB", "A."); /* D1 gives B up for C, then A, with L2 */
	DATA(A, 2, "AC", "AC", "B.");
	finish();
}

TEST(straddling_asks_victims_only_for_what_missed)
{
	begin(2, 3, INCLUSION_NINE, 2, INCLUSION_VICTIM);
	DATA(A, 3, "A.", "A..", "..");
	DATA(C, 3, "CA", "CA.", "..");
	DATA(D, 3, "DC", "DCA", "..");
	DATA(E, 3, "ED", "EDC", "A.");
	DATA(B - 4, 3, "BA", "BAE", "DC"); /* A was in L3, B in memory */
	DATA(B - 4, 0, "BA", "BAE", "DC");
	DATA(D - 4, 2, "DC", "DCB", "AE"); /* both in L3 */
	DATA(D - 4, 0, "DC", "DCB", "AE");
	DATA(C - 4, 1, "CB", "CBD", "AE"); /* B in L2, C in D1 at first */
	finish();
}

TEST(code_that_is_executed_stays)
{
	begin(4, 2, INCLUSION_INCLUSIVE, 0, INCLUSION_NINE);
	FETCH(A, 2, "....", "A.", "");
	DATA(B, 2, "B...", "BA", "");
	DATA(C, 2, "CB..", "CB", ""); /* without A, which I1 keeps */
	FETCH(A, 0, "CB..", "CB", "");
	FETCH(D, 2, "C...", "DC", "");
	DATA(E, 2, "E...", "ED", "");
	FETCH(A, 0, "E...", "ED", ""); /* for as long as it finds room in I1 */
	DATA(B, 2, "BE..", "BE", "");  /* D leaves I1: the last fetch was from A */
	FETCH(D, 2, "B...", "DB", "");
	hierarchy_evict(&pair.hierarchy, address_range(D, 64));
	machine_evict(pair.machine, address_range(D, 64));
	pair_begin_block(&pair, PAIR_BLOCK);
	DATA(C, 2, "CB..", "CB", "");
	DATA(E, 2, "EC..", "EC", "");
	FETCH(A, 0, "EC..", "EC", "");
	finish();
}

/* How many lines have been written to memory so far. */
#define WRITTEN(n) CHECK_EQ_U64(pair.hierarchy.lower.n_written, n)
#define WRITE(address, served, in_d1, in_l2, in_l3) \
 PAIR_STEP(pair, pair_write(&pair, address, 8, false), served, in_d1, in_l2, in_l3)

TEST(dirty_line_goes_down_level_by_level)
{
	begin_config(2, 3, INCLUSION_NINE, 4, INCLUSION_NINE, true);
	WRITE(A, 3, "A.", "A..", "A...");
	WRITE(A, 0, "A.", "A..", "A...");
	DATA(B, 3, "BA", "BA.", "BA..");
	DATA(C, 3, "CB", "CBA", "CBA."); /* A is dirty in L2 */
	DATA(A, 1, "AC", "ACB", "CBA."); /* and clean in D1 */
	DATA(D, 3, "DA", "DAC", "DCBA");
	DATA(E, 3, "ED", "EDA", "EDCB"); /* L3 gives it up, clean */
	WRITTEN(0);
	DATA(B, 2, "BE", "BED", "BEDC"); /* L2 does, and L3 has it no more */
	WRITTEN(1);
	finish();
}

TEST(victims_and_inclusive_levels_hand_dirty_lines_on)
{
	begin_config(2, 2, INCLUSION_NINE, 2, INCLUSION_VICTIM, true);
	WRITE(A, 3, "A.", "A.", "..");
	DATA(B, 3, "BA", "BA", "..");
	DATA(C, 3, "CB", "CB", "A."); /* D1 gives A up before L2 does, which hands it on */
	DATA(A, 2, "AC", "AC", "B."); /* dirty in L2 */
	DATA(D, 3, "DA", "DA", "CB");
	DATA(E, 3, "ED", "ED", "AC");
	DATA(B, 3, "BE", "BE", "DA");
	WRITTEN(0);
	DATA(C, 3, "CB", "CB", "ED"); /* out of L3 */
	WRITTEN(1);
	finish();

	begin_config(4, 2, INCLUSION_INCLUSIVE, 0, INCLUSION_NINE, true);
	WRITE(A, 2, "A...", "A.", "");
	DATA(B, 2, "BA..", "BA", "");
	WRITTEN(0);
	DATA(C, 2, "CB..", "CB", ""); /* taken out of D1, where it was dirty */
	WRITTEN(1);
	WRITE(A, 2, "AC..", "AC", "");
	DATA(D, 2, "DA..", "DA", ""); /* C was clean */
	WRITTEN(1);
	finish();
}

TEST(code_takes_no_dirty_line)
{
	begin_config(2, 2, INCLUSION_VICTIM, 4, INCLUSION_NINE, true);
	WRITE(A, 3, "A.", "..", "A...");
	DATA(B, 3, "BA", "..", "BA..");
	DATA(C, 3, "CB", "A.", "CBA.");
	FETCH(A, 1, "CB", "..", "CBA."); /* dirty in L3 now */
	WRITTEN(0);
	DATA(D, 3, "DC", "B.", "DCBA");
	DATA(E, 3, "ED", "CB", "EDCB");
	WRITTEN(1);
	finish();
}

TEST(write_on_two_lines_makes_both_dirty)
{
	begin_config(2, 2, INCLUSION_NINE, 0, INCLUSION_NINE, true);
	WRITE(B - 4, 2, "BA", "BA", "");
	WRITE(B - 4, 0, "BA", "BA", "");
	DATA(D, 2, "DB", "DB", ""); /* A is in L2 when D1 gives it up: then that does */
	WRITTEN(1);
	DATA(E, 2, "ED", "ED", "");
	WRITTEN(2);
	finish();
}

TEST(evicted_lines_are_not_written)
{
	begin_config(2, 2, INCLUSION_NINE, 0, INCLUSION_NINE, true);
	WRITE(A, 2, "A.", "A.", "");
	hierarchy_evict(&pair.hierarchy, address_range_all());
	machine_evict(pair.machine, address_range_all());
	pair_begin_block(&pair, PAIR_BLOCK);
	DATA(A, 2, "A.", "A.", "");
	DATA(B, 2, "BA", "BA", "");
	DATA(C, 2, "CB", "CB", "");
	WRITTEN(0);
	WRITE(C, 0, "CB", "CB", "");
	finish();
}

TEST(needs_one_line_size_and_two_sets_of_i1)
{
	struct hierarchy_config config = {
		.i1 = { .geometry = { 256, 2, 64 } },
		.d1 = { .geometry = { 128, 2, 64 } },
		.n_lower = 2,
		.lower = { { .geometry = { 256, 2, 64 } }, { .geometry = { 512, 2, 128 } } },
	};

	CHECK_STR(hierarchy_misfit(&config), NULL);
	config.lower[0].inclusion = INCLUSION_INCLUSIVE;
	CHECK(hierarchy_misfit(&config) != NULL);
	config.lower[1].geometry.line_size = 64;
	CHECK_STR(hierarchy_misfit(&config), NULL);
	config.i1.geometry.line_size = 32;
	CHECK(hierarchy_misfit(&config) != NULL);
	config.i1.geometry.line_size = 64;
	config.d1.geometry.line_size = 32;
	CHECK(hierarchy_misfit(&config) != NULL);
	config.d1.geometry.line_size = 64;
	config.i1.geometry.size = 128; /* one set */
	CHECK(hierarchy_misfit(&config) != NULL);
	config.lower[0].inclusion = INCLUSION_NINE;
	CHECK_STR(hierarchy_misfit(&config), NULL);
	config.write_back = true;
	CHECK(hierarchy_misfit(&config) != NULL);
}

/* --- by chance --------------------------------------------------------------------- */

static struct naive_levels naive;

static bool is_as_naive(void)
{
	bool same = CHECK(naive_equals(&naive.i1.cache, &pair.hierarchy.i1)) &&
		    CHECK(naive_equals(&naive.d1.cache, &pair.hierarchy.d1));

	for (unsigned i = 0; i < naive.n; i++)
		same = same &&
		       CHECK(naive_equals(&naive.lower[i].cache, &pair.hierarchy.lower.caches[i]));
	return same;
}

static void evict(struct address_range range)
{
	pair_evict(&pair, range);
	naive_levels_evict(&naive, range.first, range.last);
	pair_begin_block(&pair, PAIR_BLOCK);
}

/* has_naive: if all caches are LRU. */
static bool refer(struct traffic *traffic, struct check_random *random, bool is_fetch,
		  bool has_naive)
{
	uint64_t address = traffic_address(traffic);
	/* No instruction is longer than a line. */
	uint64_t size = 1 + check_random_below(
				    random, is_fetch || check_random_below(random, 32) ? 16 : 300);
	bool at_once = check_random_below(random, 16) == 0;
	enum naive_access access = is_fetch ? NAIVE_FETCH : NAIVE_READ;
	struct pair_outcome outcome;

	if (naive.write_back && !is_fetch && check_random_below(random, 3) == 0)
		access = NAIVE_WRITE;
	outcome = access == NAIVE_FETCH  ? pair_fetch(&pair, address, size)
		  : access == NAIVE_READ ? pair_data(&pair, address, size, at_once)
					 : pair_write(&pair, address, size, at_once);
	return CHECK_EQ_U64(outcome.machine, outcome.plain) &&
	       CHECK_EQ_U64(pair.machine->lower.n_written, pair.hierarchy.lower.n_written) &&
	       (!has_naive ||
		(CHECK_EQ_U64(outcome.plain, naive_levels_refer(&naive, access, address, size)) &&
		 CHECK_EQ_U64(pair.hierarchy.lower.n_written, naive.n_written)));
}

/* A fetch and the data of its instruction, mostly. */
static void compare_once(const struct hierarchy_config *config, unsigned n, bool has_naive)
{
	struct check_random random = { config->n_lower + config->lower[0].inclusion * 5 + 1 };
	static bool is_low; /* every other time: then all lines have short tags */
	struct traffic data, code;
	bool same = true;

	is_low = !is_low;
	CHECK_STR(hierarchy_misfit(config), NULL);
	pair_init(&pair, config, 1);
	naive_levels_init(&naive, config);
	if (is_low) {
		traffic_init_low(&data, &config->d1.geometry);
		traffic_init_low(&code, &config->i1.geometry);
	} else {
		traffic_init(&data, &config->d1.geometry);
		traffic_init(&code, &config->i1.geometry);
	}
	for (unsigned i = 1; i <= n && same; i++) {
		bool is_fetch = check_random_below(&random, 2);

		same = refer(is_fetch ? &code : &data, &random, is_fetch, has_naive);
		if (check_random_below(&random, 16) == 0)
			pair_begin_block(&pair, check_random_below(&random, 100));
		if (i % (n / 4) == 0)
			same = same && CHECK_STR(pair_fault(&pair), NULL) &&
			       (!has_naive || is_as_naive());
		if (i % (n / 8) == 0)
			evict(address_range(traffic_address(&data), 1000));
	}
	if (!same) {
		printf("# D1 of %u ways:", config->d1.geometry.assoc);
		for (unsigned i = 0; i < config->n_lower; i++)
			printf(" %d", config->lower[i].inclusion);
		printf("\n");
	}
	naive_levels_release(&naive);
	pair_release(&pair);
}

/* Without twins, and with. */
static void compare(const struct hierarchy_config *config, unsigned n, bool has_naive)
{
	compare_once(config, n, has_naive);
	pair_with_twins = true;
	compare_once(config, n, has_naive);
	pair_with_twins = false;
}

/* Relations by the digits of a number of base 3. */
static void relate(struct hierarchy_config *config, unsigned number)
{
	for (unsigned i = 0; i < config->n_lower; i++, number /= 3)
		config->lower[i].inclusion = (enum inclusion)(number % 3);
}

/* All inclusion policies of one to four levels, in some shapes; levels that are too small for what they hold, too. */
static const struct hierarchy_config shapes[] = {
	{ .i1 = { .geometry = { 1024, 2, 64 } },
	  .d1 = { .geometry = { 2048, 8, 64 } },
	  .lower = { { .geometry = { 4096, 4, 64 } },
		     { .geometry = { 8192, 8, 64 } },
		     { .geometry = { 12288, 6, 64 } },
		     { .geometry = { 16384, 16, 64 } } } },
	{ .i1 = { .geometry = { 512, 8, 32 } },
	  .d1 = { .geometry = { 768, 3, 32 } },
	  .lower = { { .geometry = { 256, 2, 32 } },
		     { .geometry = { 512, 1, 32 } },
		     { .geometry = { 512, 16, 32 } },
		     { .geometry = { 1024, 4, 32 } } } },
	{ .i1 = { .geometry = { 512, 4, 64 }, .hashes_sets = true },
	  .d1 = { .geometry = { 768, 4, 64 } },
	  .lower = { { .geometry = { 3072, 4, 64 }, .hashes_sets = true },
		     { .geometry = { 4096, 4, 64 } },
		     { .geometry = { 5632, 11, 64 }, .hashes_sets = true, .hash_seed = 3 },
		     { .geometry = { 9728, 8, 64 } } } },
};

TEST(all_inclusion_policies_equal_the_naive_model)
{
	for (size_t shape = 0; shape < sizeof(shapes) / sizeof(shapes[0]); shape++) {
		unsigned n_combinations = 3;

		for (unsigned n = 1; n <= HIERARCHY_MAX_LOWER; n++, n_combinations *= 3) {
			for (unsigned number = 0; number < n_combinations; number++) {
				struct hierarchy_config config = shapes[shape];

				config.n_lower = n;
				relate(&config, number);
				compare(&config, n < 3 ? 20000 : 4000, true);
				config.write_back = true;
				compare(&config, n < 3 ? 20000 : 4000, true);
				CHECK(naive.n_written > 10);
			}
		}
	}
}

TEST(all_inclusion_policies_equal_in_machine_and_hierarchy_with_other_policies)
{
	static const struct policy *const policies[] = { &policy_srrip, &policy_plru,
							 &policy_random, &policy_mru,
							 &policy_fifo };

	static const struct policy *const of_d1[] = { NULL, &policy_srrip, &policy_plru,
						      &policy_fifo };

	for (unsigned number = 0; number < 27 * 8; number++) {
		struct hierarchy_config config = shapes[0];

		config.n_lower = 3;
		relate(&config, number % 27);
		config.i1.policy = number & 1 ? &policy_plru : NULL;
		config.d1.policy = of_d1[number / 2 % 4];
		for (unsigned i = 0; i < 3; i++)
			config.lower[i].policy = policies[(number + i) % 5];
		config.lower[2].policy = NULL; /* of 6 ways */
		config.write_back = number & 4;
		if (number % 8 == 5) {
			config.d1.geometry = (struct cache_geometry){ 3072, 12, 64 };
			config.d1.policy = &policy_lru3plru4;
		}
		compare(&config, 8000, false);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(line_evicted_from_an_inclusive_level_leaves_those_above),
		CHECK_TEST(victim_holds_what_was_evicted_and_gives_it_back),
		CHECK_TEST(victim_is_asked_before_it_gets_a_line),
		CHECK_TEST(victim_of_the_first_level),
		CHECK_TEST(victims_in_a_row),
		CHECK_TEST(victim_behind_an_inclusive_level),
		CHECK_TEST(straddling_asks_victims_only_for_what_missed),
		CHECK_TEST(code_that_is_executed_stays),
		CHECK_TEST(dirty_line_goes_down_level_by_level),
		CHECK_TEST(victims_and_inclusive_levels_hand_dirty_lines_on),
		CHECK_TEST(code_takes_no_dirty_line),
		CHECK_TEST(write_on_two_lines_makes_both_dirty),
		CHECK_TEST(evicted_lines_are_not_written),
		CHECK_TEST(needs_one_line_size_and_two_sets_of_i1),
		CHECK_TEST(all_inclusion_policies_equal_the_naive_model),
		CHECK_TEST(
			all_inclusion_policies_equal_in_machine_and_hierarchy_with_other_policies),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
