/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether what a thread does is collected.  Caches and predictors are simulated
 * all the time.
 *
 * While it is not, everything goes on as usual, in contexts that are dropped
 * (tool/counts/context.h): nothing need be asked on the way.  When collection is switched, the
 * calls that are active move to the twins of their contexts.  They have paid for
 * what they cost until then, and begin anew.
 *
 * A signal handler begins as the program did (--collect-atstart), and so does a
 * thread.
 */
#ifndef TOOL_CALLS_COLLECTION_H
#define TOOL_CALLS_COLLECTION_H

#include "pub_tool_basics.h"

struct activation;
struct arc;
struct hot;
struct thread;

/* What was last said to all threads at once (costgrind control --collect). */
enum collection_order {
	COLLECTION_AUTO, /* nothing: options, functions and requests decide, thread by thread */
	COLLECTION_ON,   /* all is collected, whatever these say */
	COLLECTION_OFF,  /* nothing is */
};

/* Whether what a thread does is collected; the thread of these hot words. */
Bool collection_is_on(const struct hot *hot);

/* Changes what is said about the running thread. */
void collection_toggle(void);
void collection_warm(Int more);  /* 1: begins a region that is only simulated; -1: ends it */
void collection_enter(Int more); /* the same of a region that is collected */

/*
 * Has this be so in all threads and handlers, those to come among them, until another order.
 * What options, functions and requests say goes on to be noted, for COLLECTION_AUTO.  Between
 * superblocks only.
 */
void collection_order(enum collection_order order);

/*
 * Prints "on", "off" or "off in threads 2 3", of the threads that are there; if none
 * is known, of one that begins.
 */
void collection_print(void);
/* Whether it is on in all these. */
Bool collection_is_on_everywhere(void);

/* Why a run in which nothing was collected has collected nothing: the option or command. */
const HChar *collection_why_nothing(HChar *text, UInt size);

/* The arc of the same calls as far as they are collected, which a profile shows; or NULL. */
const struct arc *collection_written_arc(const struct arc *arc);

/* All costs have been set to zero (thread: as client_zero() has it): each active call that is collected has been made once. */
void collection_zeroed(UInt thread);

/* The running thread goes on with a stack whose calls were not collected when it was left, or were. */
void collection_resume(struct thread *thread, Bool dropped);

/* Has a bottom that begins know what it has cost: nothing. */
void collection_start_bottom(struct activation *bottom);

/*
 * A bottom turns out to have been called, by this arc, which is dropped: that
 * arc's twin is charged with what the bottom cost while it was collected.
 */
void collection_charge_bottom(struct activation *bottom, const struct arc *arc);

#endif
