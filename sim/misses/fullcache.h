/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fully associative LRU cache of any number of lines: what a set-associative one of that size is held against (Hill
 * and Smith, "Evaluating Associativity in CPU Caches", 1989).  A touch takes a hash and a note in a log:
 *
 *	records		the lines that it has, found by their address
 *	log		which record was touched, in order.  A record knows its last entry, all others are out of
 *			date; the first one that is not is the least recently used.
 */
#ifndef SIM_MISSES_FULLCACHE_H
#define SIM_MISSES_FULLCACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/misses/memory.h"
#include "sim/range.h"

/* No line's address. */
#define FULLCACHE_NO_LINE UINT64_C(1)

struct full_record {
	uint64_t line; /* its address; FULLCACHE_NO_LINE: the record is free */
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
	uint64_t left; /* the line that has made room, or FULLCACHE_NO_LINE */
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

#endif
