/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Readers split profiles at line feeds, some at every control character, and
 * at least one loops for ever on a NUL; several decode UTF-8 and give up on
 * what is none.  Runs of characters that may appear are copied at once.
 */
#include "writer/escape.h"

#include <stdbool.h>
#include <stdint.h>

#include "writer/freestanding.h"

enum style {
	STYLE_NAME,
	STYLE_ARGUMENT,
	STYLE_TEXT,
};

static bool is_control(unsigned char byte)
{
	return byte < 0x20 || byte == 0x7f;
}

/* Bytes of the UTF-8 sequence that lead begins, 0 if none begins so. */
static size_t sequence_length(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead >= 0xc2 && lead <= 0xdf)
		return 2;
	if (lead >= 0xe0 && lead <= 0xef)
		return 3;
	if (lead >= 0xf0 && lead <= 0xf4)
		return 4;
	return 0;
}

/*
 * Bytes of the character at data (RFC 3629), 0 if the first byte must not be
 * written as it is: it begins a control character, or no character at all.
 */
static size_t character_length(const unsigned char *data, size_t len)
{
	size_t n = sequence_length(data[0]);

	if (n == 1)
		return is_control(data[0]) ? 0 : 1;
	if (n == 0 || n > len)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((data[i] & 0xc0) != 0x80)
			return 0;
	switch (data[0]) {
	case 0xc2: /* U+0080 to U+009F: control characters */
	case 0xe0: /* the rest would be shorter in two bytes */
		return data[1] >= 0xa0 ? n : 0;
	case 0xed: /* surrogates */
		return data[1] < 0xa0 ? n : 0;
	case 0xf0: /* shorter in three bytes */
		return data[1] >= 0x90 ? n : 0;
	case 0xf4: /* beyond U+10FFFF */
		return data[1] < 0x90 ? n : 0;
	default:
		return n;
	}
}

static void put_hex_byte(struct out *out, unsigned char byte)
{
	static const char digits[] = "0123456789abcdef";

	out_text(out, "\\x");
	out_char(out, digits[byte >> 4]);
	out_char(out, digits[byte & 15]);
}

/* One byte that must not be written as it is. */
static void put_unfit(struct out *out, unsigned char byte, enum style style)
{
	if (style == STYLE_TEXT && is_control(byte))
		out_char(out, ' ');
	else if (byte == '\n')
		out_text(out, "\\n");
	else if (byte == '\\')
		out_text(out, "\\\\");
	else
		put_hex_byte(out, byte);
}

static void put(struct out *out, const char *text, size_t len, enum style style)
{
	const unsigned char *data = (const unsigned char *)text;
	size_t start = 0; /* of the run not yet written */
	size_t i = 0;

	while (i < len) {
		size_t n = character_length(data + i, len - i);

		if (style == STYLE_ARGUMENT && data[i] == '\\')
			n = 0;
		if (n > 0) {
			i += n;
			continue;
		}
		out_bytes(out, text + start, i - start);
		put_unfit(out, data[i], style);
		start = ++i;
	}
	out_bytes(out, text + start, len - start);
}

/* True if eight bytes are all ASCII and no control characters; false may be wrong. */
static bool is_plain(const char *text)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word;

	memcpy(&word, text, sizeof(word));
	return (((word - 0x20 * ones) | (word + ones) | word) & 0x80 * ones) == 0;
}

bool escape_text_fits(const char *text, size_t len)
{
	const unsigned char *data = (const unsigned char *)text;
	size_t i = 0;

	while (i < len) {
		size_t n;

		if (len - i >= sizeof(uint64_t) && is_plain(text + i)) {
			i += sizeof(uint64_t);
			continue;
		}
		n = character_length(data + i, len - i);
		if (n == 0)
			return false;
		i += n;
	}
	return true;
}

/* A parenthesis and a digit would be read as an id. */
static bool begins_like_id(const char *name, size_t len)
{
	return len > 1 && name[0] == '(' && name[1] >= '0' && name[1] <= '9';
}

bool escape_name_fits(const char *name, size_t len)
{
	return len > 0 && name[0] != ' ' && name[len - 1] != ' ' && !begins_like_id(name, len) &&
	       escape_text_fits(name, len);
}

void escape_name(struct out *out, const char *name, size_t len)
{
	bool blank_at_end;

	if (len == 0) {
		out_text(out, "???");
		return;
	}
	if (name[0] == ' ' || begins_like_id(name, len)) {
		put_hex_byte(out, (unsigned char)name[0]);
		name++;
		len--;
	}
	blank_at_end = len > 0 && name[len - 1] == ' ';
	put(out, name, len - blank_at_end, STYLE_NAME);
	if (blank_at_end)
		put_hex_byte(out, ' ');
}

void escape_argument(struct out *out, const char *argument, size_t len)
{
	put(out, argument, len, STYLE_ARGUMENT);
}

void escape_text(struct out *out, const char *text, size_t len)
{
	put(out, text, len, STYLE_TEXT);
}

size_t escape_trimmed_length(const char *text)
{
	size_t len = 0;

	for (size_t i = 0; text[i]; i++)
		if (text[i] != ' ' && !is_control((unsigned char)text[i]))
			len = i + 1;
	return len;
}
