/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/types/typeadvice.h"

#include <stdio.h>
#include <string.h>

enum {
	MOST_ALIGN = 16,       /* bytes, of a scalar */
	MOST_STRUCT_ALIGN = 8, /* bytes: what DWARF does not say is taken from the size */
};

/* The largest power of two, up to a limit, that divides a number. */
static uint64_t power_in(uint64_t number, uint64_t limit)
{
	uint64_t power = 1;

	while (power < limit && number != 0 && number % (power * 2) == 0)
		power *= 2;
	return power;
}

/* In a packed struct a member may be where its type would not be. */
static uint64_t align_of(const struct typetable *table, const struct data_member *member)
{
	const struct data_type *type = typetable_get(table, typetable_element(table, member->type));
	bool is_struct = type->kind == DATA_STRUCT || type->kind == DATA_UNION;
	uint64_t align = power_in(type->size, is_struct ? MOST_STRUCT_ALIGN : MOST_ALIGN);

	return member->offset == 0 ? align : power_in(member->offset, align);
}

static enum layout_pin pin_of(const struct data_type *type, size_t i)
{
	const struct data_member *member = &type->members[i];

	if (i + 1 == type->n_members && member->size == 0)
		return PIN_LAST;
	if (strncmp(member->name, "_vptr", 5) == 0 || member->is_base ||
	    (member->name[0] == '\0' && i == 0))
		return PIN_FIRST;
	return PIN_NONE;
}

static uint64_t references_of(const struct type_costs *costs, const struct type_row *row,
			      size_t outer)
{
	const size_t events[2] = { costs->read_event, costs->write_event };
	uint64_t sum = 0;

	for (size_t i = 0; i < row->n_members; i++)
		for (size_t e = 0; row->members[i].outer == outer && e < 2; e++)
			if (events[e] < costs->model->n_events)
				sum += row->members[i].costs[events[e]];
	return sum;
}

/* "a" and "b": "a, b" */
static const char *both_names(const char *a, const char *b, struct arena *arena)
{
	size_t size = strlen(a) + strlen(b) + 3;
	char *text = arena_alloc(arena, size, 1);

	if (text)
		snprintf(text, size, "%s, %s", a, b);
	return text;
}

static const char *name_of(const struct typetable *table, const struct data_member *member)
{
	if (member->is_base)
		return typetable_get(table, member->type)->name;
	return member->name[0] != '\0' ? member->name : "(anonymous)";
}

/* Adds a member, or has the last one grow by what shares its bytes; false if memory ran out. */
static bool add(struct type_advice *advice, const char *name, struct layout_member made,
		struct arena *arena)
{
	struct type_layout *layout = &advice->layout;
	struct layout_member *last = layout->n > 0 ? &layout->members[layout->n - 1] : NULL;
	uint64_t end = made.offset + made.size;

	if (!last || made.offset >= last->offset + last->size) {
		layout->members[layout->n] = made;
		advice->names[layout->n++] = name;
		return true;
	}
	if (end > last->offset + last->size)
		last->size = end - last->offset;
	if (made.align > last->align)
		last->align = made.align;
	last->references += made.references;
	advice->names[layout->n - 1] = both_names(advice->names[layout->n - 1], name, arena);
	return advice->names[layout->n - 1] != NULL;
}

bool typeadvice_make(struct type_advice *advice, const struct type_costs *costs,
		     const struct type_row *row, struct arena *arena)
{
	const struct data_type *type = row->type;
	size_t n = type ? type->n_members : 0;

	*advice = (struct type_advice){ .is_known = false };
	if (!type || type->kind != DATA_STRUCT || n == 0 || type->size == 0)
		return true;
	advice->is_known = true;
	advice->layout.size = type->size;
	advice->layout.members = arena_alloc(arena, n * sizeof(*advice->layout.members), 8);
	advice->names = arena_alloc(arena, n * sizeof(*advice->names), 8);
	if (!advice->layout.members || !advice->names)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct data_member *member = &type->members[i];
		const struct layout_member made = {
			.offset = member->offset,
			.size = member->size,
			.align = align_of(&costs->places.table, member),
			.references = references_of(costs, row, i),
			.pin = pin_of(type, i),
		};

		if (member->is_base && typetable_is_empty(&costs->places.table, member->type))
			continue;
		if (!add(advice, name_of(&costs->places.table, member), made, arena))
			return false;
	}
	return typelayout_make(&advice->layout, arena);
}
