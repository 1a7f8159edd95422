/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of a level that a prefetcher brought in and nobody has used yet: whose they are, and what
 * becomes of them.  Each line has one of these fates, and is forgotten then:
 *
 *	used	a reference wanted it
 *	unused	it left the level
 *
 * That a line has left is noticed when it is wanted again, or by a sweep, so that nothing has to be done
 * when lines are evicted.
 *
 * What is added is Pf, by trigger; fates are PfU and PfX.
 */
#ifndef SIM_PREFETCH_PREFETCHED_H
#define SIM_PREFETCH_PREFETCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sets.h"

/* What is known of a line. */
struct prefetched_line {
	uint64_t time; /* when it was asked for, in a unit of the caller's */
	void *trigger; /* who made a prefetcher ask: the caller's, nothing here looks at it */
};

/* The cache of the level: its sets, and lines. */
struct prefetched_shape {
	struct sets sets;
	uint32_t assoc;
	uint32_t line_bits; /* log2 of bytes */
};

/*
 * Each set of the cache has as many places.  Since no more lines can be there at a time, one has left if there is
 * no place for another one.
 *
 * Invariant: the lines of set s are those of places s * assoc .. s * assoc + counts[s] - 1, by their addresses.  The low
 * half of a line's number is what a search looks at first.
 */
struct prefetched {
	struct prefetched_shape shape;
	uint64_t *addresses;
	uint32_t *low_tags;
	struct prefetched_line *lines;
	uint16_t *counts;
};

/* Bytes of memory for a level, a multiple of 64. */
size_t prefetched_memory_size(const struct prefetched_shape *shape);

/* No lines, in the caller's memory, all zero, aligned to 8; assoc is below 65536. */
void prefetched_init(struct prefetched *prefetched, const struct prefetched_shape *shape,
		     void *memory);

/* False if a line, by its address, is none of these, which is soon known. */
static inline bool prefetched_may_have(const struct prefetched *prefetched, uint64_t line)
{
	uint64_t number = line >> prefetched->shape.line_bits;

	return prefetched->counts[sets_place(&prefetched->shape.sets, number).set] != 0;
}

/*
 * Whether a line, by its address, is one of these; then it is not any more, and *known is what was known of it: it is
 * wanted, and if the level has it no more, it has left unused.
 */
bool prefetched_take(struct prefetched *prefetched, uint64_t line, struct prefetched_line *known);

/* What a sweep asks and says.  ctx is handed on. */
struct prefetched_sweep {
	bool (*is_resident)(void *ctx, uint64_t line); /* whether the level still has it */
	void (*unused)(void *ctx, void *trigger);      /* of one that it has not */
	void *ctx;
};

/*
 * A line, by its address, was brought in that the level did not have: if it is here, that one has left.  If there is no
 * room for it, its set is swept.
 */
void prefetched_add(struct prefetched *prefetched, uint64_t line, struct prefetched_line known,
		    const struct prefetched_sweep *sweep);

/* Has all lines go that have left the level. */
void prefetched_sweep(struct prefetched *prefetched, const struct prefetched_sweep *sweep);

#endif
