/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmarks as text, Markdown and JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/bench/bench.h"
#include "cmds/emit/document.h"

enum {
	JSON_VERSION = 1,
	MOST_COLUMNS = 2 * BENCH_EVENTS + 2,
	LINE_TEXT = 1024, /* bytes of a sentence; a longer one is cut */
};

struct bench_view {
	const struct bench_comparison *comparison;
	size_t n_rows; /* that are listed */
	size_t n_columns;
};

/* -- cells -------------------------------------------------------------------------------------- */

static struct cell value_cell(const struct bench_event *event, int128 value, bool has)
{
	const struct decimals decimals = { (unsigned char)event->decimals,
					   (unsigned char)event->decimals };

	return has ? cell_decimal(cell_count(value), decimals) : cell_none;
}

struct bench_words bench_words_of(const char *event)
{
	static const struct {
		const char *event;
		struct bench_words words;
	} known[] = {
		{ "Ir", { "Ir", "instructions" } },
		{ "Cyc", { "cycles", "cycles" } },
		{ "D1m", { "D1 misses", "misses" } },
		{ "Bm", { "mispredicted", "mispredictions" } },
		{ "allocSize", { "allocated", "bytes" } },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].event, event) == 0)
			return known[i].words;
	return (struct bench_words){ event, "events" };
}

/* -- for people --------------------------------------------------------------------------------- */

static void put_counts(struct document *document, const struct bench_comparison *comparison,
		       const struct bench_row *row)
{
	for (size_t i = 0; i < comparison->new_set->n_events; i++) {
		bool has_old, has_new;
		const int128 old_value = bench_row_old(comparison, row, i, &has_old);
		const int128 new_value = bench_row_new(row, i, &has_new);

		document_cell(document,
			      value_cell(&comparison->new_set->events[i], new_value, has_new));
		if (comparison->old_set)
			document_cell(document,
				      has_old && has_new && old_value != new_value
					      ? cell_percent(new_value - old_value, old_value)
					      : cell_none);
	}
}

/* Below a row that is broken: where to look. */
static void put_place(struct document *document, const struct bench_view *view,
		      const struct bench_row *row)
{
	char text[LINE_TEXT];

	bench_row_print_place(view->comparison, row, text, sizeof(text));
	if (!*text)
		return;
	if (!document_is_short(document)) {
		document_across(document, "%s", text);
		return;
	}
	for (size_t i = 0; i + 1 < view->n_columns; i++)
		document_cell(document, cell_none);
	document_cell(document, cell_string(text));
}

static void put_rows(struct document *document, void *ctx)
{
	const struct bench_view *view = ctx;

	for (size_t i = 0; i < view->n_rows; i++) {
		const struct bench_row *row = &view->comparison->rows[i];

		if (view->comparison->old_set)
			document_cell(document, cell_string(bench_states[row->state]));
		else
			document_cell(document, row->state == BENCH_SAME
							? cell_none
							: cell_string(bench_states[row->state]));
		put_counts(document, view->comparison, row);
		document_cell(document, cell_string(row->name));
		put_place(document, view, row);
	}
}

static void put_table(struct document *document, struct bench_view *view)
{
	const struct bench_comparison *comparison = view->comparison;
	struct document_column columns[MOST_COLUMNS];
	struct document_table table = { .columns = columns, .put_rows = put_rows, .ctx = view };
	size_t n = 0;

	columns[n++] = (struct document_column){ .title = "", .is_left = true };
	for (size_t i = 0; i < comparison->new_set->n_events; i++) {
		columns[n++] = (struct document_column){
			.title = bench_words_of(comparison->new_set->events[i].name).title,
			.is_optional = i > 0,
		};
		if (comparison->old_set)
			/* cppcheck-suppress unreadVariable ; through the table */
			columns[n++] =
				(struct document_column){ .title = "%", .is_optional = i > 0 };
	}
	/* cppcheck-suppress unreadVariable ; through the table */
	columns[n++] = (struct document_column){ .title = "benchmark" };
	table.n = view->n_columns = n;
	document_table(document, &table);
}

/* "1 broken, 3 changed, 96 the same" */
static void put_summary(struct document *document, const struct bench_comparison *comparison)
{
	const char *between = "";

	document_section(document, 1, "Benchmarks", NULL);
	for (size_t state = 0; state < N_BENCH_STATES; state++) {
		const size_t n = comparison->n_states[state];

		if (n == 0)
			continue;
		document_prose(document, "%s%zu ", between, n);
		if (state != BENCH_SAME)
			document_prose(document, "%s", bench_states[state]);
		else if (!comparison->old_set)
			document_prose(document, n == 1 ? "benchmark" : "benchmarks");
		else
			document_prose(document, "the same (%s within 0.5 %%)",
				       comparison->new_set->events[0].name);
		between = ", ";
	}
	if (comparison->n == 0)
		document_prose(document, "no benchmarks");
	if (comparison->old_set) {
		document_prose(document, ", against ");
		document_words(document, comparison->against);
	}
	document_prose(document, comparison->n_shown > 0 ? "\n\n" : "\n");
}

static void put_notes(struct document *document, const struct bench_view *view)
{
	const struct bench_comparison *comparison = view->comparison;
	const struct bench_set *set = comparison->new_set;

	if (view->n_rows < comparison->n_shown)
		document_prose(document, "\nnot listed: %zu more\n",
			       comparison->n_shown - view->n_rows);
	for (size_t i = 0; i < comparison->n_unmatched; i++) {
		document_prose(document, "\nno benchmark for the limit ");
		document_name(document, comparison->unmatched[i]->text);
		document_prose(document, "\n");
	}
	for (size_t i = 0; i < set->n_failures; i++) {
		document_prose(document, "\n");
		document_name(document, set->failures[i].program);
		document_prose(document, " %s\n", set->failures[i].text);
	}
}

/* -- for programs ------------------------------------------------------------------------------- */

/* Counts of a row, in OLD or NEW. */
static void put_values(struct document *document, const struct bench_comparison *comparison,
		       const struct bench_row *row, bool is_new)
{
	document_object(document, is_new ? "new" : "old", true);
	for (size_t i = 0; i < comparison->new_set->n_events; i++) {
		const struct bench_event *event = &comparison->new_set->events[i];
		bool has;
		const int128 value = is_new ? bench_row_new(row, i, &has)
					    : bench_row_old(comparison, row, i, &has);

		if (has)
			document_value(document, event->name, value_cell(event, value, true));
	}
	document_close(document);
}

static void put_place_members(struct document *document, const struct bench_place *place)
{
	document_value(document, "function", cell_string(place->function));
	if (place->file)
		document_value(document, "file", cell_string(place->file));
	if (place->line > 0)
		document_value(document, "line", cell_count(place->line));
}

static void put_members(struct document *document, const struct bench_comparison *comparison,
			const struct bench_row *row)
{
	document_object(document, NULL, false);
	document_value(document, "name", cell_string(row->name));
	document_value(document, "state", cell_string(bench_states[row->state]));
	if (row->old_result)
		put_values(document, comparison, row, false);
	if (row->new_result)
		put_values(document, comparison, row, true);
	if (row->limit) {
		document_value(document, "limit", cell_string(row->limit->text));
		document_value(document, "event",
			       cell_string(comparison->new_set->events[row->event].name));
	}
	if (row->hottest.function) {
		document_object(document, "hottest", true);
		put_place_members(document, &row->hottest);
		document_value(document, "percent",
			       cell_number(int128_percent(row->hottest.part, row->hottest.whole),
					   2));
		document_close(document);
	}
	if (row->growth.place.function) {
		document_object(document, "changed_most", true);
		put_place_members(document, &row->growth.place);
		document_value(document, "change", cell_count(row->growth.change));
		document_value(document, "was", cell_count(row->growth.was));
		document_value(document, "bound", cell_bool(row->growth.is_bound));
		document_close(document);
	}
	document_close(document);
}

static void put_json(struct document *document, const struct bench_comparison *comparison)
{
	const struct bench_set *set = comparison->new_set;

	document_value(document, "schema", cell_string("costgrind bench"));
	document_value(document, "version", cell_count(JSON_VERSION));
	document_value(document, "against", cell_string(comparison->against));
	document_value(document, "failed", cell_bool(bench_comparison_fails(comparison)));
	document_list(document, "made_with", false);
	for (size_t i = 0; i < set->n_facts; i++) {
		document_object(document, NULL, true);
		document_value(document, "type", cell_string(set->facts[i].what));
		document_value(document, "value", cell_string(set->facts[i].text));
		document_close(document);
	}
	document_close(document);
	document_list(document, "benchmarks", false);
	for (size_t i = 0; i < comparison->n; i++)
		put_members(document, comparison, &comparison->rows[i]);
	document_close(document);
	document_list(document, "unmatched_limits", false);
	for (size_t i = 0; i < comparison->n_unmatched; i++)
		document_value(document, NULL, cell_string(comparison->unmatched[i]->text));
	document_close(document);
	document_list(document, "failures", false);
	for (size_t i = 0; i < set->n_failures; i++) {
		document_object(document, NULL, true);
		document_value(document, "program", cell_string(set->failures[i].program));
		document_value(document, "status", cell_string(set->failures[i].text));
		document_close(document);
	}
	document_close(document);
}

void bench_print_document(const struct bench_comparison *comparison,
			  const struct document_backend *backend, size_t width, size_t n_rows,
			  FILE *out)
{
	struct bench_view view = { .comparison = comparison, .n_rows = n_rows };
	struct document document;

	document_begin(&document, backend, out, NULL, 0, 0);
	document_fit(&document, width);
	if (document_is_prose(&document)) {
		put_summary(&document, comparison);
		if (n_rows > 0)
			put_table(&document, &view);
		put_notes(&document, &view);
	} else {
		put_json(&document, comparison);
	}
	document_end(&document);
}
