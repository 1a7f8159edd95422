/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header line of a region, and sums of regions over parts and processes. */
#include "profile/common/region.h"

#include <string.h>

#include "tests/common/check.h"

/* What was read of a value, written again; "-" if it is no region of two events. */
static void check_read(const char *value, const char *want)
{
	struct part_region region;
	struct arena arena;
	struct bytes text;

	arena_init(&arena);
	bytes_init(&text);
	if (region_read(&region, value, 2, &arena))
		region_print(&region, &text);
	else
		bytes_add_char(&text, '-');
	bytes_add_char(&text, '\0');
	CHECK_STR(text.text, want ? want : value);
	bytes_release(&text);
	arena_release(&arena);
}

TEST(lines)
{
	check_read("3 times, 2 threads, costs 1200 310: parse", NULL);
	check_read("1 times, 1 threads, not over, costs 7: crc/64: <a, b>", NULL);
	check_read("0 times, 0 threads, costs 0: ::", NULL);
	check_read("18446744073709551615 times, 1 threads, costs 0 18446744073709551615: a", NULL);
	check_read("1 times, 1 threads, costs 7 0: a", "1 times, 1 threads, costs 7: a");
	check_read("1 times, 1 threads, costs 0 0: a", "1 times, 1 threads, costs 0: a");
	/* What is none. */
	check_read("parse: 3 times, Ir 1200", "-");
	check_read("", "-");
	check_read("3 times", "-");
	check_read("3 times, 2 threads, costs 1 2 3: a", "-");
	check_read("3 times, 2 threads, costs: a", "-");
	check_read("3 times, 2 threads, costs : a", "-");
	check_read("3 times, 2 threads, costs 1  2: a", "-");
	check_read("3 times, 2 threads, costs 1 -2: a", "-");
	check_read("3 times, 2 threads, costs +1: a", "-");
	check_read("3 times, 2 threads, costs 1 18446744073709551616: a", "-");
	check_read("3 times, 2 threads, costs 1 2", "-");
	check_read("3 times, 2 threads, costs 1 2: ", "-");
	check_read("3 times, 2 threads, costs 1 2:a", "-");
	check_read("3 times, threads, costs 1: a", "-");
	check_read("3 times, 1 thread, costs 1: a", "-");
	check_read("3 times, 1 threads, over, costs 1: a", "-");
}

/* A part, and what is said about its regions. */
struct said {
	bool is_new_file;
	uint64_t pid, number, thread; /* 0 = not said */
	const char *regions[4];       /* values, the last one is NULL */
};

/* Adds parts in an order; the sums as lines. */
static void sum_up(const struct said *parts, const size_t *order, size_t n, char *text, size_t size)
{
	struct regions sums;
	struct arena arena;
	struct bytes line;

	arena_init(&arena);
	bytes_init(&line);
	regions_init(&sums);
	for (size_t i = 0; i < n; i++) {
		const struct said *said = &parts[order[i]];
		struct part_region regions[4];
		struct part part = {
			.pid = said->pid,
			.has_pid = said->pid > 0,
			.number = said->number,
			.has_number = said->number > 0,
			.thread = said->thread,
			.has_thread = said->thread > 0,
			.regions = regions,
		};

		while (said->regions[part.n_regions] &&
		       CHECK(region_read(&regions[part.n_regions], said->regions[part.n_regions], 3,
					 &arena)))
			part.n_regions++;
		if (said->is_new_file)
			regions_begin_file(&sums);
		CHECK(regions_add(&sums, &part, NULL) == PROFILE_OK);
	}
	for (size_t i = 0; i < sums.n; i++) {
		region_print(&sums.all[i], &line);
		bytes_add_char(&line, '\n');
	}
	bytes_add_char(&line, '\0');
	snprintf(text, size, "%s", line.text);
	regions_release(&sums);
	bytes_release(&line);
	arena_release(&arena);
}

/* The sums of three parts, whatever their order. */
static void check_sums(const struct said parts[3], const char *want)
{
	static const size_t orders[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
					    { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
	char text[512];

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		sum_up(parts, orders[i], 3, text, sizeof(text));
		CHECK_STR(text, want);
	}
}

TEST(order)
{
	/* All parts have the same order: it stays. */
	check_sums((const struct said[]){ { true,
					    1,
					    1,
					    0,
					    { "1 times, 1 threads, costs 1: b",
					      "1 times, 1 threads, costs 2 1: a" } },
					  { true,
					    1,
					    2,
					    0,
					    { "2 times, 1 threads, costs 3: b",
					      "1 times, 1 threads, costs 5 0 1: a" } },
					  { true,
					    1,
					    3,
					    0,
					    { "1 times, 1 threads, costs 0: b",
					      "1 times, 1 threads, costs 1: a" } } },
		   "4 times, 1 threads, costs 4: b\n3 times, 1 threads, costs 8 1 1: a\n");
	/* One of them has another one, or lacks one: by name. */
	check_sums(
		(const struct said[]){
			{ true,
			  1,
			  1,
			  0,
			  { "1 times, 1 threads, costs 1: b", "1 times, 1 threads, costs 1: a" } },
			{ true,
			  1,
			  2,
			  0,
			  { "1 times, 1 threads, costs 1: c", "1 times, 1 threads, costs 1: b" } },
			{ true, 1, 3, 0, { NULL } } },
		"1 times, 1 threads, costs 1: a\n2 times, 1 threads, costs 2: b\n"
		"1 times, 1 threads, costs 1: c\n");
}

TEST(threads)
{
	/* The most of a process's parts, and all of several processes. */
	check_sums((const struct said[]){ { true, 7, 1, 0, { "1 times, 2 threads, costs 1: a" } },
					  { false, 7, 2, 0, { "1 times, 3 threads, costs 1: a" } },
					  { true, 8, 1, 0, { "1 times, 4 threads, costs 1: a" } } },
		   "3 times, 7 threads, costs 3: a\n");
	/* Parts of threads. */
	check_sums((const struct said[]){ { true, 7, 1, 1, { "1 times, 1 threads, costs 1: a" } },
					  { true, 7, 1, 2, { "1 times, 1 threads, costs 1: a" } },
					  { true, 7, 2, 2, { "1 times, 1 threads, costs 1: a" } } },
		   "3 times, 2 threads, costs 3: a\n");
	/* Files that do not say which process they are of. */
	check_sums((const struct said[]){ { true, 0, 0, 0, { "1 times, 2 threads, costs 1: a" } },
					  { true, 0, 0, 0, { "1 times, 3 threads, costs 1: a" } },
					  { true, 9, 0, 0, { "1 times, 1 threads, costs 1: a" } } },
		   "3 times, 6 threads, costs 3: a\n");
}

TEST(not_over)
{
	/* What the last part of a process says. */
	check_sums(
		(const struct said[]){
			{ true, 7, 1, 0, { "1 times, 1 threads, not over, costs 1: a" } },
			{ true, 7, 2, 0, { "1 times, 1 threads, costs 1: a" } },
			{ true, 8, 1, 0, { "1 times, 1 threads, costs 1: a" } } },
		"3 times, 2 threads, costs 3: a\n");
	check_sums(
		(const struct said[]){
			{ true, 7, 1, 0, { "1 times, 1 threads, costs 1: a" } },
			{ true, 7, 2, 0, { "1 times, 1 threads, not over, costs 1: a" } },
			{ true, 8, 5, 0, { "1 times, 1 threads, costs 1: a" } } },
		"3 times, 2 threads, not over, costs 3: a\n");
}

TEST(beyond_64_bits)
{
	static const uint64_t most = UINT64_MAX, one = 1;
	const struct part_region large = { "a", 1, 1, false, &most, 1 };
	const struct part_region small = { "a", 1, 1, false, &one, 1 };
	struct part part = { .regions = &large, .n_regions = 1 };
	struct regions sums;

	regions_init(&sums);
	CHECK(regions_add(&sums, &part, NULL) == PROFILE_OK);
	part.regions = &small;
	CHECK(regions_add(&sums, &part, NULL) == PROFILE_RANGE);
	regions_release(&sums);
}

TEST(columns)
{
	static const uint64_t costs[] = { 1, 2, 3 };
	static const uint16_t columns[] = { 4, PROFILE_MAX_EVENTS, 0 };
	const struct part_region region = { "a", 1, 1, false, costs, 3 };
	const struct part part = { .regions = &region, .n_regions = 1 };
	struct bytes text;
	struct regions sums;

	bytes_init(&text);
	regions_init(&sums);
	CHECK(regions_add(&sums, &part, columns) == PROFILE_OK);
	region_print(&sums.all[0], &text);
	bytes_add_char(&text, '\0');
	CHECK_STR(text.text, "1 times, 1 threads, costs 3 0 0 0 1: a");
	regions_release(&sums);
	bytes_release(&text);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(lines),    CHECK_TEST(order),          CHECK_TEST(threads),
		CHECK_TEST(not_over), CHECK_TEST(beyond_64_bits), CHECK_TEST(columns),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
