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

bool out_make_room(struct out *out)
{
	if (!out->buffer) {
		out_fail(out, OUT_MISUSE); /* released; silence would look like success */
		return false;
	}
	drain(out);
	return !out->error;
}

void out_bytes(struct out *out, const char *data, size_t len)
{
	while (len > 0) {
		size_t part = OUT_BUFFER_SIZE - out->used;
		uint64_t lines = 0;
		char *place;

		if (part == 0)
			part = OUT_BUFFER_SIZE; /* once it is empty again */
		if (part > len)
			part = len;
		place = out_room(out, part);
		if (!place)
			return;
		memcpy(place, data, part);
		for (size_t i = 0; i < part; i++)
			lines += data[i] == '\n';
		out_advance(out, place + part, lines);
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

void out_decimal(struct out *out, uint64_t value)
{
	char *place = out_room(out, DECIMAL_MAX);

	if (place)
		out_advance(out, number_put_decimal(place, value), 0);
}

void out_signed(struct out *out, uint64_t value)
{
	char *place = out_room(out, NUMBER_MAX);

	if (place)
		out_advance(out, number_put_signed(place, value), 0);
}

void out_hex(struct out *out, uint64_t value)
{
	char *place = out_room(out, NUMBER_MAX);

	if (place)
		out_advance(out, number_put_hex(place, value), 0);
}

int out_flush(struct out *out)
{
	if (!out->error && out->used > 0)
		drain(out);
	return out->error;
}

/* -- numbers in memory ------------------------------------------------------------- */

char *number_put_decimal_long(char *p, uint64_t value)
{
	static const char pairs[] = "00010203040506070809"
				    "10111213141516171819"
				    "20212223242526272829"
				    "30313233343536373839"
				    "40414243444546474849"
				    "50515253545556575859"
				    "60616263646566676869"
				    "70717273747576777879"
				    "80818283848586878889"
				    "90919293949596979899";
	char *end = p + decimal_digits(value);
	char *at = end;

	for (; value >= 100; value /= 100) {
		at -= 2;
		memcpy(at, pairs + 2 * (value % 100), 2);
	}
	if (value >= 10)
		memcpy(p, pairs + 2 * value, 2);
	else
		*p = (char)('0' + value);
	return end;
}

char *number_put_hex(char *p, uint64_t value)
{
	static const char digits[] = "0123456789abcdef";
	char *end = p + 2 + hex_digits(value);

	*p++ = '0';
	*p++ = 'x';
	for (char *at = end; at > p; value >>= 4)
		*--at = digits[value & 15];
	return end;
}
