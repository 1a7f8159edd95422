/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of branches, at the edges of their thresholds. */
#include "cmds/branches/branchlist.h"

#include <stddef.h>

#include "tests/common/check.h"

/* 10,000 executions of each. */
static enum branch_kind kind_of(bool is_backward, uint64_t taken, uint64_t missed,
				uint64_t by_counter, uint64_t by_history)
{
	const struct branch_counts counts = {
		.executed = 10000,
		.missed = missed,
		.taken = taken,
		.by_counter = by_counter,
		.by_history = by_history,
		.has_taken = true,
		.has_detail = true,
		.is_backward = is_backward,
	};

	return branchkind_find(&counts);
}

/* The same without detail. */
static enum branch_kind plain_kind_of(bool is_backward, uint64_t taken, uint64_t missed)
{
	const struct branch_counts counts = {
		.executed = 10000,
		.missed = missed,
		.taken = taken,
		.has_taken = true,
		.is_backward = is_backward,
	};

	return branchkind_find(&counts);
}

TEST(loop_exits)
{
	/* Once, half a time, one and a half for each of 1,000 exits. */
	CHECK_EQ_U64(kind_of(true, 9000, 1000, 1000, 1000), BRANCH_LOOP_EXIT);
	CHECK_EQ_U64(kind_of(true, 9000, 500, 1000, 1000), BRANCH_LOOP_EXIT);
	CHECK_EQ_U64(kind_of(true, 9000, 1499, 1500, 1500), BRANCH_LOOP_EXIT);
	CHECK(kind_of(true, 9000, 499, 1000, 1000) != BRANCH_LOOP_EXIT);
	CHECK(kind_of(true, 9000, 1500, 1500, 1500) != BRANCH_LOOP_EXIT);
	/* Not forward; not less than two turns. */
	CHECK_EQ_U64(kind_of(false, 9001, 999, 1000, 1000), BRANCH_BIASED);
	CHECK_EQ_U64(kind_of(true, 6668, 3332, 3332, 3332), BRANCH_LOOP_EXIT);
	CHECK_EQ_U64(kind_of(true, 6666, 3334, 3334, 3334), BRANCH_DATA);
	/* A loop of 1,000 turns misses little. */
	CHECK_EQ_U64(kind_of(true, 9990, 10, 10, 10), BRANCH_LOOP_EXIT);
	/* Without detail, too. */
	CHECK_EQ_U64(plain_kind_of(true, 9000, 1000), BRANCH_LOOP_EXIT);
}

TEST(biased)
{
	/* Nobody misses it: one way; or each for long. */
	CHECK_EQ_U64(kind_of(false, 0, 0, 0, 0), BRANCH_BIASED);
	CHECK_EQ_U64(kind_of(false, 10000, 0, 0, 0), BRANCH_BIASED);
	CHECK_EQ_U64(kind_of(false, 5000, 2, 4, 6), BRANCH_BIASED);
	CHECK_EQ_U64(kind_of(false, 5000, 99, 99, 99), BRANCH_BIASED);
	CHECK(kind_of(false, 5000, 100, 100, 100) != BRANCH_BIASED);
	/* Up to a tenth the other way, missed for it. */
	CHECK_EQ_U64(kind_of(false, 999, 999, 999, 999), BRANCH_BIASED);
	CHECK_EQ_U64(kind_of(false, 999, 800, 999, 999), BRANCH_BIASED);
	CHECK(kind_of(false, 999, 799, 999, 999) != BRANCH_BIASED);
	CHECK(kind_of(false, 1000, 1000, 1000, 1000) != BRANCH_BIASED);
	/* Without detail, only what goes one way. */
	CHECK_EQ_U64(plain_kind_of(false, 99, 99), BRANCH_BIASED);
	CHECK_EQ_U64(plain_kind_of(false, 5000, 2), BRANCH_UNSORTED);
}

TEST(the_others)
{
	CHECK_EQ_U64(kind_of(false, 5000, 0, 5000, 5000), BRANCH_CORRELATED);
	CHECK_EQ_U64(kind_of(false, 5000, 2500, 5000, 5000), BRANCH_CORRELATED);
	CHECK_EQ_U64(kind_of(true, 9000, 10, 1000, 1000), BRANCH_CORRELATED);
	CHECK_EQ_U64(kind_of(false, 5000, 5000, 5000, 5000), BRANCH_DATA);
	CHECK_EQ_U64(kind_of(false, 5000, 3000, 3000, 1800), BRANCH_DATA);
	CHECK_EQ_U64(kind_of(false, 5000, 2999, 3000, 2999), BRANCH_MIXED);
	CHECK_EQ_U64(kind_of(false, 5000, 3000, 3000, 1799), BRANCH_MIXED);
	CHECK_EQ_U64(plain_kind_of(false, 5000, 5000), BRANCH_UNSORTED);
	CHECK_EQ_U64(branchkind_find(&(struct branch_counts){ .executed = 5, .missed = 5 }),
		     BRANCH_UNSORTED);
}

/* Counts near 2^64 do not overflow. */
TEST(large)
{
	const struct branch_counts counts = {
		.executed = UINT64_MAX,
		.missed = UINT64_MAX / 2,
		.taken = UINT64_MAX / 2,
		.by_counter = UINT64_MAX / 2,
		.by_history = UINT64_MAX / 2,
		.has_taken = true,
		.has_detail = true,
	};

	CHECK_EQ_U64(branchkind_find(&counts), BRANCH_DATA);
	CHECK(branchkind_is_hard(UINT64_MAX, UINT64_MAX, UINT64_MAX));
}

TEST(hard)
{
	/* At most 30 million instructions. */
	CHECK(branchkind_is_hard(15000, 150, 100000));
	CHECK(branchkind_is_hard(15000, 150, 30000000));
	CHECK(!branchkind_is_hard(14999, 14999, 100000));
	CHECK(!branchkind_is_hard(15000, 149, 100000));
	/* More. */
	CHECK(!branchkind_is_hard(15000, 150, 30002001));
	CHECK(branchkind_is_hard(30000, 300, 60000000));
	CHECK(!branchkind_is_hard(29999, 300, 60000000));
}

TEST(names)
{
	CHECK(branchkind_name(BRANCH_UNSORTED) == NULL);
	for (int kind = BRANCH_BIASED; kind <= BRANCH_RETURN; kind++)
		CHECK(branchkind_name(kind) != NULL);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(loop_exits), CHECK_TEST(biased), CHECK_TEST(the_others),
		CHECK_TEST(large),      CHECK_TEST(hard),   CHECK_TEST(names),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
