/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arcs of the call graph: an instruction in one context called a function in
 * another, so many times and at such an inclusive cost.
 */
#ifndef TOOL_CALLS_ARC_H
#define TOOL_CALLS_ARC_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "tool/common/event.h"
#include "tool/common/pool.h"

struct context;
struct function;
struct site;

/* What tells one arc from another. */
struct arc_key {
	struct context *from;     /* of the caller */
	struct site *site;        /* the calling instruction */
	struct context *to;       /* of the callee */
	struct function *entered; /* to's function, or another one of its group */
	/* Dropped, of calls that were made when they were collected: the twin has counted them. */
	Bool parked;
};

/*
 * Never freed.  A call of skipped code has one too, for to alone: it is not
 * written.
 */
struct arc {
	struct arc *next; /* the hash table's */
	UWord key;
	struct arc_key ends;
	struct site *target; /* where the callee was entered first */
	/*
	 * In that generation of the blocks (the upper 32 bits) the code behind the call was the
	 * caller's, of the unit of this number (the lower ones): a return to it, if that unit made the call,
	 * takes the callee's frame away and does nothing else.
	 */
	ULong returns;
	ULong count;   /* of calls */
	ULong costs[]; /* inclusive, of calls that are over; n_kept of struct event_set */
};

/*
 * A call within a call of the same function is in the cost of that one, too, so an arc's sum may exceed what the
 * program has cost, and 64 bits.  It saturates at ARC_MAX; so do sums of arcs.
 */
#define ARC_MAX 0x7fffffffffffffffULL

struct arcs {
	Bool saturated; /* a cost of some arc has reached ARC_MAX */
	VgHashTable *table;
	struct pool with_many_costs; /* where those with few lie anywhere */
	const struct event_set *events;
};

/* events are borrowed for good. */
void arcs_init(struct arcs *arcs, const struct event_set *events);

/* The arc with these ends, made if there is none. */
struct arc *arcs_find(struct arcs *arcs, const struct arc_key *ends, struct site *target);

/* The same if it is there, else NULL. */
struct arc *arcs_known(struct arcs *arcs, const struct arc_key *ends);

/*
 * Limits each cost of an arc to ARC_MAX.  Call it after each addition: neither the cost before nor what is added may exceed
 * ARC_MAX, so that the sum fits 64 bits.
 */
void arc_saturate(struct arcs *arcs, struct arc *arc);

/* Adds the costs of an arc to sums. */
void arc_sum(const struct arcs *arcs, const struct arc *arc, ULong sums[N_EVENTS]);

/* Bytes of an arc with its costs. */
SizeT arc_size(const struct arcs *arcs);

/* Sets all counts and costs to zero; thread: as client_zero() has it. */
void arcs_zero(struct arcs *arcs, UInt thread);

/*
 * All arcs that were called, in the order in which a profile has their
 * callers' costs (site.h).  The array is
 * the caller's, to be freed by VG_(free); NULL if *n is 0.
 */
struct arc **arcs_sorted(struct arcs *arcs, Bool by_address, UInt *n);

/* Sorts arcs in that way. */
void arcs_sort(struct arc **arcs, UInt n, Bool by_address);

#endif
