/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts become keys, which are aligned.  Offsets are believed only if nothing that both profiles know speaks
 * against it: what an older program was cannot be seen any more.
 */
#include "cmds/report/codepair.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/bytes.h"
#include "profile/common/dictionary.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"

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

/* The key of what an instruction does; DICTIONARY_NONE if memory ran out. */
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
	return text->failed ? DICTIONARY_NONE : dictionary_intern(texts, text->text, text->len);
}

static bool make_keys(struct dictionary *texts, const struct code_function *function,
		      struct alignment_list *list, uint32_t **keys)
{
	struct bytes text;
	bool fine;

	bytes_init(&text, &heap_env);
	*keys = heap_zeroed(&heap_env, function->n, sizeof(**keys));
	fine = *keys != NULL;
	for (size_t i = 0; fine && i < function->n; i++) {
		(*keys)[i] = key_of(texts, &text, &function->instructions[i]);
		fine = (*keys)[i] != DICTIONARY_NONE;
	}
	bytes_release(&text);
	*list = (struct alignment_list){ *keys, function->n };
	return fine;
}

int codepair_by_text(struct codepair *pair)
{
	struct alignment_list newer, older;
	uint32_t *newer_keys = NULL, *older_keys = NULL;
	struct dictionary texts;
	int status = PROFILE_NO_MEMORY;

	dictionary_init(&texts, &heap_env);
	if (make_keys(&texts, pair->newer, &newer, &newer_keys) &&
	    make_keys(&texts, pair->older, &older, &older_keys))
		status = alignment_make(&older, &newer, pair->effort, pair->partners);
	if (status == PROFILE_RANGE) {
		pair->why = "both are too long to be compared, or those before them were";
		status = PROFILE_OK;
	}
	dictionary_release(&texts);
	heap_env.release(heap_env.ctx, newer_keys);
	heap_env.release(heap_env.ctx, older_keys);
	return status;
}

/* -- offsets ------------------------------------------------------------------------------------ */

/* An instruction of which both have something. */
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
static int check_lines(struct comparing *comparing)
{
	struct counterpart *sorted = heap_zeroed(&heap_env, comparing->n, sizeof(*sorted));

	if (!sorted)
		return PROFILE_NO_MEMORY;
	memcpy(sorted, comparing->both, comparing->n * sizeof(*sorted));
	qsort(sorted, comparing->n, sizeof(*sorted), compare_lines);
	for (size_t i = 1; i < comparing->n; i++) {
		const struct counterpart *a = &sorted[i - 1], *b = &sorted[i];

		if (a->file != b->file)
			continue;
		if ((a->newer_line == b->newer_line) != (a->older_line == b->older_line) ||
		    a->older_line > b->older_line)
			comparing->pair->why = "lines in another order";
	}
	heap_env.release(heap_env.ctx, sorted);
	return PROFILE_OK;
}

static bool calls_row(const struct codepair *pair, enum report_side side,
		      const struct code_record *record, uint32_t row)
{
	for (size_t i = 0; i < record->n_calls; i++)
		if (pair->rows->sides[side].rows[record->calls[i].callee] == row)
			return true;
	return false;
}

/* Whether both call the same functions, or one of them some of those that the other one calls. */
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

/* Likewise; a jump that was never followed is not recorded. */
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

/* Whether each execution had as many references of an event. */
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

/* Whether the flow may be another one behind an instruction. */
static bool is_end(const struct comparing *comparing, const struct counterpart *both)
{
	return comparing->pair->newer->instructions[both->place].n_jumps > 0 ||
	       both->older->n_jumps > 0 || is_call(both);
}

/*
 * Where what was executed of neighbours differs, one is a target, or the other one jumps or calls:
 * so blocks of the older code are made of blocks of this one.
 */
static int check_blocks(struct comparing *comparing, size_t ir)
{
	struct codepair *pair = comparing->pair;
	bool *is_target = heap_zeroed(&heap_env, pair->newer->n + 1, sizeof(*is_target));

	if (!is_target)
		return PROFILE_NO_MEMORY;
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
	heap_env.release(heap_env.ctx, is_target);
	return PROFILE_OK;
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

static int compare(struct comparing *comparing)
{
	struct codepair *pair = comparing->pair;
	size_t ir = event_of(pair, "Ir");
	int status = PROFILE_OK;

	pair->why = pair_up(comparing);
	if (!pair->why && ir == SIZE_MAX)
		pair->why = "no counts of instructions to compare";
	if (!pair->why)
		pair->why = check_work(comparing, ir);
	if (!pair->why)
		status = check_lines(comparing);
	if (!status && !pair->why)
		status = check_blocks(comparing, ir);
	for (size_t i = 0; i < comparing->n; i++)
		pair->partners[comparing->both[i].older_place] = comparing->both[i].place;
	return status;
}

int codepair_by_offset(struct codepair *pair)
{
	struct comparing comparing = { .pair = pair };
	size_t most = pair->newer->n < pair->older->n ? pair->newer->n : pair->older->n;
	int status = PROFILE_NO_MEMORY;

	for (size_t i = 0; i < pair->older->n; i++)
		pair->partners[i] = ALIGNMENT_NONE;
	comparing.both = heap_zeroed(&heap_env, most, sizeof(*comparing.both));
	if (comparing.both)
		status = compare(&comparing);
	heap_env.release(heap_env.ctx, comparing.both);
	return status;
}
