/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EstCyc has the weights of costgrind annotate.  (KCachegrind's own estimate, which it has anyway,
 * is another one: CEst.)
 */
#include "tool/common/event.h"

const struct event_row event_table[N_EVENTS] = {
#define INFO(id, name, long_name, origin, group, cost, ...) \
 [EVENT_##id] = { name, long_name, GROUP_##group, EVENT_CYCLES_OF_##cost },
	EVENTS(INFO)
#undef INFO
};

/* The order of a profile's columns. */
static const enum event profile_order[N_EVENTS] = {
#define ID(id, ...) EVENT_##id,
	EVENTS(ID)
#undef ID
};

/* How many of the first events must be counted for this one to be. */
static UInt counted_with(enum event event)
{
	if (event == EVENT_IR || event >= N_RUNNING_EVENTS)
		return 1;
	return event < N_COMMON_EVENTS ? N_COMMON_EVENTS : event + 1;
}

void event_set_init(struct event_set *set, UInt groups)
{
	set->n = 0;
	set->n_counted = 1;
	set->recorded = (struct event_mask){ { 0 } };
	for (UInt i = 0; i < N_EVENTS; i++) {
		enum event event = profile_order[i];

		if (((groups | 1U << GROUP_ALWAYS) >> event_table[event].group & 1) == 0)
			continue;
		set->events[set->n++] = event;
		event_mask_add(&set->recorded, event);
		if (set->n_counted < counted_with(event))
			set->n_counted = counted_with(event);
	}
	for (set->first_rare = EVENT_REP + 1; set->first_rare < set->n_counted; set->first_rare++)
		if (event_is_recorded(set, (enum event)set->first_rare))
			break;
	set->lacks_common = True;
	for (UInt event = EVENT_IR + 1; event < N_COMMON_EVENTS; event++)
		set->lacks_common &= !event_is_recorded(set, (enum event)event);
	if (set->n == 2 && set->events[1] == EVENT_REP)
		set->n_counted = N_COUNTED_IR_REP;
}

void event_copy_rare(ULong *to, const ULong *from, const struct event_set *set)
{
	for (UInt event = set->first_rare; event < set->n_counted; event++)
		to[event] = from[event];
}

void event_add_rare_difference(ULong *sums, const ULong *now, const ULong *before,
			       const struct event_set *set)
{
	for (UInt event = set->first_rare; event < set->n_counted; event++)
		sums[event] += now[event] - before[event];
}
