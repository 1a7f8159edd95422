/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/filters/event_remap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "profile/common/heap.h"

/* The columns that are wanted, of n. */
static const uint64_t *select_costs(struct event_remap *remap, const uint64_t *costs, size_t *n,
				    uint64_t *selected)
{
	if (!remap->selects)
		return costs;
	if (remap->selects_first && remap->n_columns <= *n) {
		*n = remap->n_columns;
		return costs;
	}
	for (size_t i = 0; i < remap->n_columns; i++)
		selected[i] = remap->columns[i] < *n ? costs[remap->columns[i]] : 0;
	*n = remap->n_columns;
	return selected;
}

enum { OWN_DESCS = 5 + RUN_FACTS_LINES }; /* besides the header's */

/* A line of what the sum has of ranks; the text is in remap->rank_lists from *at on. */
static void add_ranks(struct event_remap *remap, const char *type, size_t *at, size_t *n)
{
	const char *list = remap->rank_lists.text + *at;

	if (*list)
		remap->descs[(*n)++] = (struct part_desc){ type, list };
	*at += strlen(list) + 1;
}

/* Lines of ranks after n others. */
static void make_ranks(struct event_remap *remap, size_t *n)
{
	const struct merged_header *header = remap->header;
	struct bytes *lists = &remap->rank_lists;
	size_t at = 0;

	rank_set_print(&header->ranks, lists);
	bytes_add_char(lists, '\0');
	rank_set_print(&header->expected, lists);
	bytes_add_char(lists, '\0');
	add_ranks(remap, RANK_DESC, &at, n);
	add_ranks(remap, RANK_EXPECTED_DESC, &at, n);
}

static void make_descs(struct event_remap *remap)
{
	const struct merged_header *header = remap->header;
	size_t n = header->n_descs;
	bool failed = false;

	remap->descs = heap_array(n + OWN_DESCS, sizeof(*remap->descs));
	if (n > 0)
		memcpy(remap->descs, header->descs, n * sizeof(*remap->descs));
	n += run_facts_print(&header->facts, &remap->descs[n], &remap->facts, &failed);
	make_ranks(remap, &n);
	if (merged_header_count(header) > 1) {
		snprintf(remap->merged, sizeof(remap->merged), "%" PRIu64,
			 merged_header_count(header));
		remap->descs[n++] = (struct part_desc){ MERGED_HEADER_DESC, remap->merged };
	}
	if (remap->input)
		remap->descs[n++] = (struct part_desc){ EVENT_REMAP_INPUT, remap->input };
	if (remap->cmd_as_desc && remap->cmd)
		remap->descs[n++] = (struct part_desc){ EVENT_REMAP_COMMAND, remap->cmd };
	remap->part.descs = remap->descs;
	remap->part.n_descs = n;
}

/* What is said of events, from n definitions. */
static void make_definitions(struct event_remap *remap, const struct part_event *from, size_t n)
{
	const struct merged_header *header = remap->header;
	bool stays[PROFILE_MAX_EVENTS];
	const struct definitions_columns columns = {
		.before = header->events,
		.stays = stays,
		.n_before = header->n_events,
		.after = remap->part.events,
		.n_after = remap->part.n_events,
	};

	for (size_t i = 0; i < header->n_events; i++)
		/* cppcheck-suppress unreadVariable ; through columns */
		stays[i] = event_index(remap->part.events, remap->part.n_events,
				       header->events[i]) < remap->part.n_events;
	definitions_keep(&remap->definitions, header->arena.env, from, n, &columns);
	remap->part.definitions = remap->definitions.all;
	remap->part.n_definitions = remap->definitions.n;
}

static void make_events(struct event_remap *remap)
{
	for (size_t i = 0; i < remap->n_columns; i++)
		remap->events[i] = remap->header->events[remap->columns[i]];
	remap->part.events = remap->events;
	remap->part.n_events = remap->n_columns;
}

/* The reported part's sums under this header. */
static void make_sums(struct event_remap *remap, const struct part *changed)
{
	size_t n = changed->n_events;

	remap->part.totals = select_costs(remap, changed->totals, &n, remap->changed_totals);
	remap->part.n_totals = n;
	n = changed->n_events;
	remap->part.summary = remap->summary
				      ? select_costs(remap, remap->summary, &n, remap->told_summary)
				      : remap->part.totals;
	remap->part.n_summary = remap->part.n_totals;
}

static int visit_part(void *ctx, const struct part *part)
{
	struct event_remap *remap = ctx;

	remap->part = *part;
	remap->part.creator = "costgrind-" COSTGRIND_VERSION;
	remap->part.cmd = remap->cmd_as_desc ? NULL : remap->cmd;
	remap->part.has_pid = remap->pid.has;
	remap->part.pid = remap->pid.value;
	remap->part.has_number = remap->number.has;
	remap->part.number = remap->number.value;
	remap->part.has_thread = remap->thread.has;
	remap->part.thread = remap->thread.value;
	if (remap->only_lines)
		remap->part.positions = POSITION_LINE;
	event_remap_release(remap);
	if (remap->selects)
		make_events(remap);
	make_descs(remap);
	if (remap->selects)
		make_definitions(remap, remap->header->definitions, remap->header->n_definitions);
	else
		make_definitions(remap, part->definitions, part->n_definitions);
	make_sums(remap, part);
	return visitor_part(remap->filter.to, &remap->part);
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct event_remap *remap = ctx;

	costs = select_costs(remap, costs, &n_costs, remap->costs);
	return visitor_cost(remap->filter.to, at, costs, n_costs);
}

static int visit_call(void *ctx, const struct call *call)
{
	struct event_remap *remap = ctx;
	struct call changed = *call;

	changed.costs = select_costs(remap, call->costs, &changed.n_costs, remap->costs);
	return visitor_call(remap->filter.to, &changed);
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct event_remap *remap = ctx;

	(void)part;
	return visitor_part_end(remap->filter.to, &remap->part);
}

void event_remap_init(struct event_remap *remap, const struct visitor *to,
		      const struct merged_header *header)
{
	static const struct visitor changes = {
		.part = visit_part,
		.cost = visit_cost,
		.call = visit_call,
		.part_end = visit_part_end,
	};

	*remap = (struct event_remap){
		.header = header,
		.cmd = header->cmd,
		.pid = header->pid,
		.number = header->number,
		.thread = header->thread,
	};
	bytes_init(&remap->rank_lists, header->arena.env);
	arena_init(&remap->facts, header->arena.env);
	visitor_filter_init(&remap->filter, to, &changes);
}

void event_remap_release(struct event_remap *remap)
{
	const struct env *env = remap->header->arena.env;

	free(remap->descs);
	bytes_release(&remap->rank_lists);
	arena_release(&remap->facts);
	definitions_release(&remap->definitions, env);
	remap->descs = NULL;
}

void event_remap_select(struct event_remap *remap, bool common)
{
	remap->selects = remap->selects_first = true;
	remap->n_columns = merged_header_order(remap->header, common, remap->columns);
	for (size_t i = 0; i < remap->n_columns; i++)
		remap->selects_first &= remap->columns[i] == i;
}
