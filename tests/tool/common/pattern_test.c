/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool/common/pattern: which names a pattern matches, and how long that may take. */
#include "tool/common/pattern.h"

#include "tests/common/check.h"

/* Prints both, which a check of a truth value would not. */
static void check_match(const char *pattern, const char *name, bool want)
{
	if (CHECK(pattern_matches(pattern, name) == want))
		return;
	printf("#   wanted %s\n", want ? "a match" : "no match");
	check_print_quoted("pattern", pattern);
	check_print_quoted("name   ", name);
}

static void matches(const char *pattern, const char *name)
{
	check_match(pattern, name, true);
}

static void differs(const char *pattern, const char *name)
{
	check_match(pattern, name, false);
}

TEST(a_name_is_its_own_pattern)
{
	matches("main", "main");
	matches("(below main)", "(below main)");
	matches("0x0000000000001234 [PLT]", "0x0000000000001234 [PLT]");
	matches("", "");
	differs("main", "");
	differs("", "main");
}

TEST(all_of_the_name_must_match)
{
	differs("main", "main2");
	differs("main", "a main");
	differs("main2", "main");
	differs("main", "Main");
	differs("m*n", "main2");
	differs("m*n", "a man");
}

TEST(a_star_is_any_run)
{
	matches("*", "");
	matches("*", "main");
	matches("m*", "m");
	matches("m*", "main");
	matches("*n", "main");
	matches("*n", "n");
	matches("m*n", "mn");
	matches("m*n", "main");
	matches("std::*", "std::vector<int, std::allocator<int> >::push_back(int&&)");
	matches("*::push_back(*", "std::vector<int, std::allocator<int> >::push_back(int&&)");
	differs("std::*", "std:");
	differs("*x*", "main");
}

TEST(stars_in_a_row_are_one)
{
	matches("**", "");
	matches("m**n", "mn");
	matches("m***", "main");
	differs("**x", "main");
}

TEST(a_question_mark_is_one_character)
{
	matches("ma?n", "main");
	matches("????", "main");
	matches("?", "?");
	differs("?", "");
	differs("main?", "main");
	differs("???", "main");
	differs("?????", "main");
	matches("?*", "m");
	matches("*?", "m");
	differs("?*", "");
	differs("*?", "");
	differs("*?*?*", "m");
	matches("*?*?*", "ma");
	/* A byte, whatever it belongs to. */
	matches("na??ve", "na\303\257ve");
	differs("na?ve", "na\303\257ve");
}

/* What a star took at first must be taken back, and only the last one's. */
TEST(a_star_tries_again)
{
	matches("a*bc", "abbc");
	matches("a*bc", "abcbc");
	matches("*ab", "aab");
	matches("*aab", "aaaab");
	matches("a*b*c", "axbbc");
	matches("a*b*c", "abcbcc");
	matches("*a?c", "abaac");
	differs("a*b*c", "acb");
	differs("a*bc", "abcb");
	differs("*ab*ab", "xab");
}

/* Names of C++ have these characters; no way to quote them is needed. */
TEST(stars_in_names)
{
	matches("f(char*)", "f(char*)");
	matches("f(char*)", "f(char const*)");
	matches("*(*)", "f(int (*)[3])");
	matches("operator*", "operator*");
	matches("operator?", "operator*");
	differs("f(char)", "f(char*)");
	differs("\\*", "*");
	differs("[ab]", "a");
}

/* Obviously right, and obviously slow. */
static bool naive(const char *pattern, const char *name)
{
	if (*pattern == '\0')
		return *name == '\0';
	if (*pattern == '*')
		return naive(pattern + 1, name) || (*name != '\0' && naive(pattern, name + 1));
	return *name != '\0' && (*pattern == '?' || *pattern == *name) &&
	       naive(pattern + 1, name + 1);
}

/* All texts of up to that many characters are numbered; the text of a number. */
static void write_text(unsigned number, const char *alphabet, char *text)
{
	unsigned n = (unsigned)strlen(alphabet);

	for (; number > 0; number = (number - 1) / n)
		*text++ = alphabet[(number - 1) % n];
	*text = '\0';
}

enum {
	N_PATTERNS = 1 + 4 + 16 + 64 + 256 + 1024, /* up to five of four characters */
	N_NAMES = 1 + 2 + 4 + 8 + 16 + 32 + 64,    /* up to six of two */
};

TEST(all_short_patterns_and_names)
{
	uint64_t n_matches = 0;

	for (unsigned i = 0; i < N_PATTERNS; i++) {
		char pattern[16];

		write_text(i, "ab*?", pattern);
		for (unsigned j = 0; j < N_NAMES; j++) {
			char name[16];
			bool want;

			write_text(j, "ab", name);
			want = naive(pattern, name);
			check_match(pattern, name, want);
			n_matches += want;
		}
	}
	/* Neither all nor none, so that the test is one. */
	CHECK(n_matches > 10000 && n_matches < N_PATTERNS * N_NAMES / 2);
}

/*
 * Thirty stars over ten thousand characters: 600,000 steps at most.  A matcher
 * that tries the stars one inside the other would not come to an end.
 */
TEST(many_stars_end_soon)
{
	static char name[10001];
	char pattern[62];

	memset(name, 'a', sizeof(name) - 1);
	for (size_t i = 0; i < 60; i++)
		pattern[i] = i % 2 == 0 ? '*' : 'a';
	memcpy(pattern + 60, "b", 2);
	differs(pattern, name);
	name[sizeof(name) - 2] = 'b';
	matches(pattern, name);
	name[sizeof(name) - 2] = 'a';
	memcpy(pattern + 60, "a", 2);
	matches(pattern, name);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_name_is_its_own_pattern),
		CHECK_TEST(all_of_the_name_must_match),
		CHECK_TEST(a_star_is_any_run),
		CHECK_TEST(stars_in_a_row_are_one),
		CHECK_TEST(a_question_mark_is_one_character),
		CHECK_TEST(a_star_tries_again),
		CHECK_TEST(stars_in_names),
		CHECK_TEST(all_short_patterns_and_names),
		CHECK_TEST(many_stars_end_soon),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
