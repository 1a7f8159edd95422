/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages.  Control characters of the input are shown as '?', so that a message stays one line. */
#include "profile/common/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static void make_printable(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

int profile_error_set(struct profile_error *error, enum profile_status status, const char *format,
		      ...)
{
	va_list arguments;

	if (!error)
		return (int)status;
	error->status = status;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	make_printable(error->text);
	return (int)status;
}

int profile_error_status(struct profile_error *error, int status)
{
	return profile_error_set(error, (enum profile_status)status, "%s",
				 profile_status_text((enum profile_status)status));
}

int profile_error_complete(struct profile_error *error, int status)
{
	if (status != PROFILE_OK && error && error->status == PROFILE_OK)
		profile_error_status(error, status);
	return status;
}

void profile_error_line(const struct profile_error *error, char *buffer, size_t size)
{
	char place[64] = "";

	if (error->line > 0 && error->column > 0)
		snprintf(place, sizeof(place), "%" PRIu64 ":%" PRIu64 ": ", error->line,
			 error->column);
	else if (error->line > 0)
		snprintf(place, sizeof(place), "%" PRIu64 ": ", error->line);
	snprintf(buffer, size, "%s%s%s%s", error->file ? error->file : "",
		 !error->file      ? ""
		 : error->line > 0 ? ":"
				   : ": ",
		 place, error->text);
	make_printable(buffer);
}

const char *profile_status_text(enum profile_status status)
{
	switch (status) {
	case PROFILE_OK:
		return "no error";
	case PROFILE_SYNTAX:
		return "not a profile";
	case PROFILE_IO:
		return "cannot be read";
	case PROFILE_NO_MEMORY:
		return "out of memory";
	case PROFILE_RANGE:
		return "a sum of counts is beyond 64 bits";
	case PROFILE_EVENTS:
		return "expected at most 256 events in all";
	case PROFILE_STOPPED:
		break;
	}
	return "interrupted";
}
