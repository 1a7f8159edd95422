/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/diff/diffreport.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/event_names.h"

static const char out_of_memory[] = "out of memory";

const char *diffreport_state(const struct difference *difference, size_t row)
{
	const struct difference_row *r = &difference->rows[row];

	if (r->old_function == MODEL_NO_FUNCTION)
		return "new";
	if (r->new_function == MODEL_NO_FUNCTION)
		return "gone";
	return difference_renamed(difference, row) ? "renamed" : "";
}

const struct metric *diffreport_ranking(const struct diffreport *report)
{
	return &report->metrics->all[report->shown[0]];
}

/* -- what is shown ----------------------------------------------------------------- */

/* Whether a profile by itself has a metric; false if memory ran out, too. */
static bool has_metric(const struct model *model, const char *name, size_t len, struct arena *arena)
{
	const struct metric_source source = {
		.events = model->events,
		.n_events = model->n_events,
		.derived = model->derived,
		.n_derived = model->n_derived,
	};
	struct metrics metrics;

	return metrics_init(&metrics, &source, arena) &&
	       metrics_find(&metrics, name, len) < metrics.n;
}

const char *diffreport_no_metric(const struct difference *difference, const char *name, size_t len,
				 struct arena *arena)
{
	enum { MOST = 160 }; /* bytes of the name; a longer one is cut */
	bool is_old = has_metric(difference->old_model, name, len, arena);
	bool is_new = has_metric(difference->new_model, name, len, arena);
	char text[MOST + 64];
	const char *copy;
	int text_len = snprintf(text, sizeof(text), "%s '%.*s'",
				is_old && is_new
					? "OLD and NEW do not record the same events to compute"
				: is_old ? "NEW has no event"
				: is_new ? "OLD has no event"
					 : "neither profile has an event",
				(int)(len < MOST ? len : MOST), name);

	copy = arena_copy(arena, text, (size_t)text_len);
	return copy ? copy : out_of_memory;
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

/* All events; of cycles that lead, what they were spent on comes first.  A curve is too wide for people. */
static void show_events(struct diffreport *report, bool is_prose)
{
	const struct metrics *metrics = report->metrics;
	size_t part;

	for (size_t i = 0; (part = metrics_cycle_part(metrics, report->shown[0], i)) < metrics->n;
	     i++)
		show(report, part);
	for (size_t i = 0; i < metrics->n_events; i++)
		if (!is_prose || !event_is_of_curve(metrics->all[i].name))
			show(report, i);
}

/* Misses of objects, for people: what annotate --by=object shows.  False if they are not all there; then none is. */
static bool show_misses(struct diffreport *report)
{
	static const char *const names[] = { "EstCyc", "D1m", "DLm" };
	const struct metrics *metrics = report->metrics;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (metrics_find(metrics, names[i], strlen(names[i])) == metrics->n)
			return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		show(report, metrics_find(metrics, names[i], strlen(names[i])));
	return true;
}

/* Totals in the order of columns; a short document has the first of them. */
static const char *choose_totals(struct diffreport *report, const struct diffreport_choice *choice,
				 struct arena *arena)
{
	const struct metrics *metrics = report->metrics;

	report->totals = arena_alloc(arena, (metrics->n + 1) * sizeof(size_t), sizeof(size_t));
	if (!report->totals)
		return out_of_memory;
	for (size_t i = 0; i < report->n_shown; i++)
		append(report->totals, &report->n_totals, report->shown[i]);
	if (choice->show)
		return NULL;
	append(report->totals, &report->n_totals, metrics_main(metrics));
	for (size_t i = 0; i < metrics->n; i++)
		append(report->totals, &report->n_totals, i);
	return NULL;
}

static const char *choose(struct diffreport *report, const struct diffreport_choice *choice,
			  struct arena *arena, bool *is_usage)
{
	const char *wrong = NULL;

	report->shown =
		arena_alloc(arena, (report->metrics->n + 1) * sizeof(size_t), sizeof(size_t));
	if (!report->shown)
		return out_of_memory;
	if (choice->sort)
		wrong = show_list(report, choice->sort, arena);
	if (!wrong && choice->show)
		wrong = show_list(report, choice->show, arena);
	if (!choice->sort && !choice->show)
		show(report, metrics_main(report->metrics));
	*is_usage = wrong && wrong != out_of_memory;
	if (!choice->show && report->n_shown > 0 &&
	    !(choice->is_by_object && choice->is_prose && show_misses(report)))
		show_events(report, choice->is_prose);
	return wrong ? wrong : choose_totals(report, choice, arena);
}

/* -- which rows --------------------------------------------------------------------- */

/* Whether a change is enough in one of the metrics shown. */
static bool reaches(const struct diffreport *report, const uint64_t *old_costs,
		    const uint64_t *new_costs)
{
	const struct difference *difference = report->difference;

	for (size_t i = 0; i < report->n_shown; i++) {
		const struct metric *metric = &report->metrics->all[report->shown[i]];
		int128 change = difference_change(difference, metric, old_costs, new_costs);
		int128 old_total = int128_magnitude(metric_value(metric, difference->old_totals,
								 difference->old_model->is_signed));
		int128 new_total = int128_magnitude(metric_value(metric, difference->new_totals,
								 difference->new_model->is_signed));
		int128 total = old_total > new_total ? old_total : new_total;

		if (change != 0 && int128_magnitude(change) * 1000000 >= total * report->threshold)
			return true;
	}
	return false;
}

/* Whether an object is the dynamic loader: ld-linux-x86-64.so.2, ld-2.31.so, ld64.so.2. */
static bool is_loader(struct name object)
{
	const char *slash = strrchr(object.text, '/');
	const char *file = slash ? slash + 1 : object.text;

	return (strncmp(file, "ld-", 3) == 0 && strstr(file, ".so")) ||
	       strncmp(file, "ld.so", 5) == 0 || strncmp(file, "ld64.so", 7) == 0;
}

/*
 * Whether a function is of those that call main(): whatever changes, changes them too.  The C library's may
 * have its version behind; where the loader begins may have no name but its address.  The page of
 * costgrind report has the same rule (page/tree.js).
 */
static bool is_before_main(const struct difference *difference, uint32_t row)
{
	static const char *const names[] = { "_start",
					     "__libc_start_main",
					     "__libc_start_main_impl",
					     "__libc_start_call_main",
					     "generic_start_main",
					     "_dl_start_user" };
	const struct name name = difference_name(difference, row, NAME_FUNCTION);
	size_t len = strcspn(name.text, "@");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == len && memcmp(names[i], name.text, len) == 0)
			return true;
	if (strncmp(name.text, "(below main)", strlen("(below main)")) == 0)
		return true;
	return strncmp(name.text, "0x", 2) == 0 &&
	       is_loader(difference_name(difference, row, NAME_OBJECT));
}

/* Most first: by the metrics shown, the first one first. */
static int compare_changes(const struct diffreport *report, const uint64_t *const a[2],
			   const uint64_t *const b[2])
{
	for (size_t i = 0; i < report->n_shown; i++) {
		const struct metric *metric = &report->metrics->all[report->shown[i]];
		int128 x =
			int128_magnitude(difference_change(report->difference, metric, a[0], a[1]));
		int128 y =
			int128_magnitude(difference_change(report->difference, metric, b[0], b[1]));

		if (x != y)
			return x > y ? -1 : 1;
	}
	return 0;
}

static int compare_texts(struct name a, struct name b)
{
	int order = memcmp(a.text, b.text, a.len < b.len ? a.len : b.len);

	if (order == 0 && a.len != b.len)
		order = a.len < b.len ? -1 : 1;
	return order;
}

static int compare_names(const struct difference *difference, uint32_t a, uint32_t b)
{
	static const enum name_kind kinds[] = { NAME_FUNCTION, NAME_FILE, NAME_OBJECT };
	int order = 0;

	for (size_t i = 0; i < 3 && order == 0; i++)
		order = compare_texts(difference_name(difference, a, kinds[i]),
				      difference_name(difference, b, kinds[i]));
	return order ? order : (a < b ? -1 : a > b);
}

static int compare_self(const void *a, const void *b, void *ctx)
{
	const struct diffreport *report = ctx;
	const struct difference *difference = report->difference;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const uint64_t *const x_costs[] = { difference_self(difference, x, false),
					    difference_self(difference, x, true) };
	const uint64_t *const y_costs[] = { difference_self(difference, y, false),
					    difference_self(difference, y, true) };
	int order = compare_changes(report, x_costs, y_costs);

	return order ? order : compare_names(difference, x, y);
}

static int compare_inclusive(const void *a, const void *b, void *ctx)
{
	const struct diffreport *report = ctx;
	const struct difference *difference = report->difference;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const uint64_t *const x_costs[] = { difference_inclusive(difference, x, false),
					    difference_inclusive(difference, x, true) };
	const uint64_t *const y_costs[] = { difference_inclusive(difference, y, false),
					    difference_inclusive(difference, y, true) };
	int order = compare_changes(report, x_costs, y_costs);

	return order ? order : compare_names(difference, x, y);
}

static void list_functions(struct diffreport *report)
{
	const struct difference *difference = report->difference;

	for (uint32_t row = 0; row < difference->n_rows; row++) {
		const struct difference_row *r = &difference->rows[row];

		report->n_renamed += difference_renamed(difference, row);
		if (!difference_self_changed(difference, row)) {
			if (!difference_inclusive_changed(difference, row)) {
				if (difference_renamed(difference, row))
					report->renamed[report->n_renamed_same++] = row;
				continue;
			}
			if (is_before_main(difference, row))
				continue;
			report->n_callers_all++;
			if (reaches(report, difference_inclusive(difference, row, false),
				    difference_inclusive(difference, row, true)))
				report->callers[report->n_callers++] = row;
			continue;
		}
		report->n_changed++;
		report->n_new += r->old_function == MODEL_NO_FUNCTION;
		report->n_gone += r->new_function == MODEL_NO_FUNCTION;
		if (reaches(report, difference_self(difference, row, false),
			    difference_self(difference, row, true)))
			report->functions[report->n_functions++] = row;
	}
	qsort_r(report->functions, report->n_functions, sizeof(uint32_t), compare_self, report);
	qsort_r(report->callers, report->n_callers, sizeof(uint32_t), compare_inclusive, report);
	qsort_r(report->renamed, report->n_renamed_same, sizeof(uint32_t), compare_self, report);
}

/* -- calls and lines ------------------------------------------------------------------- */

static int compare_arcs(const void *a, const void *b, void *ctx)
{
	const struct diffreport *report = ctx;
	const struct difference_arc *x = &report->difference->arcs[*(const uint32_t *)a];
	const struct difference_arc *y = &report->difference->arcs[*(const uint32_t *)b];
	const uint64_t *const x_costs[] = { x->old_costs, x->new_costs };
	const uint64_t *const y_costs[] = { y->old_costs, y->new_costs };
	int order = compare_changes(report, x_costs, y_costs);

	if (order == 0)
		order = compare_names(report->difference, x->caller, y->caller);
	return order ? order : compare_names(report->difference, x->callee, y->callee);
}

/* Another number of calls at the same cost is a change that no cost tells. */
static bool is_worth_listing(const struct diffreport *report, const struct difference_arc *arc)
{
	if (report->threshold == 0 || reaches(report, arc->old_costs, arc->new_costs))
		return true;
	for (size_t i = 0; i < report->n_shown; i++)
		if (difference_change(report->difference, &report->metrics->all[report->shown[i]],
				      arc->old_costs, arc->new_costs) != 0)
			return false;
	return arc->old_count != arc->new_count;
}

static void list_arcs(struct diffreport *report)
{
	const struct difference *difference = report->difference;

	for (uint32_t i = 0; i < difference->n_arcs; i++) {
		if (is_before_main(difference, difference->arcs[i].caller))
			continue;
		report->n_arcs_all++;
		if (is_worth_listing(report, &difference->arcs[i]))
			report->arcs[report->n_arcs++] = i;
	}
	qsort_r(report->arcs, report->n_arcs, sizeof(uint32_t), compare_arcs, report);
}

static int compare_lines(const void *a, const void *b, void *ctx)
{
	const struct diffreport *report = ctx;
	const struct diffreport_line *x = a, *y = b;
	const uint64_t *const x_costs[] = { x->line->old_costs, x->line->new_costs };
	const uint64_t *const y_costs[] = { y->line->old_costs, y->line->new_costs };
	int order = compare_changes(report, x_costs, y_costs);

	if (order == 0)
		order = compare_texts(x->line->file, y->line->file);
	if (order == 0 && x->line->line != y->line->line)
		order = x->line->line < y->line->line ? -1 : 1;
	return order ? order : compare_names(report->difference, x->row, y->row);
}

static bool append_line(struct diffreport *report, size_t *capacity, uint32_t row,
			const struct difference_line *line, struct arena *arena)
{
	struct diffreport_line *lines = report->lines;

	if (report->n_lines == *capacity) {
		*capacity = *capacity ? 2 * *capacity : 64;
		lines = arena_alloc(arena, *capacity * sizeof(*lines), sizeof(void *));
		if (!lines)
			return false;
		if (report->n_lines > 0)
			memcpy(lines, report->lines, report->n_lines * sizeof(*lines));
		report->lines = lines;
	}
	lines[report->n_lines++] = (struct diffreport_line){ row, line };
	return true;
}

static bool list_lines(struct diffreport *report, struct arena *arena)
{
	size_t capacity = 0;

	for (size_t i = 0; i < report->n_functions; i++) {
		struct difference_line *lines;
		size_t n;

		if (difference_lines(report->difference, report->functions[i], arena, &lines, &n))
			return false;
		for (size_t j = 0; j < n; j++)
			if (reaches(report, lines[j].old_costs, lines[j].new_costs) &&
			    !append_line(report, &capacity, report->functions[i], &lines[j], arena))
				return false;
	}
	if (report->n_lines > 0)
		qsort_r(report->lines, report->n_lines, sizeof(*report->lines), compare_lines,
			report);
	return true;
}

const char *diffreport_init(struct diffreport *report, const struct difference *difference,
			    const struct metrics *metrics, const struct diffreport_choice *choice,
			    struct arena *arena, bool *is_usage)
{
	const char *wrong;

	*report = (struct diffreport){
		.difference = difference,
		.metrics = metrics,
		.threshold = choice->threshold,
		.has_lines = choice->lines,
		.is_by_object = choice->is_by_object,
		.has_calls = choice->calls && difference->has_calls,
	};
	*is_usage = false;
	wrong = choose(report, choice, arena, is_usage);
	if (wrong)
		return wrong;
	report->functions = arena_alloc(arena, (difference->n_rows + 1) * sizeof(uint32_t), 4);
	report->callers = arena_alloc(arena, (difference->n_rows + 1) * sizeof(uint32_t), 4);
	report->arcs = arena_alloc(arena, (difference->n_arcs + 1) * sizeof(uint32_t), 4);
	report->renamed = arena_alloc(arena, (difference->n_rows + 1) * sizeof(uint32_t), 4);
	if (!report->functions || !report->callers || !report->arcs || !report->renamed)
		return out_of_memory;
	list_functions(report);
	if (report->has_calls)
		list_arcs(report);
	return report->has_lines && !list_lines(report, arena) ? out_of_memory : NULL;
}
