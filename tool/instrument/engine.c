/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What both engines do in the same way. */
#include "tool/instrument/engine.h"

#include "pub_tool_libcbase.h"

#include "tool/calls/callstack.h"
#include "tool/calls/state.h"
#include "tool/counts/state.h"
#include "tool/instrument/ir.h"
#include "tool/instrument/jumping.h"
#include "tool/simulate/state.h"

Bool engine_writes_matter(void)
{
	return tool_simulate.caches.write_back || tool_simulate.cores.several;
}

IRExpr *engine_taken(const struct translation *translation, IRExpr *guard, Bool inverted)
{
	if (inverted)
		guard = ir_assign(translation->out, Ity_I1, IRExpr_Unop(Iop_Not1, guard));
	return ir_assign(translation->out, Ity_I64, IRExpr_Unop(Iop_1Uto64, guard));
}

void engine_compute_jump(const struct translation *translation, IRExpr *target)
{
	ir_call_if(translation->out, NULL, 2, "jumping_compute", &jumping_compute,
		   mkIRExprVec_2(ir_u64((Addr)translation->site), target));
}

Bool engine_is_to_entry(const struct translation *translation, const IRExpr *target)
{
	const struct scope *scope = translation->site->scope;

	return target->tag == Iex_Const && !scope->function->anonymous &&
	       target->Iex.Const.con->tag == Ico_U64 &&
	       target->Iex.Const.con->Ico.U64 - scope->bias == scope->function->entry;
}

void engine_reads_sp(const struct translation *translation)
{
	const IRSB *out = translation->out;
	IRDirty *call = out->stmts[out->stmts_used - 1]->Ist.Dirty.details;

	call->nFxState = 1;
	VG_(memset)(&call->fxState[0], 0, sizeof(call->fxState[0]));
	call->fxState[0].fx = Ifx_Read;
	call->fxState[0].offset = (UShort)translation->layout->offset_SP;
	call->fxState[0].size = (UShort)translation->layout->sizeof_SP;
}

struct block *engine_new_block(const struct translation *translation, UInt n_references,
			       UInt n_charges, const struct block_jump *jumps, UInt n_jumps)
{
	struct block *block =
		block_new(&tool_counts.blocks, n_references, n_charges, jumps, n_jumps);

	block->skipped = translation->unit->function->settings.skip;
	return block;
}

void engine_add_block(struct translation *translation, struct block *block)
{
	const struct source_location place = site_place(block_first_site(block));

	block->key = translation->entry;
	block->base = translation->extents->base[0];
	block->size = translation->extents->len[0];
	block->unit = translation->unit;
	block->path = translation->path;
	block->tests = translation->tests;
	block->no_redir = translation->no_redir;
	block->body = place.function->body;
	block->stray = callstack_stray(symbols_object_number(place.function),
				       place.function->anonymous, place.function->plt);
	block->entry = !place.function->anonymous && !place.function->cold &&
		       place.address == place.function->entry;
	blocks_add(&tool_counts.blocks, block, translation->last != NULL);
	if (translation->last != NULL)
		translation->last->rest = block;
	translation->last = block;
}
