/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/types/typecosts.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/error.h"
#include "profile/common/heap.h"

enum {
	MOST_CODE =
		1 << 20, /* instructions of a function; the rest of a longer one is not followed */
	MOST_ROUNDS = 8, /* over functions of whose callers more is known than before */
};

/* -- which instructions ---------------------------------------------------------------------- */

static int compare_references(const void *a, const void *b)
{
	const struct data_reference *of_a = a, *of_b = b;

	if (of_a->object != of_b->object)
		return of_a->object < of_b->object ? -1 : 1;
	return (of_a->address > of_b->address) - (of_a->address < of_b->address);
}

bool typeplaces_add(struct type_places *places, uint32_t object, uint64_t address)
{
	if (!heap_reserve(&heap_env, (void **)&places->references, &places->capacity, places->n + 1,
			  sizeof(*places->references)))
		return false;
	places->references[places->n++] = (struct data_reference){
		.address = address,
		.object = object,
	};
	return true;
}

static int gather(struct type_places *places, const struct model *model, const size_t events[2])
{
	for (uint32_t i = 0; i < model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line)) {
			bool refers = false;

			for (size_t e = 0; e < 2; e++)
				refers |= events[e] < model->n_events && line.costs[events[e]] != 0;
			if (!refers || line.at.instr == 0)
				continue;
			if (!typeplaces_add(places, model->functions[i].object, line.at.instr))
				return PROFILE_NO_MEMORY;
		}
	}
	return PROFILE_OK;
}

/* Each once. */
static void sort(struct type_places *places)
{
	size_t used = 0;

	if (places->n > 0)
		qsort(places->references, places->n, sizeof(*places->references),
		      compare_references);
	for (size_t i = 0; i < places->n; i++)
		if (used == 0 ||
		    compare_references(&places->references[used - 1], &places->references[i]) != 0)
			places->references[used++] = places->references[i];
	places->n = used;
}

static size_t find(const struct type_places *places, uint32_t object, uint64_t address)
{
	const struct data_reference key = { .object = object, .address = address };
	size_t low = 0, high = places->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_references(&places->references[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct data_reference *typeplaces_find(const struct type_places *places, uint32_t object,
					     uint64_t address)
{
	size_t i = find(places, object, address);

	if (i == places->n || places->references[i].object != object ||
	    places->references[i].address != address)
		return NULL;
	return &places->references[i];
}

/* -- a function ------------------------------------------------------------------------------ */

/* A function of whose parameters callers have to tell. */
struct lost_parameters {
	uint64_t entry, address; /* address: of some instruction of it */
};

struct placing {
	struct type_places *places;
	const struct code_object *object;
	struct typereader *reader;
	struct type_function function; /* the one that is followed */
	struct type_arguments arguments;
	struct lost_parameters *lost; /* owned */
	size_t n_lost, lost_capacity;
	bool is_first;                 /* round: callers are not known yet */
	bool failed;                   /* memory ran out */
	uint64_t at;                   /* the instruction */
	struct flow_instruction *code; /* owned */
	size_t n, capacity;
};

/* A pointer to the variable that is at an offset of the frame. */
static struct data_value in_frame(void *ctx, int64_t offset, const struct type_state *state)
{
	const struct placing *placing = ctx;

	for (size_t i = 0; i < placing->function.n_places; i++) {
		const struct frame_fact *fact = &placing->function.places[i];
		struct data_value value = fact->value;
		int64_t start = fact->offset;

		if (placing->at < fact->start || placing->at >= fact->end)
			continue;
		if (fact->reg >= 0) {
			const struct data_value *base = &state->registers[fact->reg];

			if (base->kind != VALUE_FRAME || base->stride != 0)
				continue;
			start = offset_sum(start, base->offset);
		}
		if (offset < start || (uint64_t)offset_difference(offset, start) >= fact->size)
			continue;
		value.offset = offset_sum(value.offset, offset_difference(offset, start));
		return value;
	}
	return (struct data_value){ .kind = VALUE_NONE };
}

static struct data_value at_address(void *ctx, uint64_t address)
{
	return typereader_variable(((struct placing *)ctx)->reader, address);
}

static struct data_value call_result(void *ctx, uint64_t address)
{
	struct data_value nothing = { .kind = VALUE_NONE };

	return address != 0 ? typereader_result(((struct placing *)ctx)->reader, address) : nothing;
}

static void moved(void *ctx, uint64_t address)
{
	((struct placing *)ctx)->at = address;
}

static void found(void *ctx, const struct flow_instruction *instruction,
		  const struct data_place *read, const struct data_place *written)
{
	struct placing *placing = ctx;
	struct type_places *places = placing->places;
	size_t i = find(places, placing->object->number, instruction->address);
	struct data_reference *reference = &places->references[i];

	if (i == places->n || reference->object != placing->object->number ||
	    reference->address != instruction->address)
		return;
	reference->read = *read;
	reference->written = *written;
}

static void called(void *ctx, uint64_t address, const struct type_state *state)
{
	struct placing *placing = ctx;

	placing->failed |=
		!typearguments_note(&placing->arguments, &placing->places->table, address, state);
}

static int compare_code(const void *a, const void *b)
{
	const struct flow_instruction *of_a = a, *of_b = b;

	return (of_a->address > of_b->address) - (of_a->address < of_b->address);
}

/* Adds the instructions of a stretch of code; false if memory ran out. */
static bool decode(struct placing *placing, const struct code_range *range)
{
	struct disassembly *text = placing->object->text;
	uint64_t address = range->start;
	const unsigned char *code;
	size_t len;

	code = objectfile_code(placing->object->file, address, &len);
	if (!code)
		return true;
	if (len > range->end - range->start)
		len = (size_t)(range->end - range->start);
	while (len > 0 && placing->n < MOST_CODE) {
		struct disassembled instruction;
		struct flow_instruction *to;

		if (!heap_reserve(&heap_env, (void **)&placing->code, &placing->capacity,
				  placing->n + 1, sizeof(*placing->code)))
			return false;
		disassembly_next(text, code, len, address, &instruction);
		to = &placing->code[placing->n++];
		*to = (struct flow_instruction){
			.address = address,
			.len = (uint8_t)instruction.len,
			.kind = instruction.kind,
			.has_target = instruction.has_target,
			.target = instruction.target,
		};
		disassembly_motion(text, &instruction, &to->motion);
		code += instruction.len;
		len -= instruction.len;
		address += instruction.len;
	}
	return true;
}

static bool follow(struct placing *placing)
{
	const struct type_function *function = &placing->function;
	const struct variable_view view = {
		.ctx = placing,
		.is_fixed = typereader_is_fixed(placing->reader),
		.in_frame = in_frame,
		.at_address = at_address,
	};
	struct type_flow flow = {
		.table = &placing->places->table,
		.view = &view,
		.entry = function->entry,
		.facts = function->facts,
		.n_facts = function->n_facts,
		.ctx = placing,
		.result = call_result,
		.moved = moved,
		.called = called,
		.found = found,
	};
	struct call_arguments *arguments = typearguments_of(&placing->arguments, function->entry);
	struct data_value values[N_ARGUMENTS];

	placing->n = 0;
	for (size_t i = 0; i < function->n_ranges; i++)
		if (!decode(placing, &function->ranges[i]))
			return false;
	if (placing->n > 0)
		qsort(placing->code, placing->n, sizeof(*placing->code), compare_code);
	flow.code = placing->code;
	flow.n = placing->n;
	/* A copy, as it may call itself. */
	if (arguments && function->has_lost_parameters && !placing->is_first) {
		arguments->is_new = false;
		memcpy(values, arguments->values, sizeof(values));
		flow.arguments = values;
	}
	return typeflow_run(&flow);
}

/* Marks the references of the function as its own. */
static void mark(struct placing *placing)
{
	struct type_places *places = placing->places;

	for (size_t r = 0; r < placing->function.n_ranges; r++) {
		const struct code_range *range = &placing->function.ranges[r];

		for (size_t i = find(places, placing->object->number, range->start);
		     i < places->n && places->references[i].object == placing->object->number &&
		     places->references[i].address < range->end;
		     i++)
			places->references[i].has_debug_information = true;
	}
}

/* -- all of it ------------------------------------------------------------------------------- */

/* Follows the function that has a reference, if there is one that is known; false if memory ran out. */
static bool follow_function(struct placing *placing)
{
	mark(placing);
	return follow(placing) && !typereader_failed(placing->reader) && !placing->failed;
}

static bool note_lost(struct placing *placing, uint64_t address)
{
	if (!placing->function.has_lost_parameters)
		return true;
	if (!heap_reserve(&heap_env, (void **)&placing->lost, &placing->lost_capacity,
			  placing->n_lost + 1, sizeof(*placing->lost)))
		return false;
	placing->lost[placing->n_lost++] = (struct lost_parameters){
		.entry = placing->function.entry,
		.address = address,
	};
	return true;
}

/*
 * Follows functions once more of whose callers more is known than when they were followed last: these may stand behind
 * them, and are followed with what their own callers give.  False if memory ran out; *is_any: there were some.
 */
static bool follow_again(struct placing *placing, bool *is_any)
{
	bool failed = false;

	*is_any = false;
	for (size_t i = 0; !failed && i < placing->n_lost; i++) {
		const struct lost_parameters *lost = &placing->lost[i];
		const struct call_arguments *arguments =
			typearguments_of(&placing->arguments, lost->entry);

		if (!arguments || !arguments->is_new ||
		    !typereader_function(placing->reader, lost->address, &placing->function,
					 &failed))
			continue;
		*is_any = true;
		failed = !follow_function(placing);
		type_function_release(&placing->function);
	}
	type_function_release(&placing->function);
	return !failed;
}

/* The references from the first-th on that are in one object; *end is behind them. */
static int place_object(struct type_places *places, struct code_objects *objects, size_t first,
			size_t *end)
{
	struct placing placing = { .places = places, .is_first = true };
	uint32_t number = places->references[first].object;
	bool failed = false, is_any = true;

	placing.object = code_objects_get(objects, number);
	*end = first;
	while (*end < places->n && places->references[*end].object == number)
		++*end;
	if (!placing.object)
		return PROFILE_NO_MEMORY;
	if (!placing.object->file || !placing.object->text)
		return PROFILE_OK;
	typearguments_init(&placing.arguments);
	failed = !typereader_open(&placing.reader, placing.object->file, &places->table);
	for (size_t i = first; !failed && i < *end; i++) {
		if (places->references[i].has_debug_information ||
		    !typereader_function(placing.reader, places->references[i].address,
					 &placing.function, &failed))
			continue;
		failed = !note_lost(&placing, places->references[i].address) ||
			 !follow_function(&placing);
		type_function_release(&placing.function);
	}
	type_function_release(&placing.function);
	placing.is_first = false;
	for (int round = 0; !failed && is_any && round < MOST_ROUNDS; round++)
		failed = !follow_again(&placing, &is_any);
	free(placing.lost);
	typearguments_release(&placing.arguments);
	typereader_free(placing.reader);
	free(placing.code);
	return failed ? PROFILE_NO_MEMORY : PROFILE_OK;
}

bool typeplaces_init(struct type_places *places)
{
	memset(places, 0, sizeof(*places));
	return typetable_init(&places->table);
}

int typeplaces_resolve(struct type_places *places, struct code_objects *objects)
{
	int status = PROFILE_OK;
	size_t next = 0;

	sort(places);
	while (!status && next < places->n)
		status = place_object(places, objects, next, &next);
	return status;
}

int typeplaces_make(struct type_places *places, const struct model *model,
		    struct code_objects *objects, const size_t events[2])
{
	int status;

	if (!typeplaces_init(places))
		return PROFILE_NO_MEMORY;
	status = gather(places, model, events);
	return status ? status : typeplaces_resolve(places, objects);
}

void typeplaces_release(struct type_places *places)
{
	typetable_release(&places->table);
	free(places->references);
	memset(places, 0, sizeof(*places));
}
