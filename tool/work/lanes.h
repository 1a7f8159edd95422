/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes that are masked (enum lanes of isa/x86/bytes.h), as Valgrind's representation has them: a gather loads a masked lane
 * from where the stack pointer is; maskmovq and maskmovdqu load all, and store all.
 */
#ifndef TOOL_WORK_LANES_H
#define TOOL_WORK_LANES_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"

/*
 * Of a gather whose IMark is statement imark: if the lane whose load, statement at, is from address (an atom) is not
 * masked: an atom of type I1, or NULL: that is known to be so.
 */
IRExpr *lanes_guard(const IRSB *sb, Int imark, Int at, const IRExpr *address);

/*
 * Lanes of an instruction that are read, or written: how many, as few words as possible of a representation that has
 * little room where there are many lanes.
 */
struct lane_sum {
	IRExpr *lanes; /* an atom of type I64; NULL: none so far */
	UInt size;     /* bytes of each: a power of two */
};

/* Adds a lane if guard (an atom of type I1) holds. */
void lanes_add(IRSB *out, struct lane_sum *sum, UInt size, IRExpr *guard);

/* Their bytes, an atom of type I64, and none are left; NULL if there were none. */
IRExpr *lanes_take(IRSB *out, struct lane_sum *sum);

/*
 * Of maskmovq or maskmovdqu, whose load is statement at: how many bytes it writes, an atom of type I64; NULL: all of them,
 * as far as is known.
 */
IRExpr *lanes_written(IRSB *out, const IRSB *sb, Int at);

#endif
