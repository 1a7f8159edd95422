/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each instruction of a profile refers to: type and member. */
#include "cmds/types/typecosts.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

enum {
	MOST_CODE = 1 << 20, /* instructions of a function; the rest of it is not followed */
	MOST_ROUNDS = 8,     /* over functions whose callers are better known than before */
};

/* -- which instructions ---------------------------------------------------------------------- */

static int compare_references(const void *a, const void *b)
{
	const struct data_reference *of_a = a, *of_b = b;

	if (of_a->object != of_b->object)
		return of_a->object < of_b->object ? -1 : 1;
	return (of_a->address > of_b->address) - (of_a->address < of_b->address);
}

void typeplaces_add(struct type_places *places, uint32_t object, uint64_t address)
{
	places->references = heap_grow(places->references, &places->capacity, places->n + 1,
				       sizeof(*places->references));
	places->references[places->n++] = (struct data_reference){
		.address = address,
		.object = object,
	};
}

/* Sorts them, and keeps one of each. */
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

/* The reference of an instruction, or NULL. */
static struct data_reference *find_exact(const struct type_places *places, uint32_t object,
					 uint64_t address)
{
	size_t i = find(places, object, address);

	return i < places->n && places->references[i].object == object &&
			       places->references[i].address == address
		       ? &places->references[i]
		       : NULL;
}

const struct data_reference *typeplaces_find(const struct type_places *places, uint32_t object,
					     uint64_t address)
{
	return find_exact(places, object, address);
}

/* -- a function ------------------------------------------------------------------------------ */

/* A function whose callers are needed to know its parameters. */
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
	uint64_t at;                   /* the instruction */
	struct flow_instruction *code; /* owned */
	size_t n, capacity;
};

/* A pointer to the variable at an offset of the frame. */
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
	const struct placing *placing = ctx;
	struct data_reference *reference =
		find_exact(placing->places, placing->object->number, instruction->address);

	if (!reference)
		return;
	reference->read = *read;
	reference->written = *written;
}

static void called(void *ctx, uint64_t address, const struct type_state *state)
{
	struct placing *placing = ctx;

	typearguments_note(&placing->arguments, &placing->places->table, address, state);
}

static int compare_code(const void *a, const void *b)
{
	const struct flow_instruction *of_a = a, *of_b = b;

	return (of_a->address > of_b->address) - (of_a->address < of_b->address);
}

/* Adds the instructions of a stretch of code. */
static void decode(struct placing *placing, const struct code_range *range)
{
	struct disassembly *text = placing->object->text;
	uint64_t address = range->start;
	const unsigned char *code;
	size_t len;

	code = objectfile_code(placing->object->file, address, &len);
	if (!code)
		return;
	if (len > range->end - range->start)
		len = (size_t)(range->end - range->start);
	while (len > 0 && placing->n < MOST_CODE) {
		struct disassembled instruction;
		struct flow_instruction *to;

		placing->code = heap_grow(placing->code, &placing->capacity, placing->n + 1,
					  sizeof(*placing->code));
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
}

static void follow(struct placing *placing)
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
		decode(placing, &function->ranges[i]);
	if (placing->n > 0)
		qsort(placing->code, placing->n, sizeof(*placing->code), compare_code);
	flow.code = placing->code;
	flow.n = placing->n;
	/* A copy, as the function may call itself. */
	if (arguments && function->has_lost_parameters && !placing->is_first) {
		arguments->is_new = false;
		memcpy(values, arguments->values, sizeof(values));
		flow.arguments = values;
	}
	typeflow_run(&flow);
}

/* Reads the function at an address, if there is one, and follows it; false if there is none. */
static bool follow_function(struct placing *placing, uint64_t address)
{
	struct type_places *places = placing->places;
	struct type_function *function = &placing->function;

	if (!typereader_function(placing->reader, address, function))
		return false;
	for (size_t r = 0; r < function->n_ranges; r++) {
		const struct code_range *range = &function->ranges[r];

		for (size_t i = find(places, placing->object->number, range->start);
		     i < places->n && places->references[i].object == placing->object->number &&
		     places->references[i].address < range->end;
		     i++)
			places->references[i].has_debug_information = true;
	}
	if (placing->is_first && function->has_lost_parameters) {
		placing->lost = heap_grow(placing->lost, &placing->lost_capacity,
					  placing->n_lost + 1, sizeof(*placing->lost));
		placing->lost[placing->n_lost++] = (struct lost_parameters){
			.entry = function->entry,
			.address = address,
		};
	}
	follow(placing);
	type_function_release(function);
	return true;
}

/* Places the references of one object, from `first` on; returns the index of the next object's. */
static size_t place_object(struct type_places *places, struct code_objects *objects, size_t first)
{
	struct placing placing = { .places = places, .is_first = true };
	uint32_t number = places->references[first].object;
	size_t end = first;
	bool is_any = true;

	placing.object = code_objects_get(objects, number);
	while (end < places->n && places->references[end].object == number)
		end++;
	if (!placing.object->file || !placing.object->text)
		return end;
	typearguments_init(&placing.arguments);
	placing.reader = typereader_open(placing.object->file, &places->table);
	for (size_t i = first; i < end; i++)
		if (!places->references[i].has_debug_information)
			follow_function(&placing, places->references[i].address);
	placing.is_first = false;
	/*
	 * Follows functions again if more is known about their callers than when they were followed last: callers may come
	 * after them, and may be followed with what their own callers pass.
	 */
	for (int round = 0; round < MOST_ROUNDS && is_any; round++) {
		is_any = false;
		for (size_t i = 0; i < placing.n_lost; i++) {
			const struct call_arguments *arguments =
				typearguments_of(&placing.arguments, placing.lost[i].entry);

			if (arguments && arguments->is_new)
				is_any |= follow_function(&placing, placing.lost[i].address);
		}
	}
	free(placing.lost);
	typearguments_release(&placing.arguments);
	typereader_free(placing.reader);
	free(placing.code);
	return end;
}

void typeplaces_init(struct type_places *places)
{
	memset(places, 0, sizeof(*places));
	typetable_init(&places->table);
}

void typeplaces_resolve(struct type_places *places, struct code_objects *objects)
{
	sort(places);
	for (size_t next = 0; next < places->n;)
		next = place_object(places, objects, next);
}

void typeplaces_release(struct type_places *places)
{
	typetable_release(&places->table);
	free(places->references);
	memset(places, 0, sizeof(*places));
}
