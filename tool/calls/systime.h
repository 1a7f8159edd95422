/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * System calls: how many an instruction made, and how long they took. They are charged to the
 * thread that made them and, through its running totals, to the callers.
 *
 * A call that a signal handler interrupts takes no time while the handler runs. If it is started
 * again after that, it is still the same call. Calls that do not return (exit, exec, sigreturn)
 * count, but take no time; nor do calls in other threads that are under way when the program ends.
 *
 * With --syscall-calls=yes, a system call is a call of a function in the object SYSTIME_OBJECT,
 * named after it, which has its self costs. sysBytes adds up the results of system calls that move
 * bytes. --fn-skip with that name charges the caller.
 *
 * The functions do nothing unless system calls are collected.
 */
#ifndef TOOL_CALLS_SYSTIME_H
#define TOOL_CALLS_SYSTIME_H

#include <stdint.h>

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

struct hot;
struct thread;

#define SYSTIME_OBJECT "[kernel]"

/* What is collected, and the unit of sysTime. SYSTIME_NSEC collects CPU time as well. */
enum systime_unit {
	SYSTIME_NONE,
	SYSTIME_MSEC,
	SYSTIME_USEC,
	SYSTIME_NSEC,
};

struct systime {
	VgHashTable *places; /* struct systime_place by instruction and context */
	int64_t owed;        /* ns, the sum for all places */
};

void systime_init(struct systime *systime);

/* The long name of sysTime. */
const HChar *systime_long_name(void);

/* The thread that ran last is about to make a system call: counts it. */
void systime_count(ThreadId tid, UInt number);

/* The call begins now, which starts its time; and it is over. */
void systime_start(ThreadId tid);
void systime_end(ThreadId tid, UInt number, SysRes result);

/* A handler is about to run in a thread, whose state has not been saved yet. */
void systime_interrupt(ThreadId tid);

/* The handler has returned; the thread's state and registers are as they were. */
void systime_resume(ThreadId tid);

/*
 * Charges the time that the thread's call has taken so far; the call goes on. CPU time is charged
 * at the end: only the thread itself can ask for it.
 */
void systime_split(struct thread *thread, struct hot *hot);

/* Costs begin anew: nothing is owed any more. */
void systime_zero(struct systime *systime);

#endif
