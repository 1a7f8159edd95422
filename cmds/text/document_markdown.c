/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A document as Markdown, as GitHub and GitLab take it.  The last column of a table is code. */
#include "cmds/text/document.h"
#include "cmds/text/markdown.h"

static void put_heading(struct document *document, const char *title, const char *more)
{
	fprintf(document->out, "\n**%s**%s\n", title, more);
	document->is_below_heading = true;
}

static void put_name(struct document *document, const char *text)
{
	markdown_code(document->out, text, strlen(text));
}

static void print_cell(FILE *out, const struct cell *cell, bool is_last)
{
	char text[DOCUMENT_COUNT_TEXT];

	if (cell->kind == CELL_TEXT && is_last)
		markdown_code(out, cell->text.data, cell->text.len);
	else if (cell->kind == CELL_TEXT)
		markdown_text(out, cell->text.data, cell->text.len);
	for (size_t i = 0; cell->kind == CELL_LIST && i < cell->list.n; i++) {
		fputs(i > 0 ? " " : "", out);
		markdown_string(out, cell->list.texts[i]);
	}
	document_print_count(text, cell, true);
	fputs(text, out);
}

static void print_titles(struct document *document)
{
	const struct document_table *table = document_level(document)->table;
	size_t last = document_last_title(table);
	FILE *out = document->out;

	/* A table begins a paragraph. */
	fputs(document->is_below_heading ? "\n" : "", out);
	for (size_t i = 0; i < table->n; i++) {
		if (!table->columns[i].title)
			continue;
		fputs("| ", out);
		markdown_string(out, table->columns[i].title);
		fputc(' ', out);
	}
	fputs("|\n", out);
	for (size_t i = 0; i <= last; i++)
		if (table->columns[i].title)
			fputs(i == last || table->columns[i].is_left ? "|---" : "|--:", out);
	fputs("|\n", out);
}

static void put_row(struct document *document, const struct cell *cells)
{
	const struct document_table *table = document_level(document)->table;
	size_t last = document_last_title(table);
	FILE *out = document->out;

	if (document->n_rows == 0)
		print_titles(document);
	for (size_t i = 0; i <= last; i++) {
		if (!table->columns[i].title)
			continue;
		fputs("| ", out);
		print_cell(out, &cells[i], i == last);
		fputc(' ', out);
	}
	fputs("|\n", out);
}

static void put_table(struct document *document)
{
	if (document_last_title(document_level(document)->table) <
	    document_level(document)->table->n)
		document_put_rows(document);
	document->is_below_heading = false;
}

const struct document_backend document_markdown = {
	.name = "markdown",
	.is_prose = true,
	.is_short = true,
	.heading = put_heading,
	.put_name = put_name,
	.table = put_table,
	.row = put_row,
};
