/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The levels of the run's hierarchy (sim/lower.h) as events: which is
 * counted when a reference misses a level.  The list LEVELS of writer/shared/events.h says that.
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
	UInt n; /* that can be missed; also the number of memory, as that which serves */
	const HChar *names[HIERARCHY_MAX_LEVELS]; /* of their caches for data */
	enum event missed[N_REFERENCE_KINDS][HIERARCHY_MAX_LEVELS];
	/*
	 * A reference's misses had lines written back: whose lines are known to be dirty in all levels, so
	 * many; else that the last level had one to write (--simulate-wb).
	 */
	enum event write_back[N_REFERENCE_KINDS];
	/* Of TLBs: views (sim/tlbs/machinetlbs.h), and what is counted for each level that is missed. */
	UInt n_views;
	enum event missed_pages[N_REFERENCE_KINDS][MACHINETLBS_MAX_VIEWS][2];
	/* Why it missed a level (--miss-classes); and that data hit the first one without a right to (D1anti). */
	enum event reasons[N_REFERENCE_KINDS][HIERARCHY_MAX_LEVELS][N_MISS_CLASSES];
};

/* What else a kind of reference may count. */
struct reference_events {
	enum event executed; /* it was made, if that is not known from its segment */
	enum event
		write_back; /* a line was written back when it missed the last level (--simulate-wb) */
};

/* In which event its waits count: for caches (0), for TLBs (1). */
static inline enum event reference_waits(UInt kind, UInt which)
{
	return which == 1 ? EVENT_CYTLB : kind == REFERENCE_FETCH ? EVENT_CYFE : EVENT_CYMEM;
}

extern const struct reference_events reference_events[N_REFERENCE_KINDS];

/* Each level of the hierarchy must have the name of one of the list. */
void levels_init(struct levels *levels, const struct hierarchy_config *config);

/*
 * The groups of events that the levels of a hierarchy have, as event_set_init() takes them; with those of why they are missed,
 * if that is asked for.
 */
UInt levels_groups(const struct hierarchy_config *config, Bool has_reasons);

#endif
