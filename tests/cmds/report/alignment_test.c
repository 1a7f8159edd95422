/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What two lists have in common, by hand and against a naive recursion. */
#include "cmds/report/report.h"

#include "profile/common/error.h"
#include "tests/common/check.h"

enum { MOST = 10 };

/* The length of a longest common subsequence, by its definition. */
static size_t naive(const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
	size_t x, y;

	if (n == 0 || m == 0)
		return 0;
	if (a[0] == b[0])
		return 1 + naive(a + 1, n - 1, b + 1, m - 1);
	x = naive(a + 1, n - 1, b, m);
	y = naive(a, n, b + 1, m - 1);
	return x > y ? x : y;
}

/* How many are aligned; rising partners with equal keys are checked. */
static size_t count(const struct alignment_list *a, const struct alignment_list *b,
		    const size_t *partners)
{
	size_t n = 0, next = 0;

	for (size_t i = 0; i < a->n; i++) {
		if (partners[i] == ALIGNMENT_NONE)
			continue;
		CHECK(partners[i] >= next && partners[i] < b->n);
		CHECK_EQ_U64(a->keys[i], b->keys[partners[i]]);
		next = partners[i] + 1;
		n++;
	}
	return n;
}

TEST(by_hand)
{
	static const uint32_t a[] = { 1, 2, 3, 4, 5 }, b[] = { 1, 3, 9, 4, 8, 5 };
	const struct alignment_list of_a = { a, 5 }, of_b = { b, 6 }, none = { a, 0 };
	size_t partners[MOST], effort = 1000;

	CHECK(alignment_make(&of_a, &of_b, &effort, partners) == PROFILE_OK);
	CHECK(partners[0] == 0 && partners[1] == ALIGNMENT_NONE && partners[2] == 1 &&
	      partners[3] == 3 && partners[4] == 5);
	/* 1 and 5 are at both ends; a table of 3 and 4. */
	CHECK_EQ_U64(effort, 1000 - 4 * 5);
	CHECK(alignment_make(&none, &of_b, &effort, partners) == PROFILE_OK);
	CHECK(alignment_make(&of_a, &none, &effort, partners) == PROFILE_OK);
	CHECK_EQ_U64(count(&of_a, &none, partners), 0);
}

TEST(too_long)
{
	static const uint32_t a[] = { 1, 2 }, b[] = { 2, 1 };
	const struct alignment_list of_a = { a, 2 }, of_b = { b, 2 };
	size_t partners[MOST], effort = 8;

	CHECK(alignment_make(&of_a, &of_b, &effort, partners) == PROFILE_RANGE);
	CHECK_EQ_U64(effort, 8);
	effort = 9;
	CHECK(alignment_make(&of_a, &of_b, &effort, partners) == PROFILE_OK);
	CHECK_EQ_U64(effort, 0);
	CHECK_EQ_U64(count(&of_a, &of_b, partners), 1);
}

TEST(all_of_three)
{
	struct check_random random = CHECK_RANDOM_INIT;
	uint32_t keys[2][MOST];

	for (int round = 0; round < 3000; round++) {
		struct alignment_list lists[2];
		size_t partners[MOST], effort = 1000;

		for (int side = 0; side < 2; side++) {
			lists[side].keys = keys[side];
			lists[side].n = check_random_below(&random, MOST);
			for (size_t i = 0; i < MOST; i++)
				keys[side][i] = (uint32_t)check_random_below(&random, 3);
		}
		CHECK(alignment_make(&lists[0], &lists[1], &effort, partners) == PROFILE_OK);
		CHECK_EQ_U64(count(&lists[0], &lists[1], partners),
			     naive(keys[0], lists[0].n, keys[1], lists[1].n));
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(by_hand),
		CHECK_TEST(too_long),
		CHECK_TEST(all_of_three),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
