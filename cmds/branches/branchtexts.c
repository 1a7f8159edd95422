/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/branches/branchtexts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/code/machinecode.h"
#include "profile/common/heap.h"

enum { MOST_SOURCE = 160 }; /* bytes of a line that are shown */

/* A load of a row, to find its line in the profile. */
struct placed_load {
	uint32_t object;
	uint64_t address;
	struct branch_load *load;
};

struct text_making {
	struct branch_list *list;
	struct code_sources sources;
	struct placed_load *loads; /* owned */
	size_t n_loads;
};

/* -- names ----------------------------------------------------------------------------------------- */

static const char *copy_name(struct branch_list *list, enum name_kind kind, uint32_t number)
{
	struct name name = model_name(list->model, kind, number);

	return arena_copy(&list->arena, name.text, name.len);
}

/* Of the function that has the code, whatever is inlined there; NULL if memory ran out. */
static const char *name_function(struct branch_list *list, struct branch_row *row)
{
	const char *name = "";

	row->number = row->place->function;
	if (row->code) {
		struct code_stretch stretch = code_object_stretch(row->code, row->place->address);
		uint32_t number = code_object_function(row->code, stretch.start);

		name = code_object_copy_name(row->code, list->model, &stretch, &list->arena);
		if (number != MODEL_NO_FUNCTION)
			row->number = number;
	}
	if (name && name[0] == '\0')
		return copy_name(list, NAME_FUNCTION, list->model->functions[row->number].name);
	return name;
}

/* -- sources --------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* A line with one blank where there are several, or tabs, and none around it; NULL if memory ran out. */
static const char *copy_line(struct arena *arena, const char *text, size_t len)
{
	char line[MOST_SOURCE];
	size_t n = 0;

	for (size_t i = 0; i < len && n < sizeof(line); i++) {
		if (!is_blank(text[i]))
			line[n++] = text[i];
		else if (n > 0 && line[n - 1] != ' ')
			line[n++] = ' ';
	}
	if (n > 0 && line[n - 1] == ' ')
		n--;
	return arena_copy(arena, line, n);
}

static int take_source(struct text_making *making, struct branch_row *row)
{
	const struct code_source *source;
	const char *text;
	uint32_t place;
	size_t len;

	if (!making->list->options->policy || row->place->line == 0)
		return PROFILE_OK;
	if (!code_sources_file(&making->sources, row->place->file, &place))
		return PROFILE_NO_MEMORY;
	if (place == CODE_NO_SOURCE)
		return PROFILE_OK;
	source = &making->sources.sources[place];
	if (!source->is_found || row->place->line > source->text.n_lines ||
	    !sourcetext_is_text(&source->text))
		return PROFILE_OK;
	text = sourcetext_line(&source->text, (size_t)row->place->line, &len);
	row->source = copy_line(&making->list->arena, text, len);
	return row->source ? PROFILE_OK : PROFILE_NO_MEMORY;
}

/* -- code ------------------------------------------------------------------------------------------ */

/* "jl 0x1040 <main+0x10>"; NULL if memory ran out. */
static const char *print_instruction(struct branch_list *list, const struct code_object *object,
				     const struct disassembled *text)
{
	const char *label = "", *operands = text->operands;
	size_t size;
	char *out;

	if (text->has_target || text->has_reference)
		label = code_object_label(object, list->model,
					  text->has_target ? text->target : text->reference,
					  &list->arena);
	if (!label)
		return NULL;
	size = strlen(text->mnemonic) + strlen(operands) + strlen(label) + sizeof("  <>");
	out = arena_alloc(&list->arena, size, 1);
	if (out)
		snprintf(out, size, "%s%s%s%s%s%s", text->mnemonic, *operands ? " " : "", operands,
			 *label ? " <" : "", label, *label ? ">" : "");
	return out;
}

/* The text of the instruction at an address; *text is NULL if there is no code. */
static int show_instruction(struct branch_list *list, const struct code_object *object,
			    uint64_t address, const char **text)
{
	struct disassembled instruction;
	size_t len;
	const unsigned char *code = objectfile_code(object->file, address, &len);

	*text = NULL;
	if (!code)
		return PROFILE_OK;
	disassembly_next(object->text, code, len, address, &instruction);
	*text = print_instruction(list, object, &instruction);
	return *text ? PROFILE_OK : PROFILE_NO_MEMORY;
}

static int take_loads(struct branch_list *list, struct branch_row *row,
		      const struct condition *condition)
{
	for (size_t i = 0; i < condition->n_loads; i++) {
		const struct condition_load *from = &condition->loads[i];
		struct branch_load *to = &row->loads[i];

		*to = (struct branch_load){
			.address = from->address,
			.operand = from->operand,
			.name = "",
		};
		if (from->has_reference)
			to->name = code_object_label(row->code, list->model, from->reference,
						     &list->arena);
		if (!to->name)
			return PROFILE_NO_MEMORY;
	}
	row->n_loads = condition->n_loads;
	if (!condition->has_call)
		return PROFILE_OK;
	row->call = condition->call;
	return show_instruction(list, row->code, condition->call, &row->call_text);
}

/* Which of the two it is, if no call or jump is recorded. */
static void note_indirect(struct branch_row *row)
{
	struct disassembled instruction;
	size_t len;
	const unsigned char *code = objectfile_code(row->code->file, row->place->address, &len);

	disassembly_next(row->code->text, code, len, row->place->address, &instruction);
	if (instruction.kind == INSTRUCTION_CALL)
		row->kind = BRANCH_INDIRECT_CALL;
	else if (instruction.kind == INSTRUCTION_JUMP)
		row->kind = BRANCH_INDIRECT_JUMP;
}

static int take_code(struct branch_list *list, struct branch_row *row)
{
	const uint64_t address = row->place->address;
	struct condition condition;
	int status;

	if (!row->code || row->code->wrong)
		return PROFILE_OK;
	status = show_instruction(list, row->code, address, &row->instruction);
	if (status)
		return status;
	if (row->of == BRANCHES_INDIRECT && row->instruction)
		note_indirect(row);
	if (row->of != BRANCHES_CONDITIONAL)
		return PROFILE_OK;
	status = condition_find(&condition, row->code, address, &list->arena);
	if (status)
		return status;
	if (condition.jump.len > 0 && condition.jump.has_target)
		row->counts.is_backward = condition.jump.target < address;
	return take_loads(list, row, &condition);
}

/* -- lines of loads -------------------------------------------------------------------------------- */

static int compare_loads(const void *a, const void *b)
{
	const struct placed_load *of_a = a, *of_b = b;

	if (of_a->object != of_b->object)
		return of_a->object < of_b->object ? -1 : 1;
	return (of_a->address > of_b->address) - (of_a->address < of_b->address);
}

static bool place_loads(struct text_making *making)
{
	struct branch_list *list = making->list;

	making->loads =
		heap_zeroed(&heap_env, list->n * CONDITION_MOST_LOADS + 1, sizeof(*making->loads));
	if (!making->loads)
		return false;
	for (size_t i = 0; i < list->n; i++)
		for (size_t j = 0; j < list->rows[i].n_loads; j++)
			making->loads[making->n_loads++] = (struct placed_load){
				list->rows[i].place->object,
				list->rows[i].loads[j].address,
				&list->rows[i].loads[j],
			};
	qsort(making->loads, making->n_loads, sizeof(*making->loads), compare_loads);
	return true;
}

/* A line of the profile, as that of all loads that are there. */
static int note_line(struct text_making *making, uint32_t object, const struct model_line *line)
{
	const struct placed_load key = { .object = object, .address = line->at.instr };
	struct placed_load *end = making->loads + making->n_loads, *found;

	found = bsearch(&key, making->loads, making->n_loads, sizeof(key), compare_loads);
	if (!found || found->load->line != 0)
		return PROFILE_OK;
	/* Several branches may depend on one load. */
	while (found > making->loads && compare_loads(found - 1, &key) == 0)
		found--;
	for (; found < end && compare_loads(found, &key) == 0; found++) {
		found->load->line = line->at.line;
		found->load->file = copy_name(making->list, NAME_FILE, line->file);
		if (!found->load->file)
			return PROFILE_NO_MEMORY;
	}
	return PROFILE_OK;
}

static int find_lines(struct text_making *making)
{
	const struct model *model = making->list->model;
	int status = PROFILE_OK;

	for (uint32_t i = 0; making->n_loads > 0 && !status && i < model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		model_lines(model, i, 0, &cursor);
		while (!status && model_next_line(&cursor, &line))
			if (line.at.line != 0 && line.file != DICTIONARY_UNKNOWN)
				status = note_line(making, model->functions[i].object, &line);
	}
	return status;
}

/* -- all of it ------------------------------------------------------------------------------------- */

static int make_row(struct text_making *making, struct branch_row *row)
{
	struct branch_list *list = making->list;
	const struct branch_place *place = row->place;
	int status;

	if (place->address != 0 && !list->options->no_code) {
		row->code = code_objects_get(&list->objects, place->object);
		if (!row->code)
			return PROFILE_NO_MEMORY;
	}
	row->function = name_function(list, row);
	row->object = copy_name(list, NAME_OBJECT, place->object);
	if (place->file != DICTIONARY_UNKNOWN)
		row->file = copy_name(list, NAME_FILE, place->file);
	if (!row->function || !row->object || (place->file != DICTIONARY_UNKNOWN && !row->file))
		return PROFILE_NO_MEMORY;
	status = take_code(list, row);
	return status ? status : take_source(making, row);
}

int branchtexts_make(struct branch_list *list)
{
	struct text_making making = { .list = list };
	int status = PROFILE_OK;

	code_sources_init(&making.sources, list->model, list->options->policy, NULL);
	for (size_t i = 0; !status && i < list->n; i++)
		status = make_row(&making, &list->rows[i]);
	if (!status)
		status = place_loads(&making) ? find_lines(&making) : PROFILE_NO_MEMORY;
	code_sources_release(&making.sources);
	free(making.loads);
	return status;
}
