/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of a file are found by number in a table, since a profile with
 * instructions has many records of one line.
 */
#include "cmds/annotate/linework.h"

#include <stdlib.h>

#include "cmds/code/callwork.h"
#include "profile/common/heap.h"
#include "profile/format/idtable.h"

struct gathered_line {
	uint64_t number;
	uint64_t *costs;
	bool has_costs;
};

/* Of one file. */
struct gathered_file {
	struct idtable numbers; /* line number: index */
	struct gathered_line *lines;
	size_t n, capacity;
};

struct gathering {
	const struct model *model;
	const uint32_t *places;
	struct gathered_file *files;
	size_t n_files;
	struct callwork calls;
	struct arena *arena;
};

static struct gathered_line *line_of(struct gathering *gathering, uint32_t place, uint64_t number)
{
	const struct env *env = gathering->model->env;
	struct gathered_file *file = &gathering->files[place];
	uint32_t index = idtable_get(&file->numbers, number);
	uint64_t *row;

	if (index != IDTABLE_NONE)
		return &file->lines[index];
	row = row_new(gathering->arena, gathering->model->n_events);
	if (!row ||
	    !heap_reserve(env, (void **)&file->lines, &file->capacity, file->n + 1,
			  sizeof(*file->lines)) ||
	    !idtable_put(&file->numbers, number, (uint32_t)file->n))
		return NULL;
	file->lines[file->n] = (struct gathered_line){ number, row, false };
	return &file->lines[file->n++];
}

static int gather_lines(struct gathering *gathering, uint32_t function)
{
	const struct model *model = gathering->model;
	struct model_cursor cursor;
	struct model_line line;

	model_lines(model, function, 0, &cursor);
	while (model_next_line(&cursor, &line)) {
		uint32_t place = gathering->places[line.file];
		struct gathered_line *to;

		if (place == 0)
			continue;
		to = line_of(gathering, place - 1, line.at.line);
		if (!to)
			return PROFILE_NO_MEMORY;
		to->has_costs = true;
		if (!row_add(to->costs, line.costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	}
	return PROFILE_OK;
}

static int gather_calls(struct gathering *gathering, uint32_t function)
{
	const struct model *model = gathering->model;
	struct model_cursor cursor;
	struct model_call call;

	model_calls(model, function, 0, &cursor);
	while (model_next_call(&cursor, &call)) {
		uint32_t place = gathering->places[call.file];
		int status;

		if (place == 0)
			continue;
		if (!line_of(gathering, place - 1, call.at.line))
			return PROFILE_NO_MEMORY;
		status = callwork_add(&gathering->calls, place - 1, call.at.line, &call);
		if (status)
			return status;
	}
	return PROFILE_OK;
}

static int compare_lines(const void *a, const void *b)
{
	uint64_t of_a = ((const struct gathered_line *)a)->number;
	uint64_t of_b = ((const struct gathered_line *)b)->number;

	return (of_a > of_b) - (of_a < of_b);
}

static bool give_lines(struct gathering *gathering, struct annotated_file *files)
{
	for (size_t i = 0; i < gathering->n_files; i++) {
		struct gathered_file *from = &gathering->files[i];
		struct annotated_file *file = &files[i];

		file->lines =
			arena_alloc(gathering->arena, (from->n + 1) * sizeof(*file->lines), 8);
		if (!file->lines)
			return false;
		file->n_lines = from->n;
		if (from->n > 0)
			qsort(from->lines, from->n, sizeof(*from->lines), compare_lines);
		for (size_t j = 0; j < from->n; j++) {
			struct annotated_line *line = &file->lines[j];

			*line = (struct annotated_line){
				.number = from->lines[j].number,
				.costs = from->lines[j].costs,
				.has_costs = from->lines[j].has_costs,
			};
			if (!callwork_give(&gathering->calls, i, line->number, &line->calls,
					   &line->n_calls))
				return false;
		}
	}
	return true;
}

int linework_gather(struct annotated_file *files, size_t n, const uint32_t *places,
		    const struct model *model, const struct columns *columns, struct arena *arena)
{
	const struct env *env = model->env;
	struct gathering gathering = {
		.model = model,
		.calls = { .model = model, .columns = columns, .arena = arena },
		.places = places,
		.files = heap_zeroed(env, n, sizeof(*gathering.files)),
		.n_files = n,
		.arena = arena,
	};
	int status = gathering.files ? PROFILE_OK : PROFILE_NO_MEMORY;

	if (status)
		return status;
	for (size_t i = 0; i < n; i++)
		idtable_init(&gathering.files[i].numbers, env);
	for (size_t i = 0; !status && i < model->n_functions; i++) {
		status = gather_lines(&gathering, (uint32_t)i);
		if (!status)
			status = gather_calls(&gathering, (uint32_t)i);
	}
	if (!status)
		status = callwork_merge(&gathering.calls);
	if (!status && !give_lines(&gathering, files))
		status = PROFILE_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		idtable_release(&gathering.files[i].numbers);
		env->release(env->ctx, gathering.files[i].lines);
	}
	env->release(env->ctx, gathering.files);
	callwork_release(&gathering.calls);
	return status;
}
