/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report of costgrind diff as a document (docs/DIFF.md).  It begins with a verdict for people.  Programs get all
 * counts of all metrics shown.  People get of the metric that ranks OLD, NEW, the change and that in percent, and of
 * the other ones the change alone.  In Markdown, where a page scrolls, these are all; text has to fit a width, so it
 * has those that were asked for, as far as there is room, and the part of the cycles that changed most, in a word.
 */
#define _GNU_SOURCE /* qsort_r() */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/data/objects.h"
#include "cmds/diff/diff.h"
#include "cmds/emit/visible.h"
#include "profile/analysis/owncode.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"

static bool is_in_both(const struct difference *difference, size_t row)
{
	const struct difference_row *r = &difference->rows[row];

	return r->old_function != MODEL_NO_FUNCTION && r->new_function != MODEL_NO_FUNCTION;
}

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

/* -- parts of the cycles ------------------------------------------------------------------ */

/* True if cycles lead, and what they were spent on is known. */
static bool has_parts(const struct diffreport *report)
{
	return report->has_mostly &&
	       metrics_cycle_part(report->metrics, report->shown[0], 0) < report->metrics->n;
}

/* The part of the cycles that changed most, in the direction in which they did. */
struct part_change {
	const struct cycle_part *part; /* NULL = other metrics lead, or none did */
	const char *word; /* for it, or the level of memory: "L3"; "" if there is none */
	int128 by;
};

static struct part_change most_changed(const struct diffreport *report, const uint64_t *old_costs,
				       const uint64_t *new_costs)
{
	const struct difference *difference = report->difference;
	const struct mostly *mostly = &report->mostly;
	const struct metric *leading = &report->metrics->all[report->shown[0]];
	struct part_change result = { .word = "" };
	uint64_t changes[PROFILE_MAX_EVENTS] = { 0 }; /* by NEW's events */
	size_t order[MOSTLY_PARTS];
	int128 all;

	if (!has_parts(report))
		return result;
	all = difference_change(difference, leading, old_costs, new_costs);
	for (size_t i = 0; i < difference->n_events; i++) {
		int128 change = int128_of(new_costs[i], difference->new_model->is_signed) -
				int128_of(old_costs[i], difference->old_model->is_signed);

		change = all < 0 ? -change : all == 0 ? int128_magnitude(change) : change;
		if (change > 0)
			changes[difference->new_events[i]] =
				change < (int128)UINT64_MAX ? (uint64_t)change : UINT64_MAX;
	}
	if (mostly_order(mostly, changes, order) == 0)
		return result;
	result.part = mostly->parts[order[0]];
	result.word = mostly_word(mostly, changes);
	result.by = (int128)changes[mostly->events[order[0]]];
	return result;
}

/* -- what is shown ----------------------------------------------------------------- */

/* True if a profile by itself has a metric. */
static bool has_metric(const struct model *model, const char *name, size_t len, struct arena *arena)
{
	const struct metric_source source = metric_source_of(model, NULL);
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
	} else if (!choice->show && !choice->is_narrow) {
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
	for (size_t i = 0; (part = metrics_cycle_part(metrics, report->shown[0], i)) < metrics->n;
	     i++)
		append(report->totals, &report->n_totals, part);
	/* Where cycles are known, people need no estimate. */
	for (size_t i = 0; i < metrics->n; i++)
		if (!choice->is_narrow || !has_parts(report) ||
		    strcmp(metrics->all[i].name, EVENT_ESTIMATE) != 0)
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

/* "" of a region of both. */
static const char *region_state(const struct region_pair *region)
{
	return !region->old_side.is_there ? "new" : !region->new_side.is_there ? "gone" : "";
}

/* True if a region changed, by that many millionths of its larger side at least, in any metric shown. */
static bool region_changed(const struct diffreport *report, const struct region_pair *region,
			   uint64_t threshold)
{
	const struct difference *difference = report->difference;

	for (size_t i = 0; i < report->n_shown; i++) {
		const struct metric *metric = &report->metrics->all[report->shown[i]];
		const int128 old = metric_value(metric, region->old_side.costs, false);
		const int128 change = difference_change(difference, metric, region->old_side.costs,
							region->new_side.costs);
		const int128 larger = change > 0 ? old + change : old;

		if (change != 0 && int128_magnitude(change) * 1000000 >= larger * (int128)threshold)
			return true;
	}
	return false;
}

/*
 * Each is a result of its own, so the threshold is of what it cost itself.  One that is in one profile only, is not over, or was
 * entered more or less often is listed in any case.  Returns a status.
 */
static int add_regions(struct diffreport *report, struct arena *arena)
{
	struct diffreport_list *list = &report->lists[DIFFREPORT_REGIONS];
	const int status = regionpairs_of_difference(&report->regions, report->difference, arena);

	for (size_t i = 0; i < report->regions.n; i++) {
		const struct region_pair *region = &report->regions.all[i];
		const bool is_paired = region->old_side.is_there && region->new_side.is_there;
		const bool is_result = is_paired && !region->new_side.is_open &&
				       region->old_side.times == region->new_side.times;
		const bool has_changed = is_paired && region_changed(report, region, 0);
		const struct diffreport_item item = {
			.old_costs = region->old_side.costs,
			.new_costs = region->new_side.costs,
			.region = region,
		};

		report->n_new += !region->old_side.is_there;
		report->n_gone += !region->new_side.is_there;
		list->n_all += has_changed;
		if (report->choice->is_prose && is_result &&
		    !region_changed(report, region, report->choice->threshold)) {
			report->n_below += has_changed;
			continue;
		}
		list->items = heap_grow(list->items, &list->capacity, list->n + 1, sizeof(item));
		list->items[list->n++] = item;
	}
	return status;
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
	if (a->region)
		return a->region < b->region ? -1 : a->region > b->region;
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
	report->has_mostly = mostly_init(&report->mostly, difference->new_model);
	wrong = choose(report, arena);
	if (wrong) {
		complain(command, "%s", wrong);
		return EXIT_USAGE;
	}
	if (choice->is_by_region) {
		status = add_regions(report, arena);
	} else {
		add_functions(report);
		if (choice->calls && difference->has_calls)
			add_calls(report);
		if (choice->lines)
			status = add_lines(report, arena);
	}
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
	TITLE_TEXT = 256, /* of "OLD Ir" */
	SHARE_TEXT = 80,  /* of "; 3 below --threshold" */
	COST_COLUMNS = 6, /* that people see of costs, without the changes of other metrics */
	GAP = 2,          /* blanks between columns of text */
	NAME_ROOM = 36,   /* that a name should have: counts in full, and other events, make way */
	LEAST_ROOM = 8,   /* of a part of it that is shortened */
	LEAST_LAST = 20,  /* of the last column in any case, as in document_text.c */
	LEAST_CALL = 32,  /* of two names, before columns go that can be spared */
	COMPACT_TEXT = INT128_TEXT + 1, /* with a sign */
	COMPACT_FROM = 100000,          /* what is less is short enough */
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

/* What people see of the metric that ranks; of the others the changes follow. */
enum leading { LEADING_OLD, LEADING_NEW, LEADING_CHANGE, LEADING_PERCENT, N_LEADING };

/* How a table fits the width of text. */
struct layout {
	bool is_compact; /* counts are "30.2 M" */
	bool is_text;    /* calls are in one column: "2 to 3" */
	bool has_mostly; /* the part of the cycles that changed most */
	bool has[N_LEADING];
	size_t n_extras; /* metrics but the first whose changes there is room for */
	size_t room;     /* for the last column; SIZE_MAX = any */
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
	struct layout layout;
	char (*texts)[COMPACT_TEXT]; /* of compact counts of the row at work */
	struct bytes name, scratch;  /* the name of the row at work */
	char old_title[TITLE_TEXT], new_title[TITLE_TEXT];
};

/* True if people see by what callees have changed: objects of data have none. */
static bool has_callees(const struct printing *printing)
{
	return printing->section->has_callees && printing->report->difference->has_calls &&
	       !printing->report->choice->is_by_object && !printing->report->choice->is_narrow;
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

/* "30.2 M", or all digits before the point of what is short; returns the length. */
static size_t print_compact(char text[COMPACT_TEXT], int128 value, struct decimals decimals,
			    bool has_sign)
{
	text[0] = '+';
	has_sign = has_sign && value > 0;
	return has_sign +
	       int128_print_scaled(text + has_sign, value, decimals.people, COMPACT_FROM);
}

/* The cell of a count, or a change; text is where a compact one is. */
static struct cell count_cell(bool is_compact, char text[COMPACT_TEXT], struct cell cell,
			      struct decimals decimals)
{
	if (!is_compact)
		return cell_decimal(cell, decimals);
	return cell_text(text,
			 print_compact(text, cell.count.value, decimals, cell.kind == CELL_CHANGE));
}

/* What a compact percentage is at most. */
enum { MOST_TIMES = 100 };

static const char most_percent[] = ">+9999%";

/* Makes these cells; without costs, dots.  Texts of compact ones are the printing's until the next row. */
static void make_leading(struct printing *printing, bool is_compact, bool has_costs, int128 old,
			 int128 new, struct decimals decimals, struct cell cells[N_LEADING])
{
	char(*texts)[COMPACT_TEXT] = printing->texts;

	for (size_t i = 0; i < N_LEADING; i++)
		cells[i] = cell_never;
	if (!has_costs)
		return;
	cells[LEADING_OLD] = count_cell(is_compact, texts[LEADING_OLD], cell_count(old), decimals);
	cells[LEADING_NEW] = count_cell(is_compact, texts[LEADING_NEW], cell_count(new), decimals);
	cells[LEADING_CHANGE] =
		count_cell(is_compact, texts[LEADING_CHANGE], cell_change(new - old), decimals);
	cells[LEADING_PERCENT] = cell_percent(new - old, old);
	if (is_compact && old > 0 && (new - old) / old >= MOST_TIMES)
		cells[LEADING_PERCENT] = cell_string(most_percent);
}

static void put_leading(struct printing *printing, bool has_costs, int128 old, int128 new,
			struct decimals decimals)
{
	struct cell cells[N_LEADING];

	make_leading(printing, printing->layout.is_compact, has_costs, old, new, decimals, cells);
	for (size_t i = 0; i < N_LEADING; i++)
		document_cell(printing->document, cells[i]);
}

/* A change of a metric that does not rank. */
static struct cell extra_cell(struct printing *printing, bool is_compact, bool has_costs,
			      int128 change, size_t i)
{
	if (!has_costs)
		return cell_never;
	return count_cell(is_compact, printing->texts[N_LEADING + i], cell_change(change),
			  printing->decimals[i]);
}

/* By what a metric of the row at work changed. */
static int128 change_of(const struct printing *printing, size_t number, size_t i)
{
	return printing->values[number + 1][i] - printing->values[number][i];
}

/* What people see of costs: the metric that ranks in full, and the changes of the others. */
static void put_costs(struct printing *printing, size_t number, const char *const *names,
		      const uint64_t *old_costs, const uint64_t *new_costs)
{
	struct document *document = printing->document;

	put_leading(printing, names[0], printing->values[number][0],
		    printing->values[number + 1][0], printing->decimals[0]);
	document_cell(document,
		      cell_string(most_changed(printing->report, old_costs, new_costs).word));
	if (has_callees(printing))
		document_cell(document,
			      printing->inclusive_names[0]
				      ? cell_decimal(cell_change(change_of(printing, 2, 0) -
								 change_of(printing, 0, 0)),
						     printing->decimals[0])
				      : cell_never);
	for (size_t i = 1; i < printing->report->n_shown; i++)
		document_cell(document, extra_cell(printing, printing->layout.is_compact, names[i],
						   change_of(printing, number, i), i));
}

/* Adds a text, shortened to `room` columns. */
static void add_short(struct printing *printing, struct bytes *out, const char *text, size_t room)
{
	shortname_make(&printing->scratch, text, strlen(text),
		       room > LEAST_ROOM ? room : LEAST_ROOM);
	bytes_add(out, printing->scratch.text, printing->scratch.len);
}

/* Adds " (new)", " (gone)", or " (was NAME or FILE)" with a text in `room` columns. */
static void add_state(struct printing *printing, struct bytes *out, size_t row, size_t room)
{
	const struct difference *difference = printing->report->difference;
	const char *state = state_of(difference, row), *was = NULL;

	if (difference_renamed(difference, row))
		was = difference_old_name(difference, row, NAME_FUNCTION).text;
	else if (difference_moved(difference, row))
		was = difference_old_name(difference, row, NAME_FILE).text;
	/* If only a folder was renamed, its name tells; else the file's does. */
	if (was && room < SIZE_MAX && difference_moved(difference, row) &&
	    strcmp(path_base(was), path_base(difference_name(difference, row, NAME_FILE).text)) !=
		    0)
		was = path_base(was);
	if (*state == '\0')
		return;
	bytes_add_text(out, was ? " (was " : " (");
	add_short(printing, out, was ? was : state, room);
	bytes_add_text(out, ")");
}

/* Adds a row's function alone, shortened, and its state. */
static void add_function(struct printing *printing, struct bytes *out, size_t row, size_t room,
			 size_t was_room, bool has_state)
{
	const struct name name = difference_name(printing->report->difference, row, NAME_FUNCTION);
	size_t start = out->len, used = 0;

	/* The state is wanted whole, so how much it takes is found out first. */
	if (has_state) {
		add_state(printing, out, row, was_room);
		used = visible_width(out->text + start, out->len - start);
		out->len = start;
	}
	add_short(printing, out, name.text, room > used ? room - used : 0);
	if (has_state)
		add_state(printing, out, row, was_room);
}

/*
 * Adds what people call a row: "file:function [object]", or of an object of data "name [group]", and its state.  If it
 * has to fit `room` columns, the file without its folder, or where none is known the object in its place; else the
 * function alone, shortened.
 */
static void add_name(struct printing *printing, struct bytes *out, size_t row, size_t room,
		     bool has_state)
{
	const struct difference *difference = printing->report->difference;
	const struct name function = difference_name(difference, row, NAME_FUNCTION);
	const struct name file = difference_name(difference, row, NAME_FILE);
	const struct name object = difference_name(difference, row, NAME_OBJECT);
	bool is_data = printing->report->choice->is_by_object &&
		       strcmp(file.text, OBJECTCOSTS_FILE) == 0;
	bool is_group = is_data && object.text[0] == '[';
	bool is_narrow = room < SIZE_MAX;
	bool has_file = !is_data && !(is_narrow && file.key == DICTIONARY_UNKNOWN);
	bool has_object = object.key != DICTIONARY_UNKNOWN && (!is_narrow || is_data || !has_file);
	size_t was_room = is_narrow ? room * 2 / 5 : SIZE_MAX, start = out->len;

	if (has_file) {
		bytes_add_text(out, is_narrow ? path_base(file.text) : file.text);
		bytes_add_char(out, ':');
	}
	bytes_add(out, function.text, function.len);
	if (has_object) {
		bytes_add_text(out, is_group ? " " : " [");
		bytes_add_text(out, is_narrow ? path_base(object.text) : object.text);
		bytes_add_text(out, is_group ? "" : "]");
	}
	if (has_state)
		add_state(printing, out, row, was_room);
	if (!is_narrow || visible_width(out->text + start, out->len - start) <= room)
		return;
	out->len = start;
	add_function(printing, out, row, room, was_room, has_state);
}

static const char arrow[] = " > ";

/* The same of a call: if both do not fit, the functions alone, each in half of the room, or what the caller leaves. */
static void add_call(struct printing *printing, struct bytes *out, const struct difference_arc *arc,
		     size_t room)
{
	bool is_narrow = room < SIZE_MAX;
	size_t start = out->len, any = is_narrow ? SIZE_MAX - 1 : SIZE_MAX, used;

	/* If it has to fit, the functions' own rows say what they were called, and the calls what is new. */
	add_name(printing, out, arc->caller, any, !is_narrow);
	bytes_add_text(out, arrow);
	add_name(printing, out, arc->callee, any, !is_narrow);
	if (!is_narrow || visible_width(out->text + start, out->len - start) <= room)
		return;
	out->len = start;
	add_function(printing, out, arc->caller, (room - strlen(arrow)) / 2, 0, false);
	bytes_add_text(out, arrow);
	used = visible_width(out->text + start, out->len - start);
	add_function(printing, out, arc->callee, room > used ? room - used : 0, 0, false);
}

/* "main.c:21 (parse)"; of an object of data, the line is an offset: "at 56 (make_node < main)". */
static void add_line(struct printing *printing, struct bytes *out,
		     const struct diffreport_item *item, size_t room)
{
	const struct difference_line *line = item->line;
	bool is_offset = printing->report->choice->is_by_object;
	size_t start = out->len, used;
	char number[48];

	if (!is_offset && room == SIZE_MAX)
		bytes_add_text(out, line->file.text);
	else if (!is_offset)
		add_short(printing, out, path_base(line->file.text), room / 2);
	snprintf(number, sizeof(number), "%s%llu (", is_offset ? "at " : ":",
		 (unsigned long long)line->line);
	bytes_add_text(out, number);
	used = visible_width(out->text + start, out->len - start) + 1;
	add_short(printing, out,
		  difference_name(printing->report->difference, item->row, NAME_FUNCTION).text,
		  room == SIZE_MAX ? room
		  : room > used    ? room - used
				   : 0);
	bytes_add_char(out, ')');
}

/* Adds what a region is called, and "(new)", "(gone)", "(not over)" or "(3 to 6 times)". */
static void add_region(struct printing *printing, struct bytes *out,
		       const struct region_pair *region, size_t room)
{
	char state[64];
	size_t used;

	if (!region->new_side.is_open && region->old_side.is_there && region->new_side.is_there &&
	    region->old_side.times != region->new_side.times)
		snprintf(state, sizeof(state), "%" PRIu64 " to %" PRIu64 " times",
			 region->old_side.times, region->new_side.times);
	else
		snprintf(state, sizeof(state), "%s",
			 region->new_side.is_open ? "not over" : region_state(region));
	used = *state ? strlen(state) + strlen(" ()") : 0;
	if (room < SIZE_MAX)
		add_short(printing, out, region->name, room > used ? room - used : 0);
	else
		bytes_add_text(out, region->name);
	if (*state == '\0')
		return;
	bytes_add_text(out, " (");
	bytes_add_text(out, state);
	bytes_add_char(out, ')');
}

/* The last cell of a row; it lasts until the next one. */
static struct cell name_cell(struct printing *printing, const struct diffreport_item *item,
			     size_t room)
{
	struct bytes *name = &printing->name;

	bytes_reset(name);
	if (item->region)
		add_region(printing, name, item->region, room);
	else if (item->arc)
		add_call(printing, name, item->arc, room);
	else if (item->line)
		add_line(printing, name, item, room);
	else
		add_name(printing, name, item->row, room, true);
	return cell_text(name->text, name->len);
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
			  is_inclusive ? printing->inclusive_names : printing->names,
			  printing->items[i].old_costs, printing->items[i].new_costs);
	document_cell(document, name_cell(printing, &printing->items[i], printing->layout.room));
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

enum { CALLS_TEXT = 2 * INT128_TEXT + 8 };

/* "3", or if they were others before "2 to 3"; returns the length. */
static size_t print_calls(const struct printing *printing, const struct difference_arc *arc,
			  char text[CALLS_TEXT])
{
	const struct difference *difference = printing->report->difference;
	const int128 counts[2] = { int128_of(arc->old_count, difference->old_model->is_signed),
				   int128_of(arc->new_count, difference->new_model->is_signed) };
	const struct decimals none = { 0, 0 };
	size_t len = 0;

	for (size_t i = counts[0] == counts[1]; i < 2; i++) {
		if (len > 0)
			len += (size_t)snprintf(text + len, CALLS_TEXT - len, " to ");
		len += printing->layout.is_compact
			       ? print_compact(text + len, counts[i], none, false)
			       : int128_print(text + len, counts[i], true);
	}
	return len;
}

static void put_call_row(struct document *document, void *ctx, size_t i)
{
	struct printing *printing = ctx;
	const struct difference *difference = printing->report->difference;
	const struct difference_arc *arc = printing->items[i].arc;
	int128 old = int128_of(arc->old_count, difference->old_model->is_signed);
	int128 new = int128_of(arc->new_count, difference->new_model->is_signed);
	char calls[CALLS_TEXT];

	take_costs(printing, 0, arc->old_costs, arc->new_costs);
	put_place(printing, arc->caller);
	put_place(printing, arc->callee);
	document_cell(document, cell_pairs((struct cell_pairs){ 1, NULL, &old, &new, NULL }));
	put_pairs(printing, 0, printing->inclusive_names);
	document_cell(document, cell_count(old));
	document_cell(document, cell_count(new));
	print_calls(printing, arc, calls);
	document_cell(document, cell_string(calls));
	put_costs(printing, 0, printing->inclusive_names, arc->old_costs, arc->new_costs);
	document_cell(document, name_cell(printing, &printing->items[i], printing->layout.room));
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
	{ .title = NULL }, /* both in one, of text */
};

static void put_line_row(struct document *document, void *ctx, size_t i)
{
	struct printing *printing = ctx;
	const struct difference *difference = printing->report->difference;
	const struct difference_line *line = printing->items[i].line;
	uint32_t row = printing->items[i].row;

	take_costs(printing, 0, line->old_costs, line->new_costs);
	put_place(printing, row);
	put_text(document, line->file);
	document_cell(document, cell_count(line->line));
	document_cell(document, line->line ? cell_count(line->line) : cell_none);
	document_cell(document, cell_string(state_of(difference, row)));
	put_old_name(printing, row, NAME_FUNCTION);
	put_pairs(printing, 0, printing->names);
	put_costs(printing, 0, printing->names, line->old_costs, line->new_costs);
	document_cell(document, name_cell(printing, &printing->items[i], printing->layout.room));
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

static void put_region_row(struct document *document, void *ctx, size_t i)
{
	struct printing *printing = ctx;
	const struct region_pair *region = printing->items[i].region;
	const struct region_side *sides[2] = { &region->old_side, &region->new_side };
	const char *state = region_state(region);
	int128 times[2], threads[2];

	for (size_t side = 0; side < 2; side++) {
		times[side] = (int128)sides[side]->times;
		threads[side] = (int128)sides[side]->threads;
	}
	take_costs(printing, 0, printing->items[i].old_costs, printing->items[i].new_costs);
	document_cell(document, cell_string(region->name));
	document_cell(document, cell_string(*state ? state : "both"));
	document_cell(document, cell_string(state));
	document_cell(document, cell_bool(region->new_side.is_open));
	document_cell(document,
		      cell_pairs((struct cell_pairs){ 1, NULL, &times[0], &times[1], NULL }));
	document_cell(document,
		      cell_pairs((struct cell_pairs){ 1, NULL, &threads[0], &threads[1], NULL }));
	put_pairs(printing, 0, printing->inclusive_names);
	put_costs(printing, 0, printing->inclusive_names, printing->items[i].old_costs,
		  printing->items[i].new_costs);
	document_cell(document, name_cell(printing, &printing->items[i], printing->layout.room));
}

static const struct document_column region_columns[] = {
	{ .key = "region", .field = "function" },
	{ .key = "state" },
	{ .field = "state" },
	{ .key = "open" },
	{ .key = "times" },
	{ .key = "threads" },
	{ .key = "inclusive", .record = "region" },
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
	[DIFFREPORT_REGIONS] = {
		.key = "regions",
		.columns = region_columns,
		.n = N(region_columns),
		.put_row = put_region_row,
		.headings = { "Regions" },
		.titles = { "region" },
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
	case DIFFREPORT_REGIONS:
		if (n < report->lists[kind].n)
			snprintf(share, sizeof(share), ", the first %zu", n);
		else if (report->n_below > 0)
			snprintf(share, sizeof(share), "; %zu below --threshold", report->n_below);
		document_heading(document, title, ": %zu changed of %zu, %zu new, %zu gone%s",
				 n_all, report->regions.n, report->n_new, report->n_gone, share);
		break;
	case N_DIFFREPORT:
		break;
	}
}

static const char mostly_title[] = "mostly";

static const char *calls_title(bool is_by_object)
{
	return is_by_object ? "misses" : "calls";
}

static const char *leading_title(const struct printing *printing, size_t i)
{
	const char *const titles[N_LEADING] = { printing->old_title, printing->new_title, "change",
						"%" };

	return titles[i];
}

/* The widths of columns, by how counts are printed: in full, or compact. */
struct widths {
	size_t leading[N_LEADING], *extras;
	size_t calls, mostly; /* with their gaps; 0 = no such column */
};

static void widen(size_t *width, size_t needed)
{
	if (*width < needed)
		*width = needed;
}

static void widen_for(size_t *width, const struct cell *cell)
{
	char text[DOCUMENT_COUNT_TEXT];

	widen(width, cell->kind == CELL_TEXT ? visible_width(cell->text.data, cell->text.len)
					     : document_print_count(text, cell, true));
}

/* Measures the metrics' columns of n rows. */
static void measure(struct printing *printing, size_t n, bool is_compact, struct widths *widths)
{
	const struct diffreport *report = printing->report;

	for (size_t i = 0; i < N_LEADING; i++)
		widths->leading[i] = visible_width(leading_title(printing, i),
						   strlen(leading_title(printing, i)));
	for (size_t i = 1; i < report->n_shown; i++)
		widths->extras[i] = visible_width(printing->names[i], strlen(printing->names[i]));
	for (size_t row = 0; row < n; row++) {
		struct cell cells[N_LEADING];

		take_costs(printing, 0, printing->items[row].old_costs,
			   printing->items[row].new_costs);
		make_leading(printing, is_compact, true, printing->values[0][0],
			     printing->values[1][0], printing->decimals[0], cells);
		for (size_t i = 0; i < N_LEADING; i++)
			widen_for(&widths->leading[i], &cells[i]);
		for (size_t i = 1; i < report->n_shown; i++) {
			const struct cell cell = extra_cell(printing, is_compact, true,
							    change_of(printing, 0, i), i);

			widen_for(&widths->extras[i], &cell);
		}
	}
}

/* The width of the column of calls, if there is one, with its gap. */
static size_t measure_calls(struct printing *printing, enum diffreport_kind kind, size_t n)
{
	size_t width = strlen(calls_title(printing->report->choice->is_by_object));
	char text[CALLS_TEXT];

	if (kind != DIFFREPORT_CALLS)
		return 0;
	for (size_t i = 0; i < n; i++)
		widen(&width, print_calls(printing, printing->items[i].arc, text));
	return width + GAP;
}

/* The width of the word, with its gap. */
static size_t measure_mostly(const struct printing *printing, size_t n)
{
	size_t width = strlen(mostly_title);

	for (size_t i = 0; i < n; i++) {
		const struct diffreport_item *item = &printing->items[i];

		widen(&width,
		      strlen(most_changed(printing->report, item->old_costs, item->new_costs).word));
	}
	return width + GAP;
}

/* How much room names want: NAME_ROOM, or what the longest needs. */
static size_t measure_names(struct printing *printing, size_t n)
{
	size_t width = 0;

	for (size_t i = 0; i < n && width < NAME_ROOM; i++) {
		const struct cell cell = name_cell(printing, &printing->items[i], SIZE_MAX - 1);

		widen_for(&width, &cell);
	}
	return width < NAME_ROOM ? width : NAME_ROOM;
}

/* Columns before the name. */
static size_t sum_widths(const struct layout *layout, const struct widths *widths)
{
	size_t sum = 0;

	for (size_t i = 0; i < N_LEADING; i++)
		if (layout->has[i])
			sum += widths->leading[i] + GAP;
	for (size_t i = 1; i <= layout->n_extras; i++)
		sum += widths->extras[i] + GAP;
	return sum + widths->calls + (layout->has_mostly ? widths->mostly : 0);
}

/* Takes a column away; false if there is not one that can go. */
static bool drop_column(struct layout *layout)
{
	static const enum leading order[] = { LEADING_OLD, LEADING_PERCENT, LEADING_NEW };
	bool is_dropped = layout->n_extras > 0 || layout->has_mostly;

	if (layout->n_extras > 0)
		layout->n_extras--;
	else
		layout->has_mostly = false;
	for (size_t i = 0; i < N(order) && !is_dropped; i++) {
		is_dropped = layout->has[order[i]];
		layout->has[order[i]] = false;
	}
	return is_dropped;
}

/*
 * Chooses what columns n rows have.  If names would not have the room that they want, counts are compact; if that is not
 * enough, changes of metrics that do not rank go, the last ones first; and other columns go if hardly any room was left.
 */
static void fit(struct printing *printing, enum diffreport_kind kind, size_t n)
{
	const struct diffreport *report = printing->report;
	struct layout *layout = &printing->layout;
	const size_t width = document_width(printing->document);
	struct widths widths;
	size_t wanted, narrow;

	*layout = (struct layout){
		.is_text = report->choice->is_narrow,
		.n_extras = report->n_shown - 1,
		.has_mostly = report->choice->is_narrow && has_parts(report),
		.has = { true, true, true, true },
		.room = width > 0 ? width : SIZE_MAX,
	};
	if (width == 0 || !sections[kind].has_costs)
		return;
	wanted = measure_names(printing, n);
	widths.extras = arena_alloc(printing->arena, report->n_shown * sizeof(size_t), 8);
	widths.mostly = layout->has_mostly ? measure_mostly(printing, n) : 0;
	for (int is_compact = 0; is_compact < 2; is_compact++) {
		layout->is_compact = is_compact;
		widths.calls = measure_calls(printing, kind, n);
		measure(printing, n, is_compact, &widths);
		if (sum_widths(layout, &widths) + wanted <= width)
			break;
	}
	narrow = kind == DIFFREPORT_CALLS && wanted > LEAST_CALL ? LEAST_CALL : LEAST_LAST;
	while (sum_widths(layout, &widths) + (layout->n_extras > 0 ? wanted : narrow) > width) {
		if (!drop_column(layout))
			break;
		if (!layout->has[LEADING_OLD])
			narrow = LEAST_LAST;
	}
	layout->room = sum_widths(layout, &widths) + LEAST_LAST < width
			       ? width - sum_widths(layout, &widths)
			       : LEAST_LAST;
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
	const struct layout *layout = &printing->layout;
	size_t n_columns = section->n;

	put_heading(printing, kind, n);
	if (kind == DIFFREPORT_CALLS)
		document_value(printing->document, "changed_calls",
			       cell_count((int128)report->lists[kind].n_all));
	printing->section = section;
	printing->items = report->lists[kind].items;
	memcpy(columns, section->columns, section->n * sizeof(*columns));
	fit(printing, kind, n);
	if (kind == DIFFREPORT_CALLS && layout->is_text) {
		columns[n_columns - 3].title = columns[n_columns - 2].title = NULL;
		columns[n_columns - 1].title = calls_title(is_by_object);
	} else if (kind == DIFFREPORT_CALLS && is_by_object) {
		columns[n_columns - 3].title = "OLD misses";
		columns[n_columns - 2].title = "NEW misses";
	}
	if (section->has_costs) {
		for (size_t i = 0; i < N_LEADING; i++)
			columns[n_columns++].title = layout->has[i] ? leading_title(printing, i)
								    : NULL;
		columns[n_columns].is_left = true;
		columns[n_columns++].title = layout->has_mostly ? mostly_title : NULL;
		if (has_callees(printing))
			columns[n_columns++].title = "callees";
		for (size_t i = 1; i < report->n_shown; i++)
			columns[n_columns++].title = i <= layout->n_extras ? printing->names[i]
									   : NULL;
	}
	columns[n_columns++].title = section->titles[is_by_object];
	view.table.n = n_columns;
	document_view(printing->document, &view);
	free(columns);
	if (section->has_costs && n > 0 && layout->n_extras + 1 < report->n_shown &&
	    report->choice->show)
		document_prose(printing->document, "%zu more event%s with --width=unlimited\n",
			       report->n_shown - 1 - layout->n_extras,
			       report->n_shown - 1 - layout->n_extras == 1 ? "" : "s");
}

/* What the whole run cost, in OLD or NEW, by the metric of a row of the totals. */
static int128 total_of(const struct diffreport *report, size_t i, bool is_new)
{
	const struct difference *difference = report->difference;

	return metric_value(&report->metrics->all[report->totals[i]],
			    is_new ? difference->new_totals : difference->old_totals,
			    is_new ? difference->new_model->is_signed
				   : difference->old_model->is_signed);
}

static const char *const total_titles[N_LEADING] = { "OLD", "NEW", "change", "%" };

static void put_total_row(struct document *document, void *ctx, size_t i)
{
	struct printing *printing = ctx;
	const struct diffreport *report = printing->report;
	const struct metric *shown = &report->metrics->all[report->totals[i]];

	put_leading(printing, true, total_of(report, i, false), total_of(report, i, true),
		    shown->decimals);
	if (printing->layout.room == SIZE_MAX) {
		document_cell(document, cell_string(shown->name));
		return;
	}
	bytes_reset(&printing->name);
	add_short(printing, &printing->name, shown->name, printing->layout.room);
	document_cell(document, cell_text(printing->name.text, printing->name.len));
}

/* Text is about what changed. */
static bool is_total_shown(void *ctx, size_t i)
{
	const struct printing *printing = ctx;

	return !printing->report->choice->is_narrow ||
	       total_of(printing->report, i, false) != total_of(printing->report, i, true);
}

/* Counts of totals are compact if they do not fit otherwise. */
static void fit_totals(struct printing *printing)
{
	const struct diffreport *report = printing->report;
	const size_t width = document_width(printing->document);
	struct layout *layout = &printing->layout;
	struct widths widths = { .calls = 0 };
	size_t used = 0;
	bool fits = width == 0;

	*layout = (struct layout){ .has = { true, true, true, true }, .room = SIZE_MAX };
	for (int is_compact = 0; !fits && is_compact < 2; is_compact++) {
		layout->is_compact = is_compact;
		for (size_t i = 0; i < N_LEADING; i++)
			widths.leading[i] = strlen(total_titles[i]);
		for (size_t i = 0; i < report->n_totals; i++) {
			struct cell cells[N_LEADING];

			make_leading(printing, is_compact, true, total_of(report, i, false),
				     total_of(report, i, true),
				     report->metrics->all[report->totals[i]].decimals, cells);
			for (size_t j = 0; j < N_LEADING; j++)
				widen_for(&widths.leading[j], &cells[j]);
		}
		used = sum_widths(layout, &widths);
		fits = used + LEAST_LAST <= width;
	}
	while (!fits && drop_column(layout)) {
		used = sum_widths(layout, &widths);
		fits = used + LEAST_LAST <= width;
	}
	if (width > 0)
		layout->room = used + LEAST_LAST < width ? width - used : LEAST_LAST;
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
 * Lines other than rows: the verdict and the heading 4, limits 3, totals 2, each of the other tables 5 (its title
 * between blanks, heads and rule), which makes
 * 4 + (3 + 6) + (2 + 16) + (5 + 3) + (5 + 3) + (5 + 8) = 60.
 * Functions get the rows that the others do not need, functions that were only renamed
 * what is left then.
 */
enum {
	MAX_LINES = 60,
	HEADING_LINES = 4,
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
	n[DIFFREPORT_REGIONS] = least(n[DIFFREPORT_REGIONS], MAX_LINES - used);
	used += n_functions + TABLE_LINES;
	n[DIFFREPORT_RENAMED] = used < MAX_LINES ? least(MAX_LINES - used, n[DIFFREPORT_RENAMED])
						 : 0;
	return plan;
}

/* -- the verdict ------------------------------------------------------------------------- */

enum { HEADLINE_TEXT = INT128_TEXT + 64 };

/* The function that changed most in the direction in which the run did, and of it the part of the cycles. */
struct culprit {
	size_t row;
	const struct cycle_part *part; /* NULL = there are none */
	int128 by;                     /* 0: there is no culprit */
};

static struct culprit find_culprit(const struct diffreport *report, int128 all)
{
	const struct difference *difference = report->difference;
	const struct metric *metric = &report->metrics->all[report->shown[0]];
	const bool is_by_part = has_parts(report);
	struct culprit culprit = { .row = 0 };

	for (size_t row = 0; row < difference->n_rows; row++) {
		const uint64_t *old_costs = difference_self(difference, row, false);
		const uint64_t *new_costs = difference_self(difference, row, true);
		int128 change = difference_change(difference, metric, old_costs, new_costs);
		const struct cycle_part *part = NULL;
		int128 by = all < 0 ? -change : change;

		if (by > culprit.by && is_by_part) {
			const struct part_change most = most_changed(report, old_costs, new_costs);

			part = most.part;
			by = most.by;
		}
		if (by > culprit.by)
			culprit = (struct culprit){ row, part, by };
	}
	return culprit;
}

/* What there is less or more of, as one says it after these words. */
static const char *part_noun(const struct cycle_part *part)
{
	static const char *const nouns[][2] = {
		{ "CyBase", "core-bound work" }, { "CyDep", "waiting for dependencies" },
		{ "CyFe", "front-end waiting" }, { "CyBr", "bad speculation" },
		{ "CyMem", "memory waiting" },   { "CyTlb", "TLB waiting" },
	};

	for (size_t i = 0; i < N(nouns); i++)
		if (strcmp(nouns[i][0], part->name) == 0)
			return nouns[i][1];
	return part->term;
}

const char *diffreport_part(const struct diffreport *report, const struct diffreport_item *item)
{
	const struct part_change most = most_changed(report, item->old_costs, item->new_costs);

	return most.part ? part_noun(most.part) : NULL;
}

const char *diffreport_noun(const char *metric)
{
	static const char *const nouns[][2] = {
		{ EVENT_CYCLES, "cycles" },
		{ EVENT_ESTIMATE, "estimated cycles" },
		{ "Ir", "instructions" },
	};

	for (size_t i = 0; i < N(nouns); i++)
		if (strcmp(nouns[i][0], metric) == 0)
			return nouns[i][1];
	return metric;
}

/* "39.9 % fewer ", "2 more ", "The same number of "; old is what there was. */
static void print_headline(char text[HEADLINE_TEXT], int128 change, int128 old,
			   struct decimals decimals)
{
	const int128 by = int128_magnitude(change);
	const double percent = old > 0 ? int128_percent(by, old) : 0;
	const char *word = change < 0 ? "fewer" : "more";
	char count[INT128_TEXT];

	if (change == 0) {
		snprintf(text, HEADLINE_TEXT, "The same number of ");
	} else if (percent >= 1000) {
		int128_print(count, (int128)(percent + 0.5), true);
		snprintf(text, HEADLINE_TEXT, "%s %% %s ", count, word);
	} else if (percent >= 0.05) {
		snprintf(text, HEADLINE_TEXT, "%.1f %% %s ", percent, word);
	} else {
		int128_print_decimal(count, by, true, decimals.people);
		snprintf(text, HEADLINE_TEXT, "%s %s ", count, word);
	}
}

/* " (memory, new)", of what is known about a culprit; "" if nothing is. */
static void print_remarks(char text[HEADLINE_TEXT], const char *first, const char *second)
{
	const char *comma = *first && *second ? ", " : "";

	text[0] = '\0';
	if (*first || *second)
		snprintf(text, HEADLINE_TEXT, " (%s%s%s)", first, comma, second);
}

/*
 * What a verdict says before the culprit's name and after it: ": 71 % of it less memory waiting in "; where others offset
 * most of it, so that percentages would say nothing, ": 4,000 fewer in " and " (memory), offset elsewhere".
 */
static void print_culprit(const struct diffreport *report, const struct culprit *culprit,
			  int128 change, char before[HEADLINE_TEXT], char after[HEADLINE_TEXT])
{
	const struct decimals decimals = report->metrics->all[report->shown[0]].decimals;
	const char *state = is_in_both(report->difference, culprit->row)
				    ? ""
				    : state_of(report->difference, culprit->row);
	char text[INT128_TEXT];
	const double percent = int128_percent(culprit->by, int128_magnitude(change));
	int128 unit = 1;
	size_t len;

	if (percent < 100.5) {
		len = (size_t)snprintf(before, HEADLINE_TEXT, ": %.0f %% of it ", percent);
		if (culprit->part)
			len += (size_t)snprintf(before + len, HEADLINE_TEXT - len, "%s %s ",
						change < 0 ? "less" : "more",
						part_noun(culprit->part));
		snprintf(before + len, HEADLINE_TEXT - len, "in ");
		print_remarks(after, state, "");
		return;
	}
	for (unsigned i = 0; i < decimals.people; i++)
		unit *= 10;
	/* Tenths of few alone. */
	if (culprit->by < 10 * unit)
		int128_print_decimal(text, culprit->by, true, decimals.people);
	else
		int128_print(text, (culprit->by + unit / 2) / unit, true);
	snprintf(before, HEADLINE_TEXT, ": %s %s in ", text, change < 0 ? "fewer" : "more");
	print_remarks(after, culprit->part ? culprit->part->word : "", state);
	len = strlen(after);
	snprintf(after + len, HEADLINE_TEXT - len, ", offset elsewhere");
}

/* -- the same, with libraries charged to the code that calls them -- */

/* What own functions cost with what they call of libraries (owncode.h), by function; NULL if that is not known. To be freed. */
static int128 *charge_libraries(const struct model *model, const char *name, struct arena *arena)
{
	const struct metric_source source = metric_source_of(model, NULL);
	struct metrics metrics;
	struct owncode owncode;
	int128 *charged = NULL;
	size_t number;

	metrics_init(&metrics, &source, arena);
	number = metrics_find(&metrics, name, strlen(name));
	if (number == metrics.n || model->is_signed)
		return NULL;
	if (owncode_compute(&owncode, model, &metrics.all[number]) == PROFILE_OK) {
		charged = heap_zeroed(model->n_functions + 1, sizeof(*charged));
		for (uint32_t i = 0; i < model->n_functions; i++) {
			uint64_t costs[PROFILE_MAX_EVENTS];

			if (!owncode.is_own[i])
				continue;
			charged[i] = owncode.charged[i];
			for (uint32_t part = 0; part < model_cost_parts(model); part++) {
				model_self(model, i, part, costs);
				charged[i] += metric_value(&metrics.all[number], costs, false);
			}
		}
	}
	owncode_release(&owncode);
	return charged;
}

/* The row of own code that changed most so, in the direction of `all`; by is 0 if there is none. */
static struct culprit find_caller(const struct diffreport *report, int128 all, struct arena *arena)
{
	const struct difference *difference = report->difference;
	const char *name = report->metrics->all[report->shown[0]].name;
	int128 *old = charge_libraries(difference->old_model, name, arena);
	int128 *new = charge_libraries(difference->new_model, name, arena);
	struct culprit culprit = { .row = 0 };

	for (size_t row = 0; old && new &&row < difference->n_rows; row++) {
		const struct difference_row *r = &difference->rows[row];
		int128 change = (r->new_function == MODEL_NO_FUNCTION ? 0 : new[r->new_function]) -
				(r->old_function == MODEL_NO_FUNCTION ? 0 : old[r->old_function]);

		change = all < 0 ? -change : change;
		if (change > culprit.by)
			culprit = (struct culprit){ row, NULL, change };
	}
	free(old);
	free(new);
	return culprit;
}

/* "; with libraries, 88 % of it in sum_scores": where that is more than the half, and more than what is said about another function. */
static void put_caller(struct printing *printing, const struct culprit *said, int128 change)
{
	const struct diffreport *report = printing->report;
	struct culprit caller;
	double percent;

	if (report->choice->is_by_object || !report->difference->has_calls)
		return;
	caller = find_caller(report, change, printing->arena);
	percent = int128_percent(caller.by, int128_magnitude(change));
	if (caller.row == said->row || caller.by <= said->by || percent < 50 || percent >= 100.5)
		return;
	document_prose(printing->document, "; with libraries, %.0f %% of it in ", percent);
	bytes_reset(&printing->name);
	add_short(printing, &printing->name,
		  difference_name(report->difference, caller.row, NAME_FUNCTION).text,
		  document_width(printing->document) > 0 ? LEAST_CALL : SIZE_MAX);
	document_styled(printing->document, STYLE_CODE, printing->name.text, printing->name.len);
}

/* "39.9 % fewer cycles: 71 % of it less memory waiting in main" */
static void put_verdict(struct printing *printing)
{
	const struct diffreport *report = printing->report;
	struct document *document = printing->document;
	const struct metric *metric = &report->metrics->all[report->shown[0]];
	const int128 old = total_of(report, 0, false), change = total_of(report, 0, true) - old;
	const struct culprit culprit = find_culprit(report, change);
	const char *noun = diffreport_noun(metric->name);
	char headline[HEADLINE_TEXT];

	print_headline(headline, change, old, metric->decimals);
	document_prose(document, "%s", headline);
	document_words(document, noun);
	if (change != 0 && culprit.by > 0) {
		char before[HEADLINE_TEXT], after[HEADLINE_TEXT];
		size_t room = SIZE_MAX, used;

		print_culprit(report, &culprit, change, before, after);
		used = strlen(headline) + visible_width(noun, strlen(noun)) + strlen(before) +
		       strlen(after);
		if (document_width(document) > 0)
			room = document_width(document) > used ? document_width(document) - used
							       : 0;
		bytes_reset(&printing->name);
		add_short(printing, &printing->name,
			  difference_name(report->difference, culprit.row, NAME_FUNCTION).text,
			  room);
		document_prose(document, "%s", before);
		document_styled(document, STYLE_CODE, printing->name.text, printing->name.len);
		document_prose(document, "%s", after);
		put_caller(printing, &culprit, change);
	}
	document_prose(document, "\n");
}

/* -- the verdict, for programs ------------------------------------------------------------ */

enum { VERDICT_LINES = 3 }; /* that are evidence, at most */

/* The lines of the culprit that changed most in the direction in which it did. */
struct verdict {
	struct printing *printing;
	struct culprit culprit;
	const struct metric *metric; /* of the culprit's part; the one that ranks, if it has none */
	int128 sign;                 /* of the change of the run: 1 or -1 */
	const struct difference_line *lines[VERDICT_LINES];
	size_t n_lines;
};

static int128 verdict_line_change(const struct verdict *verdict, const struct difference_line *line)
{
	return verdict->sign * difference_change(verdict->printing->report->difference,
						 verdict->metric, line->old_costs, line->new_costs);
}

static void find_verdict_lines(struct verdict *verdict)
{
	const struct diffreport *report = verdict->printing->report;
	struct difference_line *lines;
	size_t n;

	if (report->choice->is_by_object ||
	    difference_lines(report->difference, verdict->culprit.row, verdict->printing->arena,
			     &lines, &n) != PROFILE_OK)
		return;
	for (size_t i = 0; i < n; i++) {
		const int128 change = verdict_line_change(verdict, &lines[i]);
		size_t at = verdict->n_lines;

		if (lines[i].line == 0 || change <= 0)
			continue;
		while (at > 0 && verdict_line_change(verdict, verdict->lines[at - 1]) < change)
			at--;
		if (at == VERDICT_LINES)
			continue;
		if (verdict->n_lines < VERDICT_LINES)
			verdict->n_lines++;
		for (size_t k = verdict->n_lines - 1; k > at; k--)
			verdict->lines[k] = verdict->lines[k - 1];
		verdict->lines[at] = &lines[i];
	}
}

static void put_verdict_line(struct document *document, void *ctx, size_t i)
{
	const struct verdict *verdict = ctx;
	const struct difference_line *line = verdict->lines[i];

	put_text(document, difference_name(verdict->printing->report->difference,
					   verdict->culprit.row, NAME_FUNCTION));
	put_text(document, line->file);
	document_cell(document, cell_count((int128)line->line));
	document_cell(document, document_rate(document, verdict_line_change(verdict, line),
					      verdict->culprit.by));
}

/* What the culprit cost in OLD and in NEW. */
static void put_verdict_event(const struct verdict *verdict, const struct metric *metric)
{
	const struct difference *difference = verdict->printing->report->difference;
	struct document *document = verdict->printing->document;
	const uint64_t *old_costs = difference_self(difference, verdict->culprit.row, false);
	const uint64_t *new_costs = difference_self(difference, verdict->culprit.row, true);
	const int128 old = metric_value(metric, old_costs, difference->old_model->is_signed);
	const int128 change = difference_change(difference, metric, old_costs, new_costs);

	document_object(document, metric->name, true);
	document_value(document, "old", cell_decimal(cell_count(old), metric->decimals));
	document_value(document, "new", cell_decimal(cell_count(old + change), metric->decimals));
	document_value(document, "change", cell_decimal(cell_count(change), metric->decimals));
	document_close(document);
}

/* True if the culprit is in both and has as many instructions in NEW, though it costs something else. */
static bool is_same_work(const struct verdict *verdict)
{
	const struct diffreport *report = verdict->printing->report;
	const struct difference *difference = report->difference;
	const size_t row = verdict->culprit.row;
	const size_t instructions = metrics_find(report->metrics, "Ir", strlen("Ir"));

	return instructions < report->metrics->n && is_in_both(difference, row) &&
	       difference_change(difference, &report->metrics->all[instructions],
				 difference_self(difference, row, false),
				 difference_self(difference, row, true)) == 0;
}

/*
 * The command that shows more than this report: lines, if they are known and not listed, then their sources, if
 * profiles of the same events are compared.  It can be pasted: other names of files than plain ones are not put into it.
 */
static struct cell next_command(const struct verdict *verdict)
{
	const struct diffreport *report = verdict->printing->report;
	const struct model *old_model = report->difference->old_model;
	const struct model *new_model = report->difference->new_model;
	const struct metric *metric = &report->metrics->all[report->shown[0]];
	struct bytes *out = &verdict->printing->name;

	if (verdict->n_lines == 0 || report->maker || !visible_is_word(report->old_path) ||
	    !visible_is_word(report->new_path) || !visible_is_word(metric->name))
		return cell_none;
	bytes_reset(out);
	bytes_add_text(out, "costgrind ");
	if (!report->choice->lines) {
		bytes_add_text(out, "diff --lines=yes ");
		if (report->normalised && !visible_is_word(report->normalised))
			return cell_none;
		if (report->normalised) {
			bytes_add_text(out, "--normalise=");
			bytes_add_text(out, report->normalised);
			bytes_add_char(out, ' ');
		}
	} else {
		if (report->normalised || old_model->n_events != new_model->n_events ||
		    report->difference->n_events != new_model->n_events)
			return cell_none;
		bytes_add_text(out, "annotate --diff ");
	}
	if (report->shown[0] != metrics_main(report->metrics)) {
		bytes_add_text(out, report->choice->lines ? "--show=" : "--sort=");
		bytes_add_text(out, metric->name);
		bytes_add_char(out, ' ');
	}
	bytes_add_text(out, report->old_path);
	bytes_add_char(out, ' ');
	bytes_add_text(out, report->new_path);
	return cell_text(out->text, out->len);
}

/* The sentence that text begins with, whatever its width; to be freed. */
static char *make_claim(const struct printing *printing)
{
	struct document document;
	struct printing text = *printing;
	char *claim;
	size_t size;
	FILE *stream = heap_stream(&claim, &size);

	text.document = &document;
	bytes_init(&text.name);
	bytes_init(&text.scratch);
	document_begin(&document, &document_text, stream, NULL, 0, 0);
	put_verdict(&text);
	document_end(&document);
	bytes_release(&text.name);
	bytes_release(&text.scratch);
	heap_stream_close(stream, &claim);
	claim[strcspn(claim, "\n")] = '\0';
	return claim;
}

/* "verdict": a finding (docs/schemas/finding.schema.json) about the culprit. */
static void put_finding(struct printing *printing)
{
	static const struct document_column columns[] = {
		{ .key = "function" },
		{ .key = "file" },
		{ .key = "line" },
		{ .key = "share" },
	};
	static const char *const ruled_out[] = {
		"Less work: it has the same number of instructions in OLD and NEW.",
		"More work: it has the same number of instructions in OLD and NEW.",
	};
	const struct diffreport *report = printing->report;
	const struct difference *difference = report->difference;
	struct document *document = printing->document;
	const struct metric *metric = &report->metrics->all[report->shown[0]];
	const int128 change = total_of(report, 0, true) - total_of(report, 0, false);
	struct verdict verdict = {
		.printing = printing,
		.culprit = find_culprit(report, change),
		.metric = metric,
		.sign = change < 0 ? -1 : 1,
	};
	const size_t row = verdict.culprit.row;
	const bool has_place = change != 0 && verdict.culprit.by > 0;
	char *claim = make_claim(printing), old_text[INT128_TEXT], new_text[INT128_TEXT];
	const char *fact;

	if (has_place && verdict.culprit.part)
		verdict.metric =
			&report->metrics
				 ->all[metrics_find(report->metrics, verdict.culprit.part->name,
						    strlen(verdict.culprit.part->name))];
	if (has_place)
		find_verdict_lines(&verdict);
	int128_print_decimal(old_text, total_of(report, 0, false), true, metric->decimals.people);
	int128_print_decimal(new_text, total_of(report, 0, true), true, metric->decimals.people);
	bytes_reset(&printing->name);
	bytes_add_text(&printing->name, "All ");
	bytes_add_text(&printing->name, diffreport_noun(metric->name));
	bytes_add_text(&printing->name, ": ");
	bytes_add_text(&printing->name, old_text);
	bytes_add_text(&printing->name, " in OLD, ");
	bytes_add_text(&printing->name, new_text);
	bytes_add_text(&printing->name, " in NEW.");
	fact = arena_copy(printing->arena, printing->name.text, printing->name.len);
	document_object(document, "verdict", false);
	document_value(document, "claim", cell_string(claim));
	if (has_place) {
		const struct name file = verdict.n_lines > 0
						 ? verdict.lines[0]->file
						 : difference_name(difference, row, NAME_FILE);
		const struct name function = difference_name(difference, row, NAME_FUNCTION);
		const struct name object = difference_name(difference, row, NAME_OBJECT);

		document_value(document, "share",
			       document_rate(document, verdict.culprit.by,
					     int128_magnitude(change)));
		document_value(document, "function", cell_text(function.text, function.len));
		document_value(document, "object", cell_text(object.text, object.len));
		document_value(document, "file", cell_text(file.text, file.len));
		if (verdict.n_lines > 0)
			document_value(document, "line",
				       cell_count((int128)verdict.lines[0]->line));
	}
	document_value(document, "event", cell_string(metric->name));
	document_object(document, "evidence", false);
	document_object(document, "events", false);
	if (has_place) {
		put_verdict_event(&verdict, metric);
		if (verdict.metric != metric)
			put_verdict_event(&verdict, verdict.metric);
	}
	document_close(document);
	document_view(document,
		      &(const struct document_view){
			      .table = { .key = "lines", .columns = columns, .n = N(columns) },
			      .n_rows = verdict.n_lines,
			      .put_row = put_verdict_line,
			      .ctx = &verdict,
		      });
	document_value(document, "facts", cell_list(&fact, 1));
	document_close(document);
	document_value(document, "ruled_out",
		       cell_list(&ruled_out[change > 0], has_place && is_same_work(&verdict)));
	if (has_place)
		document_value(document, "next_command", next_command(&verdict));
	document_close(document);
	free(claim);
}

/* Says what the document compares; returns how many lines limits take in a short one. */
static size_t put_head(struct printing *printing)
{
	struct document *document = printing->document;
	const struct diffreport *report = printing->report;
	const struct difference_scale *scale = report->difference->scale;
	bool is_short = document_is_short(document);

	document_value(document, "schema", cell_string("costgrind diff"));
	document_value(document, "format", cell_string("costgrind-diff"));
	document_value(document, "version", cell_count(JSON_VERSION));
	document_value(document, "old", cell_string(report->old_path));
	document_value(document, "new", cell_string(report->new_path));
	if (report->choice->is_by_object)
		document_value(document, "by", cell_string("object"));
	if (report->choice->is_by_region)
		document_value(document, "by", cell_string("region"));
	if (!report->is_first && document_is_prose(document)) {
		put_verdict(printing);
		document_prose(document, is_short ? "\n" : "");
	}
	if (!report->is_first && !document_is_prose(document))
		put_finding(printing);
	if (is_short || report->choice->has_head) {
		document_prose(document, is_short ? "### Cost of " : "OLD  ");
		document_name(document, is_short ? report->new_path : report->old_path);
		document_prose(document, is_short ? " against " : "\nNEW  ");
		document_name(document, is_short ? report->old_path : report->new_path);
		document_prose(document, is_short ? "\n\n" : "\n");
	}
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
			       "No baseline yet: NEW is kept as it, and nothing was compared\n%s",
			       is_short ? "\n" : "");
	}
	if (report->maker && report->maker->put) {
		const int128 old = total_of(report, 0, false);

		report->maker->put(report->maker->ctx, document,
				   &(const struct diffreport_change){
					   .noun = diffreport_noun(
						   report->metrics->all[report->shown[0]].name),
					   .old = old,
					   .change = total_of(report, 0, true) - old,
				   });
	}
	return is_short && report->limits
		       ? difflimits_summarize(document, report->limits, report->difference)
		       : 0;
}

static void put_totals(struct printing *printing, size_t n)
{
	struct document_column columns[] = {
		{ .key = "old", .field = "old" },
		{ .key = "new", .field = "new" },
		{ .field = "change" },
		{ .key = NULL },
		{ .title = "event", .field = "event" },
	};
	struct document *document = printing->document;
	bool is_any = false;

	fit_totals(printing);
	for (size_t i = 0; i < N_LEADING; i++)
		columns[i].title = printing->layout.has[i] ? total_titles[i] : NULL;
	for (size_t i = 0; i < n && !is_any; i++)
		is_any = is_total_shown(printing, i);
	if (is_any && !document_is_short(document))
		document_heading(document, "Totals", "%s",
				 printing->report->choice->is_narrow ? " of the events that changed"
								     : "");
	document_view(document, &(const struct document_view){
					.table = { .key = "totals",
						   .record = "total",
						   .columns = columns,
						   .n = N(columns),
						   .is_named = true },
					.n_rows = n,
					.put_row = put_total_row,
					.is_shown = is_total_shown,
					.ctx = printing,
				});
}

static void begin(struct printing *printing)
{
	const struct diffreport *report = printing->report;
	size_t n = report->n_shown;

	printing->names = arena_alloc(printing->arena, n * sizeof(*printing->names), 8);
	printing->inclusive_names = arena_alloc(printing->arena, n * sizeof(*printing->names), 8);
	printing->decimals = arena_alloc(printing->arena, n * sizeof(*printing->decimals), 1);
	printing->texts =
		arena_alloc(printing->arena, (N_LEADING + n) * sizeof(*printing->texts), 1);
	bytes_init(&printing->name);
	bytes_init(&printing->scratch);
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
	document_fit(&document, report->choice->width);
	limit_lines = put_head(&printing);
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
	/* In text, functions come first: they are the answer. */
	if (!report->choice->is_narrow)
		put_totals(&printing, plan.totals);
	for (size_t i = 0; i < N(counts) && !report->choice->is_by_region; i++)
		document_value(&document, counts[i].key, cell_count((int128)counts[i].n));
	for (int kind = 0; kind < N_DIFFREPORT; kind++) {
		if ((kind == DIFFREPORT_REGIONS) != report->choice->is_by_region)
			continue;
		put_section(&printing, (enum diffreport_kind)kind, plan.lists[kind]);
		if ((kind == DIFFREPORT_FUNCTIONS || kind == DIFFREPORT_REGIONS) &&
		    report->choice->is_narrow)
			put_totals(&printing, plan.totals);
	}
	difflimits_list(&document, report->limits ? report->limits : &no_limits,
			report->difference);
	document_end(&document);
	bytes_release(&printing.name);
	bytes_release(&printing.scratch);
}
