/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/format/reading.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "profile/common/heap.h"
#include "writer/escape.h"

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

	bytes_init(escaped, &heap_env);
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
