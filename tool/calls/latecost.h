/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Late events: inclusive costs that calls hardly pay for.
 *
 * What a call has cost is the difference of running totals between its start and its end.  Of two kinds of
 * events most calls need neither keep nor compare these:
 *
 *	seldom	of the system, and allocations: C adds them, now and then.  Totals only differ where C has added
 *		something since the call began.
 *	work	operations and bytes, of nearly every block.  Generated code adds up two of them to a word, 32
 *		bits each (enum packed_word), of which a call keeps a copy.
 *
 * So a thread's time is cut into *intervals*.  Within one, seldom events do not change, and no half of a packed word
 * overflows: what a call that began in it has cost is the difference of packed words.  When an interval ends,
 * calls that began in it get to know the totals that they began with (they are *known*), packed words are added to the
 * totals and set to zero.  A call is known at most once, so that this costs little, however deep the stack is.  Known are
 * always those at the lower end of the stack, up to thread->known.
 *
 *	frames		bottom  main   f     g     h		known: all up to f
 *	starts		full    full   full  raw   raw		(full: totals; raw: packed words)
 *
 * An interval ends when C adds to a late event; when generated code has added to the totals of work itself, of which
 * it tells by late_limit; when more than some instructions have run (late_limit); and whenever anybody but a call
 * asks for the totals, as between two stretches of generated code.
 *
 * No half overflows because what is packed has at most LATE_MOST_WORK of each event an instruction, and intervals
 * have at most LATE_SAFE instructions.  Only a call, and the core, which looks after 100,000 jumps backwards, can end one; so code that
 * jumps forwards only may have more.  Then what the totals must be is found out by the counters of all code.
 */
#ifndef TOOL_CALLS_LATECOST_H
#define TOOL_CALLS_LATECOST_H

#include "pub_tool_basics.h"

#include "tool/calls/thread.h"

/* An activation's starts: n_counted, the packed words that it began with, n_late in full. */
static inline const ULong *late_raw(const struct activation *activation, UInt n_counted)
{
	return activation->starts + n_counted;
}

static inline const ULong *late_full(const struct activation *activation, UInt n_counted)
{
	return activation->starts + n_counted + N_PACKED_WORDS;
}

/* The start of index i of the n_kept; of a late event, of an activation that is known. */
ULong *late_start_of(struct activation *activation, UInt i);

/* Bytes that have been read and written in this interval. */
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

/* The same if it has to be, before calls begin or end; kind is the run's. */
static inline __attribute__((always_inline)) void late_look(struct thread *thread, struct hot *hot,
							    enum late_kind kind)
{
	if (kind == LATE_WORK && __builtin_expect(hot->totals[EVENT_IR] >= hot->late_limit, 0))
		late_end_interval(thread, hot);
}

/* Adds packed words to the totals, and sets them to zero: calls are over, or about to be forgotten. */
void late_flush(struct thread *thread, struct hot *hot);

/* Totals are other ones from now on, and packed words are zero. */
void late_restart(struct thread *thread, struct hot *hot);

/* Adds what stands in packed words to totals that are a copy of a thread's. */
void late_add_packed(const struct hot *hot, ULong totals[N_EVENTS]);

/* Adds to the running total of a late event, which the program's code did not. */
void late_add(struct thread *thread, struct hot *hot, enum event event, ULong amount);

/* A call begins: the activation is on top. */
static inline void late_start(struct activation *activation, const struct hot *hot, UInt n_counted,
			      enum late_kind kind)
{
	ULong *raw = activation->starts + n_counted;

	if (kind != LATE_WORK)
		return;
	raw[PACKED_BYTES] = late_bytes(hot, n_counted);
	*(count_pair *)&raw[PACKED_FLOPS] = *(const count_pair *)&hot->packed[PACKED_FLOPS];
}

/* What an activation that is known has cost is added to late costs; others may be NULL. */
void late_charge_known(struct thread *thread, const struct hot *hot,
		       const struct activation *activation, ULong *costs, ULong *others);

/* A call that is over, on top of what is left of the stack or with all above it over, is not known any more. */
static inline void late_forget(struct thread *thread, const struct activation *activation,
			       enum late_kind kind)
{
	if (kind == LATE_NONE)
		return;
	while (thread->known >= &activation->frame)
		thread->known = callstack_below(&thread->stack, thread->known);
}

/* Adds the difference of packed words of operations. */
void late_charge_flops(const struct hot *hot, const ULong *raw, ULong *costs);

/*
 * A call that is on top of the stack, or was, is over: adds what it cost to its late costs, and others if there are
 * any.  late_look() has been called since code ran.
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

/* Adds to costs, all n_kept of them, what has been spent since an activation that is known was made. */
void late_add_spent(const struct activation *activation, const ULong *totals, ULong *costs);

/* Has an activation that is known start with these totals. */
void late_start_known(struct activation *activation, const ULong *totals);

#endif
