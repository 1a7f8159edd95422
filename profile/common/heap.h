/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory for profile/ and cmds/.  None of these functions fails: without memory the program prints
 * one line and exits 1, as git's and uftrace's allocators do, so that no caller has a path that only
 * a failed allocation takes.  (sim/, writer/ and the tool, which run in the user's program, have an
 * allocator that may fail: writer/out.h.)  exit() runs what atexit() was given, which removes
 * temporary files (cmds/cli/outfile.h).
 *
 * All memory is released by free().
 */
#ifndef PROFILE_COMMON_HEAP_H
#define PROFILE_COMMON_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "writer/out.h"

/* For compilers and analysers: the function does not return NULL. */
#define HEAP_NEVER_NULL __attribute__((returns_nonnull))

/* Prints "costgrind: out of memory" and exits 1.  A program may define its own; it must not return. */
_Noreturn void heap_exhausted(void);

/* size bytes, or one if size is 0. */
HEAP_NEVER_NULL void *heap_alloc(size_t size);

/* realloc(), which moves memory; NULL is an empty block. */
HEAP_NEVER_NULL void *heap_resize(void *memory, size_t size);

/* Copies of a text, or of at most len bytes of it, and a text as printf() prints it. */
HEAP_NEVER_NULL char *heap_copy(const char *text);
HEAP_NEVER_NULL char *heap_copy_part(const char *text, size_t len);
char *heap_print(const char *format, ...) __attribute__((format(printf, 1, 2), returns_nonnull));

/*
 * open_memstream(), and fclose() of such a stream; from then on *text, with a NUL after its *len bytes, is
 * the caller's.
 */
HEAP_NEVER_NULL FILE *heap_stream(char **text, size_t *len);
void heap_stream_close(FILE *stream, char *const *text);

/* heap_alloc() and free() for what takes an environment; cannot write. */
extern const struct env heap_env;

/*
 * A growing array with room for at least `needed` elements of `size` bytes: data, or a larger block that has its
 * elements and takes its place.  NULL with a capacity of 0 is an empty array.
 *
 *	list->all = heap_grow(list->all, &list->capacity, list->n + 1, sizeof(*list->all));
 */
HEAP_NEVER_NULL void *heap_grow(void *data, size_t *capacity, size_t needed, size_t size);

/*
 * How many of n elements have a key of at most `most`, in an array sorted by that key: a uint64_t at `offset` in each
 * element of `size` bytes.
 */
size_t array_upto(const void *data, size_t n, size_t size, size_t offset, uint64_t most);

/* A block of count elements of size bytes, zeroed; count may be 0. */
HEAP_NEVER_NULL void *heap_zeroed(size_t count, size_t size);

/* -- arenas ---------------------------------------------------------------------- */

/*
 * Memory that is given back all at once.  Chunks grow with what was taken, from
 * 4 KiB to 1 MiB, so that small profiles stay small and large ones waste little.
 */

struct arena_chunk;

/* Fields are private; only the memory is the caller's. */
struct arena {
	struct arena_chunk *chunks; /* newest first, owned */
	char *free;                 /* in the newest chunk */
	size_t left;                /* bytes there */
	size_t bytes;               /* taken in all */
};

/* Takes no memory yet.  arena_release() gives all back and leaves it empty. */
void arena_init(struct arena *arena);
void arena_release(struct arena *arena);

enum { ARENA_SLACK = 8 }; /* bytes after each piece that may be read, not written */

/* size bytes at a multiple of align (a power of two, at most 16). */
HEAP_NEVER_NULL void *arena_alloc(struct arena *arena, size_t size, size_t align);

/* A copy of len bytes, with a NUL after them. */
HEAP_NEVER_NULL char *arena_copy(struct arena *arena, const char *data, size_t len);

/* -- texts that grow ------------------------------------------------------------- */

/* A text that grows at its end. */

/* Invariant: len bytes of text, without a NUL after them. */
struct bytes {
	char *text; /* owned; NULL if there was never any */
	size_t len;
	size_t capacity;
};

/* Takes no memory yet. */
void bytes_init(struct bytes *bytes);
void bytes_release(struct bytes *bytes);

/* Empties it, and keeps the memory for reuse. */
void bytes_reset(struct bytes *bytes);

/* Adds len bytes, which must not be its own. */
void bytes_add(struct bytes *bytes, const char *text, size_t len);
void bytes_add_char(struct bytes *bytes, char c);

/* Adds a NUL-terminated text, without its NUL. */
void bytes_add_text(struct bytes *bytes, const char *text);

#endif
