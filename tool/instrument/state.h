/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What translates code: the state of this room, and what the user wants of it. */
#ifndef TOOL_INSTRUMENT_STATE_H
#define TOOL_INSTRUMENT_STATE_H

#include "pub_tool_basics.h"

#include "isa/x86/decoder.h"
#include "tool/calls/calls.h"
#include "tool/instrument/cold.h"
#include "tool/instrument/engine.h"
#include "tool/instrument/register_updates.h"
#include "tool/symbols/builds.h"

struct guest;

/* The core's own, as for munmap(): VG_(discard_translations_safely) is for client requests only. */
extern void VG_(discard_translations)(Addr start, ULong size, const HChar *who);

struct instrument_options {
	Bool collect_jumps;
	Bool modify_is_write; /* what reads and writes one place counts as the one or the other */
	Bool fork_inherits;   /* the child of a fork has what its parent has cost */
	Bool architectural;   /* --counting */
	UInt cold_runs;       /* tool/instrument/cold.h */
	Bool check_entries;   /* of blocks that do not test theirs: tool/counts/block.h */
	UInt slice;           /* most blocks of a turn of several threads; 0: not said */
	/* Generated code sees hits in D1, and in I1; else C sees all references. */
	Bool inline_data, inline_fetches;
};

struct instrument_state {
	struct instrument_options options;
	const struct engine *engine;
	UInt min_line_size; /* bytes; sizes of helpers' references are cut to it; 0 without caches */
	struct insn_decoder decoder; /* only where something asks what instructions are */
	struct cold cold;
	struct register_updates register_updates;
	Bool inside; /* generated code runs, or has called the core or the tool */
	ULong n_cut; /* blocks that slices took off turns, which the core counts as entered */
	/* Between two runs of generated code: writes a part if one is due; in the child of a fork. */
	void (*look_for_parts)(ULong n_blocks); /* entered by now */
	void (*forget_parts)(void);
	/* Generated code is about to make a system call that executes a program, by these registers. */
	VG_REGPARM(1) void (*before_exec)(struct guest *guest);
	Bool goes_on;         /* what is being written is a part that is not the last */
	UInt capabilities;    /* of the processor that the program sees: VEX_HWCAPS_AMD64_... */
	struct builds builds; /* of the code that was translated */

	/* Of engine_inline: */
	const struct call_paths *call_paths;
	struct block_builder *builder; /* of the block being translated */
};

extern struct instrument_state tool_instrument;

#endif
