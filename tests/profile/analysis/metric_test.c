/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is derived from events; amounts as they are shown. */
#include "profile/analysis/metric.h"

#include <string.h>

#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "tests/common/check.h"

TEST(derived)
{
	static const struct model_event events[] = {
		{ "Ir", NULL },   { "Dr", NULL },   { "Dw", NULL },
		{ "I1mr", NULL }, { "D1mr", NULL }, { "D1mw", NULL },
		{ "ILmr", NULL }, { "DLmr", NULL }, { "DLmw", NULL },
	};
	static const uint64_t costs[] = { 1000, 200, 100, 10, 20, 30, 1, 2, 3 };
	static const struct model_derived definitions[] = {
		{ "Later", "2 Mine - Ir", NULL }, /* of what is defined after it */
		{ "Mine", "Ir + 3*Dr", NULL },
		{ "LLm", "7 Ir", NULL },        /* not instead of the one that is known */
		{ "Part", "Ir + Bogus", NULL }, /* what was not recorded is left out */
		{ "Spread", "Ir + Bm", NULL },  /* the same, of what is known */
		{ "Known", "2 EstCyc + L1m", NULL },
		{ "Circle", "Circle + Ir", NULL },
		{ "Heavy", "9999999 Ir", NULL }, /* beyond what is computed */
	};
	static const struct {
		const char *name;
		int64_t value;
	} want[] = {
		{ "Dw", 100 },      { "D2mw", 3 },
		{ "L1m", 60 },      { "Drefs", 300 },
		{ "D1m", 50 },      { "DLm", 5 },
		{ "LLm", 6 },       { "Part", 1000 },
		{ "Spread", 1000 }, { "Known", 2 * (1240 + 5 * 54 + 35 * 6) + 60 },
		{ "Mine", 1600 },   { "Later", 2200 },
		{ "L1hit", 1240 },  { "LLhit", 54 }, /* 60 - 6 */
		{ "RAMhit", 6 },    { "EstCyc", 1240 + 5 * 54 + 35 * 6 },
	};
	struct metric_source source = {
		.events = events, .n_events = 9, .derived = definitions, .n_derived = 8
	};
	struct metrics metrics;
	struct arena arena;

	arena_init(&arena);
	metrics_init(&metrics, &source, &arena);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		size_t number = metrics_find(&metrics, want[i].name, strlen(want[i].name));

		if (CHECK(number < metrics.n))
			CHECK_EQ_U64((uint64_t)metric_value(&metrics.all[number], costs, false),
				     (uint64_t)want[i].value);
	}
	CHECK_EQ_U64(metrics_find(&metrics, "Circle", 6), metrics.n);
	CHECK_EQ_U64(metrics_find(&metrics, "Heavy", 5), metrics.n);
	CHECK_EQ_U64(metrics_find(&metrics, "Bm", 2), metrics.n); /* no branches */
	CHECK_EQ_U64(metrics_find(&metrics, "Branches", 8), metrics.n);
	source.is_strict = true;
	metrics_init(&metrics, &source, &arena);
	CHECK_EQ_U64(metrics_find(&metrics, "Part", 4), metrics.n);
	CHECK_EQ_U64(metrics_find(&metrics, "Spread", 6), metrics.n);
	CHECK(metrics_find(&metrics, "Known", 5) < metrics.n);
	arena_release(&arena);
}

/* What a run is judged by if nothing was asked for: of these events and this definition. */
static void check_main(const struct model_event *events, size_t n,
		       const struct model_derived *definition, const char *name)
{
	const struct metric_source source = { .events = events,
					      .n_events = n,
					      .derived = definition,
					      .n_derived = definition != NULL };
	struct metrics metrics;
	struct arena arena;

	arena_init(&arena);
	metrics_init(&metrics, &source, &arena);
	CHECK_STR(metrics.all[metrics_main(&metrics)].name, name);
	arena_release(&arena);
}

TEST(main_metric)
{
	static const struct model_event cached[] = { { "Ir", NULL },
						     { "I1mr", NULL },
						     { "ILmr", NULL } };
	static const struct model_event plain[] = { { "Bc", NULL }, { "Ir", NULL } };
	static const struct model_event foreign[] = { { "Time", NULL }, { "Memory", NULL } };
	static const struct model_derived own = { "CEst", "Ir + 10 Bc", NULL };

	check_main(cached, 3, NULL, "EstCyc");
	check_main(plain, 2, NULL, "Ir");
	check_main(plain, 2, &own, "CEst");
	check_main(foreign, 2, NULL, "Time");
}

/* The machine's cycles, in tenths, and an estimate of them, of these costs of one event each. */
static const struct model_event cycle_events[] = {
	{ "Ir", NULL },    { "D1mr", NULL },  { "D1mw", NULL }, { "CyBase", NULL },
	{ "CyDep", NULL }, { "CyMem", NULL }, { "Bcm", NULL },
};
static const uint64_t cycle_costs[] = { 1000, 20, 11, 5000, 300, 45, 7 };

static const struct metric *metric_of(struct metrics *metrics, const struct metric_source *source,
				      const char *name, struct arena *arena)
{
	size_t number;

	metrics_init(metrics, source, arena);
	number = metrics_find(metrics, name, strlen(name));
	return CHECK(number < metrics->n) ? &metrics->all[number] : NULL;
}

static void check_value(const struct metric *metric, const char *people, const char *programs)
{
	char text[INT128_TEXT];
	int128 value;

	if (!metric)
		return;
	value = metric_value(metric, cycle_costs, false);
	int128_print_decimal(text, value, true, metric->decimals.people);
	CHECK_STR(text, people);
	int128_print_decimal(text, value, false, metric->decimals.programs);
	CHECK_STR(text, programs);
}

TEST(tenths)
{
	static const struct model_derived definitions[] = {
		{ "Cyc", "CyBase + CyMem", "Cycles of zen9 (tenths)" },
		{ "Waits", "CyDep + CyMem", NULL },
		{ "Mixed", "CyMem + 2 Ir", NULL }, /* a file's columns, as they are */
	};
	const struct metric_source source = {
		.events = cycle_events, .n_events = 7, .derived = definitions, .n_derived = 3
	};
	struct metrics metrics;
	struct arena arena;
	const struct metric *cycles;

	arena_init(&arena);
	check_value(metric_of(&metrics, &source, "CyMem", &arena), "4.5", "45");
	check_value(metric_of(&metrics, &source, "Ir", &arena), "1,000", "1000");
	check_value(metric_of(&metrics, &source, "Waits", &arena), "34.5", "345");
	check_value(metric_of(&metrics, &source, "Mixed", &arena), "2,045", "2045");
	cycles = metric_of(&metrics, &source, "Cyc", &arena);
	check_value(cycles, "534.5", "5345"); /* whatever the file's formula is, but by its name */
	if (cycles)
		CHECK_STR(cycles->long_name, "Cycles of zen9 (tenths)");
	CHECK_STR(metrics.all[metrics_main(&metrics)].name, "Cyc");
	arena_release(&arena);
}

TEST(estimate)
{
	static const struct {
		const char *formula, *people, *programs;
	} want[] = {
		{ "Ir + 0.5*D1m", "1,015.5", "1015.5" },
		{ "0.250 Ir - 1.5 D1mr", "220.00", "220.00" },
		{ "Ir", "1,000", "1000" },
		{ "Cyc + 10 Bm", "604.5", "604.5" }, /* of cycles, not of their tenths */
		{ "0.5 Cyc", "267.25", "267.25" },
		{ "1048.576 Ir + Bim", "1,048,576.000", "1048576.000" },
	};
	struct metric_source source = { .events = cycle_events, .n_events = 7 };
	struct metrics metrics;
	struct arena arena;

	arena_init(&arena);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		source.estimate = want[i].formula;
		check_value(metric_of(&metrics, &source, "EstCyc", &arena), want[i].people,
			    want[i].programs);
		CHECK_STR(metrics.all[metrics_main(&metrics)].name, "EstCyc");
		CHECK(metrics_estimate_wrong(&metrics, want[i].formula, NULL, &arena) == NULL);
	}
	arena_release(&arena);
}

/* A file's formula of the estimate adds up what it is, decimals and all. */
TEST(of_estimate)
{
	static const struct model_derived definitions[] = { { "Twice", "2 EstCyc + Ir", NULL } };
	const struct metric_source source = { .events = cycle_events,
					      .n_events = 7,
					      .derived = definitions,
					      .n_derived = 1,
					      .estimate = "Ir + 0.25 D1m" };
	struct metrics metrics;
	struct arena arena;

	arena_init(&arena);
	check_value(metric_of(&metrics, &source, "Twice", &arena), "3,015.50", "3015.50");
	arena_release(&arena);
}

TEST(wrong_estimate)
{
	static const struct {
		const char *formula, *wrong;
	} want[] = {
		{ "Ir + Foo", "expected an event in the formula, found 'Foo'" },
		{ "Bi + RAMhit", "expected an event that was recorded in the formula" },
		{ "1048.577 Ir", "expected weights of fewer digits" },
		{ "EstCyc + Ir", "expected an event in the formula, found 'EstCyc'" },
		{ "Bi - Ir", "expected a weight above 0 of an event that was recorded" },
		{ "Ir - Ir", "expected a weight above 0 of an event that was recorded" },
		{ "D1m - Ir", "expected a formula that is not below 0 for the whole program" },
	};
	struct metric_source source = { .events = cycle_events, .n_events = 7 };
	struct metrics metrics;
	struct arena arena;

	arena_init(&arena);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const char *wrong;

		source.estimate = want[i].formula;
		metrics_init(&metrics, &source, &arena);
		wrong = metrics_estimate_wrong(&metrics, want[i].formula, cycle_costs, &arena);
		if (CHECK(wrong != NULL))
			CHECK_STR(wrong, want[i].wrong);
	}
	CHECK(!formula_is_weighted("0.1234 Ir") && !formula_is_weighted("1. Ir"));
	CHECK(!formula_is_weighted(".5 Ir") && !formula_is_weighted("1.5"));
	CHECK(formula_is_weighted("0.12300 Ir - 2*Dr") && !formula_is_valid("0.5 Ir"));
	arena_release(&arena);
}

TEST(decimals)
{
	static const struct {
		int64_t value;
		unsigned decimals;
		const char *text;
	} want[] = {
		{ 0, 1, "0.0" },         { 5, 1, "0.5" },          { -5, 1, "-0.5" },
		{ 12345, 1, "1,234.5" }, { -12345, 3, "-12.345" }, { 1007, 2, "10.07" },
		{ 12345, 0, "12,345" },
	};
	char text[INT128_TEXT];

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		size_t len = int128_print_decimal(text, want[i].value, true, want[i].decimals);

		CHECK_STR(text, want[i].text);
		CHECK_EQ_U64(len, strlen(want[i].text));
	}
}

TEST(percent)
{
	static const struct {
		int64_t change, old;
		const char *text;
	} want[] = {
		{ 1, 3, "+33.33%" },
		{ 2, 3, "+66.67%" },
		{ -1, 8, "-12.50%" },
		{ 1, 800, "+0.13%" }, /* 0.125, halves away from 0 */
		{ 0, 5, "0.00%" },
		{ 1, 1000000, "<+0.01%" },
		{ -1, 1000000, "<-0.01%" },
		{ 5, 0, "" },
		{ 30000, 1, "+3,000,000.00%" },
		{ 5, -10, "+50.00%" },
	};
	char text[INT128_TEXT];

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		int128_print_percent(text, want[i].change, want[i].old);
		CHECK_STR(text, want[i].text);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(derived),  CHECK_TEST(main_metric), CHECK_TEST(tenths),
		CHECK_TEST(estimate), CHECK_TEST(of_estimate), CHECK_TEST(wrong_estimate),
		CHECK_TEST(decimals), CHECK_TEST(percent),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
