/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Amounts that are measured finely and charged in whole units, so that all
 * that is charged can be added up.  What is left over is still *owed* to the
 * place that it was measured for.
 *
 * Of the two numbers of units after which a place is owed, or has been given
 * in advance, less than a unit, it gets the one that brings what all places
 * are owed closer to nothing.
 *
 *	amounts		a 0.6	b 0.3	a 0.6	b 0.3	b 0.3
 *	charged		a 1	b 0	a 0	b 1	b 0
 *	owed to a	-0.4		0.2
 *	owed to b		0.3		-0.4	-0.1
 *	owed to all	-0.4	-0.1	0.5	-0.2	0.1
 */
#ifndef TOOL_COMMON_OWED_H
#define TOOL_COMMON_OWED_H

#include <stdint.h>

/*
 * Adds an amount to what a place and all places are owed, and takes from both
 * the units to charge, which are returned.  Invariant: -unit < *place < unit.
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
