/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LRU is a stack algorithm (Mattson, Gecsei, Slutz and Traiger, "Evaluation Techniques for Storage
 * Hierarchies", 1970): of two caches of one set each, the larger has all lines of the smaller, always.
 * So what hits in one hits in all that are larger, and misses never grow with the size.
 */
#include "sim/cache.h"

#include <stdlib.h>

#include "tests/common/check.h"
#include "tests/sim/traffic.h"

enum {
	LINE_SIZE = 64,
	SIZES = 12,
	LARGEST = 128, /* ways */
	REFERENCES = 30000,
};

static const uint32_t ways[SIZES] = { 2, 3, 4, 5, 7, 8, 12, 16, 31, 33, 64, LARGEST };

/* Caches of one set, each larger than the one before, and how often each has missed. */
struct family {
	struct cache caches[SIZES];
	void *memory[SIZES];
	uint64_t misses[SIZES];
};

static void family_init(struct family *family, const char *name, struct policy *policy)
{
	CHECK(policy_named(policy, name, strlen(name)));
	memset(family, 0, sizeof(*family));
	for (int i = 0; i < SIZES; i++) {
		const struct cache_config config = {
			.geometry = { (uint64_t)ways[i] * LINE_SIZE, ways[i], LINE_SIZE },
			.policy = policy,
		};
		size_t size = cache_memory_size(&config);

		family->memory[i] = aligned_alloc(64, size);
		if (!family->memory[i])
			abort();
		memset(family->memory[i], 0, size);
		cache_init(&family->caches[i], &config, family->memory[i]);
	}
}

static void family_release(struct family *family)
{
	for (int i = 0; i < SIZES; i++)
		free(family->memory[i]);
}

/* Has all of them make a reference; returns whether none missed that is larger than one that hit. */
static bool refer(struct family *family, uint64_t address, uint64_t size)
{
	bool is_right = true, missed_before = true;

	for (int i = 0; i < SIZES; i++) {
		bool missed = cache_touch_all(&family->caches[i], address, size);

		is_right = is_right && (missed_before || !missed);
		missed_before = missed;
		family->misses[i] += missed;
	}
	return is_right;
}

/* True if each has all lines of the one before. */
static bool includes(const struct family *family)
{
	for (int i = 1; i < SIZES; i++) {
		for (size_t way = 0; way < ways[i - 1]; way++) {
			uint64_t tag = cache_tag(&family->caches[i - 1], 0, way);

			if (tag != 0 && cache_find(&family->caches[i], tag - 1) == SIZE_MAX)
				return false;
		}
	}
	return true;
}

/* --- references --------------------------------------------------------------------------- */

static uint64_t random_line(struct check_random *random, uint64_t i)
{
	(void)i;
	return check_random_below(random, UINT64_C(2) * LARGEST);
}

/* Few lines often, many rarely. */
static uint64_t skewed_line(struct check_random *random, uint64_t i)
{
	(void)i;
	return check_random_below(random, 1 + check_random_below(random, UINT64_C(2) * LARGEST));
}

/* One line more than a cache has, round and round: none of it hits.  Each size in turn. */
static uint64_t cyclic_line(struct check_random *random, uint64_t i)
{
	(void)random;
	return i % (ways[i / 1000 % SIZES] + 1);
}

/* Up and down again: the line that has just gone is the next one, but for the turns. */
static uint64_t sawtooth_line(struct check_random *random, uint64_t i)
{
	uint64_t top = ways[i / 1500 % SIZES], at = i % (2 * top);

	(void)random;
	return at <= top ? at : 2 * top - at;
}

/* Lines in use, with streams of new ones between that push them out. */
static uint64_t scanned_line(struct check_random *random, uint64_t i)
{
	return i / 64 % 2 == 0 ? check_random_below(random, 24) : 1000 + i;
}

/* Belady's anomaly: FIFO of 4 lines misses 10 of these, FIFO of 3 lines 9. */
static uint64_t belady_line(struct check_random *random, uint64_t i)
{
	(void)random;
	return (uint64_t)("123412512345"[i % 12] - '0') + i / 12 * 8;
}

typedef uint64_t line_at(struct check_random *random, uint64_t i);

static line_at *const streams[] = {
	random_line, skewed_line, cyclic_line, sawtooth_line, scanned_line, belady_line,
};

/* --- tests -------------------------------------------------------------------------------- */

static void check_family(const struct family *family, uint64_t wrong, uint64_t not_included)
{
	CHECK_EQ_U64(wrong, 0);
	CHECK_EQ_U64(not_included, 0);
	for (int i = 1; i < SIZES; i++)
		CHECK(family->misses[i] <= family->misses[i - 1]);
	CHECK(family->misses[SIZES - 1] < family->misses[0]);
}

TEST(larger_caches_have_all_lines_and_miss_less)
{
	for (size_t s = 0; s < sizeof(streams) / sizeof(streams[0]); s++) {
		struct check_random random = CHECK_RANDOM_INIT;
		uint64_t wrong = 0, not_included = 0;
		struct policy policy;
		struct family family;

		family_init(&family, "lru", &policy);
		for (uint64_t i = 0; i < REFERENCES; i++) {
			wrong += !refer(&family, streams[s](&random, i) * LINE_SIZE, 1);
			if (i % 16 == 0)
				not_included += !includes(&family);
		}
		check_family(&family, wrong, not_included);
		family_release(&family);
	}
}

/* Of several lines each, at both ends of the address space too. */
TEST(so_they_do_with_references_as_programs_make_them)
{
	const struct cache_geometry geometry = { UINT64_C(64) * LINE_SIZE, 64, LINE_SIZE };
	uint64_t wrong = 0, not_included = 0;
	struct traffic traffic;
	struct policy policy;
	struct family family;

	family_init(&family, "lru", &policy);
	traffic_init(&traffic, &geometry);
	for (int i = 0; i < REFERENCES; i++) {
		wrong += !refer(&family, traffic_address(&traffic), traffic_size(&traffic));
		if (i % 16 == 0)
			not_included += !includes(&family);
	}
	check_family(&family, wrong, not_included);
	family_release(&family);
}

/* The checks above would see it. */
TEST(fifo_is_no_stack_algorithm)
{
	struct check_random random = CHECK_RANDOM_INIT;
	uint64_t wrong = 0, not_included = 0;
	struct policy policy;
	struct family family;

	family_init(&family, "fifo", &policy);
	for (uint64_t i = 0; i < 12; i++) {
		wrong += !refer(&family, belady_line(&random, i) * LINE_SIZE, 1);
		not_included += !includes(&family);
	}
	CHECK_EQ_U64(family.misses[1], 9);
	CHECK_EQ_U64(family.misses[2], 10);
	CHECK(wrong > 0);
	CHECK(not_included > 0);
	family_release(&family);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(larger_caches_have_all_lines_and_miss_less),
		CHECK_TEST(so_they_do_with_references_as_programs_make_them),
		CHECK_TEST(fifo_is_no_stack_algorithm),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
