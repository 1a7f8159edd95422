/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document as CSV (RFC 4180, but lines end in LF): one table of all tables, so that the columns
 * are the same whatever is in them.  What a row has not is empty.
 */
#include <string.h>

#include "cmds/emit/document.h"
#include "cmds/emit/visible.h"

/* One of the pairs of a row: the fields event, old, new and change. */
struct pair {
	const char *record, *name;
	int128 old_value, new_value;
	struct decimals decimals;
};

/*
 * Prints len bytes as a field, between quotes where it must be, and with a "'" in front where a spreadsheet
 * would calculate; control characters but tabs are made visible.
 */
static void print_field(FILE *out, const char *text, size_t len)
{
	const char *end = text + len;
	const char *mark = visible_needs_quote(text, len) ? "'" : "";

	if (len == 0)
		return;
	if (!memchr(text, ',', len) && !memchr(text, '"', len) && text[0] != ' ' &&
	    text[len - 1] != ' ') {
		fputs(mark, out);
		visible_print(out, text, len, true);
		return;
	}
	fputc('"', out);
	fputs(mark, out);
	while (text < end) {
		const char *quote = memchr(text, '"', (size_t)(end - text));
		const char *next = quote ? quote + 1 : end;

		visible_print(out, text, (size_t)(next - text), true);
		if (quote)
			fputc('"', out);
		text = next;
	}
	fputc('"', out);
}

static void begin(struct document *document)
{
	for (size_t i = 0; i < document->n_fields; i++) {
		fputs(i > 0 ? "," : "", document->out);
		print_field(document->out, document->fields[i], strlen(document->fields[i]));
	}
	if (document->n_fields > 0)
		fputc('\n', document->out);
}

static void print_cell(FILE *out, const struct cell *cell)
{
	if (cell->kind == CELL_TEXT) {
		print_field(out, cell->text.data, cell->text.len);
	} else if (cell->kind == CELL_BOOL) {
		fputs(cell->is_true ? "true" : "false", out);
	} else if (cell->kind != CELL_NONE && cell->kind != CELL_NULL) {
		char text[DOCUMENT_COUNT_TEXT];
		size_t len = document_print_count(text, cell, false);

		fwrite(text, 1, len, out);
	}
}

static void print_counts(FILE *out, const struct cell_counts *counts)
{
	for (size_t i = 0; i < counts->n; i++) {
		char text[INT128_TEXT];
		size_t len;

		if (i > 0)
			putc_unlocked(',', out);
		if (counts->can_happen && !counts->can_happen[i])
			continue;
		len = int128_print_decimal(text, counts->values[i], false,
					   counts->decimals ? counts->decimals[i].programs : 0);
		fwrite(text, 1, len, out);
	}
}

/* What is in a field: the number of a column, or one of these. */
enum place {
	OF_NONE = 1 << 16,
	OF_EVENT, /* of a pair, and so on */
	OF_OLD,
	OF_NEW,
	OF_CHANGE,
};

static void print_of_pair(FILE *out, const struct pair *pair, size_t place)
{
	struct cell cell = cell_none;

	if (place == OF_EVENT)
		cell = cell_string(pair->name);
	else if (place == OF_OLD)
		cell = cell_count(pair->old_value);
	else if (place == OF_NEW)
		cell = cell_count(pair->new_value);
	else if (place == OF_CHANGE)
		cell = cell_count(pair->new_value - pair->old_value);
	if (cell.kind == CELL_COUNT)
		cell.count.decimals = pair->decimals;
	print_cell(out, &cell);
}

/* The first field says what the row is; counts are the last ones. */
static void print_line(struct document *document, const struct cell *cells, const struct pair *pair)
{
	const struct document_level *level = document_level(document);
	FILE *out = document->out;

	fputs(pair ? pair->record : level->table->record, out);
	for (size_t i = 1; i < document->n_fields; i++) {
		size_t place = level->places[i];

		putc_unlocked(',', out);
		if (place >= OF_NONE && pair)
			print_of_pair(out, pair, place);
		if (place >= OF_NONE)
			continue;
		if (cells[place].kind == CELL_COUNTS) {
			print_counts(out, &cells[place].counts);
			break;
		}
		print_cell(out, &cells[place]);
	}
	fputc('\n', out);
}

static void put_row(struct document *document, const struct cell *cells)
{
	const struct document_table *table = document_level(document)->table;

	if (table->record)
		print_line(document, cells, NULL);
	for (size_t i = 0; i < table->n; i++) {
		const struct document_column *column = &table->columns[i];
		const struct cell_pairs *pairs = &cells[i].pairs;

		if (cells[i].kind != CELL_PAIRS || !column->record)
			continue;
		for (size_t j = 0; j < pairs->n; j++) {
			if (pairs->names && !pairs->names[j])
				continue;

			const struct pair pair = {
				.record = column->record,
				.name = pairs->names ? pairs->names[j] : column->key,
				.old_value = pairs->old_values[j],
				.new_value = pairs->new_values[j],
				.decimals = pairs->decimals ? pairs->decimals[j]
							    : (struct decimals){ 0, 0 },
			};

			print_line(document, cells, &pair);
		}
	}
}

static size_t place_of_pair(const char *field)
{
	static const char *const fields[] = { "event", "old", "new", "change" };

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (strcmp(fields[i], field) == 0)
			return OF_EVENT + i;
	return OF_NONE;
}

/* Looks up once what is in which field.  The first of the counts is the place of all. */
static void find_fields(struct document *document)
{
	struct document_level *level = document_level(document);
	const struct document_table *table = level->table;

	for (size_t i = 0; i < document->n_fields; i++) {
		const char *field = document->fields[i];

		level->places[i] = table->record ? OF_NONE : place_of_pair(field);
		for (size_t j = 0; j < table->n; j++) {
			const struct document_column *column = &table->columns[j];

			if (i < document->n_fixed
				    ? column->field && strcmp(column->field, field) == 0
				    : column->is_counts && i == document->n_fixed)
				level->places[i] = j;
		}
	}
}

static void put_table(struct document *document)
{
	const struct document_table *table = document_level(document)->table;
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
	.table = put_table,
	.row = put_row,
	.begin_rows = find_fields,
};
