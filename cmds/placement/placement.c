/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/placement/placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/dictionary.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

/* -- hot code ------------------------------------------------------------------------------------- */

/*
 * An instruction of the profile: by address, whatever functions, callers and levels of recursion have it, inlined
 * ones too.
 *
 * A loop of LOOP_MOST_BYTES lies in one or two blocks of as many bytes, so one of the two has half of its
 * cost.  Instructions of such blocks and their neighbours are kept, which are little code, however large the program
 * is.  So lines are read twice: for what each block costs, then for the instructions of hot blocks.
 */
struct hot_instruction {
	uint32_t object, function; /* the first one of the profile that has it */
	uint32_t file;
	uint64_t address, line; /* line 0 = not known */
	uint64_t executed;      /* Ir */
	uint64_t taken;         /* Bct, if it was recorded */
	int128 cost;
	/* Of jumps that were recorded; in a conditional one all that were executed. */
	uint64_t target, followed, passed;
	enum { JUMP_NONE, JUMP_ALWAYS, JUMP_CONDITIONAL, JUMP_SEVERAL } jump; /* several targets */
};

struct hot_code {
	struct hot_instruction *instructions; /* owned; by object, then address */
	size_t n, capacity;
	int128 whole;   /* cost of the run */
	bool has_jumps; /* in the profile */
	bool has_taken; /* Bct is an event of it */
};

/* True if a loop of this cost is hot. */
static bool hotcode_is_hot(const struct hot_code *code, int128 cost)
{
	return cost > 0 && cost * 100 >= code->whole * HOT_LEAST;
}

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

static void add_to_block(struct gathering *gathering, uint32_t function,
			 const struct model_line *line)
{
	struct idtable *table = &gathering->blocks[gathering->model->functions[function].object];
	uint32_t index = idtable_get(table, block_of(line->at.instr));

	/* IDTABLE_NONE is more than any. */
	if (index >= gathering->n_costs) {
		index = (uint32_t)gathering->n_costs;
		gathering->costs = heap_grow(gathering->costs, &gathering->capacity,
					     gathering->n_costs + 1, sizeof(*gathering->costs));
		idtable_put(table, block_of(line->at.instr), index);
		gathering->costs[gathering->n_costs++] = 0;
	}
	gathering->costs[index] += metric_value(gathering->metric, line->costs, false);
}

static bool is_block_hot(const struct gathering *gathering, uint32_t object, uint64_t block)
{
	uint32_t index = idtable_get(&gathering->blocks[object], block);

	/* Half of a loop that is hot. */
	return index < gathering->n_costs &&
	       hotcode_is_hot(gathering->code, gathering->costs[index] * 2);
}

/* True if an address is in a hot block, or next to one. */
static bool is_near(const struct gathering *gathering, uint32_t object, uint64_t address)
{
	uint64_t block = block_of(address);

	return is_block_hot(gathering, object, block) ||
	       (block > 0 && is_block_hot(gathering, object, block - 1)) ||
	       is_block_hot(gathering, object, block + 1);
}

/* The instruction at an address, with no counts if it is new; NULL if it is near no hot block. */
static struct hot_instruction *instruction_of(struct gathering *gathering, uint32_t function,
					      uint64_t address)
{
	struct hot_code *code = gathering->code;
	const uint32_t object = gathering->model->functions[function].object;
	struct idtable *table = &gathering->addresses[object];
	uint32_t index;

	if (!is_near(gathering, object, address))
		return NULL;
	index = idtable_get(table, address);
	if (index != IDTABLE_NONE)
		return &code->instructions[index];
	code->instructions = heap_grow(code->instructions, &code->capacity, code->n + 1,
				       sizeof(*code->instructions));
	idtable_put(table, address, (uint32_t)code->n);
	code->instructions[code->n] = (struct hot_instruction){
		.object = object,
		.function = function,
		.address = address,
	};
	return &code->instructions[code->n++];
}

/* False if a sum is too large. */
static bool add_line(struct gathering *gathering, uint32_t function, const struct model_line *line)
{
	struct hot_instruction *to = instruction_of(gathering, function, line->at.instr);

	if (!to)
		return true;
	if (to->line == 0) {
		to->file = line->file;
		to->line = line->at.line;
	}
	to->cost += metric_value(gathering->metric, line->costs, false);
	return cost_add(&to->executed, line->costs[gathering->ir], false) &&
	       (!gathering->code->has_taken ||
		cost_add(&to->taken, line->costs[gathering->bct], false));
}

/* The same of a jump. */
static bool add_jump(struct gathering *gathering, uint32_t function, const struct model_jump *jump)
{
	struct hot_instruction *to = instruction_of(gathering, function, jump->at.instr);

	if (!to)
		return true;
	if (to->jump == JUMP_NONE) {
		to->jump = jump->is_conditional ? JUMP_CONDITIONAL : JUMP_ALWAYS;
		to->target = jump->target.instr;
	} else if (to->target != jump->target.instr) {
		to->jump = JUMP_SEVERAL;
	}
	return cost_add(&to->followed, jump->followed, false) &&
	       cost_add(&to->passed, jump->executed, false);
}

static int gather_instructions(struct gathering *gathering)
{
	for (uint32_t i = 0; i < gathering->model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;
		struct model_jump jump;

		model_lines(gathering->model, i, 0, &cursor);
		while (model_next_line(&cursor, &line))
			if (line.at.instr != 0 && !add_line(gathering, i, &line))
				return PROFILE_RANGE;
		model_jumps(gathering->model, i, 0, &cursor);
		while (model_next_jump(&cursor, &jump)) {
			gathering->code->has_jumps = true;
			if (jump.at.instr != 0 && !add_jump(gathering, i, &jump))
				return PROFILE_RANGE;
		}
	}
	return PROFILE_OK;
}

static int compare_instructions(const void *a, const void *b)
{
	const struct hot_instruction *of_a = a, *of_b = b;

	if (of_a->object != of_b->object)
		return of_a->object < of_b->object ? -1 : 1;
	return (of_a->address > of_b->address) - (of_a->address < of_b->address);
}

/* Gathers them, by what they cost of a metric of the model's.  Returns a status. */
static int hotcode_make(struct hot_code *code, const struct model *model,
			const struct metric *metric)
{
	const size_t n = model->names[NAME_OBJECT].count;
	struct gathering gathering = {
		.code = code,
		.model = model,
		.metric = metric,
		.ir = model_event(model, "Ir"),
		.bct = model_event(model, "Bct"),
		.blocks = heap_alloc(n * sizeof(*gathering.blocks)),
		.addresses = heap_alloc(n * sizeof(*gathering.addresses)),
	};
	uint64_t totals[PROFILE_MAX_EVENTS];
	int status;

	*code = (struct hot_code){ .has_taken = gathering.bct < model->n_events };
	if (!model_totals(model, totals)) {
		free(gathering.blocks);
		free(gathering.addresses);
		return PROFILE_RANGE;
	}
	code->whole = metric_value(metric, totals, false);
	for (size_t i = 0; i < n; i++) {
		idtable_init(&gathering.blocks[i]);
		idtable_init(&gathering.addresses[i]);
	}
	for (uint32_t i = 0; i < model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;

		model_lines(model, i, 0, &cursor);
		while (model_next_line(&cursor, &line))
			if (line.at.instr != 0)
				add_to_block(&gathering, i, &line);
	}
	status = gather_instructions(&gathering);
	if (code->n > 0)
		qsort(code->instructions, code->n, sizeof(*code->instructions),
		      compare_instructions);
	for (size_t i = 0; i < n; i++) {
		idtable_release(&gathering.blocks[i]);
		idtable_release(&gathering.addresses[i]);
	}
	free(gathering.blocks);
	free(gathering.addresses);
	free(gathering.costs);
	return status;
}

/* The instruction at an address; NULL if it is not there, which the first one of a loop always is. */
static const struct hot_instruction *hotcode_at(const struct hot_code *code, uint32_t object,
						uint64_t address)
{
	const struct hot_instruction key = { .object = object, .address = address };

	return code->n == 0 ? NULL
			    : bsearch(&key, code->instructions, code->n, sizeof(key),
				      compare_instructions);
}

/* -- remedies ------------------------------------------------------------------------------------- */

/*
 * GCC chooses what to align by how often it expects the paths to a block to be taken (compute_alignments() in its
 * final.c).  A block into which control also falls from above follows -falign-loops if jumps lead to it more than four
 * times as often as that, and it is executed at least a hundredth as often as anything in the function; two parameters
 * lower either bound.  A block that is only jumped to, as the start of loops that are entered in their middle, follows
 * -falign-jumps.  One to which jumps lead less often than control falls into it is no loop's head, whatever the
 * parameters: -falign-labels aligns that, too, and all other targets of jumps.
 *
 * What GCC expects is not known here.  At -O2, it aligns loops by 8 at least: a loop that is not aligned so is none to
 * it, or was compiled without.  Clang knows loops only, and warns of the other options.
 */
enum {
	MOST_CODE = 1 << 20, /* bytes before the loop that are read */
	USUAL_ALIGNMENT = 8, /* of loops, by GCC at -O2, at least */
	USUAL_TURNS = 4,     /* for one entry, that it takes for a loop */
};

#define ANY_LOOP " --param=align-loop-iterations=1 --param=align-threshold=65536"

static bool is_assembler(const char *file)
{
	static const char *const suffixes[] = { ".s", ".S", ".asm", ".sx" };
	const char *suffix = file ? strrchr(file, '.') : NULL;

	for (size_t i = 0; suffix && i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (strcmp(suffix, suffixes[i]) == 0)
			return true;
	return false;
}

/* "nop", "data16 cs nopw", "xchg %ax, %ax", which fill the space before what is aligned. */
static bool is_filling(const struct disassembled *text)
{
	return strstr(text->mnemonic, "nop") || strcmp(text->operands, "%ax, %ax") == 0;
}

/* True if control cannot come to an address from right before it. */
static bool is_only_jumped_to(const struct code_object *object, const struct code_stretch *stretch,
			      uint64_t address)
{
	bool has_ended = false;
	size_t len;
	const unsigned char *code;

	if (!object->text || !stretch->symbol || address - stretch->start > MOST_CODE)
		return false;
	code = objectfile_code(object->file, stretch->start, &len);
	if (!code || len < address - stretch->start)
		return false;
	for (uint64_t at = stretch->start; at < address;) {
		struct disassembled text;

		disassembly_next(object->text, code, (size_t)(address - at), at, &text);
		if (!is_filling(&text))
			has_ended = text.kind == INSTRUCTION_JUMP ||
				    text.kind == INSTRUCTION_RETURN;
		at += text.len;
		code += text.len;
	}
	return has_ended;
}

/* What to do about a loop whose first instruction was executed this often. */
static struct remedy find_remedy(const struct placement_row *row, uint64_t executed,
				 const struct code_object *object,
				 const struct code_stretch *stretch, struct arena *arena)
{
	const struct loop *loop = &row->loop;
	const uint64_t bytes = loop->end - loop->begin;
	const uint64_t entries = executed > loop->turns ? executed - loop->turns : 0;
	struct remedy remedy = { .alignment = placement_alignment(0, bytes) };
	const unsigned alignment = remedy.alignment;
	char text[240], function[80] = "";

	if (stretch->symbol)
		remedy.function_alignment =
			placement_alignment(loop->begin - stretch->start, bytes);
	if (remedy.function_alignment)
		snprintf(function, sizeof(function),
			 ", or only this function with __attribute__((aligned(%u)))",
			 remedy.function_alignment);
	if (is_assembler(row->file))
		snprintf(text, sizeof(text), "put .balign %u before the loop", alignment);
	else if (is_only_jumped_to(object, stretch, loop->begin))
		snprintf(text, sizeof(text), "align loops with -falign-loops=%u -falign-jumps=%u%s",
			 alignment, alignment, function);
	else if (loop->turns <= entries)
		snprintf(text, sizeof(text), "align what is jumped to with -falign-labels=%u%s",
			 alignment, function);
	else
		snprintf(text, sizeof(text), "align loops with -falign-loops=%u%s%s", alignment,
			 loop->begin % USUAL_ALIGNMENT != 0 || loop->turns / USUAL_TURNS <= entries
				 ? ANY_LOOP
				 : "",
			 function);
	remedy.text = arena_copy(arena, text, strlen(text));
	return remedy;
}

/* -- jumps back ------------------------------------------------------------------------------------ */

enum {
	/* Of jumps of x86, whose code is not there: as assemblers choose them. */
	SHORT_JUMP = 2, /* bytes, if the target is at most 128 before its end */
	NEAR_JUMP = 5,
	NEAR_CONDITIONAL = 6,
};

struct loops_finding {
	struct placement *placement;
	struct hot_code code;
	struct loop *loops; /* owned */
	size_t n, capacity;
};

/* How often a jump that the code shows was taken. */
static uint64_t turns_of(const struct hot_code *code, const struct hot_instruction *from,
			 const struct disassembled *jump)
{
	const struct hot_instruction *next;
	uint64_t passed;

	if (code->has_jumps)
		return from->target == jump->target && from->jump != JUMP_SEVERAL ? from->followed
										  : 0;
	if (jump->kind == INSTRUCTION_JUMP)
		return from->executed;
	if (code->has_taken)
		return from->taken;
	next = hotcode_at(code, from->object, from->address + jump->len);
	passed = next ? next->executed : 0;
	return from->executed > passed ? from->executed - passed : 0;
}

/* By the code; false if it is no jump back. */
static bool read_jump(const struct hot_code *code, const struct code_object *object,
		      const struct hot_instruction *from, struct loop *loop)
{
	struct disassembled jump;
	size_t len;
	const unsigned char *bytes = objectfile_code(object->file, from->address, &len);

	if (!bytes)
		return false;
	disassembly_next(object->text, bytes, len, from->address, &jump);
	if ((jump.kind != INSTRUCTION_JUMP && jump.kind != INSTRUCTION_CONDITIONAL) ||
	    !jump.has_target)
		return false;
	loop->begin = jump.target;
	loop->end = from->address + jump.len;
	loop->turns = turns_of(code, from, &jump);
	return true;
}

/* By what was recorded, as nothing else is known; false if nothing was. */
static bool take_jump(const struct hot_code *code, const struct hot_instruction *from,
		      struct loop *loop)
{
	const struct hot_instruction *next = from + 1;
	const bool is_conditional = from->jump == JUMP_CONDITIONAL;

	if (from->jump != JUMP_ALWAYS && !is_conditional)
		return false;
	loop->begin = from->target;
	loop->turns = from->followed;
	/* One that was not taken is followed by the next one in the code. */
	if (is_conditional && from->followed < from->passed &&
	    next < code->instructions + code->n && next->object == from->object)
		loop->end = next->address;
	else if (from->address + SHORT_JUMP - from->target <= 128)
		loop->end = from->address + SHORT_JUMP;
	else
		loop->end = from->address + (is_conditional ? NEAR_CONDITIONAL : NEAR_JUMP);
	return true;
}

static void find_loop(struct loops_finding *finding, const struct hot_instruction *from)
{
	const struct code_object *object =
		code_objects_get(&finding->placement->objects, from->object);
	struct loop loop = { .object = from->object, .jump = from->address };
	const struct hot_instruction *first;
	struct code_stretch stretch;

	if (object->text ? !read_jump(&finding->code, object, from, &loop)
			 : !take_jump(&finding->code, from, &loop))
		return;
	if (loop.begin > from->address || loop.end - loop.begin > LOOP_MOST_BYTES ||
	    loop.turns == 0)
		return;
	stretch = code_object_stretch(object, from->address);
	first = hotcode_at(&finding->code, from->object, loop.begin);
	if (!code_stretch_has(&stretch, loop.begin) || !first || first->executed == 0)
		return;
	finding->loops = heap_grow(finding->loops, &finding->capacity, finding->n + 1,
				   sizeof(*finding->loops));
	finding->loops[finding->n++] = loop;
}

/* -- rows ----------------------------------------------------------------------------------------- */

static const char *copy_name(struct placement *placement, enum name_kind kind, uint32_t number)
{
	struct name name = model_name(placement->model, kind, number);

	return arena_copy(&placement->arena, name.text, name.len);
}

static void describe(struct placement *placement, const struct hot_code *code,
		     struct placement_row *row)
{
	const struct loop *loop = &row->loop;
	const struct hot_instruction *jump = hotcode_at(code, loop->object, loop->jump);
	const struct code_object *object = code_objects_get(&placement->objects, loop->object);
	const struct code_stretch stretch = code_object_stretch(object, loop->begin);
	const uint32_t number = code_object_function(object, stretch.start);

	/* The function that has the code, whatever is inlined there. */
	row->number = number != MODEL_NO_FUNCTION ? number : jump->function;
	row->function =
		code_object_copy_name(object, placement->model, &stretch, &placement->arena);
	if (row->function[0] == '\0')
		row->function = copy_name(placement, NAME_FUNCTION,
					  placement->model->functions[row->number].name);
	row->file_number = jump->file;
	row->line = jump->line;
	row->object = copy_name(placement, NAME_OBJECT, loop->object);
	if (jump->file != DICTIONARY_UNKNOWN)
		row->file = copy_name(placement, NAME_FILE, jump->file);
	for (unsigned window = 0; window < N_WINDOWS; window++) {
		row->touched[window] = windows_touched(loop->begin, loop->end, window);
		row->needed[window] = windows_needed(loop->end - loop->begin, window);
	}
	row->remedy = find_remedy(row, hotcode_at(code, loop->object, loop->begin)->executed,
				  object, &stretch, &placement->arena);
}

static int128 cost_of(const struct hot_code *code, const struct loop *loop)
{
	const struct hot_instruction *at = hotcode_at(code, loop->object, loop->begin);
	int128 cost = 0;

	for (; at < code->instructions + code->n && at->object == loop->object &&
	       at->address < loop->end;
	     at++)
		cost += at->cost;
	return cost;
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct placement_row *of_a = a, *of_b = b;
	const struct placement *placement = ctx;
	int order;

	if (of_a->cost != of_b->cost)
		return of_a->cost < of_b->cost ? 1 : -1;
	order = model_compare_names(placement->model, NAME_OBJECT, of_a->loop.object,
				    of_b->loop.object);
	if (order != 0)
		return order;
	return (of_a->loop.begin > of_b->loop.begin) - (of_a->loop.begin < of_b->loop.begin);
}

static void make_rows(struct placement *placement, const struct hot_code *code,
		      const struct loop *loops, size_t n)
{
	placement->rows = arena_alloc(&placement->arena, (n + 1) * sizeof(*placement->rows), 16);
	for (size_t i = 0; i < n; i++) {
		struct placement_row *row = &placement->rows[placement->n];

		*row = (struct placement_row){
			.loop = loops[i],
			.cost = cost_of(code, &loops[i]),
		};
		if (!hotcode_is_hot(code, row->cost))
			continue;
		placement->n_hot++;
		if (!loop_is_misplaced(&loops[i]))
			continue;
		placement->n++;
		describe(placement, code, row);
	}
	qsort_r(placement->rows, placement->n, sizeof(*placement->rows), compare_rows, placement);
}

const char *placement_missing(const struct model *model)
{
	if (model->is_signed)
		return "expected what a program cost, found a difference";
	if (!(model->positions & POSITION_INSTR))
		return "expected costs of instructions, found none: they are recorded with "
		       "--dump-instr=yes";
	if (model_event(model, "Ir") == model->n_events)
		return "expected executed instructions (event Ir), found none";
	return NULL;
}

int placement_make(struct placement *placement, const struct model *model,
		   const struct placement_options *options)
{
	const struct metric_source source = metric_source_of(model, options->estimate);
	struct loops_finding finding = { .placement = placement };
	int status;

	*placement = (struct placement){
		.model = model,
		.options = options,
		.objects = { .options = &options->objects, .oldest = options->oldest },
	};
	arena_init(&placement->arena);
	metrics_init(&placement->metrics, &source, &placement->arena);
	code_objects_init(&placement->objects, model);
	placement->metric = &placement->metrics.all[metrics_main(&placement->metrics)];
	status = hotcode_make(&finding.code, model, placement->metric);
	placement->whole = finding.code.whole;
	if (!status) {
		for (size_t i = 0; i < finding.code.n; i++)
			if (finding.code.instructions[i].executed > 0)
				find_loop(&finding, &finding.code.instructions[i]);
		if (finding.n > 0)
			make_rows(placement, &finding.code, finding.loops,
				  loops_find(finding.loops, finding.n));
	}
	free(finding.loops);
	free(finding.code.instructions);
	return status;
}

void placement_release(struct placement *placement)
{
	code_objects_release(&placement->objects);
	arena_release(&placement->arena);
}
