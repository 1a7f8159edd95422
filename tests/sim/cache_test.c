/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/cache: small caches whose states are drawn next to each step, and then
 * many shapes of caches against the naive model.
 */
#include "sim/cache.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "tests/common/check.h"
#include "tests/sim/drawing.h"
#include "tests/sim/naive_cache.h"
#include "tests/sim/traffic.h"

/* A cache and its memory. */
struct fixture {
	struct cache cache;
	void *memory;
};

static void fixture_init_config(struct fixture *fixture, const struct cache_config *config)
{
	size_t memory_size = cache_memory_size(config);

	fixture->memory = aligned_alloc(64, memory_size);
	if (!fixture->memory)
		abort();
	memset(fixture->memory, 0, memory_size);
	/* It may not count on anything that the struct holds. */
	memset(&fixture->cache, 0xa5, sizeof(fixture->cache));
	cache_init(&fixture->cache, config, fixture->memory);
}

static void fixture_init(struct fixture *fixture, uint64_t size, uint32_t assoc, uint32_t line_size)
{
	const struct cache_config config = { .geometry = { size, assoc, line_size } };

	fixture_init_config(fixture, &config);
}

static void fixture_release(struct fixture *fixture)
{
	free(fixture->memory);
}

static bool touch(struct fixture *fixture, uint64_t address)
{
	return cache_touch(&fixture->cache, address);
}

/* Touches the line of that name; macros, so that a failure names the line of the step. */
#define STEP(fixture, name, missed, drawing)                                 \
 do {                                                                        \
  uint64_t step_address = drawing_address(name, (fixture)->cache.line_bits); \
                                                                             \
  CHECK(touch(fixture, step_address) == (missed));                           \
  CHECK_STR(draw(&(fixture)->cache).text, drawing);                          \
 } while (0)
#define HITS(fixture, name, drawing)   STEP(fixture, name, false, drawing)
#define MISSES(fixture, name, drawing) STEP(fixture, name, true, drawing)

TEST(one_set_evicts_the_least_recently_used)
{
	struct fixture f;

	fixture_init(&f, 256, 4, 64);
	CHECK_STR(draw(&f.cache).text, "....");
	MISSES(&f, 'A', "A...");
	MISSES(&f, 'B', "BA..");
	MISSES(&f, 'C', "CBA.");
	HITS(&f, 'A', "ACB.");
	MISSES(&f, 'D', "DACB");
	HITS(&f, 'D', "DACB");
	MISSES(&f, 'E', "EDAC"); /* B goes, though A came before it */
	HITS(&f, 'C', "CEDA");
	MISSES(&f, 'B', "BCED");
	MISSES(&f, 'A', "ABCE");
	HITS(&f, 'E', "EABC");
	MISSES(&f, 'F', "FEAB");
	fixture_release(&f);
}

TEST(direct_mapped_lines_conflict)
{
	struct fixture f;

	fixture_init(&f, 256, 1, 64);
	MISSES(&f, 'A', "A|.|.|.");
	MISSES(&f, 'B', "A|B|.|.");
	MISSES(&f, 'E', "E|B|.|."); /* 256 bytes after A */
	MISSES(&f, 'A', "A|B|.|.");
	MISSES(&f, 'I', "I|B|.|.");
	HITS(&f, 'B', "I|B|.|.");
	MISSES(&f, 'H', "I|B|.|H");
	MISSES(&f, 'C', "I|B|C|H");
	MISSES(&f, 'D', "I|B|C|D");
	fixture_release(&f);
}

TEST(sets_keep_apart_and_three_ways_are_fine)
{
	struct fixture f;

	fixture_init(&f, 192, 3, 32);
	MISSES(&f, 'A', "A..|...");
	MISSES(&f, 'C', "CA.|...");
	MISSES(&f, 'B', "CA.|B..");
	MISSES(&f, 'E', "ECA|B..");
	MISSES(&f, 'D', "ECA|DB.");
	HITS(&f, 'A', "AEC|DB.");
	MISSES(&f, 'G', "GAE|DB.");
	MISSES(&f, 'F', "GAE|FDB");
	MISSES(&f, 'H', "GAE|HFD");
	HITS(&f, 'D', "GAE|DHF");
	MISSES(&f, 'C', "CGA|DHF");
	fixture_release(&f);
}

/* Their line numbers are all zeros and all ones: no way of a cold cache may look like them. */
TEST(first_and_last_line_of_the_address_space_are_ordinary)
{
	struct fixture f;

	fixture_init(&f, 64, 2, 16);
	CHECK(!cache_contains(&f.cache, 0));
	CHECK(!cache_contains(&f.cache, 1));
	CHECK(!cache_contains(&f.cache, UINT64_MAX));
	MISSES(&f, 'A', "A.|..");
	MISSES(&f, 'Z', "A.|Z.");
	HITS(&f, 'A', "A.|Z.");
	HITS(&f, 'Z', "A.|Z.");
	CHECK(!touch(&f, UINT64_MAX));
	CHECK(!touch(&f, 15));
	MISSES(&f, 'B', "A.|BZ");
	MISSES(&f, 'D', "A.|DB");
	CHECK(!cache_contains(&f.cache, UINT64_MAX));
	fixture_release(&f);
}

TEST(every_byte_of_a_line_is_the_line)
{
	struct fixture f;

	for (uint32_t line_size = 16; line_size <= 256; line_size *= 2) {
		fixture_init(&f, UINT64_C(8) * line_size, 2, line_size);
		CHECK(touch(&f, 0x12345600));
		for (uint64_t i = 0; i < line_size; i++)
			CHECK(!touch(&f, 0x12345600 + i));
		CHECK(!cache_contains(&f.cache, 0x12345600 - 1));
		CHECK(!cache_contains(&f.cache, 0x12345600 + line_size));
		fixture_release(&f);
	}
}

TEST(asking_changes_nothing)
{
	struct fixture f;

	fixture_init(&f, 64, 4, 16);
	MISSES(&f, 'A', "A...");
	MISSES(&f, 'B', "BA..");
	CHECK(cache_contains(&f.cache, 0));
	CHECK(!cache_contains(&f.cache, 32));
	CHECK_STR(draw(&f.cache).text, "BA..");
	fixture_release(&f);
}

TEST(clear_forgets_all_lines)
{
	struct fixture f;

	fixture_init(&f, 64, 2, 16);
	MISSES(&f, 'A', "A.|..");
	MISSES(&f, 'B', "A.|B.");
	cache_evict(&f.cache, address_range_all());
	CHECK_STR(draw(&f.cache).text, "..|..");
	CHECK(!cache_contains(&f.cache, 0));
	MISSES(&f, 'B', "..|B.");
	MISSES(&f, 'A', "A.|B.");
	fixture_release(&f);
}

/* As many lines as fit hit for ever; with an additional line exact LRU never hits. */
TEST(cycles_hit_always_or_never)
{
	for (uint32_t assoc = 1; assoc <= 64; assoc++) {
		struct fixture f;
		uint64_t misses_fit = 0, misses_over = 0;

		fixture_init(&f, UINT64_C(64) * assoc * 4, assoc, 64);
		for (uint64_t i = 0; i < UINT64_C(10) * assoc; i++)
			misses_fit += touch(&f, i % assoc * 256);
		CHECK_EQ_U64(misses_fit, assoc);
		cache_evict(&f.cache, address_range_all());
		for (uint64_t i = 0; i < UINT64_C(10) * (assoc + 1); i++)
			misses_over += touch(&f, i % (assoc + 1) * 256);
		CHECK_EQ_U64(misses_over, UINT64_C(10) * (assoc + 1));
		fixture_release(&f);
	}
}

static uint64_t memory_for(struct cache_geometry geometry)
{
	const struct cache_config config = { .geometry = geometry, .policy = &policy_lru };

	return cache_memory_size(&config);
}

TEST(memory_is_8_bytes_a_line_and_4_for_short_tags_each_rounded_up_to_64)
{
	CHECK_EQ_U64(memory_for((struct cache_geometry){ 32, 1, 16 }), 64 + 64);
	CHECK_EQ_U64(memory_for((struct cache_geometry){ 80, 5, 16 }), 64 + 64);
	CHECK_EQ_U64(memory_for((struct cache_geometry){ 144, 9, 16 }), 128 + 64);
	CHECK_EQ_U64(memory_for((struct cache_geometry){ 24576, 6, 64 }), 3072 + 1536);
	CHECK_EQ_U64(memory_for((struct cache_geometry){ 109051904, 26, 64 }), 13631488 + 6815744);
}

/* Memory that may not even be read, so that a cache of many megabytes costs nothing by itself. */
TEST(making_a_cache_leaves_its_memory_alone)
{
	const struct cache_config config = { .geometry = { 109051904, 26, 64 } };
	size_t size = cache_memory_size(&config);
	void *memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct cache cache;

	if (!CHECK(memory != MAP_FAILED))
		return;
	cache_init(&cache, &config, memory);
	CHECK(mprotect(memory, size, PROT_READ | PROT_WRITE) == 0);
	CHECK(cache_touch(&cache, 0x1234567));
	CHECK(!cache_touch(&cache, 0x1234567));
	munmap(memory, size);
}

/* In a set of two ways, lines 1 TiB apart: a tag of 32 bits cannot tell more than 256 GiB apart. */
TEST(lines_without_a_short_tag_are_lines_like_others)
{
	const uint64_t far = UINT64_C(1) << 40;
	struct fixture f;

	fixture_init(&f, 128, 2, 64);
	CHECK(touch(&f, 0x1000) && touch(&f, 0x2000));
	CHECK(f.cache.short_tags != NULL);
	CHECK(!touch(&f, 0x1000));
	CHECK(cache_find(&f.cache, far | 0x1000) == SIZE_MAX);
	CHECK(f.cache.short_tags != NULL);
	CHECK(touch(&f, far | 0x1000)); /* 0x2000 goes */
	CHECK(f.cache.short_tags == NULL);
	CHECK_EQ_U64(cache_tag(&f.cache, 0, 0), far | 0x1001);
	CHECK_EQ_U64(cache_tag(&f.cache, 0, 1), 0x1001);
	CHECK(!touch(&f, 0x1000) && !touch(&f, far | 0x1000) && touch(&f, 0x2000));
	fixture_release(&f);
}

/* A dirty line is the same line to all who ask, wherever it goes; the last short tag has a bit less. */
TEST(dirty_lines)
{
	const uint64_t last = UINT64_C(0x7ffffffe) << 6;
	struct cache_touched touched;
	struct fixture f;

	fixture_init(&f, 128, 2, 64);
	cache_keep_dirty(&f.cache);
	touched = cache_touch_line(&f.cache, 0x1000);
	CHECK(touched.missed && touched.evicted == 0 && !touched.evicted_is_dirty);
	CHECK(!cache_is_dirty(&f.cache, touched.way));
	cache_mark_dirty(&f.cache, touched.way);
	CHECK(touch(&f, 0x2000) && !touch(&f, 0x1000));
	CHECK(cache_is_dirty(&f.cache, cache_find(&f.cache, 0x1000)));
	CHECK(!cache_is_dirty(&f.cache, cache_find(&f.cache, 0x2000)));
	CHECK_EQ_U64(cache_tag(&f.cache, 0, 0), 0x1001);
	CHECK(!touch(&f, 0x2000));
	touched = cache_touch_line(&f.cache, last);
	CHECK(touched.missed && touched.evicted == 0x1001 && touched.evicted_is_dirty);
	CHECK(f.cache.short_tags != NULL);
	cache_mark_dirty(&f.cache, touched.way);
	CHECK_EQ_U64(cache_take(&f.cache, 0x1000), CACHE_WAS_ABSENT);
	/* Tags become long ones, and lines stay as they are. */
	CHECK(touch(&f, last + 64));
	CHECK(f.cache.short_tags == NULL);
	CHECK(cache_is_dirty(&f.cache, cache_find(&f.cache, last)));
	CHECK_EQ_U64(cache_tag(&f.cache, 0, 1), last | 1);
	CHECK(!touch(&f, last));
	CHECK_EQ_U64(cache_take(&f.cache, last + 64), CACHE_WAS_CLEAN);
	CHECK_EQ_U64(cache_take(&f.cache, last), CACHE_WAS_DIRTY);
	CHECK(touch(&f, last) && !cache_is_dirty(&f.cache, cache_find(&f.cache, last)));
	fixture_release(&f);
}

/* Dirty lines among few ways and many, in the first four and later, of policies that move them and others. */
TEST(dirty_lines_keep_what_they_are_in_all_places)
{
	static const struct policy *const policies[] = { NULL, &policy_fifo, &policy_srrip };

	for (unsigned i = 0; i < 9; i++) {
		const uint32_t ways = i % 3 == 0 ? 8 : i % 3 == 1 ? 16 : 11;
		const struct cache_config config = { .geometry = { UINT64_C(64) * ways, ways, 64 },
						     .policy = policies[i / 3] };
		struct check_random random = { i + 1 };
		bool dirty[32] = { false };
		struct cache cache;
		void *memory = calloc(1, cache_memory_size(&config));

		if (!memory)
			abort();
		cache_init(&cache, &config, memory);
		cache_keep_dirty(&cache);
		for (unsigned n = 0; n < 20000; n++) {
			uint64_t line = check_random_below(&random, ways + 4);
			struct cache_touched touched = cache_touch_line(&cache, line * 64);
			bool is_dirty = cache_is_dirty(&cache, touched.way);

			if (touched.missed && touched.evicted != 0) {
				CHECK_EQ_U64(touched.evicted_is_dirty, dirty[touched.evicted / 64]);
				dirty[touched.evicted / 64] = false;
			}
			if (!CHECK_EQ_U64(is_dirty, dirty[line]))
				break;
			if (check_random_below(&random, 3) == 0) {
				cache_mark_dirty(&cache, touched.way);
				dirty[line] = true;
			}
		}
		CHECK(cache.short_tags != NULL);
		free(memory);
	}
}

/* The largest short tag, and the line after it. */
TEST(the_last_short_tag)
{
	const uint64_t last = (UINT64_C(0xfffffffe) << 6) | 63;
	struct fixture f;

	fixture_init(&f, 128, 2, 64);
	CHECK(touch(&f, last));
	CHECK(!touch(&f, last));
	CHECK(f.cache.short_tags != NULL);
	CHECK_EQ_U64(cache_tag(&f.cache, 0, 0), last - 62);
	CHECK(touch(&f, last + 1));
	CHECK(!touch(&f, last + 1) && !touch(&f, last));
	CHECK(f.cache.short_tags == NULL);
	fixture_release(&f);
}

TEST(references_touch_each_line_that_they_cover_in_ascending_order)
{
	struct fixture f;

	fixture_init(&f, 64, 4, 16);
	CHECK(cache_touch_all(&f.cache, 0, 1));
	CHECK_STR(draw(&f.cache).text, "A...");
	CHECK(!cache_touch_all(&f.cache, 0, 16));
	CHECK(cache_touch_all(&f.cache, 15, 2)); /* A hits, B misses */
	CHECK_STR(draw(&f.cache).text, "BA..");
	CHECK(cache_touch_all(&f.cache, 47, 2));
	CHECK_STR(draw(&f.cache).text, "DCBA");
	CHECK(!cache_touch_all(&f.cache, 0, 64));
	CHECK_STR(draw(&f.cache).text, "DCBA");
	CHECK(!cache_touch_all(&f.cache, 31, 1));
	CHECK_STR(draw(&f.cache).text, "BDCA");
	CHECK(cache_touch_all(&f.cache, 5,
			      64)); /* the last byte is E's: A to D hit, E throws A out */
	CHECK_STR(draw(&f.cache).text, "EDCB");
	CHECK(cache_touch_all(&f.cache, 64, 112)); /* seven lines in four ways */
	CHECK_STR(draw(&f.cache).text, "KJIH");
	fixture_release(&f);
}

TEST(references_wrap_around_the_top)
{
	struct fixture f;

	fixture_init(&f, 64, 2, 16);
	CHECK(cache_touch_all(&f.cache, UINT64_MAX, 1));
	CHECK_STR(draw(&f.cache).text, "..|Z.");
	CHECK(cache_touch_all(&f.cache, UINT64_MAX, 2));
	CHECK_STR(draw(&f.cache).text, "A.|Z.");
	CHECK(cache_touch_all(&f.cache, UINT64_MAX - 15, 33));
	CHECK_STR(draw(&f.cache).text, "A.|BZ");
	CHECK(!cache_touch_all(&f.cache, UINT64_MAX - 7, 32));
	CHECK_STR(draw(&f.cache).text, "A.|BZ");
	fixture_release(&f);
}

static const struct cache_geometry shapes[] = {
	{ 32, 1, 16 },       { 32, 2, 16 },       { 64, 4, 16 },      { 512, 1, 256 },
	{ 320, 5, 32 },      { 768, 3, 256 },     { 896, 7, 128 },    { 1024, 1, 64 },
	{ 1024, 16, 64 },    { 2048, 8, 256 },    { 4096, 64, 64 },   { 8192, 64, 32 },
	{ 24576, 6, 64 },    { 32768, 8, 64 },    { 49152, 12, 64 },  { 65536, 2, 64 },
	{ 65536, 1, 128 },   { 16384, 1024, 16 }, { 25600, 50, 128 }, { 1310720, 20, 64 },
	{ 3145728, 12, 64 },
};

/* Both outcomes must be common, else the traffic tests little. */
static void compare_config(const struct cache_config *config, uint64_t references, bool low)
{
	const struct cache_geometry *geometry = &config->geometry;
	struct fixture f;
	struct naive_cache naive;
	struct traffic traffic;
	uint64_t misses = 0;

	CHECK(geometry_check_any_sets(geometry) == GEOMETRY_OK);
	fixture_init_config(&f, config);
	naive_init_config(&naive, config);
	if (low)
		traffic_init_low(&traffic, geometry);
	else
		traffic_init(&traffic, geometry);
	for (uint64_t i = 1; i <= references; i++) {
		uint64_t address = traffic_address(&traffic);
		bool missed = touch(&f, address);

		misses += missed;
		if (!CHECK(missed == naive_touch(&naive, address)))
			break;
		if (i % 64 == 0) {
			address = traffic_address(&traffic);
			missed = naive_contains(&naive, address);
			naive_evict(&naive, address, address);
			if (!CHECK(cache_take(&f.cache, address) == missed))
				break;
		}
		if (i % (references / 8) == 0 && !CHECK(naive_equals(&naive, &f.cache)))
			break;
	}
	/* Else the short tags, or the others, were not looked at. */
	CHECK((f.cache.short_tags != NULL) == low);
	if (!CHECK(misses > references / 50 && misses < references / 50 * 49) || check_failures)
		printf("# in %" PRIu64 ",%" PRIu32 ",%" PRIu32 ", %" PRIu64 " misses\n",
		       geometry->size, geometry->assoc, geometry->line_size, misses);
	naive_release(&naive);
	fixture_release(&f);
}

static void compare_with_naive(const struct cache_geometry *geometry, uint64_t references, bool low)
{
	const struct cache_config config = { .geometry = *geometry };

	compare_config(&config, references, low);
}

TEST(equals_a_list_per_set)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		compare_with_naive(&shapes[i], 200000, false);
		compare_with_naive(&shapes[i], 200000, true);
	}
}

/* Sets 1 to 8, each associativity up to 64 and each line size, in little caches. */
TEST(equals_a_list_per_set_in_every_small_shape)
{
	for (uint32_t assoc = 1; assoc <= 64; assoc++) {
		uint32_t line_size = UINT32_C(16) << assoc % 5;

		for (uint32_t sets = assoc == 1 ? 2 : 1; sets <= 8; sets *= 2) {
			const struct cache_geometry geometry = { (uint64_t)sets * assoc * line_size,
								 assoc, line_size };

			compare_with_naive(&geometry, 4000, false);
			compare_with_naive(&geometry, 4000, true);
		}
	}
}

/* Sets of no power of two, and those that a hash chooses, whatever their number. */
TEST(equals_a_list_per_set_with_other_sets)
{
	static const struct cache_geometry odd[] = {
		{ 48, 1, 16 },    { 192, 2, 32 },    { 3072, 8, 64 },     { 7168, 8, 128 },
		{ 832, 1, 64 },   { 49152, 8, 64 },  { 1441792, 11, 64 }, { 2112, 1, 64 },
		{ 96000, 4, 32 }, { 81920, 16, 16 }, { 1310720, 10, 64 }, { 20480, 20, 64 },
		{ 1216, 1, 64 },  { 3840, 12, 64 },
	};

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct cache_config config = { .geometry = odd[i] };

		compare_config(&config, 60000, false);
		compare_config(&config, 60000, true);
		config.hashes_sets = true;
		config.hash_seed = (uint32_t)i * 1000003;
		compare_config(&config, 60000, false);
		compare_config(&config, 60000, true);
	}
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct cache_config config = {
			.geometry = shapes[i],
			.hashes_sets = true,
			.hash_seed = UINT32_MAX - (uint32_t)i,
		};

		compare_config(&config, 60000, false);
		compare_config(&config, 60000, true);
	}
}

static void check_place(const struct sets *sets, uint64_t line)
{
	struct set_place place = sets_place(sets, line);

	CHECK_EQ_U64(place.quotient, line / sets->n);
	CHECK(place.set < sets->n);
	if (!sets->is_hashed)
		CHECK_EQ_U64(place.set, line % sets->n);
	CHECK_EQ_U64(sets_line(sets, place), line);
}

/* Against division, where a reciprocal would be wrong first: multiples, and the largest lines. */
TEST(places_are_quotient_and_rest)
{
	const uint64_t last_line = (UINT64_C(1) << SETS_LINE_BITS) - 1;
	struct check_random random = CHECK_RANDOM_INIT;

	for (uint64_t i = 1; i <= 3000; i++) {
		uint64_t n = i;
		struct sets sets;

		if (i > 2000)
			n = 1 + check_random(&random) % (UINT64_C(1) << i % 59);
		sets_init(&sets, n, i % 2 == 0, (uint32_t)i);
		CHECK(sets_are_low_bits(&sets) == (i % 2 != 0 && (n & (n - 1)) == 0));
		for (uint64_t line = 0; line < 4; line++) {
			check_place(&sets, line);
			check_place(&sets, last_line - line);
			check_place(&sets, last_line / n * n - line % n);
			check_place(&sets, (check_random(&random) & last_line) / n * n);
			check_place(&sets, check_random(&random) & last_line);
		}
	}
}

/* Lines that are one set's by their low bits are spread; the lines of a stretch are in all sets. */
TEST(hashed_sets_are_spread_by_chance)
{
	unsigned lines[64] = { 0 }, others = 0;
	struct sets sets, other;

	sets_init(&sets, 64, true, 0);
	sets_init(&other, 64, true, 1);
	for (uint64_t i = 0; i < 6400; i++) {
		uint64_t set = sets_place(&sets, i * 64).set;

		lines[set]++;
		others += set != sets_place(&other, i * 64).set;
	}
	/* 100 each; the standard deviation is 10. */
	for (int i = 0; i < 64; i++)
		CHECK(lines[i] > 50 && lines[i] < 150);
	CHECK(others > 6200 && others < 6400);
	memset(lines, 0, sizeof(lines));
	for (uint64_t i = 0; i < 64; i++)
		lines[sets_place(&sets, UINT64_C(12345) * 64 + i).set]++;
	for (int i = 0; i < 64; i++)
		CHECK_EQ_U64(lines[i], 1);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(one_set_evicts_the_least_recently_used),
		CHECK_TEST(direct_mapped_lines_conflict),
		CHECK_TEST(sets_keep_apart_and_three_ways_are_fine),
		CHECK_TEST(first_and_last_line_of_the_address_space_are_ordinary),
		CHECK_TEST(every_byte_of_a_line_is_the_line),
		CHECK_TEST(asking_changes_nothing),
		CHECK_TEST(clear_forgets_all_lines),
		CHECK_TEST(cycles_hit_always_or_never),
		CHECK_TEST(memory_is_8_bytes_a_line_and_4_for_short_tags_each_rounded_up_to_64),
		CHECK_TEST(making_a_cache_leaves_its_memory_alone),
		CHECK_TEST(lines_without_a_short_tag_are_lines_like_others),
		CHECK_TEST(dirty_lines),
		CHECK_TEST(dirty_lines_keep_what_they_are_in_all_places),
		CHECK_TEST(the_last_short_tag),
		CHECK_TEST(references_touch_each_line_that_they_cover_in_ascending_order),
		CHECK_TEST(references_wrap_around_the_top),
		CHECK_TEST(equals_a_list_per_set),
		CHECK_TEST(equals_a_list_per_set_in_every_small_shape),
		CHECK_TEST(equals_a_list_per_set_with_other_sets),
		CHECK_TEST(places_are_quotient_and_rest),
		CHECK_TEST(hashed_sets_are_spread_by_chance),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
