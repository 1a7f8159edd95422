/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What Callgrind's simulators add to the last level of caches, each alone or with the others:
 *
 *	write-back	LL knows which lines were written to.  The first level writes through: LL sees a write that hits
 *			there, too, and brings the line in if it must; nobody waits for that, so it is no miss.
 *	prefetcher	watches what LL is asked for, and asks it for lines of its own, which are no misses either.
 *	uses		of each line are watched, in all caches (see below).
 *
 * Otherwise hits and misses are as in sim/lower.h.  Uses do not change that; write-back and prefetcher change LL
 * alone, so the levels before it may be anything that tells whether all of them missed: a struct machine without its
 * last level, or the first level of this struct, which watches uses.
 *
 * What a write-back costs is seen only at a reference that missed LL: lines that were pushed out by a prefetch, or by a
 * write that hit the first level, are nobody's.
 */
#ifndef SIM_LASTLEVEL_H
#define SIM_LASTLEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"
#include "sim/cache.h"
#include "sim/lower.h"

/*
 * --- caches whose lines have records -------------------------------------------------
 *
 * A record stays where it is as long as its line does: the cache's slots say where.
 */

/* Who brought a line in: two words for the caller. */
struct loader {
	void *code, *context;
};

/* Invariant: a record is of a resident line, or all zero. */
struct line {
	uint64_t tag; /* the line's address with bit 0 set */
	uint64_t n_uses;
	struct loader loader;
	uint32_t used;  /* bit i: part i was used (see below) */
	bool dirty;     /* written to since it came */
	bool is_shared; /* for lastlevel_charge_resident(), while it runs */
};

/* Invariant: of a set that begins with way i, the record of slot s is lines[i + s]. */
struct lines {
	struct cache cache;
	struct line *lines;
};

/* How many there are, empty ways included. */
size_t lines_count(const struct lines *lines);

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
 * The line that holds address, if touching it would change nothing, as can be seen without a search: with LRU, the line
 * that was touched last in its set.  Else NULL.
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

/*
 * --- uses of lines ------------------------------------------------------------------
 *
 * What use was made of a line from when it came to when it went.  A line has 32 parts (lines of 16 bytes 16), each used
 * or not.  A reference is a use of each line of the first level that it touches.  A line of the last level has the uses
 * of those first-level lines that went while it was there.  A line that was used has cost, when it goes,
 *
 *	access cost	1000 / uses, rounded down: the smaller, the more it was worth bringing in
 *	space loss	bytes in parts that were not used
 */

enum {
	LINEUSE_PARTS_BITS = 5,
	LINEUSE_PARTS = 1 << LINEUSE_PARTS_BITS,
};

/* What a line has cost its loader. */
struct line_cost {
	struct loader loader;
	unsigned level; /* 1, or 2 for the last one */
	uint64_t access_cost;
	uint64_t space_loss; /* bytes */
};

/* A reference to size bytes (1 or more) at address; the end may wrap around. */
struct lastlevel_reference {
	uint64_t address, size;
	struct loader loader;
	bool is_write, is_fetch;
};

/* Where costs go. */
struct line_sink {
	void (*take)(void *ctx, const struct line_cost *cost);
	void *ctx;
	/*
	 * A reference has loaded a line into a level (line_cost.level): returns the line's loader.  NULL: it is
	 * the reference's.
	 */
	struct loader (*came)(void *ctx, const struct lastlevel_reference *reference,
			      unsigned level);
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
 * True if a reference lies in the line that was touched last in its set, so that the set does not change; then its use is
 * noted, and there is no more to do in this cache.
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

/* --- the prefetcher ------------------------------------------------------------------ */

/*
 * A hardware prefetcher: it watches what asks the last level for lines, and
 * where three lines in a row are asked for, upwards or downwards, it asks for
 * the one five lines further on, and so at each step of the run.
 *
 * Runs are told apart by the page (4 KiB) that they are in, modulo eight, so
 * eight can be followed at once.  It does not know what the caches hold, and
 * what it asks for is there in time: a best case (as in Callgrind's model).
 */

enum {
	HWPREF_STREAMS = 8,
	HWPREF_DISTANCE = 5, /* lines */
};

struct hwpref {
	struct prefetch_stream {
		uint64_t last; /* line number */
		int run;       /* steps in a row, up or (below zero) down; at most two count */
	} streams[HWPREF_STREAMS];
	uint32_t line_bits;
};

/* Makes one that has watched nothing yet; line_bits is the last level's. */
void hwpref_init(struct hwpref *prefetcher, uint32_t line_bits);

/*
 * Sees a reference that begins at address.  Returns how many lines from there
 * one is to be fetched: HWPREF_DISTANCE, -HWPREF_DISTANCE, or 0 for none.
 */
int hwpref_watch(struct hwpref *prefetcher, uint64_t address);

/* --- the last level ------------------------------------------------------------------ */

/* What the last level did; the second is only ever set together with the first. */
enum {
	LAST_MISSED = 1,
	LAST_WROTE_BACK = 2, /* a line that it pushed out had been written to */
};

struct lastlevel_options {
	bool write_back;
	bool prefetch;
	bool uses;
};

struct last_level {
	struct lastlevel_options options;
	struct lines ll;
	struct hwpref prefetcher;
	/* Only if uses are watched; else without lines. */
	struct lines i1, d1;
	struct line_sink sink;
};

/* Bytes of memory that lastlevel_init() needs; all geometries must be legal. */
size_t lastlevel_memory_size(const struct hierarchy_config *config,
			     const struct lastlevel_options *options);

/*
 * Makes empty caches in the caller's memory, lastlevel_memory_size() bytes, all zero,
 * aligned to 64.  The sink, which may be NULL unless uses are watched, is
 * copied; it gets the costs of each line that goes.
 */
void lastlevel_init(struct last_level *last, const struct hierarchy_config *config,
		    const struct lastlevel_options *options, const struct line_sink *sink,
		    void *space);

/*
 * Takes lines that have a byte in the range out of all caches; what is dirty is not counted as
 * written back.  If it is all of the address space, streams are forgotten too.
 */
void lastlevel_evict(struct last_level *last, struct address_range range);

/* The first level, if uses are watched; returns whether the reference missed it. */
bool lastlevel_touch_code(struct last_level *last, const struct lastlevel_reference *reference);
bool lastlevel_touch_data(struct last_level *last, const struct lastlevel_reference *reference);

/*
 * The last level, to be called for each reference with whether it missed all
 * levels before; for those that did not and are no writes it does nothing.
 * Returns LAST_MISSED | LAST_WROTE_BACK bits, none for a reference that did not miss.
 */
unsigned lastlevel_see(struct last_level *last, const struct lastlevel_reference *reference,
		       bool missed);

/* Sends to a sink what lines would cost if they all went now; changes nothing. */
void lastlevel_charge_resident(const struct last_level *last, const struct line_sink *sink);

#endif
