/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * System calls that wait until a time is over, under the clock of tool/deterministic/clock.h.
 *
 * They wait as long as the program asked for, really; then the program's clock
 * has moved on by that.  If what was waited for came earlier, no time has
 * passed.  A moment that the call waits for is one of the program's clock; the
 * kernel gets that of its own which is as far away.
 */
#ifndef TOOL_DETERMINISTIC_TIMEDWAIT_H
#define TOOL_DETERMINISTIC_TIMEDWAIT_H

#include "pub_tool_basics.h"

struct guest;
struct timed_call;

/* An argument that the kernel gets in the place of the program's own. */
struct changed_argument {
	UInt argument; /* 0..5 */
	ULong given;   /* the program's own */
};

/* What a thread waits for. */
struct timed_wait {
	const struct timed_call *call; /* NULL: for nothing */
	ULong due;                     /* on the program's clock, as clock_now() has it */
	ULong time;                    /* ns that were asked for */
	ULong interval;                /* ns, of a timer */
	Bool stops;                    /* a timer is set to fire no more */
	Addr given;                    /* the program's time, 0: none */
	UInt n_changed;
	struct changed_argument changed[2];
	Long passed[4]; /* to the kernel: a struct itimerspec, or the half of it */
};

/*
 * Generated code calls this right before each system call, with the guest's
 * state; it may change the arguments there.
 */
void timedwait_begin(struct guest *guest);

/* The system call is over: arguments are the program's again, and time has passed. */
void timedwait_end(ThreadId tid, const UWord *args, SysRes result);

/* A handler is about to run in a thread: arguments are the program's again. */
void timedwait_interrupt(ThreadId tid);

#endif
