/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of a file are found by number in a table, since a profile with
 * instructions has many records of one line.  Calls are listed, sorted, and added up.
 */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/linework.h"

#include <stdlib.h>
#include <string.h>

#include "profile/heap.h"
#include "profile/idtable.h"

struct gathered_line {
	uint64_t number;
	uint64_t *costs;
	bool has_costs;
};

struct gathered_call {
	uint32_t place; /* of the file */
	uint32_t callee;
	uint64_t line, count;
	uint64_t *costs;
};

/* Of one file. */
struct gathered_file {
	struct idtable numbers; /* line number: index */
	struct gathered_line *lines;
	size_t n, capacity;
};

struct gathering {
	const struct model *model;
	const struct columns *columns;
	const uint32_t *places;
	struct gathered_file *files;
	size_t n_files;
	struct gathered_call *calls;
	size_t n_calls, calls_capacity;
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
		uint64_t *row;

		if (place == 0)
			continue;
		row = row_new(gathering->arena, model->n_events);
		if (!row || !line_of(gathering, place - 1, call.at.line) ||
		    !heap_reserve(model->env, (void **)&gathering->calls,
				  &gathering->calls_capacity, gathering->n_calls + 1,
				  sizeof(*gathering->calls)))
			return PROFILE_NO_MEMORY;
		memcpy(row, call.costs, model->n_events * sizeof(*row));
		gathering->calls[gathering->n_calls++] =
			(struct gathered_call){ place - 1, call.callee, call.at.line, call.count,
						row };
	}
	return PROFILE_OK;
}

static int compare_lines(const void *a, const void *b)
{
	uint64_t of_a = ((const struct gathered_line *)a)->number;
	uint64_t of_b = ((const struct gathered_line *)b)->number;

	return (of_a > of_b) - (of_a < of_b);
}

static int compare_calls(const void *a, const void *b)
{
	const struct gathered_call *of_a = a, *of_b = b;

	if (of_a->place != of_b->place)
		return of_a->place < of_b->place ? -1 : 1;
	if (of_a->line != of_b->line)
		return of_a->line < of_b->line ? -1 : 1;
	return (of_a->callee > of_b->callee) - (of_a->callee < of_b->callee);
}

static int compare_costs(const void *a, const void *b, void *ctx)
{
	const struct annotated_call *of_a = a, *of_b = b;
	const struct gathering *gathering = ctx;
	int order = columns_compare(gathering->columns, of_a->costs, of_b->costs);

	return order != 0 ? order
			  : listing_compare_names(gathering->model, of_a->callee, of_b->callee);
}

/* Makes one of the calls of one function from one line. */
static int merge_calls(struct gathering *gathering)
{
	const struct model *model = gathering->model;
	size_t used = 0;

	if (gathering->n_calls > 0)
		qsort(gathering->calls, gathering->n_calls, sizeof(*gathering->calls),
		      compare_calls);
	for (size_t i = 0; i < gathering->n_calls; i++) {
		struct gathered_call *call = &gathering->calls[i];
		struct gathered_call *last = used > 0 ? &gathering->calls[used - 1] : NULL;

		if (!last || compare_calls(last, call) != 0) {
			gathering->calls[used++] = *call;
			continue;
		}
		if (!cost_add(&last->count, call->count, model->is_signed) ||
		    !row_add(last->costs, call->costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	}
	gathering->n_calls = used;
	return PROFILE_OK;
}

/* The calls from a line of a file, beginning at *next, which is moved behind them. */
static bool give_calls(struct gathering *gathering, uint32_t place, struct annotated_line *line,
		       size_t *next)
{
	const struct gathered_call *calls = gathering->calls + *next;
	struct annotated_call *copies;
	size_t n = 0;

	while (*next + n < gathering->n_calls && calls[n].place == place &&
	       calls[n].line == line->number)
		n++;
	*next += n;
	if (n == 0)
		return true;
	copies = arena_alloc(gathering->arena, n * sizeof(*copies), 8);
	if (!copies)
		return false;
	for (size_t i = 0; i < n; i++)
		copies[i] =
			(struct annotated_call){ calls[i].callee, calls[i].count, calls[i].costs };
	qsort_r(copies, n, sizeof(*copies), compare_costs, gathering);
	line->calls = copies;
	line->n_calls = n;
	return true;
}

static bool give_lines(struct gathering *gathering, struct annotated_file *files)
{
	size_t next_call = 0;

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
			file->lines[j] = (struct annotated_line){
				.number = from->lines[j].number,
				.costs = from->lines[j].costs,
				.has_costs = from->lines[j].has_costs,
			};
			if (!give_calls(gathering, (uint32_t)i, &file->lines[j], &next_call))
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
		.columns = columns,
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
		status = merge_calls(&gathering);
	if (!status && !give_lines(&gathering, files))
		status = PROFILE_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		idtable_release(&gathering.files[i].numbers);
		env->release(env->ctx, gathering.files[i].lines);
	}
	env->release(env->ctx, gathering.files);
	env->release(env->ctx, gathering.calls);
	return status;
}
