/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts about the tool's own process that every room may need: which tool it replaces, how it
 * came to be, how it ends, and whether somebody is waiting for it at a terminal.
 */
#ifndef TOOL_COMMON_SELF_H
#define TOOL_COMMON_SELF_H

#include "pub_tool_basics.h"

#include "tool/common/event.h"

/*
 * How the process ends: by an exit status or by a signal.  The core tells tools neither: its argument of
 * fini() is always 0.  Exits are seen as system calls.  Signals are seen where the core asks gdb what
 * to do with each one, which it does before it acts on it; but a SIGKILL that the process sends itself
 * ends it inside the system call.
 *
 * A process ends with its last thread, so what that thread did is what counts.
 */
struct ending {
	Bool is_over;    /* the profile of the whole run is being written */
	Bool by_signal;  /* otherwise by an exit */
	Int number;      /* the signal, or the exit status as the parent sees it: 0..255 */
	Bool has_exited; /* exit_group was called */
	ThreadId exited; /* this thread has called exit, and is still there; or VG_INVALID_THREADID */
	Int status;      /* of that exit */
	Int last_signal; /* the last signal that had no handler; 0 if there was none */
};

struct self {
	struct ending ending;
	Bool forked; /* this process is a child that has not exec'ed */
	Bool executed; /* another program that ran under the tool executed this one, in its own process */
	ULong at_fork; /* instructions executed before the fork, inherited from the parent */
	Bool sealed;   /* under seccomp: its profile has been written and can no longer change */
	Bool expects_watcher; /* the note about long runs is still to be shown */
};

extern struct self tool_self;

/* --- the tool under another tool's name --------------------------------------------------- */

/*
 * With --tool=callgrind or --tool=cachegrind the tool takes that tool's place, with the defaults it has
 * in the Valgrind that this one was built with.
 */
enum dropin {
	DROPIN_NONE, /* costgrind */
	DROPIN_CALLGRIND,
	DROPIN_CACHEGRIND,
};

/* What --tool= says; valid from pre_clo_init on. */
enum dropin dropin_name(void);

/* True if Cachegrind simulates caches by default, as it did until 3.20. */
Bool dropin_is_before_3_21(void);

/* True if the header describes caches even if they are not simulated: Cachegrind before 3.21. */
Bool dropin_describes_caches(void);

/* Sets the name and the description that the core prints at the start. */
void dropin_details(void);

/* Prints what Callgrind says at the start, after the core's own lines. */
void dropin_greet(void);

/* Prints what Callgrind says at the end before its summary; totals[N_EVENTS] are the run's. */
void dropin_print_totals(const struct event_set *events, const ULong totals[N_EVENTS]);

/* --- how it ends ---------------------------------------------------------------------------- */

enum {
	ENDING_TEXT = 32, /* bytes that hold "signal 11" or "exit 1", with the NUL */
};

/* A thread calls exit or, if whole, exit_group. */
void ending_exit(ThreadId tid, UWord status, Bool whole);

/* The running thread is about to send a signal to a process or to a thread. */
void ending_send(Int receiver, Int signal);

/* The program's handler of a signal is called. */
void ending_handle(void);

/* A thread is over. */
void ending_thread_over(ThreadId tid);

/*
 * "exit 1" or "signal 11" once is_over, otherwise NULL.  Also NULL for a signal that was not seen, as
 * happens if the core was built so that the linker cannot redirect its calls (link-time optimisation).
 */
const HChar *ending_text(HChar text[ENDING_TEXT]);

/* --- long runs ------------------------------------------------------------------------------ */

/*
 * After 10 seconds the user learns, once, how to watch the program: if standard error is a terminal,
 * and neither with -q nor under other tools' names, since those tools say no such thing.  Forked
 * children leave it to their parent.
 */

/* To be called in post_clo_init, when the options are known. */
void longrun_init(void);

/* To be called whenever the program goes on; shows the note when it is time. */
void longrun_look(void);

/* --- what the program maps in it ------------------------------------------------------------- */

/*
 * Several rooms watch the program's mappings, but the core calls only one function of each kind.  All
 * functions must be set; sizes are in bytes and may be 0.
 */
struct mapping_watcher {
	void (*mapped)(Addr address, SizeT size); /* replaces whatever was there */
	void (*moved)(Addr from, Addr to, SizeT size);
	void (*unmapped)(Addr address, SizeT size); /* by munmap() or brk() */
};

/* Calls this watcher from now on; it must live forever.  To be called before the program runs. */
void mappings_watch(const struct mapping_watcher *watcher);

/* --- libraries in the tool ------------------------------------------------------------------ */

/* To be called once, before any function of Capstone (libcnames.c). */
void libcnames_init(void);

#endif
