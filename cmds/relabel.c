/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/relabel.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "profile/heap.h"

/* The columns that are wanted, of n. */
static const uint64_t *select_costs(struct relabel *relabel, const uint64_t *costs, size_t *n,
				    uint64_t *selected)
{
	if (!relabel->selects)
		return costs;
	for (size_t i = 0; i < relabel->n_columns; i++)
		selected[i] = relabel->columns[i] < *n ? costs[relabel->columns[i]] : 0;
	*n = relabel->n_columns;
	return selected;
}

enum { OWN_DESCS = 3 }; /* besides the heading's */

/* False if memory ran out. */
static bool make_descs(struct relabel *relabel)
{
	const struct heading *heading = relabel->heading;
	size_t n = heading->n_descs;

	relabel_release(relabel);
	relabel->descs = heap_zeroed(heading->arena.env, n + OWN_DESCS, sizeof(*relabel->descs));
	if (!relabel->descs)
		return false;
	if (n > 0)
		memcpy(relabel->descs, heading->descs, n * sizeof(*relabel->descs));
	if (heading_count(heading) > 1 && !heading->keeps_first) {
		snprintf(relabel->merged, sizeof(relabel->merged), "%" PRIu64,
			 heading_count(heading));
		relabel->descs[n++] = (struct part_desc){ HEADING_MERGED, relabel->merged };
	}
	if (relabel->input)
		relabel->descs[n++] = (struct part_desc){ RELABEL_INPUT, relabel->input };
	if (relabel->cmd_as_desc && relabel->cmd)
		relabel->descs[n++] = (struct part_desc){ RELABEL_COMMAND, relabel->cmd };
	relabel->part.descs = relabel->descs;
	relabel->part.n_descs = n;
	return true;
}

static bool is_written(const struct relabel *relabel, const char *event)
{
	for (size_t i = 0; i < relabel->n_columns; i++)
		if (strcmp(relabel->events[i], event) == 0)
			return true;
	return false;
}

/* Long names of events that are left out would be of no event. */
static void make_definitions(struct relabel *relabel)
{
	const struct heading *heading = relabel->heading;
	size_t n = 0;

	for (size_t i = 0; i < heading->n_definitions && n < PROFILE_MAX_EVENTS; i++)
		if (heading->definitions[i].formula ||
		    is_written(relabel, heading->definitions[i].name))
			relabel->definitions[n++] = heading->definitions[i];
	relabel->part.definitions = relabel->definitions;
	relabel->part.n_definitions = n;
}

static void make_events(struct relabel *relabel)
{
	for (size_t i = 0; i < relabel->n_columns; i++)
		relabel->events[i] = relabel->heading->events[relabel->columns[i]];
	relabel->part.events = relabel->events;
	relabel->part.n_events = relabel->n_columns;
	make_definitions(relabel);
}

/* The told part's sums under this header. */
static void make_sums(struct relabel *relabel, const struct part *told)
{
	size_t n = told->n_events;

	relabel->part.totals = select_costs(relabel, told->totals, &n, relabel->told_totals);
	relabel->part.n_totals = n;
	n = told->n_events;
	relabel->part.summary = relabel->summary ? select_costs(relabel, relabel->summary, &n,
								relabel->told_summary)
						 : relabel->part.totals;
	relabel->part.n_summary = relabel->part.n_totals;
}

static int visit_part(void *ctx, const struct part *part)
{
	struct relabel *relabel = ctx;

	relabel->part = *part;
	relabel->part.creator = "costgrind-" COSTGRIND_VERSION;
	relabel->part.cmd = relabel->cmd_as_desc ? NULL : relabel->cmd;
	relabel->part.has_pid = relabel->pid.has;
	relabel->part.pid = relabel->pid.value;
	relabel->part.has_number = relabel->number.has;
	relabel->part.number = relabel->number.value;
	relabel->part.has_thread = relabel->thread.has;
	relabel->part.thread = relabel->thread.value;
	if (relabel->only_lines)
		relabel->part.positions = POSITION_LINE;
	if (!make_descs(relabel))
		return PROFILE_NO_MEMORY;
	if (relabel->selects)
		make_events(relabel);
	make_sums(relabel, part);
	return relabel->to->part(relabel->to->ctx, &relabel->part);
}

static int visit_place(void *ctx, const struct place *place)
{
	const struct visitor *to = ((struct relabel *)ctx)->to;

	return to->place(to->ctx, place);
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct relabel *relabel = ctx;

	costs = select_costs(relabel, costs, &n_costs, relabel->costs);
	return relabel->to->cost(relabel->to->ctx, at, costs, n_costs);
}

static int visit_call(void *ctx, const struct call *call)
{
	struct relabel *relabel = ctx;
	struct call told = *call;

	if (!relabel->to->call)
		return PROFILE_OK;
	told.costs = select_costs(relabel, call->costs, &told.n_costs, relabel->costs);
	return relabel->to->call(relabel->to->ctx, &told);
}

static int visit_jump(void *ctx, const struct jump *jump)
{
	const struct visitor *to = ((struct relabel *)ctx)->to;

	return to->jump ? to->jump(to->ctx, jump) : PROFILE_OK;
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct relabel *relabel = ctx;

	(void)part;
	return relabel->to->part_end(relabel->to->ctx, &relabel->part);
}

static int visit_negative(void *ctx)
{
	const struct visitor *to = ((struct relabel *)ctx)->to;

	return to->negative ? to->negative(to->ctx) : PROFILE_OK;
}

void relabel_init(struct relabel *relabel, const struct visitor *to, const struct heading *heading)
{
	*relabel = (struct relabel){
		.visitor = { relabel, visit_part, visit_place, visit_cost, visit_call, visit_jump,
			     visit_part_end, visit_negative, NULL },
		.to = to,
		.heading = heading,
		.cmd = heading->cmd,
		.pid = heading->pid,
		.number = heading->number,
		.thread = heading->thread,
	};
}

void relabel_release(struct relabel *relabel)
{
	const struct env *env = relabel->heading->arena.env;

	env->release(env->ctx, relabel->descs);
	relabel->descs = NULL;
}

void relabel_select(struct relabel *relabel, bool common)
{
	relabel->selects = true;
	relabel->n_columns = heading_order(relabel->heading, common, relabel->columns);
}
