/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frame of an interpreted function differs from a real tail call's by its return address. A
 * real tail call has none; here it is the address of the interpreter's own frame, where there is no
 * code.
 */
#include "tool/calls/calls.h"

#include "pub_tool_mallocfree.h"

#include "tool/calls/arc.h"
#include "tool/calls/callcost.h"
#include "tool/calls/callhook.h"
#include "tool/calls/callstack.h"
#include "tool/calls/state.h"
#include "tool/calls/thread.h"
#include "tool/counts/context.h"
#include "tool/counts/counters.h"
#include "tool/counts/state.h"
#include "tool/symbols/symbol.h"

/* A call that was made before: from, function, unit and level lead to the rest. */
struct known_call {
	const struct context *from; /* NULL: there is none */
	const struct function *function;
	const struct unit *unit;
	UInt level;  /* of recursion */
	UInt active; /* index in thread->active of the count that it is in */
	struct arc *arc;
	struct counter_set *counters;
};

enum {
	KNOWN_CALL_BITS = 12, /* bits of the number of one */
};

static struct known_call *place_of(const struct context *from, const struct function *function)
{
	/* The upper bits of a product with the golden ratio: Knuth, TAOCP 3, 6.4. */
	const UWord golden = 0x9e3779b97f4a7c15;

	if (tool_calls.known_calls == NULL)
		tool_calls.known_calls = VG_(calloc)("costgrind.known_calls", 1 << KNOWN_CALL_BITS,
						     sizeof(struct known_call));
	return &tool_calls.known_calls[(((UWord)from << 16 ^ (UWord)function) * golden) >>
				       (64 - KNOWN_CALL_BITS)];
}

static Bool is_interpreted(const struct callstack_frame *frame)
{
	return callstack_is_jump(frame) && frame->return_address != 0;
}

Bool interpreted_runs(const struct thread *thread, UInt body)
{
	const struct callstack_frame *top = thread->stack.top;

	return top->function != CALLSTACK_NO_FUNCTION && top->body == body;
}

Bool interpreted_find(const struct thread *thread, Addr frame, SizeT *n)
{
	const struct callstack *stack = &thread->stack;
	struct callstack_frame *at = stack->top;

	for (*n = 0; is_interpreted(at); ++*n) {
		if (at->return_address == frame)
			return True;
		at = callstack_below(stack, at);
	}
	return False;
}

Addr interpreted_frame(const struct thread *thread)
{
	const struct callstack_frame *top = thread->stack.top;

	return is_interpreted(top) ? top->return_address : 0;
}

/* The code that runs goes on in the activation on top. */
static void go_on(const struct thread *thread, struct hot *hot)
{
	struct activation *top = thread_top(thread);
	struct unit *unit = hot->counters->unit;

	if (top->counters == NULL || top->counters->unit != unit)
		top->counters = counter_set_find(&tool_counts.counter_sets, top->context, unit);
	hot->counters = top->counters;
	hot->counts = top->counters->counts;
}

/* Puts a frame of the loop on top; it has the loop's stack pointer and returns with it. */
static void push(struct callstack *stack, Addr frame)
{
	const struct callstack_frame *below = stack->top;
	struct callstack_frame *top = callstack_above(stack, stack->top);

	*top = (struct callstack_frame){
		.sp = below->kind == FRAME_BOTTOM ? below->first_sp : below->sp,
		.return_address = frame,
		.function = below->function,
		.body = below->body,
		.object = below->object,
		.kind = FRAME_JUMP,
	};
	stack->top = top;
}

/* True if the callee's context follows from the caller's, and there is nothing else to do. */
static Bool may_be_known(const struct context *from, const struct function *function)
{
	return function->settings.hooks == 0 && function->settings.group == 0 &&
	       from->owner == NULL &&
	       function->settings.callers <= from->function->settings.callers + 1;
}

static void call_known(struct thread *thread, const struct known_call *known)
{
	struct activation *top = thread_top(thread);

	top->context = known->arc->ends.to;
	top->counters = known->counters;
	top->arc = known->arc;
	top->active = known->active;
	newcall_begin(thread, top);
}

void interpreted_call(struct thread *thread, struct function *function, Addr frame,
		      struct site *site)
{
	struct hot *hot = tool_counts.hot;
	struct context *from = thread_top(thread)->context;
	struct known_call *known = place_of(from, function);
	struct unit *unit = hot->counters->unit;
	struct new_call call;

	late_look(thread, hot, tool_counts.events.late_kind);
	newcall_prepare(&call, thread, from, site, function);
	thread_make_room(thread);
	push(&thread->stack, frame);
	if (known->from == from && known->function == function && known->unit == unit &&
	    known->level == call.level && known->arc->ends.site == call.site) {
		call_known(thread, known);
	} else {
		call.target = function->only_site;
		call.unit = unit;
		newcall_make(thread, &call);
		if (may_be_known(from, function))
			*known = (struct known_call){
				.from = from,
				.function = function,
				.unit = unit,
				.level = call.level,
				.active = thread_top(thread)->active,
				.arc = thread_top(thread)->arc,
				.counters = thread_top(thread)->counters,
			};
	}
	go_on(thread, hot);
	if (tool_calls.hooks.n_due != 0)
		hooks_run();
}

void interpreted_return(struct thread *thread, SizeT n)
{
	const struct keeping keeping = keeping_all();

	late_look(thread, tool_counts.hot, keeping.late);
	for (; n > 0; n--) {
		const struct activation *top = thread_top(thread);

		thread_end_call(thread, tool_counts.hot, top, &keeping);
		callstack_drop(&thread->stack);
		hooks_leave(thread, top->arc->ends.entered);
	}
	go_on(thread, tool_counts.hot);
	if (tool_calls.hooks.n_due != 0)
		hooks_run();
}
