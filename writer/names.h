/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Name compression: which objects, files and functions have been written
 * already in this part, and under which id.  Ids count from 1, in the order
 * of first appearance, with a numbering for each of the three kinds.
 */
#ifndef WRITER_NAMES_H
#define WRITER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "writer/env.h"

/*
 * A name to write.  key is the caller's number of the thing named: the same
 * key is the same object, file or function, whatever the spelling of its
 * neighbours (two functions may share a text and still differ).  Memory grows
 * with the largest key, so use indexes; NAME_NO_KEY is written in full each
 * time.  text is borrowed for the call only and need not end in NUL.
 */
struct name {
	const char *text;
	size_t len; /* bytes */
	uint32_t key;
};

#define NAME_NO_KEY UINT32_MAX

/* Ids given so far for one kind; invariant: ids[key] is 0 or 1..last_id, each once. */
struct names {
	uint32_t *ids;   /* owned, by key */
	size_t capacity; /* elements of ids */
	uint32_t last_id;
};

/* An empty table; needs no memory yet.  names_release() gives memory back and leaves it empty. */
void names_init(struct names *names);
void names_release(struct names *names, const struct env *env);

/* Forgets all ids (a new part), keeps the memory. */
void names_reset(struct names *names);

/*
 * The id of key, and in *is_new whether this call gave it.  Returns 0 if
 * memory ran out; the table is then as before.  key is not NAME_NO_KEY.
 */
uint32_t names_id(struct names *names, const struct env *env, uint32_t key, bool *is_new);

/* The id of key, which may be NAME_NO_KEY, or 0 if it has none. */
uint32_t names_known_id(const struct names *names, uint32_t key);

#endif
