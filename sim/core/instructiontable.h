/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What instructions cost on a processor's core: micro-operations, latency, and which ports they use.
 *
 *	core zen4 from znver4
 *	ports AGU0 AGU1 AGU2 ALU0 ALU1 ALU2 ALU3 BRU FP0 FP1 FP2 FP3 FP4 FP5 FPST ST0 ST1
 *	load 4 7 7 7:10
 *	store 7:10 18000:10
 *	other 1|1|78:10
 *	add r16,m16 r32,m32 r64,m64 r8,m8|1|5|7:10 78:10
 *	lock cmpxchg m64,r64|6|8|7:20 78:50 18000:10
 *	ret - i|1|5|7:10 88:10
 *
 * Lines that begin with '#' are comments, and empty ones nothing.  The first five others are, in this order: whose
 * core it is, and the scheduling model of LLVM that it was made from, then "fusing compares" if only cmp and test become
 * one operation with a jump, and "renaming" with a word for what memory registers are renamed, if not by a base register alone
 * (enum instruction_renaming); the names of its ports, bit 0 first;
 * the latency of a load of integers, of vectors of up to 128 bits and of longer ones, and what a load uses; what a
 * store uses; and what is assumed of an instruction that nothing is known of.  Each line after that is a mnemonic with
 * the forms of it that cost the same, and their cost: UOPS|LATENCY|USES.  A use is PORTS:TENTHS, a mask in
 * hexadecimal digits, and tenths of a cycle for which one of these ports, any of them, is busy; PORTS of several
 * uses of an instruction are of different parts of it, each of which is done.
 *
 * A *key* names a form of an instruction as Capstone 4 decodes it: the mnemonic, a blank, and the kinds of its
 * operands, in their order, with commas between: "add r64,m64", "vfmadd231ps y,y,m256", "jne i", "ret".  Kinds are
 *
 *	r8 r16 r32 r64	a general register of so many bits
 *	x y mm st	an XMM, a YMM, an MMX register; one of x87's stack
 *	cl		the register CL, if the mnemonic is one of shl shr sar sal rol ror rcl rcr shld shrd
 *	i		an immediate, a target of a branch too
 *	m8 ... m256	memory, of the size that Capstone says (1, 2, 4, 8, 10, 16 or 32 bytes); m: of any other size
 *	m m3 ms		for lea and nop: memory of whatever size; m3: of lea, with base, index and displacement; ms:
 *			else of lea, with a scale of more than 1
 *
 * A form with any other operand (a segment register) has no key.  Of prefixes that Capstone puts before the mnemonic,
 * "lock " stays, and with movs, stos, lods, scas and cmps "repne ", and "rep " for rep, repe and repz; others are
 * left out.  What repeats has the cost of a turn.  What clears a register by itself is not told apart;
 * moves that renaming does away with have the latency 0 and no uses on some cores, on others not: both are the caller's
 * to know.
 *
 * What the fields mean:
 *	uops	slots of the front end and of renaming: what is compared with the core's width.  On Intel's,
 *		a load and what uses it are one, and both halves of a store are.  May be 0.
 *	latency	cycles from the last of its operands to its result.  If it reads memory (load.integer or .vector, by
 *		what it loads), this counts from the address: from other operands it is that much less.  Of
 *		what writes memory only, to when the data to be stored are there.
 *	uses	at most INSTRUCTION_MAX_USES.  None: it needs no port.
 *
 * A text is read in one go, in memory of the caller's, which holds until the table is not needed any more; so does the
 * text.  Nothing else is allocated; there is no recursion, and no state but the table.
 */
#ifndef SIM_CORE_INSTRUCTIONTABLE_H
#define SIM_CORE_INSTRUCTIONTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/core/instructionkey.h"

enum {
	INSTRUCTION_MAX_USES = 8,
	INSTRUCTION_MAX_PORTS = 32,
	INSTRUCTIONTABLE_NAME_SIZE = 32,     /* bytes of a core's name and a NUL */
	INSTRUCTIONTABLE_MAX_SIZE = 1 << 20, /* bytes of a text */
};

struct instruction_use {
	uint32_t ports;  /* bit p: port p may do it; not 0 */
	uint16_t tenths; /* of a cycle; not 0 */
};

struct instruction_row {
	uint8_t uops;
	uint8_t latency; /* cycles; what takes longer has 255 */
	uint8_t n_uses;
	struct instruction_use uses[INSTRUCTION_MAX_USES];
};

/* Of what memory a core renames registers, if it does (core_config.renamed). */
enum instruction_renaming {
	INSTRUCTION_RENAMES_BASES, /* places by a base register, perhaps with an index */
	INSTRUCTION_RENAMES_ALL,   /* "all": those relative to the instruction pointer, too */
	INSTRUCTION_RENAMES_CONSTANTS, /* "constants": without an index, and not what a register changes */
	INSTRUCTION_RENAMES_MOVES, /* "moves": not what one instruction loads and stores */
};

/* How a row was found. */
enum instruction_match {
	INSTRUCTION_EXACT,   /* it is of this key */
	INSTRUCTION_REDUCED, /* it is of a similar one: instructiontable_find() */
	INSTRUCTION_DEFAULT, /* nothing is known: the line "other" */
};

/* Bytes of the text. */
struct instructiontable_span {
	uint32_t offset, len;
};

/* Latencies of loads that are part of rows, in cycles. */
struct instruction_loads {
	uint8_t integer, vector, wide; /* wide: of more than 128 bits */
};

struct instructiontable_slot;
struct instructiontable_cost;

struct instructiontable {
	const char *text; /* borrowed */
	size_t len;
	char name[INSTRUCTIONTABLE_NAME_SIZE];
	char model[INSTRUCTIONTABLE_NAME_SIZE]; /* as LLVM calls the processor */
	bool fuses_compares;                    /* with a conditional jump: cmp and test only */
	enum instruction_renaming renaming;
	unsigned n_ports;
	struct instructiontable_span ports[INSTRUCTION_MAX_PORTS]; /* their names */
	struct instruction_loads loads;
	struct instruction_row load, store, other; /* of the first two, only uses */
	uint32_t n_keys;
	/* In the caller's memory. */
	struct instructiontable_slot *slots; /* a hash table by key */
	uint32_t slot_mask;
	struct instructiontable_cost *costs;
	struct instruction_use *uses;
	uint32_t n_costs, n_uses;
};

/* Where a text is no table, and why. */
struct instructiontable_error {
	uint32_t line;                      /* from 1 */
	struct instructiontable_span found; /* empty: the line's or the text's end */
	const char *expected;               /* a phrase: "a number from 0 to 255" */
};

/*
 * Bytes of memory that a table of this text needs: some 300 KB for one of data/cores.  It reads the text
 * once, whatever is in it; of one that is longer than INSTRUCTIONTABLE_MAX_SIZE, which is refused, it is 0.
 */
size_t instructiontable_size(const char *text, size_t len);

/*
 * Reads a text.  memory is of instructiontable_size() bytes, aligned as for a uint64_t, and may hold
 * anything; it and the text are the table's until the caller is done with it.  Returns whether it is a table; if
 * not, *error is written, and *table is worth nothing.
 */
bool instructiontable_parse(struct instructiontable *table, const char *text, size_t len,
			    void *memory, struct instructiontable_error *error);

/*
 * The row of a key.  If it has none, the first that is there of these, and what is done to it:
 *
 *	1. general registers of any size as r64, and without vectors memory of any size as m64
 *	2. y as x, and m256 as m128
 *	3. memory that is not the first operand as a register (y for m256, x beside vectors, else r64), with
 *	   the latency and uses of a load added; also with 1 and 2
 *	4. without "lock ", "rep " or "repne ", and again 1 to 3
 *	5. the first row of the mnemonic
 *	6. the line "other", and a load if there is memory that is not the first operand
 *
 * *row is always written.  A key may be any bytes.
 */
enum instruction_match instructiontable_find(const struct instructiontable *table, const char *key,
					     size_t len, struct instruction_row *row);

/* The ports that loads and stores go to, by bits (core_config.memory_ports). */
uint32_t instructiontable_memory_ports(const struct instructiontable *table);

#endif
