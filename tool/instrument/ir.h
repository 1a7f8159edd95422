/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words for what engines emit often.  Expressions that are given and returned
 * are atoms, so that they may be used again; statements go to the end of the
 * block.
 */
#ifndef TOOL_INSTRUMENT_IR_H
#define TOOL_INSTRUMENT_IR_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"

struct translation;

/* A constant. */
IRExpr *ir_u64(ULong value);

/* A new temporary that holds value. */
IRExpr *ir_assign(IRSB *out, IRType type, IRExpr *value);

/* left op right, of type I64. */
IRExpr *ir_binary(IRSB *out, IROp op, IRExpr *left, IRExpr *right);

/* Two conditions, of type I1: either holds, both hold. */
IRExpr *ir_either(IRSB *out, IRExpr *a, IRExpr *b);
IRExpr *ir_both(IRSB *out, IRExpr *a, IRExpr *b);

/*
 * The address of memory: translation->base + displacement, or the address
 * itself where it is out of reach; a constant takes ten bytes of code each time.
 */
IRExpr *ir_near(const struct translation *translation, const void *memory);

/* A word of memory, which should be near. */
IRExpr *ir_load(const struct translation *translation, const void *memory);
void ir_store(const struct translation *translation, const void *memory, IRExpr *value);
void ir_add_to(const struct translation *translation, ULong *counter, IRExpr *amount);

/* Calls helper, which takes regparms args in registers, if guard (an I1, or NULL: always) holds. */
void ir_call_if(IRSB *out, IRExpr *guard, Int regparms, const HChar *name, void *helper,
		IRExpr **args);

/*
 * The call emitted last is one past which no load of the program's may be moved down, as
 * VEX does where it sees no store: a fault would come after what it counts.
 */
void ir_keep_loads_above(IRSB *out);

/* Of a jump: as a number. */
static inline Addr ir_constant_address(const IRConst *constant)
{
	return constant->tag == Ico_U32 ? constant->Ico.U32 : (Addr)constant->Ico.U64;
}

/* True if a side exit is one of the program's. */
static inline Bool ir_is_branch(IRJumpKind kind)
{
	return kind == Ijk_Boring || kind == Ijk_Call || kind == Ijk_Ret;
}

/* True if it divides integers, which may trap: divisions of floating-point numbers do not. */
Bool ir_is_division(const IRExpr *expr);

#endif
