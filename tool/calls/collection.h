/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collection: is what a thread does part of the profile? Caches and predictors are simulated all
 * the time.
 *
 * While collection is off, everything goes on as usual, in contexts that are dropped
 * (tool/counts/context.h), so nothing needs to be tested on the way. When collection is switched,
 * active calls move to the twins of their contexts: they are charged for what they cost until then,
 * and begin anew.
 *
 * Signal handlers and threads begin as the program did (--collect-atstart).
 */
#ifndef TOOL_CALLS_COLLECTION_H
#define TOOL_CALLS_COLLECTION_H

#include "pub_tool_basics.h"

struct activation;
struct arc;
struct hot;
struct thread;

/* The last order to all threads at once (costgrind control --collect). */
enum collection_order {
	COLLECTION_AUTO, /* none: options, functions and requests decide, thread by thread */
	COLLECTION_ON,   /* everything is collected, whatever they say */
	COLLECTION_OFF,  /* nothing is */
};

/* True if what the thread of these hot words does is collected. */
Bool collection_is_on(const struct hot *hot);

/* These change what is collected in the running thread. */
void collection_toggle(void);
void collection_warm(Int more);  /* 1: a region that is only simulated begins; -1: it ends */
void collection_enter(Int more); /* the same for a region that is collected */

/*
 * Applies to all threads and handlers, including future ones, until another order. What options,
 * functions and requests say is still noted, for COLLECTION_AUTO. Call it between superblocks only.
 */
void collection_order(enum collection_order order);

/*
 * Prints "on", "off" or "off in threads 2 3", for the threads that exist; if none is known, for one
 * that begins.
 */
void collection_print(void);
/* True if collection is on in all these threads. */
Bool collection_is_on_everywhere(void);

/* Why a run has collected nothing: names the option or command. Returns text. */
const HChar *collection_why_nothing(HChar *text, UInt size);

/* The arc that a profile shows for these calls, with what was collected of them; or NULL. */
const struct arc *collection_written_arc(const struct arc *arc);

/*
 * All costs of a thread (0: of all) have been set to zero: each active call that is collected
 * counts as made once.
 */
void collection_zeroed(UInt thread);

/* The running thread resumes a stack that it left while calls were (dropped: not) collected. */
void collection_resume(struct thread *thread, Bool dropped);

/* A bottom begins: it has cost nothing yet. */
void collection_start_bottom(struct activation *bottom);

/*
 * A bottom turns out to have been called, by an arc that is dropped: the twin of the arc pays for
 * what the bottom cost while it was collected.
 */
void collection_charge_bottom(struct activation *bottom, const struct arc *arc);

#endif
