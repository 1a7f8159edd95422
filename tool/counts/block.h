/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks: translated superblocks, and what one execution of them costs.
 *
 * A block is divided into *segments*, sequences of events with no way out in between, so that one
 * counter says how often each of them happened. What an execution of a segment costs is known when
 * it is translated: the *charges* of its instructions. Only misses and mispredictions are counted
 * one by one, in *references* and in slots of charges.
 *
 * A superblock that goes from one unit into another (a function falls through into the next) is
 * several blocks. Each but the first is the *rest* of the one before.
 *
 * Counts are in the counter sets of the block's unit (tool/counts/counters.h). Settling moves them
 * to the cells of sites, where costs are kept for good.
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
	REFERENCE_MAX_LINES = 7,          /* from which an instruction is fetched */
	REFERENCE_NONE = -0x7fffffff - 1, /* no source, or no displacement */
};

/*
 * One place in generated code that refers to memory, with all that its slow path needs. References
 * are rarely in the host's cache then, so they are short, and the slow path reads neither the
 * instruction nor its block.
 */
struct reference {
	union {
		/*
		 * A fetch. Of a line that has all of the instruction, address is the line's, size
		 * 1.
		 */
		struct {
			union {
				struct code_line *line;   /* from one line */
				struct code_line **lines; /* from several: owned */
			};
			Addr address;
		};
		/* A reference to data, where cycles are counted. */
		struct {
			Addr load; /* the address of its instruction */
			/*
			 * The load that its address comes from, in bytes from load; REFERENCE_NONE:
			 * none, or too far away.
			 */
			Int source;
			/* The address less one register; REFERENCE_NONE: it is not so simple. */
			Int displacement;
		};
		struct reference *next; /* for a free run: the next one of its length */
	} u;
	UInt misses;           /* 1 + first of its n_slots slots (below), or 0 */
	UShort charge;         /* a charge of its instruction, by number */
	UShort size;           /* bytes; for a fetch from address on */
	UShort age;            /* its first stamp is clock - age when its block runs */
	UShort n_instructions; /* of its segment, up to and with its own, that totals do not have yet when it is made; for prefetchers and cycles */
	UShort hidden; /* where cycles are counted (tool/cycles/waits.h): tenths of a cycle that the core goes on while waiting for it */
	UChar n_slots;
	UChar n_lines : 3;    /* lines of code, if machine_fetch() is called with them; else 0 */
	UChar kind : 2;       /* enum reference_kind */
	bool makes_dirty : 1; /* it writes (also as a modify), and dirty lines are known */
	bool is_critical : 1; /* where cycles are counted: nothing else proceeds meanwhile */
	bool is_loaded : 1; /* generated code loads from it right after C has been called for it */
};

_Static_assert(sizeof(struct reference) == 32, "two in a line of the host's cache");

/* The n_lines lines of code of a fetch. */
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
 *	slot_pages()		two for each view of TLBs, for its levels
 *	slot_waits()		two, where cycles are counted: tenths of a cycle that its misses, and
 *				misses of TLBs, cost
 *	slot_coherence()	two, where several cores may be simulated: that another core served it, and the lines
 *				that it upgraded
 *	slot_reasons()		where these are asked for: N_MISS_CLASSES for each level, and one for hits of the
 *				first level that should have missed
 *	slot_sizes()		where the curve is asked for: one for each size, for what missed it but no larger one
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

enum {
	FIRST_SHARING_SLOT = 2, /* enum sharing_kind */
	N_COHERENCE_SLOTS = 4,
};

static inline UInt slot_coherence(const struct levels *levels)
{
	return slot_waits(levels) + N_WAIT_SLOTS;
}

static inline UInt slot_reasons(const struct levels *levels, UInt level)
{
	return slot_coherence(levels) + (levels->has_cores ? N_COHERENCE_SLOTS : 0) +
	       N_MISS_CLASSES * level;
}

static inline UInt slot_anti(const struct levels *levels)
{
	return slot_reasons(levels, levels->n);
}

static inline UInt slot_sizes(const struct levels *levels)
{
	return slot_anti(levels) + 1;
}

enum { TRAIT_ROOM = 6 }; /* more than there are: struct charge_kind is to have no gaps */

_Static_assert((UInt)N_TRAIT_EVENTS <= (UInt)TRAIT_ROOM,
	       "room for each event of origin ROUND and TRAIT");

/* What is known about an instruction, or the part of it in one segment, before it runs. */
struct charge_traits {
	UChar n_instructions : 1; /* 0 in a segment that begins in mid-instruction */
	/* Its access, if it has no guard; a second one is in a segment of its own. */
	UChar is_read : 1;
	UChar is_write : 1;
	UChar is_branch : 1;
	UChar is_jump : 1;
	UChar is_return : 1; /* at most one of the three */
	/* A rep instruction, which counts as executed when it is complete; it has no branches. */
	UChar is_repeated : 1;
	UChar is_split : 1;       /* begins with the second access of its instruction */
	UChar others[TRAIT_ROOM]; /* counts of EVENT_REP and the events after it */
};

/* The slots of a branch: what is counted when it happens. */
enum branch_slot {
	BRANCH_SLOT_WRONG,
	BRANCH_SLOT_UNKNOWN, /* by the target buffer */
	BRANCH_SLOT_WAITED, /* where cycles are counted: tenths of a cycle, for a load that had missed, or a farther target buffer */
	N_BRANCH_SLOTS,     /* of all branches; conditional ones have more with --branch-detail */
	BRANCH_SLOT_TAKEN = N_BRANCH_SLOTS,
	BRANCH_SLOT_COUNTER, /* mispredicted by a counter of its own */
	BRANCH_SLOT_HISTORY, /* mispredicted by its own history */
	N_BRANCH_DETAIL_SLOTS,
};

/* What a charge costs, apart from its place: there are few different kinds. */
struct charge_kind {
	/* Tenths of a cycle, for EVENT_CYBASE and the events after it; 0 without cycles. */
	UShort cycles[N_STATIC_CYCLES];
	UShort lost; /* tenths of a cycle that a misprediction costs */
	Int source; /* for a branch: the load that its condition comes from, by its distance in bytes; 0: none */
	struct charge_traits traits;
	UChar n_slots;
	UChar match; /* of the instruction: enum instruction_match; the default row without cycles */
	UChar counted; /* the event that its only slot counts, whatever the traits say; 0: the traits say it */
	UShort work; /* what it adds to events of work: a number in the table of blocks */
};

_Static_assert(sizeof(struct charge_kind) == 24, "without gaps: compared as bytes");

/* What one execution of a segment costs one instruction. */
struct charge {
	struct site *site;
	UShort segment;
	/*
	 * The first of its n_slots slots in the block: one that counts how often it was complete
	 * (is_repeated), or the slots of a branch, in the order of enum branch_slot. 0: none.
	 */
	UShort slot;
	struct charge_kind kind;
};

/* A charge as blocks keep it: there are many. */
struct kept_charge {
	struct site *site;
	UShort segment, slot;
	UInt kind; /* by number, from 0 */
};

/* The event that a slot of a branch counts, given the event of its mispredictions. */
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
	UShort taken;  /* counted in this one, from 1, of the slots after the segments; 0: always */
};

/* Adds what n executions of its segment cost the instruction, as far as known in advance. */
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

/* Adds one execution to the running thread's costs, by C for the program's code. */
static inline void charge_count_once(const struct charge_kind *kind, const struct worktable *works,
				     struct hot *hot)
{
	charge_add_costs(kind, works, 1, hot->totals);
	if (kind->work != WORK_NONE)
		hot->late_limit = 0;
}

struct path;

/*
 * Charges come after the struct, then jumps, in one piece of memory. References are kept with the
 * references of other blocks: a miss reads nothing else of a block. There are very many blocks:
 * they are kept short.
 */
struct block {
	struct block *next; /* in the hash table, or in the list of discarded blocks */
	UWord key;          /* address where the program entered: nraddr */
	/*
	 * The first piece of code that the superblock was made of, size bytes; the only one except
	 * under Cachegrind's name.
	 */
	Addr base;
	struct unit *unit;
	struct block *rest; /* of the same superblock, or NULL */
	struct path *
		path; /* of its superblock (tool/cycles/state.h), where cycles are counted; else NULL */
	struct function *entered; /* that a call of it calls; NULL: not known yet */
	/*
	 * The ways out of it that are known (tool/calls/calls.c), NULL if none yet; always NULL for
	 * skipped code, where contexts have them.
	 */
	struct shortcut *shortcuts;
	UInt body, stray; /* of its function: callstack_is_of() */
	UInt number;
	UInt first_count; /* slot of its unit */
	struct reference *references;
	UShort size;
	UShort n_counts; /* slots: first one for each segment, then mispredictions and jumps taken */
	UShort n_segments, n_charges;
	UShort n_references;
	UShort n_stamps; /* that an execution takes */
	UShort n_runs;   /* of cold code (tool/instrument/cold.h), so far */
	UChar n_jumps;
	bool entry : 1;           /* begins with the first instruction of a function with symbols */
	bool skipped : 1;         /* its code is skipped */
	bool begins_by_fetch : 1; /* as cold code, from the lines of reference 0 */
	bool no_redir : 1; /* of a function that is redirected elsewhere, but runs itself this time */
	bool tests : 1;    /* its entry: see below */
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

/* The instruction that leaves the block: side exits nearly always belong to it. */
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
	REFERENCES_POOLED = 64, /* a block with more of them has memory of its own for them */
};

/* Runs of references, in memory that is never freed. */
struct reference_pool {
	struct reference *next;                        /* of the current piece of memory */
	UInt left;                                     /* of it */
	struct reference *free[REFERENCES_POOLED + 1]; /* by length, linked by u.next */
};

struct blocks {
	void (*free_shortcuts)(struct shortcut *list); /* for a block that is freed */
	VgHashTable *table;                            /* live blocks by address */
	/* The live blocks that were found last, indexed by the lowest bits of their addresses. */
	struct block *found[BLOCKS_FOUND];
	struct block *discarded;  /* to be settled and freed when no generated code runs */
	struct block *twins;      /* when a discard fits two blocks: one of them lives on */
	struct block **by_number; /* NULL: the number is free, or 0 */
	union {
		struct reference *first; /* of the block's */
		UInt next_free;          /* number, 0: none */
	} * references;                  /* by number */
	UInt n_numbers, room_for_numbers;
	UInt free_number; /* 0: none */
	struct reference_pool pool;
	struct hot_memory *hot_memory;
	struct hot_memory *line_memory; /* of lines of code */
	VgHashTable *lines;             /* struct code_line_node by address */
	VgHashTable *expected;          /* struct expectation by address */
	ULong generation;               /* 1..; changes when a block is discarded or freed */
	ULong n_entered;                /* executions of superblocks, as far as settled */
	struct jumps *jumps;            /* where jumps of blocks are settled */
	const struct levels *levels;    /* what slots of references count */
	ULong executed[INSTRUCTION_DEFAULT +
		       1];      /* instructions, as far as settled, by charge_kind.match */
	struct worktable works; /* of charges, including charges that no longer exist */
	VgHashTable *known_kinds;
	const struct charge_kind **kinds; /* of charges, by number */
	UInt n_kinds, room_for_kinds;
	UInt unknown_target; /* tenths of a cycle lost by a miss of the target buffer */
};

/* Memory, jumps and levels are borrowed for good. */
void blocks_init(struct blocks *blocks, struct hot_memory *hot_memory,
		 struct hot_memory *line_memory, struct jumps *jumps, const struct levels *levels,
		 void (*free_shortcuts)(struct shortcut *list));

/* The line of code that contains address: made when needed, never freed. */
struct code_line *blocks_code_line(struct blocks *blocks, struct machine *machine, Addr address);

/* Calls add() for all lines of code. */
void blocks_each_line(const struct blocks *blocks, void (*add)(void *to, struct code_line *line),
		      void *to);

/*
 * A new block with these jumps. Its n_references (0 or more) and n_charges (1 or more) are zeroed
 * but for their numbers; the caller fills them in.
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
 * Registers a new block under a number (1..). The table owns the block with its slots, charges and
 * references from here on. A rest is registered by its number only.
 */
void blocks_add(struct blocks *blocks, struct block *block, Bool is_rest);

/* The number that the next blocks_add() will give. */
UInt blocks_next_number(const struct blocks *blocks);

/*
 * The live block that a jump to an address leads to (not a function that runs itself instead of its
 * replacement); NULL if there is none.
 */
struct block *blocks_search(struct blocks *blocks, Addr address);

static inline struct block *blocks_at(struct blocks *blocks, Addr address)
{
	struct block *block = blocks->found[address % BLOCKS_FOUND];

	return block != NULL && block->key == address ? block : blocks_search(blocks, address);
}

/* The live block of this number; NULL for 0 or if no block has the number any more. */
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

/* The references of a block. */
static inline struct reference *blocks_references(const struct blocks *blocks, UInt number)
{
	return blocks->references[number].first;
}

/*
 * The execution of a block that hot names ended with a fault in the instruction at address: adds
 * what had run of its segment, which has not been counted yet, to costs and totals.
 */
void blocks_cut_short(struct blocks *blocks, const struct block *block, struct sites *sites,
		      struct hot *hot, Addr address);

/* The core's callback for a translation that it discards; the code may still be running. */
void blocks_discard(struct blocks *blocks, Addr address, const VexGuestExtents *extents);

/*
 * Settles and frees discarded blocks, except those for which is_needed() is true. Call it only
 * while no generated code runs.
 */
void blocks_reclaim(struct blocks *blocks, struct sites *sites,
		    Bool (*is_needed)(const struct block *block));

/* Moves all counts to the cells. The sums do not change. */
void blocks_settle(struct blocks *blocks, struct sites *sites);

/* The same at the end of a run, when no code runs any more: all blocks go. */
void blocks_end(struct blocks *blocks, struct sites *sites);

/* --- entries ------------------------------------------------------------------------------------ */

/*
 * Entries: why most blocks do not test, when they are entered, that their unit is the one that runs
 * (hot->unit). There are three ways into a block, and each makes sure of that before:
 *
 *	a jump to a constant address	*expects* that the code there is of its own unit, and does nothing.  If that has
 *					been translated as code of another unit, the jump calls C like the next two
 *	a call, return, computed jump	calls C, which finds the block at the target and has control arrive there
 *					(calls_arrive())
 *	the core			the tool does the same whenever the core enters generated code: at the start of
 *					threads and handlers and after them, after system calls and client requests, in
 *					code that has just been translated, after discards
 *
 * If there is no block at the target yet, the core translates it, which is the third way. Some
 * blocks test their entry, and nothing is done before:
 *
 *	- blocks of another unit than jumps expect that were translated earlier;
 *	- the rest of a superblock, which control falls into;
 *	- a redirected function that runs itself this time, whose address another block also has;
 *	- code that first checks whether it has been modified: if so, it is other code.
 *
 * Expectations are never forgotten: a jump may outlive the code that it leads to. With
 * --check-entries=yes all blocks test, and the run panics if one finds what should not happen.
 */

/*
 * A jump from a unit to a constant address is being translated. True if the jump needs to do
 * nothing: now and whenever the target is translated again, the block there is of this unit, or
 * tests.
 */
Bool blocks_expect(struct blocks *blocks, Addr target, const struct unit *unit);

/* True if jumps expect another unit than this at an address where a block is being translated. */
Bool blocks_surprise(const struct blocks *blocks, Addr address, const struct unit *unit);

#endif
