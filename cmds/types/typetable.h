/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types of a program: what is where in a struct, and which member is at a place.
 *
 * A type has a number.  Typedefs and qualifiers are not there: "const node_t" is what it stands for.
 * Structs, classes and unions are known by name and members, so that one which many sources
 * have is one type.
 */
#ifndef CMDS_TYPES_TYPETABLE_H
#define CMDS_TYPES_TYPETABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/arena.h"
#include "profile/common/dictionary.h"

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

#endif
