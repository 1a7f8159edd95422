/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums, differences, multiples and parts of models; inclusive costs and cycles. */
#include <stdlib.h>

#include "tests/common/model_fixture.h"

#include "profile/analysis/inclusive.h"
#include "profile/filters/filters.h"

static const char first[] = "events: Ir Dr\nsummary: 20 3\nfl=a.c\nfn=main\n1 10 2\n2 5\ncfn=f\n"
			    "calls=3 7\n2 4 1\njcnd=1/4 1\n2\nfn=f\n7 4 1\ntotals: 19 3\n";
static const char second[] = "events: Ir Dr\nsummary: 30 4\nfl=a.c\nfn=main\n1 12 1\n3 7 2\ncfn=f\n"
			     "calls=1 7\n2 9 1\nfn=f\n7 8\n8 1 1\ntotals: 28 4\n";

TEST(sum)
{
	struct model a, b, want;

	model_of(&a, first);
	model_of(&b, second);
	CHECK_EQ_U64((uint64_t)model_add(&a, &b, 1), PROFILE_OK);
	model_of(&want, first);
	CHECK_EQ_U64((uint64_t)add_text(&want, second, NULL), PROFILE_OK);
	CHECK_EQUAL_MODELS(&a, &want);
	model_release(&want);
	/* Position by position, by hand. */
	model_of(&want, "events: Ir Dr\nsummary: 50 7\nfl=a.c\nfn=main\n1 22 3\n2 5\ncfn=f\n"
			"calls=4 7\n2 13 2\njcnd=1/4 1\n2\n3 7 2\nfn=f\n7 12 1\n8 1 1\n"
			"totals: 47 7\n");
	CHECK_EQUAL_MODELS(&a, &want);
	model_release(&want);
	model_release(&a);
	model_release(&b);
}

TEST(difference)
{
	struct model a, b, want;
	uint64_t totals[2];

	model_of(&a, second);
	model_of(&b, first);
	CHECK_EQ_U64((uint64_t)model_add(&a, &b, -1), PROFILE_OK);
	CHECK(a.is_signed);
	CHECK(model_totals(&a, totals));
	CHECK_EQ_U64(totals[0], 9);
	CHECK_EQ_U64(totals[1], 1);
	model_of(&want, "events: Ir Dr\nsummary: 10 1\nfl=a.c\nfn=main\n1 2 -1\n2 -5\ncfn=f\n"
			"calls=-2 7\n2 5 0\njcnd=-1/-4 1\n2\n3 7 2\nfn=f\n7 4 -1\n8 1 1\n"
			"totals: 9 1\n");
	CHECK_EQUAL_MODELS(&a, &want);
	/* And back again. */
	CHECK_EQ_U64((uint64_t)model_add(&a, &b, 1), PROFILE_OK);
	CHECK(model_totals(&a, totals));
	CHECK_EQ_U64(totals[0], 28);
	model_release(&want);
	model_release(&a);
	model_release(&b);
}

/* Scales a text into an empty model. */
static int scaled(struct model *model, const char *text, int64_t factor, uint64_t divisor)
{
	const struct reader_options reading = { .names = model->names };
	struct scaling scaling;
	struct builder builder;
	int status;

	builder_init(&builder, model, NULL);
	scaling_init(&scaling, &builder.visitor, factor, divisor);
	builder_begin_file(&builder, NULL, model->names);
	status = read_profile(&(struct reader_text){ text, strlen(text), "text" }, &reading,
			      &scaling.filter.visitor, NULL, NULL);
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	return status;
}

TEST(multiples)
{
	static const struct {
		const char *from;
		int64_t factor;
		uint64_t divisor;
		const char *to; /* NULL = beyond 64 bits */
	} cases[] = {
		{ "5 0 7", 3, 1, "15 0 21" },
		{ "5 0 7", -1, 1, "-5 0 -7" },
		{ "-5 0 7", -2, 1, "10 0 -14" },
		{ "5 4 7 1", 1, 2, "3 2 4 1" }, /* halves away from 0 */
		{ "-5 4 -7 -1", 1, 2, "-3 2 -4 -1" },
		{ "10 11 14", 1, 4, "3 3 4" },
		{ "18446744073709551615", 1, 1, "18446744073709551615" },
		{ "18446744073709551615", 2, 1, NULL },
		{ "18446744073709551615", 3, 3, "18446744073709551615" },
		{ "9223372036854775808", -1, 1, "-9223372036854775808" },
		{ "9223372036854775809", -1, 1, NULL },
		{ "-9223372036854775808", -1, 1, NULL },
		{ "5", 0, 1, "0" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct model model, want;
		char text[256];
		int status;

		model_init(&model);
		snprintf(text, sizeof(text), "events: A B C D\nfn=f\n1 %s\n", cases[i].from);
		status = scaled(&model, text, cases[i].factor, cases[i].divisor);
		if (!CHECK(status == (cases[i].to ? PROFILE_OK : PROFILE_RANGE)))
			printf("# case %zu\n", i);
		if (status == PROFILE_OK && cases[i].to) {
			snprintf(text, sizeof(text), "events: A B C D\nfn=f\n1 %s\n", cases[i].to);
			model_of(&want, text);
			want.is_signed |= model.is_signed;
			CHECK_EQUAL_MODELS(&model, &want);
			model_release(&want);
		}
		model_release(&model);
	}
}

static bool keeps_capitals(void *ctx, const struct place *place)
{
	(void)ctx;
	return place->function.text[0] <= 'Z';
}

/* A text folded, into a model. */
static void folded(struct model *model, const char *text, bool drops)
{
	const struct reader_options reading = { .names = model->names };
	struct folding folding;
	struct builder builder;

	model_init(model);
	builder_init(&builder, model, NULL);
	folding_init(&folding, &builder.visitor, keeps_capitals, NULL, drops);
	builder_begin_file(&builder, NULL, model->names);
	CHECK_EQ_U64((uint64_t)read_profile(&(struct reader_text){ text, strlen(text), "text" },
					    &reading, &folding.filter.visitor, NULL, NULL),
		     PROFILE_OK);
	CHECK_EQ_U64((uint64_t)builder_finish(&builder), PROFILE_OK);
	builder_release(&builder);
}

static const char unfolded[] = "events: Ir\nob=o\nfl=a.c\nfn=A\n1 1\ncfn=b\ncalls=2 5\n1 9\ncfn=c\n"
			       "calls=3 6\n1 8\njump=1 1\n1\nfn=b\n5 2\ncfn=c\ncalls=1 6\n5 3\n"
			       "cfn=A\ncalls=1 1\n5 4\njump=1 5\n5\nfn=c\n6 3\n7 4\n";

TEST(small_functions_as_one)
{
	struct model model, want;

	folded(&model, unfolded, false);
	model_of(&want, "events: Ir\nob=o\nfl=a.c\nfn=A\n1 1\ncob=???\ncfi=???\ncfn=<rest>\n"
			"calls=5 0\n1 17\njump=1 1\n1\nob=???\nfl=???\nfn=<rest>\n0 9\ncob=o\n"
			"cfi=a.c\ncfn=A\ncalls=1 1\n0 4\n");
	CHECK_EQUAL_MODELS(&model, &want);
	model_release(&want);
	model_release(&model);

	folded(&model, unfolded, true);
	model_of(&want, "events: Ir\nob=o\nfl=a.c\nfn=A\n1 1\ncob=???\ncfi=???\ncfn=<rest>\n"
			"calls=5 0\n1 17\njump=1 1\n1\n");
	CHECK_EQUAL_MODELS(&model, &want);
	model_release(&want);
	model_release(&model);
}

TEST(folding_below_a_threshold)
{
	struct model model, small;
	struct inclusive inclusive;
	struct builder builder;
	struct folding folding;
	struct folding_threshold threshold = { &model, &inclusive, 0, 400 };
	uint64_t before = 0, after = 0;

	model_of(&model,
		 "events: Ir\nfl=a.c\nfn=main\n1 100\ncfn=big\ncalls=1 2\n1 500\ncfn=small\n"
		 "calls=1 3\n1 30\nfn=big\n2 500\nfn=small\n3 10\ncfn=tiny\ncalls=1 4\n3 20\n"
		 "fn=tiny\n4 20\n");
	CHECK_EQ_U64((uint64_t)inclusive_compute(&inclusive, &model, NULL), PROFILE_OK);
	model_init(&small);
	builder_init(&builder, &small, NULL);
	folding_init(&folding, &builder.visitor, folding_keeps_above, &threshold, false);
	builder_begin_file(&builder, NULL, model.names);
	CHECK_EQ_U64((uint64_t)model_walk(&model, NULL, &folding.filter.visitor), PROFILE_OK);
	CHECK_EQ_U64((uint64_t)builder_finish(&builder), PROFILE_OK);
	builder_release(&builder);
	CHECK_EQ_U64(small.n_functions, 3);
	CHECK(function_named(&small, "main") != MODEL_NO_FUNCTION);
	CHECK(function_named(&small, "big") != MODEL_NO_FUNCTION);
	CHECK(function_named(&small, "<rest>") != MODEL_NO_FUNCTION);
	CHECK(model_totals(&model, &before) && model_totals(&small, &after));
	CHECK_EQ_U64(after, before);
	inclusive_release(&inclusive);
	CHECK_EQ_U64((uint64_t)inclusive_compute(&inclusive, &small, NULL), PROFILE_OK);
	CHECK_EQ_U64(inclusive_of(&inclusive, function_named(&small, "<rest>"))[0], 30);
	CHECK_EQ_U64(inclusive_of(&inclusive, function_named(&small, "main"))[0], 630);
	inclusive_release(&inclusive);
	model_release(&small);
	model_release(&model);
}

/*
 * main 1 -> even 2 <-> odd 3 -> leaf 4; fib 5 calls itself.
 *
 *	even	self 2, and what odd costs it: within the cycle, left out
 *	odd	self 3, and 4 for leaf, which leaves the cycle
 *	cycle	2 + 7
 *	main	1 + 9 (even) + 25 (fib)
 *	fib	5 only: the 20 of its own calls would be counted twice
 */
TEST(cycles)
{
	struct model model;
	struct inclusive inclusive;
	const size_t second_event[] = { 1 };
	const struct inclusive_options options = { .part = 0,
						   .events = second_event,
						   .n_events = 1 };
	uint32_t even, odd;

	model_of(&model, "events: Ir Dr\nfn=main\n1 1\ncfn=even\ncalls=1 1\n1 9\ncfn=fib\n"
			 "calls=1 1\n1 25\nfn=even\n1 2 7\ncfn=odd\ncalls=4 1\n1 7\nfn=odd\n1 3\n"
			 "cfn=even\ncalls=3 1\n1 6\ncfn=leaf\ncalls=4 1\n1 4\nfn=leaf\n1 4\n"
			 "fn=fib\n1 5\ncfn=fib\ncalls=6 1\n1 20\n");
	CHECK_EQ_U64((uint64_t)inclusive_compute(&inclusive, &model, NULL), PROFILE_OK);
	even = function_named(&model, "even");
	odd = function_named(&model, "odd");
	CHECK_EQ_U64(inclusive.n_cycles, 1);
	CHECK_EQ_U64(inclusive.cycle[even], 1);
	CHECK_EQ_U64(inclusive.cycle[odd], 1);
	CHECK_EQ_U64(inclusive.cycle[function_named(&model, "fib")], 0);
	CHECK_EQ_U64(inclusive_of(&inclusive, even)[0], 2);
	CHECK_EQ_U64(inclusive_of(&inclusive, odd)[0], 7);
	CHECK_EQ_U64(inclusive.cycle_costs[0], 9);
	CHECK_EQ_U64(inclusive.cycle_costs[1], 7);
	CHECK_EQ_U64(inclusive_of(&inclusive, function_named(&model, "main"))[0], 35);
	CHECK_EQ_U64(inclusive_of(&inclusive, function_named(&model, "fib"))[0], 5);
	CHECK_EQ_U64(inclusive.called[even], 4);
	CHECK_EQ_U64(inclusive.called[function_named(&model, "fib")], 1);
	inclusive_release(&inclusive);
	CHECK_EQ_U64((uint64_t)inclusive_compute(&inclusive, &model, &options), PROFILE_OK);
	CHECK_EQ_U64(inclusive_of(&inclusive, even)[0], 7);
	inclusive_release(&inclusive);
	model_release(&model);
}

/* The naive way: who reaches whom, by squaring. */
enum { MAX_NODES = 12 };

static void naive_cycles(const struct cycle_graph *graph, uint32_t *cycle)
{
	bool reaches[MAX_NODES][MAX_NODES] = { { false } };
	uint32_t count = 0;

	for (size_t i = 0; i < graph->n; i++)
		for (size_t j = graph->first[i]; j < graph->first[i + 1]; j++)
			reaches[i][graph->to[j]] = true;
	for (size_t k = 0; k < graph->n; k++)
		for (size_t i = 0; i < graph->n; i++)
			for (size_t j = 0; j < graph->n; j++)
				reaches[i][j] |= reaches[i][k] && reaches[k][j];
	memset(cycle, 0, MAX_NODES * sizeof(*cycle));
	for (size_t i = 0; i < graph->n; i++)
		for (size_t j = i + 1; j < graph->n && cycle[i] == 0; j++)
			if (reaches[i][j] && reaches[j][i]) {
				count++;
				for (size_t k = i; k < graph->n; k++)
					if (k == i || (reaches[i][k] && reaches[k][i]))
						cycle[k] = count;
			}
}

TEST(random_graphs)
{
	struct check_random random = CHECK_RANDOM_INIT;

	for (int round = 0; round < 3000; round++) {
		size_t n = 1 + check_random_below(&random, MAX_NODES);
		size_t first_edge[MAX_NODES + 1], n_edges = 0, count;
		uint32_t to[MAX_NODES * 3], cycle[MAX_NODES], want[MAX_NODES];
		const struct cycle_graph graph = { n, first_edge, to };
		uint32_t most = 0;

		for (size_t i = 0; i < n; i++) {
			first_edge[i] = n_edges;
			for (uint64_t j = check_random_below(&random, 4); j > 0; j--)
				to[n_edges++] = (uint32_t)check_random_below(&random, n);
		}
		first_edge[n] = n_edges; /* cppcheck-suppress unreadVariable */
		count = cycles_find(&graph, cycle);
		naive_cycles(&graph, want);
		for (size_t i = 0; i < n; i++) {
			CHECK_EQ_U64(cycle[i], want[i]);
			most = want[i] > most ? want[i] : most;
		}
		CHECK_EQ_U64(count, most);
	}
}

/* A chain of calls as long as there is memory for: nothing here recurses. */
TEST(long_chain)
{
	enum { N = 300000 };
	size_t *first_edge = heap_zeroed(N + 1, sizeof(*first_edge));
	uint32_t *to = heap_zeroed(N, sizeof(*to));
	uint32_t *cycle = heap_zeroed(N, sizeof(*cycle));
	const struct cycle_graph graph = { N, first_edge, to };

	for (uint32_t i = 0; i < N; i++) {
		first_edge[i + 1] = i + 1;
		to[i] = i + 1 < N ? i + 1 : N / 2; /* the second half is a ring */
	}
	CHECK_EQ_U64(cycles_find(&graph, cycle), 1);
	CHECK_EQ_U64(cycle[N / 2 - 1], 0);
	CHECK_EQ_U64(cycle[N / 2], 1);
	CHECK_EQ_U64(cycle[N - 1], 1);
	free(first_edge);
	free(to);
	free(cycle);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(sum),
		CHECK_TEST(difference),
		CHECK_TEST(multiples),
		CHECK_TEST(small_functions_as_one),
		CHECK_TEST(folding_below_a_threshold),
		CHECK_TEST(cycles),
		CHECK_TEST(random_graphs),
		CHECK_TEST(long_chain),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
