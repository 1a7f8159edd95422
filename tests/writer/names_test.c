/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer/writer, names: ids count from 1 in the order of first appearance. */
#include "writer/writer.h"

#include "tests/common/check.h"
#include "tests/common/test_env.h"

static void check_id(struct names *names, struct test_env *t, uint32_t key, uint32_t want,
		     bool want_new)
{
	bool is_new = !want_new;

	CHECK_EQ_U64(names_id(names, &t->env, key, &is_new), want);
	CHECK(is_new == want_new);
}

TEST(order_of_appearance)
{
	struct test_env t;
	struct names names;

	test_env_init(&t);
	names_init(&names);
	CHECK_EQ_U64(t.n_allocs, 0);
	check_id(&names, &t, 7, 1, true);
	check_id(&names, &t, 0, 2, true);
	check_id(&names, &t, 7, 1, false);
	check_id(&names, &t, 63, 3, true);
	check_id(&names, &t, 64, 4, true); /* the table grows here */
	check_id(&names, &t, 0, 2, false);
	check_id(&names, &t, 7, 1, false);
	check_id(&names, &t, 63, 3, false);
	check_id(&names, &t, 100000, 5, true);
	check_id(&names, &t, 99999, 6, true);
	check_id(&names, &t, 64, 4, false);
	names_release(&names, &t.env);
	CHECK(test_env_release(&t));
}

TEST(reset_forgets_and_keeps_memory)
{
	struct test_env t;
	struct names names;
	size_t n_allocs;

	test_env_init(&t);
	names_init(&names);
	names_reset(&names); /* nothing there yet */
	check_id(&names, &t, 300, 1, true);
	check_id(&names, &t, 299, 2, true);
	n_allocs = t.n_allocs;
	names_reset(&names);
	check_id(&names, &t, 299, 1, true);
	check_id(&names, &t, 300, 2, true);
	CHECK_EQ_U64(t.n_allocs, n_allocs);
	names_release(&names, &t.env);
	names_release(&names, &t.env);
	check_id(&names, &t, 5, 1, true); /* released is empty, not dead */
	names_release(&names, &t.env);
	CHECK(test_env_release(&t));
}

/* Against a plain array, in random order; doubling keeps the allocations few. */
TEST(random_keys)
{
	enum { N_KEYS = 5000 };
	static uint32_t ids[N_KEYS];
	struct check_random random = CHECK_RANDOM_INIT;
	uint32_t last_id = 0;
	struct test_env t;
	struct names names;

	test_env_init(&t);
	names_init(&names);
	for (unsigned i = 0; i < 50000; i++) {
		uint32_t key = (uint32_t)check_random_below(&random, 1 + i % N_KEYS);
		bool want_new = ids[key] == 0;

		CHECK_EQ_U64(names_known_id(&names, key), ids[key]);
		if (want_new)
			ids[key] = ++last_id;
		check_id(&names, &t, key, ids[key], want_new);
	}
	CHECK(t.n_allocs <= 8);
	CHECK_EQ_U64(names_known_id(&names, NAME_NO_KEY), 0);
	names_release(&names, &t.env);
	CHECK(test_env_release(&t));
}

TEST(no_memory_changes_nothing)
{
	struct test_env t;
	struct names names;

	test_env_init(&t);
	names_init(&names);
	t.fail_alloc = 1;
	check_id(&names, &t, 3, 0, false);
	check_id(&names, &t, 3, 1, true);
	t.fail_alloc = t.n_allocs + 1;
	check_id(&names, &t, 1000, 0, false);
	check_id(&names, &t, 3, 1, false);
	check_id(&names, &t, 4, 2, true);
	check_id(&names, &t, 1000, 3, true);
	names_release(&names, &t.env);
	CHECK(test_env_release(&t));
}

static void *refuse(void *ctx, size_t size)
{
	*(size_t *)ctx = size;
	return NULL;
}

/* The size asked for must not wrap around. */
TEST(largest_key)
{
	size_t asked = 0;
	struct env env = { refuse, NULL, NULL, &asked };
	struct names names;
	bool is_new = true;

	names_init(&names);
	CHECK_EQ_U64(names_id(&names, &env, NAME_NO_KEY - 1, &is_new), 0);
	CHECK(!is_new);
	CHECK(asked == 0 || asked / sizeof(uint32_t) == (size_t)NAME_NO_KEY);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(order_of_appearance), CHECK_TEST(reset_forgets_and_keeps_memory),
		CHECK_TEST(random_keys),         CHECK_TEST(no_memory_changes_nothing),
		CHECK_TEST(largest_key),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
