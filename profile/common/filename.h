/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When two spellings name one file. */
#ifndef PROFILE_COMMON_FILENAME_H
#define PROFILE_COMMON_FILENAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether filename_clean() would change a name: it has a component "." that is not
 * all of it, or "//".  (".." stays: behind a symbolic link, "a/../b" is not "b".)
 */
bool filename_is_unclean(const char *name, size_t len);

/*
 * The name without empty components and without ".", into a buffer of len bytes
 * at least; returns its length.  "./" becomes ".", "//" "/".
 */
size_t filename_clean(const char *name, size_t len, char *buffer);

#endif
