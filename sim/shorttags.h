/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of a cache as rows of short tags: 32 bits, so that the 16 ways of a set are one
 * line of the host's cache, and vector instructions look at four ways at once.  With LRU, a row
 * is in the order of the last touch (sim/cache.h).
 *
 *	line number	|  tag - 1  |  set  |	a tag of 0 is an empty way
 *
 * If the number of sets is no power of two, or they are hashed, the tag is the quotient of sim/geometry.h
 * and 1.
 *
 * Programs' lines have short tags: 47 bits of address leave 28 for a last level of 8 MiB.  For a
 * line whose number is too large, as addresses that no memory is at may be, there is none.
 */
#ifndef SIM_SHORTTAGS_H
#define SIM_SHORTTAGS_H

#include <emmintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SHORTTAGS_NONE = 0, /* no line; or it has no short tag */
	SHORTTAGS_LANES = 4,
};

/* The bits of a row's words that tags have; without the one that says that a line is dirty, where this is known. */
#define SHORTTAGS_ALL   UINT32_MAX
#define SHORTTAGS_CLEAN INT32_MAX

/* The tag of the line of this quotient (sim/geometry.h) in its set, in those bits of a word of the row. */
static inline uint32_t shorttag_of(uint64_t quotient, uint32_t bits)
{
	uint64_t tag = quotient + 1;

	return tag <= bits ? (uint32_t)tag : SHORTTAGS_NONE;
}

/* Bit i: the tag is in those bits of place i of n, up to 32. */
static inline __attribute__((always_inline)) uint32_t shorttags_equal(const uint32_t *row, size_t n,
								      uint32_t tag, uint32_t bits)
{
	const __m128i wanted = _mm_set1_epi32((int)tag), mask = _mm_set1_epi32((int)bits);
	uint32_t equal = 0;

#pragma GCC unroll 8
	for (size_t i = 0; i + SHORTTAGS_LANES <= n; i += SHORTTAGS_LANES) {
		__m128i four = _mm_loadu_si128((const void *)(row + i));
		__m128i same = _mm_cmpeq_epi32(wanted, _mm_and_si128(four, mask));

		equal |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(same)) << i;
	}
	for (size_t i = n / SHORTTAGS_LANES * SHORTTAGS_LANES; i < n; i++)
		equal |= (uint32_t)((row[i] & bits) == tag) << i;
	return equal;
}

/* The first place that has a tag in those bits among n, or n. */
static inline __attribute__((always_inline)) size_t shorttags_find(const uint32_t *row, size_t n,
								   uint32_t tag, uint32_t bits)
{
	enum { AT_ONCE = 16 };

	for (size_t first = 0; first < n; first += AT_ONCE) {
		size_t rest = n - first < AT_ONCE ? n - first : AT_ONCE;
		uint32_t equal = shorttags_equal(row + first, rest, tag, bits);

		if (equal != 0)
			return first + (size_t)__builtin_ctz(equal);
	}
	return n;
}

/*
 * The first place among n of a value that more bits than a tag's tell from others: its tag is looked for in a row, and where
 * that is found the value among values, which are in the same order.  n if it is not there.
 */
static inline __attribute__((always_inline)) size_t shorttags_find_value(const uint32_t *row,
									 const uint64_t *values,
									 size_t n, uint32_t tag,
									 uint64_t value)
{
	const size_t at_once = 32;

	for (size_t first = 0; first < n; first += at_once) {
		size_t rest = n - first < at_once ? n - first : at_once;
		uint32_t equal = shorttags_equal(row + first, rest, tag, SHORTTAGS_ALL);

		for (; equal != 0; equal &= equal - 1) {
			size_t way = first + (size_t)__builtin_ctz(equal);

			if (values[way] == value)
				return way;
		}
	}
	return n;
}

/* The tag becomes the first of the row; those before place way move down by one, and cover it. */
static inline __attribute__((always_inline)) void shorttags_to_front(uint32_t *row, size_t way,
								     uint32_t tag)
{
	for (; way >= SHORTTAGS_LANES; way -= SHORTTAGS_LANES) {
		uint32_t *at = row + way - SHORTTAGS_LANES;

		_mm_storeu_si128((void *)(at + 1), _mm_loadu_si128((const void *)at));
	}
	for (; way > 0; way--)
		row[way] = row[way - 1];
	row[0] = tag;
}

/* Four ways once those up to place last, at least the first, have got what is on their left. */
static inline __attribute__((always_inline)) __m128i shorttags_moved(__m128i ways, __m128i left,
								     __m128i places, int last)
{
	__m128i moved = _mm_or_si128(_mm_slli_si128(ways, 4), _mm_srli_si128(left, 12));
	__m128i stays = _mm_cmpgt_epi32(places, _mm_set1_epi32(last));

	return _mm_or_si128(_mm_and_si128(stays, ways), _mm_andnot_si128(stays, moved));
}

/*
 * References a line of a set of n ways, a constant, a multiple of 4 and at most 32, by its tag in those bits; returns
 * whether it missed.  *old is the word of the line as it was found, or of the one that went.
 * Mostly it is among the first four.  How deep in the others it is cannot be
 * predicted, so there is no branch.
 */
static inline __attribute__((always_inline)) bool
shorttags_touch_few(uint32_t *row, size_t n, uint32_t tag, uint32_t bits, uint32_t *old)
{
	__m128i ranks = _mm_set_epi32(3, 2, 1, 0);
	__m128i first = _mm_loadu_si128((const void *)row), before;
	uint32_t equal = shorttags_equal(row, SHORTTAGS_LANES, tag, bits);
	int way;

	if (equal != 0) {
		way = __builtin_ctz(equal);
		*old = row[way];
		before = _mm_set_epi32((int)*old, 0, 0, 0);
		_mm_storeu_si128((void *)row, shorttags_moved(first, before, ranks, way));
		return false;
	}
	equal = shorttags_equal(row + SHORTTAGS_LANES, n - SHORTTAGS_LANES, tag, bits)
		<< SHORTTAGS_LANES;
	way = __builtin_ctz(equal | UINT32_C(1) << (n - 1));
	*old = row[way];
	before = _mm_set_epi32((int)(tag | (equal != 0 ? *old & ~bits : 0)), 0, 0, 0);
#pragma GCC unroll 8
	for (size_t i = 0; i < n; i += SHORTTAGS_LANES) {
		void *at = row + i;
		__m128i four = _mm_loadu_si128(at);

		_mm_storeu_si128(at, shorttags_moved(four, before, ranks, way));
		before = four;
		ranks = _mm_add_epi32(ranks, _mm_set1_epi32(SHORTTAGS_LANES));
	}
	return equal == 0;
}

/* The same of a set of any number of ways. */
static inline __attribute__((always_inline)) bool
shorttags_touch_any(uint32_t *row, size_t n, uint32_t tag, uint32_t bits, uint32_t *old)
{
	size_t way = (row[0] & bits) == tag ? 0 : shorttags_find(row, n, tag, bits);
	bool is_absent = way == n;

	way = is_absent ? n - 1 : way;
	*old = row[way];
	if (way != 0 || is_absent)
		shorttags_to_front(row, way, is_absent ? tag : *old);
	return is_absent;
}

/* Of many ways, those numbers that most machines have in a few instructions each. */
static inline __attribute__((always_inline)) bool
shorttags_touch(uint32_t *row, size_t n, uint32_t tag, uint32_t bits, uint32_t *old)
{
	switch (n) {
	case 8:
		return shorttags_touch_few(row, 8, tag, bits, old);
	case 16:
		return shorttags_touch_few(row, 16, tag, bits, old);
	default:
		return shorttags_touch_any(row, n, tag, bits, old);
	}
}

/* References a line of a set if it is there, and the set is one of those: returns whether it did; else nothing is done. */
static inline __attribute__((always_inline)) bool shorttags_touch_found(uint32_t *row, size_t n,
									uint32_t tag)
{
	uint32_t old;

	switch (n) {
	case 8:
		return shorttags_equal(row, 8, tag, SHORTTAGS_ALL) != 0 &&
		       !shorttags_touch_few(row, 8, tag, SHORTTAGS_ALL, &old);
	case 16:
		return shorttags_equal(row, 16, tag, SHORTTAGS_ALL) != 0 &&
		       !shorttags_touch_few(row, 16, tag, SHORTTAGS_ALL, &old);
	default:
		return false;
	}
}

#endif
