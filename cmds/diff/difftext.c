/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of costgrind diff as text. */
#include "cmds/diff/diffreport.h"
#include "cmds/diff/difftable.h"
#include "cmds/text/visible.h"

/* Prints a table under a heading and releases it. */
static bool print_table(struct grid *grid, FILE *out)
{
	bool fine = !grid->failed;

	if (fine)
		grid_print_text(grid, out);
	grid_release(grid);
	return fine;
}

static void print_path(FILE *out, const char *which, const char *path)
{
	fprintf(out, "%s  ", which);
	visible_text(out, path);
	fputc('\n', out);
}

static bool print_functions(const struct diffreport *report, FILE *out, struct arena *arena)
{
	struct grid grid;

	fprintf(out, "\n-- Functions: %zu changed themselves, %zu of them new, %zu gone",
		report->n_changed, report->n_new, report->n_gone);
	if (report->n_renamed > 0)
		fprintf(out, "; %zu renamed", report->n_renamed);
	if (report->n_functions < report->n_changed)
		fprintf(out, "; %zu below --threshold", report->n_changed - report->n_functions);
	fprintf(out, "\n");
	if (report->n_functions == 0)
		return true;
	difftable_functions(report, &grid, arena, SIZE_MAX);
	return print_table(&grid, out);
}

/* ": 7; 4 below --threshold" */
static void print_number(FILE *out, size_t n_all, size_t n)
{
	fprintf(out, ": %zu", n_all);
	if (n < n_all)
		fprintf(out, "; %zu below --threshold", n_all - n);
	fprintf(out, "\n");
}

static bool print_callers(const struct diffreport *report, FILE *out, struct arena *arena)
{
	struct grid grid;

	if (report->n_callers_all == 0)
		return true;
	fprintf(out, "\n-- Functions that only call what changed, inclusive");
	print_number(out, report->n_callers_all, report->n_callers);
	if (report->n_callers == 0)
		return true;
	difftable_callers(report, &grid, arena, SIZE_MAX);
	return print_table(&grid, out);
}

static bool print_renamed(const struct diffreport *report, FILE *out, struct arena *arena)
{
	struct grid grid;

	if (report->n_renamed_same == 0)
		return true;
	fprintf(out, "\n-- Functions that were renamed, at the same cost: %zu\n",
		report->n_renamed_same);
	difftable_renamed(report, &grid, arena, SIZE_MAX);
	return print_table(&grid, out);
}

static bool print_arcs(const struct diffreport *report, FILE *out, struct arena *arena)
{
	struct grid grid;

	if (report->n_arcs_all == 0)
		return true;
	fprintf(out, "\n-- Calls, inclusive");
	print_number(out, report->n_arcs_all, report->n_arcs);
	if (report->n_arcs == 0)
		return true;
	difftable_arcs(report, &grid, arena, SIZE_MAX);
	return print_table(&grid, out);
}

bool diff_render_text(const struct diffreport *report, FILE *out, struct arena *arena)
{
	struct grid grid;
	bool fine;

	print_path(out, "OLD", report->old_path);
	print_path(out, "NEW", report->new_path);
	fprintf(out, "\n-- Totals\n");
	difftable_totals(report, &grid, arena);
	fine = print_table(&grid, out) && print_functions(report, out, arena) &&
	       print_callers(report, out, arena) && print_renamed(report, out, arena) &&
	       print_arcs(report, out, arena);
	if (fine && report->n_lines > 0) {
		fprintf(out, "\n-- Lines of the functions above\n");
		difftable_lines(report, &grid, arena, SIZE_MAX);
		fine = print_table(&grid, out);
	}
	return fine;
}
