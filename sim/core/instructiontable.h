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
 * Lines that begin with '#' are comments; empty lines are skipped.  The first five other lines are, in this order:
 *
 *	core	whose core it is, and the scheduling model of LLVM that it was made from; then "fusing compares" if only cmp and
 *		test fuse with a jump, and "renaming" with a word that says which memory operands are renamed, if not
 *		all that have a base register (enum instruction_renaming)
 *	ports	the names of its ports, bit 0 first
 *	load	the latency of a load of integers, of vectors of up to 128 bits, and of longer ones; then what a load uses
 *	store	what a store uses
 *	other	the cost of an instruction that the table does not have
 *
 * Each line after these is a mnemonic, its forms that cost the same, and their cost: UOPS|LATENCY|USES.  A use is PORTS:TENTHS:
 * a mask in hexadecimal digits, and the tenths of a cycle for which any one of these ports is busy.  Several uses of an
 * instruction are different parts of it, and all are done.
 *
 * A *key* names a form of an instruction as Capstone 4 decodes it: the mnemonic, a blank, and the kinds of its operands, in
 * order, separated by commas: "add r64,m64", "vfmadd231ps y,y,m256", "jne i", "ret".  Kinds are
 *
 *	r8 r16 r32 r64	a general register of that many bits
 *	x y mm st	an XMM, YMM, or MMX register; one of the x87 stack
 *	cl		the register CL, if the mnemonic is one of shl shr sar sal rol ror rcl rcr shld shrd
 *	i		an immediate, or the target of a branch
 *	m8 ... m256	memory, of the size that Capstone says (1, 2, 4, 8, 10, 16 or 32 bytes); m: of any other size
 *	m m3 ms		for lea and nop: memory of any size; lea has m3 with base, index and displacement, else ms with a scale
 *			above 1
 *
 * A form with any other operand (a segment register) has no key.  Of the prefixes that Capstone puts before the mnemonic, "lock "
 * stays, and with movs, stos, lods, scas and cmps also "repne ", and "rep " for rep, repe and repz; others are omitted.
 * A repeated instruction has the cost of one iteration.  Idioms that zero a register have no key of their own; moves that
 * renaming eliminates have latency 0 and no uses on some cores and not on others.  The caller must know about both.
 *
 * What the fields mean:
 *	uops	slots of the front end and of renaming, to be compared with the core's width.  On Intel processors a load and
 *		its use are one, and so are both halves of a store.  May be 0.
 *	latency	cycles from the last of its operands to its result.  If it reads memory, counted from the address (that
 *		includes load.integer or load.vector, which other operands do not wait for).  If it only writes memory,
 *		counted to when the data are ready to be stored.
 *	uses	at most INSTRUCTION_MAX_USES.  None: it needs no port.
 *
 * A text is read once, into memory of the caller's.  Text and memory must live as long as the table.  Nothing else is
 * allocated; there is no recursion, and no state but the table.
 */
#ifndef SIM_CORE_INSTRUCTIONTABLE_H
#define SIM_CORE_INSTRUCTIONTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/basics.h"

enum {
	INSTRUCTION_MAX_KEY = 60, /* bytes of a key; no form has a longer one */
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

/* Which memory operands a core renames, if any (core_config.renamed). */
enum instruction_renaming {
	INSTRUCTION_RENAMES_BASES, /* those with a base register, with or without an index */
	INSTRUCTION_RENAMES_ALL,   /* "all": also those relative to the instruction pointer */
	INSTRUCTION_RENAMES_CONSTANTS, /* "constants": without an index, and not what a register changes */
	INSTRUCTION_RENAMES_MOVES, /* "moves": not those that one instruction loads and stores */
};

/* How a row was found. */
enum instruction_match {
	INSTRUCTION_EXACT,   /* it has this key */
	INSTRUCTION_REDUCED, /* it has a similar key: see instructiontable_find() */
	INSTRUCTION_DEFAULT, /* nothing is known: the line "other" */
};

/* Bytes of the text. */
struct instructiontable_span {
	uint32_t offset, len;
};

/* Latencies of loads, in cycles; the latencies of rows include them. */
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
	bool fuses_compares;                    /* only cmp and test fuse with a conditional jump */
	enum instruction_renaming renaming;
	unsigned n_ports;
	struct instructiontable_span ports[INSTRUCTION_MAX_PORTS]; /* their names */
	struct instruction_loads loads;
	struct instruction_row load, store, other; /* load and store have only uses */
	uint32_t n_keys;
	/* In the caller's memory. */
	struct instructiontable_slot *slots; /* a hash table by key */
	uint32_t slot_mask;
	struct instructiontable_cost *costs;
	struct instruction_use *uses;
	uint32_t n_costs, n_uses;
};

/* The first error in a text. */
struct instructiontable_error {
	uint32_t line;                      /* from 1 */
	struct instructiontable_span found; /* empty: the line's or the text's end */
	const char *expected;               /* a phrase: "a number from 0 to 255" */
};

/*
 * Bytes of memory that a table of this text needs: about 300 KB for one of data/cores.  The text may be anything; for one
 * longer than INSTRUCTIONTABLE_MAX_SIZE, which is refused anyway, returns 0.
 */
size_t instructiontable_size(const char *text, size_t len);

/*
 * Reads a text.  memory: instructiontable_size() bytes, aligned like a uint64_t, of any content.  Memory and text are borrowed
 * as long as the table is used.  Returns false and fills *error if the text is not a table; *table is undefined then.
 */
bool instructiontable_parse(struct instructiontable *table, const char *text, size_t len,
			    void *memory, struct instructiontable_error *error);

/*
 * The row of a key.  If the key has none, the first of these that the table has:
 *
 *	1. general registers of any size as r64, and without vectors memory of any size as m64
 *	2. y as x, and m256 as m128
 *	3. memory that is not the first operand as a register (y for m256, x next to vectors, else r64), with
 *	   the latency and uses of a load added; also with 1 and 2
 *	4. without "lock ", "rep " or "repne ", and again 1 to 3
 *	5. the first row of the mnemonic
 *	6. the line "other", and a load if there is memory that is not the first operand
 *
 * *row is always written.  A key may be any bytes.
 */
enum instruction_match instructiontable_find(const struct instructiontable *table, const char *key,
					     size_t len, struct instruction_row *row);

/* The ports that loads and stores use, as bits (core_config.memory_ports). */
uint32_t instructiontable_memory_ports(const struct instructiontable *table);

/* -- built-in tables ------------------------------------------------------------------------ */

/* The tables of data/cores, generated at build time by scripts/embed-texts, so that neither program has to find files.  Sorted by name, as bytes. */
extern const struct embedded_text core_tables[];
extern const size_t n_core_tables;
extern const char *const core_names[]; /* in the same order; NULL at the end */

/* The table with this name; NULL if there is none. */
static inline const struct embedded_text *core_table_find(const char *name)
{
	return embedded_text_find(core_tables, n_core_tables, name);
}

#endif
