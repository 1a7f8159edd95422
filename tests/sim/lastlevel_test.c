/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/lastlevel: what write-back, prefetcher and uses do, with LL drawn next to
 * each step, and then random references against a naive model, in each
 * combination of the three.
 */
#include "sim/lastlevel.h"

#include <stdlib.h>

#include "tests/common/check.h"
#include "tests/sim/drawing.h"
#include "tests/sim/naive_lastlevel.h"
#include "tests/sim/test_policies.h"
#include "tests/sim/traffic.h"
#include "tests/sim/two_levels.h"

/* What LL did with a reference; of one that hit the first level, nothing. */
enum {
	SERVED = 0,
	MISSED = LAST_MISSED,
	WRITTEN_BACK = LAST_MISSED | LAST_WROTE_BACK,
};

struct fixture {
	struct last_level memory;
	struct naive_costs costs;
	void *space;
	unsigned loader; /* of the references that follow */
};

/* What loaders point to: their number is that in here. */
static char loaders[NAIVE_LOADERS];

static void take(void *ctx, const struct line_cost *cost)
{
	struct naive_costs *costs = ctx;
	uint64_t *sums = costs->sums[(char *)cost->loader.code - loaders];

	sums[cost->level * 2 - 2] += cost->access_cost;
	sums[cost->level * 2 - 1] += cost->space_loss;
}

static void init_config(struct fixture *f, const struct hierarchy_config *config,
			struct lastlevel_options options)
{
	const struct line_sink sink = { .take = take, .ctx = &f->costs };
	size_t size = lastlevel_memory_size(config, &options);

	memset(f, 0xa5, sizeof(*f));
	memset(&f->costs, 0, sizeof(f->costs));
	f->loader = 0;
	f->space = aligned_alloc(64, size);
	if (!f->space)
		abort();
	memset(f->space, 0, size);
	lastlevel_init(&f->memory, config, &options, options.uses ? &sink : NULL, f->space);
}

static void fixture_init(struct fixture *f, const struct two_levels *geometry,
			 struct lastlevel_options options)
{
	const struct hierarchy_config config = two_levels(geometry);

	init_config(f, &config, options);
}

static void fixture_release(struct fixture *f)
{
	free(f->space);
}

static struct lastlevel_reference describe(const struct fixture *f, uint64_t address, uint64_t size,
					   bool is_write)
{
	return (struct lastlevel_reference){
		.address = address,
		.size = size,
		.loader = { .code = &loaders[f->loader] },
		.is_write = is_write,
	};
}

/* LL as drawing.h has it; a dirty line is followed by a *. */
static struct drawing draw_lines(const struct lines *lines)
{
	const struct cache *cache = &lines->cache;
	struct drawing drawing = { "" };
	size_t length = 0;

	for (size_t way = 0; way < cache_ways(cache); way++) {
		uint64_t tag = cache->tags[way];

		if (way > 0 && way % cache->assoc == 0)
			drawing.text[length++] = '|';
		if (tag == 0) {
			drawing.text[length++] = '.';
			continue;
		}
		drawing.text[length++] = drawing_name(tag - 1, cache->line_bits);
		if (lines_find(lines, tag)->dirty)
			drawing.text[length++] = '*';
	}
	return drawing;
}

static const struct two_levels small = {
	{ 128, 2, 64 },
	{ 128, 2, 64 },
	{ 192, 3, 64 },
};

/* Macros, so that a failure names the line of the step. */
#define BEHIND(address, size, write, missed, want, drawing)                              \
 do {                                                                                    \
  const struct lastlevel_reference reference = describe(&f, (address), (size), (write)); \
  CHECK_EQ_U64(lastlevel_see(&f.memory, &reference, (missed)), (want));                  \
  CHECK_STR(draw_lines(&f.memory.ll).text, drawing);                                     \
 } while (0)

/* Addresses of 64-byte lines. */
enum {
	A = 0,
	B = 64,
	C = 128,
	D = 192,
	E = 256,
	H = 448,
	I = 512,
	J = 576,
};

TEST(write_back_of_dirty_lines)
{
	struct fixture f;

	fixture_init(&f, &small, (struct lastlevel_options){ .write_back = true });
	BEHIND(A, 8, true, true, MISSED, "A*..");
	BEHIND(B, 8, false, true, MISSED, "BA*.");
	BEHIND(B, 8, false, false, 0, "BA*."); /* a hit in the first level */
	BEHIND(C, 8, false, true, MISSED, "CBA*");
	BEHIND(D, 8, false, true, WRITTEN_BACK, "DCB");
	BEHIND(A, 8, false, true, MISSED, "ADC"); /* clean again */
	BEHIND(D, 8, true, true, SERVED, "D*AC");
	BEHIND(D, 8, false, true, SERVED, "D*AC"); /* a read does not clean it */
	/* A write that hits the first level: seen by LL, a miss for nobody. */
	BEHIND(C, 8, true, false, 0, "C*D*A");
	BEHIND(B, 8, true, false, 0, "B*C*D*");
	BEHIND(A, 8, true, false, 0, "A*B*C*"); /* that D is written back is nobody's either */
	BEHIND(D, 1, false, true, WRITTEN_BACK, "DA*B*");
	fixture_release(&f);
}

TEST(write_back_of_straddling_references)
{
	struct fixture f;

	fixture_init(&f, &small, (struct lastlevel_options){ .write_back = true });
	BEHIND(B - 4, 8, true, true, MISSED, "B*A*.");
	BEHIND(C, 8, false, true, MISSED, "CB*A*");
	BEHIND(D - 4, 8, false, true, WRITTEN_BACK, "DCB*"); /* C hits, D pushes A out */
	BEHIND(E - 4, 8, false, true, WRITTEN_BACK, "EDC");
	BEHIND(C - 4, 8, false, true, MISSED, "CBE"); /* D is clean */
	fixture_release(&f);
}

TEST(the_last_level_may_have_another_policy)
{
	struct hierarchy_config config = two_levels(&small);
	struct fixture f;

	config.lower[0].policy = &test_fifo;
	init_config(&f, &config, (struct lastlevel_options){ .write_back = true });
	BEHIND(A, 8, true, true, MISSED, "A*..");
	BEHIND(B, 8, false, true, MISSED, "BA*.");
	BEHIND(C, 8, false, true, MISSED, "CBA*");
	BEHIND(A, 8, false, true, SERVED, "CBA*");
	BEHIND(D, 8, false, true, WRITTEN_BACK, "DCB"); /* A, though it was touched last */
	fixture_release(&f);
}

/* Also when the line is the first one of its set, which is the newest with LRU alone. */
TEST(policies_hear_of_all_hits)
{
	struct hierarchy_config config = two_levels(&small);
	struct fixture f;

	config.lower[0].geometry = (struct cache_geometry){ 256, 4, 64 };
	config.lower[0].policy = &test_bit_plru;
	init_config(&f, &config, (struct lastlevel_options){ .write_back = true });
	BEHIND(A, 8, true, true, MISSED, "A*...");
	BEHIND(B, 8, false, true, MISSED, "A*B..");
	BEHIND(C, 8, false, true, MISSED, "A*BC.");
	BEHIND(D, 8, false, true, MISSED, "A*BCD"); /* D alone is marked */
	BEHIND(A, 8, false, true, SERVED, "A*BCD");
	BEHIND(E, 8, false, true, MISSED, "A*ECD");
	fixture_release(&f);
}

TEST(without_write_back_nothing_is_dirty)
{
	struct fixture f;

	fixture_init(&f, &small, (struct lastlevel_options){ .prefetch = true });
	BEHIND(A, 8, true, true, MISSED, "A..");
	BEHIND(B, 8, true, false, 0, "A..");
	BEHIND(A, 8, true, true, SERVED, "A..");
	fixture_release(&f);
}

TEST(prefetches_are_no_misses)
{
	const struct two_levels geometry = { small.i1, small.d1, { 512, 8, 64 } };
	struct fixture f;

	fixture_init(&f, &geometry, (struct lastlevel_options){ .prefetch = true });
	BEHIND(A, 8, false, true, MISSED, "A.......");
	BEHIND(B, 8, false, true, MISSED, "BA......");
	BEHIND(C, 8, false, true, MISSED, "CHBA...."); /* H first, then C */
	BEHIND(D, 8, true, false, 0, "CHBA....");      /* hits are not watched */
	BEHIND(D, 8, true, true, MISSED, "DICHBA..");
	BEHIND(H, 8, false, true, SERVED, "HDICBA..");
	BEHIND(I, 8, false, true, SERVED, "IHDCBA..");
	BEHIND(J, 8, false, true, MISSED, "JOIHDCBA"); /* H, I, J is a run again */
	fixture_release(&f);
}

/* With write-back the prefetcher sees writes that hit, and its lines are clean. */
TEST(prefetches_with_write_back)
{
	const struct two_levels geometry = { small.i1, small.d1, { 256, 4, 64 } };
	struct fixture f;

	fixture_init(&f, &geometry,
		     (struct lastlevel_options){ .write_back = true, .prefetch = true });
	BEHIND(A, 8, true, true, MISSED, "A*...");
	BEHIND(B, 8, true, false, 0, "B*A*..");
	BEHIND(C, 8, true, false, 0, "C*HB*A*");
	BEHIND(D, 8, false, true, WRITTEN_BACK, "DIC*H"); /* I pushed A out, D pushed B out */
	BEHIND(H, 8, false, true, SERVED, "HDIC*");
	BEHIND(B, 8, false, true, WRITTEN_BACK, "BHDI");
	BEHIND(C, 8, false, true, MISSED, "CBHD");
	fixture_release(&f);
}

/* --- uses ---------------------------------------------------------------------------- */

/* A reference by a loader. */
static unsigned refer(struct fixture *f, unsigned loader, uint64_t address, uint64_t size)
{
	struct lastlevel_reference reference;

	f->loader = loader;
	reference = describe(f, address, size, false);
	return lastlevel_see(&f->memory, &reference, lastlevel_touch_data(&f->memory, &reference));
}

#define COSTS(number, access1, space1, access2, space2) \
 do {                                                   \
  CHECK_EQ_U64(f.costs.sums[(number)][0], (access1));   \
  CHECK_EQ_U64(f.costs.sums[(number)][1], (space1));    \
  CHECK_EQ_U64(f.costs.sums[(number)][2], (access2));   \
  CHECK_EQ_U64(f.costs.sums[(number)][3], (space2));    \
 } while (0)

/* Parts of 2 bytes: bytes 0 to 7 are 4 of them, byte 9 is one, 63 another. */
TEST(uses_are_charged_to_the_loader)
{
	struct fixture f;

	fixture_init(&f, &small, (struct lastlevel_options){ .uses = true });
	CHECK_EQ_U64(refer(&f, 1, A, 8), MISSED);
	CHECK_EQ_U64(refer(&f, 2, A + 9, 1), 0);
	CHECK_EQ_U64(refer(&f, 2, A + 4, 4), 0);
	CHECK_EQ_U64(refer(&f, 2, B, 64), MISSED);
	COSTS(1, 0, 0, 0, 0);
	CHECK_EQ_U64(refer(&f, 3, C, 1), MISSED); /* D1: C B, LL: C B A */
	COSTS(1, 333, 54, 0, 0);
	CHECK_EQ_U64(refer(&f, 4, A + 63, 1), SERVED); /* D1: A C, LL: A C B */
	COSTS(2, 1000, 0, 0, 0);
	CHECK_EQ_U64(refer(&f, 5, D, 1), MISSED); /* D1: D A, LL: D A C; of B all was used */
	COSTS(3, 1000, 62, 0, 0);
	COSTS(2, 1000, 0, 1000, 0);
	CHECK_EQ_U64(refer(&f, 5, E, 1), MISSED); /* D1: E D, LL: E D A */
	COSTS(4, 1000, 62, 0, 0);
	COSTS(3, 1000, 62, 1000, 62);
	CHECK_EQ_U64(refer(&f, 6, B, 1), MISSED); /* D1: B E, LL: B E D; of A 4 uses of 6 parts */
	COSTS(1, 333, 54, 250, 52);
	COSTS(5, 1000, 62, 0, 0);
	lastlevel_charge_resident(&f.memory,
				  &(const struct line_sink){ .take = take, .ctx = &f.costs });
	COSTS(5, 2000, 124, 2000, 124);
	COSTS(6, 1000, 62, 1000, 62);
	fixture_release(&f);
}

/* A line that was not used since it came has no cost: LL's A, while D1 keeps it. */
TEST(lines_of_ll_that_go_before_those_of_the_first_level)
{
	const struct two_levels geometry = { small.i1, { 256, 4, 64 }, { 128, 2, 64 } };
	struct fixture f;

	fixture_init(&f, &geometry, (struct lastlevel_options){ .uses = true });
	refer(&f, 1, A, 8);
	refer(&f, 2, B, 8);
	refer(&f, 3, C, 8); /* LL: C B */
	COSTS(1, 0, 0, 0, 0);
	refer(&f, 3, D, 8); /* LL: D C */
	refer(&f, 4, E,
	      8); /* D1: E D C B, LL: E D; A's uses are not passed on to what is there now */
	COSTS(1, 1000, 56, 0, 0);
	lastlevel_charge_resident(&f.memory,
				  &(const struct line_sink){ .take = take, .ctx = &f.costs });
	COSTS(2, 1000, 56, 0, 0);
	COSTS(3, 2000, 112, 1000, 56);
	COSTS(4, 1000, 56, 1000, 56);
	fixture_release(&f);
}

/* --- random references ------------------------------------------------------------------ */

static const struct two_levels shapes[] = {
	{ { 1024, 2, 64 }, { 1024, 2, 64 }, { 8192, 8, 64 } },
	{ { 512, 1, 16 }, { 512, 2, 16 }, { 4096, 4, 256 } },
	{ { 512, 2, 256 }, { 1024, 1, 256 }, { 2048, 4, 16 } },
	{ { 192, 3, 32 }, { 320, 5, 64 }, { 1792, 7, 128 } },
	{ { 2048, 2, 128 }, { 4096, 2, 64 }, { 1024, 2, 32 } }, /* LL smaller than D1 */
};

/* Longer ones would push out the lines that they have just fetched. */
static uint64_t short_size(struct traffic *traffic)
{
	return 1 + check_random_below(&traffic->random, 16);
}

static bool both_refer(struct fixture *f, struct naive_memory *naive, struct traffic *traffic)
{
	uint64_t address = traffic_address(traffic);
	uint64_t size = short_size(traffic);
	unsigned kind = (unsigned)check_random_below(&traffic->random, 4);
	bool is_write = kind == 1, is_fetch = kind == 2;
	struct lastlevel_reference reference;
	bool missed = true, naive_missed = true;
	unsigned outcome;

	f->loader = (unsigned)check_random_below(&traffic->random, NAIVE_LOADERS);
	reference = describe(f, address, size, is_write);
	if (f->memory.options.uses) {
		missed = is_fetch ? lastlevel_touch_code(&f->memory, &reference)
				  : lastlevel_touch_data(&f->memory, &reference);
		naive_missed = naive_first(naive, is_fetch ? &naive->i1 : &naive->d1, address, size,
					   f->loader);
	} else {
		missed = naive_missed = check_random_below(&traffic->random, 3) == 0;
	}
	outcome = lastlevel_see(&f->memory, &reference, missed);
	return CHECK_EQ_U64(missed, naive_missed) &&
	       CHECK_EQ_U64(outcome,
			    naive_behind(naive, address, size, is_write, naive_missed, f->loader));
}

/* Takes a stretch out of both, once all of it; lines are charged as they go. */
static void both_evict(struct fixture *f, struct naive_memory *naive, struct traffic *traffic,
		       bool is_all)
{
	uint64_t size = 1 + check_random_below(&traffic->random, 4096);
	struct address_range range = is_all ? address_range_all()
					    : address_range(traffic_address(traffic), size);

	naive_memory_evict(naive, range.first, range.last);
	lastlevel_evict(&f->memory, range);
}

static bool same_costs(const struct naive_costs *a, const struct naive_costs *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

static bool compare_with_naive(const struct two_levels *geometry, struct lastlevel_options options)
{
	struct fixture f;
	struct naive_memory naive;
	struct naive_costs at_end = { { { 0 } } };
	struct traffic traffic;
	bool same = true;

	fixture_init(&f, geometry, options);
	naive_memory_init(&naive, geometry, &options);
	traffic_init(&traffic, &geometry->d1);
	for (unsigned i = 0; i < 30000 && same; i++) {
		same = both_refer(&f, &naive, &traffic);
		if (i % 500 == 499)
			both_evict(&f, &naive, &traffic, i == 16999);
		/* Changes nothing. */
		if (options.uses && i % 10000 == 0)
			lastlevel_charge_resident(&f.memory,
						  &(const struct line_sink){ .take = take,
									     .ctx = &at_end });
	}
	same = CHECK(same_costs(&f.costs, &naive.costs)) && same;
	if (options.uses) {
		lastlevel_charge_resident(&f.memory, &(const struct line_sink){ .take = take,
										.ctx = &f.costs });
		naive_memory_evict(&naive, 0, UINT64_MAX);
		same = CHECK(same_costs(&f.costs, &naive.costs)) && same;
	}
	naive_memory_release(&naive);
	fixture_release(&f);
	return same;
}

TEST(equals_lists_of_records)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		for (unsigned set = 0; set < 8; set++) {
			const struct lastlevel_options options = {
				.write_back = set & 1,
				.prefetch = set & 2,
				.uses = set & 4,
			};

			if (!compare_with_naive(&shapes[i], options))
				printf("# in shape %zu with options %u\n", i, set);
		}
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(write_back_of_dirty_lines),
		CHECK_TEST(write_back_of_straddling_references),
		CHECK_TEST(the_last_level_may_have_another_policy),
		CHECK_TEST(policies_hear_of_all_hits),
		CHECK_TEST(without_write_back_nothing_is_dirty),
		CHECK_TEST(prefetches_are_no_misses),
		CHECK_TEST(prefetches_with_write_back),
		CHECK_TEST(uses_are_charged_to_the_loader),
		CHECK_TEST(lines_of_ll_that_go_before_those_of_the_first_level),
		CHECK_TEST(equals_lists_of_records),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
