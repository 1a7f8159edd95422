/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types by number: members, nested types, places in them, arrays. */
#include "cmds/types/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

enum {
	DEEPEST = 64,           /* structs within structs; more are of a damaged file */
	DEEPEST_LISTED = 16,    /* structs within structs whose members are listed one by one */
	MOST_MEMBERS = 4096,    /* of a list */
	MOST_ALTERNATIVES = 64, /* characters of the names of a union's members */
};

static uint32_t intern(struct typetable *table, const char *identity, size_t len,
		       enum data_kind kind, const char *name, bool *is_new)
{
	size_t before = table->known.count;
	uint32_t key = dictionary_intern(&table->known, identity, len);

	*is_new = key >= before;
	if (!*is_new)
		return table->of_key[key];
	table->of_key = heap_grow(table->of_key, &table->of_key_capacity, (size_t)key + 1,
				  sizeof(*table->of_key));
	table->types =
		heap_grow(table->types, &table->capacity, table->n + 1, sizeof(*table->types));
	table->types[table->n] =
		(struct data_type){ .kind = kind, .name = typetable_copy(table, name) };
	table->of_key[key] = (uint32_t)table->n;
	return (uint32_t)table->n++;
}

void typetable_init(struct typetable *table)
{
	bool is_new;

	*table = (struct typetable){ .types = NULL };
	arena_init(&table->arena);
	dictionary_init(&table->known);
	/* TYPE_NONE has one NUL as identity: in a damaged file a type may have no name at all. */
	intern(table, "", 1, DATA_NONE, "void", &is_new);
}

void typetable_release(struct typetable *table)
{
	dictionary_release(&table->known);
	arena_release(&table->arena);
	free(table->types);
	free(table->of_key);
	*table = (struct typetable){ .types = NULL };
}

const struct data_type *typetable_get(const struct typetable *table, uint32_t type)
{
	return &table->types[type < table->n ? type : TYPE_NONE];
}

const char *typetable_copy(struct typetable *table, const char *text)
{
	return arena_copy(&table->arena, text, strlen(text));
}

uint32_t typetable_intern(struct typetable *table, const char *identity, enum data_kind kind,
			  const char *name, bool *is_new)
{
	return intern(table, identity, strlen(identity), kind, name, is_new);
}

struct data_type *typetable_edit(struct typetable *table, uint32_t type)
{
	return &table->types[type];
}

static int compare_members(const void *a, const void *b)
{
	const struct data_member *of_a = a, *of_b = b;

	if (of_a->offset != of_b->offset)
		return of_a->offset < of_b->offset ? -1 : 1;
	return (of_a->size > of_b->size) - (of_a->size < of_b->size);
}

static void end_bases(struct data_member *members, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct data_member *base = &members[i];
		size_t next = i + 1;

		/* A base of one byte may be empty, and then lie anywhere. */
		while (next < n && (members[next].offset == base->offset ||
				    (members[next].is_base && members[next].size <= 1)))
			next++;
		if (base->is_base && next < n && members[next].offset - base->offset < base->size)
			base->size = members[next].offset - base->offset;
	}
}

void typetable_set_members(struct typetable *table, uint32_t type,
			   const struct data_member *members, size_t n)
{
	struct data_member *copy = arena_alloc(&table->arena, (n + 1) * sizeof(*copy), 8);

	for (size_t i = 0; i < n; i++) {
		copy[i] = members[i];
		/* Few are out of order, such as bases of classes; equal ones keep their order. */
		for (size_t j = i; j > 0 && compare_members(&copy[j - 1], &copy[j]) > 0; j--) {
			struct data_member other = copy[j];

			copy[j] = copy[j - 1];
			copy[j - 1] = other;
		}
	}
	end_bases(copy, n);
	table->types[type].members = copy;
	table->types[type].n_members = n;
}

uint32_t typetable_element(const struct typetable *table, uint32_t type)
{
	for (int depth = 0; depth < DEEPEST && typetable_get(table, type)->kind == DATA_ARRAY;
	     depth++)
		type = typetable_get(table, type)->target;
	return type;
}

bool typetable_is_vague(const struct typetable *table, uint32_t type)
{
	enum data_kind kind = typetable_get(table, type)->kind;

	return kind == DATA_NONE || kind == DATA_BYTES;
}

/* -- places ---------------------------------------------------------------------------------- */

/* The array without a bound at the end of a struct, or one of length 1 or 0, as in old C; or NULL. */
static const struct data_member *open_end(const struct typetable *table,
					  const struct data_type *type)
{
	const struct data_member *last;
	const struct data_type *of_last;

	if (type->kind != DATA_STRUCT || type->n_members == 0)
		return NULL;
	last = &type->members[type->n_members - 1];
	of_last = typetable_get(table, last->type);
	if (of_last->kind != DATA_ARRAY || last->size > typetable_get(table, of_last->target)->size)
		return NULL;
	return last;
}

/* True if a place may be in an array of the struct whose element size divides the stride. */
static bool is_in_array(const struct typetable *table, const struct data_type *type,
			uint64_t offset, uint64_t stride)
{
	for (size_t i = 0; i < type->n_members; i++) {
		const struct data_member *member = &type->members[i];
		uint64_t size;
		uint32_t element;

		if (offset < member->offset || offset - member->offset >= member->size)
			continue;
		element = typetable_element(table, member->type);
		size = typetable_get(table, element)->size;
		if (typetable_get(table, member->type)->kind == DATA_ARRAY && size > 0 &&
		    size < type->size && stride % size == 0)
			return true;
	}
	return false;
}

/*
 * True if a place before the array at a struct's end belongs to the array, as in "s->end[i - 1]", and to no
 * other array.  A struct with an open end is no element of an array, so a stride that fits both is the one
 * of the end, unless that has a length (1, as in old C).  An array of bytes fits any stride.
 */
static bool is_before_open_end(const struct data_type *type, const struct data_member *end,
			       uint64_t element, uint64_t stride)
{
	return stride > 0 && element > 1 && stride % element == 0 &&
	       (end->size == 0 || type->size == 0 || stride % type->size != 0);
}

/* An offset modulo a size. */
static uint64_t offset_within(int64_t offset, uint64_t size)
{
	int64_t rest = offset % (int64_t)size;

	return (uint64_t)(rest < 0 ? rest + (int64_t)size : rest);
}

/* The place in the first element of an open end, which represents all elements. */
static uint64_t fold_open_end(const struct data_member *end, uint64_t element, int64_t offset,
			      uint64_t stride)
{
	int64_t size = (int64_t)element;

	if (size <= 0 || stride % element != 0)
		return end->offset;
	return end->offset +
	       offset_within(offset % size - (int64_t)(end->offset % element), element);
}

uint64_t typetable_fold(const struct typetable *table, uint32_t type, int64_t offset,
			uint64_t stride)
{
	const struct data_type *of = typetable_get(table, type);
	const struct data_member *end = open_end(table, of);
	uint64_t element = end ? typetable_get(table, typetable_get(table, end->type)->target)->size
			       : 0;
	int64_t size = (int64_t)of->size;

	if (end && offset >= (int64_t)end->offset)
		return fold_open_end(end, element, offset, stride);
	if (size > 0 && stride % (uint64_t)size != 0 && offset >= 0 && offset < size &&
	    is_in_array(table, of, (uint64_t)offset, stride))
		return (uint64_t)offset;
	if (end && is_before_open_end(of, end, element, stride))
		return fold_open_end(end, element, offset, stride);
	/* Nothing says that there are several: the struct may be part of something larger. */
	if (stride == 0 && (of->kind == DATA_STRUCT || of->kind == DATA_UNION) &&
	    (offset < 0 || offset >= size))
		return of->size;
	if (size <= 0)
		return offset > 0 ? (uint64_t)offset : 0;
	return offset_within(offset, (uint64_t)size);
}

/* Bytes of a member; a base class that was not known when the class was read has its type's. */
static uint64_t size_of(const struct typetable *table, const struct data_member *member)
{
	return member->is_base && member->size == 0 ? typetable_get(table, member->type)->size
						    : member->size;
}

/*
 * True if a member has an offset.  A base class without data has none, although its size is one byte: other
 * members are there, as a std::vector's pointers are where its allocator is.
 */
static bool has_offset(const struct typetable *table, const struct data_type *type,
		       const struct data_member *member, uint64_t offset)
{
	if (offset < member->offset || (member->is_base && typetable_is_empty(table, member->type)))
		return false;
	return offset - member->offset < size_of(table, member) || member == open_end(table, type);
}

/* The member at an offset: of several, as in a union, a pointer, else the first. */
static const struct data_member *member_at(const struct typetable *table,
					   const struct data_type *type, uint64_t offset)
{
	const struct data_member *best = NULL;

	for (size_t i = 0; i < type->n_members; i++) {
		const struct data_member *member = &type->members[i];

		if (!has_offset(table, type, member, offset))
			continue;
		if (!best || (type->kind == DATA_UNION &&
			      typetable_get(table, member->type)->kind == DATA_POINTER &&
			      typetable_get(table, best->type)->kind != DATA_POINTER))
			best = member;
	}
	return best;
}

/* Goes to what is at *offset of a type, which becomes the offset in that; false if there is nothing. */
static bool enter(const struct typetable *table, uint32_t *type, uint64_t *offset)
{
	const struct data_type *of = typetable_get(table, *type);
	const struct data_member *member;

	if (of->kind == DATA_ARRAY) {
		const uint64_t size = typetable_get(table, of->target)->size;

		*offset = size > 0 ? *offset % size : 0;
		*type = of->target;
		return true;
	}
	if (of->kind != DATA_STRUCT && of->kind != DATA_UNION)
		return false;
	member = member_at(table, of, *offset);
	if (!member)
		return false;
	*offset -= member->offset;
	*type = member->type;
	return true;
}

uint32_t typetable_leaf(const struct typetable *table, uint32_t type, uint64_t offset,
			uint64_t *left)
{
	for (int depth = 0; depth < DEEPEST; depth++) {
		const enum data_kind kind = typetable_get(table, type)->kind;

		*left = offset;
		if (!enter(table, &type, &offset))
			return kind == DATA_STRUCT || kind == DATA_UNION ? TYPE_NONE : type;
	}
	return TYPE_NONE;
}

bool typetable_is_empty(const struct typetable *table, uint32_t type)
{
	uint32_t left[DEEPEST] = { type };
	size_t n = 1;

	while (n > 0) {
		const struct data_type *of = typetable_get(table, left[--n]);

		if (of->kind != DATA_STRUCT || of->size != 1 || of->n_members > DEEPEST - n)
			return false;
		for (size_t i = 0; i < of->n_members; i++) {
			if (!of->members[i].is_base)
				return false;
			left[n++] = of->members[i].type;
		}
	}
	return true;
}

/* Numbers of one size are alike: "long" and "unsigned long" may be the same thing. */
static bool is_alike(const struct typetable *table, uint32_t a, uint32_t b)
{
	const struct data_type *of_a = typetable_get(table, a), *of_b = typetable_get(table, b);

	return a == b ||
	       (of_a->kind == DATA_SCALAR && of_b->kind == DATA_SCALAR && of_a->size == of_b->size);
}

bool typetable_contains(const struct typetable *table, uint32_t type, uint64_t offset,
			uint32_t inner)
{
	for (int depth = 0; depth < DEEPEST; depth++) {
		/* Which member of a union it is, nobody can say. */
		if (is_alike(table, type, inner) || typetable_get(table, type)->kind == DATA_UNION)
			return true;
		if (!enter(table, &type, &offset))
			return false;
	}
	return false;
}

/* -- members ------------------------------------------------------------------------------------ */

/* A struct within another one, whose members are listed. */
struct nested {
	size_t next; /* member */
	uint64_t base;
	size_t name_len;             /* of the prefix of its members' names */
	uint64_t array, stride, end; /* as in struct type_member; stride 0: it is in no array */
	uint32_t type;
	bool is_last; /* it ends the outermost one */
};

/* Adds a member to n of them.  Of members of a union with one place and size, nobody knows which was meant: "a|b". */
static size_t add_member(struct type_member *members, size_t n, struct type_member member,
			 struct arena *arena)
{
	for (size_t i = 0; i < n; i++) {
		struct type_member *other = &members[i];
		size_t size = strlen(other->name) + strlen(member.name) + sizeof("|");
		char *names;

		if (other->offset != member.offset || other->size != member.size ||
		    other->stride != member.stride || member.size == 0 ||
		    size - sizeof("|") > MOST_ALTERNATIVES)
			continue;
		names = arena_alloc(arena, size, 1);
		snprintf(names, size, "%s|%s", other->name, member.name);
		other->name = names;
		return n;
	}
	members[n] = member;
	return n + 1;
}

/* True if a member's own members are listed: it is a struct, or an array of structs in no other array. */
static bool is_listed_inside(const struct typetable *table, const struct nested *at,
			     const struct data_member *member, size_t depth)
{
	const struct data_type *type = typetable_get(table, typetable_element(table, member->type));
	bool is_array = typetable_get(table, member->type)->kind == DATA_ARRAY;

	return type->kind == DATA_STRUCT && type->n_members > 0 && depth + 1 < DEEPEST_LISTED &&
	       (!is_array || (at->stride == 0 && type->size > 0));
}

static bool is_last_of(const struct typetable *table, const struct nested *at)
{
	return at->is_last && at->next == typetable_get(table, at->type)->n_members;
}

/* The end of the member before at->next; UINT64_MAX for an array without a bound. */
static uint64_t end_of(const struct typetable *table, const struct nested *at,
		       const struct data_member *member)
{
	return member->size == 0 && is_last_of(table, at)
		       ? UINT64_MAX
		       : at->base + member->offset + member->size;
}

void typemembers_list(struct type_member **members, size_t *n, const struct typetable *table,
		      uint32_t type, struct arena *arena)
{
	struct type_member *list = heap_alloc(MOST_MEMBERS * sizeof(*list));
	struct nested path[DEEPEST_LISTED] = { { .type = type, .is_last = true } };
	size_t depth = 0;
	struct bytes name;

	*n = 0;
	bytes_init(&name);
	while (*n + 1 < MOST_MEMBERS) {
		struct nested *at = &path[depth], *inner;
		const struct data_type *of = typetable_get(table, at->type);
		const struct data_member *member;
		bool is_array;

		if (at->next == of->n_members) {
			if (depth == 0)
				break;
			depth--;
			continue;
		}
		member = &of->members[at->next++];
		if (member->is_base && typetable_is_empty(table, member->type))
			continue;
		is_array = typetable_get(table, member->type)->kind == DATA_ARRAY;
		name.len = at->name_len;
		if (at->name_len > 0 && member->name[0] != '\0')
			bytes_add_char(&name, '.');
		bytes_add_text(&name, member->name);
		if (is_array)
			bytes_add_text(&name, "[]");
		if (!is_listed_inside(table, at, member, depth)) {
			*n = add_member(list, *n,
					(struct type_member){
						.name = arena_copy(arena, name.len ? name.text : "",
								   name.len),
						.offset = at->base + member->offset,
						.size = member->size,
						.array = at->array,
						.stride = at->stride,
						.end = at->stride > 0 ? at->end
								      : end_of(table, at, member),
						.outer = path[0].next - 1,
					},
					arena);
			continue;
		}
		inner = &path[++depth];
		*inner = (struct nested){
			.type = typetable_element(table, member->type),
			.base = at->base + member->offset,
			.name_len = name.len,
			.array = at->array,
			.stride = at->stride,
			.end = at->end,
			.is_last = is_last_of(table, at),
		};
		if (is_array) {
			inner->array = inner->base;
			inner->stride = typetable_get(table, inner->type)->size;
			inner->end = end_of(table, at, member);
		}
	}
	bytes_release(&name);
	*n = add_member(list, *n,
			(struct type_member){ .name = "(elsewhere)",
					      .offset = typetable_get(table, type)->size,
					      .outer = SIZE_MAX },
			arena);
	*members = arena_alloc(arena, *n * sizeof(**members), 8);
	memcpy(*members, list, *n * sizeof(**members));
	free(list);
}

uint64_t typemember_copies(const struct type_member *member)
{
	if (member->stride == 0)
		return 1;
	return member->end == UINT64_MAX ? 0 : (member->end - member->array) / member->stride;
}

bool typemember_has(const struct type_member *member, uint64_t start, uint64_t end)
{
	uint64_t place;

	if (end > member->end)
		end = member->end;
	if (member->stride == 0)
		return start < end && end > member->offset;
	if (start < member->array)
		start = member->array;
	if (start >= end || end - start >= member->stride)
		return start < end;
	/* In the element that it begins in, or in the next one. */
	place = member->array + (start - member->array) % member->stride;
	end = place + (end - start);
	return (place < member->offset + member->size && end > member->offset) ||
	       end > member->offset + member->stride;
}

size_t typemembers_at(const struct type_member *members, size_t n, uint64_t offset)
{
	size_t found = n - 1;

	if (n == 0)
		return 0;
	for (size_t i = 0; i + 1 < n && members[i].offset <= offset; i++)
		if (typemember_has(&members[i], offset, offset + 1))
			found = i;
	return found;
}
