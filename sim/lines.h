/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cache (sim/cache.h) whose lines have records: whether a line was written
 * to, which code brought it in, and how it has been used since.  A record stays where
 * it is as long as its line does: the cache's slots say where.
 */
#ifndef SIM_LINES_H
#define SIM_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/cache.h"
#include "sim/range.h"

/* Who brought a line in: words of the caller's, which nothing here looks at. */
struct loader {
	void *code, *context;
};

/* Invariant: tag is that of a line that is resident, or 0 and so is all else: no line is here. */
struct line {
	uint64_t tag; /* the line's address with bit 0 set */
	uint64_t n_uses;
	struct loader loader;
	uint32_t used;  /* bit i: part i was used (sim/lineuse.h) */
	bool dirty;     /* written to since it came */
	bool is_shared; /* of memory_charge_resident(), while it runs (sim/memory.h) */
};

/* Invariant: of a set that begins with way i, the record of slot s is lines[i + s]. */
struct lines {
	struct cache cache;
	struct line *lines;
};

/* Bytes of memory that lines_init() needs, a multiple of 64; the geometry must be legal. */
size_t lines_memory_size(const struct cache_config *config);

/*
 * Makes an empty cache in the caller's memory: lines_memory_size() bytes, all
 * zero, aligned to 8, not moved while the cache is in use.
 */
void lines_init(struct lines *lines, const struct cache_config *config, void *memory);

/* How many there are, empty ways included. */
size_t lines_count(const struct lines *lines);

/* Takes lines that have a byte in the range out, with their records. */
void lines_evict(struct lines *lines, struct address_range range);

/* The record of the line that holds address, NULL if it is not resident; touches nothing. */
struct line *lines_find(const struct lines *lines, uint64_t address);

/*
 * References the line that holds address, as cache_touch(); returns its
 * record.  *evicted has a tag of 0 if it was resident.  Otherwise the record
 * is new, zero but for the tag, and *evicted is what was in its place, with a
 * tag of 0 if nothing was; *missed is set then.
 */
struct line *lines_touch(struct lines *lines, uint64_t address, struct line *evicted, bool *missed);

static inline uint64_t lines_size(const struct lines *lines)
{
	return UINT64_C(1) << lines->cache.line_bits;
}

static inline uint64_t line_address(const struct line *line)
{
	return line->tag & ~UINT64_C(1);
}

/*
 * The line that holds address, if it is known without a search that touching it would
 * change nothing: with LRU the one that was touched last in its set.  Else NULL.
 */
static inline struct line *lines_newest(const struct lines *lines, uint64_t address)
{
	size_t first = cache_set(&lines->cache, address);
	struct line *line = &lines->lines[first + lines->cache.slots[first]];

	if (line->tag == 0 || address - line_address(line) >= lines_size(lines) ||
	    lines->cache.policy != &policy_lru)
		return NULL;
	return line;
}

#endif
