/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/filters/sieve.h"

#include <stddef.h>
#include <stdint.h>

static const struct part *changed(struct sieve *sieve, const struct part *part)
{
	const struct part *header = sieve->header;

	if (!header)
		return part;
	sieve->part = *part;
	sieve->part.creator = header->creator;
	sieve->part.cmd = header->cmd;
	sieve->part.pid = header->pid;
	sieve->part.number = header->number;
	sieve->part.thread = header->thread;
	sieve->part.has_pid = header->has_pid;
	sieve->part.has_number = header->has_number;
	sieve->part.has_thread = header->has_thread;
	sieve->part.descs = header->descs;
	sieve->part.n_descs = header->n_descs;
	return &sieve->part;
}

static bool is_zero(const uint64_t *costs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (costs[i] != 0)
			return false;
	return true;
}

static int visit_part(void *ctx, const struct part *part)
{
	struct sieve *sieve = ctx;

	return sieve->to->part ? sieve->to->part(sieve->to->ctx, changed(sieve, part)) : 0;
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct sieve *sieve = ctx;

	return sieve->to->part_end ? sieve->to->part_end(sieve->to->ctx, changed(sieve, part)) : 0;
}

static int visit_place(void *ctx, const struct place *place)
{
	struct sieve *sieve = ctx;

	return sieve->to->place ? sieve->to->place(sieve->to->ctx, place) : 0;
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct sieve *sieve = ctx;

	if (!sieve->to->cost || (!sieve->keeps_zeros && is_zero(costs, n_costs)))
		return 0;
	return sieve->to->cost(sieve->to->ctx, at, costs, n_costs);
}

static int visit_call(void *ctx, const struct call *call)
{
	struct sieve *sieve = ctx;

	if (!sieve->to->call ||
	    (!sieve->keeps_zeros && call->count == 0 && is_zero(call->costs, call->n_costs)))
		return 0;
	return sieve->to->call(sieve->to->ctx, call);
}

static int visit_jump(void *ctx, const struct jump *jump)
{
	struct sieve *sieve = ctx;

	if (!sieve->to->jump || (!sieve->keeps_zeros && jump->followed == 0 && jump->executed == 0))
		return 0;
	return sieve->to->jump(sieve->to->ctx, jump);
}

static int visit_negative(void *ctx)
{
	struct sieve *sieve = ctx;

	return sieve->to->negative ? sieve->to->negative(sieve->to->ctx) : 0;
}

static int visit_comment(void *ctx, const char *text, size_t len)
{
	struct sieve *sieve = ctx;

	return sieve->to->comment ? sieve->to->comment(sieve->to->ctx, text, len) : 0;
}

void sieve_init(struct sieve *sieve, const struct visitor *to, bool keeps_zeros,
		const struct part *header)
{
	*sieve = (struct sieve){
		.visitor = { sieve, visit_part, visit_place, visit_cost, visit_call, visit_jump,
			     visit_part_end, visit_negative, visit_comment },
		.to = to,
		.keeps_zeros = keeps_zeros,
		.header = header,
	};
}
