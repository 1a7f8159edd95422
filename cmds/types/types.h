/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_TYPES_TYPES_H
#define CMDS_TYPES_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/object/disassembly.h"
#include "cmds/object/objectfile.h"
#include "profile/common/arena.h"
#include "profile/common/dictionary.h"
#include "profile/format/idtable.h"

/* -- types -------------------------------------------------------------------------------------- */

/*
 * Types of a program: what is where in a struct, and which member is at a place.
 *
 * A type has a number.  Typedefs and qualifiers are not there: "const node_t" is what it stands for.
 * Structs, classes and unions are known by name and members, so that one which many sources
 * have is one type.
 */

enum data_kind {
	DATA_NONE,   /* nothing is known: void */
	DATA_SCALAR, /* number, enumeration */
	DATA_BYTES,  /* a character: what it points to may be anything */
	DATA_POINTER,
	DATA_ARRAY,
	DATA_STRUCT, /* or class */
	DATA_UNION,
};

/* Of nothing, and what is not known; always there. */
#define TYPE_NONE UINT32_C(0)

struct data_member {
	const char *name; /* "" = none: an anonymous struct or union, or a base class */
	uint64_t offset,
		size; /* bytes; of a base class without what members behind it have of its padding */
	uint32_t type;
	bool is_base;
};

struct data_type {
	enum data_kind kind;
	const char *
		name; /* as the language has it: "struct node", "list<int>", "double"; of an array "" */
	uint64_t size;   /* bytes; 0 = not known */
	uint32_t target; /* of a pointer what it points to, of an array its element */
	const struct data_member *members; /* by offset */
	size_t n_members;
};

/* Fields are private.  Memory is the table's. */
struct typetable {
	struct arena arena;
	struct data_type *types;
	size_t n, capacity;
	struct dictionary known; /* what tells types apart: key */
	uint32_t *of_key;        /* by key: type */
	size_t of_key_capacity;
};

/* False if memory ran out.  To be released in any case; {0} may be released. */
bool typetable_init(struct typetable *table);
void typetable_release(struct typetable *table);

/* A type by its number, to be read until the next one is made. */
const struct data_type *typetable_get(const struct typetable *table, uint32_t type);

/*
 * The number of the type that an identity stands for, *is_new if it was not there: then it is of the kind, with
 * this name, and the rest is to be set by those below.  The texts are copied.  TYPE_NONE if memory ran out.
 */
uint32_t typetable_intern(struct typetable *table, const char *identity, enum data_kind kind,
			  const char *name, bool *is_new);

void typetable_set_kind(struct typetable *table, uint32_t type, enum data_kind kind);
void typetable_set_size(struct typetable *table, uint32_t type, uint64_t size);
void typetable_set_target(struct typetable *table, uint32_t type, uint32_t target);

/*
 * Members are copied and sorted by offset; their names stay borrowed.  A base class ends where the next member begins: in
 * C++ that may lie in the padding at its end.  False if memory ran out.
 */
bool typetable_set_members(struct typetable *table, uint32_t type,
			   const struct data_member *members, size_t n);

/* A copy of a text that lives as long as the table; NULL if memory ran out. */
const char *typetable_copy(struct typetable *table, const char *text);

/* The element of an array of arrays of ..., or the type itself. */
uint32_t typetable_element(const struct typetable *table, uint32_t type);

/*
 * Whether what is pointed to may be anything: void, characters, and what is not known.
 */
bool typetable_is_vague(const struct typetable *table, uint32_t type);

/*
 * The offset within a struct of a place in an array of such structs: offset + k * stride bytes from the start
 * of one, k not known; stride 0: the place is exact, and outside the struct it is of no member, of which the struct's size is
 * the offset.  Where that leaves a choice, it is taken for granted that the index is one of whole structs, or of the array in
 * the struct that elements of such a size can be of.  An array without a bound at the end stands for all that is behind it,
 * and its first element for all of them.
 */
uint64_t typetable_fold(const struct typetable *table, uint32_t type, int64_t offset,
			uint64_t stride);

/*
 * The type at an offset of a type, as deep in it as there are structs: of an array its element, of a union
 * a pointer if it has one.  *left is how far the offset lies behind its beginning.  TYPE_NONE if there is nothing.
 */
uint32_t typetable_leaf(const struct typetable *table, uint32_t type, uint64_t offset,
			uint64_t *left);

/* Whether a class has no data, nor has one that it is derived from: as a base, it takes no room. */
bool typetable_is_empty(const struct typetable *table, uint32_t type);

/* Whether a type has another one at an offset, or is it. */
bool typetable_contains(const struct typetable *table, uint32_t type, uint64_t offset,
			uint32_t inner);

/* -- members of a struct ------------------------------------------------------------------------ */

/*
 * The members of a struct as a list, those of structs in it in their places: what costs of a type are told apart by.
 */

/*
 * A member of a struct, or of one in it.  One of the elements of an array of structs stands for those of all of
 * them: its offset is that in the first element.
 */
struct type_member {
	const char *name;      /* "node.next", "level[].next" */
	uint64_t offset, size; /* bytes */
	uint64_t array;        /* of one in an array of structs: the array's offset, */
	uint64_t stride;       /* and bytes from one element to the next; else 0 */
	uint64_t end;          /* behind the array, or the member; UINT64_MAX = it has no bound */
	size_t outer;          /* place in members of data_type of the one that it is, or is in */
	uint64_t *costs;       /* by the model's events, of whoever has the list */
};

/*
 * Lists those of a struct by offset, without costs, as an array of the arena's; members of a union that have one place and
 * size are one.  The last one, "(elsewhere)", is for the rest: padding and what is unclear.  False if memory ran out.
 */
bool typemembers_list(struct type_member **members, size_t *n, const struct typetable *table,
		      uint32_t type, struct arena *arena);

/* How many elements of an array in the struct have a member, one if it is in no array; 0 if the array has no bound. */
uint64_t typemember_copies(const struct type_member *member);

/* Whether any of the bytes from start on, and before end, are of a member, in whichever element of an array. */
bool typemember_has(const struct type_member *member, uint64_t start, uint64_t end);

/* The one at an offset: of several the last one that begins there or before, and has it; 0 if n is. */
size_t typemembers_at(const struct type_member *members, size_t n, uint64_t offset);

/* -- values ------------------------------------------------------------------------------------- */

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

/* -- arguments ---------------------------------------------------------------------------------- */

/*
 * What callers give to functions, as far as types go.  Of use where debug information does not say what a parameter is
 * in: a compiler that makes parameters of what a function needs of a struct has none for them.
 */

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

/* -- code --------------------------------------------------------------------------------------- */

/*
 * Types followed through the code of a function: forward over all ways that control can go, until nothing
 * changes.  A computed jump may go wherever no other jump goes.
 *
 * What debug information says of registers (facts) is taken in before each instruction.
 */

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

/* -- debug information -------------------------------------------------------------------------- */

/*
 * Functions, variables and their types of an object, from its DWARF debug information, versions 2 to 5.  Functions
 * of units without types (-g1, -gline-tables-only) are not known.  Where costgrind was built without elfutils, there are none.
 */

struct code_range {
	uint64_t start, end; /* end is behind it */
};

/* A variable in memory, in a stretch of code. */
struct frame_fact {
	uint64_t start, end;
	int8_t reg; /* its address is this register's value + offset; -1 = the CFA's */
	int64_t offset;
	uint64_t size;           /* bytes */
	struct data_value value; /* a pointer to it */
};

/* A function with its variables.  To be released.  Fields are for reading. */
struct type_function {
	uint64_t entry; /* the address that calls go to */
	bool has_lost_parameters; /* nothing says where some are there: the compiler may have made others of them */
	struct code_range *ranges; /* owned, as all arrays */
	size_t n_ranges, ranges_capacity;
	struct register_fact *facts;
	size_t n_facts, facts_capacity;
	struct frame_fact *places;
	size_t n_places, places_capacity;
};

struct typereader; /* opaque */

/*
 * Of an object that outlives it, into a table that does, too.  *reader has no functions if there is no debug
 * information that can be read.  False if memory ran out.
 */
bool typereader_open(struct typereader **reader, struct objectfile *object,
		     struct typetable *table);
void typereader_free(struct typereader *reader);

/* The function that has code at an address; false if none is known, or (*failed) memory ran out. */
bool typereader_function(struct typereader *reader, uint64_t address,
			 struct type_function *function, bool *failed);
void type_function_release(struct type_function *function);

/* What the function that begins at an address returns; VALUE_NONE = not known. */
struct data_value typereader_result(struct typereader *reader, uint64_t address);

/* A pointer to what the variable that an address lies in has there; VALUE_NONE = none is known. */
struct data_value typereader_variable(struct typereader *reader, uint64_t address);

/* Whether memory ran out meanwhile, so that something was not found that is there. */
bool typereader_failed(const struct typereader *reader);

/* Whether numbers in its code may be addresses. */
bool typereader_is_fixed(const struct typereader *reader);

#endif
