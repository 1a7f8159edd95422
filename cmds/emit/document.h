/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document is what a command prints, written once for all formats.  It consists of
 *
 *	prose	lines, titles and parts for people
 *	values	"key": value, in objects and lists, for programs
 *	tables	for both
 *
 * and is printed while it is made: no more than one table of it is kept.  Each format is a back end,
 * which prints what it has a place for.  Text and Markdown are for people: prose, and the columns of
 * tables that have a title.  JSON and CSV are for programs.  JSON has values, and an object for each
 * row of a table, with the columns that have a key.  CSV makes one table of all tables, with the
 * columns that have a field.
 *
 * Commands do not ask which back end there is, only whether people read the document
 * (document_is_prose()) and whether it has to be short (document_is_short()).
 */
#ifndef CMDS_EMIT_DOCUMENT_H
#define CMDS_EMIT_DOCUMENT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cmds/emit/fitted.h"
#include "cmds/emit/json.h"
#include "profile/common/cost.h"

/* -- cells ------------------------------------------------------------------------------ */

enum cell_kind {
	CELL_NONE,    /* empty; in JSON there is no such member */
	CELL_NULL,    /* empty; in JSON null */
	CELL_TEXT,    /* anything; made harmless in each format */
	CELL_COUNT,   /* people get commas */
	CELL_CHANGE,  /* and here a plus sign */
	CELL_PERCENT, /* a change in percent of what was, as int128_print_percent() has it */
	CELL_SHARE,   /* in percent of a whole; for people without a plus sign, 0 if it is none */
	CELL_NUMBER,  /* with a fixed number of decimals; empty if it is none (NaN), in JSON null */
	CELL_BOOL,
	CELL_LIST,  /* texts; for people with blanks between */
	CELL_PAIRS, /* counts by name, before and after; for programs */
	CELL_PART,  /* a count, and for people, what it is in percent of a whole, too */
	CELL_NEVER, /* for people a dot: it cannot happen */
	/* Several counts; for programs: in JSON an array, in CSV, if the column is_counts, the last fields. */
	CELL_COUNTS,
	CELL_SHARES, /* in JSON an array of what they are in percent of totals */
};

/* Counts by name.  Without names there is one pair, which is called as its column. */
struct cell_pairs {
	size_t n;
	const char *const *names; /* NULL = none; one of them NULL: it is left out */
	const int128 *old_values, *new_values;
	const struct decimals *decimals; /* NULL = none have any */
};

struct cell_counts {
	size_t n;
	const int128 *values, *totals; /* totals: of CELL_SHARES */
	const bool *can_happen; /* those that cannot are null, also as shares; NULL = all can */
	const struct decimals *decimals; /* NULL = none have any */
};

/* Pointers are borrowed until the row is complete. */
struct cell {
	enum cell_kind kind;
	union {
		struct {
			const char *data;
			size_t len;
		} text;
		struct {
			int128 value, whole; /* whole: or what was, of percents */
			int128 sum; /* of CELL_PART: of all so far, in percent too, as text */
			bool has_sum;
			struct decimals decimals;
		} count;
		struct {
			double value;
			int decimals;
		} number;
		bool is_true;
		struct {
			const char *const *texts;
			size_t n;
		} list;
		struct cell_pairs pairs;
		struct cell_counts counts;
	};
};

static const struct cell cell_none = { .kind = CELL_NONE };
static const struct cell cell_never = { .kind = CELL_NEVER };

static inline struct cell cell_text(const char *data, size_t len)
{
	return (struct cell){ .kind = CELL_TEXT, .text = { data, len } };
}

static inline struct cell cell_string(const char *text) /* NULL = null */
{
	return text ? cell_text(text, strlen(text)) : (struct cell){ .kind = CELL_NULL };
}

static inline struct cell cell_count(int128 value)
{
	return (struct cell){ .kind = CELL_COUNT, .count = { .value = value } };
}

static inline struct cell cell_change(int128 change)
{
	return (struct cell){ .kind = CELL_CHANGE, .count = { .value = change } };
}

/* A count, or a change, or a part, with digits after the point. */
static inline struct cell cell_decimal(struct cell cell, struct decimals decimals)
{
	cell.count.decimals = decimals;
	return cell;
}

static inline struct cell cell_percent(int128 change, int128 old)
{
	return (struct cell){ .kind = CELL_PERCENT, .count = { .value = change, .whole = old } };
}

static inline struct cell cell_share(int128 part, int128 whole)
{
	return (struct cell){ .kind = CELL_SHARE, .count = { .value = part, .whole = whole } };
}

static inline struct cell cell_part(int128 part, int128 whole)
{
	return (struct cell){ .kind = CELL_PART, .count = { .value = part, .whole = whole } };
}

static inline struct cell cell_number(double value, int decimals)
{
	return (struct cell){ .kind = CELL_NUMBER, .number = { value, decimals } };
}

static inline struct cell cell_bool(bool value)
{
	return (struct cell){ .kind = CELL_BOOL, .is_true = value };
}

static inline struct cell cell_list(const char *const *texts, size_t n)
{
	return (struct cell){ .kind = CELL_LIST, .list = { texts, n } };
}

static inline struct cell cell_pairs(struct cell_pairs pairs)
{
	return (struct cell){ .kind = CELL_PAIRS, .pairs = pairs };
}

static inline struct cell cell_counts(struct cell_counts counts)
{
	return (struct cell){ .kind = CELL_COUNTS, .counts = counts };
}

static inline struct cell cell_shares(struct cell_counts counts)
{
	return (struct cell){ .kind = CELL_SHARES, .counts = counts };
}

/* -- tables ----------------------------------------------------------------------------- */

/* The last column with a title is to the left and may be of any width, as names are. */
struct document_column {
	const char *title;  /* for people; NULL = not for them */
	const char *key;    /* in JSON; NULL = not there */
	const char *inside; /* neighbours with this key are an object of their own; NULL = not */
	const char *field;  /* of CSV; NULL = not there */
	/* Of CELL_PAIRS: a row of CSV for each pair, of this record, its fields event, old, new, change. */
	const char *record;
	size_t width;   /* in characters, at least */
	bool is_counts; /* of CELL_COUNTS, in CSV */
	bool is_parts;  /* of CELL_PART and CELL_NEVER; in text its title is to the left */
	bool is_left;   /* aligned; else to the right */
	bool is_tight;  /* no blanks after it */
	/* Text leaves it out where lines have no room for it next to names: the last such column first. */
	bool is_optional;
	/* Of JSON: only in a page, or everywhere else. */
	bool is_for_page, is_not_for_page;
};

/* How people see a table. */
enum document_form {
	FORM_PLAIN,  /* if there are rows, titles above them */
	FORM_TITLED, /* always titles */
	/* These are closer, but for the last column; and in Markdown always with titles. */
	FORM_RULED,   /* titles between rules */
	FORM_BARE,    /* no titles in text */
	FORM_LISTING, /* titles and an empty line; in Markdown a block of code, which is text, too */
};

struct document;

struct document_table {
	const char *key;    /* of JSON: an array; NULL = not there */
	const char *record; /* of CSV: what a row is; NULL = not there, or said by columns */
	const struct document_column *columns;
	size_t n;
	/*
	 * For document_table(): puts all cells of all rows, by document_cell().  Called once at most.
	 */
	void (*put_rows)(struct document *document, void *ctx);
	void *ctx;
	/* Of JSON. */
	bool is_named;    /* an object instead, with a member a row, named by the last column */
	bool is_open;     /* document_begin_rows(): a row goes on until document_end_row() */
	bool is_indented; /* rows are not on one line each */
	/* For people. */
	enum document_form form;
	/* Of text. */
	const char *indent; /* NULL = none */
	size_t gap;         /* blanks between columns; 0 = two, or one */
};

/*
 * A view: rows of a model, and columns that are declared once for all formats.
 *
 * People see a table of the columns that have a title, and below it the details of each row.  Programs
 * get an array of objects with the details in them, or lines of CSV, of the columns that have a key or a
 * field.  So a view need not ask who reads it: it puts a cell for each column, and its details are prose,
 * values and further views; each is nothing in formats that have no place for it.
 *
 * put_row() calls, in this order,
 *
 *	document_costs()	if there is a column that is_counts: people get a column for each metric,
 *				before all others, and programs an array, where that column is declared
 *	document_cell()		for each other column, as they are declared
 *
 * The cell of the last column with a title can be document_begin_words(), prose, document_end_words().
 * A row that only people see may end there.
 *
 * Without a column that has a title, people see the details only.
 *
 *	static const struct document_column columns[] = {
 *		{ .title = "type", .key = "type", .field = "text" },
 *		{ .key = "size", .field = "bytes" },
 *		{ .key = "counts", .is_counts = true },
 *	};
 */
struct document_view {
	struct document_table table; /* all but put_rows, ctx and is_open */
	size_t n_rows;
	void (*put_row)(struct document *document, void *ctx, size_t row);
	/* For people; each may be NULL. */
	bool (*is_shown)(void *ctx, size_t row);                 /* else the row is left out */
	void (*put_rest)(struct document *document, void *ctx);  /* more rows, below the others */
	void (*put_notes)(struct document *document, void *ctx); /* prose below the table */
	/* For both; NULL = rows have none.  Not called for rows that are not shown. */
	void (*put_details)(struct document *document, void *ctx, size_t row);
	void *ctx;
};

/* The ctx of a view whose functions only read what it points to. */
static inline void *document_view_ctx(const void *data)
{
	const union {
		const void *read;
		void *ctx;
	} as = { data };

	return as.ctx;
}

/* How the costs of a row are shown, in all views of a document. */
struct document_costs {
	/* For people: a column for each metric, and its cell. */
	const struct document_column *columns;
	size_t n;
	struct cell (*part)(void *ctx, const void *costs, size_t metric);
	/* For programs: all metrics, a CELL_COUNTS, which borrows its numbers until the row is complete. */
	struct cell (*counts)(void *ctx, const void *costs);
	void *ctx;
};

/* -- documents -------------------------------------------------------------------------- */

struct document_backend;
struct text_column;

enum { DOCUMENT_DEPTH = 4 }; /* of tables in rows of tables */

/* Private: a table whose rows are being put. */
struct document_level {
	const struct document_table *table; /* to people, of a view: the columns that they see */
	size_t *places; /* of CSV: by field, the number of the column that is in it */
	bool is_for_programs;
	const struct document_view *view; /* NULL = a table of its own */
	size_t n_put;                     /* columns of the view that the row at work has */
};

/* Fields are private. */
struct document {
	const struct document_backend *backend;
	FILE *out;
	struct document_level levels[DOCUMENT_DEPTH];
	size_t n_levels;
	struct cell *cells; /* of the row that is being put */
	size_t n_cells, capacity;
	const struct document_costs *costs; /* borrowed; NULL = no view has any */
	struct cell counts;                 /* of the row that is being put */
	const struct document_numbers *numbers;
	size_t n_rows;
	struct json *json; /* of JSON: its own, or the one that it is a part of */
	struct json own_json;
	bool has_color;
	struct fitted fitted;        /* of text: what `out` is above, if width is not 0 */
	size_t width;                /* of text, in columns; 0 = any */
	struct text_column *columns; /* of text: the columns of the table that people see */
	size_t n_columns;
	bool is_below_heading;     /* of Markdown */
	const char *const *fields; /* of CSV: of all tables */
	size_t n_fields, n_fixed;  /* those after the fixed ones are counts */
};

/* The names of back ends, as the form of an option (cmds/cli/option.h). */
#define DOCUMENT_FORMATS "text|markdown|json|csv"

/* A back end by its name; NULL if there is none. */
const struct document_backend *document_backend(const char *name);

/*
 * Begins a document; out is borrowed, and errors of writing stick there.  fields are the columns of
 * CSV, in order: the first is the record, the last n_counts are CELL_COUNTS; NULL = the
 * document has no tables there.
 */
void document_begin(struct document *document, const struct document_backend *backend, FILE *out,
		    const char *const *fields, size_t n_fields, size_t n_counts);

/*
 * Begins a document that is a part of other JSON, which is borrowed, as of a page: its values and tables
 * become members of the object that is open there.
 */
void document_begin_part(struct document *document, struct json *json);

/* The numbers that functions and files of a profile have in a page. */
struct document_numbers {
	uint64_t (*function)(void *ctx, uint32_t function); /* UINT64_MAX = none, which is null */
	uint64_t (*file)(void *ctx, uint32_t file);
	void *ctx;
};

/* Has a part use numbers; borrowed. */
void document_use_numbers(struct document *document, const struct document_numbers *numbers);

/* Cells of such numbers; none in documents that use none. */
struct cell document_function_number(const struct document *document, uint32_t function);
struct cell document_file_number(const struct document *document, uint32_t file);

/* Has titles of text in bold type, on a terminal. */
void document_use_color(struct document *document);

/*
 * Has lines of text be no longer than `width` columns (cmds/emit/fitted.h): names are shortened in the middle, code is cut
 * off, prose is broken between words.  A table whose numbers alone take more is wider all the same.  Nothing in
 * other formats, or if it is FITTED_UNLIMITED.  To be called when nothing was printed yet.
 */
void document_fit(struct document *document, size_t width);

/* The width that lines are fitted to; 0 = they are not. */
size_t document_width(const struct document *document);

/* Ends it: what it printed is whole, unless its stream has an error. */
void document_end(struct document *document);

/* True if prose and titles are printed. */
bool document_is_prose(const struct document *document);

/* True if it goes into something else, where tables have to be short. */
bool document_is_short(const struct document *document);

/* -- for people: nothing elsewhere -- */

/* "Title: more": title is plain words; the format makes what follows it. */
__attribute__((format(printf, 3, 4))) void
document_heading(struct document *document, const char *title, const char *format, ...);

/*
 * Prints words as they are: constant ones that mean the same in each format, and numbers.  Others are
 * for document_words().
 */
__attribute__((format(printf, 2, 3))) void document_prose(struct document *document,
							  const char *format, ...);

/* How a text looks, where there is such a thing. */
enum document_style {
	STYLE_PLAIN,
	STYLE_STRONG,
	STYLE_CODE,
	STYLE_TABS, /* plain, and its tabs stay */
};

/* Prints len bytes of text, made harmless. */
void document_styled(struct document *document, enum document_style style, const char *text,
		     size_t len);

/* A string, plain; and one that is code. */
static inline void document_words(struct document *document, const char *text)
{
	document_styled(document, STYLE_PLAIN, text, strlen(text));
}

static inline void document_name(struct document *document, const char *text)
{
	document_styled(document, STYLE_CODE, text, strlen(text));
}

/* A line that is above and below the titles of text. */
extern const char document_rule[];

/*
 * Begins a section, or at level 1 the document, in Markdown only: in text, tables and parts have
 * titles enough.  name, made harmless, follows the title; NULL = none.
 */
void document_section(struct document *document, unsigned level, const char *title,
		      const char *name);

/* A part that can be folded where that is possible: prose is its title, then what is in it. */
enum document_part { PART_TITLE, PART_CONTENT, PART_END };

void document_part(struct document *document, enum document_part part);

/* -- for programs: nothing elsewhere.  key as in cmds/emit/json.h. -- */

void document_object(struct document *document, const char *key, bool on_one_line);
void document_list(struct document *document, const char *key, bool on_one_line);
void document_close(struct document *document);
void document_value(struct document *document, const char *key, struct cell cell);

/* -- for both -- */

/* A part of a whole: for people in percent; for programs the count, or a number in percent with four decimals. */
struct cell document_portion(const struct document *document, int128 part, int128 whole);
struct cell document_rate(const struct document *document, int128 part, int128 whole);

void document_table(struct document *document, const struct document_table *table);

void document_view(struct document *document, const struct document_view *view);

/* Has costs shown so from now on; borrowed. */
void document_use_costs(struct document *document, const struct document_costs *costs);

/* Begins a row of a view by its costs; NULL = no metric can happen there. */
void document_costs(struct document *document, const void *costs);

/* Costs as a value, for programs. */
void document_costs_value(struct document *document, const char *key, const void *costs);

/* A cell of a view that is this one for programs, and prose between these two for people. */
void document_begin_words(struct document *document, struct cell cell);
void document_end_words(struct document *document);

/*
 * A table for programs only, whose rows are put between these two.  Rows that are open (is_open) can
 * have values and tables in them, which in CSV follow them.
 */
void document_begin_rows(struct document *document, const struct document_table *table);
void document_end_rows(struct document *document);
void document_end_row(struct document *document);

/* The next cell of the row.  The last one ends the row. */
void document_cell(struct document *document, struct cell cell);

/*
 * Of a table for people only, after all other cells of a row: prose between these two is the last one.
 * Or the row is not printed, but in text its columns have room for it.
 */
void document_begin_cell(struct document *document);
void document_end_cell(struct document *document);
void document_drop_row(struct document *document);

/*
 * Such a cell of a place in the program: a function, and where its file is known (not NULL), the last component of
 * that, and the line, if it is not 0.
 */
void document_place(struct document *document, const char *function, const char *file,
		    uint64_t line);

/* Between rows, a line across all columns, in text only. */
__attribute__((format(printf, 2, 3))) void document_across(struct document *document,
							   const char *format, ...);

/* -- back ends: this is for their files only ------------------------------------------------ */

/* What a format makes of each part, a file document_NAME.c.  NULL is nothing, but table and row are there. */
struct document_backend {
	const char *name; /* of --format */
	bool is_prose, is_short;
	void (*begin)(struct document *document);
	void (*end)(struct document *document);
	void (*heading)(struct document *document, const char *title, const char *more);
	void (*put_text)(struct document *document, enum document_style style, const char *text,
			 size_t len);
	void (*section)(struct document *document, unsigned level, const char *title,
			const char *name);
	void (*part)(struct document *document, enum document_part part);
	void (*open)(struct document *document, const char *key, bool is_array, bool on_one_line);
	void (*close)(struct document *document);
	void (*put_value)(struct document *document, const char *key, const struct cell *cell);
	/* Prints a table, the innermost level: document_put_rows() has each of its rows given to row(). */
	void (*table)(struct document *document);
	void (*row)(struct document *document, const struct cell *cells);
	/* A row whose last cell is prose: all cells before it, and its end. */
	void (*begin_cell)(struct document *document, const struct cell *cells);
	void (*end_cell)(struct document *document);
	void (*across)(struct document *document, const char *format, va_list args);
	void (*drop_row)(struct document *document, const struct cell *cells);
	/* The innermost level begins, ends; and a row of it that is open ends. */
	void (*begin_rows)(struct document *document);
	void (*end_rows)(struct document *document);
	void (*end_row)(struct document *document);
};

/* The innermost level. */
static inline struct document_level *document_level(struct document *document)
{
	return &document->levels[document->n_levels - 1];
}

extern const struct document_backend document_text, document_markdown, document_csv, document_json;

/* Has the rows of the table put, from the first; n_rows is then how many they are. */
void document_put_rows(struct document *document);

enum { DOCUMENT_COUNT_TEXT = 400 };

/*
 * The text of a cell that is some number, into a buffer of DOCUMENT_COUNT_TEXT; its length.  Empty
 * for other cells.
 */
size_t document_print_count(char *buffer, const struct cell *cell, bool for_people);

/* True if columns are close to each other, but for the last one. */
static inline bool document_is_close(const struct document_table *table)
{
	return table->form > FORM_TITLED;
}

/* The last column that people see; table->n if there is none. */
size_t document_last_title(const struct document_table *table);

/* Has something printed into memory, which is the caller's. */
char *document_capture(struct document *document, void (*print)(struct document *document),
		       size_t *len);

#endif
