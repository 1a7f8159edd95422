/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory for generated code and for what is touched often: near each other, in pieces, or by the page.
 *
 * A 64-bit address constant costs generated code ten bytes at each use; a base register with a 32-bit
 * displacement costs none.  So the simulated machine, hot words and counters come from here, and lie
 * within reach of one base address, the machine's, wherever the core's mappings allow it.
 */
#ifndef TOOL_COMMON_HOT_MEMORY_H
#define TOOL_COMMON_HOT_MEMORY_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

struct hot_memory {
	UChar *next;        /* of the current chunk */
	SizeT left;         /* bytes */
	Bool is_reserved;   /* by hot_memory_reserve(): there is no other chunk */
	VgHashTable *pairs; /* struct pair_node by both numbers; NULL before the first */
};

/*
 * Reserves size bytes of address space for all that will come from it; pages take memory when they are used.  Nothing has
 * come from it yet.  Returns False, having done nothing, if there is not enough address space.
 */
Bool hot_memory_reserve(struct hot_memory *hot_memory, SizeT size);

/* Reports that size bytes could not be had, and ends. */
void hot_memory_exhausted(SizeT size) __attribute__((noreturn));

/* size bytes, zeroed, aligned to 64 or 16 if they are that large, otherwise to 8; never freed. */
void *hot_memory_alloc(struct hot_memory *hot_memory, SizeT size);

/* Two numbers in a row, aligned to 16; the same address each time for the same numbers. */
const ULong *hot_memory_pair(struct hot_memory *hot_memory, ULong first, ULong second);

/* Whole pages from the core, zeroed, that can be given back; NULL if it has none. */
void *pages_take(SizeT size);
/* The same for optional data: also NULL if little of the address space would remain. */
void *pages_take_sparingly(SizeT size);
void pages_give_back(void *pages, SizeT size);

/*
 * Pieces of one size that lie together: small ones of many blocks share a line of the host's cache, and
 * large ones begin with one.
 */
struct pool {
	SizeT size;        /* of a piece in bytes: 8, 16, 32 or a multiple of 64 */
	const HChar *name; /* of the allocation */
	void *given_back;  /* each such piece begins with the next one's address */
	UChar *rest;       /* the pieces of the last chunk that were never taken */
	SizeT n_rest;      /* their number */
};

/* A pool of pieces of this size, at least 8 bytes, rounded up; the name must live forever. */
void pool_init(struct pool *pool, SizeT size, const HChar *name);

/* A piece with undefined contents, aligned to its size or to a host cache line, whichever is less. */
void *pool_take(struct pool *pool);

/* Gives a piece back; does nothing if it is NULL. */
void pool_give(struct pool *pool, void *piece);

#endif
