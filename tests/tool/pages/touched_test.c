/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/pages/touched: against an array of all pages of a small address space; its memory. */
#include "tool/pages/touched.h"

#include <stdlib.h>
#include <string.h>

#include "tests/common/check.h"

enum { SPACE = 20000, ROUNDS = 20000 };

static size_t n_allocated;

static void *allocate(size_t size)
{
	n_allocated++;
	return calloc(1, size);
}

static void release(void *memory)
{
	n_allocated--;
	free(memory);
}

static struct touched touched;
static unsigned char is_touched[SPACE];

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525U + 1013904223U;
	return *state >> 8;
}

static void check_all(uint64_t base)
{
	for (uint64_t page = 0; page < SPACE; page++)
		CHECK(touched_has(&touched, base + page) == (is_touched[page] != 0));
}

/* Pages from base on. */
static void make_round(uint64_t base, uint32_t *random)
{
	const uint64_t page = next_random(random) % SPACE, to = next_random(random) % SPACE;
	uint64_t n = 1 + next_random(random) % 1000;

	if (n > SPACE - page)
		n = SPACE - page;
	switch (next_random(random) % 32) {
	case 0:
		touched_forget(&touched, base + page, n);
		memset(is_touched + page, 0, n);
		break;
	case 1:
		if (to + n > SPACE || (page < to + n && to < page + n))
			return;
		touched_move(&touched, base + page, base + to, n);
		memcpy(is_touched + to, is_touched + page, n);
		memset(is_touched + page, 0, n);
		break;
	default:
		CHECK(touched_has(&touched, base + page) == (is_touched[page] != 0));
		touched_add(&touched, base + page);
		is_touched[page] = 1;
		break;
	}
}

static void check_space(uint64_t base)
{
	uint32_t random = 1;

	memset(is_touched, 0, sizeof(is_touched));
	touched_init(&touched, allocate, release);
	for (unsigned i = 0; i < ROUNDS; i++)
		make_round(base, &random);
	check_all(base);
	touched_forget(&touched, 0, UINT64_C(1) << (64 - TOUCHED_PAGE_BITS));
	memset(is_touched, 0, sizeof(is_touched));
	check_all(base);
	touched_release(&touched);
	CHECK(n_allocated == 0);
}

TEST(it_is_a_set_of_pages)
{
	check_space(0);
	check_space(12345);
	check_space((UINT64_C(1) << (64 - TOUCHED_PAGE_BITS)) - SPACE);
}

TEST(nothing_is_in_it_at_first)
{
	touched_init(&touched, allocate, release);
	CHECK(!touched_has(&touched, 0));
	CHECK(!touched_has(&touched, 1));
	touched_forget(&touched, 0, 5);
	touched_move(&touched, 3, 7, 2);
	CHECK(!touched_has(&touched, 7));
	touched_add(&touched, 0);
	CHECK(touched_has(&touched, 0));
	touched_move(&touched, 0, 0, 1);
	CHECK(touched_has(&touched, 0));
	touched_release(&touched);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(it_is_a_set_of_pages),
		CHECK_TEST(nothing_is_in_it_at_first),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
