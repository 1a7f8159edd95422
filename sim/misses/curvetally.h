/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a reference adds to the curve (sim/misses/curve.h): one of several lines misses a size if any of them does.
 */
#ifndef SIM_MISSES_CURVETALLY_H
#define SIM_MISSES_CURVETALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/misses/curve.h"
#include "sim/misses/fullcache.h"

struct curve_tally {
	struct curve *curve;
	struct curve_missed missed; /* by the reference that is being made, so far */
};

/*
 * F missed a line, by its address, which it never had before or has had, and had to give up another one, or
 * FULLCACHE_NO_LINE.  tally is NULL without a curve.
 */
static inline void curvetally_note(struct curve_tally *tally, uint64_t line, bool is_first,
				   uint64_t left)
{
	struct curve_missed missed;

	if (tally == NULL)
		return;
	missed = curve_touch(tally->curve, line >> tally->curve->line_bits, is_first);
	if (missed.columns > tally->missed.columns)
		tally->missed = missed;
	if (left != FULLCACHE_NO_LINE)
		curve_leave(tally->curve, left >> tally->curve->line_bits);
}

#endif
