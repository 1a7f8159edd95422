/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the reader: where it is in the file (reader.c), and its lines (lines.c). */
#ifndef PROFILE_FORMAT_READING_H
#define PROFILE_FORMAT_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/dictionary.h"
#include "profile/common/heap.h"
#include "profile/common/scan.h"
#include "profile/format/reader.h"

/* Numbers at the start of a cost line, in this order. */
enum column {
	COLUMN_INSTR,
	COLUMN_BB,
	COLUMN_LINE,
	N_COLUMNS,
};

/* How far a part is. */
enum part_progress {
	BEFORE_EVENTS,
	AFTER_EVENTS, /* its header may go on */
	IN_BODY,      /* what begins a header begins another part */
};

/* What the next line with a position is of. */
enum pending_line {
	PENDING_NOTHING, /* self cost */
	PENDING_CALL,
	PENDING_JUMP,
};

/* The callee or target that was named for the next call or jump. */
struct named {
	struct name object, file, function;
	bool has_object, has_file, has_function;
};

struct reader {
	const struct visitor *visitor;
	struct reader_report *report;
	struct profile_error *error;
	bool lenient;

	/* The line at work. */
	const char *line; /* its first byte */
	const char *next; /* the first byte of the next one */
	uint64_t number;  /* 1.. */
	bool fatal;       /* the error in it is none that can be skipped */

	/* The part at work; its arrays are owned, its texts are in the arena. */
	struct arena texts;
	struct part part;
	enum part_progress progress;
	bool has_header;       /* a line of it was there */
	bool has_positions;    /* "positions:" among them */
	bool has_version;      /* "version:" was there, in this part or an earlier one */
	const char *creator;   /* what the last "creator:" said, in this part or an earlier one */
	bool visitor_has_part; /* part() was called */
	enum column columns[N_COLUMNS];
	size_t n_columns;
	struct part_desc *descs;
	size_t descs_capacity;
	const char **desc_lines;
	size_t desc_lines_capacity;
	struct part_event *definitions;
	size_t definitions_capacity;
	const char *events[PROFILE_MAX_EVENTS];
	uint64_t summary[PROFILE_MAX_EVENTS];
	uint64_t totals[PROFILE_MAX_EVENTS];

	/* Names. */
	struct dictionary *names; /* of each kind */
	struct idtable ids[N_NAME_KINDS];
	struct idtable part_ids[N_NAME_KINDS]; /* those of this part, from the second part on */

	/* The body. */
	struct place place;
	struct name function_file; /* of the next fn= */
	bool place_told;           /* the visitor knows it */
	bool has_function;         /* fn= was there */
	bool file_only;            /* fl= was there, and no fn= behind it */
	bool first_of_function;    /* no cost line yet */
	bool is_signed;            /* a count below 0 was there */
	bool has_large;            /* a count of 2^63 or more was there */
	struct named callee, target;
	enum pending_line pending;
	struct call call;
	struct jump jump;
	uint64_t last[N_COLUMNS]; /* of the last line with a position */
	uint64_t costs[PROFILE_MAX_EVENTS];
};

/* Notes that the line at work has a trait. */
static inline void reading_note(struct reader *reader, enum reader_trait trait)
{
	struct trait_note *note = &reader->report->traits[trait];

	if (note->count++ == 0)
		note->line = reader->number;
}

/* An error in the line at work, at p (NULL = as a whole); returns PROFILE_SYNTAX. */
int reading_fail(struct reader *reader, const char *p, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* "expected what", or "... up to 64 bits" if there is a number at p that is too large. */
int reading_fail_number(struct reader *reader, const char *p, const char *what);

/* The status of a visitor's function as the reader's. */
int reading_stop(struct reader *reader, int status);

/* Whether a word may end before c. */
static inline bool reading_ends_word(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* A count of any spelling; *p is moved behind it. */
int reading_count(struct reader *reader, const char **p, uint64_t *count);

/*
 * Counts, up to the end of the line, which becomes reader->next: at most max of
 * them into costs; *n is how many there are.
 */
int reading_counts(struct reader *reader, const char *p, uint64_t *costs, size_t *n, size_t max);

/* The same of "summary:" or "totals:", where counts of no event are ignored. */
int reading_sums(struct reader *reader, const char *p, uint64_t *sums, size_t *n);

/* -- texts as the writer would write them -------------------------------------- */

/*
 * Names and texts are reported as the writer would write them, so that writing and reading a profile does not change
 * them.
 */

/* True if the writer writes len bytes as they are; most are such. */
bool escaped_name_fits(const char *name, size_t len);
bool escaped_text_fits(const char *text, size_t len);

/* Makes an escaped name, or text, to be released by bytes_release(). */
void escaped_name(struct bytes *escaped, const char *name, size_t len);
void escaped_text(struct bytes *escaped, const char *text, size_t len);

/* -- lines of costs, names, calls and jumps (lines.c) ---------------------------- */

/* The line is another one, for which see each function; nothing has changed. */
enum { BODYLINE_NOT = -1 };

/* A line of digits, +, - or *: costs, or the source of a call or jump. */
int bodyline_costs(struct reader *reader, const char *p);

/* The same, if it is the usual line: decimal numbers, with one blank between.  Or BODYLINE_NOT. */
int bodyline_quick(struct reader *reader, const char *p);

/* "spec=name" and what looks like it; end is the line's end.  BODYLINE_NOT if it has no such spec. */
int bodyline_specification(struct reader *reader, const char *p, const char *end);

/* A jump whose source did not come; nothing if none is waiting. */
int bodyline_end_jump(struct reader *reader);

/* -- lines "key: value", and where parts begin and end (lines.c) ----------------- */

/* The first part of a file; names are there. */
void partheader_begin(struct reader *reader);

/* "key: value"; end is the line's end. */
int partheader_line(struct reader *reader, const char *p, const char *end);

/* The body begins, or goes on: reports the part to the visitor if that does not know it. */
int partheader_enter_body(struct reader *reader);

/* True if it is a "key: value", understood or not. */
bool partheader_is_line(const char *p, const char *end);

/* True if the file's writer is known to end each line with a line feed, the last one too. */
bool partheader_ends_lines(const struct reader *reader);

/* Whether there is nothing in the file, so far, that Cachegrind does not write. */
bool partheader_is_of_cachegrind(const struct reader *reader);

/* The part ends, if there is one; at_end: of the file. */
int partheader_end_part(struct reader *reader, bool at_end);

#endif
