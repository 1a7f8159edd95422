/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Medians and intervals of times, against the published table of ranks, and against all outcomes. */
#include "cmds/compare/pairtimes.h"

#include <stdint.h>

#include "tests/common/check.h"

static struct pairtimes times;

static bool is_near(double a, double b)
{
	return a - b < 1e-9 && b - a < 1e-9;
}

/* n pairs whose ratios are 1, 2, ... n in some order: an interval's ends are their ranks. */
static struct pairtimes_summary summarize_ranks(size_t n)
{
	times.n = n;
	for (size_t i = 0; i < n; i++) {
		/* 7 has no divisor in common with the sizes that are tested. */
		times.seconds[PAIRTIMES_WALL][0][i] = 2;
		times.seconds[PAIRTIMES_WALL][1][i] = 2 * (double)(i * 7 % n + 1);
	}
	return pairtimes_summarize(&times, PAIRTIMES_WALL);
}

/* Ranks from tables of the sign test: Le Boudec's appendix A, and others'. */
static void ranks(void)
{
	static const struct {
		size_t n, low, high; /* low 0 = no interval */
	} rows[] = {
		{ 1, 0, 0 },    { 2, 0, 0 },    { 5, 0, 0 },     { 6, 1, 6 },        { 8, 1, 8 },
		{ 9, 2, 8 },    { 10, 2, 9 },   { 12, 3, 10 },   { 15, 4, 12 },      { 20, 6, 15 },
		{ 30, 10, 21 }, { 50, 18, 33 }, { 100, 40, 61 }, { 1000, 469, 532 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct pairtimes_summary summary = summarize_ranks(rows[i].n);

		CHECK_EQ_U64(summary.has_interval, rows[i].low > 0);
		CHECK(is_near(summary.ratio, (double)(rows[i].n + 1) / 2));
		if (!summary.has_interval)
			continue;
		CHECK(is_near(summary.low, (double)rows[i].low));
		CHECK(is_near(summary.high, (double)rows[i].high));
	}
}

/*
 * Of all ways in which n ratios can be below or above the true median, equally likely, at least 95 % are such that the
 * interval covers it; with ends one rank further inside, fewer are.
 */
static void coverage(void)
{
	for (size_t n = 6; n <= 18; n++) {
		const struct pairtimes_summary summary = summarize_ranks(n);
		const size_t rank = (size_t)(summary.low + 0.5);
		uint64_t covered = 0, closer = 0;

		if (n % 7 == 0)
			continue;
		CHECK(is_near(summary.high, (double)(n + 1 - rank)));
		for (uint32_t outcome = 0; outcome < UINT32_C(1) << n; outcome++) {
			const size_t below = (size_t)__builtin_popcount(outcome);

			covered += below >= rank && n - below >= rank;
			closer += below >= rank + 1 && n - below >= rank + 1;
		}
		CHECK(100 * covered >= UINT64_C(95) << n);
		CHECK(100 * closer < UINT64_C(95) << n);
	}
}

/* What slows both runs of a pair changes nothing; medians are of each side. */
static void pairs(void)
{
	static const double old[] = { 1, 4, 2, 100, 3, 7 };
	struct pairtimes_summary summary;

	times.n = sizeof(old) / sizeof(old[0]);
	for (size_t i = 0; i < times.n; i++) {
		times.seconds[PAIRTIMES_CPU][0][i] = old[i];
		times.seconds[PAIRTIMES_CPU][1][i] = old[i] / 2;
	}
	summary = pairtimes_summarize(&times, PAIRTIMES_CPU);
	CHECK(is_near(summary.medians[0], 3.5));
	CHECK(is_near(summary.medians[1], 1.75));
	CHECK(is_near(summary.ratio, 0.5));
	CHECK(is_near(summary.low, 0.5) && is_near(summary.high, 0.5));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(ranks),
		CHECK_TEST(coverage),
		CHECK_TEST(pairs),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
