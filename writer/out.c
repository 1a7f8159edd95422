/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The buffer is given back at the first failure, so that "is there a buffer?"
 * is the one question that every call has to ask.  Numbers are written from
 * their last digit backwards, straight into the buffer.
 */
#include "writer/out.h"

#include <stdbool.h>

#include "writer/freestanding.h"

static void give_back(struct out *out)
{
	out->env->release(out->env->ctx, out->buffer);
	out->buffer = NULL;
	out->used = 0;
}

void out_init(struct out *out, const struct env *env)
{
	*out = (struct out){ .env = env };
	out->buffer = env->alloc(env->ctx, OUT_BUFFER_SIZE);
	if (!out->buffer)
		out_fail(out, OUT_NO_MEMORY);
}

void out_release(struct out *out)
{
	give_back(out);
}

void out_fail(struct out *out, int error)
{
	if (out->error)
		return;
	out->error = error;
	give_back(out);
}

static void drain(struct out *out)
{
	int error = out->env->write(out->env->ctx, out->buffer, out->used);

	out->used = 0;
	if (error)
		out_fail(out, error);
}

/* Makes at least one byte of room; false after a failure. */
static bool make_room(struct out *out)
{
	if (!out->buffer) {
		out_fail(out, OUT_MISUSE); /* released; silence would look like success */
		return false;
	}
	drain(out);
	return !out->error;
}

/* Where the next len bytes go (at most a buffer), or NULL after a failure. */
static inline char *reserve(struct out *out, size_t len)
{
	char *place;

	if ((!out->buffer || OUT_BUFFER_SIZE - out->used < len) && !make_room(out))
		return NULL;
	place = out->buffer + out->used;
	out->used += len;
	out->bytes += len;
	return place;
}

void out_bytes(struct out *out, const char *data, size_t len)
{
	while (len > 0) {
		size_t part = OUT_BUFFER_SIZE - out->used;
		char *place;

		if (part == 0)
			part = OUT_BUFFER_SIZE; /* once it is empty again */
		if (part > len)
			part = len;
		place = reserve(out, part);
		if (!place)
			return;
		memcpy(place, data, part);
		for (size_t i = 0; i < part; i++)
			out->lines += data[i] == '\n';
		data += part;
		len -= part;
	}
}

void out_text(struct out *out, const char *text)
{
	size_t len = 0;

	while (text[len])
		len++;
	out_bytes(out, text, len);
}

void out_char(struct out *out, char c)
{
	char *place = reserve(out, 1);

	if (!place)
		return;
	*place = c;
	out->lines += c == '\n';
}

void out_decimal(struct out *out, uint64_t value)
{
	size_t len = decimal_digits(value);
	char *place = reserve(out, len);

	if (!place)
		return;
	while (len > 0) {
		place[--len] = (char)('0' + value % 10);
		value /= 10;
	}
}

void out_signed(struct out *out, uint64_t value)
{
	if (value >> 63) {
		out_char(out, '-');
		value = -value;
	}
	out_decimal(out, value);
}

void out_hex(struct out *out, uint64_t value)
{
	static const char digits[] = "0123456789abcdef";
	size_t len = 2 + hex_digits(value);
	char *place = reserve(out, len);

	if (!place)
		return;
	while (len > 2) {
		place[--len] = digits[value & 15];
		value >>= 4;
	}
	place[0] = '0';
	place[1] = 'x';
}

int out_flush(struct out *out)
{
	if (!out->error && out->used > 0)
		drain(out);
	return out->error;
}
