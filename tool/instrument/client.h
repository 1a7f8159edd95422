/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What goes on around generated code: the program's threads start and stop,
 * fault, get signals, and lose translations.  And the costs so far, whichever
 * engine counts them.
 */
#ifndef TOOL_INSTRUMENT_CLIENT_H
#define TOOL_INSTRUMENT_CLIENT_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

#include "tool/common/event.h"

/* Has the core call this file; in pre_clo_init. */
void client_register(void);

/* Follows what the kernel writes to the program's memory, if several cores may be simulated; after the options. */
void client_watch_kernel(void);

/* Brings all costs to the cells and arcs; what they sum up to does not change by it. */
void client_settle(void);

/* Does that, and adds up what is collected of all threads. */
void client_totals(ULong totals[N_EVENTS]);

/*
 * The same of a part that is written now, while the program goes on: without lines that are
 * still in the caches (lastpath_charge_resident()).
 */
void client_part_totals(ULong totals[N_EVENTS]);

/* Complains if what was counted instruction by instruction is not what ran in all. */
void client_check(void);

/* Superblocks entered so far. */
ULong client_blocks_entered(void);

/*
 * Sets all costs to zero: of the thread that has this number, where threads are told
 * apart, or of all if it is 0.  Caches and predictors stay as they are.
 */
void client_zero(UInt thread);

/* The same in the child of a fork, which only the thread that called fork is in. */
void client_fork(ThreadId tid);

#endif
