/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/cli/complaint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/emit/visible.h"
#include "profile/common/error.h"

static FILE *copy;          /* NULL = complaints are on standard error alone */
static const char *speaker; /* NULL = the command that each message names */

void complaint_speak_for(const char *command)
{
	speaker = command;
}

void complaint_copy_to(FILE *stream)
{
	copy = stream;
}

static void print(const char *command, const char *kind, const char *text)
{
	char line[COMPLAINT_TEXT * 4 + 1];

	visible_copy(line, sizeof(line), text, strlen(text));
	fprintf(stderr, "costgrind %s: %s%s\n", speaker ? speaker : command, kind, line);
	if (copy && *kind == '\0')
		fprintf(copy, "%s\n", line);
}

__attribute__((format(printf, 3, 0))) static void
print_arguments(const char *command, const char *kind, const char *format, va_list arguments)
{
	char text[COMPLAINT_TEXT];

	vsnprintf(text, sizeof(text), format, arguments);
	print(command, kind, text);
}

void complain(const char *command, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_arguments(command, "", format, arguments);
	va_end(arguments);
}

void warn(const char *command, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_arguments(command, "warning: ", format, arguments);
	va_end(arguments);
}

void warn_of_formulas(const char *command, size_t n)
{
	if (n > 0)
		warn(command, "formulas of events that are left out are left out too, %zu of them",
		     n);
}

int complain_status(const char *command, const char *file, int status)
{
	struct profile_error error = { .file = file };

	profile_error_status(&error, status);
	complain_of(command, &error);
	return EXIT_FAILED;
}

void complain_of(const char *command, const struct profile_error *error)
{
	char text[PROFILE_ERROR_LINE];

	profile_error_line(error, text, sizeof(text));
	print(command, "", text);
}

const char *complaint_no_profile(uint64_t bytes)
{
	return bytes == 0 ? "expected a profile, found an empty file"
			  : "expected a profile, found no 'events:' line";
}
