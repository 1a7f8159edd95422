/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call graph as it arises: control arrives in a unit other than the one that runs, the shadow
 * call stack (tool/calls/callstack.h) says what that means, and calls begin and end, with their
 * costs.
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

/* A function that was active before its thread was watched. */
struct seed {
	struct function *function;
	struct site *target; /* its first instruction */
	struct unit *unit; /* of the code that it is in, so that a return to it finds its counters */
	struct site *site; /* that called it, in the function seeded before; NULL for the first */
	Bool jumped;       /* by a tail call */
	Addr sp; /* right after the call; for the first function any that it has had since */
	Addr return_address; /* of the call; 0 for a jump and for the first */
};

/* Initializes the room; events are known. tree_nodes: limit of the call tree, 0: no tree. */
void calls_init(UInt tree_nodes);

/*
 * Control has arrived in the block of this number, which is known to be of another unit than the
 * one that ran; the block has not begun to run. hot->block still is the block before, and the
 * guest's stack pointer must be up to date.
 */
VG_REGPARM(1) void calls_enter(UWord number);

/*
 * Control is about to go to an address, in the way that hot->unit says: if the block there does not
 * test its entry (tool/counts/block.h) and is not of the unit that runs, control has arrived
 * (calls_enter()). This is all there is to do for a jump to a constant address of another unit.
 */
VG_REGPARM(1) void calls_arrive(Addr target);

/* Panics: this block was entered, does not test its entry, and is of another unit. */
VG_REGPARM(1) void calls_surprise(UWord number);

/*
 * Adds an active function to the stack of the running thread: a frame on top, or the bottom if that
 * has no function yet. As when counting begins anew (threads_zero()), its call counts as made once.
 * If the function has hooks, what they ask for becomes due.
 */
void calls_seed(struct thread *thread, const struct seed *seed);

/*
 * Control is about to leave a block for target, by a call, a computed jump or a return. If it went
 * that way before, the call is made or ended at once, and the unit at target runs. Else hot->unit
 * is marked, and calls_enter() finds out what happened, now (calls_arrive()) or when control has
 * arrived. The known ways are in list, or if that is NULL, in the context. Only for code that
 * counts in counter sets.
 */
struct call_paths {
	VG_REGPARM(3)
	void (*call)(const struct guest *guest, Addr target, const struct shortcut *list);
	VG_REGPARM(3)
	void (*jump)(const struct guest *guest, Addr target, const struct shortcut *list);
	VG_REGPARM(2) void (*ret)(const struct guest *guest, Addr target);
};

/*
 * Control is about to leave by another jump: to the first instruction of its function, which is a
 * call if the stack is deeper than it was at entry; or to a computed address, which may have left
 * frames. Only for code that counts in counter sets.
 */
VG_REGPARM(2) void calls_jump_to_entry(const struct guest *guest, Addr target);
VG_REGPARM(2) void calls_jump_computed(const struct guest *guest, Addr target);

/* The list by which a block leaves; NULL: its code is skipped, so that the context has the list. */
const struct shortcut *calls_ways_out(struct block *block);

/* Frees the list of a block, or does nothing if it is NULL. */
void calls_free_shortcuts(struct shortcut *list);

/* The functions for a run that records these events, with or without a call tree. */
const struct call_paths *calls_paths(const struct event_set *events, Bool tree);

/* --- seeds ------------------------------------------------------------------------------------- */

/*
 * Calls that were active before instrumentation started. With --stack-seed=yes each thread's calls
 * are read off its stack when it first runs after that, as if it had been watched from the start
 * (stack_seed.c).
 */

/*
 * Reads the calls of the running thread, which is marked as unseeded, off its stack, and clears the
 * mark. The thread goes on at address, and its guest state is up to date. Does nothing else if some
 * of its calls are known already.
 */
void stack_seed_do(struct thread *thread, Addr address);

/* --- interpreted functions ------------------------------------------------------------ */

/*
 * Interpreted functions on the shadow call stack. An interpreter runs them in a loop, one function
 * of the program, which may go from one of them to another without a call instruction. Each has a
 * frame above the loop's, like a tail call made by the loop:
 *
 *	real stack	... loop              C function  loop
 *	frames		... loop  main  fib   C function  loop  key
 *
 * So the loop's instructions count for the function that it runs, calls made by the loop are calls
 * by that function, and all of these frames go when the loop returns. They have the loop's body
 * (tool/calls/callstack.h), so that jumps in the loop change nothing.
 */

/* True if the loop (body is the loop's) is on top, or a function that it interprets. */
Bool interpreted_runs(const struct thread *thread, UInt body);

/*
 * The loop is on top. True if it interprets the function that has this frame (an address in the
 * program, not 0); then *n is the number of functions that this one has called and are active.
 * Otherwise *n is the number of all functions that the loop interprets.
 */
Bool interpreted_find(const struct thread *thread, Addr frame, SizeT *n);

/* The frame of the interpreted function on top; 0 if the loop on top interprets none yet. */
Addr interpreted_frame(const struct thread *thread);

/*
 * The function on top, or the loop if it interprets none yet, calls an interpreted function that
 * has this frame. site is the instruction of the loop that did it. From now on the loop's code
 * counts for the callee.
 */
void interpreted_call(struct thread *thread, struct function *function, Addr frame,
		      struct site *site);

/* The n (1 or more) interpreted functions on top return. */
void interpreted_return(struct thread *thread, SizeT n);

#endif
