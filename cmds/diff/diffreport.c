/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report of costgrind diff as a document (docs/DIFF.md).  Programs get all counts of all
 * metrics shown.  People get of the metric that ranks OLD, NEW, the change and that in percent, and
 * of the other ones the change alone, which keeps lines short.
 */
#define _GNU_SOURCE /* qsort_r() */
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/data/objects.h"
#include "cmds/diff/diff.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"

static const char *state_of(const struct difference *difference, size_t row)
{
	const struct difference_row *r = &difference->rows[row];

	if (r->old_function == MODEL_NO_FUNCTION)
		return "new";
	if (r->new_function == MODEL_NO_FUNCTION)
		return "gone";
	return difference_renamed(difference, row) || difference_moved(difference, row) ? "renamed"
											: "";
}

static const char command[] = "diff";

/* -- what is shown ----------------------------------------------------------------- */

/* True if a profile by itself has a metric. */
static bool has_metric(const struct model *model, const char *name, size_t len, struct arena *arena)
{
	const struct metric_source source = {
		.events = model->events,
		.n_events = model->n_events,
		.derived = model->derived,
		.n_derived = model->n_derived,
	};
	struct metrics metrics;

	metrics_init(&metrics, &source, arena);
	return metrics_find(&metrics, name, len) < metrics.n;
}

const char *diffreport_no_metric(const struct difference *difference, const char *name, size_t len,
				 struct arena *arena)
{
	enum { MOST = 160 }; /* bytes of the name; a longer one is cut */
	bool is_old = has_metric(difference->old_model, name, len, arena);
	bool is_new = has_metric(difference->new_model, name, len, arena);
	char text[MOST + 64];
	int text_len = snprintf(text, sizeof(text), "%s '%.*s'",
				is_old && is_new
					? "OLD and NEW do not record the same events to compute"
				: is_old ? "NEW has no event"
				: is_new ? "OLD has no event"
					 : "neither profile has an event",
				(int)(len < MOST ? len : MOST), name);

	return arena_copy(arena, text, (size_t)text_len);
}

/* Appends a metric to a list unless it is there. */
static void append(size_t *list, size_t *n, size_t metric)
{
	for (size_t i = 0; i < *n; i++)
		if (list[i] == metric)
			return;
	list[(*n)++] = metric;
}

static void show(struct diffreport *report, size_t metric)
{
	append(report->shown, &report->n_shown, metric);
}

static const char *show_list(struct diffreport *report, const char *list, struct arena *arena)
{
	while (true) {
		size_t len = strcspn(list, ",");
		size_t metric = metrics_find(report->metrics, list, len);

		if (metric == report->metrics->n)
			return diffreport_no_metric(report->difference, list, len, arena);
		show(report, metric);
		if (list[len] == '\0')
			return NULL;
		list += len + 1;
	}
}

/* Chooses metrics of rows, and of totals, which are in the order of columns; a short document has the first of them. */
static const char *choose(struct diffreport *report, struct arena *arena)
{
	static const char misses[] = "EstCyc,D1m,DLm";
	const struct diffreport_choice *choice = report->choice;
	const struct metrics *metrics = report->metrics;
	const char *wrong = NULL;
	size_t part;

	report->shown = arena_alloc(arena, (metrics->n + 1) * sizeof(size_t), sizeof(size_t));
	report->totals = arena_alloc(arena, (metrics->n + 1) * sizeof(size_t), sizeof(size_t));
	if (choice->sort)
		wrong = show_list(report, choice->sort, arena);
	if (!wrong && choice->show)
		wrong = show_list(report, choice->show, arena);
	if (wrong)
		return wrong;
	if (!choice->sort && !choice->show)
		show(report, metrics_main(metrics));
	/* Of objects, people see misses, if all are there: what annotate --by=object shows. */
	if (!choice->show && choice->is_by_object && choice->is_prose &&
	    metrics_have(metrics, misses)) {
		show_list(report, misses, arena);
	} else if (!choice->show) {
		/* All events; of cycles that lead, what they were spent on comes first. */
		for (size_t i = 0;
		     (part = metrics_cycle_part(metrics, report->shown[0], i)) < metrics->n; i++)
			show(report, part);
		/* A curve is too wide for people. */
		for (size_t i = 0; i < metrics->n_events; i++)
			if (!choice->is_prose || !event_is_of_curve(metrics->all[i].name))
				show(report, i);
	}
	for (size_t i = 0; i < report->n_shown; i++)
		append(report->totals, &report->n_totals, report->shown[i]);
	if (choice->show)
		return NULL;
	append(report->totals, &report->n_totals, metrics_main(metrics));
	for (size_t i = 0; i < metrics->n; i++)
		append(report->totals, &report->n_totals, i);
	return NULL;
}

/* -- which rows --------------------------------------------------------------------- */

/* True if a change is large enough in one of the metrics shown. */
static bool reaches(const struct diffreport *report, const struct diffreport_item *item)
{
	const struct difference *difference = report->difference;

	for (size_t i = 0; i < report->n_shown; i++) {
		const struct metric *metric = &report->metrics->all[report->shown[i]];
		int128 change =
			difference_change(difference, metric, item->old_costs, item->new_costs);
		int128 old_total = int128_magnitude(metric_value(metric, difference->old_totals,
								 difference->old_model->is_signed));
		int128 new_total = int128_magnitude(metric_value(metric, difference->new_totals,
								 difference->new_model->is_signed));
		int128 total = old_total > new_total ? old_total : new_total;

		if (change != 0 &&
		    int128_magnitude(change) * 1000000 >= total * report->choice->threshold)
			return true;
	}
	return false;
}

/* True if another number of calls costs the same: a change that no cost tells. */
static bool is_recount(const struct diffreport *report, const struct difference_arc *arc)
{
	for (size_t i = 0; i < report->n_shown; i++)
		if (difference_change(report->difference, &report->metrics->all[report->shown[i]],
				      arc->old_costs, arc->new_costs) != 0)
			return false;
	return arc->old_count != arc->new_count;
}

static void add(struct diffreport *report, enum diffreport_kind kind, struct diffreport_item item)
{
	struct diffreport_list *list = &report->lists[kind];

	list->n_all++;
	if (kind != DIFFREPORT_RENAMED && !reaches(report, &item) &&
	    !(item.arc && (report->choice->threshold == 0 || is_recount(report, item.arc))))
		return;
	list->items = heap_grow(list->items, &list->capacity, list->n + 1, sizeof(item));
	list->items[list->n++] = item;
}

/*
 * True if a function is one of those that call main(): whatever changes, changes them too.  The C library's
 * may have its version appended; where the dynamic loader (ld-linux-x86-64.so.2, ld-2.31.so, ld64.so.2) begins
 * may have no name but its address.  The page of costgrind report has the same rule (page/tree.js).
 */
static bool is_before_main(const struct difference *difference, uint32_t row)
{
	static const char *const names[] = { "_start",
					     "__libc_start_main",
					     "__libc_start_main_impl",
					     "__libc_start_call_main",
					     "generic_start_main",
					     "_dl_start_user" };
	const char *name = difference_name(difference, row, NAME_FUNCTION).text;
	const char *object = difference_name(difference, row, NAME_OBJECT).text;
	const char *slash = strrchr(object, '/');
	const char *file = slash ? slash + 1 : object;
	size_t len = strcspn(name, "@");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return true;
	if (strncmp(name, "(below main)", strlen("(below main)")) == 0)
		return true;
	return strncmp(name, "0x", 2) == 0 &&
	       ((strncmp(file, "ld-", 3) == 0 && strstr(file, ".so")) ||
		strncmp(file, "ld.so", 5) == 0 || strncmp(file, "ld64.so", 7) == 0);
}

static void add_functions(struct diffreport *report)
{
	const struct difference *difference = report->difference;

	for (uint32_t row = 0; row < difference->n_rows; row++) {
		const struct difference_row *r = &difference->rows[row];
		const struct diffreport_item self = {
			.row = row,
			.old_costs = difference_self(difference, row, false),
			.new_costs = difference_self(difference, row, true),
		};
		const struct diffreport_item inclusive = {
			.row = row,
			.old_costs = difference_inclusive(difference, row, false),
			.new_costs = difference_inclusive(difference, row, true),
		};
		bool is_renamed = difference_renamed(difference, row);
		bool is_moved = difference_moved(difference, row);

		report->n_renamed += is_renamed;
		report->n_moved += is_moved;
		if (difference_self_changed(difference, row)) {
			report->n_new += r->old_function == MODEL_NO_FUNCTION;
			report->n_gone += r->new_function == MODEL_NO_FUNCTION;
			add(report, DIFFREPORT_FUNCTIONS, self);
		} else if (!difference_inclusive_changed(difference, row)) {
			/* If a folder was renamed, they are all functions of it: too many for people. */
			if (is_renamed || (is_moved && !report->choice->is_prose))
				add(report, DIFFREPORT_RENAMED, self);
		} else if (!is_before_main(difference, row)) {
			add(report, DIFFREPORT_CALLERS, inclusive);
		}
	}
}

static void add_calls(struct diffreport *report)
{
	const struct difference *difference = report->difference;

	for (size_t i = 0; i < difference->n_arcs; i++) {
		const struct difference_arc *arc = &difference->arcs[i];

		if (!is_before_main(difference, arc->caller))
			add(report, DIFFREPORT_CALLS,
			    (struct diffreport_item){ .row = arc->caller,
						      .old_costs = arc->old_costs,
						      .new_costs = arc->new_costs,
						      .arc = arc });
	}
}

/* Of the functions listed.  Returns a status. */
static int add_lines(struct diffreport *report, struct arena *arena)
{
	const struct diffreport_list *functions = &report->lists[DIFFREPORT_FUNCTIONS];

	for (size_t i = 0; i < functions->n; i++) {
		uint32_t row = functions->items[i].row;
		struct difference_line *lines;
		size_t n;
		int status = difference_lines(report->difference, row, arena, &lines, &n);

		if (status)
			return status;
		for (size_t j = 0; j < n; j++)
			add(report, DIFFREPORT_LINES,
			    (struct diffreport_item){ .row = row,
						      .old_costs = lines[j].old_costs,
						      .new_costs = lines[j].new_costs,
						      .line = &lines[j] });
	}
	return PROFILE_OK;
}

static int compare_names(const struct difference *difference, uint32_t a, uint32_t b)
{
	static const enum name_kind kinds[] = { NAME_FUNCTION, NAME_FILE, NAME_OBJECT };
	int order = 0;

	for (size_t i = 0; i < 3 && order == 0; i++) {
		const struct name x = difference_name(difference, a, kinds[i]);
		const struct name y = difference_name(difference, b, kinds[i]);

		order = dictionary_compare(&x, &y);
	}
	return order ? order : (a < b ? -1 : a > b);
}

/* The largest change first, by the metrics shown, the first one first; then by what is listed. */
static int compare_items(const void *left, const void *right, void *ctx)
{
	const struct diffreport *report = ctx;
	const struct difference *difference = report->difference;
	const struct diffreport_item *a = left, *b = right;
	int order = 0;

	for (size_t i = 0; i < report->n_shown; i++) {
		const struct metric *metric = &report->metrics->all[report->shown[i]];
		int128 x = int128_magnitude(
			difference_change(difference, metric, a->old_costs, a->new_costs));
		int128 y = int128_magnitude(
			difference_change(difference, metric, b->old_costs, b->new_costs));

		if (x != y)
			return x > y ? -1 : 1;
	}
	if (a->line)
		order = dictionary_compare(&a->line->file, &b->line->file);
	if (a->line && order == 0 && a->line->line != b->line->line)
		order = a->line->line < b->line->line ? -1 : 1;
	if (order == 0)
		order = compare_names(difference, a->row, b->row);
	if (a->arc && order == 0)
		order = compare_names(difference, a->arc->callee, b->arc->callee);
	return order;
}

int diffreport_init(struct diffreport *report, const struct difference *difference,
		    const struct metrics *metrics, const struct diffreport_choice *choice,
		    struct arena *arena)
{
	const char *wrong;
	int status = PROFILE_OK;

	report->difference = difference;
	report->metrics = metrics;
	report->choice = choice;
	wrong = choose(report, arena);
	if (wrong) {
		complain(command, "%s", wrong);
		return EXIT_USAGE;
	}
	add_functions(report);
	if (choice->calls && difference->has_calls)
		add_calls(report);
	if (choice->lines)
		status = add_lines(report, arena);
	for (int kind = 0; kind < N_DIFFREPORT; kind++)
		if (report->lists[kind].n > 0)
			qsort_r(report->lists[kind].items, report->lists[kind].n,
				sizeof(struct diffreport_item), compare_items, report);
	return status ? complain_status(command, NULL, status) : EXIT_FINE;
}

void diffreport_release(struct diffreport *report)
{
	for (int kind = 0; kind < N_DIFFREPORT; kind++)
		free(report->lists[kind].items);
}

/* -- the document: cells ----------------------------------------------------------------- */

enum {
	JSON_VERSION = 1,
	NAME_TEXT = 4096, /* bytes of a name in a table; longer ones are cut */
	TITLE_TEXT = 256, /* of "OLD Ir" */
	SHARE_TEXT = 80,  /* of "; 3 below --threshold" */
	COST_COLUMNS = 5, /* that people see of costs, without the changes of other metrics */
};

static const char *const csv_fields[] = {
	"kind",   "state",        "object",      "file",          "function",
	"callee", "line",         "event",       "old",           "new",
	"change", "old_function", "callee_file", "callee_object", "old_file",
};

/* How a list is shown.  People see its costs, and last what each row is called. */
struct section {
	const char *key;
	const struct document_column *columns; /* without these */
	size_t n;
	void (*put_row)(struct document *document, void *ctx, size_t row);
	/* By object or not: the heading, and the title of the last column. */
	const char *headings[2], *titles[2];
	bool has_costs;
	bool has_callees;  /* by what callees have changed, too */
	bool is_inclusive; /* costs are inclusive */
};

/* The report that is being printed, and the section at work. */
struct printing {
	const struct diffreport *report;
	struct document *document;
	struct arena *arena;
	/* Of the metrics shown: */
	const char **names;
	const char **inclusive_names; /* NULL of those that have no inclusive costs */
	struct decimals *decimals;
	int128 *values[4]; /* of a row: self OLD and NEW, inclusive OLD and NEW */
	const struct section *section;
	const struct diffreport_item *items; /* its rows */
	char old_title[TITLE_TEXT], new_title[TITLE_TEXT];
};

/* True if people see by what callees have changed: objects of data have none. */
static bool has_callees(const struct printing *printing)
{
	return printing->section->has_callees && printing->report->difference->has_calls &&
	       !printing->report->choice->is_by_object;
}

static void put_text(struct document *document, struct name name)
{
	document_cell(document, cell_text(name.text, name.len));
}

static void put_place(struct printing *printing, size_t row)
{
	const struct difference *difference = printing->report->difference;

	put_text(printing->document, difference_name(difference, row, NAME_OBJECT));
	put_text(printing->document, difference_name(difference, row, NAME_FILE));
	put_text(printing->document, difference_name(difference, row, NAME_FUNCTION));
}

/* OLD's name, or nothing if it is NEW's, too. */
static void put_old_name(struct printing *printing, size_t row, enum name_kind kind)
{
	const struct difference *difference = printing->report->difference;

	if (kind == NAME_FILE ? difference_moved(difference, row)
			      : difference_renamed(difference, row))
		put_text(printing->document, difference_old_name(difference, row, kind));
	else
		document_cell(printing->document, cell_none);
}

/* Takes the costs of a row as values number 0 and 1, or 2 and 3. */
static void take_costs(struct printing *printing, size_t number, const uint64_t *old_costs,
		       const uint64_t *new_costs)
{
	const struct diffreport *report = printing->report;
	const struct difference *difference = report->difference;

	for (size_t i = 0; i < report->n_shown; i++) {
		const struct metric *shown = &report->metrics->all[report->shown[i]];

		printing->values[number][i] =
			metric_value(shown, old_costs, difference->old_model->is_signed);
		printing->values[number + 1][i] =
			metric_value(shown, new_costs, difference->new_model->is_signed);
	}
}

static void put_pairs(struct printing *printing, size_t number, const char *const *names)
{
	document_cell(printing->document, cell_pairs((struct cell_pairs){
						  .n = printing->report->n_shown,
						  .names = names,
						  .old_values = printing->values[number],
						  .new_values = printing->values[number + 1],
						  .decimals = printing->decimals,
					  }));
}

/* A change; where there are no such costs, a dot. */
static void put_change(struct document *document, bool has_costs, int128 change,
		       struct decimals decimals)
{
	document_cell(document,
		      has_costs ? cell_decimal(cell_change(change), decimals) : cell_never);
}

static void put_four(struct document *document, bool has_costs, int128 old, int128 new,
		     struct decimals decimals)
{
	document_cell(document, has_costs ? cell_decimal(cell_count(old), decimals) : cell_never);
	document_cell(document, has_costs ? cell_decimal(cell_count(new), decimals) : cell_never);
	put_change(document, has_costs, new - old, decimals);
	document_cell(document, has_costs ? cell_percent(new - old, old) : cell_never);
}

/* By what a metric of the row at work changed. */
static int128 change_of(const struct printing *printing, size_t number, size_t i)
{
	return printing->values[number + 1][i] - printing->values[number][i];
}

/* What people see of costs: the metric that ranks in full, and the changes of the others. */
static void put_costs(struct printing *printing, size_t number, const char *const *names)
{
	struct document *document = printing->document;

	put_four(document, names[0], printing->values[number][0], printing->values[number + 1][0],
		 printing->decimals[0]);
	if (has_callees(printing))
		put_change(document, printing->inclusive_names[0],
			   change_of(printing, 2, 0) - change_of(printing, 0, 0),
			   printing->decimals[0]);
	for (size_t i = 1; i < printing->report->n_shown; i++)
		put_change(document, names[i], change_of(printing, number, i),
			   printing->decimals[i]);
}

/* "file:function [object]", or of an object of data "name [group]"; and "(new)", "(gone)" or "(was ...)". */
static void print_name(char *text, size_t size, const struct diffreport *report, size_t row)
{
	const struct difference *difference = report->difference;
	const struct name function = difference_name(difference, row, NAME_FUNCTION);
	const struct name file = difference_name(difference, row, NAME_FILE);
	const struct name object = difference_name(difference, row, NAME_OBJECT);
	bool is_data = report->choice->is_by_object && strcmp(file.text, OBJECTCOSTS_FILE) == 0;
	bool is_group = is_data && object.text[0] == '[';
	bool is_unknown = object.key == DICTIONARY_UNKNOWN;
	bool is_renamed = difference_renamed(difference, row),
	     is_moved = difference_moved(difference, row);
	const char *state = state_of(difference, row);
	const char *old_name = is_renamed ? difference_old_name(difference, row, NAME_FUNCTION).text
			       : is_moved ? difference_old_name(difference, row, NAME_FILE).text
					  : state;

	snprintf(text, size, "%s%s%s%s%s%s%s%s%s%s", is_data ? "" : file.text, is_data ? "" : ":",
		 function.text,
		 is_unknown ? ""
		 : is_group ? " "
			    : " [",
		 is_unknown ? "" : object.text, is_unknown || is_group ? "" : "]",
		 *state ? " (" : "", is_renamed || is_moved ? "was " : "", old_name,
		 *state ? ")" : "");
}

/* -- the document: views ------------------------------------------------------------------- */

#define N(array) (sizeof(array) / sizeof((array)[0]))

static void put_function_row(struct document *document, void *ctx, size_t i)
{
	struct printing *printing = ctx;
	const struct difference *difference = printing->report->difference;
	bool is_inclusive = printing->section->is_inclusive;
	uint32_t row = printing->items[i].row;
	const char *state = state_of(difference, row);
	char text[NAME_TEXT];

	take_costs(printing, 0, difference_self(difference, row, false),
		   difference_self(difference, row, true));
	take_costs(printing, 2, difference_inclusive(difference, row, false),
		   difference_inclusive(difference, row, true));
	put_place(printing, row);
	document_cell(document, cell_string(*state ? state : "both"));
	document_cell(document, cell_string(state));
	put_old_name(printing, row, NAME_FUNCTION);
	put_old_name(printing, row, NAME_FILE);
	put_pairs(printing, 0, printing->names);
	put_pairs(printing, 2, printing->inclusive_names);
	if (printing->section->has_costs)
		put_costs(printing, is_inclusive ? 2 : 0,
			  is_inclusive ? printing->inclusive_names : printing->names);
	print_name(text, sizeof(text), printing->report, row);
	document_cell(document, cell_string(text));
}

static const struct document_column function_columns[] = {
	{ .key = "object", .field = "object" },
	{ .key = "file", .field = "file" },
	{ .key = "function", .field = "function" },
	{ .key = "state" },
	{ .field = "state" },
	{ .key = "old_function", .field = "old_function" },
	{ .key = "old_file", .field = "old_file" },
	{ .key = "self", .record = "self" },
	{ .key = "inclusive", .record = "inclusive" },
};

static void put_call_row(struct document *document, void *ctx, size_t i)
{
	struct printing *printing = ctx;
	const struct difference *difference = printing->report->difference;
	const struct difference_arc *arc = printing->items[i].arc;
	int128 old = int128_of(arc->old_count, difference->old_model->is_signed);
	int128 new = int128_of(arc->new_count, difference->new_model->is_signed);
	char text[2 * NAME_TEXT];
	size_t len;

	take_costs(printing, 0, arc->old_costs, arc->new_costs);
	put_place(printing, arc->caller);
	put_place(printing, arc->callee);
	document_cell(document, cell_pairs((struct cell_pairs){ 1, NULL, &old, &new, NULL }));
	put_pairs(printing, 0, printing->inclusive_names);
	document_cell(document, cell_count(old));
	document_cell(document, cell_count(new));
	put_costs(printing, 0, printing->inclusive_names);
	print_name(text, NAME_TEXT, printing->report, arc->caller);
	len = strlen(text);
	snprintf(text + len, sizeof(text) - len, " > ");
	print_name(text + len + 3, NAME_TEXT, printing->report, arc->callee);
	document_cell(document, cell_string(text));
}

static const struct document_column call_columns[] = {
	{ .key = "object", .inside = "caller", .field = "object" },
	{ .key = "file", .inside = "caller", .field = "file" },
	{ .key = "function", .inside = "caller", .field = "function" },
	{ .key = "object", .inside = "callee", .field = "callee_object" },
	{ .key = "file", .inside = "callee", .field = "callee_file" },
	{ .key = "function", .inside = "callee", .field = "callee" },
	{ .key = "calls", .record = "call" },
	{ .key = "inclusive", .record = "call" },
	{ .title = "OLD calls" },
	{ .title = "NEW calls" },
};

static void put_line_row(struct document *document, void *ctx, size_t i)
{
	struct printing *printing = ctx;
	const struct difference *difference = printing->report->difference;
	const struct difference_line *line = printing->items[i].line;
	uint32_t row = printing->items[i].row;
	/* Of an object, the line is an offset. */
	bool is_offset = printing->report->choice->is_by_object;
	char text[NAME_TEXT];

	take_costs(printing, 0, line->old_costs, line->new_costs);
	put_place(printing, row);
	put_text(document, line->file);
	document_cell(document, cell_count(line->line));
	document_cell(document, line->line ? cell_count(line->line) : cell_none);
	document_cell(document, cell_string(state_of(difference, row)));
	put_old_name(printing, row, NAME_FUNCTION);
	put_pairs(printing, 0, printing->names);
	put_costs(printing, 0, printing->names);
	snprintf(text, sizeof(text), "%s%s%llu (%s)", is_offset ? "at " : line->file.text,
		 is_offset ? "" : ":", (unsigned long long)line->line,
		 difference_name(difference, row, NAME_FUNCTION).text);
	document_cell(document, cell_string(text));
}

static const struct document_column line_columns[] = {
	{ .key = "object", .field = "object" },
	{ .key = "file" },
	{ .key = "function", .field = "function" },
	{ .key = "source", .field = "file" },
	{ .key = "line" },
	{ .field = "line" },
	{ .field = "state" },
	{ .field = "old_function" },
	{ .key = "self", .record = "line" },
};

static const struct section sections[N_DIFFREPORT] = {
	[DIFFREPORT_FUNCTIONS] = {
		.key = "functions",
		.columns = function_columns,
		.n = N(function_columns),
		.put_row = put_function_row,
		.headings = { "Functions", "Objects of data" },
		.titles = { "function", "object" },
		.has_costs = true,
		.has_callees = true,
	},
	[DIFFREPORT_CALLERS] = {
		.key = "callers",
		.columns = function_columns,
		.n = N(function_columns),
		.put_row = put_function_row,
		.headings = { "Functions that only call what changed", "Functions whose misses changed" },
		.titles = { "function", "function" },
		.has_costs = true,
		.is_inclusive = true,
	},
	[DIFFREPORT_RENAMED] = {
		.key = "renamed",
		.columns = function_columns,
		.n = N(function_columns),
		.put_row = put_function_row,
		.headings = { "Functions that were renamed, at the same cost",
			      "Objects that were renamed, at the same cost" },
		.titles = { "function", "object" },
	},
	[DIFFREPORT_CALLS] = {
		.key = "calls",
		.columns = call_columns,
		.n = N(call_columns),
		.put_row = put_call_row,
		.headings = { "Calls", "Misses of functions on objects" },
		.titles = { "caller > callee", "function > object" },
		.has_costs = true,
	},
	[DIFFREPORT_LINES] = {
		.key = "lines",
		.columns = line_columns,
		.n = N(line_columns),
		.put_row = put_line_row,
		.headings = { "Lines of the functions above", "Offsets in the objects above" },
		.titles = { "line", "offset" },
		.has_costs = true,
	},
};

/* Says how many there are, and why not all are listed: "; 4 below --threshold", or ", the 3 largest of 7". */
static void put_heading(const struct printing *printing, enum diffreport_kind kind, size_t n)
{
	const struct diffreport *report = printing->report;
	struct document *document = printing->document;
	bool is_short = document_is_short(document), is_by_object = report->choice->is_by_object;
	const char *title = sections[kind].headings[is_by_object];
	size_t n_all = report->lists[kind].n_all;
	char share[SHARE_TEXT] = "", renamed[SHARE_TEXT] = "", moved[SHARE_TEXT] = "";
	/* What misses on data calls nothing. */
	const char *scope = is_by_object ? "" : ", inclusive";

	if (n < n_all && kind == DIFFREPORT_RENAMED)
		snprintf(share, sizeof(share), ", the first %zu", n);
	else if (n < n_all && is_short)
		snprintf(share, sizeof(share), ", the %zu largest of %zu", n, n_all);
	else if (n < n_all)
		snprintf(share, sizeof(share), "; %zu below --threshold", n_all - n);
	switch (kind) {
	case DIFFREPORT_FUNCTIONS:
		if (is_short && n_all == 0) {
			document_prose(document, "\nNo %s changed.\n",
				       is_by_object ? "object of data" : "function");
			return;
		}
		if (report->n_renamed > 0)
			snprintf(renamed, sizeof(renamed), "; %zu renamed", report->n_renamed);
		if (report->n_moved > 0)
			snprintf(moved, sizeof(moved), "; %zu in another file", report->n_moved);
		if (is_short)
			title = is_by_object ? "Objects of data that changed"
					     : "Functions that changed themselves";
		document_heading(document, title, ": %zu%s, %zu of them new, %zu gone%s%s%s", n_all,
				 is_short       ? ""
				 : is_by_object ? " changed"
						: " changed themselves",
				 report->n_new, report->n_gone, renamed, moved, share);
		break;
	case DIFFREPORT_CALLERS:
	case DIFFREPORT_CALLS:
		/* A short document gives no number unless some are left out. */
		if (is_short && n > 0)
			document_heading(document, title, "%s%s", scope, share);
		else if (!is_short && n_all > 0)
			document_heading(document, title, "%s: %zu%s", scope, n_all, share);
		break;
	case DIFFREPORT_RENAMED:
		if (n > 0)
			document_heading(document, title, ": %zu%s", n_all, share);
		break;
	case DIFFREPORT_LINES:
		if (n > 0)
			document_heading(document, title, "%s", "");
		break;
	case N_DIFFREPORT:
		break;
	}
}

/* Puts the first n rows of a list. */
static void put_section(struct printing *printing, enum diffreport_kind kind, size_t n)
{
	const struct section *section = &sections[kind];
	const struct diffreport *report = printing->report;
	bool is_by_object = report->choice->is_by_object;
	struct document_column *columns =
		heap_zeroed(section->n + COST_COLUMNS + report->n_shown + 1, sizeof(*columns));
	struct document_view view = {
		.table = { .key = section->key, .columns = columns },
		.n_rows = n,
		.put_row = section->put_row,
		.ctx = printing,
	};
	size_t n_columns = section->n;

	put_heading(printing, kind, n);
	if (kind == DIFFREPORT_CALLS)
		document_value(printing->document, "changed_calls",
			       cell_count((int128)report->lists[kind].n_all));
	printing->section = section;
	printing->items = report->lists[kind].items;
	memcpy(columns, section->columns, section->n * sizeof(*columns));
	if (kind == DIFFREPORT_CALLS && is_by_object) {
		columns[n_columns - 2].title = "OLD misses";
		columns[n_columns - 1].title = "NEW misses";
	}
	if (section->has_costs) {
		columns[n_columns++].title = printing->old_title;
		columns[n_columns++].title = printing->new_title;
		columns[n_columns++].title = "change";
		columns[n_columns++].title = "%";
		if (has_callees(printing))
			columns[n_columns++].title = "callees";
		for (size_t i = 1; i < report->n_shown; i++)
			columns[n_columns++].title = printing->names[i];
	}
	columns[n_columns++].title = section->titles[is_by_object];
	view.table.n = n_columns;
	document_view(printing->document, &view);
	free(columns);
}

static void put_total_row(struct document *document, void *ctx, size_t i)
{
	const struct diffreport *report = ctx;
	const struct difference *difference = report->difference;
	const struct metric *shown = &report->metrics->all[report->totals[i]];

	put_four(document, true,
		 metric_value(shown, difference->old_totals, difference->old_model->is_signed),
		 metric_value(shown, difference->new_totals, difference->new_model->is_signed),
		 shown->decimals);
	document_cell(document, cell_string(shown->name));
}

/* By what NEW is scaled: the totals as they were. */
static void put_scale_row(struct document *document, void *ctx, size_t i)
{
	const struct diffreport *report = ctx;
	const struct difference_scale *scale = report->difference->scale;

	(void)i;
	document_cell(document, cell_count((int128)scale->to));
	document_cell(document, cell_count((int128)scale->from));
	document_cell(document, cell_string(report->normalised));
}

/* -- all of it ------------------------------------------------------------------------- */

/* How many rows each table has. */
struct plan {
	size_t totals, lists[N_DIFFREPORT];
};

/*
 * A short document, as is put into a pull request, has at most 60 lines, the largest changes first.
 * Lines other than rows: the heading 2, limits 3, totals 2, each of the other tables 5 (its title
 * between blanks, heads and rule), which makes
 * 2 + (3 + 6) + (2 + 16) + (5 + 3) + (5 + 3) + (5 + 10) = 60.
 * Functions get the rows that the others do not need, functions that were only renamed
 * what is left then.
 */
enum {
	MAX_LINES = 60,
	HEADING_LINES = 2,
	SCALE_LINES = 2, /* only with --normalise */
	FIRST_LINES = 2, /* only if there is no baseline yet */
	TOTALS_LINES = 2,
	TOTALS_ROWS = 16,
	TABLE_LINES = 5,
	CALLER_ROWS = 3,
	CALL_ROWS = 3,
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t table_lines(size_t rows)
{
	return rows > 0 ? TABLE_LINES + rows : 0;
}

/* limit_lines: of limits, in a short document. */
static struct plan make_plan(const struct diffreport *report, bool is_short, size_t limit_lines)
{
	struct plan plan = { .totals = report->n_totals };
	size_t *n = plan.lists, n_functions, used;

	for (int kind = 0; kind < N_DIFFREPORT; kind++)
		n[kind] = report->lists[kind].n;
	if (!is_short)
		return plan;
	plan.totals = least(plan.totals, TOTALS_ROWS);
	n[DIFFREPORT_CALLERS] = least(n[DIFFREPORT_CALLERS], CALLER_ROWS);
	n[DIFFREPORT_CALLS] = least(n[DIFFREPORT_CALLS], CALL_ROWS);
	n[DIFFREPORT_LINES] = 0;
	used = HEADING_LINES + (report->normalised ? SCALE_LINES : 0) +
	       (report->is_first ? FIRST_LINES : 0) + limit_lines + TOTALS_LINES + plan.totals +
	       table_lines(n[DIFFREPORT_CALLERS]) + table_lines(n[DIFFREPORT_CALLS]) + TABLE_LINES;
	n_functions = n[DIFFREPORT_FUNCTIONS];
	n[DIFFREPORT_FUNCTIONS] = least(n_functions, MAX_LINES - used);
	used += n_functions + TABLE_LINES;
	n[DIFFREPORT_RENAMED] = used < MAX_LINES ? least(MAX_LINES - used, n[DIFFREPORT_RENAMED])
						 : 0;
	return plan;
}

/* Says what the document compares; returns how many lines limits take in a short one. */
static size_t put_head(struct document *document, const struct diffreport *report)
{
	const struct difference_scale *scale = report->difference->scale;
	bool is_short = document_is_short(document);

	document_value(document, "format", cell_string("costgrind-diff"));
	document_value(document, "version", cell_count(JSON_VERSION));
	document_value(document, "old", cell_string(report->old_path));
	document_value(document, "new", cell_string(report->new_path));
	if (report->choice->is_by_object)
		document_value(document, "by", cell_string("object"));
	document_prose(document, is_short ? "### Cost of " : "OLD  ");
	document_name(document, is_short ? report->new_path : report->old_path);
	document_prose(document, is_short ? " against " : "\nNEW  ");
	document_name(document, is_short ? report->old_path : report->new_path);
	document_prose(document, is_short ? "\n\n" : "\n");
	if (report->normalised) {
		char old_text[INT128_TEXT], new_text[INT128_TEXT];

		int128_print(old_text, (int128)scale->to, true);
		int128_print(new_text, (int128)scale->from, true);
		document_prose(document, "%sNEW is scaled by %s / %s, so that both have the same ",
			       is_short ? "" : "\n", old_text, new_text);
		document_name(document, report->normalised);
		document_prose(document, "; its counts are rounded\n%s", is_short ? "\n" : "");
	}
	if (report->is_first) {
		document_value(document, "is_first", cell_bool(true));
		document_prose(document,
			       "%sNo baseline yet: NEW is kept as it, and nothing was compared\n%s",
			       is_short ? "" : "\n", is_short ? "\n" : "");
	}
	if (is_short)
		return report->limits
			       ? difflimits_summarize(document, report->limits, report->difference)
			       : 0;
	document_heading(document, "Totals", "%s", "");
	return 0;
}

static void begin(struct printing *printing)
{
	const struct diffreport *report = printing->report;
	size_t n = report->n_shown;

	printing->names = arena_alloc(printing->arena, n * sizeof(*printing->names), 8);
	printing->inclusive_names = arena_alloc(printing->arena, n * sizeof(*printing->names), 8);
	printing->decimals = arena_alloc(printing->arena, n * sizeof(*printing->decimals), 1);
	for (size_t i = 0; i < 4; i++)
		printing->values[i] = arena_alloc(printing->arena, n * sizeof(int128), 16);
	for (size_t i = 0; i < n; i++) {
		const struct metric *shown = &report->metrics->all[report->shown[i]];

		printing->names[i] = shown->name;
		/* Misses of functions on objects of data are no calls. */
		printing->inclusive_names[i] =
			shown->is_self_only && !report->choice->is_by_object ? NULL : shown->name;
		printing->decimals[i] = shown->decimals;
	}
	snprintf(printing->old_title, TITLE_TEXT, "OLD %s", printing->names[0]);
	snprintf(printing->new_title, TITLE_TEXT, "NEW %s", printing->names[0]);
}

void diffreport_print(const struct diffreport *report, const struct document_backend *backend,
		      FILE *out, struct arena *arena)
{
	static const struct difflimits no_limits = { .n = 0 };
	static const struct document_column total_columns[] = {
		{ .title = "OLD", .key = "old", .field = "old" },
		{ .title = "NEW", .key = "new", .field = "new" },
		{ .title = "change", .field = "change" },
		{ .title = "%" },
		{ .title = "event", .field = "event" },
	};
	static const struct document_column scale_columns[] = {
		{ .key = "old", .field = "old" },
		{ .key = "new", .field = "new" },
		{ .field = "event" },
	};
	struct document document;
	struct printing printing = { .report = report, .document = &document, .arena = arena };
	const struct {
		const char *key;
		size_t n;
	} counts[] = {
		{ "changed", report->lists[DIFFREPORT_FUNCTIONS].n_all },
		{ "new_functions", report->n_new },
		{ "gone_functions", report->n_gone },
		{ "renamed_functions", report->n_renamed },
		{ "moved_functions", report->n_moved },
	};
	struct plan plan;
	size_t limit_lines;

	begin(&printing);
	document_begin(&document, backend, out, csv_fields, N(csv_fields), 0);
	limit_lines = put_head(&document, report);
	plan = make_plan(report, document_is_short(&document), limit_lines);
	if (report->normalised)
		document_view(&document, &(const struct document_view){
						 .table = { .key = "normalised",
							    .record = "normalised",
							    .columns = scale_columns,
							    .n = N(scale_columns),
							    .is_named = true },
						 .n_rows = 1,
						 .put_row = put_scale_row,
						 .ctx = document_view_ctx(report),
					 });
	document_view(&document, &(const struct document_view){
					 .table = { .key = "totals",
						    .record = "total",
						    .columns = total_columns,
						    .n = N(total_columns),
						    .is_named = true },
					 .n_rows = plan.totals,
					 .put_row = put_total_row,
					 .ctx = document_view_ctx(report),
				 });
	for (size_t i = 0; i < N(counts); i++)
		document_value(&document, counts[i].key, cell_count((int128)counts[i].n));
	for (int kind = 0; kind < N_DIFFREPORT; kind++)
		put_section(&printing, (enum diffreport_kind)kind, plan.lists[kind]);
	difflimits_list(&document, report->limits ? report->limits : &no_limits,
			report->difference);
	document_end(&document);
}
