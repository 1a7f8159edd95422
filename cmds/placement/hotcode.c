/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines are gone through twice: for what each block costs, then for what is in those that are hot. */
#include "cmds/placement/hotcode.h"

#include <stdlib.h>

#include "cmds/placement/loops.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"
#include "profile/format/idtable.h"

struct gathering {
	struct hot_code *code;
	const struct model *model;
	const struct metric *metric;
	size_t ir, bct; /* events; n_events = not recorded */
	/* By object: places of what has a number there, of blocks and then of instructions. */
	struct idtable *blocks, *addresses;
	int128 *costs; /* of blocks; owned */
	size_t n_costs, capacity;
};

static uint64_t block_of(uint64_t address)
{
	return address / LOOP_MOST_BYTES;
}

/* -- blocks ---------------------------------------------------------------------------------- */

static int add_to_block(struct gathering *gathering, uint32_t function,
			const struct model_line *line)
{
	struct idtable *table = &gathering->blocks[gathering->model->functions[function].object];
	uint32_t index = idtable_get(table, block_of(line->at.instr));

	/* IDTABLE_NONE is more than any. */
	if (index >= gathering->n_costs) {
		index = (uint32_t)gathering->n_costs;
		if (!heap_reserve(&heap_env, (void **)&gathering->costs, &gathering->capacity,
				  gathering->n_costs + 1, sizeof(*gathering->costs)) ||
		    !idtable_put(table, block_of(line->at.instr), index))
			return PROFILE_NO_MEMORY;
		gathering->costs[gathering->n_costs++] = 0;
	}
	gathering->costs[index] += metric_value(gathering->metric, line->costs, false);
	return PROFILE_OK;
}

static bool is_block_hot(const struct gathering *gathering, uint32_t object, uint64_t block)
{
	uint32_t index = idtable_get(&gathering->blocks[object], block);

	/* Half of a loop that is hot. */
	return index < gathering->n_costs &&
	       hotcode_is_hot(gathering->code, gathering->costs[index] * 2);
}

/* Whether an address is in a block that is hot, or beside one. */
static bool is_near(const struct gathering *gathering, uint32_t object, uint64_t address)
{
	uint64_t block = block_of(address);

	return is_block_hot(gathering, object, block) ||
	       (block > 0 && is_block_hot(gathering, object, block - 1)) ||
	       is_block_hot(gathering, object, block + 1);
}

/* -- instructions ---------------------------------------------------------------------------- */

/* The one at an address, with no counts if it is new; NULL if memory ran out. */
static struct hot_instruction *instruction_of(struct gathering *gathering, uint32_t function,
					      uint64_t address)
{
	struct hot_code *code = gathering->code;
	const uint32_t object = gathering->model->functions[function].object;
	struct idtable *table = &gathering->addresses[object];
	uint32_t index = idtable_get(table, address);

	if (index != IDTABLE_NONE)
		return &code->instructions[index];
	if (!heap_reserve(&heap_env, (void **)&code->instructions, &code->capacity, code->n + 1,
			  sizeof(*code->instructions)) ||
	    !idtable_put(table, address, (uint32_t)code->n))
		return NULL;
	code->instructions[code->n] = (struct hot_instruction){
		.object = object,
		.function = function,
		.address = address,
	};
	return &code->instructions[code->n++];
}

static int add_line(struct gathering *gathering, uint32_t function, const struct model_line *line)
{
	const size_t n_events = gathering->model->n_events;
	struct hot_instruction *to;

	if (!is_near(gathering, gathering->model->functions[function].object, line->at.instr))
		return PROFILE_OK;
	to = instruction_of(gathering, function, line->at.instr);
	if (!to)
		return PROFILE_NO_MEMORY;
	if (to->line == 0) {
		to->file = line->file;
		to->line = line->at.line;
	}
	to->cost += metric_value(gathering->metric, line->costs, false);
	if (!cost_add(&to->executed, line->costs[gathering->ir], false) ||
	    (gathering->bct < n_events &&
	     !cost_add(&to->taken, line->costs[gathering->bct], false)))
		return PROFILE_RANGE;
	return PROFILE_OK;
}

static int add_jump(struct gathering *gathering, uint32_t function, const struct model_jump *jump)
{
	struct hot_instruction *to = instruction_of(gathering, function, jump->at.instr);

	if (!to)
		return PROFILE_NO_MEMORY;
	if (to->jump == JUMP_NONE) {
		to->jump = jump->is_conditional ? JUMP_CONDITIONAL : JUMP_ALWAYS;
		to->target = jump->target.instr;
	} else if (to->target != jump->target.instr) {
		to->jump = JUMP_SEVERAL;
	}
	if (!cost_add(&to->followed, jump->followed, false) ||
	    !cost_add(&to->passed, jump->executed, false))
		return PROFILE_RANGE;
	return PROFILE_OK;
}

/* -- all of it ------------------------------------------------------------------------------- */

/* Has something done with each line of a function that has an address; its status. */
static int each_line(struct gathering *gathering, uint32_t function,
		     int (*take)(struct gathering *, uint32_t, const struct model_line *))
{
	struct model_cursor cursor;
	struct model_line line;
	int status = PROFILE_OK;

	model_lines(gathering->model, function, 0, &cursor);
	while (!status && model_next_line(&cursor, &line))
		if (line.at.instr != 0)
			status = take(gathering, function, &line);
	return status;
}

static int gather_jumps(struct gathering *gathering, uint32_t function)
{
	const struct model *model = gathering->model;
	struct model_cursor cursor;
	struct model_jump jump;
	int status = PROFILE_OK;

	model_jumps(model, function, 0, &cursor);
	while (!status && model_next_jump(&cursor, &jump)) {
		gathering->code->has_jumps = true;
		if (jump.at.instr != 0 &&
		    is_near(gathering, model->functions[function].object, jump.at.instr))
			status = add_jump(gathering, function, &jump);
	}
	return status;
}

static int gather_blocks(struct gathering *gathering)
{
	int status = PROFILE_OK;

	for (uint32_t i = 0; !status && i < gathering->model->n_functions; i++)
		status = each_line(gathering, i, add_to_block);
	return status;
}

static int gather_instructions(struct gathering *gathering)
{
	int status = PROFILE_OK;

	for (uint32_t i = 0; !status && i < gathering->model->n_functions; i++) {
		status = each_line(gathering, i, add_line);
		if (!status)
			status = gather_jumps(gathering, i);
	}
	return status;
}

static int compare_instructions(const void *a, const void *b)
{
	const struct hot_instruction *of_a = a, *of_b = b;

	if (of_a->object != of_b->object)
		return of_a->object < of_b->object ? -1 : 1;
	return (of_a->address > of_b->address) - (of_a->address < of_b->address);
}

static struct idtable *new_tables(size_t n)
{
	struct idtable *tables = heap_zeroed(&heap_env, n, sizeof(*tables));

	for (size_t i = 0; tables && i < n; i++)
		idtable_init(&tables[i], &heap_env);
	return tables;
}

static void free_tables(struct idtable *tables, size_t n)
{
	for (size_t i = 0; tables && i < n; i++)
		idtable_release(&tables[i]);
	free(tables);
}

int hotcode_make(struct hot_code *code, const struct model *model, const struct metric *metric)
{
	const size_t n = model->names[NAME_OBJECT].count;
	struct gathering gathering = {
		.code = code,
		.model = model,
		.metric = metric,
		.ir = model_event(model, "Ir"),
		.bct = model_event(model, "Bct"),
		.blocks = new_tables(n),
		.addresses = new_tables(n),
	};
	uint64_t totals[PROFILE_MAX_EVENTS];
	int status = gathering.blocks && gathering.addresses ? PROFILE_OK : PROFILE_NO_MEMORY;

	*code = (struct hot_code){ .has_taken = gathering.bct < model->n_events };
	if (!status && !model_totals(model, totals))
		status = PROFILE_RANGE;
	if (!status) {
		code->whole = metric_value(metric, totals, false);
		status = gather_blocks(&gathering);
	}
	if (!status)
		status = gather_instructions(&gathering);
	if (!status && code->n > 0)
		qsort(code->instructions, code->n, sizeof(*code->instructions),
		      compare_instructions);
	free_tables(gathering.blocks, n);
	free_tables(gathering.addresses, n);
	free(gathering.costs);
	return status;
}

void hotcode_release(struct hot_code *code)
{
	free(code->instructions);
	*code = (struct hot_code){ .n = 0 };
}

size_t hotcode_find(const struct hot_code *code, uint32_t object, uint64_t address)
{
	const struct hot_instruction key = { .object = object, .address = address };
	size_t low = 0, high = code->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_instructions(&code->instructions[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct hot_instruction *hotcode_at(const struct hot_code *code, uint32_t object,
					 uint64_t address)
{
	size_t i = hotcode_find(code, object, address);

	if (i == code->n || code->instructions[i].object != object ||
	    code->instructions[i].address != address)
		return NULL;
	return &code->instructions[i];
}
