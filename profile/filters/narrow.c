/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/filters/narrow.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/event_names.h"

/* -- one event ----------------------------------------------------------------- */

static bool is_same(const char *a, const char *b)
{
	return strcmp(event_name(a), event_name(b)) == 0;
}

/* Makes the part as it is forwarded. */
static const struct part *view_part(struct eventview *view, const struct part *part)
{
	view->part = *part;
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
	return visitor_part(view->filter.to, view_part(view, part));
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

	return visitor_part_end(view->filter.to, view_part(view, part));
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
	free(view->event);
	view->event = NULL;
}

/* -- lines --------------------------------------------------------------------- */

static struct position line_of(const struct position *at)
{
	return (struct position){ .instr = 0, .line = at->line };
}

static int line_part(void *ctx, const struct part *part)
{
	struct lineview *view = ctx;

	view->part = *part;
	view->part.positions = POSITION_LINE;
	return visitor_part(view->filter.to, &view->part);
}

static int line_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct lineview *view = ctx;
	const struct position line = line_of(at);

	return visitor_cost(view->filter.to, &line, costs, n_costs);
}

static int line_call(void *ctx, const struct call *call)
{
	struct lineview *view = ctx;
	struct call flat = *call;

	flat.target = line_of(&call->target);
	flat.at = line_of(&call->at);
	return visitor_call(view->filter.to, &flat);
}

static int line_part_end(void *ctx, const struct part *part)
{
	struct lineview *view = ctx;

	view->part = *part;
	view->part.positions = POSITION_LINE;
	return visitor_part_end(view->filter.to, &view->part);
}

void lineview_init(struct lineview *view, const struct visitor *to)
{
	static const struct visitor changes = {
		.part = line_part,
		.cost = line_cost,
		.call = line_call,
		.part_end = line_part_end,
	};

	visitor_filter_init(&view->filter, to, &changes);
	view->filter.visitor.jump = NULL;
}
