/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an execution of an instruction counts of the events of work: floating-point operations, bytes, classes
 * (origin WORK of writer/shared/events.h).  There are few such sums among all instructions of a program, so each is kept once, and has a number.
 */
#ifndef TOOL_WORK_WORKTABLE_H
#define TOOL_WORK_WORKTABLE_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "tool/common/event.h"

/* Of EVENT_FLS and those behind it. */
struct work {
	UShort counts[N_WORK_EVENTS];
	UChar n_counted; /* of these, those that are not 0, by their indices */
	UChar counted[N_WORK_EVENTS];
};

enum {
	WORK_NONE = 0,          /* the number of the one that is all zeroes */
	WORKTABLE_MOST = 65535, /* numbers: a charge has one in 16 bits */
};

/* Works in the order of their numbers; zero is an empty table. */
struct worktable {
	VgHashTable *nodes;  /* by what they count; NULL before the first */
	struct work **works; /* by number, from 1 */
	UInt n, room;
};

/* Whether an event is one of work. */
static inline Bool work_has(enum event event)
{
	return event >= EVENT_FLS && event < EVENT_BEHIND_WORK;
}

/*
 * The number of the work that counts n more of an event, which is one of work, than that of a number.  Of one instruction there are
 * at most 65535 of an event.
 */
UShort worktable_add(struct worktable *table, UShort number, enum event event, UInt n);

/* Adds what n executions count to costs, by event. */
static inline void worktable_cost(const struct worktable *table, UShort number, ULong n,
				  ULong costs[N_EVENTS])
{
	const struct work *work;

	if (number == WORK_NONE)
		return;
	work = table->works[number - 1];
	for (UInt i = 0; i < work->n_counted; i++)
		costs[EVENT_FLS + work->counted[i]] += n * work->counts[work->counted[i]];
}

#endif
