/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/model/unpack.h"

#include "profile/model/cursor.h"

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
