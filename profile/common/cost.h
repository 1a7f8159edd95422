/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts are 64-bit words.  In most profiles they count from 0 to 2^64 - 1; in
 * a profile that has a count below 0 (a difference), all are from -2^63 to
 * 2^63 - 1, as two's complement.  A model's or a part's is_signed says which.
 */
#ifndef PROFILE_COMMON_COST_H
#define PROFILE_COMMON_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Adds to a sum; false, and the sum as it was, if it would be beyond its range. */
static inline bool cost_add(uint64_t *sum, uint64_t count, bool is_signed)
{
	uint64_t result = *sum + count;
	bool overflow;

	if (is_signed)
		overflow = ((*sum ^ result) & (count ^ result)) >> 63;
	else
		overflow = result < count;
	if (!overflow)
		*sum = result;
	return !overflow;
}

/*
 * Adds what a call costs to a sum, which stays at the end of its range if it would leave it.  Calls within a
 * recursion nest: an inner one is part of all outer ones, so their sum may exceed all that the program costs many
 * times.  The tool's sums stay at 2^63 - 1 (tool/calls/arc.h).  Sums of calls that do not nest are for cost_add().
 */
static inline void cost_add_nested(uint64_t *sum, uint64_t cost, bool is_signed)
{
	if (cost_add(sum, cost, is_signed))
		return;
	*sum = is_signed ? (UINT64_C(1) << 63) - !(cost >> 63) : UINT64_MAX;
}

static inline bool cost_less(uint64_t a, uint64_t b, bool is_signed)
{
	return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

/*
 * Makes a count that times multiplier / divisor, rounded to the nearest integer, halves away from 0; false, and
 * the count as it was, if that would be beyond its range.  The divisor is not 0.
 */
static inline bool cost_scale(uint64_t *count, bool is_signed, uint64_t multiplier,
			      uint64_t divisor)
{
	bool is_minus = is_signed && *count >> 63;
	uint64_t greatest = is_signed ? (UINT64_C(1) << 63) - !is_minus : UINT64_MAX;
	uint64_t magnitude = is_minus ? -*count : *count;
	/* Of two words; what is added is less than what is left then. */
	__extension__ unsigned __int128 product =
		((unsigned __int128)magnitude * multiplier + divisor / 2) / divisor;

	if (product > greatest)
		return false;
	*count = is_minus ? -(uint64_t)product : (uint64_t)product;
	return true;
}

/* How far from 0, by which differences are sorted; 2^63 is possible. */
static inline uint64_t cost_magnitude(uint64_t count, bool is_signed)
{
	return is_signed && count >> 63 ? -count : count;
}

/* Of one event: whether a total that was said can be, when what there is costs `sum`. */
static inline bool cost_can_be_total(uint64_t said, uint64_t sum, bool is_signed)
{
	/* Differences may have any totals. */
	if (is_signed)
		return true;
	/* Callgrind's summary: wraps when it stops and dumps: 2^64 - 1092156 for 106. */
	return said >= sum && (said >> 63 == 0 || sum >> 63 != 0);
}

/* -- sums of counts -------------------------------------------------------------- */

/*
 * Counts as they are compared and shown: of one event, or of several added up and
 * weighted.  128 bits hold any difference of sums of 256 counts of 64 bits, signed or
 * not, with weights of at most 2^20, times 2^33: nothing here can overflow.
 */

__extension__ typedef __int128 int128;

enum { INT128_TEXT = 64 }; /* bytes of the longest text, commas and NUL included */

/* A count of a profile; is_signed as in profile/common/cost.h. */
static inline int128 int128_of(uint64_t count, bool is_signed)
{
	return is_signed ? (int128)(int64_t)count : (int128)count;
}

static inline int128 int128_magnitude(int128 value)
{
	return value < 0 ? -value : value;
}

/*
 * How many of a count's digits come after the point, 9 at most.  For programs a count is what a profile has
 * in its columns, and so tenths of a cycle are a whole number; people see cycles.
 */
struct decimals {
	unsigned char people, programs;
};

/* Digits, with a comma before each third if grouped, into a buffer of INT128_TEXT; the length. */
size_t int128_print(char *buffer, int128 value, bool grouped);

/* The same of a count with this many digits after the point: "1,234.5". */
size_t int128_print_decimal(char *buffer, int128 value, bool grouped, unsigned decimals);

/* The same, grouped and rounded to a whole number: "1,235". */
size_t int128_print_whole(char *buffer, int128 value, unsigned decimals);

/*
 * The same as people read it fast, into a buffer of INT128_TEXT: digits, grouped and rounded to a whole, of what is nearer to 0 than
 * `from` (1,000 or more); else "40.3 M".
 */
size_t int128_print_scaled(char *buffer, int128 value, unsigned decimals, double from);

/*
 * "+5.00%": a change in percent of the magnitude of old, rounded to two places, into a
 * buffer of INT128_TEXT; an empty text if old is 0.  Never a rounded 0 for what is
 * none: "+0.00%" becomes "<+0.01%".  Returns the length.
 */
size_t int128_print_percent(char *buffer, int128 change, int128 old);

/* Percent of a whole that is not 0; NaN if it is. */
double int128_percent(int128 part, int128 whole);

#endif
