/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of data objects, from the instructions that miss on them; misses by member. */
#include "cmds/data/objects.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/analysis/inclusive.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"

/* -- misses by member --------------------------------------------------------------------------
 *
 * For each miss the piece of the object is known, and for some misses the member that the instruction refers to.  A piece that
 * lies in one member belongs to it.  Where members share pieces, instructions decide, and what they leave over belongs to all
 * of these members, in a row of its own.  Where pieces and instructions contradict each other, as after a header that the type
 * does not have, only instructions are believed.
 */

enum {
	STEP = 8,          /* bytes of the smallest pieces, */
	PIECES = 512,      /* and how many there are at most, so that others are larger */
	MOST_NAMES = 4,    /* of members in the name of a row */
	BELIEVED_PART = 8, /* one in this many of what instructions say may contradict pieces */
};

struct object_members {
	struct arena *arena;
	const struct object_row *row;
	size_t n_events;
	uint64_t size;            /* bytes of the type */
	struct type_member *list; /* all that it has, with what instructions say about them */
	size_t n;
	size_t *group; /* by member: the first of those that it shares pieces with, or one before it */
	uint64_t *pieces; /* by member and event: of those that are the first, what pieces of the group have */
};

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

/* The offset of the last piece with a miss. */
static uint64_t last_offset(const struct object_row *row)
{
	return row->n_pieces > 0 ? row->pieces[row->n_pieces - 1].offset : 0;
}

/* The first member with a byte from start to end, joined with all others that have one; the last one, if none has. */
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

/* The same for a piece, in any element of an array of such structs. */
static size_t join_piece(struct object_members *members, uint64_t offset, uint64_t step)
{
	uint64_t size = members->size, start = offset % size;
	size_t first, second;

	/* The struct ends in an array without a bound, and goes on as far as its block does. */
	if (members->n > 1 && members->list[members->n - 2].end == UINT64_MAX)
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
	uint64_t step = STEP; /* bytes of a piece: there are as many pieces as the last one needs */

	while (last_offset(row) / step >= PIECES)
		step *= 2;
	for (size_t i = 0; i < row->n_pieces; i++)
		join_piece(members, row->pieces[i].offset, step);
	for (size_t i = 0; i < row->n_pieces; i++) {
		size_t first = first_of(members, join_piece(members, row->pieces[i].offset, step));

		for (size_t event = 0; event < members->n_events; event++)
			members->pieces[first * members->n_events + event] +=
				row->pieces[i].costs[event];
	}
}

/* What instructions say about all members of a group, of an event. */
static uint64_t said_of(const struct object_members *members, size_t first, size_t event)
{
	uint64_t sum = 0;

	for (size_t i = first; i < members->n; i++)
		if (first_of(members, i) == first)
			sum += members->list[i].costs[event];
	return sum;
}

/* True if instructions say no more of a group than its pieces have. */
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

/* -- rows ------------------------------------------------------------------------------------ */

/* Adds a row, if it has any costs. */
static void put(const struct object_members *members, struct object_type *type,
		struct object_member row)
{
	for (size_t event = 0; event < members->n_events; event++) {
		if (row.costs[event] == 0)
			continue;
		type->members[type->n_members++] = row;
		return;
	}
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

/* "key, value, ...": the name of a row of all members of a group. */
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

static void put_group(const struct object_members *members, size_t first, bool is_all,
		      struct object_type *type)
{
	uint64_t *pieces = &members->pieces[first * members->n_events];
	struct object_member rest = { .name = "(not known)", .costs = pieces };
	bool are_told_apart;
	size_t n = 0;

	for (size_t i = first; i < members->n; i++)
		n += first_of(members, i) == first;
	if (n == 1) {
		put(members, type, row_of(members, first, pieces));
		return;
	}
	are_told_apart = fits(members, first);
	for (size_t i = first; are_told_apart && i < members->n; i++) {
		uint64_t *costs = members->list[i].costs;

		if (first_of(members, i) != first)
			continue;
		put(members, type, row_of(members, i, costs));
		for (size_t event = 0; event < members->n_events; event++)
			pieces[event] -= costs[event];
	}
	/* What belongs to some member of the group. */
	if (!is_all) {
		rest.name = group_name(members, first);
		rest.offset = members->list[first].offset;
	}
	for (size_t i = first; !is_all && i + 1 < members->n; i++) {
		const struct type_member *member = &members->list[i];
		uint64_t size = member->offset + member->size - rest.offset;

		if (first_of(members, i) == first && size > rest.size)
			rest.size = size;
	}
	put(members, type, rest);
}

/* Makes the rows. */
static void objectmembers_finish(struct object_members *members, struct object_type *type)
{
	bool is_all;

	group(members);
	is_all = contradicts(members);
	if (is_all) {
		for (size_t i = 0; i < members->n; i++)
			members->group[i] = 0;
		memcpy(members->pieces, members->row->costs,
		       members->n_events * sizeof(*members->pieces));
	}
	/* A row for each member, and one for each group. */
	type->members = arena_alloc(members->arena, 2 * members->n * sizeof(*type->members), 8);
	for (size_t i = 0; i < members->n; i++)
		if (first_of(members, i) == i)
			put_group(members, i, is_all, type);
}

/* -- types of objects --------------------------------------------------------------------------
 *
 * All calls of objects are walked three times: for the instructions whose types are looked up; for votes, the types that
 * instructions give an object; and, once objects have types, for the members that instructions refer to.
 */

enum {
	DISSENT_PART = 4,  /* one in this many misses with a known type may be of another one */
	OWN_PART = 16,     /* one in this many has to be of the type itself */
	VAGUE_PART = 4,    /* one in this many has to be of a type at all, not of any bytes */
	DEEPEST = 8,       /* structs within structs that are looked into */
	MOST_STEPS = 4096, /* members that are looked at for that */
	NUMBER_SIZE = 8,   /* bytes of a number of elements */
};

#define NO_ROW UINT32_MAX

/* The misses of an object that instructions say are on a type. */
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

/* A miss on an object: the type that the instruction refers to, and the place in it. */
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

/* Passes on a call: twice if one place is read and another written. */
static void take_call(struct deciding *deciding, uint32_t object, const struct model_call *call,
		      void (*take)(struct deciding *deciding, const struct object_miss *miss))
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

	if (reference && reference->has_debug_information) {
		miss.place = writes && !reads ? &reference->written : &reference->read;
		miss.is_whole = !writes || !reads;
	}
	take(deciding, &miss);
	if (miss.is_whole)
		return;
	miss.is_written = true;
	miss.place = &reference->written;
	take(deciding, &miss);
}

/* Walks calls of objects: take() gets their misses, or if it is NULL, instructions are added. */
static void each_call(struct deciding *deciding,
		      void (*take)(struct deciding *deciding, const struct object_miss *miss))
{
	const struct model *model = deciding->types->model;

	for (uint32_t i = 0; i < model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_call call;
		uint32_t object = model->functions[i].object;

		model_calls(model, i, 0, &cursor);
		while (model_next_call(&cursor, &call)) {
			if (deciding->row_of[call.callee] == NO_ROW)
				continue;
			if (take)
				take_call(deciding, object, &call, take);
			else if (call.at.instr != 0)
				typeplaces_add(&deciding->types->places, object, call.at.instr);
		}
	}
}

/* -- types in types -------------------------------------------------------------------------- */

struct inner_place {
	size_t n;        /* how often it is there */
	uint64_t offset; /* of the first */
};

struct outer_step {
	uint32_t type;
	size_t next;
	uint64_t base;
};

/* Finds a type within another one. */
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

/*
 * True if all misses on an object may be on one thing, or an array of it.  What glibc mapped for a thread is not: a stack,
 * thread-locals, and glibc's own data at its end.
 */
static bool may_have_type(const struct model *model, uint32_t function)
{
	static const char *const others[] = { "[stack]", "[allocators]", "[memory]", "[files]",
					      "[code]" };
	static const char *const makers[] = { "pthread_create", "__pthread_create",
					      "allocate_stack" };
	const struct model_function *names = &model->functions[function];
	struct name name = model_name(model, NAME_FUNCTION, names->name);
	struct name object = model_name(model, NAME_OBJECT, names->object);

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (object.len == strlen(others[i]) && begins_with(object, others[i]))
			return false;
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		if (begins_with(object, "[mappings]") && begins_with(name, makers[i]))
			return false;
	return true;
}

static void vote(struct deciding *deciding, const struct object_miss *miss)
{
	static const char *const firsts[] = { "D1mr", "D1mw" };
	const struct model *model = deciding->types->model;
	uint64_t weight = 0;

	if (!miss->place || miss->place->kind != PLACE_TYPE)
		return;
	for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
		size_t event = model_event(model, firsts[i]);

		if (event < model->n_events)
			weight += cost_of(deciding->types, miss, event);
	}
	if (weight == 0)
		return;
	deciding->votes = heap_grow(deciding->votes, &deciding->votes_capacity,
				    deciding->n_votes + 1, sizeof(*deciding->votes));
	deciding->votes[deciding->n_votes++] = (struct vote){
		.row = miss->row,
		.type = miss->place->type,
		.weight = weight,
	};
}

static int compare_votes(const void *a, const void *b)
{
	const struct vote *of_a = a, *of_b = b;

	if (of_a->row != of_b->row)
		return of_a->row < of_b->row ? -1 : 1;
	return (of_a->type > of_b->type) - (of_a->type < of_b->type);
}

/* Sums votes with the same row and type. */
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

/* The array at the end of a struct, which may have any number of elements; NULL if there is none. */
static const struct data_member *open_end(const struct typetable *table,
					  const struct data_type *type)
{
	const struct data_member *last = type->n_members > 0 ? &type->members[type->n_members - 1]
							     : NULL;

	return last && typetable_get(table, last->type)->kind == DATA_ARRAY ? last : NULL;
}

/* True if a block may be several structs of a type, if it has misses after the first; C++ may put their number before them. */
static bool may_be_several(const struct deciding *deciding, uint32_t row,
			   const struct data_type *type)
{
	const struct typetable *table = &deciding->types->places.table;
	const struct data_member *end = open_end(table, type);
	struct object_size size = size_of(deciding, row);
	uint64_t least = size.least % type->size, most = size.most % type->size;

	if (!size.is_known || size.is_of_elements || type->n_members == 0 ||
	    last_offset(&deciding->costs->rows[row]) < type->size ||
	    (end && end->size <= typetable_get(table, typetable_element(table, end->type))->size))
		return true;
	return (least == 0 || least == NUMBER_SIZE) && (most == 0 || most == NUMBER_SIZE);
}

static bool is_possible(const struct deciding *deciding, uint32_t row, uint32_t number)
{
	const struct typetable *table = &deciding->types->places.table;
	const struct data_type *type = typetable_get(table, number);
	struct object_size size = size_of(deciding, row);

	return !typetable_is_vague(table, number) && type->size > 0 &&
	       (!size.is_known || type->size <= size.most || open_end(table, type)) &&
	       may_be_several(deciding, row, type);
}

/* The type that n votes for a row elect; TYPE_NONE = none. */
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
	struct object_size size = size_of(deciding, row);

	if (type->n_members > 0 && type->members[type->n_members - 1].size == 0)
		return false;
	return size.is_of_elements || last_offset(&deciding->costs->rows[row]) >= type->size ||
	       (size.is_known && size.most / 2 >= type->size);
}

static void make_type(struct deciding *deciding, uint32_t row, uint32_t number)
{
	struct object_types *types = deciding->types;
	const struct data_type *type = typetable_get(&types->places.table, number);
	struct object_members *members = &deciding->members[row];
	const size_t n_events = types->model->n_events;

	deciding->chosen[row] = number;
	deciding->made[row] = (struct object_type){
		.name = type->name,
		.size = type->size,
		.is_array = is_array(deciding, row, type),
	};
	deciding->costs->rows[row].type = &deciding->made[row];
	if (type->n_members == 0)
		return;
	*members = (struct object_members){
		.arena = &types->arena,
		.row = &deciding->costs->rows[row],
		.n_events = n_events,
		.size = type->size,
	};
	typemembers_list(&members->list, &members->n, &types->places.table, number, &types->arena);
	members->group = arena_alloc(&types->arena, members->n * sizeof(*members->group), 8);
	members->pieces = row_new(&types->arena, members->n * n_events);
	for (size_t i = 0; i < members->n; i++) {
		members->list[i].costs = row_new(&types->arena, n_events);
		members->group[i] = i;
	}
}

static void decide(struct deciding *deciding)
{
	size_t end;

	count_votes(deciding);
	for (size_t i = 0; i < deciding->n_votes; i = end) {
		uint32_t row = deciding->votes[i].row, type;

		for (end = i; end < deciding->n_votes && deciding->votes[end].row == row; end++)
			;
		type = elect(deciding, &deciding->votes[i], end - i);
		if (type != TYPE_NONE)
			make_type(deciding, row, type);
	}
}

/* Notes which member of its type an object was missed on. */
static void note_member(struct deciding *deciding, const struct object_miss *miss)
{
	struct object_members *members = &deciding->members[miss->row];
	uint32_t type = deciding->chosen[miss->row];
	const struct data_place *place = miss->place;
	uint64_t base = 0, *costs;

	if (members->n == 0 || !place || place->kind != PLACE_TYPE)
		return;
	if (place->type != type) {
		struct inner_place inner =
			find_inner(&deciding->types->places.table, type, place->type);

		if (inner.n != 1)
			return;
		base = inner.offset;
	}
	costs = members->list[typemembers_at(members->list, members->n, base + place->offset)].costs;
	for (size_t event = 0; event < deciding->types->model->n_events; event++)
		costs[event] += cost_of(deciding->types, miss, event);
}

/* -- all of it ------------------------------------------------------------------------------- */

/* Finds which events are of reads, and which of writes. */
static void find_events(struct object_types *types)
{
	size_t n = types->model->n_events;

	types->is_read = arena_alloc(&types->arena, n + 1, 1);
	types->is_written = arena_alloc(&types->arena, n + 1, 1);
	for (size_t i = 0; i < n; i++) {
		const struct event_info *info = event_find(types->model->events[i].name);

		types->is_read[i] = info && info->of && strcmp(info->of, "Dr") == 0;
		types->is_written[i] = info && info->of && strcmp(info->of, "Dw") == 0;
	}
}

void objecttypes_make(struct object_types *types, struct object_costs *costs,
		      const struct model *model, const struct typecosts_options *options)
{
	struct deciding deciding = { .types = types, .costs = costs };
	size_t n = costs->n;

	memset(types, 0, sizeof(*types));
	if (model->is_signed || !(model->positions & POSITION_INSTR))
		return;
	types->model = model;
	types->objects = (struct code_objects){
		.options = &options->objects,
		.oldest = options->oldest,
		.syntax = SYNTAX_INTEL,
	};
	arena_init(&types->arena);
	code_objects_init(&types->objects, model);
	typeplaces_init(&types->places);
	find_events(types);
	deciding.row_of = heap_zeroed(model->n_functions, sizeof(*deciding.row_of));
	deciding.chosen = heap_zeroed(n, sizeof(*deciding.chosen));
	deciding.members = heap_zeroed(n, sizeof(*deciding.members));
	deciding.made = arena_alloc(&types->arena, (n + 1) * sizeof(*deciding.made), 8);
	for (size_t i = 0; i < model->n_functions; i++)
		deciding.row_of[i] = NO_ROW;
	for (uint32_t i = 0; i < n; i++)
		if (may_have_type(model, costs->rows[i].function))
			deciding.row_of[costs->rows[i].function] = i;
	each_call(&deciding, NULL);
	typeplaces_resolve(&types->places, &types->objects);
	each_call(&deciding, vote);
	decide(&deciding);
	each_call(&deciding, note_member);
	for (size_t i = 0; i < n; i++)
		if (deciding.members[i].n > 0)
			objectmembers_finish(&deciding.members[i], &deciding.made[i]);
	free(deciding.row_of);
	free(deciding.votes);
	free(deciding.chosen);
	free(deciding.members);
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
