/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths: what instructions cost where nothing is missed, by the code that comes before them.
 *
 * When a superblock is translated to run fast, the model of the core (sim/core/core.h) walks the way that mostly led to
 * it, back to some hundred instructions before it, and then the block itself: each instruction costs by how much it retires later than the
 * one before it.  Which block came before, cold code has noted at each of its runs (tool/translate/cold.h).  Of a loop,
 * that is the loop itself, round after round.
 *
 * What a branch waits for its operands, if it is mispredicted, is counted from where the core began anew: behind the last
 * time that its block ran, or some fifty instructions before it.  From there, a second walk tells when it is resolved; what
 * this way costs where nothing is mispredicted is not lost.
 *
 * Code that is cold costs what each of its instructions takes alone.  A block that never was cold comes behind the one that was left
 * when it was translated first: the way by which control got there once.
 */
#ifndef TOOL_CYCLES_PATHS_H
#define TOOL_CYCLES_PATHS_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "sim/core/core.h"
#include "sim/core/instructiontable.h"
#include "tool/common/event.h"
#include "tool/cycles/operations.h"

enum {
	PATHS_MAX_INSTRUCTIONS =
		256,        /* of a superblock; those behind have the costs of the last one */
	PATHS_LENGTH = 192, /* instructions that are walked before a block */
};

/* An instruction of a superblock, at this address in memory. */
struct path_instruction {
	Addr address;
	UInt size;
};

/* What an execution of an instruction costs: tenths of a cycle. */
struct path_weight {
	UShort cycles[N_STATIC_CYCLES]; /* of EVENT_CYBASE and those behind it */
	UShort lost;                    /* if it is a branch that is mispredicted */
	/* Of what it loads or stores: what goes on meanwhile, until the reorder buffer is full. */
	UShort hidden;
	Bool is_critical; /* it is a load on the critical path: nothing goes on meanwhile */
	UChar match;      /* enum instruction_match */
	Int displacement; /* of its address, as in struct reference (tool/counts/block.h) */
	Addr source; /* the load that its address comes from (of a branch: its condition); 0: none */
};

/*
 * A superblock that has been translated: the way to others leads through it, so it is never freed, but there is one for
 * each place of code, whatever was there in turn.
 */
struct path;

struct paths {
	VgHashTable *blocks;     /* struct path, by where they begin */
	VgHashTable *operations; /* of instructions, by their bytes */
	VgHashTable *rows;       /* of those, each once */
	struct operations decoder;
	struct core_walk *walk;
	struct core_walk *restarted; /* the same, from where a branch may have been mispredicted */
	struct path_weight weights[PATHS_MAX_INSTRUCTIONS];
};

/* The table and the core are borrowed. False if this program has no decoder. */
Bool paths_init(struct paths *paths, const struct instructiontable *table,
		const struct core_config *core);

/*
 * A superblock of n instructions, 1 or more, is translated, to be cold or not: their weights, the first
 * PATHS_MAX_INSTRUCTIONS, valid until the next call.  before is where control comes from, or NULL: taken
 * if it is not to be cold, and nothing else is known.  *path: what it is from here on.
 */
const struct path_weight *paths_translate(struct paths *paths,
					  const struct path_instruction *instructions, UInt n,
					  Bool cold, struct path *before, struct path **path);

/* The same of a superblock as the core gives it; NULL, and *path as it was, where cycles are not counted. */
const struct path_weight *paths_weigh(const IRSB *sb, Bool cold, struct path **path);

/* Of the block that ran last, if that is known. */
struct path *paths_before(void);

/* A superblock is run behind another one; before may be NULL. */
void paths_follow(struct path *path, struct path *before);

#endif
