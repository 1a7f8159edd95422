/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/work/lanes.h"

#include "pub_tool_machine.h"

enum { LANE_BITS = 8 };

/* VEX makes the address of such a load by a choice, within the instruction. */
IRExpr *lanes_guard(const IRSB *sb, Int imark, Int at, const IRExpr *address)
{
	for (Int i = imark + 1; i < at && address->tag == Iex_RdTmp; i++) {
		const IRStmt *stmt = sb->stmts[i];

		if (stmt->tag == Ist_WrTmp && stmt->Ist.WrTmp.tmp == address->Iex.RdTmp.tmp &&
		    stmt->Ist.WrTmp.data->tag == Iex_ITE)
			return stmt->Ist.WrTmp.data->Iex.ITE.cond;
	}
	return NULL;
}

/* Lanes are all ones or all zeroes. */
static VG_REGPARM(1) ULong count_lanes(ULong mask)
{
	return (ULong)__builtin_popcountll(mask) / LANE_BITS;
}

static IRExpr *assign(IRSB *out, IRExpr *value)
{
	IRTemp temp = newIRTemp(out->tyenv, Ity_I64);

	addStmtToIRSB(out, IRStmt_WrTmp(temp, value));
	return IRExpr_RdTmp(temp);
}

void lanes_add(IRSB *out, struct lane_sum *sum, UInt size, IRExpr *guard)
{
	IRExpr *lane = assign(out, IRExpr_Unop(Iop_1Uto64, guard));

	sum->lanes = sum->lanes == NULL ? lane
					: assign(out, IRExpr_Binop(Iop_Add64, sum->lanes, lane));
	sum->size = size;
}

IRExpr *lanes_take(IRSB *out, struct lane_sum *sum)
{
	IRExpr *lanes = sum->lanes;

	sum->lanes = NULL;
	if (lanes == NULL)
		return NULL;
	return assign(out, IRExpr_Binop(Iop_Shl64, lanes,
					IRExpr_Const(IRConst_U8((UChar)__builtin_ctz(sum->size)))));
}

/* What an atom was made of, before a statement; NULL: a constant. */
static const IRExpr *definition(const IRSB *sb, const IRExpr *atom, Int before)
{
	for (Int i = before - 1; i >= 0 && atom->tag == Iex_RdTmp; i--)
		if (sb->stmts[i]->tag == Ist_WrTmp &&
		    sb->stmts[i]->Ist.WrTmp.tmp == atom->Iex.RdTmp.tmp)
			return sb->stmts[i]->Ist.WrTmp.data;
	return NULL;
}

/* Of "x & ~mask", the mask; NULL of anything else. */
static IRExpr *mask_of_rest(const IRSB *sb, const IRExpr *rest, Int before)
{
	const IRExpr *both = definition(sb, rest, before);

	if (both == NULL || both->tag != Iex_Binop)
		return NULL;
	for (UInt i = 0; i < 2; i++) {
		const IRExpr *arg = i == 0 ? both->Iex.Binop.arg1 : both->Iex.Binop.arg2;
		const IRExpr *inverse = definition(sb, arg, before);

		if (inverse != NULL && inverse->tag == Iex_Unop &&
		    (inverse->Iex.Unop.op == Iop_NotV128 || inverse->Iex.Unop.op == Iop_Not64))
			return inverse->Iex.Unop.arg;
	}
	return NULL;
}

/* The mask of the store behind a statement: of "new & mask | old & ~mask", a mask of whole bytes. */
static IRExpr *mask_of_store(const IRSB *sb, Int at)
{
	const IRExpr *sum = NULL;
	IRExpr *mask;

	for (; at < sb->stmts_used && sb->stmts[at]->tag != Ist_IMark; at++)
		if (sb->stmts[at]->tag == Ist_Store) {
			sum = definition(sb, sb->stmts[at]->Ist.Store.data, at);
			break;
		}
	if (sum == NULL || sum->tag != Iex_Binop)
		return NULL;
	mask = mask_of_rest(sb, sum->Iex.Binop.arg1, at);
	return mask != NULL ? mask : mask_of_rest(sb, sum->Iex.Binop.arg2, at);
}

/* Of a word of a mask: an atom. */
static IRExpr *count(IRSB *out, IRExpr *word)
{
	return assign(out, mkIRExprCCall(Ity_I64, 1, "count_lanes",
					 VG_(fnptr_to_fnentry)(&count_lanes), mkIRExprVec_1(word)));
}

IRExpr *lanes_written(IRSB *out, const IRSB *sb, Int at)
{
	IRExpr *mask = mask_of_store(sb, at), *low, *high;

	if (mask == NULL)
		return NULL;
	if (typeOfIRExpr(sb->tyenv, mask) == Ity_I64)
		return count(out, mask);
	low = assign(out, IRExpr_Unop(Iop_V128to64, mask));
	high = assign(out, IRExpr_Unop(Iop_V128HIto64, mask));
	return assign(out, IRExpr_Binop(Iop_Add64, count(out, low), count(out, high)));
}
