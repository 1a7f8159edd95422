/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of a level that a prefetcher brought in and nobody has used yet: whose they are, and what
 * becomes of them.  Each line has one of these fates, and is forgotten then:
 *
 *	used	a reference wanted it
 *	late	so, but less than some time after it was asked for: it would still be on its way
 *	unused	it left the level
 *
 * What is added is Pf, by trigger; fates are PfU, PfL (a part of PfU) and PfX.
 */
#ifndef SIM_PREFETCHED_H
#define SIM_PREFETCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who made a prefetcher ask: words of the caller's, which nothing here looks at. */
struct prefetch_trigger {
	void *code, *context;
};

/* Invariant: key is a line's address with bit 0 set, or 0 and so is all else: no line is here. */
struct prefetched_line {
	uint64_t key;
	uint64_t time; /* when it was asked for, in a unit of the caller's */
	struct prefetch_trigger trigger;
};

/* Invariant: a line is found from its hash on, before the next empty place (linear probing). */
struct prefetched {
	struct prefetched_line *lines;
	size_t mask;   /* places - 1 */
	uint64_t late; /* less time than this is too little */
};

enum prefetch_fate {
	PREFETCH_NONE, /* it is none of these lines */
	PREFETCH_USED,
	PREFETCH_LATE,
	PREFETCH_UNUSED,
};

/* Bytes of memory for a level of so many lines, a multiple of 64. */
size_t prefetched_memory_size(size_t n_lines);

/* No lines, in the caller's memory, all zero, aligned to 8; at most n_lines are here at a time. */
void prefetched_init(struct prefetched *prefetched, size_t n_lines, uint64_t late, void *memory);

/* A line, by its address, was brought in that the level did not have. */
void prefetched_add(struct prefetched *prefetched, uint64_t line, uint64_t now,
		    struct prefetch_trigger trigger);

/* A line was referenced.  *trigger is written if it is one of these. */
enum prefetch_fate prefetched_use(struct prefetched *prefetched, uint64_t line, uint64_t now,
				  struct prefetch_trigger *trigger);

/* A line left the level: PREFETCH_UNUSED, or PREFETCH_NONE.  *trigger likewise. */
enum prefetch_fate prefetched_leave(struct prefetched *prefetched, uint64_t line,
				    struct prefetch_trigger *trigger);

#endif
