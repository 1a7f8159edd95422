/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks: translated superblocks, and what one execution of them costs.
 *
 * A block is cut into *segments*, runs of events with no way out between
 * them, so that one counter says how often each of them happened.  What an
 * execution of a segment costs is known when it is translated: the *charges*
 * of its instructions.  Only misses and mispredictions are counted one by one,
 * in *references* and beside the charges.
 *
 * A superblock that goes from one unit into another (a function falls through
 * into the next) is several blocks, of which each but the first is the rest
 * of the one before.
 *
 * Counts stand in the counter sets of the block's unit (tool/counts/counters.h); settling
 * moves what they hold to the cells of sites, where costs live for good.
 */
#ifndef TOOL_COUNTS_BLOCK_H
#define TOOL_COUNTS_BLOCK_H

#include <stdbool.h>

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_tooliface.h"

#include "sim/core/instructiontable.h"
#include "sim/machine.h"
#include "tool/common/hot_memory.h"
#include "tool/counts/counters.h"
#include "tool/counts/hot.h"
#include "tool/counts/levels.h"
#include "tool/counts/site.h"
#include "tool/work/work.h"

enum {
	REFERENCE_MAX_LINES = 7,          /* that a fetch is from */
	REFERENCE_NONE = -0x7fffffff - 1, /* no source, or no displacement */
};

/*
 * One place in generated code that refers to memory: all that its slow path needs.  Records are rarely in the host's cache
 * when that is called, so they are short, and a slow path reads neither the instruction nor its block.
 */
struct reference {
	union {
		/* A fetch.  If its line has all of the instruction, address is the line's, and the size 1. */
		struct {
			union {
				struct code_line *line;   /* from one line */
				struct code_line **lines; /* from several: owned */
			};
			Addr address;
		};
		/* Of data, where cycles are counted. */
		struct {
			Addr load; /* the address of its instruction */
			/* The load that its address comes from, in bytes from load; REFERENCE_NONE: none, or too far away. */
			Int source;
			/* Its address is one register and this; REFERENCE_NONE: it is made in another way. */
			Int displacement;
		};
		struct reference *next; /* of a run that is free: the next one of its length */
	} u;
	UInt misses;           /* 1 + first of its n_slots slots (below), or 0 */
	UShort charge;         /* one of its instruction, by number */
	UShort size;           /* bytes; of a fetch from address on */
	UShort age;            /* its first stamp is clock - age when its block runs */
	UShort n_instructions; /* of its segment, up to its own, which totals do not have yet when it is made; for prefetchers and cycles */
	UShort hidden; /* where cycles are counted (tool/cycles/waits.h): tenths of a cycle that the core goes on while it is waited for */
	UChar n_slots;
	UChar n_lines : 3;    /* of code, if machine_fetch() gets them; else 0 */
	UChar kind : 2;       /* enum reference_kind */
	bool makes_dirty : 1; /* it writes, alone or as a modify, and dirty lines are known */
	bool is_critical : 1; /* where cycles are counted: nothing goes on meanwhile */
	bool is_loaded : 1;   /* generated code loads it, right after C has been called for it */
};

_Static_assert(sizeof(struct reference) == 32, "two in a line of the host's cache");

/* The lines of code that a fetch is from, n_lines of them. */
static inline struct code_line **reference_lines(struct reference *reference)
{
	return reference->n_lines == 1 ? &reference->u.line : reference->u.lines;
}

/*
 * Slots of a reference, in which C counts.  It has the first n_slots of these:
 *
 *	0 .. levels.n - 1	misses of each level
 *	slot_executed()		executions of a guarded one, which is not made in each
 *				execution of its segment
 *	slot_write_back()	lines written back, where these are known
 *	slot_pages()		of each view of TLBs two, for its levels
 *	slot_waits()		two, where cycles are counted: tenths of a cycle that its misses cost, and
 *				those of TLBs
 *	slot_reasons()		where these are asked for: of each level N_MISS_CLASSES, and one that says that it
 *				should have missed the first
 *	slot_sizes()		where the curve is asked for: of each of its sizes one, for what missed it and no larger one
 */
static inline UInt slot_executed(const struct levels *levels)
{
	return levels->n;
}

static inline UInt slot_write_back(const struct levels *levels)
{
	return levels->n + 1;
}

static inline UInt slot_pages(const struct levels *levels, UInt view)
{
	return levels->n + 2 + 2 * view;
}

enum { N_WAIT_SLOTS = 2 };

static inline UInt slot_waits(const struct levels *levels)
{
	return slot_pages(levels, levels->n_views);
}

static inline UInt slot_reasons(const struct levels *levels, UInt level)
{
	return slot_waits(levels) + N_WAIT_SLOTS + N_MISS_CLASSES * level;
}

static inline UInt slot_anti(const struct levels *levels)
{
	return slot_reasons(levels, levels->n);
}

static inline UInt slot_sizes(const struct levels *levels)
{
	return slot_anti(levels) + 1;
}

/* What is known of an instruction, or the part of it that one segment has, before it runs. */
struct charge_traits {
	UChar n_instructions : 1; /* 0 in a segment that begins in mid-instruction */
	/* Its access, if it has no guard; a second one is in a segment of its own. */
	UChar is_read : 1;
	UChar is_write : 1;
	UChar is_branch : 1;
	UChar is_jump : 1;
	UChar is_return : 1; /* one of the three at most */
	/* A rep instruction that is one when it is complete; it has no branches. */
	UChar is_repeated : 1;
	UChar is_split : 1;           /* begins with a second access of its instruction */
	UChar others[N_TRAIT_EVENTS]; /* of EVENT_REP and those behind it: how many */
};

/* What is counted of a branch when it happens. */
enum branch_slot {
	BRANCH_SLOT_WRONG,
	BRANCH_SLOT_UNKNOWN, /* by the target buffer */
	BRANCH_SLOT_WAITED, /* where cycles are counted: tenths, for a load that had missed, or a farther target buffer */
	N_BRANCH_SLOTS, /* those of all but conditional branches with --branch-detail */
	BRANCH_SLOT_TAKEN = N_BRANCH_SLOTS,
	BRANCH_SLOT_COUNTER, /* wrong by a counter of its own */
	BRANCH_SLOT_HISTORY, /* wrong by its own history */
	N_BRANCH_DETAIL_SLOTS,
};

/* What a charge costs, apart from where it is: there are few different ones. */
struct charge_kind {
	/* Tenths of a cycle, of EVENT_CYBASE and those behind it; 0 without cycles. */
	UShort cycles[N_STATIC_CYCLES];
	UShort lost; /* tenths of a cycle, of a misprediction */
	Int source; /* of a branch: the load that its condition comes from, by its distance in bytes; 0: none */
	struct charge_traits traits;
	UChar n_slots;
	UChar match; /* of the instruction: enum instruction_match; that of the default row without cycles */
	UChar counted; /* the event that its one slot counts, whatever the traits say; 0: they say it */
	UShort work; /* what it counts of the events of work: a number of the table of blocks */
};

_Static_assert(sizeof(struct charge_kind) == 20, "without gaps: compared as bytes");

/* What one execution of a segment costs one instruction. */
struct charge {
	struct site *site;
	UShort segment;
	/*
	 * The first of its n_slots slots in the block: one that counts how often it was complete (is_repeated), or those
	 * of a branch, the first of enum branch_slot.  0 without.
	 */
	UShort slot;
	struct charge_kind kind;
};

/* A charge as a block keeps it: there are many. */
struct kept_charge {
	struct site *site;
	UShort segment, slot;
	UInt kind; /* by number, from 0 */
};

/* The event that a slot of a branch counts, of which mispredictions count the given one. */
static inline enum event branch_slot_event(enum branch_slot slot, enum event mispredicted)
{
	switch (slot) {
	case BRANCH_SLOT_UNKNOWN:
		return EVENT_BTM;
	case BRANCH_SLOT_WAITED:
		return EVENT_CYBR;
	case BRANCH_SLOT_TAKEN:
		return EVENT_BCT;
	case BRANCH_SLOT_COUNTER:
		return EVENT_BCB;
	case BRANCH_SLOT_HISTORY:
		return EVENT_BCH;
	default:
		return mispredicted;
	}
}

/* The event that a slot of a charge counts. */
static inline enum event charge_slot_event(const struct charge_kind *kind, enum branch_slot slot)
{
	if (kind->counted != 0)
		return (enum event)kind->counted;
	return branch_slot_event(slot, kind->traits.is_repeated ? EVENT_IR
				       : kind->traits.is_branch ? EVENT_BCM
				       : kind->traits.is_return ? EVENT_BRM
								: EVENT_BIM);
}

/* A direct jump in a block. */
struct block_jump {
	const struct jump_edge *jump;
	UShort charge; /* of its instruction, by number */
	UShort taken;  /* counted in this one, from 1, of the slots behind segments; 0: always */
};

/* Adds what n executions of its segment cost the instruction, as far as that is known beforehand. */
static inline void charge_add_costs(const struct charge_kind *kind, const struct worktable *works,
				    ULong n, ULong costs[N_EVENTS])
{
	const struct charge_traits *traits = &kind->traits;

	costs[EVENT_IR] += n * traits->n_instructions;
	costs[EVENT_DR] += n * traits->is_read;
	costs[EVENT_DW] += n * traits->is_write;
	costs[EVENT_BC] += n * traits->is_branch;
	costs[EVENT_BI] += n * traits->is_jump;
	costs[EVENT_BR] += n * traits->is_return;
	for (UInt i = 0; i < N_TRAIT_EVENTS; i++)
		costs[EVENT_REP + i] += n * traits->others[i];
	for (UInt i = 0; i < N_STATIC_CYCLES; i++)
		costs[EVENT_CYBASE + i] += n * kind->cycles[i];
	worktable_cost(works, kind->work, n, costs);
}

/* Adds that to the costs of the thread that runs, which C does for the program's code. */
static inline void charge_count_once(const struct charge_kind *kind, const struct worktable *works,
				     struct hot *hot)
{
	charge_add_costs(kind, works, 1, hot->totals);
	if (kind->work != WORK_NONE)
		hot->late_limit = 0;
}

struct path;

/*
 * Charges lie after the struct, then jumps, in one piece of memory.  References lie with those of other blocks: a miss reads
 * nothing else of a block.  There are very many blocks: they are kept short.
 */
struct block {
	struct block *next; /* the hash table's, or of the list of discarded ones */
	UWord key;          /* address where the program entered: nraddr */
	/* The first piece of code that the superblock was made of, size bytes; the only one but under Cachegrind's name. */
	Addr base;
	struct unit *unit;
	struct block *rest; /* of the same superblock, or NULL */
	struct path *
		path; /* where cycles are counted: its superblock (tool/cycles/state.h); else NULL */
	struct function *entered; /* what a call of it calls, NULL if that is not known yet */
	/* Calls that left it, NULL if there were none yet; always of code that is skipped: they are with contexts. */
	struct shortcut *shortcuts;
	UInt body, stray; /* of its function: callstack_is_of() */
	UInt number;
	UInt first_count; /* slot of its unit */
	struct reference *references;
	UShort size;
	UShort n_counts; /* slots: first one a segment, then mispredictions and jumps taken */
	UShort n_segments, n_charges;
	UShort n_references;
	UShort n_stamps; /* an execution takes so many */
	UShort n_runs;   /* of cold code (tool/instrument/cold.h), so far */
	UChar n_jumps;
	bool entry : 1;           /* begins with the first instruction of a function with symbols */
	bool skipped : 1;         /* the code is */
	bool begins_by_fetch : 1; /* cold code does, from the lines of reference 0 */
	bool no_redir : 1;        /* of a function that is redirected elsewhere, itself for once */
	bool tests : 1;           /* its entry: tool/counts/block.h */
	struct kept_charge charges[];
};

/* The instruction that makes a reference of the block. */
static inline struct site *reference_site(const struct block *block,
					  const struct reference *reference)
{
	return block->charges[reference->charge].site;
}

static inline struct site *block_first_site(const struct block *block)
{
	return block->charges[0].site;
}

/* The instruction that goes elsewhere: side exits belong to it nearly always. */
static inline struct site *block_last_site(const struct block *block)
{
	return block->charges[block->n_charges - 1].site;
}

static inline const struct block_jump *block_jumps(const struct block *block)
{
	return (const struct block_jump *)&block->charges[block->n_charges];
}

struct hot;
struct jumps;

enum {
	BLOCKS_FOUND = 1 << 10,
	REFERENCES_POOLED = 64, /* a block with more of them has them in memory of its own */
};

/* Runs of references, in memory that is never given back. */
struct reference_pool {
	struct reference *next;                        /* of the current piece */
	UInt left;                                     /* of it */
	struct reference *free[REFERENCES_POOLED + 1]; /* by length, linked by u.next */
};

struct blocks {
	void (*free_shortcuts)(struct shortcut *list); /* of a block that goes */
	VgHashTable *table;                            /* live blocks by address */
	/* Of these, those that were found last: each at the lowest bits of its address. */
	struct block *found[BLOCKS_FOUND];
	struct block *discarded;  /* to be settled and freed when no generated code runs */
	struct block *twins;      /* of a discard that fits two blocks: one of them lives on */
	struct block **by_number; /* NULL: the number is free, or 0 */
	union {
		struct reference *first; /* of the block's */
		UInt next_free;          /* number, 0: none */
	} * references;                  /* by number, too */
	UInt n_numbers, room_for_numbers;
	UInt free_number; /* 0: none */
	struct reference_pool pool;
	struct hot_memory *hot_memory;
	VgHashTable *lines;    /* struct code_line_node by address */
	VgHashTable *expected; /* struct expectation by address */
	ULong generation;      /* 1..; changes when a block is discarded, and when it is freed */
	ULong n_entered;       /* executions of superblocks, as far as they are settled */
	struct jumps *jumps;   /* where those of blocks are settled */
	const struct levels *levels; /* what slots of references count */
	ULong executed[INSTRUCTION_DEFAULT +
		       1];      /* instructions, as far as they are settled, by charge_kind.match */
	struct worktable works; /* of charges; and of all that are no more */
	VgHashTable *known_kinds;
	const struct charge_kind **kinds; /* of charges, by number */
	UInt n_kinds, room_for_kinds;
	UInt unknown_target; /* tenths of a cycle lost by a miss of the target buffer */
};

/* hot_memory, jumps and levels are borrowed for good. */
void blocks_init(struct blocks *blocks, struct hot_memory *hot_memory, struct jumps *jumps,
		 const struct levels *levels, void (*free_shortcuts)(struct shortcut *list));

/* The line of code that holds address: one struct a line, made at need, never freed. */
struct code_line *blocks_code_line(struct blocks *blocks, struct machine *machine, Addr address);

/*
 * A block with these jumps, and room for its references (0 or more) and charges (1 or more),
 * zeroed but for their numbers, and for references, which are to be filled in.
 */
struct block *block_new(struct blocks *blocks, UInt n_references, UInt n_charges,
			const struct block_jump *jumps, UInt n_jumps);

/* Sets charge number i of a block that is new. */
void blocks_keep_charge(struct blocks *blocks, struct block *block, UInt i,
			const struct charge *charge);

static inline const struct charge_kind *blocks_kind(const struct blocks *blocks,
						    const struct kept_charge *kept)
{
	return blocks->kinds[kept->kind];
}

static inline struct charge blocks_charge(const struct blocks *blocks, const struct block *block,
					  UInt i)
{
	const struct kept_charge *kept = &block->charges[i];

	return (struct charge){
		.site = kept->site,
		.segment = kept->segment,
		.slot = kept->slot,
		.kind = *blocks_kind(blocks, kept),
	};
}

/*
 * Registers a new block and gives it a number (1..); the block, slots,
 * charges and references are the table's from here on.  A rest is registered
 * by its number alone.
 */
void blocks_add(struct blocks *blocks, struct block *block, Bool is_rest);

/* The number that the next blocks_add() will give. */
UInt blocks_next_number(const struct blocks *blocks);

/* The live block that control comes to by a jump to an address, which is not itself for once; NULL if there is none. */
struct block *blocks_search(struct blocks *blocks, Addr address);

static inline struct block *blocks_at(struct blocks *blocks, Addr address)
{
	struct block *block = blocks->found[address % BLOCKS_FOUND];

	return block != NULL && block->key == address ? block : blocks_search(blocks, address);
}

/* The live block of this number, NULL for 0 or if the number is no block's any more. */
static inline struct block *blocks_by_number(const struct blocks *blocks, UInt number)
{
	return blocks->by_number[number];
}

/* A segment or charge of a block as one word ("which"): an argument of generated code's calls. */
enum { WHICH_INDEX_BITS = 16 };

static inline ULong which_of(UInt block, UInt index)
{
	return (ULong)block << WHICH_INDEX_BITS | index;
}

static inline struct block *which_block(const struct blocks *blocks, UWord which)
{
	return blocks_by_number(blocks, (UInt)(which >> WHICH_INDEX_BITS));
}

static inline UInt which_index(UWord which)
{
	return which & ((1U << WHICH_INDEX_BITS) - 1);
}

/* Its references. */
static inline struct reference *blocks_references(const struct blocks *blocks, UInt number)
{
	return blocks->references[number].first;
}

/*
 * An execution of a block, the one that hot names, ended with a fault in the
 * instruction at address: adds what had run of its segment, which nothing has
 * counted yet, to the costs and totals.
 */
void blocks_cut_short(struct blocks *blocks, const struct block *block, struct sites *sites,
		      struct hot *hot, Addr address);

/*
 * The core's callback for a translation that is no more; its code may still be
 * running.
 */
void blocks_discard(struct blocks *blocks, Addr address, const VexGuestExtents *extents);

/*
 * Settles and frees discarded blocks, but for those for which is_needed() is
 * true; only while no generated code runs.
 */
void blocks_reclaim(struct blocks *blocks, struct sites *sites,
		    Bool (*is_needed)(const struct block *block));

/* Moves all counts to the cells.  Their sums do not change by it. */
void blocks_settle(struct blocks *blocks, struct sites *sites);

/* The same at the end of a run: no code runs any more, and there is no block any more. */
void blocks_end(struct blocks *blocks, struct sites *sites);

/* --- entries ------------------------------------------------------------------------------------ */

/*
 * Entries: why a block need not test, when it is entered, that its unit is the one that runs (hot->unit).  There are three ways
 * into a block, and each sees to that before:
 *
 *	a jump to a constant address	*expects* that the code there is of its own unit, and does nothing.  If it has
 *					been translated as code of another unit, the jump calls C like the next ones
 *	a call, return, computed jump	calls C, which finds the block at the target and has control arrive there
 *					(calls_arrive())
 *	the core			the tool does the same whenever the core enters generated code: at the start of
 *					threads and handlers and after them, after system calls and client requests, in
 *					code that has just been translated, after discards
 *
 * If there is no block at the target yet, the core translates it, which is the third way.  Some blocks do test their
 * entry, and nothing is done before:
 *
 *	- those of another unit than jumps expect that were translated earlier;
 *	- the rest of a superblock, which control falls into;
 *	- a redirected function that runs itself for once, whose address another block has, too;
 *	- code that first checks whether it has been modified: if so, it is other code.
 *
 * Expectations are never forgotten: a jump may outlive the code that it leads to.  With --check-entries=yes all blocks
 * test, and one that should not have had to panics.
 */

/*
 * A jump from a unit to a constant address is being translated.  Returns whether nothing has to be done when
 * it is made: now and whenever that is translated again, the block there is of this unit, or tests.
 */
Bool blocks_expect(struct blocks *blocks, Addr target, const struct unit *unit);

/* Whether jumps expect that a block which is translated now, at an address, is of another unit than it is. */
Bool blocks_surprise(const struct blocks *blocks, Addr address, const struct unit *unit);

#endif
