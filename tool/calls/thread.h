/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program's threads, each with its shadow call stack and the costs that go with it. Threads are
 * numbered as in the core, by small numbers that are used again; so a struct thread may be several
 * of the program's threads, one after another.
 */
#ifndef TOOL_CALLS_THREAD_H
#define TOOL_CALLS_THREAD_H

#include "pub_tool_basics.h"

#include "tool/calls/arc.h"
#include "tool/calls/callstack.h"
#include "tool/calls/calltree.h"
#include "tool/calls/collection.h"
#include "tool/common/event.h"
#include "tool/counts/hot.h"
#include "tool/counts/state.h"

struct context;
struct function;
struct hooked_calls;
struct counter_set;

/* What a signal handler has interrupted, which may be another handler. */
struct suspension {
	struct hot hot;
	struct suspension *outer; /* or NULL */
};

/* A frame of the call stack, and what belongs to it. */
struct activation {
	struct callstack_frame frame; /* comes first: tool/calls/callstack.h finds it there */
	struct context *context;      /* NULL: nothing ran in it yet */
	struct counter_set *counters; /* that ran in it last, or NULL */
	struct arc *arc;              /* that made it, NULL of a bottom */
	UInt active;                  /* index in thread->active of the count that it is in */
	UInt place;                   /* in the call tree; CALLTREE_NOWHERE without a tree */
	ULong starts[]; /* n_counted totals when it was made; then late events (callcost.h) */
};

/* Indices of counts that are never read. */
enum {
	ACTIVE_NOTHING,
	ACTIVE_SKIPPED, /* of skipped code: the caller pays, and the arc of the call has no costs */
	N_ACTIVE_NOTHING,
};

struct thread {
	UInt number;
	struct callstack stack;       /* of activations */
	UInt *active;                 /* calls on the stack, by threads_active_index() */
	UInt *inside;                 /* calls on the stack of functions with hooks, by id */
	UInt n_inside;                /* room in it */
	struct hooked_calls *hooked;  /* tool/calls/callhook.h; NULL: there were none */
	struct suspension *suspended; /* by the handler that was entered last, or NULL */
	struct hot hot;               /* while another thread runs */
	ULong ended[N_EVENTS];        /* costs that hot.totals no longer has */
	/* Costs set to zero, less the costs of earlier threads of this number; modulo 2^64. */
	ULong forgotten[N_EVENTS];
	/*
	 * The costs among all these that were not collected: modulo 2^64, and less the totals of
	 * hot words that are not collected now (thread_collected()).
	 */
	ULong dropped[N_EVENTS];
	/* For tool/calls/callcost.h: */
	struct callstack_frame *known; /* calls up to this one know the totals that they began with */
	ULong late_began;              /* Ir when the interval began */
	ULong late_totals[N_LATE_EVENTS]; /* the totals of late events then */
	UInt n_switches;                  /* of stacks */
	Bool unseeded;                    /* its real stack is still to be read: stack_seed.c */
	Bool is_alive;                    /* from when it is made to its end */
	UInt serial;                      /* 1..: which of the program's threads it is */
	UInt turn_serial;                 /* serial at its last turn */
};

struct threads {
	struct thread **by_number;
	UInt n;              /* room in by_number */
	UInt n_counted;      /* of struct event_set */
	UInt n_active;       /* room in each thread's active, at least 1 */
	SizeT stride;        /* of activations, in bytes */
	UInt n_begun;        /* threads of the program, so far */
	UInt n_changes;      /* times that a thread began or ended, or a thread pointer was set */
	UInt n_took_turns;   /* threads of the program that have run in this process */
	ULong n_turns;       /* of running until another thread ran, in this process */
	UInt n_alive;        /* have begun, and not ended */
	struct thread *turn; /* whose turn it is, or was last */
	struct thread *running; /* whose hot words are in place, or NULL */
	struct thread **left;   /* stacks that were left, the latest last: see below */
	UInt n_left;
	struct calltree *tree; /* tool/calls/callcost.h; NULL: none is kept */
};

/* No threads; n_counted is of struct event_set, tree is borrowed for good. */
void threads_init(UInt n_counted, struct calltree *tree);

/* The thread of this number, made if there is none. */
struct thread *threads_get(UInt number);

/* The hot words of a thread, or of the thread of a number, wherever they are. */
struct hot *thread_hot(const struct thread *thread);
struct hot *threads_hot(UInt number);

/* A thread is about to run: puts its hot words in place, and saves the other thread's. */
void threads_run(UInt number);

/* The running thread is about to run code of the program: counts its turn if it is a new one. */
void threads_take_turn(void);

/* A signal handler is about to run in the running thread, or has returned to the kernel. */
void threads_signal(Addr sp);
void threads_signal_return(void);

/* The running thread has just begun: ends calls of an earlier thread of its number (fork). */
void threads_begin(void);

/* The running thread ends, and with it its calls; its number may be used again. */
void threads_exit(void);

/* Has the calls that each thread is in read off its stack when it runs next (stack_seed.c). */
void threads_want_seeds(void);

/* Ends all calls of all threads; their stacks are unknown then. */
void threads_stop(void);

/* In the child of a fork: ends all threads but the running one, and their calls. */
void threads_fork(void);

/* Charges active calls with what they have cost so far, as if they ended now. */
void threads_update(void);

/*
 * Sets all costs to zero and forgets system calls: of the threads of a number, or of all if it is
 * 0. Active calls begin anew and count as made once, or the profile would lack what they cost. Call
 * it after arcs_zero().
 */
void threads_zero(UInt number);

/* Instructions executed by threads of this number. */
ULong threads_instructions(UInt number);

/* The costs of all threads so far, by their running totals. */
void threads_totals(ULong totals[N_EVENTS]);

/* The costs of one thread so far. */
void thread_totals(const struct thread *thread, ULong totals[N_EVENTS]);

/* All that the thread has cost since it began, including what was set to zero since. */
void thread_ever(const struct thread *thread, ULong totals[N_EVENTS]);

/*
 * The costs of one or all threads that were collected: what a profile contains, except for events
 * without running totals.
 */
void thread_collected(const struct thread *thread, ULong totals[N_EVENTS]);
void threads_collected(ULong totals[N_EVENTS]);

/* Collection is being switched for what runs by these hot words of a thread. */
void thread_note_switch(struct thread *thread, const struct hot *hot, Bool on);

/* True if there is a thread of this number, and it is known what it runs. */
Bool threads_are_known(UInt number);

/* True if some thread ran the block of this number last. */
Bool threads_need_block(UInt number);

/* Makes room for another frame. */
void thread_make_room(struct thread *thread);

/*
 * Stacks that were *left*, such as a coroutine's while it waits. Each is kept as a thread that does
 * not run, with the number of the thread that last ran on it: its totals are 0, and its calls start
 * at minus what they have cost, so that they do not pay for what runs on other stacks.
 *
 * Collection, regions and totals belong to the real thread, and go on.
 */

/* The running thread has switched to an unknown stack. */
void threads_begin_stack(Addr first_sp);

/*
 * Another thread's stack, without its n_pops uppermost frames, is about to be resumed by the
 * running one: it becomes the latest of the stacks that were left. The other thread keeps the
 * uppermost frames as a stack of their own (Go's scheduler, called by a goroutine).
 */
void threads_give_stack(struct thread *from, SizeT n_pops);

/* The running thread goes on with stack number i of the stacks that were left. */
void threads_resume_stack(UInt i);

/* The index of a function's count of calls on the stack; all threads have room for it then. */
UInt threads_active_index(const struct function *function);

static inline struct activation *activation_of(struct callstack_frame *frame)
{
	return (struct activation *)frame;
}

static inline struct activation *thread_top(const struct thread *thread)
{
	return activation_of(thread->stack.top);
}

/* The activation of frame number i, from 0; and the activation below another. */
static inline struct activation *thread_activation(const struct thread *thread, SizeT i)
{
	return activation_of(callstack_frame(&thread->stack, i));
}

static inline struct activation *thread_below(const struct thread *thread,
					      struct activation *activation)
{
	return activation_of(callstack_below(&thread->stack, &activation->frame));
}

/* Ends the call of an activation that is, or was, on the stack; also of a bottom. */
void thread_end(struct thread *thread, struct hot *hot, struct activation *activation);

#endif
