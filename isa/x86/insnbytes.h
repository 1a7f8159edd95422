/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AMD64: what the bytes of an instruction say by themselves, without a decoder. */
#ifndef ISA_X86_INSNBYTES_H
#define ISA_X86_INSNBYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which are worth decoding.  Most are not: those between registers, jumps, calls and pushes. */
enum insn_glance {
	INSN_DULL,    /* it refers to no memory but by what Valgrind sees; not to be decoded */
	INSN_READS,   /* it may read memory */
	INSN_SPECIAL, /* it may be another one than INSN_PLAIN (isa/x86/insntraits.h) */
};

enum insn_glance insn_glance(const uint8_t *code, size_t size);

/* -- jumps ------------------------------------------------------------------ */

/*
 * Jumps as the program's code has them.  Valgrind's representation does not
 * tell them: it leaves a superblock for reasons of its own too, within rep
 * instructions and locked ones, and before faults.
 */
enum jump_kind {
	JUMP_NONE, /* no jump; calls and returns are none */
	JUMP_CONDITIONAL,
	JUMP_DIRECT,
	JUMP_COMPUTED,
};

struct jump_insn {
	enum jump_kind kind;
	uint64_t target; /* if it is not computed */
	/* Valgrind tests the opposite condition, and leaves the block if the jump is not taken. */
	bool negated;
};

/* What the size bytes of the instruction at an address are. */
void jump_insn_decode(const uint8_t *code, size_t size, uint64_t address, struct jump_insn *insn);

/* Whether they are a jump or call to a computed address. */
bool jump_insn_is_computed(const uint8_t *code, size_t size);

/* Whether they are a rep instruction: one that may come back to itself. */
bool jump_insn_repeats(const uint8_t *code, size_t size);

/* -- calls ----------------------------------------------------------------- */

/*
 * The call instruction that stands before a return address.  Code cannot be read
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
 * them first; is_code says whether an address may be called.
 */
struct callinsn callinsn_before(const uint8_t code[CALLINSN_MAX_SIZE], uint64_t return_address,
				bool (*is_code)(uint64_t address));

#endif
