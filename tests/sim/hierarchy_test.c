/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tests/oracle/hierarchy: the rules of the two levels, with the states of D1 and LL
 * drawn next to each step, and then random references against the naive model.
 */
#include "tests/oracle/hierarchy.h"

#include <stdlib.h>

#include "tests/common/check.h"
#include "tests/sim/drawing.h"
#include "tests/sim/naive_cache.h"
#include "tests/sim/test_policies.h"
#include "tests/sim/traffic.h"
#include "tests/sim/two_levels.h"

struct fixture {
	struct hierarchy hierarchy;
	void *memory;
};

static void fixture_init(struct fixture *fixture, const struct two_levels *geometry)
{
	const struct hierarchy_config config = two_levels(geometry);
	size_t size = hierarchy_memory_size(&config);

	CHECK(geometry_check(&geometry->i1) == GEOMETRY_OK);
	CHECK(geometry_check(&geometry->d1) == GEOMETRY_OK);
	CHECK(geometry_check(&geometry->ll) == GEOMETRY_OK);
	CHECK_EQ_U64(size, cache_memory_size(&config.i1) + cache_memory_size(&config.d1) +
				   cache_memory_size(&config.lower[0]));
	fixture->memory = aligned_alloc(64, size);
	if (!fixture->memory)
		abort();
	memset(fixture->memory, 0, size);
	/* It may not count on anything that the struct holds. */
	memset(&fixture->hierarchy, 0xa5, sizeof(fixture->hierarchy));
	hierarchy_init(&fixture->hierarchy, &config, fixture->memory);
}

/* I1 is like D1. */
static void fixture_init_small(struct fixture *fixture, struct cache_geometry d1,
			       struct cache_geometry ll)
{
	const struct two_levels geometry = { d1, d1, ll };

	fixture_init(fixture, &geometry);
}

static void fixture_release(struct fixture *fixture)
{
	free(fixture->memory);
}

/* Macros, so that a failure names the line of the step. */
#define DATA(fixture, address, size, outcome, d1_drawing, ll_drawing)                \
 do {                                                                                \
  CHECK_EQ_U64(hierarchy_data(&(fixture)->hierarchy, (address), (size)), (outcome)); \
  CHECK_STR(draw(&(fixture)->hierarchy.d1).text, d1_drawing);                        \
  CHECK_STR(draw(&(fixture)->hierarchy.lower.caches[0]).text, ll_drawing);           \
 } while (0)
#define FETCH(fixture, address, size, outcome, i1_drawing, ll_drawing)                \
 do {                                                                                 \
  CHECK_EQ_U64(hierarchy_fetch(&(fixture)->hierarchy, (address), (size)), (outcome)); \
  CHECK_STR(draw(&(fixture)->hierarchy.i1).text, i1_drawing);                         \
  CHECK_STR(draw(&(fixture)->hierarchy.lower.caches[0]).text, ll_drawing);            \
 } while (0)

/* Addresses of 64-byte lines. */
enum {
	A = 0,
	B = 64,
	C = 128,
	D = 192,
	E = 256,
	F = 320,
};

TEST(hit_in_first_level_is_not_seen_by_ll)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 128, 2, 64 },
			   (struct cache_geometry){ 256, 4, 64 });
	DATA(&f, A, 8, MEMORY, "A.", "A...");
	DATA(&f, B, 8, MEMORY, "BA", "BA..");
	DATA(&f, A, 8, HIT, "AB", "BA.."); /* LL still thinks B the younger one */
	DATA(&f, C, 8, MEMORY, "CA", "CBA.");
	DATA(&f, B, 8, LL_HIT, "BC", "BCA.");
	DATA(&f, A + 63, 1, LL_HIT, "AB", "ABC.");
	fixture_release(&f);
}

TEST(line_evicted_from_ll_stays_in_first_level)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 128, 2, 64 },
			   (struct cache_geometry){ 128, 2, 64 });
	DATA(&f, A, 4, MEMORY, "A.", "A.");
	DATA(&f, B, 4, MEMORY, "BA", "BA");
	DATA(&f, A, 4, HIT, "AB", "BA");
	DATA(&f, C, 4, MEMORY, "CA", "CB"); /* D1 drops B, LL drops A */
	DATA(&f, A, 4, HIT, "AC", "CB");    /* in D1 only */
	DATA(&f, B, 4, LL_HIT, "BA", "BC"); /* in LL only */
	DATA(&f, C, 4, LL_HIT, "CB", "CB");
	DATA(&f, A, 4, MEMORY, "AC", "AC");
	fixture_release(&f);
}

TEST(straddling_both_lines_hit)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 192, 3, 64 },
			   (struct cache_geometry){ 256, 4, 64 });
	DATA(&f, B, 8, MEMORY, "B..", "B...");
	DATA(&f, A, 8, MEMORY, "AB.", "AB..");
	DATA(&f, B - 4, 8, HIT, "BA.", "AB.."); /* A, then B; LL is left alone */
	DATA(&f, C, 8, MEMORY, "CBA", "CAB.");
	DATA(&f, B - 1, 2, HIT, "BAC", "CAB.");
	DATA(&f, D, 8, MEMORY, "DBA", "DCAB");
	fixture_release(&f);
}

/* LL is touched with both lines, in order, also with the one that hit in D1. */
TEST(straddling_one_line_misses)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 192, 3, 64 },
			   (struct cache_geometry){ 256, 4, 64 });
	DATA(&f, A, 8, MEMORY, "A..", "A...");
	DATA(&f, B - 2, 4, MEMORY, "BA.", "BA.."); /* A hits, B misses */
	DATA(&f, C, 8, MEMORY, "CBA", "CBA.");
	DATA(&f, D, 8, MEMORY, "DCB", "DCBA");
	DATA(&f, B, 8, HIT, "BDC", "DCBA");
	DATA(&f, B - 2, 4, LL_HIT, "BAD", "BADC"); /* A misses, B hits */
	DATA(&f, E - 6, 8, MEMORY, "EDB", "EDBA"); /* D hits, E misses */
	DATA(&f, A, 8, LL_HIT, "AED", "AEDB");
	DATA(&f, C, 8, MEMORY, "CAE", "CAED"); /* B leaves LL: D was used after it */
	fixture_release(&f);
}

/*
 * The line that misses D1 is in LL, the line that hits D1 is not: it is an
 * LL miss, since LL sees the whole reference.
 */
TEST(straddling_line_that_hit_first_level_misses_ll)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 128, 2, 64 },
			   (struct cache_geometry){ 192, 3, 64 });
	DATA(&f, A, 8, MEMORY, "A.", "A..");
	DATA(&f, D, 8, MEMORY, "DA", "DA.");
	DATA(&f, A, 8, HIT, "AD", "DA.");
	DATA(&f, B, 8, MEMORY, "BA", "BDA");
	DATA(&f, A, 8, HIT, "AB", "BDA");
	DATA(&f, C, 8, MEMORY, "CA", "CBD");
	DATA(&f, B - 4, 8, MEMORY, "BA", "BAC"); /* D1: A hits, B misses; LL: A misses, B hits */
	fixture_release(&f);
}

TEST(straddling_both_lines_miss)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 128, 2, 64 },
			   (struct cache_geometry){ 192, 3, 64 });
	DATA(&f, B - 4, 8, MEMORY, "BA", "BA.");
	DATA(&f, D - 4, 8, MEMORY, "DC", "DCB");
	DATA(&f, C - 4, 8, LL_HIT, "CB", "CBD"); /* B from LL, in place of C, which was the older */
	DATA(&f, E - 4, 8, MEMORY, "ED", "EDC"); /* D hits in LL, E misses */
	DATA(&f, B - 4, 8, MEMORY, "BA", "BAE");
	fixture_release(&f);
}

TEST(straddling_two_sets)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 128, 1, 64 },
			   (struct cache_geometry){ 256, 1, 64 });
	DATA(&f, B - 4, 8, MEMORY, "A|B", "A|B|.|.");
	DATA(&f, C - 4, 8, MEMORY, "C|B", "A|B|C|.");
	DATA(&f, A, 8, LL_HIT, "A|B", "A|B|C|.");
	DATA(&f, D - 4, 8, MEMORY, "C|D", "A|B|C|D");
	DATA(&f, B - 1, 66, LL_HIT, "C|B", "A|B|C|D"); /* A, B, C: C and A share a place */
	DATA(&f, B - 1, 66, LL_HIT, "C|B", "A|B|C|D"); /* so this never hits D1 */
	fixture_release(&f);
}

TEST(long_references_touch_each_line_in_order)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 256, 4, 64 },
			   (struct cache_geometry){ 512, 8, 64 });
	DATA(&f, A + 10, 182, MEMORY, "CBA.", "CBA....."); /* to the last byte of C */
	DATA(&f, A + 10, 183, MEMORY, "DCBA", "DCBA....");
	DATA(&f, A, 256, HIT, "DCBA", "DCBA....");
	DATA(&f, A + 63, 258, MEMORY, "FEDC", "FEDCBA..");
	DATA(&f, A, 384, LL_HIT, "FEDC", "FEDCBA..");
	DATA(&f, B, 1, LL_HIT, "BFED", "BFEDCA..");
	FETCH(&f, A, 320, LL_HIT, "EDCB", "EDCBAF..");
	fixture_release(&f);
}

TEST(longer_than_both_caches)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 128, 2, 64 },
			   (struct cache_geometry){ 192, 3, 64 });
	DATA(&f, A, 384, MEMORY, "FE", "FED");
	DATA(&f, A, 384, MEMORY, "FE", "FED");
	DATA(&f, D, 64, LL_HIT, "DF", "DFE");
	fixture_release(&f);
}

TEST(instructions_and_data_share_only_ll)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 128, 2, 64 },
			   (struct cache_geometry){ 256, 4, 64 });
	FETCH(&f, A, 5, MEMORY, "A.", "A...");
	DATA(&f, A, 5, LL_HIT, "A.", "A...");
	DATA(&f, B, 5, MEMORY, "BA", "BA..");
	FETCH(&f, B, 5, LL_HIT, "BA", "BA..");
	FETCH(&f, C - 3, 5, MEMORY, "CB", "CBA.");
	FETCH(&f, C - 3, 5, HIT, "CB", "CBA.");
	DATA(&f, A, 1, HIT, "AB", "CBA.");
	fixture_release(&f);
}

/* Four D1 lines to an LL line: D1's A, B, C, D are LL's A. */
TEST(ll_lines_longer_than_first_level_lines)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 64, 4, 16 },
			   (struct cache_geometry){ 128, 2, 64 });
	DATA(&f, 0, 8, MEMORY, "A...", "A.");
	DATA(&f, 16, 8, LL_HIT, "BA..", "A.");
	DATA(&f, 28, 8, LL_HIT, "CBA.", "A."); /* B hits, C misses, one line of LL */
	DATA(&f, 60, 8, MEMORY, "EDCB", "BA"); /* straddles both */
	DATA(&f, 20, 100, LL_HIT, "HGFE", "BA");
	DATA(&f, 0, 16, LL_HIT, "AHGF", "AB");
	fixture_release(&f);
}

/* LL sees the bytes of the reference, not the line that D1 would bring in. */
TEST(ll_lines_shorter_than_first_level_lines)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 128, 2, 64 },
			   (struct cache_geometry){ 128, 8, 16 });
	DATA(&f, 20, 4, MEMORY, "A.", "B.......");
	DATA(&f, 0, 64, HIT, "A.", "B.......");
	DATA(&f, 60, 8, MEMORY, "BA", "EDB.....");
	DATA(&f, 128, 64, MEMORY, "CB", "LKJIEDB.");
	DATA(&f, 0, 40, MEMORY, "AC", "CBALKJIE"); /* B hits, A and C miss */
	DATA(&f, 72, 4, LL_HIT, "BA", "ECBALKJI");
	fixture_release(&f);
}

TEST(references_wrap_around_the_top)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 256, 4, 64 },
			   (struct cache_geometry){ 256, 4, 64 });
	DATA(&f, UINT64_MAX - 3, 4, MEMORY, "Z...", "Z...");
	DATA(&f, UINT64_MAX - 3, 5, MEMORY, "AZ..", "AZ..");
	DATA(&f, UINT64_MAX, 1, HIT, "ZA..", "AZ..");
	DATA(&f, A, 1, HIT, "AZ..", "AZ..");
	DATA(&f, UINT64_MAX, 66, MEMORY, "BAZ.", "BAZ.");
	FETCH(&f, UINT64_MAX - 63, 64, LL_HIT, "Z...", "ZBA.");
	FETCH(&f, UINT64_MAX - 63, 65, LL_HIT, "AZ..", "AZB.");
	fixture_release(&f);
}

TEST(clear_forgets_all_caches)
{
	struct fixture f;

	fixture_init_small(&f, (struct cache_geometry){ 128, 2, 64 },
			   (struct cache_geometry){ 256, 4, 64 });
	DATA(&f, A, 8, MEMORY, "A.", "A...");
	FETCH(&f, B, 8, MEMORY, "B.", "BA..");
	hierarchy_evict(&f.hierarchy, address_range_all());
	DATA(&f, B, 8, MEMORY, "B.", "B...");
	FETCH(&f, A, 8, MEMORY, "A.", "AB..");
	FETCH(&f, B, 8, LL_HIT, "BA", "BA..");
	fixture_release(&f);
}

/* 64 KiB in steps of 8 bytes: a miss for each 64 bytes, both times, since D1 holds half of it. */
TEST(stream_misses_once_a_line)
{
	const struct cache_geometry l1 = { 32768, 8, 64 };
	const struct two_levels geometry = { l1, l1, { 1048576, 16, 64 } };
	struct fixture f;
	uint64_t l1_misses = 0, ll_misses = 0;

	fixture_init(&f, &geometry);
	for (uint64_t i = 0; i < 16384; i++) {
		unsigned outcome = hierarchy_data(&f.hierarchy, 0x10000 + i * 8 % 65536, 8);

		l1_misses += outcome >= LL_HIT;
		ll_misses += outcome >= MEMORY;
	}
	CHECK_EQ_U64(l1_misses, 2048);
	CHECK_EQ_U64(ll_misses, 1024);
	fixture_release(&f);
}

/* --- more levels, other policies ---------------------------------------------------- */

static void init_config(struct fixture *f, const struct hierarchy_config *config)
{
	size_t size = hierarchy_memory_size(config);

	f->memory = aligned_alloc(64, size);
	if (!f->memory)
		abort();
	memset(f->memory, 0, size);
	memset(&f->hierarchy, 0xa5, sizeof(f->hierarchy));
	hierarchy_init(&f->hierarchy, config, f->memory);
}

/* Of the first, the second and the third level. */
static const struct hierarchy_config three_levels = {
	.i1 = { .geometry = { 64, 1, 32 } },
	.d1 = { .geometry = { 64, 1, 32 } }, /* two sets */
	.n_lower = 2,
	.lower = { { .geometry = { 128, 2, 64 } }, { .geometry = { 256, 4, 64 } } },
};

#define SERVED(address, size, level, second, third)                       \
 do {                                                                     \
  CHECK_EQ_U64(hierarchy_data(&f.hierarchy, (address), (size)), (level)); \
  CHECK_STR(draw(&f.hierarchy.lower.caches[0]).text, (second));           \
  CHECK_STR(draw(&f.hierarchy.lower.caches[1]).text, (third));            \
 } while (0)

TEST(each_level_is_asked_when_the_one_before_missed)
{
	struct fixture f;

	init_config(&f, &three_levels);
	SERVED(A, 4, 3, "A.", "A...");
	SERVED(A, 4, 0, "A.", "A...");
	SERVED(A + 32, 4, 1, "A.", "A..."); /* another line of D1, the same of the others */
	SERVED(B, 4, 3, "BA", "BA..");
	SERVED(C, 4, 3, "CB", "CBA.");
	SERVED(A, 4, 2, "AC", "ACB.");     /* the second level has lost it */
	SERVED(C, 4, 1, "CA", "ACB.");     /* ... so the third one does not hear of this */
	SERVED(D - 4, 8, 3, "DC", "DCAB"); /* C hits in both, D in none */
	SERVED(B, 4, 2, "BD", "BDCA");
	hierarchy_evict(&f.hierarchy, address_range(B, 1));
	SERVED(D, 4, 1, "D.", "DCA.");
	fixture_release(&f);
}

TEST(a_level_may_have_another_policy)
{
	struct hierarchy_config config = three_levels;
	struct fixture f;

	config.lower[1].policy = &test_fifo;
	init_config(&f, &config);
	SERVED(A, 4, 3, "A.", "A...");
	SERVED(B, 4, 3, "BA", "BA..");
	SERVED(C, 4, 3, "CB", "CBA.");
	SERVED(A, 4, 2, "AC", "CBA."); /* a hit changes nothing there */
	SERVED(D, 4, 3, "DA", "DCBA");
	SERVED(E, 4, 3, "ED", "EDCB"); /* A goes, though it was touched last of the four */
	fixture_release(&f);
}

TEST(without_its_last_level_the_rest_is_as_before)
{
	const struct hierarchy_config rest = hierarchy_without_last(&three_levels);
	struct traffic traffic;
	struct fixture all, f;
	uint64_t served[4] = { 0 };

	init_config(&all, &three_levels);
	init_config(&f, &rest);
	traffic_init(&traffic, &three_levels.d1.geometry);
	for (int i = 0; i < 100000; i++) {
		uint64_t address = traffic_address(&traffic);
		unsigned level = hierarchy_data(&all.hierarchy, address, 4);

		served[level]++;
		if (!CHECK_EQ_U64(hierarchy_data(&f.hierarchy, address, 4), level < 2 ? level : 2))
			break;
	}
	CHECK(served[1] > 1000 && served[2] > 1000 && served[3] > 1000);
	fixture_release(&all);
	fixture_release(&f);
}

static const struct two_levels shapes[] = {
	{ { 32768, 8, 64 }, { 32768, 8, 64 }, { 1048576, 16, 64 } },
	{ { 65536, 2, 64 }, { 24576, 6, 64 }, { 3145728, 12, 64 } },
	{ { 512, 1, 16 }, { 512, 2, 16 }, { 4096, 4, 256 } },
	{ { 512, 2, 256 }, { 1024, 1, 256 }, { 2048, 4, 16 } },
	{ { 1024, 16, 64 }, { 2048, 64, 32 }, { 4096, 64, 64 } },
	{ { 192, 3, 32 }, { 320, 5, 64 }, { 1792, 7, 128 } },
	{ { 32, 1, 16 }, { 32, 2, 16 }, { 32, 2, 16 } },
	{ { 2048, 2, 128 }, { 4096, 2, 64 }, { 1024, 2, 32 } }, /* LL smaller than D1 */
	{ { 16384, 256, 64 }, { 4096, 16, 256 }, { 49152, 12, 64 } },
	{ { 64, 2, 32 }, { 96, 3, 32 }, { 24576, 6, 64 } },
};

static bool same_contents(const struct naive_cache naive[3], const struct hierarchy *hierarchy)
{
	return naive_equals(&naive[0], &hierarchy->i1) && naive_equals(&naive[1], &hierarchy->d1) &&
	       naive_equals(&naive[2], &hierarchy->lower.caches[0]);
}

/* Counts the outcomes, so that the caller can see that each of them came up. */
static bool compare_with_naive(const struct two_levels *geometry, uint64_t references, bool low,
			       uint64_t outcomes[TWO_LEVELS_OUTCOMES])
{
	struct fixture f;
	struct naive_cache naive[3];
	struct traffic traffic;
	bool same = true;

	fixture_init(&f, geometry);
	naive_init(&naive[0], &geometry->i1);
	naive_init(&naive[1], &geometry->d1);
	naive_init(&naive[2], &geometry->ll);
	if (low)
		traffic_init_low(&traffic, &geometry->d1);
	else
		traffic_init(&traffic, &geometry->d1);
	for (uint64_t i = 1; i <= references && same; i++) {
		uint64_t address = traffic_address(&traffic);
		uint64_t size = traffic_size(&traffic);
		bool fetch = check_random_below(&traffic.random, 3) == 0;
		unsigned got = fetch ? hierarchy_fetch(&f.hierarchy, address, size)
				     : hierarchy_data(&f.hierarchy, address, size);
		unsigned want = naive_reference(&naive[fetch ? 0 : 1], &naive[2], address, size);

		same = CHECK_EQ_U64(got, want) && CHECK(got <= MEMORY);
		if (!same)
			break;
		if (i % (references / 8) == 0)
			same = same && CHECK(same_contents(naive, &f.hierarchy));
		outcomes[got]++;
	}
	for (int i = 0; i < 3; i++)
		naive_release(&naive[i]);
	fixture_release(&f);
	return same;
}

TEST(equals_lists_per_set)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		uint64_t outcomes[TWO_LEVELS_OUTCOMES] = { 0 };

		if (!compare_with_naive(&shapes[i], 200000, false, outcomes) ||
		    !compare_with_naive(&shapes[i], 200000, true, outcomes))
			printf("# in shape %zu\n", i);
		CHECK(outcomes[HIT] > 1000);
		CHECK(outcomes[LL_HIT] > 100);
		CHECK(outcomes[MEMORY] > 1000);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(hit_in_first_level_is_not_seen_by_ll),
		CHECK_TEST(line_evicted_from_ll_stays_in_first_level),
		CHECK_TEST(straddling_both_lines_hit),
		CHECK_TEST(straddling_one_line_misses),
		CHECK_TEST(straddling_line_that_hit_first_level_misses_ll),
		CHECK_TEST(straddling_both_lines_miss),
		CHECK_TEST(straddling_two_sets),
		CHECK_TEST(long_references_touch_each_line_in_order),
		CHECK_TEST(longer_than_both_caches),
		CHECK_TEST(instructions_and_data_share_only_ll),
		CHECK_TEST(ll_lines_longer_than_first_level_lines),
		CHECK_TEST(ll_lines_shorter_than_first_level_lines),
		CHECK_TEST(references_wrap_around_the_top),
		CHECK_TEST(clear_forgets_all_caches),
		CHECK_TEST(stream_misses_once_a_line),
		CHECK_TEST(each_level_is_asked_when_the_one_before_missed),
		CHECK_TEST(a_level_may_have_another_policy),
		CHECK_TEST(without_its_last_level_the_rest_is_as_before),
		CHECK_TEST(equals_lists_per_set),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
