/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the process ends: by an exit status, or by a signal.  The core tells tools neither: its
 * argument of fini() is always 0.  Exits are seen as system calls, and signals where the core asks
 * gdb what to do with each one, which it does before it acts on it; but SIGKILL that the process sends
 * itself ends it in the system call.
 *
 * A process ends with its last thread: what that one did is what counts.
 */
#ifndef TOOL_COMMON_ENDING_H
#define TOOL_COMMON_ENDING_H

#include "pub_tool_basics.h"

struct ending {
	Bool is_over;    /* the profile of the whole run is being written */
	Bool by_signal;  /* else by an exit */
	Int number;      /* signal, or exit status as the parent gets it: 0..255 */
	Bool has_exited; /* exit_group was called */
	ThreadId exited; /* called exit, and is not over yet; or VG_INVALID_THREADID */
	Int status;      /* of the exit */
	Int last_signal; /* that came, and had no handler; 0: none has */
};

enum {
	ENDING_TEXT = 32, /* bytes of "signal 11" and the like, with the NUL */
};

/* A thread calls exit or, if whole, exit_group. */
void ending_exit(ThreadId tid, UWord status, Bool whole);

/* The running thread is about to send a signal to a process, or to a thread. */
void ending_send(Int receiver, Int signal);

/* A handler is called. */
void ending_handle(void);

/* A thread is over. */
void ending_thread_over(ThreadId tid);

/*
 * "exit 1" or "signal 11" once is_over, else NULL.  NULL, too, of a signal that was not seen, as where
 * the core was built so that the linker cannot redirect its calls (link-time optimisation).
 */
const HChar *ending_text(HChar text[ENDING_TEXT]);

#endif
