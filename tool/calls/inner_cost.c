/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a call has cost is the difference of totals between its start and its end.  So of frames above the one that
 * pays, the totals that they started from grow as well.
 */
#include "tool/calls/inner_cost.h"

#include "tool/calls/latecost.h"
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

/* Of what runs now, as far as it is known. */
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
