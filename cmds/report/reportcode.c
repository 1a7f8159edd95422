/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows that own a function of the machine code are those with costs at one of its addresses. */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/cli/complaint.h"
#include "cmds/code/machinecode.h"
#include "cmds/listing/column.h"
#include "cmds/object/objectfile.h"
#include "cmds/report/reportchange.h"
#include "profile/common/heap.h"
#include "writer/shared/events.h"

/* A row that has instructions in a function of the machine code. */
struct owner {
	size_t code; /* place in the machine code's functions */
	uint32_t row;
};

struct reportcode {
	struct reportrows *rows;
	struct machinecode code;
	struct columns columns;
	struct arena arena;
	struct owner *owners; /* by code, then row, each once; owned */
	size_t n_owners, owners_capacity;
	struct reportchange change;
};

/* -- which code is whose -------------------------------------------------------------- */

/* By object, then address. */
static int compare_code(const struct code_function *function, uint32_t object, uint64_t address)
{
	if (function->object->number != object)
		return function->object->number < object ? -1 : 1;
	if (address < function->stretch.start)
		return 1;
	return code_stretch_has(&function->stretch, address) ? 0 : -1;
}

static int compare_functions(const void *a, const void *b, void *ctx)
{
	const struct code_function *functions = ctx;
	const struct code_function *x = &functions[*(const size_t *)a];
	const struct code_function *y = &functions[*(const size_t *)b];

	if (x->object->number != y->object->number)
		return x->object->number < y->object->number ? -1 : 1;
	return (x->stretch.start > y->stretch.start) - (x->stretch.start < y->stretch.start);
}

/* The place of the function that has an address; n if none has. */
static size_t find_code(const struct machinecode *code, const size_t *order, uint32_t object,
			uint64_t address)
{
	size_t low = 0, high = code->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int side = compare_code(&code->functions[order[middle]], object, address);

		if (side == 0)
			return order[middle];
		if (side < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return code->n;
}

static void add_owner(struct reportcode *code, size_t place, uint32_t row)
{
	const struct owner *last = code->n_owners > 0 ? &code->owners[code->n_owners - 1] : NULL;

	if (last && last->code == place && last->row == row)
		return;
	code->owners = heap_grow(code->owners, &code->owners_capacity, code->n_owners + 1,
				 sizeof(*code->owners));
	code->owners[code->n_owners++] = (struct owner){ place, row };
}

static void add_owners(struct reportcode *code, const size_t *order, uint32_t row)
{
	const struct reportrows_side *side = &code->rows->sides[SIDE_MAIN];
	uint32_t function = side->functions[row];
	uint32_t object = side->model->functions[function].object;
	struct model_cursor cursor;
	struct model_line line;
	size_t place = code->code.n;

	model_lines(side->model, function, 0, &cursor);
	while (model_next_line(&cursor, &line)) {
		if (line.at.instr == 0)
			continue;
		/* Most are of the function of the one before. */
		if (place == code->code.n ||
		    compare_code(&code->code.functions[place], object, line.at.instr) != 0)
			place = find_code(&code->code, order, object, line.at.instr);
		if (place < code->code.n)
			add_owner(code, place, row);
	}
}

static int compare_owners(const void *a, const void *b)
{
	const struct owner *x = a, *y = b;

	if (x->code != y->code)
		return x->code < y->code ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* True if a row is detailed, and not only the older profile has it. */
static bool has_code(const struct reportrows *rows, size_t row)
{
	return rows->is_detailed[row] && rows->sides[SIDE_MAIN].functions[row] != MODEL_NO_FUNCTION;
}

static void find_owners(struct reportcode *code)
{
	size_t *order = arena_alloc(&code->arena, (code->code.n + 1) * sizeof(*order), 8);
	size_t n = 0;

	for (size_t i = 0; i < code->code.n; i++)
		order[i] = i;
	qsort_r(order, code->code.n, sizeof(*order), compare_functions, code->code.functions);
	for (uint32_t row = 0; row < code->rows->n; row++)
		if (has_code(code->rows, row))
			add_owners(code, order, row);
	if (code->n_owners > 0)
		qsort(code->owners, code->n_owners, sizeof(*code->owners), compare_owners);
	for (size_t i = 0; i < code->n_owners; i++)
		if (n == 0 || compare_owners(&code->owners[n - 1], &code->owners[i]) != 0)
			code->owners[n++] = code->owners[i];
	code->n_owners = n;
}

/* -- making --------------------------------------------------------------------------- */

/* The number among the report's files of an instruction's source; false if none is known. */
static bool find_file(const struct reportcode *code, const struct code_instruction *instruction,
		      uint32_t *file)
{
	const char *name;

	if (instruction->line == 0 || instruction->source == CODE_NO_SOURCE)
		return false;
	name = code->code.sources.sources[instruction->source].name;
	*file = reportnames_file(code->rows->names,
				 (struct name){ name, strlen(name), NAME_NO_KEY });
	return true;
}

static void warn_of_objects(const struct reportcode *code, const char *command)
{
	const struct code_object *object;
	size_t i = 0;

	while ((object = machinecode_next_object(&code->code, &i)) != NULL) {
		if (object->wrong && object->number != DICTIONARY_UNKNOWN)
			warn(command, "%s: %s: its instructions are shown by address only",
			     object->name, object->wrong);
		else if (!object->wrong && object->is_stale)
			warn(command,
			     "%s: changed after the profile was made, so its code may not be what "
			     "was executed",
			     objectfile_path(object->file));
	}
}

/*
 * Code is shown if all of its instructions have their share of what is shown first, or of the cycles.
 * A share of other events means little: many functions have one, as each cold line misses once.
 */
static void choose_by(struct reportcode *code, const struct report_input *input)
{
	const struct column_choice choice = {
		.estimate = input->estimate ? input->estimate : REPORT_ESTIMATE,
	};
	struct columns *columns = &code->columns;
	size_t metrics[2] = { 0 };
	size_t n = 1;
	const char *cycles = EVENT_ESTIMATE;

	columns_init(columns, input->model, &choice, &code->arena);
	columns->keys = arena_alloc(&code->arena, 2 * sizeof(*columns->keys), 8);
	if (input->event)
		metrics[0] = metrics_find(&columns->metrics, input->event, strlen(input->event));
	if (!input->estimate &&
	    metrics_have(&columns->metrics, EVENT_CYCLES "," EVENT_CYCLES_NEEDS))
		cycles = EVENT_CYCLES;
	metrics[n] = metrics_find(&columns->metrics, cycles, strlen(cycles));
	n += metrics[n] < columns->metrics.n;
	for (size_t i = 0; i < n; i++)
		columns->keys[i] = (struct sort_key){ metrics[i], true, input->detail };
	columns->n_keys = n;
}

/* With the older profile. */
static int compare(struct reportcode *code, const struct report_input *input)
{
	const struct reportrows_side *side = &code->rows->sides[SIDE_MAIN];
	bool *is_row = arena_alloc(&code->arena, code->rows->n + 1, 1);

	memset(is_row, 0, code->rows->n);
	for (size_t i = 0; i < code->n_owners; i++)
		is_row[code->owners[i].row] = true;
	for (size_t i = 0; i < code->code.n; i++)
		if (code->code.functions[i].function != MODEL_NO_FUNCTION)
			is_row[side->rows[code->code.functions[i].function]] = true;
	return reportchange_make(&code->change, code->rows, &code->code, input, is_row);
}

int reportcode_make(struct reportcode **made, const struct report_input *input,
		    struct reportrows *rows, struct reportsources *sources)
{
	const struct model *model = input->model;
	struct reportcode *code = heap_zeroed(1, sizeof(*code));
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct basis basis = {
		.model = model, .columns = &code->columns, .arena = &code->arena, .totals = totals
	};
	struct machinecode_options options = {
		.automatic = true,
		.context = REPORT_CONTEXT,
		.objects = input->objects,
		.rules = input->rules,
		.oldest = input->oldest,
	};
	struct listing listing = { .n = 0 };
	int status;

	*made = code;
	code->rows = rows;
	code->change.arena = &code->arena;
	arena_init(&code->arena);
	if (input->no_code || !(model->positions & POSITION_INSTR))
		return PROFILE_OK;
	choose_by(code, input);
	if (!model_totals(model, totals))
		return PROFILE_RANGE;
	listing.entries = arena_alloc(&code->arena, (rows->n + 1) * sizeof(*listing.entries), 8);
	for (size_t row = 0; row < rows->n; row++)
		if (has_code(rows, row))
			listing.entries[listing.n++] = (struct listing_entry){
				.function = rows->sides[SIDE_MAIN].functions[row]
			};
	status = machinecode_make(&code->code, &basis, &listing, &options);
	if (!status) {
		find_owners(code);
		if (reportrows_sides(rows) == N_SIDES)
			status = compare(code, input);
	}
	if (status)
		return status;
	for (size_t i = 0; i < code->code.n; i++) {
		const struct code_function *function = &code->code.functions[i];
		uint32_t file;

		for (size_t j = 0; j < function->n; j++)
			if (find_file(code, &function->instructions[j], &file))
				reportsources_add(sources, file, function->instructions[j].line);
	}
	if (!input->quiet)
		warn_of_objects(code, input->command);
	return PROFILE_OK;
}

void reportcode_free(struct reportcode *code)
{
	if (!code)
		return;
	reportchange_release(&code->change);
	machinecode_release(&code->code);
	arena_release(&code->arena);
	free(code->owners);
	free(code);
}

/* -- writing -------------------------------------------------------------------------- */

static uint64_t line_at(const void *function, size_t i)
{
	return ((const struct code_function *)function)->instructions[i].line;
}

static void write_positions(const struct reportcode *code, const struct code_function *function,
			    struct json *json)
{
	uint64_t last = 0;

	json_array(json, "d_address", true);
	for (size_t i = 0; i < function->n; i++) {
		json_count(json, NULL, function->instructions[i].address - last);
		last = function->instructions[i].address;
	}
	json_close(json);
	/* Beyond, or short of, where the next one begins: mostly 0. */
	json_array(json, "p_size", true);
	for (size_t i = 0; i < function->n; i++) {
		const struct code_instruction *instruction = &function->instructions[i];
		uint64_t next = i + 1 < function->n ? function->instructions[i + 1].address
						    : instruction->address;

		json_cost(json, NULL, instruction->len - (next - instruction->address), true);
	}
	json_close(json);
	json_array(json, "file", true);
	for (size_t i = 0; i < function->n; i++) {
		uint32_t file;

		if (find_file(code, &function->instructions[i], &file))
			json_count(json, NULL, file);
		else
			json_word(json, NULL, "-1");
	}
	json_close(json);
	json_steps(json, "line", function->n, line_at, function);
}

/*
 * "mov %rax,%rbx", "call 0x1030 <puts@plt>"; where it is within the function, "jne <+0x25>", which is the
 * same text in more places.
 */
static void add_text(struct bytes *text, const struct code_function *function,
		     const struct code_instruction *instruction)
{
	const char *note = instruction->note;
	size_t len = strlen(function->name);
	bool is_inside = note[0] == '<' && strncmp(note + 1, function->name, len) == 0 &&
			 note[1 + len] == '+';

	bytes_add_text(text, instruction->mnemonic);
	if (instruction->operands[0] != '\0' && !is_inside) {
		bytes_add_char(text, ' ');
		bytes_add_text(text, instruction->operands);
	}
	if (note[0] == '\0')
		return;
	bytes_add_text(text, is_inside ? " <" : " ");
	bytes_add_text(text, is_inside ? note + 1 + len : note);
}

/* How far machine code is written. */
struct code_progress {
	size_t owner;        /* the first one that is not */
	uint32_t first_text; /* of instructions */
	uint32_t next_text;  /* after all that were named */
};

/*
 * Many texts are new, and so numbered in this order: 0 is the one after all that were named so far.
 * The number of another one counts from the first one, up from 1 and down from -1.
 */
static void write_texts(const struct reportcode *code, const struct code_function *function,
			struct code_progress *progress, struct json *json)
{
	struct reportnames *names = code->rows->names;
	uint32_t first = progress->first_text;
	struct bytes text;

	bytes_init(&text);
	json_array(json, "p_text", true);
	for (size_t i = 0; i < function->n; i++) {
		const struct code_instruction *instruction = &function->instructions[i];
		uint32_t number;

		bytes_reset(&text);
		if (instruction->len > 0)
			add_text(&text, function, instruction);
		number = reportnames_text(names, text.text ? text.text : "", text.len);
		json_cost(json, NULL,
			  number == progress->next_text
				  ? 0
				  : (uint64_t)number - first + (number >= first),
			  true);
		if (number >= progress->next_text)
			progress->next_text = number + 1;
	}
	json_close(json);
	bytes_release(&text);
}

static void write_costs(const struct reportcode *code, const struct code_function *function,
			struct json *json)
{
	const struct reportrows_side *side = &code->rows->sides[SIDE_MAIN];
	bool is_signed = side->model->is_signed;

	json_array(json, "costs", true);
	for (size_t e = 0; e < code->rows->n_events; e++) {
		size_t event = side->events[e];

		if (function->costs[event] == 0 && !is_signed) {
			json_count(json, NULL, 0);
			continue;
		}
		json_array(json, NULL, true);
		for (size_t i = 0; i < function->n; i++) {
			const struct code_record *record = function->instructions[i].record;

			json_cost(json, NULL, record ? record->costs[event] : 0, is_signed);
		}
		json_close(json);
	}
	json_close(json);
}

enum jump_column { JUMP_FROM, JUMP_TO, JUMP_TAKEN, JUMP_EXECUTED };

/* Jumps within the function, in one order for all columns. */
static void write_jump_column(const struct code_function *function, enum jump_column column,
			      const char *key, struct json *json)
{
	json_array(json, key, true);
	for (size_t i = 0; i < function->n; i++) {
		const struct code_instruction *instruction = &function->instructions[i];

		for (size_t j = 0; j < instruction->n_jumps; j++) {
			const struct code_jump *jump = &instruction->jumps[j];
			size_t to = machinecode_find(function, jump->target);

			if (to == function->n)
				continue;
			if (column == JUMP_FROM)
				json_count(json, NULL, i);
			else if (column == JUMP_TO)
				json_count(json, NULL, to);
			else if (!jump->is_recorded)
				json_word(json, NULL, "-1");
			else
				json_count(json, NULL,
					   column == JUMP_TAKEN ? jump->followed : jump->executed);
		}
	}
	json_close(json);
}

static const char *note_of(const struct code_function *function)
{
	const struct code_object *object = function->object;

	if (object->wrong)
		return object->wrong;
	return object->is_stale ? "changed after the profile was made" : "";
}

/* Writes one, and advances past it. */
static void write_function(const struct reportcode *code, size_t place,
			   struct code_progress *progress, struct json *json)
{
	const struct code_function *function = &code->code.functions[place];
	const struct reportrows_side *side = &code->rows->sides[SIDE_MAIN];
	size_t first = progress->owner, *owner = &progress->owner;

	json_object(json, NULL, true);
	while (*owner < code->n_owners && code->owners[*owner].code == place)
		++*owner;
	if (function->function != MODEL_NO_FUNCTION)
		json_count(json, "function", side->rows[function->function]);
	else if (*owner > first)
		json_count(json, "function", code->owners[first].row);
	else
		json_word(json, "function", "-1");
	json_array(json, "functions", true);
	for (size_t i = first; i < *owner; i++)
		json_count(json, NULL, code->owners[i].row);
	json_close(json);
	json_string(json, "name", function->name);
	write_positions(code, function, json);
	write_texts(code, function, progress, json);
	write_costs(code, function, json);
	json_object(json, "jumps", true);
	write_jump_column(function, JUMP_FROM, "from", json);
	write_jump_column(function, JUMP_TO, "to", json);
	write_jump_column(function, JUMP_TAKEN, "taken", json);
	write_jump_column(function, JUMP_EXECUTED, "executed", json);
	json_close(json);
	json_string(json, "note", note_of(function));
	json_close(json);
}

void reportcode_write(const struct reportcode *code, struct json *json)
{
	uint32_t first = (uint32_t)code->rows->names->strings.count;
	struct code_progress progress = { .first_text = first, .next_text = first };

	json_count(json, "first_text", first);
	json_array(json, "code", true);
	for (size_t i = 0; i < code->code.n; i++)
		write_function(code, i, &progress, json);
	json_close(json);
}

void reportcode_write_other(const struct reportcode *code, bool is_related, struct json *json)
{
	reportchange_write(&code->change, is_related, json);
}
