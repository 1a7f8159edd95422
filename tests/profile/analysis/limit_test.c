/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of limits: what is read, what is refused and where; patterns; what is broken. */
#include "tests/common/model_fixture.h"

#include "profile/analysis/limit.h"

/* A limit as text, or the error, "line:column: text". */
static const char *parsed(const char *text)
{
	static char result[512];
	struct limits limits;
	struct profile_error error = { .status = PROFILE_OK };
	const struct limit *limit;

	if (limits_parse(&limits, text, strlen(text), "limits", &error)) {
		snprintf(result, sizeof(result), "%d:%d: %s", (int)error.line, (int)error.column,
			 error.text);
	} else if (limits.n != 1) {
		snprintf(result, sizeof(result), "%d limits", (int)limits.n);
	} else {
		limit = &limits.all[0];
		snprintf(result, sizeof(result), "%s %s %s%s%s%s%s",
			 limit->scope == LIMIT_TOTAL    ? "total"
			 : limit->scope == LIMIT_SELF   ? "self"
			 : limit->scope == LIMIT_REGION ? "region"
							: "inclusive",
			 limit->pattern ? limit->pattern : "-", limit->event,
			 limit->is_soft ? " soft" : "", limit->must_improve ? " improve" : "",
			 limit->has_percent ? " percent" : "", limit->has_change ? " change" : "");
		if (limit->has_percent)
			snprintf(result + strlen(result), 40, " %" PRId64, limit->percent);
		if (limit->has_change)
			snprintf(result + strlen(result), 40, " %" PRId64, limit->change);
		if (limit->has_most)
			snprintf(result + strlen(result), 40, " most %" PRId64, limit->most);
		if (limit->has_least)
			snprintf(result + strlen(result), 40, " least %" PRId64, limit->least);
		if (limit->is_both_ways)
			snprintf(result + strlen(result), 40, " both ways");
	}
	limits_release(&limits);
	return result;
}

TEST(grammar)
{
	CHECK_STR(parsed("total Ir +2%"), "total - Ir percent 20000");
	CHECK_STR(parsed("total Ir +2%\n"), "total - Ir percent 20000");
	CHECK_STR(parsed("\t total\tIr  -0.5% # comment\r\n"), "total - Ir percent -5000");
	CHECK_STR(parsed("any Ir +10% +5_000 soft"), "self * Ir soft percent change 100000 5000");
	CHECK_STR(parsed("self f* Ir -7 hard"), "self f* Ir change -7");
	CHECK_STR(parsed("inclusive \"f(int, \\\"\\\\x)\" Ir improve"),
		  "inclusive f(int, \"\\x) Ir improve");
	CHECK_STR(parsed("total Ir <=9223372036854775807"), "total - Ir most 9223372036854775807");
	CHECK_STR(parsed("region crc/* Ir +1%"), "region crc/* Ir percent 10000");
	CHECK_STR(parsed("region \"a b: c\" Cyc +5% soft"), "region a b: c Cyc soft percent 50000");
	CHECK_STR(parsed("region"), "1:7: expected a pattern of regions");
	CHECK_STR(parsed("self a#b Ir +0#c"), "1:14: expected a number, or a percentage");
	CHECK_STR(parsed("total Ir +99999.9999%"), "total - Ir percent 999999999");
	CHECK_STR(parsed("self \"total\" any +1 # a pattern and an event may be called so"),
		  "self total any change 1");
	CHECK_STR(parsed("total Ir >=1_000"), "total - Ir least 1000");
	CHECK_STR(parsed("total Ir +-0.5%"), "total - Ir percent 5000 both ways");
	CHECK_STR(parsed("total Ir \xc2\xb1"
			 "2% +-7 soft"),
		  "total - Ir soft percent change 20000 7 both ways");
	CHECK_STR(parsed(""), "0 limits");
	CHECK_STR(parsed("\xef\xbb\xbftotal Ir +2%"), "total - Ir percent 20000");
	CHECK_STR(parsed("\xef\xbb\xbf"), "0 limits");
	CHECK_STR(parsed("# nothing\n\n  \t# here\n"), "0 limits");
	CHECK_STR(parsed("total Ir +1\ntotal Dr +1"), "2 limits");
}

TEST(errors)
{
	static const char bound[] =
		"expected a bound: +N, +N%, -N, -N%, +-N, +-N%, <=N, >=N or improve";
	static const char lonely[] =
		"expected no other bound with >=N, which has a limit of its own";
	static const char one_way[] = "expected +- in all bounds or in none of them";
	static const char percent[] =
		"1:11: expected a percentage below 100000, with four decimals at most";
	char want[128];

	CHECK_STR(parsed("\nfoo Ir +1"), "2:1: expected total, any, self, inclusive or region");
	CHECK_STR(parsed("\"any\" Ir +1"), "1:1: expected total, any, self, inclusive or region");
	CHECK_STR(parsed("total"), "1:6: expected the name of an event");
	CHECK_STR(parsed("self"), "1:5: expected a pattern of functions");
	CHECK_STR(parsed("self \"f"), "1:8: expected \" after the pattern");
	CHECK_STR(parsed("self \"f\"x Ir +1"), "1:9: expected a blank after the pattern");
	snprintf(want, sizeof(want), "1:9: %s", bound);
	CHECK_STR(parsed("total Ir"), want);
	snprintf(want, sizeof(want), "1:10: %s", bound);
	CHECK_STR(parsed("total Ir 5%"), want);
	CHECK_STR(parsed("total Ir \"improve\""), want);
	CHECK_STR(parsed("total Ir soft"), want);
	CHECK_STR(parsed("total Ir +"), "1:11: expected a number, or a percentage");
	CHECK_STR(parsed("total Ir +-"), "1:12: expected a number, or a percentage");
	CHECK_STR(parsed("total Ir -+1"), "1:11: expected a number, or a percentage");
	CHECK_STR(parsed("total Ir \xc2\xb1x"), "1:12: expected a number, or a percentage");
	CHECK_STR(parsed("total Ir >=-1"), "1:12: expected a number");
	CHECK_STR(parsed("total Ir +-1 +-2"), "1:14: expected one bound of this kind");
	CHECK_STR(parsed("total Ir >=1 >=2"), "1:14: expected one bound of this kind");
	/* Each of these could never be broken by a decrease, or by an increase. */
	snprintf(want, sizeof(want), "1:14: %s", lonely);
	CHECK_STR(parsed("total Ir >=1 <=2"), want);
	CHECK_STR(parsed("total Ir >=1 +2%"), want);
	snprintf(want, sizeof(want), "1:13: %s", lonely);
	CHECK_STR(parsed("total Ir +1 >=2"), want);
	snprintf(want, sizeof(want), "1:15: %s", one_way);
	CHECK_STR(parsed("total Ir +-1% +100"), want);
	CHECK_STR(parsed("total Ir +-1% improve"), want);
	snprintf(want, sizeof(want), "1:13: %s", one_way);
	CHECK_STR(parsed("total Ir +1 +-2%"), want);
	snprintf(want, sizeof(want), "1:10: %s", bound);
	CHECK_STR(parsed("total Ir =1"), want);
	CHECK_STR(parsed("total Ir \xb1"
			 "1"),
		  want);
	CHECK_STR(parsed("total Ir +_1"), "1:11: expected a number, or a percentage");
	CHECK_STR(parsed("total Ir +1.5"), "1:11: expected a number, or a percentage");
	CHECK_STR(parsed("total Ir +9223372036854775808"),
		  "1:11: expected a number up to 9223372036854775807");
	CHECK_STR(parsed("total Ir <=9223372036854775808"),
		  "1:12: expected a number up to 9223372036854775807");
	CHECK_STR(parsed("total Ir +9223372036854775808%"),
		  "1:11: expected a number up to 9223372036854775807");
	CHECK_STR(parsed("total Ir +1_"), "1:11: expected a digit after _");
	CHECK_STR(parsed("total Ir +1_%"), "1:11: expected a digit after _");
	CHECK_STR(parsed("total Ir +1._1%"), percent);
	CHECK_STR(parsed("total Ir <=1_"), "1:12: expected a digit after _");
	CHECK_STR(parsed("total Ir +1%soft"), "1:11: expected a blank after %");
	CHECK_STR(parsed("total Ir +1soft"), "1:11: expected a blank after the number");
	CHECK_STR(parsed("total Ir <=1hard"), "1:12: expected a blank after the number");
	CHECK_STR(parsed("total Ir +1.23456%"), percent);
	CHECK_STR(parsed("total Ir +100000%"), percent);
	CHECK_STR(parsed("total Ir +1.%"), percent);
	CHECK_STR(parsed("total Ir +1%%"), percent);
	CHECK_STR(parsed("total Ir +1 +2"), "1:13: expected one bound of this kind");
	CHECK_STR(parsed("total Ir +1% -2%"), "1:14: expected one bound of this kind");
	CHECK_STR(parsed("total Ir <=1 <=2"), "1:14: expected one bound of this kind");
	CHECK_STR(parsed("total Ir improve improve"), "1:18: expected one bound of this kind");
	CHECK_STR(parsed("total Ir <=-1"), "1:12: expected a number");
	CHECK_STR(parsed("total Ir +1 often"), "1:13: expected a bound, hard or soft");
	CHECK_STR(parsed("total Ir +1 soft hard"), "1:18: expected the end of the line");
}

TEST(nul_bytes)
{
	static const char text[] = "total I\0r +1";
	struct limits limits;
	struct profile_error error;

	CHECK_EQ_U64((uint64_t)limits_parse(&limits, text, sizeof(text) - 1, "limits", &error),
		     PROFILE_SYNTAX);
	CHECK_STR(error.text, "expected no NUL byte");
	CHECK_EQ_U64(error.column, 7);
	limits_release(&limits);
}

TEST(patterns)
{
	static const struct {
		const char *pattern, *text;
		bool matches;
	} want[] = {
		{ "", "", true },
		{ "", "a", false },
		{ "*", "", true },
		{ "a*c", "abc", true },
		{ "a*c", "ac", true },
		{ "a*c", "acb", false },
		{ "a?c", "abc", true },
		{ "a?c", "ac", false },
		{ "*ab*ab", "abab", true },
		{ "*ab*ab", "ab", false },
		{ "*a*b*c", "xaybzbc", true },
		{ "operator[]", "operator[]", true },
		{ "f", "ff", false },
		{ "**", "x", true },
	};

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		CHECK(limit_matches(want[i].pattern, want[i].text, strlen(want[i].text)) ==
		      want[i].matches);
}

/* On the bound is kept, one more is broken. */
TEST(edges)
{
	static const struct {
		const char *bounds;
		int64_t old_value, new_value;
		bool broken;
		unsigned decimals;
	} want[] = {
		{ "+2%", 1000, 1020, false, 0 },
		{ "+2%", 1000, 1021, true, 0 },
		{ "+0.1%", 1000, 1001, false, 0 },
		{ "+0.1%", 999, 1000, true, 0 },
		{ "-5%", 100, 95, false, 0 },
		{ "-5%", 100, 96, true, 0 },
		{ "+2%", 0, 0, false, 0 },
		{ "+2%", 0, 1, true, 0 },
		{ "+7", 10, 17, false, 0 },
		{ "+7", 10, 18, true, 0 },
		{ "-7", 10, 3, false, 0 },
		{ "-7", 10, 4, true, 0 },
		{ "<=17", 0, 17, false, 0 },
		{ "<=17", 100, 18, true, 0 },
		{ "improve", 10, 9, false, 0 },
		{ "improve", 10, 10, true, 0 },
		{ "+10% +5", 10, 15, false, 0 },   /* 50 %, but not more than 5 */
		{ "+10% +5", 100, 106, false, 0 }, /* more than 5, but not than 10 % */
		{ "+10% +5", 10, 16, true, 0 },
		{ "+10%", -100, -90, false, 0 },
		{ "+10%", -100, -89, true, 0 },
		{ "+-2%", 1000, 980, false, 0 },
		{ "+-2%", 1000, 979, true, 0 },
		{ "+-2%", 1000, 1020, false, 0 },
		{ "+-2%", 1000, 1021, true, 0 },
		{ "+-2%", 0, 1, true, 0 },
		{ "+-7", 10, 3, false, 0 },
		{ "+-7", 10, 2, true, 0 },
		{ "+-10% +-5", 10, 5, false, 0 }, /* 50 %, but not more than 5 */
		{ "+-10% +-5", 10, 4, true, 0 },
		{ "+-10% +-5", 100, 94, false, 0 },
		{ ">=17", 0, 17, false, 0 },
		{ ">=17", 0, 16, true, 0 },
		{ ">=17", 1000, 1000000, false, 0 },
		/* Tenths: bounds are of wholes. */
		{ ">=17", 0, 170, false, 1 },
		{ ">=17", 0, 169, true, 1 },
		{ "+-7", 100, 29, true, 1 },
		{ "+-7", 100, 30, false, 1 },
		{ "+7", 100, 170, false, 1 },
		{ "+7", 100, 171, true, 1 },
		{ "<=17", 0, 170, false, 1 },
		{ "<=17", 0, 171, true, 1 },
		{ "+2%", 1000, 1020, false, 1 },
		{ "+2%", 1000, 1021, true, 1 },
	};

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct limits limits;
		char text[64];

		snprintf(text, sizeof(text), "total Ir %s", want[i].bounds);
		CHECK_EQ_U64((uint64_t)limits_parse(&limits, text, strlen(text), NULL, NULL),
			     PROFILE_OK);
		if (limit_is_exceeded(&limits.all[0], want[i].old_value, want[i].new_value,
				      want[i].decimals) != want[i].broken)
			CHECK_STR(text, want[i].broken ? "is kept" : "is broken");
		limits_release(&limits);
	}
}

/* Checks one limit; "matched/broken row OLD to NEW", after "gone" if it is. */
static const char *verdict_of(const struct difference *difference, const struct metrics *metrics,
			      const char *text)
{
	static char result[128];
	struct limits limits;
	struct limit_verdict verdict;

	CHECK_EQ_U64((uint64_t)limits_parse(&limits, text, strlen(text), NULL, NULL), PROFILE_OK);
	limit_check(&verdict, difference, &limits.all[0], &metrics->all[0], true);
	CHECK(verdict.state != LIMIT_NO_RESULT && verdict.state <= LIMIT_KEPT);
	CHECK(verdict.state < LIMIT_BROKEN ||
	      (verdict.state == LIMIT_BROKEN) == (verdict.n_broken > 0));
	CHECK((verdict.state == LIMIT_UNMATCHED) == (verdict.n_matched == 0));
	snprintf(result, sizeof(result), "%s%zu/%zu %s %d to %d",
		 verdict.state == LIMIT_GONE ? "gone " : "", verdict.n_matched, verdict.n_broken,
		 verdict.n_broken > 0 && limits.all[0].pattern
			 ? difference_name(difference, verdict.row, NAME_FUNCTION).text
			 : "-",
		 (int)verdict.old_value, (int)verdict.new_value);
	limits_release(&limits);
	return result;
}

TEST(gate)
{
	struct model old_model, new_model;
	struct difference d;
	struct metrics m;
	struct arena arena;

	model_of(&old_model,
		 "events: Ir\nfl=a.c\nfn=f\n1 100\ncfi=b.c\ncfn=ns::g\ncalls=1 1\n1 50\n"
		 "fl=b.c\nfn=ns::g\n1 50\nfn=gone\n1 9\n");
	model_of(&new_model,
		 "events: Ir\nfl=a.c\nfn=f\n1 101\ncfi=b.c\ncfn=ns::g\ncalls=1 1\n1 80\n"
		 "fl=b.c\nfn=ns::g\n1 80\nfn=fresh\n1 4\n");
	CHECK_EQ_U64((uint64_t)difference_init(&d, &old_model, &new_model, 0), PROFILE_OK);
	arena_init(&arena);
	difference_metric(&d, &m, &arena);
	CHECK_STR(verdict_of(&d, &m, "total Ir +26"), "1/0 - 159 to 185");
	CHECK_STR(verdict_of(&d, &m, "total Ir +25"), "1/1 - 159 to 185");
	CHECK_STR(verdict_of(&d, &m, "any Ir +0"), "4/3 ns::g 50 to 80");
	CHECK_STR(verdict_of(&d, &m, "any Ir +1"), "4/2 ns::g 50 to 80");
	CHECK_STR(verdict_of(&d, &m, "inclusive f Ir +30"), "1/1 f 150 to 181");
	CHECK_STR(verdict_of(&d, &m, "self a.c:* Ir +0"), "1/1 f 100 to 101");
	CHECK_STR(verdict_of(&d, &m, "self b.c:ns::? Ir +0"), "1/1 ns::g 50 to 80");
	CHECK_STR(verdict_of(&d, &m, "self ns::g Ir +30"), "1/0 - 0 to 0");
	CHECK_STR(verdict_of(&d, &m, "self fresh Ir +100%"), "1/1 fresh 0 to 4");
	CHECK_STR(verdict_of(&d, &m, "self gone Ir -100%"), "gone 1/0 - 0 to 0");
	CHECK_STR(verdict_of(&d, &m, "self gone Ir +-1%"), "gone 1/1 gone 9 to 0");
	CHECK_STR(verdict_of(&d, &m, "self *g* Ir +30"), "2/0 - 0 to 0");
	/* By what breaks each most. */
	CHECK_STR(verdict_of(&d, &m, "any Ir +-8"), "4/2 ns::g 50 to 80");
	CHECK_STR(verdict_of(&d, &m, "any Ir >=81"), "4/3 gone 9 to 0");
	CHECK_STR(verdict_of(&d, &m, "total Ir >=186"), "1/1 - 159 to 185");
	CHECK_STR(verdict_of(&d, &m, "self c.c:* Ir +0"), "0/0 - 0 to 0");
	arena_release(&arena);
	difference_release(&d);
	model_release(&old_model);
	model_release(&new_model);
}

/* Paths are matched from any slash on; renamed functions by both names. */
TEST(names)
{
	struct model old_model, new_model;
	struct difference d;
	struct metrics m;
	struct arena arena;

	model_of(&old_model,
		 "events: Ir\nfl=/a/b/main.c\nfn=f\n1 10\nfn=g.part.0\n1 20\nfn=gone\n1 5\n");
	model_of(&new_model, "events: Ir\nfl=/a/b/main.c\nfn=f\n1 11\nfn=g.part.1\n1 22\n");
	CHECK_EQ_U64((uint64_t)difference_init(&d, &old_model, &new_model, SYMBOLNAME_ALIKE),
		     PROFILE_OK);
	arena_init(&arena);
	difference_metric(&d, &m, &arena);
	CHECK_STR(verdict_of(&d, &m, "self main.c:f Ir +0"), "1/1 f 10 to 11");
	CHECK_STR(verdict_of(&d, &m, "self b/main.c:f Ir +0"), "1/1 f 10 to 11");
	CHECK_STR(verdict_of(&d, &m, "self /a/b/main.c:f Ir +0"), "1/1 f 10 to 11");
	CHECK_STR(verdict_of(&d, &m, "self m*.c:f Ir +0"), "1/1 f 10 to 11");
	CHECK_STR(verdict_of(&d, &m, "self ain.c:f Ir +0"), "0/0 - 0 to 0");
	CHECK_STR(verdict_of(&d, &m, "self b/:f Ir +0"), "0/0 - 0 to 0");
	CHECK_STR(verdict_of(&d, &m, "self g.part.0 Ir +0"), "1/1 g.part.1 20 to 22");
	CHECK_STR(verdict_of(&d, &m, "self main.c:g.part.0 Ir +0"), "1/1 g.part.1 20 to 22");
	CHECK_STR(verdict_of(&d, &m, "self main.c:g.part.1 Ir +0"), "1/1 g.part.1 20 to 22");
	CHECK_STR(verdict_of(&d, &m, "self *g* Ir +0"), "2/1 g.part.1 20 to 22");
	arena_release(&arena);
	difference_release(&d);
	model_release(&old_model);
	model_release(&new_model);
}

/* Lists of any length are the beginning of the whole one. */
TEST(broken_rows)
{
	struct model old_model, new_model;
	struct difference d;
	struct metrics m;
	struct arena arena;
	struct limits limits;
	struct limit_verdict verdict;
	struct limit_violation rows[8];
	static const char *const want[] = { "c", "e", "a", "b" };

	model_of(&old_model, "events: Ir\nfl=a.c\nfn=a\n1 10\nfn=b\n1 10\nfn=c\n1 10\nfn=d\n1 10\n"
			     "fn=e\n1 10\n");
	model_of(&new_model, "events: Ir\nfl=a.c\nfn=a\n1 12\nfn=b\n1 11\nfn=c\n1 19\nfn=d\n1 10\n"
			     "fn=e\n1 13\n");
	CHECK_EQ_U64((uint64_t)difference_init(&d, &old_model, &new_model, 0), PROFILE_OK);
	arena_init(&arena);
	difference_metric(&d, &m, &arena);
	CHECK_EQ_U64((uint64_t)limits_parse(&limits, "any Ir +0", 9, NULL, NULL), PROFILE_OK);
	limit_check(&verdict, &d, &limits.all[0], &m.all[0], false);
	CHECK_EQ_U64(verdict.state, LIMIT_NO_RESULT);
	limit_check(&verdict, &d, &limits.all[0], &m.all[0], true);
	for (size_t most = 0; most <= 8; most++) {
		size_t n = limit_check_list(&verdict, &d, rows, most);

		CHECK_EQ_U64(n, most < 4 ? most : 4);
		for (size_t i = 0; i < n; i++)
			CHECK_STR(difference_name(&d, rows[i].row, NAME_FUNCTION).text, want[i]);
	}
	limits_release(&limits);
	arena_release(&arena);
	difference_release(&d);
	model_release(&old_model);
	model_release(&new_model);
}

/* Writes a file of n lines; tests run in a folder of their own. */
static void write_lines(const char *path, const char *line, size_t n)
{
	FILE *file = fopen(path, "w");

	for (size_t i = 0; file && i < n; i++)
		fputs(line, file);
	CHECK(file && fclose(file) == 0);
}

TEST(files)
{
	static const char line[] = "total Ir +1\n";
	const size_t n = LIMIT_MAX_BYTES / (sizeof(line) - 1);
	struct profile_error error;
	struct limits limits;

	write_lines("limits", line, n);
	CHECK_EQ_U64((uint64_t)limits_read(&limits, "limits", &error), PROFILE_OK);
	CHECK_EQ_U64(limits.n, n);
	limits_release(&limits);
	write_lines("limits", line, n + 1);
	CHECK_EQ_U64((uint64_t)limits_read(&limits, "limits", &error), PROFILE_SYNTAX);
	CHECK_STR(error.text, "expected limits, of 1 MiB at most");
	CHECK_STR(error.file, "limits");
	limits_release(&limits);
	CHECK_EQ_U64((uint64_t)limits_read(&limits, "missing", &error), PROFILE_IO);
	CHECK_STR(error.file, "missing");
	limits_release(&limits);
	CHECK_EQ_U64((uint64_t)limits_read(&limits, ".", NULL), PROFILE_IO);
	limits_release(&limits);
}

/* The state of a limit, the regions that it fits, that are gone, and that break it, and which one does most. */
static const char *held(const char *limit, const struct limit_region *regions, size_t n)
{
	static const char *const states[] = { "no result", "unmatched", "gone", "broken", "kept" };
	static char result[128];
	const struct metric metric = { .name = "Ir" };
	struct limit_verdict verdict;
	struct limits limits;

	CHECK(limits_parse(&limits, limit, strlen(limit), "limits", NULL) == PROFILE_OK);
	limit_check_regions(&verdict, &limits.all[0], &metric, regions, n);
	snprintf(result, sizeof(result), "%s %zu %zu %zu %s", states[verdict.state],
		 verdict.n_matched, verdict.n_gone, verdict.n_broken,
		 verdict.n_broken > 0 ? regions[verdict.row].name : "-");
	limits_release(&limits);
	return result;
}

TEST(regions)
{
	static const struct limit_region regions[] = {
		{ 1000, 1010, "crc/64", true, true, false },
		{ 1000, 1011, "crc/128", true, true, false },
		{ 1000, 1030, "crc/256", true, true, false },
		{ 100, 0, "sort: by name", true, false, false },
		{ 0, 500, "new", false, true, false },
		{ 100, 900, "left", true, true, true },
	};
	enum { N = sizeof(regions) / sizeof(regions[0]) };

	CHECK_STR(held("region crc/* Ir +1%", regions, N), "broken 3 0 2 crc/256");
	CHECK_STR(held("region crc/64 Ir +1%", regions, N), "kept 1 0 0 -");
	CHECK_STR(held("region crc/* Ir <=1000", regions, N), "broken 3 0 3 crc/256");
	CHECK_STR(held("region crc Ir +1%", regions, N), "unmatched 0 0 0 -");
	CHECK_STR(held("region \"sort: *\" Ir +1%", regions, N), "gone 1 1 0 -");
	CHECK_STR(held("region ?e?t Ir +1%", regions, N), "unmatched 1 0 0 -");
	/* What is new has no change, but a value. */
	CHECK_STR(held("region new Ir +1%", regions, N), "kept 1 0 0 -");
	CHECK_STR(held("region new Ir <=499", regions, N), "broken 1 0 1 new");
	CHECK_STR(held("region new Ir improve", regions, N), "kept 1 0 0 -");
	CHECK_STR(held("region * Ir +1%", regions, 5), "gone 5 1 2 crc/256");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(grammar),  CHECK_TEST(errors), CHECK_TEST(nul_bytes),
		CHECK_TEST(patterns), CHECK_TEST(edges),  CHECK_TEST(gate),
		CHECK_TEST(files),    CHECK_TEST(names),  CHECK_TEST(broken_rows),
		CHECK_TEST(regions),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
