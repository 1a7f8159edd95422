/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Annotated sources: which files are chosen, where they are found, what their lines and the calls from
 * them cost, how much of all costs is shown by that; and their view.
 */
#define _GNU_SOURCE /* qsort_r() */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/annotate/annotate.h"
#include "cmds/cli/complaint.h"
#include "profile/analysis/owncode.h"
#include "profile/common/dictionary.h"
#include "profile/common/heap.h"
#include "profile/format/source.h"

/* -- costs and calls of lines -------------------------------------------------- */

/*
 * Lines of a file are found by number in a table, since a profile with
 * instructions has many records of one line.
 */
struct line_table {
	struct idtable numbers; /* line number: index of file->lines */
	size_t capacity;        /* of these */
};

static struct annotated_line *line_of(struct annotated_file *file, struct line_table *table,
				      uint64_t number, size_t n_events, struct arena *arena)
{
	uint32_t index = idtable_get(&table->numbers, number);

	if (index != IDTABLE_NONE)
		return &file->lines[index];
	file->lines =
		heap_grow(file->lines, &table->capacity, file->n_lines + 1, sizeof(*file->lines));
	idtable_put(&table->numbers, number, (uint32_t)file->n_lines);
	file->lines[file->n_lines] = (struct annotated_line){
		.number = number,
		.costs = row_new(arena, n_events),
	};
	return &file->lines[file->n_lines++];
}

static int compare_lines(const void *a, const void *b)
{
	uint64_t of_a = ((const struct annotated_line *)a)->number;
	uint64_t of_b = ((const struct annotated_line *)b)->number;

	return (of_a > of_b) - (of_a < of_b);
}

/*
 * Fills lines of the n files; of each file number f of the model, places[f] - 1 is
 * the place in files, 0 = it is not wanted.  Returns a status.
 */
static int gather_lines(struct annotated_file *files, size_t n, const uint32_t *places,
			const struct model *model, const struct columns *columns,
			struct arena *arena)
{
	struct callwork calls = { .model = model, .columns = columns, .arena = arena };
	struct line_table *tables = heap_zeroed(n, sizeof(*tables));
	int status = PROFILE_OK;

	for (size_t i = 0; i < n; i++)
		idtable_init(&tables[i].numbers);
	for (uint32_t i = 0; !status && i < model->n_functions; i++) {
		struct model_cursor cursor;
		struct model_line line;
		struct model_call call;

		model_lines(model, i, 0, &cursor);
		while (!status && model_next_line(&cursor, &line)) {
			uint32_t place = places[line.file];
			struct annotated_line *to;

			if (place == 0)
				continue;
			to = line_of(&files[place - 1], &tables[place - 1], line.at.line,
				     model->n_events, arena);
			to->has_costs = true;
			if (!row_add(to->costs, line.costs, model->n_events, model->is_signed))
				status = PROFILE_RANGE;
		}
		model_calls(model, i, 0, &cursor);
		while (model_next_call(&cursor, &call)) {
			uint32_t place = places[call.file];

			if (place == 0)
				continue;
			line_of(&files[place - 1], &tables[place - 1], call.at.line,
				model->n_events, arena);
			callwork_add(&calls, place - 1, call.at.line, &call);
		}
	}
	if (!status)
		status = callwork_merge(&calls);
	for (size_t i = 0; i < n; i++) {
		struct annotated_file *file = &files[i];

		idtable_release(&tables[i].numbers);
		if (file->n_lines > 0)
			qsort(file->lines, file->n_lines, sizeof(*file->lines), compare_lines);
		for (size_t j = 0; !status && j < file->n_lines; j++)
			callwork_give(&calls, i, file->lines[j].number, &file->lines[j].calls,
				      &file->lines[j].n_calls);
	}
	free(tables);
	callwork_release(&calls);
	return status;
}

/* -- which files, which lines -------------------------------------------------- */

struct line_choosing {
	struct annotated *annotated;
	const struct model *model;
	const struct columns *columns;
	uint32_t *places; /* by file: place in annotated->files + 1; 0 = not chosen */
	uint64_t **costs; /* by file: all of its costs; NULL = none */
	bool is_few;
	const struct inclusive *inclusive; /* NULL = not known */
	bool *has_own;                     /* by file: own functions are in it; if is_few */
};

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

/* True if a word of the user's names a file: as recorded, its last components, or the same file. */
static bool names_file(const char *word, size_t word_len, const struct stat *status,
		       const struct name *name)
{
	struct stat other;

	if (filename_ends_in(name, word, word_len))
		return true;
	return status && strlen(name->text) == name->len && stat(name->text, &other) == 0 &&
	       other.st_dev == status->st_dev && other.st_ino == status->st_ino;
}

static void choose_named(struct line_choosing *choosing, const char *word)
{
	const struct model *model = choosing->model;
	struct annotated *annotated = choosing->annotated;
	size_t found = annotated->n, len = strlen(word);
	struct stat status;
	bool is_there = stat(word, &status) == 0;
	char *clean = heap_alloc(len + 1);

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
			return;
	if (annotated->n == found)
		annotated->files[annotated->n++] =
			(struct annotated_file){ .name = word, .is_named = true };
}

static int compare_files(const void *a, const void *b, void *ctx)
{
	const struct annotated_file *of_a = a, *of_b = b;
	const struct line_choosing *choosing = ctx;
	int order = columns_compare(choosing->columns, of_a->costs, of_b->costs);

	return order != 0 ? order : strcmp(of_a->name, of_b->name);
}

/*
 * True of a file that own functions are in; and of one whose code was all inlined, if its path does not say otherwise: Debian's
 * libc has paths from its own folder, "./malloc/./malloc/malloc.c".
 */
static bool is_own_file(const struct line_choosing *choosing, uint32_t file)
{
	const struct name path = model_name(choosing->model, NAME_FILE, file);

	return choosing->has_own[file] ||
	       (path.len > 0 && path.text[0] == '/' && !owncode_is_of_system(path));
}

/* True if a row of costs is a hundredth of the totals, and not 0. */
static bool is_worth(const struct line_choosing *choosing, const uint64_t *costs,
		     const uint64_t *totals)
{
	const struct columns *columns = choosing->columns;
	const struct metric *sort = &columns->metrics.all[columns->keys[0].metric];
	const int128 cost = int128_magnitude(metric_value(sort, costs, columns->is_signed));
	const int128 whole = int128_magnitude(metric_value(sort, totals, columns->is_signed));

	return cost != 0 && 100 * cost >= whole;
}

/*
 * Of the files from the first-th on, keeps the ones with at least 1 % of all costs, and adds the files of own functions that
 * have 1 % inclusively.  Where there are own files, system files are left out: nobody changes them.
 */
static void choose_few(struct line_choosing *choosing, size_t first, const uint64_t *totals)
{
	const struct inclusive *inclusive = choosing->inclusive;
	const struct model *model = choosing->model;
	struct annotated *annotated = choosing->annotated;
	bool has_own = false;
	size_t n = first;

	choosing->has_own = heap_zeroed(model->names[NAME_FILE].count + 1, 1);
	for (uint32_t i = 0; inclusive && i < model->n_functions; i++) {
		const uint32_t file = model->functions[i].file;

		if (file == DICTIONARY_UNKNOWN || !choosing->costs[file] ||
		    !owncode_is_own(model, i))
			continue;
		choosing->has_own[file] = true;
		if (!is_worth(choosing, inclusive->inclusive + i * inclusive->n_events, totals))
			continue;
		if (choosing->places[file] == 0)
			add_file(choosing, file);
		annotated->files[choosing->places[file] - 1].calls_much = true;
	}
	for (size_t i = first; i < annotated->n; i++) {
		struct annotated_file *file = &annotated->files[i];

		choosing->places[file->file] = 0;
		if (!file->calls_much && !is_worth(choosing, file->costs, totals))
			continue;
		has_own |= is_own_file(choosing, file->file);
		annotated->files[n++] = *file;
	}
	annotated->n = n;
	for (size_t i = n = first; has_own && i < annotated->n; i++)
		if (is_own_file(choosing, annotated->files[i].file))
			annotated->files[n++] = annotated->files[i];
	annotated->n = has_own ? n : annotated->n;
	free(choosing->has_own);
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
	if (choosing->is_few)
		choose_few(choosing, first, totals);
	qsort_r(annotated->files + first, annotated->n - first, sizeof(*annotated->files),
		compare_files, choosing);
	for (size_t i = first; i < annotated->n; i++)
		choosing->places[annotated->files[i].file] = (uint32_t)i + 1;
}

/* Adds up where the costs of all files are; lines of those chosen are known by now. */
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

int annotated_make(struct annotated *annotated, const struct basis *basis,
		   const struct listing *listing, const struct inclusive *inclusive,
		   const struct annotated_options *options)
{
	const struct model *model = basis->model;
	size_t n_names = model->names[NAME_FILE].count;
	struct line_choosing choosing = {
		.annotated = annotated,
		.model = model,
		.columns = basis->columns,
		.places = heap_zeroed(n_names, sizeof(*choosing.places)),
		.costs = heap_zeroed(n_names, sizeof(*choosing.costs)),
		.is_few = options->is_few,
		.inclusive = inclusive,
	};
	int status = PROFILE_OK;

	*annotated = (struct annotated){
		.context = options->context,
		.files = arena_alloc(basis->arena,
				     (options->n_named + n_names + 1) * sizeof(*annotated->files),
				     8),
	};
	for (size_t i = 0; i < N_COVERAGE; i++)
		annotated->coverage[i] = row_new(basis->arena, model->n_events);
	for (size_t i = 0; !status && i < basis->self_costs->n_pairs; i++) {
		const struct self_costs_pair *pair = &basis->self_costs->pairs[i];
		uint64_t **costs = &choosing.costs[pair->file];

		if (!*costs)
			*costs = row_new(basis->arena, model->n_events);
		if (!row_add(*costs, pair->costs, model->n_events, model->is_signed))
			status = PROFILE_RANGE;
	}
	for (size_t i = 0; !status && i < options->n_named; i++)
		choose_named(&choosing, options->named[i]);
	if (!status && options->automatic)
		choose_automatic(&choosing, basis->self_costs, listing, basis->totals);
	for (size_t i = 0; i < annotated->n; i++) {
		struct annotated_file *file = &annotated->files[i];

		file->is_found = sourcetext_find(&file->text, file->name, options->policy);
		if (file->is_found)
			file->is_stale = loaded_before(options->oldest, &file->text.modified);
		else
			file->is_refused = errno == EPERM;
	}
	if (!status)
		status = gather_lines(annotated->files, annotated->n, choosing.places, model,
				      basis->columns, basis->arena);
	for (size_t i = 0; !status && i < annotated->n; i++) {
		struct annotated_file *file = &annotated->files[i];

		for (size_t j = file->n_lines; file->is_found && j-- > 0;)
			file->n_past_end += file->lines[j].number > file->text.n_lines;
	}
	if (!status)
		status = cover(annotated, &choosing);
	free(choosing.places);
	free((void *)choosing.costs);
	return status;
}

void annotated_release(struct annotated *annotated)
{
	for (size_t i = 0; i < annotated->n; i++) {
		if (annotated->files[i].is_found)
			sourcetext_release(&annotated->files[i].text);
		free(annotated->files[i].lines);
	}
	annotated->n = 0;
}

/* -- sources that are in another folder now, as after a build in a new one ------------------- */

/* A folder that is another one now. */
struct source_move {
	struct name from, to; /* not terminated */
	size_t n;             /* sources that it finds */
};

/* The bytes before this end, which begins with a slash, in the name of a source that was found; 0 = none. */
static size_t found_before(const struct annotated *annotated, const char *end, const char **name)
{
	size_t len = strlen(end);

	for (size_t i = 0; i < annotated->n; i++) {
		const struct annotated_file *file = &annotated->files[i];
		size_t name_len = strlen(file->name);

		if (!file->is_found || name_len <= len ||
		    strcmp(file->name + name_len - len, end) != 0)
			continue;
		*name = file->name;
		return name_len - len;
	}
	return 0;
}

/* Where a source is now, by the longest end of its path; false if nowhere. */
static bool find_move(const struct annotated *annotated, const char *name, const char *here,
		      struct source_move *move)
{
	struct stat status;

	if (name[0] != '/')
		return false;
	for (const char *end = strchr(name + 1, '/'); end; end = strchr(end + 1, '/')) {
		*move = (struct source_move){ .from = { .text = name,
							.len = (size_t)(end - name) } };
		move->to.len = found_before(annotated, end, &move->to.text);
		/* A file that may be read as the source. */
		if (move->to.len == 0 && here &&
		    namedfile_look(end + 1, SOURCETEXT_MOST, &status) &&
		    access(end + 1, R_OK) == 0) {
			move->to.text = here;
			move->to.len = strlen(here);
		}
		if (move->to.len > 0)
			return true;
	}
	return false;
}

void moved_sources_warn(const struct annotated *annotated, const char *command)
{
	struct source_move *moves = heap_alloc((annotated->n + 1) * sizeof(*moves));
	const struct source_move *best = moves;
	char folder[4096];
	const char *here = getcwd(folder, sizeof(folder));
	size_t n = 0, n_moved = 0, same;

	for (size_t i = 0; i < annotated->n; i++) {
		const struct annotated_file *file = &annotated->files[i];
		struct source_move move;

		if (file->is_found || file->is_refused || !file->is_known ||
		    !find_move(annotated, file->name, here, &move))
			continue;
		n_moved++;
		for (same = 0; same < n; same++)
			if (dictionary_compare(&moves[same].from, &move.from) == 0 &&
			    dictionary_compare(&moves[same].to, &move.to) == 0)
				break;
		if (same == n)
			moves[n++] = move;
		moves[same].n++;
	}
	for (size_t i = 1; i < n; i++)
		if (moves[i].n > best->n)
			best = &moves[i];
	if (n > 0 && 2 * best->n > n_moved && !memchr(best->from.text, '=', best->from.len) &&
	    !memchr(best->to.text, '=', best->to.len))
		warn(command,
		     "the folder %.*s seems to be %.*s now: --source-map=%.*s=%.*s finds %zu source%s",
		     (int)best->from.len, best->from.text, (int)best->to.len, best->to.text,
		     (int)best->from.len, best->from.text, (int)best->to.len, best->to.text,
		     best->n, best->n == 1 ? "" : "s");
	free(moves);
}

/* -- lines to show --------------------------------------------------------------------------- */

/*
 * Lines with costs or calls, and `context` lines around each.  Runs of such lines that overlap or touch
 * are one; people see a mark with a line number where a run begins or ends within the file.
 */
enum line_kind {
	LINE_OF_TEXT,  /* a line of the file */
	LINE_PAST_END, /* a line that the file does not have */
	LINE_UNKNOWN,  /* what has no line */
};

struct shown_line {
	enum line_kind kind;
	uint64_t number;
	const struct annotated_line *line; /* NULL = no costs and calls */
	bool has_mark, has_end_mark;       /* above it, below it and its calls */
};

struct shown_lines {
	struct rendering *rendering;
	const struct annotated_file *file;
	struct shown_line *rows;
	size_t n, capacity;
};

static struct shown_line *add_shown(struct shown_lines *shown, enum line_kind kind, uint64_t number,
				    const struct annotated_line *line)
{
	shown->rows = heap_grow(shown->rows, &shown->capacity, shown->n + 1, sizeof(*shown->rows));
	shown->rows[shown->n] = (struct shown_line){ .kind = kind, .number = number, .line = line };
	return &shown->rows[shown->n++];
}

static uint64_t line_before(uint64_t number, uint64_t context)
{
	return number > context ? number - context : 1;
}

static uint64_t line_after(uint64_t number, uint64_t context, uint64_t last)
{
	return context > last - number ? last : number + context;
}

static void choose_lines(struct shown_lines *shown, uint64_t context)
{
	const struct annotated_file *file = shown->file;
	const struct annotated_line *lines = file->lines;
	const uint64_t last = file->text.n_lines;
	size_t end = file->n_lines - file->n_past_end, next = 0;
	bool has_unknown = file->n_lines > 0 && lines[0].number == 0;

	if (has_unknown)
		next = 1;
	while (next < end) {
		size_t i = next;
		uint64_t first = line_before(lines[i].number, context), until;

		while (i + 1 < end && line_before(lines[i + 1].number, context) <=
					      line_after(lines[i].number, context, last) + 1)
			i++;
		until = line_after(lines[i].number, context, last);
		for (uint64_t at = first; at <= until; at++) {
			bool has_line = next <= i && lines[next].number == at;
			struct shown_line *row =
				add_shown(shown, LINE_OF_TEXT, at, has_line ? &lines[next] : NULL);

			next += has_line;
			row->has_mark = at == first && at > 1;
			row->has_end_mark = at == until && at < last;
		}
	}
	for (; next < file->n_lines; next++)
		add_shown(shown, LINE_PAST_END, lines[next].number, &lines[next]);
	if (has_unknown)
		add_shown(shown, LINE_UNKNOWN, 0, &lines[0]);
}

/* -- view ------------------------------------------------------------------------------------ */

static void put_mark(struct document *document, uint64_t number)
{
	document_across(document, "-- line %" PRIu64 " ----------------------------------------",
			number);
}

static void put_line(struct document *document, void *ctx, size_t i)
{
	const struct shown_lines *shown = ctx;
	const struct shown_line *row = &shown->rows[i];
	const struct annotated_line *line = row->line;
	bool is_text = row->kind == LINE_OF_TEXT;
	bool has_costs = line && (line->has_costs || (!is_text && document_is_prose(document)));
	size_t len = 0;
	const char *text = is_text ? sourcetext_line(&shown->file->text, row->number, &len) : NULL;

	if (row->has_mark)
		put_mark(document, row->number);
	if (row->kind == LINE_UNKNOWN)
		document_across(document, "%s", "");
	document_costs(document, has_costs ? line->costs : NULL);
	document_cell(document, cell_string(shown->file->name));
	document_cell(document, cell_count(row->number));
	document_begin_words(document, is_text ? cell_text(text, len) : cell_none);
	if (is_text) {
		document_styled(document, STYLE_TABS, text, len);
	} else if (row->kind == LINE_PAST_END) {
		document_prose(document, "<bogus line %" PRIu64 ">", row->number);
	} else {
		document_prose(document, "<counts for unidentified lines in ");
		document_words(document, shown->file->name);
		document_prose(document, ">");
	}
	document_end_words(document);
	for (size_t k = 0; line && k < line->n_calls; k++)
		render_call(shown->rendering, &line->calls[k], "", 0);
	if (row->has_end_mark)
		put_mark(document, row->number);
}

static void put_line_calls(struct document *document, void *ctx, size_t i)
{
	const struct shown_lines *shown = ctx;
	const struct annotated_line *line = shown->rows[i].line;

	(void)document;
	if (line)
		render_calls(shown->rendering, line->calls, line->n_calls, "line",
			     cell_count(line->number));
}

static void put_lines(struct rendering *rendering, const struct annotated_file *file)
{
	static const struct document_column columns[] = {
		{ .field = "file" },
		{ .key = "line", .field = "line" },
		{ .title = "", .key = "text", .field = "text", .is_left = true },
		COUNTS_COLUMN,
	};
	struct shown_lines shown = { .rendering = rendering, .file = file };
	struct document_view view = {
		.table = { .key = "lines",
			   .record = "line",
			   COLUMNS(columns),
			   .form = FORM_LISTING },
		.put_row = put_line,
		.put_details = put_line_calls,
		.ctx = &shown,
	};

	choose_lines(&shown, rendering->annotation->annotated.context);
	view.n_rows = shown.n;
	document_view(&rendering->document, &view);
	free(shown.rows);
}

/* In a short document, the title warns of what is stale. */
static void put_source_warnings(struct document *document, const struct annotated_file *file)
{
	if (file->is_stale) {
		document_prose(document, "%s-- WARNING: ", document_rule);
		document_words(document, file->text.path);
		document_prose(document,
			       " changed after the profile was made:\n"
			       "-- the lines may not be those that were executed.\n%s",
			       document_rule);
	}
	if (file->n_past_end > 0) {
		document_prose(document, "%s-- WARNING: %zu lines are past the end of ",
			       document_rule, file->n_past_end);
		document_words(document, file->text.path);
		document_prose(document,
			       ":\n-- the profile is of another version of it. Their counts follow "
			       "its last line, marked as bogus.\n%s",
			       document_rule);
	}
}

static const struct annotated_file *file_at(const struct rendering *rendering, size_t i)
{
	return &rendering->annotation->annotated.files[i];
}

static void put_source(struct document *document, void *ctx, size_t i)
{
	const struct annotated_file *file = file_at(ctx, i);

	document_costs(document, file->costs);
	document_cell(document, cell_string(file->name));
	document_cell(document, cell_string(file->is_found ? file->text.path : NULL));
	document_cell(document, cell_string(file->is_named ? "user" : "auto"));
	document_cell(document, cell_bool(file->is_known));
	document_cell(document, cell_bool(file->is_refused));
	document_cell(document, cell_bool(file->is_stale));
	document_cell(document, cell_count((int128)file->n_past_end));
}

static bool is_source_shown(void *ctx, size_t i)
{
	const struct rendering *rendering = ctx;
	const struct annotated_file *file = file_at(rendering, i);

	return file->is_known ? file->is_found : !document_is_short(&rendering->document);
}

static void put_source_lines(struct document *document, void *ctx, size_t i)
{
	const struct annotated_file *file = file_at(ctx, i);
	bool is_short = document_is_short(document);

	document_part(document, PART_TITLE);
	if (!is_short)
		document_prose(document, "%s-annotated source: ", file->is_named ? "User" : "Auto");
	document_words(document, file->name);
	if (!is_short && file->is_found && file->text.directory) {
		document_prose(document, " (");
		document_words(document, file->text.path);
		document_prose(document, ")");
	}
	if (is_short && file->is_stale)
		document_prose(document, " (changed after the profile was made)");
	document_part(document, PART_CONTENT);
	if (!file->is_known)
		document_prose(document, "  No information has been collected for it.\n");
	else if (!is_short)
		put_source_warnings(document, file);
	if (file->is_known && file->is_found)
		put_lines(ctx, file);
	document_part(document, PART_END);
	document_prose(document, "%s", is_short ? "\n" : "");
}

/*
 * For people: files without text, which are not there, or, if is_refused, may not be read; those that cost
 * most come first.  A file without information has a part of its own in text.
 */
static void put_missing(struct rendering *rendering, bool is_refused)
{
	const struct annotated *annotated = &rendering->annotation->annotated;
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);
	const char **names = arena_alloc(&rendering->arena, (annotated->n + 1) * sizeof(*names), 8);
	size_t n = 0;

	for (size_t i = 0; i < annotated->n; i++) {
		const struct annotated_file *file = &annotated->files[i];

		if (!file->is_found && (is_short || file->is_known) &&
		    file->is_refused == is_refused)
			names[n++] = file->name;
	}
	if (n == 0)
		return;
	document_part(document, PART_TITLE);
	if (is_short)
		document_prose(document, "%zu files %s", n,
			       is_refused ? "not read as sources, see --include" : "not found");
	else
		document_prose(document, "The following files %s:",
			       is_refused ? "are not read as sources, see --include"
					  : "chosen for annotation could not be found");
	document_part(document, PART_CONTENT);
	for (size_t i = 0; i < n; i++) {
		document_prose(document, is_short ? "* " : "  ");
		document_words(document, names[i]);
		document_prose(document, "\n");
	}
	document_part(document, PART_END);
}

/* After the kinds of coverage, the costs that no function has. */
static const uint64_t *coverage_of(const struct rendering *rendering, size_t i)
{
	const struct annotation *annotation = rendering->annotation;

	return i < N_COVERAGE ? annotation->annotated.coverage[i] : annotation->totals.outside;
}

static bool is_coverage_shown(void *ctx, size_t i)
{
	const struct rendering *rendering = ctx;
	const uint64_t *costs = coverage_of(rendering, i);

	for (size_t event = 0; costs && event < rendering->annotation->model->n_events; event++)
		if (costs[event] != 0)
			return true;
	return i == COVERAGE_SHOWN;
}

static void put_coverage_row(struct document *document, void *ctx, size_t i)
{
	static const struct {
		const char *key, *words;
	} kinds[] = {
		[COVERAGE_SHOWN] = { "shown", "annotated: in the lines above" },
		[COVERAGE_PAST_END] = { "past_end", "annotated: in lines past the end of a file" },
		[COVERAGE_LINELESS] = { "lineless", "annotated: in no particular line" },
		[COVERAGE_NOT_FOUND] = { "not_found", "not annotated: file not found" },
		[COVERAGE_REFUSED] = { "refused",
				       "not annotated: file not to be read, see --include" },
		[COVERAGE_NOT_CHOSEN] = { "not_chosen", "not annotated: file not chosen" },
		[COVERAGE_UNKNOWN] = { "unknown", "not annotated: file not known" },
		[N_COVERAGE] = { "outside", "not annotated: in the totals, but in no function" },
	};
	struct rendering *rendering = ctx;
	const uint64_t *costs = coverage_of(rendering, i);

	document_value(document, kinds[i].key, costcells_counts(&rendering->cells, 0, costs));
	document_costs(document, costs);
	document_begin_words(document, cell_none);
	document_prose(document, "%s", kinds[i].words);
	document_end_words(document);
}

/* In JSON, an object with a member for each kind. */
static void put_coverage(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .title = "share of events", .is_left = true },
		{ .is_counts = true },
	};

	document_object(&rendering->document, "coverage", false);
	document_view(&rendering->document,
		      &(const struct document_view){
			      .table = { COLUMNS(columns), .form = FORM_RULED },
			      .n_rows = N_COVERAGE + 1,
			      .put_row = put_coverage_row,
			      .is_shown = is_coverage_shown,
			      .ctx = rendering,
		      });
	document_close(&rendering->document);
	document_prose(&rendering->document, "\n");
}

void sources_view(struct rendering *rendering)
{
	static const struct document_column columns[] = {
		{ .key = "file", .field = "file" },
		{ .key = "path", .field = "text" },
		{ .key = "chosen" },
		{ .key = "known" },
		{ .key = "refused" },
		{ .key = "stale" },
		{ .key = "lines_past_end" },
		COUNTS_COLUMN,
	};
	struct document *document = &rendering->document;
	bool is_short = document_is_short(document);

	document_section(document, 2, "Sources", NULL);
	document_view(document, &(const struct document_view){
					.table = { .key = "sources",
						   .record = "source",
						   COLUMNS(columns),
						   .is_indented = true },
					.n_rows = rendering->annotation->annotated.n,
					.put_row = put_source,
					.is_shown = is_source_shown,
					.put_details = put_source_lines,
					.ctx = rendering,
				});
	render_recursion_note(rendering);
	if (is_short)
		put_coverage(rendering);
	if (document_is_prose(document)) {
		put_missing(rendering, false);
		put_missing(rendering, true);
	}
	if (!is_short)
		put_coverage(rendering);
}
