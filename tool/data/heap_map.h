/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The live blocks of a program's memory: which one holds an address.
 *
 * Blocks are sorted into levels by size, and within a level into granules by where they begin.  Granules are aligned pieces
 * of memory as large as the largest block of the level: 256 bytes, 2 KiB, 16 KiB and so on.  So the block that holds an
 * address begins in the granule of the address, or in the one before.  Empty levels cost nothing.
 *
 * Blocks may contain others, as a pool does.  If several hold an address, the one inserted last counts: it is the inner
 * one or, where a removal was not seen, the one that is there now.
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
	uint64_t serial;      /* 1..: never used for another block */
	uint32_t object;      /* a number for the user */
	uint32_t next;        /* in its granule, or in the list of free ones: number + 1, or 0 */
};

/* A granule that has had a block, found by its number. */
struct heap_granule {
	uint64_t number; /* address / size of the granule */
	uint32_t first;  /* a block's number + 1, or 0 */
	bool is_used;
};

/* Open addressing; all zero is an empty level. */
struct heap_level {
	struct heap_granule *granules;
	uint32_t bits;   /* log2 of the room */
	uint32_t n_used; /* granules, including those without blocks */
	uint64_t n;      /* blocks */
};

struct heap_map {
	struct heap_level levels[HEAP_LEVELS];
	struct heap_block **pages; /* blocks by number; they do not move */
	uint32_t n_pages, n_numbers, free;
	uint64_t n, last_serial;
	void *(*allocate)(size_t size); /* zeroed memory; does not fail */
	void (*release)(void *memory);
};

/* Makes an empty map. */
void heap_map_init(struct heap_map *map, void *(*allocate)(size_t size),
		   void (*release)(void *memory));

/* Frees its memory. */
void heap_map_release(struct heap_map *map);

/*
 * Adds a block of size bytes, 0 being taken for 1.  Removes one that began there, unless that was larger.  Returns the block;
 * blocks that were found before remain valid memory, but may be other blocks: serial tells.
 */
const struct heap_block *heap_map_insert(struct heap_map *map, uint64_t start, uint64_t size,
					 uint32_t object);

/* Removes the block that begins there; False if there was none. */
bool heap_map_remove(struct heap_map *map, uint64_t start);

/* The block that holds an address, or NULL. */
const struct heap_block *heap_map_find(const struct heap_map *map, uint64_t address);

/* The innermost block that begins there, or NULL. */
const struct heap_block *heap_map_at(const struct heap_map *map, uint64_t start);

#endif
