/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of members, with sizes and lines counted by hand. */
#include "cmds/types/typecosts.h"

#include "profile/common/heap.h"
#include "tests/common/check.h"

static struct arena arena;

static struct layout_member member(uint64_t offset, uint64_t size, uint64_t references)
{
	return (struct layout_member){
		.offset = offset,
		.size = size,
		.align = size < 8 ? size : 8,
		.references = references,
	};
}

static struct type_layout make(struct layout_member *members, size_t n, uint64_t size)
{
	struct type_layout layout = { .members = members, .n = n, .size = size };

	typelayout_make(&layout, &arena);
	return layout;
}

/*
 *	struct { char a; (7) long b; char c; (7) long d; }	32 bytes, 14 of them holes
 *	all hot: b d a c					24 bytes
 *
 * at 0 and 16 one line, at 32 one (32 to 64), at 48 two: five in four places; then at 48 two: also five.
 */
TEST(holes)
{
	struct layout_member members[] = {
		member(0, 1, 10),
		member(8, 8, 10),
		member(16, 1, 10),
		member(24, 8, 10),
	};
	struct type_layout layout;

	arena_init(&arena);
	layout = make(members, 4, 32);
	CHECK_EQ_U64(layout.holes, 14);
	CHECK_EQ_U64(layout.new_size, 24);
	CHECK_EQ_U64(members[1].new_offset, 0);
	CHECK_EQ_U64(members[3].new_offset, 8);
	CHECK_EQ_U64(members[0].new_offset, 16);
	CHECK_EQ_U64(members[2].new_offset, 17);
	CHECK_EQ_U64(layout.lines, 5);
	CHECK_EQ_U64(layout.new_lines, 5);
	CHECK(layout.is_worthwhile);
	arena_release(&arena);
}

/*
 *	struct { long hot1; char cold[112]; long hot2; }	128 bytes
 *	hot1 hot2 cold						at no place more than one line
 *
 * Before, hot1 and hot2 are two lines at each of four places.
 */
TEST(hot_and_cold)
{
	struct layout_member members[] = {
		member(0, 8, 1000),
		member(8, 112, 3),
		member(120, 8, 900),
	};
	struct type_layout layout;

	arena_init(&arena);
	layout = make(members, 3, 128);
	CHECK(members[0].is_hot && !members[1].is_hot && members[2].is_hot);
	CHECK_EQ_U64(layout.lines, 8);
	CHECK_EQ_U64(layout.new_lines, 4);
	CHECK_EQ_U64(layout.new_size, 128);
	CHECK_EQ_U64(layout.holes, 0);
	CHECK(layout.order[0] == 0 && layout.order[1] == 2 && layout.order[2] == 1);
	CHECK(layout.is_worthwhile);
	arena_release(&arena);
}

/* A hot int leaves 4 bytes before a cold long: a cold int fills them.  What is pinned stays. */
TEST(filled)
{
	struct layout_member members[] = {
		member(0, 8, 0),  member(8, 8, 1),    member(16, 4, 1),
		member(24, 8, 1), member(32, 4, 100), member(36, 0, 0),
	};
	struct type_layout layout;

	arena_init(&arena);
	members[0].pin = PIN_FIRST;
	members[5].pin = PIN_LAST;
	members[5].align = 1;
	layout = make(members, 6, 40);
	CHECK_EQ_U64(members[0].new_offset, 0);
	CHECK_EQ_U64(members[4].new_offset, 8);
	CHECK_EQ_U64(members[2].new_offset, 12);
	CHECK_EQ_U64(members[1].new_offset, 16);
	CHECK_EQ_U64(members[3].new_offset, 24);
	CHECK_EQ_U64(members[5].new_offset, 32);
	CHECK_EQ_U64(layout.new_size, 32);
	arena_release(&arena);
}

/*
 *	struct { long hot; char cold[104]; int hot2; (4) long hot3[]; }	120 bytes
 *	cold hot2 (4) hot hot3						120 bytes
 *
 * The array stays at the end; what is as hot comes just before it: from 104 to 120, two lines at one place of four
 * (at 0 and 32 hot2 and hot3 are in one; at 16 the array begins after hot, in the next; at 48 all are in one).
 */
TEST(hot_end)
{
	struct layout_member members[] = {
		member(0, 8, 90),
		member(8, 104, 1),
		member(112, 4, 100),
		member(120, 0, 200),
	};
	struct type_layout layout;

	arena_init(&arena);
	members[3].pin = PIN_LAST;
	members[3].align = 8;
	layout = make(members, 4, 120);
	CHECK(members[0].is_hot && !members[1].is_hot && members[2].is_hot && members[3].is_hot);
	CHECK_EQ_U64(members[1].new_offset, 0);
	CHECK_EQ_U64(members[2].new_offset, 104);
	CHECK_EQ_U64(members[0].new_offset, 112);
	CHECK_EQ_U64(members[3].new_offset, 120);
	CHECK_EQ_U64(layout.new_size, 120);
	CHECK_EQ_U64(layout.lines, 8);
	CHECK_EQ_U64(layout.new_lines, 5);
	CHECK(layout.is_worthwhile);
	arena_release(&arena);
}

/* What is good is not worth a word; nothing is known about what is never used. */
TEST(nothing_to_do)
{
	struct layout_member members[] = { member(0, 8, 5), member(8, 8, 5) };
	struct type_layout layout;

	arena_init(&arena);
	layout = make(members, 2, 16);
	CHECK(!layout.is_worthwhile);
	CHECK_EQ_U64(layout.lines, 4);
	members[0] = member(0, 8, 0);
	members[1] = member(8, 8, 0);
	layout = make(members, 2, 16);
	CHECK(!layout.is_worthwhile && !members[0].is_hot);
	CHECK_EQ_U64(layout.lines, 0);
	layout = make(members, 0, 0);
	CHECK(!layout.is_worthwhile);
	arena_release(&arena);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(holes),   CHECK_TEST(hot_and_cold),  CHECK_TEST(filled),
		CHECK_TEST(hot_end), CHECK_TEST(nothing_to_do),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
