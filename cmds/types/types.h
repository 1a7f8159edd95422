/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The types of a program, and which of them its registers and stack hold from instruction to instruction.  typecosts.h has
 * the costs of a profile by type.
 */
#ifndef CMDS_TYPES_TYPES_H
#define CMDS_TYPES_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/object/disassembly.h"
#include "cmds/object/objectfile.h"
#include "profile/common/dictionary.h"
#include "profile/common/heap.h"

/* -- types (typetable.c) ----------------------------------------------------------------------
 *
 * A type has a number.  Typedefs and qualifiers are resolved: "const node_t" is the struct.  Structs,
 * classes and unions are known by name and members, so that one that many sources declare is one type.
 */

enum data_kind {
	DATA_NONE,   /* unknown, or void */
	DATA_SCALAR, /* number, enumeration */
	DATA_BYTES,  /* a character: a pointer to it may point to anything */
	DATA_POINTER,
	DATA_ARRAY,
	DATA_STRUCT, /* or class */
	DATA_UNION,
};

/* The type of void, and of anything unknown. */
#define TYPE_NONE UINT32_C(0)

struct data_member {
	const char *name;      /* "" for an anonymous struct or union, and a base class */
	uint64_t offset, size; /* bytes; a base class ends where a member uses its padding */
	uint32_t type;
	bool is_base;
};

struct data_type {
	enum data_kind kind;
	const char *name; /* as the language writes it: "struct node", "list<int>", "double" */
	uint64_t size;    /* bytes; 0 = not known */
	uint32_t target;  /* of a pointer what it points to, of an array its element */
	const struct data_member *members; /* by offset */
	size_t n_members;
};

/* Fields are private.  Memory is the table's. */
struct typetable {
	struct arena arena;
	struct data_type *types;
	size_t n, capacity;
	struct dictionary known; /* identities */
	uint32_t *of_key;        /* by key: type */
	size_t of_key_capacity;
};

/* To be released; {0} may be released. */
void typetable_init(struct typetable *table);
void typetable_release(struct typetable *table);

/* A type by its number; valid until the next one is made. */
const struct data_type *typetable_get(const struct typetable *table, uint32_t type);

/*
 * The number of the type with this identity.  If *is_new, it has just been made with this kind and name,
 * size 0 and no target or members.  Texts are copied.
 */
uint32_t typetable_intern(struct typetable *table, const char *identity, enum data_kind kind,
			  const char *name, bool *is_new);

/* A type, to set its kind, size and target; valid until the next one is made. */
struct data_type *typetable_edit(struct typetable *table, uint32_t type);

/*
 * Copies members and sorts them by offset; names are borrowed.  A base class is made to end where the next
 * member begins, which in C++ may be in its padding.
 */
void typetable_set_members(struct typetable *table, uint32_t type,
			   const struct data_member *members, size_t n);

/* A copy of a text that lives as long as the table. */
const char *typetable_copy(struct typetable *table, const char *text);

/* The innermost element of an array, or the type itself. */
uint32_t typetable_element(const struct typetable *table, uint32_t type);

/* True if a pointer to the type may point to anything: void, characters, unknown. */
bool typetable_is_vague(const struct typetable *table, uint32_t type);

/*
 * The offset within a struct of a place in an array of such structs: `offset` + k * stride bytes from the start
 * of one, for an unknown k.  With stride 0 the place is exact, and outside the struct it belongs to no member,
 * which the struct's size as result says.  Where several readings are possible, the index is taken to count
 * whole structs, or elements of an array in the struct that has elements of that size.  An array without a
 * bound at the end of a struct extends to any offset, and its first element represents all of them.
 */
uint64_t typetable_fold(const struct typetable *table, uint32_t type, int64_t offset,
			uint64_t stride);

/*
 * The innermost type at an offset of a type: of an array its element, of a union a pointer if it has one.
 * *left is the offset within it.  TYPE_NONE if there is nothing.
 */
uint32_t typetable_leaf(const struct typetable *table, uint32_t type, uint64_t offset,
			uint64_t *left);

/* True if neither a class nor its bases have data: as a base, it takes no room. */
bool typetable_is_empty(const struct typetable *table, uint32_t type);

/* True if a type is `inner`, or has it at an offset. */
bool typetable_contains(const struct typetable *table, uint32_t type, uint64_t offset,
			uint32_t inner);

/*
 * A member of a struct, or of a struct in it, as costs of a type are split by.  A member of the elements of an
 * array of structs is listed once, for all elements, at its offset in the first.
 */
struct type_member {
	const char *name;      /* "node.next", "level[].next" */
	uint64_t offset, size; /* bytes */
	uint64_t array;        /* of one in an array of structs: the array's offset, */
	uint64_t stride;       /* and bytes from one element to the next; else 0 */
	uint64_t end;          /* of the array, or the member; UINT64_MAX = it has no bound */
	size_t outer;          /* index in members of data_type of the one that it is, or is in */
	uint64_t *costs;       /* by the model's events; for whoever has the list */
};

/*
 * Lists the members of a struct by offset, without costs, as an array of the arena's; members of a union with the
 * same place and size are one.  The last one, "(elsewhere)", is padding and what is unclear.
 */
void typemembers_list(struct type_member **members, size_t *n, const struct typetable *table,
		      uint32_t type, struct arena *arena);

/* In how many elements of an array a member is: 1 if it is in no array; 0 if the array has no bound. */
uint64_t typemember_copies(const struct type_member *member);

/* True if any byte from start to before end belongs to a member, in any element of an array. */
bool typemember_has(const struct type_member *member, uint64_t start, uint64_t end);

/* The index of the last member that begins at an offset or before it, and has it; 0 if n is 0. */
size_t typemembers_at(const struct type_member *members, size_t n, uint64_t offset);

/* -- types along the code of a function (typeflow.c) -------------------------------------------
 *
 * A value is a number, a pointer, or an address in the function's frame or in the object file.  Each has a known
 * offset plus any multiple of a stride: "base + 16 * i + 8" has offset 8 and stride 16.  Where two paths meet, what is
 * known on either counts: code that follows a pointer has one on all paths.  Two different types give none.  The address
 * of a member or of the frame does not count if the other path has the result of a call: a struct's own small buffer,
 * "n <= 4 ? s->local : malloc(n)", says nothing about the block.
 */

/* In the order in which they replace one another where paths meet. */
enum value_kind {
	VALUE_NONE, /* nothing is known */
	VALUE_NUMBER,
	VALUE_ADDRESS, /* in the object file, where no variable is: a jump table, a constant */
	VALUE_UNTYPED, /* returned by a call; no type is known */
	VALUE_FRAME, /* the stack pointer that the caller had at its call (DWARF's CFA) + offset */
	VALUE_POINTER, /* to a type, + offset */
	VALUE_MIXED,   /* different things on different paths */
};

struct data_value {
	enum value_kind kind;
	uint32_t type;   /* VALUE_POINTER: what it points to, no array */
	int64_t offset;  /* VALUE_ADDRESS: the address */
	uint64_t stride; /* 0 = the offset is exact; 1 = any number */
};

enum {
	STATE_REGISTERS = 33, /* by DWARF's numbers: general ones, and vectors from 17 on */
	STATE_SP = 7,
	STATE_SLOTS = 48, /* words of the stack frame that are followed; others are unknown */
	N_ARGUMENTS = 6,
};

/*
 * Where the thread's pointer is taken to be: no variable that is not thread-local is near it.  Thread-locals
 * precede it, at the addresses that variable_view knows them by.
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
	PLACE_ABSOLUTE, /* at an address where no variable is known, or from there on */
};

struct data_place {
	enum place_kind kind;
	uint32_t type;   /* PLACE_TYPE */
	uint64_t offset; /* in it, see typetable_fold(); or in the frame, as a signed number */
};

/* What is known about variables apart from the code.  The functions are called often. */
struct variable_view {
	void *ctx;
	bool is_fixed; /* numbers in the code may be addresses: it is not position-independent */
	/* A pointer to the variable at an offset of the frame, or at an address; or VALUE_NONE. */
	struct data_value (*in_frame)(void *ctx, int64_t offset, const struct type_state *state);
	struct data_value (*at_address)(void *ctx, uint64_t address);
};

/* The start of a function: nothing is known but the stack pointer. */
void typestate_begin(struct type_state *state);

/* Joins another path into a state; false if that changes nothing. */
bool typestate_join(const struct typetable *table, struct type_state *into,
		    const struct type_state *from);

/* Where an operand is. */
struct data_place typestate_place(const struct typetable *table, const struct type_state *state,
				  const struct motion_place *operand,
				  const struct variable_view *view);

/* The state after an instruction.  result is what a call returns, used for calls only. */
void typestate_step(const struct typetable *table, struct type_state *state,
		    const struct instruction_motion *motion, const struct variable_view *view,
		    const struct data_value *result);

/* The value of a thing of a type, at an offset of it: a pointer, or a number. */
struct data_value value_of_type(const struct typetable *table, uint32_t type, uint64_t offset);

/* A pointer to a type; to an array, a pointer to any of its elements. */
struct data_value value_pointer(const struct typetable *table, uint32_t type, int64_t offset);

struct data_value value_add(const struct data_value *a, const struct data_value *b);

/*
 * What is known about a value, by debug information and by the code: of pointers to nested types the outer one, and of
 * vague and typed pointers the typed one.
 */
struct data_value value_choose(const struct typetable *table, const struct data_value *declared,
			       const struct data_value *followed);

/* Offsets of damaged debug information may overflow; any sum is as good then. */
static inline int64_t offset_sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t offset_difference(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* The registers of arguments, by DWARF's numbers (System V ABI for AMD64, 3.2.3). */
extern const uint8_t argument_registers[N_ARGUMENTS];

/*
 * What callers pass to a function.  This is needed where debug information does not say where a parameter is: a
 * compiler that passes a struct's members in its place describes no parameter.
 */
struct call_arguments {
	/* Pointers that all callers that pass one agree on; VALUE_MIXED: they do not. */
	struct data_value values[N_ARGUMENTS];
	bool is_new; /* set when values change; for the user to clear */
};

/* By the function's address.  Fields are private. */
struct type_arguments {
	struct call_arguments *calls; /* owned */
	size_t n, capacity;
	struct idtable by_function;
};

void typearguments_init(struct type_arguments *arguments);
void typearguments_release(struct type_arguments *arguments);

/* A call of the function at an address, or a jump there, with this state. */
void typearguments_note(struct type_arguments *arguments, const struct typetable *table,
			uint64_t function, const struct type_state *state);

/* What is known about calls of a function, until the next one is noted; NULL = nothing. */
struct call_arguments *typearguments_of(const struct type_arguments *arguments, uint64_t function);

/* What debug information says about a register in a stretch of code. */
struct register_fact {
	uint64_t start, end; /* addresses; end is exclusive */
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

/* Code of a function, and what is known about it. */
struct type_flow {
	const struct typetable *table;
	const struct variable_view *view;
	const struct flow_instruction *code; /* by address */
	size_t n;
	uint64_t entry; /* the address that calls go to; cold parts of the function may precede it */
	const struct register_fact *facts; /* applied before each instruction */
	size_t n_facts;
	/* N_ARGUMENTS values that callers pass, where no fact covers the entry; NULL = not known. */
	const struct data_value *arguments;
	void *ctx;
	/* What a call of the function at an address returns.  address 0: not known. */
	struct data_value (*result)(void *ctx, uint64_t address);
	/* Called before each instruction is followed, so that the view knows where that is. */
	void (*moved)(void *ctx, uint64_t address);
	/* A call of the function at an address, or a jump there that leaves the code, comes next. */
	void (*called)(void *ctx, uint64_t address, const struct type_state *state);
	/* What an instruction that refers to memory reads and writes: called once for each, by address. */
	void (*found)(void *ctx, const struct flow_instruction *instruction,
		      const struct data_place *read, const struct data_place *written);
};

/*
 * Follows types forward over all paths, until nothing changes.  A computed jump may go to any block that no
 * other jump goes to.  Code that no known path reaches is looked at, too.
 */
void typeflow_run(const struct type_flow *flow);

/* -- debug information (typereader.c) ----------------------------------------------------------
 *
 * Functions, variables and their types of an object, from DWARF, versions 2 to 5.  Functions of units without
 * types (-g1, -gline-tables-only) are not known.
 */

struct code_range {
	uint64_t start, end; /* end is exclusive */
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
	uint64_t entry;           /* the address that calls go to */
	bool has_lost_parameters; /* some have no known place there: the compiler may have split them */
	struct code_range *ranges; /* owned, like all arrays */
	size_t n_ranges, ranges_capacity;
	struct register_fact *facts;
	size_t n_facts, facts_capacity;
	struct frame_fact *places;
	size_t n_places, places_capacity;
};

struct typereader; /* opaque */

/* Reads an object into a table, which both outlive the reader; it knows nothing if there is no debug information. */
struct typereader *typereader_open(struct objectfile *object, struct typetable *table);
void typereader_free(struct typereader *reader);

/* The function that has code at an address; false if none is known. */
bool typereader_function(struct typereader *reader, uint64_t address,
			 struct type_function *function);
void type_function_release(struct type_function *function);

/* What the function that begins at an address returns; VALUE_NONE = not known. */
struct data_value typereader_result(struct typereader *reader, uint64_t address);

/* A pointer to the part of a variable at an address; VALUE_NONE = none is known. */
struct data_value typereader_variable(struct typereader *reader, uint64_t address);

/* True if numbers in the object's code may be addresses. */
bool typereader_is_fixed(const struct typereader *reader);

#endif
