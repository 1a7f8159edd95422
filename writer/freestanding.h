/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to writer/: the three functions that a compiler may call anyway, so
 * that they exist wherever this is linked.  <string.h> would offer more.
 */
#ifndef WRITER_FREESTANDING_H
#define WRITER_FREESTANDING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t len);
void *memmove(void *to, const void *from, size_t len);
void *memset(void *memory, int byte, size_t len);

#endif
