/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fully associative LRU cache of any number of lines: what a set-associative one of that size is held against (Hill
 * and Smith, "Evaluating Associativity in CPU Caches", 1989); and which lines were ever asked for.  A touch takes a
 * hash and a note in a log:
 *
 *	records		the lines that it has, found by their address
 *	log		which record was touched, in order.  A record knows its last entry, all others are out of date;
 *			the first one that is not is the least recently used.
 */
#ifndef SIM_MISSES_FULLCACHE_H
#define SIM_MISSES_FULLCACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"

/* Memory for this room: more is needed as the program uses more. */
struct misses_memory {
	void *(*allocate)(size_t size); /* 1 or more; zero, aligned to 16; never NULL */
	void (*release)(void *memory);
};

/* log2 of how many buckets n lines (below 2 to the 29) have: two to four times as many as lines, a power of two. */
static inline uint32_t linehash_bits(uint32_t n)
{
	uint32_t bits = 1;

	while (UINT32_C(1) << bits < n)
		bits++;
	return bits + 1;
}

/* The bucket of a line with this number, of 2 to the bits of them. */
static inline uint32_t linehash(uint64_t number, uint32_t bits)
{
	return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

struct full_record {
	uint64_t line; /* its address; NO_LINE: the record is free */
	uint32_t next; /* of the same bucket, or of those that are free: index + 1, or 0 */
	uint32_t at;   /* its last entry in the log, modulo its size */
};

struct fullcache {
	struct full_record *records;
	uint32_t *buckets; /* by hash of the line's address: a record's index + 1, or 0 */
	uint32_t *log;
	uint32_t n_lines;     /* that it has room for */
	uint32_t n_records;   /* that were ever used: the others follow them */
	uint32_t free;        /* the first one that is free again: index + 1, or 0 */
	uint32_t n;           /* lines that it has */
	uint32_t bucket_bits; /* log2 of how many there are */
	uint32_t line_bits;
	uint32_t log_mask;
	uint64_t first, end; /* of the log, its entries, modulo its size */
	struct misses_memory memory;
};

/* What a touch did. */
struct full_touched {
	bool missed;
	uint64_t left; /* the line that has made room, or NO_LINE */
};

/* Makes an empty one of n_lines, 1 or more and below 2 to the 29, of 2 to the line_bits bytes each. */
void fullcache_init(struct fullcache *cache, uint32_t n_lines, uint32_t line_bits,
		    const struct misses_memory *memory);

/* Gives its memory back. */
void fullcache_release(struct fullcache *cache);

/* References the line that holds address. */
struct full_touched fullcache_touch(struct fullcache *cache, uint64_t address);

/* Takes lines that have a byte in the range out. */
void fullcache_evict(struct fullcache *cache, struct address_range range);

/*
 * --- lines that were ever asked for ---------------------------------------------------
 *
 * Whoever asks for another one misses cold, whatever the cache (Hill, "Aspects of Cache Memory and Instruction Buffer
 * Performance", 1987).  A bit a line, by stretches of SEEN_STRETCH lines: 16 bytes for 4 KiB that a program uses, doubled
 * by room to grow.
 */

enum { SEEN_STRETCH = 64 };

/* Invariant: key is the number of the stretch, plus 1; 0 if there is none here. */
struct seen_stretch {
	uint64_t key;
	uint64_t lines; /* bit i: the stretch's line i */
};

/* A table with open addressing; at most half of it is in use. */
struct seen {
	struct seen_stretch *stretches;
	uint64_t mask; /* of indices */
	uint64_t n;    /* in use */
	uint32_t line_bits;
	struct misses_memory memory;
};

/* None has been seen yet.  Lines have 2 to the line_bits bytes. */
void seen_init(struct seen *seen, uint32_t line_bits, const struct misses_memory *memory);

/* Gives its memory back. */
void seen_release(struct seen *seen);

/* The line that holds address is asked for; returns whether it was before. */
bool seen_add(struct seen *seen, uint64_t address);

/* Lines that have a byte in the range are as if they had never been asked for. */
void seen_forget(struct seen *seen, struct address_range range);

#endif
