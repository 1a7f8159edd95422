/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/types/typecosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/code/disassembly.h"
#include "profile/common/bytes.h"
#include "profile/common/cost.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

enum {
	DEEPEST = 16,           /* structs within structs whose members have rows of their own */
	MOST_MEMBERS = 4096,    /* of a row */
	MOST_ALTERNATIVES = 64, /* characters of their names */
};

const char *typecosts_missing(const struct model *model)
{
	const char *missing = disassembly_missing();

	if (!missing)
		missing = objectfile_missing();
	if (missing)
		return missing;
	if (model->is_signed)
		return "expected what a program cost, found a difference";
	if (!(model->positions & POSITION_INSTR))
		return "expected costs of instructions, found none: they are recorded with "
		       "--dump-instr=yes";
	if (model_event(model, "Dr") == model->n_events &&
	    model_event(model, "Dw") == model->n_events)
		return "expected data references (events Dr and Dw), found none: they are recorded "
		       "with --cache-sim=yes";
	return NULL;
}

const char *typecosts_kind_text(enum type_row_kind kind)
{
	static const char *const texts[N_ROW_KINDS] = {
		[ROW_TYPE] = "",
		[ROW_BYTES] = "bytes behind pointers to void or char",
		[ROW_STACK] = "stack without variables",
		[ROW_CONSTANT] = "constants and linkage",
		[ROW_UNRESOLVED] = "not resolved",
		[ROW_UNDEBUGGED] = "code without debug information",
		[ROW_NO_DATA] = "no reference to data",
	};

	return texts[kind];
}

/* -- rows ------------------------------------------------------------------------------------ */

static uint64_t *new_costs(struct type_costs *costs)
{
	size_t size = costs->model->n_events * sizeof(uint64_t);
	uint64_t *made = arena_alloc(&costs->arena, size, 8);

	if (made)
		memset(made, 0, size);
	return made;
}

/* A struct within a row's, as members are listed. */
struct nested {
	uint32_t type;
	size_t next; /* member */
	uint64_t base;
	size_t name_len; /* of what is before its members' names */
};

/* The member of the same place and size, as a union has; NULL = none. */
static struct type_member *find_alternative(const struct type_row *row,
					    const struct type_member *member)
{
	for (size_t i = 0; i < row->n_members; i++) {
		struct type_member *other = &row->members[i];

		if (other->offset == member->offset && other->size == member->size &&
		    member->size > 0 &&
		    strlen(other->name) + strlen(member->name) <= MOST_ALTERNATIVES)
			return other;
	}
	return NULL;
}

/* "a|b": nobody knows which of them was meant.  NULL if memory ran out. */
static const char *both_names(struct type_costs *costs, const char *a, const char *b)
{
	size_t size = strlen(a) + strlen(b) + 2;
	char *name = arena_alloc(&costs->arena, size, 1);

	if (name)
		snprintf(name, size, "%s|%s", a, b);
	return name;
}

static bool add_member(struct type_costs *costs, struct type_row *row, struct type_member member)
{
	struct type_member *other;
	const char *name;

	if (!member.name)
		return false;
	other = find_alternative(row, &member);
	if (other) {
		name = both_names(costs, other->name, member.name);
		if (name)
			other->name = name;
		return name != NULL;
	}
	member.costs = new_costs(costs);
	row->members[row->n_members++] = member;
	return member.costs != NULL;
}

static bool is_listed_inside(const struct typetable *table, const struct data_member *member,
			     size_t depth)
{
	const struct data_type *type = typetable_get(table, member->type);

	return type->kind == DATA_STRUCT && type->n_members > 0 && depth + 1 < DEEPEST;
}

/* The members of a struct, with those of structs in it in their places. */
static bool list_members(struct type_costs *costs, struct type_row *row, uint32_t type)
{
	const struct typetable *table = &costs->places.table;
	struct nested path[DEEPEST] = { { .type = type } };
	size_t depth = 0;
	struct bytes name;
	bool is_fine = true;

	bytes_init(&name, &heap_env);
	while (is_fine && row->n_members + 1 < MOST_MEMBERS) {
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
		is_fine =
			!name.failed &&
			add_member(costs, row,
				   (struct type_member){
					   .name = arena_copy(&costs->arena,
							      name.len ? name.text : "", name.len),
					   .offset = at->base + member->offset,
					   .size = member->size,
					   .outer = path[0].next - 1,
				   });
	}
	bytes_release(&name);
	return is_fine &&
	       add_member(costs, row,
			  (struct type_member){ .name = "(elsewhere)",
						.offset = typetable_get(table, type)->size,
						.outer = SIZE_MAX });
}

static bool keep_members(struct type_costs *costs, struct type_row *row, uint32_t type)
{
	struct type_member *listed = calloc(MOST_MEMBERS, sizeof(*listed)), *kept = NULL;

	row->members = listed;
	if (listed && list_members(costs, row, type))
		kept = arena_alloc(&costs->arena, row->n_members * sizeof(*kept), 8);
	if (kept)
		memcpy(kept, listed, row->n_members * sizeof(*kept));
	row->members = kept;
	free(listed);
	return kept != NULL;
}

/* The number of a row; rows that are no type have the numbers of their kinds.  UINT32_MAX if memory ran out. */
static uint32_t make_row(struct type_costs *costs, enum type_row_kind kind, uint32_t type)
{
	const struct data_type *of = typetable_get(&costs->places.table, type);
	struct type_row row = {
		.kind = kind,
		.name = kind == ROW_TYPE ? of->name : typecosts_kind_text(kind),
		.type = kind == ROW_TYPE ? of : NULL,
		.costs = new_costs(costs),
	};

	if (!row.costs || !heap_reserve(&heap_env, (void **)&costs->rows, &costs->capacity,
					costs->n + 1, sizeof(*costs->rows)))
		return UINT32_MAX;
	if (kind == ROW_TYPE && of->n_members > 0 && !keep_members(costs, &row, type))
		return UINT32_MAX;
	costs->rows[costs->n] = row;
	return (uint32_t)costs->n++;
}

static uint32_t row_of(struct type_costs *costs, enum type_row_kind kind, uint32_t type)
{
	/* No type has so high a number. */
	uint64_t id = kind == ROW_TYPE ? type : UINT64_C(1) << 32 | kind;
	uint32_t row = idtable_get(&costs->by_type, id);

	if (row != IDTABLE_NONE)
		return row;
	row = make_row(costs, kind, type);
	if (row == UINT32_MAX || !idtable_put(&costs->by_type, id, row))
		return UINT32_MAX;
	return row;
}

/* The member at an offset: of several the last one that begins there or before, and has it. */
static uint32_t member_of(const struct type_row *row, uint64_t offset)
{
	uint32_t found = (uint32_t)row->n_members - 1;

	if (row->n_members == 0)
		return 0;
	for (size_t i = 0; i + 1 < row->n_members && row->members[i].offset <= offset; i++) {
		const struct type_member *member = &row->members[i];
		bool is_open = i + 2 == row->n_members && member->size == 0;

		if (offset - member->offset < member->size || is_open)
			found = (uint32_t)i;
	}
	return found;
}

/* -- uses ------------------------------------------------------------------------------------ */

static struct type_use *use_of(struct type_costs *costs, uint32_t function, uint32_t row,
			       uint32_t member)
{
	/* Members are fewer than 2^12, and rows and functions fewer than 2^26 where there is memory for them. */
	uint64_t id = (uint64_t)function << 38 | (uint64_t)row << 12 | member;
	uint32_t number = idtable_get(&costs->by_use, id);
	struct type_use *use;

	if (number != IDTABLE_NONE)
		return &costs->uses[number];
	if (!heap_reserve(&heap_env, (void **)&costs->uses, &costs->uses_capacity,
			  costs->n_uses + 1, sizeof(*costs->uses)) ||
	    !idtable_put(&costs->by_use, id, (uint32_t)costs->n_uses))
		return NULL;
	use = &costs->uses[costs->n_uses++];
	*use = (struct type_use){
		.function = function,
		.row = row,
		.member = member,
		.costs = new_costs(costs),
	};
	return use->costs ? use : NULL;
}

static enum type_row_kind kind_of(const struct type_costs *costs,
				  const struct data_reference *reference,
				  const struct data_place *place)
{
	if (!reference || !reference->has_debug_information)
		return ROW_UNDEBUGGED;
	switch (place->kind) {
	case PLACE_TYPE:
		return typetable_is_vague(&costs->places.table, place->type) ? ROW_BYTES : ROW_TYPE;
	case PLACE_FRAME:
		return ROW_STACK;
	case PLACE_ABSOLUTE:
		return ROW_CONSTANT;
	case PLACE_UNKNOWN:
		break;
	}
	return ROW_UNRESOLVED;
}

static int add_costs(const struct type_costs *costs, uint64_t *to, const uint64_t *from,
		     bool is_written)
{
	for (size_t i = 0; i < costs->model->n_events; i++)
		if (costs->is_written[i] == is_written && !cost_add(&to[i], from[i], false))
			return PROFILE_RANGE;
	return PROFILE_OK;
}

/* Adds the costs of reading, or of writing, of a line. */
static int add_line(struct type_costs *costs, uint32_t function, const struct model_line *line,
		    bool is_written)
{
	const struct model *model = costs->model;
	bool reads = costs->read_event < model->n_events && line->costs[costs->read_event] != 0;
	bool writes = costs->write_event < model->n_events && line->costs[costs->write_event] != 0;
	const struct data_reference *reference =
		typeplaces_find(&costs->places, model->functions[function].object, line->at.instr);
	const struct data_place *place = NULL;
	enum type_row_kind kind = ROW_NO_DATA;
	uint32_t row, member = 0;
	struct type_use *use;

	if (reference)
		place = writes && (is_written || !reads) ? &reference->written : &reference->read;
	if (reads || writes)
		kind = kind_of(costs, reference, place);
	row = row_of(costs, kind, kind == ROW_TYPE ? place->type : TYPE_NONE);
	if (row == UINT32_MAX)
		return PROFILE_NO_MEMORY;
	if (kind == ROW_TYPE)
		member = member_of(&costs->rows[row], place->offset);
	use = use_of(costs, function, row, member);
	return use ? add_costs(costs, use->costs, line->costs, is_written) : PROFILE_NO_MEMORY;
}

static int add_lines(struct type_costs *costs)
{
	for (uint32_t i = 0; i < costs->model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		model_lines(costs->model, i, 0, &cursor);
		while (model_next_line(&cursor, &line)) {
			int status = add_line(costs, i, &line, false);

			if (!status && costs->write_event < costs->model->n_events &&
			    line.costs[costs->write_event] != 0)
				status = add_line(costs, i, &line, true);
			if (status)
				return status;
		}
	}
	return PROFILE_OK;
}

static int sum_rows(struct type_costs *costs)
{
	for (size_t i = 0; i < costs->n_uses; i++) {
		const struct type_use *use = &costs->uses[i];
		struct type_row *row = &costs->rows[use->row];

		for (size_t event = 0; event < costs->model->n_events; event++) {
			uint64_t cost = use->costs[event];

			if (!cost_add(&row->costs[event], cost, false))
				return PROFILE_RANGE;
			if (row->n_members > 0 &&
			    !cost_add(&row->members[use->member].costs[event], cost, false))
				return PROFILE_RANGE;
		}
	}
	return PROFILE_OK;
}

/* -- order ----------------------------------------------------------------------------------- */

/* A row with the number that uses know it by. */
struct ranked {
	struct type_row row;
	uint32_t number;
	int128 cost;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *of_a = a, *of_b = b;
	int order;

	if ((of_a->row.kind == ROW_TYPE) != (of_b->row.kind == ROW_TYPE))
		return of_a->row.kind == ROW_TYPE ? -1 : 1;
	if (of_a->row.kind != of_b->row.kind)
		return of_a->row.kind < of_b->row.kind ? -1 : 1;
	if (of_a->cost != of_b->cost)
		return of_a->cost < of_b->cost ? 1 : -1;
	order = strcmp(of_a->row.name, of_b->row.name);
	return order != 0 ? order : (of_a->number > of_b->number) - (of_a->number < of_b->number);
}

static int compare_uses(const void *a, const void *b)
{
	const struct type_use *of_a = a, *of_b = b;

	if (of_a->function != of_b->function)
		return of_a->function < of_b->function ? -1 : 1;
	if (of_a->row != of_b->row)
		return of_a->row < of_b->row ? -1 : 1;
	return (of_a->member > of_b->member) - (of_a->member < of_b->member);
}

static int sort_rows(struct type_costs *costs, const struct metric *metric)
{
	struct ranked *ranked = calloc(costs->n + 1, sizeof(*ranked));
	uint32_t *places = calloc(costs->n + 1, sizeof(*places));

	for (size_t i = 0; ranked && places && i < costs->n; i++)
		ranked[i] = (struct ranked){ costs->rows[i], (uint32_t)i,
					     metric_value(metric, costs->rows[i].costs, false) };
	if (ranked && places && costs->n > 0) {
		qsort(ranked, costs->n, sizeof(*ranked), compare_ranked);
		for (size_t i = 0; i < costs->n; i++) {
			costs->rows[i] = ranked[i].row;
			places[ranked[i].number] = (uint32_t)i;
		}
		for (size_t i = 0; i < costs->n_uses; i++)
			costs->uses[i].row = places[costs->uses[i].row];
		qsort(costs->uses, costs->n_uses, sizeof(*costs->uses), compare_uses);
	}
	free(ranked);
	free(places);
	return ranked && places ? PROFILE_OK : PROFILE_NO_MEMORY;
}

/* -- all of it ------------------------------------------------------------------------------- */

/* Which events need a write to have happened. */
static bool find_events(struct type_costs *costs, const struct metrics *metrics)
{
	const struct model *model = costs->model;

	costs->read_event = model_event(model, "Dr");
	costs->write_event = model_event(model, "Dw");
	costs->is_written = arena_alloc(&costs->arena, model->n_events + 1, 1);
	if (!costs->is_written)
		return false;
	for (size_t i = 0; i < model->n_events; i++) {
		const struct metric *metric = &metrics->all[i];
		bool is_written = metric->n_references > 0 && !metric->always;

		for (size_t j = 0; j < metric->n_references; j++)
			is_written &= metric->references[j] == costs->write_event;
		costs->is_written[i] = is_written;
	}
	return true;
}

int typecosts_make(struct type_costs *costs, const struct model *model,
		   const struct metrics *metrics, const struct metric *sort,
		   const struct typecosts_options *options)
{
	size_t events[2];
	int status;

	memset(costs, 0, sizeof(*costs));
	costs->model = model;
	costs->objects = (struct code_objects){
		.options = &options->objects,
		.oldest = options->oldest,
		.syntax = SYNTAX_INTEL,
	};
	arena_init(&costs->arena, &heap_env);
	idtable_init(&costs->by_type, &heap_env);
	idtable_init(&costs->by_use, &heap_env);
	if (!find_events(costs, metrics) || !code_objects_init(&costs->objects, model))
		return PROFILE_NO_MEMORY;
	events[0] = costs->read_event;
	events[1] = costs->write_event;
	status = typeplaces_make(&costs->places, model, &costs->objects, events);
	if (!status)
		status = add_lines(costs);
	if (!status)
		status = sum_rows(costs);
	return status ? status : sort_rows(costs, sort);
}

void typecosts_release(struct type_costs *costs)
{
	if (costs->objects.model)
		code_objects_release(&costs->objects);
	typeplaces_release(&costs->places);
	idtable_release(&costs->by_type);
	idtable_release(&costs->by_use);
	free(costs->rows);
	free(costs->uses);
	arena_release(&costs->arena);
	memset(costs, 0, sizeof(*costs));
}
