/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions are found by address in a table for each stretch, since contexts of a function
 * have costs at the same ones.  Jumps are listed, sorted, and added up.
 */
#include "cmds/code/codework.h"

#include <stdlib.h>

#include "cmds/code/callwork.h"
#include "profile/common/heap.h"
#include "profile/format/idtable.h"

struct gathered_instruction {
	struct code_record record;
	uint64_t *costs;
};

struct gathered_code {
	struct idtable addresses; /* address: index */
	struct gathered_instruction *instructions;
	size_t n, capacity;
};

struct gathered_jump {
	size_t place;
	uint64_t address;
	struct code_jump jump;
};

struct code_gathering {
	const struct code_choice *choice;
	const struct basis *basis;
	struct gathered_code *code;
	struct callwork calls;
	struct gathered_jump *jumps;
	size_t n_jumps, jumps_capacity;
};

static struct gathered_instruction *instruction_of(struct code_gathering *gathering, size_t place,
						   uint64_t address)
{
	struct gathered_code *code = &gathering->code[place];
	uint32_t index = idtable_get(&code->addresses, address);
	uint64_t *row;

	if (index != IDTABLE_NONE)
		return &code->instructions[index];
	row = row_new(gathering->basis->arena, gathering->basis->model->n_events);
	if (!row ||
	    !heap_reserve(&heap_env, (void **)&code->instructions, &code->capacity, code->n + 1,
			  sizeof(*code->instructions)) ||
	    !idtable_put(&code->addresses, address, (uint32_t)code->n))
		return NULL;
	code->instructions[code->n] = (struct gathered_instruction){
		.record = { .address = address, .costs = row },
		.costs = row,
	};
	return &code->instructions[code->n++];
}

static void note_line(struct gathered_instruction *instruction, uint32_t file, uint64_t line)
{
	if (instruction->record.line != 0 || line == 0)
		return;
	instruction->record.file = file;
	instruction->record.line = line;
}

/* The place of the wish that an address of a function is in; false if it is in none. */
static bool find_place(const struct code_gathering *gathering, uint32_t object, uint64_t address,
		       size_t *place)
{
	const struct code_wish *wish;

	if (address == 0)
		return false;
	wish = code_choice_find(gathering->choice, object, address);
	if (wish)
		*place = (size_t)(wish - gathering->choice->wishes);
	return wish != NULL;
}

static int gather_lines(struct code_gathering *gathering, uint32_t function)
{
	const struct model *model = gathering->basis->model;
	struct model_cursor cursor;
	struct model_line line;
	size_t place;

	model_lines(model, function, 0, &cursor);
	while (model_next_line(&cursor, &line)) {
		struct gathered_instruction *to;

		if (!find_place(gathering, model->functions[function].object, line.at.instr,
				&place))
			continue;
		to = instruction_of(gathering, place, line.at.instr);
		if (!to)
			return PROFILE_NO_MEMORY;
		to->record.has_costs = true;
		note_line(to, line.file, line.at.line);
		if (!row_add(to->costs, line.costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	}
	return PROFILE_OK;
}

static int gather_calls(struct code_gathering *gathering, uint32_t function)
{
	const struct model *model = gathering->basis->model;
	struct model_cursor cursor;
	struct model_call call;
	size_t place;

	model_calls(model, function, 0, &cursor);
	while (model_next_call(&cursor, &call)) {
		struct gathered_instruction *from;
		int status;

		if (!find_place(gathering, model->functions[function].object, call.at.instr,
				&place))
			continue;
		from = instruction_of(gathering, place, call.at.instr);
		if (!from)
			return PROFILE_NO_MEMORY;
		note_line(from, call.file, call.at.line);
		status = callwork_add(&gathering->calls, place, call.at.instr, &call);
		if (status)
			return status;
	}
	return PROFILE_OK;
}

static int gather_jumps(struct code_gathering *gathering, uint32_t function)
{
	const struct model *model = gathering->basis->model;
	struct model_cursor cursor;
	struct model_jump jump;
	size_t place;

	model_jumps(model, function, 0, &cursor);
	while (model_next_jump(&cursor, &jump)) {
		struct gathered_instruction *from;

		if (!find_place(gathering, model->functions[function].object, jump.at.instr,
				&place))
			continue;
		from = instruction_of(gathering, place, jump.at.instr);
		if (!from ||
		    !heap_reserve(&heap_env, (void **)&gathering->jumps, &gathering->jumps_capacity,
				  gathering->n_jumps + 1, sizeof(*gathering->jumps)))
			return PROFILE_NO_MEMORY;
		note_line(from, jump.file, jump.at.line);
		gathering->jumps[gathering->n_jumps++] = (struct gathered_jump){
			place,
			jump.at.instr,
			{
				.target = jump.target.instr,
				.followed = jump.followed,
				.executed = jump.executed,
				.is_conditional = jump.is_conditional,
				.is_recorded = true,
			},
		};
	}
	return PROFILE_OK;
}

/* -- order and sums ---------------------------------------------------------------- */

static int compare_instructions(const void *a, const void *b)
{
	uint64_t of_a = ((const struct gathered_instruction *)a)->record.address;
	uint64_t of_b = ((const struct gathered_instruction *)b)->record.address;

	return (of_a > of_b) - (of_a < of_b);
}

static int compare_jumps(const void *a, const void *b)
{
	const struct gathered_jump *of_a = a, *of_b = b;

	if (of_a->place != of_b->place)
		return of_a->place < of_b->place ? -1 : 1;
	if (of_a->address != of_b->address)
		return of_a->address < of_b->address ? -1 : 1;
	if (of_a->jump.target != of_b->jump.target)
		return of_a->jump.target < of_b->jump.target ? -1 : 1;
	return (int)of_a->jump.is_conditional - (int)of_b->jump.is_conditional;
}

static int merge_jumps(struct code_gathering *gathering)
{
	bool is_signed = gathering->basis->model->is_signed;
	size_t used = 0;

	if (gathering->n_jumps > 0)
		qsort(gathering->jumps, gathering->n_jumps, sizeof(*gathering->jumps),
		      compare_jumps);
	for (size_t i = 0; i < gathering->n_jumps; i++) {
		const struct gathered_jump *jump = &gathering->jumps[i];
		struct gathered_jump *last = used > 0 ? &gathering->jumps[used - 1] : NULL;

		if (!last || compare_jumps(last, jump) != 0) {
			gathering->jumps[used++] = *jump;
			continue;
		}
		if (!cost_add(&last->jump.followed, jump->jump.followed, is_signed) ||
		    !cost_add(&last->jump.executed, jump->jump.executed, is_signed))
			return PROFILE_RANGE;
	}
	gathering->n_jumps = used;
	return PROFILE_OK;
}

/* -- what is given ------------------------------------------------------------------- */

/*
 * How often a conditional jump was executed.  Contexts in which it was never followed have no jcnd= line,
 * but they have costs: it counts one instruction each time.
 */
static uint64_t executed_of(const struct code_gathering *gathering,
			    const struct code_record *record, const struct code_jump *jump)
{
	const struct model *model = gathering->basis->model;
	size_t ir = model_event(model, "Ir");

	if (!jump->is_conditional || model->is_signed || ir == model->n_events ||
	    record->costs[ir] < jump->executed)
		return jump->executed;
	return record->costs[ir];
}

/* The jumps of an instruction, beginning at *next, which is moved behind them. */
static bool give_jumps(struct code_gathering *gathering, size_t place, struct code_record *record,
		       size_t *next)
{
	const struct gathered_jump *jumps = gathering->jumps + *next;
	struct code_jump *copies;
	size_t n = 0;

	while (*next + n < gathering->n_jumps && jumps[n].place == place &&
	       jumps[n].address == record->address)
		n++;
	*next += n;
	if (n == 0)
		return true;
	copies = arena_alloc(gathering->basis->arena, n * sizeof(*copies), 8);
	if (!copies)
		return false;
	for (size_t i = 0; i < n; i++) {
		copies[i] = jumps[i].jump;
		copies[i].executed = executed_of(gathering, record, &jumps[i].jump);
	}
	record->jumps = copies;
	record->n_jumps = n;
	return true;
}

static int give(struct code_gathering *gathering, struct code_records *lists)
{
	const struct basis *basis = gathering->basis;
	const struct model *model = basis->model;
	size_t next_jump = 0;

	for (size_t place = 0; place < gathering->choice->n; place++) {
		struct gathered_code *from = &gathering->code[place];
		struct code_records *list = &lists[place];
		uint64_t *sum = row_new(basis->arena, model->n_events);

		list->records =
			arena_alloc(basis->arena, (from->n + 1) * sizeof(*list->records), 8);
		if (!sum || !list->records)
			return PROFILE_NO_MEMORY;
		list->n = from->n;
		list->costs = sum;
		if (from->n > 0)
			qsort(from->instructions, from->n, sizeof(*from->instructions),
			      compare_instructions);
		for (size_t i = 0; i < from->n; i++) {
			struct code_record *record = &list->records[i];

			*record = from->instructions[i].record;
			if (!row_add(sum, record->costs, model->n_events, model->is_signed))
				return PROFILE_RANGE;
			if (!callwork_give(&gathering->calls, place, record->address,
					   &record->calls, &record->n_calls) ||
			    !give_jumps(gathering, place, record, &next_jump))
				return PROFILE_NO_MEMORY;
		}
	}
	return PROFILE_OK;
}

static int gather(struct code_gathering *gathering)
{
	const struct model *model = gathering->basis->model;
	int status = PROFILE_OK;

	for (uint32_t i = 0; !status && i < model->n_functions; i++) {
		status = gather_lines(gathering, i);
		if (!status)
			status = gather_calls(gathering, i);
		if (!status)
			status = gather_jumps(gathering, i);
	}
	if (!status)
		status = callwork_merge(&gathering->calls);
	return status ? status : merge_jumps(gathering);
}

int codework_gather(struct code_records *lists, const struct code_choice *choice,
		    const struct basis *basis)
{
	struct code_gathering gathering = {
		.choice = choice,
		.basis = basis,
		.calls = { .model = basis->model, .columns = basis->columns, .arena = basis->arena },
		.code = heap_zeroed(&heap_env, choice->n, sizeof(*gathering.code)),
	};
	int status;

	if (!gathering.code)
		return PROFILE_NO_MEMORY;
	for (size_t i = 0; i < choice->n; i++)
		idtable_init(&gathering.code[i].addresses, &heap_env);
	status = gather(&gathering);
	if (!status)
		status = give(&gathering, lists);
	for (size_t i = 0; i < choice->n; i++) {
		idtable_release(&gathering.code[i].addresses);
		free(gathering.code[i].instructions);
	}
	free(gathering.code);
	callwork_release(&gathering.calls);
	free(gathering.jumps);
	return status;
}
