/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/csv.h"

#include <string.h>

void csv_field(FILE *out, const char *text, size_t len)
{
	if (len == 0)
		return;
	if (!memchr(text, ',', len) && !memchr(text, '"', len) && !memchr(text, '\n', len) &&
	    !memchr(text, '\r', len) && text[0] != ' ' && text[len - 1] != ' ') {
		fwrite(text, 1, len, out);
		return;
	}
	fputc('"', out);
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			fputc('"', out);
		fputc(text[i], out);
	}
	fputc('"', out);
}
