/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of NEW are looked up once each in OLD's dictionaries; functions then meet
 * by three numbers.  Calls and lines of a row are gathered from both sides,
 * sorted, and added up.
 */
#define _GNU_SOURCE /* memrchr() */
#include "profile/analysis/difference.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/cost.h"
#include "profile/common/desc.h"
#include "profile/common/heap.h"
#include "writer/origin.h"
#include "writer/rank.h"

/* -- events and names ---------------------------------------------------------- */

/* Scales n counts of NEW; false if one would be beyond its range. */
static bool scale(const struct difference *difference, uint64_t *counts, size_t n)
{
	if (!difference->scale)
		return true;
	for (size_t i = 0; i < n; i++)
		if (!cost_scale(&counts[i], difference->new_model->is_signed, difference->scale->to,
				difference->scale->from))
			return false;
	return true;
}

/* Totals, and costs of functions. */
static int compute_costs(struct difference *difference)
{
	uint64_t old_totals[PROFILE_MAX_EVENTS], new_totals[PROFILE_MAX_EVENTS];
	struct inclusive_options options = {
		.part = INCLUSIVE_ALL_PARTS,
		.events = difference->old_events,
		.n_events = difference->n_events,
	};
	struct inclusive *new_costs = &difference->new_costs;
	int status;
	size_t n;

	if (!model_totals(difference->old_model, old_totals) ||
	    !model_totals(difference->new_model, new_totals))
		return PROFILE_RANGE;
	for (size_t i = 0; i < difference->n_events; i++) {
		difference->old_totals[i] = old_totals[difference->old_events[i]];
		difference->new_totals[i] = new_totals[difference->new_events[i]];
	}
	status = inclusive_compute(&difference->old_costs, difference->old_model, &options);
	options.events = difference->new_events;
	if (!status)
		status = inclusive_compute(new_costs, difference->new_model, &options);
	if (status)
		return status;
	n = new_costs->n_functions * new_costs->n_events;
	return scale(difference, difference->new_totals, difference->n_events) &&
			       scale(difference, new_costs->self, n) &&
			       scale(difference, new_costs->inclusive, n)
		       ? PROFILE_OK
		       : PROFILE_RANGE;
}

/* -- functions ------------------------------------------------------------------ */

/* A function without a counterpart. */
struct single {
	uint32_t where; /* OLD's number of its file, or what widen_places() makes of it */
	uint32_t name;  /* OLD's number, or the key of the normal form */
	uint32_t function;
	bool is_new;
};

static int compare_singles(const void *a, const void *b)
{
	const struct single *x = a, *y = b;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	if (x->where != y->where)
		return x->where < y->where ? -1 : 1;
	if (x->is_new != y->is_new)
		return x->is_new ? 1 : -1;
	return x->function < y->function ? -1 : x->function > y->function;
}

/* Names of NEW that OLD does not have are DICTIONARY_NONE; unless is_anywhere, only those in files that OLD has. */
static size_t list_singles(const struct difference *difference, struct single *singles,
			   bool is_anywhere)
{
	uint32_t *const *map = difference->old_number;
	size_t n = 0;

	for (uint32_t i = 0; i < difference->old_model->n_functions; i++) {
		const struct model_function *function = &difference->old_model->functions[i];

		if (difference->rows[i].new_function == MODEL_NO_FUNCTION)
			singles[n++] = (struct single){ function->file, function->name, i, false };
	}
	for (uint32_t i = 0; i < difference->new_model->n_functions; i++) {
		const struct model_function *function = &difference->new_model->functions[i];
		struct single single = { map[NAME_FILE][function->file],
					 map[NAME_FUNCTION][function->name], i, true };

		if (difference->row_of_new[i] == MODEL_NO_FUNCTION &&
		    (is_anywhere || single.where != DICTIONARY_NONE))
			singles[n++] = single;
	}
	return n;
}

/* Gives names the keys of their normal forms. */
static void fold_names(const struct difference *difference, struct single *singles, size_t n,
		       unsigned renames)
{
	struct dictionary forms;
	struct bytes form;

	dictionary_init(&forms);
	bytes_init(&form);
	for (size_t i = 0; i < n; i++) {
		const struct model *model = singles[i].is_new ? difference->new_model
							      : difference->old_model;
		const struct name name = model_name(model, NAME_FUNCTION,
						    model->functions[singles[i].function].name);

		bytes_reset(&form);
		symbolname_fold(name.text, name.len, renames, &form);
		singles[i].name = dictionary_intern(&forms, form.text, form.len);
	}
	bytes_release(&form);
	dictionary_release(&forms);
}

/* Matches singles where each side has exactly one of this place and name. */
static void match_pairs(struct difference *difference, struct single *singles, size_t n)
{
	size_t end;

	qsort(singles, n, sizeof(*singles), compare_singles);
	for (size_t i = 0; i < n; i = end) {
		end = i + 1;
		while (end < n && singles[end].name == singles[i].name &&
		       singles[end].where == singles[i].where)
			end++;
		if (end - i != 2 || singles[i].is_new || !singles[i + 1].is_new ||
		    singles[i].name == DICTIONARY_NONE)
			continue;
		difference->rows[singles[i].function].new_function = singles[i + 1].function;
		difference->row_of_new[singles[i + 1].function] = singles[i].function;
	}
}

/*
 * Where a function has moved from, the best evidence first: a file of the same name in another folder, another
 * file of the same object, and any file of any object.
 */
enum moved_place { MOVED_FOLDER, MOVED_FILE, MOVED_ANYWHERE, N_MOVED_PLACES };

/*
 * True if a name tells a function from others in other files.  Addresses do not, nor what Python calls
 * "<module>" or "<lambda>".
 */
static bool is_telling(const struct name *name)
{
	return name->key != DICTIONARY_UNKNOWN && name->text[0] != '<' &&
	       strncmp(name->text, "py::<", 5) != 0 && strncmp(name->text, "0x", 2) != 0;
}

/* Replaces the files of singles by a place, and drops those whose names tell nothing; returns how many are left. */
static size_t widen_places(const struct difference *difference, struct single *singles, size_t n,
			   enum moved_place place)
{
	struct dictionary folders_off;
	size_t n_left = 0;

	dictionary_init(&folders_off);
	for (size_t i = 0; i < n; i++) {
		struct single single = singles[i];
		const struct model *model = single.is_new ? difference->new_model
							  : difference->old_model;
		const struct model_function *function = &model->functions[single.function];
		const struct name name = model_name(model, NAME_FUNCTION, function->name);
		const struct name file = model_name(model, NAME_FILE, function->file);
		const char *slash = memrchr(file.text, '/', file.len);
		const char *base = slash ? slash + 1 : file.text;

		if (!is_telling(&name))
			continue;
		if (place == MOVED_FOLDER)
			single.where = dictionary_intern(&folders_off, base,
							 file.len - (size_t)(base - file.text));
		else if (place == MOVED_FILE)
			single.where =
				single.is_new
					? difference->old_number[NAME_OBJECT][function->object]
					: function->object;
		else
			single.where = 0;
		if (single.where != DICTIONARY_NONE)
			singles[n_left++] = single;
	}
	dictionary_release(&folders_off);
	return n_left;
}

static void make_rows(struct difference *difference, unsigned renames)
{
	uint32_t *const *map = difference->old_number;
	size_t n_old = difference->old_model->n_functions;
	size_t n_new = difference->new_model->n_functions, n;
	struct single *singles = heap_zeroed(n_old + n_new, sizeof(*singles));

	difference->rows = heap_zeroed(n_old + n_new, sizeof(*difference->rows));
	difference->row_of_old = heap_zeroed(n_old, sizeof(uint32_t));
	difference->row_of_new = heap_zeroed(n_new, sizeof(uint32_t));
	for (uint32_t i = 0; i < n_old; i++) {
		difference->rows[i] = (struct difference_row){ i, MODEL_NO_FUNCTION };
		difference->row_of_old[i] = i;
	}
	difference->n_rows = n_old;
	/* Those that are in both, by object, file and name. */
	for (uint32_t i = 0; i < n_new; i++) {
		const struct model_function *function = &difference->new_model->functions[i];
		uint32_t object = map[NAME_OBJECT][function->object];
		uint32_t file = map[NAME_FILE][function->file];
		uint32_t name = map[NAME_FUNCTION][function->name];
		uint32_t found = MODEL_NO_FUNCTION;

		if (object != DICTIONARY_NONE && file != DICTIONARY_NONE && name != DICTIONARY_NONE)
			found = model_find_function(difference->old_model, object, file, name);
		difference->row_of_new[i] = found;
		if (found != MODEL_NO_FUNCTION)
			difference->rows[found].new_function = i;
	}
	/* Those that only the object tells apart, then those that were renamed, then those that moved. */
	n = list_singles(difference, singles, false);
	match_pairs(difference, singles, n);
	if (renames) {
		n = list_singles(difference, singles, false);
		fold_names(difference, singles, n, renames);
		match_pairs(difference, singles, n);
	}
	for (int place = 0; renames && place < N_MOVED_PLACES; place++) {
		n = list_singles(difference, singles, true);
		n = widen_places(difference, singles, n, (enum moved_place)place);
		match_pairs(difference, singles, n);
	}
	free(singles);
	for (uint32_t i = 0; i < n_new; i++) {
		if (difference->row_of_new[i] != MODEL_NO_FUNCTION)
			continue;
		difference->row_of_new[i] = (uint32_t)difference->n_rows;
		difference->rows[difference->n_rows++] =
			(struct difference_row){ MODEL_NO_FUNCTION, i };
	}
}

/* A row's function on one side, or MODEL_NO_FUNCTION. */
static uint32_t function_of(const struct difference *difference, size_t row, bool is_new)
{
	const struct difference_row *r = &difference->rows[row];

	return is_new ? r->new_function : r->old_function;
}

const uint64_t *difference_self(const struct difference *difference, size_t row, bool is_new)
{
	uint32_t function = function_of(difference, row, is_new);

	if (function == MODEL_NO_FUNCTION)
		return difference->zeros;
	return inclusive_self(is_new ? &difference->new_costs : &difference->old_costs, function);
}

const uint64_t *difference_inclusive(const struct difference *difference, size_t row, bool is_new)
{
	uint32_t function = function_of(difference, row, is_new);

	if (function == MODEL_NO_FUNCTION)
		return difference->zeros;
	return inclusive_of(is_new ? &difference->new_costs : &difference->old_costs, function);
}

/* Counts of a signed profile and of another one are compared by value. */
static bool differ(const struct difference *difference, const uint64_t *old_costs,
		   const uint64_t *new_costs)
{
	for (size_t i = 0; i < difference->n_events; i++)
		if (int128_of(old_costs[i], difference->old_model->is_signed) !=
		    int128_of(new_costs[i], difference->new_model->is_signed))
			return true;
	return false;
}

bool difference_self_changed(const struct difference *difference, size_t row)
{
	return differ(difference, difference_self(difference, row, false),
		      difference_self(difference, row, true));
}

bool difference_inclusive_changed(const struct difference *difference, size_t row)
{
	return differ(difference, difference_inclusive(difference, row, false),
		      difference_inclusive(difference, row, true));
}

static struct name name_of(const struct model *model, uint32_t number, enum name_kind kind)
{
	const struct model_function *function = &model->functions[number];

	return model_name(model, kind,
			  kind == NAME_OBJECT ? function->object
			  : kind == NAME_FILE ? function->file
					      : function->name);
}

struct name difference_name(const struct difference *difference, size_t row, enum name_kind kind)
{
	const struct difference_row *r = &difference->rows[row];

	if (r->new_function == MODEL_NO_FUNCTION)
		return name_of(difference->old_model, r->old_function, kind);
	return name_of(difference->new_model, r->new_function, kind);
}

struct name difference_old_name(const struct difference *difference, size_t row,
				enum name_kind kind)
{
	return name_of(difference->old_model, difference->rows[row].old_function, kind);
}

bool difference_renamed(const struct difference *difference, size_t row)
{
	const struct difference_row *r = &difference->rows[row];

	if (r->old_function == MODEL_NO_FUNCTION || r->new_function == MODEL_NO_FUNCTION)
		return false;
	return difference->old_number[NAME_FUNCTION]
				     [difference->new_model->functions[r->new_function].name] !=
	       difference->old_model->functions[r->old_function].name;
}

bool difference_moved(const struct difference *difference, size_t row)
{
	const struct difference_row *r = &difference->rows[row];

	if (r->old_function == MODEL_NO_FUNCTION || r->new_function == MODEL_NO_FUNCTION)
		return false;
	return difference->old_number[NAME_FILE]
				     [difference->new_model->functions[r->new_function].file] !=
	       difference->old_model->functions[r->old_function].file;
}

void difference_metric(const struct difference *difference, struct metrics *metrics,
		       struct arena *arena)
{
	const struct model *old_model = difference->old_model, *new_model = difference->new_model;
	size_t n = old_model->n_derived + new_model->n_derived;
	struct model_derived *derived =
		arena_alloc(arena, (n + 1) * sizeof(*derived), sizeof(void *));
	struct model_event *events =
		arena_alloc(arena, (difference->n_events + 1) * sizeof(*events), sizeof(void *));
	const struct metric_source source = { .events = events,
					      .n_events = difference->n_events,
					      .derived = derived,
					      .n_derived = n,
					      .is_strict =
						      difference->n_events < old_model->n_events ||
						      difference->n_events < new_model->n_events };

	for (size_t i = 0; i < difference->n_events; i++)
		events[i] = new_model->events[difference->new_events[i]];
	if (new_model->n_derived > 0)
		memcpy(derived, new_model->derived, new_model->n_derived * sizeof(*derived));
	if (old_model->n_derived > 0)
		memcpy(derived + new_model->n_derived, old_model->derived,
		       old_model->n_derived * sizeof(*derived));
	metrics_init(metrics, &source, arena);
}

int128 difference_change(const struct difference *difference, const struct metric *metric,
			 const uint64_t *old_costs, const uint64_t *new_costs)
{
	return metric_value(metric, new_costs, difference->new_model->is_signed) -
	       metric_value(metric, old_costs, difference->old_model->is_signed);
}

/* -- calls ------------------------------------------------------------------------ */

/* Calls of a row on one side; costs are n_events numbers in the gathering. */
struct piece {
	uint32_t callee; /* row */
	bool is_new;
	uint64_t count;
	size_t costs;
};

/* Used again for each row. */
struct difference_gathering {
	struct difference *difference;
	struct piece *pieces;
	uint64_t *costs;
	size_t n, n_costs, capacity, costs_capacity;
};

static void gather_side(struct difference_gathering *gathering, size_t row, bool is_new)
{
	struct difference *difference = gathering->difference;
	const struct model *model = is_new ? difference->new_model : difference->old_model;
	const size_t *events = is_new ? difference->new_events : difference->old_events;
	const uint32_t *rows = is_new ? difference->row_of_new : difference->row_of_old;
	uint32_t function = function_of(difference, row, is_new);
	struct model_cursor cursor;
	struct model_call call;

	if (function == MODEL_NO_FUNCTION)
		return;
	for (uint32_t part = 0; part < model_cost_parts(model); part++) {
		model_calls(model, function, part, &cursor);
		while (model_next_call(&cursor, &call)) {
			gathering->pieces = heap_grow(gathering->pieces, &gathering->capacity,
						      gathering->n + 1, sizeof(struct piece));
			gathering->costs = heap_grow(gathering->costs, &gathering->costs_capacity,
						     gathering->n_costs + difference->n_events,
						     sizeof(uint64_t));
			gathering->pieces[gathering->n++] = (struct piece){ rows[call.callee],
									    is_new, call.count,
									    gathering->n_costs };
			for (size_t i = 0; i < difference->n_events; i++)
				gathering->costs[gathering->n_costs++] = call.costs[events[i]];
		}
	}
}

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->callee != y->callee)
		return x->callee < y->callee ? -1 : 1;
	return (int)x->is_new - (int)y->is_new;
}

/* Adds up the pieces of each callee, and keeps as an arc what differs. */
static int sum_row(struct difference_gathering *gathering, uint32_t row)
{
	struct difference *difference = gathering->difference;
	const size_t n = difference->n_events;
	const struct piece *piece = gathering->pieces, *end = piece + gathering->n;

	qsort(gathering->pieces, gathering->n, sizeof(*piece), compare_pieces);
	while (piece < end) {
		const uint32_t callee = piece->callee;
		struct difference_arc arc = { .caller = row, .callee = callee };
		uint64_t sums[2][PROFILE_MAX_EVENTS], *kept;

		memset(sums[0], 0, n * sizeof(*sums[0]));
		memset(sums[1], 0, n * sizeof(*sums[1]));
		for (; piece < end && piece->callee == callee; piece++) {
			bool is_signed = piece->is_new ? difference->new_model->is_signed
						       : difference->old_model->is_signed;

			if (!cost_add(piece->is_new ? &arc.new_count : &arc.old_count, piece->count,
				      is_signed))
				return PROFILE_RANGE;
			row_add_nested(sums[piece->is_new], gathering->costs + piece->costs, n,
				       is_signed);
		}
		if (!scale(difference, sums[1], n) || !scale(difference, &arc.new_count, 1))
			return PROFILE_RANGE;
		if (!differ(difference, sums[0], sums[1]) &&
		    int128_of(arc.old_count, difference->old_model->is_signed) ==
			    int128_of(arc.new_count, difference->new_model->is_signed))
			continue;
		kept = arena_alloc(&difference->arena, 2 * n * sizeof(*kept), sizeof(*kept));
		memcpy(kept, sums[0], n * sizeof(*kept));
		memcpy(kept + n, sums[1], n * sizeof(*kept));
		arc.old_costs = kept;
		arc.new_costs = kept + n;
		difference->arcs = heap_grow(difference->arcs, &difference->arcs_capacity,
					     difference->n_arcs + 1, sizeof(arc));
		difference->arcs[difference->n_arcs++] = arc;
	}
	return PROFILE_OK;
}

static int find_arcs(struct difference *difference)
{
	struct difference_gathering gathering = { .difference = difference };
	int status = PROFILE_OK;

	for (uint32_t row = 0; row < difference->n_rows && !status; row++) {
		size_t n_old;

		gathering.n = gathering.n_costs = 0;
		gather_side(&gathering, row, false);
		n_old = gathering.n;
		difference->old_has_calls |= n_old > 0;
		gather_side(&gathering, row, true);
		difference->new_has_calls |= gathering.n > n_old;
		if (gathering.n == 0)
			continue;
		difference->has_calls = true;
		status = sum_row(&gathering, row);
	}
	free(gathering.pieces);
	free(gathering.costs);
	return status;
}

/* -- beginning and end -------------------------------------------------------------- */

int difference_init(struct difference *difference, const struct model *old_model,
		    const struct model *new_model, unsigned renames)
{
	return difference_init_scaled(difference, old_model, new_model, renames, NULL);
}

void difference_match_events(struct difference *difference, const struct model *old_model,
			     const struct model *new_model)
{
	size_t n = 0;

	*difference = (struct difference){
		.old_model = old_model,
		.new_model = new_model,
	};
	arena_init(&difference->arena);
	for (size_t i = 0; i < new_model->n_events; i++) {
		size_t old_event = model_event(old_model, new_model->events[i].name);

		if (old_event == old_model->n_events)
			continue;
		difference->events[n] = new_model->events[i].name;
		difference->old_events[n] = old_event;
		difference->new_events[n] = i;
		n++;
	}
	difference->n_events = n;
}

int difference_init_scaled(struct difference *difference, const struct model *old_model,
			   const struct model *new_model, unsigned renames,
			   const struct difference_scale *scale)
{
	int status;

	difference_match_events(difference, old_model, new_model);
	difference->scale = scale;
	if (difference->n_events == 0)
		return PROFILE_OK;
	difference->zeros = heap_zeroed(difference->n_events, sizeof(uint64_t));
	status = compute_costs(difference);
	if (status)
		return status;
	for (int kind = 0; kind < N_NAME_KINDS; kind++) {
		const struct dictionary *names = &new_model->names[kind];
		uint32_t *map = heap_zeroed(names->count, sizeof(*map));

		difference->old_number[kind] = map;
		for (size_t i = 0; i < names->count; i++)
			map[i] = dictionary_find(&old_model->names[kind], names->entries[i].text,
						 names->entries[i].len);
	}
	make_rows(difference, renames);
	return find_arcs(difference);
}

void difference_release(struct difference *difference)
{
	free(difference->zeros);
	inclusive_release(&difference->old_costs);
	inclusive_release(&difference->new_costs);
	free(difference->rows);
	free(difference->row_of_old);
	free(difference->row_of_new);
	for (int kind = 0; kind < N_NAME_KINDS; kind++)
		free(difference->old_number[kind]);
	free(difference->arcs);
	arena_release(&difference->arena);
	*difference = (struct difference){ .n_events = 0 };
}

/* -- lines --------------------------------------------------------------------- */

/* A growing list of lines, whose costs are in the arena. */
struct linelist {
	const struct difference *difference;
	struct difference_line *lines;
	size_t n, capacity;
	struct arena *arena;
};

/* The same key and text for the same file of both profiles: OLD's, if that has it. */
static struct name shared_name(const struct difference *difference, uint32_t file, bool is_new)
{
	uint32_t old_file = is_new ? difference->old_number[NAME_FILE][file] : file;
	struct name name;

	if (old_file != DICTIONARY_NONE)
		return model_name(difference->old_model, NAME_FILE, old_file);
	name = model_name(difference->new_model, NAME_FILE, file);
	name.key += (uint32_t)difference->old_model->names[NAME_FILE].count;
	return name;
}

/* The same; if a row's function has moved, its own file in OLD is the one in NEW. */
static struct name file_of(const struct difference *difference, size_t row, uint32_t file,
			   bool is_new)
{
	const struct difference_row *r = &difference->rows[row];

	if (!is_new && difference_moved(difference, row) &&
	    difference->old_model->functions[r->old_function].file == file)
		return shared_name(difference,
				   difference->new_model->functions[r->new_function].file, true);
	return shared_name(difference, file, is_new);
}

static void append_side(struct linelist *list, size_t row, bool is_new)
{
	const struct difference *difference = list->difference;
	const struct model *model = is_new ? difference->new_model : difference->old_model;
	const size_t *events = is_new ? difference->new_events : difference->old_events;
	uint32_t function = function_of(difference, row, is_new);
	size_t n = difference->n_events;
	struct model_cursor cursor;
	struct model_line line;

	if (function == MODEL_NO_FUNCTION)
		return;
	for (uint32_t part = 0; part < model_cost_parts(model); part++) {
		model_lines(model, function, part, &cursor);
		while (model_next_line(&cursor, &line)) {
			uint64_t *costs = row_new(list->arena, 2 * n + 1);

			for (size_t i = 0; i < n; i++)
				costs[is_new ? n + i : i] = line.costs[events[i]];
			list->lines = heap_grow(list->lines, &list->capacity, list->n + 1,
						sizeof(*list->lines));
			list->lines[list->n++] = (struct difference_line){
				file_of(difference, row, line.file, is_new),
				line.at.line,
				costs,
				costs + n,
			};
		}
	}
}

static int compare_lines(const void *a, const void *b)
{
	const struct difference_line *x = a, *y = b;

	if (x->file.key != y->file.key) {
		int order = dictionary_compare(&x->file, &y->file);

		return order ? order : (x->file.key < y->file.key ? -1 : 1);
	}
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Makes one line of all that are of one place, and drops those that do not differ. */
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
			if (!row_add(line->old_costs, other->old_costs, n_events,
				     difference->old_model->is_signed) ||
			    !row_add(line->new_costs, other->new_costs, n_events,
				     difference->new_model->is_signed))
				return PROFILE_RANGE;
		}
		if (!scale(difference, line->new_costs, n_events))
			return PROFILE_RANGE;
		if (differ(difference, line->old_costs, line->new_costs))
			list->lines[n++] = *line;
	}
	list->n = n;
	return PROFILE_OK;
}

int difference_lines(const struct difference *difference, size_t row, struct arena *arena,
		     struct difference_line **lines, size_t *n)
{
	struct linelist list = { .difference = difference, .arena = arena };
	int status = PROFILE_OK;

	*lines = NULL;
	*n = 0;
	append_side(&list, row, false);
	append_side(&list, row, true);
	if (list.n > 0) {
		qsort(list.lines, list.n, sizeof(*list.lines), compare_lines);
		status = fold(&list);
	}
	if (!status && list.n > 0) {
		*lines = arena_alloc(arena, list.n * sizeof(*list.lines), sizeof(void *));
		memcpy(*lines, list.lines, list.n * sizeof(*list.lines));
		*n = list.n;
	}
	free(list.lines);
	return status;
}

/* -- comparability --------------------------------------------------------------- */

/* How desc lines of a type are compared. */
enum comparison {
	COMPARE_ALL,      /* nothing is another text than any */
	COMPARE_COUNTING, /* nothing is the same as "valgrind" */
	COMPARE_BOTH,     /* only if both have one */
	COMPARE_MINOR,    /* the same, and it is a minor matter */
	COMPARE_BUILDS,   /* the same: "<build-id> <path>" by the path's last component */
	COMPARE_MACHINE,  /* the same, by the name alone, which ends at a comma */
	COMPARE_NEVER,
};

#define MACHINE_DESC  "Machine"
#define OPTIONS_DESC  "Options"
#define BRANCHES_DESC "Branches"
#define CORE_DESC     "Core"
#define THREADS_DESC  "Threads"

static enum comparison comparison_of(const char *type)
{
	static const struct {
		const char *type;
		enum comparison comparison;
	} types[] = {
		{ "Counting", COMPARE_COUNTING },   { "CPU", COMPARE_BOTH },
		{ "C library", COMPARE_MINOR },     { "Kernel", COMPARE_MINOR },
		{ "Environment", COMPARE_MINOR },   { "Build-id", COMPARE_BUILDS },
		{ "Program", COMPARE_NEVER },       { "Trigger", COMPARE_NEVER },
		{ "Timerange", COMPARE_NEVER },     { "Merged profiles", COMPARE_NEVER },
		{ "Data profile", COMPARE_NEVER },  { "Data of", COMPARE_NEVER },
		{ "Creator", COMPARE_NEVER },       { DESC_FILES_COMPARED, COMPARE_NEVER },
		{ "Baseline", COMPARE_NEVER },      { "Region", COMPARE_NEVER },
		{ RANK_DESC, COMPARE_NEVER },       { RANK_EXPECTED_DESC, COMPARE_NEVER },
		{ ORIGIN_DESC, COMPARE_NEVER },     { MACHINE_DESC, COMPARE_MACHINE },
		{ "Conflicts", COMPARE_NEVER },     { CORE_DESC, COMPARE_BOTH },
		{ CURVE_DESC, COMPARE_MINOR },      { COLLECTED_DESC, COMPARE_NEVER },
		{ ENDED_DESC, COMPARE_NEVER },      { NOT_PROFILED_DESC, COMPARE_NEVER },
		{ TIME_ASKED_DESC, COMPARE_NEVER }, { UNCOUNTED_DESC, COMPARE_NEVER },
		{ SALVAGED_DESC, COMPARE_NEVER },   { THREADS_DESC, COMPARE_NEVER },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(type, types[i].type) == 0)
			return types[i].comparison;
	return COMPARE_ALL;
}

bool comparability_ignores(const char *type)
{
	return comparison_of(type) == COMPARE_NEVER;
}

/* "Ir Dr Dw", in the arena. */
static const char *event_list(const struct model *model, struct arena *arena)
{
	struct bytes list;
	const char *copy;

	bytes_init(&list);
	for (size_t i = 0; i < model->n_events; i++) {
		if (i > 0)
			bytes_add_char(&list, ' ');
		bytes_add_text(&list, model->events[i].name);
	}
	copy = arena_copy(arena, list.text, list.len);
	bytes_release(&list);
	return copy;
}

/* Two texts as one, in the arena. */
static const char *join(struct arena *arena, const char *a, const char *b)
{
	char *text = heap_print("%s%s", a, b), *copy = arena_copy(arena, text, strlen(text));

	free(text);
	return copy;
}

/* The value of the first desc line of a type, before a part and a line in it; NULL = none. */
static const char *find_desc(const struct model *model, const char *type, size_t end_part,
			     size_t end_desc)
{
	for (size_t i = 0; i < model->n_parts && i <= end_part; i++) {
		const struct part *part = &model->parts[i].header;
		const bool is_cut = i == end_part && end_desc < part->n_descs;
		const char *value =
			desc_value(part->descs, is_cut ? end_desc : part->n_descs, type);

		if (value)
			return value;
	}
	return NULL;
}

static const char *any_desc(const struct model *model, const char *type)
{
	return find_desc(model, type, model->n_parts, 0);
}

static size_t count_descs(const struct model *model)
{
	size_t n = 0;

	for (size_t i = 0; i < model->n_parts; i++)
		n += model->parts[i].header.n_descs;
	return n;
}

/* Blanks do not matter: Cachegrind pads. An empty text says as little as none. */
static bool is_same(const char *a, const char *b)
{
	if (!a || !b)
		return !(a && a[strspn(a, " \t")]) && !(b && b[strspn(b, " \t")]);
	while (*a || *b) {
		a += strspn(a, " \t");
		b += strspn(b, " \t");
		if (*a != *b)
			return false;
		a += *a != '\0';
		b += *b != '\0';
	}
	return true;
}

/* True if the texts of two machines have the same name before the first comma. */
static bool is_same_machine(const char *a, const char *b)
{
	size_t len = strcspn(a, ",");

	return strcspn(b, ",") == len && strncmp(a, b, len) == 0;
}

/* True if two machines with different names were simulated. */
static bool has_two_machines(const struct model *old_model, const struct model *new_model)
{
	const char *a = any_desc(old_model, MACHINE_DESC), *b = any_desc(new_model, MACHINE_DESC);

	return a && b && !is_same_machine(a, b);
}

/*
 * True if a desc line says something of the machine, if there are two: or of its branch predictors or its core, which
 * may differ without another machine (--branch-model; a file with another cost).
 */
static bool is_of_machine(const char *type, bool has_two)
{
	static const char *const parts[] = { MACHINE_DESC, "Prefetcher", "ITLB",
					     "DTLB",       "STLB",       "ISTLB" };
	static const char suffix[] = " cache";
	size_t len = strlen(type);

	if (strcmp(type, BRANCHES_DESC) == 0 || strcmp(type, CORE_DESC) == 0)
		return true;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(type, parts[i]) == 0)
			return has_two;
	return has_two && len >= sizeof(suffix) - 1 &&
	       strcmp(type + len - (sizeof(suffix) - 1), suffix) == 0;
}

/* Options that say what the machine is; and which thread runs when, where there are several. */
static const char *const options_of_machine[] = { "--machine=", "--tlb-sim=", "--pages=",
						  "--branch-model=", NULL };
static const char *const options_of_threads[] = { "--fair-sched=", NULL };

/* The first word of a list, except the options left out; NULL: no more. */
static const char *next_word(const char *text, size_t *len, const char *const *left_out)
{
	while (text) {
		bool is_left_out = false;

		text += strspn(text, " ");
		*len = strcspn(text, " ");
		if (*len == 0)
			return NULL;
		for (size_t i = 0; left_out[i]; i++)
			if (strncmp(text, left_out[i], strlen(left_out[i])) == 0)
				is_left_out = true;
		if (!is_left_out)
			return text;
		text += *len;
	}
	return NULL;
}

/* True if two lists of options, NULL for none, differ in nothing but the options left out. */
static bool have_same_words(const char *a, const char *b, const char *const *left_out)
{
	size_t len_a, len_b;

	for (;;) {
		a = next_word(a, &len_a, left_out);
		b = next_word(b, &len_b, left_out);
		if (!a || !b)
			return a == b;
		if (len_a != len_b || strncmp(a, b, len_a) != 0)
			return false;
		a += len_a;
		b += len_b;
	}
}

/* Appends derived events that both define, but not as the same. */
static void append_formulas(const struct model *old_model, const struct model *new_model,
			    struct arena *arena, struct mismatch *list, size_t *n)
{
	for (size_t i = 0; i < old_model->n_derived; i++) {
		const char *name = old_model->derived[i].name;
		const char *old_text = old_model->derived[i].formula;
		const struct model_derived *other = new_model->derived;
		const struct model_derived *end = other + new_model->n_derived;

		while (other < end && strcmp(other->name, name) != 0)
			other++;
		if (other < end && !is_same(old_text, other->formula))
			list[(*n)++] = (struct mismatch){ .what = join(arena, "event ", name),
							  .old_text = old_text,
							  .new_text = other->formula };
	}
}

/* The object that a Build-id is of, the last component of its path; NULL if it says none. */
static const char *object_of(const char *build)
{
	const char *blank = strchr(build, ' '), *slash = strrchr(build, '/');

	if (!blank || strncmp(build, "none ", 5) == 0)
		return NULL;
	return slash && slash > blank ? slash + 1 : blank + 1;
}

/*
 * What another model says about the object of a build, if it knows only other builds of it: the
 * first one; else NULL.
 */
static const char *other_build(const struct model *model, const char *build)
{
	const char *name = object_of(build), *other = NULL;
	size_t size = name ? strcspn(build, " ") + 1 : 0;

	for (size_t i = 0; name && i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			const char *value = part->descs[j].value, *object;

			if (strcmp(part->descs[j].type, "Build-id") != 0)
				continue;
			object = object_of(value);
			if (!object || strcmp(object, name) != 0)
				continue;
			if (strncmp(value, build, size) == 0)
				return NULL;
			if (!other)
				other = value;
		}
	}
	return other;
}

/* Appends another build of an object, once. */
static void append_build(const struct model *new_model, struct arena *arena, const char *build,
			 struct mismatch *list, size_t *n)
{
	const char *other = other_build(new_model, build), *what;

	if (!other)
		return;
	what = join(arena, "build of ", object_of(build));
	for (size_t i = 0; i < *n; i++)
		if (strcmp(list[i].what, what) == 0)
			return;
	list[(*n)++] = (struct mismatch){
		.what = what,
		.old_text = arena_copy(arena, build, strcspn(build, " ")),
		.new_text = arena_copy(arena, other, strcspn(other, " ")),
		.is_minor = true,
	};
}

/* True if two values of a type, NULL for none, are unlike. */
static bool is_unlike(enum comparison comparison, const char *a, const char *b)
{
	switch (comparison) {
	case COMPARE_ALL:
		return !is_same(a, b);
	case COMPARE_COUNTING:
		return !is_same(a ? a : "valgrind", b ? b : "valgrind");
	case COMPARE_BOTH:
	case COMPARE_MINOR:
		return a && b && !is_same(a, b);
	case COMPARE_MACHINE:
		return a && b && !is_same_machine(a, b);
	case COMPARE_BUILDS:
	case COMPARE_NEVER:
		break;
	}
	return false;
}

/* Appends the desc lines of one model that the other contradicts or lacks; of NEW, those that OLD lacks. */
static void append_descs(const struct model *model, const struct model *other, struct arena *arena,
			 bool is_new, struct mismatch *list, size_t *n)
{
	const bool has_machines = has_two_machines(model, other);
	const bool has_threads = any_desc(model, THREADS_DESC) || any_desc(other, THREADS_DESC);

	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			const char *type = part->descs[j].type, *value = part->descs[j].value;
			enum comparison comparison = comparison_of(type);
			const char *other_value;
			bool is_options;

			if (comparison == COMPARE_BUILDS) {
				if (!is_new)
					append_build(other, arena, value, list, n);
				continue;
			}
			if (comparison == COMPARE_NEVER || find_desc(model, type, i, j))
				continue;
			other_value = any_desc(other, type);
			is_options = strcmp(type, OPTIONS_DESC) == 0;
			if (!is_unlike(comparison, value, other_value) || (is_new && other_value))
				continue;
			if (is_options && !has_threads &&
			    have_same_words(value, other_value, options_of_threads))
				continue;
			list[(*n)++] = (struct mismatch){
				.what = type,
				.old_text = is_new ? other_value : value,
				.new_text = is_new ? value : other_value,
				.is_minor = comparison == COMPARE_MINOR,
				.is_of_machine =
					is_of_machine(type, has_machines) ||
					(is_options &&
					 have_same_words(value, other_value, options_of_machine)),
			};
		}
	}
}

void comparability_facts(const struct model *model, struct arena *arena, struct run_facts *facts)
{
	*facts = (struct run_facts){ 0 };
	for (size_t i = 0; i < model->n_parts; i++)
		run_facts_add(facts, &model->parts[i].header, arena);
}

void comparability_check(const struct model *old_model, const struct model *new_model,
			 struct arena *arena, struct mismatch **list, size_t *n)
{
	struct run_facts old_facts, new_facts;
	const char *old_end, *new_end;
	bool same_events = old_model->n_events == new_model->n_events;
	size_t most = 2 + old_model->n_derived + count_descs(old_model) + count_descs(new_model);

	*n = 0;
	*list = arena_alloc(arena, most * sizeof(**list), sizeof(void *));
	comparability_facts(old_model, arena, &old_facts);
	comparability_facts(new_model, arena, &new_facts);
	for (size_t i = 0; same_events && i < new_model->n_events; i++)
		same_events = model_event(old_model, new_model->events[i].name) <
			      old_model->n_events;
	if (!same_events)
		(*list)[(*n)++] = (struct mismatch){ .what = "events",
						     .old_text = event_list(old_model, arena),
						     .new_text = event_list(new_model, arena) };
	append_formulas(old_model, new_model, arena, *list, n);
	append_descs(old_model, new_model, arena, false, *list, n);
	append_descs(new_model, old_model, arena, true, *list, n);
	/*
	 * The ways in which the runs ended.  A profile without a line, a dump amid the run or one of another
	 * program, is like any but one of a run that was killed, which did part of its work.
	 */
	old_end = old_facts.end;
	new_end = new_facts.end;
	if (old_end && new_end ? strcmp(old_end, new_end) != 0
			       : run_facts_is_signal(old_end) || run_facts_is_signal(new_end))
		(*list)[(*n)++] = (struct mismatch){
			.what = ENDED_DESC, .old_text = old_end, .new_text = new_end, .is_end = true
		};
}
