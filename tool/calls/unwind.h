/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stack of a thread as it is in the program's memory: which functions are
 * active.  Read by unwind information alone, and only as far as each return
 * address has a call instruction before it, so that no function is there that
 * called nothing: frame pointers, which may hold anything, are not followed.
 * The frame of a signal handler is known by what handlers return to, and what it
 * interrupted follows.
 */
#ifndef TOOL_CALLS_UNWIND_H
#define TOOL_CALLS_UNWIND_H

#include "pub_tool_basics.h"

enum unwind_end {
	UNWIND_CALLS,       /* it is called by the next frame */
	UNWIND_INTERRUPTED, /* a signal handler: it interrupted the next frame */
	UNWIND_UNKNOWN,     /* nothing is known below it: the last frame */
};

struct unwind_frame {
	Addr address; /* in it: of the instruction that it runs, or of the call that it is in */
	Addr resume;  /* where it goes on: the same, or behind the call */
	Addr target;  /* of that call, if it is direct; or 0 */
	UInt size;    /* bytes of the call; of the innermost and what is interrupted 1 */
	Addr sp;      /* its stack pointer there: when what it calls has returned */
	enum unwind_end end;
};

/*
 * Reads the stack of a thread whose guest state is up to date, and which goes on at
 * an address.  The innermost frame comes first; there is always that one.  The
 * array is the caller's, to be freed by VG_(free).  Returns how many; stacks deeper
 * than a million frames, with which nothing can be done, have one.
 */
UInt unwind_stack(ThreadId tid, Addr address, struct unwind_frame **frames);

#endif
