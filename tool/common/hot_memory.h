/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that generated code reaches cheaply.
 *
 * A constant 64-bit address costs generated code ten bytes each time that it
 * is used; base register + 32-bit displacement costs none.  So the machine,
 * hot words and lines of code come from here, and lie within reach of one base
 * address, the machine's, wherever the core's mappings allow it.
 */
#ifndef TOOL_COMMON_HOT_MEMORY_H
#define TOOL_COMMON_HOT_MEMORY_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

struct hot_memory {
	UChar *next;        /* of the current chunk */
	SizeT left;         /* bytes */
	VgHashTable *pairs; /* struct pair_node by both numbers; NULL before the first */
};

/* size bytes, zeroed, aligned to 64 or 16 if that large, else to 8; never freed. */
void *hot_memory_alloc(struct hot_memory *hot_memory, SizeT size);

/* Whole pages from the core, zeroed, that can be given back; NULL if it has none. */
void *pages_take(SizeT size);
/* The same for what can be done without: NULL, too, if it would take the last of the address space. */
void *pages_take_sparingly(SizeT size);
void pages_give_back(void *pages, SizeT size);

/* Two numbers side by side, aligned to 16: the same place for the same numbers. */
const ULong *hot_memory_pair(struct hot_memory *hot_memory, ULong first, ULong second);

#endif
