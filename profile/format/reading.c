/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/format/reading.h"

#include <errno.h>
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
	*p = scan_number(start + negative, count);
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
	large = !negative && *count >> 63;
	if (negative ? reader->has_large : large && reader->is_signed)
		return reading_fail(reader, start,
				    "expected counts below 2^63 in a profile that "
				    "has counts below 0");
	reader->has_large |= large;
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

int reading_counts(struct reader *reader, const char *p, uint64_t *costs, size_t *n, size_t max)
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
		if ((*n)++ == max)
			return reading_fail(reader, start, "expected at most %zu counts", max);
	}
	reader->next = p + 1;
	return PROFILE_OK;
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

static void *alloc(void *ctx, size_t size)
{
	const struct env *memory = ((struct escaped *)ctx)->memory;

	return memory->alloc(memory->ctx, size);
}

static void release(void *ctx, void *data)
{
	const struct env *memory = ((struct escaped *)ctx)->memory;

	memory->release(memory->ctx, data);
}

static int append(void *ctx, const void *data, size_t len)
{
	struct escaped *escaped = ctx;
	void *grown = escaped->data;

	if (!heap_reserve(escaped->memory, &grown, &escaped->capacity, escaped->len + len, 1))
		return ENOMEM;
	escaped->data = grown;
	memcpy(escaped->data + escaped->len, data, len);
	escaped->len += len;
	return 0;
}

static bool make(struct escaped *escaped, const struct env *env, const char *text, size_t len,
		 void (*escape)(struct out *out, const char *text, size_t len))
{
	struct out out;
	int error;

	*escaped = (struct escaped){ .memory = env };
	escaped->env = (struct env){ alloc, release, append, escaped };
	out_init(&out, &escaped->env);
	escape(&out, text, len);
	error = out_flush(&out);
	out_release(&out);
	return error == 0;
}

bool escaped_name(struct escaped *escaped, const struct env *env, const char *name, size_t len)
{
	return make(escaped, env, name, len, escape_name);
}

bool escaped_text(struct escaped *escaped, const struct env *env, const char *text, size_t len)
{
	return make(escaped, env, text, len, escape_text);
}

void escaped_release(struct escaped *escaped)
{
	release(escaped, escaped->data);
	escaped->data = NULL;
}
