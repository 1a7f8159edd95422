/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What both forms of the annotate scripts' output have in common. */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/annotate/scriptform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/text/visible.h"

const char script_form_rule[] =
	"--------------------------------------------------------------------------------\n";

double script_form_percent(const struct script_form *form, size_t event, uint64_t count)
{
	const int128 part = script_form_count(form, count) * 100;
	const int128 whole = script_form_count(form, form->totals[event]);

	/* Rounded once: beyond 53 bits, a double is no integer any more. */
	if (int128_magnitude(part) >> 53 == 0 && int128_magnitude(whole) >> 53 == 0)
		return (double)part / (double)whole;
	return (double)((long double)part / (long double)whole);
}

static const char stripe[] =
	"@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@\n";

void script_form_begin_warning(struct script_form *form)
{
	fputs(stripe, form->out);
	for (int i = 0; i < 7; i++)
		fputs("@@ WARNING ", form->out);
	fprintf(form->out, "@@\n%s", stripe);
}

void script_form_end_warning(struct script_form *form)
{
	fputs(stripe, form->out);
}

void script_form_name(struct script_form *form, struct name name)
{
	visible_print(form->out, name.text, name.len, true);
}

void script_form_text(struct script_form *form, const char *text)
{
	visible_print(form->out, text, strlen(text), true);
}

uint32_t *script_form_sort(struct script_form *form, size_t n,
			   int (*compare)(const void *a, const void *b, void *ctx), void *ctx)
{
	uint32_t *numbers = arena_alloc(&form->arena, (n + 1) * sizeof(*numbers), 8);

	if (!numbers)
		return NULL;
	for (size_t i = 0; i < n; i++)
		numbers[i] = (uint32_t)i;
	qsort_r(numbers, n, sizeof(*numbers), compare, ctx);
	return numbers;
}

/* -- lines --------------------------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b, void *ctx)
{
	const struct script_table *lines = ctx;
	struct script_line_key of_a, of_b;

	script_key(lines, *(const uint32_t *)a, &of_a, sizeof(of_a));
	script_key(lines, *(const uint32_t *)b, &of_b, sizeof(of_b));
	if (of_a.file != of_b.file)
		return of_a.file < of_b.file ? -1 : 1;
	return (of_a.line > of_b.line) - (of_a.line < of_b.line);
}

bool script_form_sort_lines(struct script_form *form, struct script_lines *lines)
{
	struct script_table *table = &form->sums->lines;

	lines->n = table->keys.count;
	lines->rows = script_form_sort(form, lines->n, compare_lines, table);
	return lines->rows != NULL;
}

static struct script_line_key line_key(const struct script_form *form, uint32_t row)
{
	struct script_line_key key;

	script_key(&form->sums->lines, row, &key, sizeof(key));
	return key;
}

uint64_t script_form_line(const struct script_form *form, uint32_t row)
{
	return line_key(form, row).line;
}

size_t script_form_lines_of(const struct script_form *form, const struct script_lines *lines,
			    uint32_t file, size_t *n)
{
	size_t low = 0, high = lines->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (line_key(form, lines->rows[middle]).file < file)
			low = middle + 1;
		else
			high = middle;
	}
	*n = 0;
	while (low + *n < lines->n && line_key(form, lines->rows[low + *n]).file == file)
		++*n;
	return low;
}

struct script_span script_form_span(const struct script_form *form, const uint32_t *rows, size_t n,
				    size_t *i)
{
	/* Lines of 2^60 or more are in no file; a sum of them and the context cannot overflow. */
	const uint64_t most = (uint64_t)1 << 60;
	uint64_t line = script_form_line(form, rows[*i]), next;
	struct script_span span;

	line = line < most ? line : most;
	span.low = (int64_t)line - (int64_t)form->context;
	for (; *i + 1 < n; ++*i, line = next) {
		next = script_form_line(form, rows[*i + 1]);
		if (next > most)
			next = most;
		if (next > line + 2 * form->context)
			break;
	}
	++*i;
	span.high = (int64_t)(line + form->context);
	return span;
}

void script_form_mark(struct script_form *form, int64_t line)
{
	fprintf(form->out, "-- line %" PRId64 " %.40s\n", line, script_form_rule);
}
