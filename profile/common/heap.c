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

/* Without memory for its first bytes, glibc closes a stream well, and there is no text. */
void heap_stream_close(FILE *stream, char *const *text)
{
	const bool is_whole = !ferror(stream);

	if (fclose(stream) != 0 || !is_whole || !*text)
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

size_t array_upto(const void *data, size_t n, size_t size, size_t offset, uint64_t most)
{
	size_t low = 0, high = n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		uint64_t number;

		memcpy(&number, (const char *)data + middle * size + offset, sizeof(number));
		if (number <= most)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void *heap_zeroed(size_t count, size_t size)
{
	return checked(calloc(count > 0 ? count : 1, size));
}

/* -- arenas ---------------------------------------------------------------------- */

enum {
	MIN_CHUNK = 4096,
	MAX_CHUNK = 1 << 20,
	CHUNK_ALIGN = 16,
};

struct arena_chunk {
	_Alignas(CHUNK_ALIGN) struct arena_chunk *next;
};

void arena_init(struct arena *arena)
{
	*arena = (struct arena){ 0 };
}

void arena_release(struct arena *arena)
{
	struct arena_chunk *chunk = arena->chunks;

	while (chunk) {
		struct arena_chunk *next = chunk->next;

		free(chunk);
		chunk = next;
	}
	arena_init(arena);
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

/* -- texts that grow ------------------------------------------------------------- */

void bytes_init(struct bytes *bytes)
{
	*bytes = (struct bytes){ 0 };
}

void bytes_release(struct bytes *bytes)
{
	free(bytes->text);
	bytes_init(bytes);
}

void bytes_reset(struct bytes *bytes)
{
	bytes->len = 0;
}

void bytes_add(struct bytes *bytes, const char *text, size_t len)
{
	if (len == 0)
		return;
	bytes->text = heap_grow(bytes->text, &bytes->capacity, bytes->len + len, 1);
	memcpy(bytes->text + bytes->len, text, len);
	bytes->len += len;
}

void bytes_add_char(struct bytes *bytes, char c)
{
	bytes_add(bytes, &c, 1);
}

void bytes_add_text(struct bytes *bytes, const char *text)
{
	bytes_add(bytes, text, strlen(text));
}
