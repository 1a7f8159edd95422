/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/common/hot_memory.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "valgrind.h"

enum {
	CHUNK_SIZE = 1024 * 1024, /* bytes */
	PAGE_SIZE = 4096,
	LARGE_ALIGNMENT = 64,
	POOL_CHUNK_SIZE = 16 * 1024,
	HOST_LINE = 64, /* of its caches */
	/* What the program and the tool need to go on. */
	SPARED = 32 * 1024 * 1024,
};

struct pair_node {
	struct pair_node *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	ULong *pair;
};

static SizeT whole_pages(SizeT size)
{
	return (size + PAGE_SIZE - 1) & -(SizeT)PAGE_SIZE;
}

void *pages_take(SizeT size)
{
#if __VALGRIND_MAJOR__ > 3 || __VALGRIND_MINOR__ >= 21
	SysRes result = VG_(am_shadow_alloc)(whole_pages(size));

	return sr_isError(result) ? NULL : (void *)(Addr)sr_Res(result);
#else
	return VG_(am_shadow_alloc)(whole_pages(size));
#endif
}

void *pages_take_sparingly(SizeT size)
{
	UChar *pages = pages_take(whole_pages(size) + SPARED);

	if (pages != NULL)
		pages_give_back(pages + whole_pages(size), SPARED);
	return pages;
}

void pages_give_back(void *pages, SizeT size)
{
	VG_(am_munmap_valgrind)((Addr)pages, whole_pages(size));
}

void hot_memory_exhausted(SizeT size)
{
#if __VALGRIND_MAJOR__ > 3 || __VALGRIND_MINOR__ >= 21
	VG_(out_of_memory_NORETURN)("costgrind", size, VKI_ENOMEM);
#else
	VG_(out_of_memory_NORETURN)("costgrind", size);
#endif
}

static void *map_pages(SizeT size)
{
	void *pages = pages_take(size);

	if (pages == NULL)
		hot_memory_exhausted(size);
	return pages;
}

Bool hot_memory_reserve(struct hot_memory *hot_memory, SizeT size)
{
	void *pages = pages_take_sparingly(size);

	if (pages == NULL)
		return False;
	*hot_memory = (struct hot_memory){ .next = pages, .left = size, .is_reserved = True };
	return True;
}

void *hot_memory_alloc(struct hot_memory *hot_memory, SizeT size)
{
	void *memory;
	SizeT alignment = size >= LARGE_ALIGNMENT ? LARGE_ALIGNMENT : size < 16 ? 8 : 16;
	SizeT skip = -(Addr)hot_memory->next & (alignment - 1);

	size = (size + sizeof(ULong) - 1) & -sizeof(ULong);
	if (size > CHUNK_SIZE / 4 && !hot_memory->is_reserved)
		return map_pages(size);
	if (hot_memory->left < skip + size) {
		if (hot_memory->is_reserved)
			hot_memory_exhausted(size);
		hot_memory->next = map_pages(CHUNK_SIZE);
		hot_memory->left = CHUNK_SIZE;
		skip = 0;
	}
	memory = hot_memory->next + skip;
	hot_memory->next += skip + size;
	hot_memory->left -= skip + size;
	return memory;
}

static Word pair_compare(const void *a, const void *b)
{
	const struct pair_node *left = a, *right = b;

	return left->pair[0] != right->pair[0] || left->pair[1] != right->pair[1];
}

const ULong *hot_memory_pair(struct hot_memory *hot_memory, ULong first, ULong second)
{
	ULong pair[2] = { first, second };
	const struct pair_node wanted = { .key = first * 31 + second, .pair = pair };
	struct pair_node *node;

	if (hot_memory->pairs == NULL)
		hot_memory->pairs = VG_(HT_construct)("costgrind.pairs");
	node = VG_(HT_gen_lookup)(hot_memory->pairs, &wanted, pair_compare);
	if (node != NULL)
		return node->pair;
	node = VG_(perm_malloc)(sizeof(*node), 8);
	node->key = wanted.key;
	node->pair = hot_memory_alloc(hot_memory, sizeof(pair));
	node->pair[0] = first;
	node->pair[1] = second;
	VG_(HT_add_node)(hot_memory->pairs, node);
	return node->pair;
}

void pool_init(struct pool *pool, SizeT size, const HChar *name)
{
	SizeT rounded = 8;

	while (rounded < size && rounded < HOST_LINE)
		rounded *= 2;
	if (rounded < size)
		rounded = (size + HOST_LINE - 1) / HOST_LINE * HOST_LINE;
	*pool = (struct pool){ .size = rounded, .name = name };
}

static void add_chunk(struct pool *pool)
{
	SizeT alignment = pool->size < HOST_LINE ? pool->size : HOST_LINE;
	Addr chunk = (Addr)VG_(malloc)(pool->name, POOL_CHUNK_SIZE + alignment);

	pool->rest = (UChar *)((chunk + alignment - 1) & ~(alignment - 1));
	pool->n_rest = POOL_CHUNK_SIZE / pool->size;
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
