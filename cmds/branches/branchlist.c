/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows are chosen by what was counted; only those that are shown are looked up in objects and sources. */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/branches/branchlist.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/code/machinecode.h"
#include "profile/common/heap.h"

static const char *copy_name(struct branch_list *list, enum name_kind kind, uint32_t number)
{
	struct name name = model_name(list->model, kind, number);

	return arena_copy(&list->arena, name.text, name.len);
}

/* -- which branches ------------------------------------------------------------------------------- */

/* What a row is chosen by. */
static uint64_t weight(const struct branch_list *list, const struct branch_row *row)
{
	return list->options->sort == BRANCH_SORT_EXECUTED ? row->counts.executed
							   : row->counts.missed;
}

static int compare_counts(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct branch_row *of_a = a, *of_b = b;
	const struct branch_place *at_a = of_a->place, *at_b = of_b->place;
	/* Rates of misprediction, multiplied by both numbers of executions. */
	int128 rate_a = (int128)of_a->counts.missed * of_b->counts.executed;
	int128 rate_b = (int128)of_b->counts.missed * of_a->counts.executed;
	const struct branch_list *list = ctx;
	int order = 0;

	if (list->options->sort == BRANCH_SORT_RATE)
		order = (rate_a < rate_b) - (rate_a > rate_b);
	if (order == 0)
		order = compare_counts(weight(list, of_a), weight(list, of_b));
	if (order == 0)
		order = model_compare_names(list->model, NAME_OBJECT, at_a->object, at_b->object);
	if (order == 0)
		order = compare_counts(at_b->address, at_a->address);
	if (order == 0)
		order = model_compare_names(list->model, NAME_FILE, at_a->file, at_b->file);
	if (order == 0)
		order = compare_counts(at_b->line, at_a->line);
	return order != 0 ? order : (int)of_a->of - (int)of_b->of;
}

static void leave_out(struct branch_list *list, const struct branch_row *row)
{
	list->n_left++;
	list->left_missed += row->counts.missed;
}

static void choose(struct branch_list *list)
{
	const bool by_executed = list->options->sort == BRANCH_SORT_EXECUTED;
	const double total = (double)branchset_total(&list->set, !by_executed);
	size_t n = 0;

	list->rows = arena_alloc(&list->arena,
				 (list->set.n * N_BRANCH_CLASSES + 1) * sizeof(*list->rows), 8);
	for (size_t i = 0; i < list->set.n; i++) {
		for (int of = 0; of < N_BRANCH_CLASSES; of++) {
			const struct branch_place *place = &list->set.places[i];
			struct branch_row *row = &list->rows[n];
			uint64_t value;

			if (place->counts[branch_executed_event(of)] == 0)
				continue;
			*row = (struct branch_row){
				.place = place,
				.of = of,
				.counts.executed = place->counts[branch_executed_event(of)],
				.counts.missed = place->counts[branch_executed_event(of) + 1],
			};
			/* Several branches of a line may go several ways. */
			if (of == BRANCHES_CONDITIONAL && place->address != 0) {
				row->counts.has_taken = list->set.has[BRANCH_BCT];
				row->counts.taken = place->counts[BRANCH_BCT];
				row->counts.has_detail = list->has_detail;
				row->counts.by_counter = place->counts[BRANCH_BCB];
				row->counts.by_history = place->counts[BRANCH_BCH];
			}
			value = weight(list, row);
			if (value > 0 && (double)value * 100 >= list->options->threshold * total)
				n++;
			else
				leave_out(list, row);
		}
	}
	qsort_r(list->rows, n, sizeof(*list->rows), compare_rows, list);
	list->n = list->options->most > 0 && n > list->options->most ? list->options->most : n;
	for (size_t i = list->n; i < n; i++)
		leave_out(list, &list->rows[i]);
}

/* -- targets -------------------------------------------------------------------------------------- */

/* A row or a load of a row, to be found by its address. */
struct placed {
	uint32_t object;
	uint64_t address;
	struct branch_row *row;
	struct branch_load *load;
};

/* Executions of an indirect branch that went to one place. */
struct arrival {
	size_t row;  /* of the list */
	uint64_t to; /* a function's name, or an address */
	uint64_t line;
	uint32_t file;
	bool is_call;
	uint64_t count;
};

struct target_search {
	struct branch_list *list;
	struct placed *placed; /* rows; owned; by object, address */
	size_t n_placed;
	struct arrival *arrivals; /* owned */
	size_t n, capacity;
	bool has_conditional; /* jumps were collected */
};

static int compare_placed(const void *a, const void *b)
{
	const struct placed *of_a = a, *of_b = b;

	if (of_a->object != of_b->object)
		return of_a->object < of_b->object ? -1 : 1;
	return (of_a->address > of_b->address) - (of_a->address < of_b->address);
}

static struct branch_row *find_row(const struct target_search *search, uint32_t function,
				   uint64_t address)
{
	const struct placed key = {
		.object = search->list->model->functions[function].object,
		.address = address,
	};
	const struct placed *found = address != 0 ? bsearch(&key, search->placed, search->n_placed,
							    sizeof(key), compare_placed)
						  : NULL;

	return found ? found->row : NULL;
}

static void note_arrival(struct target_search *search, struct branch_row *row,
			 struct arrival arrival)
{
	row->kind = arrival.is_call ? BRANCH_INDIRECT_CALL : BRANCH_INDIRECT_JUMP;
	search->arrivals = heap_grow(search->arrivals, &search->capacity, search->n + 1,
				     sizeof(*search->arrivals));
	arrival.row = (size_t)(row - search->list->rows);
	search->arrivals[search->n++] = arrival;
}

/* False if a sum is too large. */
static bool take_jump(struct target_search *search, uint32_t function,
		      const struct model_jump *jump)
{
	struct branch_row *row = find_row(search, function, jump->at.instr);

	search->has_conditional |= jump->is_conditional && jump->at.instr != 0;
	if (!row)
		return true;
	if (row->of == BRANCHES_CONDITIONAL && jump->is_conditional) {
		row->counts.is_backward |= jump->target.instr < row->place->address;
		return search->list->set.has[BRANCH_BCT] ||
		       cost_add(&row->counts.taken, jump->followed, false);
	}
	if (row->of == BRANCHES_INDIRECT && !jump->is_conditional)
		note_arrival(search, row,
			     (struct arrival){
				     .to = jump->target.instr,
				     .line = jump->target.line,
				     .file = jump->target_file,
				     .count = jump->followed,
			     });
	return true;
}

static int compare_targets(const void *a, const void *b)
{
	const struct arrival *of_a = a, *of_b = b;

	if (of_a->row != of_b->row)
		return of_a->row < of_b->row ? -1 : 1;
	if (of_a->is_call != of_b->is_call)
		return (int)of_a->is_call - (int)of_b->is_call;
	return (of_a->to > of_b->to) - (of_a->to < of_b->to);
}

static int compare_arrivals(const void *a, const void *b)
{
	const struct arrival *of_a = a, *of_b = b;

	if (of_a->row != of_b->row)
		return of_a->row < of_b->row ? -1 : 1;
	if (of_a->count != of_b->count)
		return of_a->count > of_b->count ? -1 : 1;
	return compare_targets(a, b);
}

/* "f", "file.c:12", "0x1040" */
static const char *name_target(struct branch_list *list, const struct arrival *arrival)
{
	char number[40];
	int len = snprintf(number, sizeof(number), "0x%" PRIx64, arrival->to);

	if (arrival->is_call)
		return copy_name(list, NAME_FUNCTION, (uint32_t)arrival->to);
	if (arrival->line != 0 && arrival->file != DICTIONARY_UNKNOWN) {
		struct name name = model_name(list->model, NAME_FILE, arrival->file);
		char *text = arena_alloc(&list->arena, name.len + sizeof(number), 1);

		snprintf(text, name.len + sizeof(number), "%s:%" PRIu64, name.text, arrival->line);
		return text;
	}
	return arena_copy(&list->arena, number, (size_t)len);
}

/* Fills in the targets of rows, arrivals at one target added up; false if a sum is too large. */
static bool give_targets(struct target_search *search)
{
	struct branch_list *list = search->list;
	size_t used = 0;

	if (search->n > 0)
		qsort(search->arrivals, search->n, sizeof(*search->arrivals), compare_targets);
	for (size_t i = 0; i < search->n; i++) {
		const struct arrival *arrival = &search->arrivals[i];
		struct arrival *last = used > 0 ? &search->arrivals[used - 1] : NULL;

		if (!last || compare_targets(last, arrival) != 0)
			search->arrivals[used++] = *arrival;
		else if (!cost_add(&last->count, arrival->count, false))
			return false;
	}
	if (used > 0)
		qsort(search->arrivals, used, sizeof(*search->arrivals), compare_arrivals);
	for (size_t i = 0; i < used; i++) {
		const struct arrival *arrival = &search->arrivals[i];
		struct branch_row *row = &list->rows[arrival->row];

		if (!cost_add(&row->n_arrived, arrival->count, false))
			return false;
		if (row->n_first < BRANCH_MOST_TARGETS)
			row->targets[row->n_first++] = (struct branch_target){
				.name = name_target(list, arrival),
				.count = arrival->count,
			};
		row->n_targets++;
	}
	return true;
}

/*
 * Finds targets, by jumps and calls of the profile; and of conditional branches how often they were taken, if no event
 * says so, and which way they jump.  False if a sum is too large.
 */
static bool find_targets(struct branch_list *list)
{
	const struct model *model = list->model;
	struct target_search search = {
		.list = list,
		.placed = heap_alloc(list->n * sizeof(*search.placed)),
	};
	bool is_fine = true;

	for (size_t i = 0; i < list->n; i++) {
		struct branch_row *row = &list->rows[i];

		if (row->place->address != 0 && row->of != BRANCHES_RETURN)
			search.placed[search.n_placed++] = (struct placed){
				.object = row->place->object,
				.address = row->place->address,
				.row = row,
			};
	}
	qsort(search.placed, search.n_placed, sizeof(*search.placed), compare_placed);
	for (uint32_t i = 0; is_fine && i < model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_jump jump;
		struct model_call call;

		model_jumps(model, i, 0, &cursor);
		while (is_fine && model_next_jump(&cursor, &jump))
			is_fine = take_jump(&search, i, &jump);
		model_calls(model, i, 0, &cursor);
		while (model_next_call(&cursor, &call)) {
			struct branch_row *row = find_row(&search, i, call.at.instr);

			if (row && row->of == BRANCHES_INDIRECT)
				note_arrival(&search, row,
					     (struct arrival){
						     .to = model->functions[call.callee].name,
						     .is_call = true,
						     .count = call.count,
					     });
		}
	}
	is_fine = is_fine && give_targets(&search);
	free(search.arrivals);
	free(search.placed);
	if (list->has_taken || !search.has_conditional)
		return is_fine;
	list->has_taken = true;
	/* There is no line of branches that were never taken. */
	for (size_t i = 0; i < list->n; i++) {
		struct branch_row *row = &list->rows[i];

		if (row->of == BRANCHES_CONDITIONAL && row->place->address != 0)
			row->counts.has_taken = row->counts.taken <= row->counts.executed;
	}
	return is_fine;
}

/* -- texts ---------------------------------------------------------------------------------------- */

enum { MOST_SOURCE = 160 }; /* bytes of a line that are shown */

/* Names the function that has the code, whatever is inlined there. */
static void name_function(struct branch_list *list, struct branch_row *row)
{
	row->number = row->place->function;
	if (row->code) {
		struct code_stretch stretch = code_object_stretch(row->code, row->place->address);
		uint32_t number = code_object_function(row->code, stretch.start);

		row->function =
			code_object_copy_name(row->code, list->model, &stretch, &list->arena);
		if (number != MODEL_NO_FUNCTION)
			row->number = number;
	}
	if (!row->function || row->function[0] == '\0')
		row->function =
			copy_name(list, NAME_FUNCTION, list->model->functions[row->number].name);
}

static void take_source(struct branch_list *list, struct code_sources *sources,
			struct branch_row *row)
{
	const struct code_source *source;
	char line[MOST_SOURCE];
	const char *text;
	uint32_t place;
	size_t len, n = 0;

	if (!list->options->policy || row->place->line == 0)
		return;
	code_sources_file(sources, row->place->file, &place);
	if (place == CODE_NO_SOURCE)
		return;
	source = &sources->sources[place];
	if (!source->is_found || row->place->line > source->text.n_lines ||
	    !sourcetext_is_text(&source->text))
		return;
	/* With one blank where there are several, or tabs, and none around it. */
	text = sourcetext_line(&source->text, (size_t)row->place->line, &len);
	for (size_t i = 0; i < len && n < sizeof(line); i++) {
		if (!strchr(" \t\r\f\v", text[i]) || text[i] == '\0')
			line[n++] = text[i];
		else if (n > 0 && line[n - 1] != ' ')
			line[n++] = ' ';
	}
	row->source = arena_copy(&list->arena, line, n - (n > 0 && line[n - 1] == ' '));
}

/* The text of the instruction at an address, "jl 0x1040 <main+0x10>"; NULL if there is no code. */
static const char *print_instruction(struct branch_list *list, const struct code_object *object,
				     uint64_t address, struct disassembled *instruction)
{
	const char *label = "", *operands = instruction->operands;
	size_t len, size;
	const unsigned char *code = objectfile_code(object->file, address, &len);
	char *text;

	if (!code)
		return NULL;
	disassembly_next(object->text, code, len, address, instruction);
	if (instruction->has_target || instruction->has_reference)
		label = code_object_label(object, list->model,
					  instruction->has_target ? instruction->target
								  : instruction->reference,
					  &list->arena);
	size = strlen(instruction->mnemonic) + strlen(operands) + strlen(label) + sizeof("  <>");
	text = arena_alloc(&list->arena, size, 1);
	snprintf(text, size, "%s%s%s%s%s%s", instruction->mnemonic, *operands ? " " : "", operands,
		 *label ? " <" : "", label, *label ? ">" : "");
	return text;
}

static void take_condition(struct branch_list *list, struct branch_row *row)
{
	struct condition condition;
	struct disassembled call;

	condition_find(&condition, row->code, row->place->address, &list->arena);
	if (condition.jump.len > 0 && condition.jump.has_target)
		row->counts.is_backward = condition.jump.target < row->place->address;
	row->n_loads = condition.n_loads;
	for (size_t i = 0; i < condition.n_loads; i++) {
		const struct condition_load *from = &condition.loads[i];

		row->loads[i] = (struct branch_load){
			.address = from->address,
			.operand = from->operand,
			.name = from->has_reference
					? code_object_label(row->code, list->model, from->reference,
							    &list->arena)
					: "",
		};
	}
	if (!condition.has_call)
		return;
	row->call = condition.call;
	row->call_text = print_instruction(list, row->code, condition.call, &call);
}

static void take_code(struct branch_list *list, struct branch_row *row)
{
	struct disassembled instruction;

	if (!row->code || row->code->wrong)
		return;
	row->instruction = print_instruction(list, row->code, row->place->address, &instruction);
	/* Which of the two it is, even if no call or jump is recorded. */
	if (row->of == BRANCHES_INDIRECT && row->instruction) {
		if (instruction.kind == INSTRUCTION_CALL)
			row->kind = BRANCH_INDIRECT_CALL;
		else if (instruction.kind == INSTRUCTION_JUMP)
			row->kind = BRANCH_INDIRECT_JUMP;
	}
	if (row->of == BRANCHES_CONDITIONAL)
		take_condition(list, row);
}

/* Gives all loads the lines that the profile has at their addresses. */
static void find_load_lines(struct branch_list *list)
{
	struct placed *loads = heap_alloc(list->n * CONDITION_MOST_LOADS * sizeof(*loads));
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		for (size_t j = 0; j < list->rows[i].n_loads; j++)
			loads[n++] = (struct placed){
				.object = list->rows[i].place->object,
				.address = list->rows[i].loads[j].address,
				.load = &list->rows[i].loads[j],
			};
	qsort(loads, n, sizeof(*loads), compare_placed);
	for (uint32_t i = 0; n > 0 && i < list->model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		model_lines(list->model, i, 0, &cursor);
		while (model_next_line(&cursor, &line)) {
			const struct placed key = { .object = list->model->functions[i].object,
						    .address = line.at.instr };
			struct placed *found;

			if (line.at.line == 0 || line.file == DICTIONARY_UNKNOWN)
				continue;
			found = bsearch(&key, loads, n, sizeof(key), compare_placed);
			if (!found || found->load->line != 0)
				continue;
			/* Several branches may depend on one load. */
			while (found > loads && compare_placed(found - 1, &key) == 0)
				found--;
			for (; found < loads + n && compare_placed(found, &key) == 0; found++) {
				found->load->line = line.at.line;
				found->load->file = copy_name(list, NAME_FILE, line.file);
			}
		}
	}
	free(loads);
}

/* Fills in texts, from objects and sources that are there; and by its code which way a conditional branch jumps. */
static void make_texts(struct branch_list *list)
{
	struct code_sources sources;

	code_sources_init(&sources, list->model, list->options->policy, NULL);
	for (size_t i = 0; i < list->n; i++) {
		struct branch_row *row = &list->rows[i];
		const struct branch_place *place = row->place;

		if (place->address != 0 && !list->options->no_code)
			row->code = code_objects_get(&list->objects, place->object);
		name_function(list, row);
		row->object = copy_name(list, NAME_OBJECT, place->object);
		if (place->file != DICTIONARY_UNKNOWN)
			row->file = copy_name(list, NAME_FILE, place->file);
		take_code(list, row);
		take_source(list, &sources, row);
	}
	find_load_lines(list);
	code_sources_release(&sources);
}

/* -- all of it ------------------------------------------------------------------------------------ */

int branchlist_make(struct branch_list *list, const struct model *model,
		    const struct branchlist_options *options)
{
	int status;

	*list = (struct branch_list){
		.model = model,
		.options = options,
		.objects = {
			.options = &options->objects,
			.syntax = options->syntax,
			.oldest = options->oldest,
		},
	};
	arena_init(&list->arena);
	code_objects_init(&list->objects, model);
	status = branchset_make(&list->set, model);
	if (status)
		return status;
	list->has_taken = list->set.has[BRANCH_BCT];
	list->has_detail = list->has_taken && list->set.has[BRANCH_BCB] &&
			   list->set.has[BRANCH_BCH];
	choose(list);
	if (!find_targets(list))
		return PROFILE_RANGE;
	make_texts(list);
	for (size_t i = 0; i < list->n; i++) {
		struct branch_row *row = &list->rows[i];

		if (row->of == BRANCHES_RETURN)
			row->kind = BRANCH_RETURN;
		else if (row->of == BRANCHES_CONDITIONAL)
			row->kind = branchkind_find(&row->counts);
		else if (row->kind == BRANCH_UNSORTED)
			row->kind = BRANCH_INDIRECT;
		row->is_hard = row->of == BRANCHES_CONDITIONAL && row->place->address != 0 &&
			       branchkind_is_hard(row->counts.executed, row->counts.missed,
						  list->set.instructions);
		list->has_lines_only |= row->place->address == 0;
	}
	return PROFILE_OK;
}

void branchlist_release(struct branch_list *list)
{
	code_objects_release(&list->objects);
	branchset_release(&list->set);
	arena_release(&list->arena);
}
