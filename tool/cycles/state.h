/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cycles of the simulated machine (--cycles=yes): the state of this room, and what the machine costs.
 *
 * What instructions take where nothing is missed, a model of the core says when their block is translated
 * (tool/cycles/paths.h); what a miss adds, when it happens (tool/cycles/waits.h). Both are in tenths of a cycle.
 */
#ifndef TOOL_CYCLES_STATE_H
#define TOOL_CYCLES_STATE_H

#include "pub_tool_basics.h"

#include "sim/core/core.h"
#include "sim/hierarchy.h"
#include "tool/common/event.h"
#include "tool/cycles/paths.h"
#include "tool/cycles/waits.h"

/* Tenths of a cycle, but for what is said to be another thing. */
struct cycles_costs {
	/* By the level that serves a reference (sim/hierarchy.h), memory behind the last one. */
	UInt latency[HIERARCHY_MAX_LEVELS + 1]; /* beyond that of the first level */
	UInt apart[HIERARCHY_MAX_LEVELS + 1]; /* between two that are under way at the same time */
	UInt streamed[HIERARCHY_MAX_LEVELS + 1];  /* between two lines of a stream */
	UInt transfers[HIERARCHY_MAX_LEVELS + 1]; /* between two lines of any streams */
	/* What a level's bandwidth leaves between two lines that nothing waits for one by one; 0: not known. */
	UInt least_apart[HIERARCHY_MAX_LEVELS + 1];
	UInt first;         /* latency of the first level */
	UInt hidden;        /* what it takes to fill the reorder buffer, at the core's full width */
	UInt fetch_hidden;  /* of a fetch's, by those that wait for their turn */
	UInt misprediction; /* of a branch that could be resolved at once */
	UInt unknown_target;   /* the target buffer did not know it, but its decoder saw it */
	UInt far_target;       /* only the second target buffer knew it */
	UInt second_tlb;       /* a page that the second TLB has */
	UInt walk;             /* one that it has not */
	UInt second_tlb_apart; /* between two pages that the second TLB has */
	UInt walks_apart;      /* between two walks that are under way at the same time */
	UInt set_apart; /* between two lines of one set of the first level; 0: they do not wait for each other */
	UInt reorder; /* instructions that may be under way at a time */
};

enum { CYCLES_TEXT = 512 }; /* bytes */

struct cycles_state {
	Bool is_on;
	HChar text[CYCLES_TEXT]; /* what the machine is as a core, for profiles; "none", "" = nothing to say */
	struct core_config core;
	struct cycles_costs costs;
	struct paths paths;
	struct waits waits;
};

extern struct cycles_state tool_cycles;

/* The clock of a thread: tenths of a cycle, by its totals. */
static inline ULong cycles_clock(const ULong *totals)
{
	ULong sum = 0;

	for (UInt event = EVENT_BEFORE_CYCLES + 1; event < EVENT_BEHIND_CYCLES; event++)
		sum += totals[event];
	return sum;
}

#endif
