/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Machine code, and what its instructions cost in the older profile, where that can be said: instructions are the same by
 * their addresses in a file that has not changed since, or by their texts, if the older program is there, too, or by their
 * distance from the first one, if all that both profiles know about them is the same.  Nothing is taken from a file that changed
 * after its profile was made.
 *
 * The rows that own a function of the machine code are those with costs at one of its addresses.  The older profile's code
 * is made as the main one's is, all of each function.  Functions meet by where they are in one file, by their names among the
 * functions of both profiles, or by what they are called.
 */
#include "cmds/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/cli/complaint.h"
#include "cmds/code/machinecode.h"
#include "cmds/listing/column.h"
#include "cmds/object/objectfile.h"
#include "profile/common/dictionary.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "writer/shared/events.h"

enum {
	WHOLE = 1 << 24,  /* instructions of context: all there are */
	EFFORT = 1 << 26, /* pairs of instructions that are compared, in all */
	PAIR = 1 << 24,   /* and of one function, which needs 4 bytes for each */
};

/* A row that has instructions in a function of the machine code. */
struct owner {
	size_t code; /* place in the machine code's functions */
	uint32_t row;
};

enum change_way {
	CHANGE_UNKNOWN, /* nothing can be said about single instructions */
	CHANGE_NONE,    /* the older profile lacks it */
	CHANGE_FILE,    /* the same file */
	CHANGE_TEXT,    /* both files are there */
	CHANGE_OFFSET,  /* the older one is not there, but what was recorded fits */
};

/* Of one function of the machine code; arrays are the arena's. */
struct change {
	enum change_way way;
	const char *file; /* why the older file is not used; "" = it is */
	const char *why;  /* CHANGE_UNKNOWN: the reason; else "" */
	uint64_t *costs;  /* the older ones, n_events numbers for each instruction */
	bool *is_new;     /* by instruction: not in the older code */
	size_t n_gone;    /* instructions of the older code that are not in this one, with costs */
	uint64_t *gone;   /* these costs */
};

struct reportcode {
	struct reportrows *rows;
	struct machinecode code, older; /* of both sides */
	struct columns columns, older_columns;
	struct arena arena;
	struct owner *owners; /* by code, then row, each once; owned */
	size_t n_owners, owners_capacity;
	struct change *changes; /* by function of the code; NULL = there is no older profile */
	bool *is_taken;         /* by function of the older code: it is another one's counterpart */
	size_t effort;          /* that is left for comparing texts */
};

static bool is_usable(const struct code_object *object)
{
	return object->file && !object->wrong && !object->is_stale;
}

static bool is_same_file(const struct code_function *function, const struct code_function *older)
{
	return is_usable(function->object) && is_usable(older->object) &&
	       strcmp(function->object->name, older->object->name) == 0;
}

/* -- pairs: a function and its older code, whose file is another one or gone -- */

/* An instruction that both have costs of. */
struct counterpart {
	const struct code_record *newer, *older;
	size_t place; /* in the newer one's list */
	size_t older_place;
	uint64_t newer_line, older_line;
	uint32_t file; /* of the report */
};

/*
 * Texts become keys, which are aligned.  Offsets are believed only if nothing that both profiles know speaks
 * against it: what an older program was cannot be seen any more.
 */
struct codepair {
	struct reportrows *rows;
	const struct code_function *newer, *older;
	size_t *effort;   /* see alignment_make() */
	size_t *partners; /* by the older code's instructions: places in the newer code */
	const char *why;  /* set if they cannot be shown: in what they differ */
	/* By offset: */
	struct counterpart *both;
	size_t n;
	uint64_t newer_base, older_base;
};

/* "0x2fe7(%rip), %rdx" as "@(%rip), %rdx": numbers that say where something is. */
static void add_masked(struct bytes *text, const char *operands)
{
	for (const char *at = operands; *at != '\0'; at++) {
		if (at[0] != '0' || at[1] != 'x' || (at > operands && at[-1] == '$')) {
			bytes_add_char(text, *at);
			continue;
		}
		at += 1 + strspn(at + 2, "0123456789abcdef");
		bytes_add_char(text, '@');
	}
}

/* The keys of what a function's instructions do, to be freed. */
static uint32_t *make_keys(struct dictionary *texts, const struct code_function *function)
{
	uint32_t *keys = heap_zeroed(function->n, sizeof(*keys));
	struct bytes text;

	bytes_init(&text);
	for (size_t i = 0; i < function->n; i++) {
		const struct code_instruction *instruction = &function->instructions[i];
		/* Of "# 0x404000 <pointer+0x8>", "<main+0x12>" the names only. */
		const char *name = strchr(instruction->note, '<');

		bytes_reset(&text);
		bytes_add_text(&text, instruction->mnemonic);
		bytes_add_char(&text, ' ');
		if (instruction->note[0] == '\0')
			bytes_add_text(&text, instruction->operands);
		else
			add_masked(&text, instruction->operands);
		if (name) {
			bytes_add_char(&text, ' ');
			bytes_add(&text, name, strcspn(name, "+"));
		}
		keys[i] = dictionary_intern(texts, text.text, text.len);
	}
	bytes_release(&text);
	return keys;
}

/*
 * By the texts of both, in which addresses count by what they are of, not by their numbers: the most that
 * they have in common in order.
 */
static void codepair_by_text(struct codepair *pair)
{
	struct dictionary texts;
	uint32_t *newer_keys, *older_keys;

	dictionary_init(&texts);
	newer_keys = make_keys(&texts, pair->newer);
	older_keys = make_keys(&texts, pair->older);
	if (alignment_make(&(struct alignment_list){ older_keys, pair->older->n },
			   &(struct alignment_list){ newer_keys, pair->newer->n }, pair->effort,
			   pair->partners))
		pair->why = "both are too long to be compared, or those before them were";
	dictionary_release(&texts);
	free(newer_keys);
	free(older_keys);
}

static size_t next_record(const struct code_function *function, size_t i)
{
	while (i < function->n && !function->instructions[i].record)
		i++;
	return i;
}

static uint32_t file_of(const struct codepair *pair, enum report_side side,
			const struct code_record *record)
{
	return record->line == 0 ? UINT32_MAX : reportrows_file(pair->rows, side, record->file);
}

/* Pairs what was executed, one after the other. */
static const char *pair_up(struct codepair *pair)
{
	const struct code_function *newer = pair->newer, *older = pair->older;
	size_t i = next_record(newer, 0), j = next_record(older, 0);

	while (i < newer->n && j < older->n) {
		const struct code_record *a = newer->instructions[i].record;
		const struct code_record *b = older->instructions[j].record;

		if (pair->n == 0) {
			pair->newer_base = a->address;
			pair->older_base = b->address;
		}
		if (a->address - pair->newer_base != b->address - pair->older_base)
			return "other places of what was executed";
		if (file_of(pair, SIDE_MAIN, a) != file_of(pair, SIDE_OTHER, b))
			return "lines of other files";
		pair->both[pair->n++] = (struct counterpart){
			a, b, i, j, a->line, b->line, file_of(pair, SIDE_MAIN, a),
		};
		i = next_record(newer, i + 1);
		j = next_record(older, j + 1);
	}
	return i < newer->n || j < older->n ? "more, or fewer, instructions that were executed"
					    : NULL;
}

static int compare_lines(const void *a, const void *b)
{
	const struct counterpart *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->newer_line != y->newer_line)
		return x->newer_line < y->newer_line ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Lines may have moved, but each is another one, in the same order. */
static const char *check_lines(const struct codepair *pair)
{
	struct counterpart *sorted = heap_zeroed(pair->n, sizeof(*sorted));
	const char *why = NULL;

	memcpy(sorted, pair->both, pair->n * sizeof(*sorted));
	qsort(sorted, pair->n, sizeof(*sorted), compare_lines);
	for (size_t i = 1; i < pair->n; i++) {
		const struct counterpart *a = &sorted[i - 1], *b = &sorted[i];

		if (a->file != b->file)
			continue;
		if ((a->newer_line == b->newer_line) != (a->older_line == b->older_line) ||
		    a->older_line > b->older_line)
			why = "lines in another order";
	}
	free(sorted);
	return why;
}

/* True if both call the same functions, or one of them some of those that the other one calls. */
static bool has_same_calls(const struct codepair *pair, const struct counterpart *both)
{
	const struct code_record *newer = both->newer, *older = both->older;
	const struct reportrows_side *sides = pair->rows->sides;
	size_t n_same = 0;

	for (size_t i = 0; i < newer->n_calls; i++) {
		const uint32_t row = sides[SIDE_MAIN].rows[newer->calls[i].callee];
		size_t j = 0;

		while (j < older->n_calls && sides[SIDE_OTHER].rows[older->calls[j].callee] != row)
			j++;
		n_same += j < older->n_calls;
	}
	if ((newer->n_calls == 0) != (older->n_calls == 0))
		return false;
	return n_same == newer->n_calls || n_same == older->n_calls;
}

/* The same of jumps; jumps that were never followed are not recorded. */
static bool has_same_jumps(const struct codepair *pair, const struct counterpart *both)
{
	const struct code_record *newer = both->newer, *older = both->older;
	size_t n_same = 0;

	for (size_t i = 0; i < newer->n_jumps; i++) {
		const struct code_jump *jump = &newer->jumps[i];
		size_t j = 0;

		while (j < older->n_jumps &&
		       (older->jumps[j].target - pair->older_base !=
				jump->target - pair->newer_base ||
			older->jumps[j].is_conditional != jump->is_conditional))
			j++;
		n_same += j < older->n_jumps;
	}
	return n_same == newer->n_jumps || n_same == older->n_jumps;
}

static size_t event_of(const struct codepair *pair, const char *name)
{
	const struct reportrows_side *side = &pair->rows->sides[SIDE_MAIN];

	for (size_t i = 0; i < pair->rows->n_events; i++)
		if (strcmp(side->model->events[side->events[i]].name, name) == 0)
			return i;
	return SIZE_MAX;
}

static uint64_t cost_of(const struct codepair *pair, enum report_side side,
			const struct counterpart *both, size_t event)
{
	const struct code_record *record = side == SIDE_MAIN ? both->newer : both->older;

	return record->costs[pair->rows->sides[side].events[event]];
}

/* A call's costs may include its stub's, which vary. */
static bool is_call(const struct counterpart *both)
{
	return both->newer->n_calls > 0 || both->older->n_calls > 0;
}

/* True if each execution had as many references of an event. */
static bool has_same_rate(const struct codepair *pair, const struct counterpart *both, size_t ir,
			  const char *name)
{
	size_t event = event_of(pair, name);
	uint64_t a, b;

	if (event == SIZE_MAX || is_call(both))
		return true;
	if (__builtin_mul_overflow(cost_of(pair, SIDE_MAIN, both, event),
				   cost_of(pair, SIDE_OTHER, both, ir), &a) ||
	    __builtin_mul_overflow(cost_of(pair, SIDE_OTHER, both, event),
				   cost_of(pair, SIDE_MAIN, both, ir), &b))
		return false;
	return a == b;
}

/* Marks instructions that something jumps to, in either profile. */
static void mark_targets(const struct codepair *pair, bool *is_target)
{
	const struct code_function *newer = pair->newer;

	for (size_t i = 0; i < newer->n; i++)
		for (size_t j = 0; j < newer->instructions[i].n_jumps; j++)
			is_target[machinecode_find(newer, newer->instructions[i].jumps[j].target)] =
				true;
	for (size_t i = 0; i < pair->n; i++) {
		const struct code_record *older = pair->both[i].older;

		for (size_t j = 0; j < older->n_jumps; j++)
			is_target[machinecode_find(newer, older->jumps[j].target - pair->older_base +
								  pair->newer_base)] = true;
	}
}

/*
 * Where what was executed of neighbours differs, one is a target, or the other one jumps or calls:
 * so blocks of the older code are made of blocks of this one.
 */
static void check_blocks(struct codepair *pair, size_t ir)
{
	bool *is_target = heap_zeroed(pair->newer->n + 1, sizeof(*is_target));

	mark_targets(pair, is_target);
	for (size_t i = 1; i < pair->n; i++) {
		const struct counterpart *last = &pair->both[i - 1];
		const struct counterpart *both = &pair->both[i];
		bool is_near = last->place + 1 == both->place;
		/* The flow may be another one after it. */
		bool is_end = pair->newer->instructions[last->place].n_jumps > 0 ||
			      last->older->n_jumps > 0 || is_call(last);

		if (is_near && !is_target[both->place] && !is_end && !is_call(both) &&
		    cost_of(pair, SIDE_OTHER, last, ir) != cost_of(pair, SIDE_OTHER, both, ir))
			pair->why = "other blocks that are executed together";
	}
	free(is_target);
}

static const char *check_work(const struct codepair *pair, size_t ir)
{
	size_t n_events;
	const struct event_info *events = event_all(&n_events);

	for (size_t i = 0; i < pair->n; i++) {
		const struct counterpart *both = &pair->both[i];

		if (!has_same_calls(pair, both))
			return "other calls";
		if (!has_same_jumps(pair, both))
			return "other jumps";
		for (size_t j = 0; j < n_events; j++)
			if (events[j].origin == EVENT_ORIGIN_INSTRUCTION &&
			    strcmp(events[j].name, "Ir") != 0 &&
			    !has_same_rate(pair, both, ir, events[j].name))
				return "other references for each execution";
	}
	return NULL;
}

/*
 * By distance from the first instruction that was executed, of what was executed.  Only if both have the same
 * distances, their lines are in one order, and calls, jumps and references for each execution are the
 * same; where counts change from one instruction to the next, there is a jump or call.
 */
static void codepair_by_offset(struct codepair *pair)
{
	size_t most = pair->newer->n < pair->older->n ? pair->newer->n : pair->older->n;
	size_t ir = event_of(pair, "Ir");

	pair->both = heap_zeroed(most, sizeof(*pair->both));
	for (size_t i = 0; i < pair->older->n; i++)
		pair->partners[i] = ALIGNMENT_NONE;
	pair->why = pair_up(pair);
	if (!pair->why && ir == SIZE_MAX)
		pair->why = "no counts of instructions to compare";
	if (!pair->why)
		pair->why = check_work(pair, ir);
	if (!pair->why)
		pair->why = check_lines(pair);
	if (!pair->why)
		check_blocks(pair, ir);
	for (size_t i = 0; i < pair->n; i++)
		pair->partners[pair->both[i].older_place] = pair->both[i].place;
	free(pair->both);
}

/* -- the older code ------------------------------------------------------------------------ */

/* True if an older function has instructions where there is code of its file. */
static bool is_within(const struct reportcode *code, uint32_t older)
{
	const struct model *model = code->rows->sides[SIDE_OTHER].model;
	const char *object = model_name(model, NAME_OBJECT, model->functions[older].object).text;
	struct model_cursor cursor;
	struct model_line line;

	model_lines(model, older, 0, &cursor);
	while (model_next_line(&cursor, &line)) {
		for (size_t i = 0; line.at.instr != 0 && i < code->code.n; i++) {
			const struct code_function *function = &code->code.functions[i];

			if (is_usable(function->object) &&
			    strcmp(function->object->name, object) == 0 &&
			    code_stretch_has(&function->stretch, line.at.instr))
				return true;
		}
	}
	return false;
}

/*
 * Of rows that have code, is_row, and of those that have another name there, but are at the same place.
 */
static int read_older(struct reportcode *code, const struct report_input *input, const bool *is_row)
{
	const struct reportrows *rows = code->rows;
	const struct reportrows_side *side = &rows->sides[SIDE_OTHER];
	const struct column_choice choice = { .estimate = REPORT_ESTIMATE };
	struct basis basis = { .model = side->model,
			       .columns = &code->older_columns,
			       .arena = &code->arena };
	const struct machinecode_options options = {
		.automatic = true,
		.context = WHOLE,
		.objects = input->objects,
		.rules = input->rules,
		.oldest = input->other_oldest,
		.refuses_stale = true,
	};
	struct listing listing = { .entries = NULL };
	uint64_t totals[PROFILE_MAX_EVENTS];

	listing.entries = arena_alloc(&code->arena, (rows->n + 1) * sizeof(*listing.entries), 8);
	columns_init(&code->older_columns, side->model, &choice, &code->arena);
	code->older_columns.keys = arena_alloc(&code->arena, sizeof(*code->older_columns.keys), 8);
	/* All of them. */
	code->older_columns.keys[0] = (struct sort_key){ .has_threshold = true };
	code->older_columns.n_keys = 1;
	if (!model_totals(side->model, totals))
		return PROFILE_RANGE;
	basis.totals = totals;
	for (size_t row = 0; row < rows->n; row++) {
		const uint32_t older = side->functions[row];

		if (older != MODEL_NO_FUNCTION &&
		    (is_row[row] || (rows->sides[SIDE_MAIN].functions[row] == MODEL_NO_FUNCTION &&
				     is_within(code, older))))
			listing.entries[listing.n++] = (struct listing_entry){ .function = older };
	}
	return machinecode_make(&code->older, &basis, &listing, &options);
}

/* -- which function is which ------------------------------------------------------------------ */

static uint32_t row_of(const struct reportcode *code, enum report_side side,
		       const struct code_function *function)
{
	return function->function == MODEL_NO_FUNCTION
		       ? MODEL_NO_FUNCTION
		       : code->rows->sides[side].rows[function->function];
}

/* The only function of a name; NULL if there are more, or none, or it is not known. */
static const struct code_function *only_one(const struct machinecode *code, const char *name)
{
	const struct code_function *found = NULL;

	if (strcmp(name, "???") == 0)
		return NULL;
	for (size_t i = 0; i < code->n; i++) {
		if (strcmp(code->functions[i].name, name) != 0)
			continue;
		if (found)
			return NULL;
		found = &code->functions[i];
	}
	return found;
}

/* Of one file.  Without a symbol, where it begins is where something was executed; it ends where a symbol begins. */
static bool is_same_place(const struct code_function *function, const struct code_function *older)
{
	const struct code_stretch *a = &function->stretch, *b = &older->stretch;

	if (!a->symbol != !b->symbol)
		return false;
	return a->symbol ? a->start == b->start : a->end == b->end && a->end != UINT64_MAX;
}

static const struct code_function *find_older(const struct reportcode *code,
					      const struct code_function *function)
{
	const struct machinecode *older = &code->older;
	uint32_t row = row_of(code, SIDE_MAIN, function);

	for (size_t i = 0; i < older->n; i++) {
		const struct code_function *other = &older->functions[i];

		if (is_same_file(function, other) && is_same_place(function, other))
			return other;
	}
	for (size_t i = 0; row != MODEL_NO_FUNCTION && i < older->n; i++)
		if (row_of(code, SIDE_OTHER, &older->functions[i]) == row)
			return &older->functions[i];
	return only_one(&code->code, function->name) ? only_one(older, function->name) : NULL;
}

/* -- costs -------------------------------------------------------------------------------------- */

/* Adds the costs of an instruction of the older code; false if a sum is beyond 64 bits. */
static bool add_costs(const struct reportcode *code, uint64_t *to,
		      const struct code_instruction *older)
{
	const struct reportrows_side *side = &code->rows->sides[SIDE_OTHER];

	for (size_t event = 0; event < code->rows->n_events; event++)
		if (!cost_add(&to[event], older->record->costs[side->events[event]],
			      side->model->is_signed))
			return false;
	return true;
}

static bool has_costs(const struct code_instruction *instruction)
{
	return instruction->record && instruction->record->has_costs;
}

/* By partners: of each instruction of the older code, its place in this one, or ALIGNMENT_NONE. */
static int take_costs(struct reportcode *code, struct change *of,
		      const struct code_function *function, const struct code_function *older,
		      const size_t *partners)
{
	size_t n_events = code->rows->n_events;

	of->costs = arena_alloc(&code->arena, (function->n + 1) * n_events * 8 + 8, 8);
	of->gone = arena_alloc(&code->arena, n_events * 8 + 8, 8);
	of->is_new = arena_alloc(&code->arena, function->n + 1, 8);
	memset(of->costs, 0, function->n * n_events * 8);
	memset(of->gone, 0, n_events * 8);
	memset(of->is_new, of->way == CHANGE_TEXT, function->n);
	for (size_t i = 0; older && i < older->n; i++) {
		bool is_gone = partners[i] == ALIGNMENT_NONE;
		uint64_t *to = is_gone ? of->gone : of->costs + partners[i] * n_events;

		if (!is_gone)
			of->is_new[partners[i]] = false;
		if (!has_costs(&older->instructions[i]))
			continue;
		of->n_gone += is_gone;
		if (!add_costs(code, to, &older->instructions[i]))
			return PROFILE_RANGE;
	}
	return PROFILE_OK;
}

/* -- one file ------------------------------------------------------------------------------------- */

/* Both lists as one, by address. */
static void merge(struct reportcode *code, struct code_function *function,
		  const struct code_function *older)
{
	struct code_instruction *all;
	size_t n = 0, i = 0, j = 0;

	all = arena_alloc(&code->arena, (function->n + older->n + 1) * sizeof(*all), 8);
	while (i < function->n || j < older->n) {
		const struct code_instruction *a = &function->instructions[i];
		const struct code_instruction *b = &older->instructions[j];

		if (j == older->n || (i < function->n && a->address <= b->address)) {
			j += j < older->n && a->address == b->address;
			all[n++] = *a;
			i++;
			continue;
		}
		j++;
		if (!b->record)
			continue;
		/* Only the older profile has costs of it. */
		all[n] = *b;
		all[n].record = NULL;
		all[n].jumps = NULL;
		all[n].n_jumps = 0;
		if (b->source != CODE_NO_SOURCE)
			code_sources_name(&code->code.sources,
					  code->older.sources.sources[b->source].name,
					  &all[n].source);
		n++;
	}
	function->instructions = all;
	function->n = n;
}

static int compare_file(struct reportcode *code, struct change *of, struct code_function *function,
			const struct code_function *older)
{
	size_t *partners;

	if (older->object->n_outside > 0 || older->object->n_out_of_step > 0) {
		of->why = "the older profile has instructions where this file has none";
		return PROFILE_OK;
	}
	merge(code, function, older);
	partners = arena_alloc(&code->arena, (older->n + 1) * sizeof(*partners), 8);
	for (size_t i = 0; i < older->n; i++) {
		size_t at = machinecode_find(function, older->instructions[i].address);

		partners[i] = at < function->n ? at : ALIGNMENT_NONE;
	}
	of->way = CHANGE_FILE;
	return take_costs(code, of, function, older, partners);
}

/* -- all ------------------------------------------------------------------------------------------- */

static int compare_pair(struct reportcode *code, struct change *of, struct code_function *function,
			const struct code_function *older)
{
	size_t most = code->effort < PAIR ? code->effort : PAIR, effort = most;
	struct codepair pair = {
		.rows = code->rows,
		.newer = function,
		.older = older,
		.effort = &effort,
	};

	if (is_same_file(function, older))
		return compare_file(code, of, function, older);
	pair.partners = arena_alloc(&code->arena, (older->n + 1) * sizeof(*pair.partners), 8);
	if (is_usable(function->object) && is_usable(older->object)) {
		codepair_by_text(&pair);
		code->effort -= most - effort;
		of->way = CHANGE_TEXT;
	} else {
		if (older->object->wrong)
			of->file = older->object->wrong;
		codepair_by_offset(&pair);
		of->way = CHANGE_OFFSET;
	}
	if (pair.why) {
		of->way = CHANGE_UNKNOWN;
		of->why = pair.why;
	}
	if (pair.why)
		return PROFILE_OK;
	return take_costs(code, of, function, older, pair.partners);
}

static int compare_function(struct reportcode *code, size_t i)
{
	struct code_function *function = &code->code.functions[i];
	struct change *of = &code->changes[i];
	const struct code_function *older = find_older(code, function);
	bool is_taken = older && code->is_taken[older - code->older.functions];
	uint32_t row = row_of(code, SIDE_MAIN, function);

	*of = (struct change){ .file = "", .why = "" };
	if (!(code->rows->sides[SIDE_OTHER].model->positions & POSITION_INSTR)) {
		of->why = "the older profile has no costs of instructions";
		return PROFILE_OK;
	}
	if (older && !is_taken) {
		code->is_taken[older - code->older.functions] = true;
		return compare_pair(code, of, function, older);
	}
	if (is_taken || row == MODEL_NO_FUNCTION ||
	    code->rows->sides[SIDE_OTHER].functions[row] != MODEL_NO_FUNCTION) {
		of->why = "the older profile has no code of one piece that is known to be this";
		return PROFILE_OK;
	}
	of->way = CHANGE_NONE;
	return take_costs(code, of, function, NULL, NULL);
}

/* With the older profile. */
static int compare(struct reportcode *code, const struct report_input *input)
{
	const struct reportrows *rows = code->rows;
	bool *is_row = arena_alloc(&code->arena, rows->n + 1, 1);
	int status = PROFILE_OK;

	memset(is_row, 0, rows->n);
	for (size_t i = 0; i < code->n_owners; i++)
		is_row[code->owners[i].row] = true;
	for (size_t i = 0; i < code->code.n; i++)
		if (code->code.functions[i].function != MODEL_NO_FUNCTION)
			is_row[row_of(code, SIDE_MAIN, &code->code.functions[i])] = true;
	code->effort = EFFORT;
	if (rows->sides[SIDE_OTHER].model->positions & POSITION_INSTR)
		status = read_older(code, input, is_row);
	if (status)
		return status;
	code->changes = arena_alloc(&code->arena, (code->code.n + 1) * sizeof(*code->changes), 8);
	code->is_taken = arena_alloc(&code->arena, code->older.n + 1, 1);
	memset(code->is_taken, 0, code->older.n);
	for (size_t i = 0; !status && i < code->code.n; i++)
		status = compare_function(code, i);
	return status;
}

/* -- which code is whose -------------------------------------------------------------- */

struct code_place {
	uint32_t object;
	uint64_t address;
};

/* A place and a function that may have it: by object, then address. */
static int compare_place(const void *key, const void *element)
{
	const struct code_place *place = key;
	const struct code_function *function = *(const struct code_function *const *)element;

	if (place->object != function->object->number)
		return place->object < function->object->number ? -1 : 1;
	if (place->address < function->stretch.start)
		return -1;
	return code_stretch_has(&function->stretch, place->address) ? 0 : 1;
}

static int compare_functions(const void *a, const void *b)
{
	const struct code_function *x = *(const struct code_function *const *)a;
	const struct code_function *y = *(const struct code_function *const *)b;

	if (x->object->number != y->object->number)
		return x->object->number < y->object->number ? -1 : 1;
	return (x->stretch.start > y->stretch.start) - (x->stretch.start < y->stretch.start);
}

/* Adds a row's owners; order: the functions of the machine code, sorted. */
static void add_owners(struct reportcode *code, const struct code_function **order, uint32_t row)
{
	const struct reportrows_side *side = &code->rows->sides[SIDE_MAIN];
	const uint32_t function = side->functions[row];
	struct code_place place = { .object = side->model->functions[function].object };
	const struct code_function **found = NULL;
	struct model_cursor cursor;
	struct model_line line;

	model_lines(side->model, function, 0, &cursor);
	while (model_next_line(&cursor, &line)) {
		const struct code_function **last = found;

		place.address = line.at.instr;
		if (place.address == 0 || (last && compare_place(&place, last) == 0))
			continue; /* most are of the function of the one before */
		found = bsearch(&place, order, code->code.n, sizeof(void *), compare_place);
		if (!found || found == last)
			continue;
		code->owners = heap_grow(code->owners, &code->owners_capacity, code->n_owners + 1,
					 sizeof(*code->owners));
		code->owners[code->n_owners++] =
			(struct owner){ (size_t)(*found - code->code.functions), row };
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
	const struct code_function **order =
		arena_alloc(&code->arena, (code->code.n + 1) * sizeof(void *), 8);
	size_t n = 0;

	for (size_t i = 0; i < code->code.n; i++)
		order[i] = &code->code.functions[i];
	qsort(order, code->code.n, sizeof(void *), compare_functions);
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
	machinecode_release(&code->older);
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

/* A function's costs by instruction. */
struct instruction_costs {
	const struct code_function *function;
	const struct reportrows_side *side;
};

static uint64_t instruction_cost(const void *ctx, size_t i, size_t event)
{
	const struct instruction_costs *of = ctx;
	const struct code_record *record = of->function->instructions[i].record;

	return record ? record->costs[of->side->events[event]] : 0;
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

/* Writes one, and advances past it. */
static void write_function(const struct reportcode *code, size_t place,
			   struct code_progress *progress, struct json *json)
{
	const struct code_function *function = &code->code.functions[place];
	const struct reportrows_side *side = &code->rows->sides[SIDE_MAIN];
	const struct code_object *object = function->object;
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
	reporttable_costs(&(struct reporttable){ instruction_cost,
						 &(struct instruction_costs){ function, side },
						 function->n, side->model->is_signed },
			  "costs", code->rows->n_events, json);
	json_object(json, "jumps", true);
	write_jump_column(function, JUMP_FROM, "from", json);
	write_jump_column(function, JUMP_TO, "to", json);
	write_jump_column(function, JUMP_TAKEN, "taken", json);
	write_jump_column(function, JUMP_EXECUTED, "executed", json);
	json_close(json);
	json_string(json, "note",
		    object->wrong      ? object->wrong
		    : object->is_stale ? "changed after the profile was made"
				       : "");
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

/* Costs of a function in the older profile, or how much more they are than now. */
struct older_costs {
	const struct code_function *function;
	const struct reportrows *rows;
	const struct change *change;
	bool is_related;
};

static uint64_t older_cost(const void *ctx, size_t i, size_t event)
{
	const struct older_costs *of = ctx;
	const struct code_record *record = of->function->instructions[i].record;
	const uint64_t cost = of->change->costs[i * of->rows->n_events + event];

	return of->is_related && record
		       ? cost - record->costs[of->rows->sides[SIDE_MAIN].events[event]]
		       : cost;
}

static void write_change(const struct reportcode *code, size_t place, bool is_related,
			 struct json *json)
{
	static const char *const ways[] = { "unknown", "none", "file", "text", "offset" };
	const struct change *change = &code->changes[place];
	const struct code_function *function = &code->code.functions[place];
	const struct reportrows *rows = code->rows;
	const bool is_signed = rows->sides[SIDE_OTHER].model->is_signed;
	const struct older_costs costs = { function, rows, change, is_related };
	const struct reporttable table = { older_cost, &costs, function->n,
					   is_related || is_signed };

	json_object(json, NULL, true);
	json_string(json, "way", ways[change->way]);
	json_string(json, "file", change->file);
	json_string(json, "why", change->why);
	if (change->way != CHANGE_UNKNOWN) {
		size_t last = 0;

		reporttable_costs(&table, is_related ? "p_costs" : "costs", rows->n_events, json);
		/* Rows of what is new, as differences. */
		json_array(json, "d_new", true);
		for (size_t i = 0; i < function->n; i++) {
			if (!change->is_new[i])
				continue;
			json_count(json, NULL, i - last);
			last = i;
		}
		json_close(json);
		json_object(json, "gone", true);
		json_count(json, "instructions", change->n_gone);
		json_array(json, "costs", true);
		for (size_t event = 0; event < rows->n_events; event++)
			json_cost(json, NULL, change->gone[event], is_signed);
		json_close(json);
		json_close(json);
	}
	json_close(json);
}

void reportcode_write_other(const struct reportcode *code, bool is_related, struct json *json)
{
	json_array(json, "code", true);
	for (size_t i = 0; code->changes && i < code->code.n; i++)
		write_change(code, i, is_related, json);
	json_close(json);
}
