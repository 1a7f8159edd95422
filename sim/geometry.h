/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shape of a simulated cache: its text form, which shapes are legal, how a detected last-level cache is made
 * simulable; and which set of a cache a line belongs to.
 */
#ifndef SIM_GEOMETRY_H
#define SIM_GEOMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Legal for the simulator if and only if geometry_check_any_sets() says GEOMETRY_OK. */
struct cache_geometry {
	uint64_t size;      /* bytes; need not be a power of two (24576,6,64 is fine) */
	uint32_t assoc;     /* ways per set, 1 = direct-mapped */
	uint32_t line_size; /* bytes, a power of two, at least GEOMETRY_MIN_LINE_SIZE */
};

enum {
	GEOMETRY_MIN_LINE_SIZE = 16, /* bytes; Cachegrind's bound */
	GEOMETRY_MESSAGE_SIZE = 256, /* bytes that hold any text of geometry_explain() */
};

/*
 * Largest size, associativity and line size.  Below them neither the product
 * of two of the numbers nor the memory of three caches overflows.
 */
#define GEOMETRY_MAX_SIZE      ((uint64_t)(SIZE_MAX / 4))
#define GEOMETRY_MAX_WAYS      UINT32_C(0x7fffffff)
#define GEOMETRY_MAX_LINE_SIZE UINT32_C(0x7fffffff)

enum geometry_status {
	GEOMETRY_OK,
	GEOMETRY_SYNTAX,   /* the text is not <size>,<associativity>,<line size> */
	GEOMETRY_OVERFLOW, /* a number is above its GEOMETRY_MAX_ */
	GEOMETRY_ZERO_SIZE,
	GEOMETRY_ZERO_ASSOC,
	GEOMETRY_ZERO_LINE_SIZE,
	GEOMETRY_LINE_NOT_POWER_OF_TWO,
	GEOMETRY_LINE_TOO_SMALL,      /* below GEOMETRY_MIN_LINE_SIZE */
	GEOMETRY_SIZE_NOT_ABOVE_LINE, /* size <= line_size */
	GEOMETRY_ASSOC_TOO_LARGE,     /* assoc > size / line_size */
	GEOMETRY_SETS_NOT_WHOLE,      /* size is no multiple of assoc * line_size */
	GEOMETRY_SETS_NOT_POWER_OF_TWO,
};

/*
 * Reads "<size>,<associativity>,<line size>": three decimal numbers, all of
 * the NUL-terminated text, no blanks, no signs, no units.  *geometry is
 * written only on GEOMETRY_OK, which here means "well-formed", not "legal".
 * Returns GEOMETRY_OK, GEOMETRY_SYNTAX or GEOMETRY_OVERFLOW.
 */
enum geometry_status geometry_parse(const char *text, struct cache_geometry *geometry);

/*
 * Says whether the simulator can hold this cache; the first rule broken, in
 * the order of enum geometry_status.  Never divides by zero or overflows,
 * whatever the numbers.
 */
enum geometry_status geometry_check(const struct cache_geometry *geometry);

/*
 * The same but for GEOMETRY_SETS_NOT_POWER_OF_TWO: a cache of sim/cache.h can have any number of
 * sets.  geometry_check() is what Cachegrind, and options that mean what its own do, accept.
 */
enum geometry_status geometry_check_any_sets(const struct cache_geometry *geometry);

/*
 * Writes one line, lower case, without a full stop and NUL-terminated, that
 * says what is wrong with the geometry and what would be right, with the
 * numbers: "line size 48 is no power of two; nearest legal: line size 32 or
 * 64".  The name of the option is not part of it.  text must have room for
 * GEOMETRY_MESSAGE_SIZE bytes.
 *
 * Of line sizes, only those from min_line_size on are proposed: a power of two
 * from GEOMETRY_MIN_LINE_SIZE on, for users who cannot have all that the
 * simulator can.
 *
 * status is what geometry_parse() or a check returned for the geometry;
 * for GEOMETRY_SYNTAX and GEOMETRY_OVERFLOW geometry is not read.  For
 * GEOMETRY_OK, or a status that is not the geometry's, the text is empty.
 */
void geometry_explain(enum geometry_status status, const struct cache_geometry *geometry,
		      uint32_t min_line_size, char *text);

/* log2 of the line size of a legal one. */
static inline uint32_t geometry_line_bits(const struct cache_geometry *geometry)
{
	return (uint32_t)__builtin_ctz(geometry->line_size);
}

/* How many lines it has room for. */
static inline uint64_t geometry_lines(const struct cache_geometry *geometry)
{
	return geometry->size / geometry->line_size;
}

/* Number of sets; only for a legal geometry. */
uint64_t geometry_sets(const struct cache_geometry *geometry);

/*
 * Makes a detected last-level cache simulable as Cachegrind does: if its
 * number of sets is not a power of two, takes the next lower power of two,
 * raises the associativity by the same factor (rounded to the nearest, half
 * up).  In any case the size becomes what the sets hold.  110100480 B, 15-way,
 * 64 B becomes 109051904 B, 26-way.  Returns whether anything changed; a
 * geometry with a zero in it, with fewer than one set, or for which
 * geometry_check() says GEOMETRY_OVERFLOW, is left alone.
 */
bool geometry_round_sets(struct cache_geometry *geometry);

/*
 * --- which set a line belongs to ------------------------------------------------------
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
 * it comes to: a random spread, another one for each seed.  rotation() multiplies, in 64 bits, and uses the upper bits of
 * the product:
 *
 *	x = (quotient ^ (seed + 1) * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
 *	x = (x ^ x >> 32) * 0x94d049bb133111eb
 *	rotation = x * sets / 2^64
 *
 * (The constants are from the finalizer of Steele, Lea and Flood's SplitMix.)
 */

__extension__ typedef unsigned __int128 sets_product;

/*
 * Numbers of lines are below 2 to the SETS_LINE_BITS: a line has 16 bytes at least.
 *
 * Invariant: of a power of two, quotients are found by a shift; else by multiplication with
 * reciprocal = 2^(SETS_LINE_BITS + bits) / n, rounded up, which is exact for numbers of SETS_LINE_BITS bits.
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

/* True if the set is the low bits of a line's number. */
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
