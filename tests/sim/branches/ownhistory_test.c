/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/branches/predictor, histories of branches: what a counter gets, what the history of the branch gets, and what neither does. */
#include "sim/branches/predictor.h"

#include "tests/common/check.h"

static uint8_t table[OWN_TABLE];
static struct own_history own;
static unsigned long counter_wrong, history_wrong;

static void begin(void)
{
	memset(table, 0, sizeof(table));
	own_history_init(&own);
}

static void execute(bool taken)
{
	unsigned wrong;

	if (own_history_needs_table(&own, taken))
		own.table = table;
	wrong = own_history_predict(&own, taken);
	counter_wrong += (wrong & OWN_COUNTER_WRONG) != 0;
	history_wrong += (wrong & OWN_HISTORY_WRONG) != 0;
}

/* From here on they are counted. */
static void count(void)
{
	counter_wrong = history_wrong = 0;
}

/* The counter, 1 at first, before each step, and whether it was wrong. */
TEST(a_counter_has_two_bits)
{
	static const struct {
		uint8_t counter;
		bool taken, wrong;
	} steps[] = {
		{ 1, false, false }, { 0, false, false }, { 0, true, true },  { 1, true, true },
		{ 2, true, false },  { 3, true, false },  { 3, false, true }, { 2, false, true },
		{ 1, true, true },   { 2, false, true },
	};

	begin();
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		CHECK_EQ_U64(own.counter, steps[i].counter);
		count();
		execute(steps[i].taken);
		CHECK_EQ_U64(counter_wrong, steps[i].wrong);
	}
}

TEST(a_branch_that_goes_one_way_needs_no_table)
{
	begin();
	count();
	for (unsigned i = 0; i < 1000; i++)
		execute(false);
	CHECK(own.table == NULL);
	CHECK_EQ_U64(counter_wrong + history_wrong, 0);
	/* The first time, both are wrong: the history was not met, so the counter speaks. */
	execute(true);
	CHECK(own.table == table);
	CHECK_EQ_U64(counter_wrong, 1);
	CHECK_EQ_U64(history_wrong, 1);
}

/* Taken twice of three times: the counter is wrong each third time, the history never. */
TEST(a_pattern_of_three_is_known_by_history)
{
	begin();
	for (unsigned i = 0; i < 3 * 20; i++)
		execute(i % 3 != 2);
	count();
	for (unsigned i = 0; i < 3 * 1000; i++)
		execute(i % 3 != 2);
	CHECK_EQ_U64(counter_wrong, 1000);
	CHECK_EQ_U64(history_wrong, 0);
}

/*
 * A loop of up to 13 turns has its exit after 12 outcomes that are nowhere else.  In one of 14, 12 times "taken" has
 * "taken" after it and then "not taken", by turns: a counter between 1 and 2 is wrong both times.
 */
TEST(twelve_outcomes_are_known)
{
	for (unsigned turns = 3; turns <= 14; turns++) {
		begin();
		for (unsigned i = 0; i < turns * 20; i++)
			execute(i % turns != turns - 1);
		count();
		for (unsigned i = 0; i < turns * 100; i++)
			execute(i % turns != turns - 1);
		CHECK_EQ_U64(counter_wrong, 100);
		CHECK_EQ_U64(history_wrong, turns <= 13 ? 0 : 200);
	}
}

TEST(what_is_random_is_known_by_neither)
{
	struct check_random random = CHECK_RANDOM_INIT;

	begin();
	count();
	for (unsigned i = 0; i < 40000; i++)
		execute(check_random_below(&random, 2) == 0);
	/* Half, within 5 times the deviation, 100. */
	CHECK(counter_wrong > 19500 && counter_wrong < 20500);
	CHECK(history_wrong > 19500 && history_wrong < 20500);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_counter_has_two_bits),
		CHECK_TEST(a_branch_that_goes_one_way_needs_no_table),
		CHECK_TEST(a_pattern_of_three_is_known_by_history),
		CHECK_TEST(twelve_outcomes_are_known),
		CHECK_TEST(what_is_random_is_known_by_neither),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
