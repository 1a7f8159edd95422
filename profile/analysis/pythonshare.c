/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts depend on each other in circles: they are computed again until none changes (Gauss and Seidel). */
#include "profile/analysis/pythonshare.h"

#include <stdlib.h>

#include "profile/analysis/owncode.h"
#include "profile/common/heap.h"

enum { MOST_ROUNDS = 200 }; /* 65 for a program with Flask, and as many for numpy */

static const double least_change = 1e-6;

/* A call of a function of C. */
struct c_call {
	uint32_t caller, callee;
	double cost;
};

struct c_calls {
	struct c_call *all; /* by caller */
	size_t n, capacity;
	double *whole; /* by function: its self cost, and all its calls of others */
	double *self;
};

static void collect(struct c_calls *calls, const struct model *model, const struct metric *metric,
		    const bool *is_python)
{
	uint64_t costs[PROFILE_MAX_EVENTS];
	struct model_cursor cursor;
	struct model_call call;

	for (uint32_t i = 0; i < model->n_functions; i++)
		for (uint32_t part = 0; part < model_cost_parts(model); part++) {
			model_self(model, i, part, costs);
			calls->self[i] += (double)metric_value(metric, costs, false);
			calls->whole[i] += (double)metric_value(metric, costs, false);
			model_calls(model, i, part, &cursor);
			while (model_next_call(&cursor, &call)) {
				const double cost = (double)metric_value(metric, call.costs, false);

				if (call.callee == i)
					continue;
				calls->whole[i] += cost;
				if (is_python[call.callee])
					continue;
				calls->all = heap_grow(calls->all, &calls->capacity, calls->n + 1,
						       sizeof(*calls->all));
				calls->all[calls->n++] = (struct c_call){ i, call.callee, cost };
			}
		}
}

/* One round; returns the largest change. */
static double improve(double *parts, const struct c_calls *calls, const bool *is_python, size_t n)
{
	double most = 0;
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		double cost = calls->self[i], part, change;

		for (; at < calls->n && calls->all[at].caller == i; at++)
			cost += calls->all[at].cost * parts[calls->all[at].callee];
		if (is_python[i] || calls->whole[i] <= 0)
			continue;
		part = cost / calls->whole[i];
		change = part > parts[i] ? part - parts[i] : parts[i] - part;
		most = change > most ? change : most;
		parts[i] = part;
	}
	return most;
}

uint64_t *pythonshare_compute(const struct model *model, const struct metric *metric)
{
	const size_t n = model->n_functions, n_events = model->n_events;
	uint64_t *result = heap_zeroed(n * n_events + 1, sizeof(*result));
	uint64_t costs[PROFILE_MAX_EVENTS];
	bool *is_python = heap_zeroed(n + 1, sizeof(*is_python));
	double *parts = heap_alloc((n + 1) * sizeof(*parts));
	struct c_calls calls = {
		.whole = heap_zeroed(n + 1, sizeof(double)),
		.self = heap_zeroed(n + 1, sizeof(double)),
	};
	struct model_cursor cursor;
	struct model_call call;

	for (uint32_t i = 0; i < n; i++) {
		is_python[i] = owncode_is_python(model, i);
		parts[i] = 1;
	}
	collect(&calls, model, metric, is_python);
	for (size_t i = 0; i < MOST_ROUNDS; i++)
		if (improve(parts, &calls, is_python, n) < least_change)
			break;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t part = 0; is_python[i] && part < model_cost_parts(model); part++) {
			uint64_t *to = &result[i * n_events];

			model_self(model, i, part, costs);
			for (size_t e = 0; e < n_events; e++)
				to[e] += costs[e];
			model_calls(model, i, part, &cursor);
			while (model_next_call(&cursor, &call))
				for (size_t e = 0; e < n_events && !is_python[call.callee]; e++)
					to[e] += (uint64_t)((double)call.costs[e] *
							    parts[call.callee]);
		}
	free(calls.all);
	free(calls.whole);
	free(calls.self);
	free(parts);
	free(is_python);
	return result;
}
