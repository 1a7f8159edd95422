/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/visitor.h"

static const struct visitor *next(void *ctx)
{
	return ((const struct visitor_filter *)ctx)->to;
}

static int forward_part(void *ctx, const struct part *part)
{
	return visitor_part(next(ctx), part);
}

static int forward_place(void *ctx, const struct place *place)
{
	return visitor_place(next(ctx), place);
}

static int forward_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	return visitor_cost(next(ctx), at, costs, n_costs);
}

static int forward_call(void *ctx, const struct call *call)
{
	return visitor_call(next(ctx), call);
}

static int forward_jump(void *ctx, const struct jump *jump)
{
	return visitor_jump(next(ctx), jump);
}

static int forward_part_end(void *ctx, const struct part *part)
{
	return visitor_part_end(next(ctx), part);
}

static int forward_negative(void *ctx)
{
	return visitor_negative(next(ctx));
}

void visitor_filter_init(struct visitor_filter *filter, const struct visitor *to,
			 const struct visitor *changes)
{
	filter->to = to;
	filter->visitor = (struct visitor){
		.ctx = filter,
		.part = changes->part ? changes->part : forward_part,
		.place = changes->place ? changes->place : forward_place,
		.cost = changes->cost ? changes->cost : forward_cost,
		.call = changes->call ? changes->call : forward_call,
		.jump = changes->jump ? changes->jump : forward_jump,
		.part_end = changes->part_end ? changes->part_end : forward_part_end,
		.negative = changes->negative ? changes->negative : forward_negative,
	};
}
