/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much the program allocates (--collect-alloc=yes): allocCount, allocSize and freeCount, costs of the allocator
 * that was called, and so of the calls that led to it.
 *
 * Of allocators that call each other the outermost counts: operator new, not the malloc() in it.  A block is
 * counted when its allocator returns, with the bytes that were asked for; nothing is if there is none, as after a
 * failure, or if the call is left by longjmp() or an exception.  A block is freed when it is passed to
 * free() or its like, unless it is a null pointer.  realloc() frees the old block, if there is one, and allocates
 * another one, wherever that lies; of 0 bytes, it only frees.
 */
#ifndef TOOL_ALLOC_ALLOC_COUNT_H
#define TOOL_ALLOC_ALLOC_COUNT_H

/* Counts from now on: before code is translated. */
void alloc_count_start(void);

#endif
