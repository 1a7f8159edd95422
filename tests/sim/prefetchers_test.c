/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/prefetch/: prefetch, prefetched: what each kind of unit asks for, line by line; what becomes of lines that
 * were prefetched, and the table of these against a list.
 */
#include "sim/prefetch/prefetchers.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/check.h"

static struct prefetch_unit unit; /* too large for the stack */

static void begin(enum prefetch_kind kind, uint32_t streams, uint32_t distance, uint32_t degree)
{
	const struct prefetch_config config = { kind, 64, streams, distance, degree };

	prefetch_init(&unit, &config);
}

/* Line numbers that were asked for, in a row with blanks between. */
static const char *asked(uint64_t line, uint64_t ip)
{
	static char text[PREFETCH_MAX_LINES * 21 + 1];
	struct prefetch_list list;
	size_t length = 0;

	prefetch_watch(&unit, line * 64 + 17, ip, &list);
	text[0] = '\0';
	for (unsigned i = 0; i < list.n; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   i ? " %" PRIu64 : "%" PRIu64, list.lines[i] / 64);
	return text;
}

#define SEES(line, lines)        CHECK_STR(asked(line, 1), lines)
#define SEES_OF(ip, line, lines) CHECK_STR(asked(line, ip), lines)

/* Lines 0 to 63 are a page, and so are 64 to 127. */
TEST(next_line)
{
	begin(PREFETCH_NEXT_LINE, 0, 0, 1);
	SEES(5, "");
	SEES(6, "7");
	SEES(6, "7");
	SEES(5, ""); /* descending */
	SEES(20, "");
	SEES(7, "8"); /* 6 was seen before 20 */
	SEES(62, "");
	SEES(63, ""); /* the end of the page */
	SEES(64, "65");
	SEES(64 + 6, "");
	SEES(7, ""); /* 70 has taken the place of 6 */
	SEES(UINT64_MAX / 64, "");
	SEES(0, "");
}

TEST(next_lines)
{
	begin(PREFETCH_NEXT_LINE, 0, 0, 3);
	SEES(5, "");
	SEES(6, "7 8 9");
	SEES(60, "");
	SEES(61, "62 63");
}

TEST(adjacent_line)
{
	begin(PREFETCH_ADJACENT_LINE, 0, 0, 0);
	SEES(4, "5");
	SEES(5, "4");
	SEES(63, "62");
	SEES(64, "65");
}

TEST(stream_runs_ahead_up_to_its_distance)
{
	begin(PREFETCH_STREAM, 4, 4, 2);
	SEES(10, "");
	SEES(11, "");
	SEES(12, "13 14");
	SEES(13, "15 16");
	SEES(14, "17 18");
	SEES(15, "19"); /* four ahead */
	SEES(15, "");
	SEES(16, "20");
	SEES(30, "31 32"); /* a long step: beyond what was asked for */
	SEES(61, "62 63");
	SEES(62, "");
	SEES(64, ""); /* the next page is another one */
}

TEST(stream_downwards_and_turning)
{
	begin(PREFETCH_STREAM, 4, 2, 4);
	SEES(20, "");
	SEES(18, "");
	SEES(17, "16 15");
	SEES(19, ""); /* up: ends it */
	SEES(20, "21 22");
	SEES(2, "");
	SEES(1, "0");
	SEES(0, "");
}

TEST(streams_replace_the_one_seen_longest_ago)
{
	begin(PREFETCH_STREAM, 2, 1, 1);
	SEES(0, "");
	SEES(1, "");
	SEES(64, "");
	SEES(2, "3");
	SEES(128, ""); /* in place of 64's */
	SEES(3, "4");
	SEES(65, ""); /* in place of 128's */
	SEES(66, "");
	SEES(67, "68");
	SEES(4, "5");
}

TEST(ip_stride)
{
	begin(PREFETCH_IP_STRIDE, 0, 0, 3);
	SEES_OF(7, 0, "");
	SEES_OF(7, 5, "");
	SEES_OF(8, 100, "");
	SEES_OF(7, 10, "15 20 25");
	SEES_OF(8, 98, "");
	SEES_OF(8, 96, "94 92 90");
	SEES_OF(7, 11, "");
	SEES_OF(7, 12, "13 14 15");
	SEES_OF(7, 12, ""); /* a step of 0, which is remembered */
	SEES_OF(7, 13, "");
	SEES_OF(7, 61, "");
	SEES_OF(8, 66, "");
	SEES_OF(8, 36, "6"); /* and no line below 0 */
	SEES_OF(8, 6, "");
}

TEST(ip_stride_knows_four_instructions_of_a_set)
{
	begin(PREFETCH_IP_STRIDE, 0, 0, 1);
	for (uint64_t ip = 0; ip < UINT64_C(5) * PREFETCH_IP_SETS; ip += PREFETCH_IP_SETS)
		SEES_OF(ip, 1, "");
	for (uint64_t line = 2; line < 3; line++)
		for (uint64_t ip = 4; ip > 0; ip--)
			SEES_OF(ip * PREFETCH_IP_SETS, line, "");
	SEES_OF(UINT64_C(4) * PREFETCH_IP_SETS, 3, "4");
	SEES_OF(0, 2, ""); /* in place of 3 sets further on */
	SEES_OF(0, 3, "");
	SEES_OF(UINT64_C(3) * PREFETCH_IP_SETS, 3, "");
}

/* --- what becomes of them -------------------------------------------------------------- */

static struct prefetched prefetched;
static void *table;

/* Of lines of 64 bytes. */
static void begin_table(uint64_t n_sets, uint32_t assoc, bool is_hashed)
{
	struct prefetched_shape shape = { .assoc = assoc, .line_bits = 6 };
	size_t size;

	sets_init(&shape.sets, n_sets, is_hashed, 5);
	size = prefetched_memory_size(&shape);
	table = aligned_alloc(64, size);
	if (!table)
		abort();
	prefetched_init(&prefetched, &shape, memset(table, 0, size));
}

/* Lines of numbers below 32 are resident if the bit of *ctx is set. */
static bool is_resident(void *ctx, uint64_t line)
{
	return (*(const uint32_t *)ctx >> line / 64 & 1) != 0;
}

static char gone[16]; /* triggers are letters */

static void note_gone(void *ctx, void *trigger)
{
	size_t n = strlen(gone);

	(void)ctx;
	gone[n] = *(const char *)trigger;
	gone[n + 1] = '\0';
}

static struct prefetched_line known_of(uint64_t time, char letter)
{
	static char letters[UCHAR_MAX];

	letters[(unsigned char)letter] = letter;
	return (struct prefetched_line){ time, &letters[(unsigned char)letter] };
}

TEST(lines_are_taken_once)
{
	uint32_t all = UINT32_MAX;
	const struct prefetched_sweep sweep = { is_resident, note_gone, &all };
	struct prefetched_line known;

	begin_table(4, 2, false);
	gone[0] = '\0';
	CHECK(!prefetched_may_have(&prefetched, 0));
	prefetched_add(&prefetched, 0, known_of(7, 'a'), &sweep);
	prefetched_add(&prefetched, UINT64_C(256), known_of(8, 'b'), &sweep);
	CHECK(prefetched_may_have(&prefetched, UINT64_C(512)) &&
	      !prefetched_may_have(&prefetched, 64));
	CHECK(!prefetched_take(&prefetched, UINT64_C(512), &known));
	CHECK(prefetched_take(&prefetched, 0, &known) && known.time == 7);
	CHECK(!prefetched_take(&prefetched, 0, &known));
	CHECK(prefetched_take(&prefetched, UINT64_C(256), &known) && known.time == 8);
	CHECK(!prefetched_may_have(&prefetched, 0));
	CHECK_STR(gone, "");
	free(table);
}

TEST(lines_that_have_left_are_found)
{
	uint32_t resident = 1U << 4 | 1U << 8;
	const struct prefetched_sweep sweep = { is_resident, note_gone, &resident };
	struct prefetched_line known;

	begin_table(4, 2, false);
	gone[0] = '\0';
	prefetched_add(&prefetched, 0, known_of(0, 'a'), &sweep);
	prefetched_add(&prefetched, 0, known_of(1, 'b'), &sweep);
	CHECK_STR(gone, "a"); /* the same line once more */
	prefetched_add(&prefetched, UINT64_C(4) * 64, known_of(2, 'c'), &sweep);
	prefetched_add(&prefetched, UINT64_C(8) * 64, known_of(3, 'd'), &sweep);
	CHECK_STR(gone, "ab"); /* no place in the set */
	CHECK(prefetched_take(&prefetched, UINT64_C(4) * 64, &known) && known.time == 2);
	prefetched_add(&prefetched, 64, known_of(4, 'e'), &sweep);
	resident = 0;
	prefetched_sweep(&prefetched, &sweep);
	CHECK_STR(gone, "abde");
	CHECK(!prefetched_may_have(&prefetched, 0) && !prefetched_may_have(&prefetched, 64));
	free(table);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(next_line),
		CHECK_TEST(next_lines),
		CHECK_TEST(adjacent_line),
		CHECK_TEST(stream_runs_ahead_up_to_its_distance),
		CHECK_TEST(stream_downwards_and_turning),
		CHECK_TEST(streams_replace_the_one_seen_longest_ago),
		CHECK_TEST(ip_stride),
		CHECK_TEST(ip_stride_knows_four_instructions_of_a_set),
		CHECK_TEST(lines_are_taken_once),
		CHECK_TEST(lines_that_have_left_are_found),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
