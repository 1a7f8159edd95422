/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/misses/fullcache: against a list of lines, of all sizes, on traces that such a cache fits or does not. */
#include "sim/misses/fullcache.h"

#include "tests/common/check.h"
#include "tests/sim/misses/naive_misses.h"

static struct fullcache cache;
static struct naive_list list;
static uint64_t n_missed, n_touched;

static void begin(uint32_t n_lines, uint32_t line_bits)
{
	fullcache_init(&cache, n_lines, line_bits, &naive_memory);
	n_missed = 0;
	n_touched = 0;
}

static void finish(void)
{
	fullcache_release(&cache);
	naive_list_release(&list);
	CHECK_EQ_U64(naive_blocks, 0);
}

/* Both do the same with it. */
static bool touch(uint64_t address)
{
	const struct full_touched touched = fullcache_touch(&cache, address);
	uint64_t left;
	bool missed = naive_list_touch(&list, cache.n_lines, address >> cache.line_bits, &left);

	n_touched++;
	n_missed += missed;
	return CHECK(touched.missed == missed) &&
	       CHECK_EQ_U64(touched.left, left == UINT64_MAX ? NO_LINE : left << cache.line_bits) &&
	       CHECK_EQ_U64(cache.n, list.n);
}

static void evict(struct address_range range)
{
	fullcache_evict(&cache, range);
	naive_list_evict(&list, UINT64_C(1) << cache.line_bits, range);
	CHECK_EQ_U64(cache.n, list.n);
}

TEST(one_line)
{
	begin(1, 6);
	CHECK(touch(0));
	CHECK(touch(63));
	CHECK(touch(64));
	CHECK(touch(0));
	CHECK_EQ_U64(n_missed, 3);
	for (int i = 0; i < 100; i++)
		touch(0);
	CHECK_EQ_U64(n_missed, 3);
	finish();
}

/* That many lines again and again: none misses, or all do. */
TEST(cycles_just_below_and_above_the_size)
{
	for (uint32_t n_lines = 1; n_lines <= 300; n_lines++) {
		for (uint32_t n = n_lines == 1 ? 1 : n_lines - 1; n <= n_lines + 1; n++) {
			begin(n_lines, 6);
			for (uint64_t i = 0; i < UINT64_C(4) * n; i++)
				touch(i % n * 64);
			CHECK_EQ_U64(n_missed, n <= n_lines ? n : 4 * n);
			finish();
		}
	}
}

/* There and back: the lines that are still there hit. */
TEST(last_in_first_out)
{
	for (uint32_t n_lines = 1; n_lines <= 300; n_lines += n_lines < 20 ? 1 : 13) {
		const uint64_t n = n_lines + n_lines / 2 + 1;

		begin(n_lines, 6);
		for (int turn = 0; turn < 3; turn++) {
			for (uint64_t i = 0; i < n; i++)
				touch(i * 64);
			for (uint64_t i = n; i-- > 0;)
				touch(i * 64);
		}
		/* n at first, then those that are not the last n_lines. */
		CHECK_EQ_U64(n_missed, n + 5 * (n - n_lines));
		finish();
	}
}

TEST(strides)
{
	static const uint64_t strides[] = {
		16, 64, 4096, 65536, UINT64_C(1) << 32, UINT64_C(1) << 45, 4096 + 64
	};

	for (uint32_t n_lines = 1; n_lines <= 200; n_lines += n_lines < 10 ? 1 : 9)
		for (size_t i = 0; i < sizeof(strides) / sizeof(strides[0]); i++) {
			begin(n_lines, 6);
			for (int turn = 0; turn < 3; turn++)
				for (uint64_t k = 0; k < 250; k++)
					touch(k * strides[i]);
			finish();
		}
}

/* Hits alone, so that nothing but its compaction makes room in the log; then lines go in the right order. */
TEST(log_is_compacted)
{
	static const uint32_t sizes[] = { 1, 2, 3, 4, 5, 7, 8, 9, 64, 65, 100 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const uint64_t n = sizes[i];
		struct check_random random = CHECK_RANDOM_INIT;

		begin(sizes[i], 6);
		for (uint64_t k = 0; k < n; k++)
			touch(k * 64);
		for (uint64_t k = 0; k < 5000; k++)
			touch(k < 2000   ? 0
			      : k < 4000 ? k % n * 64
					 : check_random_below(&random, n) * 64);
		CHECK_EQ_U64(n_missed, n);
		CHECK(cache.end - cache.first <= UINT64_C(1) + cache.log_mask);
		for (uint64_t k = 0; k < 3 * n; k++)
			touch((n + k) * 64);
		CHECK_EQ_U64(n_missed, 4 * n);
		finish();
	}
}

/* What is taken out leaves room: lines that were older stay. */
TEST(evictions_leave_room)
{
	begin(4, 6);
	for (uint64_t i = 0; i < 4; i++)
		touch(i * 64);
	evict(address_range(UINT64_C(3) * 64, 1));
	evict(address_range(64 + 63, 2)); /* the last byte of 1, the first one of 2 */
	CHECK_EQ_U64(cache.n, 1);
	touch(0);
	CHECK_EQ_U64(n_missed, 4);
	for (uint64_t i = 4; i < 7; i++)
		touch(i * 64);
	touch(0);
	CHECK_EQ_U64(n_missed, 7);
	touch(UINT64_C(3) * 64);
	CHECK_EQ_U64(n_missed, 8);
	evict(address_range_all());
	CHECK_EQ_U64(cache.n, 0);
	for (uint64_t i = 0; i < 9; i++)
		touch(i * 64);
	finish();
}

TEST(both_ends_of_the_address_space)
{
	begin(3, 4);
	for (int turn = 0; turn < 2; turn++) {
		touch(UINT64_MAX);
		touch(0);
		touch(UINT64_MAX - 16);
	}
	CHECK_EQ_U64(n_missed, 3);
	evict(address_range(UINT64_MAX - 15, UINT64_MAX));
	CHECK_EQ_U64(cache.n, 2);
	touch(0);
	touch(UINT64_MAX - 31);
	CHECK_EQ_U64(n_missed, 3);
	touch(UINT64_MAX);
	CHECK_EQ_U64(n_missed, 4);
	finish();
}

/* Hot lines, lines of a region as large as the cache or larger, and now and then evictions. */
static void by_chance(uint32_t n_lines, uint32_t line_bits, struct check_random *random)
{
	const uint64_t size = (uint64_t)n_lines << line_bits;
	bool same = true;

	begin(n_lines, line_bits);
	for (unsigned i = 0; i < 2000 && same; i++) {
		const uint64_t kind = check_random_below(random, 1000);
		const uint64_t place =
			check_random_below(random, kind < 500 ? size / 2 + 1 : size + size / 2);
		const uint64_t address = kind % 2 == 0 ? place : UINT64_MAX - place;

		if (kind == 0)
			evict(address_range(address, 1 + check_random_below(random, size)));
		else if (kind == 1 && check_random_below(random, 8) == 0)
			evict(address_range_all());
		else
			same = touch(address);
	}
	finish();
}

TEST(equals_a_list_by_chance)
{
	struct check_random random = CHECK_RANDOM_INIT;

	for (uint32_t n_lines = 1; n_lines <= 260; n_lines += n_lines < 70 ? 1 : 7)
		by_chance(n_lines, 4 + n_lines % 4, &random);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(one_line),
		CHECK_TEST(cycles_just_below_and_above_the_size),
		CHECK_TEST(last_in_first_out),
		CHECK_TEST(strides),
		CHECK_TEST(log_is_compacted),
		CHECK_TEST(evictions_leave_room),
		CHECK_TEST(both_ends_of_the_address_space),
		CHECK_TEST(equals_a_list_by_chance),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
