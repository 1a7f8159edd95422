/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cores that threads run on.  Each has its own machine and predictor, and what belongs to them: lines of code, places
 * of branches.  These are in the core's *own memory*, which has the same layout for every core: C and generated code know
 * them by their addresses in core 0's memory, and another core's are `offset` bytes further on.  So generated code only
 * needs a second base register, set when a thread's turn begins.  It has one (`several`) once a second thread has been
 * created, which discards all older translations.  Before that, and whenever one core is simulated, the two bases are the
 * same.
 *
 * Threads are assigned to cores round robin, in order of creation; Valgrind's thread numbers, which it reuses, do not
 * matter.  A core starts with empty caches when it gets its first thread.
 */
#ifndef TOOL_SIMULATE_THREADCORES_H
#define TOOL_SIMULATE_THREADCORES_H

#include "pub_tool_basics.h"

#include "sim/basics.h"
#include "sim/coherence.h"
#include "tool/common/hot_memory.h"

struct branch_place;
struct code_line;
struct reference;
struct machine;
struct predictor;

struct cores;

struct thread_core {
	UWord offset; /* of its own memory from core 0's; 0 of core 0 */
	struct machine *machine;
	struct predictor *predictor; /* NULL: Cachegrind's, or none */
	Bool has_started;            /* a thread was assigned to it */
};

struct thread_cores {
	UInt n;                   /* how many are simulated at most; 1: all threads share one */
	Bool several;             /* generated code is for more than one */
	UInt n_created;           /* threads, but for the first one */
	UChar *of_thread;         /* the number of its core, by ThreadId; NULL if n is 1 */
	struct hot_memory memory; /* core 0's own, if n is not 1 */
	Addr own;                 /* where that begins */
	UWord offset;             /* of the running core */
	struct cores *together;   /* the cores' machines (sim/cores.h), if several; else NULL */
	struct thread_core of[CORES_MAX];
};

/* Has up to n cores, 1 to CORES_MAX; only one if their memory finds no address space. */
void threadcores_init(struct thread_cores *cores, UInt n);

/* Where core 0's own memory comes from: everything that each core has a copy of. */
struct hot_memory *threadcores_memory(struct thread_cores *cores);

/* Core 0's machine, tool_simulate.machine, has been made, and its predictor, or NULL. */
void threadcores_first(struct thread_cores *cores, struct predictor *predictor);

/*
 * A thread is about to be created.  Returns True if all translations must be discarded before generated code runs again:
 * the first time, if there are several cores.
 */
Bool threadcores_create(struct thread_cores *cores, ThreadId thread);

/* The process is a fork's child, with this thread only: its core goes on, the others are as new. */
void threadcores_fork(struct thread_cores *cores, ThreadId thread);

/*
 * The kernel has written to memory for a thread, which may not be the last one that ran if the system call has blocked:
 * cores but its own lose their copies.
 */
void threadcores_kernel_writes(struct thread_cores *cores, ThreadId thread, Addr address,
			       SizeT size);

/* Hides lines from the generated code of all cores: machine_hide(). */
void threadcores_hide(struct thread_cores *cores, struct address_range range);

/* With several cores: makes the caches, TLBs and predictors of all of them empty. */
void threadcores_clear(struct thread_cores *cores);

/* The thread runs from now on: tool_simulate.running and tool_simulate.branching.running are its core's. */
void threadcores_run(struct thread_cores *cores, ThreadId thread);

/* Make the copies of other cores that have started, if they do not exist. */
void threadcores_add_line(struct thread_cores *cores, struct code_line *line);
void threadcores_add_place(struct thread_cores *cores, struct branch_place *place);

/* The base of the running core's own memory, as base is of core 0's. */
static inline Addr threadcores_base(const struct thread_cores *cores, Addr base)
{
	return base + cores->offset;
}

/* The running core's copies of a fetch's lines of code; room has REFERENCE_MAX_LINES elements, and may be used. */
struct code_line *const *threadcores_lines(const struct thread_cores *cores,
					   struct reference *reference, struct code_line **room);

/* True if generated code is for several cores, and each has a copy of what is at this address in core 0's memory. */
Bool threadcores_is_own(const struct thread_cores *cores, const void *memory);

/* The running core's copy, by its address in core 0's memory. */
static inline void *threadcores_here(const struct thread_cores *cores, const void *own)
{
	return (void *)((Addr)own + cores->offset);
}

#endif
