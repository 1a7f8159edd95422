/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call graph as it comes about: arrivals of control in a unit other than
 * the one that runs, what the shadow call stack (tool/calls/callstack.h) makes of
 * them, and the costs that go with it.
 */
#ifndef TOOL_CALLS_CALLS_H
#define TOOL_CALLS_CALLS_H

#include "pub_tool_basics.h"

struct block;
struct event_set;
struct function;
struct guest;
struct shortcut;
struct site;
struct thread;
struct unit;

/* A function that was active before anything was known of its thread's calls. */
struct seed {
	struct function *function;
	struct site *target; /* its first instruction */
	struct unit *unit;   /* of the code that it is in: a return to it finds its counters */
	struct site *site;   /* that called it, in the function seeded before; NULL of the first */
	Bool jumped;         /* it did by a tail call */
	Addr sp;             /* when it had been called; of the first any that it had since */
	Addr return_address; /* of the call; 0 of a jump and of the first */
};

/* Makes everything empty; tree_nodes is the most that a call tree may have, 0 for none.  Events are known by now. */
void calls_init(UInt tree_nodes);

/*
 * Control has arrived in the block of this number, which is known
 * not to be of the unit that ran, before anything of the block
 * runs.  hot->block still is the block before.  The guest's stack pointer must
 * be up to date.
 */
VG_REGPARM(1) void calls_enter(UWord number);

/*
 * Control is about to go to an address, by what hot->unit says: if there is a block that does not test its entry
 * (tool/counts/block.h), and it is not of the unit that runs, it has arrived.  A jump to a constant address of another unit is nothing else.
 */
VG_REGPARM(1) void calls_arrive(Addr target);

/* The block of this number is entered, does not test its entry, and is not of the unit that runs: panics. */
VG_REGPARM(1) void calls_surprise(UWord number);

/*
 * Has the running thread's stack know of an active function, in the frame above
 * the top, or in the bottom if that has none.  Its call counts as made by now, as one
 * that is active when counting begins anew (threads_zero()).  What a function with hooks
 * asks for is due then.
 */
void calls_seed(struct thread *thread, const struct seed *seed);

/*
 * Control is about to leave a block by a call, by a computed jump, or by a
 * return, to target.  If it went that way before, the call is made now, or
 * ended, and the unit there is the one that runs; else hot->unit is marked, and
 * calls_enter() finds out, at once (calls_arrive()) or when control has arrived.  The ways known are in
 * list, or if that is NULL, with the context.  Only for what counts in counter sets.
 */
struct call_paths {
	VG_REGPARM(3)
	void (*call)(const struct guest *guest, Addr target, const struct shortcut *list);
	VG_REGPARM(3)
	void (*jump)(const struct guest *guest, Addr target, const struct shortcut *list);
	VG_REGPARM(2) void (*ret)(const struct guest *guest, Addr target);
};

/*
 * It is about to leave by another jump, to target: to the first instruction of its function, where a stack that is deeper than
 * it was makes it a call; or to a computed address, which may have left frames.  Only for what counts in counter sets.
 */
VG_REGPARM(2) void calls_jump_to_entry(const struct guest *guest, Addr target);
VG_REGPARM(2) void calls_jump_computed(const struct guest *guest, Addr target);

/* The list of a block that it is to leave by; NULL: that of the context, as the block is skipped. */
const struct shortcut *calls_ways_out(struct block *block);

/* Frees a list of a block; does nothing if it is NULL. */
void calls_free_shortcuts(struct shortcut *list);

/* Those for runs with so many events (struct event_set), with or without a call tree. */
const struct call_paths *calls_paths(const struct event_set *events, Bool tree);

/* --- seeds ------------------------------------------------------------------------------------- */

/*
 * Call stacks that were there before instrumentation started: with
 * --stack-seed=yes each thread's is read off the program's memory when the thread runs for the first time since, as if it had been watched
 * from the start.
 */

/*
 * The running thread, which is to be seeded, goes on at an address, and its guest state is
 * up to date: makes its calls known.  Where something is known of it already,
 * nothing happens.  Either way it is done.
 */
void stack_seed_do(struct thread *thread, Addr address);

/* --- interpreted functions ------------------------------------------------------------ */

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
