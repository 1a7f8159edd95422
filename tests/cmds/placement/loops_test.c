/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops from jumps, and windows that they touch, at the edges. */
#include "cmds/placement/placement.h"

#include "tests/common/check.h"

static struct loop jump(uint64_t begin, uint64_t end, uint64_t turns)
{
	return (struct loop){
		.object = 1, .begin = begin, .end = end, .turns = turns, .jump = end - 2
	};
}

TEST(windows)
{
	CHECK_EQ_U64(windows_touched(0, 16, WINDOWS_16), 1);
	CHECK_EQ_U64(windows_touched(0, 17, WINDOWS_16), 2);
	CHECK_EQ_U64(windows_touched(15, 17, WINDOWS_16), 2);
	CHECK_EQ_U64(windows_touched(63, 65, WINDOWS_64), 2);
	CHECK_EQ_U64(windows_touched(32, 64, WINDOWS_32), 1);
	CHECK_EQ_U64(windows_touched(UINT64_MAX - 1, UINT64_MAX, WINDOWS_64), 1);
	CHECK_EQ_U64(windows_needed(1, WINDOWS_64), 1);
	CHECK_EQ_U64(windows_needed(64, WINDOWS_64), 1);
	CHECK_EQ_U64(windows_needed(65, WINDOWS_64), 2);
}

/* By the definition: bytes counted one by one. */
static uint64_t count_windows(uint64_t begin, uint64_t bytes, unsigned window)
{
	uint64_t n = 0;

	for (uint64_t i = begin; i < begin + bytes; i++)
		n += i == begin || i % window_size(window) == 0;
	return n;
}

static uint64_t count_fewest(uint64_t bytes, unsigned window)
{
	uint64_t least = UINT64_MAX;

	for (uint64_t begin = 0; begin < 64; begin++) {
		uint64_t n = count_windows(begin, bytes, window);

		least = n < least ? n : least;
	}
	return least;
}

TEST(windows_by_bytes)
{
	for (uint64_t bytes = 1; bytes <= 130; bytes++) {
		for (unsigned window = 0; window < N_WINDOWS; window++) {
			CHECK_EQ_U64(windows_needed(bytes, window), count_fewest(bytes, window));
			for (uint64_t begin = 0; begin < 64; begin++)
				CHECK_EQ_U64(windows_touched(begin, begin + bytes, window),
					     count_windows(begin, bytes, window));
		}
	}
}

TEST(misplaced)
{
	struct loop loop = jump(0x1000, 0x1010, 9);

	CHECK(!loop_is_misplaced(&loop));
	loop = jump(0x1001, 0x1011, 9); /* of 16 only */
	CHECK(loop_is_misplaced(&loop));
	loop = jump(0x1030, 0x1050, 9); /* of 32 and 64 */
	CHECK(loop_is_misplaced(&loop));
	loop = jump(0x1010, 0x1051, 9); /* five of 16, three of 32, two of 64: all need as many */
	CHECK(!loop_is_misplaced(&loop));
}

TEST(alignments)
{
	CHECK_EQ_U64(placement_alignment(0, 16), 16);
	CHECK_EQ_U64(placement_alignment(0, 17), 32);
	CHECK_EQ_U64(placement_alignment(0, 32), 32);
	CHECK_EQ_U64(placement_alignment(0, 33), 64);
	CHECK_EQ_U64(placement_alignment(0, 64), 64);
	CHECK_EQ_U64(placement_alignment(0, 65), 16); /* two of 64 wherever it begins, ... */
	CHECK_EQ_U64(placement_alignment(0, 81), 32); /* ... which is too many of 32 here */
	/* Behind the beginning of a function. */
	CHECK_EQ_U64(placement_alignment(16, 16), 16);
	CHECK_EQ_U64(placement_alignment(16, 17), 0);
	CHECK_EQ_U64(placement_alignment(4, 12), 16);
	CHECK_EQ_U64(placement_alignment(4, 13), 0);
	CHECK_EQ_U64(placement_alignment(52, 20), 0);
	CHECK_EQ_U64(placement_alignment(32, 20), 32);
	CHECK_EQ_U64(placement_alignment(64 + 32, 32), 32);
}

TEST(one_target)
{
	struct loop loops[] = { jump(16, 40, 10), jump(16, 30, 90), jump(16, 90, 10) };

	/* 10 of 110 are less than a tenth. */
	CHECK_EQ_U64(loops_find(loops, 3), 1);
	CHECK_EQ_U64(loops[0].end, 30);
	CHECK_EQ_U64(loops[0].jump, 28);
	CHECK_EQ_U64(loops[0].turns, 110);

	loops[0] = jump(16, 40, 9);
	loops[1] = jump(16, 30, 81);
	loops[2] = jump(16, 90, 10);
	CHECK_EQ_U64(loops_find(loops, 3), 1);
	CHECK_EQ_U64(loops[0].end, 90);
	CHECK_EQ_U64(loops[0].turns, 100);
}

/*
 *	16      40      60      80     100
 *	 |--- a ---------|
 *	         |--- b ---------|
 *	                 |--- c ---------|      begins where a ends
 */
TEST(overlapping)
{
	struct loop loops[] = { jump(16, 60, 50), jump(40, 80, 40), jump(60, 100, 30) };

	/* a and b, and c with what they have become. */
	CHECK_EQ_U64(loops_find(loops, 3), 1);
	CHECK_EQ_U64(loops[0].begin, 16);
	CHECK_EQ_U64(loops[0].end, 100);
	CHECK_EQ_U64(loops[0].turns, 120);
	CHECK_EQ_U64(loops[0].jump, 98);

	/* One that is rarely taken is no loop of its own: c does not overlap a. */
	loops[0] = jump(16, 60, 50);
	loops[1] = jump(40, 80, 4);
	loops[2] = jump(60, 100, 30);
	CHECK_EQ_U64(loops_find(loops, 3), 2);
	CHECK_EQ_U64(loops[0].end, 60);
	CHECK_EQ_U64(loops[1].begin, 60);
	loops[0] = jump(16, 60, 4);
	loops[1] = jump(40, 80, 50);
	CHECK_EQ_U64(loops_find(loops, 2), 1);
	CHECK_EQ_U64(loops[0].begin, 40);
	CHECK_EQ_U64(loops[0].turns, 50);

	/* What is within the two is within the one: it has a tenth of the turns, and they go. */
	loops[0] = jump(16, 60, 50);
	loops[1] = jump(40, 80, 40);
	loops[2] = jump(30, 70, 9);
	CHECK_EQ_U64(loops_find(loops, 3), 1);
	CHECK_EQ_U64(loops[0].turns, 99);

	/* Too long, as one. */
	loops[0] = jump(16, 416, 50);
	loops[1] = jump(400, 600, 40);
	CHECK_EQ_U64(loops_find(loops, 2), 0);
	/* Of two objects, no. */
	loops[0] = jump(16, 60, 50);
	loops[1] = jump(40, 80, 40);
	loops[1].object = 2;
	CHECK_EQ_U64(loops_find(loops, 2), 2);
}

TEST(many_of_one_target)
{
	struct loop loops[11];

	for (size_t i = 0; i < 11; i++)
		loops[i] = jump(16, 20 + i, 5);
	CHECK_EQ_U64(loops_find(loops, 11), 1);
	CHECK_EQ_U64(loops[0].end, 30);
	CHECK_EQ_U64(loops[0].turns, 55);
	loops[0] = jump(16, 20, UINT64_MAX);
	loops[1] = jump(16, 21, UINT64_MAX);
	CHECK_EQ_U64(loops_find(loops, 2), 1);
	CHECK_EQ_U64(loops[0].end, 21);
	CHECK_EQ_U64(loops[0].turns, UINT64_MAX);
}

TEST(innermost)
{
	struct loop loops[] = { jump(0, 100, 1000), jump(20, 40, 100), jump(50, 60, 99) };

	/* One turns often enough: the outer one goes, the other inner one stays. */
	CHECK_EQ_U64(loops_find(loops, 3), 2);
	CHECK_EQ_U64(loops[0].begin, 20);
	CHECK_EQ_U64(loops[1].begin, 50);

	loops[0] = jump(0, 100, 1000);
	loops[1] = jump(20, 40, 99);
	CHECK_EQ_U64(loops_find(loops, 2), 1);
	CHECK_EQ_U64(loops[0].begin, 0);
}

/* The one in the middle goes, by the innermost; that goes, by the outermost, which stays. */
TEST(three_deep)
{
	struct loop loops[] = { jump(0, 100, 500), jump(10, 90, 80), jump(20, 40, 10) };

	CHECK_EQ_U64(loops_find(loops, 3), 1);
	CHECK_EQ_U64(loops[0].begin, 0);
}

TEST(apart)
{
	struct loop loops[] = { jump(60, 100, 5), jump(0, 60, 5), jump(10, 20, 5) };

	loops[2].object = 0;
	/* What begins where another one ends does not overlap it, nor is what is in another object within it. */
	CHECK_EQ_U64(loops_find(loops, 3), 3);
	CHECK_EQ_U64(loops[0].object, 0);
	CHECK_EQ_U64(loops[1].begin, 0);
	CHECK_EQ_U64(loops[2].begin, 60);
	CHECK_EQ_U64(loops_find(loops, 0), 0);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(windows),
		CHECK_TEST(windows_by_bytes),
		CHECK_TEST(misplaced),
		CHECK_TEST(alignments),
		CHECK_TEST(one_target),
		CHECK_TEST(overlapping),
		CHECK_TEST(many_of_one_target),
		CHECK_TEST(innermost),
		CHECK_TEST(three_deep),
		CHECK_TEST(apart),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
