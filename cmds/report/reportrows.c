/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of functions, of one profile or of two; texts by number. */
#define _GNU_SOURCE /* memrchr() */
#include "cmds/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

/* -- texts ----------------------------------------------------------------------------- */

enum {
	MAX_CALLERS = 64,  /* pieces of a name that is taken apart */
	MAX_PIECED = 4096, /* bytes of it */
};

void reportnames_init(struct reportnames *names)
{
	*names = (struct reportnames){ .n_pairs = 0 };
	dictionary_init(&names->strings);
	idtable_init(&names->files.numbers);
	idtable_init(&names->objects.numbers);
	reportnames_text(names, "", 0);
}

void reportnames_release(struct reportnames *names)
{
	dictionary_release(&names->strings);
	idtable_release(&names->files.numbers);
	free(names->files.texts);
	idtable_release(&names->objects.numbers);
	free(names->objects.texts);
	free(names->pairs);
}

uint32_t reportnames_text(struct reportnames *names, const char *text, size_t len)
{
	return dictionary_intern(&names->strings, text, len);
}

uint32_t reportnames_function(struct reportnames *names, const char *text, size_t len)
{
	size_t end = len; /* of the current piece; the last piece is the first one */
	uint32_t tail = 0;
	size_t n = 0;

	/* Each piece with all after it is a text: the memory of names of many pieces is quadratic. */
	for (size_t i = 0; i < len; i++)
		n += text[i] == '\'';
	if (n > MAX_CALLERS || len > MAX_PIECED)
		return reportnames_text(names, text, len);

	for (;;) {
		const char *quote = end > 0 ? memrchr(text, '\'', end) : NULL;
		size_t start = quote ? (size_t)(quote - text) + 1 : 0;
		uint32_t head = reportnames_text(names, text + start, end - start);
		size_t known = names->strings.count;
		uint32_t whole = head;

		if (end < len) {
			whole = reportnames_text(names, text + start, len - start);
			if (whole == known) {
				names->pairs = heap_grow(names->pairs, &names->pairs_capacity,
							 (size_t)whole + 1, sizeof(*names->pairs));
				while (names->n_pairs < whole)
					names->pairs[names->n_pairs++] =
						(struct reportnames_pair){ 0, 0 };
				names->pairs[names->n_pairs++] =
					(struct reportnames_pair){ head, tail };
			}
		}
		if (!quote)
			return whole;
		tail = whole;
		end = start - 1;
	}
}

static uint32_t list_number(struct reportnames *names, struct reportnames_list *list,
			    struct name name)
{
	uint32_t text = reportnames_text(names, name.text, name.len);
	uint32_t number = idtable_get(&list->numbers, text);

	if (number != IDTABLE_NONE)
		return number;
	list->texts = heap_grow(list->texts, &list->capacity, list->n + 1, sizeof(*list->texts));
	idtable_put(&list->numbers, text, (uint32_t)list->n);
	list->texts[list->n] = text;
	return (uint32_t)list->n++;
}

uint32_t reportnames_file(struct reportnames *names, struct name name)
{
	return list_number(names, &names->files, name);
}

uint32_t reportnames_object(struct reportnames *names, struct name name)
{
	return list_number(names, &names->objects, name);
}

static void write_list(const struct reportnames_list *list, const char *key, struct json *json)
{
	json_array(json, key, true);
	for (size_t i = 0; i < list->n; i++)
		json_count(json, NULL, list->texts[i]);
	json_close(json);
}

void reportnames_write(const struct reportnames *names, struct json *json)
{
	write_list(&names->files, "files", json);
	write_list(&names->objects, "objects", json);
	json_array(json, "strings", true);
	for (uint32_t i = 0; i < names->strings.count; i++) {
		struct name name = dictionary_name(&names->strings, i);
		bool has_pair = i < names->n_pairs && names->pairs[i].tail != 0;

		if (!has_pair) {
			json_text(json, NULL, name.text, name.len);
			continue;
		}
		json_array(json, NULL, true);
		json_count(json, NULL, names->pairs[i].head);
		json_count(json, NULL, names->pairs[i].tail);
		json_close(json);
	}
	json_close(json);
}

/* -- functions ------------------------------------------------------------------------- */

#define NO_FILE UINT32_MAX

/* As costgrind annotate does: what the file says that the run cost, except where that cannot be true. */
static bool find_totals(const struct reportrows *rows, struct reportrows_side *side)
{
	uint64_t sums[PROFILE_MAX_EVENTS], said[PROFILE_MAX_EVENTS];
	bool is_said;

	if (!model_totals(side->model, sums))
		return false;
	is_said = model_summary(side->model, said);
	for (size_t i = 0; i < rows->n_events; i++) {
		size_t event = side->events[i];

		side->totals[i] = is_said && cost_can_be_total(said[event], sums[event],
							       side->model->is_signed)
					  ? said[event]
					  : sums[event];
	}
	return true;
}

/*
 * If all functions of an older file that are known to have moved are in one newer file, the two files are the same, if neither
 * profile has both: so its lines are compared where they were inlined into other functions, too.
 */
static void join_files(struct reportrows *rows, const struct difference *difference)
{
	const struct model *model = difference->new_model, *old_model = difference->old_model;
	const uint32_t *old_number = difference->old_number[NAME_FILE];
	const size_t n_old = old_model->names[NAME_FILE].count;
	uint32_t *moved_to = heap_alloc((n_old + 1) * sizeof(*moved_to));
	bool *is_left =
		heap_zeroed(n_old + 1, sizeof(*is_left)); /* is there, or is not one file now */

	memset(moved_to, 0xff, (n_old + 1) * sizeof(*moved_to)); /* NO_FILE */
	for (size_t i = 0; i < model->names[NAME_FILE].count; i++)
		if (old_number[i] != DICTIONARY_NONE)
			is_left[old_number[i]] = true;
	for (size_t i = 0; i < difference->n_rows; i++) {
		const struct difference_row *row = &difference->rows[i];
		uint32_t from, to;

		if (row->old_function == MODEL_NO_FUNCTION ||
		    row->new_function == MODEL_NO_FUNCTION)
			continue;
		from = old_model->functions[row->old_function].file;
		to = model->functions[row->new_function].file;
		if (old_number[to] != DICTIONARY_NONE ||
		    (moved_to[from] != NO_FILE && moved_to[from] != to))
			is_left[from] = true;
		moved_to[from] = to;
	}
	for (uint32_t i = 0; i < n_old; i++)
		if (moved_to[i] != NO_FILE && !is_left[i])
			rows->sides[SIDE_OTHER].files[i] =
				reportrows_file(rows, SIDE_MAIN, moved_to[i]);
	free(moved_to);
	free(is_left);
}

int reportrows_init(struct reportrows *rows, const struct model *model,
		    const struct difference *difference, struct reportnames *names)
{
	struct reportrows_side *main_side = &rows->sides[SIDE_MAIN];
	struct reportrows_side *other = &rows->sides[SIDE_OTHER];
	int status = PROFILE_OK;

	*rows = (struct reportrows){
		.names = names,
		.n = model->n_functions,
		.n_events = model->n_events,
	};
	main_side->model = model;
	if (difference) {
		rows->n = difference->n_rows;
		rows->n_events = difference->n_events;
		main_side->sums = &difference->new_costs;
		other->sums = &difference->old_costs;
		other->model = difference->old_model;
		memcpy(main_side->events, difference->new_events, sizeof(main_side->events));
		memcpy(other->events, difference->old_events, sizeof(other->events));
	} else {
		main_side->sums = &rows->own;
		for (size_t i = 0; i < model->n_events; i++)
			main_side->events[i] = i;
		status = inclusive_compute(&rows->own, model, NULL);
	}
	rows->is_detailed = heap_zeroed(rows->n, sizeof(*rows->is_detailed));
	for (unsigned i = 0; !status && i < reportrows_sides(rows); i++) {
		struct reportrows_side *side = &rows->sides[i];
		size_t n_files = side->model->names[NAME_FILE].count;

		side->functions = heap_zeroed(rows->n, sizeof(*side->functions));
		side->rows = heap_zeroed(side->model->n_functions, sizeof(*side->rows));
		side->files = heap_zeroed(n_files, sizeof(*side->files));
		memset(side->files, 0xff, n_files * sizeof(*side->files)); /* NO_FILE */
		if (!find_totals(rows, side))
			return PROFILE_RANGE;
		for (uint32_t row = 0; row < rows->n; row++) {
			uint32_t function = row;

			if (difference)
				function = i == SIDE_MAIN ? difference->rows[row].new_function
							  : difference->rows[row].old_function;
			side->functions[row] = function;
			if (function != MODEL_NO_FUNCTION)
				side->rows[function] = row;
		}
	}
	if (!status && difference)
		join_files(rows, difference);
	return status;
}

void reportrows_release(struct reportrows *rows)
{
	for (unsigned i = 0; i < N_SIDES; i++) {
		free(rows->sides[i].functions);
		free(rows->sides[i].rows);
		free(rows->sides[i].files);
	}
	free(rows->is_detailed);
	inclusive_release(&rows->own);
}

const uint64_t *reportrows_self(const struct reportrows *rows, enum report_side side, size_t row)
{
	uint32_t function = rows->sides[side].functions[row];

	return function == MODEL_NO_FUNCTION ? NULL
					     : inclusive_self(rows->sides[side].sums, function);
}

const uint64_t *reportrows_inclusive(const struct reportrows *rows, enum report_side side,
				     size_t row)
{
	uint32_t function = rows->sides[side].functions[row];

	return function == MODEL_NO_FUNCTION ? NULL
					     : inclusive_of(rows->sides[side].sums, function);
}

uint64_t reportrows_calls(const struct reportrows *rows, enum report_side side, size_t row)
{
	uint32_t function = rows->sides[side].functions[row];

	return function == MODEL_NO_FUNCTION ? 0 : rows->sides[side].sums->called[function];
}

/* True if a cost is at least that share of the total; 0 never is. */
static bool reaches(int128 cost, int128 total, double share)
{
	return cost != 0 &&
	       (double)int128_magnitude(cost) >= share * (double)int128_magnitude(total);
}

static bool is_costly(const struct reportrows *rows, enum report_side i, size_t row, double share,
		      const struct metric *main_metric)
{
	const struct reportrows_side *side = &rows->sides[i];
	const uint64_t *self = reportrows_self(rows, i, row);
	const uint64_t *inclusive = reportrows_inclusive(rows, i, row);
	bool is_signed = side->model->is_signed;

	if (!self)
		return false;
	if (reaches(metric_value(main_metric, inclusive, is_signed),
		    metric_value(main_metric, side->totals, is_signed), share))
		return true;
	for (size_t event = 0; event < rows->n_events; event++)
		if (reaches(int128_of(self[event], is_signed),
			    int128_of(side->totals[event], is_signed), share))
			return true;
	return false;
}

void reportrows_choose(struct reportrows *rows, double share, const struct metric *main_metric)
{
	for (size_t row = 0; row < rows->n; row++) {
		rows->is_detailed[row] = share <= 0;
		for (unsigned i = 0; i < reportrows_sides(rows); i++)
			rows->is_detailed[row] |= is_costly(rows, i, row, share, main_metric);
	}
}

uint32_t reportrows_file(struct reportrows *rows, enum report_side side, uint32_t file)
{
	uint32_t *number = &rows->sides[side].files[file];

	if (*number == NO_FILE)
		*number = reportnames_file(rows->names,
					   model_name(rows->sides[side].model, NAME_FILE, file));
	return *number;
}

uint32_t reportrows_file_in(struct reportrows *rows, enum report_side side, size_t row,
			    uint32_t file)
{
	const struct reportrows_side *main_side = &rows->sides[SIDE_MAIN];

	if (side == SIDE_OTHER && main_side->functions[row] != MODEL_NO_FUNCTION) {
		const struct reportrows_side *other = &rows->sides[SIDE_OTHER];

		if (other->model->functions[other->functions[row]].file == file)
			return reportrows_file(
				rows, SIDE_MAIN,
				main_side->model->functions[main_side->functions[row]].file);
	}
	return reportrows_file(rows, side, file);
}

uint32_t reportrows_find(const struct reportrows *rows, enum report_side i,
			 const struct model *from, uint32_t number)
{
	const struct reportrows_side *side = &rows->sides[i];
	const struct model_function *function = &from->functions[number];
	const uint32_t numbers[N_NAME_KINDS] = {
		[NAME_OBJECT] = function->object,
		[NAME_FILE] = function->file,
		[NAME_FUNCTION] = function->name,
	};
	uint32_t found[N_NAME_KINDS], result;

	for (int kind = 0; kind < N_NAME_KINDS; kind++) {
		/* Files and objects are numbered by their clean spelling; another may be shown. */
		struct name name = dictionary_name(&from->names[kind], numbers[kind]);

		found[kind] = dictionary_find(&side->model->names[kind], name.text, name.len);
		if (found[kind] == DICTIONARY_NONE)
			return MODEL_NO_FUNCTION;
	}
	result = model_find_function(side->model, found[NAME_OBJECT], found[NAME_FILE],
				     found[NAME_FUNCTION]);
	return result == MODEL_NO_FUNCTION ? result : side->rows[result];
}

void reporttable_column(const struct reporttable *table, const char *key, size_t column,
			struct json *json)
{
	json_array(json, key, true);
	for (size_t row = 0; row < table->n; row++)
		json_cost(json, NULL, table->at(table->ctx, row, column), table->is_signed);
	json_close(json);
}

void reporttable_costs(const struct reporttable *table, const char *key, size_t n_columns,
		       struct json *json)
{
	json_array(json, key, true);
	for (size_t column = 0; column < n_columns; column++) {
		size_t row = 0;

		while (row < table->n && table->at(table->ctx, row, column) == 0)
			row++;
		if (row == table->n)
			json_count(json, NULL, 0);
		else
			reporttable_column(table, NULL, column, json);
	}
	json_close(json);
}
