/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/alloc/alloc_count.h"

#include "tool/alloc/state.h"
#include "tool/calls/callhook.h"
#include "tool/calls/inner_cost.h"
#include "tool/calls/state.h"

static SizeT frame_of(const struct hooked_call *call)
{
	return frame_of_call(tool_calls.threads.running, call->function, call->sp);
}

/* A block that is freed is freed at once: the call may leave nothing behind to ask. */
static void count_entered(const struct hooked_call *call, Bool is_outermost)
{
	struct thread *thread = tool_calls.threads.running;

	if (!is_outermost || allocator_kind(call->function) != ALLOCATOR_FREE ||
	    allocator_old_block(ALLOCATOR_FREE, call) == 0)
		return;
	frame_charge(thread, &(struct inner_cost){ frame_of(call), call->entry }, EVENT_FREE_COUNT,
		     1);
}

static void count_block(const struct hooked_call *call, SizeT frame, UWord result)
{
	struct thread *thread = tool_calls.threads.running;
	const UInt kind = allocator_kind(call->function);
	const struct inner_cost to = { frame, frame == NO_FRAME ? NULL : call->entry };
	struct allocator_request request;

	if (kind == ALLOCATOR_NONE || kind == ALLOCATOR_FREE)
		return;
	if (allocator_has_freed(kind, call, result))
		frame_charge(thread, &to, EVENT_FREE_COUNT, 1);
	if (allocator_block(kind, call, result) == 0)
		return;
	request = allocator_request(kind, call);
	frame_charge(thread, &to, EVENT_ALLOC_COUNT, 1);
	frame_charge(thread, &to, EVENT_ALLOC_SIZE, request.n * request.size);
}

static void count_returning(const struct hooked_call *call, Bool is_outermost, UWord result)
{
	if (is_outermost)
		count_block(call, frame_of(call), result);
}

/* Of a call whose stack had been left, and which has returned after all, the frame is gone. */
static void count_returned(const struct hooked_call *call, Bool is_outermost, UWord result)
{
	if (is_outermost && !call->was_returning)
		count_block(call, NO_FRAME, result);
}

void alloc_count_start(void)
{
	static const struct call_hook hook = { count_entered, count_returned, count_returning };

	allocators_hook(&hook);
}
