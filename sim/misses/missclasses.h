/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why references miss, at each level that they miss (Hill, "Aspects of Cache Memory and Instruction
 * Buffer Performance", 1987):
 *
 *	cold		a line of it had never been asked for before
 *	capacity	else, a fully associative LRU cache of the level's size missed it, too: at least as many other
 *			lines had been asked for since as the level has room for
 *	conflict	else: the line's set was too small, or the policy is not LRU, or an inclusive level took it
 *
 * That cache, F, sees the references that the level sees: at the first level all of them, with an F each for code and
 * data; at a lower level the code and data that missed the level before.  A reference is one, whatever its length: it
 * misses F if a line of it does.  Prefetches are none.  What an eviction by request takes out is cold afterwards.
 *
 * F may also miss what the level has: an anti-conflict miss.  Cold, capacity and anti-conflict misses are F's.
 */
#ifndef SIM_MISSES_MISSCLASSES_H
#define SIM_MISSES_MISSCLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/basics.h"
#include "sim/cache.h"
#include "sim/lower.h"
#include "sim/misses/curve.h"
#include "sim/misses/fullcache.h"

/*
 * --- what a reference adds to the curve -----------------------------------------------
 *
 * If any of several lines misses a size, the reference does (sim/misses/curve.h): exactly, the line with the largest
 * distance counts.  Of a sample, the first line that F misses is the one that is looked at or not, as a reference would
 * else be looked at more often than others; so the distance of any other line does not count.
 */

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

/* F missed a line, by its address, and had to give up another one, or NO_LINE. */
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
	if (left != NO_LINE)
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

/* --- F of a level ---------------------------------------------------------------------- */

struct full_level {
	struct fullcache cache;
	struct seen seen;
	struct curve_tally *tally; /* of all references to it, or NULL; its user's */
};

/* Of the size of a cache, in lines. */
void fulllevel_init(struct full_level *level, const struct cache_config *config,
		    const struct misses_memory *memory);

void fulllevel_release(struct full_level *level);

/* References size bytes (1 or more) at address, whose end may wrap around; returns bits FULL_... */
uint32_t fulllevel_refer(struct full_level *level, uint64_t address, uint64_t size);

/* Lines that have a byte in the range are taken out, and are as if they had never been asked for. */
void fulllevel_evict(struct full_level *level, struct address_range range);

/* --- classes --------------------------------------------------------------------------- */

enum miss_class {
	MISS_COLD,
	MISS_CAPACITY,
	MISS_CONFLICT,
	N_MISS_CLASSES,
};

/* Of a reference. */
struct miss_reasons {
	enum miss_class of[HIERARCHY_MAX_LEVELS]; /* by level, of those that it missed */
	bool is_anti;                             /* the first level hit, and its F missed */
};

/* F of the lower levels. */
struct missclasses {
	unsigned n_lower;
	struct full_level lower[HIERARCHY_MAX_LOWER];
};

void missclasses_init(struct missclasses *classes, const struct hierarchy_config *config,
		      const struct misses_memory *memory);

void missclasses_release(struct missclasses *classes);

/*
 * A reference to size bytes (1 or more) at address has been made, which that level served; the
 * first level's F did that with it: bits FULL_...
 */
struct miss_reasons missclasses_find(struct missclasses *classes, uint32_t first, uint64_t address,
				     uint64_t size, unsigned served);

/* As fulllevel_evict(), of all levels but the first. */
void missclasses_evict(struct missclasses *classes, struct address_range range);

#endif
