/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/filters/eventview.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "profile/common/heap.h"

static bool is_same(const char *a, const char *b)
{
	return strcmp(event_name(a), event_name(b)) == 0;
}

/* What is said of the event, and formulas of it; false if memory ran out. */
static bool view_definitions(struct eventview *view, const struct part *part)
{
	bool stays[PROFILE_MAX_EVENTS];
	const struct definitions_columns columns = { .before = part->events,
						     .stays = stays,
						     .n_before = part->n_events,
						     .after = &view->name,
						     .n_after = 1 };

	for (size_t i = 0; i < part->n_events; i++)
		stays[i] = i == view->column;
	definitions_release(&view->definitions, &heap_env);
	if (!definitions_keep(&view->definitions, &heap_env, part->definitions, part->n_definitions,
			      &columns))
		return false;
	view->part.definitions = view->definitions.all;
	view->part.n_definitions = view->definitions.n;
	if (view->n_lost < view->definitions.n_lost)
		view->n_lost = view->definitions.n_lost;
	return true;
}

/* Makes the part as it is forwarded; NULL if memory ran out. */
static const struct part *view_part(struct eventview *view, const struct part *part)
{
	view->part = *part;
	if (!view_definitions(view, part))
		return NULL;
	view->part.events = &view->name;
	view->part.n_events = 1;
	view->part.is_signed = view->told_negative;
	if (view->column >= part->n_events)
		view->part.n_summary = view->part.n_totals = 0;
	view->summary = view->totals = 0;
	if (view->part.n_summary > 0 && view->column < part->n_summary)
		view->summary = part->summary[view->column];
	if (view->part.n_totals > 0 && view->column < part->n_totals)
		view->totals = part->totals[view->column];
	view->part.n_summary = view->part.n_summary > 0;
	view->part.n_totals = view->part.n_totals > 0;
	view->part.summary = &view->summary;
	view->part.totals = &view->totals;
	return &view->part;
}

static int event_part(void *ctx, const struct part *part)
{
	struct eventview *view = ctx;

	if (!view->event) {
		view->event = strdup(part->events[0]);
		if (!view->event)
			return PROFILE_NO_MEMORY;
	}
	view->column = 0;
	while (view->column < part->n_events && !is_same(part->events[view->column], view->event))
		view->column++;
	view->found |= view->column < part->n_events;
	view->name = view->column < part->n_events ? part->events[view->column] : view->event;
	part = view_part(view, part);
	return part ? visitor_part(view->filter.to, part) : PROFILE_NO_MEMORY;
}

/* The cost of the event; what is below 0 is announced. */
static int take(struct eventview *view, const uint64_t *costs, size_t n_costs, uint64_t *cost)
{
	*cost = view->column < n_costs ? costs[view->column] : 0;
	if (!view->is_signed || view->told_negative || !(*cost >> 63))
		return PROFILE_OK;
	view->told_negative = true;
	return visitor_negative(view->filter.to);
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

	part = view_part(view, part);
	return part ? visitor_part_end(view->filter.to, part) : PROFILE_NO_MEMORY;
}

static int event_negative(void *ctx)
{
	((struct eventview *)ctx)->is_signed = true;
	return PROFILE_OK;
}

bool eventview_init(struct eventview *view, const struct visitor *to, const char *event)
{
	static const struct visitor changes = {
		.part = event_part,
		.cost = event_cost,
		.call = event_call,
		.part_end = event_part_end,
		.negative = event_negative,
	};

	*view = (struct eventview){ .event = event ? strdup(event) : NULL };
	visitor_filter_init(&view->filter, to, &changes);
	return !event || view->event;
}

void eventview_release(struct eventview *view)
{
	definitions_release(&view->definitions, &heap_env);
	free(view->event);
	view->event = NULL;
}
