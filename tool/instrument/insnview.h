/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions of a superblock as the architecture defines them
 * (isa/x86/decoder.h), next to what Valgrind's representation has.
 */
#ifndef TOOL_INSTRUMENT_INSNVIEW_H
#define TOOL_INSTRUMENT_INSNVIEW_H

#include "libvex_ir.h"
#include "pub_tool_basics.h"

#include "isa/x86/decoder.h"

/* What a superblock has of one instruction. */
struct insn_view {
	UInt n_statements;
	UInt n_references;   /* to memory, guarded ones too */
	Bool may_end;        /* a rep instruction: it is complete if a side exit is taken */
	Bool is_conditional; /* a conditional jump */
	Bool is_computed;    /* a jump or call to a computed address */
	Bool is_repeated;    /* a rep instruction */
	/*
	 * Bytes of the one read that the instruction is and Valgrind has in pieces, the first one
	 * at its beginning; 0: it is none.
	 */
	UInt whole_read;
	Bool is_other;             /* the references are not what the representation has, but: */
	struct insn_traits traits; /* of one that is_other */
};

/* The instruction that begins with the IMark at index at; its code is there to be read. */
void insn_view_init(struct insn_view *view, const IRSB *sb, Int at);

/*
 * True if there is an instruction that is_other in a way that takes the registers that it
 * has.  Valgrind keeps few registers up to date within a block, unless it is asked to.
 */
Bool insn_view_needs_registers(const IRSB *sb);

/*
 * The address of an operand, and what becomes of it by the number of a bit, where the
 * registers are the instruction's: an atom.
 */
IRExpr *insn_view_address(IRSB *out, const struct insn_traits *traits, UInt operand);

/* An atom of type I1: xsave or xrstor is asked for the registers of AVX. */
IRExpr *insn_view_with_avx(IRSB *out);

#endif
