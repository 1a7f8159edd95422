/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/placement/placement.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/error.h"
#include "profile/common/heap.h"

enum {
	/* Of jumps of x86, whose code is not there: as assemblers choose them. */
	SHORT_JUMP = 2, /* bytes, if the target is at most 128 before its end */
	NEAR_JUMP = 5,
	NEAR_CONDITIONAL = 6,
};

const char *placement_missing(const struct model *model)
{
	if (model->is_signed)
		return "expected what a program cost, found a difference";
	if (!(model->positions & POSITION_INSTR))
		return "expected costs of instructions, found none: they are recorded with "
		       "--dump-instr=yes";
	if (model_event(model, "Ir") == model->n_events)
		return "expected executed instructions (event Ir), found none";
	return NULL;
}

/* -- jumps back ------------------------------------------------------------------------------ */

struct loops_finding {
	struct placement *placement;
	struct loop *loops; /* owned */
	size_t n, capacity;
};

/* How often a jump that the code shows was taken. */
static uint64_t turns_of(const struct hot_code *code, const struct hot_instruction *from,
			 const struct disassembled *jump)
{
	const struct hot_instruction *next;
	uint64_t passed;

	if (code->has_jumps)
		return from->target == jump->target && from->jump != JUMP_SEVERAL ? from->followed
										  : 0;
	if (jump->kind == INSTRUCTION_JUMP)
		return from->executed;
	if (code->has_taken)
		return from->taken;
	next = hotcode_at(code, from->object, from->address + jump->len);
	passed = next ? next->executed : 0;
	return from->executed > passed ? from->executed - passed : 0;
}

/* By the code; false if it is no jump back. */
static bool read_jump(const struct placement *placement, const struct code_object *object,
		      const struct hot_instruction *from, struct loop *loop)
{
	struct disassembled jump;
	size_t len;
	const unsigned char *bytes = objectfile_code(object->file, from->address, &len);

	if (!bytes)
		return false;
	disassembly_next(object->text, bytes, len, from->address, &jump);
	if ((jump.kind != INSTRUCTION_JUMP && jump.kind != INSTRUCTION_CONDITIONAL) ||
	    !jump.has_target)
		return false;
	loop->begin = jump.target;
	loop->end = from->address + jump.len;
	loop->turns = turns_of(&placement->code, from, &jump);
	return true;
}

/* By what was recorded, as nothing else is known; false if nothing was. */
static bool take_jump(const struct placement *placement, const struct hot_instruction *from,
		      struct loop *loop)
{
	const struct hot_code *code = &placement->code;
	const struct hot_instruction *next = from + 1;
	const bool is_conditional = from->jump == JUMP_CONDITIONAL;

	if (from->jump != JUMP_ALWAYS && !is_conditional)
		return false;
	loop->begin = from->target;
	loop->turns = from->followed;
	/* One that was not taken is followed by the next one in the code. */
	if (is_conditional && from->followed < from->passed &&
	    next < code->instructions + code->n && next->object == from->object)
		loop->end = next->address;
	else if (from->address + SHORT_JUMP - from->target <= 128)
		loop->end = from->address + SHORT_JUMP;
	else
		loop->end = from->address + (is_conditional ? NEAR_CONDITIONAL : NEAR_JUMP);
	return true;
}

static int find_loop(struct loops_finding *finding, const struct hot_instruction *from)
{
	struct placement *placement = finding->placement;
	const struct code_object *object = code_objects_get(&placement->objects, from->object);
	struct loop loop = { .object = from->object, .jump = from->address };
	const struct hot_instruction *first;
	struct code_stretch stretch;

	if (!object)
		return PROFILE_NO_MEMORY;
	if (object->text ? !read_jump(placement, object, from, &loop)
			 : !take_jump(placement, from, &loop))
		return PROFILE_OK;
	if (loop.begin > from->address || loop.end - loop.begin > LOOP_MOST_BYTES ||
	    loop.turns == 0)
		return PROFILE_OK;
	stretch = code_object_stretch(object, from->address);
	first = hotcode_at(&placement->code, from->object, loop.begin);
	if (!code_stretch_has(&stretch, loop.begin) || !first || first->executed == 0)
		return PROFILE_OK;
	if (!heap_reserve(&heap_env, (void **)&finding->loops, &finding->capacity, finding->n + 1,
			  sizeof(*finding->loops)))
		return PROFILE_NO_MEMORY;
	finding->loops[finding->n++] = loop;
	return PROFILE_OK;
}

/* -- what is said of loops ------------------------------------------------------------------- */

static const char *copy_name(struct placement *placement, enum name_kind kind, uint32_t number)
{
	struct name name = model_name(placement->model, kind, number);

	return arena_copy(&placement->arena, name.text, name.len);
}

/* Names the function that the code is of, whatever is inlined there; false if memory ran out. */
static bool name_function(struct placement *placement, struct placement_row *row,
			  const struct code_object *object, const struct code_stretch *stretch)
{
	uint32_t number = code_object_function(object, stretch->start);

	if (number != MODEL_NO_FUNCTION)
		row->number = number;
	row->function = code_object_copy_name(object, placement->model, stretch, &placement->arena);
	if (row->function && row->function[0] == '\0')
		row->function = copy_name(placement, NAME_FUNCTION,
					  placement->model->functions[row->number].name);
	return row->function != NULL;
}

static int describe(struct placement *placement, struct placement_row *row)
{
	const struct loop *loop = &row->loop;
	const struct hot_instruction *jump = hotcode_at(&placement->code, loop->object, loop->jump);
	const struct code_object *object = code_objects_get(&placement->objects, loop->object);
	const struct hot_instruction *first =
		hotcode_at(&placement->code, loop->object, loop->begin);
	struct code_stretch stretch = code_object_stretch(object, loop->begin);
	struct remedy_facts facts = { .executed = first->executed };

	row->number = jump->function;
	row->file_number = jump->file;
	row->line = jump->line;
	row->object = copy_name(placement, NAME_OBJECT, loop->object);
	if (jump->file != DICTIONARY_UNKNOWN)
		row->file = copy_name(placement, NAME_FILE, jump->file);
	if (!name_function(placement, row, object, &stretch) || !row->object ||
	    (jump->file != DICTIONARY_UNKNOWN && !row->file))
		return PROFILE_NO_MEMORY;
	for (unsigned window = 0; window < N_WINDOWS; window++) {
		row->touched[window] = windows_touched(loop->begin, loop->end, window);
		row->needed[window] = windows_needed(loop->end - loop->begin, window);
	}
	facts.file = row->file;
	return remedy_find(&row->remedy, loop, &facts, object, &placement->arena)
		       ? PROFILE_OK
		       : PROFILE_NO_MEMORY;
}

static int128 cost_of(const struct hot_code *code, const struct loop *loop)
{
	int128 cost = 0;

	for (size_t i = hotcode_find(code, loop->object, loop->begin);
	     i < code->n && code->instructions[i].object == loop->object &&
	     code->instructions[i].address < loop->end;
	     i++)
		cost += code->instructions[i].cost;
	return cost;
}

/* -- all of it ------------------------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct placement_row *of_a = a, *of_b = b;
	const struct placement *placement = ctx;
	int order;

	if (of_a->cost != of_b->cost)
		return of_a->cost < of_b->cost ? 1 : -1;
	order = model_compare_names(placement->model, NAME_OBJECT, of_a->loop.object,
				    of_b->loop.object);
	if (order != 0)
		return order;
	return (of_a->loop.begin > of_b->loop.begin) - (of_a->loop.begin < of_b->loop.begin);
}

static int make_rows(struct placement *placement, const struct loop *loops, size_t n)
{
	int status = PROFILE_OK;

	placement->rows = arena_alloc(&placement->arena, (n + 1) * sizeof(*placement->rows), 16);
	if (!placement->rows)
		return PROFILE_NO_MEMORY;
	for (size_t i = 0; !status && i < n; i++) {
		struct placement_row *row = &placement->rows[placement->n];

		*row = (struct placement_row){
			.loop = loops[i],
			.cost = cost_of(&placement->code, &loops[i]),
		};
		if (!hotcode_is_hot(&placement->code, row->cost))
			continue;
		placement->n_hot++;
		if (!loop_is_misplaced(&loops[i]))
			continue;
		placement->n++;
		status = describe(placement, row);
	}
	if (!status)
		qsort_r(placement->rows, placement->n, sizeof(*placement->rows), compare_rows,
			placement);
	return status;
}

static int find_rows(struct placement *placement)
{
	struct loops_finding finding = { .placement = placement };
	int status = PROFILE_OK;

	for (size_t i = 0; !status && i < placement->code.n; i++)
		if (placement->code.instructions[i].executed > 0)
			status = find_loop(&finding, &placement->code.instructions[i]);
	if (!status && finding.n > 0)
		status = make_rows(placement, finding.loops, loops_find(finding.loops, finding.n));
	free(finding.loops);
	return status;
}

int placement_make(struct placement *placement, const struct model *model,
		   const struct placement_options *options)
{
	const struct metric_source source = {
		.events = model->events,
		.n_events = model->n_events,
		.derived = model->derived,
		.n_derived = model->n_derived,
		.estimate = options->estimate,
	};
	int status;

	*placement = (struct placement){
		.model = model,
		.options = options,
		.objects = { .options = &options->objects, .oldest = options->oldest },
	};
	arena_init(&placement->arena, &heap_env);
	if (!metrics_init(&placement->metrics, &source, &placement->arena) ||
	    !code_objects_init(&placement->objects, model))
		return PROFILE_NO_MEMORY;
	placement->metric = &placement->metrics.all[metrics_main(&placement->metrics)];
	status = hotcode_make(&placement->code, model, placement->metric);
	return status ? status : find_rows(placement);
}

void placement_release(struct placement *placement)
{
	if (placement->objects.model)
		code_objects_release(&placement->objects);
	hotcode_release(&placement->code);
	arena_release(&placement->arena);
}
