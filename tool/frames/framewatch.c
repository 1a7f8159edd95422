/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which stores in the loop of an interpreter (tool/frames/reader.h) change the frame that it runs.
 *
 * If the word is in a local variable of the loop, stores to it have an address at a constant
 * distance from the stack pointer, or from the frame pointer. The constant is found at the
 * beginning of the loop, which leaves the address of the variable in its thread's state, at a place
 * that the reader knows. So everything is known when code is translated, and no other store pays
 * for it.
 *
 * If the word is in the state of the thread, which the loop keeps in any register or variable,
 * candidates are stores with the word's place as displacement, from an address that is neither on
 * the stack nor computed with an index. Their address is compared with the state of the running
 * thread, which is the loop's argument; also in code that is in no file, to report if a compiler's
 * code changes the frame.
 */
#include "tool/frames/frames.h"

#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#include "tool/common/guest.h"
#include "tool/counts/state.h"
#include "tool/symbols/symbol.h"

enum {
	/* Roots other than temporaries: */
	ROOT_SP = -1, /* the registers at the beginning of the superblock */
	ROOT_FP = -2,
	ROOT_NONE = -3,    /* a constant, or unknown */
	ROOT_INDEXED = -4, /* a sum of two variables */
	MAX_FRAME = 2048,  /* most bytes of a loop's frame */
};

/* A value: root plus offset. Root is the number of a temporary, or one of the above. */
struct linear {
	Int root;
	Long offset;
};

static struct linear find_value(const IRSB *sb, Int at, const IRExpr *expr);

/* The value of a guest register, the stack or frame pointer, before a statement. */
static struct linear find_register(const IRSB *sb, Int at, Int offset)
{
	while (at-- > 0) {
		const IRStmt *stmt = sb->stmts[at];

		if (stmt->tag == Ist_Put && stmt->Ist.Put.offset == offset)
			return find_value(sb, at, stmt->Ist.Put.data);
	}
	return (struct linear){ offset == GUEST_SP ? ROOT_SP : ROOT_FP, 0 };
}

static Bool is_constant(const IRExpr *expr)
{
	return expr->tag == Iex_Const && expr->Iex.Const.con->tag == Ico_U64;
}

/* The value of a temporary that a statement sets to data. */
static struct linear find_data(const IRSB *sb, Int at, IRTemp temp, const IRExpr *data)
{
	struct linear value = { (Int)temp, 0 };
	Bool adds;

	if (data->tag == Iex_RdTmp)
		return find_value(sb, at, data);
	if (data->tag == Iex_Get &&
	    (data->Iex.Get.offset == GUEST_SP || data->Iex.Get.offset == GUEST_FP) &&
	    data->Iex.Get.ty == Ity_I64)
		return find_register(sb, at, data->Iex.Get.offset);
	if (data->tag == Iex_Binop && data->Iex.Binop.op == Iop_Add64 &&
	    !is_constant(data->Iex.Binop.arg2))
		value.root = ROOT_INDEXED;
	if (data->tag != Iex_Binop || !is_constant(data->Iex.Binop.arg2))
		return value;
	adds = data->Iex.Binop.op == Iop_Add64;
	if (!adds && data->Iex.Binop.op != Iop_Sub64)
		return value;
	value = find_value(sb, at, data->Iex.Binop.arg1);
	if (adds)
		value.offset += (Long)data->Iex.Binop.arg2->Iex.Const.con->Ico.U64;
	else
		value.offset -= (Long)data->Iex.Binop.arg2->Iex.Const.con->Ico.U64;
	return value;
}

/* The value of an atom before a statement. */
static struct linear find_value(const IRSB *sb, Int at, const IRExpr *expr)
{
	if (is_constant(expr))
		return (struct linear){ ROOT_NONE, (Long)expr->Iex.Const.con->Ico.U64 };
	if (expr->tag != Iex_RdTmp)
		return (struct linear){ ROOT_NONE, 0 };
	while (at-- > 0) {
		const IRStmt *stmt = sb->stmts[at];

		if (stmt->tag == Ist_WrTmp && stmt->Ist.WrTmp.tmp == expr->Iex.RdTmp.tmp)
			return find_data(sb, at, expr->Iex.RdTmp.tmp, stmt->Ist.WrTmp.data);
	}
	return (struct linear){ (Int)expr->Iex.RdTmp.tmp, 0 };
}

/* How far a value is from a register before a statement; False if that is not known. */
static Bool is_from_register(const IRSB *sb, Int at, Int offset, const struct linear *value,
			     Long *distance)
{
	const struct linear from = find_register(sb, at, offset);

	*distance = value->offset - from.offset;
	return value->root == from.root && value->root != ROOT_NONE && value->root != ROOT_INDEXED;
}

/* A store that leaves the record's address in its thread's state shows where the word is. */
static void learn_from(const IRSB *sb, Int at, struct frame_loop *loop)
{
	const IRStmt *stmt = sb->stmts[at];
	struct linear address, data;
	Long distance;

	if (stmt->tag != Ist_Store || typeOfIRExpr(sb->tyenv, stmt->Ist.Store.data) != Ity_I64)
		return;
	address = find_value(sb, at, stmt->Ist.Store.addr);
	if (address.offset != loop->facts.layout.thread_record || address.root == ROOT_NONE ||
	    is_from_register(sb, at, GUEST_SP, &address, &distance))
		return;
	data = find_value(sb, at, stmt->Ist.Store.data);
	if (is_from_register(sb, at, GUEST_SP, &data, &distance))
		loop->base = BASE_SP;
	else if (is_from_register(sb, at, GUEST_FP, &data, &distance))
		loop->base = BASE_FP;
	else
		return;
	loop->place = distance + loop->facts.layout.record_current;
}

/*
 * The loop began before anything was translated: its record is in its frame, and the stack pointer
 * is at the end of that, except at the loop's entry, where there is no frame yet.
 */
static void learn_from_thread(Addr address, struct frame_loop *loop)
{
	const Addr word = loop->reader->word(&loop->facts, loop->reader->thread(&loop->facts));
	const Addr sp = VG_(get_SP)(VG_(get_running_tid)());

	if (symbols_is_entry(&tool_symbols, address) || word < sp || word - sp >= MAX_FRAME)
		return;
	loop->base = BASE_SP;
	loop->place = (Long)(word - sp);
}

/* Where a superblock begins. */
static Addr entry_of(const IRSB *sb)
{
	Int i = 0;

	while (sb->stmts[i]->tag != Ist_IMark)
		i++;
	return (Addr)sb->stmts[i]->Ist.IMark.addr + sb->stmts[i]->Ist.IMark.delta;
}

/* The store may come before the statements that show where it is. */
static void learn(const IRSB *sb, struct frame_loop *loop)
{
	for (Int at = 0; at < sb->stmts_used && loop->base == BASE_UNKNOWN; at++)
		learn_from(sb, at, loop);
	if (loop->base == BASE_UNKNOWN)
		learn_from_thread(entry_of(sb), loop);
}

/* Emits the sum of an address and an offset into a temporary: the word, from a store near it. */
static IRExpr *add_offset(IRSB *out, IRExpr *address, Long offset)
{
	const IRTemp sum = newIRTemp(out->tyenv, Ity_I64);

	addStmtToIRSB(out,
		      IRStmt_WrTmp(sum, IRExpr_Binop(Iop_Add64, address,
						     IRExpr_Const(IRConst_U64((ULong)offset)))));
	return IRExpr_RdTmp(sum);
}

/* A store may be wider than the word, and write on either side of it. */
static Bool covers_word(const struct frame_loop *loop, Long distance, Long size)
{
	return distance <= loop->place && distance + size >= loop->place + (Long)sizeof(Addr);
}

static void look_at_local_store(const IRSB *sb, Int at, struct frame_loop *loop, IRSB *out,
				struct frame_store *store)
{
	const IRStmt *stmt = sb->stmts[at];
	const Long size = sizeofIRType(typeOfIRExpr(sb->tyenv, stmt->Ist.Store.data));
	const struct linear address = find_value(sb, at, stmt->Ist.Store.addr);
	Long distance;

	if (!is_from_register(sb, at, loop->base == BASE_SP ? GUEST_SP : GUEST_FP, &address,
			      &distance) ||
	    !covers_word(loop, distance, size))
		return;
	*store = (struct frame_store){
		.loop = loop,
		.word = add_offset(out, stmt->Ist.Store.addr, loop->place - distance),
	};
}

/* The word's address in the state of the running thread. */
static IRExpr *word_of_thread(const struct frame_loop *loop, IRSB *out)
{
	const IRTemp state = newIRTemp(out->tyenv, Ity_I64);

	addStmtToIRSB(out,
		      IRStmt_WrTmp(state,
				   IRExpr_Load(Iend_LE, Ity_I64,
					       IRExpr_Const(IRConst_U64(
						       (Addr)&tool_counts.hot->interpreter)))));
	return add_offset(out, IRExpr_RdTmp(state), loop->place);
}

/* An instruction may store in two parts, but there is only one word. */
static void look_at_thread_store(const IRSB *sb, Int at, struct frame_loop *loop, IRSB *out,
				 struct frame_store *store)
{
	const IRStmt *stmt = sb->stmts[at];
	const Long size = sizeofIRType(typeOfIRExpr(sb->tyenv, stmt->Ist.Store.data));
	const struct linear address = find_value(sb, at, stmt->Ist.Store.addr);
	IRTemp guard;
	IRExpr *there;
	Long distance;

	if (address.root == ROOT_NONE || address.root == ROOT_INDEXED ||
	    is_from_register(sb, at, GUEST_SP, &address, &distance) ||
	    !covers_word(loop, address.offset, size))
		return;
	if (store->loop == NULL)
		*store = (struct frame_store){ .loop = loop, .word = word_of_thread(loop, out) };
	there = add_offset(out, stmt->Ist.Store.addr, loop->place - address.offset);
	guard = newIRTemp(out->tyenv, Ity_I1);
	addStmtToIRSB(out, IRStmt_WrTmp(guard, IRExpr_Binop(Iop_CmpEQ64, there, store->word)));
	if (store->guard != NULL) {
		const IRTemp either = newIRTemp(out->tyenv, Ity_I1);

		addStmtToIRSB(out, IRStmt_WrTmp(either, IRExpr_Binop(Iop_Or1, store->guard,
								     IRExpr_RdTmp(guard))));
		guard = either;
	}
	store->guard = IRExpr_RdTmp(guard);
}

/* The loop begins: its first argument is the state of the thread. */
static void emit_entered(IRSB *out, struct frame_loop *loop)
{
	const IRTemp state = newIRTemp(out->tyenv, Ity_I64);

	addStmtToIRSB(out, IRStmt_WrTmp(state, IRExpr_Get(guest_argument(0), Ity_I64)));
	addStmtToIRSB(out, IRStmt_Dirty(unsafeIRDirty_0_N(
				   2, "frames_entered",
				   VG_(fnptr_to_fnentry)(&frames_entered),
				       mkIRExprVec_2(IRExpr_RdTmp(state),
						     IRExpr_Const(IRConst_U64((Addr)loop))))));
}

void framewatch_look(const IRSB *sb, Int at, const struct source_location *place, Addr address,
		     IRSB *out, struct frame_store *store)
{
	const IRStmt *stmt = sb->stmts[at];
	struct frame_loop *loop;

	if (tool_frames.loops.codes == NULL || place == NULL ||
	    (stmt->tag != Ist_Store && stmt->tag != Ist_IMark))
		return;
	loop = frames_loop_of(place->function, address);
	if (loop == NULL) {
		loop = stmt->tag == Ist_Store ? frames_loop_beside(place->function, address) : NULL;
		if (loop == NULL)
			return;
		look_at_thread_store(sb, at, loop, out, store);
		store->beside = True;
		return;
	}
	if (stmt->tag == Ist_IMark) {
		if (stmt->Ist.IMark.addr != loop->facts.loop)
			frames_found(loop);
		else if (loop->facts.layout.runtime_thread == 0)
			emit_entered(out, loop);
		return;
	}
	if (loop->base == BASE_UNKNOWN && !place->function->anonymous)
		learn(sb, loop);
	if (loop->base == BASE_THREAD)
		look_at_thread_store(sb, at, loop, out, store);
	else if (loop->base != BASE_UNKNOWN)
		look_at_local_store(sb, at, loop, out, store);
}

void framewatch_emit(IRSB *out, struct frame_store *store)
{
	IRExpr *loop = IRExpr_Const(IRConst_U64((Addr)store->loop));
	IRDirty *call;

	if (store->loop == NULL)
		return;
	if (store->beside)
		call = unsafeIRDirty_0_N(1, "frames_missed",
					 VG_(fnptr_to_fnentry)(&frames_missed),
					     mkIRExprVec_1(loop));
	else
		call = unsafeIRDirty_0_N(2, "frames_changed",
					 VG_(fnptr_to_fnentry)(&frames_changed),
					     mkIRExprVec_2(store->word, loop));
	if (store->guard != NULL)
		call->guard = store->guard;
	addStmtToIRSB(out, IRStmt_Dirty(call));
	*store = (struct frame_store){ .loop = NULL };
}
