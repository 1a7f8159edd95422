/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/work/references.h"

static void add(struct references *references, const IRStmt *stmt)
{
	IREffect effect;

	switch (stmt->tag) {
	case Ist_WrTmp:
		references->reads |= stmt->Ist.WrTmp.data->tag == Iex_Load;
		break;
	case Ist_LoadG:
		references->reads = True;
		break;
	case Ist_Store:
	case Ist_StoreG:
		references->writes = True;
		break;
	case Ist_CAS:
		references->reads = True;
		references->writes = True;
		break;
	case Ist_LLSC:
		references->reads |= stmt->Ist.LLSC.storedata == NULL;
		references->writes |= stmt->Ist.LLSC.storedata != NULL;
		break;
	case Ist_Dirty:
		effect = stmt->Ist.Dirty.details->mFx;
		references->reads |= effect == Ifx_Read || effect == Ifx_Modify;
		references->writes |= effect == Ifx_Write || effect == Ifx_Modify;
		break;
	default:
		break;
	}
}

struct references references_find(const IRSB *sb, Int imark)
{
	struct references references = { False, False };

	for (Int i = imark + 1; i < sb->stmts_used && sb->stmts[i]->tag != Ist_IMark; i++)
		add(&references, sb->stmts[i]);
	return references;
}

static UInt size_of(const IRSB *sb, const IRExpr *expr)
{
	return (UInt)sizeofIRType(typeOfIRExpr(sb->tyenv, expr));
}

/* Whether a helper function writes a place, and does not read before. */
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
