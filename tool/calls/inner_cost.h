/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Costs that C finds out about while calls are under way: charged to a frame of the running thread's
 * shadow call stack, wherever that is.
 */
#ifndef TOOL_CALLS_INNER_COST_H
#define TOOL_CALLS_INNER_COST_H

#include "pub_tool_basics.h"

#include "tool/common/event.h"

struct thread;
struct function;
struct site;

enum { NO_FRAME = 0 }; /* the bottom of a thread never is one that was called */

/*
 * The frame of a call of a function of the running thread, by the stack pointer at its entry; NO_FRAME if it is
 * not on the shadow call stack.
 */
SizeT frame_of_call(const struct thread *thread, const struct function *function, Addr sp);

/* Where a cost goes. */
struct inner_cost {
	SizeT frame;
	struct site
		*site; /* an instruction of its function; of NO_FRAME, of what runs now, or NULL */
};

/*
 * Adds to the self cost of that frame's function, at that instruction, and to the totals: calls up to and with it
 * cost so much more, those that it has made itself do not.  NO_FRAME: to what runs now, at that instruction; without one, at the last one of the block that ran last.  Only for
 * seldom events (tool/calls/latecost.h), while the thread runs.
 */
void frame_charge(struct thread *thread, const struct inner_cost *to, enum event event,
		  ULong amount);

#endif
