/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input is a baseline of benchmarks.  One that is read can be written, read again, compared with what it was, and
 * printed in every form.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/bench/bench.h"
#include "cmds/cli/commands.h"
#include "profile/common/heap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Reads a set as it is written. */
static void read_again(struct bench_set *again, const struct bench_set *set)
{
	char *text;
	size_t len;
	FILE *memory = heap_stream(&text, &len);

	benchfile_write(set, memory);
	heap_stream_close(memory, &text);
	require(benchfile_parse(again, text, len, "again", NULL) == EXIT_FINE);
	free(text);
	require(again->n == set->n && again->n_facts == set->n_facts);
	for (size_t i = 0; i < set->n; i++) {
		const struct bench_result *old_result = &set->all[i];
		const struct bench_result *result = bench_set_find(again, old_result->name);

		require(result != NULL);
		require(result->n_functions == old_result->n_functions);
		for (size_t j = 0; j < result->n_functions; j++)
			require(strcmp(result->functions[j].name, old_result->functions[j].name) ==
					0 &&
				result->functions[j].ir == old_result->functions[j].ir);
		for (size_t event = 0; event < set->n_events; event++) {
			const size_t number = bench_set_event(again, set->events[event].name);

			require(!old_result->has[event] ||
				(number < again->n_events && result->has[number] &&
				 result->values[number] == old_result->values[event]));
		}
	}
}

static void print(const struct bench_comparison *comparison, const char *form)
{
	char *text;
	size_t len;
	FILE *memory = heap_stream(&text, &len);

	bench_print(comparison, bench_form_find(form), 0, memory);
	heap_stream_close(memory, &text);
	require(strcmp(form, "markdown") != 0 || len < 65536);
	free(text);
}

/* The last benchmark of NEW is gone, the first one has half of all. */
static void compare(const struct bench_set *old_set, struct bench_set *new_set)
{
	static const char limit[] = "region * Ir +1%\nregion * Ir <=9\n";
	static const char *const forms[] = {
		"text", "markdown", "json", "junit", "github", "bmf", "customSmallerIsBetter"
	};
	struct bench_comparison comparison;
	struct limits limits;

	new_set->n -= new_set->n > 1;
	for (size_t event = 0; new_set->n > 0 && event < new_set->n_events; event++)
		new_set->all[0].values[event] /= 2;
	require(!limits_parse(&limits, limit, strlen(limit), "limits", NULL));
	if (bench_compare(&comparison, old_set, new_set, &limits, NULL, "bench") == EXIT_FINE) {
		comparison.against = "old";
		for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
			print(&comparison, forms[i]);
	}
	bench_comparison_release(&comparison);
	limits_release(&limits);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bench_set set, again;

	bench_set_init(&set);
	bench_set_init(&again);
	if (benchfile_parse(&set, (const char *)data, size, "input", NULL) == EXIT_FINE) {
		read_again(&again, &set);
		compare(&set, &again);
	}
	bench_set_release(&again);
	bench_set_release(&set);
	return 0;
}
