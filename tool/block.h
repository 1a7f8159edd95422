/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks: translated superblocks with their live counters.
 *
 * A block is cut into *segments*, runs of events with no way out between
 * them, so that one counter tells how often each of them happened.  What an
 * execution of a segment costs is known when it is translated: the *charges*
 * of its instructions.  Only misses and mispredictions are counted one by one,
 * in *references* and beside the charges.
 *
 * Counters belong to the translation; settling moves what they hold to the
 * sites, where costs live for good.
 */
#ifndef TOOL_BLOCK_H
#define TOOL_BLOCK_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_tooliface.h"

#include "sim/machine.h"
#include "tool/near.h"
#include "tool/site.h"

enum reference_kind {
	REFERENCE_FETCH,
	REFERENCE_READ,
	REFERENCE_WRITE,
};

enum {
	NO_REFERENCE = 0, /* number of no reference: they count from 1 */
};

/* One place in generated code that refers to memory, by its number: what its slow path needs. */
struct reference {
	struct site *site;
	ULong l1_misses, ll_misses;
	union {
		ULong executed;           /* guarded access: how often the guard held */
		struct code_line *line;   /* fetch from one line */
		struct code_line **lines; /* fetch from several: owned */
	} u;
	UInt next;     /* number of the next of its block, or of the next free one */
	UInt size;     /* bytes */
	UShort age;    /* its first stamp is clock - age when its block runs */
	UChar kind;    /* enum reference_kind */
	UChar n_lines; /* of code; 0 in a data access */
};

/* What one execution of a segment costs one instruction. */
struct charge {
	struct site *site;
	ULong *wrong; /* mispredictions of its branch or jump, or NULL; a near counter */
	UShort segment;
	UChar n_instructions; /* 1, or 0 in a segment that begins in mid-instruction */
	UChar n_reads, n_writes;
	Bool is_branch, is_jump; /* not both */
	Bool split;              /* begins with a second access of its instruction */
};

/* charges and counters lie behind the struct, in one piece of memory. */
struct block {
	struct block *next; /* the hash table's, or of the list of discarded ones */
	UWord key;          /* address where the program entered: nraddr */
	VexGuestExtents extents;
	ULong *n_faults; /* a charge: executions that ended there, by a fault; NULL without any */
	UInt number;
	UInt first_reference;
	UShort n_segments, n_charges;
	struct charge *charges;
	ULong *counters[]; /* one a segment */
};

struct blocks {
	VgHashTable *table;      /* live blocks by address */
	struct block *discarded; /* to be settled and freed when no generated code runs */
	struct block *twins;     /* of a discard that fits two blocks: one of them lives on */
	struct block **by_number;
	UInt n_numbers, room_for_numbers;
	UInt free_number;         /* 0 = none; else by_number of it holds the next free one */
	struct reference **pages; /* of references, by number */
	UInt n_pages;
	UInt n_references; /* ever made */
	UInt free_reference;
	VgHashTable *lines; /* struct line_node by address */
	ULong n_entered;    /* executions of blocks, as far as they are settled */
};

void blocks_init(struct blocks *blocks);

/*
 * A reference with its number in *number.  The struct does not move while it
 * is in use.
 */
struct reference *blocks_add_reference(struct blocks *blocks, UInt *number);

enum {
	REFERENCES_A_PAGE = 1024,
};

static inline struct reference *blocks_reference(const struct blocks *blocks, UInt number)
{
	return &blocks->pages[number / REFERENCES_A_PAGE][number % REFERENCES_A_PAGE];
}

/* The line of code that holds address: one struct a line, made at need, never freed. */
struct code_line *blocks_code_line(struct blocks *blocks, struct near *near,
				   struct machine *machine, Addr address);

/* A block with room for its counters and charges, zeroed but for these numbers. */
struct block *block_new(UInt n_segments, UInt n_charges);

/*
 * Registers a new block and gives it a number (1..); the block, counters,
 * charges and references are the table's from here on.
 */
void blocks_add(struct blocks *blocks, struct block *block);

/* The number that the next blocks_add() will give. */
UInt blocks_next_number(const struct blocks *blocks);

/* The live block of this number, NULL if there is none. */
struct block *blocks_by_number(const struct blocks *blocks, UInt number);

/*
 * Notes that a block ended with a fault in the instruction at address: those
 * behind it in its segment did not run.  last_split is the number of the last
 * charge with split set that ran in this execution of the block, or 0.
 */
void block_add_fault(struct block *block, Addr address, ULong last_split);

/* The core's callback for a translation that is no more; its code may still be running. */
void blocks_discard(struct blocks *blocks, Addr address, const VexGuestExtents *extents);

/* Settles and frees discarded blocks; only while no generated code runs. */
void blocks_reclaim(struct blocks *blocks, struct near *near, struct sites *sites);

/* Moves all counts to the sites.  Their sums do not change by it. */
void blocks_settle(struct blocks *blocks, struct sites *sites);

#endif
