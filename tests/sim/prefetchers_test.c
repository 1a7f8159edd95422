/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim/prefetch, sim/prefetched: what each kind of unit asks for, line by line; what becomes of lines that
 * were brought in, and the table of these against a list.
 */
#include "sim/prefetch.h"

#include <stdlib.h>

#include "sim/prefetched.h"
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
	begin(PREFETCH_NEXT_LINE, 0, 0, 0);
	SEES(5, "6");
	SEES(5, "6");
	SEES(62, "63");
	SEES(63, "");
	SEES(64, "65");
	SEES(UINT64_MAX / 64, "");
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
	SEES(128, ""); /* in the place of 64's */
	SEES(3, "4");
	SEES(65, ""); /* in the place of 128's */
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
	SEES_OF(0, 2, ""); /* in the place of 3 sets further on */
	SEES_OF(0, 3, "");
	SEES_OF(UINT64_C(3) * PREFETCH_IP_SETS, 3, "");
}

/* --- what becomes of them -------------------------------------------------------------- */

static void *table_memory(size_t n_lines)
{
	size_t size = prefetched_memory_size(n_lines);
	void *memory = aligned_alloc(64, size);

	if (!memory)
		abort();
	return memset(memory, 0, size);
}

TEST(fates)
{
	struct prefetched prefetched;
	struct prefetch_trigger a = { &a, NULL }, b = { &b, &a }, got = { NULL, NULL };
	void *memory = table_memory(4);

	prefetched_init(&prefetched, 4, 200, memory);
	prefetched_add(&prefetched, 64, 1000, a);
	prefetched_add(&prefetched, 0, 1000, b);
	prefetched_add(&prefetched, 128, 1000, b);
	CHECK(prefetched_use(&prefetched, 192, 2000, &got) == PREFETCH_NONE);
	CHECK(prefetched_use(&prefetched, 64, 1199, &got) == PREFETCH_LATE && got.code == &a);
	CHECK(prefetched_use(&prefetched, 64, 1300, &got) == PREFETCH_NONE);
	CHECK(prefetched_use(&prefetched, 0, 1200, &got) == PREFETCH_USED && got.code == &b);
	CHECK(prefetched_leave(&prefetched, 0, &got) == PREFETCH_NONE);
	CHECK(prefetched_leave(&prefetched, 128, &got) == PREFETCH_UNUSED && got.context == &a);
	CHECK(prefetched_leave(&prefetched, 128, &got) == PREFETCH_NONE);
	free(memory);
}

TEST(table_equals_a_list)
{
	enum { LINES = 100, NAMES = 400 };
	static uint64_t times[NAMES]; /* 0: not there */
	struct check_random random = CHECK_RANDOM_INIT;
	struct prefetched prefetched;
	struct prefetch_trigger got;
	void *memory = table_memory(LINES);
	unsigned n = 0;

	prefetched_init(&prefetched, LINES, 50, memory);
	for (uint64_t now = 1; now < 200000; now++) {
		uint64_t name = check_random_below(&random, NAMES);
		uint64_t line = name * 64 + (name % 3 << 40);
		enum prefetch_fate fate, want = PREFETCH_NONE;

		if (times[name] == 0 && n < LINES && check_random_below(&random, 2)) {
			prefetched_add(&prefetched, line, now,
				       (struct prefetch_trigger){ &times[name], NULL });
			times[name] = now;
			n++;
			continue;
		}
		if (check_random_below(&random, 2)) {
			fate = prefetched_leave(&prefetched, line, &got);
			if (times[name] != 0)
				want = PREFETCH_UNUSED;
		} else {
			fate = prefetched_use(&prefetched, line, now, &got);
			if (times[name] != 0)
				want = now - times[name] < 50 ? PREFETCH_LATE : PREFETCH_USED;
		}
		if (!CHECK_EQ_U64(fate, want))
			break;
		if (fate == PREFETCH_NONE)
			continue;
		CHECK(got.code == &times[name]);
		times[name] = 0;
		n--;
	}
	free(memory);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(next_line),
		CHECK_TEST(adjacent_line),
		CHECK_TEST(stream_runs_ahead_up_to_its_distance),
		CHECK_TEST(stream_downwards_and_turning),
		CHECK_TEST(streams_replace_the_one_seen_longest_ago),
		CHECK_TEST(ip_stride),
		CHECK_TEST(ip_stride_knows_four_instructions_of_a_set),
		CHECK_TEST(fates),
		CHECK_TEST(table_equals_a_list),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
