/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every unit test needs, and no more: tests that print TAP, checks, and
 * random numbers that are the same in every run.
 *
 *	TEST(sums_are_right)
 *	{
 *		CHECK_EQ_U64(1 + 1, 2);
 *	}
 *
 *	int main(void)
 *	{
 *		static const struct check_test tests[] = {
 *			CHECK_TEST(sums_are_right),
 *		};
 *
 *		return check_run(tests, sizeof(tests) / sizeof(tests[0]));
 *	}
 *
 * A check that fails prints a `#` line, marks the running test as failed and
 * goes on; its value is whether it held, so `if (!CHECK(p)) return;` gives up.
 * Arguments are evaluated once.  Only for one translation unit a program.
 */
#ifndef TESTS_COMMON_CHECK_H
#define TESTS_COMMON_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct check_test {
	const char *name;
	void (*run)(void);
};

/* Macros because they make a name a function and a string, or note the line. */
#define TEST(name) static void name(void)
#define CHECK_TEST(name) \
 {                       \
#  name, name            \
 }

#define CHECK(condition)        check_true((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQ_U64(got, want) check_eq_u64((got), (want), #got, __FILE__, __LINE__)
#define CHECK_STR(got, want)    check_str((got), (want), #got, __FILE__, __LINE__)

enum { CHECK_MAX_DETAILS = 20 }; /* failures of one test that are printed, the rest is counted */

static unsigned long check_failures; /* of the running test */

/* Counts a failure; returns whether to print it, after having printed its place. */
static inline bool check_fail(const char *what, const char *file, int line)
{
	if (++check_failures > CHECK_MAX_DETAILS)
		return false;
	printf("# %s:%d: %s", file, line, what);
	return true;
}

static inline bool check_true(bool held, const char *what, const char *file, int line)
{
	if (!held && check_fail(what, file, line))
		printf(": is false\n");
	return held;
}

static inline bool check_eq_u64(uint64_t got, uint64_t want, const char *what, const char *file,
				int line)
{
	if (got == want)
		return true;
	if (check_fail(what, file, line))
		printf(": got %" PRIu64 " (0x%" PRIx64 "), want %" PRIu64 " (0x%" PRIx64 ")\n", got,
		       got, want, want);
	return false;
}

/* Prints text as a C string on one line, as TAP needs it. */
static inline void check_print_quoted(const char *label, const char *text)
{
	printf("#   %s: ", label);
	if (!text) {
		printf("NULL\n");
		return;
	}
	putchar('"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '\n')
			printf("\\n");
		else if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < ' ' || c >= 127)
			printf("\\%03o", c);
		else
			putchar(c);
	}
	printf("\"\n");
}

/* Equal strings, or both NULL. */
static inline bool check_str(const char *got, const char *want, const char *what, const char *file,
			     int line)
{
	if (got == want || (got && want && strcmp(got, want) == 0))
		return true;
	if (check_fail(what, file, line)) {
		size_t same = 0;

		while (got && want && got[same] == want[same])
			same++;
		printf(": differs from byte %zu on\n", same);
		check_print_quoted("got ", got);
		check_print_quoted("want", want);
	}
	return false;
}

/* Runs the tests in order and prints TAP; returns main()'s exit status. */
static inline int check_run(const struct check_test *tests, size_t count)
{
	size_t failed = 0;

	/* A line at a time, so that a crash leaves what came before it. */
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	printf("1..%zu\n", count);
	for (size_t i = 0; i < count; i++) {
		check_failures = 0;
		tests[i].run();
		if (check_failures > CHECK_MAX_DETAILS)
			printf("# %lu checks failed\n", check_failures);
		printf("%s %zu - %s\n", check_failures ? "not ok" : "ok", i + 1, tests[i].name);
		failed += check_failures != 0;
	}
	return failed ? 1 : 0;
}

/* xorshift64* (Vigna 2014).  Each test has its own, so that none depends on another. */
struct check_random {
	uint64_t state; /* never 0 */
};

#define CHECK_RANDOM_INIT      \
 {                             \
  UINT64_C(0x9e3779b97f4a7c15) \
 }

static inline uint64_t check_random(struct check_random *random)
{
	random->state ^= random->state >> 12;
	random->state ^= random->state << 25;
	random->state ^= random->state >> 27;
	return random->state * UINT64_C(0x2545f4914f6cdd1d);
}

/* A number from 0 to bound - 1; bound is not 0 and far below 2^64, so that the bias is nothing. */
static inline uint64_t check_random_below(struct check_random *random, uint64_t bound)
{
	return check_random(random) % bound;
}

#endif
