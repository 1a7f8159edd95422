/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Of the measure that ranks, there are OLD, NEW, the change and that in percent;
 * of the other ones the change alone, which keeps lines short.
 */
#include "cmds/diff/difftable.h"

#include <stdio.h>
#include <string.h>

enum { NAME_TEXT = 4096 }; /* bytes of a name in a table; longer ones are cut */

static void add_value(struct grid *grid, amount value)
{
	char text[AMOUNT_TEXT];

	amount_print(text, value, true);
	grid_add(grid, text);
}

static void add_change(struct grid *grid, amount change)
{
	char text[AMOUNT_TEXT + 1] = "+";

	amount_print(change > 0 ? text + 1 : text, change, true);
	grid_add(grid, change == 0 ? "0" : text);
}

static void add_percent(struct grid *grid, amount change, amount old)
{
	char text[AMOUNT_TEXT];

	amount_print_percent(text, change, old);
	grid_add(grid, change == 0 ? "" : text);
}

/* OLD, NEW, change and percent of one measure. */
static void add_four(struct grid *grid, const struct diffreport *report,
		     const struct measure *measure, const uint64_t *old_costs,
		     const uint64_t *new_costs)
{
	const struct difference *difference = report->difference;
	amount old = measure_value(measure, old_costs, difference->old_model->is_signed);
	amount new = measure_value(measure, new_costs, difference->new_model->is_signed);

	add_value(grid, old);
	add_value(grid, new);
	add_change(grid, new - old);
	add_percent(grid, new - old, old);
}

static void add_four_heads(struct grid *grid, const char *name)
{
	char text[256];

	snprintf(text, sizeof(text), "OLD %s", name);
	grid_add(grid, text);
	snprintf(text, sizeof(text), "NEW %s", name);
	grid_add(grid, text);
	grid_add(grid, "change");
	grid_add(grid, "%");
}

/* The change of each measure shown but the first. */
static void add_others(struct grid *grid, const struct diffreport *report,
		       const uint64_t *old_costs, const uint64_t *new_costs)
{
	for (size_t i = 1; i < report->n_shown; i++)
		add_change(grid, difference_change(report->difference,
						   &report->measures->all[report->shown[i]],
						   old_costs, new_costs));
}

static void add_other_heads(struct grid *grid, const struct diffreport *report)
{
	for (size_t i = 1; i < report->n_shown; i++)
		grid_add(grid, report->measures->all[report->shown[i]].name);
}

/* "file:function [object] (new)", or "(was ...)" */
static void print_name(char *text, size_t size, const struct difference *difference, size_t row)
{
	const struct name function = difference_name(difference, row, NAME_FUNCTION);
	const struct name file = difference_name(difference, row, NAME_FILE);
	const struct name object = difference_name(difference, row, NAME_OBJECT);
	const char *state = diffreport_state(difference, row);
	bool has_object = object.key != DICTIONARY_UNKNOWN;
	int len = snprintf(text, size, "%s:%s%s%s%s", file.text, function.text,
			   has_object ? " [" : "", has_object ? object.text : "",
			   has_object ? "]" : "");

	if (len < 0 || (size_t)len >= size)
		return;
	if (difference_renamed(difference, row))
		snprintf(text + len, size - (size_t)len, " (was %s)",
			 difference_old_name(difference, row, NAME_FUNCTION).text);
	else if (*state)
		snprintf(text + len, size - (size_t)len, " (%s)", state);
}

static void add_name(struct grid *grid, const struct difference *difference, size_t row)
{
	char text[NAME_TEXT];

	print_name(text, sizeof(text), difference, row);
	grid_add(grid, text);
}

void difftable_totals(const struct diffreport *report, struct grid *grid, struct arena *arena)
{
	const struct difference *difference = report->difference;
	const struct measures *measures = report->measures;
	size_t n = report->shows_chosen ? report->n_shown : measures->n;

	grid_init(grid, arena, 5);
	grid_add(grid, "OLD");
	grid_add(grid, "NEW");
	grid_add(grid, "change");
	grid_add(grid, "%");
	grid_add(grid, "event");
	for (size_t i = 0; i < n; i++) {
		const struct measure *measure =
			&measures->all[report->shows_chosen ? report->shown[i] : i];

		add_four(grid, report, measure, difference->old_totals, difference->new_totals);
		grid_add(grid, measure->name);
	}
}

void difftable_functions(const struct diffreport *report, struct grid *grid, struct arena *arena,
			 size_t max_rows)
{
	const struct difference *difference = report->difference;
	const struct measure *measure = diffreport_ranking(report);
	bool has_calls = difference->has_calls;

	grid_init(grid, arena, 4 + has_calls + report->n_shown);
	add_four_heads(grid, measure->name);
	if (has_calls)
		grid_add(grid, "callees");
	add_other_heads(grid, report);
	grid_add(grid, "function");
	for (size_t i = 0; i < report->n_functions && i < max_rows; i++) {
		size_t row = report->functions[i];
		const uint64_t *old_costs = difference_self(difference, row, false);
		const uint64_t *new_costs = difference_self(difference, row, true);
		amount self = difference_change(difference, measure, old_costs, new_costs);
		amount all = difference_change(difference, measure,
					       difference_inclusive(difference, row, false),
					       difference_inclusive(difference, row, true));

		add_four(grid, report, measure, old_costs, new_costs);
		if (has_calls)
			add_change(grid, all - self);
		add_others(grid, report, old_costs, new_costs);
		add_name(grid, difference, row);
	}
}

void difftable_callers(const struct diffreport *report, struct grid *grid, struct arena *arena,
		       size_t max_rows)
{
	const struct difference *difference = report->difference;
	const struct measure *measure = diffreport_ranking(report);

	grid_init(grid, arena, 4 + report->n_shown);
	add_four_heads(grid, measure->name);
	add_other_heads(grid, report);
	grid_add(grid, "function");
	for (size_t i = 0; i < report->n_callers && i < max_rows; i++) {
		size_t row = report->callers[i];
		const uint64_t *old_costs = difference_inclusive(difference, row, false);
		const uint64_t *new_costs = difference_inclusive(difference, row, true);

		add_four(grid, report, measure, old_costs, new_costs);
		add_others(grid, report, old_costs, new_costs);
		add_name(grid, difference, row);
	}
}

void difftable_renamed(const struct diffreport *report, struct grid *grid, struct arena *arena,
		       size_t max_rows)
{
	grid_init(grid, arena, 1);
	grid_add(grid, "function");
	for (size_t i = 0; i < report->n_renamed_same && i < max_rows; i++)
		add_name(grid, report->difference, report->renamed[i]);
}

static void add_arc(struct grid *grid, const struct diffreport *report,
		    const struct difference_arc *arc)
{
	const struct difference *difference = report->difference;
	char text[2 * NAME_TEXT];
	amount old = amount_of(arc->old_count, difference->old_model->is_signed);
	amount new = amount_of(arc->new_count, difference->new_model->is_signed);
	size_t len;

	add_value(grid, old);
	add_value(grid, new);
	add_four(grid, report, diffreport_ranking(report), arc->old_costs, arc->new_costs);
	add_others(grid, report, arc->old_costs, arc->new_costs);
	print_name(text, NAME_TEXT, difference, arc->caller);
	len = strlen(text);
	snprintf(text + len, sizeof(text) - len, " > ");
	print_name(text + len + 3, NAME_TEXT, difference, arc->callee);
	grid_add(grid, text);
}

void difftable_arcs(const struct diffreport *report, struct grid *grid, struct arena *arena,
		    size_t max_rows)
{
	grid_init(grid, arena, 6 + report->n_shown);
	grid_add(grid, "OLD calls");
	grid_add(grid, "NEW calls");
	add_four_heads(grid, diffreport_ranking(report)->name);
	add_other_heads(grid, report);
	grid_add(grid, "caller > callee");
	for (size_t i = 0; i < report->n_arcs && i < max_rows; i++)
		add_arc(grid, report, &report->difference->arcs[report->arcs[i]]);
}

void difftable_lines(const struct diffreport *report, struct grid *grid, struct arena *arena,
		     size_t max_rows)
{
	const struct difference *difference = report->difference;

	grid_init(grid, arena, 4 + report->n_shown);
	add_four_heads(grid, diffreport_ranking(report)->name);
	add_other_heads(grid, report);
	grid_add(grid, "line");
	for (size_t i = 0; i < report->n_lines && i < max_rows; i++) {
		const struct difference_line *line = report->lines[i].line;
		char text[NAME_TEXT];

		add_four(grid, report, diffreport_ranking(report), line->old_costs,
			 line->new_costs);
		add_others(grid, report, line->old_costs, line->new_costs);
		snprintf(text, sizeof(text), "%s:%llu (%s)", line->file.text,
			 (unsigned long long)line->line,
			 difference_name(difference, report->lines[i].row, NAME_FUNCTION).text);
		grid_add(grid, text);
	}
}
