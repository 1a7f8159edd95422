/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/geometry: what is read, what is legal, what is said about the rest, and
 * how a last level is rounded.
 */
#include "sim/geometry.h"

#include <stdlib.h>

#include "tests/common/check.h"

#define MAX_SIZE_TEXT "4611686018427387903" /* 2^62 - 1, GEOMETRY_MAX_SIZE with 64-bit size_t */

TEST(parse_reads_three_numbers)
{
	static const struct {
		const char *text;
		struct cache_geometry geometry;
	} cases[] = {
		{ "32768,8,64", { 32768, 8, 64 } },
		{ "24576,6,64", { 24576, 6, 64 } },
		{ "0,0,0", { 0, 0, 0 } }, /* well-formed; geometry_check() will complain */
		{ "1,2,3", { 1, 2, 3 } },
		{ "00032768,08,064", { 32768, 8, 64 } },
		{ "000000000000000000000000000000001,2,3", { 1, 2, 3 } },
		{ MAX_SIZE_TEXT ",2147483647,2147483647",
		  { UINT64_C(4611686018427387903), 2147483647, 2147483647 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cache_geometry geometry = { 77, 77, 77 };

		CHECK(geometry_parse(cases[i].text, &geometry) == GEOMETRY_OK);
		CHECK_EQ_U64(geometry.size, cases[i].geometry.size);
		CHECK_EQ_U64(geometry.assoc, cases[i].geometry.assoc);
		CHECK_EQ_U64(geometry.line_size, cases[i].geometry.line_size);
	}
}

TEST(parse_refuses_everything_else)
{
	static const char *const wrong[] = {
		"",
		",",
		",,",
		"32768",
		"32768,",
		"32768,8",
		"32768,8,",
		"32768,8,64,",
		"32768,8,64,1",
		",8,64",
		"32768,,64",
		" 32768,8,64",
		"32768, 8,64",
		"32768,8,64 ",
		"32768,8,64\n",
		"+32768,8,64",
		"32768,-8,64",
		"32k,8,64",
		"32768;8;64",
		"0x8000,8,64",
		"32768.0,8,64",
		"32768,8,64B",
		"\xd9\xa1,8,64",          /* an Arabic digit is no digit */
		"99999999999999999999,8", /* malformed comes before too large */
		"99999999999999999999,x,64",
	};
	static const char *const large[] = {
		"4611686018427387904,8,64",
		"9223372036854775808,8,64",
		"18446744073709551616,8,64", /* 2^64: would wrap to 0 */
		"18446744073709584384,8,64", /* 2^64 + 32768 */
		"99999999999999999999999999999999999999999,8,64",
		"32768,2147483648,64",
		"32768,4294967304,64", /* 2^32 + 8 */
		"32768,8,2147483648",
		"32768,8,4294967360",
		"32768,8,18446744073709551680",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct cache_geometry geometry = { 77, 77, 77 };

		if (!CHECK(geometry_parse(wrong[i], &geometry) == GEOMETRY_SYNTAX))
			check_print_quoted("text", wrong[i]);
		CHECK(geometry.size == 77 && geometry.assoc == 77 && geometry.line_size == 77);
	}
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		struct cache_geometry geometry = { 77, 77, 77 };

		if (!CHECK(geometry_parse(large[i], &geometry) == GEOMETRY_OVERFLOW))
			check_print_quoted("text", large[i]);
		CHECK(geometry.size == 77 && geometry.assoc == 77 && geometry.line_size == 77);
	}
}

TEST(legal_ones_and_their_sets)
{
	static const struct {
		struct cache_geometry geometry;
		uint64_t sets;
	} cases[] = {
		{ { 32, 1, 16 }, 2 },
		{ { 32, 2, 16 }, 1 },
		{ { 48, 3, 16 }, 1 },
		{ { 65536, 2, 64 }, 512 },
		{ { 32768, 8, 64 }, 64 },
		{ { 24576, 6, 64 }, 64 },
		{ { 49152, 12, 64 }, 64 },
		{ { 3145728, 12, 64 }, 4096 },
		{ { 109051904, 26, 64 }, 65536 },
		{ { 32768, 512, 64 }, 1 }, /* fully associative */
		{ { UINT64_C(1) << 40, 1, 1 << 30 }, 1024 },
		{ { UINT64_C(1) << 61, 1, 16 }, UINT64_C(1) << 57 },
		{ { UINT64_C(2147483647) << 30, 2147483647, 1 << 30 }, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK(geometry_check(&cases[i].geometry) == GEOMETRY_OK);
		CHECK_EQ_U64(geometry_sets(&cases[i].geometry), cases[i].sets);
	}
}

/* The text for each way of being wrong; the first rule broken decides. */
static const struct {
	struct cache_geometry geometry;
	enum geometry_status status;
	const char *text;
} explained[] = {
	{ { UINT64_C(1) << 62, 0, 0 },
	  GEOMETRY_OVERFLOW,
	  "a number is too large: size may be at most " MAX_SIZE_TEXT
	  ", associativity 2147483647, line size 1073741824" },
	{ { 0, 0, UINT32_C(1) << 31 },
	  GEOMETRY_OVERFLOW,
	  "a number is too large: size may be at most " MAX_SIZE_TEXT
	  ", associativity 2147483647, line size 1073741824" },
	{ { 0, UINT32_MAX, 64 },
	  GEOMETRY_OVERFLOW,
	  "a number is too large: size may be at most " MAX_SIZE_TEXT
	  ", associativity 2147483647, line size 1073741824" },
	{ { 0, 0, 0 },
	  GEOMETRY_ZERO_SIZE,
	  "size is 0: must be associativity * line size times a power of two, for example "
	  "32768 for 8 and 64" },
	{ { 32768, 0, 0 },
	  GEOMETRY_ZERO_ASSOC,
	  "associativity is 0: must be 1 (direct-mapped) or more, for example 8" },
	{ { 32768, 8, 0 },
	  GEOMETRY_ZERO_LINE_SIZE,
	  "line size is 0: must be a power of two from 16 on, for example 64" },
	{ { 32768, 8, 48 },
	  GEOMETRY_LINE_NOT_POWER_OF_TWO,
	  "line size 48 is no power of two; nearest legal: line size 32 or 64" },
	{ { 32768, 8, 3 },
	  GEOMETRY_LINE_NOT_POWER_OF_TWO,
	  "line size 3 is no power of two; nearest legal: line size 16" },
	{ { 32768, 8, 2147483647 },
	  GEOMETRY_LINE_NOT_POWER_OF_TWO,
	  "line size 2147483647 is no power of two; nearest legal: line size 1073741824" },
	{ { 32768, 8, 8 },
	  GEOMETRY_LINE_TOO_SMALL,
	  "line size 8 is too small: must be at least 16" },
	{ { 32768, 8, 1 },
	  GEOMETRY_LINE_TOO_SMALL,
	  "line size 1 is too small: must be at least 16" },
	{ { 64, 1, 64 },
	  GEOMETRY_SIZE_NOT_ABOVE_LINE,
	  "size 64 is not above line size 64; nearest legal: size 128" },
	{ { 64, 8, 64 },
	  GEOMETRY_SIZE_NOT_ABOVE_LINE,
	  "size 64 is not above line size 64; nearest legal: size 512" },
	{ { 1, 3, 64 },
	  GEOMETRY_SIZE_NOT_ABOVE_LINE,
	  "size 1 is not above line size 64; nearest legal: size 192" },
	{ { 512, 9, 64 },
	  GEOMETRY_ASSOC_TOO_LARGE,
	  "associativity 9 is above the number of lines, 8 (size 512 / line size 64); "
	  "nearest legal: size 576, or associativity 8" },
	{ { 500, 8, 64 },
	  GEOMETRY_ASSOC_TOO_LARGE,
	  "associativity 8 is above the number of lines, 7 (size 500 / line size 64); "
	  "nearest legal: size 512" },
	{ { 65, 1, 64 },
	  GEOMETRY_SETS_NOT_WHOLE,
	  "size 65 is no multiple of associativity 1 * line size 64 = 64; "
	  "nearest legal: size 128" },
	{ { 1000, 2, 64 },
	  GEOMETRY_SETS_NOT_WHOLE,
	  "size 1000 is no multiple of associativity 2 * line size 64 = 128; "
	  "nearest legal: size 512 or 1024" },
	{ { 32768, 9, 64 },
	  GEOMETRY_SETS_NOT_WHOLE,
	  "size 32768 is no multiple of associativity 9 * line size 64 = 576; "
	  "nearest legal: size 18432 or 36864, or associativity 8 or 16" },
	{ { 24576, 8, 64 },
	  GEOMETRY_SETS_NOT_POWER_OF_TWO,
	  "the number of sets, 48 (size 24576 / associativity 8 / line size 64), is no "
	  "power of two; nearest legal: size 16384 or 32768, or associativity 6 or 12" },
	{ { 49152, 2, 64 },
	  GEOMETRY_SETS_NOT_POWER_OF_TWO,
	  "the number of sets, 384 (size 49152 / associativity 2 / line size 64), is no "
	  "power of two; nearest legal: size 32768 or 65536, or associativity 3" },
	{ { 192, 1, 64 },
	  GEOMETRY_SETS_NOT_POWER_OF_TWO,
	  "the number of sets, 3 (size 192 / associativity 1 / line size 64), is no "
	  "power of two; nearest legal: size 128 or 256" },
	{ { 110100480, 15, 64 },
	  GEOMETRY_SETS_NOT_POWER_OF_TWO,
	  "the number of sets, 114688 (size 110100480 / associativity 15 / line size 64), "
	  "is no power of two; nearest legal: size 62914560 or 125829120" },
	{ { UINT64_C(3) << 60, 3, 1 << 20 }, GEOMETRY_OK, "" },
	{ { UINT64_C(7) << 59, 1, 16 },
	  GEOMETRY_SETS_NOT_POWER_OF_TWO,
	  "the number of sets, 252201579132747776 (size 4035225266123964416 / "
	  "associativity 1 / line size 16), is no power of two; "
	  "nearest legal: size 2305843009213693952" },
};

TEST(illegal_ones_and_what_is_said)
{
	for (size_t i = 0; i < sizeof(explained) / sizeof(explained[0]); i++) {
		char text[GEOMETRY_MESSAGE_SIZE];

		CHECK_EQ_U64(geometry_check(&explained[i].geometry), explained[i].status);
		CHECK_EQ_U64(geometry_check_any_sets(&explained[i].geometry),
			     explained[i].status == GEOMETRY_SETS_NOT_POWER_OF_TWO
				     ? GEOMETRY_OK
				     : explained[i].status);
		geometry_explain(explained[i].status, &explained[i].geometry,
				 GEOMETRY_MIN_LINE_SIZE, text);
		CHECK_STR(text, explained[i].text);
	}
}

TEST(explain_needs_no_geometry_after_parse)
{
	const struct cache_geometry legal = { 32768, 8, 64 }; /* whatever was there before */
	char text[GEOMETRY_MESSAGE_SIZE];

	geometry_explain(GEOMETRY_SYNTAX, &legal, GEOMETRY_MIN_LINE_SIZE, text);
	CHECK_STR(text, "must be <size>,<associativity>,<line size>, three decimal numbers, "
			"for example 32768,8,64");
	geometry_explain(GEOMETRY_OVERFLOW, &legal, GEOMETRY_MIN_LINE_SIZE, text);
	CHECK(strncmp(text, "a number is too large: ", 23) == 0);
}

/* The user's bound, of proposals for line sizes alone; the status is the simulator's. */
TEST(explain_keeps_to_the_bound_of_line_sizes)
{
	static const struct {
		uint32_t line_size, min_line_size;
		const char *text;
	} bounds[] = {
		{ 0, 32, "line size is 0: must be a power of two from 32 on, for example 64" },
		{ 8, 32, "line size 8 is too small: must be at least 32" },
		{ 3, 32, "line size 3 is no power of two; nearest legal: line size 32" },
		{ 31, 32, "line size 31 is no power of two; nearest legal: line size 32" },
		{ 33, 32, "line size 33 is no power of two; nearest legal: line size 32 or 64" },
		{ 33, 64, "line size 33 is no power of two; nearest legal: line size 64" },
	};

	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		const struct cache_geometry geometry = { 1024, 2, bounds[i].line_size };
		char text[GEOMETRY_MESSAGE_SIZE];

		geometry_explain(geometry_check(&geometry), &geometry, bounds[i].min_line_size,
				 text);
		CHECK_STR(text, bounds[i].text);
	}
}

TEST(explain_of_another_status_is_empty)
{
	const struct cache_geometry geometry = { 32768, 0, 64 };
	char text[GEOMETRY_MESSAGE_SIZE];

	for (int status = GEOMETRY_OK; status <= GEOMETRY_SETS_NOT_POWER_OF_TWO; status++) {
		if (status == GEOMETRY_SYNTAX || status == GEOMETRY_OVERFLOW ||
		    status == GEOMETRY_ZERO_ASSOC)
			continue;
		memset(text, 'x', sizeof(text));
		geometry_explain((enum geometry_status)status, &geometry, GEOMETRY_MIN_LINE_SIZE,
				 text);
		CHECK_STR(text, "");
	}
}

/* The definition once more, by trying all numbers of sets. */
static bool is_legal(uint64_t size, uint64_t assoc, uint64_t line_size)
{
	bool line_ok = line_size == 16 || line_size == 32 || line_size == 64;

	for (uint64_t sets = 1; sets <= size; sets *= 2) {
		if (line_ok && size > line_size && sets * assoc * line_size == size)
			return true;
	}
	return false;
}

TEST(check_equals_the_definition)
{
	uint64_t legal = 0;

	for (uint32_t line_size = 0; line_size <= 66; line_size++) {
		for (uint32_t assoc = 0; assoc <= 20; assoc++) {
			for (uint64_t size = 0; size <= 1100; size++) {
				const struct cache_geometry geometry = { size, assoc, line_size };
				bool ok = geometry_check(&geometry) == GEOMETRY_OK;

				legal += ok;
				if (!CHECK(ok == is_legal(size, assoc, line_size)))
					return;
			}
		}
	}
	CHECK(legal > 50);
}

/* Reads " 512 or 1024" after word into numbers; returns how many there are. */
static int read_numbers(const char *text, const char *word, uint64_t numbers[2])
{
	const char *nearest = strstr(text, "nearest legal: ");
	const char *place = nearest ? strstr(nearest, word) : NULL;
	char *end;

	if (!place)
		return 0;
	numbers[0] = strtoull(place + strlen(word), &end, 10);
	if (strncmp(end, " or ", 4) != 0 || end[4] < '0' || end[4] > '9')
		return 1;
	numbers[1] = strtoull(end + 4, NULL, 10);
	return 2;
}

/* What is proposed is legal, and nothing legal is nearer. */
static bool proposal_is_right(const struct cache_geometry *geometry, const char *text)
{
	struct cache_geometry other = *geometry;
	uint64_t numbers[2];
	int sizes = read_numbers(text, "size ", numbers);
	bool right = true;

	if (!CHECK(sizes > 0))
		return false;
	for (int i = 0; i < sizes; i++) {
		other.size = numbers[i];
		right = CHECK(geometry_check(&other) == GEOMETRY_OK) && right;
	}
	for (other.size = sizes > 1 ? numbers[0] + 1 : 0; other.size < numbers[sizes - 1];
	     other.size++)
		right = CHECK(geometry_check(&other) != GEOMETRY_OK) && right;
	other = *geometry;

	int assocs = read_numbers(text, "associativity ", numbers);

	for (int i = 0; i < assocs; i++) {
		other.assoc = (uint32_t)numbers[i];
		right = CHECK(geometry_check(&other) == GEOMETRY_OK) && right;
	}
	other.assoc = assocs > 1 ? (uint32_t)numbers[0] + 1 : geometry->assoc;
	for (; assocs > 0 && other.assoc < numbers[assocs - 1]; other.assoc++)
		right = CHECK(geometry_check(&other) != GEOMETRY_OK) && right;
	return right;
}

TEST(explain_proposes_the_nearest_legal_ones)
{
	struct check_random random = CHECK_RANDOM_INIT;

	for (int i = 0; i < 20000; i++) {
		struct cache_geometry geometry = {
			16 + check_random_below(&random, 3000),
			1 + (uint32_t)check_random_below(&random, 20),
			UINT32_C(16) << check_random_below(&random, 4),
		};
		char text[GEOMETRY_MESSAGE_SIZE];

		if (check_random_below(&random, 2))
			geometry.size = geometry.size / 16 * 16;

		enum geometry_status status = geometry_check(&geometry);

		geometry_explain(status, &geometry, GEOMETRY_MIN_LINE_SIZE, text);
		if (status == GEOMETRY_OK)
			continue;
		if (!proposal_is_right(&geometry, text)) {
			check_print_quoted("text", text);
			return;
		}
	}
}

TEST(explain_never_runs_out_of_room)
{
	struct check_random random = CHECK_RANDOM_INIT;

	for (int i = 0; i < 200000; i++) {
		struct cache_geometry geometry = {
			check_random(&random) >> check_random_below(&random, 64),
			(uint32_t)(check_random(&random) >> (32 + check_random_below(&random, 32))),
			UINT32_C(1) << check_random_below(&random, 32),
		};
		char text[GEOMETRY_MESSAGE_SIZE];
		enum geometry_status status = geometry_check(&geometry);

		memset(text, 'x', sizeof(text));
		geometry_explain(status, &geometry, GEOMETRY_MIN_LINE_SIZE, text);
		if (!CHECK(memchr(text, '\0', sizeof(text) - 1)) ||
		    !CHECK((text[0] == '\0') == (status == GEOMETRY_OK)) ||
		    !CHECK(!strchr(text, '\n')))
			return;
	}
}

static bool rounds_to(struct cache_geometry geometry, uint64_t size, uint32_t assoc)
{
	struct cache_geometry rounded = geometry;
	bool changed = geometry_round_sets(&rounded);

	bool right = CHECK_EQ_U64(rounded.size, size);

	right = CHECK_EQ_U64(rounded.assoc, assoc) && right;
	right = CHECK_EQ_U64(rounded.line_size, geometry.line_size) && right;
	return CHECK(changed == (size != geometry.size || assoc != geometry.assoc)) && right;
}

#define ROUNDS_TO(size, assoc, line_size, new_size, new_assoc) \
 CHECK(rounds_to((struct cache_geometry){ size, assoc, line_size }, new_size, new_assoc))

TEST(round_sets_scales_associativity)
{
	ROUNDS_TO(110100480, 15, 64, 109051904, 26); /* 114688 sets: 15 * 1.75 = 26.25 */
	ROUNDS_TO(12582912, 16, 64, 12582912, 24);   /* 12288 sets: 16 * 1.5 */
	ROUNDS_TO(5242880, 48, 64, 5242880, 80);     /* 1706 sets: 48 * 1.666 = 79.97 */
	ROUNDS_TO(192, 1, 64, 256, 2);               /* 3 sets: 1.5 is rounded up */
	ROUNDS_TO(320, 1, 64, 256, 1);               /* 5 sets: 1.25 is not */
	ROUNDS_TO(448, 1, 64, 512, 2);               /* 7 sets: 1.75 is */
	ROUNDS_TO(640, 2, 64, 768, 3);               /* 5 sets: 2.5 is */
	ROUNDS_TO(512, 1, 64, 512, 1);
	ROUNDS_TO(32768, 8, 64, 32768, 8);
	ROUNDS_TO(32768 + 100, 8, 64, 32768, 8); /* what the sets do not hold is dropped */
	ROUNDS_TO(64, 1, 64, 64, 1);
	/* The largest there are. */
	ROUNDS_TO(UINT64_C(7) << 59, 1, 1, UINT64_C(1) << 62, 2);
	ROUNDS_TO(UINT64_C(2147483647) * 3 << 29, 2147483647, 1 << 29, UINT64_C(3221225471) << 30,
		  3221225471);
}

TEST(round_sets_leaves_alone_what_is_no_cache)
{
	ROUNDS_TO(0, 8, 64, 0, 8);
	ROUNDS_TO(100000, 0, 64, 100000, 0);
	ROUNDS_TO(100000, 8, 0, 100000, 8);
	ROUNDS_TO(500, 8, 64, 500, 8);
	ROUNDS_TO(UINT64_C(1) << 62, 3, 64, UINT64_C(1) << 62, 3);
	ROUNDS_TO(UINT64_MAX, UINT32_MAX, UINT32_MAX, UINT64_MAX, UINT32_MAX);
	ROUNDS_TO(98304, UINT32_C(1) << 31, 64, 98304, UINT32_C(1) << 31);
}

/* With doubles, as the rule is written down: assoc * old sets / new sets, to the nearest. */
TEST(round_sets_equals_the_formula)
{
	struct check_random random = CHECK_RANDOM_INIT;

	for (int i = 0; i < 200000; i++) {
		struct cache_geometry geometry = {
			check_random(&random) >> (34 + check_random_below(&random, 24)),
			1 + (uint32_t)check_random_below(&random, 64),
			UINT32_C(16) << check_random_below(&random, 5),
		};
		uint64_t sets = geometry.size / ((uint64_t)geometry.assoc * geometry.line_size);
		uint64_t new_sets = 1;

		if (sets == 0)
			continue;
		while (new_sets * 2 <= sets)
			new_sets *= 2;

		double factor = (double)sets / (double)new_sets;
		uint32_t assoc = (uint32_t)(0.5 + factor * geometry.assoc);

		if (!CHECK(rounds_to(geometry, new_sets * assoc * geometry.line_size, assoc)))
			return;
		geometry_round_sets(&geometry);
		if (geometry.size > geometry.line_size)
			CHECK(geometry_check(&geometry) == GEOMETRY_OK);
		CHECK(!geometry_round_sets(&geometry));
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(parse_reads_three_numbers),
		CHECK_TEST(parse_refuses_everything_else),
		CHECK_TEST(legal_ones_and_their_sets),
		CHECK_TEST(illegal_ones_and_what_is_said),
		CHECK_TEST(explain_needs_no_geometry_after_parse),
		CHECK_TEST(explain_keeps_to_the_bound_of_line_sizes),
		CHECK_TEST(explain_of_another_status_is_empty),
		CHECK_TEST(check_equals_the_definition),
		CHECK_TEST(explain_proposes_the_nearest_legal_ones),
		CHECK_TEST(explain_never_runs_out_of_room),
		CHECK_TEST(round_sets_scales_associativity),
		CHECK_TEST(round_sets_leaves_alone_what_is_no_cache),
		CHECK_TEST(round_sets_equals_the_formula),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
