/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/calls/newcall.h"

#include "tool/calls/arc.h"
#include "tool/calls/callcontext.h"
#include "tool/calls/callcost.h"
#include "tool/calls/fnhook.h"
#include "tool/calls/stacktree.h"
#include "tool/calls/state.h"
#include "tool/counts/counters.h"
#include "tool/counts/state.h"

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
		ends.to = callcontext_owned(thread, call->entered, call->from, call->site);
	else
		ends.to = callcontext_find(thread, thread_below(thread, thread_top(thread)),
					   call->charged, level);
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
	if (call->entered->settings.skip)
		top->active = ACTIVE_SKIPPED;
	else
		top->active = call->counts ? index : ACTIVE_NOTHING;
	thread->active[top->active]++;
	arc->count++;
	if (tool_calls.threads.tree != NULL)
		top->place = stacktree_enter(tool_calls.threads.tree,
					     thread_below(thread, top)->place,
					     stacktree_key(top->context));
	activation_begin(top, tool_counts.hot, tool_calls.threads.n_counted,
			 tool_counts.events.late_kind);
	if (call->entered->settings.hooks != 0 && top->frame.kind == FRAME_JUMP)
		top->frame.kind = FRAME_WATCHED;
	hooks_enter(thread, call->entered, top);
}
