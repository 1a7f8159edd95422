/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A block that the inline engine is building: what has been emitted, and what
 * struct block (tool/counts/block.h) will hold: segments, charges, references.
 *
 * What is known only at the end of a block (how many stamps it needs, which
 * slots it gets) is emitted as a constant that is filled in then.
 */
#ifndef TOOL_INSTRUMENT_BLOCK_BUILDER_H
#define TOOL_INSTRUMENT_BLOCK_BUILDER_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

#include "tool/counts/block.h"
#include "tool/counts/jump.h"
#include "tool/instrument/engine.h"

enum {
	BLOCK_BUILDER_MAX_CHARGES = 4096, /* a superblock has at most some 100 instructions */
	BLOCK_BUILDER_MAX_COUNTS = 4096,
	BLOCK_BUILDER_MAX_REFERENCES = 4096,
	BLOCK_BUILDER_MAX_JUMPS = 255,
};

/* The two constants by which generated code finds a slot: to load and to store. */
struct slot_constants {
	IRConst *load, *store;
};

/* One block being built; at most one is. */
struct block_builder {
	IRExpr *counts;    /* hot->counts; NULL in cold code */
	IRExpr *clock;     /* as it was before the block; NULL without caches or in cold code */
	IRConst *n_stamps; /* the constant by which the clock is advanced */
	UInt n_code_stamps, n_data_stamps;
	IRExpr *history;   /* NULL before the first branch */
	Int reset;         /* index of the statement hot->charge = 0 */
	Bool is_split;     /* which only a block with a split instruction needs */
	Bool segment_open; /* the next event belongs to the last segment */
	Bool owes;         /* the instruction before had a second segment of packed work already */
	Bool has_access;   /* the current instruction has an access in its segment */
	Bool line_known;   /* code_line is the line fetched from last in this block */
	Addr code_line;
	Bool is_observed; /* totals are looked at in it: nothing is counted earlier than it happens */
	UInt number;      /* of the block */
	UInt n_segments, n_others, n_charges, n_references, n_jumps;
	UInt first_charge;    /* of the open segment */
	UInt read;            /* index of the last reference without a guard */
	Bool begins_by_fetch; /* cold code does, which C does for it: reference 0 */
	/* Of cold code: the branch that the open segment ends with, and whether it is taken; or NULL. */
	const struct charge *branch;
	IRExpr *taken;
	struct slot_constants segments[BLOCK_BUILDER_MAX_COUNTS];
	struct slot_constants
		others[BLOCK_BUILDER_MAX_COUNTS]; /* of mispredictions, and of jumps taken */
	struct charge charges[BLOCK_BUILDER_MAX_CHARGES];
	struct reference references[BLOCK_BUILDER_MAX_REFERENCES];
	struct site *sites[BLOCK_BUILDER_MAX_REFERENCES]; /* whose they are */
	struct block_jump jumps[BLOCK_BUILDER_MAX_JUMPS];
};

/* The builder, for another block. */
struct block_builder *block_builder_reset(void);

/* Advances the clock by all stamps of the block. */
void block_builder_advance_clock(const struct translation *translation);

/* The stamp after the n_before ones of this block that were used before. */
IRExpr *block_builder_stamp(const struct translation *translation, UInt n_before);

/* The next event belongs to the segment that is open, or to a new one. */
void block_builder_open_segment(struct translation *translation);

/* The program may leave the segment here: what it has cost is added up. */
void block_builder_close_segment(struct translation *translation);

/* A charge of the current instruction; begins: it does so here. */
struct charge *block_builder_add_charge(struct translation *translation, Bool begins);

/* The charge of the current instruction, in a segment that is open. */
struct charge *block_builder_charge(struct translation *translation);

/*
 * amount, an atom of type I64, of an event of work is counted here of the current instruction, in a slot and a charge of
 * its own.
 */
void block_builder_count_event(struct translation *translation, enum event event, IRExpr *amount);

/*
 * A second access of one instruction has a segment of its own: the first may
 * fault, and then this one is not made.  hot->charge says which of the two
 * it was, since both have the same address.
 */
void block_builder_split(struct translation *translation);

/* A reference of the current instruction that takes n_stamps stamps: the builder's last one. */
struct reference *block_builder_add_reference(struct translation *translation,
					      enum reference_kind kind, UInt n_stamps);

/*
 * A slot for what is counted when it happens, numbered from 1 among the slots
 * of the block that are not a segment's.
 */
UShort block_builder_add_slot(struct block_builder *builder);

/* Adds amount to one of these. */
void block_builder_count(const struct translation *translation, UShort slot, IRExpr *amount);

/* A segment or charge of the block, as generated code passes it to C (which_of() in tool/counts/block.h). */
IRExpr *block_builder_which_segment(const struct translation *translation, UInt index);
IRExpr *block_builder_which_charge(const struct translation *translation,
				   const struct charge *charge);

/* Gives the block, which has room for it, what the builder knows; its slots are unit's. */
void block_builder_finish(struct block_builder *builder, struct unit *unit, struct block *block);

#endif
