/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cycles of the simulated machine (--cycles=yes): the state of this room, and what the machine costs.
 *
 * When a block is translated, a model of the core says what its instructions cost where nothing misses (paths, below);
 * when a miss happens, waits.h says what it adds.  Both are in tenths of a cycle.
 */
#ifndef TOOL_CYCLES_STATE_H
#define TOOL_CYCLES_STATE_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "sim/core/core.h"
#include "sim/core/instructiontable.h"
#include "sim/lower.h"
#include "tool/common/event.h"
#include "tool/cycles/operations.h"
#include "tool/cycles/waits.h"

/* --- paths ----------------------------------------------------------------------------------
 *
 * What instructions cost where nothing misses, by the code that runs before them.
 *
 * When a superblock is translated to run fast, the model of the core (sim/core/core.h) walks the path that mostly led to
 * it, starting PATHS_LENGTH instructions before it, and then the block itself: each instruction costs the time from the
 * retirement of the one before it to its own.  Cold code has noted at each run which block came before
 * (tool/instrument/cold.h).  For a loop, that is the loop itself, round after round.
 *
 * How long a branch waits for its operands, if it is mispredicted, is counted from where the core starts again: after the
 * last time that its block ran, or some fifty instructions before it.  A second walk from there says when the branch is
 * resolved; what the path costs where nothing is mispredicted stays in place.
 *
 * In cold code each instruction costs what it takes alone.  A block that never was cold follows the block that was
 * left when it was first translated: control got there that way at least once.
 */

enum {
	PATHS_MAX_INSTRUCTIONS =
		256,        /* of a superblock; further ones cost what the last one does */
	PATHS_LENGTH = 192, /* instructions that are walked before a block */
};

/* An instruction of a superblock, at this address in memory. */
struct path_instruction {
	Addr address;
	UInt size;
};

/* What an execution of an instruction costs: tenths of a cycle. */
struct path_weight {
	UShort cycles[N_STATIC_CYCLES]; /* of EVENT_CYBASE and the events after it */
	UShort lost;                    /* if it is a branch that is mispredicted */
	/* What goes on while its load or store waits, until the reorder buffer is full. */
	UShort hidden;
	Bool is_critical; /* it is a load on the critical path: nothing goes on meanwhile */
	UChar match;      /* enum instruction_match */
	Int displacement; /* of its address, as in struct reference (tool/counts/block.h) */
	Addr source; /* the load that its address comes from (of a branch: its condition); 0: none */
};

/*
 * A superblock that has been translated.  Paths to others lead through it, so it is never freed; there is one for each
 * address, whatever code was there in turn.
 */
struct path;

struct paths {
	VgHashTable *blocks;     /* struct path, by first address */
	VgHashTable *operations; /* of instructions, by their bytes */
	VgHashTable *rows;       /* of those, each once */
	struct operations decoder;
	struct core_walk *walk;
	struct core_walk *restarted; /* the same, from where a branch may have been mispredicted */
	struct path_weight weights[PATHS_MAX_INSTRUCTIONS];
};

/* Borrows table and core.  False if this program has no decoder. */
Bool paths_init(struct paths *paths, const struct instructiontable *table,
		const struct core_config *core);

/*
 * A superblock is translated, to be cold or not.  Returns the weights of its first PATHS_MAX_INSTRUCTIONS instructions, valid
 * until the next call, and in *path what it is from now on.  NULL, and *path unchanged, if cycles are not counted.
 */
const struct path_weight *paths_weigh(const IRSB *sb, Bool cold, struct path **of_block);

/* The path of the block that ran last; NULL if unknown. */
struct path *paths_before(void);

/* A superblock runs after another; before may be NULL. */
void paths_follow(struct path *path, struct path *before);

/* --- the machine ------------------------------------------------------------------------- */

/* Tenths of a cycle, unless stated otherwise. */
struct cycles_costs {
	/* By what serves a reference (tool/cycles/waits.h). */
	UInt latency[N_WAIT_SERVERS];   /* beyond the latency of the first level */
	UInt apart[N_WAIT_SERVERS];     /* between two that are under way at the same time */
	UInt streamed[N_WAIT_SERVERS];  /* between two lines of a stream */
	UInt transfers[N_WAIT_SERVERS]; /* between two lines of any streams */
	/* Between two lines that nothing waits for one by one, by the level's bandwidth; 0: not known. */
	UInt least_apart[N_WAIT_SERVERS];
	UInt first;            /* latency of the first level */
	UInt hidden;           /* to fill the reorder buffer, at the core's full width */
	UInt fetch_hidden;     /* part of a fetch that instructions waiting for their turn hide */
	UInt misprediction;    /* of a branch that could be resolved at once */
	UInt unknown_target;   /* the target buffer did not know it, but its decoder saw it */
	UInt far_target;       /* only the second target buffer knew it */
	UInt second_tlb;       /* a page that the second TLB has */
	UInt walk;             /* a page that it does not have */
	UInt second_tlb_apart; /* between two pages that the second TLB has */
	UInt walks_apart;      /* between two walks that are under way at the same time */
	UInt set_apart; /* between two lines of one set of the first level; 0: they do not wait for each other */
	UInt reorder; /* instructions that may be under way at a time */
};

enum { CYCLES_TEXT = 512 }; /* bytes */

struct cycles_state {
	Bool is_on;
	HChar text[CYCLES_TEXT]; /* the core in words, for profiles: "none", or "" to say nothing */
	struct core_config core;
	struct cycles_costs costs;
	struct paths paths;
	struct waits waits;
};

extern struct cycles_state tool_cycles;

/* The clock of a thread: tenths of a cycle, by its totals. */
static inline ULong cycles_clock(const ULong *totals)
{
	ULong clock = 0;

	for (UInt event = EVENT_BEFORE_CYCLES + 1; event < EVENT_AFTER_CYCLES; event++)
		clock += totals[event];
	return clock;
}

#endif
