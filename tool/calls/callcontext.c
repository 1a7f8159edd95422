/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/callcontext.h"

#include "tool/calls/state.h"
#include "tool/counts/state.h"
#include "tool/symbols/symbol.h"

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
 * The callers of a function that is called by an activation, nearest first, as far as its handler's or
 * thread's bottom; a function that calls itself is one of them.
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

struct context *callcontext_find(const struct thread *thread, struct activation *caller,
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

struct context *callcontext_owned(const struct thread *thread, struct function *function,
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
