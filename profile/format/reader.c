/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A buffer holds whole lines, the last of which ends in a line feed: what is
 * behind it is moved to the front before more is read.  A line is distinguished from
 * others by its first byte.
 */
#define _GNU_SOURCE /* memrchr, rawmemchr */
#include "profile/format/reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"
#include "profile/format/reading.h"
#include "profile/format/source.h"
#include "writer/escape.h"

enum {
	BUFFER_SIZE = 256 * 1024, /* grows with the longest line, up to READER_MAX_LINE */
	PROGRESS_STEP = 1 << 20,  /* bytes */
};

struct buffer {
	char *data;  /* owned */
	size_t size; /* more is allocated, for the last line feed and what is read behind it */
	size_t used;
};

void reader_dictionaries_init(struct dictionary names[N_NAME_KINDS])
{
	for (int kind = 0; kind < N_NAME_KINDS; kind++) {
		dictionary_init(&names[kind]);
		dictionary_intern(&names[kind], "???", 3);
	}
}

uint32_t reader_intern(struct dictionary *names, const char *name, size_t len)
{
	struct bytes escaped;
	uint32_t key;

	if (escaped_name_fits(name, len))
		return dictionary_intern(names, name, len);
	escaped_name(&escaped, name, len);
	key = dictionary_intern(names, escaped.text, escaped.len);
	bytes_release(&escaped);
	return key;
}

void reader_dictionaries_release(struct dictionary names[N_NAME_KINDS])
{
	for (int kind = 0; kind < N_NAME_KINDS; kind++)
		dictionary_release(&names[kind]);
}

/* -- errors ------------------------------------------------------------------- */

int reading_fail(struct reader *reader, const char *p, const char *format, ...)
{
	char text[PROFILE_ERROR_TEXT];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (reader->error) {
		reader->error->line = reader->number;
		reader->error->column = p ? (uint64_t)(p - reader->line) + 1 : 0;
	}
	return profile_error_set(reader->error, PROFILE_SYNTAX, "%s", text);
}

int reading_fail_number(struct reader *reader, const char *p, const char *what)
{
	bool is_number = scan_is_digit(*p) &&
			 (p[1] != 'x' || *p != '0' || scan_hex_digit(p[2]) < 16);

	return reading_fail(reader, p, "expected %s%s", what, is_number ? " of 64 bits" : "");
}

int reading_stop(struct reader *reader, int status)
{
	if (reader->error) {
		reader->error->line = reader->number;
		reader->error->column = 0;
	}
	return profile_error_status(reader->error, status);
}

/* -- counts -------------------------------------------------------------------- */

static int warn_negative(struct reader *reader)
{
	int status;

	reader->is_signed = true;
	reader->part.is_signed = true;
	status = visitor_negative(reader->visitor);
	return status ? reading_stop(reader, status) : PROFILE_OK;
}

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

int reading_count(struct reader *reader, const char **p, uint64_t *count)
{
	const char *start = *p;
	bool negative = *start == '-', large;

	if (*start == '.' && reading_ends_word(start[1])) {
		reading_note(reader, TRAIT_DOT_COUNT);
		*count = 0;
		*p = start + 1;
		return PROFILE_OK;
	}
	if (is_decimal(start + negative)) {
		reading_note(reader, TRAIT_DECIMAL_COUNT);
		*p = scan_decimal(start + negative, count);
	} else {
		*p = scan_number(start + negative, count);
	}
	if (!*p) {
		*p = start;
		return reading_fail_number(reader, start + negative, "a count");
	}
	if (start[negative] == '0' && (start[negative + 1] | 0x20) == 'x')
		reading_note(reader, TRAIT_HEX_COUNT);
	if (negative) {
		reading_note(reader, TRAIT_NEGATIVE_COUNT);
		if (*count > UINT64_C(1) << 63)
			return reading_fail(reader, start, "expected a count of -2^63 or more");
		*count = -*count;
	}
	/* Of counts below 0, some writers print a few as what they are modulo 2^64. */
	large = !negative && *count >> 63;
	reader->has_large |= large;
	if (reader->has_large && (large ? reader->is_signed : negative))
		reading_note(reader, TRAIT_WRAPPED_COUNT);
	return negative && !reader->is_signed ? warn_negative(reader) : PROFILE_OK;
}

/* What stands between counts, if it is not one blank; *p is moved behind it. */
static int take_gap(struct reader *reader, const char **p)
{
	const char *start = *p;

	for (; reading_ends_word(**p) && **p != '\n'; (*p)++) {
		if (**p == '\t')
			reading_note(reader, TRAIT_TAB);
		if (**p == '\r' && (*p)[1] != '\n')
			return reading_fail(reader, *p, "expected a line feed behind a CR");
	}
	if (**p == '\n' && *p > start && (*p)[-1] != '\r')
		reading_note(reader, TRAIT_TRAILING_BLANK);
	return PROFILE_OK;
}

/* Counts, at most max of them into costs; what else there is only has a trait, or is an error (N_...). */
static int take_counts(struct reader *reader, const char *p, uint64_t *costs, size_t *n, size_t max,
		       enum reader_trait if_more)
{
	uint64_t excess; /* where a count that is too many goes */

	*n = 0;
	for (;;) {
		const char *start;
		int status = take_gap(reader, &p);

		if (status)
			return status;
		if (*p == '\n')
			break;
		start = p;
		status = reading_count(reader, &p, *n < max ? &costs[*n] : &excess);
		if (status)
			return status;
		if (!reading_ends_word(*p))
			return reading_fail(reader, p, "expected a blank or the end of the line");
		if (*n < max)
			(*n)++;
		else if (if_more == N_READER_TRAITS)
			return reading_fail(reader, start, "expected at most %zu counts", max);
		else
			reading_note(reader, if_more);
	}
	reader->next = p + 1;
	return PROFILE_OK;
}

int reading_counts(struct reader *reader, const char *p, uint64_t *costs, size_t *n, size_t max)
{
	return take_counts(reader, p, costs, n, max, N_READER_TRAITS);
}

int reading_sums(struct reader *reader, const char *p, uint64_t *sums, size_t *n)
{
	size_t max = reader->progress == BEFORE_EVENTS ? PROFILE_MAX_EVENTS : reader->part.n_events;

	return take_counts(reader, p, sums, n, max, TRAIT_LONG_SUMS);
}

/* -- texts as the writer would write them -------------------------------------- */

/* The writer's own functions write into memory here. */

bool escaped_name_fits(const char *name, size_t len)
{
	return escape_name_fits(name, len);
}

bool escaped_text_fits(const char *text, size_t len)
{
	return escape_text_fits(text, len);
}

static int append(void *ctx, const void *data, size_t len)
{
	bytes_add(ctx, data, len);
	return 0;
}

static void make(struct bytes *escaped, const char *text, size_t len,
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

void escaped_name(struct bytes *escaped, const char *name, size_t len)
{
	make(escaped, name, len, escape_name);
}

void escaped_text(struct bytes *escaped, const char *text, size_t len)
{
	make(escaped, text, len, escape_text);
}

/* -- lines --------------------------------------------------------------------- */

/* A line of words, from its first byte that is no blank; end is behind its last. */
static int read_words(struct reader *reader, const char *p, const char *end)
{
	int status;

	if (p == end || *p == '#')
		return PROFILE_OK;
	status = bodyline_end_jump(reader);
	if (status)
		return status;
	status = bodyline_specification(reader, p, end);
	return status == BODYLINE_NOT ? partheader_line(reader, p, end) : status;
}

/* Whether a line is "key:", and nothing or a blank behind it. */
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
		reading_note(reader, TRAIT_HEADER_ORDER);
}

static bool begins_cost_line(char c)
{
	return scan_is_digit(c) || c == '+' || c == '-' || c == '*';
}

/* Counts a line that is not understood; what it belonged to is void. */
static void skip_line(struct reader *reader)
{
	if (reader->report->skipped++ == 0 && reader->error)
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

	reader->next = feed + 1;
	note_order(reader, p, end);
	if (end > p && end[-1] == '\r') {
		end--;
		reading_note(reader, TRAIT_CRLF);
	}
	/* Files that were made larger before they were written to. */
	if (p < end && *p == '\0') {
		while (p < end && *p == '\0')
			p++;
		reading_note(reader, TRAIT_NUL);
	}
	if (p < end && scan_is_blank(*p)) {
		p = scan_blanks(p);
		if (p < end)
			reading_note(reader, TRAIT_LEADING_BLANK);
	}
	if (begins_cost_line(*p))
		return bodyline_costs(reader, p);
	if (reader->pending == PENDING_CALL && p < end && *p != '#') {
		int status = reading_fail(reader, p, "expected the cost line of \"calls=\"");

		if (!can_skip(reader, status))
			return status;
		skip_line(reader);
	}
	return read_words(reader, p, end);
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
		status = bodyline_quick(reader, p);
		if (status != BODYLINE_NOT)
			return status;
		reader->next = NULL;
		status = bodyline_costs(reader, p);
		if (reader->next && reader->next[-2] == '\r')
			reading_note(reader, TRAIT_CRLF);
	} else {
		status = read_odd_line(reader, p);
	}
	if (!can_skip(reader, status))
		return status;
	skip_line(reader);
	reader->next = (const char *)rawmemchr(p, '\n') + 1;
	return PROFILE_OK;
}

/* Whether the first line of len bytes is this one. */
static bool is_line(const char *data, size_t len, const char *line)
{
	size_t n = strlen(line);

	return len > n && memcmp(data, line, n) == 0 && (data[n] == '\n' || data[n] == '\r');
}

/* Whether a file begins as Webgrind's do: with its version, 4 to 7, of 32 bits. */
static bool is_webgrind(const char *data, size_t len)
{
	return len >= 4 && data[0] >= 4 && data[0] <= 7 && memcmp(data + 1, "\0\0", 3) == 0;
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
		return reading_fail(reader, NULL,
				    "expected text in UTF-8, this is in UTF-16 "
				    "(iconv -f %s -t UTF-8 converts it)",
				    utf16);
	}
	if (len >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
		reading_note(reader, TRAIT_BYTE_ORDER_MARK);
		reader->line = data += 3;
		len -= 3;
	}
	if (is_webgrind(data, len)) {
		reader->fatal = true;
		return reading_fail(reader, NULL,
				    "expected a profile, this is a file of Webgrind's (costgrind "
				    "convert --from=webgrind reads it)");
	}
	if (!is_line(data, len, "# callgrind format"))
		reading_note(reader, TRAIT_NO_FORMAT_LINE);
	if (!is_line(data, len, "# costgrind call tree"))
		return read_line(reader);
	reader->fatal = true;
	return reading_fail(reader, NULL,
			    "expected a profile, this is a call tree (costgrind convert reads it)");
}

/* All lines of len bytes, of which the last is a line feed. */
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

/* Keeps what belongs to the head of len bytes that were read. */
static void keep_head(struct reader_report *report, const char *data, size_t len)
{
	size_t room = READER_HEAD - report->head_len;

	if (len > room)
		len = room;
	memcpy(report->head + report->head_len, data, len);
	report->head_len += len;
}

/* Reads as much as there is room for; *len is 0 at the end. */
static int fill(struct reader *reader, struct source *source, struct buffer *buffer, size_t *len)
{
	int status;

	*len = 0;
	if (buffer->used == READER_MAX_LINE) {
		reader->number++;
		return reading_fail(reader, NULL, "expected a line of at most %d bytes",
				    READER_MAX_LINE);
	}
	if (buffer->used == buffer->size) {
		buffer->size = buffer->size ? 2 * buffer->size : BUFFER_SIZE;
		buffer->data = heap_resize(buffer->data, buffer->size + 1 + SCAN_SLACK);
	}
	status = source_read(source, buffer->data + buffer->used, buffer->size - buffer->used, len,
			     reader->error);
	if (status && reader->error)
		reader->error->line = reader->error->column = 0;
	reader->report->bytes += *len;
	keep_head(reader->report, buffer->data + buffer->used, *len);
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
	reading_note(reader, TRAIT_CUT_OFF);
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

	if (reader->progress != BEFORE_EVENTS && !partheader_is_line(data, data + len) &&
	    (is_cut || partheader_ends_lines(reader))) {
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
		return reader->has_header ? partheader_end_part(reader, true) : status;
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
		reading_note(reader, TRAIT_NUL);
	}
	if (buffer->used > 0) {
		buffer->data[buffer->used] = '\n';
		memset(buffer->data + buffer->used + 1, 0, SCAN_SLACK);
		status = read_last_line(reader, buffer->data, buffer->used + 1, is_cut);
		reading_note(reader, TRAIT_NO_FINAL_NEWLINE);
	}
	if (!status && (is_cut || reader->pending == PENDING_CALL))
		cut_off(reader);
	if (!status)
		status = bodyline_end_jump(reader);
	return status ? status : partheader_end_part(reader, true);
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
			status = options->progress(options->progress_ctx, reported, source->size);
			status = status ? reading_stop(reader, status) : PROFILE_OK;
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

static void release(struct reader *reader, struct dictionary *own_names)
{
	for (int kind = 0; kind < N_NAME_KINDS; kind++) {
		idtable_release(&reader->ids[kind]);
		idtable_release(&reader->part_ids[kind]);
	}
	arena_release(&reader->texts);
	free(reader->descs);
	free(reader->desc_lines);
	free(reader->definitions);
	if (own_names)
		reader_dictionaries_release(own_names);
	free(reader);
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
	partheader_begin(reader);
	status = read_source(reader, source, options);
	release(reader, options->names ? NULL : own_names);
	return status;
}

static void begin_report(struct reader_report *report, struct profile_error *error,
			 const char *name)
{
	memset(report, 0, sizeof(*report));
	report->version = 1;
	memset(error, 0, sizeof(*error));
	error->file = name;
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
	begin_report(report, error, path);
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
	static const char *const texts[N_READER_TRAITS] = {
		[TRAIT_NO_FORMAT_LINE] = "the first line is not \"# callgrind format\"",
		[TRAIT_CRLF] = "lines end in CR LF",
		[TRAIT_NO_FINAL_NEWLINE] = "the last line has no line feed",
		[TRAIT_BYTE_ORDER_MARK] = "a byte order mark",
		[TRAIT_TAB] = "a tab between numbers",
		[TRAIT_LEADING_BLANK] = "a blank before a line",
		[TRAIT_TRAILING_BLANK] = "a blank behind counts",
		[TRAIT_NUL] = "a NUL byte",
		[TRAIT_SEVERAL_PARTS] = "several parts",
		[TRAIT_UNKNOWN_KEY] = "an unknown header line",
		[TRAIT_ODD_NUMBER] = "pid:, part: or thread: without a number",
		[TRAIT_LATE_HEADER] = "pid:, part: or thread: behind events:",
		[TRAIT_LATE_EVENT] = "event: behind events:",
		[TRAIT_NO_POSITIONS] = "no positions:",
		[TRAIT_BB] = "positions: with bb",
		[TRAIT_SUMMARY_FIRST] = "summary: before events:",
		[TRAIT_SUMMARY_IN_BODY] = "summary: amid costs",
		[TRAIT_LONG_SUMS] = "summary: or totals: with more counts than events",
		[TRAIT_NO_FUNCTION] = "costs before any fn=",
		[TRAIT_EMPTY_NAME] = "an empty name",
		[TRAIT_NAME_ID] = "names by ids",
		[TRAIT_ID_REPEATED] = "an id defined again",
		[TRAIT_ID_REDEFINED] = "an id defined as another name",
		[TRAIT_JFI_DEFINES] = "an id defined by jfi= or jfn=",
		[TRAIT_HEX_COUNT] = "a hexadecimal count",
		[TRAIT_DOT_COUNT] = "\".\" as a count",
		[TRAIT_NEGATIVE_COUNT] = "a count below 0",
		[TRAIT_WRAPPED_COUNT] = "a count below 0, written as 2^64 more",
		[TRAIT_DECIMAL_COUNT] = "a count with decimals",
		[TRAIT_FEW_COUNTS] = "fewer counts than events",
		[TRAIT_RANGE] = "a range as a position",
		[TRAIT_RELATIVE] = "relative positions",
		[TRAIT_RELATIVE_AFTER_FN] = "a relative position right after fn=",
		[TRAIT_RELATIVE_TARGET] = "a relative position as a target",
		[TRAIT_LARGE_STEP] = "a relative position of 2^31 or more",
		[TRAIT_WRAPPED_POSITION] = "a relative position beyond 2^64",
		[TRAIT_CALL] = "calls",
		[TRAIT_CFL] = "cfl=",
		[TRAIT_RCALLS] = "rcalls=",
		[TRAIT_ZERO_CALLS] = "calls=0",
		[TRAIT_JUMP] = "jumps",
		[TRAIT_JCND_BLANK] = "jcnd= with a blank between its counts",
		[TRAIT_JUMP_WITHOUT_SOURCE] = "a jump without its source",
		[TRAIT_JUMP_SOURCE_COSTS] = "a jump's source with counts",
		[TRAIT_JFI] = "jfi=",
		[TRAIT_JFN] = "jfn=",
		[TRAIT_INLINED] = "fi= or fe=",
		[TRAIT_NAME_PLAIN] = "a name without an id",
		[TRAIT_ID_OF_EARLIER_PART] = "an id of an earlier part",
		[TRAIT_CUT_OFF] = "the file is cut short",
		[TRAIT_NO_TOTALS] = "no totals: at the end",
		[TRAIT_HEADER_ORDER] = "a header that is not desc:, cmd:, events:, in this order",
		[TRAIT_NO_SUMMARY] = "no summary: at the end",
		[TRAIT_SHORT_SUMMARY] = "summary: with fewer counts than events",
		[TRAIT_CUT_LINE] = "the last line is cut",
		[TRAIT_WRONG_TOTALS] = "totals: is not the sum",
		[TRAIT_INLINED_NAME] = "cfni=",
		[TRAIT_FILE_ONLY] = "costs behind fl= without fn=",
		[TRAIT_SALVAGED] = "what is left of a profile that was cut short",
		[TRAIT_UNSPECIFIED] = "costs of <unspecified>",
	};

	return texts[trait];
}
