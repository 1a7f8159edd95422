/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of costgrind stable as a document, in the words of costgrind diff. */
#include <stdio.h>
#include <string.h>

#include "cmds/stable/procstate.h"
#include "cmds/stable/stable.h"

enum {
	NAME_TEXT = 4096, /* bytes of a name in a table; longer ones are cut */
	TITLE_TEXT = 256, /* of "least Ir" */
	JSON_VERSION = 1,
};

bool stable_is_stable(const struct stable_report *report)
{
	return report->stability->n_listed == 0 && !report->exits_differ;
}

static void put_program(struct document *document, const struct stable_report *report)
{
	size_t n = 0;

	document_prose(document, "PROGRAM ");
	for (; report->program[n]; n++) {
		document_prose(document, " ");
		document_name(document, report->program[n]);
	}
	document_prose(document, "\n");
	document_value(document, "program", cell_list((const char *const *)report->program, n));
}

/* -- ranges ---------------------------------------------------------------------------- */

/* What both tables have: columns from least to percent, whose titles name the event. */
struct range {
	char least[TITLE_TEXT], most[TITLE_TEXT];
};

enum { RANGE_COLUMNS = 4 };

static void make_range(struct range *range, struct document_column columns[RANGE_COLUMNS],
		       const char *event)
{
	snprintf(range->least, TITLE_TEXT, "least %s", event);
	snprintf(range->most, TITLE_TEXT, "most %s", event);
	columns[0] = (struct document_column){ .title = range->least, .key = "least" };
	columns[1] = (struct document_column){ .title = range->most, .key = "most" };
	columns[2] = (struct document_column){ .title = "spread", .key = "spread" };
	columns[3] = (struct document_column){ .title = "%", .key = "percent" };
}

static struct cell count_cell(const struct stability *stability, uint64_t count)
{
	return cell_decimal(cell_count(count), stability->decimals);
}

static void put_range(struct document *document, const struct stability *stability, uint64_t least,
		      uint64_t most)
{
	document_cell(document, count_cell(stability, least));
	document_cell(document, count_cell(stability, most));
	document_cell(document, count_cell(stability, most - least));
	document_cell(document, cell_share((int128)(most - least), stability->total));
}

/* -- totals ---------------------------------------------------------------------------- */

/* People read below the table what was not tried. */
static void put_cause_rows(struct document *document, void *ctx)
{
	const struct stable_report *report = ctx;

	for (unsigned i = 0; i < N_CAUSES; i++) {
		const struct cause_sum *sum = &report->stability->causes[i];
		bool was_tried = sum->n_runs > 0;
		char text[256];

		if (!was_tried && (document_is_prose(document) || !(report->skipped >> i & 1)))
			continue;
		document_cell(document, cell_string(cause_texts[i].word));
		document_cell(document, cell_string(cause_texts[i].meaning));
		document_cell(document, cell_count(sum->n_runs));
		if (was_tried)
			put_range(document, report->stability, sum->least, sum->most);
		for (size_t j = 0; !was_tried && j < RANGE_COLUMNS; j++)
			document_cell(document, cell_none);
		document_cell(document,
			      was_tried ? cell_count((int128)sum->n_functions) : cell_none);
		document_cell(document, was_tried ? cell_none : cell_string(report->reasons[i]));
		snprintf(text, sizeof(text), "%s: %s", cause_texts[i].word, cause_texts[i].meaning);
		document_cell(document, cell_string(text));
	}
}

static void put_causes(struct document *document, struct stable_report *report)
{
	struct range range = { "", "" };
	struct document_column columns[] = {
		{ .key = "cause" },
		{ .key = "changed" },
		{ .title = "runs", .key = "runs" },
		{ .title = NULL },
		{ .title = NULL },
		{ .title = NULL },
		{ .title = NULL },
		{ .title = "functions", .key = "functions" },
		{ .key = "not_tried" },
		{ .title = "changed" },
	};
	const struct document_table table = {
		.key = "causes",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.put_rows = put_cause_rows,
		.ctx = report,
	};

	make_range(&range, columns + 3, report->stability->event);
	document_table(document, &table);
	for (unsigned i = 0; i < N_CAUSES; i++)
		if (report->skipped >> i & 1)
			document_prose(document, "not tried: %s: %s\n", cause_texts[i].word,
				       report->reasons[i]);
}

static void put_totals(struct document *document, const struct stability *stability)
{
	int128 spread = (int128)(stability->most - stability->least);

	document_object(document, "total", true);
	document_value(document, "least", count_cell(stability, stability->least));
	document_value(document, "most", count_cell(stability, stability->most));
	document_value(document, "spread",
		       count_cell(stability, stability->most - stability->least));
	document_value(document, "percent", cell_share(spread, stability->total));
	document_close(document);
}

/* -- functions ------------------------------------------------------------------------- */

static struct cell known(const char *name)
{
	return cell_string(strcmp(name, "???") != 0 ? name : NULL);
}

static void put_function_rows(struct document *document, void *ctx)
{
	const struct stability *stability = ctx;

	for (size_t i = 0; i < stability->n_listed; i++) {
		const struct unstable *function = &stability->functions[i];
		bool has_object = strcmp(function->object, "???") != 0;
		const char *causes[N_CAUSES];
		char words[NAME_TEXT] = "", name[NAME_TEXT];
		size_t n = 0;

		for (unsigned cause = 0; cause < N_CAUSES; cause++) {
			if (!(function->causes >> cause & 1))
				continue;
			causes[n++] = cause_texts[cause].word;
			procstate_note(words, sizeof(words), cause_texts[cause].word);
		}
		document_cell(document, known(function->object));
		document_cell(document, known(function->file));
		document_cell(document, cell_string(function->function));
		put_range(document, stability, function->least, function->most);
		document_cell(document, cell_list(causes, n));
		document_cell(document, cell_string(words));
		snprintf(name, sizeof(name), "%s:%s%s%s%s", function->file, function->function,
			 has_object ? " [" : "", has_object ? function->object : "",
			 has_object ? "]" : "");
		document_cell(document, cell_string(name));
	}
}

static void put_functions(struct document *document, struct stability *stability)
{
	struct range range = { "", "" };
	struct document_column columns[] = {
		{ .key = "object" },     { .key = "file" },       { .key = "function" },
		{ .title = NULL },       { .title = NULL },       { .title = NULL },
		{ .title = NULL },       { .key = "depends_on" }, { .title = "depends on" },
		{ .title = "function" },
	};
	const struct document_table table = {
		.key = "functions",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.put_rows = put_function_rows,
		.ctx = stability,
	};
	char below[64] = "";

	if (stability->n_listed < stability->n_functions)
		snprintf(below, sizeof(below), "; %zu below --threshold",
			 stability->n_functions - stability->n_listed);
	document_heading(document, "Functions", ": %zu changed themselves%s",
			 stability->n_functions, below);
	document_value(document, "changed", cell_count((int128)stability->n_functions));
	make_range(&range, columns + 3, stability->event);
	document_table(document, &table);
}

bool stable_print(struct stable_report *report, const struct document_backend *backend, FILE *out)
{
	struct stability *stability = report->stability;
	bool is_stable = stable_is_stable(report);
	struct document document;

	document_begin(&document, backend, out, NULL, 0, 0);
	document_value(&document, "format", cell_string("costgrind-stable"));
	document_value(&document, "version", cell_count(JSON_VERSION));
	put_program(&document, report);
	document_value(&document, "event", cell_string(stability->event));
	document_value(&document, "stable", cell_bool(is_stable));
	document_value(&document, "exits_differ", cell_bool(report->exits_differ));
	document_heading(&document, "Totals", "%s", "");
	put_totals(&document, stability);
	put_causes(&document, report);
	put_functions(&document, stability);
	if (report->exits_differ)
		document_prose(&document, "\nruns ended with different exit statuses\n");
	document_prose(&document, "\n%s\n", is_stable ? "stable" : "unstable");
	return document_end(&document);
}
