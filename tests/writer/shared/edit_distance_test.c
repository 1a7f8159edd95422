/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer/shared/edit_distance: how far words are apart, counted by hand. */
#include "writer/shared/edit_distance.h"

#include <string.h>

#include "tests/common/check.h"

static unsigned distance(const char *a, const char *b)
{
	return edit_distance(a, strlen(a), b, strlen(b));
}

/* Both ways: what one has to do, the other undoes. */
static void is_distance(const char *a, const char *b, unsigned want)
{
	CHECK_EQ_U64(distance(a, b), want);
	CHECK_EQ_U64(distance(b, a), want);
}

TEST(edits)
{
	is_distance("", "", 0);
	is_distance("run", "run", 0);
	is_distance("", "run", 3);
	is_distance("run", "runs", 1);
	is_distance("run", "rn", 1);
	is_distance("run", "ran", 1);
	is_distance("--cache-sim", "--cahce-sim", 1); /* neighbours exchanged */
	is_distance("ab", "ba", 1);
	is_distance("abcd", "badc", 2);
	is_distance("abc", "cba", 2); /* no neighbours: two replaced */
	is_distance("kitten", "sitting", 3);
	is_distance("ca", "abc", 3); /* what was exchanged is not edited again */
}

/* Words of the greatest length, and one longer. */
TEST(lengths)
{
	char longest[EDIT_DISTANCE_MAX + 2], other[EDIT_DISTANCE_MAX + 2];

	memset(longest, 'a', sizeof(longest));
	memset(other, 'b', sizeof(other));
	CHECK_EQ_U64(edit_distance(longest, EDIT_DISTANCE_MAX, other, EDIT_DISTANCE_MAX),
		     EDIT_DISTANCE_MAX);
	CHECK_EQ_U64(edit_distance(longest, EDIT_DISTANCE_MAX, longest, EDIT_DISTANCE_MAX), 0);
	CHECK_EQ_U64(edit_distance(longest, EDIT_DISTANCE_MAX + 1, longest, EDIT_DISTANCE_MAX + 1),
		     EDIT_DISTANCE_MAX + 1);
	CHECK_EQ_U64(edit_distance(longest, EDIT_DISTANCE_MAX + 1, "", 0), EDIT_DISTANCE_MAX + 1);
	CHECK_EQ_U64(edit_distance("", 0, longest, EDIT_DISTANCE_MAX), EDIT_DISTANCE_MAX);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(edits),
		CHECK_TEST(lengths),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
