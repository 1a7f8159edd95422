/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a reference adds to the curve (sim/misses/curve.h).  One of several lines misses a size if
 * any of them does: exactly, the one with the largest distance counts.  Of a sample, the first line
 * that F misses is the one that is looked at or not, as a reference would else be looked at more
 * often than others; so the distance of any other line does not count.
 */
#ifndef SIM_MISSES_CURVETALLY_H
#define SIM_MISSES_CURVETALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/misses/curve.h"
#include "sim/misses/fullcache.h"
#include "sim/misses/seen.h"

/*
 * What a fully associative cache did with a reference: it missed one of its lines, that had never
 * been asked for before.
 */
enum {
	FULL_MISSED = 1,
	FULL_COLD = 2,
};

struct curve_tally {
	struct curve *curve;
	/* By the reference that is being made, so far: */
	struct curve_missed missed;
	uint32_t n_lines; /* that F missed */
};

/* F missed a line, by its address, and had to give up another one, or FULLCACHE_NO_LINE. */
static inline void curvetally_note(struct curve_tally *tally, uint64_t line, bool is_first,
				   uint64_t left)
{
	const struct curve_missed found =
		curve_touch(tally->curve, line >> tally->curve->line_bits, is_first);
	const bool counts = is_first || curve_weight(tally->curve) == 1
				    ? found.columns >= tally->missed.columns
				    : tally->n_lines == 0;

	if (counts)
		tally->missed = found;
	tally->n_lines++;
	if (left != FULLCACHE_NO_LINE)
		curve_leave(tally->curve, left >> tally->curve->line_bits);
}

/*
 * The same, and has the line be seen: bits FULL_..., of the reference as far as this line.  tally
 * is NULL without a curve.
 */
static inline uint32_t curvetally_miss(struct curve_tally *tally, struct seen *seen, uint64_t line,
				       uint64_t left)
{
	const bool is_first = !seen_add(seen, line);

	if (tally != NULL)
		curvetally_note(tally, line, is_first, left);
	return is_first ? FULL_MISSED | FULL_COLD : FULL_MISSED;
}

#endif
