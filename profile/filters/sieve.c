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

	return visitor_part(sieve->filter.to, changed(sieve, part));
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct sieve *sieve = ctx;

	return visitor_part_end(sieve->filter.to, changed(sieve, part));
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct sieve *sieve = ctx;

	if (!sieve->keeps_zeros && is_zero(costs, n_costs))
		return PROFILE_OK;
	return visitor_cost(sieve->filter.to, at, costs, n_costs);
}

static int visit_call(void *ctx, const struct call *call)
{
	struct sieve *sieve = ctx;

	if (!sieve->keeps_zeros && call->count == 0 && is_zero(call->costs, call->n_costs))
		return PROFILE_OK;
	return visitor_call(sieve->filter.to, call);
}

static int visit_jump(void *ctx, const struct jump *jump)
{
	struct sieve *sieve = ctx;

	if (!sieve->keeps_zeros && jump->followed == 0 && jump->executed == 0)
		return PROFILE_OK;
	return visitor_jump(sieve->filter.to, jump);
}

void sieve_init(struct sieve *sieve, const struct visitor *to, bool keeps_zeros,
		const struct part *header)
{
	static const struct visitor changes = {
		.part = visit_part,
		.cost = visit_cost,
		.call = visit_call,
		.jump = visit_jump,
		.part_end = visit_part_end,
	};

	*sieve = (struct sieve){ .keeps_zeros = keeps_zeros, .header = header };
	visitor_filter_init(&sieve->filter, to, &changes);
}
