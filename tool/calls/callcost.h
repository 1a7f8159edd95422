/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What calls cost: differences of running totals between their starts and ends, added to their arcs
 * and to the call tree. Late events are kept in another way.
 */
#ifndef TOOL_CALLS_CALLCOST_H
#define TOOL_CALLS_CALLCOST_H

#include "pub_tool_basics.h"

#include "tool/calls/arc.h"
#include "tool/calls/calltree.h"
#include "tool/calls/state.h"
#include "tool/calls/thread.h"
#include "tool/common/event.h"
#include "tool/counts/context.h"

/* --- late events ------------------------------------------------------------------------------- */

/*
 * Late events: inclusive costs that calls hardly pay for. Most calls need neither keep nor compare
 * the running totals of two kinds of events:
 *
 *	rare	events of the system, and allocations: C adds them now and then.  Totals only differ where C has added
 *		something since the call began.
 *	work	operations and bytes, of nearly every block.  Generated code adds up two of them in one word, 32
 *		bits each (enum packed_word), and a call keeps a copy of the words.
 *
 * So a thread's time is cut into *intervals*. Within one, rare events do not change, and no half of
 * a packed word overflows: a call that began in it has cost the difference of packed words. When an
 * interval ends, calls that began in it are given the totals that they began with (they are
 * *known*), and packed words are added to the totals and set to zero. A call becomes known at most
 * once, so this costs little, however deep the stack is. The known calls are always the ones at the
 * lower end of the stack, up to thread->known.
 *
 *	frames		bottom  main   f     g     h		known: all up to f
 *	starts		full    full   full  raw   raw		(full: totals; raw: packed words)
 *
 * An interval ends when C adds to a late event; when generated code has added to the totals of work
 * directly, which it signals by late_limit; when a certain number of instructions has run
 * (late_limit); and whenever anything but a call asks for the totals, as between two stretches of
 * generated code.
 *
 * No half overflows because an instruction adds at most LATE_MOST_WORK of each event to packed
 * words, and intervals have at most LATE_SAFE instructions. But only a call can end an interval, or
 * the core, which looks after 100,000 jumps backwards; so code that only jumps forwards may run for
 * longer. Then the counters of all code say what the totals must be.
 */

/* An activation's starts: n_counted totals, the packed words that it began with, n_late totals. */
static inline const ULong *late_raw(const struct activation *activation, UInt n_counted)
{
	return activation->starts + n_counted;
}

static inline const ULong *late_full(const struct activation *activation, UInt n_counted)
{
	return activation->starts + n_counted + N_PACKED_WORDS;
}

/* Start number i of the n_kept; for a late event, the activation must be known. */
ULong *late_start_of(struct activation *activation, UInt i);

/* The packed word of bytes read and written in this interval. */
static inline ULong late_bytes(const struct hot *hot, UInt n_counted)
{
	return n_counted <= N_COUNTED_IR_REP || tool_counts.events.lacks_common
		       ? hot->totals[EVENT_DR]
		       : hot->packed[PACKED_BYTES];
}

/* Ends the interval of a thread, whose hot words these are, wherever they are. */
void late_end_interval(struct thread *thread, struct hot *hot);

static inline void late_settle(struct thread *thread, struct hot *hot)
{
	if (tool_counts.events.late_kind != LATE_NONE)
		late_end_interval(thread, hot);
}

/* Ends the interval if it has to end, before calls begin or end; kind is the run's. */
static inline __attribute__((always_inline)) void late_look(struct thread *thread, struct hot *hot,
							    enum late_kind kind)
{
	if (kind == LATE_WORK && __builtin_expect(hot->totals[EVENT_IR] >= hot->late_limit, 0))
		late_end_interval(thread, hot);
}

/* Adds packed words to the totals and sets them to zero: no call needs them any more. */
void late_flush(struct thread *thread, struct hot *hot);

/* The totals have been replaced, and packed words are zero: begins an interval. */
void late_restart(struct thread *thread, struct hot *hot);

/* Adds the packed words to a copy of a thread's totals. */
void late_add_packed(const struct hot *hot, ULong totals[N_EVENTS]);

/* Adds to the running total of a late event on behalf of C, not of the program's code. */
void late_add(struct thread *thread, struct hot *hot, enum event event, ULong amount);

/* A call begins; its activation is on top. */
static inline void late_start(struct activation *activation, const struct hot *hot, UInt n_counted,
			      enum late_kind kind)
{
	ULong *raw = activation->starts + n_counted;

	if (kind != LATE_WORK)
		return;
	raw[PACKED_BYTES] = late_bytes(hot, n_counted);
	*(count_pair *)&raw[PACKED_FLOPS] = *(const count_pair *)&hot->packed[PACKED_FLOPS];
}

/* Adds what a known activation has cost to late costs, and to others unless NULL. */
void late_charge_known(struct thread *thread, const struct hot *hot,
		       const struct activation *activation, ULong *costs, ULong *others);

/* A call that is over is not known any more; no call above it is active. */
static inline void late_forget(struct thread *thread, const struct activation *activation,
			       enum late_kind kind)
{
	if (kind == LATE_NONE)
		return;
	while (thread->known >= &activation->frame)
		thread->known = callstack_below(&thread->stack, thread->known);
}

/* Adds the operations since the packed words were raw. */
void late_charge_flops(const struct hot *hot, const ULong *raw, ULong *costs);

/*
 * A call on top of the stack, or above it, is over: adds its late costs to costs, and to others
 * unless NULL. late_look() has been called since code ran.
 */
static inline __attribute__((always_inline)) void
late_charge(struct thread *thread, const struct hot *hot, const struct activation *activation,
	    UInt n_counted, enum late_kind kind, ULong *costs, ULong *others)
{
	const ULong *raw = late_raw(activation, n_counted);
	ULong bytes;

	if (kind == LATE_NONE)
		return;
	if (__builtin_expect(&activation->frame <= thread->known, 0)) {
		late_charge_known(thread, hot, activation, costs, others);
		return;
	}
	if (kind != LATE_WORK)
		return;
	bytes = late_bytes(hot, n_counted) - raw[PACKED_BYTES];
	costs[LATE_BYTR] += (UInt)bytes;
	costs[LATE_BYTW] += bytes >> PACKED_BITS;
	if (hot->packed[PACKED_FLOPS] != raw[PACKED_FLOPS])
		late_charge_flops(hot, raw, costs);
	if (others == NULL)
		return;
	others[LATE_BYTR] += (UInt)bytes;
	others[LATE_BYTW] += bytes >> PACKED_BITS;
	if (hot->packed[PACKED_FLOPS] != raw[PACKED_FLOPS])
		late_charge_flops(hot, raw, others);
}

/* Adds the late events since a known activation began to costs (n_kept). */
void late_add_spent(const struct activation *activation, const ULong *totals, ULong *costs);

/* Has a known activation start with these totals. */
void late_start_known(struct activation *activation, const ULong *totals);

/* --- the call tree ----------------------------------------------------------------------------- */

/*
 * The call tree (tool/calls/calltree.h) of the program's threads, with --call-tree=yes. Each thread
 * is a root; below it are the bottoms of its stack: where it began and, apart from that, its signal
 * handlers. The key of a function is its number.
 *
 * Calls are added when they are over. Bottoms have been there since their totals were 0.
 */

/* The key of the root for everything that was not collected; threads have lower numbers. */
static inline UInt stacktree_dropped(const struct calltree *tree)
{
	return tree->limits.max_roots;
}

/* Makes a tree of at most max_nodes, for the first n_kept events. */
void stacktree_init(struct calltree *tree, UInt max_nodes, UInt n_kept);

/* The key of calls into a context; 0: skipped code, which is part of its caller. */
static inline UInt stacktree_key(const struct context *context)
{
	return context->owner != NULL ? 0 : context->function->id + 1;
}

/* The id of the function of a key, with or without CALLTREE_APART; not of CALLTREE_FOLDED. */
static inline UInt stacktree_function_id(UInt key)
{
	return (key & ~CALLTREE_APART) - 1;
}

/* Counts a call with this key from a place, and returns its own place. */
static inline UInt stacktree_enter(struct calltree *tree, UInt from, UInt key)
{
	return key == 0 ? from | CALLTREE_NESTED : calltree_enter(tree, from, key);
}

/* The same if there is a node already; otherwise CALLTREE_NOWHERE. */
static inline UInt stacktree_enter_again(struct calltree *tree, UInt from, UInt key)
{
	return key == 0 ? from | CALLTREE_NESTED : calltree_enter_again(tree, from, key);
}

/* A bottom, whose context is set, begins or becomes another function. */
void stacktree_start_bottom(const struct thread *thread, struct activation *bottom);

/* The context of a bottom has become its twin; that is not a call. */
void stacktree_move_bottom(const struct thread *thread, struct activation *bottom);

/* Adds these totals to a place, or subtracts them. */
void stacktree_add(UInt place, const ULong *totals);
void stacktree_subtract(UInt place, const ULong *totals);

/*
 * Adds the costs of bottoms that are still there, and subtracts them again. In between, after
 * threads_update(), the tree contains all costs.
 */
void stacktree_complete(void);
void stacktree_reopen(void);

/* Begins anew: each active call has been made once. */
void stacktree_zero(void);

/* --- calls ------------------------------------------------------------------------------------- */

/* What a run records about calls. */
struct keeping {
	UInt n_counted;
	enum late_kind late;
	struct calltree *tree; /* or NULL */
	Bool adds;             /* new nodes are added to it */
};

/* What the options of the run ask for. */
static inline struct keeping keeping_all(void)
{
	return (struct keeping){ tool_calls.threads.n_counted, tool_counts.events.late_kind,
				 tool_calls.threads.tree, True };
}

/* These two leave late events out. */
static inline __attribute__((always_inline)) void
activation_start(struct activation *activation, UInt n_counted, const ULong *totals)
{
	if (n_counted <= N_COUNTED_IR_REP) {
		activation->starts[EVENT_IR] = totals[EVENT_IR];
		if (n_counted == N_COUNTED_IR_REP)
			activation->starts[1] = totals[EVENT_REP];
		return;
	}
	if (n_counted <= N_COUNTED_COMMON_REP) {
		event_copy(activation->starts, totals);
		if (n_counted == N_COUNTED_COMMON_REP)
			activation->starts[EVENT_REP] = totals[EVENT_REP];
		return;
	}
	if (tool_counts.events.lacks_common)
		activation->starts[EVENT_IR] = totals[EVENT_IR];
	else
		event_copy(activation->starts, totals);
	activation->starts[EVENT_REP] = totals[EVENT_REP];
	event_copy_rare(activation->starts, totals, &tool_counts.events);
}

/* Adds the costs since the activation was made. */
static inline __attribute__((always_inline)) void
activation_add_spent(const struct activation *activation, UInt n_counted, const ULong *totals,
		     ULong *costs)
{
	if (n_counted <= N_COUNTED_IR_REP) {
		costs[EVENT_IR] += totals[EVENT_IR] - activation->starts[EVENT_IR];
		if (n_counted == N_COUNTED_IR_REP)
			costs[1] += totals[EVENT_REP] - activation->starts[1];
		return;
	}
	if (n_counted <= N_COUNTED_COMMON_REP) {
		event_add_difference(costs, totals, activation->starts);
		if (n_counted == N_COUNTED_COMMON_REP)
			costs[EVENT_REP] += totals[EVENT_REP] - activation->starts[EVENT_REP];
		return;
	}
	if (tool_counts.events.lacks_common)
		costs[EVENT_IR] += totals[EVENT_IR] - activation->starts[EVENT_IR];
	else
		event_add_difference(costs, totals, activation->starts);
	costs[EVENT_REP] += totals[EVENT_REP] - activation->starts[EVENT_REP];
	event_add_rare_difference(costs, NULL, totals, activation->starts, &tool_counts.events);
}

/* The costs of the call's node; NULL if there is no tree, or it does not pay for the node. */
static inline ULong *activation_tree_costs(const struct activation *activation,
					   const struct calltree *tree)
{
	if (tree == NULL || (activation->place & CALLTREE_NESTED) != 0)
		return NULL;
	return (ULong *)calltree_at(tree, activation->place)->costs;
}

/* Adds the costs since the activation was made to its arc, and to its node in a tree. */
static inline __attribute__((always_inline)) void
activation_charge(const struct activation *activation, UInt n_counted, const ULong *totals,
		  const struct calltree *tree)
{
	ULong *costs = activation->arc->costs;
	ULong *others;
	ULong spent;

	others = activation_tree_costs(activation, tree);
	if (others == NULL) {
		activation_add_spent(activation, n_counted, totals, costs);
		return;
	}
	if (n_counted <= N_COUNTED_IR_REP) {
		spent = totals[EVENT_IR] - activation->starts[EVENT_IR];
		costs[EVENT_IR] += spent;
		others[EVENT_IR] += spent;
		if (n_counted == N_COUNTED_IR)
			return;
		spent = totals[EVENT_REP] - activation->starts[1];
		costs[1] += spent;
		others[1] += spent;
		return;
	}
	if (n_counted > N_COUNTED_COMMON_REP && tool_counts.events.lacks_common) {
		spent = totals[EVENT_IR] - activation->starts[EVENT_IR];
		costs[EVENT_IR] += spent;
		others[EVENT_IR] += spent;
	} else {
		event_add_difference_twice(costs, others, totals, activation->starts);
	}
	if (n_counted == N_COMMON_EVENTS)
		return;
	spent = totals[EVENT_REP] - activation->starts[EVENT_REP];
	costs[EVENT_REP] += spent;
	others[EVENT_REP] += spent;
	if (n_counted > N_COUNTED_COMMON_REP)
		event_add_rare_difference(costs, others, totals, activation->starts,
					  &tool_counts.events);
}

/* Checks the costs of an arc after a nested call of the same function was added. */
static inline __attribute__((always_inline)) void arc_check(struct arc *arc, UInt n_counted)
{
	const UInt n = tool_counts.events.n_kept;
	UInt i = 0;
	/* The last one alone, as n may be odd. */
	ULong all = arc->costs[n - 1];

	/*
	 * In pairs, as they were added: 5 ns for all events, 8 ns one by one. Costs that were added
	 * one by one are read so too.
	 */
	if (n_counted > N_COUNTED_IR_REP) {
		count_pair pairs = { 0 };

		for (; i + 1 < n; i += 2)
			pairs |= *event_pair(arc->costs, i);
		all |= pairs[0] | pairs[1];
	}
	for (; i < n; i++)
		all |= arc->costs[i];
	if (__builtin_expect(all > ARC_MAX, 0))
		arc_saturate(&tool_calls.arcs, arc);
}

/* Ends the call of an activation that is, or was, on the stack; not a bottom. */
static inline __attribute__((always_inline)) void
thread_end_call(struct thread *thread, const struct hot *hot, const struct activation *activation,
		const struct keeping *keeping)
{
	const UInt n = keeping->n_counted;
	const UInt n_outer = --thread->active[activation->active];
	ULong *others;

	if (activation->active == ACTIVE_SKIPPED) {
		late_forget(thread, activation, keeping->late);
		return;
	}
	others = activation_tree_costs(activation, keeping->tree);
	activation_charge(activation, n, hot->totals, keeping->tree);
	late_charge(thread, hot, activation, n, keeping->late, activation->arc->costs + n,
		    others == NULL ? NULL : others + n);
	if (n_outer != 0)
		arc_check(activation->arc, n);
}

/* A call begins, made by the activation on top. */
static inline __attribute__((always_inline)) void activation_begin(struct activation *activation,
								   const struct hot *hot,
								   UInt n_counted,
								   enum late_kind late)
{
	activation_start(activation, n_counted, hot->totals);
	late_start(activation, hot, n_counted, late);
}

/* A known call that goes on is charged for all so far, late events included, and begins anew. */
static inline void activation_renew(struct activation *activation, const ULong *totals,
				    const struct calltree *tree)
{
	const UInt n_counted = tool_counts.events.n_counted;
	ULong *others = activation_tree_costs(activation, tree);

	if (activation->active != ACTIVE_SKIPPED) {
		activation_charge(activation, n_counted, totals, tree);
		late_add_spent(activation, totals, activation->arc->costs);
		if (others != NULL)
			late_add_spent(activation, totals, others);
		arc_check(activation->arc, n_counted);
	}
	activation_start(activation, n_counted, totals);
	late_start_known(activation, totals);
}

/* --- costs that C finds out about -------------------------------------------------------------- */

/*
 * Costs that C finds while calls are under way, charged to a frame of the running thread's shadow
 * call stack, wherever that is.
 */

enum { NO_FRAME = 0 }; /* a thread's bottom is never called */

/*
 * The frame of the running thread's call of a function that had this stack pointer at its entry;
 * NO_FRAME if it is not on the shadow call stack.
 */
SizeT frame_of_call(const struct thread *thread, const struct function *function, Addr sp);

/* Where a cost is charged. */
struct inner_cost {
	SizeT frame;
	struct site
		*site; /* an instruction of its function; for NO_FRAME, of what runs now, or NULL */
};

/*
 * Adds to the self cost of the frame's function at that instruction, and to the totals: the call of
 * the frame and those below it cost more, calls that it has made do not. NO_FRAME: charges what
 * runs now, at that instruction, or without one at the last instruction of the block that ran last.
 * Only for rare events, while the thread runs.
 */
void frame_charge(struct thread *thread, const struct inner_cost *to, enum event event,
		  ULong amount);

#endif
