/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why references miss (--miss-classes), and how large a cache would have to be for them not to (--miss-curve):
 * sim/misses/missclasses.h and sim/misses/curve.h have the rules.
 */
#ifndef TOOL_SIMULATE_MISSREASONS_H
#define TOOL_SIMULATE_MISSREASONS_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "sim/basics.h"
#include "sim/cache.h"
#include "sim/geometry.h"
#include "sim/machine.h"
#include "sim/misses/missclasses.h"
#include "tool/counts/levels.h"

struct site;

/*
 * --- conflicts -----------------------------------------------------------------------
 *
 * Who pushes whom out of a set of D1 (--miss-classes): for each conflict miss, the reference that missed in its set
 * last, which brought a line in there.  If that brought the same line, it was an inclusive level that took it: there is
 * no such reference.  Pairs of instructions are counted, with how far apart their lines were.
 */

/* What missed in a set last. */
struct evictor {
	const struct site *site; /* NULL: nothing has */
	Addr line;               /* its address */
};

struct conflict {
	struct conflict *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	const struct site *site, *evictor;
	ULong n;
	ULong apart;  /* bytes between their lines in most meetings, if there is such a distance */
	ULong n_same; /* meetings this far apart, since this is taken to be the distance */
	ULong votes;  /* for the distance, less votes against it */
};

struct conflicts {
	struct sets sets;
	UInt line_bits;
	struct evictor *evictors; /* by set */
	VgHashTable *pairs;
	struct conflict *last; /* that was counted, or NULL */
	ULong n;               /* conflict misses */
};

/* Forgets all counts. */
void conflicts_zero(struct conflicts *conflicts);

/* Receives "229376 of 229386 in D1, 4096 bytes apart: f.c:9 main <-> f.c:9 main"; gone when it returns. */
typedef void conflicts_taker(void *ctx, const HChar *text);

/*
 * The pairs that most conflicts are of, each 32 and a hundredth of them or more, CONFLICTS_TOLD at most,
 * most first.  Pairs of instructions whose texts would differ in nothing but their counts are one.
 */
void conflicts_tell(const struct conflicts *conflicts, conflicts_taker *take, void *ctx);

enum { CONFLICTS_TOLD = 16 };

/* --- reasons --------------------------------------------------------------------------- */

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

/* Why no curve can be made with that D1, in words that follow "--miss-curve: ", or NULL. */
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
 * Of the same reference, to data, once: how many columns of the curve miss it, which are the first ones, and what
 * each counts for it.
 */
struct curve_missed missreasons_take_sizes(struct missreasons *reasons);

/* What the columns are founded on, and how wrong one may be (sim/misses/curve.h). */
struct curve_error missreasons_error(const struct missreasons *reasons, UInt column);

/* Lines with a byte in the range were taken out of all caches; the machine's twins know. */
void missreasons_evict(struct missreasons *reasons, struct address_range range);

#endif
