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

/* Bytes first, near Ir where only instructions are counted otherwise, and then the other work, all of it. */
static void find_late(struct event_set *set)
{
	set->n_late = 0;
	if (set->late_kind == LATE_WORK) {
		set->late[LATE_BYTR] = EVENT_BYTR;
		set->late[LATE_BYTW] = EVENT_BYTW;
		set->late[LATE_FLS] = EVENT_FLS;
		set->late[LATE_FLD] = EVENT_FLD;
		set->late[LATE_FLX] = EVENT_FLX;
		set->late[LATE_FL128] = EVENT_FL128;
		set->late[LATE_FL256] = EVENT_FL256;
		set->n_late = N_LATE_WORK;
	}
	for (UInt event = EVENT_SYS_COUNT; event < EVENT_BEHIND_SYSTEM; event++)
		if (event_is_recorded(set, (enum event)event))
			set->late[set->n_late++] = (enum event)event;
	if (set->n_late != 0 && set->late_kind == LATE_NONE)
		set->late_kind = LATE_SELDOM;
}

static void find_rare(struct event_set *set)
{
	set->n_rare = 0;
	for (UInt event = EVENT_REP + 1; event < set->n_counted; event++)
		if (event_is_recorded(set, (enum event)event) &&
		    !event_is_late(set, (enum event)event))
			set->rare[set->n_rare++] = (enum event)event;
}

void event_set_init(struct event_set *set, UInt groups, Bool packs_work)
{
	const Bool has_work = (groups & (1U << GROUP_FLOPS | 1U << GROUP_BYTES)) != 0;

	set->n = 0;
	set->n_counted = 1;
	set->late_kind = has_work && packs_work ? LATE_WORK : LATE_NONE;
	set->recorded = (struct event_mask){ { 0 } };
	for (UInt i = 0; i < N_EVENTS; i++) {
		enum event event = profile_order[i];

		if (((groups | 1U << GROUP_ALWAYS) >> event_table[event].group & 1) == 0)
			continue;
		set->events[set->n++] = event;
		event_mask_add(&set->recorded, event);
		if (!event_is_late(set, event) && set->n_counted < counted_with(event))
			set->n_counted = counted_with(event);
	}
	find_late(set);
	find_rare(set);
	set->lacks_common = True;
	for (UInt event = EVENT_IR + 1; event < N_COMMON_EVENTS; event++)
		set->lacks_common &= !event_is_recorded(set, (enum event)event);
	if (set->n_counted == EVENT_REP + 1 && set->lacks_common)
		set->n_counted = N_COUNTED_IR_REP;
	set->n_kept = set->n_counted + set->n_late;
}

UInt event_late_index(const struct event_set *set, enum event event)
{
	UInt i = 0;

	while (i + 1 < set->n_late && set->late[i] != event)
		i++;
	return i;
}

void event_add_kept(const struct event_set *set, const ULong *kept, ULong sums[N_EVENTS])
{
	for (UInt i = 0; i < set->n_counted; i++)
		sums[event_counted(set->n_counted, i)] += kept[i];
	for (UInt i = 0; i < set->n_late; i++)
		sums[set->late[i]] += kept[set->n_counted + i];
}

void event_copy_rare(ULong *to, const ULong *from, const struct event_set *set)
{
	for (UInt i = 0; i < set->n_rare; i++)
		to[set->rare[i]] = from[set->rare[i]];
}

void event_add_rare_difference(ULong *sums, const ULong *now, const ULong *before,
			       const struct event_set *set)
{
	for (UInt i = 0; i < set->n_rare; i++)
		sums[set->rare[i]] += now[set->rare[i]] - before[set->rare[i]];
}
