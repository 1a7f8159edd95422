/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call graph as it comes about: arrivals of control in a unit other than
 * the one that runs, what the shadow call stack (sim/callstack.h) makes of
 * them, and the costs that go with it.
 */
#ifndef TOOL_CALLS_H
#define TOOL_CALLS_H

#include "pub_tool_basics.h"

#include "tool/event.h"

struct block;
struct function;
struct site;
struct unit;

/* The unit that a block beginning at a site is to be of. */
struct unit *calls_unit(struct site *site);

/*
 * Control has arrived in the block of this number, which generated code knows
 * not to be of the unit that ran, and says so before anything of the block
 * runs.  hot->block still is the block before.
 */
VG_REGPARM(1) void calls_enter(UWord number);

/* A thread is about to run. */
void calls_run(ThreadId tid);

/* A signal handler is about to run, or has returned to the kernel. */
void calls_signal(ThreadId tid);
void calls_signal_return(ThreadId tid);

/* A thread is over: its calls are. */
void calls_exit_thread(ThreadId tid);

/* Brings calls that are still active up to date, as if they were over by now. */
void calls_update(void);

/* Sets all costs to zero; active calls begin anew. */
void calls_zero(void);

/* Adds up the costs of all threads, as the running totals have them. */
void calls_totals(ULong totals[N_EVENTS]);

/* Whether a block is the one that some thread ran last. */
Bool calls_is_last_block(const struct block *block);

#endif
