/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/common/pool.h"

#include "pub_tool_mallocfree.h"

enum {
	CHUNK = 16 * 1024, /* bytes */
	LINE = 64,         /* of the host's caches */
};

void pool_init(struct pool *pool, SizeT size, const HChar *name)
{
	SizeT rounded = 8;

	while (rounded < size && rounded < LINE)
		rounded *= 2;
	if (rounded < size)
		rounded = (size + LINE - 1) / LINE * LINE;
	*pool = (struct pool){ .size = rounded, .name = name };
}

static void add_chunk(struct pool *pool)
{
	SizeT alignment = pool->size < LINE ? pool->size : LINE;
	Addr chunk = (Addr)VG_(malloc)(pool->name, CHUNK + alignment);

	pool->rest = (UChar *)((chunk + alignment - 1) & ~(alignment - 1));
	pool->n_rest = CHUNK / pool->size;
}

void *pool_take(struct pool *pool)
{
	void *piece = pool->given_back;

	if (piece != NULL) {
		pool->given_back = *(void **)piece;
		return piece;
	}
	if (pool->n_rest == 0)
		add_chunk(pool);
	piece = pool->rest;
	pool->rest += pool->size;
	pool->n_rest--;
	return piece;
}

void pool_give(struct pool *pool, void *piece)
{
	if (piece == NULL)
		return;
	*(void **)piece = pool->given_back;
	pool->given_back = piece;
}
