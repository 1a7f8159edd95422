/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that generated code reaches cheaply.
 *
 * A constant 64-bit address costs generated code ten bytes each time that it
 * is used; base register + 32-bit displacement costs none.  So the machine,
 * hot words and lines of code come from here, and lie within reach of one base
 * address, the machine's, wherever the core's mappings allow it.
 */
#ifndef TOOL_COMMON_NEAR_H
#define TOOL_COMMON_NEAR_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

struct near {
	UChar *next;        /* of the current chunk */
	SizeT left;         /* bytes */
	VgHashTable *pairs; /* struct pair_node by both numbers; NULL before the first */
};

/* size bytes, zeroed, aligned to 64 or 16 if that large, else to 8; never freed. */
void *near_alloc(struct near *near, SizeT size);

/* Two numbers side by side, aligned to 16: the same place for the same numbers. */
const ULong *near_pair(struct near *near, ULong first, ULong second);

#endif
