/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

enum {
	MIN_CHUNK = 4096,
	MAX_CHUNK = 1 << 20,
	CHUNK_ALIGN = 16,
};

struct arena_chunk {
	_Alignas(CHUNK_ALIGN) struct arena_chunk *next;
};

void arena_init(struct arena *arena, const struct env *env)
{
	*arena = (struct arena){ .env = env };
}

void arena_release(struct arena *arena)
{
	struct arena_chunk *chunk = arena->chunks;

	while (chunk) {
		struct arena_chunk *next = chunk->next;

		free(chunk);
		chunk = next;
	}
	arena_init(arena, arena->env);
}

/* A new chunk for at least size bytes; what was left of the last one is lost. */
static void add_chunk(struct arena *arena, size_t size)
{
	size_t want = arena->bytes / 4;
	struct arena_chunk *chunk;

	if (want < MIN_CHUNK)
		want = MIN_CHUNK;
	if (want > MAX_CHUNK)
		want = MAX_CHUNK;
	if (size > SIZE_MAX / 2)
		heap_exhausted();
	if (want < size + sizeof(*chunk) + ARENA_SLACK)
		want = size + sizeof(*chunk) + ARENA_SLACK;
	chunk = heap_alloc(want);
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	arena->free = (char *)(chunk + 1);
	arena->left = want - sizeof(*chunk) - ARENA_SLACK;
	arena->bytes += want;
}

void *arena_alloc(struct arena *arena, size_t size, size_t align)
{
	size_t skip = -(uintptr_t)arena->free & (align - 1);
	char *taken;

	if (arena->left < skip || arena->left - skip < size) {
		add_chunk(arena, size);
		skip = 0;
	}
	taken = arena->free + skip;
	arena->free = taken + size;
	arena->left -= skip + size;
	return taken;
}

char *arena_copy(struct arena *arena, const char *data, size_t len)
{
	char *copy = arena_alloc(arena, len + 1, 1);

	if (len > 0)
		memcpy(copy, data, len);
	copy[len] = '\0';
	return copy;
}
