/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the bytes of a file to the visitor.  A buffer holds whole lines, the last ending in a line feed:
 * what follows it is moved to the front before more is read.  A line's first byte tells its kind.
 *
 * Nearly all of a profile is cost lines of digits with one blank between, so these have a quick way, in
 * which nothing can fail: any other line goes the other way from its start.
 */
#define _GNU_SOURCE /* memrchr, rawmemchr */
#include "profile/format/reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "profile/common/region.h"
#include "profile/common/scan.h"
#include "profile/format/source.h"
#include "writer/escape.h"

enum {
	BUFFER_SIZE = 256 * 1024, /* grows with the longest line, up to READER_MAX_LINE */
	PROGRESS_STEP = 1 << 20,  /* bytes */
};

struct buffer {
	char *data;  /* owned */
	size_t size; /* more is allocated, for the last line feed and what is read after it */
	size_t used;
};

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
	struct name names[N_NAME_KINDS];
	bool has[N_NAME_KINDS];
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
	bool fatal;       /* the error in it is not one that can be skipped */

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
	struct part_region *regions;
	size_t regions_capacity;
	struct part_event *definitions;
	size_t definitions_capacity;
	const char *events[PROFILE_MAX_EVENTS];
	uint64_t summary[PROFILE_MAX_EVENTS];
	uint64_t totals[PROFILE_MAX_EVENTS];

	/* Names. */
	struct dictionary *names; /* of each kind */
	struct idtable ids[N_NAME_KINDS];
	struct idtable part_ids[N_NAME_KINDS]; /* of this part, from the second part on */

	/* The body. */
	struct place place;
	struct name function_file; /* of the next fn= */
	bool place_told;           /* the visitor knows it */
	bool has_function;         /* fn= was there */
	bool file_only;            /* fl= was there, and no fn= after it */
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
static inline void note(struct reader *reader, enum reader_trait trait)
{
	struct trait_note *note = &reader->report->traits[trait];

	if (note->count++ == 0)
		note->line = reader->number;
}

/* True if a word may end before c. */
static inline bool ends_word(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* -- errors ------------------------------------------------------------------- */

/* An error in the line at work, at p (NULL = as a whole); returns PROFILE_SYNTAX. */
__attribute__((format(printf, 3, 4))) static int fail(struct reader *reader, const char *p,
						      const char *format, ...)
{
	char text[PROFILE_ERROR_TEXT];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	reader->error->line = reader->number;
	reader->error->column = p ? (uint64_t)(p - reader->line) + 1 : 0;
	return profile_error_set(reader->error, PROFILE_SYNTAX, "%s", text);
}

/* "expected what", or "... of 64 bits" if there is a number at p that is too large. */
static int fail_number(struct reader *reader, const char *p, const char *what)
{
	bool is_number = scan_is_digit(*p) &&
			 (p[1] != 'x' || *p != '0' || scan_hex_digit(p[2]) < 16);

	return fail(reader, p, "expected %s%s", what, is_number ? " of 64 bits" : "");
}

/* The status of a visitor's function as the reader's. */
static int stop_if(struct reader *reader, int status)
{
	if (!status)
		return PROFILE_OK;
	reader->error->line = reader->number;
	reader->error->column = 0;
	return profile_error_status(reader->error, status);
}

/* -- counts -------------------------------------------------------------------- */

/* The first digit of an exponent at p; NULL if there is none. */
static const char *exponent_digits(const char *p)
{
	if ((*p | 0x20) != 'e')
		return NULL;
	p += p[1] == '-' || p[1] == '+' ? 2 : 1;
	return scan_is_digit(*p) ? p : NULL;
}

/*
 * "12.5", "1.", ".5", "2e-5": to the nearest integer, halves away from 0; returns what follows, or
 * NULL if the number leaves 64 bits.  Digits after the 19th do not matter.
 */
static const char *scan_decimal(const char *p, uint64_t *count)
{
	uint64_t value = 0, divisor = 1;
	int exponent = 0;
	bool in_fraction = false;
	const char *digits;

	for (; scan_is_digit(*p) || (*p == '.' && !in_fraction); p++) {
		if (*p == '.') {
			in_fraction = true;
		} else if (value < UINT64_C(1000000000000000000)) {
			value = value * 10 + (unsigned)(*p - '0');
			exponent -= in_fraction;
		} else {
			exponent += !in_fraction;
		}
	}
	digits = exponent_digits(p);
	if (digits) {
		bool is_minus = digits[-1] == '-';
		int said = 0;

		for (p = digits; scan_is_digit(*p); p++)
			said = said < 10000 ? said * 10 + (*p - '0') : said;
		exponent += is_minus ? -said : said;
	}
	for (; exponent > 0 && value > 0; exponent--) {
		if (value > UINT64_MAX / 10)
			return NULL;
		value *= 10;
	}
	if (exponent < -19)
		value = 0;
	for (; exponent < 0 && value > 0; exponent++)
		divisor *= 10;
	*count = value / divisor + (value % divisor >= divisor - value % divisor);
	return p;
}

/* True for what scan_decimal() reads, and scan_number() does not, or not to its end. */
static bool is_decimal(const char *p)
{
	const char *digits = p;

	while (scan_is_digit(*p))
		p++;
	if (*p == '.')
		return p > digits || scan_is_digit(p[1]);
	return p > digits && exponent_digits(p);
}

/* A count of any spelling; *p is moved past it. */
static int take_count(struct reader *reader, const char **p, uint64_t *count)
{
	const char *start = *p;
	bool negative = *start == '-', large;

	if (*start == '.' && ends_word(start[1])) {
		note(reader, TRAIT_DOT_COUNT);
		*count = 0;
		*p = start + 1;
		return PROFILE_OK;
	}
	if (is_decimal(start + negative)) {
		note(reader, TRAIT_DECIMAL_COUNT);
		*p = scan_decimal(start + negative, count);
	} else {
		*p = scan_number(start + negative, count);
	}
	if (!*p) {
		*p = start;
		return fail_number(reader, start + negative, "a count");
	}
	if (start[negative] == '0' && (start[negative + 1] | 0x20) == 'x')
		note(reader, TRAIT_HEX_COUNT);
	if (negative) {
		note(reader, TRAIT_NEGATIVE_COUNT);
		if (*count > UINT64_C(1) << 63)
			return fail(reader, start, "expected a count of -2^63 or more");
		*count = -*count;
	}
	/* Of counts below 0, some writers print a few as what they are modulo 2^64. */
	large = !negative && *count >> 63;
	reader->has_large |= large;
	if (reader->has_large && (large ? reader->is_signed : negative))
		note(reader, TRAIT_WRAPPED_COUNT);
	if (!negative || reader->is_signed)
		return PROFILE_OK;
	reader->is_signed = true;
	reader->part.is_signed = true;
	return stop_if(reader, visitor_negative(reader->visitor));
}

/*
 * Counts up to the end of the line, which becomes reader->next: at most max of them into costs; *n is how many.
 * More of them have the trait if_more, or are an error (N_READER_TRAITS).
 */
static int take_counts(struct reader *reader, const char *p, uint64_t *costs, size_t *n, size_t max,
		       enum reader_trait if_more)
{
	uint64_t excess; /* where a count that is too many goes */

	*n = 0;
	for (;;) {
		const char *start = p;
		int status;

		for (; ends_word(*p) && *p != '\n'; p++) {
			if (*p == '\t')
				note(reader, TRAIT_TAB);
			if (*p == '\r' && p[1] != '\n')
				return fail(reader, p, "expected a line feed after a CR");
		}
		if (*p == '\n' && p > start && p[-1] != '\r')
			note(reader, TRAIT_TRAILING_BLANK);
		if (*p == '\n')
			break;
		start = p;
		status = take_count(reader, &p, *n < max ? &costs[*n] : &excess);
		if (status)
			return status;
		if (!ends_word(*p))
			return fail(reader, p, "expected a blank or the end of the line");
		if (*n < max)
			(*n)++;
		else if (if_more == N_READER_TRAITS)
			return fail(reader, start, "expected at most %zu counts", max);
		else
			note(reader, if_more);
	}
	reader->next = p + 1;
	return PROFILE_OK;
}

/* Of "summary:" or "totals:", where counts of no event are ignored. */
static int take_sums(struct reader *reader, const char *p, uint64_t *sums, size_t *n)
{
	size_t max = reader->progress == BEFORE_EVENTS ? PROFILE_MAX_EVENTS : reader->part.n_events;

	return take_counts(reader, p, sums, n, max, TRAIT_LONG_SUMS);
}

/* -- texts as the writer would write them -------------------------------------- */

/* The writer's own functions write into memory here, so that writing and reading a profile does not change them. */

static int append(void *ctx, const void *data, size_t len)
{
	bytes_add(ctx, data, len);
	return 0;
}

/* Makes an escaped name or text, to be released. */
static void make_escaped(struct bytes *escaped, const char *text, size_t len,
			 void (*escape)(struct out *out, const char *text, size_t len))
{
	const struct env env = { heap_env.alloc, heap_env.release, append, escaped };
	struct out out;

	bytes_init(escaped);
	out_init(&out, &env);
	escape(&out, text, len);
	out_flush(&out);
	out_release(&out);
}

void reader_dictionaries_init(struct dictionary names[N_NAME_KINDS])
{
	for (int kind = 0; kind < N_NAME_KINDS; kind++) {
		dictionary_init(&names[kind]);
		dictionary_intern(&names[kind], "???", 3);
	}
}

void reader_dictionaries_release(struct dictionary names[N_NAME_KINDS])
{
	for (int kind = 0; kind < N_NAME_KINDS; kind++)
		dictionary_release(&names[kind]);
}

uint32_t reader_intern(struct dictionary *names, const char *name, size_t len)
{
	struct bytes escaped;
	uint32_t key;

	if (escape_name_fits(name, len))
		return dictionary_intern(names, name, len);
	make_escaped(&escaped, name, len, escape_name);
	key = dictionary_intern(names, escaped.text, escaped.len);
	bytes_release(&escaped);
	return key;
}

/* -- headers and parts ------------------------------------------------------------------- */

/* What is left out around a text: blanks, and what the writer would make one. */
static bool is_blank(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f;
}

/* A copy of a text as the writer would write it. */
static const char *keep_all(struct reader *reader, const char *p, const char *end)
{
	if (memchr(p, '\0', (size_t)(end - p)))
		note(reader, TRAIT_NUL);
	if (!escape_text_fits(p, (size_t)(end - p))) {
		struct bytes text;
		const char *copy;

		make_escaped(&text, p, (size_t)(end - p), escape_text);
		copy = arena_copy(&reader->texts, text.text, text.len);
		bytes_release(&text);
		return copy;
	}
	return arena_copy(&reader->texts, p, (size_t)(end - p));
}

/* The same without the blanks around it. */
static const char *keep(struct reader *reader, const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	while (p < end && is_blank(end[-1]))
		end--;
	return keep_all(reader, p, end);
}

/* The body begins, or goes on: reports the part to the visitor if that does not know it. */
static int enter_body(struct reader *reader)
{
	reader->progress = IN_BODY;
	if (reader->visitor_has_part)
		return PROFILE_OK;
	reader->visitor_has_part = true;
	return stop_if(reader, visitor_part(reader->visitor, &reader->part));
}

/* Nothing of a part is known; ids stay. */
static void begin_part(struct reader *reader, size_t index)
{
	const struct name unknown = dictionary_name(&reader->names[NAME_FILE], DICTIONARY_UNKNOWN);

	reader->part = (struct part){
		.index = index,
		.positions = POSITION_LINE,
		.is_signed = reader->is_signed,
		.events = reader->events,
		.summary = reader->summary,
		.totals = reader->totals,
	};
	reader->progress = BEFORE_EVENTS;
	reader->has_header = false;
	reader->has_positions = false;
	reader->visitor_has_part = false;
	reader->columns[0] = COLUMN_LINE;
	reader->n_columns = 1;
	reader->place = (struct place){ unknown, unknown, unknown, unknown, false };
	reader->function_file = unknown;
	reader->place_told = false;
	reader->has_function = reader->file_only = false;
	reader->callee = reader->target = (struct named){ 0 };
	memset(reader->last, 0, sizeof(reader->last));
	for (int kind = 0; kind < N_NAME_KINDS; kind++) {
		idtable_release(&reader->part_ids[kind]);
		idtable_init(&reader->part_ids[kind]);
	}
}

static bool begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool is_of_callgrind(const struct reader *reader)
{
	return reader->creator && (begins_with(reader->creator, "callgrind-") ||
				   begins_with(reader->creator, "costgrind-"));
}

/*
 * What costgrind convert --to=xdebug wrote: of costgrind's files, that alone is without the line of
 * the format.  Old Callgrinds have none either, and write "totals:".
 */
static bool is_as_of_xdebug(const struct reader *reader)
{
	return reader->creator && begins_with(reader->creator, "costgrind-") &&
	       reader->report->traits[TRAIT_NO_FORMAT_LINE].count > 0;
}

/* True if there is nothing in the file, so far, that Cachegrind does not write. */
static bool is_of_cachegrind(const struct reader *reader)
{
	static const enum reader_trait excluded[] = {
		TRAIT_SEVERAL_PARTS, TRAIT_UNKNOWN_KEY, TRAIT_NAME_ID,      TRAIT_CALL,
		TRAIT_JUMP,          TRAIT_INLINED,     TRAIT_INLINED_NAME,
	};
	const struct part *part = &reader->part;

	for (size_t i = 0; i < sizeof(excluded) / sizeof(excluded[0]); i++)
		if (reader->report->traits[excluded[i]].count > 0)
			return false;
	return part->cmd && !reader->creator && !reader->has_version && !reader->has_positions &&
	       !part->has_pid && !part->has_number && !part->has_thread &&
	       !reader->place.has_object && part->totals_line == 0 &&
	       reader->report->traits[TRAIT_NO_FORMAT_LINE].count > 0;
}

/* True if the file's writer is known to end each line with a line feed, the last one too. */
static bool ends_lines(const struct reader *reader)
{
	return is_of_callgrind(reader) || is_of_cachegrind(reader);
}

/* The part ends, if there is one; at_end: of the file. */
static int end_part(struct reader *reader, bool at_end)
{
	const struct part *part = &reader->part;
	int status;

	if (reader->progress == BEFORE_EVENTS) {
		if (!at_end || !reader->has_header)
			return PROFILE_OK;
		if (part->index == 0)
			return fail(reader, NULL,
				    "expected \"events:\", the file ends amid a header");
		note(reader, TRAIT_CUT_OFF);
		return PROFILE_OK;
	}
	/*
	 * The last line may be missing, or cut.  Every version of Callgrind writes "totals:" after the costs of each
	 * part, Cachegrind and convert --to=xdebug "summary:" with a count for each event, and a line feed after
	 * them.  Others never wrote one.
	 */
	if (is_of_callgrind(reader) && !is_as_of_xdebug(reader)) {
		if (part->totals_line == 0)
			note(reader, TRAIT_NO_TOTALS);
	} else if (is_as_of_xdebug(reader) || is_of_cachegrind(reader)) {
		if (part->summary_line == 0)
			note(reader, TRAIT_NO_SUMMARY);
		else if (part->n_summary < part->n_events)
			note(reader, TRAIT_SHORT_SUMMARY);
	}
	if (ends_lines(reader) && at_end &&
	    reader->report->traits[TRAIT_NO_FINAL_NEWLINE].count > 0)
		note(reader, TRAIT_CUT_LINE);
	status = enter_body(reader);
	if (!status)
		status = visitor_part_end(reader->visitor, part);
	reader->report->n_parts++;
	begin_part(reader, part->index + 1);
	return stop_if(reader, status);
}

static int read_version(struct reader *reader, const char *p, const char *end)
{
	const char *after = scan_number(p, &reader->report->version);

	reader->has_version = true;
	if (!after)
		return fail_number(reader, p, "the number of the format's version");
	/* Xdebug 2 wrote "0.9.6". */
	if (after < end && *after != '.' && !scan_is_blank(*after))
		return fail(reader, after, "expected the end of the line");
	if (reader->report->version <= 1)
		return PROFILE_OK;
	reader->fatal = true;
	return fail(reader, p, "expected version 0 or 1 of the format, version %llu is not known",
		    (unsigned long long)reader->report->version);
}

/* A number that identifies a part; what is none ("N/A") says nothing, as in all other readers. */
static int take_id(struct reader *reader, const char *p, const char *end, uint64_t *number,
		   bool *has)
{
	uint64_t value;
	const char *after = scan_number(p, &value);

	if (after && scan_blanks(after) == end) {
		*number = value;
		*has = true;
	} else {
		note(reader, TRAIT_ODD_NUMBER);
	}
	if (reader->progress == AFTER_EVENTS)
		note(reader, TRAIT_LATE_HEADER);
	return PROFILE_OK;
}

static int read_pid(struct reader *reader, const char *p, const char *end)
{
	return take_id(reader, p, end, &reader->part.pid, &reader->part.has_pid);
}

static int read_part(struct reader *reader, const char *p, const char *end)
{
	return take_id(reader, p, end, &reader->part.number, &reader->part.has_number);
}

static int read_thread(struct reader *reader, const char *p, const char *end)
{
	return take_id(reader, p, end, &reader->part.thread, &reader->part.has_thread);
}

static int read_creator(struct reader *reader, const char *p, const char *end)
{
	reader->creator = reader->part.creator = keep(reader, p, end);
	return PROFILE_OK;
}

static int read_cmd(struct reader *reader, const char *p, const char *end)
{
	reader->part.cmd = keep(reader, p, end);
	return PROFILE_OK;
}

/* Takes the regions out of the desc lines from the first-th on; what is none stays.  The events are known. */
static void take_regions(struct reader *reader, size_t first)
{
	struct part *part = &reader->part;
	size_t n = first;

	for (size_t i = first; i < part->n_descs; i++) {
		struct part_region region;

		if (strcmp(reader->descs[i].type, REGION_DESC) != 0 ||
		    !region_read(&region, reader->descs[i].value, part->n_events, &reader->texts)) {
			reader->descs[n] = reader->descs[i];
			reader->desc_lines[n++] = reader->desc_lines[i];
			continue;
		}
		reader->regions = heap_grow(reader->regions, &reader->regions_capacity,
					    part->n_regions + 1, sizeof(region));
		reader->regions[part->n_regions++] = region;
		part->regions = reader->regions;
	}
	part->n_descs = n;
}

static int read_desc(struct reader *reader, const char *p, const char *end)
{
	const char *colon, *type_end, *line, *line_end = end;
	struct part_desc desc;

	/* A type that is empty is not of the grammar; Cachegrind's says only that there is some text. */
	while (p < end && (is_blank(*p) || *p == ':'))
		p++;
	if (p == end)
		return PROFILE_OK;
	colon = memchr(p, ':', (size_t)(end - p));
	type_end = colon ? colon : end;

	desc.type = keep(reader, p, type_end);
	desc.value = keep(reader, colon ? colon + 1 : end, end);
	while (*line_end == ' ' || *line_end == '\t')
		line_end++;
	line = keep_all(reader, p, line_end);
	reader->descs = heap_grow(reader->descs, &reader->descs_capacity, reader->part.n_descs + 1,
				  sizeof(desc));
	reader->desc_lines = heap_grow(reader->desc_lines, &reader->desc_lines_capacity,
				       reader->part.n_descs + 1, sizeof(line));
	if (strcmp(desc.type, SALVAGED_DESC) == 0)
		note(reader, TRAIT_SALVAGED);
	reader->desc_lines[reader->part.n_descs] = line;
	reader->descs[reader->part.n_descs++] = desc;
	reader->part.descs = reader->descs;
	reader->part.desc_lines = reader->desc_lines;
	if (reader->progress != BEFORE_EVENTS)
		take_regions(reader, reader->part.n_descs - 1);
	return PROFILE_OK;
}

/* True if names of events may have it: writers allow no more. */
static bool is_of_name(char c)
{
	return c > ' ' && c <= '~';
}

/* "NAME [= FORMULA] [: LONG NAME]" */
static int read_event(struct reader *reader, const char *p, const char *end)
{
	struct part_event definition = { 0 };
	const char *name_end = p;
	const char *colon;

	while (name_end < end && is_of_name(*name_end) && *name_end != '=' && *name_end != ':')
		name_end++;
	if (name_end == p)
		return fail(reader, p, "expected the name of an event");
	definition.name = keep(reader, p, name_end);
	p = scan_blanks(name_end);
	colon = memchr(p, ':', (size_t)(end - p));
	if (p < end && *p != '=' && *p != ':')
		return fail(reader, p, "expected \"=\", \":\" or the end of the line");
	if (reader->progress != BEFORE_EVENTS)
		note(reader, TRAIT_LATE_EVENT);
	if (p < end && *p == '=') {
		/* All blanks in a formula become spaces, as writers want it. */
		const char *start = ++p, *formula_end = colon ? colon : end;
		char *formula;

		while (p < formula_end && is_blank(*p))
			p++;
		while (p < formula_end && is_blank(formula_end[-1]))
			formula_end--;
		formula = arena_copy(&reader->texts, p, (size_t)(formula_end - p));
		for (char *c = formula; *c; c++)
			if (*c == '\t')
				*c = ' ';
		if (strlen(formula) != (size_t)(formula_end - p) || !formula_is_valid(formula))
			return fail(reader, start, "expected a formula, as in \"Ir + 10 Bm\"");
		definition.formula = formula;
	}
	if (colon)
		definition.long_name = keep(reader, colon + 1, end);
	reader->definitions = heap_grow(reader->definitions, &reader->definitions_capacity,
					reader->part.n_definitions + 1, sizeof(definition));
	reader->definitions[reader->part.n_definitions++] = definition;
	reader->part.definitions = reader->definitions;
	return PROFILE_OK;
}

/* The next word of [*p, end); false at its end. */
static bool next_word(const char **p, const char *end, const char **word, size_t *len)
{
	const char *after;

	while (*p < end && scan_is_blank(**p))
		(*p)++;
	*word = after = *p;
	while (after < end && !scan_is_blank(*after))
		after++;
	*len = (size_t)(after - *p);
	*p = after;
	return *len > 0;
}

static int read_positions(struct reader *reader, const char *p, const char *end)
{
	static const struct {
		const char *name;
		unsigned position;
	} known[N_COLUMNS] = {
		[COLUMN_INSTR] = { "instr", POSITION_INSTR },
		[COLUMN_BB] = { "bb", 0 },
		[COLUMN_LINE] = { "line", POSITION_LINE },
	};
	const char *word;
	size_t len;
	unsigned next = 0; /* column that may come */
	enum column columns[N_COLUMNS] = { COLUMN_LINE };
	unsigned positions = 0;
	size_t n = 0;

	while (next_word(&p, end, &word, &len)) {
		unsigned i = next;

		while (i < N_COLUMNS &&
		       (strlen(known[i].name) != len || memcmp(known[i].name, word, len) != 0))
			i++;
		if (i == N_COLUMNS)
			return fail(reader, word,
				    "expected \"instr\", \"bb\" and \"line\""
				    ", in this order");
		if (i == COLUMN_BB)
			note(reader, TRAIT_BB);
		columns[n++] = (enum column)i;
		positions |= known[i].position;
		next = i + 1;
	}
	/* The grammar allows there to be none; but a line has some position. */
	memcpy(reader->columns, columns, sizeof(columns));
	reader->n_columns = n > 0 ? n : 1;
	reader->part.positions = n > 0 ? positions : POSITION_LINE;
	reader->has_positions = true;
	return PROFILE_OK;
}

static int read_events(struct reader *reader, const char *p, const char *end)
{
	const char *start = p, *word;
	size_t len;

	while (next_word(&p, end, &word, &len)) {
		size_t n = reader->part.n_events, same;

		if (n == PROFILE_MAX_EVENTS)
			return fail(reader, word, "expected at most %d events", PROFILE_MAX_EVENTS);
		for (size_t i = 0; i < len; i++)
			if (!is_of_name(word[i]))
				return fail(reader, word + i, "expected names of ASCII characters");
		for (size_t i = 0; i < n; i++)
			if (strlen(reader->events[i]) == len &&
			    memcmp(reader->events[i], word, len) == 0)
				return fail(reader, word, "expected each event once");
		reader->events[n] = arena_copy(&reader->texts, word, len);
		/* Two columns of one event could not be distinguished later. */
		same = event_index(reader->events, n, reader->events[n]);
		if (same < n)
			return fail(reader, word, "expected each event once, %s is %s",
				    reader->events[same], reader->events[n]);
		reader->part.n_events = n + 1;
	}
	if (reader->part.n_events == 0)
		return fail(reader, start, "expected the names of events");
	reader->progress = AFTER_EVENTS;
	take_regions(reader, 0);
	if (!reader->has_positions)
		note(reader, TRAIT_NO_POSITIONS);
	return PROFILE_OK;
}

static int read_summary(struct reader *reader, const char *p, const char *end)
{
	(void)end;
	memset(reader->summary, 0, sizeof(reader->summary));
	reader->part.summary_line = reader->number;
	if (reader->progress == BEFORE_EVENTS)
		note(reader, TRAIT_SUMMARY_FIRST);
	if (reader->progress == IN_BODY)
		note(reader, TRAIT_SUMMARY_IN_BODY);
	return take_sums(reader, p, reader->summary, &reader->part.n_summary);
}

static int read_totals(struct reader *reader, const char *p, const char *end)
{
	int status;

	(void)end;
	if (reader->progress == BEFORE_EVENTS)
		return fail(reader, NULL, "expected \"events:\" before \"totals:\"");
	status = enter_body(reader);
	if (status)
		return status;
	memset(reader->totals, 0, sizeof(reader->totals));
	reader->part.totals_line = reader->number;
	return take_sums(reader, p, reader->totals, &reader->part.n_totals);
}

struct key {
	const char *name;
	int (*read)(struct reader *reader, const char *p, const char *end);
	bool begins_part; /* after the body of another one */
	bool of_part;     /* a part must follow */
};

static const struct key keys[] = {
	{ "version", read_version, true, false },
	{ "creator", read_creator, true, false },
	{ "pid", read_pid, true, true },
	{ "cmd", read_cmd, true, true },
	{ "part", read_part, true, true },
	{ "thread", read_thread, true, true },
	{ "desc", read_desc, true, false },
	{ "event", read_event, true, false },
	{ "positions", read_positions, true, true },
	{ "events", read_events, true, true },
	{ "summary", read_summary, false, true },
	{ "totals", read_totals, false, true },
};

/* True if a line with this key is the first of another part. */
static bool begins_part(const struct reader *reader, const struct key *key)
{
	if (reader->progress == IN_BODY)
		return key->begins_part;
	return reader->progress == AFTER_EVENTS &&
	       (key->read == read_events || key->read == read_positions);
}

/* The colon of "key: value"; NULL of another line. */
static const char *find_colon(const char *p, const char *end)
{
	const char *colon = memchr(p, ':', (size_t)(end - p));

	return colon && !memchr(p, '=', (size_t)(colon - p)) ? colon : NULL;
}

/* "key: value"; end is the line's end. */
static int read_header_line(struct reader *reader, const char *p, const char *end)
{
	const char *colon = find_colon(p, end);
	const struct key *key = NULL;

	if (!colon)
		return fail(reader, p,
			    "expected a header line, costs, or one of ob= fl= "
			    "fi= fe= fn= cob= cfi= cfn= calls= jump= jcnd=");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strlen(keys[i].name) == (size_t)(colon - p) &&
		    memcmp(keys[i].name, p, (size_t)(colon - p)) == 0)
			key = &keys[i];
	if (!key) {
		note(reader, TRAIT_UNKNOWN_KEY);
		return PROFILE_OK;
	}
	if (begins_part(reader, key)) {
		int status = end_part(reader, false);

		if (status)
			return status;
		note(reader, TRAIT_SEVERAL_PARTS);
	}
	if (reader->progress != BEFORE_EVENTS && key->begins_part)
		note(reader, TRAIT_HEADER_ORDER);
	if (reader->part.first_line == 0)
		reader->part.first_line = reader->number;
	if (key->of_part)
		reader->has_header = true;
	return key->read(reader, scan_blanks(colon + 1), end);
}

/* -- costs, names, calls and jumps ------------------------------------------------------- */

/* "+n" or "-n" against what value is. */
static int take_step(struct reader *reader, const char **p, uint64_t *value)
{
	const char *start = *p;
	uint64_t step;

	*p = scan_number(start + 1, &step);
	if (!*p) {
		*p = start;
		return fail_number(reader, start + 1, "a number");
	}
	if (step >> 31)
		note(reader, TRAIT_LARGE_STEP);
	if (*start == '-' && step > *value)
		return fail(reader, start, "expected a position of 0 or more, counted from %llu",
			    (unsigned long long)*value);
	if (*start == '+' && *value + step < step)
		note(reader, TRAIT_WRAPPED_POSITION);
	*value = *start == '+' ? *value + step : *value - step;
	return PROFILE_OK;
}

/* A subposition; *value is what it may be relative to. */
static int take_subposition(struct reader *reader, const char **p, uint64_t *value, bool *relative)
{
	const char *start = *p;
	uint64_t ignored;
	int status;

	if (*start == '*') {
		(*p)++;
		*relative = true;
	} else if (*start == '+' || *start == '-') {
		*relative = true;
		status = take_step(reader, p, value);
		if (status)
			return status;
	} else {
		*p = scan_number(start, value);
		if (!*p) {
			*p = start;
			return fail_number(reader, start, "a position");
		}
	}
	if (ends_word(**p))
		return PROFILE_OK;
	/* A range, "-n", "+n" or ":n" after a number: its beginning counts. */
	start = *p;
	if (*start == '-' || *start == '+' || *start == ':')
		*p = scan_number(start + 1, &ignored);
	if (*p == start || !*p || !ends_word(**p)) {
		*p = start;
		return fail(reader, start, "expected a blank or the end of the line");
	}
	note(reader, TRAIT_RANGE);
	return PROFILE_OK;
}

static void note_relative(struct reader *reader)
{
	note(reader, TRAIT_RELATIVE);
	if (reader->first_of_function)
		note(reader, TRAIT_RELATIVE_AFTER_FN);
}

static struct position last_position(const struct reader *reader)
{
	return (struct position){ reader->last[COLUMN_INSTR], reader->last[COLUMN_LINE] };
}

/* Reports the place, so that what belongs to it may follow. */
static int visit_place(struct reader *reader)
{
	static const char unspecified[] = "<unspecified>";
	struct dictionary *names = &reader->names[NAME_FUNCTION];
	int status;

	if (reader->place_told)
		return PROFILE_OK;
	if (reader->progress == BEFORE_EVENTS)
		return fail(reader, NULL, "expected \"events:\" before any costs");
	status = enter_body(reader);
	if (status)
		return status;
	/* Costs follow "fl=" without a "fn=" between. */
	if (reader->file_only && is_of_cachegrind(reader)) {
		note(reader, TRAIT_UNSPECIFIED);
		reader->place.file = reader->place.source;
		reader->place.function = dictionary_name(
			names, dictionary_intern(names, unspecified, sizeof(unspecified) - 1));
		reader->has_function = true;
	} else if (reader->file_only && reader->has_function) {
		note(reader, TRAIT_FILE_ONLY);
	}
	if (!reader->has_function)
		note(reader, TRAIT_NO_FUNCTION);
	reader->place_told = true;
	return stop_if(reader, visitor_place(reader->visitor, &reader->place));
}

static int visit_jump(struct reader *reader)
{
	reader->pending = PENDING_NOTHING;
	reader->target.has[NAME_FILE] = reader->target.has[NAME_FUNCTION] = false;
	reader->jump.at = last_position(reader);
	return stop_if(reader, visitor_jump(reader->visitor, &reader->jump));
}

/* A jump whose source did not come; nothing if none is waiting. */
static int end_jump(struct reader *reader)
{
	if (reader->pending != PENDING_JUMP)
		return PROFILE_OK;
	note(reader, TRAIT_JUMP_WITHOUT_SOURCE);
	return visit_jump(reader);
}

/* Visits what a line with a position was of; n is how many costs it had. */
static inline int visit_cost_line(struct reader *reader, size_t n)
{
	struct position at;

	if (reader->pending == PENDING_CALL) {
		reader->pending = PENDING_NOTHING;
		reader->callee.has[NAME_OBJECT] = reader->callee.has[NAME_FILE] = false;
		reader->call.at = last_position(reader);
		reader->call.costs = reader->costs;
		reader->call.n_costs = n;
		return stop_if(reader, visitor_call(reader->visitor, &reader->call));
	}
	if (reader->pending == PENDING_JUMP) {
		int status = visit_jump(reader);
		if (status || n == 0)
			return status;
		/* By the letter of the grammar, it is an ordinary cost line. */
		note(reader, TRAIT_JUMP_SOURCE_COSTS);
	}
	if (n < reader->part.n_events)
		note(reader, TRAIT_FEW_COUNTS);
	at = last_position(reader);
	return stop_if(reader, visitor_cost(reader->visitor, &at, reader->costs, n));
}

/* A line of digits, +, - or *: costs, or the source of a call or jump. */
static int read_costs(struct reader *reader, const char *p)
{
	bool relative = false;
	size_t n;
	int status = visit_place(reader);

	for (size_t i = 0; i < reader->n_columns && !status; i++) {
		if (i > 0 && !ends_word(*p))
			return fail(reader, p, "expected a blank");
		p = scan_blanks(p);
		status = take_subposition(reader, &p, &reader->last[reader->columns[i]], &relative);
	}
	if (status)
		return status;
	if (relative)
		note_relative(reader);
	reader->first_of_function = false;
	status = take_counts(reader, p, reader->costs, &n, reader->part.n_events, N_READER_TRAITS);
	return status ? status : visit_cost_line(reader, n);
}

/* 1 to 18 decimal digits, one by one; NULL if it is anything else. */
static const char *quick_long_number(const char *p, uint64_t *value)
{
	const char *start = p;
	uint64_t v = 0;
	unsigned digit;

	while ((digit = (unsigned char)(*p - '0')) <= 9) {
		v = v * 10 + digit;
		p++;
	}
	*value = v;
	return p > start && p - start <= 18 ? p : NULL;
}

/* Up to 18 decimal digits; NULL if it is anything else. */
static inline const char *quick_number(const char *p, uint64_t *value)
{
	unsigned len = scan_short_number(p, value);

	return len > 0 ? p + len : quick_long_number(p, value);
}

/* A decimal subposition; *value is what it may be relative to.  NULL if it is anything else. */
static inline const char *quick_position(const char *p, uint64_t *value, bool *relative)
{
	uint64_t number;

	if (scan_is_digit(*p))
		return quick_number(p, value);
	*relative = true;
	if (*p == '*')
		return p + 1;
	if (*p == '+') {
		p = quick_number(p + 1, &number);
		if (!p || number >> 31 || *value + number < number)
			return NULL;
		*value += number;
		return p;
	}
	if (*p != '-')
		return NULL;
	p = quick_number(p + 1, &number);
	if (!p || number >> 31 || number > *value)
		return NULL;
	*value -= number;
	return p;
}

/* The line is of another kind; nothing has changed. */
enum { NOT_SUCH_A_LINE = -1 };

/* The same, if it is the usual line: decimal numbers, with one blank between.  Or NOT_SUCH_A_LINE. */
static int read_costs_quickly(struct reader *reader, const char *p)
{
	const size_t n_columns = reader->n_columns, max = reader->part.n_events;
	uint64_t *const costs = reader->costs;
	uint64_t last[N_COLUMNS];
	bool relative = false;
	size_t n = 0;

	if (!reader->place_told)
		return NOT_SUCH_A_LINE;
	memcpy(last, reader->last, sizeof(last));
	for (size_t i = 0; i < n_columns; i++) {
		p = quick_position(p, &last[reader->columns[i]], &relative);
		if (!p || (*p != ' ' && (*p != '\n' || i + 1 < n_columns)))
			return NOT_SUCH_A_LINE;
		p += *p == ' ' && i + 1 < n_columns;
	}
	while (*p == ' ' && p[1] != '\n') {
		unsigned digit = (unsigned char)(p[1] - '0');

		if (n == max)
			return NOT_SUCH_A_LINE;
		if (digit <= 9 && p[2] <= ' ') { /* as are most */
			costs[n++] = digit;
			p += 2;
			continue;
		}
		p = quick_number(p + 1, &costs[n++]);
		if (!p)
			return NOT_SUCH_A_LINE;
	}
	if (*p == ' ') {
		note(reader, TRAIT_TRAILING_BLANK);
		p++;
	}
	if (*p != '\n')
		return NOT_SUCH_A_LINE;
	memcpy(reader->last, last, sizeof(last));
	if (relative)
		note_relative(reader);
	reader->first_of_function = false;
	reader->next = p + 1;
	return visit_cost_line(reader, n);
}

/* The key of a name that is written out. */
static uint32_t intern(struct reader *reader, const char *p, const char *end, enum name_kind kind)
{
	if (p == end) {
		note(reader, TRAIT_EMPTY_NAME);
		return DICTIONARY_UNKNOWN;
	}
	if (memchr(p, '\0', (size_t)(end - p)))
		note(reader, TRAIT_NUL);
	return reader_intern(&reader->names[kind], p, (size_t)(end - p));
}

/* A name, defined or by its id, from p to end. */
static int read_name(struct reader *reader, const char *p, const char *end, enum name_kind kind,
		     struct name *name)
{
	const char *start = p = scan_blanks(p);
	uint64_t id;
	uint32_t key;

	if (*p != '(' || !scan_is_digit(p[1])) {
		note(reader, TRAIT_NAME_PLAIN);
		key = intern(reader, p, end, kind);
	} else {
		p = scan_number(p + 1, &id);
		if (!p)
			return fail_number(reader, start + 1, "an id");
		if (*p != ')')
			return fail(reader, p, "expected \")\" after an id");
		p = scan_blanks(p + 1);
		if (p >= end) {
			note(reader, TRAIT_NAME_ID);
			key = idtable_get(&reader->ids[kind], id);
			if (key == IDTABLE_NONE)
				return fail(reader, start,
					    "expected a name after id %llu,"
					    " which is not known yet",
					    (unsigned long long)id);
			if (reader->part.index > 0 &&
			    idtable_get(&reader->part_ids[kind], id) == IDTABLE_NONE)
				note(reader, TRAIT_ID_OF_EARLIER_PART);
		} else {
			const uint32_t old = idtable_get(&reader->ids[kind], id);

			key = intern(reader, p, end, kind);
			if (reader->part.index > 0)
				idtable_put(&reader->part_ids[kind], id, key);
			if (old == key)
				note(reader, TRAIT_ID_REPEATED);
			else if (old != IDTABLE_NONE)
				note(reader, TRAIT_ID_REDEFINED);
			if (old != key)
				idtable_put(&reader->ids[kind], id, key);
		}
	}
	*name = dictionary_name(&reader->names[kind], key);
	return PROFILE_OK;
}

/* The positions after a count, as far as they are there; any more are ignored (Xdebug). */
static int take_target(struct reader *reader, const char *p, const char *end,
		       struct position *target)
{
	uint64_t positions[N_COLUMNS];
	size_t i = 0;
	bool relative = false;

	memcpy(positions, reader->last, sizeof(positions));
	for (p = scan_blanks(p); p < end; p = scan_blanks(p)) {
		uint64_t ignored = 0;
		uint64_t *value = i < reader->n_columns ? &positions[reader->columns[i]] : &ignored;
		int status = take_subposition(reader, &p, value, &relative);

		if (status)
			return status;
		i++;
	}
	for (; i < reader->n_columns; i++)
		positions[reader->columns[i]] = 0;
	if (relative)
		note(reader, TRAIT_RELATIVE_TARGET);
	*target = (struct position){ positions[COLUMN_INSTR], positions[COLUMN_LINE] };
	return PROFILE_OK;
}

/* A line "spec=..." */
struct specification {
	char prefix[8];
	unsigned len; /* of the prefix */
	bool moves_place;
	enum name_kind kind;     /* of the name that it has */
	enum reader_trait trait; /* N_READER_TRAITS = none */
	int (*read)(struct reader *reader, const struct specification *spec, const char *p,
		    const char *end);
};

static int read_calls(struct reader *reader, const struct specification *spec, const char *p,
		      const char *end)
{
	(void)spec;
	struct call *call = &reader->call;
	const struct named *callee = &reader->callee;
	int status = visit_place(reader);

	p = scan_blanks(p);
	if (!status)
		status = take_count(reader, &p, &call->count);
	if (!status && !ends_word(*p))
		status = fail(reader, p, "expected a blank");
	if (!status)
		status = take_target(reader, p, end, &call->target);
	if (status)
		return status;
	note(reader, TRAIT_CALL);
	if (call->count == 0)
		note(reader, TRAIT_ZERO_CALLS);
	if (!callee->has[NAME_FUNCTION])
		return fail(reader, NULL, "expected \"cfn=\" before \"calls=\"");
	call->callee.has_object = callee->has[NAME_OBJECT] || reader->place.has_object;
	call->callee.object = callee->has[NAME_OBJECT] ? callee->names[NAME_OBJECT]
						       : reader->place.object;
	call->callee.file = callee->has[NAME_FILE] ? callee->names[NAME_FILE]
						   : reader->place.source;
	call->callee.function = callee->names[NAME_FUNCTION];
	call->callee.source = call->callee.file;
	reader->pending = PENDING_CALL;
	return PROFILE_OK;
}

/*
 * "jump=count target".  "jcnd=followed/executed target" in Callgrind and KCachegrind; with a
 * blank, as in the specification, "executed followed target".
 */
static int read_jump(struct reader *reader, const struct specification *spec, const char *p,
		     const char *end)
{
	struct jump *jump = &reader->jump;
	const struct named *target = &reader->target;
	int status = visit_place(reader);

	p = scan_blanks(p);
	if (!status)
		status = take_count(reader, &p, &jump->followed);
	if (status)
		return status;
	jump->executed = jump->followed;
	jump->is_conditional = spec->prefix[1] == 'c';
	if (jump->is_conditional) {
		bool slash = *p == '/';

		if (!slash && !ends_word(*p))
			return fail(reader, p, "expected \"/\" or a blank");
		p = slash ? p + 1 : scan_blanks(p);
		status = take_count(reader, &p, slash ? &jump->executed : &jump->followed);
		if (status)
			return status;
		if (!slash)
			note(reader, TRAIT_JCND_BLANK);
	}
	if (!ends_word(*p))
		return fail(reader, p, "expected a blank");
	status = take_target(reader, p, end, &jump->target);
	if (status)
		return status;
	note(reader, TRAIT_JUMP);
	jump->file = target->has[NAME_FILE] ? target->names[NAME_FILE] : reader->place.source;
	jump->has_function = target->has[NAME_FUNCTION];
	jump->function = jump->has_function ? target->names[NAME_FUNCTION] : reader->place.function;
	reader->pending = PENDING_JUMP;
	return PROFILE_OK;
}

static int read_object(struct reader *reader, const struct specification *spec, const char *p,
		       const char *end)
{
	reader->place.function = dictionary_name(&reader->names[NAME_FUNCTION], DICTIONARY_UNKNOWN);
	reader->has_function = false;
	reader->place.has_object = true;
	return read_name(reader, p, end, spec->kind, &reader->place.object);
}

static int read_file(struct reader *reader, const struct specification *spec, const char *p,
		     const char *end)
{
	int status = read_name(reader, p, end, spec->kind, &reader->function_file);

	if (!reader->has_function)
		reader->place.file = reader->function_file;
	reader->place.source = reader->function_file;
	reader->file_only = true;
	return status;
}

static int read_inlined_file(struct reader *reader, const struct specification *spec, const char *p,
			     const char *end)
{
	return read_name(reader, p, end, spec->kind, &reader->place.source);
}

static int read_function(struct reader *reader, const struct specification *spec, const char *p,
			 const char *end)
{
	reader->place.file = reader->place.source = reader->function_file;
	reader->place.function = dictionary_name(&reader->names[NAME_FUNCTION], DICTIONARY_UNKNOWN);
	reader->has_function = true;
	reader->file_only = false;
	reader->first_of_function = true;
	return read_name(reader, p, end, spec->kind, &reader->place.function);
}

static int read_callee(struct reader *reader, const struct specification *spec, const char *p,
		       const char *end)
{
	int status = read_name(reader, p, end, spec->kind, &reader->callee.names[spec->kind]);

	reader->callee.has[spec->kind] = status == PROFILE_OK;
	return status;
}

static int read_target(struct reader *reader, const struct specification *spec, const char *p,
		       const char *end)
{
	size_t before = reader->ids[spec->kind].count;
	int status = read_name(reader, p, end, spec->kind, &reader->target.names[spec->kind]);

	if (reader->ids[spec->kind].count > before)
		note(reader, TRAIT_JFI_DEFINES);
	reader->target.has[spec->kind] = status == PROFILE_OK;
	return status;
}

/* Always a plain name, whatever else is numbered. */
static int read_inlined_name(struct reader *reader, const struct specification *spec, const char *p,
			     const char *end)
{
	(void)spec;
	if (memchr(p, '\0', (size_t)(end - p)))
		note(reader, TRAIT_NUL);
	return PROFILE_OK;
}

/* By how often they come. */
static const struct specification specifications[] = {
	{ "cfn=", 4, false, NAME_FUNCTION, N_READER_TRAITS, read_callee },
	{ "calls=", 6, false, N_NAME_KINDS, N_READER_TRAITS, read_calls },
	{ "cfi=", 4, false, NAME_FILE, N_READER_TRAITS, read_callee },
	{ "fn=", 3, true, NAME_FUNCTION, N_READER_TRAITS, read_function },
	{ "fi=", 3, true, NAME_FILE, TRAIT_INLINED, read_inlined_file },
	{ "fe=", 3, true, NAME_FILE, TRAIT_INLINED, read_inlined_file },
	{ "fl=", 3, true, NAME_FILE, N_READER_TRAITS, read_file },
	{ "jcnd=", 5, false, N_NAME_KINDS, N_READER_TRAITS, read_jump },
	{ "jump=", 5, false, N_NAME_KINDS, N_READER_TRAITS, read_jump },
	{ "cob=", 4, false, NAME_OBJECT, N_READER_TRAITS, read_callee },
	{ "ob=", 3, true, NAME_OBJECT, N_READER_TRAITS, read_object },
	{ "cfl=", 4, false, NAME_FILE, TRAIT_CFL, read_callee },
	{ "cfni=", 5, false, NAME_FUNCTION, TRAIT_INLINED_NAME, read_inlined_name },
	{ "jfi=", 4, false, NAME_FILE, TRAIT_JFI, read_target },
	{ "jfn=", 4, false, NAME_FUNCTION, TRAIT_JFN, read_target },
	{ "rcalls=", 7, false, N_NAME_KINDS, TRAIT_RCALLS, read_calls },
};

/* "spec=name" and what looks like it; end is the line's end. */
static int read_specification(struct reader *reader, const char *p, const char *end)
{
	const struct specification *spec = specifications;
	const struct specification *last = spec + sizeof(specifications) / sizeof(*spec);

	while (spec < last &&
	       (p[0] != spec->prefix[0] || p[1] != spec->prefix[1] ||
		(size_t)(end - p) < spec->len || memcmp(p, spec->prefix, spec->len) != 0))
		spec++;
	if (spec == last)
		return NOT_SUCH_A_LINE;
	if (spec->moves_place) {
		reader->place_told = false;
		if (reader->progress == AFTER_EVENTS) {
			int status = enter_body(reader);

			if (status)
				return status;
		}
	}
	if (spec->trait != N_READER_TRAITS)
		note(reader, spec->trait);
	return spec->read(reader, spec, p + spec->len, end);
}

/* -- lines --------------------------------------------------------------------- */

/* True if a line is "key:", and nothing or a blank after it. */
static bool has_key(const char *p, const char *end, const char *key)
{
	size_t len = strlen(key);

	return (size_t)(end - p) >= len && memcmp(p, key, len) == 0 && p[len] <= ' ';
}

/* Notes a line up to the first events: that Cachegrind would not write there. */
static void note_order(struct reader *reader, const char *p, const char *end)
{
	if (reader->progress != BEFORE_EVENTS || reader->part.index > 0)
		return;
	if (has_key(p, end, "desc:") && !reader->part.cmd)
		return;
	if (has_key(p, end, "cmd:") && !reader->part.cmd)
		return;
	if (!has_key(p, end, "events:") || !reader->part.cmd)
		note(reader, TRAIT_HEADER_ORDER);
}

static bool begins_cost_line(char c)
{
	return scan_is_digit(c) || c == '+' || c == '-' || c == '*';
}

/* Counts a line that is not understood; what it belonged to is void. */
static void skip_line(struct reader *reader)
{
	if (reader->report->skipped++ == 0)
		reader->report->first_skipped = *reader->error;
	reader->pending = PENDING_NOTHING;
}

static bool can_skip(const struct reader *reader, int status)
{
	return status == PROFILE_SYNTAX && reader->lenient && !reader->fatal;
}

/* A line that is not simply one of costs; sets reader->next before anything can fail. */
static int read_odd_line(struct reader *reader, const char *p)
{
	const char *feed = rawmemchr(p, '\n');
	const char *end = feed;
	int status;

	reader->next = feed + 1;
	note_order(reader, p, end);
	if (end > p && end[-1] == '\r') {
		end--;
		note(reader, TRAIT_CRLF);
	}
	/* Files that were made larger before they were written to. */
	if (p < end && *p == '\0') {
		while (p < end && *p == '\0')
			p++;
		note(reader, TRAIT_NUL);
	}
	if (p < end && scan_is_blank(*p)) {
		p = scan_blanks(p);
		if (p < end)
			note(reader, TRAIT_LEADING_BLANK);
	}
	if (begins_cost_line(*p))
		return read_costs(reader, p);
	if (p == end || *p == '#')
		return PROFILE_OK;
	if (reader->pending == PENDING_CALL) {
		status = fail(reader, p, "expected the cost line of \"calls=\"");
		if (!can_skip(reader, status))
			return status;
		skip_line(reader);
	}
	status = end_jump(reader);
	if (!status)
		status = read_specification(reader, p, end);
	return status == NOT_SUCH_A_LINE ? read_header_line(reader, p, end) : status;
}

static int read_line(struct reader *reader)
{
	const char *p = reader->line;
	int status;

	if (*p == '\n') {
		reader->next = p + 1;
		note_order(reader, p, p);
		return PROFILE_OK;
	}
	if (begins_cost_line(*p)) {
		status = read_costs_quickly(reader, p);
		if (status != NOT_SUCH_A_LINE)
			return status;
		reader->next = NULL;
		status = read_costs(reader, p);
		if (reader->next && reader->next[-2] == '\r')
			note(reader, TRAIT_CRLF);
	} else {
		status = read_odd_line(reader, p);
	}
	if (!can_skip(reader, status))
		return status;
	skip_line(reader);
	reader->next = (const char *)rawmemchr(p, '\n') + 1;
	return PROFILE_OK;
}

/* True if the first line of len bytes is this one. */
static bool is_line(const char *data, size_t len, const char *line)
{
	size_t n = strlen(line);

	return len > n && memcmp(data, line, n) == 0 && (data[n] == '\n' || data[n] == '\r');
}

static bool begins_header(char c)
{
	return c == '#' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* The name of the encoding if len bytes begin as text in UTF-16 does, else NULL. */
static const char *utf16_of(const char *data, size_t len)
{
	if (len < 4)
		return NULL;
	if (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "\xfe\xff", 2) == 0)
		return "UTF-16";
	/* Without a byte order mark: two characters of a header or a comment. */
	if (begins_header(data[0]) && !data[1] && data[2] && !data[3])
		return "UTF-16LE";
	return !data[0] && begins_header(data[1]) && !data[2] && data[3] ? "UTF-16BE" : NULL;
}

/* The first line says what the file is; a call tree looks much like a profile from there on. */
static int read_first_line(struct reader *reader, const char *data, size_t len)
{
	const char *utf16 = utf16_of(data, len);

	if (utf16) {
		reader->fatal = true;
		return fail(reader, NULL,
			    "expected text in UTF-8, this is in UTF-16 "
			    "(iconv -f %s -t UTF-8 converts it)",
			    utf16);
	}
	if (len >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
		note(reader, TRAIT_BYTE_ORDER_MARK);
		reader->line = data += 3;
		len -= 3;
	}
	/* Webgrind's files begin with a version, 4 to 7, of 32 bits. */
	if (len >= 4 && data[0] >= 4 && data[0] <= 7 && memcmp(data + 1, "\0\0", 3) == 0) {
		reader->fatal = true;
		return fail(reader, NULL,
			    "expected a profile, this is a file of Webgrind's (costgrind "
			    "convert --from=webgrind reads it)");
	}
	if (!is_line(data, len, "# callgrind format"))
		note(reader, TRAIT_NO_FORMAT_LINE);
	if (!is_line(data, len, "# costgrind call tree"))
		return read_line(reader);
	reader->fatal = true;
	return fail(reader, NULL,
		    "expected a profile, this is a call tree (costgrind convert reads it)");
}

/* All lines of len bytes; the last byte is a line feed. */
static int read_lines(struct reader *reader, const char *data, size_t len)
{
	const char *end = data + len;

	for (reader->line = data; reader->line < end; reader->line = reader->next) {
		int status = ++reader->number == 1 ? read_first_line(reader, data, len)
						   : read_line(reader);

		if (status)
			return status;
	}
	return PROFILE_OK;
}

/* Reads as much as there is room for; *len is 0 at the end. */
static int fill(struct reader *reader, struct source *source, struct buffer *buffer, size_t *len)
{
	struct reader_report *report = reader->report;
	size_t head;
	int status;

	*len = 0;
	if (buffer->used == READER_MAX_LINE) {
		reader->number++;
		return fail(reader, NULL, "expected a line of at most %d bytes", READER_MAX_LINE);
	}
	if (buffer->used == buffer->size) {
		buffer->size = buffer->size ? 2 * buffer->size : BUFFER_SIZE;
		buffer->data = heap_resize(buffer->data, buffer->size + 1 + SCAN_SLACK);
	}
	status = source_read(source, buffer->data + buffer->used, buffer->size - buffer->used, len,
			     reader->error);
	if (status)
		reader->error->line = reader->error->column = 0;
	report->bytes += *len;
	head = *len < READER_HEAD - report->head_len ? *len : READER_HEAD - report->head_len;
	memcpy(report->head + report->head_len, buffer->data + buffer->used, head);
	report->head_len += head;
	return status;
}

/* Reads the lines that are whole by now, the last len bytes being new; keeps the rest. */
static int read_whole_lines(struct reader *reader, struct buffer *buffer, size_t len)
{
	const char *new = buffer->data + buffer->used;
	const char *feed = memrchr(new, '\n', len);
	size_t whole;
	int status;

	buffer->used += len;
	if (!feed)
		return PROFILE_OK;
	memset(buffer->data + buffer->used, 0, SCAN_SLACK);
	whole = (size_t)(feed - buffer->data) + 1;
	status = read_lines(reader, buffer->data, whole);
	buffer->used -= whole;
	memmove(buffer->data, buffer->data + whole, buffer->used);
	return status;
}

/* The file ends here, too early: what was announced does not come. */
static void cut_off(struct reader *reader)
{
	reader->pending = PENDING_NOTHING;
	note(reader, TRAIT_CUT_OFF);
}

/* A part has begun, so that something is left of a file that ends amid what follows. */
static bool has_part(const struct reader *reader)
{
	return reader->progress != BEFORE_EVENTS || reader->part.index > 0;
}

/*
 * The last line, of len bytes with the line feed that it lacks.  Where the writer ends its lines, it is a
 * beginning, whose last number may be the beginning of a number; so is a line of anybody's that
 * cannot be read.
 */
static int read_last_line(struct reader *reader, const char *data, size_t len, bool is_cut)
{
	const struct profile_error error = *reader->error;
	bool lenient = reader->lenient;
	int status;

	if (reader->progress != BEFORE_EVENTS && !find_colon(data, data + len) &&
	    (is_cut || ends_lines(reader))) {
		reader->number++;
		cut_off(reader);
		return PROFILE_OK;
	}
	reader->lenient &= !has_part(reader);
	status = read_lines(reader, data, len);
	reader->lenient = lenient;
	if (status != PROFILE_SYNTAX || reader->fatal)
		return status;
	if (!has_part(reader))
		return reader->has_header ? end_part(reader, true) : status;
	*reader->error = error;
	cut_off(reader);
	return PROFILE_OK;
}

/* What is left when there is no more; is_cut: there should be. */
static int read_end(struct reader *reader, struct buffer *buffer, bool is_cut)
{
	int status = PROFILE_OK;

	while (buffer->used > 0 && buffer->data[buffer->used - 1] == '\0') {
		buffer->used--;
		note(reader, TRAIT_NUL);
	}
	if (buffer->used > 0) {
		buffer->data[buffer->used] = '\n';
		memset(buffer->data + buffer->used + 1, 0, SCAN_SLACK);
		status = read_last_line(reader, buffer->data, buffer->used + 1, is_cut);
		note(reader, TRAIT_NO_FINAL_NEWLINE);
	}
	if (!status && (is_cut || reader->pending == PENDING_CALL))
		cut_off(reader);
	if (!status)
		status = end_jump(reader);
	return status ? status : end_part(reader, true);
}

static int read_source(struct reader *reader, struct source *source,
		       const struct reader_options *options)
{
	const struct profile_error error = *reader->error;
	struct buffer buffer = { 0 };
	uint64_t reported = 0;
	size_t len = 1;
	int status = PROFILE_OK;

	while (!status && len > 0) {
		status = fill(reader, source, &buffer, &len);
		if (!status && len > 0)
			status = read_whole_lines(reader, &buffer, len);
		if (!status && options->progress && source->bytes - reported >= PROGRESS_STEP) {
			reported = source->bytes;
			status = stop_if(reader, options->progress(options->progress_ctx, reported,
								   source->size));
		}
	}
	if (status && source->is_cut && has_part(reader)) {
		*reader->error = error;
		status = PROFILE_OK;
	} else if (status && source->is_cut) {
		/* Like any file that ends amid a header. */
		status = reader->error->status = PROFILE_SYNTAX;
	}
	if (!status)
		status = read_end(reader, &buffer, source->is_cut);
	reader->report->lines = reader->number;
	free(buffer.data);
	return status;
}

/* Reads a source that is open; its caller closes it. */
static int read_all(struct source *source, const struct reader_options *options,
		    const struct visitor *visitor, struct reader_report *report,
		    struct profile_error *error)
{
	struct dictionary own_names[N_NAME_KINDS];
	struct reader *reader = heap_zeroed(1, sizeof(*reader));
	int status;

	reader->visitor = visitor;
	reader->report = report;
	reader->error = error;
	reader->lenient = options->lenient;
	reader->names = options->names ? options->names : own_names;
	arena_init(&reader->texts);
	for (int kind = 0; kind < N_NAME_KINDS; kind++) {
		idtable_init(&reader->ids[kind]);
		idtable_init(&reader->part_ids[kind]);
	}
	if (!options->names)
		reader_dictionaries_init(own_names);
	begin_part(reader, 0);
	status = read_source(reader, source, options);
	for (int kind = 0; kind < N_NAME_KINDS; kind++) {
		idtable_release(&reader->ids[kind]);
		idtable_release(&reader->part_ids[kind]);
	}
	arena_release(&reader->texts);
	free(reader->descs);
	free(reader->desc_lines);
	free(reader->regions);
	free(reader->definitions);
	if (!options->names)
		reader_dictionaries_release(own_names);
	free(reader);
	return status;
}

/* Where a caller wants no report or no error, they go here. */
struct unwanted {
	struct reader_report report;
	struct profile_error error;
	struct reader_options options;
};

int reader_read(const char *path, const struct reader_options *options,
		const struct visitor *visitor, struct reader_report *report,
		struct profile_error *error)
{
	struct unwanted unwanted = { .options = { 0 } };
	struct source source;
	int status;

	options = options ? options : &unwanted.options;
	report = report ? report : &unwanted.report;
	error = error ? error : &unwanted.error;
	*report = (struct reader_report){ .version = 1 };
	*error = (struct profile_error){ .file = path };
	status = options->is_named ? source_open_named(&source, path, error)
				   : source_open(&source, path, error);
	if (status)
		return status;
	status = read_all(&source, options, visitor, report, error);
	source_close(&source);
	return status;
}

/* By which is to be reported if there are several. */
static const struct {
	enum reader_trait trait;
	const char *text;
} end_faults[] = {
	{ TRAIT_CUT_OFF, "expected more after this line, the profile is cut short" },
	{ TRAIT_NO_TOTALS, "expected \"totals:\" at the end, the profile may be cut short" },
	{ TRAIT_NO_SUMMARY, "expected \"summary:\" at the end, the profile may be cut short" },
	{ TRAIT_SHORT_SUMMARY,
	  "expected a count for each event in \"summary:\", the profile may be cut short" },
	{ TRAIT_CUT_LINE, "expected a line feed at the end, the profile may be cut short" },
	{ TRAIT_WRONG_TOTALS,
	  "expected \"totals:\" to be the sum of the costs, the profile may be damaged" },
};

enum reader_trait reader_end_fault(const struct reader_report *report)
{
	for (size_t i = 0; i < sizeof(end_faults) / sizeof(end_faults[0]); i++) {
		enum reader_trait trait = end_faults[i].trait;

		/* What was skipped is not in the sum, nor what was rounded off. */
		if (report->traits[trait].count > 0 &&
		    (trait != TRAIT_WRONG_TOTALS ||
		     (report->skipped == 0 && report->traits[TRAIT_DECIMAL_COUNT].count == 0)))
			return trait;
	}
	return N_READER_TRAITS;
}

bool reader_is_cut(const struct reader_report *report)
{
	return reader_end_fault(report) != N_READER_TRAITS ||
	       report->traits[TRAIT_SALVAGED].count > 0;
}

const char *reader_end_text(enum reader_trait fault)
{
	size_t i = 0;

	while (end_faults[i].trait != fault)
		i++;
	return end_faults[i].text;
}

bool reader_describe_end(char *text, size_t size, const struct reader_report *report)
{
	enum reader_trait fault = reader_end_fault(report);

	if (fault == N_READER_TRAITS)
		return false;
	snprintf(text, size, "line %" PRIu64 ": %s", report->traits[fault].line,
		 reader_end_text(fault));
	return true;
}

const char *reader_trait_text(enum reader_trait trait)
{
	static const char *const texts[] = {
#define TEXT(name, text) text,
		READER_TRAITS(TEXT)
#undef TEXT
	};

	return texts[trait];
}
