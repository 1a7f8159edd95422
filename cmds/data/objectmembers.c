/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/data/objectmembers.h"

#include <stdio.h>
#include <string.h>

enum {
	STEP = 8,          /* bytes of the smallest pieces, */
	PIECES = 512,      /* and how many there are at most, so that others are larger */
	MOST_NAMES = 4,    /* of members in the name of a row */
	BELIEVED_PART = 8, /* of what instructions say so much may contradict pieces */
};

static uint64_t *new_costs(struct arena *arena, size_t n)
{
	uint64_t *made = arena_alloc(arena, (n + 1) * sizeof(*made), 8);

	if (made)
		memset(made, 0, n * sizeof(*made));
	return made;
}

/* -- groups ---------------------------------------------------------------------------------- */

static size_t first_of(const struct object_members *members, size_t member)
{
	while (members->group[member] != member)
		member = members->group[member];
	return member;
}

static void join(struct object_members *members, size_t a, size_t b)
{
	a = first_of(members, a);
	b = first_of(members, b);
	if (a < b)
		members->group[b] = a;
	else
		members->group[a] = b;
}

/* Bytes of one piece: there are as many pieces as the last one needs. */
static uint64_t find_step(const struct object_row *row)
{
	uint64_t last = row->n_pieces > 0 ? row->pieces[row->n_pieces - 1].offset : 0;
	uint64_t step = STEP;

	while (last / step >= PIECES)
		step *= 2;
	return step;
}

/* Whether the struct ends in an array without a bound, and goes on as far as its block does. */
static bool is_open(const struct object_members *members)
{
	return members->n > 1 && members->list[members->n - 2].end == UINT64_MAX;
}

/* The first member that has a byte from start to end; all others that have are joined to it.  The last one, if none has. */
static size_t join_bytes(struct object_members *members, uint64_t start, uint64_t end)
{
	const size_t rest = members->n - 1;
	size_t found = rest;

	for (size_t i = 0; i < rest && members->list[i].offset < end; i++) {
		if (!typemember_has(&members->list[i], start, end))
			continue;
		if (found != rest)
			join(members, found, i);
		else
			found = i;
	}
	return found;
}

/* The same of a piece, wherever it lies in an array of such structs. */
static size_t join_piece(struct object_members *members, uint64_t offset, uint64_t step)
{
	uint64_t size = members->size, start = offset % size;
	size_t first, second;

	if (is_open(members))
		return join_bytes(members, offset, offset + step);
	if (step >= size)
		return join_bytes(members, 0, size);
	if (start + step <= size || offset + step <= size)
		return join_bytes(members, start, start + step);
	first = join_bytes(members, start, size);
	second = join_bytes(members, 0, start + step - size);
	join(members, first, second);
	return first;
}

static void group(struct object_members *members)
{
	const struct object_row *row = members->row;
	uint64_t step = find_step(row);

	for (size_t i = 0; i < row->n_pieces; i++)
		join_piece(members, row->pieces[i].offset, step);
	for (size_t i = 0; i < row->n_pieces; i++) {
		size_t first = first_of(members, join_piece(members, row->pieces[i].offset, step));

		for (size_t event = 0; event < members->n_events; event++)
			members->pieces[first * members->n_events + event] +=
				row->pieces[i].costs[event];
	}
}

/* What instructions say of all members of a group, of an event. */
static uint64_t said_of(const struct object_members *members, size_t first, size_t event)
{
	uint64_t sum = 0;

	for (size_t i = first; i < members->n; i++)
		if (first_of(members, i) == first)
			sum += members->list[i].costs[event];
	return sum;
}

/* Whether instructions say no more of a group than its pieces have. */
static bool fits(const struct object_members *members, size_t first)
{
	for (size_t event = 0; event < members->n_events; event++)
		if (said_of(members, first, event) >
		    members->pieces[first * members->n_events + event])
			return false;
	return true;
}

static bool contradicts(const struct object_members *members)
{
	uint64_t all = 0, wrong = 0;

	for (size_t i = 0; i < members->n; i++) {
		if (first_of(members, i) != i)
			continue;
		for (size_t event = 0; event < members->n_events; event++) {
			uint64_t said = said_of(members, i, event);
			uint64_t pieces = members->pieces[i * members->n_events + event];

			all += said;
			wrong += said > pieces ? said - pieces : 0;
		}
	}
	return wrong > all / BELIEVED_PART;
}

static void group_all(struct object_members *members)
{
	for (size_t i = 0; i < members->n; i++)
		members->group[i] = 0;
	for (size_t event = 0; event < members->n_events; event++)
		members->pieces[event] = members->row->costs[event];
}

/* -- rows ------------------------------------------------------------------------------------ */

static bool has_costs(const uint64_t *costs, size_t n)
{
	for (size_t event = 0; event < n; event++)
		if (costs[event] != 0)
			return true;
	return false;
}

/* A row, if it has any costs. */
static void put(const struct object_members *members, struct object_type *type,
		struct object_member row)
{
	if (has_costs(row.costs, members->n_events))
		type->members[type->n_members++] = row;
}

static struct object_member row_of(const struct object_members *members, size_t i, uint64_t *costs)
{
	const struct type_member *member = &members->list[i];
	bool is_rest = i + 1 == members->n;

	return (struct object_member){
		.name = member->name,
		.offset = is_rest ? 0 : member->offset,
		.size = is_rest ? 0 : member->size,
		.costs = costs,
	};
}

/* "key, value, ...": what a row of all members of a group is called.  NULL if memory ran out. */
static const char *group_name(const struct object_members *members, size_t first)
{
	char text[256] = "";
	size_t n = 0, len = 0;

	for (size_t i = first; i + 1 < members->n && len < sizeof(text); i++) {
		if (first_of(members, i) != first)
			continue;
		if (++n > MOST_NAMES) {
			len += (size_t)snprintf(text + len, sizeof(text) - len, ", ...");
			break;
		}
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", n > 1 ? ", " : "",
					members->list[i].name);
	}
	return arena_copy(members->arena, text, len < sizeof(text) ? len : sizeof(text) - 1);
}

/* What is of some member of a group, but nobody knows of which. */
static bool put_rest(const struct object_members *members, size_t first, bool is_all,
		     uint64_t *costs, struct object_type *type)
{
	struct object_member row = { .name = "(not known)", .costs = costs };

	if (!has_costs(costs, members->n_events))
		return true;
	if (!is_all) {
		row.name = group_name(members, first);
		row.offset = members->list[first].offset;
		for (size_t i = first; i + 1 < members->n; i++) {
			const struct type_member *member = &members->list[i];
			uint64_t size = member->offset + member->size - row.offset;

			if (first_of(members, i) == first && size > row.size)
				row.size = size;
		}
	}
	if (!row.name)
		return false;
	put(members, type, row);
	return true;
}

static bool put_group(const struct object_members *members, size_t first, bool is_all,
		      struct object_type *type)
{
	uint64_t *pieces = &members->pieces[first * members->n_events];
	size_t n = 0;

	for (size_t i = first; i < members->n; i++)
		n += first_of(members, i) == first;
	if (n == 1) {
		put(members, type, row_of(members, first, pieces));
		return true;
	}
	if (!fits(members, first))
		return put_rest(members, first, is_all, pieces, type);
	for (size_t i = first; i < members->n; i++) {
		uint64_t *costs = members->list[i].costs;

		if (first_of(members, i) != first)
			continue;
		put(members, type, row_of(members, i, costs));
		for (size_t event = 0; event < members->n_events; event++)
			pieces[event] -= costs[event];
	}
	return put_rest(members, first, is_all, pieces, type);
}

bool objectmembers_init(struct object_members *members, const struct object_row *row,
			const struct typetable *table, uint32_t type, size_t n_events,
			struct arena *arena)
{
	*members = (struct object_members){
		.arena = arena,
		.row = row,
		.n_events = n_events,
		.size = typetable_get(table, type)->size,
	};
	if (!typemembers_list(&members->list, &members->n, table, type, arena))
		return false;
	members->group = arena_alloc(arena, members->n * sizeof(*members->group), 8);
	members->pieces = new_costs(arena, members->n * n_events);
	for (size_t i = 0; i < members->n; i++) {
		members->list[i].costs = new_costs(arena, n_events);
		if (!members->list[i].costs || !members->group || !members->pieces)
			return false;
		members->group[i] = i;
	}
	return true;
}

void objectmembers_note(struct object_members *members, uint64_t offset, size_t event,
			uint64_t cost)
{
	members->list[typemembers_at(members->list, members->n, offset)].costs[event] += cost;
}

bool objectmembers_finish(struct object_members *members, struct object_type *type)
{
	bool is_all = false;

	group(members);
	if (contradicts(members)) {
		group_all(members);
		is_all = true;
	}
	/* A row of each member, and one of each group. */
	type->members = arena_alloc(members->arena, 2 * members->n * sizeof(*type->members), 8);
	if (!type->members)
		return false;
	for (size_t i = 0; i < members->n; i++)
		if (first_of(members, i) == i && !put_group(members, i, is_all, type))
			return false;
	return true;
}
