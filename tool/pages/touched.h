/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which pages have been touched: a set of numbers of pages, addresses divided by TOUCHED_PAGE_SIZE.
 *
 * Most that are asked for are in it and have been asked for not long ago.
 */
#ifndef TOOL_PAGES_TOUCHED_H
#define TOOL_PAGES_TOUCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TOUCHED_PAGE_BITS = 12,
	TOUCHED_PAGE_SIZE = 1 << TOUCHED_PAGE_BITS, /* bytes */
	TOUCHED_CHUNK_WORDS = 8,                    /* pages of a chunk, by 64 */
	TOUCHED_RECENT = 256,                       /* a power of two */
};

struct touched_chunk {
	uint64_t number; /* of its first page, by the pages of a chunk, and 1; 0: this one is not in use */
	uint64_t bits[TOUCHED_CHUNK_WORDS]; /* by page */
};

/* Invariant: recent[i], if not 0, is in the set. */
struct touched {
	struct touched_chunk *chunks;    /* hashed by number, with open addresses */
	size_t n, room;                  /* in use; a power of two, or 0 */
	uint64_t recent[TOUCHED_RECENT]; /* numbers of pages; 0: none */
	void *(*allocate)(size_t size);
	void (*release)(void *memory);
};

/* An empty set; allocate gives zeroed memory, and does not fail. */
void touched_init(struct touched *touched, void *(*allocate)(size_t size),
		  void (*release)(void *memory));

/* Gives its memory back. */
void touched_release(struct touched *touched);

/* The same if it is not among those asked for not long ago. */
bool touched_search(struct touched *touched, uint64_t page);

/* Whether a page is in the set. */
static inline bool touched_has(struct touched *touched, uint64_t page)
{
	return (touched->recent[page % TOUCHED_RECENT] == page && page != 0) ||
	       touched_search(touched, page);
}

/* Puts a page into the set. */
void touched_add(struct touched *touched, uint64_t page);

/* Takes n pages (1 or more) from first on out of it. */
void touched_forget(struct touched *touched, uint64_t first, uint64_t n);

/* Pages have another address from now on: n from first on are those from to on.  What was there is forgotten. */
void touched_move(struct touched *touched, uint64_t first, uint64_t to, uint64_t n);

#endif
