/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of functions of a Python program: its own functions first, then the packages', both with the C below them
 * (profile/analysis/pythonshare.h), its imports as one, and functions of C, whose costs are in those above.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/annotate/annotate.h"
#include "profile/analysis/owncode.h"
#include "profile/analysis/pythonshare.h"
#include "profile/common/dictionary.h"
#include "profile/common/heap.h"

enum { MOST_OWN = 8, MOST_OTHERS = 4 };

struct python_function {
	uint32_t function;
	bool is_own;
	uint64_t *costs; /* with the C below it, and of all levels of recursion */
	int128 cost;     /* of them, what is sorted by */
	int128 rank;     /* of own functions: that, and calls of packages */
};

struct python_list {
	struct annotation *annotation;
	const struct metric *sort;
	struct python_function *all; /* owned */
	size_t n;
	uint32_t import; /* or MODEL_NO_FUNCTION */
	uint64_t *imports; /* what imports cost, but for functions that are called there; the annotation's */
};

static bool begins(struct name name, const char *text)
{
	return name.len >= strlen(text) && memcmp(name.text, text, strlen(text)) == 0;
}

bool python_is_listed(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_functions; i++)
		if (owncode_is_python(model, i))
			return true;
	return false;
}

const char *python_place(const struct model *model, uint32_t function, bool says_def,
			 struct arena *arena)
{
	static const char package[] = "/__init__.py";
	const struct model_function *names = &model->functions[function];
	const struct name path = model_name(model, NAME_FILE, names->file),
			  name = model_name(model, NAME_FUNCTION, names->name);
	const char *base = filename_base(path).text;
	struct model_cursor cursor;
	struct model_line line;
	uint64_t first = 0;
	char *text;

	/* All packages have a file of that name. */
	if (path.len > strlen(package) &&
	    strcmp(path.text + path.len - strlen(package), package) == 0)
		while (base > path.text && (base[-1] != '/' || strcmp(base, package + 1) == 0))
			base--;
	for (uint32_t part = 0; part < model_cost_parts(model); part++) {
		model_lines(model, function, part, &cursor);
		while (model_next_line(&cursor, &line))
			if (line.file == names->file && line.at.line != 0 &&
			    (first == 0 || line.at.line < first))
				first = line.at.line;
	}
	if (first == 0 || begins(name, "<module>"))
		return base;
	text = heap_print("%s:%" PRIu64 "%s", base, first, says_def ? " def" : "");
	base = arena_copy(arena, text, strlen(text));
	free(text);
	return base;
}

/* The function that this one is a recursion level of ("f" for "f'2"), or the function itself. */
static uint32_t first_level(const struct model *model, const struct idtable *by_name,
			    uint32_t function)
{
	const struct model_function *names = &model->functions[function];
	const struct name name = model_name(model, NAME_FUNCTION, names->name);
	size_t len = name.len;
	uint32_t base;

	while (len > 0 && isdigit((unsigned char)name.text[len - 1]))
		len--;
	if (len < 2 || len == name.len || name.text[len - 1] != '\'')
		return function;
	base = dictionary_find(&model->names[NAME_FUNCTION], name.text, len - 1);
	base = base == DICTIONARY_NONE ? IDTABLE_NONE
				       : idtable_get(by_name, (uint64_t)names->file << 32 | base);
	return base == IDTABLE_NONE ? function : base;
}

/* What a function costs in calls of functions of Python that are not the program's; but not in imports. */
static int128 of_packages(const struct python_list *list, uint32_t function)
{
	const struct model *model = list->annotation->model;
	struct model_cursor cursor;
	struct model_call call;
	int128 cost = 0;

	for (uint32_t part = 0; part < model_cost_parts(model); part++) {
		model_calls(model, function, part, &cursor);
		while (model_next_call(&cursor, &call))
			if (call.callee != list->import && owncode_is_python(model, call.callee) &&
			    !owncode_file_is_own(model, model->functions[call.callee].file))
				cost += metric_value(list->sort, call.costs, false);
	}
	return cost;
}

static void collect(struct python_list *list)
{
	struct annotation *annotation = list->annotation;
	const struct model *model = annotation->model;
	const size_t n_events = model->n_events;
	uint64_t *charged = pythonshare_compute(model, list->sort);
	uint32_t *row = heap_alloc((model->n_functions + 1) * sizeof(*row));
	struct idtable by_name;

	idtable_init(&by_name);
	list->all = heap_alloc((model->n_functions + 1) * sizeof(*list->all));
	for (uint32_t i = 0; i < model->n_functions; i++)
		if (owncode_is_python(model, i))
			idtable_put(&by_name,
				    (uint64_t)model->functions[i].file << 32 |
					    model->functions[i].name,
				    i);
	for (uint32_t i = 0; i < model->n_functions; i++) {
		const uint32_t file = model->functions[i].file;

		row[i] = UINT32_MAX;
		if (list->import != MODEL_NO_FUNCTION && pythonshare_is_import(model, i)) {
			for (size_t e = 0; e < n_events; e++)
				list->imports[e] += charged[i * n_events + e];
			continue;
		}
		if (!owncode_is_python(model, i) || first_level(model, &by_name, i) != i)
			continue;
		row[i] = (uint32_t)list->n;
		list->all[list->n++] = (struct python_function){
			.function = i,
			.is_own = owncode_file_is_own(model, file),
			.costs = row_new(&annotation->arena, n_events),
		};
	}
	for (uint32_t i = 0; i < model->n_functions; i++) {
		const uint32_t at = owncode_is_python(model, i)
					    ? row[first_level(model, &by_name, i)]
					    : UINT32_MAX;

		for (size_t e = 0; e < n_events && at != UINT32_MAX; e++)
			list->all[at].costs[e] += charged[i * n_events + e];
	}
	for (size_t i = 0; i < list->n; i++) {
		struct python_function *function = &list->all[i];

		function->cost = function->rank = metric_value(list->sort, function->costs, false);
		if (function->is_own)
			function->rank += of_packages(list, function->function);
	}
	idtable_release(&by_name);
	free(row);
	free(charged);
}

/* Own functions first. */
static int compare(const void *a, const void *b)
{
	const struct python_function *left = a, *right = b;

	if (left->is_own != right->is_own)
		return left->is_own ? -1 : 1;
	if (left->rank != right->rank)
		return left->rank > right->rank ? -1 : 1;
	return (left->function > right->function) - (left->function < right->function);
}

void python_list_make(struct annotation *annotation, size_t most_c)
{
	const struct model *model = annotation->model;
	const struct metric *sort =
		&annotation->columns.metrics.all[annotation->columns.keys[0].metric];
	const int128 whole = metric_value(sort, annotation->totals.costs, false);
	const uint32_t import = owncode_python_import(model);
	struct python_list list = {
		.annotation = annotation,
		.sort = sort,
		.import = import,
		.imports = row_new(&annotation->arena, model->n_events),
	};
	struct listing *listing = &annotation->listing;
	struct listing_entry *entries =
		arena_alloc(&annotation->arena,
			    (MOST_OWN + MOST_OTHERS + 1 + listing->n) * sizeof(*entries), 8);
	size_t n = 0, n_c = 0, n_of[2] = { 0, 0 };

	collect(&list);
	qsort(list.all, list.n, sizeof(*list.all), compare);
	for (size_t i = 0; i < list.n; i++) {
		const struct python_function *function = &list.all[i];
		const size_t most = function->is_own ? MOST_OWN : MOST_OTHERS;

		/* What is no hundredth is not worth a line of a screen; of own functions, with all that they call. */
		if (n_of[function->is_own] == most ||
		    (function->rank * 100 < whole &&
		     (!function->is_own ||
		      metric_value(sort, inclusive_of(&annotation->inclusive, function->function),
				   false) *
				      100 <
			      whole)))
			continue;
		n_of[function->is_own]++;
		entries[n++] = (struct listing_entry){ .function = function->function,
						       .costs = function->costs };
	}
	annotation->python_imports = import;
	if (import != MODEL_NO_FUNCTION)
		entries[n++] = (struct listing_entry){ .function = import, .costs = list.imports };
	annotation->n_python = n;
	for (size_t i = 0; i < listing->n && n_c < most_c; i++)
		if (!owncode_is_python(model, listing->entries[i].function)) {
			entries[n++] = listing->entries[i];
			n_c++;
		}
	listing->entries = entries;
	listing->n = n;
	free(list.all);
}
