/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/types/typetable.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

enum { DEEPEST = 64 }; /* structs within structs; more are of a damaged file */

/* What tells types apart; no text of debug information has a NUL in it. */
struct identity {
	const char *text;
	size_t len;
};

static uint32_t intern(struct typetable *table, const struct identity *identity,
		       enum data_kind kind, const char *name, bool *is_new)
{
	size_t before = table->known.count;
	uint32_t key = dictionary_intern(&table->known, identity->text, identity->len);
	const char *copy;

	*is_new = false;
	if (key == DICTIONARY_NONE)
		return TYPE_NONE;
	if (key < before)
		return table->of_key[key];
	copy = typetable_copy(table, name);
	if (!copy || !heap_reserve(&heap_env, (void **)&table->of_key, &table->of_key_capacity,
				   (size_t)key + 1, sizeof(*table->of_key)))
		return TYPE_NONE;
	table->of_key[key] = TYPE_NONE;
	if (!heap_reserve(&heap_env, (void **)&table->types, &table->capacity, table->n + 1,
			  sizeof(*table->types)))
		return TYPE_NONE;
	table->types[table->n] = (struct data_type){ .kind = kind, .name = copy };
	table->of_key[key] = (uint32_t)table->n;
	*is_new = true;
	return (uint32_t)table->n++;
}

bool typetable_init(struct typetable *table)
{
	bool is_new;

	*table = (struct typetable){ .types = NULL };
	arena_init(&table->arena, &heap_env);
	dictionary_init(&table->known, &heap_env);
	/* That of TYPE_NONE is one NUL: a damaged file may have a type without any name. */
	intern(table, &(struct identity){ "", 1 }, DATA_NONE, "void", &is_new);
	return table->n == 1;
}

void typetable_release(struct typetable *table)
{
	if (table->arena.env) {
		dictionary_release(&table->known);
		arena_release(&table->arena);
	}
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
	return intern(table, &(struct identity){ identity, strlen(identity) }, kind, name, is_new);
}

void typetable_set_kind(struct typetable *table, uint32_t type, enum data_kind kind)
{
	if (type != TYPE_NONE)
		table->types[type].kind = kind;
}

void typetable_set_size(struct typetable *table, uint32_t type, uint64_t size)
{
	if (type != TYPE_NONE)
		table->types[type].size = size;
}

void typetable_set_target(struct typetable *table, uint32_t type, uint32_t target)
{
	if (type != TYPE_NONE)
		table->types[type].target = target;
}

static int compare_members(const void *a, const void *b)
{
	const struct data_member *of_a = a, *of_b = b;

	if (of_a->offset != of_b->offset)
		return of_a->offset < of_b->offset ? -1 : 1;
	return (of_a->size > of_b->size) - (of_a->size < of_b->size);
}

/* What may be empty lies anywhere. */
static bool takes_room(const struct data_member *member)
{
	return !member->is_base || member->size > 1;
}

static void end_bases(struct data_member *members, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct data_member *base = &members[i];
		size_t next = i + 1;

		while (next < n &&
		       (members[next].offset == base->offset || !takes_room(&members[next])))
			next++;
		if (base->is_base && next < n && members[next].offset - base->offset < base->size)
			base->size = members[next].offset - base->offset;
	}
}

bool typetable_set_members(struct typetable *table, uint32_t type,
			   const struct data_member *members, size_t n)
{
	struct data_member *copy = arena_alloc(&table->arena, (n + 1) * sizeof(*copy), 8);

	if (!copy || type == TYPE_NONE)
		return false;
	for (size_t i = 0; i < n; i++) {
		copy[i] = members[i];
		/* Few are not in order, as bases of classes may be: a sort that keeps equal ones in order. */
		for (size_t j = i; j > 0 && compare_members(&copy[j - 1], &copy[j]) > 0; j--) {
			struct data_member other = copy[j];

			copy[j] = copy[j - 1];
			copy[j - 1] = other;
		}
	}
	end_bases(copy, n);
	table->types[type].members = copy;
	table->types[type].n_members = n;
	return true;
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

/* The member that an array without a bound is, or one of length 1 or 0 at the end, as old C has it; or NULL. */
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

/* Whether a place may be in an array in the struct whose elements are so large. */
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
 * Whether a place before the array at a struct's end is in that, by a number of elements that the index makes up for, as
 * "s->end[i - 1]" has it; no other array is there.  A struct whose end is open is no element of an array, so that a stride
 * that fits both is that of the end, unless that has a length (1, as in old C).  Any stride is one of bytes.
 */
static bool is_before_open_end(const struct data_type *type, const struct data_member *end,
			       uint64_t element, uint64_t stride)
{
	return stride > 0 && element > 1 && stride % element == 0 &&
	       (end->size == 0 || type->size == 0 || stride % type->size != 0);
}

/* An offset that is made one from 0 to below a size. */
static uint64_t offset_within(int64_t offset, uint64_t size)
{
	int64_t rest = offset % (int64_t)size;

	return (uint64_t)(rest < 0 ? rest + (int64_t)size : rest);
}

/* The place in the first element of an open end that stands for those in all of them. */
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
	/* Nothing says that there are several: it may be a part of something larger. */
	if (stride == 0 && (of->kind == DATA_STRUCT || of->kind == DATA_UNION) &&
	    (offset < 0 || offset >= size))
		return of->size;
	if (size <= 0)
		return offset > 0 ? (uint64_t)offset : 0;
	return offset_within(offset, (uint64_t)size);
}

/* Bytes of a member; of a base class that was not known when the class was read, those of its type. */
static uint64_t size_of(const struct typetable *table, const struct data_member *member)
{
	return member->is_base && member->size == 0 ? typetable_get(table, member->type)->size
						    : member->size;
}

/*
 * Whether a member has an offset.  A base class without data has none, though it is said to have a byte: what lies there
 * is another's, as the pointers of a std::vector lie where its allocator is.
 */
static bool has_offset(const struct typetable *table, const struct data_type *type,
		       const struct data_member *member, uint64_t offset)
{
	if (offset < member->offset || (member->is_base && typetable_is_empty(table, member->type)))
		return false;
	return offset - member->offset < size_of(table, member) || member == open_end(table, type);
}

/* The member at an offset: of several, as in a union, one that is a pointer or has one, else the first. */
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

/* Where in its element an offset in an array is. */
static uint64_t offset_in_element(const struct typetable *table, const struct data_type *array,
				  uint64_t offset)
{
	uint64_t size = typetable_get(table, array->target)->size;

	return size > 0 ? offset % size : 0;
}

uint32_t typetable_leaf(const struct typetable *table, uint32_t type, uint64_t offset,
			uint64_t *left)
{
	for (int depth = 0; depth < DEEPEST; depth++) {
		const struct data_type *of = typetable_get(table, type);
		const struct data_member *member;

		*left = offset;
		if (of->kind == DATA_ARRAY) {
			offset = offset_in_element(table, of, offset);
			type = of->target;
			continue;
		}
		if (of->kind != DATA_STRUCT && of->kind != DATA_UNION)
			return type;
		member = member_at(table, of, offset);
		if (!member)
			return TYPE_NONE;
		offset -= member->offset;
		type = member->type;
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

/* Numbers of one size are one where it is about places: "long" and "unsigned long" may be the same thing. */
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
		const struct data_type *of = typetable_get(table, type);
		const struct data_member *member;

		if (is_alike(table, type, inner))
			return true;
		if (of->kind == DATA_ARRAY) {
			offset = offset_in_element(table, of, offset);
			type = of->target;
			continue;
		}
		if (of->kind != DATA_STRUCT && of->kind != DATA_UNION)
			return false;
		/* Which member of a union it is, nobody can say. */
		if (of->kind == DATA_UNION)
			return true;
		member = member_at(table, of, offset);
		if (!member)
			return false;
		offset -= member->offset;
		type = member->type;
	}
	return false;
}
