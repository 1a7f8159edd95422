/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report of costgrind diff as Markdown, for a pull request: at most 60 lines,
 * the largest changes first.
 */
#include "cmds/complaint.h"
#include "cmds/diffgate.h"
#include "cmds/diffreport.h"
#include "cmds/difftable.h"
#include "cmds/markdown.h"

/*
 * Rows of each part.  Lines besides: the heading 2, limits 3, totals 2, each of the other
 * tables 5 (its title between blanks, heads and rule), which makes
 * 2 + (3 + 6) + (2 + 16) + (5 + 3) + (5 + 3) + (5 + 10) = 60.
 * Functions get the rows that the others do not need.
 */
enum {
	MAX_LINES = 60,
	HEADING_LINES = 2,
	LIMIT_LINES = 3,
	LIMIT_ROWS = 6,
	TOTALS_LINES = 2,
	TOTALS_ROWS = 16,
	TABLE_LINES = 5,
	CALLER_ROWS = 3,
	ARC_ROWS = 3,
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool print_table(struct grid *grid, FILE *out, size_t max_rows)
{
	bool fine = !grid->failed;

	if (fine)
		grid_print_markdown(grid, out, max_rows);
	grid_release(grid);
	return fine;
}

/* ", the 3 largest of 7" behind a title, if that is so. */
static void print_share(FILE *out, size_t n, size_t n_all)
{
	if (n < n_all)
		fprintf(out, ", the %zu largest of %zu", n, n_all);
	fprintf(out, "\n");
}

static bool print_functions(const struct diffreport *report, FILE *out, struct arena *arena,
			    size_t max_rows)
{
	size_t rows = least(report->n_functions, max_rows);
	struct grid grid;

	if (report->n_changed == 0) {
		fprintf(out, "\nNo function changed.\n");
		return true;
	}
	fprintf(out, "\n**Functions that changed themselves**: %zu, %zu of them new, %zu gone",
		report->n_changed, report->n_new, report->n_gone);
	if (report->n_renamed > 0)
		fprintf(out, "; %zu renamed", report->n_renamed);
	print_share(out, rows, report->n_changed);
	if (rows == 0)
		return true;
	fprintf(out, "\n");
	difftable_functions(report, &grid, arena, rows);
	return print_table(&grid, out, rows);
}

/* Broken limits, hard ones first; n is how many are printed at most. */
static size_t print_broken(const struct diffreport *report, FILE *out, bool soft, size_t n)
{
	size_t printed = 0;

	for (size_t i = 0; i < report->n_verdicts && printed < n; i++) {
		const struct verdict *verdict = &report->verdicts[i];
		char text[COMPLAINT_TEXT];

		if (verdict->n_broken == 0 || verdict->limit->is_soft != soft)
			continue;
		printed++;
		fprintf(out, "- %s: ", soft ? "warning" : "**broken**");
		markdown_code(out, verdict->limit->text);
		diffgate_print(verdict, report->difference, text, sizeof(text));
		fprintf(out, ": ");
		markdown_code(out, text);
		fprintf(out, "\n");
	}
	return printed;
}

/* Returns how many lines were printed. */
static size_t print_limits(const struct diffreport *report, FILE *out)
{
	size_t n_broken[2] = { 0, 0 }, printed;

	if (report->n_verdicts == 0)
		return 0;
	for (size_t i = 0; i < report->n_verdicts; i++)
		if (report->verdicts[i].n_broken > 0)
			n_broken[report->verdicts[i].limit->is_soft]++;
	printed = least(n_broken[0] + n_broken[1], LIMIT_ROWS);
	fprintf(out, "**Limits**: %zu of %zu broken, %zu warnings", n_broken[0], report->n_verdicts,
		n_broken[1]);
	if (printed < n_broken[0] + n_broken[1])
		fprintf(out, ", the first %zu", printed);
	fprintf(out, "\n\n");
	printed = print_broken(report, out, false, LIMIT_ROWS);
	printed += print_broken(report, out, true, LIMIT_ROWS - printed);
	if (printed == 0)
		return LIMIT_LINES - 1;
	fprintf(out, "\n");
	return LIMIT_LINES + printed;
}

bool diff_render_markdown(const struct diffreport *report, FILE *out, struct arena *arena)
{
	size_t callers = least(report->n_callers, CALLER_ROWS);
	size_t arcs = least(report->n_arcs, ARC_ROWS);
	size_t lines = HEADING_LINES + (callers ? TABLE_LINES + callers : 0) +
		       (arcs ? TABLE_LINES + arcs : 0);
	struct grid grid;
	bool fine;

	fprintf(out, "### Cost of ");
	markdown_code(out, report->new_path);
	fprintf(out, " against ");
	markdown_code(out, report->old_path);
	fprintf(out, "\n\n");
	lines += print_limits(report, out);
	difftable_totals(report, &grid, arena);
	lines += TOTALS_LINES + least(grid_rows(&grid), TOTALS_ROWS);
	fine = print_table(&grid, out, TOTALS_ROWS) &&
	       print_functions(report, out, arena, MAX_LINES - TABLE_LINES - lines);
	if (fine && callers > 0) {
		fprintf(out, "\n**Functions that only call what changed**, inclusive");
		print_share(out, callers, report->n_callers_all);
		fprintf(out, "\n");
		difftable_callers(report, &grid, arena, callers);
		fine = print_table(&grid, out, callers);
	}
	if (fine && arcs > 0) {
		fprintf(out, "\n**Calls**, inclusive");
		print_share(out, arcs, report->n_arcs);
		fprintf(out, "\n");
		difftable_arcs(report, &grid, arena, arcs);
		fine = print_table(&grid, out, arcs);
	}
	return fine;
}
