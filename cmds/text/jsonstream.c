/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/text/jsonstream.h"

#include <stdio.h>
#include <string.h>

#include "cmds/text/unicode.h"
#include "profile/common/cost.h"

#define MOST_EXACT ((UINT64_C(1) << 53) - 1)

void jsonstream_init(struct jsonstream *json, struct out *out)
{
	*json = (struct jsonstream){ .out = out };
}

static void put_escaped(struct out *out, const char *text, size_t n)
{
	unsigned char c = (unsigned char)text[0];
	char escape[8];

	if (n == 0)
		snprintf(escape, sizeof(escape), "\\\\x%02x", c); /* so that names stay different */
	else if (c == '"' || c == '\\')
		snprintf(escape, sizeof(escape), "\\%c", c);
	else
		snprintf(escape, sizeof(escape), "\\u%04x", c);
	out_text(out, escape);
}

static void put_text(struct out *out, const char *text, size_t len)
{
	size_t plain = 0; /* where what needs no escape began */

	out_char(out, '"');
	for (size_t i = 0; i < len;) {
		unsigned char c = (unsigned char)text[i];
		size_t n = c < 0x80 ? 1 : unicode_len(text + i, len - i);

		if (n == 0 || c < ' ' || c == '"' || c == '\\' || c == 0x7f) {
			out_bytes(out, text + plain, i - plain);
			put_escaped(out, text + i, n);
			plain = i + 1;
		}
		i += n > 0 ? n : 1;
	}
	out_bytes(out, text + plain, len - plain);
	out_char(out, '"');
}

static void begin_value(struct jsonstream *json, const char *key)
{
	if (json->follows)
		out_char(json->out, ',');
	json->follows = true;
	if (key) {
		put_text(json->out, key, strlen(key));
		out_char(json->out, ':');
	}
}

void jsonstream_open(struct jsonstream *json, const char *key, char bracket)
{
	begin_value(json, key);
	out_char(json->out, bracket);
	json->follows = false;
}

void jsonstream_close(struct jsonstream *json, char bracket)
{
	out_char(json->out, bracket);
	json->follows = true;
}

void jsonstream_text(struct jsonstream *json, const char *key, const char *text, size_t len)
{
	begin_value(json, key);
	put_text(json->out, text, len);
}

void jsonstream_string(struct jsonstream *json, const char *key, const char *text)
{
	jsonstream_text(json, key, text, strlen(text));
}

void jsonstream_cost(struct jsonstream *json, const char *key, uint64_t value, bool is_signed)
{
	bool is_large = cost_magnitude(value, is_signed) > MOST_EXACT;

	begin_value(json, key);
	if (is_large)
		out_char(json->out, '"');
	if (is_signed)
		out_signed(json->out, value);
	else
		out_decimal(json->out, value);
	if (is_large)
		out_char(json->out, '"');
}

void jsonstream_word(struct jsonstream *json, const char *key, const char *word)
{
	begin_value(json, key);
	out_text(json->out, word);
}

void jsonstream_steps(struct jsonstream *json, const char *key, size_t n,
		      uint64_t (*at)(const void *ctx, size_t i), const void *ctx)
{
	bool is_exact = true;
	uint64_t last = 0;
	char name[33];

	for (size_t i = 0; i < n && is_exact; i++)
		is_exact = at(ctx, i) <= MOST_EXACT;
	snprintf(name, sizeof(name), "%s%s", is_exact ? "d_" : "", key);
	jsonstream_open(json, name, '[');
	for (size_t i = 0; i < n; i++) {
		uint64_t value = at(ctx, i);

		jsonstream_cost(json, NULL, value - last, is_exact);
		last = is_exact ? value : 0;
	}
	jsonstream_close(json, ']');
}
