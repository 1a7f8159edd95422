/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts as they are shown: of one event, or of several added up and weighted.
 * 128 bits hold any sum of 256 counts of 64 bits, signed or not, times any
 * weight of 56 bits, so that nothing here can overflow.
 */
#ifndef CMDS_AMOUNT_H
#define CMDS_AMOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 amount;

enum { AMOUNT_TEXT = 56 }; /* bytes of the longest text, commas and NUL included */

/* A count of a profile; is_signed as in profile/cost.h. */
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

/* Percent of a whole that is not 0; NaN if it is. */
double amount_percent(amount part, amount whole);

#endif
