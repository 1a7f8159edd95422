/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x86-64: what the bytes of an instruction say without a decoder.  (Its operands and work: isa/x86/decoder.h.) */
#ifndef ISA_X86_BYTES_H
#define ISA_X86_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- places in memory --------------------------------------------------------- */

enum insn_segment {
	INSN_FLAT, /* any whose base is 0 */
	INSN_FS,
	INSN_GS,
};

enum {
	INSN_NO_REGISTER = -1,
	INSN_RAX = 0, /* the registers' numbers in machine code, 0 to 15 */
	INSN_RSP = 4,
	INSN_RBP = 5,
};

/*
 * A place in memory: displacement + base + index * scale, cut to 32 bits if narrow, and then
 * the base of the segment.
 */
struct insn_operand {
	uint64_t displacement; /* with the instruction pointer, if it is relative to that */
	uint16_t size;         /* bytes, at least 1 */
	int8_t base, index;    /* general registers, or INSN_NO_REGISTER */
	uint8_t scale;         /* 1, 2, 4 or 8 */
	enum insn_segment segment;
	bool narrow;
	bool writes; /* it is written, and perhaps read */
};

/* -- which instructions are worth decoding -------------------------------------- */

/* Most are not: those between registers, jumps, calls and pushes. */
enum insn_glance {
	INSN_DULL,    /* refers to no memory except what Valgrind sees; not to be decoded */
	INSN_READS,   /* may read memory */
	INSN_SPECIAL, /* may be another kind than INSN_PLAIN (isa/x86/decoder.h) */
};

enum insn_glance insn_glance(const uint8_t *code, size_t size);

/* False if the instruction has no floating-point operations. */
bool insn_may_float(const uint8_t *code, size_t size);

/*
 * Instructions whose lanes may be masked.  Which bytes they refer to is known when they run, and Valgrind's
 * representation refers to others.  (vmaskmov* and vpmaskmov* have guards in the representation.)
 */
enum lanes {
	LANES_NONE,   /* no such instruction */
	LANES_GATHER, /* vgather*, vpgather* */
	LANES_BYTES,  /* maskmovq, maskmovdqu */
};

enum lanes lanes_of(const uint8_t *code, size_t size);

/* -- jumps ------------------------------------------------------------------ */

/*
 * Jumps as the program's code has them.  Valgrind's representation does not
 * tell them: it leaves a superblock for reasons of its own too, within rep
 * instructions and locked ones, and before faults.
 */
enum jump_kind {
	INSN_JUMP_NONE, /* no jump; calls and returns are none */
	INSN_JUMP_CONDITIONAL,
	INSN_JUMP_DIRECT,
	INSN_JUMP_COMPUTED,
};

struct jump_insn {
	enum jump_kind kind;
	uint64_t target; /* if it is not computed */
	/* Valgrind tests the opposite condition, and leaves the block if the jump is not taken. */
	bool negated;
};

/* The jump in the size bytes of the instruction at an address. */
void jump_insn_decode(const uint8_t *code, size_t size, uint64_t address, struct jump_insn *insn);

/* True if they are a jump or call to a computed address. */
bool jump_insn_is_computed(const uint8_t *code, size_t size);

/* True if they are a rep instruction, which may come back to itself. */
bool jump_insn_repeats(const uint8_t *code, size_t size);

/* -- calls ----------------------------------------------------------------- */

/*
 * The call instruction before a return address.  Code cannot be read
 * backwards for certain; a direct call whose target is code is taken for one,
 * otherwise the longest call through a register or memory that fits.
 */

enum {
	CALLINSN_MAX_SIZE = 8, /* bytes */
};

struct callinsn {
	size_t size; /* bytes, with its prefixes; 0: there is none */
	bool is_direct;
	uint64_t target; /* of a direct one */
};

/*
 * Looks at the CALLINSN_MAX_SIZE bytes of code before a return address, the last of
 * them first; is_code says if an address may be called.
 */
struct callinsn callinsn_before(const uint8_t code[CALLINSN_MAX_SIZE], uint64_t return_address,
				bool (*is_code)(uint64_t address));

/* -- prefetches ---------------------------------------------------------------- */

/*
 * Prefetch instructions of the program, which Valgrind's representation leaves out
 * (AMD64 Architecture Programmer's Manual 3, PREFETCHlevel and PREFETCH/PREFETCHW).
 */
struct prefetch_insn {
	/* 0: the first level and those below it; 1: from the second level on (prefetcht1, prefetcht2). */
	unsigned level;
	struct insn_operand place; /* what is asked for; its size is 1 */
};

/* True if the instruction of size bytes at an address is one; only then *insn is written. */
bool prefetch_insn_decode(const uint8_t *code, size_t size, uint64_t address,
			  struct prefetch_insn *insn);

/* -- lengths ------------------------------------------------------------------- */

/*
 * Bytes of the instruction in the first of len bytes, of those that Capstone 4 does not know: with a VEX or EVEX prefix,
 * of a shadow stack (rdssp, incssp), of protection keys (rdpkru, wrpkru).  0 if it is none, or is not whole.
 * Source: Intel's Software Developer's Manual, volume 2, 2.1, 2.3 and 2.7.
 */
size_t vectorinsn_length(const unsigned char *code, size_t len, bool is_64_bit);

#endif
