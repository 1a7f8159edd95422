/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The live blocks of a program's memory: which one holds an address.
 *
 * Blocks are sorted by size into levels, and in each by where they begin into granules, aligned pieces
 * of memory that are as large as its largest block: 256 bytes, 2 KiB, 16 KiB and so on.  So what holds
 * an address begins in the granule of the address, or in the one before.  Levels that have no blocks
 * cost nothing.
 *
 * Blocks may lie in others: a pool's in that of the pool.  Of several that hold an address, the one
 * counts that was inserted last: it is the inner one, and where a removal was not seen, the one that
 * is there now.
 */
#ifndef TOOL_DATA_HEAP_MAP_H
#define TOOL_DATA_HEAP_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	HEAP_LEVELS = 19,
};

struct heap_block {
	uint64_t start, size; /* bytes, at least 1 */
	uint64_t serial;      /* 1..: no other block has the same, of those that ever were */
	uint32_t object;      /* its owner's number for what it is */
	uint32_t next;        /* in its granule, or of those that are free: number + 1, or 0 */
};

/* A granule that had a block, found by its number. */
struct heap_granule {
	uint64_t number; /* address / size of the granule */
	uint32_t first;  /* a block's number + 1, or 0 */
	bool is_used;
};

/* Open addressing; all zero is an empty level. */
struct heap_level {
	struct heap_granule *granules;
	uint32_t bits;   /* log2 of the room */
	uint32_t n_used; /* granules, those without blocks among them */
	uint64_t n;      /* blocks */
};

struct heap_map {
	struct heap_level levels[HEAP_LEVELS];
	struct heap_block **pages; /* blocks by number; they do not move */
	uint32_t n_pages, n_numbers, free;
	uint64_t n, last_serial;
	void *(*allocate)(size_t size); /* of zeros; does not fail */
	void (*release)(void *memory);
};

/* Makes an empty one. */
void heap_map_init(struct heap_map *map, void *(*allocate)(size_t size),
		   void (*release)(void *memory));

/* Gives its memory back. */
void heap_map_release(struct heap_map *map);

/*
 * A block of size bytes begins there now; 0 is taken for 1.  One of that size or a smaller one that
 * began there is no more.  Returns it; what was found before remains valid memory, but may be another
 * block: serial says so.
 */
const struct heap_block *heap_map_insert(struct heap_map *map, uint64_t start, uint64_t size,
					 uint32_t object);

/* The block that begins there is no more; returns whether there was one. */
bool heap_map_remove(struct heap_map *map, uint64_t start);

/* The block that holds an address, or NULL. */
const struct heap_block *heap_map_find(const struct heap_map *map, uint64_t address);

/* The block that begins there, the innermost, or NULL. */
const struct heap_block *heap_map_at(const struct heap_map *map, uint64_t start);

#endif
