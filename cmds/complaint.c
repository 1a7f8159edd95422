/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/complaint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "profile/error.h"

size_t visible_copy(char *buffer, size_t size, const char *text, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	size_t used = 0;

	for (size_t i = 0; i < len && used + 5 <= size; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c >= ' ' && c != 0x7f) {
			buffer[used++] = (char)c;
			continue;
		}
		buffer[used++] = '\\';
		buffer[used++] = 'x';
		buffer[used++] = digits[c >> 4];
		buffer[used++] = digits[c & 15];
	}
	buffer[used] = '\0';
	return used;
}

static void print(const char *command, const char *kind, const char *text)
{
	char line[COMPLAINT_TEXT * 4 + 1];

	visible_copy(line, sizeof(line), text, strlen(text));
	fprintf(stderr, "costgrind %s: %s%s\n", command, kind, line);
}

void complain(const char *command, const char *format, ...)
{
	char text[COMPLAINT_TEXT];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	print(command, "", text);
}

void warn(const char *command, const char *format, ...)
{
	char text[COMPLAINT_TEXT];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	print(command, "warning: ", text);
}

void complain_of(const char *command, const struct profile_error *error)
{
	char text[PROFILE_ERROR_LINE];

	profile_error_line(error, text, sizeof(text));
	print(command, "", text);
}
