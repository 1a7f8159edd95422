/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prefetcher of sim/lastlevel: which lines are fetched for which runs. */
#include "sim/lastlevel.h"

#include <stdlib.h>

#include "tests/common/check.h"

enum {
	LINE_BITS = 6,
	UP = HWPREF_DISTANCE,
	DOWN = -HWPREF_DISTANCE,
};

/* Lines of 64 bytes, 64 to a page. */
static int see(struct hwpref *prefetcher, uint64_t line)
{
	return hwpref_watch(prefetcher, line << LINE_BITS | 17);
}

static struct hwpref fresh(void)
{
	struct hwpref prefetcher;

	memset(&prefetcher, 0xa5, sizeof(prefetcher));
	hwpref_init(&prefetcher, LINE_BITS);
	return prefetcher;
}

/* Macro, so that a failure names the line of the step. */
#define SEE(line, want) CHECK_EQ_U64((uint64_t)see(&p, (line)), (uint64_t)(want))

TEST(two_steps_make_a_run)
{
	struct hwpref p = fresh();

	SEE(7, 0);
	SEE(8, 0);
	SEE(9, UP);
	SEE(9, 0); /* nothing new */
	SEE(10, UP);
	SEE(9, 0); /* against the run: that is over, and the next one has not begun */
	SEE(8, 0);
	SEE(7, DOWN);
	SEE(6, DOWN);
	SEE(4, 0); /* a gap */
	SEE(3, 0);
	SEE(2, DOWN);
	SEE(40, 0);
	SEE(41, 0);
	SEE(40, 0);
	SEE(41, 0); /* one step again */
	SEE(42, UP);
}

/* From one page to the next the stream changes. */
TEST(runs_are_followed_by_page)
{
	struct hwpref p = fresh();

	SEE(62, 0);
	SEE(63, 0);
	SEE(64, 0);
	SEE(65, 0);
	SEE(66, UP);
	SEE(61, 0); /* of the first page: after 63 */
	SEE(67, UP);
	SEE(60, 0);
	SEE(59, DOWN);
	/* Pages 8 apart share a stream, wherever they are. */
	SEE(8 * 64 + 60, 0);
	SEE(59, 0);
	SEE((UINT64_C(1) << 57) + 58, 0);
	SEE((UINT64_C(1) << 57) + 59, 0);
	SEE((UINT64_C(1) << 57) + 60, UP);
}

/* Numbers are not cut to 32 bits, and nothing is known before the first line. */
TEST(lines_far_apart_are_no_neighbours)
{
	struct hwpref p = fresh();

	SEE(1, 0);
	SEE(2, 0);
	SEE((UINT64_C(1) << 32) + 3, 0);
	SEE((UINT64_C(1) << 32) + 4, 0);
	SEE((UINT64_C(1) << 32) + 5, UP);
	p = fresh();
	SEE((UINT64_C(1) << 58) - 1, 0);
	SEE((UINT64_C(1) << 58) - 2, 0);
	SEE((UINT64_C(1) << 58) - 3, DOWN);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(two_steps_make_a_run),
		CHECK_TEST(runs_are_followed_by_page),
		CHECK_TEST(lines_far_apart_are_no_neighbours),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
