/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory for profile/.  All of it comes from a struct env (writer/env.h), so
 * that tests can make each allocation fail; env.write is not used here.
 */
#ifndef PROFILE_COMMON_HEAP_H
#define PROFILE_COMMON_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "writer/env.h"

/* malloc() and free(); cannot write. */
extern const struct env heap_env;

/*
 * Makes room for at least `needed` elements of `size` bytes in a growing array,
 * by doubling: *data and *capacity are replaced, the first *capacity elements
 * kept.  False if memory ran out or the size overflows; all is then as before.
 */
bool heap_reserve(const struct env *env, void **data, size_t *capacity, size_t needed, size_t size);

/* A block of count elements of size bytes, zeroed; NULL if memory ran out.  count may be 0. */
void *heap_zeroed(const struct env *env, size_t count, size_t size);

#endif
