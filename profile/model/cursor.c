/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unpacks lines, calls and jumps of a function; see pack.h. */
#include "profile/model/cursor.h"

#include <string.h>

#include "profile/model/model.h"
#include "profile/model/pack.h"

enum section {
	SECTION_LINES,
	SECTION_CALLS,
	SECTION_JUMPS,
};

static void enter(struct model_cursor *cursor, const struct model *model,
		  const struct model_function *function, const struct model_segment *segment,
		  enum section section)
{
	uint64_t lines_len, calls_len;
	const unsigned char *p;

	cursor->model = model;
	cursor->last = (struct position){ 0, 0 };
	cursor->file = cursor->own_file = function->file;
	cursor->own_name = function->name;
	cursor->next = cursor->end = NULL;
	if (!segment)
		return;
	p = unpack_number(segment->data, &lines_len);
	p = unpack_number(p, &calls_len);
	cursor->next = p + (section >= SECTION_CALLS ? lines_len : 0) +
		       (section >= SECTION_JUMPS ? calls_len : 0);
	if (section == SECTION_LINES)
		cursor->end = p + lines_len;
	else if (section == SECTION_CALLS)
		cursor->end = p + lines_len + calls_len;
	else
		cursor->end = segment->data + segment->len;
}

const struct model_segment *cursor_segment(const struct model *model, uint32_t function,
					   uint32_t part)
{
	const struct model_segment *segment = model->functions[function].segments;

	while (segment && segment->part != part)
		segment = segment->next;
	return segment;
}

/* Each sets a cursor to a segment's lines, calls or jumps; segment may be NULL: none. */
static void cursor_enter_lines(struct model_cursor *cursor, const struct model *model,
			       const struct model_function *function,
			       const struct model_segment *segment)
{
	enter(cursor, model, function, segment, SECTION_LINES);
}

static void cursor_enter_calls(struct model_cursor *cursor, const struct model *model,
			       const struct model_function *function,
			       const struct model_segment *segment)
{
	enter(cursor, model, function, segment, SECTION_CALLS);
}

static void cursor_enter_jumps(struct model_cursor *cursor, const struct model *model,
			       const struct model_function *function,
			       const struct model_segment *segment)
{
	enter(cursor, model, function, segment, SECTION_JUMPS);
}

void model_lines(const struct model *model, uint32_t function, uint32_t part,
		 struct model_cursor *cursor)
{
	enter(cursor, model, &model->functions[function], cursor_segment(model, function, part),
	      SECTION_LINES);
}

void model_calls(const struct model *model, uint32_t function, uint32_t part,
		 struct model_cursor *cursor)
{
	enter(cursor, model, &model->functions[function], cursor_segment(model, function, part),
	      SECTION_CALLS);
}

void model_jumps(const struct model *model, uint32_t function, uint32_t part,
		 struct model_cursor *cursor)
{
	enter(cursor, model, &model->functions[function], cursor_segment(model, function, part),
	      SECTION_JUMPS);
}

bool model_has(const struct model *model, uint32_t function, uint32_t part)
{
	return cursor_segment(model, function, part) != NULL;
}

/* What all three begin with; returns the upper bits of the head. */
static uint64_t next_key(struct model_cursor *cursor)
{
	const unsigned char *p = cursor->next;
	uint64_t head, number;

	p = unpack_number(p, &head);
	if (head & PACK_INSTR) {
		p = unpack_signed(p, &number);
		cursor->last.instr += number;
	}
	if (head & PACK_LINE) {
		p = unpack_signed(p, &number);
		cursor->last.line += number;
	}
	if (head & PACK_FILE) {
		p = unpack_number(p, &number);
		cursor->file = (uint32_t)number;
	}
	cursor->next = p;
	return head;
}

static void next_costs(struct model_cursor *cursor, size_t n)
{
	const unsigned char *p = cursor->next;
	size_t i = 0;

	for (; i < n; i++)
		p = unpack_signed(p, &cursor->costs[i]);
	for (; i < cursor->model->n_events; i++)
		cursor->costs[i] = 0;
	cursor->next = p;
}

bool model_next_line(struct model_cursor *cursor, struct model_line *line)
{
	uint64_t head;

	if (cursor->next == cursor->end)
		return false;
	head = next_key(cursor);
	next_costs(cursor, (size_t)(head >> PACK_SHIFT));
	line->at = cursor->last;
	line->file = cursor->file;
	line->costs = cursor->costs;
	return true;
}

bool model_next_call(struct model_cursor *cursor, struct model_call *call)
{
	uint64_t head, callee;

	if (cursor->next == cursor->end)
		return false;
	head = next_key(cursor);
	cursor->next = unpack_number(cursor->next, &callee);
	cursor->next = unpack_signed(cursor->next, &call->count);
	cursor->next = unpack_signed(cursor->next, &call->target.instr);
	cursor->next = unpack_number(cursor->next, &call->target.line);
	next_costs(cursor, (size_t)(head >> PACK_SHIFT));
	call->at = cursor->last;
	call->file = cursor->file;
	call->callee = (uint32_t)callee;
	call->target.instr += call->at.instr;
	call->costs = cursor->costs;
	return true;
}

bool model_next_jump(struct model_cursor *cursor, struct model_jump *jump)
{
	uint64_t head, number = 0;

	if (cursor->next == cursor->end)
		return false;
	head = next_key(cursor);
	cursor->next = unpack_signed(cursor->next, &jump->followed);
	if (head & PACK_CONDITIONAL)
		cursor->next = unpack_signed(cursor->next, &number);
	jump->executed = jump->followed + number;
	cursor->next = unpack_signed(cursor->next, &jump->target.instr);
	cursor->next = unpack_signed(cursor->next, &jump->target.line);
	jump->at = cursor->last;
	jump->target.instr += jump->at.instr;
	jump->target.line += jump->at.line;
	jump->file = jump->target_file = cursor->file;
	jump->target_function = cursor->own_name;
	jump->is_conditional = head & PACK_CONDITIONAL;
	jump->has_function = head & PACK_FUNCTION;
	if (head & PACK_TARGET_FILE) {
		cursor->next = unpack_number(cursor->next, &number);
		jump->target_file = (uint32_t)number;
	}
	if (head & PACK_FUNCTION) {
		cursor->next = unpack_number(cursor->next, &number);
		jump->target_function = (uint32_t)number;
	}
	return true;
}

/* -- back into a block --------------------------------------------------------- */

static uint32_t ranked(const uint32_t *ranks, uint32_t number)
{
	return ranks ? ranks[number] : number;
}

static int add_lines(struct block *block, struct model_cursor *cursor,
		     const struct unpack_ranks *ranks)
{
	struct model_line line;
	int status = PROFILE_OK;

	while (!status && model_next_line(cursor, &line)) {
		const struct block_key key = { line.at, ranked(ranks->files, line.file) };

		status = block_add_line(block, &key, line.costs, cursor->model->n_events);
	}
	return status;
}

static int add_calls(struct block *block, struct model_cursor *cursor,
		     const struct unpack_ranks *ranks)
{
	struct model_call call;
	int status = PROFILE_OK;

	while (!status && model_next_call(cursor, &call)) {
		const struct block_call added = {
			.key = { call.at, ranked(ranks->files, call.file) },
			.callee = ranked(ranks->functions, call.callee),
			.count = call.count,
			.target = call.target,
			.n_costs = (uint32_t)cursor->model->n_events,
		};

		status = block_add_call(block, &added, call.costs);
	}
	return status;
}

static int add_jumps(struct block *block, struct model_cursor *cursor,
		     const struct unpack_ranks *ranks)
{
	struct model_jump jump;
	int status = PROFILE_OK;

	while (!status && model_next_jump(cursor, &jump)) {
		const struct block_jump added = {
			.key = { jump.at, ranked(ranks->files, jump.file) },
			.is_conditional = jump.is_conditional,
			.has_function = jump.has_function,
			.target_file = ranked(ranks->files, jump.target_file),
			.target_function = ranked(ranks->names, jump.target_function),
			.target = jump.target,
			.followed = jump.followed,
			.executed = jump.executed,
		};

		status = block_add_jump(block, &added);
	}
	return status;
}

int unpack_segment(struct block *block, const struct model *model,
		   const struct model_function *function, const struct model_segment *segment,
		   const struct unpack_ranks *ranks)
{
	struct model_cursor cursor;
	int status;

	cursor_enter_lines(&cursor, model, function, segment);
	status = add_lines(block, &cursor, ranks);
	if (status)
		return status;
	cursor_enter_calls(&cursor, model, function, segment);
	status = add_calls(block, &cursor, ranks);
	if (status)
		return status;
	cursor_enter_jumps(&cursor, model, function, segment);
	return add_jumps(block, &cursor, ranks);
}
