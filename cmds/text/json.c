/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/text/json.h"

#include <math.h>
#include <string.h>

#include "cmds/text/unicode.h"

void json_init(struct json *json, FILE *out)
{
	*json = (struct json){ .out = out };
}

void json_end(struct json *json)
{
	fputc('\n', json->out);
}

static void print_text(FILE *out, const char *text, size_t len)
{
	fputc('"', out);
	for (size_t i = 0; i < len;) {
		unsigned char c = (unsigned char)text[i];
		size_t n = unicode_len(text + i, len - i);

		if (n == 0)
			fprintf(out, "\\\\x%02x", c); /* so that names stay different */
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			fprintf(out, "\\u%04x", c);
		else
			fwrite(text + i, 1, n, out);
		i += n > 0 ? n : 1;
	}
	fputc('"', out);
}

/* What is before a value: comma, place, key. */
static void begin_value(struct json *json, const char *key)
{
	if (json->depth > 0) {
		unsigned level = json->depth - 1;

		if (json->has_values[level])
			fputc(',', json->out);
		if (!json->is_inline[level])
			fprintf(json->out, "\n%*s", (int)json->depth * 2, "");
		else if (json->has_values[level])
			fputc(' ', json->out);
		json->has_values[level] = true;
	}
	if (key) {
		print_text(json->out, key, strlen(key));
		fputs(": ", json->out);
	}
}

static void open_level(struct json *json, const char *key, bool is_array, bool on_one_line)
{
	bool inner = json->depth > 0 && json->is_inline[json->depth - 1];

	begin_value(json, key);
	fputc(is_array ? '[' : '{', json->out);
	json->has_values[json->depth] = false;
	json->is_array[json->depth] = is_array;
	json->is_inline[json->depth] = on_one_line || inner;
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
		fprintf(json->out, "\n%*s", (int)json->depth * 2, "");
	fputc(json->is_array[level] ? ']' : '}', json->out);
}

void json_text(struct json *json, const char *key, const char *text, size_t len)
{
	begin_value(json, key);
	print_text(json->out, text, len);
}

void json_string(struct json *json, const char *key, const char *text)
{
	if (text)
		json_text(json, key, text, strlen(text));
	else
		json_null(json, key);
}

void json_amount(struct json *json, const char *key, amount value)
{
	char text[AMOUNT_TEXT];

	amount_print(text, value, false);
	begin_value(json, key);
	fputs(text, json->out);
}

void json_count(struct json *json, const char *key, uint64_t value)
{
	json_amount(json, key, (amount)value);
}

void json_number(struct json *json, const char *key, double value, int decimals)
{
	begin_value(json, key);
	if (isfinite(value))
		fprintf(json->out, "%.*f", decimals, value);
	else
		fputs("null", json->out);
}

void json_bool(struct json *json, const char *key, bool value)
{
	begin_value(json, key);
	fputs(value ? "true" : "false", json->out);
}

void json_null(struct json *json, const char *key)
{
	begin_value(json, key);
	fputs("null", json->out);
}
