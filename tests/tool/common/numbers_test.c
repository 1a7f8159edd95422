/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/common/numbers: what is charged in whole units, and what is left over. */
#include "tool/common/numbers.h"

#include "tests/common/check.h"

enum {
	N_PLACES = 5,
};

static const int64_t unit = 10;

/* All places, each with what it is owed, and what it got. */
struct counter_set {
	int64_t places[N_PLACES];
	int64_t all;
	uint64_t measured[N_PLACES], charged[N_PLACES];
};

static uint64_t charge(struct counter_set *counters, int place, uint64_t amount)
{
	uint64_t n = owed_take(&counters->places[place], &counters->all, amount, unit);

	counters->measured[place] += amount;
	counters->charged[place] += n;
	return n;
}

/* The example in tool/common/numbers.h. */
TEST(what_is_charged)
{
	struct counter_set counters = { .all = 0 };

	CHECK_EQ_U64(charge(&counters, 0, 6), 1);
	CHECK(counters.places[0] == -4 && counters.all == -4);
	CHECK_EQ_U64(charge(&counters, 1, 3), 0);
	CHECK(counters.places[1] == 3 && counters.all == -1);
	CHECK_EQ_U64(charge(&counters, 0, 6), 0);
	CHECK(counters.places[0] == 2 && counters.all == 5);
	CHECK_EQ_U64(charge(&counters, 1, 3), 1);
	CHECK(counters.places[1] == -4 && counters.all == -2);
	CHECK_EQ_U64(charge(&counters, 1, 3), 0);
	CHECK(counters.places[1] == -1 && counters.all == 1);
}

TEST(whole_units_stay_as_they_are)
{
	struct counter_set counters = { .all = 0 };

	CHECK_EQ_U64(charge(&counters, 0, 0), 0);
	CHECK_EQ_U64(charge(&counters, 0, 70), 7);
	CHECK_EQ_U64(charge(&counters, 1, 10), 1);
	CHECK(counters.places[0] == 0 && counters.places[1] == 0 && counters.all == 0);
}

/* A place is not given in advance twice, however much others are owed. */
TEST(the_least_place_stays_within_a_unit)
{
	struct counter_set counters = { .all = 0 };

	counters.all = 9 * unit;
	CHECK_EQ_U64(charge(&counters, 0, 1), 1);
	CHECK(counters.places[0] == -9);
	CHECK_EQ_U64(charge(&counters, 0, 1), 0);
	CHECK(counters.places[0] == -8);
	CHECK_EQ_U64(charge(&counters, 0, 8), 0);
	CHECK(counters.places[0] == 0);
	CHECK_EQ_U64(charge(&counters, 0, 25), 3);
	CHECK(counters.places[0] == -5);
}

TEST(random_amounts_add_up)
{
	struct check_random random = CHECK_RANDOM_INIT;
	struct counter_set counters = { .all = 0 };
	int64_t furthest = 0;

	for (int i = 0; i < 100000; i++) {
		int64_t sum = 0;

		charge(&counters, (int)check_random_below(&random, N_PLACES),
		       check_random_below(&random, i % 2 == 0 ? 5 : 30));
		for (int place = 0; place < N_PLACES; place++) {
			int64_t owed = counters.places[place];

			CHECK(owed > -unit && owed < unit);
			CHECK((int64_t)(counters.measured[place] -
					counters.charged[place] * (uint64_t)unit) == owed);
			sum += owed;
		}
		CHECK(counters.all == sum);
		if (sum > furthest || -sum > furthest)
			furthest = sum > 0 ? sum : -sum;
	}
	/* Each place alone would be off by half a unit: it is less for all of them. */
	CHECK(furthest < 2 * unit);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(what_is_charged),
		CHECK_TEST(whole_units_stay_as_they_are),
		CHECK_TEST(the_least_place_stays_within_a_unit),
		CHECK_TEST(random_amounts_add_up),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
