/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The older profile's machine code is made as the main one's is, all of each function.  Functions meet by where
 * they are in one file, by their names among the functions of both profiles, or by what they are called.
 */
#include "cmds/report/reportchange.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/report/alignment.h"
#include "profile/common/dictionary.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "writer/shared/events.h"

enum {
	WHOLE = 1 << 24,  /* instructions of context: all there are */
	EFFORT = 1 << 26, /* pairs of instructions that are compared, in all */
	PAIR = 1 << 24,   /* and of one function, which needs 4 bytes for each */
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

/* -- pairs: which instructions of a function are those of its older code, in another file or gone -- */

/*
 * Texts become keys, which are aligned.  Offsets are believed only if nothing that both profiles know speaks
 * against it: what an older program was cannot be seen any more.
 */
struct codepair {
	struct reportrows *rows;
	const struct code_function *newer, *older;
	size_t *effort;   /* see alignment.h */
	size_t *partners; /* by the older code's instructions: places in the newer code */
	const char *why;  /* set if they cannot be shown: in what they differ */
};

/* -- texts ------------------------------------------------------------------------------------ */

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

/* "# 0x404000 <pointer+0x8>", "<main+0x12>": the names only. */
static void add_note(struct bytes *text, const char *note)
{
	const char *name = strchr(note, '<');

	if (!name)
		return;
	bytes_add_char(text, ' ');
	bytes_add(text, name, strcspn(name, "+"));
}

/* The key of what an instruction does. */
static uint32_t key_of(struct dictionary *texts, struct bytes *text,
		       const struct code_instruction *instruction)
{
	bytes_reset(text);
	bytes_add_text(text, instruction->mnemonic);
	bytes_add_char(text, ' ');
	if (instruction->note[0] == '\0')
		bytes_add_text(text, instruction->operands);
	else
		add_masked(text, instruction->operands);
	add_note(text, instruction->note);
	return dictionary_intern(texts, text->text, text->len);
}

/* The keys of a function's instructions, to be freed. */
static uint32_t *make_keys(struct dictionary *texts, const struct code_function *function)
{
	uint32_t *keys = heap_zeroed(function->n, sizeof(*keys));
	struct bytes text;

	bytes_init(&text);
	for (size_t i = 0; i < function->n; i++)
		keys[i] = key_of(texts, &text, &function->instructions[i]);
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

/* -- offsets ------------------------------------------------------------------------------------ */

/* An instruction that both have costs of. */
struct counterpart {
	const struct code_record *newer, *older;
	size_t place; /* in the newer one's list */
	size_t older_place;
	uint64_t newer_line, older_line;
	uint32_t file; /* of the report */
};

struct comparing {
	struct codepair *pair;
	struct counterpart *both;
	size_t n;
	uint64_t newer_base, older_base;
};

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
static const char *pair_up(struct comparing *comparing)
{
	struct codepair *pair = comparing->pair;
	const struct code_function *newer = pair->newer, *older = pair->older;
	size_t i = next_record(newer, 0), j = next_record(older, 0);

	while (i < newer->n && j < older->n) {
		const struct code_record *a = newer->instructions[i].record;
		const struct code_record *b = older->instructions[j].record;

		if (comparing->n == 0) {
			comparing->newer_base = a->address;
			comparing->older_base = b->address;
		}
		if (a->address - comparing->newer_base != b->address - comparing->older_base)
			return "other places of what was executed";
		if (file_of(pair, SIDE_MAIN, a) != file_of(pair, SIDE_OTHER, b))
			return "lines of other files";
		comparing->both[comparing->n++] = (struct counterpart){
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
static const char *check_lines(const struct comparing *comparing)
{
	struct counterpart *sorted = heap_zeroed(comparing->n, sizeof(*sorted));
	const char *why = NULL;

	memcpy(sorted, comparing->both, comparing->n * sizeof(*sorted));
	qsort(sorted, comparing->n, sizeof(*sorted), compare_lines);
	for (size_t i = 1; i < comparing->n; i++) {
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

static bool calls_row(const struct codepair *pair, enum report_side side,
		      const struct code_record *record, uint32_t row)
{
	for (size_t i = 0; i < record->n_calls; i++)
		if (pair->rows->sides[side].rows[record->calls[i].callee] == row)
			return true;
	return false;
}

/* True if both call the same functions, or one of them some of those that the other one calls. */
static bool has_same_calls(const struct codepair *pair, const struct counterpart *both)
{
	const struct code_record *newer = both->newer, *older = both->older;
	size_t n_same = 0;

	for (size_t i = 0; i < newer->n_calls; i++)
		n_same += calls_row(pair, SIDE_OTHER, older,
				    pair->rows->sides[SIDE_MAIN].rows[newer->calls[i].callee]);
	if ((newer->n_calls == 0) != (older->n_calls == 0))
		return false;
	return n_same == newer->n_calls || n_same == older->n_calls;
}

static bool jumps_to(const struct code_record *record, uint64_t base, const struct code_jump *jump,
		     uint64_t jump_base)
{
	for (size_t i = 0; i < record->n_jumps; i++)
		if (record->jumps[i].target - base == jump->target - jump_base &&
		    record->jumps[i].is_conditional == jump->is_conditional)
			return true;
	return false;
}

/* The same of jumps, of which those that were never followed are not recorded. */
static bool has_same_jumps(const struct comparing *comparing, const struct counterpart *both)
{
	const struct code_record *newer = both->newer, *older = both->older;
	size_t n_same = 0;

	for (size_t i = 0; i < newer->n_jumps; i++)
		n_same += jumps_to(older, comparing->older_base, &newer->jumps[i],
				   comparing->newer_base);
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

/* Costs of a call may have those of the stub that it goes through, which vary. */
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
static void mark_targets(const struct comparing *comparing, bool *is_target)
{
	const struct code_function *newer = comparing->pair->newer;

	for (size_t i = 0; i < newer->n; i++)
		for (size_t j = 0; j < newer->instructions[i].n_jumps; j++)
			is_target[machinecode_find(newer, newer->instructions[i].jumps[j].target)] =
				true;
	for (size_t i = 0; i < comparing->n; i++) {
		const struct code_record *older = comparing->both[i].older;

		for (size_t j = 0; j < older->n_jumps; j++)
			is_target[machinecode_find(newer, older->jumps[j].target -
								  comparing->older_base +
								  comparing->newer_base)] = true;
	}
}

/* True if the flow may be another one after an instruction. */
static bool is_end(const struct comparing *comparing, const struct counterpart *both)
{
	return comparing->pair->newer->instructions[both->place].n_jumps > 0 ||
	       both->older->n_jumps > 0 || is_call(both);
}

/*
 * Where what was executed of neighbours differs, one is a target, or the other one jumps or calls:
 * so blocks of the older code are made of blocks of this one.
 */
static void check_blocks(struct comparing *comparing, size_t ir)
{
	struct codepair *pair = comparing->pair;
	bool *is_target = heap_zeroed(pair->newer->n + 1, sizeof(*is_target));

	mark_targets(comparing, is_target);
	for (size_t i = 1; i < comparing->n; i++) {
		const struct counterpart *last = &comparing->both[i - 1];
		const struct counterpart *both = &comparing->both[i];
		bool is_near = last->place + 1 == both->place;

		if (is_near && !is_target[both->place] && !is_end(comparing, last) &&
		    !is_call(both) &&
		    cost_of(pair, SIDE_OTHER, last, ir) != cost_of(pair, SIDE_OTHER, both, ir))
			pair->why = "other blocks that are executed together";
	}
	free(is_target);
}

static const char *check_work(const struct comparing *comparing, size_t ir)
{
	size_t n_events;
	const struct event_info *events = event_all(&n_events);

	for (size_t i = 0; i < comparing->n; i++) {
		const struct counterpart *both = &comparing->both[i];

		if (!has_same_calls(comparing->pair, both))
			return "other calls";
		if (!has_same_jumps(comparing, both))
			return "other jumps";
		for (size_t j = 0; j < n_events; j++)
			if (events[j].origin == EVENT_ORIGIN_INSTRUCTION &&
			    strcmp(events[j].name, "Ir") != 0 &&
			    !has_same_rate(comparing->pair, both, ir, events[j].name))
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
	struct comparing comparing = {
		.pair = pair,
		.both = heap_zeroed(most, sizeof(*comparing.both)),
	};
	size_t ir = event_of(pair, "Ir");

	for (size_t i = 0; i < pair->older->n; i++)
		pair->partners[i] = ALIGNMENT_NONE;
	pair->why = pair_up(&comparing);
	if (!pair->why && ir == SIZE_MAX)
		pair->why = "no counts of instructions to compare";
	if (!pair->why)
		pair->why = check_work(&comparing, ir);
	if (!pair->why)
		pair->why = check_lines(&comparing);
	if (!pair->why)
		check_blocks(&comparing, ir);
	for (size_t i = 0; i < comparing.n; i++)
		pair->partners[comparing.both[i].older_place] = comparing.both[i].place;
	free(comparing.both);
}

/* -- the older code ------------------------------------------------------------------------ */

/* True if there is code of a file at an address. */
static bool has_code(const struct reportchange *change, const char *object, uint64_t address)
{
	for (size_t i = 0; i < change->code->n; i++) {
		const struct code_function *function = &change->code->functions[i];

		if (is_usable(function->object) && strcmp(function->object->name, object) == 0 &&
		    code_stretch_has(&function->stretch, address))
			return true;
	}
	return false;
}

/* True if an older function has instructions where there is code of its file. */
static bool is_within(const struct reportchange *change, uint32_t older)
{
	const struct model *model = change->rows->sides[SIDE_OTHER].model;
	const char *object = model_name(model, NAME_OBJECT, model->functions[older].object).text;
	struct model_cursor cursor;
	struct model_line line;

	model_lines(model, older, 0, &cursor);
	while (model_next_line(&cursor, &line))
		if (line.at.instr != 0 && has_code(change, object, line.at.instr))
			return true;
	return false;
}

/* Those of rows that have code, and those that have another name there, but are at the same place. */
static bool is_wanted(const struct reportchange *change, const bool *is_row, size_t row)
{
	uint32_t older = change->rows->sides[SIDE_OTHER].functions[row];

	if (older == MODEL_NO_FUNCTION)
		return false;
	return is_row[row] || (change->rows->sides[SIDE_MAIN].functions[row] == MODEL_NO_FUNCTION &&
			       is_within(change, older));
}

static int read_older(struct reportchange *change, const struct report_input *input,
		      const bool *is_row)
{
	const struct reportrows *rows = change->rows;
	const struct reportrows_side *side = &rows->sides[SIDE_OTHER];
	const struct column_choice choice = { .estimate = REPORT_ESTIMATE };
	struct basis basis = { .model = side->model,
			       .columns = &change->columns,
			       .arena = change->arena };
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

	listing.entries = arena_alloc(change->arena, (rows->n + 1) * sizeof(*listing.entries), 8);
	columns_init(&change->columns, side->model, &choice, change->arena);
	change->columns.keys = arena_alloc(change->arena, sizeof(*change->columns.keys), 8);
	/* All of them. */
	change->columns.keys[0] = (struct sort_key){ .has_threshold = true };
	change->columns.n_keys = 1;
	if (!model_totals(side->model, totals))
		return PROFILE_RANGE;
	basis.totals = totals;
	for (size_t row = 0; row < rows->n; row++)
		if (is_wanted(change, is_row, row))
			listing.entries[listing.n++] =
				(struct listing_entry){ .function = side->functions[row] };
	return machinecode_make(&change->older, &basis, &listing, &options);
}

/* -- which function is which ------------------------------------------------------------------ */

static uint32_t row_of(const struct reportchange *change, enum report_side side,
		       const struct code_function *function)
{
	return function->function == MODEL_NO_FUNCTION
		       ? MODEL_NO_FUNCTION
		       : change->rows->sides[side].rows[function->function];
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

static const struct code_function *find_older(const struct reportchange *change,
					      const struct code_function *function)
{
	const struct machinecode *older = &change->older;
	uint32_t row = row_of(change, SIDE_MAIN, function);

	for (size_t i = 0; i < older->n; i++) {
		const struct code_function *other = &older->functions[i];

		if (is_same_file(function, other) && is_same_place(function, other))
			return other;
	}
	for (size_t i = 0; row != MODEL_NO_FUNCTION && i < older->n; i++)
		if (row_of(change, SIDE_OTHER, &older->functions[i]) == row)
			return &older->functions[i];
	return only_one(change->code, function->name) ? only_one(older, function->name) : NULL;
}

/* -- costs -------------------------------------------------------------------------------------- */

/* Adds the costs of an instruction of the older code; false if a sum is beyond 64 bits. */
static bool add_costs(const struct reportchange *change, uint64_t *to,
		      const struct code_instruction *older)
{
	const struct reportrows_side *side = &change->rows->sides[SIDE_OTHER];

	for (size_t event = 0; event < change->rows->n_events; event++)
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
static int take_costs(const struct reportchange *change, struct report_change *of,
		      const struct code_function *function, const struct code_function *older,
		      const size_t *partners)
{
	size_t n_events = change->rows->n_events;

	of->costs = arena_alloc(change->arena, (function->n + 1) * n_events * 8 + 8, 8);
	of->gone = arena_alloc(change->arena, n_events * 8 + 8, 8);
	of->is_new = arena_alloc(change->arena, function->n + 1, 8);
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
		if (!add_costs(change, to, &older->instructions[i]))
			return PROFILE_RANGE;
	}
	return PROFILE_OK;
}

/* -- one file ------------------------------------------------------------------------------------- */

/* A copy of an instruction that only the older profile has costs of. */
static void copy_older(struct reportchange *change, const struct code_instruction *older,
		       struct code_instruction *to)
{
	*to = *older;
	to->record = NULL;
	to->jumps = NULL;
	to->n_jumps = 0;
	if (older->source != CODE_NO_SOURCE)
		code_sources_name(&change->code->sources,
				  change->older.sources.sources[older->source].name, &to->source);
}

/* Both lists as one, by address. */
static void merge(struct reportchange *change, struct code_function *function,
		  const struct code_function *older)
{
	struct code_instruction *all;
	size_t n = 0, i = 0, j = 0;

	all = arena_alloc(change->arena, (function->n + older->n + 1) * sizeof(*all), 8);
	while (i < function->n || j < older->n) {
		const struct code_instruction *a = &function->instructions[i];
		const struct code_instruction *b = &older->instructions[j];

		if (j == older->n || (i < function->n && a->address <= b->address)) {
			j += j < older->n && a->address == b->address;
			all[n++] = *a;
			i++;
			continue;
		}
		if (b->record)
			copy_older(change, b, &all[n++]);
		j++;
	}
	function->instructions = all;
	function->n = n;
}

static int compare_file(struct reportchange *change, struct report_change *of,
			struct code_function *function, const struct code_function *older)
{
	size_t *partners;

	if (older->object->n_outside > 0 || older->object->n_out_of_step > 0) {
		of->why = "the older profile has instructions where this file has none";
		return PROFILE_OK;
	}
	merge(change, function, older);
	partners = arena_alloc(change->arena, (older->n + 1) * sizeof(*partners), 8);
	for (size_t i = 0; i < older->n; i++) {
		size_t at = machinecode_find(function, older->instructions[i].address);

		partners[i] = at < function->n ? at : ALIGNMENT_NONE;
	}
	of->way = CHANGE_FILE;
	return take_costs(change, of, function, older, partners);
}

/* -- all ------------------------------------------------------------------------------------------- */

static int compare_pair(struct reportchange *change, struct report_change *of,
			struct code_function *function, const struct code_function *older)
{
	size_t most = change->effort < PAIR ? change->effort : PAIR, effort = most;
	struct codepair pair = {
		.rows = change->rows,
		.newer = function,
		.older = older,
		.effort = &effort,
	};

	if (is_same_file(function, older))
		return compare_file(change, of, function, older);
	pair.partners = arena_alloc(change->arena, (older->n + 1) * sizeof(*pair.partners), 8);
	if (is_usable(function->object) && is_usable(older->object)) {
		codepair_by_text(&pair);
		change->effort -= most - effort;
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
	return take_costs(change, of, function, older, pair.partners);
}

static bool has_older(const struct reportchange *change, const struct code_function *function)
{
	uint32_t row = row_of(change, SIDE_MAIN, function);

	return row == MODEL_NO_FUNCTION ||
	       change->rows->sides[SIDE_OTHER].functions[row] != MODEL_NO_FUNCTION;
}

static int compare(struct reportchange *change, size_t i)
{
	struct code_function *function = &change->code->functions[i];
	struct report_change *of = &change->changes[i];
	const struct code_function *older = find_older(change, function);
	bool is_taken = older && change->is_taken[older - change->older.functions];

	*of = (struct report_change){ .file = "", .why = "" };
	if (!(change->rows->sides[SIDE_OTHER].model->positions & POSITION_INSTR)) {
		of->why = "the older profile has no costs of instructions";
		return PROFILE_OK;
	}
	if (older && !is_taken) {
		change->is_taken[older - change->older.functions] = true;
		return compare_pair(change, of, function, older);
	}
	if (is_taken || has_older(change, function)) {
		of->why = "the older profile has no code of one piece that is known to be this";
		return PROFILE_OK;
	}
	of->way = CHANGE_NONE;
	return take_costs(change, of, function, NULL, NULL);
}

int reportchange_make(struct reportchange *change, struct reportrows *rows,
		      struct machinecode *code, const struct report_input *input,
		      const bool *is_row)
{
	int status = PROFILE_OK;

	change->rows = rows;
	change->code = code;
	change->effort = EFFORT;
	if (rows->sides[SIDE_OTHER].model->positions & POSITION_INSTR)
		status = read_older(change, input, is_row);
	if (status)
		return status;
	change->changes = arena_alloc(change->arena, (code->n + 1) * sizeof(*change->changes), 8);
	change->is_taken = arena_alloc(change->arena, change->older.n + 1, 1);
	memset(change->is_taken, 0, change->older.n);
	for (size_t i = 0; !status && i < code->n; i++)
		status = compare(change, i);
	return status;
}

void reportchange_release(struct reportchange *change)
{
	machinecode_release(&change->older);
}

/* -- writing ------------------------------------------------------------------------------------------ */

/* An event's column: what instructions cost in the older profile, or how much more than now. */
static void write_column(const struct reportchange *change, size_t i, size_t event, bool is_related,
			 struct json *json)
{
	const struct reportrows *rows = change->rows;
	const struct code_function *function = &change->code->functions[i];
	const struct report_change *of = &change->changes[i];
	bool is_signed = is_related || rows->sides[SIDE_OTHER].model->is_signed;
	bool is_zero = true;

	for (int pass = 0; pass < 2; pass++) {
		if (pass == 1)
			json_array(json, NULL, true);
		for (size_t j = 0; j < function->n; j++) {
			const struct code_record *record = function->instructions[j].record;
			uint64_t cost = of->costs[j * rows->n_events + event];

			if (is_related && record)
				cost -= record->costs[rows->sides[SIDE_MAIN].events[event]];
			is_zero &= cost == 0;
			if (pass == 1)
				json_cost(json, NULL, cost, is_signed);
		}
		if (pass == 0 && is_zero) {
			json_count(json, NULL, 0);
			return;
		}
	}
	json_close(json);
}

/* Rows of what is new, as differences. */
static void write_new(const struct report_change *of, size_t n, struct json *json)
{
	size_t last = 0;

	json_array(json, "d_new", true);
	for (size_t i = 0; i < n; i++) {
		if (!of->is_new[i])
			continue;
		json_count(json, NULL, i - last);
		last = i;
	}
	json_close(json);
}

static void write_change(const struct reportchange *change, size_t i, bool is_related,
			 struct json *json)
{
	static const char *const ways[] = { "unknown", "none", "file", "text", "offset" };
	const struct report_change *of = &change->changes[i];
	const struct reportrows *rows = change->rows;
	bool is_signed = rows->sides[SIDE_OTHER].model->is_signed;

	json_object(json, NULL, true);
	json_string(json, "way", ways[of->way]);
	json_string(json, "file", of->file);
	json_string(json, "why", of->why);
	if (of->way != CHANGE_UNKNOWN) {
		json_array(json, is_related ? "p_costs" : "costs", true);
		for (size_t event = 0; event < rows->n_events; event++)
			write_column(change, i, event, is_related, json);
		json_close(json);
		write_new(of, change->code->functions[i].n, json);
		json_object(json, "gone", true);
		json_count(json, "instructions", of->n_gone);
		json_array(json, "costs", true);
		for (size_t event = 0; event < rows->n_events; event++)
			json_cost(json, NULL, of->gone[event], is_signed);
		json_close(json);
		json_close(json);
	}
	json_close(json);
}

void reportchange_write(const struct reportchange *change, bool is_related, struct json *json)
{
	json_array(json, "code", true);
	for (size_t i = 0; change->changes && i < change->code->n; i++)
		write_change(change, i, is_related, json);
	json_close(json);
}
