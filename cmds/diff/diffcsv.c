/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report of costgrind diff as CSV, docs/DIFF.md: one row for each value,
 * so that the columns are the same whatever the events.
 */
#include <string.h>

#include "cmds/diff/diffreport.h"
#include "cmds/text/csv.h"

static void print_amount(FILE *out, amount value)
{
	char text[AMOUNT_TEXT];

	amount_print(text, value, false);
	fputs(text, out);
}

/* What is in the columns before the event. */
struct csv_row {
	const char *kind;
	const char *state;
	struct name object, file, function, callee;
	struct name old_function; /* of one that was renamed */
	struct name callee_file, callee_object;
	uint64_t line; /* 0 = none */
};

static void print_row(FILE *out, const struct csv_row *row, const char *event, amount old,
		      amount new)
{
	const struct name *names[] = { &row->object, &row->file, &row->function, &row->callee };

	fprintf(out, "%s,%s", row->kind, row->state);
	for (size_t i = 0; i < 4; i++) {
		fputc(',', out);
		csv_field(out, names[i]->text, names[i]->len);
	}
	if (row->line)
		fprintf(out, ",%llu,", (unsigned long long)row->line);
	else
		fprintf(out, ",,");
	csv_field(out, event, strlen(event));
	fputc(',', out);
	print_amount(out, old);
	fputc(',', out);
	print_amount(out, new);
	fputc(',', out);
	print_amount(out, new - old);
	fputc(',', out);
	csv_field(out, row->old_function.text, row->old_function.len);
	fputc(',', out);
	csv_field(out, row->callee_file.text, row->callee_file.len);
	fputc(',', out);
	csv_field(out, row->callee_object.text, row->callee_object.len);
	fputc('\n', out);
}

static void print_costs(const struct diffreport *report, FILE *out, const struct csv_row *row,
			const uint64_t *old_costs, const uint64_t *new_costs)
{
	const struct difference *difference = report->difference;
	bool all = strcmp(row->kind, "total") == 0 && !report->shows_chosen;
	size_t n = all ? report->measures->n : report->n_shown;

	for (size_t i = 0; i < n; i++) {
		const struct measure *measure = &report->measures->all[all ? i : report->shown[i]];

		print_row(out, row, measure->name,
			  measure_value(measure, old_costs, difference->old_model->is_signed),
			  measure_value(measure, new_costs, difference->new_model->is_signed));
	}
}

static const struct name no_name = { "", 0, NAME_NO_KEY };

static struct csv_row row_of(const struct difference *difference, const char *kind, size_t row)
{
	return (struct csv_row){
		.kind = kind,
		.state = diffreport_state(difference, row),
		.object = difference_name(difference, row, NAME_OBJECT),
		.file = difference_name(difference, row, NAME_FILE),
		.function = difference_name(difference, row, NAME_FUNCTION),
		.callee = no_name,
		.callee_file = no_name,
		.callee_object = no_name,
		.old_function = difference_renamed(difference, row)
					? difference_old_name(difference, row, NAME_FUNCTION)
					: no_name,
	};
}

static void print_function(const struct diffreport *report, FILE *out, size_t row)
{
	const struct difference *difference = report->difference;
	struct csv_row csv = row_of(difference, "self", row);

	print_costs(report, out, &csv, difference_self(difference, row, false),
		    difference_self(difference, row, true));
	csv.kind = "inclusive";
	print_costs(report, out, &csv, difference_inclusive(difference, row, false),
		    difference_inclusive(difference, row, true));
}

static void print_arc(const struct diffreport *report, FILE *out, const struct difference_arc *arc)
{
	const struct difference *difference = report->difference;
	struct csv_row csv = row_of(difference, "call", arc->caller);

	csv.state = "";
	csv.old_function = no_name;
	csv.callee = difference_name(difference, arc->callee, NAME_FUNCTION);
	csv.callee_file = difference_name(difference, arc->callee, NAME_FILE);
	csv.callee_object = difference_name(difference, arc->callee, NAME_OBJECT);
	print_row(out, &csv, "calls", amount_of(arc->old_count, difference->old_model->is_signed),
		  amount_of(arc->new_count, difference->new_model->is_signed));
	print_costs(report, out, &csv, arc->old_costs, arc->new_costs);
}

bool diff_render_csv(const struct diffreport *report, FILE *out, struct arena *arena)
{
	const struct difference *difference = report->difference;
	struct csv_row totals = { "total", "",      no_name, no_name, no_name,
				  no_name, no_name, no_name, no_name, 0 };

	(void)arena;
	fprintf(out,
		"kind,state,object,file,function,callee,line,event,old,new,change,old_function,"
		"callee_file,callee_object\n");
	print_costs(report, out, &totals, difference->old_totals, difference->new_totals);
	for (size_t i = 0; i < report->n_functions; i++)
		print_function(report, out, report->functions[i]);
	for (size_t i = 0; i < report->n_callers; i++)
		print_function(report, out, report->callers[i]);
	for (size_t i = 0; i < report->n_renamed_same; i++)
		print_function(report, out, report->renamed[i]);
	for (size_t i = 0; i < report->n_arcs; i++)
		print_arc(report, out, &difference->arcs[report->arcs[i]]);
	for (size_t i = 0; i < report->n_lines; i++) {
		struct csv_row csv = row_of(difference, "line", report->lines[i].row);

		csv.file = report->lines[i].line->file;
		csv.line = report->lines[i].line->line;
		print_costs(report, out, &csv, report->lines[i].line->old_costs,
			    report->lines[i].line->new_costs);
	}
	return true;
}
