/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * System calls: how many an instruction made, and how long they took, charged
 * to the thread that made them and, by its running totals, to its callers.
 *
 * A call that a signal handler interrupts takes no time while the handler
 * runs.  If it is started again after that, it is still the same call.  What
 * does not return (exit, exec, sigreturn) counts, but takes no time; nor does
 * what is under way in other threads when the program ends.
 *
 * With --syscall-calls=yes, a system call is a call of a function of the object SYSTIME_OBJECT, named after it: its
 * costs are that function's, and its caller has them as inclusive ones.  Then sysBytes is what calls return that
 * move bytes.  --fn-skip of that name leaves it at its caller.
 *
 * Functions do nothing unless system calls are collected.
 */
#ifndef TOOL_CALLS_SYSTIME_H
#define TOOL_CALLS_SYSTIME_H

#include <stdint.h>

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

struct hot;
struct thread;

#define SYSTIME_OBJECT "[kernel]"

/* What is collected, and the unit of sysTime; SYSTIME_NSEC collects CPU time besides. */
enum systime_unit {
	SYSTIME_NONE,
	SYSTIME_MSEC,
	SYSTIME_USEC,
	SYSTIME_NSEC,
};

struct systime {
	VgHashTable *places; /* struct systime_place by instruction and context */
	int64_t owed;        /* ns, to all places */
};

void systime_init(struct systime *systime);

/* The long name of sysTime. */
const HChar *systime_long_name(void);

/* The thread that ran last is about to make a system call: counts it. */
void systime_count(ThreadId tid, UInt number);

/* It is made now: its time begins.  And it is over. */
void systime_start(ThreadId tid);
void systime_end(ThreadId tid, UInt number, SysRes result);

/* A handler is about to run in a thread; its state is not yet put away. */
void systime_interrupt(ThreadId tid);

/* It has returned; the thread's state, and its registers, are again what they were. */
void systime_resume(ThreadId tid);

/*
 * The time that a thread's call has taken until now is charged, by its hot words; it goes on.  CPU time, which
 * a thread can ask for itself alone, is charged at the end.
 */
void systime_split(struct thread *thread, struct hot *hot);

/* Costs begin anew: nothing is owed any more. */
void systime_zero(struct systime *systime);

#endif
