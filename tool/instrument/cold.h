/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cold code.  Most blocks run a few times only, and then it takes longer to
 * translate the fast paths of the inline engine than to run them.  So a block
 * begins cold: its code calls C for each thing that it does.  When it has run
 * --cold-runs times, it is warm, and waits for COLD_BATCH such blocks to be there, or for one to have run
 * twice as often.  Then the block that runs leaves, the translations of all of them are discarded, and
 * the next ones are fast code.  Where another block runs over the first byte of one, the core discards both, and
 * forgets where all the code is that jumps lead to: a batch pays for that once.  Cold and fast code count in the same slots
 * and have the same stamps.
 *
 *	once		leave if cold_begin(), by a jump of kind InvalICache; it
 *			fetches from the first line of code
 *	a line of code	call the slow path
 *	a data access	call the slow path
 *	a branch	cold_branch(which, taken), if its segment goes on
 *	a jump		cold_jump(which, target)
 *	a segment	cold_count(which), at its end, or if that is a branch
 *			cold_branch_and_count(which, taken)
 *
 * To translate a block twice takes longer than to translate fast code at once, which pays for a
 * program that runs for a second or two, but not for a compiler that works on a large file: most of what it
 * runs becomes warm.  So after a number of translations of cold code, which is the same in each run, no
 * more code begins cold.
 *
 * With --simulate-wb and its kin no code is cold: fast code calls C for most
 * of what it does then, too.  Nor is any without caches and branches, where fast code is not much longer,
 * unless --cold-runs is given.
 */
#ifndef TOOL_INSTRUMENT_COLD_H
#define TOOL_INSTRUMENT_COLD_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_tooliface.h"

#include "tool/instrument/engine.h"

struct block_builder;
struct charge;

enum {
	COLD_MAX_RUNS = 65535,
	COLD_BATCH = 128, /* blocks */
};

/* Which code is not cold any more. */
struct cold {
	UInt runs;           /* of a block until then; 0: no code ever is cold */
	UInt n_translations; /* of cold code so far */
	VgHashTable *warm;   /* addresses at which warm blocks begin */
	Addr waiting[COLD_BATCH]; /* first bytes of warm blocks whose cold translations are still there */
	UInt n_waiting;
	Bool is_left; /* the block that ran has left for the batch to be discarded */
};

/* runs is at most COLD_MAX_RUNS. */
void cold_init(struct cold *cold, UInt runs);

/* True if code that is entered at an address, and may be cold, is translated as cold now. */
Bool cold_begins(struct cold *cold, Addr entry);

/* Discards the batch, if a block has left for it; no generated code runs. */
void cold_promote(struct cold *cold);

/*
 * Ends a superblock before its first instruction: it is to be translated again, with
 * all registers up to date at each instruction, at once.
 */
void cold_emit_precise_again(const struct translation *translation);

/*
 * Ends a superblock before its first instruction: this code is to be translated again, and so is all code
 * that has other names by now.
 */
void cold_emit_discard(const struct translation *translation);

/* A block begins: for its entry, all of hot words and the clock. */
void cold_emit_begin(struct translation *translation);

/*
 * If the fetch that was added last is the first thing that a block does, has the block's
 * beginning call for it, and returns True.
 */
Bool cold_take_first_fetch(struct block_builder *builder);

/* The segment ends that is the last one of the builder, with the branch that waits for it. */
void cold_emit_count(const struct translation *translation);

/* Warm code too: the rep instruction of a charge in the builder is complete, if guard holds. */
void cold_emit_completion(const struct translation *translation, const struct charge *charge,
			  IRExpr *guard);

/* A branch of a charge in the builder.  It waits for the end of its segment, or for: */
void cold_emit_branch(const struct translation *translation, const struct charge *charge,
		      IRExpr *taken);

/*
 * The next instruction begins, in the same segment (Valgrind knows that the branch is not taken):
 * the branch, if one waits, is predicted now, since what comes next may fault.
 */
void cold_emit_waiting(const struct translation *translation);

/* An indirect jump. */
void cold_emit_jump(const struct translation *translation, const struct charge *charge,
		    IRExpr *target);

#endif
