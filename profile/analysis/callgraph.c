/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* qsort_r */
#include "profile/analysis/callgraph.h"

#include <stdlib.h>

#include "profile/common/cost.h"
#include "profile/common/heap.h"

/* -- making it ------------------------------------------------------------------ */

static int compare_arcs(const void *left, const void *right)
{
	const struct callgraph_arc *a = left, *b = right;

	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	if (a->callee != b->callee)
		return a->callee < b->callee ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

static size_t count_calls(const struct model *model)
{
	struct model_cursor cursor;
	struct model_call call;
	size_t n = 0;

	for (size_t i = 0; i < model->n_functions; i++) {
		model_calls(model, (uint32_t)i, 0, &cursor);
		while (model_next_call(&cursor, &call))
			n++;
	}
	return n;
}

/* Fills arcs with each call; several may be of one line. */
static void list_calls(struct callgraph *graph)
{
	struct model_cursor cursor;
	struct model_call call;

	for (size_t i = 0; i < graph->n; i++) {
		model_calls(graph->model, (uint32_t)i, 0, &cursor);
		while (model_next_call(&cursor, &call))
			graph->arcs[graph->n_arcs++] = (struct callgraph_arc){
				.caller = (uint32_t)i,
				.callee = call.callee,
				.line = call.at.line,
				.count = call.count,
				.cost = call.costs[0],
			};
	}
}

/* One arc for each caller, callee and line; false if a sum is beyond 64 bits. */
static bool add_up(struct callgraph *graph)
{
	struct callgraph_arc *arcs = graph->arcs;
	size_t n = 0;

	if (graph->n_arcs > 0)
		qsort(arcs, graph->n_arcs, sizeof(*arcs), compare_arcs);
	for (size_t i = 0; i < graph->n_arcs; i++) {
		if (n == 0 || compare_arcs(&arcs[n - 1], &arcs[i]) != 0) {
			arcs[n++] = arcs[i];
			continue;
		}
		cost_add_nested(&arcs[n - 1].cost, arcs[i].cost, false);
		if (!cost_add(&arcs[n - 1].count, arcs[i].count, false))
			return false;
	}
	graph->n_arcs = n;
	return true;
}

/* Sets first, incoming and first_in. */
static void make_indexes(struct callgraph *graph)
{
	for (size_t i = 0; i < graph->n_arcs; i++) {
		graph->first[graph->arcs[i].caller + 1]++;
		graph->first_in[graph->arcs[i].callee + 1]++;
	}
	for (size_t i = 0; i < graph->n; i++) {
		graph->first[i + 1] += graph->first[i];
		graph->first_in[i + 1] += graph->first_in[i];
	}
	/* Each place is moved on as it is used, and back afterwards. */
	for (size_t i = 0; i < graph->n_arcs; i++)
		graph->incoming[graph->first_in[graph->arcs[i].callee]++] = i;
	for (size_t i = graph->n; i > 0; i--)
		graph->first_in[i] = graph->first_in[i - 1];
	graph->first_in[0] = 0;
}

int callgraph_init(struct callgraph *graph, const struct model *model)
{
	static const size_t first_event = 0;
	const struct inclusive_options options = { INCLUSIVE_ALL_PARTS, &first_event, 1 };
	size_t n_calls = count_calls(model);
	int status;

	*graph = (struct callgraph){ .model = model, .env = model->env, .n = model->n_functions };
	status = inclusive_compute(&graph->sums, model, &options);
	if (status)
		return status;
	graph->arcs = heap_array(n_calls, sizeof(*graph->arcs));
	graph->first = heap_array(graph->n + 1, sizeof(*graph->first));
	graph->first_in = heap_array(graph->n + 1, sizeof(*graph->first_in));
	graph->incoming = heap_array(n_calls, sizeof(*graph->incoming));
	list_calls(graph);
	if (!add_up(graph))
		return PROFILE_RANGE;
	make_indexes(graph);
	return PROFILE_OK;
}

void callgraph_release(struct callgraph *graph)
{
	inclusive_release(&graph->sums);
	free(graph->arcs);
	free(graph->first);
	free(graph->first_in);
	free(graph->incoming);
	free(graph->order);
}

/* -- order ------------------------------------------------------------------------ */

enum visit { VISIT_NEW = 0, VISIT_OPEN, VISIT_DONE };

/* A search in depth: what is on the way from its root is open. */
struct callgraph_search {
	struct callgraph *graph;
	size_t *costly;       /* numbers of arcs: by caller, then the costly ones first */
	size_t *next;         /* by function: what is to be looked at of costly */
	uint32_t *path;       /* open functions */
	unsigned char *visit; /* by function */
	size_t n_done;
};

static int compare_costs(const void *left, const void *right, void *ctx)
{
	const struct callgraph_arc *arcs = ctx;
	size_t i = *(const size_t *)left, j = *(const size_t *)right;

	if (arcs[i].caller != arcs[j].caller)
		return arcs[i].caller < arcs[j].caller ? -1 : 1;
	if (arcs[i].cost != arcs[j].cost)
		return arcs[i].cost > arcs[j].cost ? -1 : 1;
	return (i > j) - (i < j);
}

static void search_from(struct callgraph_search *search, uint32_t root)
{
	struct callgraph *graph = search->graph;
	size_t depth = 0;

	search->path[depth++] = root;
	search->visit[root] = VISIT_OPEN;
	while (depth > 0) {
		uint32_t function = search->path[depth - 1];
		struct callgraph_arc *arc;

		if (search->next[function] == graph->first[function + 1]) {
			/* Functions are done after all that they call: from the end, in order. */
			search->visit[function] = VISIT_DONE;
			graph->order[graph->n - ++search->n_done] = function;
			depth--;
			continue;
		}
		arc = &graph->arcs[search->costly[search->next[function]++]];
		if (search->visit[arc->callee] == VISIT_OPEN) {
			arc->is_back = true;
			graph->n_back++;
		} else if (search->visit[arc->callee] == VISIT_NEW) {
			search->visit[arc->callee] = VISIT_OPEN;
			search->path[depth++] = arc->callee;
		}
	}
}

static bool is_called(const struct callgraph *graph, uint32_t function)
{
	for (size_t i = graph->first_in[function]; i < graph->first_in[function + 1]; i++)
		if (graph->arcs[graph->incoming[i]].caller != function)
			return true;
	return false;
}

static void search_all(struct callgraph_search *search)
{
	struct callgraph *graph = search->graph;

	for (size_t i = 0; i < graph->n_arcs; i++)
		search->costly[i] = i;
	if (graph->n_arcs > 0)
		qsort_r(search->costly, graph->n_arcs, sizeof(*search->costly), compare_costs,
			graph->arcs);
	for (size_t i = 0; i < graph->n; i++)
		search->next[i] = graph->first[i];
	for (size_t i = 0; i < graph->n; i++)
		if (!is_called(graph, (uint32_t)i))
			search_from(search, (uint32_t)i);
	/* Cycles without callers. */
	for (size_t i = 0; i < graph->n; i++)
		if (search->visit[i] == VISIT_NEW)
			search_from(search, (uint32_t)i);
}

bool callgraph_sort(struct callgraph *graph)
{
	struct callgraph_search search = {
		.graph = graph,
		.costly = heap_array(graph->n_arcs, sizeof(*search.costly)),
		.next = heap_array(graph->n, sizeof(*search.next)),
		.path = heap_array(graph->n, sizeof(*search.path)),
		.visit = heap_array(graph->n, sizeof(*search.visit)),
	};

	graph->order = heap_array(graph->n, sizeof(*graph->order));
	search_all(&search);
	free(search.costly);
	free(search.next);
	free(search.path);
	free(search.visit);
	return true;
}

/* -- lines -------------------------------------------------------------------------- */

static void take_least(uint64_t *least, uint64_t line)
{
	if (line > 0 && (*least == 0 || line < *least))
		*least = line;
}

uint64_t callgraph_line(const struct callgraph *graph, uint32_t function)
{
	const struct model *model = graph->model;
	uint32_t file = model->functions[function].file;
	struct model_cursor cursor;
	struct model_line line;
	struct model_call call;
	uint64_t least = 0;

	model_lines(model, function, 0, &cursor);
	while (model_next_line(&cursor, &line))
		if (line.file == file)
			take_least(&least, line.at.line);
	if (least > 0)
		return least;
	model_calls(model, function, 0, &cursor);
	while (model_next_call(&cursor, &call))
		if (call.file == file)
			take_least(&least, call.at.line);
	return least;
}
