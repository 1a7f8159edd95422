/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages on standard error: one line, "costgrind COMMAND: text", control
 * characters in it made visible, so that a name in a file cannot forge
 * messages or talk to the terminal.
 */
#ifndef CMDS_CLI_COMPLAINT_H
#define CMDS_CLI_COMPLAINT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct profile_error;

enum { COMPLAINT_TEXT = 1024 }; /* bytes; longer messages are cut */

void complain(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for what the reader found: "costgrind COMMAND: file:line:column: text". */
void complain_of(const char *command, const struct profile_error *error);

/*
 * For an enum profile_status that says it all: "costgrind COMMAND: file: out of memory"; file
 * may be NULL.  Returns EXIT_FAILED (cmds/command.h).
 */
int complain_status(const char *command, const char *file, int status);

/*
 * From now on, messages are by this command, whatever command those say that print them: it does its work by
 * others' functions.
 */
void complaint_speak_for(const char *command);

/* From now on, the text of each complaint goes to this stream, too, a line each, but no warning; NULL = no longer. */
void complaint_copy_to(FILE *stream);

/* "costgrind COMMAND: warning: text" */
void warn(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Of formulas that are not written, n of them, since they name events that are not; none if n is 0. */
void warn_of_formulas(const char *command, size_t n);

/* Of a file of that many bytes that holds no profile. */
const char *complaint_no_profile(uint64_t bytes);

#endif
