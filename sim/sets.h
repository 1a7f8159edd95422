/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which set of a cache a line belongs to.
 *
 *	plain	the line's number modulo the number of sets: of a power of two, its low
 *		bits, which is what processors do in their first levels
 *	hash	that, rotated by a number that is by chance, but the same for all lines with
 *		the same quotient:
 *
 *			quotient, rest = number divided by sets
 *			set = (rest + rotation(quotient)) modulo sets
 *
 *		So each aligned stretch of as many lines as there are sets has a line in
 *		each set, and lines far apart with the same low bits, which would all be in one set,
 *		are spread over them.
 *
 * Processors choose the slice of a large cache by a hash of physical addresses (for Intel's,
 * see McCalpin, "Mapping Addresses to L3/CHA Slices in Intel Processors", 2021).
 * Programs under Valgrind have no physical addresses, so that this is not that hash, but what
 * it comes to: a spread by chance, of which a seed gives another one.  rotation() is a mix of
 * multiplications, of which only the upper bits of the product are used, in 64 bits:
 *
 *	x = (quotient ^ (seed + 1) * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
 *	x = (x ^ x >> 32) * 0x94d049bb133111eb
 *	rotation = x * sets / 2^64
 *
 * (The constants are those of the finalizer of Steele, Lea and Flood's SplitMix.)
 */
#ifndef SIM_SETS_H
#define SIM_SETS_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 sets_product;

/*
 * Numbers of lines are below 2 to the SETS_LINE_BITS: a line has 16 bytes at least.
 *
 * Invariant: of a power of two, quotients are found by a shift; else by multiplication with
 * reciprocal = 2^(SETS_LINE_BITS + bits) / n, rounded up, which is exact for numbers of so many bits.
 */
struct sets {
	uint64_t n;          /* 1 or more */
	uint64_t reciprocal; /* 0 if n is a power of two */
	uint64_t key;        /* of the hash */
	uint32_t bits;       /* log2 of n, rounded up */
	bool is_hashed;
};

enum { SETS_LINE_BITS = 60 };

/* A line's place: what tells it from the other lines of its set, and the set. */
struct set_place {
	uint64_t quotient, set;
};

/* n sets, 1 or more and below 2 to the SETS_LINE_BITS - 1; the seed is only of the hash. */
void sets_init(struct sets *sets, uint64_t n, bool is_hashed, uint32_t seed);

/* Whether the set is the low bits of a line's number. */
static inline bool sets_are_low_bits(const struct sets *sets)
{
	return sets->reciprocal == 0 && !sets->is_hashed;
}

static inline uint64_t sets_rotation(const struct sets *sets, uint64_t quotient)
{
	uint64_t x = (quotient ^ sets->key) * UINT64_C(0xbf58476d1ce4e5b9);

	x = (x ^ x >> 32) * UINT64_C(0x94d049bb133111eb);
	return (uint64_t)((sets_product)x * sets->n >> 64);
}

/* Where a line with this number is. */
static inline struct set_place sets_place(const struct sets *sets, uint64_t line_number)
{
	struct set_place place;

	if (sets->reciprocal == 0)
		place.quotient = line_number >> sets->bits;
	else
		place.quotient = (uint64_t)((sets_product)line_number * sets->reciprocal >>
					    (SETS_LINE_BITS + sets->bits));
	place.set = line_number - place.quotient * sets->n;
	if (sets->is_hashed) {
		place.set += sets_rotation(sets, place.quotient);
		if (place.set >= sets->n)
			place.set -= sets->n;
	}
	return place;
}

/* The number of the line at a place. */
static inline uint64_t sets_line(const struct sets *sets, struct set_place place)
{
	uint64_t rest = place.set;

	if (sets->is_hashed) {
		uint64_t rotation = sets_rotation(sets, place.quotient);

		rest = rest >= rotation ? rest - rotation : rest + sets->n - rotation;
	}
	return place.quotient * sets->n + rest;
}

#endif
