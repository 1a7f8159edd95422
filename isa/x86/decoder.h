/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * x86-64 instructions by Capstone: what they refer to, and what work they do.  Nothing here knows Valgrind.
 *
 * Most instructions need no decoder, as a glance at their bytes says (isa/x86/bytes.h).
 */
#ifndef ISA_X86_DECODER_H
#define ISA_X86_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/x86/bytes.h"

struct insn_decoder {
	size_t handle; /* Capstone's */
	void *insn;    /* the one decoded last */
};

/* True if this program has one. */
bool insn_decoder_exists(void);

/* Makes a decoder, for good; false if this program has none, or there is no memory for it. */
bool insn_decoder_init(struct insn_decoder *decoder);

/* -- what it refers to --------------------------------------------------------------------- */

/*
 * Where Valgrind's representation does not say it: Valgrind removes loads whose values are unused, keeps the bits
 * of a register in memory, and saves the state of the FPU piece by piece.
 */
enum insn_kind {
	INSN_PLAIN,         /* no other one */
	INSN_BIT_TEST,      /* bt, bts, btr, btc whose bit is in a register */
	INSN_STATE,         /* fxsave and fxrstor: one reference of 512 bytes */
	INSN_STATE_BY_MASK, /* xsave and xrstor: edx:eax says what */
};

enum { INSN_MAX_OPERANDS = 2 };

struct insn_traits {
	enum insn_kind kind;
	/* INSN_PLAIN: places that are read; else the one that it works on, if it is in memory. */
	uint8_t n_operands;
	struct insn_operand operands[INSN_MAX_OPERANDS];
	int8_t bit_register; /* INSN_BIT_TEST: that has the bit, as wide as the operand */
};

/*
 * The traits of the instruction of size bytes at an address.  Where the decoder
 * does not know it, or takes it for one of another length, it is INSN_PLAIN
 * without operands.
 */
void insn_decode(const struct insn_decoder *decoder, const uint8_t *code, size_t size,
		 uint64_t address, struct insn_traits *traits);

/* -- its work ------------------------------------------------------------------------------ */

/*
 * Floating-point operations are counted for the result that the instruction defines, by the manuals of AMD and Intel:
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
 * Scalar instructions have one lane.
 */
/* An instruction is of one class, by what it does rather than where its operands are. */
enum insn_class {
	CLASS_INTEGER, /* arithmetic and logic, of vectors too, comparisons, lea, logic of floating-point registers */
	CLASS_FLOATING, /* other floating-point arithmetic, and comparisons */
	CLASS_MULTIPLY, /* multiplications, and what has some in it: fused, sums of products, carry-less */
	CLASS_DIVIDE, /* divisions, remainders, square roots, reciprocals */
	CLASS_CONVERSION, /* between types and sizes of numbers: cvt*, cbw and its kin, pmovsx, pmovzx, round*, fild, fist */
	CLASS_SHUFFLE, /* lanes of vectors change places: shuffles, unpacks, packs, blends, inserts, broadcasts */
	CLASS_MOVE, /* values as they are: mov*, loads and stores, push and pop, cmov, xchg, gathers, strings */
	CLASS_BRANCH, /* jumps, calls, returns */
	CLASS_NOP,    /* nothing: nop, endbr64, pause, prefetches, Valgrind's own instructions */
	CLASS_SYSTEM, /* the system and the state of the processor: syscall, cpuid, rdtsc, fences, fxsave; and unknown ones */
	N_INSN_CLASSES,
};

struct insn_work {
	uint8_t singles, doubles; /* floating-point operations by precision, at most 16 */
	uint8_t extendeds;        /* x87's */
	uint16_t bits; /* of the vectors that it computes floating-point operations of: 128, 256; 0 = of none */
	enum insn_class class;
};

/*
 * The work of the instruction of size bytes.  What the decoder does not know, or takes for one of another length, has no
 * floating-point operations and is of CLASS_SYSTEM; what is longer than an instruction can be is Valgrind's own.
 */
void insn_work_decode(const struct insn_decoder *decoder, const uint8_t *code, size_t size,
		      struct insn_work *work);

#endif
