/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/types/typemembers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/bytes.h"
#include "profile/common/heap.h"

enum {
	DEEPEST = 16,           /* structs within structs whose members have rows of their own */
	MOST_MEMBERS = 4096,    /* of a row */
	MOST_ALTERNATIVES = 64, /* characters of their names */
};

/* A list that is made. */
struct listing_members {
	const struct typetable *table;
	struct arena *arena;
	struct type_member *members;
	size_t n;
};

/* A struct within another one, as members are listed. */
struct nested {
	size_t next; /* member */
	uint64_t base;
	size_t name_len;             /* of what is before its members' names */
	uint64_t array, stride, end; /* as in struct type_member; stride 0: it is in no array */
	uint32_t type;
	bool is_last; /* nothing of the outermost one is behind it */
};

/* The member of the same place and size, as a union has; NULL = none. */
static struct type_member *find_alternative(const struct listing_members *list,
					    const struct type_member *member)
{
	for (size_t i = 0; i < list->n; i++) {
		struct type_member *other = &list->members[i];

		if (other->offset == member->offset && other->size == member->size &&
		    other->stride == member->stride && member->size > 0 &&
		    strlen(other->name) + strlen(member->name) <= MOST_ALTERNATIVES)
			return other;
	}
	return NULL;
}

/* "a|b": nobody knows which of them was meant.  NULL if memory ran out. */
static const char *both_names(struct arena *arena, const char *a, const char *b)
{
	size_t size = strlen(a) + strlen(b) + 2;
	char *name = arena_alloc(arena, size, 1);

	if (name)
		snprintf(name, size, "%s|%s", a, b);
	return name;
}

static bool add_member(struct listing_members *list, struct type_member member)
{
	struct type_member *other;
	const char *name;

	if (!member.name)
		return false;
	other = find_alternative(list, &member);
	if (other) {
		name = both_names(list->arena, other->name, member.name);
		if (name)
			other->name = name;
		return name != NULL;
	}
	list->members[list->n++] = member;
	return true;
}

/* Whether a member's own members are listed: it is a struct, or an array of structs that is in no other one. */
static bool is_listed_inside(const struct typetable *table, const struct nested *at,
			     const struct data_member *member, size_t depth)
{
	const struct data_type *type = typetable_get(table, typetable_element(table, member->type));
	bool is_array = typetable_get(table, member->type)->kind == DATA_ARRAY;

	return type->kind == DATA_STRUCT && type->n_members > 0 && depth + 1 < DEEPEST &&
	       (!is_array || (at->stride == 0 && type->size > 0));
}

static bool is_last_of(const struct typetable *table, const struct nested *at)
{
	return at->is_last && at->next == typetable_get(table, at->type)->n_members;
}

/* Where the member before at->next ends: nowhere, if it is an array without a bound. */
static uint64_t end_of(const struct typetable *table, const struct nested *at,
		       const struct data_member *member)
{
	return member->size == 0 && is_last_of(table, at)
		       ? UINT64_MAX
		       : at->base + member->offset + member->size;
}

/* The struct that a member is, or that elements of it are. */
static struct nested enter(const struct typetable *table, const struct nested *at,
			   const struct data_member *member, size_t name_len)
{
	struct nested inner = {
		.type = typetable_element(table, member->type),
		.base = at->base + member->offset,
		.name_len = name_len,
		.array = at->array,
		.stride = at->stride,
		.end = at->end,
		.is_last = is_last_of(table, at),
	};

	if (typetable_get(table, member->type)->kind == DATA_ARRAY) {
		inner.array = inner.base;
		inner.stride = typetable_get(table, inner.type)->size;
		inner.end = end_of(table, at, member);
	}
	return inner;
}

static bool list_members(struct listing_members *list, uint32_t type)
{
	const struct typetable *table = list->table;
	struct nested path[DEEPEST] = { { .type = type, .is_last = true } };
	size_t depth = 0;
	struct bytes name;
	bool is_fine = true;

	bytes_init(&name, &heap_env);
	while (is_fine && list->n + 1 < MOST_MEMBERS) {
		struct nested *at = &path[depth];
		const struct data_type *of = typetable_get(table, at->type);
		const struct data_member *member;

		if (at->next == of->n_members) {
			if (depth == 0)
				break;
			depth--;
			continue;
		}
		member = &of->members[at->next++];
		if (member->is_base && typetable_is_empty(table, member->type))
			continue;
		name.len = at->name_len;
		if (at->name_len > 0 && member->name[0] != '\0')
			bytes_add_char(&name, '.');
		bytes_add_text(&name, member->name);
		if (typetable_get(table, member->type)->kind == DATA_ARRAY)
			bytes_add_text(&name, "[]");
		if (is_listed_inside(table, at, member, depth)) {
			path[depth + 1] = enter(table, at, member, name.len);
			depth++;
			continue;
		}
		is_fine =
			!name.failed &&
			add_member(list,
				   (struct type_member){
					   .name = arena_copy(list->arena,
							      name.len ? name.text : "", name.len),
					   .offset = at->base + member->offset,
					   .size = member->size,
					   .array = at->array,
					   .stride = at->stride,
					   .end = at->stride > 0 ? at->end
								 : end_of(table, at, member),
					   .outer = path[0].next - 1,
				   });
	}
	bytes_release(&name);
	return is_fine &&
	       add_member(list, (struct type_member){ .name = "(elsewhere)",
						      .offset = typetable_get(table, type)->size,
						      .outer = SIZE_MAX });
}

bool typemembers_list(struct type_member **members, size_t *n, const struct typetable *table,
		      uint32_t type, struct arena *arena)
{
	struct listing_members list = {
		.table = table,
		.arena = arena,
		.members = calloc(MOST_MEMBERS, sizeof(*list.members)),
	};
	struct type_member *kept = NULL;

	if (list.members && list_members(&list, type))
		kept = arena_alloc(arena, list.n * sizeof(*kept), 8);
	if (kept)
		memcpy(kept, list.members, list.n * sizeof(*kept));
	free(list.members);
	*members = kept;
	*n = kept ? list.n : 0;
	return kept != NULL;
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
	/* Of the element that it begins in, or of the next one. */
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
