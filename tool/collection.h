/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether what a thread does is collected.  Caches and predictors are simulated
 * all the time.
 *
 * While it is not, everything goes on as usual, in contexts that are dropped
 * (tool/context.h): nothing need be asked on the way.  When collection is switched, the
 * calls that are active move to the twins of their contexts.  They have paid for
 * what they cost until then, and begin anew.
 *
 * A signal handler begins as the program did (--collect-atstart), and so does a
 * thread.
 */
#ifndef TOOL_COLLECTION_H
#define TOOL_COLLECTION_H

#include "pub_tool_basics.h"

struct activation;
struct arc;
struct hot;
struct thread;

/* What is said about it; zero is the state at the start.  In the hot words of a thread. */
struct collection {
	Bool flipped;    /* by CALLGRIND_TOGGLE_COLLECT or --toggle-collect */
	UInt n_warmings; /* regions that are only simulated, begun and not over */
	UInt n_regions;  /* regions that are collected, likewise */
};

/* Whether what a thread does is collected; the thread of these hot words. */
Bool collection_is_on(const struct hot *hot);

/* Changes what is said about the running thread. */
void collection_toggle(void);
void collection_warm(Int more);  /* 1: begins a region that is only simulated; -1: ends it */
void collection_enter(Int more); /* the same of a region that is collected */

/* All costs have been set to zero (thread: as client_zero() has it): each active call that is collected has been made once. */
void collection_zeroed(UInt thread);

/* Has a bottom that begins know what it has cost: nothing. */
void collection_start_bottom(struct activation *bottom);

/*
 * A bottom turns out to have been called, by this arc, which is dropped: that
 * arc's twin is charged with what the bottom cost while it was collected.
 */
void collection_charge_bottom(const struct activation *bottom, const struct arc *arc);

#endif
