/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Interpreted functions on the shadow call stack.  An interpreter runs them in a loop of its
 * own, one function of the program's, which may go from one of them to another without
 * a call instruction.  Each has a frame on top of that of the loop, like a tail call of it:
 *
 *	real stack	... loop              C function  loop
 *	frames		... loop  main  fib   C function  loop  key
 *
 * So the loop's instructions count for the function that it runs, what it calls is called by that
 * function, and all of them are gone when the loop returns.  They have the loop's body (tool/calls/callstack.h):
 * jumps in it change nothing.
 */
#ifndef TOOL_CALLS_INTERPRETED_H
#define TOOL_CALLS_INTERPRETED_H

#include "pub_tool_basics.h"

struct arc;
struct context;
struct counter_set;
struct function;
struct site;
struct thread;
struct unit;

/* A call as it was made before: from, function, unit and level lead to the rest. */
struct known_call {
	const struct context *from; /* NULL: there is none */
	const struct function *function;
	const struct unit *unit;
	UInt level;  /* of recursion */
	UInt active; /* index in thread->active of what it counts in */
	struct arc *arc;
	struct counter_set *counters;
};

enum {
	KNOWN_CALL_BITS = 12, /* of the number of one */
};

/* Each in the place that its ends say. */
struct interpreted_calls {
	struct known_call known[1 << KNOWN_CALL_BITS];
};

/* Whether the loop is on top, or what it interprets; body is the loop's. */
Bool interpreted_runs(const struct thread *thread, UInt body);

/*
 * Whether the loop on top interprets the function whose frame (an address of the program's, not 0)
 * this is; *n is how many others that has called by now, or if it does not, how many it
 * interprets.  The loop is on top.
 */
Bool interpreted_find(const struct thread *thread, Addr frame, SizeT *n);

/* The frame of the interpreted function on top; 0 if the loop on top interprets none yet. */
Addr interpreted_frame(const struct thread *thread);

/*
 * The function on top, or the loop if it interprets none yet, calls an interpreted function,
 * which has this frame.  site is the instruction of the loop that made it so.  The loop's code
 * runs in the callee's name from now on.
 */
void interpreted_call(struct thread *thread, struct function *function, Addr frame,
		      struct site *site);

/* The n (1 or more) functions on top, which are interpreted, are left. */
void interpreted_return(struct thread *thread, SizeT n);

#endif
