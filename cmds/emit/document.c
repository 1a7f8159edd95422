/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all formats have in common: cells become rows, and what a format has no place for is left out. */
#include "cmds/emit/document.h"

#include <inttypes.h>
#include <math.h>
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
		    const char *const *fields, size_t n_fields, size_t n_counts)
{
	*document = (struct document){
		.backend = backend,
		.out = out,
		.fields = fields,
		.n_fields = n_fields,
		.n_fixed = n_fields - n_counts,
	};
	if (backend->begin)
		backend->begin(document);
}

void document_use_color(struct document *document)
{
	document->has_color = true;
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
	for (size_t i = 0; i < DOCUMENT_DEPTH; i++)
		free(document->levels[i].places);
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

void document_styled(struct document *document, enum document_style style, const char *text,
		     size_t len)
{
	if (document->backend->put_text)
		document->backend->put_text(document, style, text, len);
}

void document_section(struct document *document, unsigned level, const char *title,
		      const char *name)
{
	if (document->backend->section)
		document->backend->section(document, level, title, name);
}

void document_part(struct document *document, enum document_part part)
{
	if (document->backend->part)
		document->backend->part(document, part);
}

char *document_capture(struct document *document, void (*print)(struct document *document),
		       size_t *len)
{
	FILE *out = document->out;
	char *text = NULL;
	bool is_whole = false;

	document->out = open_memstream(&text, len);
	if (document->out) {
		print(document);
		is_whole = !ferror(document->out);
		/* Without memory for its first bytes glibc closes the stream well, and there is no text. */
		is_whole = fclose(document->out) == 0 && text && is_whole;
	}
	document->out = out;
	if (is_whole)
		return text;
	document->failed = true;
	free(text);
	return NULL;
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

/* Room for the cells of a row of a new level, and for the places of its columns. */
static bool reserve(struct document *document, size_t n)
{
	struct document_level *level = &document->levels[document->n_levels];

	if (n > document->capacity) {
		struct cell *cells = realloc(document->cells, n * sizeof(*cells));

		if (!cells)
			return false;
		document->cells = cells;
		document->capacity = n;
	}
	if (!level->places && document->n_fields > 0)
		level->places = calloc(document->n_fields, sizeof(*level->places));
	return level->places || document->n_fields == 0;
}

static void open_level(struct document *document, const struct document_table *table,
		       bool is_for_programs)
{
	struct document_level *level = &document->levels[document->n_levels++];

	level->table = table;
	level->is_for_programs = is_for_programs;
	document->n_cells = document->n_rows = 0;
}

void document_put_rows(struct document *document)
{
	const struct document_table *table = document_level(document)->table;

	document->n_cells = document->n_rows = 0;
	table->put_rows(document, table->ctx);
}

void document_table(struct document *document, const struct document_table *table)
{
	if (!reserve(document, table->n)) {
		document->failed = true;
		return;
	}
	open_level(document, table, false);
	document->backend->table(document);
	document->n_levels--;
}

/* Without memory there is a level all the same, but its cells go nowhere. */
void document_begin_rows(struct document *document, const struct document_table *table)
{
	document->failed = !reserve(document, table->n) || document->failed;
	open_level(document, table, true);
	if (document->backend->begin_rows && !document->failed)
		document->backend->begin_rows(document);
}

void document_end_rows(struct document *document)
{
	if (document->backend->end_rows && !document->failed)
		document->backend->end_rows(document);
	document->n_levels--;
}

void document_end_row(struct document *document)
{
	if (document->backend->end_row && !document->failed)
		document->backend->end_row(document);
}

void document_cell(struct document *document, struct cell cell)
{
	const struct document_level *level = document_level(document);

	if (document->failed)
		return;
	document->cells[document->n_cells++] = cell;
	if (document->n_cells < level->table->n)
		return;
	if (!(level->is_for_programs && document->backend->is_prose))
		document->backend->row(document, document->cells);
	document->n_cells = 0;
	document->n_rows++;
}

/* Cells have been put, unless memory ran out. */
void document_begin_cell(struct document *document)
{
	if (document->backend->begin_cell && !document->failed)
		document->backend->begin_cell(document, document->cells);
}

void document_end_cell(struct document *document)
{
	if (document->backend->end_cell && !document->failed)
		document->backend->end_cell(document);
	document->n_cells = 0;
	document->n_rows++;
}

void document_drop_row(struct document *document)
{
	if (document->backend->drop_row && !document->failed)
		document->backend->drop_row(document, document->cells);
	document->n_cells = 0;
}

void document_across(struct document *document, const char *format, ...)
{
	va_list args;

	if (!document->backend->across)
		return;
	va_start(args, format);
	document->backend->across(document, format, args);
	va_end(args);
}

/* No change is a plain 0. */
static unsigned decimals_of(const struct cell *cell, bool for_people)
{
	if (for_people && cell->kind == CELL_CHANGE && cell->count.value == 0)
		return 0;
	return for_people ? cell->count.decimals.people : cell->count.decimals.programs;
}

size_t document_print_count(char *buffer, const struct cell *cell, bool for_people)
{
	size_t len;

	switch (cell->kind) {
	case CELL_NEVER:
		buffer[0] = '.';
		buffer[for_people] = '\0';
		return for_people;
	case CELL_COUNT:
	case CELL_PART:
		return int128_print_decimal(buffer, cell->count.value, for_people,
					    decimals_of(cell, for_people));
	case CELL_CHANGE:
		buffer[0] = '+';
		len = for_people && cell->count.value > 0;
		return len + int128_print_decimal(buffer + len, cell->count.value, for_people,
						  decimals_of(cell, for_people));
	case CELL_PERCENT:
		buffer[0] = '\0';
		if (cell->count.value == 0)
			return 0;
		return int128_print_percent(buffer, cell->count.value, cell->count.whole);
	case CELL_SHARE:
		len = int128_print_percent(buffer, cell->count.value, cell->count.whole);
		if (cell->count.value == 0)
			len = (size_t)snprintf(buffer, 2, "0");
		else if (buffer[0] == '+')
			memmove(buffer, buffer + 1, len--);
		else if (buffer[0] == '<' && buffer[1] == '+') /* "<+0.01%" */
			memmove(buffer + 1, buffer + 2, --len);
		return len;
	case CELL_NUMBER:
		if (!isfinite(cell->number.value))
			break;
		return (size_t)snprintf(buffer, DOCUMENT_COUNT_TEXT, "%.*f", cell->number.decimals,
					cell->number.value);
	case CELL_NONE:
	case CELL_NULL:
	case CELL_TEXT:
	case CELL_BOOL:
	case CELL_LIST:
	case CELL_PAIRS:
	case CELL_COUNTS:
	case CELL_SHARES:
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

void document_place(struct document *document, const char *function, const char *file,
		    uint64_t line)
{
	document_begin_cell(document);
	document_name(document, function);
	if (file) {
		const char *slash = strrchr(file, '/');

		document_prose(document, "  ");
		document_words(document, slash ? slash + 1 : file);
		if (line != 0)
			document_prose(document, ":%" PRIu64, line);
	}
	document_end_cell(document);
}
