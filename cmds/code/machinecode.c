/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/code/machinecode.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/analysis/inclusive.h"
#include "profile/common/dictionary.h"
#include "profile/common/heap.h"

/* -- source lines -------------------------------------------------------------- */

void code_sources_init(struct code_sources *sources, const struct model *model,
		       struct read_policy *policy, struct name_rules *rules)
{
	*sources = (struct code_sources){
		.model = model,
		.policy = policy,
		.rules = rules,
	};
	idtable_init(&sources->by_file);
	idtable_init(&sources->by_name);
	dictionary_init(&sources->names);
}

void code_sources_release(struct code_sources *sources)
{
	for (size_t i = 0; i < sources->n; i++)
		if (sources->sources[i].is_found)
			sourcetext_release(&sources->sources[i].text);
	free(sources->sources);
	sources->sources = NULL;
	sources->n = 0;
	if (!sources->model)
		return;
	idtable_release(&sources->by_file);
	idtable_release(&sources->by_name);
	dictionary_release(&sources->names);
}

static uint32_t add(struct code_sources *sources, const char *name)
{
	struct code_source *source;

	sources->sources = heap_grow(sources->sources, &sources->capacity, sources->n + 1,
				     sizeof(*sources->sources));
	source = &sources->sources[sources->n++];
	*source = (struct code_source){ .name = name };
	source->is_found = sources->policy && sourcetext_find(&source->text, name, sources->policy);
	return (uint32_t)(sources->n - 1);
}

void code_sources_file(struct code_sources *sources, uint32_t file, uint32_t *place)
{
	*place = idtable_get(&sources->by_file, file);
	if (*place != IDTABLE_NONE)
		return;
	*place = CODE_NO_SOURCE;
	if (file == DICTIONARY_UNKNOWN)
		return;
	*place = add(sources, model_name(sources->model, NAME_FILE, file).text);
	idtable_put(&sources->by_file, file, *place);
}

/* The file of the profile that has the same name. */
static uint32_t find_file(const struct code_sources *sources, const char *name, size_t len)
{
	char *clean = heap_alloc(len + 1);
	uint32_t file;

	len = filename_clean(name, len, clean);
	file = dictionary_find(&sources->model->names[NAME_FILE], clean, len);
	free(clean);
	return file;
}

void code_sources_name(struct code_sources *sources, const char *name, uint32_t *place)
{
	uint32_t key = dictionary_intern(&sources->names, name, strlen(name)), file, shown = key;
	struct profile_error error;
	size_t len = strlen(name);

	*place = idtable_get(&sources->by_name, key);
	if (*place != IDTABLE_NONE)
		return;
	/* A name without a normal form stays as it is; names in profiles have one. */
	if (sources->rules &&
	    name_rules_apply(sources->rules, NAME_FILE, &name, &len, &error) == PROFILE_OK)
		shown = dictionary_intern(&sources->names, name, len);
	file = find_file(sources, name, len);
	if (file != DICTIONARY_NONE && file != DICTIONARY_UNKNOWN)
		code_sources_file(sources, file, place);
	else
		*place = add(sources, dictionary_name(&sources->names, shown).text);
	idtable_put(&sources->by_name, key, *place);
}

/* A name of debug information means this file of the profile, if it was not noted before. */
static void sources_note(struct code_sources *sources, const char *name, uint32_t file)
{
	uint32_t key = dictionary_intern(&sources->names, name, strlen(name)), place;

	if (idtable_get(&sources->by_name, key) != IDTABLE_NONE)
		return;
	code_sources_file(sources, file, &place);
	if (place != CODE_NO_SOURCE)
		idtable_put(&sources->by_name, key, place);
}

/* -- the instructions of one function -------------------------------------------------- */

/*
 * Code is decoded twice: first all of it, for where instructions begin; then what is shown, for
 * its texts.
 */

#define NO_RECORD SIZE_MAX

struct listing_step {
	uint64_t address;
	unsigned char len; /* bytes; 0 = there is no code */
	bool is_broken;    /* the profile has an instruction that begins within it */
	size_t record;     /* or NO_RECORD */
};

struct stepping {
	struct code_function *function;
	const struct code_records *records;
	const struct basis *basis;
	uint64_t context; /* instructions to list about each that has a record */
	bool adds_jumps;  /* those seen in instructions, as none are recorded */
	struct listing_step *steps;
	size_t n, capacity;
	size_t next_record;
};

static void add_step(struct stepping *stepping, uint64_t address, size_t len, bool is_broken)
{
	const struct code_records *records = stepping->records;
	struct listing_step step = { address, (unsigned char)len, is_broken, NO_RECORD };

	if (stepping->next_record < records->n &&
	    records->records[stepping->next_record].address == address)
		step.record = stepping->next_record++;
	stepping->steps = heap_grow(stepping->steps, &stepping->capacity, stepping->n + 1,
				    sizeof(*stepping->steps));
	stepping->steps[stepping->n++] = step;
}

/* The code at an address, up to the end of the stretch; NULL if there is none, or no disassembler. */
static const unsigned char *code_at(const struct stepping *stepping, uint64_t address, size_t *len)
{
	const struct code_function *function = stepping->function;
	const unsigned char *code;

	*len = 0;
	if (!function->object->text || address >= function->stretch.end)
		return NULL;
	code = objectfile_code(function->object->file, address, len);
	if (*len > function->stretch.end - address)
		*len = function->stretch.end - address;
	return code;
}

/* Steps from an address to where the profile goes on, or as far as is shown. */
static void step_on(struct stepping *stepping, uint64_t address)
{
	const struct code_records *records = stepping->records;
	uint64_t after = 0;

	for (;;) {
		struct disassembled instruction;
		uint64_t next = UINT64_MAX;
		bool is_broken;
		size_t len;
		const unsigned char *code = code_at(stepping, address, &len);

		if (!code || (stepping->next_record == records->n && after++ > stepping->context))
			return;
		disassembly_next(stepping->function->object->text, code, len, address,
				 &instruction);
		len = instruction.len;
		/* What comes next, but the record of this very instruction. */
		for (size_t i = stepping->next_record; i < records->n && next == UINT64_MAX; i++)
			if (records->records[i].address > address)
				next = records->records[i].address;
		is_broken = next - address < len;
		if (is_broken) {
			len = (size_t)(next - address);
			stepping->function->object->n_out_of_step++;
		}
		add_step(stepping, address, len, is_broken);
		address += len;
	}
}

static void step_through(struct stepping *stepping)
{
	const struct code_records *records = stepping->records;
	const struct code_stretch *stretch = &stepping->function->stretch;
	size_t len;

	/* A symbol begins with an instruction; other stretches perhaps with data. */
	if (stretch->symbol)
		step_on(stepping, stretch->start);
	while (stepping->next_record < records->n) {
		uint64_t address = records->records[stepping->next_record].address;

		if (code_at(stepping, address, &len)) {
			step_on(stepping, address);
			continue;
		}
		if (stepping->function->object->file)
			stepping->function->object->n_outside++;
		add_step(stepping, address, 0, false);
	}
}

/* -- texts --------------------------------------------------------------------------- */

static const char *copy(struct arena *arena, const char *text)
{
	return text[0] == '\0' ? "" : arena_copy(arena, text, strlen(text));
}

/* "<main+0x12>", "# 0x4018 <stdout>" */
static const char *note_of(const struct stepping *stepping, const struct disassembled *instruction)
{
	const struct basis *basis = stepping->basis;
	char number[32] = "";
	const char *label;
	char *note;
	size_t size;

	if (!instruction->has_target && !instruction->has_reference)
		return "";
	/* AArch64 has the address itself among its operands. */
	if (!instruction->has_target &&
	    objectfile_machine(stepping->function->object->file) != MACHINE_AARCH64)
		snprintf(number, sizeof(number), "# 0x%" PRIx64, instruction->reference);
	label = code_object_label(stepping->function->object, basis->model,
				  instruction->has_target ? instruction->target
							  : instruction->reference,
				  basis->arena);
	if (label[0] == '\0')
		return copy(basis->arena, number);
	size = strlen(number) + strlen(label) + sizeof(" <>");
	note = arena_alloc(basis->arena, size, 1);
	snprintf(note, size, "%s%s<%s>", number, number[0] != '\0' ? " " : "", label);
	return note;
}

static void write_instruction(const struct stepping *stepping, const struct listing_step *step,
			      bool is_behind_gap, struct code_instruction *to)
{
	struct arena *arena = stepping->basis->arena;
	struct disassembled text;
	struct code_jump *jump;
	size_t len;

	*to = (struct code_instruction){
		.address = step->address,
		.source = CODE_NO_SOURCE,
		.is_behind_gap = is_behind_gap,
		.mnemonic = "",
		.operands = "",
		.note = "",
		.bytes = step->len > 0 ? code_at(stepping, step->address, &len) : NULL,
	};
	if (step->record != NO_RECORD) {
		to->record = &stepping->records->records[step->record];
		to->jumps = to->record->jumps;
		to->n_jumps = to->record->n_jumps;
	}
	if (!to->bytes)
		return;
	to->len = step->len;
	/* The part of a broken one is no instruction. */
	disassembly_next(stepping->function->object->text, to->bytes, step->len, step->address,
			 &text);
	if (text.len < step->len || step->is_broken)
		disassembly_bytes(to->bytes, step->len, &text);
	to->mnemonic = copy(arena, text.mnemonic);
	to->operands = copy(arena, text.operands);
	to->note = note_of(stepping, &text);
	/* A jump within the function that is not recorded. */
	if (!stepping->adds_jumps || !to->record || !text.has_target ||
	    (text.kind != INSTRUCTION_JUMP && text.kind != INSTRUCTION_CONDITIONAL) ||
	    !code_stretch_has(&stepping->function->stretch, text.target))
		return;
	jump = arena_alloc(arena, sizeof(*jump), 8);
	*jump = (struct code_jump){
		.target = text.target,
		.is_conditional = text.kind == INSTRUCTION_CONDITIONAL,
	};
	to->jumps = jump;
	to->n_jumps = 1;
}

/* Marks what is near to something recorded; returns how many. */
static size_t mark_shown(const struct stepping *stepping, bool *shown)
{
	uint64_t context = stepping->context, left = 0;
	size_t n_shown = 0;

	for (size_t i = 0; i < stepping->n; i++) {
		if (stepping->steps[i].record != NO_RECORD)
			left = context + 1;
		shown[i] = left > 0;
		left -= left > 0;
	}
	left = 0;
	for (size_t i = stepping->n; i-- > 0;) {
		if (stepping->steps[i].record != NO_RECORD)
			left = context + 1;
		shown[i] |= left > 0;
		left -= left > 0;
		n_shown += shown[i];
	}
	return n_shown;
}

/*
 * Fills instructions of a function from its stretch and what is recorded in it: bytes, texts, records,
 * jumps, gaps.  Where the profile has an instruction, one begins.  Texts are the arena's.
 */
static void list_instructions(struct stepping *stepping)
{
	struct code_function *function = stepping->function;
	const struct listing_step *last = NULL;
	bool *shown;

	step_through(stepping);
	shown = heap_zeroed(stepping->n, sizeof(*shown));
	function->instructions =
		arena_alloc(stepping->basis->arena,
			    (mark_shown(stepping, shown) + 1) * sizeof(*function->instructions), 8);
	for (size_t i = 0; i < stepping->n; i++) {
		const struct listing_step *step = &stepping->steps[i];
		bool is_behind_gap = step->address != function->stretch.start;

		if (!shown[i])
			continue;
		if (last) /* as far as one can know */
			is_behind_gap = last->len > 0 && last->address + last->len != step->address;
		write_instruction(stepping, step, is_behind_gap,
				  &function->instructions[function->n++]);
		last = step;
	}
	if (last)
		function->is_cut = last->len > 0 &&
				   last->address + last->len < function->stretch.end;
	free(shown);
	free(stepping->steps);
}

/* -- functions ------------------------------------------------------------------------- */

struct machinecode_making {
	struct machinecode *code;
	const struct basis *basis;
	const struct listing *listing;
	const struct machinecode_options *options;
	struct code_choice choice;
	struct code_records *lists; /* by wish */
};

/* -- which functions ------------------------------------------------------------------ */

static int choose(struct machinecode_making *making)
{
	const struct machinecode_options *options = making->options;
	struct machinecode *code = making->code;
	int status = PROFILE_OK;

	for (size_t i = 0; !status && i < options->n_wanted; i++) {
		bool found;

		status = code_choice_add(&making->choice, making->basis, &code->objects,
					 options->wanted[i], &found);
		if (!found && !code->unknown)
			code->unknown = options->wanted[i];
	}
	for (size_t i = 0; !status && options->automatic && i < making->listing->n; i++)
		status = code_choice_add_function(&making->choice, making->basis, &code->objects,
						  making->listing->entries[i].function);
	code_choice_finish(&making->choice);
	code->unplaced = making->choice.unplaced;
	return status;
}

static int compare_functions(const void *a, const void *b, void *ctx)
{
	const struct code_function *of_a = a, *of_b = b;
	const struct machinecode_making *making = ctx;
	int order = columns_compare(making->basis->columns, of_a->costs, of_b->costs);

	if (order != 0)
		return order;
	order = strcmp(of_a->name, of_b->name);
	if (order != 0)
		return order;
	order = strcmp(of_a->object->name, of_b->object->name);
	if (order != 0)
		return order;
	return (of_a->stretch.start > of_b->stretch.start) -
	       (of_a->stretch.start < of_b->stretch.start);
}

static void make_functions(struct machinecode_making *making)
{
	const struct code_choice *choice = &making->choice;
	struct machinecode *code = making->code;

	code->functions =
		arena_alloc(making->basis->arena, (choice->n + 1) * sizeof(*code->functions), 8);
	for (size_t i = 0; i < choice->n; i++) {
		const struct code_wish *wish = &choice->wishes[i];
		const struct code_records *list = &making->lists[i];
		struct code_function *function = &code->functions[code->n];
		const char *name;
		size_t len;

		/* It costs enough to be shown, or the user names it. */
		if (list->n == 0 ||
		    (!wish->is_named &&
		     !columns_reach(making->basis->columns, list->costs, making->basis->totals)))
			continue;
		*function = (struct code_function){
			.object = code_objects_get(&code->objects, wish->object),
			.stretch = wish->stretch,
			.costs = list->costs,
			.records = list,
		};
		name = code_object_name(function->object, making->basis->model, &function->stretch,
					&len);
		function->name = len > 0 ? arena_copy(making->basis->arena, name, len) : "???";
		function->function =
			code_object_function(function->object, function->stretch.start);
		/* Without a symbol, where the stretch begins means nothing. */
		if (!function->stretch.symbol)
			function->stretch.start = list->records[0].address;
		code->n++;
		for (size_t j = 0; j < list->n; j++)
			code->has_jumps |= list->records[j].n_jumps > 0;
	}
	qsort_r(code->functions, code->n, sizeof(*code->functions), compare_functions, making);
}

/* -- source lines ----------------------------------------------------------------------- */

/* The lines that the profile gives; notes what the object calls their files. */
static void take_recorded_lines(struct machinecode_making *making, struct code_function *function)
{
	struct code_sources *sources = &making->code->sources;

	for (size_t i = 0; i < function->n; i++) {
		struct code_instruction *instruction = &function->instructions[i];
		const struct code_record *record = instruction->record;
		const char *name;
		uint64_t line;

		if (!record || record->line == 0)
			continue;
		instruction->line = record->line;
		code_sources_file(sources, record->file, &instruction->source);
		if (function->object->file &&
		    objectfile_line(function->object->file, record->address, &name, &line) &&
		    line == record->line)
			sources_note(sources, name, record->file);
	}
}

/* The lines of all others. */
static void find_lines(struct machinecode_making *making, struct code_function *function)
{
	for (size_t i = 0; i < function->n; i++) {
		struct code_instruction *instruction = &function->instructions[i];
		const char *name;

		if (instruction->line != 0 || instruction->len == 0)
			continue;
		if (!objectfile_line(function->object->file, instruction->address, &name,
				     &instruction->line))
			instruction->line = 0;
		else
			code_sources_name(&making->code->sources, name, &instruction->source);
	}
}

/* -- arrows ------------------------------------------------------------------------------- */

size_t machinecode_find(const struct code_function *function, uint64_t address)
{
	const size_t i = array_upto(function->instructions, function->n,
				    sizeof(*function->instructions),
				    offsetof(struct code_instruction, address), address);

	return i > 0 && function->instructions[i - 1].address == address ? i - 1 : function->n;
}

static void draw_arrows(struct machinecode_making *making, struct code_function *function)
{
	size_t n = 0;

	for (size_t i = 0; i < function->n; i++)
		n += function->instructions[i].n_jumps;
	function->arrows =
		arena_alloc(making->basis->arena, (n + 1) * sizeof(*function->arrows), 8);
	for (size_t i = 0; i < function->n; i++) {
		const struct code_instruction *instruction = &function->instructions[i];

		for (size_t j = 0; j < instruction->n_jumps; j++) {
			const struct code_jump *jump = &instruction->jumps[j];
			struct arrow *arrow = &function->arrows[function->n_arrows];

			/* One that was never followed is no arrow. */
			if (jump->is_recorded && jump->followed == 0)
				continue;
			arrow->from = i;
			arrow->to = machinecode_find(function, jump->target);
			if (arrow->to < function->n)
				function->n_arrows++;
		}
	}
	arrows_place(function->arrows, function->n_arrows, function->n, &function->n_lanes);
}

int machinecode_make(struct machinecode *code, const struct basis *basis,
		     const struct listing *listing, const struct machinecode_options *options)
{
	struct machinecode_making making = {
		.code = code,
		.basis = basis,
		.listing = listing,
		.options = options,
	};
	int status;

	*code = (struct machinecode){
		.objects = {
			.options = &options->objects,
			.syntax = options->syntax,
			.oldest = options->oldest,
			.refuses_stale = options->refuses_stale,
		},
	};
	code_sources_init(&code->sources, basis->model, options->policy, options->rules);
	code_objects_init(&code->objects, basis->model);
	status = choose(&making);
	if (!status) {
		making.lists = heap_zeroed(making.choice.n, sizeof(*making.lists));
		status = codework_gather(making.lists, &making.choice, basis);
	}
	if (!status)
		make_functions(&making);
	for (size_t i = 0; i < code->n; i++) {
		struct code_function *function = &code->functions[i];
		struct stepping stepping = {
			.function = function,
			.records = function->records,
			.basis = basis,
			.context = options->context,
			.adds_jumps = !code->has_jumps,
		};

		list_instructions(&stepping);
		take_recorded_lines(&making, function);
		find_lines(&making, function);
		draw_arrows(&making, function);
		function->records = NULL;
	}
	free(making.lists);
	code_choice_release(&making.choice);
	return status;
}

void machinecode_release(struct machinecode *code)
{
	code_sources_release(&code->sources);
	if (code->objects.model)
		code_objects_release(&code->objects);
	*code = (struct machinecode){ .n = 0 };
}

const struct code_object *machinecode_next_object(const struct machinecode *code, size_t *i)
{
	const struct code_objects *objects = &code->objects;

	while (*i < objects->model->names[NAME_OBJECT].count) {
		const struct code_object *object = objects->by_number[(*i)++];

		if (object)
			return object;
	}
	return NULL;
}
