/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile/common/desc, sets of ranks: lists, and sets against one bit a rank. */
#include "profile/common/desc.h"

#include <string.h>

#include "profile/common/heap.h"
#include "tests/common/check.h"

enum { N_RANKS = 24 };

TEST(lists)
{
	CHECK(rank_set_is_list("0"));
	CHECK(rank_set_is_list("0,17,100-110"));
	CHECK(rank_set_is_list("5-5,3"));
	CHECK(rank_set_is_list("999999999"));
	CHECK(!rank_set_is_list(""));
	CHECK(!rank_set_is_list("1,"));
	CHECK(!rank_set_is_list(",1"));
	CHECK(!rank_set_is_list("1,,2"));
	CHECK(!rank_set_is_list("1-"));
	CHECK(!rank_set_is_list("-1"));
	CHECK(!rank_set_is_list("2-1"));
	CHECK(!rank_set_is_list("1000000000"));
	CHECK(!rank_set_is_list("1 2"));
	CHECK(!rank_set_is_list("1-2-3"));
}

static void check_print(const struct rank_set *set, const char *want)
{
	struct bytes text;

	bytes_init(&text);
	rank_set_print(set, &text);
	bytes_add_char(&text, '\0');
	CHECK_STR(text.text, want);
	bytes_release(&text);
}

TEST(shortest_list)
{
	struct rank_set set;

	rank_set_init(&set);
	check_print(&set, "");
	rank_set_add_list(&set, "100-110,3,17,1,2");
	check_print(&set, "1-3,17,100-110");
	CHECK_EQ_U64(rank_set_count(&set), 15);
	rank_set_add_list(&set, "0-999999999");
	check_print(&set, "0-999999999");
	CHECK_EQ_U64(rank_set_count(&set), 1000000000);
	rank_set_release(&set);
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

/* The set of some ranges, and its bits. */
static uint32_t fill(struct rank_set *set, uint32_t *random)
{
	uint32_t bits = 0;

	rank_set_init(set);
	for (uint32_t i = next_random(random) % 6; i > 0; i--) {
		uint32_t first = next_random(random) % N_RANKS;
		uint32_t last = first + next_random(random) % 4;

		last = last < N_RANKS ? last : N_RANKS - 1;
		rank_set_add(set, first, last);
		for (uint32_t rank = first; rank <= last; rank++)
			bits |= 1U << rank;
	}
	return bits;
}

/* The set has these ranks, and its ranges do not touch. */
static void check_bits(const struct rank_set *set, uint32_t bits)
{
	for (uint32_t rank = 0; rank < N_RANKS; rank++)
		CHECK_EQ_U64(rank_set_has(set, rank), bits >> rank & 1);
	for (size_t i = 0; i < set->n; i++) {
		CHECK(set->ranges[i].first <= set->ranges[i].last);
		CHECK(i == 0 || set->ranges[i - 1].last + 1 < set->ranges[i].first);
	}
	CHECK_EQ_U64(rank_set_count(set), (uint64_t)__builtin_popcount(bits));
}

TEST(sets)
{
	uint32_t random = 7;

	for (int i = 0; i < 20000; i++) {
		struct rank_set one, other, result;
		uint32_t bits = fill(&one, &random), other_bits = fill(&other, &random);

		check_bits(&one, bits);
		rank_set_init(&result);
		rank_set_add_difference(&result, &one, &other);
		check_bits(&result, bits & ~other_bits);
		rank_set_release(&result);
		rank_set_add_common(&result, &one, &other);
		check_bits(&result, bits & other_bits);
		rank_set_add_set(&one, &other);
		check_bits(&one, bits | other_bits);
		rank_set_release(&result);
		rank_set_release(&one);
		rank_set_release(&other);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(lists),
		CHECK_TEST(shortest_list),
		CHECK_TEST(sets),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
