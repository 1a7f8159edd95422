/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * x86-64 instructions as Capstone decoded them, with details: their registers and places in memory, and how values move
 * between them.  For code that has a decoder of its own; other code asks isa/x86/decoder.h.
 */
#ifndef ISA_X86_EFFECTS_H
#define ISA_X86_EFFECTS_H

#include <capstone/capstone.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/x86/bytes.h"

/* -- registers ------------------------------------------------------------------------------ */

/*
 * Numbers of registers, for any part of them: al is rax, and an SSE register is the lower half of an AVX register.  The general ones
 * have the numbers of machine code.
 */
enum insn_register {
	INSN_VECTOR = 16, /* the first of 32 */
	INSN_MASK = 48,   /* of 8 */
	INSN_MMX = 56,    /* of 8 */
	INSN_X87 = 64,    /* the whole stack */
	INSN_FLAGS = 65,
	N_INSN_GENERAL = 16,
};

/* The number of one of Capstone's; INSN_NO_REGISTER: segments, the instruction pointer, and others. */
int8_t insn_register(unsigned reg);

/* The same of general registers only. */
int8_t insn_general(unsigned reg);

/* -- kinds ---------------------------------------------------------------------------------- */

enum insn_flow {
	FLOW_NEXT, /* none of those below */
	FLOW_JUMP,
	FLOW_CONDITIONAL, /* jump */
	FLOW_CALL,
	FLOW_RETURN,
};

enum insn_flow insn_flow(const cs_insn *insn);

/* True if an instruction is one of n. */
bool insn_is_among(unsigned id, const uint16_t *ids, unsigned n);

/* True if it refers to its operands in memory: lea computes an address, prefetches ask for a line. */
bool insn_refers(unsigned id);

/* True of instructions that make 0 of two equal operands, whatever these are: "xor %eax, %eax", but not pcmpeq. */
bool insn_cancels(unsigned id);

/* An operand in memory, in Intel's syntax; *place is as far as is known.  False if it has another register. */
bool insn_place(const cs_insn *insn, const cs_x86_op *op, struct insn_operand *place);

/* -- what it makes of what ------------------------------------------------------------------ */

/*
 * Registers that an instruction computes with and that it changes: a bit for each below INSN_X87, whatever part of it is
 * used.  Of memory there is one operand at most.
 */
struct instruction_effects {
	uint64_t reads; /* without the registers of a memory operand's address, but with lea's */
	uint64_t writes;
	uint64_t addresses; /* by which an operand in memory is found */
	bool reads_flags, writes_flags;
	bool loads, stores;
	bool has_slot; /* the operand is at a constant distance from the stack or frame pointer */
	uint64_t slot_base;    /* which of these */
	int64_t slot_offset;   /* bytes */
	const char *memory;    /* the operand's text, in operands of the instruction; NULL = none */
	size_t memory_len;     /* bytes */
	uint64_t lost_in_call; /* of a call: registers that are not kept in it */
};

/* effects is all zeros before; texts and calls are the caller's. */
void insn_effects(const cs_insn *insn, struct instruction_effects *effects);

/* What an instruction does with the value of a register. */
enum motion_kind {
	MOTION_NONE,     /* nothing that is known, but that it changes registers */
	MOTION_MOVE,     /* to = source */
	MOTION_CHOICE,   /* to = to or source */
	MOTION_ADD,      /* to = to + source */
	MOTION_SUBTRACT, /* to = to - source */
	MOTION_SCALE,    /* to = source * constant */
	MOTION_ADDRESS,  /* to = the address of a place that is not used */
	MOTION_STORE,    /* place written = source */
	MOTION_CALL,
	MOTION_LEAVE, /* as leave does with the frame pointer */
};

enum motion_source {
	SOURCE_OTHER, /* not known */
	SOURCE_REGISTER,
	SOURCE_CONSTANT,
	SOURCE_MEMORY, /* the place that is read */
};

/* An operand in memory: base + index * scale + offset. */
struct motion_place {
	bool is_used;
	bool is_special;    /* at several addresses, or in a segment */
	bool is_thread;     /* from the thread's pointer on: thread-local */
	int8_t base, index; /* general registers by DWARF's numbers; -1 = none */
	uint8_t scale;
	uint8_t size;   /* bytes */
	int64_t offset; /* with no register: the address */
};

/*
 * What types are followed by.  Registers are general and vector registers, by DWARF's numbers (0 to 15, 17 to 32);
 * -1 = none.  Of a vector, the first 8 bytes are its value.
 */
struct instruction_motion {
	enum motion_kind kind;
	enum motion_source source;
	int8_t to, from; /* from: SOURCE_REGISTER */
	int8_t stack;    /* bytes that the stack pointer goes up by, after all else */
	uint64_t writes; /* a bit for each register that it changes, but the stack pointer by that */
	int64_t constant;
	struct motion_place read,
		written;             /* one place in both, if it is not known which is done to it */
	struct motion_place address; /* MOTION_ADDRESS */
};

/*
 * What one of x86-64 moves from where to where, in Intel's syntax.  Few motions are known; for any other instruction, only
 * the registers that it changes are given.  motion is MOTION_NONE without registers before.
 */
void insn_motion(const cs_insn *insn, struct instruction_motion *motion);

#endif
