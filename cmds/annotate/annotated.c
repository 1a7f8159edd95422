/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* qsort_r() */
#include "cmds/annotate/annotated.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cli/loader.h"
#include "cmds/code/callwork.h"
#include "profile/common/filename.h"
#include "profile/common/heap.h"
#include "profile/format/idtable.h"

/* -- costs and calls of lines -------------------------------------------------- */

/*
 * Lines of a file are found by number in a table, since a profile with
 * instructions has many records of one line.
 */
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

struct line_gathering {
	const struct model *model;
	const uint32_t *places;
	struct gathered_file *files;
	size_t n_files;
	struct callwork calls;
	struct arena *arena;
};

static struct gathered_line *line_of(struct line_gathering *gathering, uint32_t place,
				     uint64_t number)
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

static int gather_lines(struct line_gathering *gathering, uint32_t function)
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

static int gather_calls(struct line_gathering *gathering, uint32_t function)
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

static bool give_lines(struct line_gathering *gathering, struct annotated_file *files)
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

/*
 * Fills lines of the n files; of each file number f of the model, places[f] - 1 is
 * the place in files, 0 = it is not wanted.  Returns a status.
 */
static int linework_gather(struct annotated_file *files, size_t n, const uint32_t *places,
			   const struct model *model, const struct columns *columns,
			   struct arena *arena)
{
	const struct env *env = model->env;
	struct line_gathering gathering = {
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

/* -- which files, which lines -------------------------------------------------- */

struct line_choosing {
	struct annotated *annotated;
	const struct model *model;
	const struct columns *columns;
	const struct annotated_options *options;
	struct arena *arena;
	uint32_t *places; /* by file: place in annotated->files + 1; 0 = not chosen */
	uint64_t **costs; /* by file: all of its costs; NULL = none */
};

/* All costs of each file. */
static int sum_files(struct line_choosing *choosing, const struct self_costs *self_costs)
{
	const struct model *model = choosing->model;

	for (size_t i = 0; i < self_costs->n_pairs; i++) {
		const struct self_costs_pair *pair = &self_costs->pairs[i];
		uint64_t *row = choosing->costs[pair->file];

		if (!row) {
			row = row_new(choosing->arena, model->n_events);
			if (!row)
				return PROFILE_NO_MEMORY;
			choosing->costs[pair->file] = row;
		}
		if (!row_add(row, pair->costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	}
	return PROFILE_OK;
}

static struct annotated_file *add_file(struct line_choosing *choosing, uint32_t number)
{
	struct annotated *annotated = choosing->annotated;
	struct annotated_file *file = &annotated->files[annotated->n];

	*file = (struct annotated_file){
		.name = model_name(choosing->model, NAME_FILE, number).text,
		.file = number,
		.is_known = true,
		.costs = choosing->costs[number],
	};
	annotated->n++;
	choosing->places[number] = (uint32_t)annotated->n;
	return file;
}

/* Whether a word of the user's names a file: as recorded, its last components, or the same file. */
static bool names_file(const char *word, size_t word_len, const struct stat *status,
		       const struct name *name)
{
	struct stat other;

	if (name->len == word_len && memcmp(name->text, word, word_len) == 0)
		return true;
	if (name->len > word_len && name->text[name->len - word_len - 1] == '/' &&
	    memcmp(name->text + name->len - word_len, word, word_len) == 0)
		return true;
	return status && strlen(name->text) == name->len && stat(name->text, &other) == 0 &&
	       other.st_dev == status->st_dev && other.st_ino == status->st_ino;
}

static bool choose_named(struct line_choosing *choosing, const char *word)
{
	const struct model *model = choosing->model;
	struct annotated *annotated = choosing->annotated;
	size_t found = annotated->n, len = strlen(word);
	struct stat status;
	bool is_there = stat(word, &status) == 0;
	char *clean = malloc(len + 1);

	if (!clean)
		return false;
	len = filename_clean(word, len, clean);
	for (uint32_t i = 0; i < model->names[NAME_FILE].count; i++) {
		struct name name = dictionary_name(&model->names[NAME_FILE], i);

		if (choosing->places[i] == 0 && choosing->costs[i] && len > 0 &&
		    names_file(clean, len, is_there ? &status : NULL, &name))
			add_file(choosing, i)->is_named = true;
	}
	free(clean);
	/* A file may be named twice; once is enough. */
	for (size_t i = 0; annotated->n == found && i < found; i++)
		if (strcmp(annotated->files[i].name, word) == 0)
			return true;
	if (annotated->n == found)
		annotated->files[annotated->n++] =
			(struct annotated_file){ .name = word, .is_named = true };
	return true;
}

static int compare_files(const void *a, const void *b, void *ctx)
{
	const struct annotated_file *of_a = a, *of_b = b;
	const struct line_choosing *choosing = ctx;
	int order = columns_compare(choosing->columns, of_a->costs, of_b->costs);

	return order != 0 ? order : strcmp(of_a->name, of_b->name);
}

/* Files of functions that are listed, and of code of functions that would be worth it. */
static void choose_automatic(struct line_choosing *choosing, const struct self_costs *self_costs,
			     const struct listing *listing, const uint64_t *totals)
{
	struct annotated *annotated = choosing->annotated;
	size_t first = annotated->n;

	for (size_t i = 0; i < listing->n; i++) {
		uint32_t file = choosing->model->functions[listing->entries[i].function].file;

		if (file != DICTIONARY_UNKNOWN && choosing->places[file] == 0 &&
		    choosing->costs[file])
			add_file(choosing, file);
	}
	for (size_t i = 0; i < self_costs->n_pairs; i++) {
		const struct self_costs_pair *pair = &self_costs->pairs[i];

		if (pair->file != DICTIONARY_UNKNOWN && choosing->places[pair->file] == 0 &&
		    columns_reach(choosing->columns, pair->costs, totals))
			add_file(choosing, pair->file);
	}
	qsort_r(annotated->files + first, annotated->n - first, sizeof(*annotated->files),
		compare_files, choosing);
	for (size_t i = first; i < annotated->n; i++)
		choosing->places[annotated->files[i].file] = (uint32_t)i + 1;
}

/* False if memory ran out. */
static bool find_text(struct annotated_file *file, const struct annotated_options *options)
{
	file->is_found = sourcetext_find(&file->text, file->name, options->policy);
	if (!file->is_found) {
		file->is_refused = errno == EPERM;
		return errno != ENOMEM;
	}
	file->is_stale = loaded_before(options->oldest, &file->text.modified);
	return true;
}

/* Where all costs of files are, whose lines are known by now. */
static int cover(struct annotated *annotated, const struct line_choosing *choosing)
{
	const struct model *model = choosing->model;
	uint32_t n_names = (uint32_t)model->names[NAME_FILE].count;
	bool fine = true;

	for (uint32_t i = 0; i < n_names; i++) {
		uint32_t place = choosing->places[i];
		const struct annotated_file *file;
		enum coverage_kind kind = COVERAGE_NOT_FOUND;

		if (!choosing->costs[i])
			continue;
		if (place == 0)
			kind = i == DICTIONARY_UNKNOWN ? COVERAGE_UNKNOWN : COVERAGE_NOT_CHOSEN;
		file = place ? &annotated->files[place - 1] : NULL;
		if (file && file->is_refused)
			kind = COVERAGE_REFUSED;
		if (!file || !file->is_found) {
			fine &= row_add(annotated->coverage[kind], choosing->costs[i],
					model->n_events, model->is_signed);
			continue;
		}
		for (size_t j = 0; j < file->n_lines; j++) {
			kind = COVERAGE_SHOWN;
			if (file->lines[j].number == 0)
				kind = COVERAGE_LINELESS;
			else if (file->lines[j].number > file->text.n_lines)
				kind = COVERAGE_PAST_END;
			fine &= row_add(annotated->coverage[kind], file->lines[j].costs,
					model->n_events, model->is_signed);
		}
	}
	return fine ? PROFILE_OK : PROFILE_RANGE;
}

static int choose(struct line_choosing *choosing, const struct self_costs *self_costs,
		  const struct listing *listing, const uint64_t *totals)
{
	const struct annotated_options *options = choosing->options;
	struct annotated *annotated = choosing->annotated;
	const struct model *model = choosing->model;
	size_t most = options->n_named + model->names[NAME_FILE].count;
	int status;

	annotated->files = arena_alloc(choosing->arena, (most + 1) * sizeof(*annotated->files), 8);
	if (!choosing->places || !choosing->costs || !annotated->files)
		return PROFILE_NO_MEMORY;
	for (size_t i = 0; i < N_COVERAGE; i++) {
		annotated->coverage[i] = row_new(choosing->arena, model->n_events);
		if (!annotated->coverage[i])
			return PROFILE_NO_MEMORY;
	}
	status = sum_files(choosing, self_costs);
	if (status)
		return status;
	for (size_t i = 0; i < options->n_named; i++)
		if (!choose_named(choosing, options->named[i]))
			return PROFILE_NO_MEMORY;
	if (options->automatic)
		choose_automatic(choosing, self_costs, listing, totals);
	for (size_t i = 0; i < annotated->n; i++)
		if (!find_text(&annotated->files[i], options))
			return PROFILE_NO_MEMORY;
	return linework_gather(annotated->files, annotated->n, choosing->places, model,
			       choosing->columns, choosing->arena);
}

int annotated_make(struct annotated *annotated, const struct basis *basis,
		   const struct listing *listing, const struct annotated_options *options)
{
	const struct model *model = basis->model;
	const struct env *env = model->env;
	size_t n_names = model->names[NAME_FILE].count;
	struct line_choosing choosing = {
		.annotated = annotated,
		.model = model,
		.columns = basis->columns,
		.options = options,
		.arena = basis->arena,
		.places = heap_zeroed(env, n_names, sizeof(*choosing.places)),
		.costs = heap_zeroed(env, n_names, sizeof(*choosing.costs)),
	};
	int status;

	*annotated = (struct annotated){ .context = options->context };
	status = choose(&choosing, basis->self_costs, listing, basis->totals);
	for (size_t i = 0; !status && i < annotated->n; i++) {
		struct annotated_file *file = &annotated->files[i];

		for (size_t j = file->n_lines; file->is_found && j-- > 0;)
			file->n_past_end += file->lines[j].number > file->text.n_lines;
	}
	if (!status)
		status = cover(annotated, &choosing);
	env->release(env->ctx, choosing.places);
	env->release(env->ctx, (void *)choosing.costs);
	return status;
}

void annotated_release(struct annotated *annotated)
{
	for (size_t i = 0; i < annotated->n; i++)
		if (annotated->files[i].is_found)
			sourcetext_release(&annotated->files[i].text);
	annotated->n = 0;
}

/* -- what there is to print -------------------------------------------------- */

void annotated_walk_init(struct annotated_walk *walk, const struct annotated *annotated,
			 const struct annotated_file *file)
{
	*walk = (struct annotated_walk){
		.file = file,
		.context = annotated->context,
		.end = file->n_lines - file->n_past_end,
	};
	if (walk->end > 0 && file->lines[0].number == 0)
		walk->next = 1;
}

static uint64_t line_after(const struct annotated_walk *walk, uint64_t number)
{
	uint64_t last = walk->file->text.n_lines;

	return walk->context > last - number ? last : number + walk->context;
}

static uint64_t line_before(const struct annotated_walk *walk, uint64_t number)
{
	return number > walk->context ? number - walk->context : 1;
}

/* Finds the next run of lines to show. */
static void begin_run(struct annotated_walk *walk)
{
	const struct annotated_line *lines = walk->file->lines;
	size_t i = walk->next;

	walk->at = line_before(walk, lines[i].number) - 1;
	/* Runs that overlap or touch are one. */
	while (i + 1 < walk->end &&
	       line_before(walk, lines[i + 1].number) <= line_after(walk, lines[i].number) + 1)
		i++;
	walk->until = line_after(walk, lines[i].number);
	walk->end_mark = walk->until < walk->file->text.n_lines;
}

static void show_line(struct annotated_walk *walk, struct annotated_row *row)
{
	const struct annotated_file *file = walk->file;

	walk->at++;
	*row = (struct annotated_row){ .kind = ROW_LINE, .number = walk->at };
	row->text = sourcetext_line(&file->text, walk->at, &row->text_len);
	if (walk->next < walk->end && file->lines[walk->next].number == walk->at)
		row->line = walk->current = &file->lines[walk->next++];
}

static void show_other(struct annotated_walk *walk, enum annotated_kind kind,
		       const struct annotated_line *line, struct annotated_row *row)
{
	walk->current = line;
	*row = (struct annotated_row){ .kind = kind, .number = line->number, .line = line };
}

bool annotated_walk_next(struct annotated_walk *walk, struct annotated_row *row)
{
	const struct annotated_file *file = walk->file;

	if (walk->current && walk->next_call < walk->current->n_calls) {
		*row = (struct annotated_row){
			.kind = ROW_CALL,
			.number = walk->current->number,
			.line = walk->current,
			.call = &walk->current->calls[walk->next_call++],
		};
		return true;
	}
	walk->current = NULL;
	walk->next_call = 0;
	if (walk->at < walk->until) {
		show_line(walk, row);
		return true;
	}
	if (walk->end_mark) {
		walk->end_mark = false;
		*row = (struct annotated_row){ .kind = ROW_GAP, .number = walk->until };
		return true;
	}
	if (walk->next < walk->end) {
		begin_run(walk);
		if (walk->at == 0)
			show_line(walk, row);
		else
			*row = (struct annotated_row){ .kind = ROW_GAP, .number = walk->at + 1 };
		return true;
	}
	if (walk->next < file->n_lines) {
		show_other(walk, ROW_PAST_END, &file->lines[walk->next++], row);
		return true;
	}
	if (!walk->lineless_done && file->n_lines > 0 && file->lines[0].number == 0) {
		walk->lineless_done = true;
		show_other(walk, ROW_LINELESS, &file->lines[0], row);
		return true;
	}
	return false;
}
