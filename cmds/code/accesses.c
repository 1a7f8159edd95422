/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nothing is simulated: which register an address is made of, and which instructions that run as often change that register,
 * is all that is looked at.  In
 *
 *	again:	add 8(%rdi), %rax
 *		mov (%rdi), %rdi
 *		test %rdi, %rdi
 *		jne again
 *
 * rdi is changed by a load through rdi alone: a chase.  Were it changed by "add $64, %rdi", that would be a stride.
 */
#include "cmds/code/accesses.h"

#include <stdio.h>
#include <string.h>

#include "profile/common/error.h"

enum {
	NO_REGISTER = -1,
	STACK_POINTER = 7, /* DWARF's number */
};

/* -- instructions ---------------------------------------------------------------------------- */

static const char *copy_text(const struct disassembled *text, struct arena *arena)
{
	char line[sizeof(text->mnemonic) + sizeof(text->operands) + 2];
	int len = snprintf(line, sizeof(line), "%s%s%s", text->mnemonic,
			   text->operands[0] != '\0' ? " " : "", text->operands);

	return arena_copy(arena, line, (size_t)len);
}

void code_steps_make(struct code_steps *steps, const struct code_object *object,
		     const struct code_records *records, size_t executed, struct arena *arena)
{
	/* Motions are read in Intel's syntax, whatever people see. */
	struct disassembly *intel = NULL;
	bool is_open = object->text && !object->wrong &&
		       !disassembly_open(&intel, objectfile_machine(object->file), SYNTAX_INTEL);

	*steps = (struct code_steps){
		.all = arena_alloc(arena, records->n * sizeof(*steps->all) + 1, 8),
	};
	for (size_t i = 0; i < records->n; i++) {
		const struct code_record *record = &records->records[i];
		struct code_step *step = &steps->all[steps->n];
		const unsigned char *code;
		struct disassembled text;
		size_t len;

		if (!record->has_costs)
			continue;
		*step = (struct code_step){
			.record = record,
			.executed = record->costs[executed],
			.text = "",
		};
		steps->n++;
		code = is_open ? objectfile_code(object->file, record->address, &len) : NULL;
		if (!code)
			continue;
		disassembly_next(object->text, code, len, record->address, &text);
		step->kind = text.kind;
		step->text = copy_text(&text, arena);
		disassembly_next(intel, code, len, record->address, &text);
		disassembly_motion(intel, &text, &step->motion);
	}
	if (is_open)
		disassembly_free(intel);
}

/* The operand in memory; NULL if there is none, or its address is not made of registers. */
static const struct motion_place *place_of(const struct code_step *step)
{
	const struct motion_place *place = step->motion.read.is_used ? &step->motion.read
								     : &step->motion.written;

	return step->text[0] != '\0' && place->is_used && !place->is_special ? place : NULL;
}

static bool uses_for_address(const struct code_step *step, int8_t number)
{
	const struct motion_place *place = place_of(step);

	return place && (place->base == number || place->index == number);
}

static bool changes(const struct code_step *step, int8_t number)
{
	return (step->motion.writes & UINT64_C(1) << number) != 0;
}

unsigned code_step_width(const struct code_step *step)
{
	const struct motion_place *place = place_of(step);

	return place ? place->size : 0;
}

/* -- chases ---------------------------------------------------------------------------------- */

static bool is_load(const struct code_step *step)
{
	return (step->motion.kind == MOTION_MOVE || step->motion.kind == MOTION_CHOICE) &&
	       step->motion.source == SOURCE_MEMORY;
}

/* True if all that changes a register nearly as often as `often` is loads through another one, or itself. */
static bool is_loaded_through(const struct code_steps *steps, int8_t number, int8_t through,
			      uint64_t often)
{
	bool is_any = false;

	for (size_t i = 0; i < steps->n; i++) {
		const struct code_step *step = &steps->all[i];

		if (!changes(step, number) || step->executed <= often / 2)
			continue;
		if (!is_load(step) || !uses_for_address(step, through))
			return false;
		is_any = true;
	}
	return is_any;
}

/* The same, or a copy of one that is. */
static bool is_chased(const struct code_steps *steps, int8_t number, uint64_t often)
{
	bool is_any = false;

	for (size_t i = 0; i < steps->n; i++) {
		const struct code_step *step = &steps->all[i];
		const struct instruction_motion *motion = &step->motion;

		if (!changes(step, number) || step->executed <= often / 2)
			continue;
		if (!(is_load(step) && uses_for_address(step, number)) &&
		    !((motion->kind == MOTION_MOVE || motion->kind == MOTION_CHOICE) &&
		      motion->source == SOURCE_REGISTER && motion->from != NO_REGISTER &&
		      motion->from != number &&
		      is_loaded_through(steps, motion->from, number, often)))
			return false;
		is_any = true;
	}
	return is_any;
}

bool code_step_chases(const struct code_steps *steps, const struct code_step *step)
{
	const struct motion_place *place = place_of(step);

	if (!place)
		return false;
	return (place->base != NO_REGISTER && place->base != STACK_POINTER &&
		is_chased(steps, place->base, step->executed)) ||
	       (place->index != NO_REGISTER && is_chased(steps, place->index, step->executed));
}

/* -- strides --------------------------------------------------------------------------------- */

/* True if it moves a register, by *bytes; 0 is by a register's value. */
static bool moves(const struct code_step *step, int8_t number, uint64_t *bytes)
{
	const struct instruction_motion *motion = &step->motion;
	int64_t by = 0;

	if (motion->to != number || !changes(step, number))
		return false;
	if (motion->kind == MOTION_ADDRESS && motion->address.base == number &&
	    motion->address.index == NO_REGISTER)
		by = motion->address.offset;
	else if ((motion->kind == MOTION_ADD || motion->kind == MOTION_SUBTRACT) &&
		 motion->source == SOURCE_CONSTANT)
		by = motion->constant;
	else if ((motion->kind != MOTION_ADD && motion->kind != MOTION_SUBTRACT) ||
		 motion->source != SOURCE_REGISTER)
		return false;
	*bytes = by < 0 ? 0 - (uint64_t)by : (uint64_t)by;
	return true;
}

struct code_stride code_step_stride(const struct code_steps *steps, const struct code_step *step)
{
	const struct code_stride unknown = { .by = NULL };
	const struct motion_place *place = place_of(step);
	struct code_stride found = unknown;
	const double times = (double)step->executed;

	for (int which = 0; place && which < 2; which++) {
		const int8_t number = (int8_t)(which == 0 ? place->base : place->index);
		const struct code_step *by = NULL;
		uint64_t bytes = 0;
		double set = 0;

		if (number == NO_REGISTER || number == STACK_POINTER)
			continue;
		for (size_t i = 0; i < steps->n; i++) {
			const struct code_step *other = &steps->all[i];
			const double often = (double)other->executed;
			uint64_t moved;

			if (!changes(other, number))
				continue;
			if (!moves(other, number, &moved) || often < times * 0.9 ||
			    often > times * 1.1) {
				set += often;
				continue;
			}
			/* Moved twice in turns: the sum is not known from here. */
			if (by || found.by)
				return unknown;
			by = other;
			bytes = moved * (which == 0 ? 1 : place->scale);
		}
		/* Set as often as it is used: where from is not known. */
		if (set > times / 2)
			return unknown;
		if (by)
			found = (struct code_stride){ by, bytes, set > 0 ? times / set : times };
	}
	return found;
}

/* -- functions ------------------------------------------------------------------------------- */

/* The step that has most of a metric; NULL if none has any. */
static const struct code_step *worst_of(const struct code_steps *steps, const struct metric *metric)
{
	const struct code_step *worst = NULL;
	int128 most = 0;

	for (size_t i = 0; i < steps->n; i++) {
		const int128 value = metric_value(metric, steps->all[i].record->costs, false);

		if (value > most) {
			most = value;
			worst = &steps->all[i];
		}
	}
	return worst;
}

/* The wish with the instruction of a function that has most of a metric; choice->n if there is none. */
static size_t find_wish(const struct code_choice *choice, uint32_t function,
			const struct metric *metric, const struct model *model)
{
	size_t found = choice->n;
	struct model_cursor cursor;
	struct model_line line;
	int128 most = 0;

	model_lines(model, function, 0, &cursor);
	while (model_next_line(&cursor, &line)) {
		const int128 value = metric_value(metric, line.costs, false);
		const struct code_wish *wish;

		if (value <= most)
			continue;
		wish = code_choice_find(choice, model->functions[function].object, line.at.instr);
		most = value;
		found = wish ? (size_t)(wish - choice->wishes) : choice->n;
	}
	return found;
}

int code_find_chases(bool *chases, const uint32_t *functions, size_t n, const struct metric *metric,
		     const struct basis *basis, struct code_objects *objects)
{
	const struct model *model = basis->model;
	const size_t executed = model_event(model, "Ir");
	struct code_choice choice = { .wishes = NULL };
	struct code_records *lists;
	int status = PROFILE_OK;

	for (size_t i = 0; i < n; i++)
		chases[i] = false;
	if (executed == model->n_events)
		return PROFILE_OK;
	for (size_t i = 0; !status && i < n; i++)
		status = code_choice_add_function(&choice, basis, objects, functions[i]);
	code_choice_finish(&choice);
	lists = arena_alloc(basis->arena, (choice.n + 1) * sizeof(*lists), 8);
	if (!status)
		status = codework_gather(lists, &choice, basis);
	for (size_t i = 0; !status && i < n; i++) {
		const size_t wish = find_wish(&choice, functions[i], metric, model);
		const struct code_step *worst;
		struct code_steps steps;

		if (wish == choice.n)
			continue;
		code_steps_make(&steps, code_objects_get(objects, choice.wishes[wish].object),
				&lists[wish], executed, basis->arena);
		worst = worst_of(&steps, metric);
		chases[i] = worst && code_step_chases(&steps, worst);
	}
	code_choice_release(&choice);
	return status;
}
