/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work of an instruction: how many floating-point operations it does, in vectors of which width, and of which class
 * it is.  Which bytes it reads and writes is not here: Valgrind's representation and isa/x86/insntraits.h say that.
 *
 * Floating-point operations are those of the result that the instruction defines, by the manuals of AMD and Intel:
 *
 *	add, sub, addsub, mul, div, sqrt, min, max	1 a lane
 *	rcp, rsqrt					1 a lane: approximations of a division
 *	hadd, hsub					1 a lane of the result
 *	fused multiply-add, of all kinds		2 a lane
 *	dpps, dppd					for k products that the constant selects, 2k - 1: what is
 *							masked is not added; of vdpps, each half
 *	x87: fadd, fsub, fmul, fdiv and their kin, fsqrt, fprem, fsin, fcos, fsincos, fptan, fpatan, f2xm1,
 *	fyl2x, fyl2xp1					1
 *	comparisons, conversions, roundings, moves, logic, changes of sign	0
 *
 * Scalar instructions have one lane.  Nothing here knows Valgrind; Capstone decodes.
 */
#ifndef ISA_X86_INSNWORK_H
#define ISA_X86_INSNWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/x86/insntraits.h"

/* An instruction is of one class, by what it does rather than where its operands are. */
enum insn_class {
	CLASS_INTEGER, /* arithmetic and logic, of vectors too, comparisons, lea, logic of floating-point registers */
	CLASS_FLOATING, /* floating-point arithmetic and comparisons that are none of the next two */
	CLASS_MULTIPLY, /* multiplications, and what has some in it: fused, sums of products, carry-less */
	CLASS_DIVIDE, /* divisions, remainders, square roots, reciprocals */
	CLASS_CONVERSION, /* between types and sizes of numbers: cvt*, cbw and its kin, pmovsx, pmovzx, round*, fild, fist */
	CLASS_SHUFFLE, /* lanes of vectors change places: shuffles, unpacks, packs, blends, inserts, broadcasts */
	CLASS_MOVE, /* values as they are: mov*, loads and stores, push and pop, cmov, xchg, gathers, strings */
	CLASS_BRANCH, /* jumps, calls, returns */
	CLASS_NOP,    /* nothing: nop, endbr64, pause, prefetches, Valgrind's own instructions */
	CLASS_SYSTEM, /* the system and the processor's state: syscall, cpuid, rdtsc, fences, fxsave; what is not known */
	N_INSN_CLASSES,
};

struct insn_work {
	uint8_t singles, doubles; /* floating-point operations by precision, at most 16 */
	uint8_t extendeds;        /* those of x87 */
	uint16_t bits; /* of the vectors that it computes floating-point operations of: 128, 256; 0 = of none */
	enum insn_class class;
};

/* Whether bytes may be of an instruction with floating-point operations: no decoder is needed to tell most that are not. */
bool insn_may_float(const uint8_t *code, size_t size);

/*
 * The work of the instruction of size bytes.  What the decoder does not know, or takes for one of another length, has no
 * floating-point operations and is of CLASS_SYSTEM; what is longer than an instruction can be is Valgrind's own.
 */
void insn_work_decode(const struct insn_decoder *decoder, const uint8_t *code, size_t size,
		      struct insn_work *work);

#endif
