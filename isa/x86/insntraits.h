/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the architecture says of an instruction, where Valgrind's representation
 * of it does not: Valgrind removes loads whose values are unused, keeps the bits
 * of a register in memory, and saves the state of the FPU piece by piece.
 *
 * Nothing here knows Valgrind; Capstone decodes.  Most instructions cannot
 * matter, as a glance at their bytes says (isa/x86/insnbytes.h).
 */
#ifndef ISA_X86_INSNTRAITS_H
#define ISA_X86_INSNTRAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum insn_kind {
	INSN_PLAIN,         /* no other one */
	INSN_BIT_TEST,      /* bt, bts, btr, btc whose bit is in a register */
	INSN_STATE,         /* fxsave and fxrstor: one reference of 512 bytes */
	INSN_STATE_BY_MASK, /* xsave and xrstor: edx:eax says what */
};

enum insn_segment {
	INSN_FLAT, /* any whose base is 0 */
	INSN_FS,
	INSN_GS,
};

enum {
	INSN_NO_REGISTER = -1,
	INSN_MAX_OPERANDS = 2,
	INSN_RAX = 0, /* the registers' numbers in machine code, 0 to 15 */
	INSN_RSP = 4,
	INSN_RBP = 5,
};

/*
 * A place in memory: displacement + base + index * scale, cut to 32 bits if narrow, and then
 * the base of the segment.
 */
struct insn_operand {
	uint64_t displacement; /* what is relative to the instruction pointer is in it */
	uint16_t size;         /* bytes, at least 1 */
	int8_t base, index;    /* general registers, or INSN_NO_REGISTER */
	uint8_t scale;         /* 1, 2, 4 or 8 */
	enum insn_segment segment;
	bool narrow;
	bool writes; /* it is written, and perhaps read */
};

struct insn_traits {
	enum insn_kind kind;
	/* INSN_PLAIN: places that are read; else the one that it works on, if it is in memory. */
	uint8_t n_operands;
	struct insn_operand operands[INSN_MAX_OPERANDS];
	int8_t bit_register; /* INSN_BIT_TEST: that has the bit, as wide as the operand */
};

struct insn_decoder {
	size_t handle; /* Capstone's */
	void *insn;
};

/* Makes a decoder, for good; false if this program has none, or there is no memory for it. */
bool insn_decoder_init(struct insn_decoder *decoder);

/* Whether this program has one. */
bool insn_decoder_exists(void);

/*
 * The traits of the instruction of size bytes at an address.  Where the decoder
 * does not know it, or takes it for one of another length, it is INSN_PLAIN
 * without operands.
 */
void insn_decode(const struct insn_decoder *decoder, const uint8_t *code, size_t size,
		 uint64_t address, struct insn_traits *traits);

#endif
