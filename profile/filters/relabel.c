/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/filters/relabel.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "profile/common/heap.h"

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

static bool is_event(const struct part *part, const char *name)
{
	for (size_t i = 0; i < part->n_events; i++)
		if (strcmp(event_name(part->events[i]), event_name(name)) == 0)
			return true;
	return false;
}

/*
 * Whether a name is of an event that was recorded, but is not written; or was to be computed
 * from one.
 */
static bool is_left_out(const struct relabel *relabel, const struct formula_term *term)
{
	const struct heading *heading = relabel->heading;

	for (size_t i = 0; i < heading->n_events; i++)
		if (strlen(heading->events[i]) == term->len &&
		    memcmp(heading->events[i], term->name, term->len) == 0)
			return !is_event(&relabel->part, heading->events[i]);
	for (size_t i = 0; i < relabel->n_lost; i++)
		if (strlen(relabel->lost[i]) == term->len &&
		    memcmp(relabel->lost[i], term->name, term->len) == 0)
			return true;
	return false;
}

static bool has_left_out(const struct relabel *relabel, const char *formula)
{
	struct formula_term term;
	bool first = true;

	for (; formula_next(&formula, first, &term) == 1; first = false)
		if (is_left_out(relabel, &term))
			return true;
	return false;
}

/*
 * Takes formulas away that would mean something else without the events that are left out; again
 * until there is none, since formulas may be of others.
 */
static void drop_formulas(struct relabel *relabel, struct part_event *definitions, size_t n)
{
	size_t before;

	do {
		before = relabel->n_lost;
		for (size_t i = 0; i < n; i++) {
			if (!definitions[i].formula ||
			    !has_left_out(relabel, definitions[i].formula))
				continue;
			definitions[i].formula = NULL;
			relabel->lost[relabel->n_lost++] = definitions[i].name;
		}
	} while (relabel->n_lost > before);
}

/* What is said of events, from n definitions; false if memory ran out. */
static bool make_definitions(struct relabel *relabel, const struct part_event *from, size_t n)
{
	const struct env *env = relabel->heading->arena.env;
	size_t kept = 0;

	relabel->definitions = heap_zeroed(env, n, sizeof(*relabel->definitions));
	relabel->lost = heap_zeroed(env, n, sizeof(*relabel->lost));
	if (!relabel->definitions || !relabel->lost)
		return false;
	if (n > 0)
		memcpy(relabel->definitions, from, n * sizeof(*from));
	drop_formulas(relabel, relabel->definitions, n);
	/* Long names of events that are not there would be of no event. */
	for (size_t i = 0; i < n; i++)
		if (relabel->definitions[i].formula ||
		    is_event(&relabel->part, relabel->definitions[i].name))
			relabel->definitions[kept++] = relabel->definitions[i];
	relabel->part.definitions = relabel->definitions;
	relabel->part.n_definitions = kept;
	return true;
}

static void make_events(struct relabel *relabel)
{
	for (size_t i = 0; i < relabel->n_columns; i++)
		relabel->events[i] = relabel->heading->events[relabel->columns[i]];
	relabel->part.events = relabel->events;
	relabel->part.n_events = relabel->n_columns;
}

/* The reported part's sums under this header. */
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
	relabel_release(relabel);
	if (relabel->selects)
		make_events(relabel);
	if (!make_descs(relabel) ||
	    !(relabel->selects ? make_definitions(relabel, relabel->heading->definitions,
						  relabel->heading->n_definitions)
			       : make_definitions(relabel, part->definitions, part->n_definitions)))
		return PROFILE_NO_MEMORY;
	make_sums(relabel, part);
	return visitor_part(relabel->filter.to, &relabel->part);
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct relabel *relabel = ctx;

	costs = select_costs(relabel, costs, &n_costs, relabel->costs);
	return visitor_cost(relabel->filter.to, at, costs, n_costs);
}

static int visit_call(void *ctx, const struct call *call)
{
	struct relabel *relabel = ctx;
	struct call told = *call;

	told.costs = select_costs(relabel, call->costs, &told.n_costs, relabel->costs);
	return visitor_call(relabel->filter.to, &told);
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct relabel *relabel = ctx;

	(void)part;
	return visitor_part_end(relabel->filter.to, &relabel->part);
}

void relabel_init(struct relabel *relabel, const struct visitor *to, const struct heading *heading)
{
	static const struct visitor changes = {
		.part = visit_part,
		.cost = visit_cost,
		.call = visit_call,
		.part_end = visit_part_end,
	};

	*relabel = (struct relabel){
		.heading = heading,
		.cmd = heading->cmd,
		.pid = heading->pid,
		.number = heading->number,
		.thread = heading->thread,
	};
	visitor_filter_init(&relabel->filter, to, &changes);
}

void relabel_release(struct relabel *relabel)
{
	const struct env *env = relabel->heading->arena.env;

	env->release(env->ctx, relabel->descs);
	env->release(env->ctx, relabel->definitions);
	env->release(env->ctx, relabel->lost);
	relabel->descs = NULL;
	relabel->definitions = NULL;
	relabel->lost = NULL;
	relabel->n_lost = 0;
}

void relabel_select(struct relabel *relabel, bool common)
{
	relabel->selects = true;
	relabel->n_columns = heading_order(relabel->heading, common, relabel->columns);
}
