/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes JSON (RFC 8259): always valid, whatever the texts hold.  Bytes that are
 * no UTF-8 become U+FFFD; numbers that are none (NaN, Infinity) become null.
 */
#ifndef CMDS_TEXT_JSON_H
#define CMDS_TEXT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "profile/common/amount.h"

enum { JSON_DEPTH = 16 };

/* Fields are private. */
struct json {
	FILE *out;
	unsigned depth;
	bool has_values[JSON_DEPTH];
	bool is_array[JSON_DEPTH];
	bool is_inline[JSON_DEPTH]; /* on one line, with all in it */
};

void json_init(struct json *json, FILE *out);

/* Ends the text with a line feed; everything is closed. */
void json_end(struct json *json);

/*
 * Values.  key is the name in an object; NULL in an array and at the top.
 */
void json_object(struct json *json, const char *key, bool on_one_line);
void json_array(struct json *json, const char *key, bool on_one_line);
void json_close(struct json *json); /* the innermost object or array */
void json_text(struct json *json, const char *key, const char *text, size_t len);
void json_string(struct json *json, const char *key, const char *text); /* NULL = null */
void json_amount(struct json *json, const char *key, amount value);
void json_count(struct json *json, const char *key, uint64_t value);
void json_number(struct json *json, const char *key, double value, int decimals);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

#endif
