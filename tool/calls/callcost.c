/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/callcost.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

#include "tool/calls/state.h"
#include "tool/calls/thread.h"
#include "tool/common/hot_memory.h"
#include "tool/common/message.h"
#include "tool/common/syscall.h"
#include "tool/counts/block.h"
#include "tool/counts/site.h"
#include "tool/counts/state.h"

/* --- late events ------------------------------------------------------------------------------- */

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
	if (tool_counts.events.lacks_common) /* Dr's place holds the bytes then */
		totals[EVENT_DR] -= bytes;
}

/* All code has counted what all threads spent: the rest is this thread's last interval. */
static void recount(struct hot *hot)
{
	ULong counted[N_EVENTS], running[N_EVENTS];

	blocks_settle(&tool_counts.blocks, &tool_counts.sites);
	sites_total(&tool_counts.sites, True, counted);
	threads_totals(running);
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

/* An activation that began in this interval becomes known: it is given its starting totals. */
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

/* --- the call tree ----------------------------------------------------------------------------- */

/*
 * A large tree is accessed all over: interp of tests/bench takes 1.15 x the time with huge pages,
 * 1.19 x without.
 */
static void *take(size_t size)
{
	void *memory = pages_take_sparingly(size);

	if (memory != NULL)
		syscall_advise_huge_pages(memory, VG_PGROUNDUP(size));
	return memory;
}

void stacktree_init(struct calltree *tree, UInt max_nodes, UInt n_kept)
{
	const struct calltree_limits limits = {
		.max_nodes = max_nodes,
		.max_roots = VG_N_THREADS,
		.n_events = n_kept,
	};
	const struct calltree_memory from = { take, pages_give_back };

	if (!calltree_init(tree, &limits, &from))
		message_fatal("--call-tree=yes: out of memory");
}

void stacktree_add(UInt place, const ULong *totals)
{
	struct calltree_node *node = calltree_node(&tool_calls.tree, place);

	for (UInt i = 0; i < tool_counts.events.n_kept; i++)
		node->costs[i] += event_kept_of(&tool_counts.events, totals, i);
}

void stacktree_subtract(UInt place, const ULong *totals)
{
	struct calltree_node *node = calltree_node(&tool_calls.tree, place);

	for (UInt i = 0; i < tool_counts.events.n_kept; i++)
		node->costs[i] -= event_kept_of(&tool_counts.events, totals, i);
}

void stacktree_start_bottom(const struct thread *thread, struct activation *bottom)
{
	struct calltree *tree = &tool_calls.tree;
	UInt root = bottom->context->dropped ? stacktree_dropped(tree) : thread->number;
	UInt key = stacktree_key(bottom->context);

	if (&bottom->frame != thread->stack.frames)
		key |= CALLTREE_APART;
	bottom->place = calltree_enter(tree, calltree_root(tree, root), key);
}

void stacktree_move_bottom(const struct thread *thread, struct activation *bottom)
{
	struct calltree_node *node;

	stacktree_start_bottom(thread, bottom);
	node = calltree_node(&tool_calls.tree, bottom->place);
	if (calltree_pays(bottom->place) && node->calls > 1)
		node->calls--;
}

/* Adds or subtracts what the bottoms of all threads have cost. */
static void charge_bottoms(void (*add)(UInt place, const ULong *totals))
{
	for (UInt number = 0; number < tool_calls.threads.n; number++) {
		const struct thread *thread = tool_calls.threads.by_number[number];
		const struct suspension *suspended;
		const ULong *totals;

		if (thread == NULL)
			continue;
		suspended = thread->suspended;
		totals = thread_hot(thread)->totals;
		for (SizeT i = callstack_depth(&thread->stack); i-- > 0;) {
			const struct activation *activation = thread_activation(thread, i);

			if (activation->arc != NULL)
				continue;
			if (calltree_pays(activation->place))
				add(activation->place, totals);
			if (i > 0) {
				totals = suspended->hot.totals;
				suspended = suspended->outer;
			}
		}
	}
}

void stacktree_complete(void)
{
	charge_bottoms(stacktree_add);
}

void stacktree_reopen(void)
{
	charge_bottoms(stacktree_subtract);
}

static void enter_again(const struct thread *thread)
{
	for (SizeT i = 0; i < callstack_depth(&thread->stack); i++) {
		struct activation *activation = thread_activation(thread, i);

		if (activation->context == NULL)
			activation->place = CALLTREE_NOWHERE;
		else if (activation->arc == NULL)
			stacktree_start_bottom(thread, activation);
		else
			activation->place = stacktree_enter(&tool_calls.tree,
							    thread_below(thread, activation)->place,
							    stacktree_key(activation->context));
	}
}

void stacktree_zero(void)
{
	calltree_reset(&tool_calls.tree);
	for (UInt i = 0; i < tool_calls.threads.n; i++)
		if (tool_calls.threads.by_number[i] != NULL)
			enter_again(tool_calls.threads.by_number[i]);
	for (UInt i = 0; i < tool_calls.threads.n_left; i++)
		enter_again(tool_calls.threads.left[i]);
}

/* --- costs that C finds out about -------------------------------------------------------------- */

/*
 * A call costs the difference of totals between its start and its end. So the starts of frames
 * above the one that pays grow by the same amount.
 */
SizeT frame_of_call(const struct thread *thread, const struct function *function, Addr sp)
{
	for (SizeT i = callstack_depth(&thread->stack); i-- > 1;) {
		const struct activation *activation = thread_activation(thread, i);

		if (activation->frame.kind == FRAME_BOTTOM || activation->frame.sp > sp)
			break;
		if (activation->frame.sp == sp && activation->arc != NULL &&
		    activation->arc->ends.entered == function)
			return i;
	}
	return NO_FRAME;
}

/* The cell of what runs now, as far as that is known; or NULL. */
static struct cell *cell_of_running(struct site *site)
{
	const struct hot *hot = tool_counts.hot;
	const struct block *block = blocks_by_number(&tool_counts.blocks, (UInt)hot->block);

	if (site == NULL && block != NULL)
		site = block_last_site(block);
	if (site == NULL || hot->counters == NULL)
		return NULL;
	return sites_cell(&tool_counts.sites, site, hot->counters->context);
}

void frame_charge(struct thread *thread, const struct inner_cost *to, enum event event,
		  ULong amount)
{
	const UInt late = event_late_index(&tool_counts.events, event);
	struct cell *cell;

	if (to->frame == NO_FRAME)
		cell = cell_of_running(to->site);
	else
		cell = sites_cell(&tool_counts.sites, to->site,
				  thread_activation(thread, to->frame)->context);
	if (cell == NULL || amount == 0)
		return;
	cell_add(&tool_counts.sites, cell, event, amount);
	late_add(thread, tool_counts.hot, event, amount);
	if (to->frame == NO_FRAME)
		return;
	for (SizeT i = to->frame + 1; i < callstack_depth(&thread->stack); i++)
		*late_start_of(thread_activation(thread, i), tool_counts.events.n_counted + late) +=
			amount;
}
