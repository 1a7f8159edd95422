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

enum { NO_FRAME = 0 }; /* the bottom of a thread never is one that was called */

/*
 * The frame of a call of a function of the running thread, by the stack pointer at its entry; NO_FRAME if it is
 * not on the shadow call stack.
 */
SizeT frame_of_call(const struct thread *thread, const struct function *function, Addr sp);

/*
 * Adds to the self cost of that frame's function, where it was entered, and to the totals: calls up to and with it
 * cost so much more, those that it has made itself do not.  NO_FRAME: to what ran last.  Only for
 * events with running totals, while the thread runs.
 */
void frame_charge(struct thread *thread, SizeT frame, enum event event, ULong amount);

#endif
