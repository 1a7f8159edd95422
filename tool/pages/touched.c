/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/pages/touched.h"

enum {
	WORD_BITS = 64,
	CHUNK_PAGES = TOUCHED_CHUNK_WORDS * WORD_BITS,
	FIRST_ROOM = 64, /* chunks */
};

void touched_init(struct touched *touched, void *(*allocate)(size_t size),
		  void (*release)(void *memory))
{
	*touched = (struct touched){ .allocate = allocate, .release = release };
}

void touched_release(struct touched *touched)
{
	if (touched->chunks != NULL)
		touched->release(touched->chunks);
}

/* --- chunks ------------------------------------------------------------------------------ */

/* Where a chunk is, or goes. */
static struct touched_chunk *place_of(struct touched *touched, uint64_t number)
{
	size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (touched->room - 1);

	while (touched->chunks[i].number != 0 && touched->chunks[i].number != number)
		i = (i + 1) & (touched->room - 1);
	return &touched->chunks[i];
}

static struct touched_chunk *find(struct touched *touched, uint64_t page)
{
	struct touched_chunk *chunk;

	if (touched->room == 0)
		return NULL;
	chunk = place_of(touched, page / CHUNK_PAGES + 1);
	return chunk->number != 0 ? chunk : NULL;
}

static void grow(struct touched *touched)
{
	struct touched_chunk *old = touched->chunks;
	const size_t old_room = touched->room;

	touched->room = old_room == 0 ? FIRST_ROOM : 2 * old_room;
	touched->chunks = touched->allocate(touched->room * sizeof(*touched->chunks));
	for (size_t i = 0; i < old_room; i++)
		if (old[i].number != 0)
			*place_of(touched, old[i].number) = old[i];
	if (old != NULL)
		touched->release(old);
}

static uint64_t bit_of(uint64_t page)
{
	return UINT64_C(1) << page % WORD_BITS;
}

static uint64_t *word_of(struct touched_chunk *chunk, uint64_t page)
{
	return &chunk->bits[page % CHUNK_PAGES / WORD_BITS];
}

/* --- pages ------------------------------------------------------------------------------- */

bool touched_search(struct touched *touched, uint64_t page)
{
	struct touched_chunk *chunk = find(touched, page);

	if (chunk == NULL || (*word_of(chunk, page) & bit_of(page)) == 0)
		return false;
	touched->recent[page % TOUCHED_RECENT] = page;
	return true;
}

void touched_add(struct touched *touched, uint64_t page)
{
	struct touched_chunk *chunk;

	/* A quarter stays free: searches are short. */
	if (4 * (touched->n + 1) > 3 * touched->room)
		grow(touched);
	chunk = place_of(touched, page / CHUNK_PAGES + 1);
	if (chunk->number == 0) {
		chunk->number = page / CHUNK_PAGES + 1;
		touched->n++;
	}
	*word_of(chunk, page) |= bit_of(page);
	touched->recent[page % TOUCHED_RECENT] = page;
}

static void forget_in_chunk(struct touched_chunk *chunk, uint64_t first, uint64_t last)
{
	for (uint64_t page = first; page <= last; page++)
		*word_of(chunk, page) &= ~bit_of(page);
}

void touched_forget(struct touched *touched, uint64_t first, uint64_t n)
{
	const uint64_t last = first + (n - 1);

	for (size_t i = 0; i < TOUCHED_RECENT; i++)
		if (touched->recent[i] >= first && touched->recent[i] <= last)
			touched->recent[i] = 0;
	/* Chunks are few, and ranges may be large. */
	for (size_t i = 0; i < touched->room; i++) {
		const struct touched_chunk *chunk = &touched->chunks[i];
		const uint64_t begin = (chunk->number - 1) * CHUNK_PAGES;
		const uint64_t end = begin + (CHUNK_PAGES - 1);

		if (chunk->number == 0 || end < first || begin > last)
			continue;
		forget_in_chunk(&touched->chunks[i], begin > first ? begin : first,
				end < last ? end : last);
	}
}

void touched_move(struct touched *touched, uint64_t first, uint64_t to, uint64_t n)
{
	if (first == to)
		return;
	touched_forget(touched, to, n);
	for (uint64_t i = 0; i < n; i++)
		if (touched_search(touched, first + i))
			touched_add(touched, to + i);
	touched_forget(touched, first, n);
}
