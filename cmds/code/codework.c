/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions are found by address in a table for each stretch, since contexts of a function
 * have costs at the same ones.  Jumps are listed, sorted, and added up.
 */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/code/codework.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/listing/listing.h"
#include "profile/analysis/inclusive.h"
#include "profile/common/dictionary.h"
#include "profile/common/heap.h"

/* -- which code ------------------------------------------------------------------ */

struct code_choosing {
	struct code_choice *choice;
	const struct basis *basis;
	struct code_objects *objects;
	bool is_named;
	bool found;
};

static void add_address(struct code_choosing *choosing, uint32_t number, uint64_t address)
{
	struct code_choice *choice = choosing->choice;
	const struct code_wish *last = choice->n > 0 ? &choice->wishes[choice->n - 1] : NULL;

	choosing->found = true;
	/* Addresses come in order: most are in the stretch of the one before. */
	if (last && last->object == number && last->is_named == choosing->is_named &&
	    code_stretch_has(&last->stretch, address))
		return;
	choice->wishes = heap_grow(choice->wishes, &choice->capacity, choice->n + 1,
				   sizeof(*choice->wishes));
	choice->wishes[choice->n++] = (struct code_wish){
		number,
		code_object_stretch(code_objects_get(choosing->objects, number), address),
		choosing->is_named,
	};
}

static int add_function(struct code_choosing *choosing, uint32_t function)
{
	const struct model *model = choosing->basis->model;
	struct code_choice *choice = choosing->choice;
	struct model_cursor cursor;
	struct model_line line;

	model_lines(model, function, 0, &cursor);
	while (model_next_line(&cursor, &line)) {
		if (line.at.instr != 0) {
			add_address(choosing, model->functions[function].object, line.at.instr);
			continue;
		}
		choosing->found = true;
		if (!choice->unplaced)
			choice->unplaced = row_new(choosing->basis->arena, model->n_events);
		if (!row_add(choice->unplaced, line.costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	}
	return PROFILE_OK;
}

/* * is any run of characters, ? is one. */
static bool matches(const char *pattern, const char *text)
{
	const char *star = NULL, *rest = NULL;

	while (*text != '\0') {
		if (*pattern == '*') {
			star = pattern++;
			rest = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++rest;
		} else {
			return false;
		}
	}
	return pattern[strspn(pattern, "*")] == '\0';
}

/* The word itself; with parameters, callers, a level of recursion, or a version. */
static bool is_name(const char *word, const char *name)
{
	size_t len = strlen(word);

	if (strncmp(word, name, len) == 0 && strchr("('@", name[len]))
		return true;
	return strpbrk(word, "*?") && matches(word, name);
}

static int add_named(struct code_choosing *choosing, const char *word)
{
	const struct model *model = choosing->basis->model;
	int status = PROFILE_OK;

	for (uint32_t i = 0; !status && i < model->n_functions; i++)
		if (is_name(word, model_name(model, NAME_FUNCTION, model->functions[i].name).text))
			status = add_function(choosing, i);
	return status;
}

/* Functions that the profile has by address alone, by the symbols that are there now. */
static void add_by_symbol(struct code_choosing *choosing, const char *word)
{
	const struct model *model = choosing->basis->model;

	for (uint32_t i = 0; i < model->n_functions; i++) {
		uint32_t object = model->functions[i].object;
		struct model_cursor cursor;
		struct model_line line;

		if (!code_object_is_nameless(model, i))
			continue;
		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line)) {
			struct code_stretch stretch = code_object_stretch(
				code_objects_get(choosing->objects, object), line.at.instr);

			if (line.at.instr != 0 && stretch.symbol && is_name(word, stretch.symbol))
				add_address(choosing, object, line.at.instr);
		}
	}
}

/* A word that ends in a number: NAME:LINE, NAME:0xADDRESS, 0xADDRESS. */
struct numbered {
	const char *word;
	size_t len; /* of the name; 0 = there is none */
	uint64_t number;
	bool is_address;
};

static bool read_number(struct numbered *numbered, const char *word)
{
	const char *colon = strrchr(word, ':');
	const char *digits = colon ? colon + 1 : word;
	char *end;

	*numbered = (struct numbered){ .word = word, .len = colon ? (size_t)(colon - word) : 0 };
	numbered->is_address = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	if (digits[0] < '0' || digits[0] > '9' || (!colon && !numbered->is_address) ||
	    colon == word)
		return false;
	errno = 0;
	numbered->number = strtoull(digits, &end, numbered->is_address ? 16 : 10);
	return errno == 0 && *end == '\0' && end > digits + (numbered->is_address ? 2 : 0) &&
	       numbered->number > 0;
}

static bool is_in(const struct numbered *numbered, const struct model *model, uint32_t object,
		  const struct model_line *line)
{
	struct name name;

	if (numbered->is_address) {
		name = model_name(model, NAME_OBJECT, object);
		return line->at.instr == numbered->number &&
		       (numbered->len == 0 ||
			filename_ends_in(&name, numbered->word, numbered->len));
	}
	name = model_name(model, NAME_FILE, line->file);
	return line->at.line == numbered->number && line->at.instr != 0 &&
	       filename_ends_in(&name, numbered->word, numbered->len);
}

static void add_numbered(struct code_choosing *choosing, const struct numbered *numbered)
{
	const struct model *model = choosing->basis->model;

	for (uint32_t i = 0; i < model->n_functions; i++) {
		uint32_t object = model->functions[i].object;
		struct model_cursor cursor;
		struct model_line line;

		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line))
			if (is_in(numbered, model, object, &line))
				add_address(choosing, object, line.at.instr);
	}
}

/* An address that costs nothing itself, in functions that do. */
static void add_around(struct code_choosing *choosing, const struct numbered *numbered)
{
	const struct model *model = choosing->basis->model;

	for (uint32_t i = 0; i < model->names[NAME_OBJECT].count; i++) {
		const struct name name = model_name(model, NAME_OBJECT, i);
		const struct code_object *object;
		struct code_stretch stretch;

		if (i == DICTIONARY_UNKNOWN ||
		    (numbered->len > 0 && !filename_ends_in(&name, numbered->word, numbered->len)))
			continue;
		object = code_objects_get(choosing->objects, i);
		stretch = code_object_stretch(object, numbered->number);
		if (stretch.symbol &&
		    code_object_function(object, stretch.start) != MODEL_NO_FUNCTION)
			add_address(choosing, i, numbered->number);
	}
}

int code_choice_add(struct code_choice *choice, const struct basis *basis,
		    struct code_objects *objects, const char *word, bool *found)
{
	struct code_choosing choosing = { choice, basis, objects, true, false };
	struct numbered numbered;
	int status = add_named(&choosing, word);

	if (!status && !choosing.found && read_number(&numbered, word)) {
		add_numbered(&choosing, &numbered);
		if (!choosing.found && numbered.is_address)
			add_around(&choosing, &numbered);
	}
	if (!status && !choosing.found)
		add_by_symbol(&choosing, word);
	*found = choosing.found;
	return status;
}

int code_choice_add_function(struct code_choice *choice, const struct basis *basis,
			     struct code_objects *objects, uint32_t function)
{
	struct code_choosing choosing = { choice, basis, objects, false, false };

	return add_function(&choosing, function);
}

static int compare_wishes(const void *a, const void *b)
{
	const struct code_wish *of_a = a, *of_b = b;

	if (of_a->object != of_b->object)
		return of_a->object < of_b->object ? -1 : 1;
	return (of_a->stretch.start > of_b->stretch.start) -
	       (of_a->stretch.start < of_b->stretch.start);
}

void code_choice_finish(struct code_choice *choice)
{
	size_t used = 0;

	if (choice->n > 0)
		qsort(choice->wishes, choice->n, sizeof(*choice->wishes), compare_wishes);
	for (size_t i = 0; i < choice->n; i++)
		if (used == 0 || compare_wishes(&choice->wishes[used - 1], &choice->wishes[i]) != 0)
			choice->wishes[used++] = choice->wishes[i];
		else
			choice->wishes[used - 1].is_named |= choice->wishes[i].is_named;
	choice->n = used;
}

void code_choice_release(struct code_choice *choice)
{
	free(choice->wishes);
	*choice = (struct code_choice){ .wishes = NULL };
}

const struct code_wish *code_choice_find(const struct code_choice *choice, uint32_t object,
					 uint64_t address)
{
	size_t low = 0, high = choice->n;

	/* The last one that begins at the address or before it. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct code_wish *wish = &choice->wishes[middle];

		if (wish->object < object ||
		    (wish->object == object && wish->stretch.start <= address))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || choice->wishes[low - 1].object != object ||
	    !code_stretch_has(&choice->wishes[low - 1].stretch, address))
		return NULL;
	return &choice->wishes[low - 1];
}

/* -- calls ------------------------------------------------------------------------ */

struct callwork_call {
	size_t place;
	uint64_t at;
	uint32_t callee;
	uint64_t count;
	uint64_t *costs;
};

void callwork_release(struct callwork *work)
{
	free(work->calls);
}

void callwork_add(struct callwork *work, size_t place, uint64_t at, const struct model_call *call)
{
	const struct model *model = work->model;
	uint64_t *row = row_new(work->arena, model->n_events);

	work->calls = heap_grow(work->calls, &work->capacity, work->n + 1, sizeof(*work->calls));
	memcpy(row, call->costs, model->n_events * sizeof(*row));
	work->calls[work->n++] =
		(struct callwork_call){ place, at, call->callee, call->count, row };
}

static int compare_calls(const void *a, const void *b)
{
	const struct callwork_call *of_a = a, *of_b = b;

	if (of_a->place != of_b->place)
		return of_a->place < of_b->place ? -1 : 1;
	if (of_a->at != of_b->at)
		return of_a->at < of_b->at ? -1 : 1;
	return (of_a->callee > of_b->callee) - (of_a->callee < of_b->callee);
}

static int compare_costs(const void *a, const void *b, void *ctx)
{
	const struct annotated_call *of_a = a, *of_b = b;
	const struct callwork *work = ctx;
	int order = columns_compare(work->columns, of_a->costs, of_b->costs);

	return order != 0 ? order : listing_compare_names(work->model, of_a->callee, of_b->callee);
}

int callwork_merge(struct callwork *work)
{
	const struct model *model = work->model;
	size_t used = 0;

	if (work->n > 0)
		qsort(work->calls, work->n, sizeof(*work->calls), compare_calls);
	for (size_t i = 0; i < work->n; i++) {
		const struct callwork_call *call = &work->calls[i];
		struct callwork_call *last = used > 0 ? &work->calls[used - 1] : NULL;

		if (!last || compare_calls(last, call) != 0) {
			work->calls[used++] = *call;
			continue;
		}
		if (!cost_add(&last->count, call->count, model->is_signed))
			return PROFILE_RANGE;
		row_add_nested(last->costs, call->costs, model->n_events, model->is_signed);
	}
	work->n = used;
	return PROFILE_OK;
}

void callwork_give(struct callwork *work, size_t place, uint64_t at,
		   const struct annotated_call **calls, size_t *n_calls)
{
	const struct callwork_call *from = work->calls + work->next;
	struct annotated_call *copies;
	size_t n = 0;

	while (work->next + n < work->n && from[n].place == place && from[n].at == at)
		n++;
	work->next += n;
	if (n == 0)
		return;
	copies = arena_alloc(work->arena, n * sizeof(*copies), 8);
	for (size_t i = 0; i < n; i++)
		copies[i] = (struct annotated_call){ from[i].callee, from[i].count, from[i].costs };
	qsort_r(copies, n, sizeof(*copies), compare_costs, work);
	*calls = copies;
	*n_calls = n;
}

/* -- costs of instructions -------------------------------------------------------- */

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
	code->instructions = heap_grow(code->instructions, &code->capacity, code->n + 1,
				       sizeof(*code->instructions));
	idtable_put(&code->addresses, address, (uint32_t)code->n);
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

/* The instruction at an address that is wanted, whose wish has the place; NULL if it is not. */
static struct gathered_instruction *find_instruction(struct code_gathering *gathering,
						     uint32_t function, uint64_t address,
						     size_t *place)
{
	const uint32_t object = gathering->basis->model->functions[function].object;
	const struct code_wish *wish =
		address != 0 ? code_choice_find(gathering->choice, object, address) : NULL;

	if (!wish)
		return NULL;
	*place = (size_t)(wish - gathering->choice->wishes);
	return instruction_of(gathering, *place, address);
}

static int gather_lines(struct code_gathering *gathering, uint32_t function)
{
	const struct model *model = gathering->basis->model;
	struct model_cursor cursor;
	struct model_line line;
	size_t place;

	model_lines(model, function, 0, &cursor);
	while (model_next_line(&cursor, &line)) {
		struct gathered_instruction *to =
			find_instruction(gathering, function, line.at.instr, &place);

		if (!to)
			continue;
		to->record.has_costs = true;
		note_line(to, line.file, line.at.line);
		if (!row_add(to->costs, line.costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	}
	return PROFILE_OK;
}

static void gather_calls(struct code_gathering *gathering, uint32_t function)
{
	const struct model *model = gathering->basis->model;
	struct model_cursor cursor;
	struct model_call call;
	size_t place;

	model_calls(model, function, 0, &cursor);
	while (model_next_call(&cursor, &call)) {
		struct gathered_instruction *from =
			find_instruction(gathering, function, call.at.instr, &place);

		if (!from)
			continue;
		note_line(from, call.file, call.at.line);
		callwork_add(&gathering->calls, place, call.at.instr, &call);
	}
}

static void gather_jumps(struct code_gathering *gathering, uint32_t function)
{
	const struct model *model = gathering->basis->model;
	struct model_cursor cursor;
	struct model_jump jump;
	size_t place;

	model_jumps(model, function, 0, &cursor);
	while (model_next_jump(&cursor, &jump)) {
		struct gathered_instruction *from =
			find_instruction(gathering, function, jump.at.instr, &place);

		if (!from)
			continue;
		gathering->jumps = heap_grow(gathering->jumps, &gathering->jumps_capacity,
					     gathering->n_jumps + 1, sizeof(*gathering->jumps));
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

/* The jumps of an instruction, beginning at *next, which is moved past them. */
static void give_jumps(struct code_gathering *gathering, size_t place, struct code_record *record,
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
		return;
	copies = arena_alloc(gathering->basis->arena, n * sizeof(*copies), 8);
	for (size_t i = 0; i < n; i++) {
		copies[i] = jumps[i].jump;
		copies[i].executed = executed_of(gathering, record, &jumps[i].jump);
	}
	record->jumps = copies;
	record->n_jumps = n;
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
			callwork_give(&gathering->calls, place, record->address, &record->calls,
				      &record->n_calls);
			give_jumps(gathering, place, record, &next_jump);
		}
	}
	return PROFILE_OK;
}

int codework_gather(struct code_records *lists, const struct code_choice *choice,
		    const struct basis *basis)
{
	struct code_gathering gathering = {
		.choice = choice,
		.basis = basis,
		.calls = { .model = basis->model, .columns = basis->columns, .arena = basis->arena },
		.code = heap_zeroed(choice->n, sizeof(*gathering.code)),
	};
	int status = PROFILE_OK;

	for (size_t i = 0; i < choice->n; i++)
		idtable_init(&gathering.code[i].addresses);
	for (uint32_t i = 0; !status && i < basis->model->n_functions; i++) {
		status = gather_lines(&gathering, i);
		gather_calls(&gathering, i);
		gather_jumps(&gathering, i);
	}
	if (!status)
		status = callwork_merge(&gathering.calls);
	if (!status)
		status = merge_jumps(&gathering);
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
