/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document as text: tables in aligned columns.
 *
 * How wide columns are is known when all rows are there.  Until then a table's rows go to a stream in
 * memory, with a NUL after each cell, and after the percentage of each part.  A line across the
 * columns begins with a line feed, which no cell does.
 *
 * Where lines have a width, columns of names that are too wide for it are made narrower, the widest first, and what
 * the last column has no room for is shortened.
 */
#include <stdlib.h>

#include "cmds/emit/document.h"
#include "cmds/emit/visible.h"
#include "profile/common/heap.h"

enum {
	GAP = 2,
	PERCENT_TEXT = 48,
	LEAST_NAME = 12, /* columns that are left of a name at least */
	LEAST_LAST = 20, /* and of what is in the last column */
	FAIR_LAST = 32,  /* and there, if optional columns can go */
	TAB = 8,
};

const char document_rule[] =
	"--------------------------------------------------------------------------------\n";

/* A column that people see. */
struct text_column {
	const struct document_column *column;
	size_t width;    /* in characters, of its cells */
	size_t percents; /* and of what follows parts */
	size_t gap;      /* blanks after it */
	bool is_hidden;  /* there is no room for it */
	size_t at;       /* of the last one, where lines have a width: where it begins */
};

/* -- titles, parts, texts ---------------------------------------------------------------- */

static void put_heading(struct document *document, const char *title, const char *more)
{
	fprintf(document->out, "\n-- %s%s\n", title, more);
}

static void put_text(struct document *document, enum document_style style, const char *text,
		     size_t len)
{
	visible_print(document->out, text, len, style == STYLE_TABS);
}

static void put_rule(struct document *document)
{
	fputs(document_rule, document->out);
}

static void begin_title(struct document *document)
{
	put_rule(document);
	fputs(document->has_color ? "\x1b[1m" : "", document->out);
}

static void end_title(struct document *document)
{
	fprintf(document->out, "%s\n", document->has_color ? "\x1b[0m" : "");
	put_rule(document);
}

static void put_part(struct document *document, enum document_part part)
{
	if (part == PART_TITLE) {
		begin_title(document);
		fputs("-- ", document->out);
	} else if (part == PART_CONTENT) {
		end_title(document);
	} else {
		fputc('\n', document->out);
	}
}

/* -- cells ------------------------------------------------------------------------------- */

static void widen(size_t *width, size_t needed)
{
	if (*width < needed)
		*width = needed;
}

/* "( 0.05%)", "(100.0%)": what follows a part that is not 0; or with the percentage of the sum, too. */
static size_t print_percents(char text[PERCENT_TEXT], const struct cell *cell)
{
	const int128 whole = cell->count.whole;
	double percent = int128_percent(cell->count.value, whole);
	int len = 0;

	text[0] = '\0';
	if (cell->kind != CELL_PART || cell->count.value == 0)
		return 0;
	if (whole == 0)
		len = snprintf(text, PERCENT_TEXT, "(n/a)");
	else if (cell->count.has_sum)
		len = snprintf(text, PERCENT_TEXT, "(%.1f%%, %.1f%%)", percent,
			       int128_percent(cell->count.sum, whole));
	else
		len = snprintf(text, PERCENT_TEXT, "(%5.*f%%)",
			       percent < 99.995 && percent > -99.995 ? 2 : 1, percent);
	return (size_t)len;
}

static void keep_cell(struct text_column *column, const struct cell *cell, FILE *out)
{
	char text[DOCUMENT_COUNT_TEXT];
	size_t width = 0;

	if (cell->kind == CELL_TEXT) {
		width = visible_width(cell->text.data, cell->text.len);
		visible_print(out, cell->text.data, cell->text.len, false);
		putc_unlocked('\0', out);
	} else if (cell->kind == CELL_LIST) {
		for (size_t i = 0; i < cell->list.n; i++) {
			const char *word = cell->list.texts[i];

			fputs(i > 0 ? " " : "", out);
			visible_text(out, word);
			width += (i > 0) + visible_width(word, strlen(word));
		}
		putc_unlocked('\0', out);
	} else {
		width = document_print_count(text, cell, true);
		fwrite_unlocked(text, 1, width + 1, out);
	}
	widen(&column->width, width);
	if (column->column->is_parts) {
		width = print_percents(text, cell);
		fwrite_unlocked(text, 1, width + 1, out);
		widen(&column->percents, width);
	}
}

static void keep_cells(struct document *document, const struct cell *cells, size_t n)
{
	struct text_column *column = document->columns;

	for (size_t i = 0; i < n; i++)
		if (document_level(document)->table->columns[i].title)
			keep_cell(column++, &cells[i], document->out);
}

static void put_row(struct document *document, const struct cell *cells)
{
	keep_cells(document, cells, document_level(document)->table->n);
}

static void begin_cell(struct document *document, const struct cell *cells)
{
	keep_cells(document, cells, document->n_cells);
}

static void end_cell(struct document *document)
{
	fputc('\0', document->out);
}

__attribute__((format(printf, 2, 0))) static void put_across(struct document *document,
							     const char *format, va_list args)
{
	fputc('\n', document->out);
	vfprintf(document->out, format, args);
	fputc('\0', document->out);
}

/* Only parts are as wide as they may have to be. */
static void drop_row(struct document *document, const struct cell *cells)
{
	char text[DOCUMENT_COUNT_TEXT];

	for (size_t i = 0; i < document->n_cells; i++) {
		widen(&document->columns[i].width, document_print_count(text, &cells[i], true));
		widen(&document->columns[i].percents, print_percents(text, &cells[i]));
	}
}

/* -- tables ------------------------------------------------------------------------------ */

/*
 * What fprintf() with a width does takes several times as long; and locks of streams, for so short
 * texts, a tenth of the time of annotate --asm.
 */
static void print_blanks(FILE *out, size_t n)
{
	static const char blanks[] =
		"                                                                ";

	while (n > 0) {
		size_t some = n < sizeof(blanks) ? n : sizeof(blanks) - 1;

		fwrite_unlocked(blanks, 1, some, out);
		n -= some;
	}
}

static size_t width_after(const struct text_column *column)
{
	return column->percents + (column->percents > 0);
}

/* Prints a text of a table with blanks on one side, and a gap; returns what follows the text. */
static const char *print_padded(FILE *out, const char *text, size_t width, bool is_left, size_t gap)
{
	size_t len = strlen(text), needed = visible_width(text, len), padding;
	struct bytes name;

	bytes_init(&name);
	if (needed > width) {
		shortname_make(&name, text, len, width);
		needed = visible_width(name.text, name.len);
	}
	padding = needed < width ? width - needed : 0;
	print_blanks(out, is_left ? 0 : padding);
	if (name.len > 0)
		visible_print(out, name.text, name.len, false);
	else if (len > 0)
		visible_print(out, text, len, false);
	print_blanks(out, (is_left ? padding : 0) + gap);
	bytes_release(&name);
	return text + len + 1;
}

/* Columns of a character that begins at a column; 0 of what is no beginning of one. */
static size_t char_width(char c, size_t at)
{
	if (c == '\t')
		return TAB - at % TAB;
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* A line of code that begins at a column; what there is no room for is left out, and tabs of what is left are blanks. */
static void print_code(FILE *out, const char *text, size_t len, size_t at, size_t room)
{
	size_t needed = 0;

	for (size_t i = 0; i < len; i++)
		needed += char_width(text[i], at + needed);
	if (needed <= room) {
		fwrite_unlocked(text, 1, len, out);
		return;
	}
	needed = 0;
	for (size_t i = 0; i < len; i++) {
		size_t width = char_width(text[i], needed);

		if (needed + width + strlen("...") > room)
			break;
		needed += width;
		if (text[i] == '\t')
			print_blanks(out, width);
		else
			putc_unlocked(text[i], out);
	}
	fputs("...", out);
}

/* What is in the last column. */
static void print_last(struct document *document, const char *text)
{
	const struct text_column *last = &document->columns[document->n_columns - 1];
	size_t len = strlen(text), room = last->width;
	struct bytes name;

	if (room == 0) {
		fputs(text, document->out);
	} else if (document_level(document)->table->form == FORM_LISTING) {
		print_code(document->out, text, len, last->at, room);
	} else {
		bytes_init(&name);
		shorttext_make(&name, text, len, room);
		fwrite_unlocked(name.text, 1, name.len, document->out);
		bytes_release(&name);
	}
}

static void print_titles(struct document *document)
{
	const struct text_column *column = document->columns;
	FILE *out = document->out;
	const char *title;

	for (size_t i = 1; i < document->n_columns; i++, column++) {
		bool is_end = i + 1 == document->n_columns && column[1].column->title[0] == '\0';
		bool is_left = column->column->is_left || column->column->is_parts;

		if (column->is_hidden)
			continue;
		title = column->column->title;
		/* No blanks at the end of a line. */
		if (is_end && is_left)
			print_padded(out, title, visible_width(title, strlen(title)), true, 0);
		else
			print_padded(out, title, column->width + width_after(column), is_left,
				     is_end ? 0 : column->gap);
	}
	title = column->column->title;
	print_blanks(out, document_is_close(document_level(document)->table) && title[0] != '\0');
	print_last(document, title);
}

/* Prints a row; returns the next one. */
static const char *print_row(struct document *document, const char *text)
{
	const struct text_column *column = document->columns;
	FILE *out = document->out;

	if (text[0] == '\n') {
		fputs(text + 1, out);
	} else {
		for (size_t i = 1; i < document->n_columns; i++, column++) {
			bool is_parts = column->column->is_parts;

			if (column->is_hidden) {
				text += strlen(text) + 1;
				continue;
			}
			text = print_padded(out, text, column->width, column->column->is_left,
					    is_parts ? column->percents > 0 : column->gap);
			if (is_parts)
				text = print_padded(out, text, column->percents, true, column->gap);
		}
		print_blanks(out, document_is_close(document_level(document)->table));
		print_last(document, text);
	}
	fputc('\n', out);
	return text + strlen(text) + 1;
}

/* rows, len bytes, are those that were kept. */
static void print_table(struct document *document, const char *rows, size_t len)
{
	const struct document_table *table = document_level(document)->table;
	const char *indent = table->indent ? table->indent : "";

	if (table->form == FORM_RULED) {
		begin_title(document);
		print_titles(document);
		end_title(document);
	} else if (table->form == FORM_LISTING) {
		print_titles(document);
		fputs("\n\n", document->out);
	} else if (table->form == FORM_TITLED ||
		   (table->form == FORM_PLAIN && document->n_rows > 0)) {
		fputs(indent, document->out);
		fputs(document->has_color ? "\x1b[1m" : "", document->out);
		print_titles(document);
		fputs(document->has_color ? "\x1b[0m\n" : "\n", document->out);
	}
	for (const char *text = rows; text < rows + len;) {
		fputs(indent, document->out);
		text = print_row(document, text);
	}
}

/* The columns that people see, as wide as they have to be at least. */
static void begin_columns(struct document *document)
{
	const struct document_table *table = document_level(document)->table;
	size_t gap = table->gap > 0 ? table->gap : document_is_close(table) ? 1 : GAP;

	document->columns = heap_zeroed(table->n, sizeof(*document->columns));
	document->n_columns = 0;
	for (size_t i = 0; i < table->n; i++) {
		const struct document_column *column = &table->columns[i];

		if (column->title)
			document->columns[document->n_columns++] = (struct text_column){
				.column = column,
				.width = column->width,
				.gap = column->is_tight ? 0 : gap,
			};
	}
}

/* Columns of the longest text that the last column has in rows, len bytes. */
static size_t longest_last(const struct document *document, const char *rows, size_t len)
{
	const char *title = document->columns[document->n_columns - 1].column->title;
	size_t longest = visible_width(title, strlen(title)), width;

	for (const char *text = rows; text < rows + len; text += strlen(text) + 1) {
		if (text[0] == '\n')
			continue;
		for (size_t i = 1; i < document->n_columns; i++) {
			text += strlen(text) + 1;
			if (document->columns[i - 1].column->is_parts)
				text += strlen(text) + 1;
		}
		width = visible_width(text, strlen(text));
		longest = width > longest ? width : longest;
	}
	return longest;
}

/*
 * Makes columns narrower so that lines fit into the width of the document; the last one's width is from now on the room
 * for it, 0 = any; longest is what it has.  Returns the width of the table's lines.
 */
static size_t fit_columns(struct document *document, size_t longest)
{
	const size_t least = longest < LEAST_LAST ? longest : LEAST_LAST;
	const size_t fair = longest < FAIR_LAST ? longest : FAIR_LAST;
	const struct document_table *table = document_level(document)->table;
	struct text_column *columns = document->columns;
	const size_t last = document->n_columns - 1;
	size_t used = (table->indent ? strlen(table->indent) : 0) + document_is_close(table);

	columns[last].width = 0;
	if (document->width == 0)
		return 0;
	for (size_t i = 0; i < last; i++)
		used += columns[i].width + width_after(&columns[i]) + columns[i].gap;
	for (size_t i = last; i-- > 0 && used + fair > document->width;) {
		if (!columns[i].column->is_optional)
			continue;
		columns[i].is_hidden = true;
		used -= columns[i].width + columns[i].gap;
	}
	while (used + least > document->width) {
		struct text_column *widest = NULL;
		size_t more = used + least - document->width;

		for (size_t i = 0; i < last; i++)
			if (columns[i].column->is_left && !columns[i].is_hidden &&
			    columns[i].width > LEAST_NAME &&
			    (!widest || columns[i].width > widest->width))
				widest = &columns[i];
		if (!widest)
			break;
		if (more > widest->width - LEAST_NAME)
			more = widest->width - LEAST_NAME;
		widest->width -= more;
		used -= more;
	}
	columns[last].width = used + least > document->width ? least : document->width - used;
	columns[last].at = used;
	return used + columns[last].width;
}

/* Texts of a table's rows, in order. */
struct table_texts {
	struct shortname *all; /* owned; names are in the rows */
	size_t n, capacity;
	bool are_too_long; /* some */
};

/* Finds the texts that may have to be shortened in rows, len bytes; those that fit, too, from which others have to differ. */
static void find_texts(struct table_texts *texts, struct document *document, const char *rows,
		       size_t len)
{
	const size_t last = document->n_columns - 1;
	const bool is_code = document_level(document)->table->form == FORM_LISTING;

	for (const char *text = rows; text < rows + len; text += strlen(text) + 1) {
		for (size_t i = 0; text[0] != '\n' && i <= last; i++) {
			const struct text_column *column = &document->columns[i];
			const size_t text_len = strlen(text);
			bool fits = i < last && visible_width(text, text_len) <= column->width;

			if (i < last ? column->column->is_left && !column->is_hidden
				     : column->width > 0 && !is_code) {
				texts->all = heap_grow(texts->all, &texts->capacity, texts->n + 1,
						       sizeof(*texts->all));
				texts->all[texts->n++] = (struct shortname){
					.name = text,
					.len = text_len,
					.room = fits ? text_len : column->width,
					.is_text = i == last,
					.group = i,
				};
				texts->are_too_long |= !fits && text_len > column->width;
			}
			if (i < last)
				text += text_len + 1;
			if (i < last && column->column->is_parts)
				text += strlen(text) + 1;
		}
	}
}

/* Shortens what there is no room for in rows, which are owned, so that different rows look different. */
static void shorten(struct document *document, char **rows, size_t *len)
{
	struct table_texts texts = { .n = 0 };
	struct bytes made;
	struct arena arena;
	const char *from = *rows;

	if (document->width == 0)
		return;
	find_texts(&texts, document, *rows, *len);
	if (texts.are_too_long) {
		arena_init(&arena);
		bytes_init(&made);
		shortnames_make(texts.all, texts.n, &arena);
		for (size_t i = 0; i < texts.n; i++) {
			const struct shortname *text = &texts.all[i];

			bytes_add(&made, from, (size_t)(text->name - from));
			bytes_add(&made, text->text, text->text_len);
			from = text->name + text->len;
		}
		bytes_add(&made, from, (size_t)(*rows + *len - from));
		arena_release(&arena);
		free(*rows);
		*rows = made.text;
		*len = made.len;
	}
	free(texts.all);
}

static void put_table(struct document *document)
{
	const struct document_table *table = document_level(document)->table;
	char *rows;
	size_t len, needed, before = 0;

	if (document_last_title(table) == table->n)
		return;
	begin_columns(document);
	rows = document_capture(document, document_put_rows, &len);
	/* Room for titles. */
	for (size_t i = 0; i < document->n_columns; i++) {
		struct text_column *column = &document->columns[i];
		size_t width = visible_width(column->column->title, strlen(column->column->title));
		size_t after = width_after(column);

		widen(&column->width, width > after ? width - after : 0);
	}
	needed = fit_columns(document, longest_last(document, rows, len));
	if (needed > document->width)
		before = fitted_set_width(&document->fitted, needed);
	shorten(document, &rows, &len);
	print_table(document, rows, len);
	if (before > 0)
		fitted_set_width(&document->fitted, before);
	free(rows);
	free(document->columns);
	document->columns = NULL;
}

const struct document_backend document_text = {
	.name = "text",
	.is_prose = true,
	.heading = put_heading,
	.put_text = put_text,
	.part = put_part,
	.table = put_table,
	.row = put_row,
	.begin_cell = begin_cell,
	.end_cell = end_cell,
	.across = put_across,
	.drop_row = drop_row,
};
