/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/instrument/cold.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "tool/calls/calls.h"
#include "tool/common/guest.h"
#include "tool/counts/state.h"
#include "tool/cycles/state.h"
#include "tool/generated/generated.h"
#include "tool/instrument/block_builder.h"
#include "tool/instrument/ir.h"
#include "tool/instrument/state.h"
#include "tool/simulate/state.h"

enum {
	MOST_TRANSLATIONS = 40000, /* of cold code: a program that has run more is no short one */
	PATIENCE = 2,              /* times its runs that a warm block waits for a batch to fill */
};

/* An address at which a block is warm. */
struct warm_node {
	struct warm_node *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
};

void cold_init(struct cold *cold, UInt runs)
{
	*cold = (struct cold){ .runs = runs, .warm = VG_(HT_construct)("costgrind.warm") };
}

Bool cold_begins(struct cold *cold, Addr entry)
{
	if (cold->runs == 0 || cold->n_translations == MOST_TRANSLATIONS ||
	    VG_(HT_lookup)(cold->warm, entry) != NULL)
		return False;
	cold->n_translations++;
	return True;
}

void cold_promote(struct cold *cold)
{
	if (!cold->is_left)
		return;
	for (UInt i = 0; i < cold->n_waiting; i++)
		VG_(discard_translations)(cold->waiting[i], 1, "costgrind");
	cold->n_waiting = 0;
	cold->is_left = False;
}

/* --- what cold code calls --------------------------------------------------------------- */

static void enter_block(struct block *block)
{
	struct hot *hot = tool_counts.hot;

	if (hot->unit != block->unit->number) {
		if (tool_instrument.options.check_entries && !block->tests)
			calls_surprise(block->number);
		calls_enter(block->number);
	}
	hot->block = block->number;
	hot->charge = 0;
	tool_simulate.running->clock += block->n_stamps;
	if (block->begins_by_fetch)
		tool_simulate.paths->fetch(0);
}

/* The rest of a superblock. */
static VG_REGPARM(1) void cold_enter(UWord number)
{
	enter_block(blocks_by_number(&tool_counts.blocks, (UInt)number));
}

/* The core counts the blocks that it enters; one that is left at once is none. */
static void take_back_entry(ThreadId tid)
{
	guest_set_blocks_to_go(tid, guest_blocks_to_go(tid) + 1);
}

/* Has the jump of kind InvalICache discard what is in a range. */
static void discard_when_left(ThreadId tid, struct address_range range)
{
	guest_write(tid, GUEST_DISCARDED, range.first);
	guest_write(tid, GUEST_DISCARDED_SIZE, range.last - range.first + 1);
}

/* It goes with the next batch. */
static void warm_up(struct cold *cold, const struct block *block)
{
	struct warm_node *node = VG_(perm_malloc)(sizeof(*node), 8);

	node->key = block->key;
	VG_(HT_add_node)(cold->warm, node);
	cold->waiting[cold->n_waiting++] = block->base;
}

/* Leaves a block for good, so that no generated code runs when the batch is discarded. */
static void leave(struct cold *cold, const struct block *block)
{
	ThreadId tid = VG_(get_running_tid)();

	take_back_entry(tid);
	discard_when_left(tid, address_range(block->base, 1));
	cold->is_left = True;
}

/*
 * A range at a time, and then the superblock that calls this, whose first byte is at base: until then it
 * comes back to itself.
 */
static VG_REGPARM(1) void discard_renamed(UWord base)
{
	ThreadId tid = VG_(get_running_tid)();
	struct address_range range;

	take_back_entry(tid);
	discard_when_left(tid, generated_take_renamed(&range) ? range : address_range(base, 1));
}

static VG_REGPARM(0) void be_precise(void)
{
	take_back_entry(VG_(get_running_tid)());
	register_updates_ask_once(&tool_instrument.register_updates);
}

/* Enters a block, or returns that it is to be left, nothing having happened. */
static VG_REGPARM(1) UWord cold_begin(UWord number)
{
	struct block *block = blocks_by_number(&tool_counts.blocks, (UInt)number);
	struct cold *cold = &tool_instrument.cold;

	if (__builtin_expect(block->n_runs >= cold->runs, 0)) {
		if (block->n_runs == cold->runs)
			warm_up(cold, block);
		if (cold->n_waiting == COLD_BATCH || block->n_runs / PATIENCE >= cold->runs ||
		    block->n_runs == COLD_MAX_RUNS) {
			leave(cold, block);
			return 1;
		}
	}
	block->n_runs++;
	if (block->path != NULL)
		paths_follow(block->path, paths_before());
	enter_block(block);
	return 0;
}

static void count_segment(const struct block *block, UInt segment)
{
	const struct blocks *blocks = &tool_counts.blocks;

	tool_counts.hot->counts[block->first_count + segment]++;
	for (UInt i = 0; i < block->n_charges; i++)
		if (block->charges[i].segment == segment)
			charge_count_once(blocks_kind(blocks, &block->charges[i]), &blocks->works,
					  tool_counts.hot);
}

static VG_REGPARM(1) void cold_count(UWord which)
{
	count_segment(which_block(&tool_counts.blocks, which), which_index(which));
}

/* In the slot of a charge. */
static void count_wrong(const struct block *block, const struct kept_charge *charge,
			enum event event)
{
	tool_counts.hot->counts[block->first_count + charge->slot]++;
	tool_counts.hot->totals[event]++;
}

static void predict_branch(const struct block *block, const struct kept_charge *charge, UWord taken)
{
	if (machine_branch(tool_simulate.running, charge->site->address, taken != 0))
		count_wrong(block, charge, EVENT_BCM);
}

static VG_REGPARM(2) void cold_branch(UWord which, UWord taken)
{
	const struct block *block = which_block(&tool_counts.blocks, which);

	predict_branch(block, &block->charges[which_index(which)], taken);
}

static VG_REGPARM(2) void cold_branch_and_count(UWord which, UWord taken)
{
	const struct block *block = which_block(&tool_counts.blocks, which);
	const struct kept_charge *charge = &block->charges[which_index(which)];

	predict_branch(block, charge, taken);
	count_segment(block, charge->segment);
}

static VG_REGPARM(2) void cold_jump(UWord which, UWord target)
{
	const struct block *block = which_block(&tool_counts.blocks, which);
	const struct kept_charge *charge = &block->charges[which_index(which)];

	if (machine_jump(tool_simulate.running, charge->site->address, target))
		count_wrong(block, charge, EVENT_BIM);
}

static VG_REGPARM(1) void cold_complete(UWord which)
{
	const struct block *block = which_block(&tool_counts.blocks, which);

	count_wrong(block, &block->charges[which_index(which)], EVENT_IR);
}

/* --- the calls -------------------------------------------------------------------------- */

static void emit_leave(const struct translation *translation)
{
	translation->out->next = ir_u64(translation->entry);
	translation->out->jumpkind = Ijk_InvalICache;
}

void cold_emit_precise_again(const struct translation *translation)
{
	IRSB *out = translation->out;
	Addr base = translation->extents->base[0];

	ir_call_if(out, NULL, 0, "be_precise", &be_precise, mkIRExprVec_0());
	addStmtToIRSB(out, IRStmt_Put(GUEST_DISCARDED, ir_u64(base)));
	addStmtToIRSB(out, IRStmt_Put(GUEST_DISCARDED_SIZE, ir_u64(1)));
	emit_leave(translation);
}

void cold_emit_discard(const struct translation *translation)
{
	ir_call_if(translation->out, NULL, 1, "discard_renamed", &discard_renamed,
		   mkIRExprVec_1(ir_u64(translation->extents->base[0])));
	emit_leave(translation);
}

void cold_emit_begin(struct translation *translation)
{
	IRSB *out = translation->out;
	IRExpr **args = mkIRExprVec_1(ir_u64(translation->builder->number));
	IRTemp leaves;
	IRExpr *guard;

	if (translation->last != NULL) {
		ir_call_if(out, NULL, 1, "cold_enter", &cold_enter, args);
		return;
	}
	leaves = newIRTemp(out->tyenv, Ity_I64);
	addStmtToIRSB(out,
		      IRStmt_Dirty(unsafeIRDirty_1_N(leaves, 1, "cold_begin",
						     VG_(fnptr_to_fnentry)(&cold_begin), args)));
	guard = ir_assign(out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, IRExpr_RdTmp(leaves), ir_u64(0)));
	addStmtToIRSB(out, IRStmt_Exit(guard, Ijk_InvalICache, IRConst_U64(translation->entry),
				       translation->layout->offset_IP));
}

/* The charge of the first instruction is there before its fetch. */
Bool cold_take_first_fetch(struct block_builder *builder)
{
	if (builder->n_references != 1 || builder->n_charges > 1 || builder->is_observed)
		return False;
	builder->begins_by_fetch = True;
	return True;
}

static IRExpr **branch_args(const struct translation *translation)
{
	const struct block_builder *builder = translation->builder;

	return mkIRExprVec_2(block_builder_which_charge(translation, builder->branch),
			     builder->taken);
}

void cold_emit_count(const struct translation *translation)
{
	struct block_builder *builder = translation->builder;
	UInt segment = builder->n_segments - 1;

	if (builder->branch != NULL)
		ir_call_if(translation->out, NULL, 2, "cold_branch_and_count",
			   &cold_branch_and_count, branch_args(translation));
	else
		ir_call_if(translation->out, NULL, 1, "cold_count", &cold_count,
			   mkIRExprVec_1(block_builder_which_segment(translation, segment)));
	builder->branch = NULL;
	ir_keep_loads_above(translation->out);
}

void cold_emit_completion(const struct translation *translation, const struct charge *charge,
			  IRExpr *guard)
{
	ir_call_if(translation->out, guard, 1, "cold_complete", &cold_complete,
		   mkIRExprVec_1(block_builder_which_charge(translation, charge)));
}

void cold_emit_waiting(const struct translation *translation)
{
	struct block_builder *builder = translation->builder;

	if (builder->branch == NULL)
		return;
	ir_call_if(translation->out, NULL, 2, "cold_branch", &cold_branch,
		   branch_args(translation));
	builder->branch = NULL;
}

void cold_emit_branch(const struct translation *translation, const struct charge *charge,
		      IRExpr *taken)
{
	struct block_builder *builder = translation->builder;

	cold_emit_waiting(translation);
	builder->branch = charge;
	builder->taken = taken;
}

void cold_emit_jump(const struct translation *translation, const struct charge *charge,
		    IRExpr *target)
{
	ir_call_if(translation->out, NULL, 2, "cold_jump", &cold_jump,
		   mkIRExprVec_2(block_builder_which_charge(translation, charge), target));
}
