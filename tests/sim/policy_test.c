/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/policy: caches of other policies than LRU, drawn next to each step, and
 * by random references against a twin that is written from the definition;
 * LRU through its row of the table is LRU.
 */
#include "sim/policy.h"

#include <stdlib.h>

#include "sim/cache.h"
#include "tests/common/check.h"
#include "tests/sim/drawing.h"
#include "tests/sim/test_policies.h"
#include "tests/sim/traffic.h"

struct fixture {
	struct cache cache;
	void *memory;
	uint32_t *slots;
};

static void fixture_init(struct fixture *f, struct cache_geometry geometry,
			 const struct policy *policy)
{
	const struct cache_config config = { .geometry = geometry, .policy = policy };
	size_t size = cache_memory_size(&config);

	CHECK(geometry_check(&geometry) == GEOMETRY_OK);
	f->memory = aligned_alloc(64, size);
	if (!f->memory)
		abort();
	memset(f->memory, 0, size);
	cache_init(&f->cache, &config, f->memory);
	f->slots = calloc(cache_ways(&f->cache), sizeof(*f->slots));
	if (!f->slots)
		abort();
	for (size_t i = 0; i < cache_ways(&f->cache); i++)
		f->slots[i] = (uint32_t)(i % f->cache.assoc);
	cache_keep_slots(&f->cache, f->slots);
}

static void fixture_release(struct fixture *f)
{
	free(f->memory);
	free(f->slots);
}

/* The functions of LRU, but not at its address: the cache has to call them. */
static const struct policy called_lru = {
	.name = "lru",
	.hit = test_to_front,
	.miss = test_last_to_front,
};

/* --- steps -------------------------------------------------------------------------------- */

/* Touches the line of that name; what it pushed out is in gone, '.' for nothing. */
static struct cache_touched touch(struct fixture *f, char name, char *gone)
{
	unsigned line_bits = f->cache.line_bits;
	struct cache_touched touched =
		cache_touch_line(&f->cache, drawing_address(name, line_bits));

	*gone = '.';
	if (touched.evicted != 0)
		*gone = drawing_name(touched.evicted - 1, line_bits);
	CHECK_EQ_U64(cache_tag(&f->cache, touched.way / f->cache.assoc,
			       touched.way % f->cache.assoc),
		     drawing_address(name, line_bits) | 1);
	return touched;
}

/* Macros, so that a failure names the line of the step. */
#define HITS(name, drawing)                  \
 do {                                        \
  char gone;                                 \
  CHECK(!touch(&f, (name), &gone).missed);   \
  CHECK_EQ_U64(gone, '.');                   \
  CHECK_STR(draw(&f.cache).text, (drawing)); \
 } while (0)
#define MISSES(name, evicted, drawing)       \
 do {                                        \
  char gone;                                 \
  CHECK(touch(&f, (name), &gone).missed);    \
  CHECK_EQ_U64(gone, (evicted));             \
  CHECK_STR(draw(&f.cache).text, (drawing)); \
 } while (0)

TEST(lru_says_what_goes)
{
	struct fixture f;

	fixture_init(&f, (struct cache_geometry){ 192, 3, 64 }, &policy_lru);
	MISSES('A', '.', "A..");
	MISSES('B', '.', "BA.");
	MISSES('C', '.', "CBA");
	HITS('A', "ACB");
	MISSES('D', 'B', "DAC");
	HITS('C', "CDA");
	MISSES('B', 'A', "BCD");
	fixture_release(&f);
}

/* By hand: A is touched again, and goes first all the same. */
TEST(fifo_forgets_hits)
{
	struct fixture f;

	fixture_init(&f, (struct cache_geometry){ 192, 3, 64 }, &test_fifo);
	MISSES('A', '.', "A..");
	MISSES('B', '.', "BA.");
	MISSES('C', '.', "CBA");
	HITS('A', "CBA");
	MISSES('D', 'A', "DCB");
	HITS('B', "DCB");
	MISSES('A', 'B', "ADC");
	MISSES('B', 'C', "BAD");
	fixture_release(&f);
}

/* Lines stay in their ways; what is marked is in the comments. */
TEST(bits_belong_to_ways)
{
	struct fixture f;

	fixture_init(&f, (struct cache_geometry){ 256, 4, 64 }, &test_bit_plru);
	MISSES('A', '.', "A..."); /* A */
	MISSES('B', '.', "AB.."); /* A B */
	MISSES('C', '.', "ABC."); /* A B C */
	MISSES('D', '.', "ABCD"); /* D */
	HITS('A', "ABCD");        /* D A */
	MISSES('E', 'B', "AECD"); /* D A E */
	HITS('C', "AECD");        /* C */
	MISSES('B', 'A', "BECD"); /* C B */
	cache_evict(&f.cache, address_range(drawing_address('C', 6), 1));
	CHECK_STR(draw(&f.cache).text, "BE.D");
	MISSES('A', '.', "BEAD"); /* the empty way, though marked */
	MISSES('C', 'E', "BCAD");
	fixture_release(&f);
}

TEST(lines_that_are_taken_out_leave_the_order)
{
	struct fixture f;

	fixture_init(&f, (struct cache_geometry){ 256, 4, 64 }, &test_fifo);
	MISSES('A', '.', "A...");
	MISSES('B', '.', "BA..");
	MISSES('C', '.', "CBA.");
	MISSES('D', '.', "DCBA");
	cache_evict(&f.cache, address_range(drawing_address('B', 6), 65)); /* and C */
	CHECK_STR(draw(&f.cache).text, "DA..");
	MISSES('E', '.', "EDA.");
	MISSES('B', '.', "BEDA");
	MISSES('F', 'A', "FBED");
	fixture_release(&f);
}

/* A line has one slot as long as it stays, and no other line of its set has it. */
TEST(slots_stay_with_their_lines)
{
	static const struct policy *const policies[] = { &policy_lru, &test_fifo, &called_lru,
							 &test_bit_plru };

	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		struct check_random random = CHECK_RANDOM_INIT;
		uint64_t owner[8] = { 0 }; /* tag of the line that has a slot */
		struct fixture f;

		fixture_init(&f, (struct cache_geometry){ 512, 8, 64 }, policies[i]);
		for (int n = 0; n < 20000; n++) {
			uint64_t address = check_random_below(&random, 12) * 64;
			struct cache_touched touched;
			uint32_t slot;

			if (check_random_below(&random, 100) == 0) {
				cache_evict(&f.cache, address_range(address, 1));
				for (int s = 0; s < 8; s++)
					owner[s] = owner[s] == (address | 1) ? 0 : owner[s];
			}
			touched = cache_touch_line(&f.cache, address);
			slot = f.slots[touched.way];
			if (!CHECK_EQ_U64(owner[slot],
					  touched.missed ? touched.evicted : address | 1))
				break;
			owner[slot] = address | 1;
		}
		fixture_release(&f);
	}
}

/* --- random references ----------------------------------------------------------------------- */

/* A queue a set, the line that came last first. */
struct twin {
	uint64_t lines[4096];
	bool forgets_hits;
	uint64_t n_sets, assoc;
};

static bool twin_touch(struct twin *twin, uint64_t line)
{
	uint64_t *queue = twin->lines + line % twin->n_sets * twin->assoc;
	uint64_t place = 0;
	bool missed;

	while (place < twin->assoc && queue[place] != line + 1)
		place++;
	missed = place == twin->assoc;
	if (!missed && twin->forgets_hits)
		return false;
	if (missed)
		place--;
	memmove(queue + 1, queue, place * sizeof(*queue));
	queue[0] = line + 1;
	return missed;
}

static void compare(const struct policy *policy, bool forgets_hits, struct cache_geometry geometry)
{
	static struct twin twin;
	struct traffic traffic;
	struct fixture f;
	uint64_t misses = 0;

	memset(&twin, 0, sizeof(twin));
	twin.forgets_hits = forgets_hits;
	twin.assoc = geometry.assoc;
	twin.n_sets = geometry_sets(&geometry);
	fixture_init(&f, geometry, policy);
	f.cache.slots = NULL;
	traffic_init(&traffic, &geometry);
	for (int i = 0; i < 100000; i++) {
		uint64_t address = traffic_address(&traffic);
		bool missed = cache_touch(&f.cache, address);

		misses += missed;
		if (!CHECK(missed == twin_touch(&twin, address / geometry.line_size)))
			break;
	}
	CHECK(misses > 2000 && misses < 98000);
	fixture_release(&f);
}

TEST(equals_a_queue_per_set)
{
	static const struct cache_geometry shapes[] = {
		{ 4096, 1, 64 },   { 8192, 4, 32 },   { 12288, 3, 16 },
		{ 32768, 16, 64 }, { 2560, 20, 128 },
	};

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		compare(&policy_lru, false, shapes[i]);
		compare(&called_lru, false, shapes[i]);
		compare(&test_fifo, true, shapes[i]);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(lru_says_what_goes),
		CHECK_TEST(fifo_forgets_hits),
		CHECK_TEST(bits_belong_to_ways),
		CHECK_TEST(lines_that_are_taken_out_leave_the_order),
		CHECK_TEST(slots_stay_with_their_lines),
		CHECK_TEST(equals_a_queue_per_set),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
