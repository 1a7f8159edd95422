/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that are made for the first time, or are not known to have been made before: in
 * which context the callee runs, and which arc leads there.  The frame is on the shadow call
 * stack by then.
 */
#ifndef TOOL_CALLS_NEWCALL_H
#define TOOL_CALLS_NEWCALL_H

#include "pub_tool_basics.h"

#include "tool/calls/thread.h"
#include "tool/symbols/symbol.h"

struct context;
struct site;
struct unit;

/* A call that is about to be made. */
struct new_call {
	struct context *from; /* not owned */
	struct site *site;    /* in from */
	struct site *target;  /* first instruction */
	struct unit *unit;    /* that runs then */
	struct function *entered;
	struct function *charged; /* entered, or the caller if both are of one group */
	Bool counts;              /* raises the level of recursion */
};

/* The level of recursion of one more call of a function, which has so many that are active, that one included. */
UInt newcall_level(UInt n_active, const struct function *function);

/* Fills in a call of a function that site makes in a context; target and unit are left to do. */
void newcall_prepare(struct new_call *call, struct context *from, struct site *site,
		     struct function *entered);

/* Makes the call of the frame on top. */
void newcall_make(struct thread *thread, const struct new_call *call);

#endif
