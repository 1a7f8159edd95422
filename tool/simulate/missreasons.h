/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why references miss (--miss-classes), and how large a cache would have to be for them not to (--miss-curve):
 * sim/misses/missclasses.h and sim/misses/curve.h have the rules.
 */
#ifndef TOOL_SIMULATE_MISSREASONS_H
#define TOOL_SIMULATE_MISSREASONS_H

#include "pub_tool_basics.h"

#include "sim/machine.h"
#include "sim/misses/missclasses.h"
#include "tool/counts/levels.h"
#include "tool/simulate/conflicts.h"

/* --miss-curve */
enum miss_curve {
	MISS_CURVE_NO,
	MISS_CURVE_SAMPLED, /* one line of eight is looked at, or of more if there are too many */
	MISS_CURVE_EXACT,
};

struct missreasons {
	Bool is_on; /* either of these: */
	Bool has_classes, has_curve;
	struct missclasses lower;
	struct machine_twins twins; /* of the first level; the oracle leaves its own outcomes here */
	struct conflicts conflicts;
	struct curve curve;
	struct curve_tally tally;
	struct miss_reasons last; /* that were found */
};

/* Whether a curve can be made beside that D1: NULL, or why not, in words that follow on "--miss-curve: ". */
const HChar *missreasons_misfit(const struct cache_config *d1);

/* Caches are empty; the curve has no misfit. */
void missreasons_init(struct missreasons *reasons, const struct hierarchy_config *config,
		      Bool has_classes, enum miss_curve curve);

/* The first level is the machine's from now on.  To be called before the first reference, if they are on. */
void missreasons_attach(struct missreasons *reasons, struct machine *machine,
			const struct hierarchy_config *config);

/* Of a reference that a site has just made, which that level served. */
struct miss_reasons missreasons_find(struct missreasons *reasons, const struct site *site,
				     enum reference_kind kind, Addr address, UWord size,
				     UInt served);

/*
 * Of the same reference, to data, once: the columns of the curve that miss it, the first so many, and what each
 * counts for it.
 */
struct curve_missed missreasons_take_sizes(struct missreasons *reasons);

/* What the columns are founded on, and how wrong one may be (sim/misses/curve.h). */
struct curve_error missreasons_error(const struct missreasons *reasons, UInt column);

/* Lines with a byte in the range were taken out of all caches; the machine's twins know. */
void missreasons_evict(struct missreasons *reasons, struct address_range range);

#endif
