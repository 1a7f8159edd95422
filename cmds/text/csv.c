/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/text/csv.h"

#include <string.h>

#include "cmds/text/visible.h"

void csv_field(FILE *out, const char *text, size_t len)
{
	const char *end = text + len;

	if (len == 0)
		return;
	if (!memchr(text, ',', len) && !memchr(text, '"', len) && text[0] != ' ' &&
	    text[len - 1] != ' ') {
		visible_print(out, text, len, true);
		return;
	}
	fputc('"', out);
	while (text < end) {
		const char *quote = memchr(text, '"', (size_t)(end - text));
		const char *behind = quote ? quote + 1 : end;

		visible_print(out, text, (size_t)(behind - text), true);
		if (quote)
			fputc('"', out);
		text = behind;
	}
	fputc('"', out);
}
