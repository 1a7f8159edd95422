/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jumps inside functions (--collect-jumps): which instruction went where, and how often, in each
 * context. A *jump* is an instruction and one target; a computed jump is as many jumps as it has
 * targets.
 *
 * Jumps that the call graph takes for calls are not counted here, nor are calls and returns.
 */
#ifndef TOOL_COUNTS_JUMP_H
#define TOOL_COUNTS_JUMP_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "tool/symbols/symbol.h"

struct context;
struct site;

/* Never freed. */
struct jump_edge {
	struct jump_edge *next; /* the hash table's */
	UWord key;
	struct site *site;
	struct source_location target;
	Bool conditional;
	Bool to_entry; /* to the entry of its function: a call if the stack is deeper than at its beginning */
};

/* How often a jump was made in a context.  Never freed. */
struct jump_count {
	struct jump_count *next; /* the hash table's */
	UWord key;
	struct context *context;
	const struct jump_edge *jump;
	ULong executed; /* for a conditional jump: taken or not */
	ULong taken;
};

struct jumps {
	VgHashTable *table;    /* struct jump_edge */
	VgHashTable *counts;   /* struct jump_count */
	VgHashTable *computed; /* struct computed_jump (jumping.c) */
};

void jumps_init(struct jumps *jumps);

/*
 * The jump from a site to a place, made if there is none; NULL if the place is outside of the
 * site's function. A function and its cold part count as one, and so does the code without symbols
 * of one section.
 */
const struct jump_edge *jumps_find(struct jumps *jumps, struct site *site,
				   const struct source_location *target, Bool conditional);

/*
 * The count of a jump in a context, zero if it is new. NULL for contexts whose jumps are not
 * counted: skipped code, interpreted functions.
 */
struct jump_count *jumps_count(struct jumps *jumps, struct context *context,
			       const struct jump_edge *jump);

/* Adds to that count. */
void jumps_add(struct jumps *jumps, struct context *context, const struct jump_edge *jump,
	       ULong executed, ULong taken);

/* Sets all counts to zero: of one thread, or of all if thread is 0. */
void jumps_zero(struct jumps *jumps, UInt thread);

/*
 * The counts of all jumps that were taken, in the order of their sites' costs in a profile
 * (site.h), and by target. The caller frees the array by VG_(free); NULL if *n is 0.
 */
struct jump_count **jumps_sorted(struct jumps *jumps, Bool by_address, UInt *n);

/* Sorts counts in the same order. */
void jumps_sort(struct jump_count **jumps, UInt n, Bool by_address);

#endif
