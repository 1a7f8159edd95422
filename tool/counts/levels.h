/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The levels of the run's hierarchy (sim/lower.h) as events: what is counted when a reference
 * misses a level, by the list LEVELS of writer/shared/events.h.
 */
#ifndef TOOL_COUNTS_LEVELS_H
#define TOOL_COUNTS_LEVELS_H

#include "pub_tool_basics.h"

#include "sim/lower.h"
#include "sim/misses/missclasses.h"
#include "sim/tlbs/machinetlbs.h"
#include "tool/common/event.h"

enum reference_kind {
	REFERENCE_FETCH,
	REFERENCE_READ,
	REFERENCE_WRITE,
	N_REFERENCE_KINDS,
};

struct levels {
	UInt n; /* levels that can be missed; also the number of memory as the level that serves */
	const HChar *names[HIERARCHY_MAX_LEVELS]; /* of their caches for data */
	enum event missed[N_REFERENCE_KINDS][HIERARCHY_MAX_LEVELS];
	/*
	 * What is counted when misses of a reference write lines back: each line, if dirty lines
	 * are known in all levels; else that the last level had one to write (--simulate-wb).
	 */
	enum event write_back[N_REFERENCE_KINDS];
	/* TLBs: views (sim/tlbs/machinetlbs.h), and what is counted when each level is missed. */
	UInt n_views;
	enum event missed_pages[N_REFERENCE_KINDS][MACHINETLBS_MAX_VIEWS][2];
	Bool has_cores; /* several cores may be simulated: what a reference did to others is counted */
	/* Why a level was missed (--miss-classes), or the first hit only by luck (D1anti). */
	enum event reasons[N_REFERENCE_KINDS][HIERARCHY_MAX_LEVELS][N_MISS_CLASSES];
};

/* What else is counted of a kind of reference. */
struct reference_events {
	enum event executed; /* it was made, if its segment does not say so */
	enum event
		write_back; /* it missed the last level, and a line was written back (--simulate-wb) */
};

/*
 * The event that counts what it did to other cores: one of them served it (0), lines were upgraded (1), the transfer
 * was false (2) or true sharing (3).
 */
static inline enum event reference_coherence(UInt kind, UInt which)
{
	static const enum event which_events[] = { EVENT_DCOH, EVENT_DUPG, EVENT_DSHF, EVENT_DSHT };

	return which == 0 && kind == REFERENCE_WRITE ? EVENT_DCOHW : which_events[which];
}

/* The event that counts its waits: for caches (0), for TLBs (1). */
static inline enum event reference_waits(UInt kind, UInt which)
{
	return which == 1 ? EVENT_CYTLB : kind == REFERENCE_FETCH ? EVENT_CYFE : EVENT_CYMEM;
}

extern const struct reference_events reference_events[N_REFERENCE_KINDS];

/* Each level of the hierarchy must have a name in that list. */
void levels_init(struct levels *levels, const struct hierarchy_config *config);

/*
 * The groups of events of a hierarchy's levels, for event_set_init(); with the reasons of misses,
 * if asked for.
 */
UInt levels_groups(const struct hierarchy_config *config, Bool has_reasons);

#endif
