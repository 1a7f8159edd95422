/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unpacks lines, calls and jumps of a function; see segment.h. */

#include <string.h>

#include "profile/model/model.h"
#include "profile/model/segment.h"

enum segment_section {
	SECTION_LINES,
	SECTION_CALLS,
	SECTION_JUMPS,
};

static void enter(struct model_cursor *cursor, const struct model *model,
		  const struct model_function *function, const struct model_segment *segment,
		  enum segment_section section)
{
	uint64_t sums_len, lines_len, calls_len;
	const unsigned char *p;

	cursor->model = model;
	cursor->last = (struct position){ 0, 0 };
	cursor->file = cursor->own_file = function->file;
	cursor->own_name = function->name;
	cursor->next = cursor->end = NULL;
	if (!segment)
		return;
	cursor->n_costs = 0;
	memset(cursor->costs, 0, model->n_events * sizeof(*cursor->costs));
	p = varint_read(segment->data, &sums_len);
	p = varint_read(p, &lines_len);
	p = varint_read(p, &calls_len) + sums_len;
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

void cursor_enter_lines(struct model_cursor *cursor, const struct model *model,
			const struct model_function *function, const struct model_segment *segment)
{
	enter(cursor, model, function, segment, SECTION_LINES);
}

void cursor_enter_calls(struct model_cursor *cursor, const struct model *model,
			const struct model_function *function, const struct model_segment *segment)
{
	enter(cursor, model, function, segment, SECTION_CALLS);
}

void cursor_enter_jumps(struct model_cursor *cursor, const struct model *model,
			const struct model_function *function, const struct model_segment *segment)
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

void model_self(const struct model *model, uint32_t function, uint32_t part, uint64_t *costs)
{
	const struct model_segment *segment = cursor_segment(model, function, part);
	uint64_t sums_len, ignored;
	const unsigned char *p, *end;

	memset(costs, 0, model->n_events * sizeof(*costs));
	if (!segment)
		return;
	p = varint_read(segment->data, &sums_len);
	p = varint_read(varint_read(p, &ignored), &ignored);
	for (end = p + sums_len; p < end; costs++)
		p = varint_read_signed(p, costs);
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

	p = varint_read(p, &head);
	if (head & SEGMENT_INSTR) {
		p = varint_read_signed(p, &number);
		cursor->last.instr += number;
	}
	if (head & SEGMENT_LINE) {
		p = varint_read_signed(p, &number);
		cursor->last.line += number;
	}
	if (head & SEGMENT_FILE) {
		p = varint_read(p, &number);
		cursor->file = (uint32_t)number;
	}
	cursor->next = p;
	return head;
}

/* What is behind the row's n_costs is 0 already. */
static void next_costs(struct model_cursor *cursor, uint32_t n)
{
	const unsigned char *p = cursor->next;

	for (uint32_t i = 0; i < n; i++)
		p = varint_read_signed(p, &cursor->costs[i]);
	if (n < cursor->n_costs)
		memset(cursor->costs + n, 0, (cursor->n_costs - n) * sizeof(*cursor->costs));
	cursor->n_costs = n;
	cursor->next = p;
}

bool model_next_line(struct model_cursor *cursor, struct model_line *line)
{
	uint64_t head;

	if (cursor->next == cursor->end)
		return false;
	head = next_key(cursor);
	line->n_costs = (uint32_t)(head >> SEGMENT_SHIFT);
	next_costs(cursor, line->n_costs);
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
	cursor->next = varint_read(cursor->next, &callee);
	cursor->next = varint_read_signed(cursor->next, &call->count);
	cursor->next = varint_read_signed(cursor->next, &call->target.instr);
	cursor->next = varint_read(cursor->next, &call->target.line);
	call->n_costs = (uint32_t)(head >> SEGMENT_SHIFT);
	next_costs(cursor, call->n_costs);
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
	cursor->next = varint_read_signed(cursor->next, &jump->followed);
	if (head & SEGMENT_CONDITIONAL)
		cursor->next = varint_read_signed(cursor->next, &number);
	jump->executed = jump->followed + number;
	cursor->next = varint_read_signed(cursor->next, &jump->target.instr);
	cursor->next = varint_read_signed(cursor->next, &jump->target.line);
	jump->at = cursor->last;
	jump->target.instr += jump->at.instr;
	jump->target.line += jump->at.line;
	jump->file = jump->target_file = cursor->file;
	jump->target_function = cursor->own_name;
	jump->is_conditional = head & SEGMENT_CONDITIONAL;
	jump->has_function = head & SEGMENT_FUNCTION;
	if (head & SEGMENT_TARGET_FILE) {
		cursor->next = varint_read(cursor->next, &number);
		jump->target_file = (uint32_t)number;
	}
	if (head & SEGMENT_FUNCTION) {
		cursor->next = varint_read(cursor->next, &number);
		jump->target_function = (uint32_t)number;
	}
	return true;
}

/* -- back into a buffer --------------------------------------------------------- */

static int add_lines(struct cost_buffer *buffer, struct model_cursor *cursor)
{
	struct model_line line;
	int status = PROFILE_OK;

	while (!status && model_next_line(cursor, &line)) {
		const struct cost_buffer_key key = { line.at, line.file };

		status = cost_buffer_add_line(buffer, &key, line.costs, line.n_costs);
	}
	return status;
}

static void add_calls(struct cost_buffer *buffer, struct model_cursor *cursor)
{
	struct model_call call;

	while (model_next_call(cursor, &call)) {
		const struct cost_buffer_call added = {
			.key = { call.at, call.file },
			.callee = call.callee,
			.count = call.count,
			.target = call.target,
			.n_costs = call.n_costs,
		};

		cost_buffer_add_call(buffer, &added, call.costs);
	}
}

static void add_jumps(struct cost_buffer *buffer, struct model_cursor *cursor)
{
	struct model_jump jump;

	while (model_next_jump(cursor, &jump)) {
		const struct cost_buffer_jump added = {
			.key = { jump.at, jump.file },
			.is_conditional = jump.is_conditional,
			.has_function = jump.has_function,
			.target_file = jump.target_file,
			.target_function = jump.target_function,
			.target = jump.target,
			.followed = jump.followed,
			.executed = jump.executed,
		};

		cost_buffer_add_jump(buffer, &added);
	}
}

int unpack_segment(struct cost_buffer *buffer, const struct model *model,
		   const struct model_function *function, const struct model_segment *segment)
{
	struct model_cursor cursor;
	int status;

	cursor_enter_lines(&cursor, model, function, segment);
	status = add_lines(buffer, &cursor);
	cursor_enter_calls(&cursor, model, function, segment);
	add_calls(buffer, &cursor);
	cursor_enter_jumps(&cursor, model, function, segment);
	add_jumps(buffer, &cursor);
	return status;
}
