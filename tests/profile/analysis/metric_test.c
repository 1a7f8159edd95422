/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is derived from events; amounts as they are shown. */
#include "profile/analysis/metric.h"

#include <string.h>

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
		{ "Later", "2 Mine - Ir", NULL }, /* of what is defined behind it */
		{ "Mine", "Ir + 3*Dr", NULL },
		{ "LLm", "7 Ir", NULL },        /* not instead of the one that is known */
		{ "Part", "Ir + Bogus", NULL }, /* what was not recorded is left out */
		{ "Spread", "Ir + Bm", NULL },  /* likewise, of what is known */
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

	arena_init(&arena, &heap_env);
	CHECK(metrics_init(&metrics, &source, &arena));
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
	CHECK(metrics_init(&metrics, &source, &arena));
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

	arena_init(&arena, &heap_env);
	if (CHECK(metrics_init(&metrics, &source, &arena)))
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
		CHECK_TEST(derived),
		CHECK_TEST(main_metric),
		CHECK_TEST(percent),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
