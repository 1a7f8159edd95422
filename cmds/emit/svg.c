/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/emit/svg.h"

#include <stdbool.h>
#include <string.h>

#include "cmds/emit/visible.h"

enum {
	TEXT = 120, /* bytes that are shown of a text */
	SHOWN_TEXT = 400,
};

/* Whether bytes are a character that XML cannot have: U+FFFE and U+FFFF; others that it has not are escaped before. */
static bool is_no_character(const char *text, size_t len)
{
	return len == 3 && memcmp(text, "\xef\xbf", 2) == 0 && (unsigned char)text[2] >= 0xbe;
}

void svg_text(FILE *out, const char *text)
{
	char shown[SHOWN_TEXT];
	size_t len = visible_copy(shown, sizeof(shown), text, strlen(text));

	for (size_t i = 0; i < len;) {
		size_t n = unicode_len(shown + i, len - i);

		if (i >= TEXT) {
			fputs("...", out);
			return;
		}
		if (n == 0 || is_no_character(shown + i, n)) {
			fputs(UNICODE_REPLACEMENT, out);
			n = n == 0 ? 1 : n;
		} else if (shown[i] == '<') {
			fputs("&lt;", out);
		} else if (shown[i] == '>') {
			fputs("&gt;", out);
		} else if (shown[i] == '&') {
			fputs("&amp;", out);
		} else {
			fwrite(shown + i, 1, n, out);
		}
		i += n;
	}
}

void svg_line(FILE *out, const char *class, const double from[2], const double to[2])
{
	fprintf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
		class, from[0], from[1], to[0], to[1]);
}

void svg_begin_text(FILE *out, const char *class, const char *anchor, double x, double y)
{
	fprintf(out, "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, anchor,
		x, y);
}

void svg_end_text(FILE *out)
{
	fputs("</text>\n", out);
}

double svg_log2(double number)
{
	double result = 0, bit = 0.5;

	while (number >= 2) {
		number /= 2;
		result++;
	}
	while (number < 1) {
		number *= 2;
		result--;
	}
	for (int i = 0; i < 16; i++, bit /= 2) {
		number *= number;
		if (number >= 2) {
			number /= 2;
			result += bit;
		}
	}
	return result;
}
