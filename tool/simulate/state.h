/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulated machine, and what generated code calls when it refers to it: the state of
 * this room, and what the user wants of it.
 */
#ifndef TOOL_SIMULATE_STATE_H
#define TOOL_SIMULATE_STATE_H

#include "pub_tool_basics.h"

#include "sim/lower.h"
#include "sim/machine.h"
#include "tool/common/event.h"
#include "tool/simulate/branching.h"
#include "tool/simulate/lastpath.h"
#include "tool/simulate/machinestate.h"
#include "tool/simulate/missobserver.h"
#include "tool/simulate/missreasons.h"
#include "tool/simulate/oracle.h"
#include "tool/simulate/paging.h"
#include "tool/simulate/prefetching.h"
#include "tool/simulate/threadcores.h"

struct simulate_options {
	Bool cache_sim;
	Bool branch_sim;
	enum branch_model branch_model;
	Bool trace_branches;
	Bool simulate_wb;
	Bool simulate_hwpref;
	Bool cacheuse;
	Bool tlb_sim;
	enum page_policy pages; /* of TLBs */
	UInt cores;             /* that are simulated at most */
	enum miss_curve miss_curve;
	Bool counted[N_EVENT_GROUPS]; /* groups of events that nothing but an option switches on */
	Bool observes[N_MISS_OBSERVERS];
};

struct simulate_state {
	struct simulate_options options;
	struct hierarchy_config caches;    /* without caches none */
	struct hierarchy_config simulated; /* what the machine is made of */
	struct machine_state machine_state;
	struct branching branching;
	struct paging paging;

	/* What a reference does that is no plain hit. */
	const struct miss_paths *paths;
	Bool has_last_path; /* paths are its own */
	struct last_path last_path;
	struct prefetching prefetching;
	struct missreasons reasons;
	const struct miss_paths *watched; /* those within paths, if misses are observed; else NULL */

	/*
	 * With --sharing=yes: called for every reference to data once there are several cores, after it was made.
	 * writes: a read may, too, as one that changes a counter.  is_moved: it took lines from other cores, or was served by one.  Else NULL.
	 */
	enum sharing_kind (*note_sharing)(const struct miss *reference, Bool writes, Bool is_moved);

	struct machine *machine; /* of core 0: what generated code is made by */
	struct machine *running; /* of the core that runs */
	struct thread_cores cores;
	void *kept_machine; /* by machinestate_keep(), or NULL */

	const struct oracle *oracle; /* that simulates in place of the machine; NULL in the product */
};

extern struct simulate_state tool_simulate;

#endif
