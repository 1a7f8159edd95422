/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to the reader: names and texts as the writer would write them, so that
 * they are the same whether they were written and read in between or not.
 */
#ifndef PROFILE_FORMAT_ESCAPED_H
#define PROFILE_FORMAT_ESCAPED_H

#include <stdbool.h>
#include <stddef.h>

#include "writer/env.h"

/* Whether the writer writes len bytes as they are; most are such. */
bool escaped_name_fits(const char *name, size_t len);
bool escaped_text_fits(const char *text, size_t len);

/* Fields are for reading; not to be moved. */
struct escaped {
	struct env env;           /* that writes into this */
	const struct env *memory; /* the caller's; outlives the struct */
	char *data;               /* owned; len bytes */
	size_t len;
	size_t capacity;
};

/* Escapes a name, or a text.  False if memory ran out (release it all the same). */
bool escaped_name(struct escaped *escaped, const struct env *env, const char *name, size_t len);
bool escaped_text(struct escaped *escaped, const struct env *env, const char *text, size_t len);
void escaped_release(struct escaped *escaped);

#endif
