/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all formats have in common: cells become rows, and what a format has no place for is left out. */
#include "cmds/emit/document.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "profile/common/heap.h"

enum { MORE_TEXT = 256 }; /* bytes after the title of a heading */

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

void document_begin_part(struct document *document, struct json *json)
{
	*document = (struct document){ .backend = &document_json, .json = json };
}

void document_use_numbers(struct document *document, const struct document_numbers *numbers)
{
	document->numbers = numbers;
}

struct cell document_function_number(const struct document *document, uint32_t function)
{
	const struct document_numbers *numbers = document->numbers;
	uint64_t number;

	if (!numbers)
		return cell_none;
	number = numbers->function(numbers->ctx, function);
	return number == UINT64_MAX ? cell_string(NULL) : cell_count(number);
}

struct cell document_file_number(const struct document *document, uint32_t file)
{
	const struct document_numbers *numbers = document->numbers;

	return numbers ? cell_count(numbers->file(numbers->ctx, file)) : cell_none;
}

void document_use_color(struct document *document)
{
	document->has_color = true;
}

void document_fit(struct document *document, size_t width)
{
	if (document->backend != &document_text || width == FITTED_UNLIMITED)
		return;
	fitted_open(&document->fitted, document->out, width);
	document->width = document->fitted.width;
	document->out = document->fitted.out;
}

size_t document_width(const struct document *document)
{
	return document->width;
}

void document_end(struct document *document)
{
	if (document->backend->end)
		document->backend->end(document);
	if (document->width > 0)
		fitted_close(&document->fitted);
	free(document->cells);
	for (size_t i = 0; i < DOCUMENT_DEPTH; i++)
		free(document->levels[i].places);
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
	char *text;

	document->out = heap_stream(&text, len);
	print(document);
	heap_stream_close(document->out, &text);
	document->out = out;
	return text;
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

struct cell document_portion(const struct document *document, int128 part, int128 whole)
{
	return document_is_prose(document) ? cell_share(part, whole) : cell_count(part);
}

struct cell document_rate(const struct document *document, int128 part, int128 whole)
{
	return document_is_prose(document) ? cell_share(part, whole)
					   : cell_number(100.0 * (double)part / (double)whole, 4);
}

/* -- tables ------------------------------------------------------------------------------ */

/* The innermost level from now on; places of columns are kept for the next one there. */
static struct document_level *open_level(struct document *document,
					 const struct document_table *table, bool is_for_programs)
{
	struct document_level *level = &document->levels[document->n_levels++];

	if (table->n > document->capacity) {
		document->capacity = table->n;
		document->cells = heap_resize(document->cells, table->n * sizeof(*document->cells));
	}
	if (!level->places && document->n_fields > 0)
		level->places = heap_alloc(document->n_fields * sizeof(*level->places));
	level->table = table;
	level->is_for_programs = is_for_programs;
	level->view = NULL;
	level->n_put = 0;
	document->n_cells = document->n_rows = 0;
	return level;
}

void document_put_rows(struct document *document)
{
	const struct document_table *table = document_level(document)->table;

	document->n_cells = document->n_rows = 0;
	table->put_rows(document, table->ctx);
}

void document_table(struct document *document, const struct document_table *table)
{
	open_level(document, table, false);
	document->backend->table(document);
	document->n_levels--;
}

static void begin_rows(struct document *document, const struct document_table *table,
		       const struct document_view *view)
{
	open_level(document, table, true)->view = view;
	if (document->backend->begin_rows)
		document->backend->begin_rows(document);
}

void document_begin_rows(struct document *document, const struct document_table *table)
{
	begin_rows(document, table, NULL);
}

void document_end_rows(struct document *document)
{
	if (document->backend->end_rows)
		document->backend->end_rows(document);
	document->n_levels--;
}

void document_end_row(struct document *document)
{
	if (document->backend->end_row)
		document->backend->end_row(document);
}

static void put_cell(struct document *document, struct cell cell)
{
	const struct document_level *level = document_level(document);

	document->cells[document->n_cells++] = cell;
	if (document->n_cells < level->table->n)
		return;
	if (!(level->is_for_programs && document->backend->is_prose))
		document->backend->row(document, document->cells);
	document->n_cells = 0;
	document->n_rows++;
}

/* Goes on to the next column that document_cell() is to fill; false if the row has all. */
static bool find_column(struct document *document)
{
	struct document_level *level = document_level(document);
	const struct document_table *table = &level->view->table;

	while (level->n_put < table->n && table->columns[level->n_put].is_counts) {
		if (level->is_for_programs)
			put_cell(document, document->counts);
		level->n_put++;
	}
	return level->n_put < table->n;
}

/* The column is filled. */
static void leave_column(struct document *document)
{
	struct document_level *level = document_level(document);

	level->n_put++;
	if (!find_column(document))
		level->n_put = 0;
}

void document_cell(struct document *document, struct cell cell)
{
	const struct document_level *level = document_level(document);

	if (!level->view) {
		put_cell(document, cell);
		return;
	}
	find_column(document);
	if (level->is_for_programs || level->view->table.columns[level->n_put].title)
		put_cell(document, cell);
	leave_column(document);
}

void document_begin_cell(struct document *document)
{
	if (document->backend->begin_cell)
		document->backend->begin_cell(document, document->cells);
}

void document_end_cell(struct document *document)
{
	if (document->backend->end_cell)
		document->backend->end_cell(document);
	document->n_cells = 0;
	document->n_rows++;
}

void document_drop_row(struct document *document)
{
	if (document->backend->drop_row)
		document->backend->drop_row(document, document->cells);
	document->n_cells = 0;
}

/* -- views ------------------------------------------------------------------------------- */

void document_use_costs(struct document *document, const struct document_costs *costs)
{
	document->costs = costs;
}

void document_costs(struct document *document, const void *costs)
{
	const struct document_costs *shown = document->costs;

	document_level(document)->n_put = 0;
	if (document_level(document)->is_for_programs)
		document->counts = shown->counts(shown->ctx, costs);
	else
		for (size_t i = 0; i < shown->n; i++)
			put_cell(document, shown->part(shown->ctx, costs, i));
}

void document_costs_value(struct document *document, const char *key, const void *costs)
{
	document_value(document, key, document->costs->counts(document->costs->ctx, costs));
}

void document_begin_words(struct document *document, struct cell cell)
{
	find_column(document);
	if (document_level(document)->is_for_programs)
		put_cell(document, cell);
	else
		document_begin_cell(document);
}

void document_end_words(struct document *document)
{
	if (!document_level(document)->is_for_programs)
		document_end_cell(document);
	leave_column(document);
}

static bool is_shown(const struct document_view *view, size_t row)
{
	return !view->is_shown || view->is_shown(view->ctx, row);
}

static void put_view_rows(struct document *document, void *ctx)
{
	const struct document_view *view = ctx;

	document_level(document)->view = view;
	for (size_t i = 0; i < view->n_rows; i++)
		if (is_shown(view, i))
			view->put_row(document, view->ctx, i);
	if (view->put_rest)
		view->put_rest(document, view->ctx);
}

/* Only the columns that have a title, and in place of costs one for each metric, first of all. */
static void show_view(struct document *document, const struct document_view *view)
{
	size_t n_metrics = document->costs ? document->costs->n : 0;
	struct document_table table = view->table;
	struct document_column *columns = heap_alloc((table.n + n_metrics) * sizeof(*columns));
	bool has_costs = false, has_titles = false;
	size_t n = 0;

	for (size_t i = 0; i < table.n; i++)
		has_costs |= table.columns[i].is_counts;
	for (size_t i = 0; has_costs && i < n_metrics; i++)
		columns[n++] = document->costs->columns[i];
	for (size_t i = 0; i < table.n; i++)
		if (table.columns[i].title) {
			columns[n++] = table.columns[i];
			has_titles = true;
		}
	table.columns = columns;
	table.n = n;
	table.put_rows = put_view_rows;
	table.ctx = document_view_ctx(view);
	if (has_titles)
		document_table(document, &table);
	free(columns);
	if (view->put_notes)
		view->put_notes(document, view->ctx);
	for (size_t i = 0; view->put_details && i < view->n_rows; i++)
		if (is_shown(view, i))
			view->put_details(document, view->ctx, i);
}

void document_view(struct document *document, const struct document_view *view)
{
	struct document_table table = view->table;

	if (document->backend->is_prose) {
		show_view(document, view);
		return;
	}
	table.is_open = view->put_details != NULL;
	begin_rows(document, &table, view);
	for (size_t i = 0; i < view->n_rows; i++) {
		view->put_row(document, view->ctx, i);
		if (view->put_details) {
			view->put_details(document, view->ctx, i);
			document_end_row(document);
		}
	}
	document_end_rows(document);
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
	const bool is_of_view = document_level(document)->view != NULL;

	if (is_of_view)
		document_begin_words(document, cell_none);
	else
		document_begin_cell(document);
	document_name(document, function);
	if (file) {
		const char *slash = strrchr(file, '/');

		document_prose(document, "  ");
		document_words(document, slash ? slash + 1 : file);
		if (line != 0)
			document_prose(document, ":%" PRIu64, line);
	}
	if (is_of_view)
		document_end_words(document);
	else
		document_end_cell(document);
}
