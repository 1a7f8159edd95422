/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How large a fully associative LRU cache would have to be for a line not to be missed.
 *
 * The distance of a reference to a line is the number of other lines that were referred to since the last reference
 * to this one.  A cache of S lines has the line if the distance is below S, and misses it else: one
 * distance says it of all sizes (Mattson, Gecsei, Slutz and Traiger, "Evaluation Techniques for Storage
 * Hierarchies", 1970).
 *
 * A filter comes before this: a cache of the same kind with N lines, no more than the smallest size has.  What
 * hits there hits in all sizes, and is not reported here.  Lines leave the filter in the order of their last
 * use, so the distance of a line that it misses is
 *
 *	N + the lines that left after this one, and have not come back
 *
 * For each line that the filter misses, call curve_touch(), and then curve_leave() for the line that had to make
 * room, in this order.
 *
 * Sampling.  One of 2^shift lines is looked at, chosen by a hash of its number, always or never (SHARDS:
 * Waldspurger, Park, Garthwaite and Ahmad, "Efficient MRC Construction with SHARDS", FAST 2015).  Each of them
 * stands for 2^shift lines, both when it misses and when it counts as one that left.  Two things are exact
 * nevertheless: the N lines of the filter, and first touches, which count 1 for every line.  When more lines
 * are remembered than a limit allows, the rate is halved, and about half of the lines are forgotten; from then on
 * results are exactly as if the run had had the lower rate from the beginning.
 *
 * Samples are wrong in two ways, and curve_error() estimates both:
 *
 *	misses	Chance decides which lines are looked at.  These are divided into 32 groups by their hash, and the
 *		standard error of the sum follows from how much the groups differ (random groups: Wolter,
 *		"Introduction to Variance Estimation", chapter 2).  So it is larger where few lines make most
 *		misses; it is too small if none of those few is in the sample.  For a size of N lines the
 *		exact count is known, too.
 *	size	A distance of D lines beyond the filter is estimated as D lines, with a standard error of
 *		the root of D * (2^shift - 1).  A column is what a cache would miss that is larger or smaller by
 *		this error.  Where the curve is steep, this is the larger error; the groups do not show it, since it is
 *		the same for all of them.
 *
 * Of 150 traces whose lines follow Zipf's law (16384 lines, 1 of 4 or 1 of 16 looked at, columns
 * from 64 lines to half of them), 76 % of the columns were within one error of both kinds, 98 %
 * within two; with 1 of 64, 73 % and 93 %.  The paper measured a mean error of the miss ratio below
 * 0.01 with 8,000 lines looked at, on other traces.
 */
#ifndef SIM_MISSES_CURVE_H
#define SIM_MISSES_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"

enum {
	CURVE_MAX_COLUMNS = 32,
	CURVE_GROUPS = 32,
	CURVE_MAX_SHIFT = 32,
};

/* alloc() returns size bytes (not 0), aligned for any object, or NULL; release() gives them back. */
struct curve_memory {
	void *(*alloc)(void *ctx, size_t size);
	void (*release)(void *ctx, void *memory);
	void *ctx;
};

struct curve_config {
	uint32_t n_columns;                /* 1 to CURVE_MAX_COLUMNS */
	uint64_t sizes[CURVE_MAX_COLUMNS]; /* in lines, ascending, none below filter_lines */
	uint64_t filter_lines;
	uint32_t line_bits; /* log2 of the bytes of a line; up to 32 */
	uint32_t shift;     /* of 2^shift lines one is looked at; up to CURVE_MAX_SHIFT */
	uint64_t limit;     /* lines that are remembered at most; 0: any number */
	uint32_t room;      /* lines that fit at first; it grows */
};

/*
 * The lines that have left the filter, in this order, with gaps where one has come back.  Each is at a position; the
 * higher, the later.
 *
 * Invariant: bit p of bits is set if a line is at position p; there are n of them, below next.  Of each
 * of these, the slots hold position + 1 at a place that the line's hash says, or after it.  tree is a
 * Fenwick tree (1994) over the numbers of lines in words of bits.
 */
struct curve_places {
	uint32_t capacity; /* positions: a power of two, 64 or more */
	uint32_t next, n;
	uint64_t *lines; /* by position */
	uint64_t *bits;
	uint32_t *tree;  /* from 1 on */
	uint32_t *slots; /* twice as many as positions; 0 is empty */
};

/* Fields are private. */
struct curve {
	uint64_t last_hash; /* of the lines that are looked at: UINT64_MAX >> shift */
	uint32_t shift;
	uint32_t line_bits;
	uint32_t n_columns;
	uint64_t filter_lines, limit;
	uint64_t sizes[CURVE_MAX_COLUMNS];
	struct curve_places places;
	struct curve_memory memory;
	uint64_t n_all,
		n_touches; /* but for first touches: all of them, and those that were looked at */
	/* By group and by the number of columns missed: what these touches stand for. */
	uint64_t counts[CURVE_GROUPS][CURVE_MAX_COLUMNS + 1];
};

/* The first columns of them are missed, and each is to be increased by weight. */
struct curve_missed {
	uint64_t columns, weight;
};

/* Nothing was seen yet.  Returns false, and there is nothing to release, if there is no memory. */
bool curve_init(struct curve *curve, const struct curve_config *config,
		const struct curve_memory *memory);
void curve_release(struct curve *curve);

/* Spread over all of 64 bits. */
static inline uint64_t curve_hash(uint64_t line)
{
	const uint64_t x = line * UINT64_C(0x9e3779b97f4a7c15);

	return (x ^ x >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
}

/* For the next two. */
struct curve_missed curve_touch_sampled(struct curve *curve, uint64_t line, uint64_t hash);
void curve_leave_sampled(struct curve *curve, uint64_t line, uint64_t hash);

/*
 * The filter misses the line with this number.  is_first: it was never touched before, or not since it was
 * evicted.  Any other line that is not remembered misses all columns, too.
 */
static inline struct curve_missed curve_touch(struct curve *curve, uint64_t line, bool is_first)
{
	const uint64_t hash = curve_hash(line);

	if (is_first)
		return (struct curve_missed){ curve->n_columns, 1 };
	curve->n_all++;
	if (hash > curve->last_hash)
		return (struct curve_missed){ 0, 0 };
	return curve_touch_sampled(curve, line, hash);
}

/*
 * The filter had to give up the line, which is not remembered yet.  If there is no memory for it, the rate is halved.
 */
static inline void curve_leave(struct curve *curve, uint64_t line)
{
	const uint64_t hash = curve_hash(line);

	if (hash <= curve->last_hash)
		curve_leave_sampled(curve, line, hash);
}

/*
 * Forgets lines that have a byte in the range, as if they had never been touched.  Those in the filter are for the
 * caller to take out; until it is full again, it is still taken to have N lines.
 */
void curve_evict(struct curve *curve, struct address_range range);

/* One line of that many is looked at now: 1, or a higher power of two. */
static inline uint64_t curve_weight(const struct curve *curve)
{
	return UINT64_C(1) << curve->shift;
}

/* What the columns are founded on, and how wrong one may be. */
struct curve_error {
	uint64_t all; /* touches, but for first ones: what a size of filter_lines misses, exactly */
	uint64_t touches; /* of these, those that were looked at */
	uint64_t lines;   /* remembered */
	uint64_t misses;  /* of the column, but for first touches: as curve_touch() gave them */
	uint64_t misses_error; /* standard error of misses; 0 if all lines are looked at */
	uint64_t size_error;   /* standard error of the column's size, in lines */
};

/* By the current rate; errors are smaller if it was higher for a while. */
struct curve_error curve_error(const struct curve *curve, uint32_t column);

#endif
