/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic that several rooms share: the order of numbers, and exact rounding. */
#ifndef TOOL_COMMON_NUMBERS_H
#define TOOL_COMMON_NUMBERS_H

#include <stdint.h>

/* Less than 0, 0, or more than 0: the order of two numbers.  All orders in a profile come from it. */
static inline int by_number(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/*
 * Amounts that are measured finely but charged in whole units, so that the charges add up.  The rest is
 * still *owed* to the place that it was measured for.
 *
 * A place can be charged one of two numbers of units, which leave it owed less than a unit or paid less
 * than a unit in advance.  It gets the one that brings the sum of what all places are owed closer to 0.
 *
 *	amounts		a 0.6	b 0.3	a 0.6	b 0.3	b 0.3
 *	charged		a 1	b 0	a 0	b 1	b 0
 *	owed to a	-0.4		0.2
 *	owed to b		0.3		-0.4	-0.1
 *	owed to all	-0.4	-0.1	0.5	-0.2	0.1
 */

/*
 * Adds an amount to what a place and all places are owed; subtracts the units to charge from both and
 * returns them.  Invariant: -unit < *place < unit.
 */
static inline uint64_t owed_take(int64_t *place, int64_t *all, uint64_t amount, int64_t unit)
{
	int64_t n;

	*place += (int64_t)amount;
	*all += (int64_t)amount;
	n = *place > 0 ? *place / unit : 0;
	if (*place > n * unit && *all - n * unit > unit / 2)
		n++;
	*place -= n * unit;
	*all -= n * unit;
	return (uint64_t)n;
}

#endif
