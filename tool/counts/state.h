/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of this room, where costs are kept. Generated code and the core's callbacks have no
 * argument to carry it, so it is a global.
 */
#ifndef TOOL_COUNTS_STATE_H
#define TOOL_COUNTS_STATE_H

#include "pub_tool_basics.h"

#include "tool/common/event.h"
#include "tool/common/hot_memory.h"
#include "tool/counts/block.h"
#include "tool/counts/context.h"
#include "tool/counts/counters.h"
#include "tool/counts/hot.h"
#include "tool/counts/jump.h"
#include "tool/counts/levels.h"
#include "tool/counts/site.h"

struct counts_state {
	struct event_set events;
	struct hot_memory hot_memory;
	Addr base; /* in generated code's register; hot words and machine are near it */
	struct hot *hot;
	struct levels levels; /* of the caches, if they are simulated */
	struct blocks blocks;
	struct counter_sets counter_sets;
	struct sites sites;
	struct contexts contexts;
	struct jumps jumps;
	Addr stop_address; /* where a block was left in the middle by a fault or system call; or 0 */
};

extern struct counts_state tool_counts;

#endif
