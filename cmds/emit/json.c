/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/emit/json.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "cmds/emit/visible.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"

#define MOST_EXACT ((UINT64_C(1) << 53) - 1)

enum {
	NUMBERS_AT_ONCE = 64, /* of a row, however long that is */
	SHORT_TEXT = 256,     /* bytes */
};

void json_init(struct json *json, struct out *out, enum json_style style)
{
	json->out = out;
	json->style = style;
	json->depth = 0;
}

static int write_stream(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : EIO;
}

void json_open(struct json *json, FILE *stream)
{
	json->env = (struct env){ heap_env.alloc, heap_env.release, write_stream, stream };
	out_init(&json->own, &json->env);
	json_init(json, &json->own, JSON_READABLE);
}

void json_end(struct json *json)
{
	if (json->style == JSON_READABLE)
		out_char(json->out, '\n');
	if (json->out != &json->own)
		return;
	out_flush(&json->own);
	out_release(&json->own);
}

/* -- texts ------------------------------------------------------------------------------- */

/* Of two bytes, a character is U+0080 to U+009F, and its code the second one. */
static void put_escaped(struct out *out, const char *text, size_t n)
{
	unsigned char c = (unsigned char)text[n > 1];
	char escape[8];

	if (n == 0)
		snprintf(escape, sizeof(escape), "\\\\x%02x", c); /* so that names stay different */
	else if (c == '"' || c == '\\')
		snprintf(escape, sizeof(escape), "\\%c", c);
	else
		snprintf(escape, sizeof(escape), "\\u%04x", c);
	out_text(out, escape);
}

static bool is_plain(char c)
{
	return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

/* Puts a text that is short, ASCII and without escapes, as most are; else nothing, and false. */
static bool put_plain(struct out *out, const char *text, size_t len)
{
	char *p = len <= SHORT_TEXT ? out_room(out, len + 2) : NULL;

	if (!p)
		return false;
	*p++ = '"';
	for (size_t i = 0; i < len; i++) {
		if (!is_plain(text[i]))
			return false;
		*p++ = text[i];
	}
	*p++ = '"';
	out_advance(out, p, 0);
	return true;
}

static void put_text(struct out *out, const char *text, size_t len)
{
	size_t plain = 0; /* where what needs no escape began */

	if (put_plain(out, text, len))
		return;
	out_char(out, '"');
	for (size_t i = 0; i < len;) {
		unsigned char c = (unsigned char)text[i];
		size_t n = c < 0x80 ? 1 : unicode_len(text + i, len - i);

		if (n == 0 || c == '"' || c == '\\' || visible_control(text + i, len - i)) {
			out_bytes(out, text + plain, i - plain);
			put_escaped(out, text + i, n);
			plain = i + (n > 0 ? n : 1);
		}
		i += n > 0 ? n : 1;
	}
	out_bytes(out, text + plain, len - plain);
	out_char(out, '"');
}

/* -- structure --------------------------------------------------------------------------- */

static void put_line(struct json *json)
{
	size_t indent = 2 * (size_t)json->depth;
	char *p = out_room(json->out, 1 + indent);

	if (!p)
		return;
	*p = '\n';
	memset(p + 1, ' ', indent);
	out_advance(json->out, p + 1 + indent, 1);
}

/* What is before a value: comma, place, key. */
static void begin_value(struct json *json, const char *key)
{
	bool is_compact = json->style == JSON_COMPACT;

	if (json->depth > 0) {
		unsigned level = json->depth - 1;

		if (json->has_values[level])
			out_char(json->out, ',');
		if (!json->is_inline[level])
			put_line(json);
		else if (json->has_values[level] && !is_compact)
			out_char(json->out, ' ');
		json->has_values[level] = true;
	}
	if (key) {
		put_text(json->out, key, strlen(key));
		out_bytes(json->out, ": ", is_compact ? 1 : 2);
	}
}

static void open_level(struct json *json, const char *key, bool is_array, bool on_one_line)
{
	bool inner = json->depth > 0 && json->is_inline[json->depth - 1];

	begin_value(json, key);
	out_char(json->out, is_array ? '[' : '{');
	json->has_values[json->depth] = false;
	json->is_array[json->depth] = is_array;
	json->is_inline[json->depth] = on_one_line || inner || json->style == JSON_COMPACT;
	json->depth++;
}

void json_object(struct json *json, const char *key, bool on_one_line)
{
	open_level(json, key, false, on_one_line);
}

void json_array(struct json *json, const char *key, bool on_one_line)
{
	open_level(json, key, true, on_one_line);
}

void json_close(struct json *json)
{
	unsigned level = --json->depth;

	if (json->has_values[level] && !json->is_inline[level])
		put_line(json);
	out_char(json->out, json->is_array[level] ? ']' : '}');
}

/* -- values ------------------------------------------------------------------------------ */

void json_text(struct json *json, const char *key, const char *text, size_t len)
{
	begin_value(json, key);
	put_text(json->out, text, len);
}

void json_string(struct json *json, const char *key, const char *text)
{
	if (text)
		json_text(json, key, text, strlen(text));
	else
		json_null(json, key);
}

void json_word(struct json *json, const char *key, const char *word)
{
	begin_value(json, key);
	out_text(json->out, word);
}

void json_decimal(struct json *json, const char *key, int128 value, unsigned decimals)
{
	char text[INT128_TEXT];

	int128_print_decimal(text, value, false, decimals);
	json_word(json, key, text);
}

void json_cost(struct json *json, const char *key, uint64_t value, bool is_signed)
{
	bool is_text = json->style == JSON_COMPACT && cost_magnitude(value, is_signed) > MOST_EXACT;

	begin_value(json, key);
	if (is_text)
		out_char(json->out, '"');
	if (is_signed)
		out_signed(json->out, value);
	else
		out_decimal(json->out, value);
	if (is_text)
		out_char(json->out, '"');
}

void json_costs(struct json *json, const char *key, const uint64_t *costs, size_t n, bool is_signed)
{
	bool is_compact = json->style == JSON_COMPACT;

	json_array(json, key, true);
	for (size_t i = 0; i < n;) {
		size_t end = n - i < NUMBERS_AT_ONCE ? n : i + NUMBERS_AT_ONCE;
		char *p = out_room(json->out, (end - i) * (2 + NUMBER_MAX));

		if (!p)
			break;
		for (; i < end; i++) {
			if (i > 0)
				*p++ = ',';
			if (i > 0 && !is_compact)
				*p++ = ' ';
			p = is_signed ? number_put_signed(p, costs[i])
				      : number_put_decimal(p, costs[i]);
		}
		out_advance(json->out, p, 0);
	}
	json_close(json);
}

void json_address(struct json *json, const char *key, uint64_t address)
{
	begin_value(json, key);
	out_char(json->out, '"');
	out_hex(json->out, address);
	out_char(json->out, '"');
}

void json_number(struct json *json, const char *key, double value, int decimals)
{
	char text[400]; /* DBL_MAX has 309 digits */

	if (isfinite(value))
		snprintf(text, sizeof(text), "%.*f", decimals, value);
	json_word(json, key, isfinite(value) ? text : "null");
}

void json_bool(struct json *json, const char *key, bool value)
{
	json_word(json, key, value ? "true" : "false");
}

void json_null(struct json *json, const char *key)
{
	json_word(json, key, "null");
}

void json_steps(struct json *json, const char *key, size_t n,
		uint64_t (*at)(const void *ctx, size_t i), const void *ctx)
{
	bool is_exact = true;
	uint64_t last = 0;
	char name[33];

	for (size_t i = 0; i < n && is_exact; i++)
		is_exact = at(ctx, i) <= MOST_EXACT;
	snprintf(name, sizeof(name), "%s%s", is_exact ? "d_" : "", key);
	json_array(json, name, true);
	for (size_t i = 0; i < n; i++) {
		uint64_t value = at(ctx, i);

		json_cost(json, NULL, value - last, is_exact);
		last = is_exact ? value : 0;
	}
	json_close(json);
}
