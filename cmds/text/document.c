/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all formats have in common: cells become rows, and what a format has no place for is left out. */
#include "cmds/text/document.h"

#include <stdarg.h>
#include <stdlib.h>

enum { MORE_TEXT = 256 }; /* bytes behind the title of a heading */

const struct document_backend *document_backend(const char *name)
{
	static const struct document_backend *const all[] = {
		&document_text,
		&document_markdown,
		&document_json,
		&document_csv,
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(all[i]->name, name) == 0)
			return all[i];
	return NULL;
}

void document_begin(struct document *document, const struct document_backend *backend, FILE *out,
		    const char *const *fields, size_t n_fields)
{
	document->backend = backend;
	document->out = out;
	document->failed = false;
	document->table = NULL;
	document->cells = NULL;
	document->per_column = NULL;
	document->n_cells = document->capacity = document->n_rows = 0;
	document->measures = document->is_below_heading = false;
	document->fields = fields;
	document->n_fields = n_fields;
	if (backend->begin)
		backend->begin(document);
}

void document_fail(struct document *document)
{
	document->failed = true;
}

bool document_end(struct document *document)
{
	if (document->backend->end && !document->backend->end(document))
		document->failed = true;
	free(document->cells);
	free(document->per_column);
	return !document->failed;
}

bool document_is_prose(const struct document *document)
{
	return document->backend->is_prose;
}

bool document_is_short(const struct document *document)
{
	return document->backend->is_short;
}

/* -- prose ------------------------------------------------------------------------------- */

void document_heading(struct document *document, const char *title, const char *format, ...)
{
	char more[MORE_TEXT];
	va_list args;

	if (!document->backend->heading)
		return;
	va_start(args, format);
	vsnprintf(more, sizeof(more), format, args);
	va_end(args);
	document->backend->heading(document, title, more);
}

void document_prose(struct document *document, const char *format, ...)
{
	va_list args;

	if (!document->backend->is_prose)
		return;
	va_start(args, format);
	vfprintf(document->out, format, args);
	va_end(args);
}

void document_name(struct document *document, const char *text)
{
	if (document->backend->put_name)
		document->backend->put_name(document, text);
}

/* -- values ------------------------------------------------------------------------------ */

void document_object(struct document *document, const char *key, bool on_one_line)
{
	if (document->backend->open)
		document->backend->open(document, key, false, on_one_line);
}

void document_list(struct document *document, const char *key, bool on_one_line)
{
	if (document->backend->open)
		document->backend->open(document, key, true, on_one_line);
}

void document_close(struct document *document)
{
	if (document->backend->close)
		document->backend->close(document);
}

void document_value(struct document *document, const char *key, struct cell cell)
{
	if (document->backend->put_value)
		document->backend->put_value(document, key, &cell);
}

/* -- tables ------------------------------------------------------------------------------ */

/* Room for the cells of a row, and for their widths. */
static bool reserve(struct document *document, size_t n)
{
	struct cell *cells;
	size_t *per_column;

	if (n <= document->capacity)
		return true;
	cells = realloc(document->cells, n * sizeof(*cells));
	if (cells)
		document->cells = cells;
	per_column = realloc(document->per_column, n * sizeof(*per_column));
	if (per_column)
		document->per_column = per_column;
	if (cells && per_column)
		document->capacity = n;
	return cells && per_column;
}

void document_put_rows(struct document *document)
{
	document->n_cells = document->n_rows = 0;
	document->table->put_rows(document, document->table->ctx);
}

void document_table(struct document *document, const struct document_table *table)
{
	const struct document_backend *backend = document->backend;

	if (!reserve(document, table->n)) {
		document->failed = true;
		return;
	}
	document->table = table;
	backend->table(document);
	document->table = NULL;
}

void document_cell(struct document *document, struct cell cell)
{
	document->cells[document->n_cells++] = cell;
	if (document->n_cells < document->table->n)
		return;
	document->backend->row(document, document->cells);
	document->n_cells = 0;
	document->n_rows++;
}

size_t document_print_count(char *buffer, const struct cell *cell, bool for_people)
{
	size_t len;

	switch (cell->kind) {
	case CELL_COUNT:
		return amount_print(buffer, cell->count.value, for_people);
	case CELL_CHANGE:
		buffer[0] = '+';
		len = for_people && cell->count.value > 0;
		return len + amount_print(buffer + len, cell->count.value, for_people);
	case CELL_PERCENT:
		buffer[0] = '\0';
		if (cell->count.value == 0)
			return 0;
		return amount_print_percent(buffer, cell->count.value, cell->count.whole);
	case CELL_SHARE:
		len = amount_print_percent(buffer, cell->count.value, cell->count.whole);
		if (cell->count.value == 0)
			len = (size_t)snprintf(buffer, 2, "0");
		else if (buffer[0] == '+')
			memmove(buffer, buffer + 1, len--);
		return len;
	case CELL_NUMBER:
		return (size_t)snprintf(buffer, DOCUMENT_COUNT_TEXT, "%.*f", cell->number.decimals,
					cell->number.value);
	case CELL_NONE:
	case CELL_NULL:
	case CELL_TEXT:
	case CELL_BOOL:
	case CELL_LIST:
	case CELL_PAIRS:
		break;
	}
	buffer[0] = '\0';
	return 0;
}

size_t document_last_title(const struct document_table *table)
{
	size_t last = table->n;

	for (size_t i = 0; i < table->n; i++)
		if (table->columns[i].title)
			last = i;
	return last;
}
