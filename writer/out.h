/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Buffered bytes on their way out, with a sticky error: after the first
 * failure every call does nothing, so that callers write straight on and
 * look at the error once, at the end.
 */
#ifndef WRITER_OUT_H
#define WRITER_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * All that writer/ needs of the world.  The tool fills it with Valgrind's
 * allocator and its own system calls, the command with libc, a test with
 * functions that fail on demand.
 */
struct env {
	/* size bytes (not 0), aligned for any object, or NULL; release() takes NULL too. */
	void *(*alloc)(void *ctx, size_t size);
	void (*release)(void *ctx, void *memory);
	/* Writes all of the len bytes; 0, or a positive error number (an errno). */
	int (*write)(void *ctx, const void *data, size_t len);
	void *ctx; /* first argument of the three */
};

/* Error of an output: 0 is fine, a positive number is what env.write returned. */
enum {
	OUT_NO_MEMORY = -1, /* env.alloc failed */
	OUT_MISUSE = -2,    /* calls in an order that would not give a profile */
};

enum {
	OUT_BUFFER_SIZE = 64 * 1024, /* bytes given to env.write at a time */
};

/* Invariant: used <= OUT_BUFFER_SIZE; buffer is NULL only after a failure or release. */
struct out {
	const struct env *env; /* the caller's; outlives the struct */
	char *buffer;          /* owned */
	size_t used;           /* bytes of the buffer not yet given to env.write */
	uint64_t bytes;        /* bytes accepted since out_init() */
	uint64_t lines;        /* line feeds among them */
	int error;             /* sticky */
};

/* Allocates the buffer; a failure is in out->error. */
void out_init(struct out *out, const struct env *env);

/* Gives the buffer back without writing what is in it.  The error stays readable. */
void out_release(struct out *out);

void out_bytes(struct out *out, const char *data, size_t len);
void out_text(struct out *out, const char *text); /* up to its NUL */
void out_decimal(struct out *out, uint64_t value);
void out_signed(struct out *out, uint64_t value); /* two's complement, in decimal */
void out_hex(struct out *out, uint64_t value);    /* "0x" and lower-case digits, no padding */

/* Empties the buffer; false after a failure. */
bool out_make_room(struct out *out);

/*
 * Where up to len bytes (at most OUT_BUFFER_SIZE) may be put by hand, NULL after a failure; then
 * out_advance() with the end of what was put there, and how many line feeds are in it.
 * Nothing else may be called in between.
 */
static inline char *out_room(struct out *out, size_t len)
{
	bool enough = out->buffer && OUT_BUFFER_SIZE - out->used >= len;

	return enough || out_make_room(out) ? out->buffer + out->used : NULL;
}

static inline void out_advance(struct out *out, const char *end, uint64_t lines)
{
	size_t len = (size_t)(end - (out->buffer + out->used));

	out->used += len;
	out->bytes += len;
	out->lines += lines;
}

static inline void out_char(struct out *out, char c)
{
	char *to = out_room(out, 1);

	if (!to)
		return;
	*to = c;
	out_advance(out, to + 1, c == '\n');
}

/* Gives the rest of the buffer to env.write; returns the sticky error. */
int out_flush(struct out *out);

/* Notes an error unless there is one already. */
void out_fail(struct out *out, int error);

/* -- numbers in memory ------------------------------------------------------------- */

enum {
	DECIMAL_MAX = 20, /* digits of UINT64_MAX */
	HEX_MAX = 16,
	NUMBER_MAX = DECIMAL_MAX + 1, /* bytes of any number below: with a sign, or "0x" */
};

/* Digits of value, 1 to DECIMAL_MAX. */
static inline size_t decimal_digits(uint64_t value)
{
	size_t digits = 1;

	while (value >= 10000) {
		value /= 10000;
		digits += 4;
	}
	return digits + (value >= 10) + (value >= 100) + (value >= 1000);
}

/* Digits of value, 1 to HEX_MAX, without the "0x". */
static inline size_t hex_digits(uint64_t value)
{
	size_t digits = 1;

	while (value >>= 4)
		digits++;
	return digits;
}

/* Each puts a number at p, where there is room for it, and returns where it ends. */
char *number_put_decimal_long(char *p, uint64_t value); /* 10 or more */
char *number_put_hex(char *p, uint64_t value);          /* "0x" and lower-case digits */

static inline char *number_put_decimal(char *p, uint64_t value)
{
	if (value >= 10)
		return number_put_decimal_long(p, value);
	*p = (char)('0' + value); /* as most are */
	return p + 1;
}

/* Two's complement. */
static inline char *number_put_signed(char *p, uint64_t value)
{
	if (value >> 63) {
		*p++ = '-';
		value = -value;
	}
	return number_put_decimal(p, value);
}

#endif
