/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which pages have been touched: a set of page numbers (addresses divided by TOUCHED_PAGE_SIZE).
 *
 * Most searches are for a page that is in the set and was searched for recently.
 */
#ifndef TOOL_PAGES_TOUCHED_H
#define TOOL_PAGES_TOUCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TOUCHED_PAGE_BITS = 12,
	TOUCHED_PAGE_SIZE = 1 << TOUCHED_PAGE_BITS, /* bytes */
	TOUCHED_CHUNK_WORDS = 8,                    /* of 64 pages each */
	TOUCHED_RECENT = 256,                       /* a power of two */
};

struct touched_chunk {
	uint64_t number; /* its first page / pages in a chunk + 1; 0: not in use */
	uint64_t bits[TOUCHED_CHUNK_WORDS]; /* by page */
};

/* Invariant: recent[i], if not 0, is in the set. */
struct touched {
	struct touched_chunk *chunks;    /* hashed by number, with open addresses */
	size_t n, room;                  /* in use; allocated: a power of two, or 0 */
	uint64_t recent[TOUCHED_RECENT]; /* page numbers; 0: none */
	void *(*allocate)(size_t size);
	void (*release)(void *memory);
};

/* Makes an empty set.  allocate() returns zeroed memory and does not fail. */
void touched_init(struct touched *touched, void *(*allocate)(size_t size),
		  void (*release)(void *memory));

/* Frees its memory. */
void touched_release(struct touched *touched);

/* touched_has() for a page that is not in recent[]. */
bool touched_search(struct touched *touched, uint64_t page);

/* True if a page is in the set. */
static inline bool touched_has(struct touched *touched, uint64_t page)
{
	return (touched->recent[page % TOUCHED_RECENT] == page && page != 0) ||
	       touched_search(touched, page);
}

/* Adds a page. */
void touched_add(struct touched *touched, uint64_t page);

/* Removes n pages (1 or more), starting at first. */
void touched_forget(struct touched *touched, uint64_t first, uint64_t n);

/* n pages have moved from first to to; what was touched there before is forgotten. */
void touched_move(struct touched *touched, uint64_t first, uint64_t to, uint64_t n);

#endif
