/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts as they are compared and shown: of one event, or of several added up and
 * weighted.  128 bits hold any difference of sums of 256 counts of 64 bits, signed or
 * not, with weights of at most 2^20, times 2^33: nothing here can overflow.
 */
#ifndef PROFILE_COMMON_INT128_H
#define PROFILE_COMMON_INT128_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
 * How many of a count's digits are behind the point, 9 at most.  For programs a count is what a profile has
 * in its columns, and so tenths of a cycle are a whole number; people see cycles.
 */
struct decimals {
	unsigned char people, programs;
};

/* Digits, with a comma before each third if grouped, into a buffer of INT128_TEXT; the length. */
size_t int128_print(char *buffer, int128 value, bool grouped);

/* The same of a count of which so many digits are behind the point: "1,234.5". */
size_t int128_print_decimal(char *buffer, int128 value, bool grouped, unsigned decimals);

/*
 * "+5.00%": a change in percent of the magnitude of old, rounded to two places, into a
 * buffer of INT128_TEXT; an empty text if old is 0.  Never a rounded 0 for what is
 * none: "+0.00%" becomes "<+0.01%".  Returns the length.
 */
size_t int128_print_percent(char *buffer, int128 change, int128 old);

/* Percent of a whole that is not 0; NaN if it is. */
double int128_percent(int128 part, int128 whole);

#endif
