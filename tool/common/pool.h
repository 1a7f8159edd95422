/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pieces of memory of one size that lie together: small ones of many blocks of code share a line
 * of the host's cache, and larger ones begin with one.
 */
#ifndef TOOL_COMMON_POOL_H
#define TOOL_COMMON_POOL_H

#include "pub_tool_basics.h"

/* All zeros but for its size at first. */
struct pool {
	SizeT size;        /* of a piece in bytes: 8, 16, 32, or a multiple of 64 */
	const HChar *name; /* of the allocation */
	void *given_back;  /* each piece begins with the next one's address */
	UChar *rest;       /* of the last chunk, */
	SizeT n_rest;      /* so many pieces */
};

/* A piece, with any contents; aligned to its size, or to a line of the host's cache if that is less. */
void *pool_take(struct pool *pool);

/* Gives one back; does nothing if it is NULL. */
void pool_give(struct pool *pool, void *piece);

#endif
