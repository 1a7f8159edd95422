/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Members with the largest alignment come first, of the hot ones and then of the cold ones: there are no holes
 * between them then, as sizes are multiples of alignments.  A hole between hot and cold members is filled
 * with cold ones that fit.  Hot members come first, unless an array without a bound is hot: it has to be last,
 * and the others come just before it.
 */
#include "cmds/types/typecosts.h"

#include <stdio.h>
#include <string.h>

enum {
	MOST_ALIGN = 16,       /* bytes, of a scalar */
	MOST_STRUCT_ALIGN = 8, /* bytes: DWARF does not say, so it is taken from the size */
};

static uint64_t align_up(uint64_t offset, uint64_t align)
{
	return align > 1 ? (offset + align - 1) / align * align : offset;
}

/* -- the layout as it is -------------------------------------------------------------------- */

/* Marks members as hot, those with most references first. */
static void find_hot(struct type_layout *layout)
{
	uint64_t all = 0, hot = 0;

	for (size_t i = 0; i < layout->n; i++)
		all += layout->members[i].references;
	/* Few are hot, and never a member without references. */
	while (hot < all - all / 100 * (100 - LAYOUT_HOT_PERCENT)) {
		struct layout_member *most = NULL;

		for (size_t i = 0; i < layout->n; i++) {
			struct layout_member *member = &layout->members[i];

			if (!member->is_hot && (!most || member->references > most->references))
				most = member;
		}
		if (!most || most->references == 0)
			break;
		most->is_hot = true;
		hot += most->references;
	}
}

static void find_holes(struct type_layout *layout)
{
	for (size_t i = 0; i < layout->n; i++) {
		struct layout_member *member = &layout->members[i];
		uint64_t end = member->offset + member->size;
		uint64_t next = i + 1 < layout->n ? layout->members[i + 1].offset : layout->size;

		member->hole = next > end ? next - end : 0;
		layout->holes += member->hole;
	}
}

/* Lines that hot members touch, summed over all places; in the proposed order, or as they are. */
static uint64_t count_lines(const struct type_layout *layout, bool is_proposed)
{
	uint64_t n = 0;

	for (uint64_t start = 0; start < LAYOUT_LINE; start += LAYOUT_STEP) {
		/* The first line that no earlier member has touched. */
		uint64_t next = 0;

		for (size_t i = 0; i < layout->n; i++) {
			const struct layout_member *member =
				&layout->members[is_proposed ? layout->order[i] : i];
			uint64_t offset = is_proposed ? member->new_offset : member->offset;
			uint64_t first = (start + offset) / LAYOUT_LINE;
			uint64_t last = member->size
						? (start + offset + member->size - 1) / LAYOUT_LINE
						: first;

			if (!member->is_hot)
				continue;
			if (first < next)
				first = next;
			if (last >= first) {
				n += last - first + 1;
				next = last + 1;
			}
		}
	}
	return n;
}

/* -- the layout that is proposed ------------------------------------------------------------ */

static int rank_of(const struct layout_member *member, bool is_hot_last)
{
	if (member->pin != PIN_NONE)
		return member->pin == PIN_FIRST ? 0 : 3;
	return member->is_hot == is_hot_last ? 2 : 1;
}

/* True if a member is to come before another one. */
static bool is_before(const struct layout_member *a, const struct layout_member *b,
		      bool is_hot_last)
{
	int of_a = rank_of(a, is_hot_last), of_b = rank_of(b, is_hot_last);
	/* Alignment increases towards a hot array at the end. */
	bool is_rising = is_hot_last && a->is_hot;

	if (of_a != of_b)
		return of_a < of_b;
	if (a->pin == PIN_NONE && a->align != b->align)
		return (a->align > b->align) != is_rising;
	if (a->pin == PIN_NONE && a->references != b->references)
		return (a->references > b->references) != is_rising;
	return a->offset < b->offset;
}

static void sort(size_t *order, const struct type_layout *layout)
{
	/* A hot array at the end stays there, and what else is hot is to be next to it. */
	bool is_hot_last = layout->n > 0 && layout->members[layout->n - 1].pin == PIN_LAST &&
			   layout->members[layout->n - 1].is_hot;

	for (size_t i = 0; i < layout->n; i++) {
		size_t j = i;

		for (; j > 0 &&
		       is_before(&layout->members[i], &layout->members[order[j - 1]], is_hot_last);
		     j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
}

/* Moves the first later cold member that fits into the hole at a place there. */
static void fill(size_t *order, const struct type_layout *layout, size_t place, uint64_t offset)
{
	const struct layout_member *next = &layout->members[order[place]];
	uint64_t room = align_up(offset, next->align) - offset;

	for (size_t i = place + 1; room > 0 && i < layout->n; i++) {
		const struct layout_member *member = &layout->members[order[i]];
		uint64_t begin = align_up(offset, member->align);
		size_t moved = order[i];

		if (member->pin != PIN_NONE || member->is_hot || member->size == 0 ||
		    begin + member->size > offset + room)
			continue;
		for (; i > place; i--)
			order[i] = order[i - 1];
		order[place] = moved;
		return;
	}
}

static void place_all(size_t *order, struct type_layout *layout)
{
	uint64_t offset = 0, struct_align = 1;

	for (size_t i = 0; i < layout->n; i++) {
		struct layout_member *member;

		fill(order, layout, i, offset);
		member = &layout->members[order[i]];
		member->new_offset = align_up(offset, member->align);
		offset = member->new_offset + member->size;
		if (member->align > struct_align)
			struct_align = member->align;
	}
	layout->new_size = align_up(offset, struct_align);
}

void typelayout_make(struct type_layout *layout, struct arena *arena)
{
	size_t *order = arena_alloc(arena, (layout->n + 1) * sizeof(*order), 8);

	layout->order = order;
	layout->holes = 0;
	find_hot(layout);
	find_holes(layout);
	sort(order, layout);
	place_all(order, layout);
	layout->lines = count_lines(layout, false);
	layout->new_lines = count_lines(layout, true);
	layout->is_worthwhile =
		layout->new_size <= layout->size && layout->new_lines <= layout->lines &&
		(layout->new_size < layout->size || layout->new_lines < layout->lines);
}

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

static const char *name_of(const struct typetable *table, const struct data_member *member)
{
	if (member->is_base)
		return typetable_get(table, member->type)->name;
	return member->name[0] != '\0' ? member->name : "(anonymous)";
}

/* Adds a member, or extends the last one by what shares its bytes: "a, b". */
static void add(struct type_layout *layout, struct layout_member made, struct arena *arena)
{
	struct layout_member *last;
	uint64_t end = made.offset + made.size;
	size_t size;
	char *names;

	last = layout->n > 0 ? &layout->members[layout->n - 1] : layout->members;
	if (layout->n == 0 || made.offset >= last->offset + last->size) {
		layout->members[layout->n++] = made;
		return;
	}
	if (end > last->offset + last->size)
		last->size = end - last->offset;
	if (made.align > last->align)
		last->align = made.align;
	last->references += made.references;
	size = strlen(last->name) + strlen(made.name) + sizeof(", ");
	names = arena_alloc(arena, size, 1);
	snprintf(names, size, "%s, %s", last->name, made.name);
	last->name = names;
}

bool typelayout_of_row(struct type_layout *layout, const struct type_costs *costs,
		       const struct type_row *row, struct arena *arena)
{
	const struct typetable *table = &costs->places.table;
	const struct data_type *type = row->type;
	size_t n = type ? type->n_members : 0;

	*layout = (struct type_layout){ .n = 0 };
	if (!type || type->kind != DATA_STRUCT || n == 0 || type->size == 0)
		return false;
	layout->size = type->size;
	layout->members = arena_alloc(arena, n * sizeof(*layout->members), 8);
	for (size_t i = 0; i < n; i++) {
		const struct data_member *member = &type->members[i];

		if (member->is_base && typetable_is_empty(table, member->type))
			continue;
		add(layout,
		    (struct layout_member){
			    .offset = member->offset,
			    .size = member->size,
			    .align = align_of(table, member),
			    .references = references_of(costs, row, i),
			    .pin = pin_of(type, i),
			    .name = name_of(table, member),
		    },
		    arena);
	}
	typelayout_make(layout, arena);
	return true;
}
