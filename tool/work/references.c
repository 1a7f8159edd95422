/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/work/references.h"

#include "pub_tool_machine.h"

struct references references_find(const IRSB *sb, Int imark)
{
	struct references references = { False, False };

	for (Int i = imark + 1; i < sb->stmts_used && sb->stmts[i]->tag != Ist_IMark; i++) {
		const IRStmt *stmt = sb->stmts[i];
		IREffect effect;

		switch (stmt->tag) {
		case Ist_WrTmp:
			references.reads |= stmt->Ist.WrTmp.data->tag == Iex_Load;
			break;
		case Ist_LoadG:
			references.reads = True;
			break;
		case Ist_Store:
		case Ist_StoreG:
			references.writes = True;
			break;
		case Ist_CAS:
			references.reads = references.writes = True;
			break;
		case Ist_LLSC:
			references.reads |= stmt->Ist.LLSC.storedata == NULL;
			references.writes |= stmt->Ist.LLSC.storedata != NULL;
			break;
		case Ist_Dirty:
			effect = stmt->Ist.Dirty.details->mFx;
			references.reads |= effect == Ifx_Read || effect == Ifx_Modify;
			references.writes |= effect == Ifx_Write || effect == Ifx_Modify;
			break;
		default:
			break;
		}
	}
	return references;
}

static UInt size_of(const IRSB *sb, const IRExpr *expr)
{
	return (UInt)sizeofIRType(typeOfIRExpr(sb->tyenv, expr));
}

/* True if a helper function writes a place without reading it first. */
static Bool is_written_by(const IRDirty *dirty, const IRExpr *address, UInt size, UInt most)
{
	const UInt written = (UInt)dirty->mSize;

	return dirty->mFx == Ifx_Write && eqIRAtom(dirty->mAddr, address) &&
	       (most != 0 && written > most ? most : written) == size;
}

Bool references_modify(const IRSB *sb, Int at, const IRExpr *address, UInt size, UInt most,
		       Bool once)
{
	const IRStmt *stmt = sb->stmts[at];

	if (stmt->tag == Ist_CAS)
		return True; /* what is read here is what is written */
	for (Int i = at + (stmt->tag != Ist_Dirty); i < sb->stmts_used; i++) {
		stmt = sb->stmts[i];
		switch (stmt->tag) {
		case Ist_Store:
			return eqIRAtom(stmt->Ist.Store.addr, address) &&
			       size_of(sb, stmt->Ist.Store.data) == size;
		case Ist_CAS: /* reads first, but for the processor, to which that is this read */
			return once && eqIRAtom(stmt->Ist.CAS.details->addr, address);
		case Ist_Dirty:
			if (stmt->Ist.Dirty.details->mFx == Ifx_None)
				break;
			return i == at ? stmt->Ist.Dirty.details->mFx == Ifx_Modify
				       : is_written_by(stmt->Ist.Dirty.details, address, size,
						       most);
		case Ist_WrTmp:
			if (stmt->Ist.WrTmp.data->tag == Iex_Load)
				return False;
			break;
		case Ist_IMark:
		case Ist_Exit:
		case Ist_LoadG:
		case Ist_StoreG:
		case Ist_LLSC:
			return False;
		default:
			break;
		}
	}
	return False;
}

/* -- lanes ---------------------------------------------------------------------------------- */

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

/* The mask of the first store after a statement, "new & mask | old & ~mask": a mask of whole bytes. */
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

/* The lanes of a word of a mask: an atom. */
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
