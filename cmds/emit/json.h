/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes JSON (RFC 8259): always valid, whatever the texts hold.  Bytes that are no UTF-8 become
 * "\\x" and two digits, so that names stay different; numbers that are none (NaN, Infinity)
 * become null.
 */
#ifndef CMDS_EMIT_JSON_H
#define CMDS_EMIT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/common/cost.h"
#include "writer/out.h"

enum { JSON_DEPTH = 16 };

enum json_style {
	JSON_READABLE, /* indented, or on one line where that is asked for; ends with a line feed */
	/*
	 * For JavaScript: without blanks, and integers that a double cannot hold exactly, beyond
	 * 2^53 - 1, are texts of digits.
	 */
	JSON_COMPACT,
};

/* Fields are private.  Not to be moved. */
struct json {
	struct out *out;
	enum json_style style;
	struct out own; /* json_open(): what is on its way to the stream */
	struct env env;
	unsigned depth;
	bool has_values[JSON_DEPTH];
	bool is_array[JSON_DEPTH];
	bool is_inline[JSON_DEPTH]; /* on one line, with all in it */
};

/* out is borrowed; errors stick there. */
void json_init(struct json *json, struct out *out, enum json_style style);

/* Readable, to a stdio stream, where errors of writing stick.  json_end() must follow. */
void json_open(struct json *json, FILE *stream);

/* Ends the text: everything is closed. */
void json_end(struct json *json);

/*
 * Values.  key is the name in an object; NULL in an array and at the top.
 */
void json_object(struct json *json, const char *key, bool on_one_line);
void json_array(struct json *json, const char *key, bool on_one_line);
void json_close(struct json *json); /* the innermost object or array */
void json_text(struct json *json, const char *key, const char *text, size_t len);
void json_string(struct json *json, const char *key, const char *text); /* NULL = null */
/* A count with this number of decimals; never a text. */
void json_decimal(struct json *json, const char *key, int128 value, unsigned decimals);
void json_cost(struct json *json, const char *key, uint64_t value, bool is_signed);
void json_address(struct json *json, const char *key, uint64_t address); /* a text, "0x..." */
void json_number(struct json *json, const char *key, double value, int decimals);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
void json_word(struct json *json, const char *key, const char *word); /* a value as it is: "-1" */

/* An array on one line; its numbers are never texts. */
void json_costs(struct json *json, const char *key, const uint64_t *costs, size_t n,
		bool is_signed);

static inline void json_count(struct json *json, const char *key, uint64_t value)
{
	json_cost(json, key, value, false);
}

/*
 * An array of n numbers as differences to the one before, called "d_KEY"; or if a double does not
 * hold one of them, as they are, called KEY.  at(ctx, i) is number i; a key has at most 30 bytes.
 */
void json_steps(struct json *json, const char *key, size_t n,
		uint64_t (*at)(const void *ctx, size_t i), const void *ctx);

#endif
