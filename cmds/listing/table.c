/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/listing/table.h"

#include <math.h>
#include <string.h>

#include "cmds/text/visible.h"

enum { PERCENT_TEXT = 48 };

bool table_init(struct table *table, const struct columns *columns, const uint64_t *totals,
		struct arena *arena)
{
	size_t n = columns->n_shown;

	table->columns = columns;
	table->totals = totals;
	table->no_dots = false;
	table->counts = arena_alloc(arena, n * sizeof(size_t), 8);
	table->percents = arena_alloc(arena, n * sizeof(size_t), 8);
	if (!table->counts || !table->percents)
		return false;
	for (size_t i = 0; i < n; i++) {
		table->counts[i] = 1;
		table->percents[i] = 0;
	}
	return true;
}

void table_imitate(struct table *table, bool no_dots)
{
	table->no_dots = no_dots;
	for (size_t i = 0; table->totals && i < table->columns->n_shown; i++)
		table->percents[i] = strlen("( 0.00%)");
}

static const struct metric *column_at(const struct table *table, size_t i)
{
	return &table->columns->metrics.all[table->columns->shown[i]];
}

/* "( 0.05%)", "(100.0%)": of a count that is not 0. */
static size_t print_percent(char *text, double percent)
{
	int decimals = fabs(percent) < 99.995 ? 2 : 1;
	int n = isnan(percent) ? snprintf(text, PERCENT_TEXT, "(n/a)")
			       : snprintf(text, PERCENT_TEXT, "(%5.*f%%)", decimals, percent);

	return (size_t)n;
}

/* Both texts of a cell, the second may be empty. */
static void format_cell(const struct table *table, size_t i, const uint64_t *costs,
			const uint64_t *cumulative, char *count, char *percent)
{
	const struct metric *metric = column_at(table, i);
	bool is_signed = table->columns->is_signed;
	int128 value = costs ? metric_value(metric, costs, is_signed) : 0;
	int128 total;

	percent[0] = '\0';
	if (!costs ||
	    (value == 0 && !table->no_dots && !metric_can_happen(metric, costs, is_signed))) {
		count[0] = '.';
		count[1] = '\0';
		return;
	}
	int128_print(count, value, true);
	if (!table->totals || value == 0)
		return;
	total = metric_value(metric, table->totals, is_signed);
	if (!cumulative || total == 0)
		print_percent(percent, int128_percent(value, total));
	else
		snprintf(percent, PERCENT_TEXT, "(%.1f%%, %.1f%%)", int128_percent(value, total),
			 int128_percent(metric_value(metric, cumulative, is_signed), total));
}

void table_metric(struct table *table, const uint64_t *costs, const uint64_t *cumulative)
{
	char count[INT128_TEXT], percent[PERCENT_TEXT];

	for (size_t i = 0; i < table->columns->n_shown; i++) {
		size_t len;

		format_cell(table, i, costs, cumulative, count, percent);
		len = strlen(count);
		if (len > table->counts[i])
			table->counts[i] = len;
		len = strlen(percent);
		if (len > table->percents[i])
			table->percents[i] = len;
	}
}

static size_t width_of(const struct table *table, size_t i)
{
	size_t width = table->counts[i] + (table->percents[i] > 0) + table->percents[i];
	size_t name = strlen(column_at(table, i)->name);

	return width > name ? width : name;
}

void table_head(const struct table *table, FILE *out)
{
	for (size_t i = 0; i < table->columns->n_shown; i++)
		visible_pad(out, column_at(table, i)->name, width_of(table, i) + 1);
}

void table_blank(const struct table *table, FILE *out)
{
	for (size_t i = 0; i < table->columns->n_shown; i++)
		fprintf(out, "%*s", (int)width_of(table, i) + 1, "");
}

void table_row(const struct table *table, FILE *out, const uint64_t *costs,
	       const uint64_t *cumulative)
{
	char count[INT128_TEXT], percent[PERCENT_TEXT];

	for (size_t i = 0; i < table->columns->n_shown; i++) {
		size_t behind = table->percents[i] + (table->percents[i] > 0);

		format_cell(table, i, costs, cumulative, count, percent);
		fprintf(out, "%*s%s%-*s ", (int)(width_of(table, i) - behind), count,
			behind > 0 ? " " : "", (int)table->percents[i], percent);
	}
}
