/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document as CSV (RFC 4180, but lines end in LF): one table of all tables, so that the columns
 * are the same whatever is in them.  What a row has not is empty.
 */
#include "cmds/text/csv.h"
#include "cmds/text/document.h"

/* One of the pairs of a row: the fields event, old, new and change. */
struct pair {
	const char *record, *name;
	amount old_value, new_value;
};

static void begin(struct document *document)
{
	for (size_t i = 0; i < document->n_fields; i++)
		fprintf(document->out, "%s%s", i > 0 ? "," : "", document->fields[i]);
	if (document->n_fields > 0)
		fputc('\n', document->out);
}

static void print_cell(FILE *out, const struct cell *cell)
{
	char text[DOCUMENT_COUNT_TEXT];

	if (cell->kind == CELL_TEXT) {
		csv_field(out, cell->text.data, cell->text.len);
		return;
	}
	document_print_count(text, cell, false);
	fputs(text, out);
}

/* Whether a field is one of the pair; prints it. */
static bool print_of_pair(FILE *out, const struct pair *pair, const char *field)
{
	struct cell cell;

	if (strcmp(field, "event") == 0)
		cell = cell_string(pair->name);
	else if (strcmp(field, "old") == 0)
		cell = cell_count(pair->old_value);
	else if (strcmp(field, "new") == 0)
		cell = cell_count(pair->new_value);
	else if (strcmp(field, "change") == 0)
		cell = cell_count(pair->new_value - pair->old_value);
	else
		return false;
	print_cell(out, &cell);
	return true;
}

/* The first field says what the row is. */
static void print_line(struct document *document, const struct cell *cells, const struct pair *pair)
{
	const struct document_table *table = document->table;
	FILE *out = document->out;

	fputs(pair ? pair->record : table->record, out);
	for (size_t i = 1; i < document->n_fields; i++) {
		const char *field = document->fields[i];

		fputc(',', out);
		if (pair && print_of_pair(out, pair, field))
			continue;
		for (size_t j = 0; j < table->n; j++)
			if (document->per_column[j] == i)
				print_cell(out, &cells[j]);
	}
	fputc('\n', out);
}

static void row(struct document *document, const struct cell *cells)
{
	const struct document_table *table = document->table;

	if (table->record)
		print_line(document, cells, NULL);
	for (size_t i = 0; i < table->n; i++) {
		const struct document_column *column = &table->columns[i];
		const struct cell_pairs *pairs = &cells[i].pairs;

		if (cells[i].kind != CELL_PAIRS || !column->record)
			continue;
		for (size_t j = 0; j < pairs->n; j++) {
			const struct pair pair = {
				.record = column->record,
				.name = pairs->names ? pairs->names[j] : column->key,
				.old_value = pairs->old_values[j],
				.new_value = pairs->new_values[j],
			};

			print_line(document, cells, &pair);
		}
	}
}

/* Looks the fields of columns up once; a column that has none is the number of fields. */
static void find_fields(struct document *document)
{
	for (size_t i = 0; i < document->table->n; i++) {
		const char *field = document->table->columns[i].field;
		size_t j = field ? 0 : document->n_fields;

		while (j < document->n_fields && strcmp(field, document->fields[j]) != 0)
			j++;
		document->per_column[i] = j;
	}
}

static void table(struct document *document)
{
	const struct document_table *table = document->table;
	bool has_records = table->record != NULL;

	for (size_t i = 0; i < table->n; i++)
		has_records |= table->columns[i].record != NULL;
	if (!has_records)
		return;
	find_fields(document);
	document_put_rows(document);
}

const struct document_backend document_csv = {
	.name = "csv",
	.begin = begin,
	.table = table,
	.row = row,
};
