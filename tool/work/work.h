/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What instructions do, counted with --collect-flops=yes, --collect-bytes=yes and --mix=yes: floating-point operations, bytes,
 * classes (events of origin WORK, writer/shared/events.h).  The state of this room, what the code of an instruction says
 * (isa/x86/decoder.h), and the sums that its executions add.
 */
#ifndef TOOL_WORK_WORK_H
#define TOOL_WORK_WORK_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "isa/x86/decoder.h"
#include "tool/common/event.h"

struct work_state {
	Bool has_operations; /* floating-point operations are counted */
	Bool has_bytes;      /* so are the bytes that instructions read and write */
	Bool has_mix;        /* and the classes that they are of */
	struct insn_decoder decoder;
};

extern struct work_state tool_work;

/* -- what an instruction counts wherever it is executed ------------------------------------- */

enum { INSNEVENTS_MOST = 8 };

struct insnevent {
	enum event event;
	UInt n; /* 1 or more */
};

/*
 * Writes all that the instruction of size bytes counts except its class; returns the number of events.  Its code can be
 * read.  Without an option that asks for events there are none.
 */
UInt insnevents_find(const UChar *code, UInt size, struct insnevent events[INSNEVENTS_MOST]);

/* The event of its class: EVENT_JMP or a later one. */
enum event insnevents_class(const UChar *code, UInt size);

/* -- sums -----------------------------------------------------------------------------------
 *
 * What an execution of an instruction adds.  The instructions of a program have few such sums, so each is kept once and has a
 * number.
 */

/* EVENT_FLS and the events after it. */
struct work {
	UShort counts[N_WORK_EVENTS];
	UChar n_counted; /* those that are not 0, by index */
	UChar counted[N_WORK_EVENTS];
};

enum {
	WORK_NONE = 0,          /* the number of the sum that is all zeroes */
	WORKTABLE_MOST = 65535, /* numbers: a charge has one in 16 bits */
};

/* Sums in the order of their numbers; zero is an empty table. */
struct worktable {
	VgHashTable *nodes;  /* by what they count; NULL before the first */
	struct work **works; /* by number, from 1 */
	UInt n, room;
};

/* True of the events that are counted here. */
static inline Bool work_has(enum event event)
{
	return event >= EVENT_FLS && event < EVENT_BEHIND_WORK;
}

/*
 * The number of the sum that counts n more of an event (work_has()) than the one of this number.  One instruction has at most
 * 65535 of an event.
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
