/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/instrument/ir.h"

#include "pub_tool_machine.h"

#include "tool/counts/state.h"
#include "tool/instrument/engine.h"
#include "tool/simulate/state.h"

IRExpr *ir_u64(ULong value)
{
	return IRExpr_Const(IRConst_U64(value));
}

IRExpr *ir_assign(IRSB *out, IRType type, IRExpr *value)
{
	IRTemp temp = newIRTemp(out->tyenv, type);

	addStmtToIRSB(out, IRStmt_WrTmp(temp, value));
	return IRExpr_RdTmp(temp);
}

IRExpr *ir_binary(IRSB *out, IROp op, IRExpr *left, IRExpr *right)
{
	return ir_assign(out, Ity_I64, IRExpr_Binop(op, left, right));
}

/* Two conditions, put together by an operation on words. */
static IRExpr *combine(IRSB *out, IROp op, IRExpr *a, IRExpr *b)
{
	a = ir_assign(out, Ity_I32, IRExpr_Unop(Iop_1Uto32, a));
	b = ir_assign(out, Ity_I32, IRExpr_Unop(Iop_1Uto32, b));
	a = ir_assign(out, Ity_I32, IRExpr_Binop(op, a, b));
	return ir_assign(out, Ity_I1, IRExpr_Binop(Iop_CmpNE32, a, IRExpr_Const(IRConst_U32(0))));
}

IRExpr *ir_either(IRSB *out, IRExpr *a, IRExpr *b)
{
	return combine(out, Iop_Or32, a, b);
}

IRExpr *ir_both(IRSB *out, IRExpr *a, IRExpr *b)
{
	return combine(out, Iop_And32, a, b);
}

IRExpr *ir_near(const struct translation *translation, const void *memory)
{
	Long displacement = (Long)((Addr)memory - tool_counts.base);

	if (displacement != (Int)displacement)
		return ir_u64((Addr)memory);
	return ir_binary(translation->out, Iop_Add64,
			 threadcores_is_own(&tool_simulate.cores, memory) ? translation->own
									  : translation->base,
			 ir_u64((ULong)displacement));
}

IRExpr *ir_load(const struct translation *translation, const void *memory)
{
	return ir_assign(translation->out, Ity_I64,
			 IRExpr_Load(Iend_LE, Ity_I64, ir_near(translation, memory)));
}

void ir_store(const struct translation *translation, const void *memory, IRExpr *value)
{
	addStmtToIRSB(translation->out, IRStmt_Store(Iend_LE, ir_near(translation, memory), value));
}

void ir_add_to(const struct translation *translation, ULong *counter, IRExpr *amount)
{
	ir_store(translation, counter,
		 ir_binary(translation->out, Iop_Add64, ir_load(translation, counter), amount));
}

void ir_call_if(IRSB *out, IRExpr *guard, Int regparms, const HChar *name, void *helper,
		IRExpr **args)
{
	IRDirty *call = unsafeIRDirty_0_N(regparms, name, VG_(fnptr_to_fnentry)(helper), args);

	if (guard != NULL)
		call->guard = guard;
	addStmtToIRSB(out, IRStmt_Dirty(call));
}

void ir_keep_loads_above(IRSB *out)
{
	IRDirty *call = out->stmts[out->stmts_used - 1]->Ist.Dirty.details;

	call->mFx = Ifx_Write;
	call->mAddr = ir_u64((Addr)tool_counts.hot);
	call->mSize = sizeof(ULong);
}

Bool ir_is_division(const IRExpr *expr)
{
	if (expr->tag != Iex_Binop)
		return False;
	switch (expr->Iex.Binop.op) {
	case Iop_DivU32:
	case Iop_DivS32:
	case Iop_DivU64:
	case Iop_DivS64:
	case Iop_DivModU64to32:
	case Iop_DivModS64to32:
	case Iop_DivModU128to64:
	case Iop_DivModS128to64:
	case Iop_DivModS64to64:
		return True;
	default:
		return False;
	}
}
