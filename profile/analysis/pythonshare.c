/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions depend on each other in circles: values are computed again until none changes.  Downward, by Gauss and Seidel, the
 * part of a call of C that is spent before a function of Python begins; upward, by Jacobi as calls are sorted by caller, the
 * part of a function's calls that are made for somebody.
 */
#include "profile/analysis/pythonshare.h"

#include <stdlib.h>
#include <string.h>

#include "profile/analysis/owncode.h"
#include "profile/common/heap.h"

enum { MOST_ROUNDS = 200 }; /* 65 for a program with Flask, and as many for numpy */

static const double least_change = 1e-6;

/* A call of another function. */
struct python_arc {
	uint32_t caller, callee;
	double cost;
};

struct python_graph {
	size_t n;        /* functions */
	bool *is_python; /* by function */
	double *self;
	double *whole;           /* self cost, and all calls of others */
	struct python_arc *arcs; /* by caller */
	size_t n_arcs, capacity;
};

static void graph_init(struct python_graph *graph, const struct model *model,
		       const struct metric *metric)
{
	uint64_t costs[PROFILE_MAX_EVENTS];
	struct model_cursor cursor;
	struct model_call call;

	*graph = (struct python_graph){
		.n = model->n_functions,
		.is_python = heap_zeroed(model->n_functions + 1, sizeof(bool)),
		.self = heap_zeroed(model->n_functions + 1, sizeof(double)),
		.whole = heap_zeroed(model->n_functions + 1, sizeof(double)),
	};
	for (uint32_t i = 0; i < model->n_functions; i++) {
		graph->is_python[i] = owncode_is_python(model, i);
		for (uint32_t part = 0; part < model_cost_parts(model); part++) {
			model_self(model, i, part, costs);
			graph->self[i] += (double)metric_value(metric, costs, false);
			model_calls(model, i, part, &cursor);
			while (model_next_call(&cursor, &call)) {
				const double cost = (double)metric_value(metric, call.costs, false);

				if (call.callee == i)
					continue;
				graph->whole[i] += cost;
				graph->arcs = heap_grow(graph->arcs, &graph->capacity,
							graph->n_arcs + 1, sizeof(*graph->arcs));
				graph->arcs[graph->n_arcs++] =
					(struct python_arc){ i, call.callee, cost };
			}
		}
		graph->whole[i] += graph->self[i];
	}
}

static void graph_release(struct python_graph *graph)
{
	free(graph->is_python);
	free(graph->self);
	free(graph->whole);
	free(graph->arcs);
}

static double change_of(double *value, double better)
{
	const double change = better > *value ? better - *value : *value - better;

	*value = better;
	return change;
}

/* By function of C: the part of what it costs, with all that it calls, before a function of Python begins.  To be freed. */
static double *parts_in_c(const struct python_graph *graph)
{
	double *parts = heap_alloc((graph->n + 1) * sizeof(*parts)), most = 1;

	for (size_t i = 0; i < graph->n; i++)
		parts[i] = 1;
	for (size_t round = 0; round < MOST_ROUNDS && most >= least_change; round++) {
		size_t at = 0;

		most = 0;
		for (size_t i = 0; i < graph->n; i++) {
			double cost = graph->self[i], change;

			for (; at < graph->n_arcs && graph->arcs[at].caller == i; at++)
				if (!graph->is_python[graph->arcs[at].callee])
					cost += graph->arcs[at].cost *
						parts[graph->arcs[at].callee];
			if (graph->is_python[i] || graph->whole[i] <= 0)
				continue;
			change = change_of(&parts[i], cost / graph->whole[i]);
			most = change > most ? change : most;
		}
	}
	return parts;
}

/*
 * By function: the part of its calls, by cost, that functions of Python make, or C below them.  1 of functions of Python, 0 of
 * what nobody calls.  To be freed.
 */
static double *parts_below_python(const struct python_graph *graph)
{
	double *parts = heap_zeroed(graph->n + 1, sizeof(*parts)), most = 1;
	double *below = heap_alloc((graph->n + 1) * sizeof(*below));
	double *all = heap_zeroed(graph->n + 1, sizeof(*all));

	for (size_t i = 0; i < graph->n; i++)
		parts[i] = graph->is_python[i];
	for (size_t i = 0; i < graph->n_arcs; i++)
		all[graph->arcs[i].callee] += graph->arcs[i].cost;
	for (size_t round = 0; round < MOST_ROUNDS && most >= least_change; round++) {
		most = 0;
		memset(below, 0, graph->n * sizeof(*below));
		for (size_t i = 0; i < graph->n_arcs; i++)
			below[graph->arcs[i].callee] +=
				graph->arcs[i].cost * parts[graph->arcs[i].caller];
		for (size_t i = 0; i < graph->n; i++) {
			double change;

			if (graph->is_python[i] || all[i] <= 0)
				continue;
			change = change_of(&parts[i], below[i] / all[i]);
			most = change > most ? change : most;
		}
	}
	free(below);
	free(all);
	return parts;
}

static bool name_begins(struct name name, const char *text)
{
	return name.len >= strlen(text) && memcmp(name.text, text, strlen(text)) == 0;
}

bool pythonshare_is_import(const struct model *model, uint32_t function)
{
	const struct model_function *of = &model->functions[function];

	return owncode_is_python(model, function) && !owncode_file_is_own(model, of->file) &&
	       (name_begins(model_name(model, NAME_FILE, of->file), "<frozen importlib") ||
		name_begins(model_name(model, NAME_FUNCTION, of->name), "<module>"));
}

double *pythonshare_parts(const struct model *model, const struct metric *metric)
{
	struct python_graph graph;
	double *parts;

	graph_init(&graph, model, metric);
	parts = parts_in_c(&graph);
	graph_release(&graph);
	return parts;
}

uint64_t *pythonshare_compute(const struct model *model, const struct metric *metric)
{
	const size_t n_events = model->n_events;
	uint64_t *result = heap_zeroed(model->n_functions * n_events + 1, sizeof(*result));
	uint64_t costs[PROFILE_MAX_EVENTS];
	struct python_graph graph;
	struct model_cursor cursor;
	struct model_call call;
	double *in_c, *below_python;

	graph_init(&graph, model, metric);
	in_c = parts_in_c(&graph);
	below_python = parts_below_python(&graph);
	for (uint32_t i = 0; i < graph.n; i++)
		for (uint32_t part = 0; part < model_cost_parts(model); part++) {
			uint64_t *to = &result[i * n_events];

			model_self(model, i, part, costs);
			for (size_t e = 0; e < n_events; e++)
				to[e] += graph.is_python[i] ? costs[e]
							    : (uint64_t)((double)costs[e] *
									 (1 - below_python[i]));
			model_calls(model, i, part, &cursor);
			while (graph.is_python[i] && model_next_call(&cursor, &call))
				for (size_t e = 0; e < n_events && !graph.is_python[call.callee];
				     e++)
					to[e] += (uint64_t)((double)call.costs[e] *
							    in_c[call.callee]);
		}
	free(in_c);
	free(below_python);
	graph_release(&graph);
	return result;
}
