/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* vasprintf(), open_memstream() */
#include "profile/common/heap.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_ELEMENTS = 16 };

/* Weak, so that a fuzz target can end without being reported as a crash. */
__attribute__((weak)) _Noreturn void heap_exhausted(void)
{
	fputs("costgrind: out of memory\n", stderr);
	exit(1);
}

static void *checked(void *memory)
{
	if (!memory)
		heap_exhausted();
	return memory;
}

void *heap_alloc(size_t size)
{
	return checked(malloc(size > 0 ? size : 1));
}

void *heap_resize(void *memory, size_t size)
{
	return checked(realloc(memory, size > 0 ? size : 1));
}

char *heap_copy(const char *text)
{
	return checked(strdup(text));
}

char *heap_copy_part(const char *text, size_t len)
{
	return checked(strndup(text, len));
}

char *heap_print(const char *format, ...)
{
	char *text;
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	return checked(len < 0 ? NULL : text);
}

FILE *heap_stream(char **text, size_t *len)
{
	return checked(open_memstream(text, len));
}

void heap_stream_close(FILE *stream)
{
	if (ferror(stream) || fclose(stream) != 0)
		heap_exhausted();
}

static void *env_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return heap_alloc(size);
}

static void env_release(void *ctx, void *memory)
{
	(void)ctx;
	free(memory);
}

const struct env heap_env = { env_alloc, env_release, NULL, NULL };

void *heap_grow(void *data, size_t *capacity, size_t needed, size_t size)
{
	size_t grown = *capacity < MIN_ELEMENTS ? MIN_ELEMENTS : *capacity;

	if (needed <= *capacity)
		return data;
	if (needed > SIZE_MAX / 2 / size)
		heap_exhausted();
	while (grown < needed)
		grown *= 2;
	*capacity = grown;
	return heap_resize(data, grown * size);
}

void *heap_array(size_t count, size_t size)
{
	return checked(calloc(count > 0 ? count : 1, size));
}

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
