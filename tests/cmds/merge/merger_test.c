/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging in constant memory; names changed once; what check finds in a file of 4 GiB. */
#include "cmds/merge/merger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/check/features.h"
#include "profile/common/heap.h"
#include "tests/common/check.h"
#include "tests/common/models.h"

/* Without it there is no test. */
static FILE *open_file(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		abort();
	return file;
}

/* A profile of many functions; other numbers for another seed, in the same layout. */
static void write_profile(const char *path, unsigned n_functions, unsigned seed)
{
	FILE *file = open_file(path);

	fprintf(file, "events: Ir Dr Dw\nob=/bin/prog\n");
	for (unsigned i = 0; i < n_functions; i++) {
		fprintf(file, "fl=file%u.c\nfn=function_%u\n", i % 50, i);
		for (unsigned line = 1; line <= 10; line++)
			fprintf(file, "%u %u %u\n", line, line * seed + i, line);
		fprintf(file, "cfn=function_%u\ncalls=%u 1\n9 %u00\n", (i + 1) % n_functions, seed,
			seed);
	}
	CHECK(fclose(file) == 0);
}

/* The most memory at any time, merging a profile n times over. */
static size_t peak_of_sum(unsigned n)
{
	const struct merger_options options = { .slack = 65536 };
	struct merger *merger = malloc(sizeof(*merger));
	size_t peak = 0;
	uint64_t totals[PROFILE_MAX_EVENTS];

	merger_init(merger, &options);
	for (unsigned i = 0; i < n; i++) {
		struct profile_error error;

		CHECK_EQ_U64(merger_add(merger, i % 2 ? "a.out" : "b.out", NULL, &error),
			     PROFILE_OK);
		if (model_bytes(merger->model) > peak)
			peak = model_bytes(merger->model);
	}
	CHECK_EQ_U64(merger_finish(merger), PROFILE_OK);
	CHECK(model_totals(merger->model, totals));
	/* Of each file: Dr 1000 * 55; Ir 55 * 1000 * seed + 10 * (0 + ... + 999). */
	CHECK_EQ_U64(totals[1], UINT64_C(55000) * n);
	CHECK_EQ_U64(totals[0], n / 2 * UINT64_C(55000) * (3 + 5) + n * UINT64_C(4995000));
	merger_release(merger);
	free(merger);
	return peak;
}

TEST(memory_of_a_sum_is_constant)
{
	size_t few, many;

	write_profile("a.out", 1000, 3);
	write_profile("b.out", 1000, 5);
	few = peak_of_sum(20);
	many = peak_of_sum(200);
	/* Larger sums are packed into more bytes. */
	CHECK(many <= few + few / 10);
	if (many > few)
		printf("# %zu bytes for 20 profiles, %zu for 200\n", few, many);
}

static size_t peak_of_statistics(unsigned n)
{
	const struct merger_options options = { 0 };
	struct column_stats *stats = malloc(sizeof(*stats));
	size_t peak = 0;

	column_stats_init(stats, &options);
	for (unsigned i = 0; i < n; i++) {
		struct profile_error error;

		CHECK_EQ_U64(column_stats_add(stats, i % 2 ? "a.out" : "b.out", NULL, &error),
			     PROFILE_OK);
		if (model_bytes(&stats->sums) > peak)
			peak = model_bytes(&stats->sums);
	}
	column_stats_release(stats);
	free(stats);
	return peak;
}

TEST(memory_of_statistics_is_constant)
{
	size_t few = peak_of_statistics(12), many = peak_of_statistics(36);

	/* Larger sums are packed into more bytes. */
	CHECK(many <= few + few / 10);
}

/* Making the sum anew must not apply an expression to its own result. */
TEST(names_are_changed_once)
{
	struct name_rules rules;
	const struct merger_options options = { .slack = 1, .rules = &rules };
	struct merger *merger = malloc(sizeof(*merger));
	struct profile_error error;
	uint64_t totals[PROFILE_MAX_EVENTS];
	FILE *file = open_file("f.out");

	fprintf(file, "events: Ir\nfl=a.c\nfn=f\n1 5\n");
	CHECK(fclose(file) == 0);
	name_rules_init(&rules);
	CHECK_EQ_U64(name_rules_add_expression(&rules, NAME_FUNCTION, "s/f/ff/", NULL), PROFILE_OK);
	merger_init(merger, &options);
	for (int i = 0; i < 4; i++)
		CHECK_EQ_U64(merger_add(merger, "f.out", NULL, &error), PROFILE_OK);
	CHECK_EQ_U64(merger_finish(merger), PROFILE_OK);
	CHECK_EQ_U64(merger->model->n_functions, 1);
	CHECK(strcmp(model_name(merger->model, NAME_FUNCTION, merger->model->functions[0].name).text,
		     "ff") == 0);
	CHECK(model_totals(merger->model, totals));
	CHECK_EQ_U64(totals[0], 20);
	merger_release(merger);
	name_rules_release(&rules);
	free(merger);
}

TEST(too_many_events_for_statistics)
{
	const struct merger_options options = { 0 };
	struct column_stats *stats = malloc(sizeof(*stats));
	FILE *file = open_file("wide.out");
	struct profile_error error;

	fprintf(file, "events:");
	for (int i = 0; i <= COLUMN_STATS_MAX_EVENTS; i++)
		fprintf(file, " E%d", i);
	fprintf(file, "\nfn=f\n1 1\n");
	CHECK(fclose(file) == 0);
	column_stats_init(stats, &options);
	CHECK_EQ_U64(column_stats_add(stats, "wide.out", NULL, &error), PROFILE_EVENTS);
	column_stats_release(stats);
	free(stats);
}

TEST(a_file_of_4_gib)
{
	struct trait_note notes[N_FEATURES];
	struct model model;
	struct reader_report report;
	struct features_file file = { .path = "a.out", .report = &report, .model = &model };

	model_init(&model);
	CHECK_EQ_U64(model_read(&model, "a.out", NULL, NULL, &report, NULL), PROFILE_OK);
	report.bytes = UINT32_MAX;
	features_find(notes, &file);
	CHECK_EQ_U64(notes[FEATURE_LARGE_FILE].count, 0);
	report.bytes++;
	features_find(notes, &file);
	CHECK_EQ_U64(notes[FEATURE_LARGE_FILE].count, 1);
	model_release(&model);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(memory_of_a_sum_is_constant),
		CHECK_TEST(memory_of_statistics_is_constant),
		CHECK_TEST(a_file_of_4_gib),
		CHECK_TEST(names_are_changed_once),
		CHECK_TEST(too_many_events_for_statistics),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
