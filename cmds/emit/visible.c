/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/emit/visible.h"

#include <string.h>

/* -- UTF-8 ----------------------------------------------------------------- */

/* No surrogates, and the shortest form only. */
size_t unicode_len(const char *text, size_t len)
{
	const unsigned char *bytes = (const unsigned char *)text;
	static const unsigned char least[] = { 0, 0, 0x80, 0xa0, 0x90 };
	unsigned char c = bytes[0];
	size_t n;

	if (c < 0x80)
		return 1;
	if (c < 0xc2 || c > 0xf4)
		return 0;
	n = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (n > len)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	if ((c == 0xe0 || c == 0xf0) && bytes[1] < least[n])
		return 0;
	if ((c == 0xed && bytes[1] > 0x9f) || (c == 0xf4 && bytes[1] > 0x8f))
		return 0;
	return n;
}

/* -- control characters ---------------------------------------------------- */

enum { ESCAPED = 4 }; /* "\x1b" */

/*
 * U+0080 to U+009F are some, too: U+009B begins what ESC [ begins.  Bytes that are no UTF-8 may be a
 * source's older encoding.
 */
size_t visible_control(const char *text, size_t len)
{
	const unsigned char *bytes = (const unsigned char *)text;

	if (bytes[0] < ' ' || bytes[0] == 0x7f)
		return 1;
	return bytes[0] == 0xc2 && len > 1 && bytes[1] >= 0x80 && bytes[1] < 0xa0 ? 2 : 0;
}

static void escape(char *to, char c)
{
	static const char digits[] = "0123456789abcdef";

	to[0] = '\\';
	to[1] = 'x';
	to[2] = digits[(unsigned char)c >> 4];
	to[3] = digits[c & 15];
}

size_t visible_copy(char *buffer, size_t size, const char *text, size_t len)
{
	size_t used = 0, n_control = 0; /* bytes of a control character to come */

	for (size_t i = 0; i < len && used + ESCAPED + 1 <= size; i++) {
		if (n_control == 0)
			n_control = visible_control(text + i, len - i);
		if (n_control == 0) {
			buffer[used++] = text[i];
			continue;
		}
		escape(buffer + used, text[i]);
		used += ESCAPED;
		n_control--;
	}
	buffer[used] = '\0';
	return used;
}

void visible_print(FILE *out, const char *text, size_t len, bool keeps_tabs)
{
	size_t begin = 0, n_control = 0;

	for (size_t i = 0; i < len; i++) {
		char escaped[ESCAPED];

		if (n_control == 0)
			n_control = visible_control(text + i, len - i);
		if (n_control == 0 || (text[i] == '\t' && keeps_tabs)) {
			n_control = 0;
			continue;
		}
		fwrite_unlocked(text + begin, 1, i - begin, out);
		escape(escaped, text[i]);
		fwrite_unlocked(escaped, 1, ESCAPED, out);
		begin = i + 1;
		n_control--;
	}
	fwrite_unlocked(text + begin, 1, len - begin, out);
}

size_t visible_width(const char *text, size_t len)
{
	size_t width = 0;

	for (size_t i = 0; i < len; i++) {
		size_t n = visible_control(text + i, len - i);

		width += n > 0 ? n * ESCAPED : ((unsigned char)text[i] & 0xc0) != 0x80;
		i += n > 0 ? n - 1 : 0;
	}
	return width;
}

void visible_pad(FILE *out, const char *text, size_t width)
{
	size_t len = strlen(text);

	visible_print(out, text, len, false);
	if (len < width)
		fprintf(out, "%*s", (int)(width - len), "");
}

void visible_text(FILE *out, const char *text)
{
	visible_print(out, text, strlen(text), false);
}

bool visible_needs_quote(const char *text, size_t len)
{
	static const char spaces[] = { ' ', '\t', '\r', '\n' };
	static const char operators[] = { '=', '+', '-', '@' };
	size_t i = 0;

	if (len > 0 && text[0] == '\'')
		return true;
	while (i < len && memchr(spaces, text[i], sizeof(spaces)))
		i++;
	return i < len && memchr(operators, text[i], sizeof(operators));
}
