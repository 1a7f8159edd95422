/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cache like struct cache (sim/cache.h), to the last miss, whose lines have
 * records: whether a line was written to, who brought it in, and how it has
 * been used since.  A record stays where it is as long as its line does.
 */
#ifndef SIM_LINES_H
#define SIM_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/geometry.h"

/* Who brought a line in: words of the caller's, which nothing here looks at. */
struct loader {
	void *code, *context;
};

/* Invariant: tag and stamp are both 0 (an empty way) or both not. */
struct line {
	uint64_t tag;   /* the line's address with bit 0 set */
	uint64_t stamp; /* of its last touch */
	uint64_t n_uses;
	struct loader loader;
	uint32_t used; /* bit i: part i was used (sim/lineuse.h) */
	bool dirty;    /* written to since it came */
};

/* Invariant: of the ways of a set, lines[set * assoc] and so on, no two have the same tag but 0. */
struct lines {
	struct line *lines;
	uint32_t *newest; /* of each set: the way that was touched last */
	uint64_t clock;   /* the last stamp given */
	uint64_t set_mask;
	uint32_t assoc;
	uint32_t line_bits;
};

/* Bytes of memory that lines_init() needs, a multiple of 64; the geometry must be legal. */
size_t lines_memory_size(const struct cache_geometry *geometry);

/*
 * Makes an empty cache in the caller's memory: lines_memory_size() bytes, all
 * zero, aligned to 8, not moved while the cache is in use.
 */
void lines_init(struct lines *lines, const struct cache_geometry *geometry, void *memory);

/* How many there are, empty ways included. */
size_t lines_count(const struct lines *lines);

/* Takes a line out; its record is that of an empty way then. */
static inline void lines_drop(struct line *line)
{
	*line = (struct line){ .tag = 0 };
}

/* The record of the line that holds address, NULL if it is not resident; touches nothing. */
struct line *lines_find(const struct lines *lines, uint64_t address);

/*
 * References the line that holds address, as cache_touch(); returns its
 * record.  *evicted has a tag of 0 if it was resident.  Otherwise the record
 * is new, zero but for tag and stamp, and *evicted is what was in its place,
 * with a tag of 0 if that was an empty way; *missed tells the two apart.
 */
struct line *lines_touch(struct lines *lines, uint64_t address, struct line *evicted, bool *missed);

/* The line that was touched last in the set of an address; its tag is 0 if none was. */
static inline struct line *lines_newest(const struct lines *lines, uint64_t address)
{
	size_t set = (size_t)((address >> lines->line_bits) & lines->set_mask);

	return &lines->lines[set * lines->assoc + lines->newest[set]];
}

static inline uint64_t lines_size(const struct lines *lines)
{
	return UINT64_C(1) << lines->line_bits;
}

static inline uint64_t line_address(const struct line *line)
{
	return line->tag & ~UINT64_C(1);
}

#endif
