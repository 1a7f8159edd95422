/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that is given back all at once.  Chunks grow with what was taken, from
 * 4 KiB to 1 MiB, so that small profiles stay small and large ones waste little.
 */
#ifndef PROFILE_COMMON_ARENA_H
#define PROFILE_COMMON_ARENA_H

#include <stddef.h>

#include "writer/env.h"

struct arena_chunk;

/* Fields are private; only the memory is the caller's. */
struct arena {
	const struct env *env;      /* outlives the struct */
	struct arena_chunk *chunks; /* newest first, owned */
	char *free;                 /* in the newest chunk */
	size_t left;                /* bytes there */
	size_t bytes;               /* taken in all */
};

/* Takes no memory yet.  arena_release() gives all back and leaves it empty. */
void arena_init(struct arena *arena, const struct env *env);
void arena_release(struct arena *arena);

enum { ARENA_SLACK = 8 }; /* bytes after each piece that may be read, not written */

/* size bytes at a multiple of align (a power of two, at most 16). */
void *arena_alloc(struct arena *arena, size_t size, size_t align);

/* A copy of len bytes, with a NUL after them. */
char *arena_copy(struct arena *arena, const char *data, size_t len);

#endif
