/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report of costgrind diff as Markdown, for a pull request: at most 60 lines,
 * the largest changes first.
 */
#include "cmds/common/complaint.h"
#include "cmds/diff/diffgate.h"
#include "cmds/diff/diffreport.h"
#include "cmds/diff/difftable.h"
#include "cmds/text/markdown.h"

/*
 * Rows of each part.  Lines besides: the heading 2, limits 3, totals 2, each of the other
 * tables 5 (its title between blanks, heads and rule), which makes
 * 2 + (3 + 6) + (2 + 16) + (5 + 3) + (5 + 3) + (5 + 10) = 60.
 * Functions get the rows that the others do not need, functions that were only renamed
 * what is left then.
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

static bool fails(const struct verdict *verdict)
{
	return verdict->n_broken > 0 || verdict->n_matched == 0;
}

/* How much more than OLD, in millionths of it; INT64_MAX where OLD is 0. */
static int64_t excess(const struct verdict *verdict)
{
	amount change = verdict->new_value - verdict->old_value;
	amount old = amount_magnitude(verdict->old_value);

	if (old == 0 || amount_magnitude(change) / old >= INT64_MAX / 1000000)
		return change < 0 ? -INT64_MAX : INT64_MAX;
	return (int64_t)(change * 1000000 / old);
}

/* Hard ones first, of them those that fit nothing, then the largest increase in percent first. */
static bool is_before(const struct verdict *a, const struct verdict *b)
{
	if (a->limit->is_soft != b->limit->is_soft)
		return b->limit->is_soft;
	if ((a->n_matched == 0) != (b->n_matched == 0))
		return a->n_matched == 0;
	if (a->n_matched > 0 && excess(a) != excess(b))
		return excess(a) > excess(b);
	return a->limit->line < b->limit->line;
}

/* The first of the verdicts that fail, behind another one; NULL = none. */
static const struct verdict *next_failure(const struct diffreport *report,
					  const struct verdict *behind)
{
	const struct verdict *next = NULL;

	for (size_t i = 0; i < report->n_verdicts; i++) {
		const struct verdict *verdict = &report->verdicts[i];

		if (fails(verdict) && (!behind || is_before(behind, verdict)) &&
		    (!next || is_before(verdict, next)))
			next = verdict;
	}
	return next;
}

static void print_failure(const struct diffreport *report, FILE *out, const struct verdict *verdict)
{
	char text[COMPLAINT_TEXT];

	fprintf(out, "- %s: ",
		verdict->limit->is_soft   ? "warning"
		: verdict->n_matched == 0 ? "**unmatched**"
					  : "**broken**");
	markdown_code(out, verdict->limit->text);
	if (verdict->n_matched == 0) {
		fprintf(out, ": fits no function\n");
		return;
	}
	diffgate_print(verdict, report->difference, text, sizeof(text));
	fprintf(out, ": ");
	markdown_code(out, text);
	fprintf(out, "\n");
}

/* Returns how many lines were printed. */
static size_t print_limits(const struct diffreport *report, FILE *out)
{
	size_t n_broken = 0, n_unmatched = 0, n_soft = 0, n, printed = 0;
	const struct verdict *verdict = NULL;

	if (report->n_verdicts == 0)
		return 0;
	for (size_t i = 0; i < report->n_verdicts; i++) {
		verdict = &report->verdicts[i];
		n_soft += fails(verdict) && verdict->limit->is_soft;
		n_broken += verdict->n_broken > 0 && !verdict->limit->is_soft;
		n_unmatched += verdict->n_matched == 0 && !verdict->limit->is_soft;
	}
	n = least(n_broken + n_unmatched + n_soft, LIMIT_ROWS);
	fprintf(out, "**Limits**: %zu of %zu broken", n_broken, report->n_verdicts);
	if (n_unmatched > 0)
		fprintf(out, ", %zu unmatched", n_unmatched);
	fprintf(out, ", %zu warnings", n_soft);
	if (n < n_broken + n_unmatched + n_soft)
		fprintf(out, ", the first %zu", n);
	fprintf(out, "\n\n");
	for (verdict = NULL; printed < n; printed++) {
		verdict = next_failure(report, verdict);
		print_failure(report, out, verdict);
	}
	if (printed == 0)
		return LIMIT_LINES - 1;
	fprintf(out, "\n");
	return LIMIT_LINES + printed;
}

static bool print_callers(const struct diffreport *report, FILE *out, struct arena *arena,
			  size_t rows)
{
	struct grid grid;

	if (rows == 0)
		return true;
	fprintf(out, "\n**Functions that only call what changed**, inclusive");
	print_share(out, rows, report->n_callers_all);
	fprintf(out, "\n");
	difftable_callers(report, &grid, arena, rows);
	return print_table(&grid, out, rows);
}

static bool print_renamed(const struct diffreport *report, FILE *out, struct arena *arena,
			  size_t rows)
{
	struct grid grid;

	if (rows == 0)
		return true;
	fprintf(out, "\n**Functions that were renamed, at the same cost**: %zu",
		report->n_renamed_same);
	if (rows < report->n_renamed_same)
		fprintf(out, ", the first %zu", rows);
	fprintf(out, "\n\n");
	difftable_renamed(report, &grid, arena, rows);
	return print_table(&grid, out, rows);
}

static bool print_arcs(const struct diffreport *report, FILE *out, struct arena *arena, size_t rows)
{
	struct grid grid;

	if (rows == 0)
		return true;
	fprintf(out, "\n**Calls**, inclusive");
	print_share(out, rows, report->n_arcs_all);
	fprintf(out, "\n");
	difftable_arcs(report, &grid, arena, rows);
	return print_table(&grid, out, rows);
}

/* How many renamed functions there is room for, when all else has its lines. */
static size_t spare_rows(const struct diffreport *report, size_t lines)
{
	size_t used = lines + TABLE_LINES + report->n_functions + TABLE_LINES;

	return used < MAX_LINES ? least(MAX_LINES - used, report->n_renamed_same) : 0;
}

bool diff_render_markdown(const struct diffreport *report, FILE *out, struct arena *arena)
{
	size_t callers = least(report->n_callers, CALLER_ROWS);
	size_t arcs = least(report->n_arcs, ARC_ROWS);
	size_t lines = HEADING_LINES + (callers ? TABLE_LINES + callers : 0) +
		       (arcs ? TABLE_LINES + arcs : 0);
	struct grid grid;

	fprintf(out, "### Cost of ");
	markdown_code(out, report->new_path);
	fprintf(out, " against ");
	markdown_code(out, report->old_path);
	fprintf(out, "\n\n");
	lines += print_limits(report, out);
	difftable_totals(report, &grid, arena);
	lines += TOTALS_LINES + least(grid_rows(&grid), TOTALS_ROWS);
	return print_table(&grid, out, TOTALS_ROWS) &&
	       print_functions(report, out, arena, MAX_LINES - TABLE_LINES - lines) &&
	       print_callers(report, out, arena, callers) &&
	       print_renamed(report, out, arena, spare_rows(report, lines)) &&
	       print_arcs(report, out, arena, arcs);
}
