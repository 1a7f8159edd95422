/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For writer/, the reader of profile/, which must know what becomes of a name, and listings that a
 * profile refers to: text of the outside world, made fit for one line of a
 * profile.  What is written is always valid UTF-8 without control characters;
 * text that is so already is written as it is, but for what each function says.
 */
#ifndef WRITER_ESCAPE_H
#define WRITER_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "writer/out.h"

/* Name of an object, file or function; see writer_position(). */
void escape_name(struct out *out, const char *name, size_t len);

/* True if escape_name(), or escape_text(), writes all len bytes unchanged. */
bool escape_name_fits(const char *name, size_t len);
bool escape_text_fits(const char *text, size_t len);

/* Argument of a command line, len bytes; backslashes are doubled, so that it can be read back. */
void escape_argument(struct out *out, const char *argument, size_t len);

/* Free text, len bytes: control characters become blanks. */
void escape_text(struct out *out, const char *text, size_t len);

/* Length of text without the blanks at its end, and what escape_text() makes one. */
size_t escape_trimmed_length(const char *text);

#endif
