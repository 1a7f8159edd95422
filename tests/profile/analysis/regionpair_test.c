/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions of a profile, and of two side by side. */
#include "profile/analysis/regionpair.h"

#include "tests/common/model_fixture.h"

#define HEAD(events) "events: " events "\nfn=f\n1 100 50\n"
#define REGION(text) "desc: Region: " text "\n"

static void check_pair(const struct region_pair *pair, const char *name, uint64_t old_times,
		       uint64_t old_cost, uint64_t new_times, uint64_t new_cost)
{
	CHECK_STR(pair->name, name);
	CHECK(pair->old_side.is_there == (old_times > 0));
	CHECK(pair->new_side.is_there == (new_times > 0));
	CHECK_EQ_U64(pair->old_side.times, old_times);
	CHECK_EQ_U64(pair->old_side.costs[0], old_cost);
	CHECK_EQ_U64(pair->new_side.times, new_times);
	CHECK_EQ_U64(pair->new_side.costs[0], new_cost);
}

TEST(one_model)
{
	struct region_pairs pairs;
	struct model model;
	struct arena arena;

	arena_init(&arena);
	model_of(&model, REGION("2 times, 3 threads, not over, costs 7: b")
				 REGION("1 times, 1 threads, costs 8 9: a") HEAD("Ir Dr"));
	CHECK(regionpairs_are_in(&model));
	CHECK(regionpairs_of_model(&pairs, &model, &arena) == PROFILE_OK);
	CHECK_EQ_U64(pairs.n, 2);
	check_pair(&pairs.all[0], "b", 0, 0, 2, 7);
	CHECK_EQ_U64(pairs.all[0].new_side.costs[1], 0);
	CHECK_EQ_U64(pairs.all[0].new_side.threads, 3);
	CHECK(pairs.all[0].new_side.is_open);
	check_pair(&pairs.all[1], "a", 0, 0, 1, 8);
	CHECK_EQ_U64(pairs.all[1].new_side.costs[1], 9);
	model_release(&model);
	model_of(&model, HEAD("Ir Dr"));
	CHECK(!regionpairs_are_in(&model));
	model_release(&model);
	arena_release(&arena);
}

/* Events that both have, in NEW's order; NEW's regions come first. */
TEST(two_models)
{
	static const struct difference_scale half = { .to = 1, .from = 2 };
	const struct difference_scale *const scales[] = { NULL, &half };
	struct model old_model, new_model;
	struct arena arena;

	arena_init(&arena);
	model_of(&old_model, REGION("1 times, 1 threads, costs 10 1: gone")
				     REGION("4 times, 1 threads, costs 20 2: both") HEAD("Ir Dr"));
	model_of(&new_model, REGION("1 times, 1 threads, costs 3 31: new")
				     REGION("5 times, 1 threads, costs 4 40: both") HEAD("Dr Ir"));
	for (size_t i = 0; i < 2; i++) {
		struct difference difference;
		struct region_pairs pairs;

		CHECK(difference_init_scaled(&difference, &old_model, &new_model, 0, scales[i]) ==
		      PROFILE_OK);
		CHECK(regionpairs_of_difference(&pairs, &difference, &arena) == PROFILE_OK);
		CHECK_EQ_U64(pairs.n, 3);
		/* Rounded, halves away from 0. */
		check_pair(&pairs.all[0], "new", 0, 0, 1, i == 0 ? 3 : 2);
		CHECK_EQ_U64(pairs.all[0].new_side.costs[1], i == 0 ? 31 : 16);
		check_pair(&pairs.all[1], "both", 4, 2, 5, i == 0 ? 4 : 2);
		CHECK_EQ_U64(pairs.all[1].old_side.costs[1], 20);
		check_pair(&pairs.all[2], "gone", 1, 1, 0, 0);
		difference_release(&difference);
	}
	model_release(&old_model);
	model_release(&new_model);
	arena_release(&arena);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(one_model),
		CHECK_TEST(two_models),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
