/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts as they are compared and shown: of one event, or of several added up and
 * weighted.  128 bits hold any difference of sums of 256 counts of 64 bits, signed or
 * not, with weights of at most 2^20, times 2^33: nothing here can overflow.
 */
#ifndef PROFILE_COMMON_AMOUNT_H
#define PROFILE_COMMON_AMOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 amount;

enum { AMOUNT_TEXT = 64 }; /* bytes of the longest text, commas and NUL included */

/* A count of a profile; is_signed as in profile/common/cost.h. */
static inline amount amount_of(uint64_t count, bool is_signed)
{
	return is_signed ? (amount)(int64_t)count : (amount)count;
}

static inline amount amount_magnitude(amount value)
{
	return value < 0 ? -value : value;
}

/* Digits, with a comma before each third if grouped, into a buffer of AMOUNT_TEXT; the length. */
size_t amount_print(char *buffer, amount value, bool grouped);

/*
 * "+5.00%": a change in percent of the magnitude of old, rounded to two places, into a
 * buffer of AMOUNT_TEXT; an empty text if old is 0.  Never a rounded 0 for what is
 * none: "+0.00%" becomes "<+0.01%".  Returns the length.
 */
size_t amount_print_percent(char *buffer, amount change, amount old);

/* Percent of a whole that is not 0; NaN if it is. */
double amount_percent(amount part, amount whole);

#endif
