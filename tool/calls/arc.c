/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/arc.h"

#include <stddef.h>

#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/callcost.h"
#include "tool/calls/state.h"
#include "tool/common/numbers.h"
#include "tool/counts/context.h"
#include "tool/counts/counters.h"
#include "tool/counts/site.h"
#include "tool/counts/state.h"
#include "tool/symbols/symbol.h"

enum {
	LINE = 64, /* bytes of the host's caches: a call mostly touches one line of an arc with many costs */
};

_Static_assert(offsetof(struct arc, returns) == LINE,
	       "returns, count and the first costs lie together");

SizeT arc_size(const struct arcs *arcs)
{
	return sizeof(struct arc) + arcs->events->n_kept * sizeof(ULong);
}

void arcs_init(struct arcs *arcs, const struct event_set *events)
{
	arcs->table = VG_(HT_construct)("costgrind.arcs");
	arcs->events = events;
	pool_init(&arcs->with_many_costs, arc_size(arcs), "costgrind.arcs");
}

static Word arc_compare(const void *a, const void *b)
{
	const struct arc_key *left = &((const struct arc *)a)->ends;
	const struct arc_key *right = &((const struct arc *)b)->ends;

	return left->from != right->from || left->site != right->site || left->to != right->to ||
	       left->entered != right->entered || left->parked != right->parked;
}

static UWord key_of(const struct arc_key *ends)
{
	return ((Addr)ends->from * 31 + (Addr)ends->site) * 31 + (Addr)ends->to;
}

struct arc *arcs_known(struct arcs *arcs, const struct arc_key *ends)
{
	const struct arc wanted = { .key = key_of(ends), .ends = *ends };

	return VG_(HT_gen_lookup)(arcs->table, &wanted, arc_compare);
}

struct arc *arcs_find(struct arcs *arcs, const struct arc_key *ends, struct site *target)
{
	struct arc *arc = arcs_known(arcs, ends);
	SizeT size = arc_size(arcs);

	if (arc != NULL)
		return arc;
	arc = arcs->events->n_kept <= N_COUNTED_IR_REP ? VG_(perm_malloc)(size, 8)
						       : pool_take(&arcs->with_many_costs);
	VG_(memset)(arc, 0, size);
	*arc = (struct arc){ .key = key_of(ends), .ends = *ends, .target = target };
	VG_(HT_add_node)(arcs->table, arc);
	return arc;
}

static Bool costs_saturate(ULong *costs, UInt n)
{
	Bool saturated = False;

	for (UInt i = 0; i < n; i++) {
		if (costs[i] <= ARC_MAX)
			continue;
		costs[i] = ARC_MAX;
		saturated = True;
	}
	return saturated;
}

void arc_saturate(struct arcs *arcs, struct arc *arc)
{
	if (costs_saturate(arc->costs, arcs->events->n_kept))
		arcs->saturated = True;
}

void arc_sum(const struct arcs *arcs, const struct arc *arc, ULong sums[N_EVENTS])
{
	event_add_kept(arcs->events, arc->costs, sums);
	if (arcs->saturated)
		costs_saturate(sums, N_EVENTS);
}

void arcs_zero(struct arcs *arcs, UInt thread)
{
	struct arc *arc;

	if (thread == 0)
		arcs->saturated = False;
	VG_(HT_ResetIter)(arcs->table);
	while ((arc = VG_(HT_Next)(arcs->table)) != NULL) {
		if (thread != 0 && arc->ends.from->thread != thread)
			continue;
		arc->count = 0;
		VG_(memset)(arc->costs, 0, arcs->events->n_kept * sizeof(arc->costs[0]));
	}
}

static Int arc_order(const struct arc *left, const struct arc *right, Bool by_address)
{
	const struct context *from = left->ends.from;
	Int order = by_number(from->rank, right->ends.from->rank);

	if (order == 0)
		order = place_order(from->function, site_place(left->ends.site),
				    site_place(right->ends.site), by_address);
	if (order == 0)
		order = by_number(left->ends.to->rank, right->ends.to->rank);
	if (order == 0)
		order = by_number(left->ends.entered->rank, right->ends.entered->rank);
	return order != 0 ? order : by_number(left->ends.site->address, right->ends.site->address);
}

static Int address_order(const void *a, const void *b)
{
	return arc_order(*(struct arc *const *)a, *(struct arc *const *)b, True);
}

static Int line_order(const void *a, const void *b)
{
	return arc_order(*(struct arc *const *)a, *(struct arc *const *)b, False);
}

void arcs_sort(struct arc **arcs, UInt n, Bool by_address)
{
	if (n != 0)
		VG_(ssort)(arcs, n, sizeof(*arcs), by_address ? address_order : line_order);
}

struct arc **arcs_sorted(struct arcs *arcs, Bool by_address, UInt *n)
{
	UInt n_all;
	struct arc **all = (struct arc **)VG_(HT_to_array)(arcs->table, &n_all);

	*n = 0;
	for (UInt i = 0; i < n_all; i++)
		if (all[i]->count != 0 && all[i]->ends.to->owner == NULL &&
		    !all[i]->ends.from->dropped)
			all[(*n)++] = all[i];
	if (*n == 0) {
		if (all != NULL)
			VG_(free)(all);
		return NULL;
	}
	arcs_sort(all, *n, by_address);
	return all;
}

/* --- contexts ---------------------------------------------------------------------------------- */

static UInt thread_of_context(const struct thread *thread)
{
	return tool_calls.options.separate_threads ? thread->number : 0;
}

/*
 * Fills in the callers of a function called from this context, as far as the context knows them.
 * Returns True if the function needs no more.
 */
static Bool inherit_callers(const struct context *from, const struct function *function,
			    const struct function **callers, UInt *n)
{
	UInt n_wanted = function->settings.callers;

	*n = 0;
	if (from->function != function && n_wanted > 0)
		callers[(*n)++] = from->function;
	for (UInt i = 0; i < from->n_callers && *n < n_wanted; i++)
		callers[(*n)++] = from->callers[i];
	/* It has fewer than it could have: there are no more. */
	return *n == n_wanted || from->n_callers < from->function->settings.callers;
}

/*
 * The callers of a function that an activation calls, nearest first, down to the bottom of its
 * handler or thread; a function that calls itself counts as one of them.
 */
static UInt find_callers(const struct thread *thread, struct activation *caller,
			 const struct function *function, const struct function **callers)
{
	const struct function *last = function;
	const struct context *from;
	UInt n = 0;

	if (caller == NULL)
		return 0;
	from = caller->context;
	if (inherit_callers(from->owner != NULL ? from->owner : from, function, callers, &n))
		return n;
	n = 0;
	for (struct activation *at = caller; n < function->settings.callers;
	     at = thread_below(thread, at)) {
		if (at->context->owner == NULL && at->context->function != last) {
			last = at->context->function;
			callers[n++] = last;
		}
		if (at->frame.kind == FRAME_BOTTOM)
			break;
	}
	return n;
}

static struct context *context_of_callee(const struct thread *thread, struct activation *caller,
					 struct function *function, UInt level)
{
	const struct function *callers[FN_MAX_CALLERS];
	const struct context_spec spec = {
		.function = function,
		.thread = thread_of_context(thread),
		.level = level,
		.dropped = !collection_is_on(tool_counts.hot),
		.n_callers = find_callers(thread, caller, function, callers),
		.callers = callers,
	};

	return contexts_find(&tool_counts.contexts, &spec);
}

/* The context of skipped code, called at site in owner. */
static struct context *owned_context(const struct thread *thread, struct function *function,
				     struct context *owner, struct site *site)
{
	const struct context_spec spec = {
		.function = function,
		.owner = owner,
		.owner_site = site,
		.thread = thread_of_context(thread),
		.dropped = owner->dropped,
	};

	return contexts_find(&tool_counts.contexts, &spec);
}

/* --- units ------------------------------------------------------------------------------------- */

/* The unit of code without symbols that was called at an address. */
struct entry_unit {
	struct entry_unit *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;               /* address */
	struct unit *unit;
};

static Word entry_compare(const void *a, const void *b)
{
	const struct entry_unit *left = a, *right = b;

	return left->key != right->key || left->unit->function != right->unit->function;
}

static struct unit *unit_at(struct site *site)
{
	struct unit wanted_unit = { .function = site->scope->function };
	const struct entry_unit wanted = { .key = site->address, .unit = &wanted_unit };
	struct entry_unit *entry =
		VG_(HT_gen_lookup)(tool_calls.entry_units, &wanted, entry_compare);

	if (entry == NULL) {
		entry = VG_(perm_malloc)(sizeof(*entry), 8);
		entry->key = site->address;
		entry->unit = unit_new(&tool_counts.counter_sets, site->scope->function);
		VG_(HT_add_node)(tool_calls.entry_units, entry);
	}
	return entry->unit;
}

/* The counter set of the frame that will probably be on top once control has arrived; or NULL. */
static struct counter_set *counter_set_to_be(const struct thread *thread)
{
	struct activation *top = thread_top(thread);

	if (tool_counts.hot->unit == UNIT_CALL)
		return NULL;
	if (tool_counts.hot->unit == UNIT_RETURN) {
		Addr sp = VG_(get_SP)(thread->number);

		while (top->frame.sp < sp)
			top = thread_below(thread, top);
	}
	return top->counters;
}

/*
 * Code without symbols that is reached by jumps from code that was called belongs to the unit of
 * that code. Where this guess is wrong, counts are right all the same; it only costs another call
 * of calls_enter().
 */
struct unit *unit_of_code(struct site *site)
{
	struct function *function = site->scope->function;
	const struct counter_set *counters = NULL;

	if (!function->anonymous) {
		if (function->unit == NULL)
			function->unit = unit_new(&tool_counts.counter_sets, function);
		tool_calls.call_hooks.in_use |= function->settings.call_hooks != 0;
		return function->unit;
	}
	if (tool_calls.threads.running != NULL)
		counters = counter_set_to_be(tool_calls.threads.running);
	if (counters != NULL && counters->unit->function == function)
		return counters->unit;
	return unit_at(site);
}

/* --- new calls --------------------------------------------------------------------------------- */

/*
 * The level of recursion of a function when n_active of its calls, this one included, are active.
 */
static UInt level_of(UInt n_active, const struct function *function)
{
	return n_active < function->settings.recs ? n_active : function->settings.recs;
}

struct context *newcall_bottom(const struct thread *thread, struct function *function,
			       UInt n_active)
{
	return context_of_callee(thread, NULL, function, level_of(n_active, function));
}

void newcall_prepare(struct new_call *call, struct thread *thread, struct context *from,
		     struct site *site, struct function *entered)
{
	Bool is_direct_recursion;

	*call = (struct new_call){ .from = from, .site = site, .entered = entered };
	if (from->owner != NULL) {
		call->from = from->owner;
		call->site = from->owner_site;
	}
	if (call->from->function->only_site != NULL)
		call->site = call->from->function->only_site;
	call->charged = call->entered;
	if (call->entered->settings.group != 0 &&
	    call->entered->settings.group == call->from->function->settings.group)
		call->charged = call->from->function;
	is_direct_recursion = call->charged == call->from->function;
	call->counts = !call->entered->settings.skip &&
		       !(is_direct_recursion && tool_calls.options.skip_direct_rec);
	call->active = threads_active_index(call->charged);
	call->level = level_of(thread->active[call->active] + call->counts, call->charged);
}

struct arc *newcall_arc(const struct thread *thread, const struct new_call *call,
			struct activation *caller)
{
	struct arc_key ends = { .from = call->from, .site = call->site, .entered = call->entered };

	if (call->entered->settings.skip)
		ends.to = owned_context(thread, call->entered, call->from, call->site);
	else
		ends.to = context_of_callee(thread, caller, call->charged, call->level);
	return arcs_find(&tool_calls.arcs, &ends, call->target);
}

void newcall_begin(struct thread *thread, struct activation *top)
{
	thread->active[top->active]++;
	top->arc->count++;
	if (tool_calls.threads.tree != NULL)
		top->place = stacktree_enter(tool_calls.threads.tree,
					     thread_below(thread, top)->place,
					     stacktree_key(top->context));
	activation_begin(top, tool_counts.hot, tool_calls.threads.n_counted,
			 tool_counts.events.late_kind);
}

void newcall_make(struct thread *thread, const struct new_call *call)
{
	struct activation *top = thread_top(thread);
	struct arc *arc = newcall_arc(thread, call, thread_below(thread, top));

	top->context = arc->ends.to;
	top->counters = counter_set_find(&tool_counts.counter_sets, arc->ends.to, call->unit);
	top->arc = arc;
	if (call->entered->settings.skip)
		top->active = ACTIVE_SKIPPED;
	else
		top->active = call->counts ? call->active : ACTIVE_NOTHING;
	newcall_begin(thread, top);
	if (call->entered->settings.hooks != 0 && top->frame.kind == FRAME_JUMP)
		top->frame.kind = FRAME_WATCHED;
	hooks_enter(thread, call->entered, top);
}
