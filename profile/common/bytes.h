/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text that grows at its end. */
#ifndef PROFILE_COMMON_BYTES_H
#define PROFILE_COMMON_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#include "writer/env.h"

/* Invariant: len bytes of text, without a NUL after them. */
struct bytes {
	const struct env *env;
	char *text; /* owned; NULL if there was never any */
	size_t len;
	size_t capacity;
	bool failed; /* never */
};

/* Takes no memory yet; env outlives it. */
void bytes_init(struct bytes *bytes, const struct env *env);
void bytes_release(struct bytes *bytes);

/* Empties it, and keeps the memory for reuse. */
void bytes_reset(struct bytes *bytes);

/* Adds len bytes, which must not be its own. */
void bytes_add(struct bytes *bytes, const char *text, size_t len);
void bytes_add_char(struct bytes *bytes, char c);

/* Adds a NUL-terminated text, without its NUL. */
void bytes_add_text(struct bytes *bytes, const char *text);

#endif
