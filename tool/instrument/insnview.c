/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/instrument/insnview.h"

#include "isa/x86/bytes.h"
#include "tool/common/guest.h"
#include "tool/instrument/ir.h"
#include "tool/instrument/state.h"

enum {
	STATE_AVX = 4, /* bit of the mask of xsave */
};

static Addr address_of(const IRStmt *imark)
{
	return (Addr)imark->Ist.IMark.addr + imark->Ist.IMark.delta;
}

static Bool is_reference(const IRStmt *stmt)
{
	switch (stmt->tag) {
	case Ist_WrTmp:
		return stmt->Ist.WrTmp.data->tag == Iex_Load;
	case Ist_Dirty:
		return stmt->Ist.Dirty.details->mFx != Ifx_None;
	case Ist_Store:
	case Ist_LoadG:
	case Ist_StoreG:
	case Ist_CAS:
	case Ist_LLSC:
		return True;
	default:
		return False;
	}
}

static Bool is_load(const IRStmt *stmt)
{
	return stmt->tag == Ist_WrTmp && stmt->Ist.WrTmp.data->tag == Iex_Load;
}

/* Bytes that the loads of an instruction read, if it has several, and refers to memory by no other. */
static UInt size_of_loads(const IRSB *sb, Int at)
{
	UInt n = 0, size = 0;

	for (Int i = at + 1; i < sb->stmts_used && sb->stmts[i]->tag != Ist_IMark; i++) {
		const IRStmt *stmt = sb->stmts[i];

		if (!is_reference(stmt))
			continue;
		if (!is_load(stmt))
			return 0;
		n++;
		size += (UInt)sizeofIRType(typeOfIRTemp(sb->tyenv, stmt->Ist.WrTmp.tmp));
	}
	return n > 1 ? size : 0;
}

/* Counts what the superblock has of the instruction. */
static void look_ahead(struct insn_view *view, const IRSB *sb, Int at)
{
	Addr next = address_of(sb->stmts[at]) + sb->stmts[at]->Ist.IMark.len;

	for (Int i = at + 1; i < sb->stmts_used && sb->stmts[i]->tag != Ist_IMark; i++) {
		const IRStmt *stmt = sb->stmts[i];

		if (stmt->tag == Ist_NoOp)
			continue;
		view->n_statements++;
		view->n_references += is_reference(stmt);
		if (stmt->tag == Ist_Exit && stmt->Ist.Exit.jk == Ijk_Boring &&
		    stmt->Ist.Exit.dst->Ico.U64 == next)
			view->may_end = True;
	}
}

/*
 * Where the representation has any reference, it has all, except for special
 * instructions, and for reads in pieces if some pieces are unused.
 * What Valgrind has removed leaves no trace.
 */
static Bool is_other(const struct insn_view *view, const struct insn_traits *traits, UInt loads)
{
	if (traits->kind != INSN_PLAIN)
		return True;
	if (loads != 0)
		return traits->n_operands == 1 && traits->operands[0].size > loads;
	return traits->n_operands != 0 && view->n_references == 0;
}

/* True if there may be more than, or something else than, what the representation has. */
static Bool is_doubtful(const struct insn_view *view, enum insn_glance glance, UInt loads)
{
	if (glance == INSN_DULL)
		return False;
	return glance == INSN_SPECIAL || view->n_references == 0 || loads != 0;
}

static void decode(struct insn_view *view, const IRSB *sb, Int at, const UChar *code)
{
	UInt size = sb->stmts[at]->Ist.IMark.len;
	UInt loads = view->n_references > 1 ? size_of_loads(sb, at) : 0;

	if (!is_doubtful(view, insn_glance(code, size), loads))
		return;
	insn_decode(&tool_instrument.decoder, code, size, address_of(sb->stmts[at]), &view->traits);
	view->is_other = is_other(view, &view->traits, loads);
	/* Products and conversions of vectors are such reads. */
	if (!view->is_other && view->traits.n_operands == 1)
		view->whole_read = loads;
}

void insn_view_init(struct insn_view *view, const IRSB *sb, Int at)
{
	Addr address = address_of(sb->stmts[at]);
	const UChar *code = (const UChar *)address;
	UInt size = sb->stmts[at]->Ist.IMark.len;
	struct jump_insn jump;

	*view = (struct insn_view){ .n_statements = 0 };
	if (size == 0) /* Valgrind cannot decode it */
		return;
	look_ahead(view, sb, at);
	jump_insn_decode(code, size, address, &jump);
	view->is_conditional = jump.kind == INSN_JUMP_CONDITIONAL;
	view->is_computed = jump_insn_is_computed(code, size);
	view->is_repeated = jump_insn_repeats(code, size);
	if (!view->is_repeated)
		decode(view, sb, at, code);
}

/* True if the instruction is one that takes registers; sooner than by a whole view. */
static Bool needs_registers(const IRSB *sb, Int at)
{
	Addr address = address_of(sb->stmts[at]);
	enum insn_glance glance = insn_glance((const UChar *)address, sb->stmts[at]->Ist.IMark.len);
	struct insn_view view;
	UInt n_loads = 0;

	if (glance == INSN_DULL)
		return False;
	for (Int i = at + 1; glance == INSN_READS && i < sb->stmts_used; i++) {
		if (is_load(sb->stmts[i]))
			n_loads++;
		else if (is_reference(sb->stmts[i]))
			return False;
		if (sb->stmts[i]->tag == Ist_IMark)
			break;
	}
	if (n_loads == 1)
		return False;
	insn_view_init(&view, sb, at);
	/* Of rep lods, the load may be removed, and what is left is to count. */
	if (view.is_repeated)
		return view.n_statements != 0;
	return view.is_other && view.traits.n_operands != 0;
}

Bool insn_view_needs_registers(const IRSB *sb)
{
	for (Int i = 0; i < sb->stmts_used; i++)
		if (sb->stmts[i]->tag == Ist_IMark && needs_registers(sb, i))
			return True;
	return False;
}

static IRExpr *get_register(IRSB *out, Int number)
{
	return ir_assign(out, Ity_I64, IRExpr_Get(guest_general((UInt)number), Ity_I64));
}

static IRExpr *shift(IRSB *out, IROp op, IRExpr *value, UInt by)
{
	return ir_binary(out, op, value, IRExpr_Const(IRConst_U8((UChar)by)));
}

/* The low bits of a word, and copies of the highest of them above. */
static IRExpr *extend(IRSB *out, IRExpr *value, UInt bits)
{
	value = shift(out, Iop_Shl64, value, 64 - bits);
	return shift(out, Iop_Sar64, value, 64 - bits);
}

static UInt log2_of(UInt power)
{
	UInt bits = 0;

	while (1U << bits < power)
		bits++;
	return bits;
}

static IRExpr *effective_address(IRSB *out, const struct insn_operand *operand)
{
	IRExpr *address = ir_u64(operand->displacement);

	if (operand->base != INSN_NO_REGISTER)
		address = ir_binary(out, Iop_Add64, address, get_register(out, operand->base));
	if (operand->index != INSN_NO_REGISTER) {
		IRExpr *index = get_register(out, operand->index);

		index = shift(out, Iop_Shl64, index, log2_of(operand->scale));
		address = ir_binary(out, Iop_Add64, address, index);
	}
	return address;
}

/*
 * A bit string: the word of the operand's size that holds the bit, which may be
 * any of 2^64 bits before and after the operand.
 */
static IRExpr *word_of_bit(IRSB *out, const struct insn_traits *traits, UInt size)
{
	IRExpr *bit = extend(out, get_register(out, traits->bit_register), 8 * size);

	bit = shift(out, Iop_Sar64, bit, 3 + log2_of(size));
	return shift(out, Iop_Shl64, bit, log2_of(size));
}

IRExpr *insn_view_address(IRSB *out, const struct insn_traits *traits, UInt operand)
{
	const struct insn_operand *place = &traits->operands[operand];
	IRExpr *address = effective_address(out, place);
	Int base = place->segment == INSN_FS ? GUEST_THREAD_POINTER : GUEST_SECOND_SEGMENT;

	if (traits->kind == INSN_BIT_TEST)
		address = ir_binary(out, Iop_Add64, address, word_of_bit(out, traits, place->size));
	if (place->narrow)
		address = ir_binary(out, Iop_And64, address, ir_u64(0xffffffff));
	if (place->segment != INSN_FLAT)
		address = ir_binary(out, Iop_Add64, address,
				    ir_assign(out, Ity_I64, IRExpr_Get(base, Ity_I64)));
	return address;
}

IRExpr *insn_view_with_avx(IRSB *out)
{
	IRExpr *mask = ir_binary(out, Iop_And64, get_register(out, INSN_RAX), ir_u64(STATE_AVX));

	return ir_assign(out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, mask, ir_u64(0)));
}
