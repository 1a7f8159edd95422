/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of one function in two profiles, side by side (difference.h). */
#include <stdlib.h>
#include <string.h>

#include "profile/analysis/difference.h"
#include "profile/common/heap.h"

/* Growing lists of lines, and of n_events costs of each. */
struct linelist {
	const struct difference *difference;
	struct difference_line *lines;
	size_t n, capacity;
	struct arena *arena;
};

/* The same key and text for the same file of both profiles: OLD's, if that has it. */
static struct name file_of(const struct difference *difference, uint32_t file, bool is_new)
{
	uint32_t old_file = is_new ? difference->old_number[NAME_FILE][file] : file;
	struct name name;

	if (old_file != DICTIONARY_NONE)
		return model_name(difference->old_model, NAME_FILE, old_file);
	name = model_name(difference->new_model, NAME_FILE, file);
	name.key += (uint32_t)difference->old_model->names[NAME_FILE].count;
	return name;
}

static int append(struct linelist *list, const struct model_line *line, bool is_new)
{
	const struct difference *difference = list->difference;
	const size_t *events = is_new ? difference->new_events : difference->old_events;
	size_t n = difference->n_events;
	uint64_t *costs = arena_alloc(list->arena, (2 * n + 1) * sizeof(*costs), sizeof(*costs));
	void *lines = list->lines;

	if (!costs || !heap_reserve(difference->env, &lines, &list->capacity, list->n + 1,
				    sizeof(struct difference_line)))
		return PROFILE_NO_MEMORY;
	list->lines = lines;
	memset(costs, 0, 2 * n * sizeof(*costs));
	for (size_t i = 0; i < n; i++)
		costs[is_new ? n + i : i] = line->costs[events[i]];
	list->lines[list->n++] = (struct difference_line){
		file_of(difference, line->file, is_new),
		line->at.line,
		costs,
		costs + n,
	};
	return PROFILE_OK;
}

static int append_side(struct linelist *list, size_t row, bool is_new)
{
	const struct difference *difference = list->difference;
	const struct model *model = is_new ? difference->new_model : difference->old_model;
	const struct difference_row *r = &difference->rows[row];
	uint32_t function = is_new ? r->new_function : r->old_function;
	int status = PROFILE_OK;

	if (function == MODEL_NO_FUNCTION)
		return PROFILE_OK;
	for (uint32_t part = 0; part < model_cost_parts(model) && !status; part++) {
		struct model_cursor cursor;
		struct model_line line;

		model_lines(model, function, part, &cursor);
		while (!status && model_next_line(&cursor, &line))
			status = append(list, &line, is_new);
	}
	return status;
}

static int compare_names(const struct name *a, const struct name *b)
{
	int order = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);

	if (order == 0 && a->len != b->len)
		order = a->len < b->len ? -1 : 1;
	return order;
}

static int compare_lines(const void *a, const void *b)
{
	const struct difference_line *x = a, *y = b;

	if (x->file.key != y->file.key) {
		int order = compare_names(&x->file, &y->file);

		return order ? order : (x->file.key < y->file.key ? -1 : 1);
	}
	return x->line < y->line ? -1 : x->line > y->line;
}

static bool add(uint64_t *sums, const uint64_t *costs, size_t n, bool is_signed)
{
	for (size_t i = 0; i < n; i++)
		if (!cost_add(&sums[i], costs[i], is_signed))
			return false;
	return true;
}

static bool is_equal(const struct difference *difference, const struct difference_line *line)
{
	for (size_t i = 0; i < difference->n_events; i++)
		if (amount_of(line->old_costs[i], difference->old_model->is_signed) !=
		    amount_of(line->new_costs[i], difference->new_model->is_signed))
			return false;
	return true;
}

/* Makes one of those of one place, and drops those that do not differ. */
static int fold(struct linelist *list)
{
	const struct difference *difference = list->difference;
	size_t n = 0, n_events = difference->n_events, next;

	for (size_t i = 0; i < list->n; i = next) {
		struct difference_line *line = &list->lines[i];

		for (next = i + 1; next < list->n; next++) {
			const struct difference_line *other = &list->lines[next];

			if (other->file.key != line->file.key || other->line != line->line)
				break;
			if (!add(line->old_costs, other->old_costs, n_events,
				 difference->old_model->is_signed) ||
			    !add(line->new_costs, other->new_costs, n_events,
				 difference->new_model->is_signed))
				return PROFILE_RANGE;
		}
		if (!is_equal(difference, line))
			list->lines[n++] = *line;
	}
	list->n = n;
	return PROFILE_OK;
}

int difference_lines(const struct difference *difference, size_t row, struct arena *arena,
		     struct difference_line **lines, size_t *n)
{
	const struct env *env = difference->env;
	struct linelist list = { .difference = difference, .arena = arena };
	int status = append_side(&list, row, false);

	*lines = NULL;
	*n = 0;
	if (!status)
		status = append_side(&list, row, true);
	if (!status && list.n > 0) {
		qsort(list.lines, list.n, sizeof(*list.lines), compare_lines);
		status = fold(&list);
	}
	if (!status && list.n > 0) {
		*lines = arena_alloc(arena, list.n * sizeof(*list.lines), sizeof(void *));
		if (!*lines)
			status = PROFILE_NO_MEMORY;
	}
	if (!status && list.n > 0) {
		memcpy(*lines, list.lines, list.n * sizeof(*list.lines));
		*n = list.n;
	}
	env->release(env->ctx, list.lines);
	return status;
}
