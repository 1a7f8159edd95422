/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What went wrong, for the caller to tell: profile/ prints nothing.  A function
 * that can fail returns an enum profile_status, as an int, and describes a
 * failure in a struct profile_error that the caller gave.
 */
#ifndef PROFILE_COMMON_ERROR_H
#define PROFILE_COMMON_ERROR_H

#include <stddef.h>
#include <stdint.h>

enum profile_status {
	PROFILE_OK = 0,
	PROFILE_SYNTAX,    /* the input is no profile: has line and column */
	PROFILE_IO,        /* the input cannot be read */
	PROFILE_NO_MEMORY, /* the state of what was worked on is such that it can be released */
	PROFILE_RANGE,     /* a sum is beyond 64 bits */
	PROFILE_EVENTS,    /* more than PROFILE_MAX_EVENTS events */
	PROFILE_STOPPED,   /* a visitor or the progress function had enough */
};

enum {
	PROFILE_ERROR_TEXT = 256, /* bytes of a message, its NUL included */
	PROFILE_ERROR_LINE = 512, /* the same with file, line and column; longer names are cut */
};

struct profile_error {
	enum profile_status status;
	const char *file;              /* borrowed from whoever named it; NULL = none */
	uint64_t line;                 /* 1..; 0 = of the whole file */
	uint64_t column;               /* bytes, 1..; 0 = of the whole line */
	char text[PROFILE_ERROR_TEXT]; /* one line, lower case, no full stop: what was expected */
};

/* Fills error, which may be NULL, with a status and a message; returns the status. */
int profile_error_set(struct profile_error *error, enum profile_status status, const char *format,
		      ...) __attribute__((format(printf, 3, 4)));

/* The same with the status's own message. */
int profile_error_status(struct profile_error *error, int status);

/* The same where a call failed that may have given a reason, or not; PROFILE_OK changes nothing. */
int profile_error_complete(struct profile_error *error, int status);

/* "file:line:column: text", without what is not known, into a buffer of size bytes. */
void profile_error_line(const struct profile_error *error, char *buffer, size_t size);

/* The message for a status that says it all ("out of memory"). */
const char *profile_status_text(enum profile_status status);

#endif
