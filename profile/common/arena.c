/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/arena.h"

#include <stdint.h>
#include <string.h>

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

		arena->env->release(arena->env->ctx, chunk);
		chunk = next;
	}
	arena_init(arena, arena->env);
}

/* A new chunk for at least size bytes; what was left of the last one is lost. */
static int add_chunk(struct arena *arena, size_t size)
{
	size_t want = arena->bytes / 4;
	struct arena_chunk *chunk;

	if (want < MIN_CHUNK)
		want = MIN_CHUNK;
	if (want > MAX_CHUNK)
		want = MAX_CHUNK;
	if (size > SIZE_MAX / 2)
		return 0;
	if (want < size + sizeof(*chunk) + ARENA_SLACK)
		want = size + sizeof(*chunk) + ARENA_SLACK;
	chunk = arena->env->alloc(arena->env->ctx, want);
	if (!chunk)
		return 0;
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	arena->free = (char *)(chunk + 1);
	arena->left = want - sizeof(*chunk) - ARENA_SLACK;
	arena->bytes += want;
	return 1;
}

void *arena_alloc(struct arena *arena, size_t size, size_t align)
{
	size_t skip = -(uintptr_t)arena->free & (align - 1);
	char *taken;

	if (arena->left < skip || arena->left - skip < size) {
		if (!add_chunk(arena, size))
			return NULL;
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

	if (!copy)
		return NULL;
	if (len > 0)
		memcpy(copy, data, len);
	copy[len] = '\0';
	return copy;
}
