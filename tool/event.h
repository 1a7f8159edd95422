/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The events that can be recorded: a table, and the order in which they stand
 * in a profile.
 */
#ifndef TOOL_EVENT_H
#define TOOL_EVENT_H

#include "pub_tool_basics.h"

/*
 * First those that are known when code is translated, in pairs that generated
 * code adds up two at a time; then those that happen now and then.
 */
enum event {
	EVENT_IR,
	EVENT_DR,
	EVENT_DW,
	EVENT_BC,
	EVENT_BI,
	EVENT_BCM,
	EVENT_BIM,
	EVENT_I1MR,
	EVENT_D1MR,
	EVENT_D1MW,
	EVENT_ILMR,
	EVENT_DLMR,
	EVENT_DLMW,
	N_EVENTS,
};

/* What has to be switched on for an event to be recorded. */
enum event_group {
	GROUP_ALWAYS,
	GROUP_CACHE,
	GROUP_BRANCH,
};

struct event_info {
	const HChar *name; /* [A-Za-z][A-Za-z0-9]* */
	const HChar *long_name;
	enum event_group group;
	UInt cycles; /* weight in the derived event EstCyc, 0 = not in it */
};

extern const struct event_info event_table[N_EVENTS];

/* The events of one run, in the order of the columns of a profile. */
struct event_set {
	UInt n;
	enum event events[N_EVENTS];
	UInt n_counted; /* all of them are below this number */
};

void event_set_init(struct event_set *set, Bool cache_sim, Bool branch_sim);

#endif
