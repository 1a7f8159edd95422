/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program's threads, each with its shadow call stack and the costs beside
 * it.  Threads, like the core, are called by small numbers that are used
 * again; so a thread here may be several of the program's, one after another.
 */
#ifndef TOOL_THREAD_H
#define TOOL_THREAD_H

#include "pub_tool_basics.h"

#include "sim/callstack.h"
#include "tool/event.h"

struct arc;
struct context;
struct function;
struct ledger;

/* hot->unit, if it is not the number of the unit that runs: what just happened. */
enum unit_mark {
	UNIT_NONE = 0,            /* a jump, or nothing */
	UNIT_CALL = 0x7ffffffe,   /* a call instruction */
	UNIT_RETURN = 0x7fffffff, /* a return instruction */
};

/* In hot->block: the block ran to its end, and what comes next is the core's work. */
static const ULong BLOCK_DONE = 1ULL << 32;

/* Words that generated code reads and writes, of the thread that runs; near memory. */
struct hot {
	ULong totals[N_EVENTS]; /* costs of this thread, without handlers that are over */
	ULong unit;             /* number of the unit that runs, or a mark */
	ULong *counts;          /* of the ledger that runs */
	ULong frame_sp;         /* of the frame on top; of a bottom its first_sp */
	ULong block;            /* number of the block that was entered last, and BLOCK_DONE */
	ULong charge;          /* of its charges the last one with split set that was begun, or 0 */
	struct ledger *ledger; /* for C alone */
};

/* What belongs to a frame of the call stack. */
struct activation {
	struct context *context; /* NULL: nothing ran in it yet */
	struct ledger *ledger;   /* that ran in it last, or NULL */
	struct arc *arc;         /* that made it, NULL of a bottom */
	struct function *active; /* whose number of active calls it is part of, or NULL */
	struct hot *suspended;   /* of a signal handler's bottom: what it interrupted */
};

struct thread {
	UInt number;
	struct callstack stack;
	struct activation *activations; /* one a frame */
	ULong *starts;                  /* n_counted a frame: totals when it was made */
	UInt *active;                   /* by number of function: calls of it on the stack */
	UInt n_active;                  /* room in active */
	struct hot hot;                 /* while another thread runs */
	ULong ended[N_EVENTS];          /* costs that hot.totals no longer has */
};

struct threads {
	struct thread **by_number;
	UInt n;                 /* room in by_number */
	UInt n_counted;         /* events */
	struct thread *running; /* whose hot words are in place, or NULL */
};

/* The thread of this number, made if there is none. */
struct thread *threads_get(struct threads *threads, UInt number);

/* Puts the hot words of a thread in place and those of the one before back. */
void threads_run(struct threads *threads, struct hot *hot, struct thread *thread);

/* Room for one frame more. */
void thread_make_room(struct thread *thread, UInt n_counted);

/* The number of calls of a function on the stack, to be changed. */
UInt *thread_active(struct thread *thread, const struct function *function);

static inline struct activation *thread_top(const struct thread *thread)
{
	return &thread->activations[thread->stack.depth - 1];
}

#endif
