/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a call has cost is the difference of totals between its start and its end.  So of frames above the one that
 * pays, the totals that they started from grow as well.
 */
#include "tool/calls/inner_cost.h"

#include "tool/calls/state.h"
#include "tool/counts/state.h"

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

/* What ran last, as far as it is known. */
static struct cell *cell_of_last(void)
{
	const struct hot *hot = tool_counts.hot;
	const struct block *block = blocks_by_number(&tool_counts.blocks, (UInt)hot->block);

	if (block == NULL || hot->counters == NULL)
		return NULL;
	return sites_cell(&tool_counts.sites, block_last_site(block), hot->counters->context);
}

void frame_charge(struct thread *thread, SizeT frame, enum event event, ULong amount)
{
	struct cell *cell;

	if (frame == NO_FRAME) {
		cell = cell_of_last();
	} else {
		const struct arc *arc = thread_activation(thread, frame)->arc;

		cell = sites_cell(&tool_counts.sites, arc->target, arc->ends.to);
	}
	if (cell == NULL || amount == 0)
		return;
	cell_add(&tool_counts.sites, cell, event, amount);
	tool_counts.hot->totals[event] += amount;
	if (frame == NO_FRAME)
		return;
	for (SizeT i = frame + 1; i < callstack_depth(&thread->stack); i++)
		thread_activation(thread, i)->starts[event] += amount;
}
