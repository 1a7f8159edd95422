/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulated machine, and what generated code calls when it refers to it: the state of
 * this room, and what the user wants of it.
 */
#ifndef TOOL_SIMULATE_STATE_H
#define TOOL_SIMULATE_STATE_H

#include "pub_tool_basics.h"

#include "sim/branches/cachegrind.h"
#include "sim/hierarchy.h"
#include "sim/machine.h"
#include "tool/common/event.h"
#include "tool/simulate/branching.h"
#include "tool/simulate/machinestate.h"
#include "tool/simulate/memsim.h"
#include "tool/simulate/missobserver.h"
#include "tool/simulate/missreasons.h"
#include "tool/simulate/paging.h"
#include "tool/simulate/prefetching.h"

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
	enum miss_curve miss_curve;
	Bool counted[N_EVENT_GROUPS]; /* groups of events that nothing but an option switches on */
	Bool observes[N_MISS_OBSERVERS];
};

struct simulate_state {
	struct simulate_options options;
	struct hierarchy_config caches;    /* without caches none */
	struct hierarchy_config simulated; /* what machine or hierarchy is made of */
	struct machine_state machine_state;
	struct branching branching; /* both engines' */

	/* The machine simulated by the reference engine. */
	Bool is_plain;              /* it is the one that is simulated */
	struct hierarchy hierarchy; /* its TLBs are in paging */
	void *hierarchy_memory;
	struct direction_predictor directions;
	struct target_predictor targets;

	struct paging paging; /* both engines' */

	/* Both engines': what a reference does that is no plain hit. */
	const struct miss_paths *paths;
	Bool has_memsim; /* paths are its own */
	struct memsim memsim;
	struct prefetching prefetching;
	struct missreasons reasons; /* both engines' */
	/* The reference engine's: is called with each reference, or NULL. */
	void (*see_reference)(struct site *site, enum reference_kind kind, Addr address,
			      UWord size);
	const struct miss_paths *watched; /* those within paths, if misses are observed; else NULL */

	/* The inline engine's. */
	struct machine *machine;
	void *kept_machine; /* by machinestate_keep(), or NULL */
};

extern struct simulate_state tool_simulate;

#endif
