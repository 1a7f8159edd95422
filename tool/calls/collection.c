/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bottom pays when it turns out to have been called (calls.c, underflow()). While it is
 * collected, its starts are the totals less what it has cost; while it is not, they are what it has
 * cost.
 */
#include "tool/calls/collection.h"

#include "pub_tool_gdbserver.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"

#include "tool/calls/callcost.h"
#include "tool/calls/state.h"
#include "tool/counts/state.h"

/* True if collection is on under an order. */
static Bool is_on(const struct collection *said, enum collection_order order)
{
	if (order != COLLECTION_AUTO)
		return order == COLLECTION_ON;
	return said->n_warmings == 0 &&
	       (tool_calls.options.collect_atstart != said->flipped || said->n_regions != 0);
}

Bool collection_is_on(const struct hot *hot)
{
	return is_on(&hot->collection, tool_calls.collection_order);
}

static struct counter_set *twin_of_counters(const struct counter_set *counters)
{
	if (counters == NULL)
		return NULL;
	return counter_set_find(&tool_counts.counter_sets,
				contexts_twin(&tool_counts.contexts, counters->context),
				counters->unit);
}

/* The arc of the same call in the contexts' twins. */
static struct arc *twin_of_arc(const struct arc *arc)
{
	struct arc_key ends = arc->ends;
	struct arc *twin;

	ends.from = contexts_twin(&tool_counts.contexts, ends.from);
	ends.to = contexts_twin(&tool_counts.contexts, ends.to);
	ends.parked = ends.from->dropped;
	twin = arcs_find(&tool_calls.arcs, &ends, arc->target);
	if (!ends.from->dropped && !arc->ends.parked)
		twin->count++;
	return twin;
}

/* Moves a call, made from place below, to the node of its context in the tree. */
static void move_in_tree(struct activation *activation, UInt below, Bool counted)
{
	struct calltree *tree = tool_calls.threads.tree;

	activation->place = stacktree_enter(tree, below, stacktree_key(activation->context));
	if (counted && calltree_pays(activation->place))
		calltree_node(tree, activation->place)->calls--;
}

static void move_call(struct thread *thread, struct activation *activation, const ULong *totals)
{
	Bool counted = activation->arc->ends.parked || !activation->context->dropped;

	activation_renew(activation, totals, tool_calls.threads.tree);
	activation->arc = twin_of_arc(activation->arc);
	activation->context = activation->arc->ends.to;
	activation->counters = twin_of_counters(activation->counters);
	if (tool_calls.threads.tree != NULL)
		move_in_tree(activation, thread_below(thread, activation)->place, counted);
}

static void move_bottom(const struct thread *thread, struct activation *bottom, const ULong *totals)
{
	struct calltree *tree = tool_calls.threads.tree;

	if (bottom->context == NULL)
		return; /* nothing ran in it yet */
	for (UInt i = 0; i < tool_counts.events.n_kept; i++) {
		ULong *start = late_start_of(bottom, i);

		*start = event_kept_of(&tool_counts.events, totals, i) - *start;
	}
	if (tree != NULL)
		stacktree_add(bottom->place, totals);
	bottom->context = contexts_twin(&tool_counts.contexts, bottom->context);
	bottom->counters = twin_of_counters(bottom->counters);
	if (tree == NULL)
		return;
	stacktree_move_bottom(thread, bottom);
	stacktree_subtract(bottom->place, totals);
}

/*
 * Moves the calls that run by these hot words: from the frame below end down to the bottom of its
 * handler or thread. Returns the number of the bottom.
 */
static SizeT move_stack(struct thread *thread, struct hot *hot, SizeT end)
{
	SizeT bottom = end - 1;

	while (thread_activation(thread, bottom)->frame.kind != FRAME_BOTTOM)
		bottom--;
	move_bottom(thread, thread_activation(thread, bottom), hot->totals);
	for (SizeT i = bottom + 1; i < end; i++)
		move_call(thread, thread_activation(thread, i), hot->totals);
	hot->counters = twin_of_counters(hot->counters);
	if (hot->counters != NULL)
		hot->counts = hot->counters->counts;
	return bottom;
}

static void note_switch(struct thread *thread, const struct hot *hot, Bool on)
{
	thread_note_switch(thread, hot, on);
	tool_calls.has_switched_on |= on;
}

/* Changes what is said about the running thread, or the handler that it is in. */
static void change(const struct collection *said)
{
	struct thread *thread = tool_calls.threads.running;
	Bool was_on = collection_is_on(tool_counts.hot);

	tool_counts.hot->collection = *said;
	if (collection_is_on(tool_counts.hot) == was_on)
		return;
	late_settle(thread, tool_counts.hot);
	note_switch(thread, tool_counts.hot, !was_on);
	move_stack(thread, tool_counts.hot, callstack_depth(&thread->stack));
}

void collection_resume(struct thread *thread, Bool dropped)
{
	if (collection_is_on(tool_counts.hot) == dropped)
		move_stack(thread, tool_counts.hot, callstack_depth(&thread->stack));
}

/* An order may come at any time, also in the middle of a system call. */
static void obey(struct thread *thread, struct hot *hot, SizeT *end, enum collection_order order)
{
	SizeT bottom = *end - 1;
	Bool on = is_on(&hot->collection, order);

	if (on != collection_is_on(hot)) {
		if (hot == threads_hot(thread->number))
			late_settle(thread, hot);
		systime_split(thread, hot);
		note_switch(thread, hot, on);
		bottom = move_stack(thread, hot, *end);
		if (hot->call.context != NULL)
			hot->call.context = contexts_twin(&tool_counts.contexts, hot->call.context);
		if (hot->call.arc != NULL)
			hot->call.arc = twin_of_arc(hot->call.arc);
	}
	while (thread_activation(thread, bottom)->frame.kind != FRAME_BOTTOM)
		bottom--;
	*end = bottom;
}

void collection_order(enum collection_order order)
{
	for (UInt i = 0; i < tool_calls.threads.n; i++) {
		struct thread *thread = tool_calls.threads.by_number[i];
		SizeT end;

		if (thread == NULL)
			continue;
		end = callstack_depth(&thread->stack);
		obey(thread, threads_hot(i), &end, order);
		for (struct suspension *at = thread->suspended; at != NULL; at = at->outer)
			obey(thread, &at->hot, &end, order);
	}
	tool_calls.collection_order = order;
}

/* True if what a known thread does is collected, wherever its hot words are. */
static Bool is_on_in(UInt number)
{
	return collection_is_on(threads_hot(number));
}

static UInt count_on(UInt *n_known)
{
	static const struct hot beginning;
	UInt n_on = 0;

	*n_known = 0;
	for (UInt i = 0; i < tool_calls.threads.n; i++)
		if (threads_are_known(i)) {
			(*n_known)++;
			n_on += is_on_in(i);
		}
	if (*n_known != 0)
		return n_on;
	*n_known = 1;
	return collection_is_on(&beginning);
}

Bool collection_is_on_everywhere(void)
{
	UInt n_known;

	return count_on(&n_known) == n_known;
}

void collection_print(void)
{
	UInt n_known, n_on = count_on(&n_known);

	VG_(gdb_printf)("%s", n_on == n_known ? "on" : "off");
	if (n_on == n_known || n_on == 0)
		return;
	VG_(gdb_printf)(" in thread%s", n_known - n_on == 1 ? "" : "s");
	for (UInt i = 0; i < tool_calls.threads.n; i++)
		if (threads_are_known(i) && !is_on_in(i))
			VG_(gdb_printf)(" %u", i);
}

const HChar *collection_why_nothing(HChar *text, UInt size)
{
	const struct calls_options *options = &tool_calls.options;
	const HChar *toggle =
		fn_rules_option_of(&tool_symbols.options->fn_rules, FN_RULE_TOGGLE_COLLECT);

	if (!tool_calls.has_instrumented)
		VG_(snprintf)(text, (Int)size, "instrumentation was off all the time (%s)",
			      options->instr_atstart == INSTR_NO ? "--instr-atstart=no"
								 : "--instr-atstart=inherit");
	else if (tool_calls.collection_order == COLLECTION_OFF)
		VG_(snprintf)(text, (Int)size,
			      "collection was off (costgrind control --collect=off)");
	else if (tool_calls.has_switched_on || collection_is_on_everywhere())
		VG_(snprintf)(text, (Int)size,
			      "nothing that is collected ran since all was set to zero");
	else if (options->collect_atstart)
		VG_(snprintf)(text, (Int)size, "collection was off (by requests of the program)");
	else if (toggle != NULL)
		VG_(snprintf)(text, (Int)size, "no such function was entered (%s)", toggle);
	else if (options->collect_region != NULL)
		VG_(snprintf)(text, (Int)size, "no such region was begun (--collect-region=%s)",
			      options->collect_region);
	else
		VG_(snprintf)(text, (Int)size,
			      "collection was off all the time (--collect-atstart=no)");
	return text;
}

void collection_toggle(void)
{
	struct collection said = tool_counts.hot->collection;

	said.flipped = !said.flipped;
	change(&said);
}

void collection_warm(Int more)
{
	struct collection said = tool_counts.hot->collection;

	said.n_warmings += (UInt)more;
	change(&said);
}

void collection_enter(Int more)
{
	struct collection said = tool_counts.hot->collection;

	said.n_regions += (UInt)more;
	change(&said);
}

const struct arc *collection_written_arc(const struct arc *arc)
{
	struct arc_key ends = arc->ends;

	if (!ends.from->dropped)
		return arc;
	ends.parked = False;
	ends.from = contexts_known_twin(&tool_counts.contexts, ends.from);
	ends.to = contexts_known_twin(&tool_counts.contexts, ends.to);
	return ends.from != NULL && ends.to != NULL ? arcs_known(&tool_calls.arcs, &ends) : NULL;
}

/* Calls that are not collected now will have to be counted once they are. */
static void unpark(struct thread *thread)
{
	for (SizeT i = 0; i < callstack_depth(&thread->stack); i++) {
		struct activation *activation = thread_activation(thread, i);
		struct arc_key ends;

		if (activation->arc == NULL || !activation->arc->ends.parked)
			continue;
		ends = activation->arc->ends;
		ends.parked = False;
		activation->arc = arcs_find(&tool_calls.arcs, &ends, activation->arc->target);
	}
}

void collection_zeroed(UInt thread)
{
	for (UInt i = 0; i < tool_calls.threads.n; i++)
		if (tool_calls.threads.by_number[i] != NULL && (thread == 0 || thread == i))
			unpark(tool_calls.threads.by_number[i]);
	for (UInt i = 0; i < tool_calls.threads.n_left; i++)
		if (thread == 0 || thread == tool_calls.threads.left[i]->number)
			unpark(tool_calls.threads.left[i]);
}

void collection_start_bottom(struct activation *bottom)
{
	const Bool collected = collection_is_on(tool_counts.hot);

	/* The bottom is known (late events), so these are totals, too. */
	for (UInt i = 0; i < tool_counts.events.n_kept; i++)
		*late_start_of(bottom, i) =
			collected ? event_kept_of(&tool_counts.events, tool_counts.hot->totals, i)
				  : 0;
}

void collection_charge_bottom(struct activation *bottom, const struct arc *arc)
{
	struct arc *twin = NULL;

	for (UInt i = 0; i < tool_counts.events.n_kept; i++) {
		const ULong cost = *late_start_of(bottom, i);

		if (cost == 0)
			continue;
		if (twin == NULL)
			twin = twin_of_arc(arc);
		twin->costs[i] += cost;
	}
}
