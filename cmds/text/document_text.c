/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A document as text: tables in aligned columns. */
#include <stdlib.h>

#include "cmds/text/document.h"
#include "cmds/text/visible.h"
#include "profile/common/heap.h"

enum { GAP = 2 };

static void put_heading(struct document *document, const char *title, const char *more)
{
	fprintf(document->out, "\n-- %s%s\n", title, more);
}

static void put_name(struct document *document, const char *text)
{
	visible_text(document->out, text);
}

/* Room for the text of one more cell. */
static bool reserve(struct document *document, size_t size)
{
	return heap_reserve(&heap_env, (void **)&document->text, &document->text_capacity,
			    document->text_len + size, 1) &&
	       heap_reserve(&heap_env, (void **)&document->widths, &document->widths_capacity,
			    document->n_widths + 1, sizeof(*document->widths));
}

/* Bytes that a cell may need: a control character becomes four. */
static size_t size_of(const struct cell *cell)
{
	size_t size = 1;

	if (cell->kind == CELL_TEXT)
		return 4 * cell->text.len + 5;
	if (cell->kind != CELL_LIST)
		return DOCUMENT_COUNT_TEXT;
	for (size_t i = 0; i < cell->list.n; i++)
		size += 4 * strlen(cell->list.texts[i]) + 5;
	return size;
}

static size_t copy_list(char *buffer, size_t size, const struct cell *cell)
{
	size_t used = 0;

	buffer[0] = '\0';
	for (size_t i = 0; i < cell->list.n; i++) {
		const char *text = cell->list.texts[i];

		if (i > 0)
			buffer[used++] = ' ';
		used += visible_copy(buffer + used, size - used, text, strlen(text));
	}
	return used;
}

static void keep_cell(struct document *document, const struct cell *cell)
{
	size_t size = size_of(cell), len;
	char *buffer;

	if (!reserve(document, size)) {
		document_fail(document);
		return;
	}
	buffer = document->text + document->text_len;
	if (cell->kind == CELL_TEXT)
		len = visible_copy(buffer, size, cell->text.data, cell->text.len);
	else if (cell->kind == CELL_LIST)
		len = copy_list(buffer, size, cell);
	else
		len = document_print_count(buffer, cell, true);
	document->widths[document->n_widths++] = visible_width(buffer, len);
	document->text_len += len + 1;
}

/* A row is kept: how wide columns are is known when all rows are there. */
static void put_row(struct document *document, const struct cell *cells)
{
	const struct document_table *table = document_level(document)->table;

	for (size_t i = 0; i < table->n && !document->failed; i++)
		if (table->columns[i].title)
			keep_cell(document, &cells[i]);
}

/* What is above the rows: a row, too. */
static void keep_titles(struct document *document)
{
	const struct document_table *table = document_level(document)->table;

	for (size_t i = 0; i < table->n && !document->failed; i++) {
		struct cell title = cell_string(table->columns[i].title);

		if (table->columns[i].title)
			keep_cell(document, &title);
	}
}

/* What fprintf() with a width does takes several times as long. */
static void print_blanks(FILE *out, size_t n)
{
	static const char blanks[] =
		"                                                                ";

	for (; n >= sizeof(blanks); n -= sizeof(blanks) - 1)
		fwrite(blanks, 1, sizeof(blanks) - 1, out);
	fwrite(blanks, 1, n, out);
}

/* With so many blanks on one side, and gap behind it. */
static void print_cell(FILE *out, const struct document_column *column, const char *text,
		       size_t padding, size_t gap)
{
	if (!column->is_left)
		print_blanks(out, padding);
	fputs(text, out);
	print_blanks(out, (column->is_left ? padding : 0) + (column->is_tight ? 0 : gap));
}

/* widths are those of columns that have a title, n of them. */
static void print_rows(struct document *document, const struct document_column *columns,
		       const size_t *widths, size_t n)
{
	const struct document_table *table = document_level(document)->table;
	const char *text = document->text;
	FILE *out = document->out;

	for (size_t i = 0; i < document->n_widths; i++) {
		size_t column = i % n, width = document->widths[i];

		if (column == 0)
			fputs(table->indent ? table->indent : "", out);
		if (column == n - 1) {
			fputs(text, out);
			fputc('\n', out);
		} else {
			print_cell(out, &columns[column], text, widths[column] - width,
				   table->gap ? table->gap : GAP);
		}
		text += strlen(text) + 1;
	}
}

static void print_table(struct document *document)
{
	const struct document_table *table = document_level(document)->table;
	struct document_column *columns = calloc(table->n, sizeof(*columns));
	size_t *widths = calloc(table->n, sizeof(*widths));
	size_t n = 0;

	for (size_t i = 0; columns && widths && i < table->n; i++) {
		if (!table->columns[i].title)
			continue;
		columns[n] = table->columns[i];
		widths[n++] = table->columns[i].width;
	}
	for (size_t i = 0; n > 0 && i < document->n_widths; i++)
		if (document->widths[i] > widths[i % n])
			widths[i % n] = document->widths[i];
	if (n > 0)
		print_rows(document, columns, widths, n);
	else
		document_fail(document);
	free(columns);
	free(widths);
}

static void put_table(struct document *document)
{
	const struct document_table *table = document_level(document)->table;

	if (document_last_title(table) == table->n)
		return;
	document->text_len = document->n_widths = 0;
	keep_titles(document);
	document_put_rows(document);
	if (!document->failed && (document->n_rows > 0 || table->keeps_titles))
		print_table(document);
}

const struct document_backend document_text = {
	.name = "text",
	.is_prose = true,
	.heading = put_heading,
	.put_name = put_name,
	.table = put_table,
	.row = put_row,
};
