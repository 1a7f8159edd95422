/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why references miss, at each level that they miss (Hill, "Aspects of Cache Memory and Instruction
 * Buffer Performance", 1987):
 *
 *	cold		a line of it had never been asked for before
 *	capacity	else, a fully associative LRU cache of the level's size missed it, too: at least as many other
 *			lines had been asked for since as the level has room for
 *	conflict	else: the line's set was too small, or the policy another one, or an inclusive level took it
 *
 * That cache, F, sees the references that the level sees: the first one all of them, code and data
 * each its own; a lower one those that missed the level before, code and data.  A reference is one,
 * whatever its length: it misses F if a line of it does.  Prefetches are none.  What an eviction by
 * request takes out is cold afterwards.
 *
 * F may also miss what the level has: anti-conflict misses.  Cold, capacity and those are the misses of F.
 */
#ifndef SIM_MISSES_MISSCLASSES_H
#define SIM_MISSES_MISSCLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/lower.h"
#include "sim/misses/fulllevel.h"
#include "sim/misses/memory.h"
#include "sim/range.h"

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
