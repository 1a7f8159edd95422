/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reports of costgrind stable, in the words of costgrind diff. */
#include <stdio.h>
#include <string.h>

#include "cmds/stable/procstate.h"
#include "cmds/stable/stable.h"
#include "cmds/text/grid.h"
#include "cmds/text/json.h"
#include "cmds/text/visible.h"

enum {
	NAME_TEXT = 4096, /* bytes of a name in a table; longer ones are cut */
	JSON_VERSION = 1,
};

bool stable_is_stable(const struct stable_report *report)
{
	return report->stability->n_listed == 0 && !report->exits_differ;
}

static void print_program(const struct stable_report *report, FILE *out)
{
	fputs("PROGRAM ", out);
	for (char *const *word = report->program; *word; word++) {
		fputc(' ', out);
		visible_text(out, *word);
	}
	fputc('\n', out);
}

static void add_count(struct grid *grid, amount count)
{
	char text[AMOUNT_TEXT];

	amount_print(text, count, true);
	grid_add(grid, text);
}

static void add_head(struct grid *grid, const char *which, const char *event)
{
	char text[256];

	snprintf(text, sizeof(text), "%s %s", which, event);
	grid_add(grid, text);
}

static void add_spread(struct grid *grid, uint64_t least, uint64_t most, uint64_t whole)
{
	char text[AMOUNT_TEXT];

	amount_print_percent(text, (amount)(most - least), whole);
	/* A spread has no sign. */
	grid_add(grid, most == least ? "0" : text + (text[0] == '+'));
}

static void add_range(struct grid *grid, uint64_t least, uint64_t most, uint64_t total)
{
	add_count(grid, least);
	add_count(grid, most);
	add_count(grid, (amount)(most - least));
	add_spread(grid, least, most, total);
}

static void add_range_heads(struct grid *grid, const struct stability *stability)
{
	add_head(grid, "least", stability->event);
	add_head(grid, "most", stability->event);
	grid_add(grid, "spread");
	grid_add(grid, "%");
}

static bool print_grid(struct grid *grid, FILE *out)
{
	bool fine = !grid->failed;

	if (fine)
		grid_print_text(grid, out);
	grid_release(grid);
	return fine;
}

static bool print_causes(const struct stable_report *report, FILE *out, struct arena *arena)
{
	const struct stability *stability = report->stability;
	struct grid grid;

	grid_init(&grid, arena, 7);
	grid_add(&grid, "runs");
	add_range_heads(&grid, stability);
	grid_add(&grid, "functions");
	grid_add(&grid, "changed");
	for (unsigned i = 0; i < N_CAUSES; i++) {
		const struct cause_sum *sum = &stability->causes[i];
		char text[256];

		if (sum->n_runs == 0)
			continue;
		add_count(&grid, sum->n_runs);
		add_range(&grid, sum->least, sum->most, stability->total);
		add_count(&grid, (amount)sum->n_functions);
		snprintf(text, sizeof(text), "%s: %s", cause_texts[i].word, cause_texts[i].meaning);
		grid_add(&grid, text);
	}
	return print_grid(&grid, out);
}

/* "stack, heap" */
static void print_words(char *text, size_t size, unsigned causes)
{
	text[0] = '\0';
	for (unsigned i = 0; i < N_CAUSES; i++)
		if (causes >> i & 1)
			procstate_note(text, size, cause_texts[i].word);
}

static void print_name(char *text, size_t size, const struct unstable *function)
{
	bool has_object = strcmp(function->object, "???") != 0;

	snprintf(text, size, "%s:%s%s%s%s", function->file, function->function,
		 has_object ? " [" : "", has_object ? function->object : "", has_object ? "]" : "");
}

static bool print_functions(const struct stable_report *report, FILE *out, struct arena *arena)
{
	const struct stability *stability = report->stability;
	struct grid grid;

	grid_init(&grid, arena, 6);
	add_range_heads(&grid, stability);
	grid_add(&grid, "depends on");
	grid_add(&grid, "function");
	for (size_t i = 0; i < stability->n_listed; i++) {
		const struct unstable *function = &stability->functions[i];
		char text[NAME_TEXT];

		add_range(&grid, function->least, function->most, stability->total);
		print_words(text, sizeof(text), function->causes);
		grid_add(&grid, text);
		print_name(text, sizeof(text), function);
		grid_add(&grid, text);
	}
	return print_grid(&grid, out);
}

bool stable_render_text(const struct stable_report *report, FILE *out, struct arena *arena)
{
	const struct stability *stability = report->stability;

	print_program(report, out);
	fprintf(out, "\n-- Totals\n");
	if (!print_causes(report, out, arena))
		return false;
	for (unsigned i = 0; i < N_CAUSES; i++)
		if (report->skipped >> i & 1)
			fprintf(out, "not tried: %s: %s\n", cause_texts[i].word,
				report->reasons[i]);
	fprintf(out, "\n-- Functions: %zu changed themselves", stability->n_functions);
	if (stability->n_listed < stability->n_functions)
		fprintf(out, "; %zu below --threshold",
			stability->n_functions - stability->n_listed);
	fputc('\n', out);
	if (stability->n_listed > 0 && !print_functions(report, out, arena))
		return false;
	if (report->exits_differ)
		fprintf(out, "\nruns ended with different exit statuses\n");
	fprintf(out, "\n%s\n", stable_is_stable(report) ? "stable" : "unstable");
	return true;
}

/* -- JSON ------------------------------------------------------------------------------ */

static void put_range(struct json *json, uint64_t least, uint64_t most, uint64_t total)
{
	json_count(json, "least", least);
	json_count(json, "most", most);
	json_count(json, "spread", most - least);
	json_number(json, "percent", amount_percent((amount)(most - least), total), 4);
}

static void put_causes(struct json *json, const struct stable_report *report)
{
	json_array(json, "causes", false);
	for (unsigned i = 0; i < N_CAUSES; i++) {
		const struct cause_sum *sum = &report->stability->causes[i];

		if (sum->n_runs == 0 && !(report->skipped >> i & 1))
			continue;
		json_object(json, NULL, true);
		json_string(json, "cause", cause_texts[i].word);
		json_string(json, "changed", cause_texts[i].meaning);
		json_count(json, "runs", sum->n_runs);
		if (sum->n_runs > 0) {
			put_range(json, sum->least, sum->most, report->stability->total);
			json_count(json, "functions", sum->n_functions);
		} else {
			json_string(json, "not_tried", report->reasons[i]);
		}
		json_close(json);
	}
	json_close(json);
}

static void put_function(struct json *json, const struct unstable *function, uint64_t total)
{
	json_object(json, NULL, true);
	json_string(json, "object", strcmp(function->object, "???") ? function->object : NULL);
	json_string(json, "file", strcmp(function->file, "???") ? function->file : NULL);
	json_string(json, "function", function->function);
	put_range(json, function->least, function->most, total);
	json_array(json, "depends_on", true);
	for (unsigned i = 0; i < N_CAUSES; i++)
		if (function->causes >> i & 1)
			json_string(json, NULL, cause_texts[i].word);
	json_close(json);
	json_close(json);
}

bool stable_render_json(const struct stable_report *report, FILE *out, struct arena *arena)
{
	const struct stability *stability = report->stability;
	struct json json;

	(void)arena;
	json_open(&json, out);
	json_object(&json, NULL, false);
	json_string(&json, "format", "costgrind-stable");
	json_count(&json, "version", JSON_VERSION);
	json_array(&json, "program", true);
	for (char *const *word = report->program; *word; word++)
		json_string(&json, NULL, *word);
	json_close(&json);
	json_string(&json, "event", stability->event);
	json_bool(&json, "stable", stable_is_stable(report));
	json_bool(&json, "exits_differ", report->exits_differ);
	json_object(&json, "total", true);
	put_range(&json, stability->least, stability->most, stability->total);
	json_close(&json);
	put_causes(&json, report);
	json_count(&json, "changed", stability->n_functions);
	json_array(&json, "functions", false);
	for (size_t i = 0; i < stability->n_listed; i++)
		put_function(&json, &stability->functions[i], stability->total);
	json_close(&json);
	json_close(&json);
	return json_end(&json);
}
