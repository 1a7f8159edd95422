/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What calls cost: differences of running totals between their starts and their ends, those of late events
 * (tool/calls/latecost.h) found in another way.
 */
#ifndef TOOL_CALLS_CALLCOST_H
#define TOOL_CALLS_CALLCOST_H

#include "pub_tool_basics.h"

#include "tool/calls/arc.h"
#include "tool/calls/latecost.h"
#include "tool/calls/state.h"
#include "tool/calls/thread.h"

/* What a run keeps of calls. */
struct keeping {
	UInt n_counted;
	enum late_kind late;
	struct calltree *tree; /* or NULL */
	Bool adds;             /* new nodes to it */
};

/* As all of a run's options have it. */
static inline struct keeping keeping_all(const struct threads *threads)
{
	return (struct keeping){ threads->n_counted, tool_counts.events.late_kind, threads->tree,
				 True };
}

/* These leave late events out. */
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

/* Adds to costs what has been spent since the activation was made. */
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

/* The costs of the node in a tree that a call is, if there is one and it pays; else NULL. */
static inline ULong *activation_tree_costs(const struct activation *activation,
					   const struct calltree *tree)
{
	if (tree == NULL || (activation->place & CALLTREE_NESTED) != 0)
		return NULL;
	return (ULong *)calltree_at(tree, activation->place)->costs;
}

/* Adds that to the costs of the call, and to its node of a tree, if there is one. */
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

/* After a call within another one of the same function has been charged to its arc. */
static inline __attribute__((always_inline)) void arc_check(struct arc *arc, UInt n_counted)
{
	const UInt n = tool_counts.events.n_kept;
	UInt i = 0;
	/* The last one alone, as n may be odd. */
	ULong all = arc->costs[n - 1];

	/* In pairs, as they were added: 5 ns of all events, 8 one by one; but not those that were added one by one. */
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

/* Ends the call of an activation that is, or was, on the stack; a bottom is none. */
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

/* A call that goes on, and is known, pays for what it has cost, late events among it, and begins anew. */
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

#endif
