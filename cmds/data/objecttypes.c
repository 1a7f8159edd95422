/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/data/objects.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/arena.h"
#include "profile/common/error.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"

/* -- members ------------------------------------------------------------------------------------ */

/*
 * What is missed on an object of a known type, by member.  For objecttypes.c only.
 *
 * Two things are known of misses: on which piece of the object they are, of all; and which member the instruction refers to, of
 * some.  A piece that lies in one member is that member's.  Members that share pieces have what instructions say of them, and
 * the rest is of all of them, in a row of its own.  Where pieces and instructions contradict each other, as behind a header that the
 * type does not have, instructions alone are believed.
 */

/* Fields are private. */
struct object_members {
	struct arena *arena;
	const struct object_row *row;
	size_t n_events;
	uint64_t size;            /* bytes of the type */
	struct type_member *list; /* all that it has, with what instructions say of them */
	size_t n;
	size_t *group; /* by member: the first of those that it shares pieces with, or one before it */
	uint64_t *pieces; /* by member and event: of those that are the first, what pieces of the group have */
};

/* Of a struct and an object of it; memory is the arena's.  False if memory ran out. */
bool objectmembers_init(struct object_members *members, const struct object_row *row,
			const struct typetable *table, uint32_t type, size_t n_events,
			struct arena *arena);

/* An instruction that refers to an offset of the struct has missed on the object. */
void objectmembers_note(struct object_members *members, uint64_t offset, size_t event,
			uint64_t cost);

/* Makes the rows; false if memory ran out. */
bool objectmembers_finish(struct object_members *members, struct object_type *type);

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
static bool is_open_ended(const struct object_members *members)
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

	if (is_open_ended(members))
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

/* -- objects ------------------------------------------------------------------------------------ */

/*
 * All calls of objects are gone through three times: for the instructions that types are looked up of, for votes, an
 * instruction's type for an object, and, once the types of objects are known, for the members that instructions refer to.
 */

enum {
	DISSENT_PART = 4,  /* one of so many misses with a known type may be of another one */
	OWN_PART = 16,     /* one of so many has to be of the type itself */
	VAGUE_PART = 4,    /* one of so many has to be of a type at all, not of any bytes */
	DEEPEST = 8,       /* structs within structs that are looked into */
	MOST_STEPS = 4096, /* members that are looked at for that */
	NUMBER_SIZE = 8,   /* bytes of a number of elements */
};

#define NO_ROW UINT32_MAX

/* What instructions say of an object: so many misses on a type. */
struct vote {
	uint32_t row, type;
	uint64_t weight;
};

struct deciding {
	struct object_types *types;
	struct object_costs *costs;
	uint32_t *row_of; /* by function: its row, or NO_ROW; owned */
	struct vote *votes;
	size_t n_votes, votes_capacity;
	struct object_type *made;       /* by row; the arena's */
	uint32_t *chosen;               /* by row: type, or TYPE_NONE; owned */
	struct object_members *members; /* by row; owned */
};

/* A call of an object: where it refers to, and to what. */
struct object_miss {
	uint32_t row;
	const struct data_place *place; /* NULL = not known */
	const uint64_t *costs;
	bool is_written; /* it is of events that need a write; else of the others */
	bool is_whole;   /* it is of all events */
};

/* -- calls of objects ------------------------------------------------------------------------ */

static bool has_any(const struct model *model, const uint64_t *costs, const bool *wanted)
{
	for (size_t event = 0; event < model->n_events; event++)
		if (wanted[event] && costs[event] != 0)
			return true;
	return false;
}

/* What an event cost a miss. */
static uint64_t cost_of(const struct object_types *types, const struct object_miss *miss,
			size_t event)
{
	bool counts = miss->is_whole || types->is_written[event] == miss->is_written;

	return counts ? miss->costs[event] : 0;
}

/* Passes on what a call is: once or, if what is read and what is written are two places, twice. */
static bool take_call(struct deciding *deciding, uint32_t object, const struct model_call *call,
		      bool (*take)(struct deciding *deciding, const struct object_miss *miss))
{
	const struct object_types *types = deciding->types;
	const struct data_reference *reference =
		typeplaces_find(&types->places, object, call->at.instr);
	struct object_miss miss = {
		.row = deciding->row_of[call->callee],
		.costs = call->costs,
		.is_whole = true,
	};
	bool reads = has_any(types->model, call->costs, types->is_read);
	bool writes = has_any(types->model, call->costs, types->is_written);

	if (!reference || !reference->has_debug_information)
		return take(deciding, &miss);
	miss.place = writes && !reads ? &reference->written : &reference->read;
	if (!writes || !reads)
		return take(deciding, &miss);
	miss.is_whole = false;
	if (!take(deciding, &miss))
		return false;
	miss.is_written = true;
	miss.place = &reference->written;
	return take(deciding, &miss);
}

static bool add_reference(struct deciding *deciding, uint32_t object, const struct model_call *call)
{
	return call->at.instr == 0 ||
	       typeplaces_add(&deciding->types->places, object, call->at.instr);
}

/*
 * Goes through calls of objects: with take() their misses, or else instructions are added.  False if memory ran out.
 */
static bool each_call(struct deciding *deciding,
		      bool (*take)(struct deciding *deciding, const struct object_miss *miss))
{
	const struct model *model = deciding->types->model;

	for (uint32_t i = 0; i < model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_call call;
		uint32_t object = model->functions[i].object;

		model_calls(model, i, 0, &cursor);
		while (model_next_call(&cursor, &call)) {
			bool is_fine = deciding->row_of[call.callee] == NO_ROW ||
				       (take ? take_call(deciding, object, &call, take)
					     : add_reference(deciding, object, &call));

			if (!is_fine)
				return false;
		}
	}
	return true;
}

/* -- what is in a type ----------------------------------------------------------------------- */

struct inner_place {
	size_t n;        /* how often it is there */
	uint64_t offset; /* of the first */
};

struct outer_step {
	uint32_t type;
	size_t next;
	uint64_t base;
};

/* Where a type has another one in it. */
static struct inner_place find_inner(const struct typetable *table, uint32_t type, uint32_t inner)
{
	struct outer_step path[DEEPEST] = { { .type = type } };
	struct inner_place place = { 0, 0 };
	size_t depth = 0;

	for (int step = 0; step < MOST_STEPS; step++) {
		struct outer_step *at = &path[depth];
		const struct data_type *of = typetable_get(table, at->type);
		const struct data_member *member;
		uint32_t element;
		bool is_repeated;

		if (at->next == of->n_members) {
			if (depth-- == 0)
				break;
			continue;
		}
		member = &of->members[at->next++];
		is_repeated = typetable_get(table, member->type)->kind == DATA_ARRAY;
		element = typetable_element(table, member->type);
		if (element == inner) {
			place.offset = place.n == 0 ? at->base + member->offset : place.offset;
			place.n += is_repeated ? 2 : 1;
		} else if (!is_repeated && depth + 1 < DEEPEST) {
			path[++depth] = (struct outer_step){
				.type = element,
				.base = at->base + member->offset,
			};
		}
	}
	return place;
}

/* -- votes ----------------------------------------------------------------------------------- */

static bool begins_with(struct name name, const char *text)
{
	return name.len >= strlen(text) && memcmp(name.text, text, strlen(text)) == 0;
}

/* Whether an object is of memory that glibc maps for a thread: a stack, thread-locals, and at its end what glibc itself keeps. */
static bool is_of_thread(const struct model *model, const struct model_function *function)
{
	static const char *const makers[] = { "pthread_create", "__pthread_create",
					      "allocate_stack" };
	struct name name = model_name(model, NAME_FUNCTION, function->name);

	if (!begins_with(model_name(model, NAME_OBJECT, function->object), "[mappings]"))
		return false;
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		if (begins_with(name, makers[i]))
			return true;
	return false;
}

/* Objects whose misses are all of one thing, or of an array of one. */
static bool may_have_type(const struct model *model, uint32_t function)
{
	static const char *const others[] = { "[stack]", "[allocators]", "[memory]", "[files]",
					      "[code]" };
	struct name object = model_name(model, NAME_OBJECT, model->functions[function].object);

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (object.len == strlen(others[i]) &&
		    memcmp(object.text, others[i], object.len) == 0)
			return false;
	return !is_of_thread(model, &model->functions[function]);
}

static bool vote(struct deciding *deciding, const struct object_miss *miss)
{
	static const char *const firsts[] = { "D1mr", "D1mw" };
	const struct model *model = deciding->types->model;
	uint64_t weight = 0;

	if (!miss->place || miss->place->kind != PLACE_TYPE)
		return true;
	for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
		size_t event = model_event(model, firsts[i]);

		if (event < model->n_events)
			weight += cost_of(deciding->types, miss, event);
	}
	if (weight == 0)
		return true;
	if (!heap_reserve(&heap_env, (void **)&deciding->votes, &deciding->votes_capacity,
			  deciding->n_votes + 1, sizeof(*deciding->votes)))
		return false;
	deciding->votes[deciding->n_votes++] = (struct vote){
		.row = miss->row,
		.type = miss->place->type,
		.weight = weight,
	};
	return true;
}

static int compare_votes(const void *a, const void *b)
{
	const struct vote *of_a = a, *of_b = b;

	if (of_a->row != of_b->row)
		return of_a->row < of_b->row ? -1 : 1;
	return (of_a->type > of_b->type) - (of_a->type < of_b->type);
}

/* One of each row and type. */
static void count_votes(struct deciding *deciding)
{
	struct vote *votes = deciding->votes;
	size_t used = 0;

	if (deciding->n_votes > 0)
		qsort(votes, deciding->n_votes, sizeof(*votes), compare_votes);
	for (size_t i = 0; i < deciding->n_votes; i++) {
		if (used > 0 && compare_votes(&votes[used - 1], &votes[i]) == 0)
			votes[used - 1].weight += votes[i].weight;
		else
			votes[used++] = votes[i];
	}
	deciding->n_votes = used;
}

static struct object_size size_of(const struct deciding *deciding, uint32_t row)
{
	const struct model *model = deciding->types->model;
	const struct model_function *function =
		&model->functions[deciding->costs->rows[row].function];
	struct name name = model_name(model, NAME_FUNCTION, function->name);
	size_t chain;

	return objectname_size(name.text, name.len, &chain);
}

/* Whether a struct ends in an array that has as many elements as there is room for. */
static bool is_open(const struct typetable *table, const struct data_type *type)
{
	const struct data_member *last = type->n_members > 0 ? &type->members[type->n_members - 1]
							     : NULL;

	return last && typetable_get(table, last->type)->kind == DATA_ARRAY;
}

/* Whether a struct ends in an array that a block may go on with. */
static bool may_go_on(const struct typetable *table, const struct data_type *type)
{
	const struct data_member *last = &type->members[type->n_members - 1];

	return is_open(table, type) &&
	       last->size <= typetable_get(table, typetable_element(table, last->type))->size;
}

/* Whether a block may be several structs of a type, if it is missed on behind one; C++ may put their number before them. */
static bool may_be_several(const struct deciding *deciding, uint32_t row,
			   const struct data_type *type)
{
	const struct object_row *object = &deciding->costs->rows[row];
	struct object_size size = size_of(deciding, row);
	uint64_t last = object->n_pieces > 0 ? object->pieces[object->n_pieces - 1].offset : 0;
	uint64_t least = size.least % type->size, most = size.most % type->size;

	if (!size.is_known || size.is_of_elements || type->n_members == 0 || last < type->size ||
	    may_go_on(&deciding->types->places.table, type))
		return true;
	return (least == 0 || least == NUMBER_SIZE) && (most == 0 || most == NUMBER_SIZE);
}

static bool is_possible(const struct deciding *deciding, uint32_t row, uint32_t number)
{
	const struct typetable *table = &deciding->types->places.table;
	const struct data_type *type = typetable_get(table, number);
	struct object_size size = size_of(deciding, row);

	return !typetable_is_vague(table, number) && type->size > 0 &&
	       (!size.is_known || type->size <= size.most || is_open(table, type)) &&
	       may_be_several(deciding, row, type);
}

/* The type that votes for a row, n of them, elect; TYPE_NONE = none. */
static uint32_t elect(const struct deciding *deciding, const struct vote *votes, size_t n)
{
	const struct typetable *table = &deciding->types->places.table;
	uint64_t known = 0, vague = 0, best_agreed = 0, best_own = 0;
	uint32_t best = TYPE_NONE;

	for (size_t i = 0; i < n; i++) {
		if (typetable_is_vague(table, votes[i].type))
			vague += votes[i].weight;
		else
			known += votes[i].weight;
	}
	if (known < (known + vague) / VAGUE_PART)
		return TYPE_NONE;
	for (size_t i = 0; i < n; i++) {
		uint64_t agreed = 0, own = votes[i].weight;

		if (!is_possible(deciding, votes[i].row, votes[i].type) || own < known / OWN_PART)
			continue;
		for (size_t other = 0; other < n; other++)
			if (other == i || find_inner(table, votes[i].type, votes[other].type).n > 0)
				agreed += votes[other].weight;
		if (agreed > best_agreed || (agreed == best_agreed && own > best_own)) {
			best = votes[i].type;
			best_agreed = agreed;
			best_own = own;
		}
	}
	return best_agreed >= known - known / DISSENT_PART ? best : TYPE_NONE;
}

/* -- types ----------------------------------------------------------------------------------- */

static bool is_array(const struct deciding *deciding, uint32_t row, const struct data_type *type)
{
	const struct object_row *object = &deciding->costs->rows[row];
	struct object_size size = size_of(deciding, row);
	uint64_t last = object->n_pieces > 0 ? object->pieces[object->n_pieces - 1].offset : 0;

	if (type->n_members > 0 && type->members[type->n_members - 1].size == 0)
		return false;
	return size.is_of_elements || last >= type->size ||
	       (size.is_known && size.most / 2 >= type->size);
}

static bool make_type(struct deciding *deciding, uint32_t row, uint32_t number)
{
	struct object_types *types = deciding->types;
	const struct data_type *type = typetable_get(&types->places.table, number);

	deciding->chosen[row] = number;
	deciding->made[row] = (struct object_type){
		.name = type->name,
		.size = type->size,
		.is_array = is_array(deciding, row, type),
	};
	deciding->costs->rows[row].type = &deciding->made[row];
	return type->n_members == 0 ||
	       objectmembers_init(&deciding->members[row], &deciding->costs->rows[row],
				  &types->places.table, number, types->model->n_events,
				  &types->arena);
}

static bool decide(struct deciding *deciding)
{
	size_t end;

	count_votes(deciding);
	for (size_t i = 0; i < deciding->n_votes; i = end) {
		uint32_t row = deciding->votes[i].row, type;

		for (end = i; end < deciding->n_votes && deciding->votes[end].row == row; end++)
			;
		type = elect(deciding, &deciding->votes[i], end - i);
		if (type != TYPE_NONE && !make_type(deciding, row, type))
			return false;
	}
	return true;
}

/* Notes which member of its type an object was missed on. */
static bool note_member(struct deciding *deciding, const struct object_miss *miss)
{
	struct object_members *members = &deciding->members[miss->row];
	uint32_t type = deciding->chosen[miss->row];
	const struct data_place *place = miss->place;
	uint64_t base = 0;

	if (members->n == 0 || !place || place->kind != PLACE_TYPE)
		return true;
	if (place->type != type) {
		struct inner_place inner =
			find_inner(&deciding->types->places.table, type, place->type);

		if (inner.n != 1)
			return true;
		base = inner.offset;
	}
	for (size_t event = 0; event < deciding->types->model->n_events; event++)
		objectmembers_note(members, base + place->offset, event,
				   cost_of(deciding->types, miss, event));
	return true;
}

static bool find_members(struct deciding *deciding)
{
	if (!each_call(deciding, note_member))
		return false;
	for (size_t i = 0; i < deciding->costs->n; i++)
		if (deciding->members[i].n > 0 &&
		    !objectmembers_finish(&deciding->members[i], &deciding->made[i]))
			return false;
	return true;
}

/* -- all of it ------------------------------------------------------------------------------- */

/* Which events are of reads, and which of writes. */
static bool find_events(struct object_types *types)
{
	size_t n = types->model->n_events;

	types->is_read = arena_alloc(&types->arena, n + 1, 1);
	types->is_written = arena_alloc(&types->arena, n + 1, 1);
	for (size_t i = 0; types->is_read && types->is_written && i < n; i++) {
		const struct event_info *info = event_find(types->model->events[i].name);

		types->is_read[i] = info && info->of && strcmp(info->of, "Dr") == 0;
		types->is_written[i] = info && info->of && strcmp(info->of, "Dw") == 0;
	}
	return types->is_read && types->is_written;
}

static bool begin(struct deciding *deciding)
{
	const struct model *model = deciding->types->model;
	size_t n = deciding->costs->n;

	deciding->row_of = calloc(model->n_functions + 1, sizeof(*deciding->row_of));
	deciding->chosen = calloc(n + 1, sizeof(*deciding->chosen));
	deciding->members = calloc(n + 1, sizeof(*deciding->members));
	deciding->made = arena_alloc(&deciding->types->arena, (n + 1) * sizeof(*deciding->made), 8);
	if (!deciding->row_of || !deciding->chosen || !deciding->members || !deciding->made)
		return false;
	for (size_t i = 0; i < model->n_functions; i++)
		deciding->row_of[i] = NO_ROW;
	for (uint32_t i = 0; i < n; i++)
		if (may_have_type(model, deciding->costs->rows[i].function))
			deciding->row_of[deciding->costs->rows[i].function] = i;
	return find_events(deciding->types) && each_call(deciding, NULL);
}

int objecttypes_make(struct object_types *types, struct object_costs *costs,
		     const struct model *model, const struct typecosts_options *options)
{
	struct deciding deciding = { .types = types, .costs = costs };
	int status = PROFILE_NO_MEMORY;

	memset(types, 0, sizeof(*types));
	if (model->is_signed || !(model->positions & POSITION_INSTR))
		return PROFILE_OK;
	types->model = model;
	types->objects = (struct code_objects){
		.options = &options->objects,
		.oldest = options->oldest,
		.syntax = SYNTAX_INTEL,
	};
	arena_init(&types->arena, &heap_env);
	code_objects_init(&types->objects, model);
	if (typeplaces_init(&types->places) && begin(&deciding)) {
		status = typeplaces_resolve(&types->places, &types->objects);
		if (!status &&
		    !(each_call(&deciding, vote) && decide(&deciding) && find_members(&deciding)))
			status = PROFILE_NO_MEMORY;
	}
	free(deciding.row_of);
	free(deciding.votes);
	free(deciding.chosen);
	free(deciding.members);
	return status;
}

void objecttypes_release(struct object_types *types)
{
	if (!types->model)
		return;
	code_objects_release(&types->objects);
	typeplaces_release(&types->places);
	arena_release(&types->arena);
	memset(types, 0, sizeof(*types));
}
