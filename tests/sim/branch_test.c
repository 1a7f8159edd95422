/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tests/oracle/plainpredictors: sequences worked out by hand, and random branches against a
 * second, plain implementation.
 */
#include "tests/oracle/plainpredictors.h"

#include <string.h>

#include "tests/common/check.h"

/* 16 KiB, so not on the stack; each test clears what it uses. */
static struct direction_predictor direction;
static struct target_predictor target;

#define RIGHT(address, taken) CHECK(!direction_predict(&direction, address, taken))
#define WRONG(address, taken) CHECK(direction_predict(&direction, address, taken))

/* As if all branches so far had not been taken, so that one counter alone is looked at. */
static bool predict_after_nothing(uint64_t address, bool taken)
{
	direction.history = 0;
	return direction_predict(&direction, address, taken);
}

TEST(cold_counters_say_not_taken)
{
	memset(&direction, 0, sizeof(direction));
	for (uint64_t address = 0; address < 256; address++)
		RIGHT(address, false);
	CHECK_EQ_U64(direction.history & 127, 0);
	WRONG(0, true);
	CHECK_EQ_U64(direction.history & 127, 1);
}

TEST(learning_takes_two_and_counters_saturate)
{
	/* The counter before each step, and whether the prediction from it is wrong. */
	static const struct {
		int counter;
		bool taken, wrong;
	} steps[] = {
		{ 0, true, true },   { 1, true, true },   { 2, true, false },  { 3, true, false },
		{ 3, true, false },  { 3, true, false },  { 3, false, true },  { 2, true, false },
		{ 3, false, true },  { 2, false, true },  { 1, false, false }, { 0, false, false },
		{ 0, false, false }, { 0, false, false }, { 0, true, true },   { 1, false, false },
		{ 0, true, true },   { 1, true, true },   { 2, false, true },  { 1, true, true },
		{ 2, true, false },
	};

	memset(&direction, 0, sizeof(direction));
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		CHECK_EQ_U64(direction.counters[77], steps[i].counter);
		CHECK(predict_after_nothing(77, steps[i].taken) == steps[i].wrong);
	}
}

TEST(addresses_128_apart_share_a_counter)
{
	memset(&direction, 0, sizeof(direction));
	CHECK(predict_after_nothing(5, true));
	CHECK(predict_after_nothing(5, true));
	CHECK(!predict_after_nothing(5 + 128, true)); /* profits from what 5 learnt */
	CHECK(predict_after_nothing(5 + 256, false)); /* and suffers from it */
	CHECK(predict_after_nothing(5 + 384, false));
	CHECK(predict_after_nothing(5, true)); /* which has unlearnt it now */
	CHECK(!predict_after_nothing(5 + 64, false));
	CHECK(!predict_after_nothing(6, false));
	CHECK(predict_after_nothing(UINT64_MAX, true));
	CHECK_EQ_U64(direction.counters[127], 1);
}

TEST(index_is_history_then_address)
{
	memset(&direction, 0, sizeof(direction));
	direction.history = 0xfffffffffffffff5; /* 1110101 in the low seven bits */
	WRONG(3, true);
	CHECK_EQ_U64(direction.counters[0x75 << 7 | 3], 1);
	WRONG(3, true); /* 1101011 now: another counter */
	CHECK_EQ_U64(direction.counters[0x75 << 7 | 3], 1);
	CHECK_EQ_U64(direction.counters[0x6b << 7 | 3], 1);
	CHECK_EQ_U64(direction.history & 127, 0x57);
}

/*
 * The histories are 0, 1, 11, ... 1111111: the first seven times each is new
 * and its counter 0, then the last one stays and its counter takes two.
 */
TEST(always_taken_costs_nine)
{
	uint64_t wrong = 0;

	memset(&direction, 0, sizeof(direction));
	for (int i = 0; i < 9; i++)
		WRONG(0x401000, true);
	for (int i = 0; i < 1000; i++)
		wrong += direction_predict(&direction, 0x401000, true);
	CHECK_EQ_U64(wrong, 0);
}

/*
 * T N T N ... from cold.  Not taken follows a history that ends in taken; its
 * counters stay 0 and are always right.  Taken comes with the histories
 * 0000000, 0000010, 0001010 (each once: counter 0, wrong), then 0101010 for
 * good: counter 0 (wrong), 1 (wrong), 2 (right), 3 ...  So five in all.
 */
TEST(alternation_is_learnt_through_history_at_the_cost_of_five)
{
	uint64_t wrong = 0;

	memset(&direction, 0, sizeof(direction));
	for (int i = 0; i < 5; i++) {
		WRONG(0x1234, true);
		RIGHT(0x1234, false);
	}
	for (int i = 0; i < 1000; i++) {
		wrong += direction_predict(&direction, 0x1234, true);
		wrong += direction_predict(&direction, 0x1234, false);
	}
	CHECK_EQ_U64(wrong, 0);
}

/*
 * A loop of 9 rounds, its branch taken 8 times and then not: after 7 times
 * taken the history is all ones both before the 8th taken and before the way
 * out, so seven bits can not tell these apart.  Rounds 1 to 7 are learnt; the
 * counter of all ones goes +1 -1 and says not taken for ever, so once learnt
 * each loop costs one, its 8th round.
 */
TEST(seven_bits_do_not_see_the_end_of_nine_rounds)
{
	memset(&direction, 0, sizeof(direction));
	for (int loop = 0; loop < 50; loop++) {
		uint64_t wrong = 0;

		for (int round = 1; round <= 9; round++)
			wrong += direction_predict(&direction, 0x88, round < 9);
		if (loop >= 10)
			CHECK_EQ_U64(wrong, 1);
	}
	CHECK_EQ_U64(direction.counters[0x7f << 7 | 0x08], 0);
}

/* One branch's outcome is the next one's history: b does what a did. */
TEST(history_is_shared_by_all_branches)
{
	struct check_random random = CHECK_RANDOM_INIT;
	uint64_t wrong_b = 0;

	memset(&direction, 0, sizeof(direction));
	for (int i = 0; i < 4000; i++) {
		bool taken = check_random(&random) >> 63;

		direction_predict(&direction, 0x10, taken);
		bool wrong = direction_predict(&direction, 0x20, taken);

		if (i >= 2000)
			wrong_b += wrong;
	}
	CHECK_EQ_U64(wrong_b, 0);
}

#define TARGET_RIGHT(address, to) CHECK(!target_predict(&target, address, to))
#define TARGET_WRONG(address, to) CHECK(target_predict(&target, address, to))

TEST(targets_are_the_last_ones)
{
	memset(&target, 0, sizeof(target));
	TARGET_WRONG(100, 0x4000);
	TARGET_RIGHT(100, 0x4000);
	TARGET_RIGHT(100, 0x4000);
	TARGET_WRONG(100, 0x5000); /* replaced at once */
	TARGET_WRONG(100, 0x4000);
	TARGET_WRONG(100, UINT64_C(0x8000000000004000)); /* all bits count */
	TARGET_RIGHT(100, UINT64_C(0x8000000000004000));
	TARGET_RIGHT(101, 0); /* cold entries say 0 */
}

TEST(targets_512_apart_share_an_entry)
{
	memset(&target, 0, sizeof(target));
	TARGET_WRONG(7, 0x4000);
	TARGET_RIGHT(7 + 512, 0x4000);
	TARGET_WRONG(7 + 1024, 0x5000);
	TARGET_WRONG(7, 0x4000);
	TARGET_WRONG(7 + 256, 0x6000);
	TARGET_WRONG(8, 0x7000);
	TARGET_RIGHT(7, 0x4000);
	TARGET_WRONG(UINT64_MAX, 0x4000);
	TARGET_RIGHT(511, 0x4000);
}

/* The second implementation: outcomes as a list, states by name. */
enum state { STRONG_NOT, WEAK_NOT, WEAK_TAKEN, STRONG_TAKEN };

struct plain {
	bool outcomes[7]; /* newest first */
	enum state states[2][2][2][2][2][2][2][128];
	uint64_t targets[512];
};

static enum state *plain_state(struct plain *plain, uint64_t address)
{
	const bool *o = plain->outcomes;

	return &plain->states[o[0]][o[1]][o[2]][o[3]][o[4]][o[5]][o[6]][address % 128];
}

static bool plain_predict(struct plain *plain, uint64_t address, bool taken)
{
	static const enum state up[] = { WEAK_NOT, WEAK_TAKEN, STRONG_TAKEN, STRONG_TAKEN };
	static const enum state down[] = { STRONG_NOT, STRONG_NOT, WEAK_NOT, WEAK_TAKEN };
	enum state *state = plain_state(plain, address);
	bool predicted = *state == WEAK_TAKEN || *state == STRONG_TAKEN;

	*state = taken ? up[*state] : down[*state];
	memmove(plain->outcomes + 1, plain->outcomes, 6 * sizeof(plain->outcomes[0]));
	plain->outcomes[0] = taken;
	return predicted != taken;
}

/* Branches of several habits, so that both right and wrong predictions are common. */
static bool outcome_of(struct check_random *random, uint64_t address, uint64_t time)
{
	switch (address % 5) {
	case 0:
		return true;
	case 1:
		return time % (address % 7 + 2) != 0;
	case 2:
		return check_random_below(random, 10) == 0;
	case 3:
		return time / 64 % 2;
	default:
		return check_random_below(random, 2);
	}
}

TEST(equals_plain_direction_predictor)
{
	static struct plain plain;
	struct check_random random = CHECK_RANDOM_INIT;
	uint64_t wrong = 0;

	memset(&direction, 0, sizeof(direction));
	for (uint64_t i = 0; i < 2000000; i++) {
		uint64_t address = check_random(&random);

		/* Mostly a few branches of a hot loop, now and then any address at all. */
		if (address % 16)
			address = i % (i / 100000 + 3) * 37;

		bool taken = outcome_of(&random, address, i);
		bool got = direction_predict(&direction, address, taken);

		wrong += got;
		if (!CHECK(got == plain_predict(&plain, address, taken)))
			return;
	}
	CHECK(wrong > 100000 && wrong < 1000000);
}

TEST(equals_plain_target_predictor)
{
	static uint64_t targets[512];
	struct check_random random = CHECK_RANDOM_INIT;
	uint64_t wrong = 0;

	memset(&target, 0, sizeof(target));
	for (int i = 0; i < 1000000; i++) {
		uint64_t address = check_random_below(&random, 2000) - 1000;
		uint64_t to = check_random_below(&random, 3) ? address % 512 * 16 : 4711;
		bool got = target_predict(&target, address, to);

		wrong += got;
		if (!CHECK(got == (targets[address % 512] != to)))
			return;
		targets[address % 512] = to;
	}
	CHECK(wrong > 100000 && wrong < 900000);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(cold_counters_say_not_taken),
		CHECK_TEST(learning_takes_two_and_counters_saturate),
		CHECK_TEST(addresses_128_apart_share_a_counter),
		CHECK_TEST(index_is_history_then_address),
		CHECK_TEST(always_taken_costs_nine),
		CHECK_TEST(alternation_is_learnt_through_history_at_the_cost_of_five),
		CHECK_TEST(seven_bits_do_not_see_the_end_of_nine_rounds),
		CHECK_TEST(history_is_shared_by_all_branches),
		CHECK_TEST(targets_are_the_last_ones),
		CHECK_TEST(targets_512_apart_share_an_entry),
		CHECK_TEST(equals_plain_direction_predictor),
		CHECK_TEST(equals_plain_target_predictor),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
