/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations: instructions as a core sees them (sim/core/core.h).  What they are made from is not known here: a
 * decoder says which registers they read and write, and where they refer to memory; a table
 * (sim/core/instructiontable.h) what they take of the core.
 */
#ifndef SIM_CORE_OPERATION_H
#define SIM_CORE_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/core/instructiontable.h"

/*
 * Registers that carry results from one operation to another, as numbers of bits in a word.  General registers have the
 * numbers of machine code; an SSE register is the lower half of an AVX register; all flags are one.
 */
enum core_register {
	CORE_RSP = 4,
	CORE_RBP = 5,
	CORE_FLAGS = 16,
	CORE_VECTOR = 17, /* the first of 16 */
	CORE_MMX = 33,    /* the first of 8 */
	CORE_X87 = 41,    /* the whole stack */
	N_CORE_REGISTERS = 42,
	N_CORE_GENERAL = 16,
	CORE_NO_REGISTER = -1,
};

/* base + index * scale + displacement; one without base and index is relative to the instruction pointer. */
struct operation_place {
	int32_t displacement;
	uint16_t size;      /* bytes */
	int8_t base, index; /* general registers, or CORE_NO_REGISTER */
	uint8_t scale;
};

struct operation {
	uint64_t reads;      /* bits of registers that it computes with */
	uint64_t addressing; /* ... that its address is made of */
	uint64_t writes;
	/* What it takes of the core; NULL: a slot, and no port, as what is done while registers are renamed. */
	const struct instruction_row *row;
	struct operation_place place; /* if it loads or stores */
	/*
	 * A general register that is known to become the value of another one, or of itself, and a constant: so places are
	 * told apart after the stack pointer has moved.  CORE_NO_REGISTER: none.
	 */
	int8_t copied_to, copied_from;
	int32_t copied_plus;
	uint8_t size;  /* bytes of code */
	uint8_t slots; /* in dispatch and retirement */
	uint8_t latency; /* cycles from its last operand, a load's result among them, to its results */
	uint8_t load;    /* cycles from its address to what it loads */
	uint8_t flags_first; /* cycles that flags are needed before its other operands */
	bool loads, stores;
	bool is_renamed;     /* registers may be renamed for what it loads or stores */
	bool fuses;          /* with a conditional jump right behind it */
	bool is_conditional; /* a conditional jump */
	bool is_call;        /* or a return */
};

#endif
