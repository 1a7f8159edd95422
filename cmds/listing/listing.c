/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* qsort_r(), memmem() */
#include "cmds/listing/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/object/lacking.h"
#include "profile/analysis/owncode.h"
#include "profile/common/desc.h"
#include "profile/common/heap.h"

/* -- who calls whom ---------------------------------------------------------------------- */

/* Where each caller's edges begin, and each callee's. */
static void index_both(struct call_edge_list *list, size_t n_functions)
{
	size_t *next = heap_alloc((n_functions + 1) * sizeof(*next));

	list->first_by_caller = heap_zeroed(n_functions + 1, sizeof(size_t));
	list->first_by_callee = heap_zeroed(n_functions + 1, sizeof(size_t));
	list->by_callee = heap_zeroed(list->n, sizeof(uint32_t));
	for (size_t i = 0; i < list->n; i++) {
		list->first_by_caller[list->all[i].caller + 1]++;
		list->first_by_callee[list->all[i].callee + 1]++;
	}
	for (size_t i = 0; i < n_functions; i++) {
		list->first_by_caller[i + 1] += list->first_by_caller[i];
		list->first_by_callee[i + 1] += list->first_by_callee[i];
	}
	memcpy(next, list->first_by_callee, (n_functions + 1) * sizeof(size_t));
	for (size_t i = 0; i < list->n; i++)
		list->by_callee[next[list->all[i].callee]++] = (uint32_t)i;
	free(next);
}

int call_edges_collect(struct call_edge_list *list, const struct model *model,
		       const uint32_t *wanted, enum listing_tree tree, struct arena *arena)
{
	/* By callee, its edge with the caller at work, if that is >= first. */
	size_t *slots = heap_zeroed(model->n_functions, sizeof(*slots));
	int status = PROFILE_OK;

	*list = (struct call_edge_list){ .n = 0 };
	for (uint32_t caller = 0; !status && caller < model->n_functions; caller++) {
		bool wants_callees = (tree & TREE_CALLEES) && wanted[caller];
		size_t first = list->n;
		struct model_cursor cursor;
		struct model_call call;

		model_calls(model, caller, 0, &cursor);
		while (!status && model_next_call(&cursor, &call)) {
			size_t slot = slots[call.callee];

			if (!wants_callees && !((tree & TREE_CALLERS) && wanted[call.callee]))
				continue;
			if (slot < first || slot >= list->n ||
			    list->all[slot].callee != call.callee) {
				slot = slots[call.callee] = list->n++;
				list->all = heap_grow(list->all, &list->capacity, list->n,
						      sizeof(*list->all));
				list->all[slot] = (struct call_edge){
					.caller = caller,
					.callee = call.callee,
					.costs = row_new(arena, model->n_events),
				};
			}
			if (!cost_add(&list->all[slot].count, call.count, model->is_signed))
				status = PROFILE_RANGE;
			row_add_nested(list->all[slot].costs, call.costs, model->n_events,
				       model->is_signed);
		}
	}
	if (!status)
		index_both(list, model->n_functions);
	free(slots);
	return status;
}

void call_edges_release(struct call_edge_list *list)
{
	free(list->all);
	free(list->by_callee);
	free(list->first_by_caller);
	free(list->first_by_callee);
}

struct listing_link *call_edges_of(const struct call_edge_list *list, uint32_t function,
				   bool callers, size_t *n, struct arena *arena)
{
	const size_t *firsts = callers ? list->first_by_callee : list->first_by_caller;
	size_t first = firsts[function];
	struct listing_link *links;

	*n = firsts[function + 1] - first;
	links = arena_alloc(arena, *n * sizeof(*links), 8);
	for (size_t i = 0; list->all && i < *n; i++) {
		const struct call_edge *edge =
			&list->all[callers ? list->by_callee[first + i] : first + i];

		links[i] = (struct listing_link){
			.function = callers ? edge->caller : edge->callee,
			.count = edge->count,
			.costs = edge->costs,
		};
	}
	return links;
}

/* -- functions --------------------------------------------------------------------------- */

struct order {
	const struct model *model;
	const struct columns *columns;
};

int listing_compare_names(const struct model *model, uint32_t a, uint32_t b)
{
	const struct model_function *of_a = &model->functions[a], *of_b = &model->functions[b];
	int order = model_compare_names(model, NAME_FILE, of_a->file, of_b->file);

	if (order == 0)
		order = model_compare_names(model, NAME_FUNCTION, of_a->name, of_b->name);
	return order != 0 ? order
			  : model_compare_names(model, NAME_OBJECT, of_a->object, of_b->object);
}

static int compare_entries(const void *a, const void *b, void *ctx)
{
	const struct listing_entry *of_a = a, *of_b = b;
	const struct order *how = ctx;
	int order = columns_compare(how->columns, of_a->costs, of_b->costs);

	return order != 0 ? order
			  : listing_compare_names(how->model, of_a->function, of_b->function);
}

static int compare_links(const void *a, const void *b, void *ctx)
{
	const struct listing_link *of_a = a, *of_b = b;
	const struct order *how = ctx;
	int order = columns_compare(how->columns, of_a->costs, of_b->costs);

	return order != 0 ? order
			  : listing_compare_names(how->model, of_a->function, of_b->function);
}

/* What costs have of a sort key's metric, without its sign. */
static int128 magnitude_of(const struct columns *columns, size_t key, const uint64_t *costs)
{
	return int128_magnitude(metric_value(&columns->metrics.all[columns->keys[key].metric],
					     costs, columns->is_signed));
}

/* True if all keys that have a percentage have reached it. */
static bool is_covered(const struct columns *columns, const int128 *sums, const uint64_t *totals)
{
	for (size_t i = 0; i < columns->n_keys; i++) {
		const struct sort_key *key = &columns->keys[i];

		if (key->has_threshold &&
		    (100.0 * (double)sums[i] <
			     key->threshold * (double)magnitude_of(columns, i, totals) ||
		     key->threshold >= 100))
			return false;
	}
	return true;
}

/*
 * How many of the sorted entries are needed.  Self costs add up; inclusive ones do not, so each of them
 * is considered alone: what is left out is at most the rest of the program.
 */
static size_t covering(const struct listing *listing, const struct basis *basis, bool inclusive)
{
	const struct columns *columns = basis->columns;
	int128 *sums = arena_alloc(basis->arena, columns->n_keys * sizeof(*sums), 16);
	size_t n = 0;

	memset(sums, 0, columns->n_keys * sizeof(*sums));
	for (; n < listing->n && !is_covered(columns, sums, basis->totals); n++) {
		for (size_t i = 0; i < columns->n_keys; i++) {
			int128 value = magnitude_of(columns, i, listing->entries[n].costs);

			if (!inclusive)
				sums[i] += value;
			else
				sums[i] = magnitude_of(columns, i, basis->totals) - value;
		}
	}
	return n;
}

/* Calls of a function, or by it, those that cost most first. */
static const struct listing_link *links_of(const struct call_edge_list *edges, uint32_t function,
					   bool callers, size_t *n, struct order *how,
					   struct arena *arena)
{
	struct listing_link *links = call_edges_of(edges, function, callers, n, arena);

	qsort_r(links, *n, sizeof(*links), compare_links, how);
	return links;
}

/* Lists with each entry the functions that call it, and those that it calls. */
static int link_entries(struct listing *listing, const struct basis *basis, enum listing_tree tree)
{
	const struct model *model = basis->model;
	struct order how = { model, basis->columns };
	struct call_edge_list edges;
	uint32_t *wanted = heap_zeroed(model->n_functions, sizeof(*wanted));
	int status;

	for (size_t i = 0; i < listing->n; i++)
		wanted[listing->entries[i].function] = 1;
	status = call_edges_collect(&edges, model, wanted, tree, basis->arena);
	for (size_t i = 0; !status && i < listing->n; i++) {
		struct listing_entry *entry = &listing->entries[i];

		if (tree & TREE_CALLERS)
			entry->callers = links_of(&edges, entry->function, true, &entry->n_callers,
						  &how, basis->arena);
		if (tree & TREE_CALLEES)
			entry->callees = links_of(&edges, entry->function, false, &entry->n_callees,
						  &how, basis->arena);
	}
	call_edges_release(&edges);
	free(wanted);
	return status;
}

int listing_make(struct listing *listing, const struct basis *basis,
		 const struct inclusive *inclusive, const struct listing_options *options)
{
	const struct model *model = basis->model;
	struct order how = { model, basis->columns };
	bool is_inclusive = options->inclusive && inclusive;

	*listing = (struct listing){
		.n_functions = model->n_functions,
		.entries = arena_alloc(basis->arena,
				       (model->n_functions + 1) * sizeof(*listing->entries), 8),
	};
	for (size_t i = 0; i < model->n_functions; i++) {
		const struct listing_entry entry = {
			.function = (uint32_t)i,
			.cycle = inclusive ? inclusive->cycle[i] : 0,
			.costs = is_inclusive ? inclusive_of(inclusive, (uint32_t)i)
					      : basis->self_costs->self[i],
			.is_partial = is_inclusive && inclusive->cycle[i] != 0 &&
				      !inclusive->is_whole[i],
		};

		if (options->coverage >= 0 ||
		    columns_reach(basis->columns, entry.costs, basis->totals))
			listing->entries[listing->n++] = entry;
	}
	qsort_r(listing->entries, listing->n, sizeof(*listing->entries), compare_entries, &how);
	if (options->coverage >= 0)
		listing->n = covering(listing, basis, options->inclusive);
	if (options->most > 0 && listing->n > options->most)
		listing->n = options->most;
	return options->tree == TREE_NONE ? PROFILE_OK
					  : link_entries(listing, basis, options->tree);
}

/* -- files and functions in each other ------------------------------------------------------ */

/* What functions of one name cost in a source file. */
struct nesting_piece {
	uint32_t outer, inner; /* numbers of names: file and function, or the reverse */
	const uint64_t *costs;
};

struct nesting_order {
	const struct model *model;
	const struct columns *columns;
	enum name_kind outer, inner;
};

static int compare_pieces(const void *a, const void *b)
{
	const struct nesting_piece *of_a = a, *of_b = b;

	if (of_a->outer != of_b->outer)
		return of_a->outer < of_b->outer ? -1 : 1;
	return (of_a->inner > of_b->inner) - (of_a->inner < of_b->inner);
}

static int compare_outer(const void *a, const void *b, void *ctx)
{
	const struct nesting_outer *of_a = a, *of_b = b;
	const struct nesting_order *how = ctx;
	int order = columns_compare(how->columns, of_a->costs, of_b->costs);

	return order != 0 ? order
			  : model_compare_names(how->model, how->outer, of_a->name, of_b->name);
}

static int compare_inner(const void *a, const void *b, void *ctx)
{
	const struct nesting_inner *of_a = a, *of_b = b;
	const struct nesting_order *how = ctx;
	int order = columns_compare(how->columns, of_a->costs, of_b->costs);

	return order != 0 ? order
			  : model_compare_names(how->model, how->inner, of_a->name, of_b->name);
}

/* All pieces, sorted by outer and inner, an array of the arena's; returns a status. */
static int make_pieces(struct nesting_piece **result, size_t *n, const struct basis *basis,
		       bool by_function)
{
	const struct model *model = basis->model;
	const struct self_costs *self_costs = basis->self_costs;
	struct arena *arena = basis->arena;
	struct nesting_piece *pieces =
		arena_alloc(arena, (self_costs->n_pairs + 1) * sizeof(*pieces), 8);
	uint64_t *sum = NULL; /* of the last piece, if it is one of several */
	size_t used = 0;

	for (size_t i = 0; i < self_costs->n_pairs; i++) {
		const struct self_costs_pair *pair = &self_costs->pairs[i];
		uint32_t name = model->functions[pair->function].name;

		pieces[i] = (struct nesting_piece){
			.outer = by_function ? name : pair->file,
			.inner = by_function ? pair->file : name,
			.costs = pair->costs,
		};
	}
	qsort(pieces, self_costs->n_pairs, sizeof(*pieces), compare_pieces);
	for (size_t i = 0; i < self_costs->n_pairs; i++) {
		if (used == 0 || compare_pieces(&pieces[used - 1], &pieces[i]) != 0) {
			pieces[used++] = pieces[i];
			sum = NULL;
			continue;
		}
		if (!sum) {
			sum = row_new(arena, model->n_events);
			memcpy(sum, pieces[used - 1].costs, model->n_events * sizeof(*sum));
			pieces[used - 1].costs = sum;
		}
		if (!row_add(sum, pieces[i].costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	}
	*result = pieces;
	*n = used;
	return PROFILE_OK;
}

/* An outer one of n pieces; *shown is true if it reaches the threshold. */
static int make_outer(struct nesting_outer *outer, const struct nesting_piece *pieces, size_t n,
		      struct nesting_order *how, const struct basis *basis, bool *shown)
{
	const struct model *model = basis->model;
	const uint64_t *totals = basis->totals;
	struct arena *arena = basis->arena;
	uint64_t *sum = row_new(arena, model->n_events);

	for (size_t i = 0; i < n; i++)
		if (!row_add(sum, pieces[i].costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	*outer = (struct nesting_outer){ .name = pieces[0].outer, .costs = sum };
	*shown = columns_reach(how->columns, sum, totals);
	if (!*shown)
		return PROFILE_OK;
	outer->inner = arena_alloc(arena, n * sizeof(*outer->inner), 8);
	for (size_t i = 0; i < n; i++)
		if (columns_reach(how->columns, pieces[i].costs, totals))
			outer->inner[outer->n_inner++] =
				(struct nesting_inner){ pieces[i].inner, pieces[i].costs };
	outer->n_hidden = n - outer->n_inner;
	qsort_r(outer->inner, outer->n_inner, sizeof(*outer->inner), compare_inner, how);
	return PROFILE_OK;
}

int nesting_make(struct nesting *nesting, const struct basis *basis, bool by_function)
{
	const struct model *model = basis->model;
	struct arena *arena = basis->arena;
	struct nesting_order how = {
		.model = model,
		.columns = basis->columns,
		.outer = by_function ? NAME_FUNCTION : NAME_FILE,
		.inner = by_function ? NAME_FILE : NAME_FUNCTION,
	};
	struct nesting_piece *pieces = NULL;
	const uint64_t *last = NULL;
	size_t n = 0, end;
	int status = make_pieces(&pieces, &n, basis, by_function);

	*nesting = (struct nesting){ .by_function = by_function };
	if (status)
		return status;
	nesting->outer = arena_alloc(arena, (n + 1) * sizeof(*nesting->outer), 8);
	for (size_t i = 0; i < n; i = end) {
		bool shown;

		for (end = i + 1; end < n && pieces[end].outer == pieces[i].outer; end++)
			;
		status = make_outer(&nesting->outer[nesting->n], pieces + i, end - i, &how, basis,
				    &shown);
		if (status)
			return status;
		nesting->n += shown;
	}
	qsort_r(nesting->outer, nesting->n, sizeof(*nesting->outer), compare_outer, &how);
	for (size_t i = 0; i < nesting->n; i++) {
		uint64_t *sum = row_new(arena, model->n_events);

		if (last)
			memcpy(sum, last, model->n_events * sizeof(*sum));
		if (!row_add(sum, nesting->outer[i].costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
		nesting->outer[i].cumulative = last = sum;
	}
	return PROFILE_OK;
}

/* -- functions without lines ---------------------------------------------------------------- */

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

/* What each object costs without lines, by its number; returns the sum. */
static int128 add_up(struct object *objects, const struct model *model, const struct metric *metric)
{
	int128 all = 0;

	for (size_t i = 0; i < model->n_functions; i++) {
		const struct model_function *function = &model->functions[i];
		int128 cost = 0;

		/* Costs that "[kernel]" and its like have are of no file that might have lines. */
		if (function->file != DICTIONARY_UNKNOWN ||
		    (model->has_objects &&
		     (function->object == DICTIONARY_UNKNOWN ||
		      model_name(model, NAME_OBJECT, function->object).text[0] == '[')))
			continue;
		for (size_t part = 0; part < model_cost_parts(model); part++) {
			struct model_cursor cursor;
			struct model_line line;

			model_lines(model, (uint32_t)i, (uint32_t)part, &cursor);
			while (model_next_line(&cursor, &line))
				if (line.file == DICTIONARY_UNKNOWN)
					cost += metric_value(metric, line.costs, model->is_signed);
		}
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

enum { PYTHON_PACKAGE = 24 };

/* "python3.11-dbg" for python3.11 and libpython3.11.so.1.0; false if it is no interpreter of Python. */
static bool name_python_package(struct name base, char package[PYTHON_PACKAGE])
{
	static const char python[] = "python3.";
	const char *at = memmem(base.text, base.len, python, strlen(python));
	const char *end = base.text + base.len;
	size_t digits = 0;

	if (!at || (at != base.text && (at != base.text + strlen("lib") ||
					memcmp(base.text, "lib", strlen("lib")) != 0)))
		return false;
	at += strlen(python);
	while (at + digits < end && at[digits] >= '0' && at[digits] <= '9')
		digits++;
	if (digits == 0 || digits > 3)
		return false;
	snprintf(package, PYTHON_PACKAGE, "python3.%.*s-dbg", (int)digits, at);
	return true;
}

/* True if an object is dear enough to be named. */
static bool is_named(const struct object *object, int128 whole)
{
	return percent(object->cost, whole) >= LEAST_OBJECT;
}

/*
 * What helps the objects that are named, by what their files lack: "compile it with -g, ...", or with several of them each
 * with its name.  To be freed; NULL if nothing is known about the first one.
 */
static char *advise_lines(const struct object *objects, size_t n, int128 whole,
			  const struct model *model)
{
	const bool are_several = n > 1 && is_named(&objects[1], whole);
	char *all = NULL;

	for (size_t i = 0; model->has_objects && i < n && i < MOST_OBJECTS; i++) {
		struct name base;
		char *advice, *joined;

		if (!is_named(&objects[i], whole))
			break;
		advice = lacking_advice(model, objects[i].name, LACKS_LINES);
		if (!advice && i == 0)
			return NULL;
		if (!advice)
			continue;
		base = filename_base(model_name(model, NAME_OBJECT, objects[i].name));
		joined = heap_print("%s%s%.*s%s%s", all ? all : "", all ? "; " : "",
				    are_several ? (int)base.len : 0, base.text,
				    are_several ? ": " : "", advice);
		free(all);
		free(advice);
		all = joined;
	}
	return all;
}

const char *lineless_note(const struct model *model, const struct metric *metric,
			  const uint64_t *totals, struct arena *arena)
{
	int128 whole = metric_value(metric, totals, model->is_signed), cost;
	size_t n = model->names[NAME_OBJECT].count, used = 0;
	char named[MOST_OBJECTS * (OBJECT_TEXT + 16)] = "";
	char package[PYTHON_PACKAGE] = "";
	bool has_files = false, is_worth;
	const char *note = NULL;
	struct object *objects;

	/* Without any, the profile's writer does not record them. */
	for (size_t i = 0; i < model->n_functions; i++)
		has_files |= model->functions[i].file != DICTIONARY_UNKNOWN;
	if (model->is_signed || whole <= 0 || (!model->has_objects && !has_files))
		return NULL;
	objects = heap_zeroed(n + 1, sizeof(*objects));
	cost = add_up(objects, model, metric);
	qsort(objects, n, sizeof(*objects), by_cost);
	/* Where a formula takes off more than there is, parts are larger than the whole. */
	is_worth = cost <= whole && objects[0].cost <= whole && percent(cost, whole) >= LEAST_SHARE;
	/* ": prog (80.1 %), libfoo.so (9.2 %)" */
	for (size_t i = 0; is_worth && model->has_objects && i < n && i < MOST_OBJECTS; i++) {
		struct name base = filename_base(model_name(model, NAME_OBJECT, objects[i].name));

		if (!is_named(&objects[i], whole))
			break;
		used += (size_t)snprintf(named + used, sizeof(named) - used, "%s%.*s (%.1f %%)",
					 i > 0 ? ", " : ": ",
					 (int)(base.len < OBJECT_TEXT ? base.len : OBJECT_TEXT),
					 base.text, percent(objects[i].cost, whole));
		/* An interpreter is the one object whose users did not build it; its functions are addresses without. */
		if (package[0] == '\0')
			name_python_package(base, package);
	}
	if (is_worth) {
		char *advice = advise_lines(objects, n, whole, model), *text;

		if (!advice)
			advice = heap_print("compile with -g, install debug packages%s%s%s, or set "
					    "DEBUGINFOD_URLS, and run it again",
					    *package ? " (Debian: " : "", package,
					    *package ? ")" : "");
		text = heap_print("%.1f %% of %s has no source lines%s; %s", percent(cost, whole),
				  metric->name, named, advice);
		note = arena_copy(arena, text, strlen(text));
		free(advice);
		free(text);
	}
	free(objects);
	return note;
}

/* -- functions without names ---------------------------------------------------------------- */

const char *symbols_note(const struct model *model, const struct metric *metric, int128 whole,
			 struct arena *arena)
{
	const size_t n = model->names[NAME_OBJECT].count;
	struct object *objects;
	const char *note = NULL;
	uint64_t costs[PROFILE_MAX_EVENTS];

	if (model->is_signed || !model->has_objects || whole <= 0)
		return NULL;
	objects = heap_zeroed(n + 1, sizeof(*objects));
	for (uint32_t i = 0; i < model->n_functions; i++) {
		const struct model_function *function = &model->functions[i];
		const struct name name = model_name(model, NAME_FUNCTION, function->name);
		struct object *object = &objects[function->object];

		if (name.len < 3 || memcmp(name.text, "0x", 2) != 0 ||
		    function->object == DICTIONARY_UNKNOWN ||
		    model_name(model, NAME_OBJECT, function->object).text[0] != '/')
			continue;
		object->name = function->object;
		for (uint32_t part = 0; part < model_cost_parts(model); part++) {
			model_self(model, i, part, costs);
			object->cost += metric_value(metric, costs, false);
		}
	}
	qsort(objects, n, sizeof(*objects), by_cost);
	if (n > 0 && percent(objects[0].cost, whole) >= LEAST_SHARE) {
		const struct name path = model_name(model, NAME_OBJECT, objects[0].name),
				  base = filename_base(path);
		char *advice = lacking_advice(model, objects[0].name, LACKS_NAMES), *text;

		if (!advice) {
			char *package = lacking_package(path);

			advice =
				package ? heap_print("install %s, and run it again", package)
					: heap_copy(
						  "build it without stripping, or install its debug "
						  "package");
			free(package);
		}
		text = heap_print("%.*s has no symbols for %.1f %% of %s: %s",
				  (int)(base.len < OBJECT_TEXT ? base.len : OBJECT_TEXT), base.text,
				  percent(objects[0].cost, whole), metric->name, advice);
		note = arena_copy(arena, text, strlen(text));
		free(advice);
		free(text);
	}
	free(objects);
	return note;
}

/* -- what a run did not count ----------------------------------------------------------------- */

struct name processor_name(const struct model *model)
{
	const char *machine = model_desc(model, "Machine"), *name, *family;

	if (!machine)
		return (struct name){ .text = NULL };
	name = strstr(machine, ", ");
	name = name ? name + 2 : machine;
	family = strstr(name, " (");
	return (struct name){ name, family ? (size_t)(family - name) : strlen(name), 0 };
}

bool lacks_core(const struct model *model)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const char *core = part_desc_of(&model->parts[i].header, "Core");

		if (core && strcmp(core, "none") == 0)
			return true;
	}
	return false;
}

static bool has_python_functions(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_functions; i++)
		if (owncode_is_python(model, i))
			return true;
	return false;
}

const char *python_note(const struct model *model, const struct metric *metric, int128 whole,
			struct arena *arena)
{
	const size_t n = model->names[NAME_OBJECT].count;
	char package[PYTHON_PACKAGE] = "", name[PYTHON_PACKAGE];
	bool *is_interpreter, has_lines = false, is_program = false;
	const char *note = NULL;
	int128 cost = 0;

	if (model->is_signed || !model->has_objects || has_python_functions(model))
		return NULL;
	is_interpreter = heap_zeroed(n + 1, sizeof(*is_interpreter));
	for (uint32_t i = 0; i < n; i++) {
		const struct name base = filename_base(model_name(model, NAME_OBJECT, i));

		is_interpreter[i] = name_python_package(base, name);
		if (!is_interpreter[i])
			continue;
		memcpy(package, name, sizeof(package));
		is_program |= base.text[0] == 'p';
	}
	for (uint32_t i = 0; i < model->n_functions && *package; i++) {
		const struct model_function *function = &model->functions[i];
		uint64_t costs[PROFILE_MAX_EVENTS];

		if (!is_interpreter[function->object])
			continue;
		has_lines |= function->file != DICTIONARY_UNKNOWN;
		for (uint32_t part = 0; part < model_cost_parts(model); part++) {
			model_self(model, i, part, costs);
			cost += metric_value(metric, costs, false);
		}
	}
	/* Other programs have an interpreter in them, too, for a little of what they do. */
	if (*package && (is_program || cost * 10 >= whole)) {
		const char *cmd = model->n_parts > 0 ? model->parts[0].header.cmd : NULL;
		char *text = heap_print("this is a Python program: costgrind --python=yes %s "
					"has its functions%s%s%s",
					cmd ? cmd : "PROG ARGS",
					has_lines ? ""
						  : "; the interpreter's own need debug "
						    "symbols (Debian: ",
					has_lines ? "" : package, has_lines ? "" : ")");

		note = arena_copy(arena, text, strlen(text));
		free(text);
	}
	free(is_interpreter);
	return note;
}
