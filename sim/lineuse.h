/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What use was made of a line from when it came to when it went.
 *
 * A line has 32 parts (lines of 16 bytes 16), each used or not.  A reference
 * is a use of each line of the first level that it touches.  A line of the
 * last level has the uses of those lines of the first level that went while
 * it was there.  A line that was used has cost, when it goes,
 *
 *	access cost	1000 / uses, rounded down: how far its coming was worth it
 *	space loss	bytes in parts that were not used
 */
#ifndef SIM_LINEUSE_H
#define SIM_LINEUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/lines.h"

enum {
	LINEUSE_PARTS_BITS = 5,
	LINEUSE_PARTS = 1 << LINEUSE_PARTS_BITS,
};

/* What a line has cost whoever brought it in. */
struct line_cost {
	struct loader loader;
	unsigned level; /* 1, or 2 for the last one */
	uint64_t access_cost;
	uint64_t space_loss; /* bytes */
};

struct memory_reference;

/* Where costs go. */
struct line_sink {
	void (*take)(void *ctx, const struct line_cost *cost);
	void *ctx;
	/*
	 * A reference has brought a line of a level in, as in struct line_cost: what its loader is to
	 * be.  NULL: that of the reference.
	 */
	struct loader (*came)(void *ctx, const struct memory_reference *reference, unsigned level);
};

/* log2 of the bytes of a part. */
static inline uint32_t lineuse_part_bits(const struct lines *lines)
{
	return lines->cache.line_bits > LINEUSE_PARTS_BITS
		       ? lines->cache.line_bits - LINEUSE_PARTS_BITS
		       : 0;
}

/* The parts that hold size bytes from offset on, all of them in one line. */
static inline uint32_t lineuse_parts(const struct lines *lines, uint64_t offset, uint64_t size)
{
	uint32_t bits = lineuse_part_bits(lines);
	uint64_t first = offset >> bits;
	uint64_t last = (offset + size - 1) >> bits;

	return (UINT32_MAX >> (LINEUSE_PARTS - 1 - (last - first))) << first;
}

/*
 * Whether a reference lies in the line that was touched last in its set, and nothing changes in
 * the set by that; if so, the use of it is noted, and there is no more to do in this cache.
 */
static inline bool lineuse_again(const struct lines *lines, uint64_t address, uint64_t size)
{
	struct line *line = lines_newest(lines, address);
	uint64_t offset;

	if (line == NULL)
		return false;
	offset = address - line_address(line);
	if (size > lines_size(lines) - offset)
		return false;
	line->n_uses++;
	line->used |= lineuse_parts(lines, offset, size);
	return true;
}

/* A use of size bytes (1 or more) at address, those of them that lie in the line. */
void lineuse_mark(const struct lines *lines, struct line *line, uint64_t address, uint64_t size);

/* Gives the uses of a line of the first level to one of the last level that shares bytes with it. */
void lineuse_pass(const struct lines *first, const struct line *from, const struct lines *last,
		  struct line *to);

/*
 * The resident lines of the last level that share bytes with a line of the first: each call returns the
 * next one, NULL when there are no more.  *covered is 0 at first, and the bytes that were looked at.
 */
struct line *lineuse_next_shared(const struct lines *first, const struct line *line,
				 const struct lines *last, uint64_t *covered);

/* The same as lineuse_pass(), to each such line. */
void lineuse_pass_on(const struct lines *first, const struct line *from, const struct lines *last);

/* Sends what a line has cost to the sink, if it was used; changes nothing. */
void lineuse_charge(const struct lines *lines, const struct line *line, unsigned level,
		    const struct line_sink *sink);

#endif
