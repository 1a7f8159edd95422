/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/filters/lineview.h"

static struct position line_of(const struct position *at)
{
	return (struct position){ .instr = 0, .line = at->line };
}

static int visit_part(void *ctx, const struct part *part)
{
	struct lineview *view = ctx;

	view->part = *part;
	view->part.positions = POSITION_LINE;
	return visitor_part(view->filter.to, &view->part);
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct lineview *view = ctx;
	const struct position line = line_of(at);

	return visitor_cost(view->filter.to, &line, costs, n_costs);
}

static int visit_call(void *ctx, const struct call *call)
{
	struct lineview *view = ctx;
	struct call flat = *call;

	flat.target = line_of(&call->target);
	flat.at = line_of(&call->at);
	return visitor_call(view->filter.to, &flat);
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct lineview *view = ctx;

	view->part = *part;
	view->part.positions = POSITION_LINE;
	return visitor_part_end(view->filter.to, &view->part);
}

void lineview_init(struct lineview *view, const struct visitor *to)
{
	static const struct visitor changes = {
		.part = visit_part,
		.cost = visit_cost,
		.call = visit_call,
		.part_end = visit_part_end,
	};

	visitor_filter_init(&view->filter, to, &changes);
	view->filter.visitor.jump = NULL;
}
