/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/latecost.h"

#include "tool/calls/state.h"
#include "tool/counts/block.h"
#include "tool/counts/site.h"
#include "tool/counts/state.h"

ULong *late_start_of(struct activation *activation, UInt i)
{
	return &activation->starts[i < tool_counts.events.n_counted ? i : i + N_PACKED_WORDS];
}

/* Adds what packed words have to costs of late events. */
static void add_packed(const ULong *flops, ULong bytes, ULong *costs)
{
	costs[LATE_FLS] += (UInt)flops[0];
	costs[LATE_FLD] += flops[0] >> PACKED_BITS;
	costs[LATE_FL128] += (UInt)flops[1];
	costs[LATE_FL256] += flops[1] >> PACKED_BITS;
	costs[LATE_BYTR] += (UInt)bytes;
	costs[LATE_BYTW] += bytes >> PACKED_BITS;
}

static Bool packs_work(void)
{
	return tool_counts.events.late_kind == LATE_WORK;
}

void late_add_packed(const struct hot *hot, ULong totals[N_EVENTS])
{
	const struct event_set *set = &tool_counts.events;
	const ULong bytes = late_bytes(hot, set->n_counted);
	ULong work[N_LATE_WORK] = { 0 };

	if (!packs_work())
		return;
	add_packed(&hot->packed[PACKED_FLOPS], bytes, work);
	for (UInt i = 0; i < N_LATE_WORK; i++)
		totals[set->late[i]] += work[i];
	if (tool_counts.events.lacks_common) /* it stands in that place */
		totals[EVENT_DR] -= bytes;
}

/* What all code has counted is what all threads have: more than that is of the thread's last interval. */
static void recount(struct hot *hot)
{
	ULong counted[N_EVENTS], running[N_EVENTS];

	blocks_settle(&tool_counts.blocks, &tool_counts.sites);
	sites_total(&tool_counts.sites, True, counted);
	threads_totals(&tool_calls.threads, tool_counts.hot, running);
	for (UInt event = EVENT_FLS; event <= EVENT_BYTW; event++)
		hot->totals[event] += counted[event] - running[event];
}

void late_flush(struct thread *thread, struct hot *hot)
{
	if (!packs_work())
		return;
	late_add_packed(hot, hot->totals);
	hot->packed[PACKED_FLOPS] = 0;
	hot->packed[PACKED_VECTORS] = 0;
	hot->packed[PACKED_BYTES] = 0;
	if (hot->totals[EVENT_IR] - thread->late_began >= LATE_SAFE)
		recount(hot);
	late_restart(thread, hot);
}

void late_restart(struct thread *thread, struct hot *hot)
{
	const struct event_set *set = &tool_counts.events;

	for (UInt i = 0; i < set->n_late; i++)
		thread->late_totals[i] = hot->totals[set->late[i]];
	thread->late_began = hot->totals[EVENT_IR];
	hot->late_limit = hot->totals[EVENT_IR] + LATE_SHORT;
}

/* Has an activation that began in this interval know what its totals were. */
static void make_known(const struct thread *thread, struct activation *activation)
{
	const struct event_set *set = &tool_counts.events;
	const ULong *raw = late_raw(activation, set->n_counted);
	ULong *full = activation->starts + set->n_counted + N_PACKED_WORDS;

	for (UInt i = 0; i < set->n_late; i++)
		full[i] = thread->late_totals[i];
	if (!packs_work())
		return;
	add_packed(&raw[PACKED_FLOPS], raw[PACKED_BYTES], full);
}

void late_end_interval(struct thread *thread, struct hot *hot)
{
	const struct callstack *stack = &thread->stack;

	for (struct callstack_frame *at = stack->top; at > thread->known;
	     at = callstack_below(stack, at))
		make_known(thread, activation_of(at));
	thread->known = stack->top;
	late_flush(thread, hot);
}

void late_add(struct thread *thread, struct hot *hot, enum event event, ULong amount)
{
	late_end_interval(thread, hot);
	hot->totals[event] += amount;
	thread->late_totals[event_late_index(&tool_counts.events, event)] += amount;
}

void late_add_spent(const struct activation *activation, const ULong *totals, ULong *costs)
{
	const struct event_set *set = &tool_counts.events;
	const ULong *full = late_full(activation, set->n_counted);

	for (UInt i = 0; i < set->n_late; i++)
		costs[set->n_counted + i] += totals[set->late[i]] - full[i];
}

void late_start_known(struct activation *activation, const ULong *totals)
{
	const struct event_set *set = &tool_counts.events;
	ULong *full = activation->starts + set->n_counted + N_PACKED_WORDS;

	for (UInt i = 0; i < set->n_late; i++)
		full[i] = totals[set->late[i]];
}

void late_charge_known(struct thread *thread, const struct hot *hot,
		       const struct activation *activation, ULong *costs, ULong *others)
{
	const struct event_set *set = &tool_counts.events;
	const ULong *full = late_full(activation, set->n_counted);
	ULong now[N_LATE_EVENTS] = { 0 };

	for (UInt i = 0; i < set->n_late; i++)
		now[i] = hot->totals[set->late[i]];
	if (packs_work())
		add_packed(&hot->packed[PACKED_FLOPS], late_bytes(hot, set->n_counted), now);
	for (UInt i = 0; i < set->n_late; i++) {
		costs[i] += now[i] - full[i];
		if (others != NULL)
			others[i] += now[i] - full[i];
	}
	late_forget(thread, activation, set->late_kind);
}

void late_charge_flops(const struct hot *hot, const ULong *raw, ULong *costs)
{
	const ULong packed[] = {
		hot->packed[PACKED_FLOPS] - raw[PACKED_FLOPS],
		hot->packed[PACKED_VECTORS] - raw[PACKED_VECTORS],
	};

	add_packed(packed, 0, costs);
}
