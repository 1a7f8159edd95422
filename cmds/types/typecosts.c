/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/types/typecosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/cost.h"
#include "profile/common/desc.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

enum { MOST_LINES = 1 << 26 }; /* so that uses have numbers */

const char *typecosts_missing(const struct model *model, char message[TYPECOSTS_MESSAGE])
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];
		const char *profile = part_desc_of(&part->header, "Data of");
		const char *slash = part->file ? strrchr(part->file, '/') : NULL;

		if (!profile)
			continue;
		snprintf(message, TYPECOSTS_MESSAGE,
			 "expected a profile, found its objects of data: the profile is %.*s%s",
			 slash ? (int)(slash + 1 - part->file) : 0, slash ? part->file : "",
			 profile);
		return message;
	}
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

/* Words for programs, and what people read. */
static const struct {
	const char *word, *text;
} kinds[N_ROW_KINDS] = {
	[ROW_TYPE] = { "type", "" },
	[ROW_BYTES] = { "bytes", "bytes that pointers to void or char refer to" },
	[ROW_STACK] = { "stack", "stack without variables" },
	[ROW_CONSTANT] = { "constants", "constants and linkage" },
	[ROW_UNRESOLVED] = { "unresolved", "not resolved" },
	[ROW_UNDEBUGGED] = { "no_debug_information", "code without debug information" },
	[ROW_NO_DATA] = { "no_data", "no reference to data" },
};

const char *typecosts_kind_word(enum type_row_kind kind)
{
	return kinds[kind].word;
}

/* -- rows ------------------------------------------------------------------------------------ */

static uint64_t *new_costs(struct type_costs *costs)
{
	size_t size = costs->model->n_events * sizeof(uint64_t);

	return memset(arena_alloc(&costs->arena, size, 8), 0, size);
}

/* The number of a row, which is made if it is new. */
static uint32_t row_of(struct type_costs *costs, enum type_row_kind kind, uint32_t type)
{
	/* No type has so high a number. */
	uint64_t id = kind == ROW_TYPE ? type : UINT64_C(1) << 32 | kind;
	uint32_t number = idtable_get(&costs->by_type, id);
	const struct data_type *of = typetable_get(&costs->places.table, type);
	struct type_row *row;

	if (number != IDTABLE_NONE)
		return number;
	costs->rows = heap_grow(costs->rows, &costs->capacity, costs->n + 1, sizeof(*costs->rows));
	row = &costs->rows[costs->n];
	*row = (struct type_row){
		.kind = kind,
		.name = kind == ROW_TYPE ? of->name : kinds[kind].text,
		.type = kind == ROW_TYPE ? of : NULL,
		.costs = new_costs(costs),
	};
	if (kind == ROW_TYPE && of->n_members > 0) {
		typemembers_list(&row->members, &row->n_members, &costs->places.table, type,
				 &costs->arena);
		for (size_t i = 0; i < row->n_members; i++)
			row->members[i].costs = new_costs(costs);
	}
	idtable_put(&costs->by_type, id, (uint32_t)costs->n);
	return (uint32_t)costs->n++;
}

/* -- uses ------------------------------------------------------------------------------------ */

/* Of a line of a function; NULL if there are too many lines. */
static struct type_use *use_of(struct type_costs *costs, uint32_t function,
			       const struct model_line *line, uint32_t row, uint32_t member)
{
	/* Lines that are no line's number are not known. */
	const uint64_t at = line->at.line <= UINT32_MAX ? line->at.line : 0;
	const uint64_t line_id = (uint64_t)line->file << 32 | at;
	uint32_t line_number = idtable_get(&costs->by_line, line_id), number;
	uint64_t id;

	if (line_number == IDTABLE_NONE) {
		if (costs->n_lines == MOST_LINES)
			return NULL;
		line_number = (uint32_t)costs->n_lines++;
		idtable_put(&costs->by_line, line_id, line_number);
	}
	/* Members are fewer than 2^12, lines than 2^26, and so are rows if they fit into memory. */
	id = (uint64_t)line_number << 38 | (uint64_t)row << 12 | member;
	number = idtable_get(&costs->by_use, id);
	if (number != IDTABLE_NONE)
		return &costs->uses[number];
	costs->uses = heap_grow(costs->uses, &costs->uses_capacity, costs->n_uses + 1,
				sizeof(*costs->uses));
	idtable_put(&costs->by_use, id, (uint32_t)costs->n_uses);
	costs->uses[costs->n_uses] = (struct type_use){
		.function = function,
		.file = line->file,
		.line = at,
		.row = row,
		.member = member,
		.costs = new_costs(costs),
	};
	return &costs->uses[costs->n_uses++];
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
	if (kind == ROW_TYPE)
		member = (uint32_t)typemembers_at(costs->rows[row].members,
						  costs->rows[row].n_members, place->offset);
	use = use_of(costs, function, line, row, member);
	if (!use)
		return PROFILE_RANGE;
	for (size_t i = 0; i < model->n_events; i++)
		if (costs->is_written[i] == is_written &&
		    !cost_add(&use->costs[i], line->costs[i], false))
			return PROFILE_RANGE;
	return PROFILE_OK;
}

/* Adds all lines to uses, and these up in rows and members. */
static int add_lines(struct type_costs *costs)
{
	for (uint32_t i = 0; i < costs->model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		idtable_release(&costs->by_line);
		idtable_init(&costs->by_line);
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

/* A row with its number in uses. */
struct ranked {
	struct type_row row;
	uint32_t number;
	int128 cost;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *of_a = a, *of_b = b;
	int order;

	if (of_a->row.kind != of_b->row.kind) /* types are the first kind */
		return of_a->row.kind < of_b->row.kind ? -1 : 1;
	if (of_a->cost != of_b->cost)
		return of_a->cost < of_b->cost ? 1 : -1;
	order = strcmp(of_a->row.name, of_b->row.name);
	return order != 0 ? order : (of_a->number > of_b->number) - (of_a->number < of_b->number);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_uses(const void *a, const void *b, void *ctx)
{
	const struct type_costs *costs = ctx;
	const struct type_use *of_a = a, *of_b = b;
	uint32_t own = costs->model->functions[of_a->function].file;
	int order = compare_numbers(of_a->function, of_b->function);

	if (order == 0)
		order = compare_numbers(of_a->file != own, of_b->file != own);
	if (order == 0)
		order = compare_numbers(of_a->file, of_b->file);
	if (order == 0)
		order = compare_numbers(of_a->line, of_b->line);
	if (order == 0)
		order = compare_numbers(of_a->row, of_b->row);
	return order != 0 ? order : compare_numbers(of_a->member, of_b->member);
}

static void sort_rows(struct type_costs *costs, const struct metric *metric)
{
	struct ranked *ranked = heap_alloc(costs->n * sizeof(*ranked));
	uint32_t *places = heap_alloc(costs->n * sizeof(*places));

	for (size_t i = 0; i < costs->n; i++)
		ranked[i] = (struct ranked){ costs->rows[i], (uint32_t)i,
					     metric_value(metric, costs->rows[i].costs, false) };
	qsort(ranked, costs->n, sizeof(*ranked), compare_ranked);
	for (size_t i = 0; i < costs->n; i++) {
		costs->rows[i] = ranked[i].row;
		places[ranked[i].number] = (uint32_t)i;
	}
	for (size_t i = 0; i < costs->n_uses; i++)
		costs->uses[i].row = places[costs->uses[i].row];
	if (costs->n_uses > 0)
		qsort_r(costs->uses, costs->n_uses, sizeof(*costs->uses), compare_uses, costs);
	free(ranked);
	free(places);
}

/* -- all of it ------------------------------------------------------------------------------- */

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
	arena_init(&costs->arena);
	idtable_init(&costs->by_type);
	idtable_init(&costs->by_use);
	idtable_init(&costs->by_line);
	costs->read_event = events[0] = model_event(model, "Dr");
	costs->write_event = events[1] = model_event(model, "Dw");
	/* Which events need a write to have happened. */
	costs->is_written = arena_alloc(&costs->arena, model->n_events + 1, 1);
	for (size_t i = 0; i < model->n_events; i++) {
		const struct metric *metric = &metrics->all[i];
		bool is_written = metric->n_references > 0 && !metric->always;

		for (size_t j = 0; j < metric->n_references; j++)
			is_written &= metric->references[j] == costs->write_event;
		costs->is_written[i] = is_written;
	}
	/* Places of the instructions that read or write. */
	code_objects_init(&costs->objects, model);
	typeplaces_init(&costs->places);
	for (uint32_t i = 0; i < model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line)) {
			bool refers = false;

			for (size_t e = 0; e < 2; e++)
				refers |= events[e] < model->n_events && line.costs[events[e]] != 0;
			if (refers && line.at.instr != 0)
				typeplaces_add(&costs->places, model->functions[i].object,
					       line.at.instr);
		}
	}
	typeplaces_resolve(&costs->places, &costs->objects);
	status = add_lines(costs);
	if (!status)
		sort_rows(costs, sort);
	return status;
}

void typecosts_release(struct type_costs *costs)
{
	if (costs->objects.model)
		code_objects_release(&costs->objects);
	typeplaces_release(&costs->places);
	idtable_release(&costs->by_type);
	idtable_release(&costs->by_use);
	idtable_release(&costs->by_line);
	free(costs->rows);
	free(costs->uses);
	arena_release(&costs->arena);
	memset(costs, 0, sizeof(*costs));
}
