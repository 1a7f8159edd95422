/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arcs of the call graph: an instruction in one context called a function in another, how often,
 * and at which inclusive cost. And how a call that is made for the first time finds its arc.
 */
#ifndef TOOL_CALLS_ARC_H
#define TOOL_CALLS_ARC_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "tool/common/event.h"
#include "tool/common/hot_memory.h"

struct activation;
struct context;
struct function;
struct site;
struct thread;
struct unit;

/* What distinguishes one arc from another. */
struct arc_key {
	struct context *from;     /* of the caller */
	struct site *site;        /* the calling instruction */
	struct context *to;       /* of the callee */
	struct function *entered; /* to's function, or another one of its group */
	/* Dropped, but made while collected: the twin contexts' arc has counted the calls. */
	Bool parked;
};

/* Never freed. A call of skipped code has an arc only to hold its context; it is not written. */
struct arc {
	struct arc *next; /* the hash table's */
	UWord key;
	struct arc_key ends;
	struct site *target; /* where the callee was entered first */
	/*
	 * In the generation of blocks in the upper 32 bits, the code after the call was the
	 * caller's, of the unit in the lower 32: a return to it takes the callee's frame away and
	 * does nothing else, if that unit made the call.
	 */
	ULong returns;
	ULong count;   /* of calls */
	ULong costs[]; /* inclusive, of calls that are over; n_kept of struct event_set */
};

/*
 * The cost of a call includes nested calls of the same function, so the sum of an arc may exceed
 * what the program has cost, and 64 bits. It saturates at ARC_MAX, as do sums of arcs.
 */
#define ARC_MAX 0x7fffffffffffffffULL

struct arcs {
	Bool saturated; /* a cost of some arc has reached ARC_MAX */
	VgHashTable *table;
	struct pool with_many_costs; /* arcs with few costs are allocated one by one */
	const struct event_set *events;
};

/* events are borrowed for good. */
void arcs_init(struct arcs *arcs, const struct event_set *events);

/* The arc with these ends, made if there is none. target: the callee's first instruction. */
struct arc *arcs_find(struct arcs *arcs, const struct arc_key *ends, struct site *target);

/* The arc with these ends, or NULL. */
struct arc *arcs_known(struct arcs *arcs, const struct arc_key *ends);

/*
 * Limits each cost of an arc to ARC_MAX. Call it after each addition: if neither the old cost nor
 * what is added exceeds ARC_MAX, the sum fits 64 bits.
 */
void arc_saturate(struct arcs *arcs, struct arc *arc);

/* Adds the costs of an arc to sums. */
void arc_sum(const struct arcs *arcs, const struct arc *arc, ULong sums[N_EVENTS]);

/* Bytes of an arc with its costs. */
SizeT arc_size(const struct arcs *arcs);

/* Sets all counts and costs to zero: of one thread, or of all if thread is 0. */
void arcs_zero(struct arcs *arcs, UInt thread);

/*
 * All arcs that were called and are written, in the order of their callers' costs in a profile
 * (site.h). The caller frees the array by VG_(free); NULL if *n is 0.
 */
struct arc **arcs_sorted(struct arcs *arcs, Bool by_address, UInt *n);

/* Sorts arcs in the same order. */
void arcs_sort(struct arc **arcs, UInt n, Bool by_address);

/* --- calls that are made for the first time ----------------------------------------------------- */

/* A call that is about to be made, and may never have been made before. */
struct new_call {
	struct context *from; /* not owned */
	struct site *site;    /* in from */
	struct site *target;  /* first instruction */
	struct unit *unit;    /* that runs then */
	struct function *entered;
	struct function *charged; /* entered, or the caller if both are of one group */
	Bool counts;              /* raises the level of recursion */
	UInt active;              /* index in thread->active of charged */
	UInt level;               /* of recursion that it will have */
};

/* Describes a call of the thread by site in a context. The caller sets target and unit. */
void newcall_prepare(struct new_call *call, struct thread *thread, struct context *from,
		     struct site *site, struct function *entered);

/* The arc of a call made by this activation of the thread's stack. Needs target, not unit. */
struct arc *newcall_arc(const struct thread *thread, const struct new_call *call,
			struct activation *caller);

/* Makes the call whose frame has just been pushed: fills in its activation. */
void newcall_make(struct thread *thread, const struct new_call *call);

/* Counts the call that the top activation is, whose context, counters, arc and active are set, and begins its costs. */
void newcall_begin(struct thread *thread, struct activation *top);

/* The context of a function that becomes a bottom, when n_active of its calls are active. */
struct context *newcall_bottom(const struct thread *thread, struct function *function,
			       UInt n_active);

/*
 * The unit (tool/counts/counters.h) of a block that begins at a site: its function's, or for code
 * without symbols the one of the code that was called there.
 */
struct unit *unit_of_code(struct site *site);

#endif
