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
	uint32_t type;
	size_t next; /* member */
	uint64_t base;
	size_t name_len; /* of what is before its members' names */
};

/* The member of the same place and size, as a union has; NULL = none. */
static struct type_member *find_alternative(const struct listing_members *list,
					    const struct type_member *member)
{
	for (size_t i = 0; i < list->n; i++) {
		struct type_member *other = &list->members[i];

		if (other->offset == member->offset && other->size == member->size &&
		    member->size > 0 &&
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

static bool is_listed_inside(const struct typetable *table, const struct data_member *member,
			     size_t depth)
{
	const struct data_type *type = typetable_get(table, member->type);

	return type->kind == DATA_STRUCT && type->n_members > 0 && depth + 1 < DEEPEST;
}

static bool list_members(struct listing_members *list, uint32_t type)
{
	const struct typetable *table = list->table;
	struct nested path[DEEPEST] = { { .type = type } };
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
		if (is_listed_inside(table, member, depth)) {
			path[++depth] = (struct nested){ .type = member->type,
							 .base = at->base + member->offset,
							 .name_len = name.len };
			continue;
		}
		if (typetable_get(table, member->type)->kind == DATA_ARRAY)
			bytes_add_text(&name, "[]");
		is_fine = !name.failed &&
			  add_member(list, (struct type_member){
						   .name = arena_copy(list->arena,
								      name.len ? name.text : "",
								      name.len),
						   .offset = at->base + member->offset,
						   .size = member->size,
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

size_t typemembers_at(const struct type_member *members, size_t n, uint64_t offset)
{
	size_t found = n - 1;

	if (n == 0)
		return 0;
	for (size_t i = 0; i + 1 < n && members[i].offset <= offset; i++) {
		const struct type_member *member = &members[i];
		bool is_open = i + 2 == n && member->size == 0;

		if (offset - member->offset < member->size || is_open)
			found = i;
	}
	return found;
}
