/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that generated code reaches cheaply.
 *
 * A constant 64-bit address costs generated code ten bytes each time that it
 * is used; base register + 32-bit displacement costs none.  So the machine,
 * counters and lines of code come from here, and lie within reach of one base
 * address, the machine's, wherever the core's mappings allow it.
 */
#ifndef TOOL_NEAR_H
#define TOOL_NEAR_H

#include "pub_tool_basics.h"

struct near {
	UChar *next; /* of the current chunk */
	SizeT left;  /* bytes */
	ULong *free; /* counters given back: each points to the next */
};

/* size bytes, zeroed, aligned to 64 if that large, else to 8; never freed. */
void *near_alloc(struct near *near, SizeT size);

/* A counter, at 0; to be given back by near_free_counter(). */
ULong *near_counter(struct near *near);
void near_free_counter(struct near *near, ULong *counter);

#endif
