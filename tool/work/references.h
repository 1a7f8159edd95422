/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an instruction reads and writes in memory, as Valgrind represents it, and which lanes of it where some are masked
 * (enum lanes of isa/x86/bytes.h).
 */
#ifndef TOOL_WORK_REFERENCES_H
#define TOOL_WORK_REFERENCES_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"

struct references {
	Bool reads,
		writes; /* perhaps: guards, and rep instructions without rounds, count like others */
};

/* The references of the instruction whose IMark is statement imark. */
struct references references_find(const IRSB *sb, Int imark);

/*
 * True if the read of size bytes at address (an atom), statement at, is part of a modify: the same instruction writes the same
 * place right after it.  most: the size that accesses of helper functions were cut to, 0 if they were not; once: a locked
 * instruction reads once, where the representation has a load before the compare-and-swap.
 */
Bool references_modify(const IRSB *sb, Int at, const IRExpr *address, UInt size, UInt most,
		       Bool once);

/* -- lanes ----------------------------------------------------------------------------------
 *
 * A gather loads a masked lane from where the stack pointer is; maskmovq and maskmovdqu load all lanes, and store all.
 */

/*
 * For a gather whose IMark is statement imark: an atom of type I1 that is true if the lane that statement at loads from address
 * (an atom) is not masked.  NULL: it never is.
 */
IRExpr *lanes_guard(const IRSB *sb, Int imark, Int at, const IRExpr *address);

/*
 * How many lanes of an instruction are read, or written.  It takes few words of the representation, which has little room
 * where there are many lanes.
 */
struct lane_sum {
	IRExpr *lanes; /* an atom of type I64; NULL: none so far */
	UInt size;     /* bytes of each: a power of two */
};

/* Adds a lane if guard (an atom of type I1) holds. */
void lanes_add(IRSB *out, struct lane_sum *sum, UInt size, IRExpr *guard);

/* Takes the lanes out of the sum: their bytes, an atom of type I64; NULL if there were none. */
IRExpr *lanes_take(IRSB *out, struct lane_sum *sum);

/*
 * How many bytes a maskmovq or maskmovdqu writes, whose load is statement at: an atom of type I64.  NULL: all of them, as far as
 * is known.
 */
IRExpr *lanes_written(IRSB *out, const IRSB *sb, Int at);

#endif
