/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The flow of control inside a function, in one context, as far as counts tell: how often
 * each instruction was executed, and how often each jump was taken (--collect-jumps).
 *
 * A *block* is code without a break: control came in at its first instruction only, and
 * went through to its last.  It ends before what a jump went to, behind what jumped, and
 * where numbers change (behind a call that did not always come back).  Calls are no break:
 * control comes back to what is behind them.
 */
#ifndef TOOL_OUTPUT_FLOW_H
#define TOOL_OUTPUT_FLOW_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

struct context;
struct cost;
struct jump_count;
struct site;

enum flow_visit {
	FLOW_UNKNOWN,
	FLOW_ACTIVE, /* what can be reached from it is being looked at */
	FLOW_KNOWN,
};

struct flow_insn {
	const struct site *site;
	ULong executions; /* of a rep instruction, of the whole */
	ULong came, went; /* by jumps, here and from here */
	UInt n_targets;   /* of its jumps without a condition */
	Bool begins;      /* a block */
	UInt block;       /* that it is in */
};

/* Instructions first to last, one behind the other. */
struct flow_block {
	UInt first, last;
	ULong executions;
	UInt first_edge;         /* from here: up to that of the next block */
	enum flow_visit visited; /* while edges are looked at */
};

/* From the last instruction of a block to the first of another, or of the same one. */
struct flow_edge {
	UInt from, to; /* blocks */
	ULong count;   /* 1 or more */
	Bool back;     /* to what came before it on the way from the function's entry: of a loop */
};

/* By address; what was not executed is not there. */
struct flow {
	struct flow_insn *insns;
	struct flow_block *blocks; /* and one behind them that is empty */
	struct flow_edge *edges;   /* by from, then by to */
	UInt n_insns, n_blocks, n_edges;
};

/* How many instructions of skipped code are in the cell of the call of it. */
struct skipped_code {
	struct skipped_code *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	const struct context *owner;
	const struct site *site;
	ULong n;
};

/* Those of all contexts; to be freed by VG_(HT_destruct)(, VG_(free)). */
VgHashTable *flow_skipped(void);

/*
 * The flow in the context of n costs (1 or more), which all are of one, and so are the jumps; both
 * are borrowed for the call.  To be freed by flow_free().
 */
void flow_make(struct flow *flow, const struct cost *costs, UInt n, struct jump_count *const *jumps,
	       UInt n_jumps, const VgHashTable *skipped);
void flow_free(struct flow *flow);

/* Whether the last instruction of a block is a jump whose target was computed. */
static inline Bool flow_is_computed(const struct flow *flow, const struct flow_block *block)
{
	return flow->insns[block->last].n_targets > 1;
}

#endif
