/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/instrument/inline_branches.h"

#include "tool/counts/state.h"
#include "tool/instrument/block_builder.h"
#include "tool/instrument/cold.h"
#include "tool/instrument/ir.h"
#include "tool/simulate/branching.h"
#include "tool/simulate/miss_path.h"
#include "tool/simulate/state.h"

/* NULL: the predictor is Cachegrind's, in the machine. */
static struct predictor *predictor(void)
{
	return tool_simulate.branching.predictor;
}

/* True if C is called for each branch. */
static Bool all_called(const struct translation *translation)
{
	return translation->cold || tool_simulate.branching.config.is_traced;
}

/* A charge of the current instruction for a branch, with n_slots slots: one branch a charge. */
static struct charge *branch_charge(struct translation *translation, UInt n_slots)
{
	struct block_builder *builder = translation->builder;
	struct charge *charge = block_builder_charge(translation);

	if (charge->slot != 0)
		charge = block_builder_add_charge(translation, False);
	charge->slot = block_builder_add_slot(builder);
	for (UInt i = 1; i < n_slots; i++)
		block_builder_add_slot(builder);
	charge->kind.n_slots = (UChar)n_slots;
	return charge;
}

static struct branch_place *place_of(const struct translation *translation)
{
	return branching_place(&tool_simulate.branching, translation->site);
}

/* The arguments of calls for a charge's branch. */
static IRExpr **call_args(const struct translation *translation, const struct charge *charge,
			  IRExpr *outcome, const struct branch_place *place)
{
	return mkIRExprVec_3(block_builder_which_charge(translation, charge), outcome,
			     ir_u64((Addr)place));
}

/* -- Cachegrind's predictors ------------------------------------------------------------------ */

/* Counts a misprediction of the branch or jump that charge is for. */
static void count_wrong(struct translation *translation, const struct charge *charge,
			enum event event, IRExpr *wrong)
{
	block_builder_count(translation, charge->slot, wrong);
	ir_add_to(translation, &tool_counts.hot->totals[event], wrong);
}

/* The cell of the branch, given base + history.  Made for each use, it costs nothing. */
static IRExpr *cell_address(const struct translation *translation, IRExpr *row)
{
	const uint8_t *first =
		&tool_simulate.machine->cells[machine_first_cell(translation->site->address)];

	return ir_binary(translation->out, Iop_Add64, row, ir_u64((Addr)first - tool_counts.base));
}

/* next_cell[cell + MACHINE_CELL_TAKEN * taken], a byte */
static IRExpr *next_cell(struct translation *translation, IRExpr *at, IRExpr *taken)
{
	IRSB *out = translation->out;
	IRExpr *cell = ir_assign(out, Ity_I8, IRExpr_Load(Iend_LE, Ity_I8, at));
	IRExpr *wide = ir_assign(out, Ity_I64, IRExpr_Unop(Iop_8Uto64, cell));
	IRExpr *row = ir_binary(out, Iop_Add64, translation->own, wide);
	IRExpr *column = ir_binary(out, Iop_Shl64, taken, IRExpr_Const(IRConst_U8(3)));
	IRExpr *address =
		ir_binary(out, Iop_Add64, ir_binary(out, Iop_Add64, row, column),
			  ir_u64((Addr)tool_simulate.machine->next_cell - tool_counts.base));

	return ir_assign(out, Ity_I8, IRExpr_Load(Iend_LE, Ity_I8, address));
}

/* history = (history << 1 | taken) & its bits */
static IRExpr *next_history(struct translation *translation, IRExpr *taken)
{
	IRSB *out = translation->out;
	IRExpr *older = ir_binary(out, Iop_Shl64, translation->builder->history,
				  IRExpr_Const(IRConst_U8(1)));

	return ir_binary(out, Iop_And64, ir_binary(out, Iop_Or64, older, taken),
			 ir_u64(MACHINE_HISTORIES - 1));
}

static void cachegrind_branch(struct translation *translation, struct charge *charge, IRExpr *taken)
{
	struct block_builder *builder = translation->builder;
	IRSB *out = translation->out;
	IRExpr *row, *cell, *wrong;

	if (translation->cold) {
		cold_emit_branch(translation, charge, taken);
		return;
	}
	if (builder->history == NULL)
		builder->history = ir_load(translation, &tool_simulate.machine->history);
	row = ir_binary(out, Iop_Add64, translation->own, builder->history);
	cell = next_cell(translation, cell_address(translation, row), taken);
	addStmtToIRSB(out, IRStmt_Store(Iend_LE, cell_address(translation, row), cell));
	wrong = ir_binary(out, Iop_Shr64, ir_assign(out, Ity_I64, IRExpr_Unop(Iop_8Uto64, cell)),
			  IRExpr_Const(IRConst_U8(MACHINE_CELL_MISS_BIT)));
	count_wrong(translation, charge, EVENT_BCM, wrong);
	builder->history = next_history(translation, taken);
	ir_store(translation, &tool_simulate.machine->history, builder->history);
}

static void cachegrind_indirect(struct translation *translation, struct charge *charge,
				IRExpr *target)
{
	IRSB *out = translation->out;
	uint64_t *cell;
	IRExpr *wrong;

	if (translation->cold) {
		cold_emit_jump(translation, charge, target);
		return;
	}
	cell = &tool_simulate.machine->targets[translation->site->address & (BRANCH_TARGETS - 1)];
	wrong = ir_assign(out, Ity_I1,
			  IRExpr_Binop(Iop_CmpNE64, ir_load(translation, cell), target));
	count_wrong(translation, charge, EVENT_BIM,
		    ir_assign(out, Ity_I64, IRExpr_Unop(Iop_1Uto64, wrong)));
	ir_store(translation, cell, target);
}

/* -- a machine's predictors: as their twins in sim/branches/predictor.h ------------------------- */

static IRExpr *is_not_zero(const struct translation *translation, IRExpr *word)
{
	return ir_assign(translation->out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, word, ir_u64(0)));
}

static void add_to_history(const struct translation *translation, IRExpr *bits, UInt n)
{
	IRExpr *recent = ir_load(translation, &predictor()->history.recent);

	recent = ir_binary(translation->out, Iop_Shl64, recent, IRExpr_Const(IRConst_U8((UChar)n)));
	ir_store(translation, &predictor()->history.recent,
		 ir_binary(translation->out, Iop_Or64, recent, bits));
}

/* The cell of the branch: its index is the branch's ^ the newest bits of the history. */
static IRExpr *tage_cell_word(const struct translation *translation,
			      const struct branch_place *place)
{
	const struct tage *tage = &predictor()->tage;
	const UInt newest = predictor()->history.newest_mask;
	IRSB *out = translation->out;
	IRExpr *at = ir_load(translation, &predictor()->history.recent);

	at = ir_binary(out, Iop_And64, at, ir_u64(newest));
	at = ir_binary(out, Iop_Xor64, at, ir_u64(tage_cell_index(tage, place->key)));
	at = ir_binary(out, Iop_Shl64, at, IRExpr_Const(IRConst_U8(1)));
	at = ir_binary(out, Iop_Add64, translation->own, at);
	at = ir_binary(out, Iop_Add64, at, ir_u64((Addr)tage->cells - tool_counts.base));
	return ir_assign(out, Ity_I64,
			 IRExpr_Unop(Iop_16Uto64,
				     ir_assign(out, Ity_I16, IRExpr_Load(Iend_LE, Ity_I16, at))));
}

/* The branch counts an execution. */
static IRExpr *count_down(const struct translation *translation, struct branch_place *place)
{
	IRExpr *left = ir_binary(translation->out, Iop_Sub64, ir_load(translation, &place->left),
				 ir_u64(1));

	ir_store(translation, &place->left, left);
	return left;
}

/* The address of place->plain[taken], by one instruction: it is used twice. */
static IRExpr *plain_address(const struct translation *translation,
			     const struct branch_place *place, IRExpr *taken)
{
	IRSB *out = translation->out;
	IRExpr *at = ir_binary(out, Iop_Shl64, taken, IRExpr_Const(IRConst_U8(3)));

	at = ir_binary(out, Iop_Add64, translation->own, at);
	return ir_binary(out, Iop_Add64, at, ir_u64((Addr)place->plain - tool_counts.base));
}

static UInt index_of(const struct translation *translation, const struct charge *charge)
{
	return (UInt)(charge - translation->builder->charges);
}

/* Calls C for a conditional branch that is not plain. */
static void call_branch(const struct translation *translation, const struct charge *charge,
			IRExpr *is_slow, IRExpr *plain)
{
	const UInt index = index_of(translation, charge);

	if (index < MISS_PATHS)
		ir_call_if(translation->out, is_slow, 1, "branch_slow",
			   branch_paths.branch_of[index], mkIRExprVec_1(plain));
	else
		ir_call_if(translation->out, is_slow, 2, "branch_slow", branch_paths.branch,
			   mkIRExprVec_2(plain, ir_u64(index)));
}

/* Calls C for a direct jump that is unknown. */
static void call_take(const struct translation *translation, const struct charge *charge,
		      IRExpr *unknown, const struct branch_place *place)
{
	const UInt index = index_of(translation, charge);

	if (index < MISS_PATHS)
		ir_call_if(translation->out, unknown, 1, "take_slow", branch_paths.take_of[index],
			   mkIRExprVec_1(ir_u64((Addr)place)));
	else
		ir_call_if(translation->out, unknown, 2, "take_slow", branch_paths.take,
			   mkIRExprVec_2(ir_u64((Addr)place), ir_u64(index)));
}

static void machine_branch_inline(const struct translation *translation,
				  const struct charge *charge, IRExpr *taken)
{
	IRSB *out = translation->out;
	struct branch_place *place = place_of(translation);
	IRExpr *left, *plain, *cell, *differs, *is_slow;

	if (all_called(translation) || tool_simulate.branching.config.has_detail) {
		ir_call_if(translation->out, NULL, 3, "branching_emitted_branch",
			   &branching_emitted_branch, call_args(translation, charge, taken, place));
		return;
	}
	if (predictor()->is_exact) {
		ir_call_if(translation->out, NULL, 2, "branching_emitted_branch_exact",
			   &branching_emitted_branch_exact,
			   mkIRExprVec_2(block_builder_which_charge(translation, charge),
					 ir_binary(out, Iop_Add64, taken, ir_u64((Addr)place))));
		return;
	}
	left = count_down(translation, place);
	plain = plain_address(translation, place, taken);
	cell = tage_cell_word(translation, place);
	differs = ir_binary(out, Iop_Xor64, cell,
			    ir_assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, plain)));
	differs = ir_binary(out, Iop_Shl64, differs, IRExpr_Const(IRConst_U8(TAGE_LEFT_BITS)));
	is_slow = ir_assign(out, Ity_I1, IRExpr_Binop(Iop_CmpLT64S, left, differs));
	call_branch(translation, charge, is_slow, plain);
	add_to_history(translation, taken, 1);
}

/* Not 0 if the target buffer does not know the place. */
static IRExpr *unknown_bits(const struct translation *translation, const struct branch_place *place)
{
	return ir_binary(translation->out, Iop_Xor64, ir_load(translation, &place->plain[1]),
			 ir_u64(BRANCH_KNOWN));
}

/* The arguments of a jump or return that C looks at. */
static IRExpr **slow_args(const struct translation *translation, const struct charge *charge,
			  IRExpr *target, const struct branch_place *place)
{
	return mkIRExprVec_3(ir_u64((Addr)place), target, ir_u64(index_of(translation, charge)));
}

static void machine_indirect(const struct translation *translation, const struct charge *charge,
			     IRExpr *target)
{
	IRSB *out = translation->out;
	struct branch_place *place = place_of(translation);
	IRExpr *slow;

	if (all_called(translation)) {
		ir_call_if(translation->out, NULL, 3, "branching_emitted_jump",
			   &branching_emitted_jump, call_args(translation, charge, target, place));
		return;
	}
	slow = ir_binary(out, Iop_Xor64, target, ir_load(translation, &place->jump->expected));
	slow = ir_binary(out, Iop_Or64, slow, unknown_bits(translation, place));
	ir_call_if(translation->out, is_not_zero(translation, slow), 3, "jump_slow",
		   branch_paths.jump, slow_args(translation, charge, target, place));
	add_to_history(translation, ir_load(translation, &place->jump->bits), JUMP_BITS);
}

/* The place of the ring after at; after end comes the first one. */
static IRExpr *step_ring(const struct translation *translation, IRExpr *at, IRExpr *stepped,
			 uint64_t *const *end, uint64_t *const *begin)
{
	IRExpr *is_end = ir_assign(translation->out, Ity_I1,
				   IRExpr_Binop(Iop_CmpEQ64, at, ir_load(translation, end)));

	return ir_assign(translation->out, Ity_I64,
			 IRExpr_ITE(is_end, ir_load(translation, begin), stepped));
}

/* -- events ---------------------------------------------------------------------------------- */

void inline_branch(struct translation *translation, const struct branch *branch)
{
	struct charge *charge;
	IRExpr *taken;

	if (!tool_simulate.options.branch_sim)
		return;
	charge = branch_charge(translation, predictor() == NULL ? 1
					    : tool_simulate.branching.config.has_detail
						    ? N_BRANCH_DETAIL_SLOTS
						    : N_BRANCH_SLOTS);
	charge->kind.traits.is_branch = 1;
	taken = engine_taken(translation, branch->guard, branch->inverted);
	translation->taken = taken;
	if (predictor() == NULL)
		cachegrind_branch(translation, charge, taken);
	else
		machine_branch_inline(translation, charge, taken);
}

void inline_indirect(struct translation *translation, IRExpr *target)
{
	struct charge *charge;

	if (!tool_simulate.options.branch_sim)
		return;
	charge = branch_charge(translation, predictor() == NULL ? 1 : N_BRANCH_SLOTS);
	charge->kind.traits.is_jump = 1;
	if (predictor() == NULL)
		cachegrind_indirect(translation, charge, target);
	else
		machine_indirect(translation, charge, target);
}

void inline_direct(struct translation *translation)
{
	struct branch_place *place = place_of(translation);
	const struct charge *charge = branch_charge(translation, N_BRANCH_SLOTS);
	IRExpr *unknown;

	if (all_called(translation)) {
		ir_call_if(translation->out, NULL, 2, "branching_emitted_take",
			   &branching_emitted_take,
			   mkIRExprVec_2(block_builder_which_charge(translation, charge),
					 ir_u64((Addr)place)));
		return;
	}
	unknown = ir_assign(translation->out, Ity_I1,
			    IRExpr_Binop(Iop_CmpNE64, ir_load(translation, &place->plain[1]),
					 ir_u64(BRANCH_KNOWN)));
	call_take(translation, charge, unknown, place);
}

void inline_return(struct translation *translation, IRExpr *target)
{
	IRSB *out = translation->out;
	struct branch_place *place = place_of(translation);
	struct return_stack *stack = &predictor()->returns;
	struct charge *charge = branch_charge(translation, N_BRANCH_SLOTS);
	IRExpr *top, *slow;

	charge->kind.traits.is_return = 1;
	if (all_called(translation)) {
		ir_call_if(translation->out, NULL, 3, "branching_emitted_return",
			   &branching_emitted_return,
			   call_args(translation, charge, target, place));
		return;
	}
	top = ir_load(translation, &stack->top);
	slow = ir_assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, top));
	slow = ir_binary(out, Iop_Xor64, slow, target);
	slow = ir_binary(out, Iop_Or64, slow, unknown_bits(translation, place));
	ir_call_if(translation->out, is_not_zero(translation, slow), 3, "return_slow",
		   branch_paths.ret, slow_args(translation, charge, target, place));
	ir_store(translation, &stack->top,
		 step_ring(translation, top,
			   ir_binary(out, Iop_Sub64, top, ir_u64(sizeof(stack->ring[0]))),
			   &stack->first, &stack->last));
}

void inline_call(struct translation *translation)
{
	IRSB *out = translation->out;
	struct return_stack *stack = &predictor()->returns;
	IRExpr *behind = ir_u64(translation->site->address + translation->site->size);
	IRExpr *top;

	if (all_called(translation)) {
		ir_call_if(out, NULL, 1, "branching_emitted_call", &branching_emitted_call,
			   mkIRExprVec_1(behind));
		return;
	}
	top = ir_load(translation, &stack->top);
	top = step_ring(translation, top,
			ir_binary(out, Iop_Add64, top, ir_u64(sizeof(stack->ring[0]))),
			&stack->last, &stack->first);
	addStmtToIRSB(out, IRStmt_Store(Iend_LE, top, behind));
	ir_store(translation, &stack->top, top);
}
