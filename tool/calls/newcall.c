/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/newcall.h"

#include "tool/calls/arc.h"
#include "tool/calls/fnhook.h"
#include "tool/calls/stacktree.h"
#include "tool/calls/state.h"
#include "tool/counts/context.h"
#include "tool/counts/counters.h"
#include "tool/counts/state.h"

static UInt thread_of_context(const struct thread *thread)
{
	return tool_calls.options.separate_threads ? thread->number : 0;
}

/*
 * The callers that one context has, as those of a function called from it:
 * returns whether they are all that the function is to be told apart by.
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
	/* Fewer than it could have: there are no more. */
	return *n == n_wanted || from->n_callers < from->function->settings.callers;
}

/*
 * The callers of the function that the frame on top is made for, nearest
 * first, as far as its handler's or thread's bottom; a function that calls
 * itself is one of them.
 */
static UInt find_callers(const struct thread *thread, const struct function *function,
			 const struct function **callers)
{
	struct activation *activation = thread_top(thread);
	const struct function *last = function;
	const struct context *from;
	UInt n = 0;

	if (activation->frame.kind == FRAME_BOTTOM)
		return 0;
	from = thread_below(thread, activation)->context;
	if (inherit_callers(from->owner != NULL ? from->owner : from, function, callers, &n))
		return n;
	n = 0;
	while (n < function->settings.callers && activation->frame.kind != FRAME_BOTTOM) {
		const struct context *context;

		activation = thread_below(thread, activation);
		context = activation->context;
		if (context->owner != NULL || context->function == last)
			continue;
		last = context->function;
		callers[n++] = last;
	}
	return n;
}

struct context *newcall_context(const struct thread *thread, struct function *function, UInt level)
{
	const struct function *callers[FN_MAX_CALLERS];
	const struct context_spec spec = {
		.function = function,
		.thread = thread_of_context(thread),
		.level = level,
		.dropped = !collection_is_on(tool_counts.hot),
		.n_callers = find_callers(thread, function, callers),
		.callers = callers,
	};

	return contexts_find(&tool_counts.contexts, &spec);
}

/* The context of code that is skipped, called at site in owner. */
static struct context *find_owned(const struct thread *thread, struct function *function,
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

/* The level of recursion of one more call. */
UInt newcall_level(UInt n_active, const struct function *function)
{
	return n_active < function->settings.recs ? n_active : function->settings.recs;
}

void newcall_prepare(struct new_call *call, struct context *from, struct site *site,
		     struct function *entered)
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
}

static struct arc *find_arc(const struct thread *thread, const struct new_call *call, UInt level)
{
	struct arc_key ends = { .from = call->from, .site = call->site, .entered = call->entered };

	if (call->entered->settings.skip)
		ends.to = find_owned(thread, call->entered, call->from, call->site);
	else
		ends.to = newcall_context(thread, call->charged, level);
	return arcs_find(&tool_calls.arcs, &ends, call->target);
}

void newcall_make(struct thread *thread, const struct new_call *call)
{
	struct activation *top = thread_top(thread);
	UInt index = threads_active_index(&tool_calls.threads, call->charged);
	UInt level = newcall_level(thread->active[index] + call->counts, call->charged);
	struct arc *arc = find_arc(thread, call, level);

	top->context = arc->ends.to;
	top->counters = counter_set_find(&tool_counts.counter_sets, arc->ends.to, call->unit);
	top->arc = arc;
	top->active = call->counts ? index : ACTIVE_NOTHING;
	thread->active[top->active]++;
	arc->count++;
	if (tool_calls.threads.tree != NULL)
		top->place = stacktree_enter(tool_calls.threads.tree,
					     thread_below(thread, top)->place,
					     stacktree_key(top->context));
	activation_start(top, tool_calls.threads.n_counted, tool_counts.hot->totals);
	if (call->entered->settings.hooks != 0 && top->frame.kind == FRAME_JUMP)
		top->frame.kind = FRAME_WATCHED;
	hooks_enter(thread, call->entered, top);
}
