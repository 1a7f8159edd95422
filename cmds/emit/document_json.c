/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A document as JSON: one object; tables are arrays of objects, one a line. */
#include "cmds/emit/document.h"

static void begin(struct document *document)
{
	document->json = &document->own_json;
	json_open(document->json, document->out);
	json_object(document->json, NULL, false);
}

static void end(struct document *document)
{
	if (document->json != &document->own_json)
		return;
	json_close(document->json);
	json_end(document->json);
}

static void open_level(struct document *document, const char *key, bool is_array, bool on_one_line)
{
	if (is_array)
		json_array(document->json, key, on_one_line);
	else
		json_object(document->json, key, on_one_line);
}

static void close_level(struct document *document)
{
	json_close(document->json);
}

static unsigned decimals_of(const struct decimals *decimals, size_t i)
{
	return decimals ? decimals[i].programs : 0;
}

static void put_pair(struct json *json, const char *key, const struct cell_pairs *pairs, size_t i)
{
	unsigned decimals = decimals_of(pairs->decimals, i);

	json_object(json, key, true);
	json_decimal(json, "old", pairs->old_values[i], decimals);
	json_decimal(json, "new", pairs->new_values[i], decimals);
	json_close(json);
}

/* The counts, or their shares of the totals. */
static void put_counts(struct json *json, const char *key, const struct cell_counts *counts,
		       bool as_shares)
{
	json_array(json, key, true);
	for (size_t i = 0; i < counts->n; i++)
		if (counts->can_happen && !counts->can_happen[i])
			json_null(json, NULL);
		else if (as_shares)
			json_number(json, NULL,
				    int128_percent(counts->values[i], counts->totals[i]), 4);
		else
			json_decimal(json, NULL, counts->values[i],
				     decimals_of(counts->decimals, i));
	json_close(json);
}

static void put_value(struct document *document, const char *key, const struct cell *cell)
{
	struct json *json = document->json;

	switch (cell->kind) {
	case CELL_NONE:
		break;
	case CELL_NULL:
	case CELL_NEVER:
		json_null(json, key);
		break;
	case CELL_TEXT:
		json_text(json, key, cell->text.data, cell->text.len);
		break;
	case CELL_COUNT:
	case CELL_PART:
	case CELL_CHANGE:
		json_decimal(json, key, cell->count.value, cell->count.decimals.programs);
		break;
	case CELL_PERCENT:
	case CELL_SHARE:
		json_number(json, key, int128_percent(cell->count.value, cell->count.whole), 4);
		break;
	case CELL_NUMBER:
		json_number(json, key, cell->number.value, cell->number.decimals);
		break;
	case CELL_BOOL:
		json_bool(json, key, cell->is_true);
		break;
	case CELL_LIST:
		json_array(json, key, true);
		for (size_t i = 0; i < cell->list.n; i++)
			json_string(json, NULL, cell->list.texts[i]);
		json_close(json);
		break;
	case CELL_PAIRS:
		if (!cell->pairs.names) {
			put_pair(json, key, &cell->pairs, 0);
			break;
		}
		json_object(json, key, true);
		for (size_t i = 0; i < cell->pairs.n; i++)
			if (cell->pairs.names[i])
				put_pair(json, cell->pairs.names[i], &cell->pairs, i);
		json_close(json);
		break;
	case CELL_COUNTS:
	case CELL_SHARES:
		put_counts(json, key, &cell->counts, cell->kind == CELL_SHARES);
		break;
	}
}

/* Goes from the object of a column before to the object of this one. */
static const char *change_object(struct json *json, const char *inside, const char *next)
{
	if (inside == next || (inside && next && strcmp(inside, next) == 0))
		return inside;
	if (inside)
		json_close(json);
	if (next)
		json_object(json, next, true);
	return next;
}

static void put_row(struct document *document, const struct cell *cells)
{
	const struct document_table *table = document_level(document)->table;
	struct json *json = document->json;
	const bool is_part = document->json != &document->own_json;
	const char *inside = NULL, *name = NULL;

	if (!table->key)
		return;
	if (table->is_named)
		name = cells[table->n - 1].text.data;
	json_object(json, name, !table->is_indented);
	for (size_t i = 0; i < table->n; i++) {
		const struct document_column *column = &table->columns[i];

		if (!column->key || cells[i].kind == CELL_NONE ||
		    (is_part ? column->is_not_for_page : column->is_for_page))
			continue;
		inside = change_object(json, inside, column->inside);
		put_value(document, column->key, &cells[i]);
	}
	change_object(json, inside, NULL);
	if (!table->is_open)
		json_close(json);
}

static void begin_rows(struct document *document)
{
	const struct document_table *table = document_level(document)->table;

	if (table->key)
		open_level(document, table->key, !table->is_named, false);
}

static void end_rows(struct document *document)
{
	if (document_level(document)->table->key)
		json_close(document->json);
}

static void put_table(struct document *document)
{
	if (!document_level(document)->table->key)
		return;
	begin_rows(document);
	document_put_rows(document);
	end_rows(document);
}

const struct document_backend document_json = {
	.name = "json",
	.begin = begin,
	.end = end,
	.open = open_level,
	.close = close_level,
	.put_value = put_value,
	.table = put_table,
	.row = put_row,
	.begin_rows = begin_rows,
	.end_rows = end_rows,
	.end_row = close_level,
};
