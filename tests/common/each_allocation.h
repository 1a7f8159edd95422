/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each allocation of a piece of work fails once. */
#ifndef TESTS_COMMON_EACH_ALLOCATION_H
#define TESTS_COMMON_EACH_ALLOCATION_H

#include "profile/common/error.h"
#include "tests/common/check.h"
#include "tests/common/test_env.h"

/*
 * Runs run(), which returns an enum profile_status, until none of its allocations is left to fail.
 * Without memory it says so, or does without; nothing leaks.  It makes more than least of them.
 */
static inline void check_each_allocation(int (*run)(struct test_env *t), size_t least)
{
	int status = PROFILE_NO_MEMORY;
	bool is_done = false;
	size_t n = 0;

	while (!is_done) {
		struct test_env t;

		test_env_init(&t);
		t.fail_alloc = ++n;
		status = run(&t);
		is_done = t.n_allocs < n;
		if (!CHECK(is_done || status == PROFILE_NO_MEMORY || status == PROFILE_OK))
			printf("# allocation %zu\n", n);
		if (!CHECK(test_env_release(&t)))
			printf("# allocation %zu\n", n);
	}
	CHECK_EQ_U64((uint64_t)status, PROFILE_OK);
	CHECK(n > least);
}

#endif
