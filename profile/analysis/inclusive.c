/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/analysis/inclusive.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

/* -- cycles -------------------------------------------------------------------- */

/*
 * Tarjan's algorithm with a stack of its own: call chains may be as long as
 * there are functions.  A node on the path keeps in next[] which edge it follows.
 */

#define UNSEEN 0
#define NOBODY UINT32_MAX

struct cycle_search {
	const struct cycle_graph *graph;
	uint32_t *index;  /* by node: when it was seen, from 1; UNSEEN */
	uint32_t *low;    /* by node: the earliest index that is reached */
	uint32_t *parent; /* by node on the path: where it was reached from */
	size_t *next;     /* by node on the path: its next edge */
	uint32_t *open;   /* nodes seen whose component is not known yet, a stack */
	size_t n_open;
	uint32_t n_seen;
	uint32_t *component; /* by node, 0 = open or alone; of the caller */
	uint32_t n_components;
};

static void see(struct cycle_search *search, uint32_t node, uint32_t parent)
{
	search->index[node] = search->low[node] = ++search->n_seen;
	search->parent[node] = parent;
	search->next[node] = search->graph->first[node];
	search->open[search->n_open++] = node;
}

/* All that can be reached from a node. */
static void explore(struct cycle_search *search, uint32_t start)
{
	uint32_t node = start;

	see(search, start, NOBODY);
	while (node != NOBODY) {
		if (search->next[node] < search->graph->first[node + 1]) {
			uint32_t to = search->graph->to[search->next[node]++];

			if (search->index[to] == UNSEEN) {
				see(search, to, node);
				node = to;
			} else if (search->low[to] != NOBODY &&
				   search->index[to] < search->low[node]) {
				search->low[node] = search->index[to];
			}
			continue;
		}

		uint32_t parent = search->parent[node];
		uint32_t low = search->low[node];

		if (low == search->index[node]) {
			/* All that is open from node on is one component. */
			bool is_alone = search->open[search->n_open - 1] == node;
			uint32_t member;

			search->n_components += !is_alone;
			do {
				member = search->open[--search->n_open];
				search->component[member] = is_alone ? 0 : search->n_components;
				search->low[member] = NOBODY; /* closed */
			} while (member != node);
		} else if (low < search->low[parent]) {
			search->low[parent] = low;
		}
		node = parent;
	}
}

size_t cycles_find(const struct cycle_graph *graph, uint32_t *cycle)
{
	struct cycle_search search = {
		.graph = graph,
		.index = heap_zeroed(graph->n, sizeof(uint32_t)),
		.low = heap_zeroed(graph->n, sizeof(uint32_t)),
		.parent = heap_zeroed(graph->n, sizeof(uint32_t)),
		.next = heap_zeroed(graph->n, sizeof(size_t)),
		.open = heap_zeroed(graph->n, sizeof(uint32_t)),
		.component = cycle,
	};
	uint32_t *number, count = 0;

	memset(cycle, 0, graph->n * sizeof(*cycle));
	for (size_t i = 0; i < graph->n; i++)
		if (search.index[i] == UNSEEN)
			explore(&search, (uint32_t)i);
	/* Numbers by the least node, instead of by when they were closed. */
	number = heap_zeroed(search.n_components + 1, sizeof(*number));
	for (size_t i = 0; i < graph->n; i++) {
		if (cycle[i] != 0 && number[cycle[i]] == 0)
			number[cycle[i]] = ++count;
		cycle[i] = number[cycle[i]];
	}
	free(number);
	free(search.index);
	free(search.low);
	free(search.parent);
	free(search.next);
	free(search.open);
	return search.n_components;
}

/* -- levels of recursion --------------------------------------------------------- */

/*
 * Levels of recursion, as profiles tell them apart: a call of f while f is active is one of f'2
 * (docs/SIMULATION.md, "Call graph").  So no activation of f contains another one, whoever else is active, and what all of
 * them cost with all that they call is a sum that counts nothing twice, also if f is in a cycle.
 */

static bool begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* Of the value of "desc: Options:": words between blanks. */
static bool options_separate(const char *options)
{
	static const char all[] = "--separate-recs=", some[] = "--separate-recs";

	for (const char *at = strstr(options, some); at; at = strstr(at + 1, some)) {
		const char *levels = begins_with(at, all) ? at + strlen(all) : at + strlen(some);

		if (*levels == '1' && (levels[1] < '0' || levels[1] > '9'))
			return false;
	}
	return true;
}

/*
 * True if all parts of a model were written by a tool that tells levels apart, and nothing was done since by which
 * functions of several levels may have one name: no names changed, no files merged or compared.
 */
static bool recursion_is_told_apart(const struct model *model)
{
	bool is_ours = false;

	if (model->is_renamed)
		return false;
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		/* Said in the first part of a file only. */
		if (part->creator)
			is_ours = begins_with(part->creator, "costgrind-");
		if (!is_ours)
			return false;
		for (size_t j = 0; j < part->n_descs; j++) {
			const struct part_desc *desc = &part->descs[j];

			/* Of merged profiles, options that differ are not said. */
			if (strcmp(desc->type, "Files compared") == 0 ||
			    strcmp(desc->type, "Merged profiles") == 0 ||
			    strcmp(desc->type, "Names folded") == 0 ||
			    (strcmp(desc->type, "Options") == 0 && !options_separate(desc->value)))
				return false;
		}
	}
	return is_ours;
}

/* True if a function's name is of a level after the first, f'2 or f'3'caller, or of several functions, <rest>. */
static bool recursion_is_inner(const struct model *model, uint32_t function)
{
	static const char rest[] = "<rest>";
	struct name name = model_name(model, NAME_FUNCTION, model->functions[function].name);

	if (name.len == sizeof(rest) - 1 && memcmp(name.text, rest, name.len) == 0)
		return true;
	for (size_t i = 1; i + 1 < name.len; i++) {
		size_t digits = i + 1;

		if (name.text[i] != '\'')
			continue;
		while (digits < name.len && name.text[digits] >= '0' && name.text[digits] <= '9')
			digits++;
		/* Level 1 has no number; 'name is a caller's. */
		if (digits > i + 1 && (digits == name.len || name.text[digits] == '\''))
			return true;
	}
	return false;
}

/* -- rows of costs ------------------------------------------------------------------ */

uint64_t *row_new(struct arena *arena, size_t n)
{
	uint64_t *row = arena_alloc(arena, n * sizeof(*row), 8);

	memset(row, 0, n * sizeof(*row));
	return row;
}

bool row_add(uint64_t *sums, const uint64_t *costs, size_t n, bool is_signed)
{
	bool fine = true;

	for (size_t i = 0; i < n; i++)
		fine &= cost_add(&sums[i], costs[i], is_signed);
	return fine;
}

void row_add_nested(uint64_t *sums, const uint64_t *costs, size_t n, bool is_signed)
{
	for (size_t i = 0; i < n; i++)
		cost_add_nested(&sums[i], costs[i], is_signed);
}

/* -- sums -------------------------------------------------------------------------- */

struct computing {
	struct inclusive *result;
	const struct model *model;
	const size_t *events; /* NULL = all */
	uint32_t first_part, end_part;
};

/* The wanted ones of a function's or call's costs, *n numbers before the zeros; *n is then how many are wanted. */
static const uint64_t *select_costs(const struct computing *computing, const uint64_t *costs,
				    size_t *n, uint64_t selected[PROFILE_MAX_EVENTS])
{
	if (!computing->events)
		return costs;
	*n = computing->result->n_events;
	for (size_t i = 0; i < *n; i++)
		selected[i] = costs[computing->events[i]];
	return selected;
}

/*
 * The self cost of a function; and calls by it, which are counted, and what they cost summed up, in inclusive where
 * both ends are in different components, else in within.
 */
static bool sum_function(const struct computing *computing, uint32_t function)
{
	struct inclusive *result = computing->result;
	const struct model *model = computing->model;
	const bool is_signed = model->is_signed;
	const size_t n = result->n_events;
	const uint32_t cycle = result->cycle[function];
	uint64_t *self = result->self + function * n, *inclusive = result->inclusive + function * n;
	uint64_t costs[PROFILE_MAX_EVENTS], selected[PROFILE_MAX_EVENTS];
	uint64_t within[PROFILE_MAX_EVENTS];
	struct model_cursor cursor;
	struct model_call call;

	memset(within, 0, n * sizeof(*within));
	for (uint32_t part = computing->first_part; part < computing->end_part; part++) {
		size_t n_costs = model->n_events;
		const uint64_t *wanted;

		model_self(model, function, part, costs);
		wanted = select_costs(computing, costs, &n_costs, selected);
		if (!row_add(self, wanted, n_costs, is_signed))
			return false;
	}
	memcpy(inclusive, self, n * sizeof(*self));
	for (uint32_t part = computing->first_part; part < computing->end_part; part++) {
		model_calls(model, function, part, &cursor);
		while (model_next_call(&cursor, &call)) {
			size_t n_costs = call.n_costs;
			const uint64_t *wanted =
				select_costs(computing, call.costs, &n_costs, selected);

			if (call.callee == function) {
				result->calls_itself[function] = true;
				continue;
			}
			if (!cost_add(&result->called[call.callee], call.count, is_signed))
				return false;
			if (cycle != 0 && cycle == result->cycle[call.callee])
				row_add_nested(within, wanted, n_costs, is_signed);
			else if (!row_add(inclusive, wanted, n_costs, is_signed))
				return false;
		}
	}
	return cycle == 0 ||
	       (row_add(result->cycle_costs + (cycle - 1) * n, inclusive, n, is_signed) &&
		(!result->is_whole[function] || row_add(inclusive, within, n, is_signed)));
}

static void find_cycles(const struct computing *computing)
{
	size_t n = computing->model->n_functions, n_calls = 0, capacity = 0;
	size_t *first = heap_zeroed(n + 1, sizeof(*first));
	uint32_t *to = NULL;
	struct model_cursor cursor;
	struct model_call call;

	for (size_t i = 0; i < n; i++) {
		for (uint32_t part = computing->first_part; part < computing->end_part; part++) {
			model_calls(computing->model, (uint32_t)i, part, &cursor);
			while (model_next_call(&cursor, &call)) {
				to = heap_grow(to, &capacity, n_calls + 1, sizeof(*to));
				to[n_calls++] = call.callee;
			}
		}
		first[i + 1] = n_calls;
	}
	computing->result->n_cycles =
		cycles_find(&(struct cycle_graph){ n, first, to }, computing->result->cycle);
	free(to);
	free(first);
}

int inclusive_compute(struct inclusive *inclusive, const struct model *model,
		      const struct inclusive_options *options)
{
	bool all_parts = !options || options->part == INCLUSIVE_ALL_PARTS;
	bool all_events = !options || !options->events;
	size_t n_events = all_events ? model->n_events : options->n_events;
	size_t n = model->n_functions;
	struct computing computing = {
		.result = inclusive,
		.model = model,
		.events = all_events ? NULL : options->events,
		.first_part = all_parts ? 0 : options->part,
	};

	computing.end_part = all_parts ? (uint32_t)model_cost_parts(model) : options->part + 1;
	*inclusive = (struct inclusive){
		.n_functions = n,
		.n_events = n_events,
		.self = heap_zeroed(n * n_events, sizeof(uint64_t)),
		.inclusive = heap_zeroed(n * n_events, sizeof(uint64_t)),
		.called = heap_zeroed(n, sizeof(uint64_t)),
		.cycle = heap_zeroed(n, sizeof(uint32_t)),
		.is_whole = heap_zeroed(n, sizeof(bool)),
		.calls_itself = heap_zeroed(n, sizeof(bool)),
	};
	find_cycles(&computing);
	inclusive->cycle_costs = heap_zeroed(inclusive->n_cycles * n_events, sizeof(uint64_t));
	if (inclusive->n_cycles > 0 && recursion_is_told_apart(model))
		for (size_t i = 0; i < n; i++)
			inclusive->is_whole[i] = inclusive->cycle[i] != 0 &&
						 !recursion_is_inner(model, (uint32_t)i);
	for (size_t i = 0; i < n; i++)
		if (!sum_function(&computing, (uint32_t)i))
			return PROFILE_RANGE;
	return PROFILE_OK;
}

void inclusive_release(struct inclusive *inclusive)
{
	free(inclusive->self);
	free(inclusive->inclusive);
	free(inclusive->called);
	free(inclusive->cycle);
	free(inclusive->is_whole);
	free(inclusive->calls_itself);
	free(inclusive->cycle_costs);
	*inclusive = (struct inclusive){ .n_functions = 0 };
}

/* -- self costs ------------------------------------------------------------------ */

/* Work on one function after the other. */
struct self_costs_sum {
	struct self_costs *self_costs;
	const struct model *model;
	struct arena *arena;
	size_t capacity;
	uint64_t **rows; /* by pair, to add to */
	size_t rows_capacity;
	uint32_t *slots; /* by file: its pair in this function, if that is >= first */
};

static int add_function(struct self_costs_sum *summing, uint32_t function, const uint64_t *zeros)
{
	const struct model *model = summing->model;
	struct self_costs *self_costs = summing->self_costs;
	size_t first = self_costs->n_pairs;
	struct model_cursor cursor;
	struct model_line line;
	uint64_t *sum;

	model_lines(model, function, 0, &cursor);
	while (model_next_line(&cursor, &line)) {
		size_t n = self_costs->n_pairs, slot = summing->slots[line.file];

		if (slot < first || slot >= n || self_costs->pairs[slot].file != line.file) {
			/* The first line of this file in this function. */
			self_costs->pairs = heap_grow(self_costs->pairs, &summing->capacity, n + 1,
						      sizeof(*self_costs->pairs));
			summing->rows = heap_grow(summing->rows, &summing->rows_capacity, n + 1,
						  sizeof(*summing->rows));
			slot = summing->slots[line.file] = (uint32_t)n;
			summing->rows[slot] = row_new(summing->arena, model->n_events);
			self_costs->pairs[slot] = (struct self_costs_pair){ function, line.file,
									    summing->rows[slot] };
			self_costs->n_pairs++;
		}
		if (!row_add(summing->rows[slot], line.costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	}
	self_costs->self[function] = zeros;
	if (self_costs->n_pairs == first)
		return PROFILE_OK;
	self_costs->self[function] = self_costs->pairs[first].costs;
	if (self_costs->n_pairs == first + 1)
		return PROFILE_OK;
	sum = row_new(summing->arena, model->n_events);
	for (size_t i = first; i < self_costs->n_pairs; i++)
		if (!row_add(sum, self_costs->pairs[i].costs, model->n_events, model->is_signed))
			return PROFILE_RANGE;
	self_costs->self[function] = sum;
	return PROFILE_OK;
}

int self_costs_compute(struct self_costs *self_costs, const struct model *model,
		       struct arena *arena)
{
	struct self_costs_sum summing = {
		.self_costs = self_costs,
		.model = model,
		.arena = arena,
		.slots = heap_zeroed(model->names[NAME_FILE].count, sizeof(uint32_t)),
	};
	const uint64_t *zeros = row_new(arena, model->n_events);
	int status = PROFILE_OK;

	*self_costs = (struct self_costs){ .n_pairs = 0 };
	self_costs->self = heap_zeroed(model->n_functions, sizeof(*self_costs->self));
	for (size_t i = 0; !status && i < model->n_functions; i++)
		status = add_function(&summing, (uint32_t)i, zeros);
	free(summing.slots);
	free(summing.rows);
	return status;
}

void self_costs_release(struct self_costs *self_costs)
{
	free(self_costs->pairs);
	free(self_costs->self);
	*self_costs = (struct self_costs){ .n_pairs = 0 };
}
