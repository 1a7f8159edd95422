/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/misses/fullcache: lines that were ever asked for, against a list of lines; that it grows, forgets, and knows both ends of the address space. */
#include "sim/misses/fullcache.h"

#include "tests/common/check.h"
#include "tests/sim/misses/naive_misses.h"

static struct seen seen;

TEST(a_line_is_seen_once_it_was_asked_for)
{
	seen_init(&seen, 6, &naive_memory);
	CHECK(!seen_add(&seen, 0x1000));
	CHECK(seen_add(&seen, 0x1000));
	CHECK(seen_add(&seen, 0x103f));
	CHECK(!seen_add(&seen, 0x1040)); /* of the same stretch */
	CHECK(!seen_add(&seen, 0x0fff)); /* of the one before */
	CHECK(seen_add(&seen, 0x0fc0));
	seen_release(&seen);
	CHECK_EQ_U64(naive_blocks, 0);
}

TEST(both_ends_of_the_address_space)
{
	for (uint32_t line_bits = 4; line_bits <= 12; line_bits++) {
		const uint64_t top = UINT64_MAX;

		seen_init(&seen, line_bits, &naive_memory);
		CHECK(!seen_add(&seen, 0));
		CHECK(!seen_add(&seen, top));
		CHECK(seen_add(&seen, 0));
		CHECK(seen_add(&seen, top >> line_bits << line_bits));
		CHECK(!seen_add(&seen, top - (UINT64_C(1) << line_bits)));
		seen_forget(&seen, address_range(top, 1));
		CHECK(seen_add(&seen, 0));
		CHECK(seen_add(&seen, top - (UINT64_C(1) << line_bits)));
		CHECK(!seen_add(&seen, top));
		seen_forget(&seen, address_range(0, 1));
		CHECK(seen_add(&seen, top));
		CHECK(!seen_add(&seen, 0));
		seen_release(&seen);
	}
}

/* The first and the last bit of a stretch, and the next stretch. */
TEST(forgets_lines_with_a_byte_in_the_range_and_no_others)
{
	seen_init(&seen, 6, &naive_memory);
	for (uint64_t line = 0; line < UINT64_C(3) * SEEN_STRETCH; line++)
		CHECK(!seen_add(&seen, line << 6));
	seen_forget(&seen, address_range(UINT64_C(63) * 64 + 63, 2)); /* of lines 63 and 64 */
	for (uint64_t line = 0; line < UINT64_C(3) * SEEN_STRETCH; line++)
		CHECK(seen_add(&seen, line << 6) == (line != 63 && line != 64));
	seen_forget(&seen, address_range(UINT64_C(64) * 64, UINT64_C(64) * 64));
	for (uint64_t line = 0; line < UINT64_C(3) * SEEN_STRETCH; line++)
		CHECK(seen_add(&seen, line << 6) == (line / 64 != 1));
	seen_forget(&seen, address_range_all());
	for (uint64_t line = 0; line < UINT64_C(3) * SEEN_STRETCH; line++)
		CHECK(!seen_add(&seen, line << 6));
	seen_release(&seen);
}

/* A line every that many bytes: far more stretches than it begins with. */
TEST(grows)
{
	static const uint64_t strides[] = { 64,
					    4096,
					    UINT64_C(64) * 4096,
					    UINT64_C(1) << 32,
					    (UINT64_C(1) << 44) + 4096,
					    UINT64_C(0x9e3779b97f4a7c15) };
	const uint64_t n = 20000;

	for (size_t i = 0; i < sizeof(strides) / sizeof(strides[0]); i++) {
		seen_init(&seen, 6, &naive_memory);
		for (uint64_t k = 0; k < n; k++)
			CHECK(!seen_add(&seen, k * strides[i]));
		for (uint64_t k = 0; k < n; k++)
			CHECK(seen_add(&seen, k * strides[i]));
		CHECK(2 * seen.n <= seen.mask + 1);
		CHECK_EQ_U64(naive_blocks, 1);
		seen_release(&seen);
	}
	CHECK_EQ_U64(naive_blocks, 0);
}

static uint64_t some_address(struct check_random *random, uint64_t span)
{
	static const uint64_t bases[] = { 0, 0x400000, UINT64_C(1) << 47 };
	uint64_t place = check_random_below(random, span);

	switch (check_random_below(random, 4)) {
	case 0:
		return UINT64_MAX - place;
	default:
		return bases[check_random_below(random, 3)] + place;
	}
}

TEST(equals_a_list)
{
	static const uint64_t spans[] = { 1000, 20000, 300000 };
	struct check_random random = CHECK_RANDOM_INIT;

	for (unsigned trial = 0; trial < 24; trial++) {
		const uint32_t line_bits = 4 + trial % 5;
		const uint64_t span = spans[trial % 3];
		struct naive_list list = { .n = 0 };
		bool same = true;

		seen_init(&seen, line_bits, &naive_memory);
		for (unsigned i = 0; i < 3000 && same; i++) {
			const uint64_t address = some_address(&random, span);
			const uint64_t line = address >> line_bits;

			if (check_random_below(&random, 400) == 0) {
				const struct address_range range = address_range(
					address, 1 + check_random_below(&random, span));

				seen_forget(&seen, range);
				naive_list_evict(&list, UINT64_C(1) << line_bits, range);
				continue;
			}
			same = CHECK(seen_add(&seen, address) ==
				     (naive_list_find(&list, line) < list.n));
			if (naive_list_find(&list, line) == list.n)
				naive_list_push(&list, line);
		}
		naive_list_release(&list);
		seen_release(&seen);
	}
	CHECK_EQ_U64(naive_blocks, 0);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_line_is_seen_once_it_was_asked_for),
		CHECK_TEST(both_ends_of_the_address_space),
		CHECK_TEST(forgets_lines_with_a_byte_in_the_range_and_no_others),
		CHECK_TEST(grows),
		CHECK_TEST(equals_a_list),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
