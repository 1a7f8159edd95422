/* SPDX-License-Identifier: GPL-3.0-or-later */
/* malloc() as a struct env, and arrays that grow. */
#include "profile/common/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_ELEMENTS = 16 };

static void *heap_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return malloc(size);
}

static void heap_free(void *ctx, void *memory)
{
	(void)ctx;
	free(memory);
}

const struct env heap_env = { heap_alloc, heap_free, NULL, NULL };

bool heap_reserve(const struct env *env, void **data, size_t *capacity, size_t needed, size_t size)
{
	size_t grown = *capacity < MIN_ELEMENTS ? MIN_ELEMENTS : *capacity;
	void *moved;

	if (needed <= *capacity)
		return true;
	if (needed > SIZE_MAX / 2 / size)
		return false;
	while (grown < needed)
		grown *= 2;
	moved = env->alloc(env->ctx, grown * size);
	if (!moved)
		return false;
	if (*capacity > 0)
		memcpy(moved, *data, *capacity * size);
	env->release(env->ctx, *data);
	*data = moved;
	*capacity = grown;
	return true;
}

void *heap_zeroed(const struct env *env, size_t count, size_t size)
{
	void *memory;

	if (count == 0)
		count = 1;
	if (count > SIZE_MAX / 2 / size)
		return NULL;
	memory = env->alloc(env->ctx, count * size);
	if (memory)
		memset(memory, 0, count * size);
	return memory;
}
