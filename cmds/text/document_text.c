/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A document as text: tables in aligned columns.  Rows are put twice, to measure and to print. */
#include "cmds/text/document.h"
#include "cmds/text/visible.h"

enum { GAP = 2 };

static void heading(struct document *document, const char *title, const char *more)
{
	fprintf(document->out, "\n-- %s%s\n", title, more);
}

static void put_name(struct document *document, const char *text)
{
	visible_text(document->out, text);
}

static size_t cell_width(const struct cell *cell)
{
	char text[DOCUMENT_COUNT_TEXT];
	size_t width = 0;

	if (cell->kind == CELL_TEXT)
		return visible_width(cell->text.data, cell->text.len);
	for (size_t i = 0; cell->kind == CELL_LIST && i < cell->list.n; i++)
		width += (i > 0) + visible_width(cell->list.texts[i], strlen(cell->list.texts[i]));
	return cell->kind == CELL_LIST ? width : document_print_count(text, cell, true);
}

static void print_cell(FILE *out, const struct cell *cell)
{
	char text[DOCUMENT_COUNT_TEXT];

	if (cell->kind == CELL_TEXT) {
		visible_print(out, cell->text.data, cell->text.len, false);
		return;
	}
	for (size_t i = 0; cell->kind == CELL_LIST && i < cell->list.n; i++) {
		fputs(i > 0 ? " " : "", out);
		visible_text(out, cell->list.texts[i]);
	}
	if (cell->kind != CELL_LIST)
		fwrite(text, 1, document_print_count(text, cell, true), out);
}

static void measure_row(struct document *document, const struct cell *cells)
{
	const struct document_table *table = document->table;

	for (size_t i = 0; i < table->n; i++) {
		size_t width = table->columns[i].title ? cell_width(&cells[i]) : 0;

		if (width > document->per_column[i])
			document->per_column[i] = width;
	}
}

static void print_row(struct document *document, const struct cell *cells)
{
	const struct document_table *table = document->table;
	size_t last = document_last_title(table);
	FILE *out = document->out;

	fputs(table->indent ? table->indent : "", out);
	for (size_t i = 0; i < table->n; i++) {
		const struct document_column *column = &table->columns[i];
		size_t width = column->title ? cell_width(&cells[i]) : 0;
		int padding = (int)(document->per_column[i] - width);

		if (!column->title)
			continue;
		if (i < last && !column->is_left)
			fprintf(out, "%*s", padding, "");
		print_cell(out, &cells[i]);
		if (i < last && column->is_left)
			fprintf(out, "%*s", padding, "");
		if (i < last && !column->is_tight)
			fprintf(out, "%*s", (int)(table->gap ? table->gap : GAP), "");
	}
	fputc('\n', out);
}

static void row(struct document *document, const struct cell *cells)
{
	if (document->measures)
		measure_row(document, cells);
	else
		print_row(document, cells);
}

/* The titles are a row, too. */
static void put_titles(struct document *document)
{
	const struct document_table *table = document->table;

	for (size_t i = 0; i < table->n; i++)
		document->cells[i] = cell_string(table->columns[i].title);
	row(document, document->cells);
}

static void table(struct document *document)
{
	const struct document_table *table = document->table;

	if (document_last_title(table) == table->n)
		return;
	for (size_t i = 0; i < table->n; i++)
		document->per_column[i] = table->columns[i].width;
	document->measures = true;
	put_titles(document);
	document_put_rows(document);
	document->measures = false;
	if (document->n_rows == 0 && !table->keeps_titles)
		return;
	put_titles(document);
	document_put_rows(document);
}

const struct document_backend document_text = {
	.name = "text",
	.is_prose = true,
	.heading = heading,
	.put_name = put_name,
	.table = table,
	.row = row,
};
