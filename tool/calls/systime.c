/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call that a thread is in is kept in its hot words. So it is saved with them when other
 * threads or a handler run, and comes back, or is forgotten, with them.
 *
 * Times are measured in nanoseconds, and charged in whole units when a call is over: then self
 * costs, inclusive costs and totals are all sums of the same numbers. Rounding when a profile is
 * written would break that, and truncating each time would lose most of the time; so the remainder
 * is kept for the place that made the call (tool/common/numbers.h).
 *
 * As a function (--syscall-calls), a system call is never on the shadow call stack, since none of
 * the program's code runs in it. Its costs are added directly to its own cell, to the arc that
 * leads there, and to the totals, which charges all calls around it. Options that say in which
 * context functions run apply to it. Options that say what happens when a function is entered do
 * not: libc's function that makes the call usually has the same name, and --toggle-collect=read
 * would switch collection off where the read begins.
 */
#include "tool/calls/systime.h"

#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vkiscnums.h"

#include "tool/calls/arc.h"
#include "tool/calls/callcost.h"
#include "tool/calls/state.h"
#include "tool/common/numbers.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/counts/state.h"
#include "tool/symbols/symbol.h"

/* An instruction in a context, and the time that it is owed. */
struct systime_place {
	struct systime_place *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct site *site;
	struct context *context;
	int64_t owed; /* ns */
};

static const struct {
	const HChar *long_name;
	int64_t size; /* ns */
} units[] = {
	[SYSTIME_NONE] = { NULL, 1 },
	[SYSTIME_MSEC] = { EVENT_SYS_TIME_NAME " (ms)", 1000000 },
	[SYSTIME_USEC] = { EVENT_SYS_TIME_NAME " (us)", 1000 },
	[SYSTIME_NSEC] = { EVENT_SYS_TIME_NAME " (ns)", 1 },
};

void systime_init(struct systime *systime)
{
	*systime = (struct systime){ .places = VG_(HT_construct)("costgrind.systime") };
}

const HChar *systime_long_name(void)
{
	return units[tool_calls.options.collect_systime].long_name;
}

void systime_zero(struct systime *systime)
{
	struct systime_place *place;

	VG_(HT_ResetIter)(systime->places);
	while ((place = VG_(HT_Next)(systime->places)) != NULL)
		place->owed = 0;
	systime->owed = 0;
}

static Word place_compare(const void *a, const void *b)
{
	const struct systime_place *left = a, *right = b;

	return left->site != right->site || left->context != right->context;
}

static struct systime_place *find_place(const struct system_call *call)
{
	const struct systime_place wanted = {
		.key = (Addr)call->site * 31 + (Addr)call->context,
		.site = call->site,
		.context = call->context,
	};
	struct systime_place *place =
		VG_(HT_gen_lookup)(tool_calls.systime.places, &wanted, place_compare);

	if (place != NULL)
		return place;
	place = VG_(perm_malloc)(sizeof(*place), 8);
	*place = wanted;
	VG_(HT_add_node)(tool_calls.systime.places, place);
	return place;
}

/* The units to charge for a time. */
static ULong whole_units(const struct system_call *call, ULong ns)
{
	int64_t size = units[tool_calls.options.collect_systime].size;

	return size == 1 ? ns
			 : owed_take(&find_place(call)->owed, &tool_calls.systime.owed, ns, size);
}

/*
 * True if there is anything to do. Once the program has sealed itself off, even asking for the time
 * may be forbidden.
 */
static Bool is_on(void)
{
	return (tool_calls.options.collect_systime != SYSTIME_NONE ||
		tool_calls.options.syscall_calls) &&
	       !tool_self.sealed;
}

/* --- system calls as functions ------------------------------------------------------------- */

/* The function, and its one instruction, whose address is the call's number. */
static struct site *site_of_number(UInt number)
{
	const HChar *name = syscall_name(number);
	struct source_location place = { .address = number };
	HChar unnamed[32];

	VG_(snprintf)(unnamed, sizeof(unnamed), "syscall_%u", number);
	place.function =
		symbols_outside(&tool_symbols, SYSTIME_OBJECT, name != NULL ? name : unnamed);
	place.file = place.function->file;
	return sites_find(&tool_counts.sites, number, 1, &place);
}

/* The arc of a call from what runs by the hot words; NULL if it is part of its caller. */
static struct arc *find_arc(struct thread *thread, const struct system_call *call, UInt number)
{
	struct site *target = site_of_number(number);
	struct function *function = target->scope->function;
	struct new_call prepared;

	if (function->settings.skip)
		return NULL;
	newcall_prepare(&prepared, thread, call->context, call->site, function);
	prepared.target = target;
	return newcall_arc(thread, &prepared, thread_top(thread));
}

/*
 * The node in the call tree of the call that the thread is in, without counting the call; NULL if
 * it does not pay.
 */
static struct calltree_node *find_node(struct calltree *tree, const struct thread *thread,
				       const struct arc *arc)
{
	const uint64_t n_folded = tree->n_folded;
	UInt place = stacktree_enter(tree, thread_top(thread)->place, stacktree_key(arc->ends.to));

	calltree_node(tree, place)->calls--;
	tree->n_folded = n_folded;
	return calltree_pays(place) ? calltree_node(tree, place) : NULL;
}

/* Counts a call that the thread makes. */
static void count_call(const struct thread *thread, struct arc *arc)
{
	struct calltree *tree = tool_calls.threads.tree;

	arc->count++;
	if (tree != NULL)
		stacktree_enter(tree, thread_top(thread)->place, stacktree_key(arc->ends.to));
}

/* --- costs ----------------------------------------------------------------------------------- */

static void charge(struct thread *thread, struct hot *hot, enum event event, ULong amount)
{
	const UInt at = tool_counts.events.n_counted + event_late_index(&tool_counts.events, event);
	struct calltree *tree = tool_calls.threads.tree;
	struct arc *arc = hot->call.arc;
	struct site *site = arc != NULL ? arc->target : hot->call.site;
	struct context *context = arc != NULL ? arc->ends.to : hot->call.context;
	struct calltree_node *node = NULL;

	cell_add(&tool_counts.sites, sites_cell(&tool_counts.sites, site, context), event, amount);
	late_add(thread, hot, event, amount);
	if (arc == NULL)
		return;
	arc->costs[at] += amount;
	if (tree != NULL)
		node = find_node(tree, thread, arc);
	if (node != NULL)
		node->costs[at] += amount;
}

/* CPU time is measured within elapsed time. */
static void start_clocks(struct system_call *call)
{
	if (tool_calls.options.collect_systime == SYSTIME_NONE)
		return;
	call->running = True;
	call->began = syscall_clock(LINUX_CLOCK_MONOTONIC);
	if (tool_calls.options.collect_systime == SYSTIME_NSEC)
		call->cpu_began = syscall_clock(LINUX_CLOCK_THREAD_CPUTIME_ID);
}

/* Charges the time of the call in these hot words that has not been charged yet. */
static void stop_clocks(struct thread *thread, struct hot *hot)
{
	struct system_call *call = &hot->call;

	if (!call->running)
		return;
	call->running = False;
	if (tool_calls.options.collect_systime == SYSTIME_NSEC)
		charge(thread, hot, EVENT_SYS_CPU_TIME,
		       syscall_clock(LINUX_CLOCK_THREAD_CPUTIME_ID) - call->cpu_began);
	charge(thread, hot, EVENT_SYS_TIME,
	       whole_units(call, syscall_clock(LINUX_CLOCK_MONOTONIC) - call->began));
}

void systime_count(ThreadId tid, UInt number)
{
	struct thread *thread;
	struct hot *hot;
	struct system_call *call;
	const struct block *block;

	if (!is_on())
		return;
	hot = threads_hot(tid);
	block = blocks_by_number(&tool_counts.blocks, (UInt)hot->block);
	if (block == NULL || hot->counters == NULL)
		return;
	thread = threads_get(tid);
	call = &hot->call;
	stop_clocks(thread, hot);
	if (call->site == block_last_site(block))
		return; /* it was started again: otherwise it would be over */
	*call = (struct system_call){
		.site = block_last_site(block),
		.context = hot->counters->context,
	};
	if (tool_calls.options.syscall_calls)
		call->arc = find_arc(thread, call, number);
	if (call->arc != NULL)
		count_call(thread, call->arc);
	charge(thread, hot, EVENT_SYS_COUNT, 1);
	if (number == __NR_rt_sigreturn)
		call->site = NULL;
}

void systime_start(ThreadId tid)
{
	struct hot *hot;

	if (!is_on())
		return;
	hot = threads_hot(tid);
	if (hot->call.site != NULL)
		start_clocks(&hot->call);
}

void systime_end(ThreadId tid, UInt number, SysRes result)
{
	struct thread *thread;
	struct hot *hot;

	/* After sigreturn, the thread may be in the call that was interrupted. */
	if ((tool_calls.options.collect_systime == SYSTIME_NONE &&
	     !tool_calls.options.syscall_calls) ||
	    number == __NR_rt_sigreturn)
		return;
	hot = threads_hot(tid);
	thread = threads_get(tid);
	if (is_on())
		stop_clocks(thread, hot);
	if (tool_calls.options.syscall_calls && hot->call.site != NULL && !sr_isError(result) &&
	    sr_Res(result) != 0 && syscall_moves_bytes(number))
		charge(thread, hot, EVENT_SYS_BYTES, sr_Res(result));
	hot->call.site = NULL;
}

void systime_interrupt(ThreadId tid)
{
	if (is_on())
		stop_clocks(threads_get(tid), threads_hot(tid));
}

void systime_split(struct thread *thread, struct hot *hot)
{
	ULong now;

	if (!is_on() || !hot->call.running)
		return;
	now = syscall_clock(LINUX_CLOCK_MONOTONIC);
	charge(thread, hot, EVENT_SYS_TIME, whole_units(&hot->call, now - hot->call.began));
	hot->call.began = now;
}

void systime_resume(ThreadId tid)
{
	struct system_call *call;

	if (!is_on())
		return;
	call = &threads_hot(tid)->call;
	/* The handler may have made the thread go on elsewhere. */
	if (call->site != NULL && call->site->address != VG_(get_IP)(tid))
		call->site = NULL;
}
