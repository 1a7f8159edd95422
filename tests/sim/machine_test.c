/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/machine: small machines whose states are drawn next to each step.
 * machine_models_test compares many shapes with plainer models.
 */
#include "sim/machine.h"

#include <stdlib.h>

#include "tests/common/check.h"
#include "tests/sim/drawing.h"
#include "tests/sim/machine_pair.h"
#include "tests/sim/pair_states.h"
#include "tests/sim/two_levels.h"

enum {
	NAMES = 26,          /* lines of code of a fixture: A to Z */
	MAX_DRAWN_WAYS = 32, /* of one cache */
};

/* How a reference went. */
enum how {
	FAST, /* it hit, and generated code saw that */
	SLOW, /* it hit, but by a call */
	MISS,
};

struct fixture {
	struct machine *machine;
	uint64_t stamp; /* the last one that was used */
	struct code_line code[NAMES];
};

static void fixture_init(struct fixture *fixture, const struct two_levels *geometry)
{
	const struct hierarchy_config config = two_levels(geometry);
	unsigned line_bits;

	CHECK(geometry_check(&geometry->i1) == GEOMETRY_OK);
	CHECK(geometry_check(&geometry->d1) == GEOMETRY_OK);
	CHECK(geometry_check(&geometry->ll) == GEOMETRY_OK);
	fixture->machine = pair_memory(machine_size(&config));
	machine_init(fixture->machine, &config);
	fixture->machine->clock = 100000; /* more than any test uses */
	fixture->stamp = 0;
	line_bits = fixture->machine->i1.line_bits;
	for (int i = 0; i < NAMES; i++) {
		uint64_t address = drawing_address((char)('A' + i), line_bits);

		memset(&fixture->code[i], 0xa5, sizeof(fixture->code[i]));
		/* Any byte of the line will do. */
		machine_add_code_line(fixture->machine, &fixture->code[i], address + i % 16);
		CHECK_EQ_U64(fixture->code[i].address, address);
	}
}

/* I1 and D1 alike. */
static void fixture_init_small(struct fixture *fixture, uint64_t size, uint32_t assoc,
			       uint32_t line_size)
{
	const struct cache_geometry first = { size, assoc, line_size };
	const struct two_levels geometry = { first, first, { 1048576, 16, 64 } };

	fixture_init(fixture, &geometry);
}

static void fixture_release(struct fixture *fixture)
{
	free(fixture->machine);
}

/* --- drawings ----------------------------------------------------------------- */

/* The way of a set that was touched as the rank-th last (0: the last); empty ones come last. */
static size_t way_of_rank(const uint64_t *stamps, size_t assoc, size_t rank)
{
	for (size_t way = 0; way < assoc; way++) {
		size_t newer = 0;

		for (size_t other = 0; other < assoc; other++) {
			bool same = stamps[other] == stamps[way];

			newer += same ? other < way : stamps[other] > stamps[way];
		}
		if (newer == rank)
			return way;
	}
	return 0;
}

/* A set's ways in the order of their stamps, as the row of a struct cache. */
static void sort_set(uint64_t *row, const uint64_t *tags, const uint64_t *stamps, size_t assoc)
{
	for (size_t rank = 0; rank < assoc; rank++)
		row[rank] = tags[way_of_rank(stamps, assoc, rank)];
}

static struct drawing draw_d1(const struct fixture *fixture)
{
	const struct data_ways *d1 = &fixture->machine->d1;
	uint64_t rows[MAX_DRAWN_WAYS] = { 0 };
	const struct cache cache = {
		.tags = rows,
		.sets = { .n = d1->set_mask + 1 },
		.assoc = d1->assoc,
		.line_bits = d1->line_bits,
	};

	for (size_t first = 0; first < (d1->set_mask + 1) * d1->assoc; first += d1->assoc) {
		uint64_t tags[MAX_DRAWN_WAYS] = { 0 };

		for (size_t way = 0; way < d1->assoc; way++)
			tags[way] = d1->tags[first + way] == 1 ? 0 : d1->tags[first + way] + 1;
		sort_set(rows + first, tags, d1->stamps + first, d1->assoc);
	}
	return draw(&cache);
}

static struct drawing draw_i1(const struct fixture *fixture)
{
	const struct code_ways *i1 = &fixture->machine->i1;
	uint64_t rows[MAX_DRAWN_WAYS] = { 0 };
	const struct cache cache = {
		.tags = rows,
		.sets = { .n = i1->set_mask + 1 },
		.assoc = i1->assoc,
		.line_bits = i1->line_bits,
	};

	for (size_t first = 0; first < (i1->set_mask + 1) * i1->assoc; first += i1->assoc) {
		struct code_line *const *lines = i1->lines + first;
		uint64_t tags[MAX_DRAWN_WAYS] = { 0 };

		for (size_t way = 0; way < i1->assoc; way++)
			tags[way] = lines[way] ? lines[way]->address + 1 : 0;
		sort_set(rows + first, tags, i1->stamps + first, i1->assoc);
	}
	return draw(&cache);
}

/* The lines that the filter names, in the order of its entries. */
static struct drawing draw_filter(const struct fixture *fixture)
{
	const struct machine *machine = fixture->machine;
	unsigned line_bits = machine->d1.line_bits;
	struct drawing drawing = { "" };
	size_t length = 0;

	for (uint64_t i = 0; i <= machine->filter_mask && length < DRAWING_SIZE - 1; i++) {
		uint64_t line = machine->filter[i].line;

		if (((line >> line_bits) & machine->filter_mask) == i)
			drawing.text[length++] = drawing_name(line, line_bits);
	}
	return drawing;
}

/* The lines of code that know that they are in I1. */
static struct drawing draw_resident(const struct fixture *fixture)
{
	struct drawing drawing = { "" };
	size_t length = 0;

	for (int i = 0; i < NAMES; i++) {
		if (fixture->code[i].stamp != &fixture->machine->nowhere)
			drawing.text[length++] = (char)('A' + i);
	}
	return drawing;
}

/* --- steps -------------------------------------------------------------------- */

static enum how data(struct fixture *fixture, uint64_t address, uint64_t size)
{
	struct machine *machine = fixture->machine;
	uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	uint64_t stamp = fixture->stamp + 1;

	fixture->stamp += machine_data_lines(machine, size);
	if (size <= line_size && machine_data_fast(machine, address, size, stamp))
		return FAST;
	return machine_data(machine, address, size, stamp) == 0 ? SLOW : MISS;
}

/* One byte of the line of that name. */
static enum how line_data(struct fixture *fixture, char name)
{
	return data(fixture, drawing_address(name, fixture->machine->d1.line_bits) + 7, 1);
}

/* One instruction that covers the lines from that name on. */
static enum how fetch(struct fixture *fixture, char name, unsigned n_lines)
{
	struct machine *machine = fixture->machine;
	uint64_t address = drawing_address(name, machine->i1.line_bits);
	uint64_t size = (uint64_t)n_lines << machine->i1.line_bits;
	uint64_t stamp = fixture->stamp + 1;
	struct code_line *lines[NAMES];
	bool all_fast = true;

	fixture->stamp += n_lines;
	for (unsigned i = 0; i < n_lines; i++) {
		lines[i] = &fixture->code[(unsigned)(name - 'A') + i];
		if (!machine_fetch_fast(machine, lines[i], stamp + i))
			all_fast = false;
	}
	if (all_fast)
		return FAST;
	return machine_fetch(machine, lines, n_lines, address, size, stamp) == 0 ? SLOW : MISS;
}

/* Macros, so that a failure names the line of the step. */
#define DATA(fixture, name, how, d1_drawing, filter_drawing) \
 do {                                                        \
  CHECK_EQ_U64(line_data(fixture, name), how);               \
  CHECK_STR(draw_d1(fixture).text, d1_drawing);              \
  CHECK_STR(draw_filter(fixture).text, filter_drawing);      \
 } while (0)
#define FETCH(fixture, name, n_lines, how, i1_drawing, resident) \
 do {                                                            \
  CHECK_EQ_U64(fetch(fixture, name, n_lines), how);              \
  CHECK_STR(draw_i1(fixture).text, i1_drawing);                  \
  CHECK_STR(draw_resident(fixture).text, resident);              \
 } while (0)

/* --- data --------------------------------------------------------------------- */

TEST(evicted_lines_leave_the_filter)
{
	struct fixture f;

	fixture_init_small(&f, 256, 4, 64);
	CHECK_STR(draw_d1(&f).text, "....");
	CHECK_STR(draw_filter(&f).text, "");
	DATA(&f, 'A', MISS, "A...", "A");
	DATA(&f, 'B', MISS, "BA..", "AB");
	DATA(&f, 'C', MISS, "CBA.", "ABC");
	DATA(&f, 'A', FAST, "ACB.", "ABC");
	DATA(&f, 'D', MISS, "DACB", "ABCD");
	DATA(&f, 'D', FAST, "DACB", "ABCD");
	DATA(&f, 'E', MISS, "EDAC", "ACDE"); /* B goes, though A came before it */
	DATA(&f, 'C', FAST, "CEDA", "ACDE");
	DATA(&f, 'B', MISS, "BCED", "BCDE");
	DATA(&f, 'A', MISS, "ABCE", "ABCE");
	DATA(&f, 'E', FAST, "EABC", "ABCE");
	DATA(&f, 'F', MISS, "FEAB", "ABEF");
	fixture_release(&f);
}

TEST(lines_of_one_entry_displace_each_other_and_stay_resident)
{
	struct fixture f;

	fixture_init_small(&f, 256, 4, 64);
	DATA(&f, 'A', MISS, "A...", "A");
	DATA(&f, 'a', MISS, "aA..", "a");
	DATA(&f, 'A', SLOW, "Aa..", "A");
	DATA(&f, 'A', FAST, "Aa..", "A");
	DATA(&f, 'a', SLOW, "aA..", "a");
	DATA(&f, 'B', MISS, "BaA.", "aB");
	DATA(&f, 'b', MISS, "bBaA", "ab");
	DATA(&f, 'A', SLOW, "AbBa", "Ab");
	DATA(&f, 'B', SLOW, "BAba", "AB");
	DATA(&f, 'C', MISS, "CBAb", "ABC"); /* a goes, and is not the one that its entry names */
	DATA(&f, 'A', FAST, "ACBb", "ABC");
	DATA(&f, 'c', MISS, "cACB", "ABc"); /* b goes, too */
	DATA(&f, 'D', MISS, "DcAC", "AcD");
	DATA(&f, 'E', MISS, "EDcA", "AcDE"); /* C goes, after c */
	DATA(&f, 'F', MISS, "FEDc", "cDEF");
	DATA(&f, 'c', FAST, "cFED", "cDEF");
	fixture_release(&f);
}

/* The displaced line's stamp is its last touch's, whichever way it was touched. */
TEST(stamps_of_displaced_lines_are_kept)
{
	struct fixture f;

	fixture_init_small(&f, 192, 3, 64);
	DATA(&f, 'A', MISS, "A..", "A");
	DATA(&f, 'B', MISS, "BA.", "AB");
	DATA(&f, 'A', FAST, "AB.", "AB");
	DATA(&f, 'a', MISS, "aAB", "aB");
	DATA(&f, 'C', MISS, "CaA", "aC"); /* B, for A was touched after it */
	DATA(&f, 'B', MISS, "BCa", "aBC");
	fixture_release(&f);
}

TEST(sets_keep_apart)
{
	struct fixture f;

	fixture_init_small(&f, 192, 3, 32);
	DATA(&f, 'A', MISS, "A..|...", "A");
	DATA(&f, 'C', MISS, "CA.|...", "AC");
	DATA(&f, 'B', MISS, "CA.|B..", "ABC");
	DATA(&f, 'a', MISS, "aCA|B..", "aBC");
	DATA(&f, 'D', MISS, "aCA|DB.", "aBCD");
	DATA(&f, 'E', MISS, "EaC|DB.", "aBCDE");
	DATA(&f, 'C', FAST, "CEa|DB.", "aBCDE");
	DATA(&f, 'G', MISS, "GCE|DB.", "BCDEG");
	fixture_release(&f);
}

/* Numbers of lines that differ in their upper halves only; and no line's: an empty way's low tag is 0. */
TEST(lines_with_one_low_tag_keep_apart)
{
	const uint64_t far = UINT64_C(1) << (32 + 6);
	struct fixture f;

	fixture_init_small(&f, 512, 8, 64);
	CHECK_EQ_U64(data(&f, far, 1), MISS);
	CHECK_EQ_U64(data(&f, 0, 1), MISS);
	CHECK_EQ_U64(data(&f, 3 * far, 1), MISS);
	CHECK_EQ_U64(data(&f, far, 1), SLOW);
	CHECK_EQ_U64(data(&f, 2 * far, 1), MISS);
	CHECK_EQ_U64(data(&f, 0, 1), SLOW);
	CHECK_EQ_U64(data(&f, 3 * far, 1), SLOW);
	CHECK(draw_d1(&f).text[3] != '.');
	CHECK(draw_d1(&f).text[4] == '.');
	fixture_release(&f);
}

TEST(direct_mapped)
{
	struct fixture f;

	fixture_init_small(&f, 256, 1, 64);
	DATA(&f, 'A', MISS, "A|.|.|.", "A");
	DATA(&f, 'B', MISS, "A|B|.|.", "AB");
	DATA(&f, 'E', MISS, "E|B|.|.", "BE");
	DATA(&f, 'a', MISS, "a|B|.|.", "aB");
	DATA(&f, 'A', MISS, "A|B|.|.", "AB");
	DATA(&f, 'B', FAST, "A|B|.|.", "AB");
	fixture_release(&f);
}

TEST(first_and_last_line_of_the_address_space_are_ordinary)
{
	struct fixture f;

	fixture_init_small(&f, 256, 4, 64);
	DATA(&f, 'A', MISS, "A...", "A");
	DATA(&f, 'Z', MISS, "ZA..", "AZ");
	DATA(&f, 'A', FAST, "AZ..", "AZ");
	DATA(&f, 'Z', FAST, "ZA..", "AZ");
	CHECK_EQ_U64(data(&f, UINT64_MAX, 1), FAST);
	CHECK_EQ_U64(data(&f, UINT64_MAX - 3, 8), SLOW); /* around the top: Z, then A */
	CHECK_STR(draw_d1(&f).text, "AZ..");
	CHECK_EQ_U64(data(&f, 0, 1), FAST);
	CHECK_EQ_U64(data(&f, 63, 66), MISS); /* A, B and C */
	CHECK_STR(draw_d1(&f).text, "CBAZ");
	DATA(&f, 'D', MISS, "DCBA", "ABCD");
	CHECK_EQ_U64(data(&f, UINT64_MAX, 1), MISS);
	CHECK_STR(draw_filter(&f).text, "BCDZ");
	fixture_release(&f);
}

/* Both ends of the address space, and lines that fall on the same entries from elsewhere. */
TEST(cold_filter_names_no_line)
{
	static const struct cache_geometry shapes[] = {
		{ 32, 2, 16 },     { 1024, 1, 32 },   { 32768, 8, 64 }, { 49152, 12, 64 },
		{ 65536, 2, 128 }, { 4096, 16, 256 }, { 24576, 6, 64 }, { 4194304, 8, 64 },
	};

	for (size_t shape = 0; shape < sizeof(shapes) / sizeof(shapes[0]); shape++) {
		uint64_t line_size = shapes[shape].line_size;
		struct fixture f;
		uint64_t lines;

		fixture_init_small(&f, shapes[shape].size, shapes[shape].assoc,
				   shapes[shape].line_size);
		lines = f.machine->filter_mask + 2;
		for (uint64_t line = 0 - lines; line != lines; line++) {
			uint64_t address = line * line_size;

			CHECK(!machine_data_fast(f.machine, address, 1, 1));
			CHECK(!machine_data_fast(f.machine, address, line_size, 1));
			CHECK(!machine_data_fast(f.machine, address + line_size - 1, 1, 1));
			CHECK(!machine_data_fast(f.machine, address + line_size - 1, 2, 1));
		}
		fixture_release(&f);
	}
}

static uint64_t entries_for(uint64_t size, uint32_t assoc, uint32_t line_size)
{
	struct fixture f;
	uint64_t entries;

	fixture_init_small(&f, size, assoc, line_size);
	entries = f.machine->filter_mask + 1;
	fixture_release(&f);
	return entries;
}

TEST(filter_has_an_entry_for_each_line_of_d1)
{
	CHECK_EQ_U64(entries_for(32, 2, 16), 2048);
	CHECK_EQ_U64(entries_for(49152, 12, 64), 2048);   /* 768 lines */
	CHECK_EQ_U64(entries_for(131072, 8, 64), 2048);   /* 2,048 */
	CHECK_EQ_U64(entries_for(147456, 9, 64), 4096);   /* 2,304 */
	CHECK_EQ_U64(entries_for(262144, 1, 64), 4096);   /* 4,096 */
	CHECK_EQ_U64(entries_for(4194304, 8, 64), 65536); /* 65,536 */
}

/* All of a D1 that is larger than the smallest filter: then each line is found at once. */
TEST(all_lines_of_a_large_d1_are_named)
{
	struct fixture f;
	uint64_t missed = 0, fast = 0;

	fixture_init_small(&f, 262144, 4, 64);
	for (uint64_t address = 0; address < 262144; address += 64)
		missed += data(&f, address, 8) == MISS;
	for (uint64_t address = 0; address < 262144; address += 64)
		fast += data(&f, address, 64) == FAST;
	CHECK_EQ_U64(missed, 4096);
	CHECK_EQ_U64(fast, 4096);
	fixture_release(&f);
}

TEST(only_what_lies_inside_one_line_is_fast)
{
	for (uint32_t line_size = 16; line_size <= 256; line_size *= 2) {
		struct fixture f;

		fixture_init_small(&f, UINT64_C(4) * line_size, 4, line_size);
		/* So that the lines on both sides are there, too. */
		CHECK_EQ_U64(line_data(&f, 'A'), MISS);
		CHECK_EQ_U64(line_data(&f, 'B'), MISS);
		CHECK_EQ_U64(line_data(&f, 'C'), MISS);
		for (uint64_t offset = 0; offset < line_size; offset++) {
			for (uint64_t size = 1; size <= line_size; size++) {
				enum how how = offset + size <= line_size ? FAST : SLOW;

				CHECK_EQ_U64(data(&f, line_size + offset, size), how);
			}
		}
		CHECK_EQ_U64(data(&f, line_size - 1, 1), FAST);
		CHECK_EQ_U64(data(&f, line_size - 1, line_size + 2), SLOW);
		CHECK_EQ_U64(data(&f, line_size * 4 - 1, 1), MISS);
		fixture_release(&f);
	}
}

static uint64_t stamp_of(const struct fixture *fixture, char name)
{
	const struct data_ways *d1 = &fixture->machine->d1;
	size_t way = pair_data_way(d1, drawing_address(name, d1->line_bits));

	return way == SIZE_MAX ? 0 : d1->stamps[way];
}

TEST(lines_of_a_reference_get_stamps_in_ascending_order)
{
	struct fixture f;

	fixture_init_small(&f, 512, 4, 64);
	CHECK_EQ_U64(machine_data(f.machine, 0, 1, 10), MEMORY);
	CHECK_EQ_U64(stamp_of(&f, 'A'), 10);
	CHECK_EQ_U64(machine_data(f.machine, 63, 2, 20), MEMORY);
	CHECK_EQ_U64(stamp_of(&f, 'A'), 20);
	CHECK_EQ_U64(stamp_of(&f, 'B'), 21);
	CHECK_EQ_U64(machine_data(f.machine, 127, 130, 30), MEMORY);
	CHECK_EQ_U64(stamp_of(&f, 'A'), 20);
	CHECK_EQ_U64(stamp_of(&f, 'B'), 30);
	CHECK_EQ_U64(stamp_of(&f, 'C'), 31);
	CHECK_EQ_U64(stamp_of(&f, 'D'), 32);
	CHECK_EQ_U64(stamp_of(&f, 'E'), 33);
	CHECK(machine_data_fast(f.machine, 100, 4, 40));
	CHECK_EQ_U64(stamp_of(&f, 'B'), 40);
	CHECK_EQ_U64(machine_data(f.machine, 100, 4, 50), 0); /* without a look at the filter */
	CHECK_EQ_U64(stamp_of(&f, 'B'), 50);
	CHECK_EQ_U64(machine_data(f.machine, 192, 64, 60), 0);
	CHECK_EQ_U64(stamp_of(&f, 'D'), 60);
	CHECK_EQ_U64(machine_data(f.machine, UINT64_MAX, 2, 70), MEMORY);
	CHECK_EQ_U64(stamp_of(&f, 'Z'), 70);
	CHECK_EQ_U64(stamp_of(&f, 'A'), 71);
	fixture_release(&f);
}

TEST(stamps_needed_are_the_lines_covered_at_most)
{
	for (uint32_t line_size = 16; line_size <= 256; line_size *= 2) {
		struct fixture f;

		fixture_init_small(&f, UINT64_C(4) * line_size, 4, line_size);
		for (uint64_t size = 1; size < 1200; size++) {
			uint64_t most = 0;

			for (uint64_t offset = 0; offset < line_size; offset++) {
				uint64_t lines = (offset + size - 1) / line_size + 1;

				most = lines > most ? lines : most;
			}
			CHECK_EQ_U64(machine_data_lines(f.machine, size), most);
		}
		fixture_release(&f);
	}
}

TEST(longer_than_d1)
{
	struct fixture f;

	fixture_init_small(&f, 128, 2, 64);
	CHECK_EQ_U64(data(&f, 0, 384), MISS);
	CHECK_STR(draw_d1(&f).text, "FE");
	CHECK_STR(draw_filter(&f).text, "EF");
	CHECK_EQ_U64(data(&f, 0, 384), MISS);
	CHECK_STR(draw_d1(&f).text, "FE");
	CHECK_EQ_U64(data(&f, 256, 128), SLOW);
	CHECK_EQ_U64(data(&f, 192, 64), MISS);
	CHECK_STR(draw_d1(&f).text, "DF");
	CHECK_STR(draw_filter(&f).text, "DF");
	fixture_release(&f);
}

/* --- LL ----------------------------------------------------------------------- */

/* As in hierarchy_test, in which the rules are tried one by one. */
TEST(ll_sees_the_whole_of_what_missed_the_first_level)
{
	const struct cache_geometry first = { 128, 2, 64 };
	const struct two_levels geometry = { first, first, { 256, 4, 64 } };
	struct fixture f;
	struct machine *machine;
	struct code_line *lines[2];

	fixture_init(&f, &geometry);
	machine = f.machine;
	CHECK_EQ_U64(machine_data(machine, 0, 8, 1), MEMORY);
	CHECK_STR(draw(&machine->lower.caches[0]).text, "A...");
	CHECK_EQ_U64(machine_data(machine, 0, 8, 2), 0);
	CHECK_EQ_U64(machine_data(machine, 64, 8, 3), MEMORY);
	CHECK_EQ_U64(machine_data(machine, 4, 8, 4), 0);
	CHECK_STR(draw(&machine->lower.caches[0]).text,
		  "BA.."); /* LL still thinks B the younger one */
	CHECK_EQ_U64(machine_data(machine, 126, 4, 5), MEMORY);
	CHECK_STR(draw_d1(&f).text, "CB");
	CHECK_STR(draw(&machine->lower.caches[0]).text, "CBA.");
	lines[0] = &f.code[0];
	lines[1] = &f.code[1];
	CHECK_EQ_U64(machine_fetch(machine, lines, 1, 10, 4, 7), LL_HIT);
	CHECK_STR(draw(&machine->lower.caches[0]).text, "ACB.");
	CHECK_EQ_U64(machine_fetch(machine, lines, 2, 62, 4, 8), LL_HIT); /* A hits, B misses */
	CHECK_STR(draw(&machine->lower.caches[0]).text, "BAC.");
	CHECK_EQ_U64(machine_fetch(machine, lines, 2, 62, 4, 10), 0);
	CHECK_EQ_U64(machine_data(machine, 192, 4, 12), MEMORY);
	CHECK_EQ_U64(machine_data(machine, 256, 4, 13), MEMORY);
	CHECK_STR(draw(&machine->lower.caches[0]).text, "EDBA");
	CHECK_EQ_U64(machine_data(machine, 128, 4, 14), MEMORY);
	CHECK_STR(draw_i1(&f).text, "BA"); /* what LL drops stays in I1 */
	fixture_release(&f);
}

/* --- code --------------------------------------------------------------------- */

TEST(lines_of_code_know_whether_they_are_in_i1)
{
	struct fixture f;

	fixture_init_small(&f, 192, 3, 64);
	CHECK_STR(draw_i1(&f).text, "...");
	CHECK_STR(draw_resident(&f).text, "");
	FETCH(&f, 'A', 1, MISS, "A..", "A");
	FETCH(&f, 'A', 1, FAST, "A..", "A");
	FETCH(&f, 'B', 1, MISS, "BA.", "AB");
	FETCH(&f, 'A', 1, FAST, "AB.", "AB");
	FETCH(&f, 'C', 2, MISS, "DCA", "ACD"); /* B goes */
	FETCH(&f, 'C', 2, FAST, "DCA", "ACD");
	FETCH(&f, 'B', 2, MISS, "CBD", "BCD"); /* C was there */
	FETCH(&f, 'D', 1, FAST, "DCB", "BCD");
	FETCH(&f, 'Z', 1, MISS, "ZDC", "CDZ");
	FETCH(&f, 'D', 1, FAST, "DZC", "CDZ");
	FETCH(&f, 'A', 1, MISS, "ADZ", "ADZ");
	fixture_release(&f);
}

TEST(sets_of_code_keep_apart)
{
	struct fixture f;

	fixture_init_small(&f, 128, 2, 32);
	FETCH(&f, 'A', 1, MISS, "A.|..", "A");
	FETCH(&f, 'B', 2, MISS, "CA|B.", "ABC");
	FETCH(&f, 'D', 1, MISS, "CA|DB", "ABCD");
	FETCH(&f, 'B', 1, FAST, "CA|BD", "ABCD");
	FETCH(&f, 'E', 2, MISS, "EC|FB", "BCEF");
	FETCH(&f, 'Z', 1, MISS, "EC|ZF", "CEFZ");
	FETCH(&f, 'C', 1, FAST, "CE|ZF", "CEFZ");
	FETCH(&f, 'A', 1, MISS, "AC|ZF", "ACFZ");
	fixture_release(&f);
}

/* The second line may have its stamp before the first one is fetched; it ends all the same. */
TEST(fetches_of_lines_of_one_set)
{
	struct fixture f;

	fixture_init_small(&f, 128, 2, 64);
	FETCH(&f, 'B', 1, MISS, "B.", "B");
	FETCH(&f, 'C', 1, MISS, "CB", "BC");
	FETCH(&f, 'A', 2, MISS, "BA", "AB");
	FETCH(&f, 'B', 2, MISS, "CB", "BC");
	FETCH(&f, 'A', 3, MISS, "CB", "BC");
	FETCH(&f, 'D', 4, MISS, "GF", "FG");
	FETCH(&f, 'F', 2, FAST, "GF", "FG");
	fixture_release(&f);
	fixture_init_small(&f, 128, 1, 64);
	FETCH(&f, 'A', 2, MISS, "A|B", "AB");
	FETCH(&f, 'B', 2, MISS, "C|B", "BC");
	FETCH(&f, 'A', 3, MISS, "C|B", "BC"); /* A and C share a way */
	FETCH(&f, 'A', 3, MISS, "C|B", "BC");
	fixture_release(&f);
}

TEST(fetches_give_ascending_stamps)
{
	struct fixture f;
	struct code_line *lines[3];

	fixture_init_small(&f, 256, 4, 64);
	for (int i = 0; i < 3; i++)
		lines[i] = &f.code[i];
	CHECK_EQ_U64(machine_fetch(f.machine, lines, 3, 0, 192, 10), MEMORY);
	CHECK_EQ_U64(*lines[0]->stamp, 10);
	CHECK_EQ_U64(*lines[1]->stamp, 11);
	CHECK_EQ_U64(*lines[2]->stamp, 12);
	CHECK(machine_fetch_fast(f.machine, lines[1], 20));
	CHECK_EQ_U64(*lines[1]->stamp, 20);
	CHECK_EQ_U64(machine_fetch(f.machine, lines, 2, 0, 128, 30), 0);
	CHECK_EQ_U64(*lines[0]->stamp, 30);
	CHECK_EQ_U64(*lines[1]->stamp, 31);
	CHECK_EQ_U64(*lines[2]->stamp, 12);
	fixture_release(&f);
}

/* Stamps of absent lines go to a word whose value nobody uses. */
TEST(nowhere_is_written_and_never_read)
{
	static const uint64_t values[] = { 0, 1, 5, UINT64_MAX };

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct fixture f;

		fixture_init_small(&f, 128, 2, 64);
		CHECK(f.code[0].stamp == &f.machine->nowhere);
		CHECK(!machine_fetch_fast(f.machine, &f.code[0], 4711));
		CHECK_EQ_U64(f.machine->nowhere, 4711);
		CHECK(!machine_fetch_fast(f.machine, &f.code[0], 4712));
		CHECK_STR(draw_i1(&f).text, "..");
		f.machine->nowhere = values[i];
		FETCH(&f, 'A', 1, MISS, "A.", "A");
		f.machine->nowhere = values[i];
		FETCH(&f, 'B', 1, MISS, "BA", "AB");
		DATA(&f, 'A', MISS, "A.", "A");
		*f.machine->d1.nowhere = values[i];
		DATA(&f, 'B', MISS, "BA", "AB");
		FETCH(&f, 'A', 1, FAST, "AB", "AB");
		DATA(&f, 'A', FAST, "AB", "AB");
		f.machine->nowhere = *f.machine->d1.nowhere = values[i];
		DATA(&f, 'C', MISS, "CA", "AC");
		FETCH(&f, 'C', 1, MISS, "CA", "AC");
		fixture_release(&f);
	}
}

/* --- branches ----------------------------------------------------------------- */

TEST(cells_go_through_all_their_transitions)
{
	/* For each counter and outcome: the next counter, and whether the counter was wrong. */
	static const struct {
		uint8_t counter, taken, next, wrong;
	} rows[] = {
		{ 0, 0, 0, 0 }, { 1, 0, 0, 0 }, { 2, 0, 1, 1 }, { 3, 0, 2, 1 },
		{ 0, 1, 1, 1 }, { 1, 1, 2, 1 }, { 2, 1, 3, 0 }, { 3, 1, 3, 0 },
	};
	struct fixture f;

	fixture_init_small(&f, 128, 2, 64);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		/* What a cell says about its last prediction is nothing to the next one. */
		for (unsigned was_wrong = 0; was_wrong < 2; was_wrong++) {
			unsigned cell = rows[i].counter | was_wrong << MACHINE_CELL_MISS_BIT;
			unsigned next = rows[i].next | rows[i].wrong << MACHINE_CELL_MISS_BIT;
			unsigned column = rows[i].taken ? MACHINE_CELL_TAKEN : 0;

			CHECK_EQ_U64(f.machine->next_cell[cell + column], next);
			f.machine->history = 0;
			f.machine->cells[77 << 7] = (uint8_t)cell;
			CHECK_EQ_U64(machine_branch(f.machine, 77, rows[i].taken), rows[i].wrong);
			CHECK_EQ_U64(f.machine->cells[77 << 7], next);
		}
	}
	fixture_release(&f);
}

TEST(history_and_cells_after_known_outcomes)
{
	/* The seven outcomes before each branch, newest in bit 0, and its cell after it. */
	static const struct {
		uint64_t history;
		bool taken, wrong;
		uint8_t cell;
	} rows[] = {
		{ 0x00, true, true, 5 },  { 0x01, false, false, 0 }, { 0x02, true, true, 5 },
		{ 0x05, true, true, 5 },  { 0x0b, true, true, 5 },   { 0x17, true, true, 5 },
		{ 0x2f, true, true, 5 },  { 0x5f, true, true, 5 },   { 0x3f, true, true, 5 },
		{ 0x7f, true, true, 5 },  { 0x7f, true, true, 6 },   { 0x7f, true, false, 3 },
		{ 0x7f, true, false, 3 }, { 0x7f, false, true, 6 },  { 0x7e, false, false, 0 },
		{ 0x7c, true, true, 5 },
	};
	struct fixture f;

	fixture_init_small(&f, 128, 2, 64);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t index = 0x34 << 7 | rows[i].history; /* low bits of the address */

		CHECK_EQ_U64(f.machine->history, rows[i].history);
		CHECK(machine_branch(f.machine, 0x1234, rows[i].taken) == rows[i].wrong);
		CHECK_EQ_U64(f.machine->cells[index], rows[i].cell);
	}
	CHECK_EQ_U64(f.machine->history, 0x79);
	fixture_release(&f);
}

TEST(jumps_go_where_they_went_last)
{
	struct fixture f;

	fixture_init_small(&f, 128, 2, 64);
	CHECK(!machine_jump(f.machine, 101, 0)); /* cold ones say 0 */
	CHECK(machine_jump(f.machine, 100, 0x4000));
	CHECK(!machine_jump(f.machine, 100, 0x4000));
	CHECK(!machine_jump(f.machine, 100 + 512, 0x4000)); /* shares the entry */
	CHECK(machine_jump(f.machine, 100 + 1024, UINT64_C(0x8000000000004000)));
	CHECK(machine_jump(f.machine, 100, 0x4000));
	CHECK(machine_jump(f.machine, 100 + 256, 0x4000));
	CHECK(machine_jump(f.machine, UINT64_MAX, 0x4000));
	CHECK(!machine_jump(f.machine, 511, 0x4000));
	fixture_release(&f);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(evicted_lines_leave_the_filter),
		CHECK_TEST(lines_of_one_entry_displace_each_other_and_stay_resident),
		CHECK_TEST(stamps_of_displaced_lines_are_kept),
		CHECK_TEST(sets_keep_apart),
		CHECK_TEST(lines_with_one_low_tag_keep_apart),
		CHECK_TEST(direct_mapped),
		CHECK_TEST(first_and_last_line_of_the_address_space_are_ordinary),
		CHECK_TEST(cold_filter_names_no_line),
		CHECK_TEST(filter_has_an_entry_for_each_line_of_d1),
		CHECK_TEST(all_lines_of_a_large_d1_are_named),
		CHECK_TEST(only_what_lies_inside_one_line_is_fast),
		CHECK_TEST(lines_of_a_reference_get_stamps_in_ascending_order),
		CHECK_TEST(stamps_needed_are_the_lines_covered_at_most),
		CHECK_TEST(longer_than_d1),
		CHECK_TEST(ll_sees_the_whole_of_what_missed_the_first_level),
		CHECK_TEST(lines_of_code_know_whether_they_are_in_i1),
		CHECK_TEST(sets_of_code_keep_apart),
		CHECK_TEST(fetches_of_lines_of_one_set),
		CHECK_TEST(fetches_give_ascending_stamps),
		CHECK_TEST(nowhere_is_written_and_never_read),
		CHECK_TEST(cells_go_through_all_their_transitions),
		CHECK_TEST(history_and_cells_after_known_outcomes),
		CHECK_TEST(jumps_go_where_they_went_last),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
