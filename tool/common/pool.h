/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pieces of memory of one size that lie together: small ones of many blocks of code share a line
 * of the host's cache, and larger ones begin with one.
 */
#ifndef TOOL_COMMON_POOL_H
#define TOOL_COMMON_POOL_H

#include "pub_tool_basics.h"

struct pool {
	SizeT size;        /* of a piece in bytes: 8, 16, 32, or a multiple of 64 */
	const HChar *name; /* of the allocation */
	void *given_back;  /* each piece begins with the next one's address */
	UChar *rest;       /* of the last chunk, */
	SizeT n_rest;      /* so many pieces */
};

/* A pool of pieces of this size, 8 bytes or more, which is rounded up; the name is borrowed for good. */
void pool_init(struct pool *pool, SizeT size, const HChar *name);

/* A piece, with any contents; aligned to its size, or to a line of the host's cache if that is less. */
void *pool_take(struct pool *pool);

/* Gives one back; does nothing if it is NULL. */
void pool_give(struct pool *pool, void *piece);

#endif
