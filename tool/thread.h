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
#include "tool/arc.h"
#include "tool/event.h"

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
	struct hot *suspended;   /* of a signal handler's bottom: what it interrupted */
	UInt active;             /* index in thread->active of what it counts in */
};

enum {
	ACTIVE_NOTHING = 0, /* the index of a count that nobody reads */
};

struct thread {
	UInt number;
	struct callstack stack;
	struct activation *activations; /* one a frame */
	ULong *starts;                  /* n_counted a frame: totals when it was made */
	UInt *active;                   /* calls on the stack, by thread_active_index() */
	UInt n_active;                  /* room in active */
	struct hot hot;                 /* while another thread runs */
	ULong ended[N_EVENTS];          /* costs that hot.totals no longer has */
};

struct threads {
	struct thread **by_number;
	UInt n;                 /* room in by_number */
	UInt n_counted;         /* of struct event_set */
	struct thread *running; /* whose hot words are in place, or NULL */
};

/* The thread of this number, made if there is none. */
struct thread *threads_get(struct threads *threads, UInt number);

/* A thread is about to run: puts its hot words in place and those of the one before back. */
void threads_run(struct threads *threads, struct hot *hot, UInt number);

/* A signal handler is about to run in the running thread, or has returned to the kernel. */
void threads_signal(struct threads *threads, struct hot *hot, Addr sp);
void threads_signal_return(struct threads *threads, struct hot *hot);

/* The running thread is over: its calls are, and its number may be used again. */
void threads_exit(struct threads *threads, struct hot *hot);

/* Brings calls that are still active up to date, as if they were over by now. */
void threads_update(struct threads *threads, struct hot *hot);

/* Sets all costs to zero; active calls begin anew. */
void threads_zero(struct threads *threads, struct hot *hot);

/* Adds up the costs of all threads, as the running totals have them. */
void threads_totals(const struct threads *threads, const struct hot *hot, ULong totals[N_EVENTS]);

/* Whether the block of this number is the one that some thread ran last. */
Bool threads_need_block(const struct threads *threads, const struct hot *hot, UInt number);

/* Room for one frame more. */
void thread_make_room(struct thread *thread, UInt n_counted);

/* The index of a function's count of calls on the stack; there is room for it from now on. */
UInt thread_active_index(struct thread *thread, const struct function *function);

/* The handler of a bottom is over: its costs are put by. */
void thread_end_handler(struct thread *thread, struct hot *hot, struct activation *bottom);

static inline struct activation *thread_top(const struct thread *thread)
{
	return &thread->activations[thread->stack.depth - 1];
}

/* Totals when frame number at was made. */
static inline ULong *thread_starts(const struct thread *thread, SizeT at, UInt n_counted)
{
	return thread->starts + at * n_counted;
}

static inline void thread_set_starts(const struct thread *thread, SizeT at, UInt n_counted,
				     const ULong *totals)
{
	ULong *starts = thread_starts(thread, at, n_counted);

	if (n_counted == 1)
		starts[EVENT_IR] = totals[EVENT_IR];
	else
		event_copy(starts, totals);
}

/* Adds to the costs of a call what has been spent since its frame was made. */
static inline void thread_add_spent(const struct thread *thread, SizeT at, UInt n_counted,
				    const ULong *totals, struct arc *arc)
{
	const ULong *starts = thread_starts(thread, at, n_counted);

	if (n_counted == 1)
		arc->costs[EVENT_IR] += totals[EVENT_IR] - starts[EVENT_IR];
	else
		event_add_difference(arc->costs, totals, starts);
}

/* Ends the call of the frame that is, or was, number at. */
static inline void thread_pop(struct thread *thread, struct hot *hot, SizeT at, UInt n_counted)
{
	struct activation *activation = &thread->activations[at];

	thread->active[activation->active]--;
	if (activation->arc != NULL)
		thread_add_spent(thread, at, n_counted, hot->totals, activation->arc);
	else if (activation->suspended != NULL)
		thread_end_handler(thread, hot, activation);
}

#endif
