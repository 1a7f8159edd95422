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
	return view->to->part ? view->to->part(view->to->ctx, &view->part) : PROFILE_OK;
}

static int visit_place(void *ctx, const struct place *place)
{
	const struct visitor *to = ((struct lineview *)ctx)->to;

	return to->place ? to->place(to->ctx, place) : PROFILE_OK;
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	const struct visitor *to = ((struct lineview *)ctx)->to;
	const struct position line = line_of(at);

	return to->cost ? to->cost(to->ctx, &line, costs, n_costs) : PROFILE_OK;
}

static int visit_call(void *ctx, const struct call *call)
{
	const struct visitor *to = ((struct lineview *)ctx)->to;
	struct call view = *call;

	view.target = line_of(&call->target);
	view.at = line_of(&call->at);
	return to->call ? to->call(to->ctx, &view) : PROFILE_OK;
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct lineview *view = ctx;

	view->part = *part;
	view->part.positions = POSITION_LINE;
	return view->to->part_end ? view->to->part_end(view->to->ctx, &view->part) : PROFILE_OK;
}

static int visit_negative(void *ctx)
{
	const struct visitor *to = ((struct lineview *)ctx)->to;

	return to->negative ? to->negative(to->ctx) : PROFILE_OK;
}

void lineview_init(struct lineview *view, const struct visitor *to)
{
	*view = (struct lineview){
		.visitor = { view, visit_part, visit_place, visit_cost, visit_call, NULL,
			     visit_part_end, visit_negative, NULL },
		.to = to,
	};
}
