/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* memrchr() */
#include "cmds/listing/lineless.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/error.h"

enum {
	LEAST_SHARE = 10,  /* percent of all, to be worth a line */
	LEAST_OBJECT = 1,  /* ... of an object, to be named */
	MOST_OBJECTS = 3,  /* named, those that cost most */
	OBJECT_TEXT = 120, /* bytes of one of them; of a longer name, the end is cut */
};

struct object {
	uint32_t name;
	int128 cost;
};

static int by_cost(const void *a, const void *b)
{
	const struct object *left = a, *right = b;

	if (left->cost != right->cost)
		return left->cost > right->cost ? -1 : 1;
	return left->name < right->name ? -1 : left->name > right->name;
}

static int128 self_cost(const struct model *model, uint32_t function, const struct metric *metric)
{
	int128 sum = 0;

	for (size_t part = 0; part < model_cost_parts(model); part++) {
		struct model_cursor cursor;
		struct model_line line;

		model_lines(model, function, (uint32_t)part, &cursor);
		while (model_next_line(&cursor, &line))
			if (line.file == DICTIONARY_UNKNOWN)
				sum += metric_value(metric, line.costs, model->is_signed);
	}
	return sum;
}

/* Whether sources are known of anything: else the profile's writer does not say them. */
static bool has_files(const struct model *model)
{
	for (size_t i = 0; i < model->n_functions; i++)
		if (model->functions[i].file != DICTIONARY_UNKNOWN)
			return true;
	return false;
}

/* Not a file that might have lines: "[kernel]" and its like are what costs were put down to. */
static bool is_no_file(const struct model *model, uint32_t object)
{
	struct name name = model_name(model, NAME_OBJECT, object);

	return name.len > 0 && name.text[0] == '[';
}

/* What each object costs without lines, by its number; returns the sum. */
static int128 add_up(struct object *objects, const struct model *model, const struct metric *metric)
{
	int128 all = 0;

	for (size_t i = 0; i < model->n_functions; i++) {
		const struct model_function *function = &model->functions[i];
		int128 cost;

		if (function->file != DICTIONARY_UNKNOWN ||
		    (model->has_objects && (function->object == DICTIONARY_UNKNOWN ||
					    is_no_file(model, function->object))))
			continue;
		cost = self_cost(model, (uint32_t)i, metric);
		objects[function->object].name = function->object;
		objects[function->object].cost += cost;
		all += cost;
	}
	return all;
}

static double percent(int128 part, int128 whole)
{
	return 100.0 * (double)part / (double)whole;
}

/* ": prog (80.1%), libfoo.so (9.2%)"; a share is 100 % at most.  Nothing is written if there is none. */
static void name_objects(char *text, size_t size, const struct model *model,
			 const struct object *objects, size_t n, int128 whole)
{
	size_t used = 0;

	for (size_t i = 0; i < n && i < MOST_OBJECTS; i++) {
		struct name name = model_name(model, NAME_OBJECT, objects[i].name);
		const char *slash = memrchr(name.text, '/', name.len);
		const char *base = slash ? slash + 1 : name.text;
		size_t len = (size_t)(name.text + name.len - base);

		if (percent(objects[i].cost, whole) < LEAST_OBJECT)
			break;
		used += (size_t)snprintf(text + used, size - used, "%s%.*s (%.1f%%)",
					 i > 0 ? ", " : ": ",
					 (int)(len < OBJECT_TEXT ? len : OBJECT_TEXT), base,
					 percent(objects[i].cost, whole));
	}
}

static const char *compose(const struct model *model, const struct metric *metric,
			   const struct object *objects, int128 cost, int128 whole,
			   struct arena *arena)
{
	char named[MOST_OBJECTS * (OBJECT_TEXT + 16)], *note;
	size_t size;

	named[0] = '\0';
	if (model->has_objects)
		name_objects(named, sizeof(named), model, objects, model->names[NAME_OBJECT].count,
			     whole);
	size = strlen(metric->name) + strlen(named) + 160;
	note = arena_alloc(arena, size, 1);
	if (note)
		snprintf(note, size,
			 "%.1f%% of %s has no source lines%s; compile with -g, install debug "
			 "packages, or set DEBUGINFOD_URLS, and run it again",
			 percent(cost, whole), metric->name, named);
	return note;
}

int lineless_note(const char **note, const struct model *model, const struct metric *metric,
		  const uint64_t *totals, struct arena *arena)
{
	int128 whole = metric_value(metric, totals, model->is_signed), cost;
	size_t n = model->names[NAME_OBJECT].count;
	struct object *objects;

	*note = NULL;
	if (model->is_signed || whole <= 0 || (!model->has_objects && !has_files(model)))
		return PROFILE_OK;
	objects = calloc(n + 1, sizeof(*objects));
	if (!objects)
		return PROFILE_NO_MEMORY;
	cost = add_up(objects, model, metric);
	qsort(objects, n, sizeof(*objects), by_cost);
	/* Where a formula takes off more than there is, parts are larger than the whole. */
	if (cost <= whole && objects[0].cost <= whole && percent(cost, whole) >= LEAST_SHARE) {
		*note = compose(model, metric, objects, cost, whole, arena);
		if (!*note) {
			free(objects);
			return PROFILE_NO_MEMORY;
		}
	}
	free(objects);
	return PROFILE_OK;
}
