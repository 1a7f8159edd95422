/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders that are called otherwise: beginnings of paths and what to put there. */
#ifndef PROFILE_NAMES_PATHMAP_H
#define PROFILE_NAMES_PATHMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/bytes.h"
#include "profile/common/error.h"

struct pathmap_entry {
	size_t old, old_len; /* texts in struct pathmap */
	size_t new, new_len;
};

/* Fields are private.  Invariant: entries in the order in which they were added. */
struct pathmap {
	struct bytes texts;
	struct pathmap_entry *entries; /* owned */
	size_t n, capacity;
};

/* Empty; env outlives it. */
void pathmap_init(struct pathmap *map, const struct env *env);
void pathmap_release(struct pathmap *map);

/*
 * Adds "OLD=NEW", cut at the first "=".  OLD is not empty; "/" at its end, "//" and "/./" make no
 * difference.  NEW may be empty: OLD and the "/" behind it go then.  PROFILE_OK,
 * PROFILE_SYNTAX (error->column, line 1) or PROFILE_NO_MEMORY.
 */
int pathmap_add(struct pathmap *map, const char *text, struct profile_error *error);

/* The NEW of entry i, *len bytes; valid until an entry is added. */
const char *pathmap_new(const struct pathmap *map, size_t i, size_t *len);

/*
 * If a path is the OLD of an entry or within it (whole components: /a/b is within /a,
 * /ab is not), adds what it is called to out and returns true; the first such entry counts.
 */
bool pathmap_apply(const struct pathmap *map, const char *path, size_t len, struct bytes *out);

#endif
