/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/branches: what is known about branches without a model, as in their generated code, by predictors of both
 * sizes and of both models.
 */
#include "sim/branches/predictor.h"

#include "tests/common/check.h"
#include "tests/sim/branches/predictor_fixture.h"

/* The fast model in both sizes, then the exact one. */
enum {
	FIRST_EXACT = 2,
	N_CONFIGS = 4,
};

/* Of a test: a predictor, and some branches that share nothing. */
static struct predictor *predictor;
static struct branch_place places[40];

static void begin(const struct predictor_config *config)
{
	predictor = predictor_new(config);
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		predictor_add_place(predictor, &places[i], predictor_key(1, UINT64_C(16) * i));
}

/* With one of the N_CONFIGS. */
static void begin_number(unsigned number)
{
	struct predictor_config config = number % 2 == 0 ? small_config : large_config;

	config.is_exact = number >= FIRST_EXACT;
	begin(&config);
}

static void end(void)
{
	free(predictor);
}

static bool branch_is_wrong(unsigned place, bool taken)
{
	const unsigned result = predictor->is_exact
					? predictor_branch(predictor, &places[place], taken)
					: predictor_branch_twin(predictor, &places[place], taken);

	return (result & PREDICTOR_WRONG) != 0;
}

/* Mispredictions of a loop of that many turns, gone through so often. */
static unsigned long run_loop(unsigned place, uint32_t turns, unsigned times)
{
	unsigned long wrong = 0;

	for (unsigned i = 0; i < times; i++)
		for (uint32_t turn = 1; turn <= turns; turn++)
			wrong += branch_is_wrong(place, turn < turns);
	return wrong;
}

/* One in eight mispredicted exits begins to look for a loop, which is known 9 exits later. */
TEST(loops_are_known)
{
	static const uint32_t turns[] = { 2, 3, 5, 10, 62, 63, 64, 65, 127, 200, 1000, 5000, 30000 };

	for (unsigned c = 0; c < N_CONFIGS; c++)
		for (unsigned i = 0; i < sizeof(turns) / sizeof(turns[0]); i++) {
			begin_number(c);
			run_loop(0, turns[i], 120);
			CHECK_EQ_U64(run_loop(0, turns[i], 20), 0);
			end();
		}
}

TEST(a_loop_may_change_its_length)
{
	for (unsigned c = 0; c < N_CONFIGS; c++) {
		begin_number(c);
		run_loop(0, 1000, 120);
		/* One that is shorter is left by surprise; then each exit is, until 7 runs were as long. */
		CHECK(run_loop(0, 900, 120) <= 12);
		CHECK_EQ_U64(run_loop(0, 900, 20), 0);
		/* One that is longer: where it should have ended, too. */
		CHECK(run_loop(0, 1100, 120) <= 13);
		CHECK_EQ_U64(run_loop(0, 1100, 20), 0);
		end();
	}
}

/* Where left is at its end, more than once. */
TEST(a_loop_may_be_too_long)
{
	begin(&small_config);
	run_loop(0, TAGE_MAX_LEFT + 100, 3);
	CHECK_EQ_U64(run_loop(0, TAGE_MAX_LEFT + 100, 20), 20);
	CHECK_EQ_U64(run_loop(0, 2 * TAGE_MAX_LEFT + 100, 5), 5);
	end();
}

TEST(nested_loops_are_known)
{
	unsigned long wrong = 0;

	for (unsigned c = 0; c < N_CONFIGS; c++) {
		begin_number(c);
		for (unsigned outer = 0; outer < 200 * 7; outer++) {
			const unsigned long inner_wrong = run_loop(0, 300, 1);
			const bool outer_wrong = branch_is_wrong(1, outer % 7 != 6);

			if (outer >= 150 * 7)
				wrong += inner_wrong + outer_wrong;
		}
		CHECK_EQ_U64(wrong, 0);
		end();
	}
}

TEST(alternation_is_known)
{
	unsigned long wrong = 0;

	for (unsigned c = 0; c < N_CONFIGS; c++) {
		begin_number(c);
		for (unsigned i = 0; i < 200; i++)
			branch_is_wrong(0, i % 2 == 0);
		for (unsigned i = 0; i < 10000; i++)
			wrong += branch_is_wrong(0, i % 2 == 0);
		CHECK_EQ_U64(wrong, 0);
		end();
	}
}

/* A branch that does what an earlier random one did, and one that does the exclusive or of two. */
TEST(branches_depend_on_earlier_ones)
{
	struct check_random random = CHECK_RANDOM_INIT;

	for (unsigned c = 0; c < N_CONFIGS; c++) {
		unsigned long wrong = 0, random_wrong = 0;

		begin_number(c);
		for (unsigned i = 0; i < 20000; i++) {
			const bool a = check_random_below(&random, 2) == 0;
			const bool b = check_random_below(&random, 2) == 0;
			const bool was_wrong = branch_is_wrong(0, a);

			branch_is_wrong(1, b);
			if (i < 5000) {
				branch_is_wrong(2, a != b);
				branch_is_wrong(3, a);
				continue;
			}
			random_wrong += was_wrong;
			wrong += branch_is_wrong(2, a != b);
			wrong += branch_is_wrong(3, a);
		}
		/* Half of 15,000, within 4 times the deviation, 61. */
		CHECK(random_wrong > 7250 && random_wrong < 7750);
		CHECK(wrong < 30000 / 100);
		end();
	}
}

/* True if an execution is one that generated code does by itself. */
static bool is_plain(unsigned place, bool taken)
{
	const uint16_t cell = *tage_cell(&predictor->tage, &predictor->history, places[place].key);

	return places[place].left > 0 && cell == taken &&
	       !(taken && branch_is_unknown(&places[place]));
}

/* Only where left has to be filled again it is not. */
TEST(a_biased_branch_is_plain)
{
	for (unsigned taken = 0; taken < 2; taken++) {
		unsigned slow = 0;

		begin(&small_config);
		for (unsigned i = 0; i < 64; i++)
			branch_is_wrong(0, taken != 0);
		for (unsigned i = 0; i < 3 * TAGE_MAX_LEFT; i++) {
			slow += !is_plain(0, taken != 0);
			CHECK(!branch_is_wrong(0, taken != 0));
		}
		CHECK(slow <= 3);
		/* One surprise: a while with credit, and cells of histories that have it in them; then plain again. */
		CHECK(branch_is_wrong(0, taken == 0));
		CHECK(!is_plain(0, taken != 0));
		for (unsigned i = 0;
		     i < 2U * small_config.tage->history.n_newest + TAGE_FRESH_CREDIT; i++)
			branch_is_wrong(0, taken != 0);
		CHECK(is_plain(0, taken != 0));
		end();
	}
}

/* Counted by hand: which executions of one branch the exact model mispredicts, and in how many tables it has entries then. */
TEST(the_exact_model_asks_for_branches_that_were_mispredicted)
{
	for (unsigned c = FIRST_EXACT; c < N_CONFIGS; c++) {
		begin_number(c);
		/* Never taken, as its base counter says at first: no entry. */
		for (unsigned i = 0; i < 100; i++)
			CHECK(!branch_is_wrong(0, false));
		CHECK_EQ_U64(places[0].made, 0);
		/* Taken: the first time makes an entry, in the second table, as random is 0x42021 then, odd. */
		CHECK(branch_is_wrong(1, true));
		CHECK_EQ_U64(places[1].made, 2);
		CHECK_EQ_U64(predictor->tage.tagged.random, 0x42021);
		/* The base counter has learned it. */
		for (unsigned i = 0; i < 100; i++)
			CHECK(!branch_is_wrong(1, true));
		CHECK_EQ_U64(places[1].made, 2);
		CHECK_EQ_U64(predictor->tage.tagged.random, 0x42021);
		end();
	}
}

static bool return_is_wrong(uint64_t target)
{
	return (predictor_return_twin(predictor, &places[0], target) & PREDICTOR_WRONG) != 0;
}

TEST(returns_below_the_depth_of_the_stack_are_lost)
{
	static const unsigned depths[] = { 1, 2, 16, 255, RETURNS_MAX_DEPTH };
	struct predictor_config config = small_config;

	for (unsigned d = 0; d < sizeof(depths) / sizeof(depths[0]); d++) {
		const unsigned depth = depths[d];

		config.n_returns = depth;
		begin(&config);
		for (unsigned calls = 1; calls <= 3 * depth; calls++) {
			for (uint64_t i = 0; i < calls; i++)
				predictor_call(predictor, 0x1000 + i);
			for (unsigned i = 0; i < calls; i++)
				CHECK(return_is_wrong(0x1000 + calls - 1 - i) == (i >= depth));
		}
		/* A ring: the same address all over is never lost. */
		for (unsigned i = 0; i < 3 * depth; i++)
			predictor_call(predictor, 0x5000);
		for (unsigned i = 0; i < 5 * depth; i++)
			CHECK(!return_is_wrong(0x5000));
		end();
	}
}

static bool jump_is_wrong(unsigned place, uint64_t target)
{
	return (predictor_jump_twin(predictor, &places[place], target) & PREDICTOR_WRONG) != 0;
}

TEST(a_list_of_targets_is_known)
{
	static const char list[] = "abacadaabcddc"; /* where it goes next depends on 3 jumps */
	unsigned long wrong = 0;

	for (unsigned c = 0; c < N_CONFIGS; c++) {
		begin_number(c);
		for (unsigned i = 0; i < 12000; i++) {
			const uint64_t target = 0x400000 + 0x111 * (uint64_t)list[i % 13];
			const bool was_wrong = jump_is_wrong(0, target);

			if (i >= 2000)
				wrong += was_wrong;
		}
		CHECK_EQ_U64(wrong, 0);
		end();
	}
}

/* A jump by what random branches have just said, as an interpreter's. */
TEST(targets_depend_on_earlier_branches)
{
	struct check_random random = CHECK_RANDOM_INIT;

	for (unsigned c = 0; c < N_CONFIGS; c++) {
		unsigned long wrong = 0;

		begin_number(c);
		for (unsigned i = 0; i < 20000; i++) {
			uint64_t which = 0;

			for (unsigned b = 1; b <= 3; b++) {
				which = which << 1 | check_random_below(&random, 2);
				branch_is_wrong(b, which & 1);
			}
			wrong += jump_is_wrong(0, 0x400000 + which * 0x111) && i >= 5000;
		}
		CHECK(wrong < 15000 / 100);
		end();
	}
}

/* One that goes to the same place always is not asked for. */
TEST(a_jump_to_one_target_is_expected)
{
	begin(&small_config);
	CHECK(jump_is_wrong(0, 0x400000));
	for (unsigned i = 0; i < 2 + JUMP_SURE + JUMP_FRESH_CREDIT; i++)
		CHECK(!jump_is_wrong(0, 0x400000));
	CHECK_EQ_U64(places[0].jump->expected, 0x400000);
	CHECK_EQ_U64(places[0].jump->bits, ittage_bits(0x400000));
	CHECK(jump_is_wrong(0, 0x400123));
	CHECK_EQ_U64(places[0].jump->expected, JUMP_NOWHERE);
	end();
}

static bool take_is_unknown(unsigned place)
{
	return predictor_take(predictor, &places[place]) == PREDICTOR_UNKNOWN;
}

/* Places of one set: n ways are kept; each one more drives out the one that came first, used or not. */
TEST(targets_are_forgotten_as_they_came)
{
	static const struct {
		unsigned entries, sets, ways;
	} sizes[] = { { 8, 1, 8 }, { 64, 8, 8 }, { 12, 3, 4 },     { 20, 5, 4 },
		      { 6, 3, 2 }, { 7, 7, 1 },  { 4096, 512, 8 }, { 1, 1, 1 } };
	struct predictor_config config = small_config;

	for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		const unsigned ways = sizes[s].ways;

		config.n_targets = sizes[s].entries;
		begin(&config);
		for (unsigned i = 0; i < 40; i++)
			predictor_add_place(predictor, &places[i], (uint64_t)i * sizes[s].sets);
		for (unsigned i = 0; i < ways; i++)
			CHECK(take_is_unknown(i));
		for (unsigned i = ways; i < 40; i++) {
			for (unsigned known = i - ways; known < i; known++)
				CHECK(!take_is_unknown(known));
			CHECK(take_is_unknown(i));
			CHECK(branch_is_unknown(&places[i - ways]));
		}
		end();
	}
}

/* Only a branch that is taken comes into the buffer. */
TEST(branches_that_are_not_taken_need_no_target)
{
	begin(&small_config);
	CHECK_EQ_U64(predictor_branch(predictor, &places[0], false), 0);
	CHECK(branch_is_unknown(&places[0]));
	CHECK_EQ_U64(predictor_branch(predictor, &places[0], true),
		     PREDICTOR_WRONG | PREDICTOR_UNKNOWN);
	CHECK(!branch_is_unknown(&places[0]));
	CHECK_EQ_U64(predictor_branch(predictor, &places[0], false) & PREDICTOR_UNKNOWN, 0);
	CHECK_EQ_U64(predictor_branch(predictor, &places[0], true) & PREDICTOR_UNKNOWN, 0);
	CHECK_EQ_U64(predictor_jump(predictor, &places[1], 0x400000),
		     PREDICTOR_WRONG | PREDICTOR_UNKNOWN);
	predictor_call(predictor, 0x400100);
	CHECK_EQ_U64(predictor_return(predictor, &places[2], 0x400100), PREDICTOR_UNKNOWN);
	end();
}

/* A first buffer of one set of two ways, before one of four: what only the second one knows is far. */
TEST(a_first_target_buffer_knows_less)
{
	static const struct {
		unsigned place, result;
	} steps[] = {
		/*    first   second, the oldest first */
		{ 0, PREDICTOR_UNKNOWN }, /* 0       0 */
		{ 1, PREDICTOR_UNKNOWN }, /* 0 1     0 1 */
		{ 0, 0 },                 /* 0 1     0 1 */
		{ 2, PREDICTOR_UNKNOWN }, /* 1 2     0 1 2 */
		{ 0, PREDICTOR_FAR },     /* 2 0     0 1 2 */
		{ 0, 0 },                 /* 2 0     0 1 2 */
		{ 1, PREDICTOR_FAR },     /* 0 1     0 1 2 */
		{ 3, PREDICTOR_UNKNOWN }, /* 1 3     0 1 2 3 */
		{ 4, PREDICTOR_UNKNOWN }, /* 3 4     1 2 3 4 */
		{ 1, PREDICTOR_FAR },     /* 4 1     1 2 3 4 */
		{ 5, PREDICTOR_UNKNOWN }, /* 1 5     2 3 4 5: what the second one forgets, */
		{ 1, PREDICTOR_UNKNOWN }, /* 5 1     3 4 5 1  the first one forgets, too */
		{ 5, 0 },                 /* 5 1     3 4 5 1 */
		{ 3, PREDICTOR_FAR },     /* 1 3     3 4 5 1 */
	};
	struct predictor_config config = small_config;

	config.n_targets = 4;
	config.n_near_targets = 2;
	begin(&config);
	/* All are of one set. */
	for (unsigned i = 0; i < 6; i++)
		predictor_add_place(predictor, &places[i], i);
	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (!CHECK_EQ_U64(predictor_take(predictor, &places[steps[i].place]),
				  steps[i].result))
			printf("# step %u\n", i);
	end();
}

/* It tells apart what was known, and no more: whatever its size, the same branches are unknown, and mispredicted. */
TEST(a_first_target_buffer_leaves_the_unknown_as_it_is)
{
	static const unsigned sizes[] = { 1, 2, 7, 16, 64, 4096 };

	for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		struct predictor_config config = small_config;
		struct branch_place twins[sizeof(places) / sizeof(places[0])];
		unsigned long known = 0, far = 0;
		struct predictor *twin;
		uint64_t random = 1;

		config.n_targets = 16;
		twin = predictor_new(&config);
		config.n_near_targets = sizes[s];
		begin(&config);
		for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++)
			predictor_add_place(twin, &twins[i], places[i].key);
		for (unsigned i = 0; i < 20000; i++) {
			unsigned place, with, without;
			bool taken;

			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			/* Mostly the first ones. */
			place = (unsigned)(random >> 33) & (random >> 60 != 0 ? 7 : 31);
			taken = (random >> 50 & 1) != 0;
			with = predictor_branch_twin(predictor, &places[place], taken);
			without = predictor_branch_twin(twin, &twins[place], taken);
			if (!CHECK_EQ_U64(with & ~(unsigned)PREDICTOR_FAR, without))
				break;
			CHECK((with & PREDICTOR_FAR) == 0 || (with & PREDICTOR_UNKNOWN) == 0);
			known += taken && (with & (PREDICTOR_FAR | PREDICTOR_UNKNOWN)) == 0;
			far += (with & PREDICTOR_FAR) != 0;
		}
		CHECK(known > 0);
		/* Two of one size know the same. */
		CHECK(sizes[s] == 16 ? far == 0 : sizes[s] > 16 || far > 0);
		free(twin);
		end();
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(loops_are_known),
		CHECK_TEST(a_loop_may_change_its_length),
		CHECK_TEST(a_loop_may_be_too_long),
		CHECK_TEST(nested_loops_are_known),
		CHECK_TEST(alternation_is_known),
		CHECK_TEST(branches_depend_on_earlier_ones),
		CHECK_TEST(a_biased_branch_is_plain),
		CHECK_TEST(the_exact_model_asks_for_branches_that_were_mispredicted),
		CHECK_TEST(returns_below_the_depth_of_the_stack_are_lost),
		CHECK_TEST(a_list_of_targets_is_known),
		CHECK_TEST(targets_depend_on_earlier_branches),
		CHECK_TEST(a_jump_to_one_target_is_expected),
		CHECK_TEST(targets_are_forgotten_as_they_came),
		CHECK_TEST(branches_that_are_not_taken_need_no_target),
		CHECK_TEST(a_first_target_buffer_knows_less),
		CHECK_TEST(a_first_target_buffer_leaves_the_unknown_as_it_is),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
