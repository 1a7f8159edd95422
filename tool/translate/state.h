/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What translates code and simulates the machine: the state of this room, and
 * what the user wants of it.
 */
#ifndef TOOL_TRANSLATE_STATE_H
#define TOOL_TRANSLATE_STATE_H

#include "pub_tool_basics.h"

#include "isa/x86/decoder.h"
#include "sim/branches/cachegrind.h"
#include "sim/hierarchy.h"
#include "sim/machine.h"
#include "tool/calls/calls.h"
#include "tool/common/event.h"
#include "tool/symbols/builds.h"
#include "tool/translate/branching.h"
#include "tool/translate/cold.h"
#include "tool/translate/engine.h"
#include "tool/translate/machinestate.h"
#include "tool/translate/memsim.h"
#include "tool/translate/missobserver.h"
#include "tool/translate/missreasons.h"
#include "tool/translate/paging.h"
#include "tool/translate/prefetching.h"
#include "tool/translate/register_updates.h"

struct guest;

struct translate_options {
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
	Bool collect_jumps;
	Bool modify_is_write;  /* what reads and writes one place counts as the one or the other */
	Bool fork_inherits;    /* the child of a fork has what its parent has cost */
	Bool architectural;    /* --counting */
	Bool reference_engine; /* the engine that the other one is checked against */
	UInt cold_runs;        /* tool/translate/cold.h */
	Bool check_entries;    /* of blocks that do not test theirs: tool/counts/entries.h */
	Bool observes[N_MISS_OBSERVERS];
	/* Whether generated code sees hits in D1, and in I1; else C sees all references. */
	Bool inline_data, inline_fetches;
};

struct translate_state {
	struct translate_options options;
	const struct engine *engine;
	struct hierarchy_config caches;    /* without caches none */
	struct hierarchy_config simulated; /* what machine or hierarchy is made of */
	struct machine_state machine_state;
	UInt min_line_size; /* bytes; sizes of helpers' references are cut to it; 0 without caches */
	struct insn_decoder decoder; /* only where something asks what instructions are */
	struct cold cold;
	struct register_updates register_updates;
	Bool inside; /* generated code runs, or has called the core or the tool */
	/* Between two runs of generated code: writes a part if one is due; in the child of a fork. */
	void (*look_for_parts)(ULong n_blocks);
	void (*forget_parts)(void);
	/* Generated code is about to make a system call that executes a program, by these registers. */
	VG_REGPARM(1) void (*before_exec)(struct guest *guest);
	Bool goes_on;         /* what is being written is a part that is not the last */
	UInt capabilities;    /* of the processor that the program sees: VEX_HWCAPS_AMD64_... */
	struct builds builds; /* of the code that was translated */

	struct branching branching; /* both engines' */

	/* The machine simulated by the reference engine. */
	struct hierarchy hierarchy; /* its TLBs are in paging */
	void *hierarchy_memory;
	struct direction_predictor directions;
	struct target_predictor targets;
	ULong n_blocks; /* superblocks entered so far in this process */

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
	const struct call_paths *call_paths;
	struct machine *machine;
	void *kept_machine;            /* by machinestate_keep(), or NULL */
	struct block_builder *builder; /* of the block being translated */
};

extern struct translate_state tool_translate;

#endif
