/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A document as Markdown, as GitHub and GitLab take it.  A text in the last column of a table is code. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/emit/document.h"
#include "cmds/emit/visible.h"

/* -- names and code ---------------------------------------------------------------------- */

/*
 * Prints len bytes so that they stay what they are: no markup, no HTML, no mention of
 * a user, one line, fit for a cell of a table.
 */
static void print_text(FILE *out, const char *text, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		n = unicode_len(text + i, len - i);
		n = n > 0 ? n : 1;
		if (strchr("&<>@", text[i]) && text[i] != '\0')
			fprintf(out, "&#%d;", text[i]);
		else if (strchr("\\`*_{}[]()#+-.!|~$:=", text[i]) && text[i] != '\0')
			fprintf(out, "\\%c", text[i]);
		else
			visible_print(out, text + i, n, false);
	}
}

static void print_string(FILE *out, const char *text)
{
	print_text(out, text, strlen(text));
}

/* Code ends at a run of backticks as long as the one that began it. */
static size_t fence_length(const char *text, size_t len)
{
	size_t longest = 0, run = 0;

	for (size_t i = 0; i < len; i++) {
		run = text[i] == '`' ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest + 1;
}

static void print_fence(FILE *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fputc('`', out);
}

/* Prints lines, the last one with its line feed, as a block of code. */
static void print_block(FILE *out, const char *text, size_t len)
{
	size_t fence = fence_length(text, len);

	if (fence < 3)
		fence = 3;
	print_fence(out, fence);
	fputs("text\n", out);
	fwrite(text, 1, len, out);
	print_fence(out, fence);
	fputc('\n', out);
}

/* Prints len bytes as code, as safe, and easier to read unrendered; nothing if there are none. */
static void print_code(FILE *out, const char *text, size_t len)
{
	size_t fence = fence_length(text, len);
	bool pads = len > 0 && (text[0] == '`' || text[len - 1] == '`');

	if (len == 0)
		return;
	print_fence(out, fence);
	if (pads)
		fputc(' ', out);
	for (size_t i = 0, n; i < len; i += n) {
		n = unicode_len(text + i, len - i);
		n = n > 0 ? n : 1;
		if (text[i] == '|')
			fputc('\\', out);
		visible_print(out, text + i, n, false);
	}
	if (pads)
		fputc(' ', out);
	print_fence(out, fence);
}

/* -- titles, parts, texts ---------------------------------------------------------------- */

static void put_heading(struct document *document, const char *title, const char *more)
{
	fprintf(document->out, "\n**%s**%s\n", title, more);
	document->is_below_heading = true;
}

static void put_text(struct document *document, enum document_style style, const char *text,
		     size_t len)
{
	const char *mark = style == STYLE_STRONG ? "**" : "";

	fputs(mark, document->out);
	if (style == STYLE_CODE)
		print_code(document->out, text, len);
	else
		print_text(document->out, text, len);
	fputs(mark, document->out);
}

static void put_section(struct document *document, unsigned level, const char *title,
			const char *name)
{
	fprintf(document->out, "%s %s", level == 1 ? "##" : "###", title);
	if (name)
		print_string(document->out, name);
	fputs("\n\n", document->out);
}

static void put_part(struct document *document, enum document_part part)
{
	static const char *const tags[] = {
		[PART_TITLE] = "<details><summary>",
		[PART_CONTENT] = "</summary>\n\n",
		[PART_END] = "\n</details>\n",
	};

	fputs(tags[part], document->out);
}

/* -- tables ------------------------------------------------------------------------------ */

static void print_cell(FILE *out, const struct cell *cell, bool is_last)
{
	char text[DOCUMENT_COUNT_TEXT];
	double percent = NAN;

	fputs("| ", out);
	if (cell->kind == CELL_TEXT && is_last)
		print_code(out, cell->text.data, cell->text.len);
	else if (cell->kind == CELL_TEXT)
		print_text(out, cell->text.data, cell->text.len);
	for (size_t i = 0; cell->kind == CELL_LIST && i < cell->list.n; i++) {
		fputs(i > 0 ? " " : "", out);
		print_string(out, cell->list.texts[i]);
	}
	document_print_count(text, cell, true);
	if (cell->kind == CELL_PART && cell->count.value != 0)
		percent = int128_percent(cell->count.value, cell->count.whole);
	fputs(text, out);
	fputc(' ', out);
	if (isfinite(percent))
		fprintf(out, "(%.2f %%) ", percent);
}

/* Titles of parts, and of FORM_PLAIN, have names in them; others are plain words. */
static void print_title(FILE *out, const struct document_table *table,
			const struct document_column *column)
{
	fputs(column->title[0] != '\0' ? "| " : "|", out);
	if (document_is_close(table) && !column->is_parts)
		fputs(column->title, out);
	else
		print_string(out, column->title);
	fputc(' ', out);
}

static void print_titles(struct document *document)
{
	const struct document_table *table = document_level(document)->table;
	size_t last = document_last_title(table);
	FILE *out = document->out;

	/* A table begins a paragraph. */
	fputs(document->is_below_heading ? "\n" : "", out);
	for (size_t i = 0; i <= last; i++)
		if (table->columns[i].title)
			print_title(out, table, &table->columns[i]);
	fputs("|\n", out);
	for (size_t i = 0; i <= last; i++) {
		const struct document_column *column = &table->columns[i];

		if (column->title && document_is_close(table))
			fputs(column->is_left ? "| :--- " : "| ---: ", out);
		else if (column->title)
			fputs(i == last || column->is_left ? "|---" : "|--:", out);
	}
	fputs("|\n", out);
}

/* The cells before column n, and above the first row what all rows have. */
static void print_cells(struct document *document, const struct cell *cells, size_t n)
{
	const struct document_table *table = document_level(document)->table;

	if (!document_is_close(table) && document->n_rows == 0)
		print_titles(document);
	for (size_t i = 0; i < n; i++)
		if (table->columns[i].title)
			print_cell(document->out, &cells[i], false);
}

static void put_row(struct document *document, const struct cell *cells)
{
	size_t last = document_last_title(document_level(document)->table);

	print_cells(document, cells, last);
	print_cell(document->out, &cells[last], true);
	fputs("|\n", document->out);
}

static void begin_cell(struct document *document, const struct cell *cells)
{
	print_cells(document, cells, document->n_cells);
	fputs("| ", document->out);
}

static void end_cell(struct document *document)
{
	fputs(" |\n", document->out);
}

/* What the other back end for people makes of a listing, and an empty line. */
static void put_as_text(struct document *document)
{
	const struct document_backend *backend = document->backend;

	document->backend = &document_text;
	document_text.table(document);
	document->backend = backend;
	fputc('\n', document->out);
}

static void put_table(struct document *document)
{
	const struct document_table *table = document_level(document)->table;

	if (table->form == FORM_LISTING) {
		size_t len;
		char *text = document_capture(document, put_as_text, &len);

		print_block(document->out, text, len);
		free(text);
	} else if (document_last_title(table) < table->n) {
		if (document_is_close(table))
			print_titles(document);
		document_put_rows(document);
	}
	document->is_below_heading = false;
}

const struct document_backend document_markdown = {
	.name = "markdown",
	.is_prose = true,
	.is_short = true,
	.heading = put_heading,
	.put_text = put_text,
	.section = put_section,
	.part = put_part,
	.table = put_table,
	.row = put_row,
	.begin_cell = begin_cell,
	.end_cell = end_cell,
};
