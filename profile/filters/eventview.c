/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/filters/eventview.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "profile/common/heap.h"

/* -- derived events -------------------------------------------------------------------- */

/* Finds how the event is derived from the part's columns, if it is. */
static void find_derived(struct eventview *view, const struct part *part)
{
	struct model_derived *derived = arena_alloc(
		&view->arena, (part->n_definitions + 1) * sizeof(*derived), sizeof(void *));
	struct metric_source source = { .derived = derived };
	struct metrics metrics;
	size_t number;

	for (size_t i = 0; i < part->n_definitions; i++) {
		const struct part_event *from = &part->definitions[i];

		if (from->formula)
			derived[source.n_derived++] = (struct model_derived){ from->name,
									      from->formula,
									      from->long_name };
	}
	metrics_init_names(&metrics, part->events, part->n_events, &source, &view->arena);
	number = metrics_find(&metrics, view->event, strlen(view->event));
	if (number < metrics.n)
		/* cppcheck-suppress autoVariables ; all lies in the arena */
		view->derived = &metrics.all[number];
}

/* The derived event of n counts, of which the rest is 0. */
static int derive(struct eventview *view, const uint64_t *counts, size_t n, uint64_t *value)
{
	const struct metric *metric = view->derived;
	int128 sum = 0;
	int status;

	for (size_t i = 0; i < metric->n_terms; i++)
		if (metric->terms[i].event < n)
			sum += int128_of(counts[metric->terms[i].event], view->is_signed) *
			       metric->terms[i].factor;
	status = sum < 0 ? visitor_negative_once(view->filter.to, &view->told_negative)
			 : PROFILE_OK;
	if (status)
		return status;
	if (view->told_negative ? sum < INT64_MIN || sum > INT64_MAX : sum > (int128)UINT64_MAX)
		return PROFILE_RANGE;
	*value = (uint64_t)sum;
	return PROFILE_OK;
}

/* -- the part ------------------------------------------------------------------------------ */

/* What is said of the event, and formulas of it. */
static void view_definitions(struct eventview *view, const struct part *part)
{
	struct part_event *from = heap_array(part->n_definitions + 1, sizeof(*from));
	size_t n = part->n_definitions;
	bool stays[PROFILE_MAX_EVENTS];
	const struct definitions_columns columns = { .before = part->events,
						     .stays = stays,
						     .n_before = part->n_events,
						     .after = &view->name,
						     .n_after = 1 };

	for (size_t i = 0; i < part->n_events; i++)
		/* cppcheck-suppress unreadVariable ; through columns */
		stays[i] = i == view->column;
	if (n > 0)
		memcpy(from, part->definitions, n * sizeof(*from));
	if (view->derived && view->derived->long_name)
		from[n++] = (struct part_event){ view->name, NULL, view->derived->long_name };
	definitions_release(&view->definitions, &heap_env);
	definitions_keep(&view->definitions, &heap_env, from, n, &columns);
	free(from);
	view->part.definitions = view->definitions.all;
	view->part.n_definitions = view->definitions.n;
	if (view->n_lost < view->definitions.n_lost)
		view->n_lost = view->definitions.n_lost;
}

/* A sum of the part, of n counts. */
static int view_sum(struct eventview *view, const uint64_t *counts, size_t n, uint64_t *sum)
{
	*sum = 0;
	if (view->derived)
		return derive(view, counts, n, sum);
	if (view->column < n)
		*sum = counts[view->column];
	return PROFILE_OK;
}

/* Makes the part as it is forwarded. */
static int view_part(struct eventview *view, const struct part *part)
{
	bool is_there = view->derived || view->column < part->n_events;
	int status;

	view->part = *part;
	view->part.events = &view->name;
	view->part.n_events = 1;
	view->part.n_summary = is_there && part->n_summary > 0;
	view->part.n_totals = is_there && part->n_totals > 0;
	view->part.summary = &view->summary;
	view->part.totals = &view->totals;
	status = view_sum(view, part->summary, part->n_summary, &view->summary);
	if (!status)
		status = view_sum(view, part->totals, part->n_totals, &view->totals);
	view->part.is_signed = view->told_negative;
	view_definitions(view, part);
	return status;
}

/* Finds the event in the part. */
static void find_event(struct eventview *view, const struct part *part)
{
	view->derived = NULL;
	arena_release(&view->arena);
	view->column = event_index(part->events, part->n_events, view->event);
	view->name = view->event;
	if (view->column < part->n_events)
		view->name = part->events[view->column];
	else
		find_derived(view, part);
	view->found |= view->derived || view->column < part->n_events;
}

static int event_part(void *ctx, const struct part *part)
{
	struct eventview *view = ctx;
	int status;

	if (!view->event)
		view->event = view->first = heap_copy(part->events[0]);
	find_event(view, part);
	status = view_part(view, part);
	return status ? status : visitor_part(view->filter.to, &view->part);
}

/* -- costs ---------------------------------------------------------------------------------- */

/* The cost of the event; what is below 0 is announced. */
static int take(struct eventview *view, const uint64_t *costs, size_t n_costs, uint64_t *cost)
{
	if (view->derived)
		return derive(view, costs, n_costs, cost);
	*cost = view->column < n_costs ? costs[view->column] : 0;
	return view->is_signed && *cost >> 63
		       ? visitor_negative_once(view->filter.to, &view->told_negative)
		       : PROFILE_OK;
}

static int event_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct eventview *view = ctx;
	uint64_t cost;
	int status = take(view, costs, n_costs, &cost);

	return status ? status : visitor_cost(view->filter.to, at, &cost, 1);
}

static int event_call(void *ctx, const struct call *call)
{
	struct eventview *view = ctx;
	struct call changed = *call;
	uint64_t cost;
	int status = take(view, call->costs, call->n_costs, &cost);

	changed.costs = &cost;
	changed.n_costs = 1;
	return status ? status : visitor_call(view->filter.to, &changed);
}

static int event_part_end(void *ctx, const struct part *part)
{
	struct eventview *view = ctx;
	int status = view_part(view, part);

	return status ? status : visitor_part_end(view->filter.to, &view->part);
}

static int event_negative(void *ctx)
{
	((struct eventview *)ctx)->is_signed = true;
	return PROFILE_OK;
}

void eventview_init(struct eventview *view, const struct visitor *to, const char *event)
{
	static const struct visitor changes = {
		.part = event_part,
		.cost = event_cost,
		.call = event_call,
		.part_end = event_part_end,
		.negative = event_negative,
	};

	*view = (struct eventview){ .event = event };
	arena_init(&view->arena, &heap_env);
	visitor_filter_init(&view->filter, to, &changes);
}

void eventview_release(struct eventview *view)
{
	definitions_release(&view->definitions, &heap_env);
	arena_release(&view->arena);
	free(view->first);
	view->first = NULL;
}
