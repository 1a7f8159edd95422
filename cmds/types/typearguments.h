/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What callers give to functions, as far as types go.  Of use where debug information does not say what a parameter is
 * in: a compiler that makes parameters of what a function needs of a struct has none for them.
 */
#ifndef CMDS_TYPES_TYPEARGUMENTS_H
#define CMDS_TYPES_TYPEARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/types/typestate.h"
#include "cmds/types/typetable.h"
#include "profile/format/idtable.h"

enum {
	N_ARGUMENTS = 6,
};

/* The registers that these are in, by DWARF's numbers (System V ABI for AMD64, 3.2.3). */
extern const uint8_t argument_registers[N_ARGUMENTS];

struct call_arguments {
	/* Pointers of which all callers that give one agree; VALUE_MIXED: they do not. */
	struct data_value values[N_ARGUMENTS];
	bool is_new; /* since the function was followed last: for the user of it */
};

/* By the function's address.  Fields are private. */
struct type_arguments {
	struct call_arguments *calls; /* owned */
	size_t n, capacity;
	struct idtable by_function;
};

/* None are known.  To be released; {0} may be. */
void typearguments_init(struct type_arguments *arguments);
void typearguments_release(struct type_arguments *arguments);

/* A call of the function at an address, or a jump there, with this state; false if memory ran out. */
bool typearguments_note(struct type_arguments *arguments, const struct typetable *table,
			uint64_t function, const struct type_state *state);

/* What is known of calls of a function, until the next one is noted; NULL = nothing. */
struct call_arguments *typearguments_of(const struct type_arguments *arguments, uint64_t function);

#endif
