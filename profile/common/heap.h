/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory for profile/ and cmds/.  None of these functions fails: without memory the program prints
 * one line and exits 1, as git's and uftrace's allocators do, so that no caller has a path that only
 * a failed allocation takes.  (sim/, writer/ and the tool, which run in the user's program, have an
 * allocator that may fail: writer/env.h.)  exit() runs what atexit() was given, which removes
 * temporary files (cmds/cli/outfile.h).
 *
 * All memory is released by free().
 */
#ifndef PROFILE_COMMON_HEAP_H
#define PROFILE_COMMON_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "writer/env.h"

/* Prints "costgrind: out of memory" and exits 1.  A program may define its own; it must not return. */
_Noreturn void heap_exhausted(void);

/* size bytes, or one if size is 0. */
void *heap_alloc(size_t size);

/* realloc(), which moves memory; NULL is an empty block. */
void *heap_resize(void *memory, size_t size);

/* Copies of a text, or of at most len bytes of it, and a text as printf() prints it. */
char *heap_copy(const char *text);
char *heap_copy_part(const char *text, size_t len);
char *heap_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * open_memstream(), and fclose() of such a stream; from then on *text, with a NUL after its *len bytes, is
 * the caller's.
 */
FILE *heap_stream(char **text, size_t *len);
void heap_stream_close(FILE *stream);

/* heap_alloc() and free() for what takes an environment; cannot write. */
extern const struct env heap_env;

/*
 * A growing array with room for at least `needed` elements of `size` bytes: data, or a larger block that has its
 * elements and takes its place.  NULL with a capacity of 0 is an empty array.
 *
 *	list->all = heap_grow(list->all, &list->capacity, list->n + 1, sizeof(*list->all));
 */
void *heap_grow(void *data, size_t *capacity, size_t needed, size_t size);

/* A block of count elements of size bytes, zeroed; count may be 0. */
void *heap_array(size_t count, size_t size);

/* The same two for callers with an environment of their own; false, or NULL, if that one has no memory. */
bool heap_reserve(const struct env *env, void **data, size_t *capacity, size_t needed, size_t size);

void *heap_zeroed(const struct env *env, size_t count, size_t size);

#endif
