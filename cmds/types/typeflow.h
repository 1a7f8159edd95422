/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types followed through the code of a function: forward over all ways that control can go, until nothing
 * changes.  A computed jump may go wherever no other jump goes.
 *
 * What debug information says of registers (facts) is taken in before each instruction.
 */
#ifndef CMDS_TYPES_TYPEFLOW_H
#define CMDS_TYPES_TYPEFLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/object/disassembly.h"
#include "cmds/types/typestate.h"

/* The value of a register in a stretch of code, by debug information. */
struct register_fact {
	uint64_t start, end; /* addresses; end is behind it */
	uint8_t reg;
	struct data_value value;
};

struct flow_instruction {
	uint64_t address;
	uint64_t target; /* if has_target */
	struct instruction_motion motion;
	enum instruction_kind kind;
	uint8_t len;
	bool has_target;
};

struct type_flow {
	const struct typetable *table;
	const struct variable_view *view;
	const struct flow_instruction *code; /* by address */
	size_t n;
	uint64_t entry; /* the address that calls go to, which parts that are seldom executed may lie before */
	const struct register_fact *facts;
	size_t n_facts;
	/* What callers give, N_ARGUMENTS of them, where no fact says what is there at the entry; NULL = not known. */
	const struct data_value *arguments;
	void *ctx;
	/* What a call of the function at an address returns.  address 0: not known. */
	struct data_value (*result)(void *ctx, uint64_t address);
	/* Called before each instruction is followed, so that the view knows where that is. */
	void (*moved)(void *ctx, uint64_t address);
	/* A call of the function at an address, or a jump there that leaves the code, is about to be made. */
	void (*called)(void *ctx, uint64_t address, const struct type_state *state);
	/* What an instruction that refers to memory reads and writes: called once for each, by address. */
	void (*found)(void *ctx, const struct flow_instruction *instruction,
		      const struct data_place *read, const struct data_place *written);
};

/* False if memory ran out.  Code that nothing is known to lead to is looked at, too. */
bool typeflow_run(const struct type_flow *flow);

#endif
