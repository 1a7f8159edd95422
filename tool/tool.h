/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of the tool: all of it, in one struct.  Generated code and the
 * core's callbacks have no argument to carry it, so it is one global; the
 * modules get the parts that they need as arguments.
 */
#ifndef TOOL_TOOL_H
#define TOOL_TOOL_H

#include "pub_tool_basics.h"

#include "sim/branch.h"
#include "sim/hierarchy.h"
#include "sim/machine.h"
#include "tool/calls/arc.h"
#include "tool/calls/calls.h"
#include "tool/calls/calltree.h"
#include "tool/calls/fnhook.h"
#include "tool/calls/region.h"
#include "tool/calls/systime.h"
#include "tool/calls/thread.h"
#include "tool/common/event.h"
#include "tool/common/near.h"
#include "tool/counts/block.h"
#include "tool/counts/context.h"
#include "tool/counts/jump.h"
#include "tool/counts/ledger.h"
#include "tool/counts/site.h"
#include "tool/decode/insntraits.h"
#include "tool/deterministic/canonical.h"
#include "tool/deterministic/chance.h"
#include "tool/deterministic/clock.h"
#include "tool/deterministic/family.h"
#include "tool/deterministic/outside.h"
#include "tool/deterministic/timer.h"
#include "tool/options/options.h"
#include "tool/output/desc.h"
#include "tool/output/fingerprint.h"
#include "tool/output/output.h"
#include "tool/output/part.h"
#include "tool/process/process.h"
#include "tool/symbols/symbol.h"
#include "tool/translate/cold.h"
#include "tool/translate/engine.h"
#include "tool/translate/memsim.h"

struct tool {
	struct options options;
	struct event_set events;

	const struct engine *engine;
	struct hierarchy_geometry geometry;
	UInt min_line_size; /* bytes; sizes of helpers' references are cut to it; 0 without caches */

	/* The machine simulated by the plain engine. */
	struct hierarchy hierarchy;
	struct direction_predictor directions;
	struct target_predictor targets;
	ULong n_blocks; /* superblocks entered so far in this process */

	/* Both engines': what a reference does that is no plain hit. */
	const struct slow_paths *paths;
	struct memsim memsim; /* only if paths are its own */

	/* The inline engine's. */
	const struct call_paths *call_paths;
	struct machine *machine;
	Addr base; /* in generated code's register: hot words and machine are near it */
	struct builder *builder; /* of the block being translated */
	struct cold cold;
	struct insn_decoder decoder; /* only with --counting=architectural */

	struct near near;
	struct hot *hot;
	struct blocks blocks;
	struct ledgers ledgers;
	VgHashTable *entry_units; /* struct entry_unit by address */
	Addr stop_address; /* where a block was left half-way, by a fault or system call; or 0 */

	struct symbols symbols;
	struct sites sites;
	struct contexts contexts;
	struct arcs arcs;
	struct jumps jumps;
	struct threads threads;
	struct calltree tree; /* only with --call-tree=yes */
	struct descs descs;   /* of the program's */
	struct hooks hooks;
	struct regions regions;
	struct parts parts;
	Bool inside;           /* generated code runs, or has called the core or the tool */
	Bool instrumenting;    /* else code is translated as it is */
	Bool has_instrumented; /* by now, in this process */
	Bool has_switched_on;  /* collection, that had been off */
	enum collection_order collection_order; /* the last one */
	struct output output;
	struct output tree_output; /* likewise */
	struct process process;
	struct systime systime;
	struct fingerprint fingerprint;

	/* Only with --deterministic=yes. */
	struct canonical canonical;
	struct clock clock;
	struct chance chance;
	struct timers timers;
	struct outside outside;
	struct family family;
};

extern struct tool tool;

#endif
