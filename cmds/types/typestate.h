/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What registers and the stack hold at some point of a function, as far as types go, and how an instruction
 * changes that.
 *
 * A value is a number, a pointer, or an address in the function's frame or in the object file, each with the offset that is
 * known of it, plus any multiple of a stride: what "base + 16 * i + 8" points to is offset 8, stride 16.  Where two
 * ways meet, what is known on one of them counts: code that follows a pointer has one on all ways.  Different types
 * are none.  The address of a member, or of the frame, does not count if the other way has what a call gave: a small
 * buffer of a struct's own, "n <= 4 ? s->local : malloc(n)", says nothing of a block.
 */
#ifndef CMDS_TYPES_TYPESTATE_H
#define CMDS_TYPES_TYPESTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/object/disassembly.h"
#include "cmds/types/typetable.h"

/* In the order in which they replace one another where ways meet. */
enum value_kind {
	VALUE_NONE, /* nothing is known */
	VALUE_NUMBER,
	VALUE_ADDRESS, /* in the object file, where no variable is: of a jump table, a constant; the offset is all of it */
	VALUE_UNTYPED, /* what a call gave, of which no type is known */
	VALUE_FRAME, /* the stack pointer that the caller had at its call (DWARF's CFA) + offset */
	VALUE_POINTER, /* to a type, + offset */
	VALUE_MIXED,   /* this here, that there */
};

struct data_value {
	enum value_kind kind;
	uint32_t type; /* VALUE_POINTER: what it points to, no array */
	int64_t offset;
	uint64_t stride; /* 0 = the offset is all; 1 = of any number */
};

enum {
	STATE_REGISTERS = 33, /* by DWARF's numbers: general ones, and vectors from 17 on */
	STATE_SP = 7,
	STATE_SLOTS =
		48, /* words of the stack frame that are followed; of others nothing is known */
};

/*
 * Where the thread's pointer is: no variable that is not thread-local is near it.  Those that are lie before it, at the
 * addresses that variable_view has them by.
 */
#define STATE_THREAD (INT64_C(1) << 62)

struct state_slot {
	int64_t offset;
	struct data_value value;
};

struct type_state {
	bool is_reached;
	struct data_value registers[STATE_REGISTERS];
	struct state_slot slots[STATE_SLOTS];
	size_t n_slots;
};

/* Where something is: what an instruction reads or writes. */
enum place_kind {
	PLACE_UNKNOWN,
	PLACE_FRAME, /* at an offset in the frame where no variable is known */
	PLACE_TYPE,
	PLACE_ABSOLUTE, /* at an address, where no variable is known, or from there on */
};

struct data_place {
	enum place_kind kind;
	uint32_t type;   /* PLACE_TYPE */
	uint64_t offset; /* in it, see typetable_fold(); or in the frame, as a signed number */
};

/* What is known of variables apart from the code.  The functions may be asked often. */
struct variable_view {
	void *ctx;
	bool is_fixed; /* numbers in the code may be addresses: it is not position-independent */
	/* A pointer to the variable that is in the frame at an offset, or VALUE_NONE. */
	struct data_value (*in_frame)(void *ctx, int64_t offset, const struct type_state *state);
	/* The same of an address. */
	struct data_value (*at_address)(void *ctx, uint64_t address);
};

/* Of the start of a function: all is unknown but the stack pointer. */
void typestate_begin(struct type_state *state);

/* What two ways have in common; false if that is what `into` was. */
bool typestate_join(const struct typetable *table, struct type_state *into,
		    const struct type_state *from);

/* The value of a thing of a type in size bytes at an offset of it: a pointer, or a number. */
struct data_value value_of_type(const struct typetable *table, uint32_t type, uint64_t offset);

/* Offsets that may be of damaged information add up to some number in any case. */
static inline int64_t offset_sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t offset_difference(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* A pointer to a type; of an array to its elements, whichever it is. */
struct data_value value_pointer(const struct typetable *table, uint32_t type, int64_t offset);

struct data_value value_add(const struct data_value *a, const struct data_value *b);

/*
 * What is known of a value by debug information, and by the code: of pointers the outer type, and
 * not one to anything.
 */
struct data_value value_choose(const struct typetable *table, const struct data_value *declared,
			       const struct data_value *followed);

/* Where an operand is. */
struct data_place typestate_place(const struct typetable *table, const struct type_state *state,
				  const struct motion_place *operand,
				  const struct variable_view *view);

/*
 * What the state is behind an instruction.  result: what a call returns; used of calls only.
 */
void typestate_step(const struct typetable *table, struct type_state *state,
		    const struct instruction_motion *motion, const struct variable_view *view,
		    const struct data_value *result);

#endif
