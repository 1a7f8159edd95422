/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles in Cachegrind's format, as its manual defines it (5.10), with events in its order.  A blank after the last event
 * of the caches is Cachegrind's, too.
 */
#include "tool/output/state.h"

#include "pub_tool_clientstate.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_xarray.h"

#include "tool/common/numbers.h"
#include "tool/common/self.h"
#include "tool/counts/state.h"
#include "tool/output/graph.h"
#include "tool/simulate/state.h"
#include "writer/out.h"

/* Cachegrind's events; others follow in the order of the table. */
static const enum event first_events[] = {
	EVENT_IR,   EVENT_I1MR, EVENT_ILMR, EVENT_DR,  EVENT_D1MR, EVENT_DLMR, EVENT_DW,
	EVENT_D1MW, EVENT_DLMW, EVENT_BC,   EVENT_BCM, EVENT_BI,   EVENT_BIM,
};

enum {
	N_FIRST = sizeof(first_events) / sizeof(first_events[0]),
};

/* The recorded events in the order of the file. */
static void order_events(const struct event_set *recorded, struct event_set *ordered)
{
	struct event_mask wanted = { { 0 } };

	ordered->n = 0;
	for (UInt i = 0; i < recorded->n; i++)
		event_mask_add(&wanted, recorded->events[i]);
	for (UInt i = 0; i < N_FIRST; i++) {
		if (!event_mask_has(&wanted, first_events[i]))
			continue;
		ordered->events[ordered->n++] = first_events[i];
		event_mask_remove(&wanted, first_events[i]);
	}
	for (UInt i = 0; i < recorded->n; i++)
		if (event_mask_has(&wanted, recorded->events[i]))
			ordered->events[ordered->n++] = recorded->events[i];
}

static Int compare(const void *a, const void *b)
{
	const struct source_location left = site_place(((const struct cost *)a)->site);
	const struct source_location right = site_place(((const struct cost *)b)->site);
	Int order = VG_(strcmp)(left.file->chars, right.file->chars);

	if (order == 0)
		order = VG_(strcmp)(left.function->name->chars, right.function->name->chars);
	return order != 0 ? order : by_number(left.line, right.line);
}

static Bool same_text(const struct text *a, const struct text *b)
{
	return a == b || VG_(strcmp)(a->chars, b->chars) == 0;
}

/* A desc_taker. */
static void put_desc(void *ctx, const HChar *type, const HChar *text)
{
	struct out *out = ctx;

	out_text(out, "desc: ");
	out_text(out, type);
	out_text(out, ": ");
	out_text(out, text);
	out_char(out, '\n');
}

/* Lines that Cachegrind does not write, which distinguish runs as in the other format. */
static void put_machine(struct out *out, ULong collected)
{
	HChar *options = fingerprint_options();

	if (machinedescs_name() != NULL)
		put_desc(out, "Machine", machinedescs_name());
	machinedescs_units(put_desc, out);
	outcome_tell(0, collected, True, put_desc, out);
	if (options == NULL)
		return;
	put_desc(out, "Options", options);
	VG_(free)(options);
}

static void put_cache(struct out *out, const struct cache_config *cache)
{
	HChar text[MACHINEDESCS_CACHE];

	out_text(out, "desc: ");
	out_text(out, cache->name);
	out_text(out, " cache:         ");
	machinedescs_cache(text, cache);
	out_text(out, text);
	out_char(out, '\n');
}

static void put_header(struct out *out, const struct event_set *events, ULong collected)
{
	const struct simulate_options *options = &tool_simulate.options;

	if (options->cache_sim || dropin_describes_caches()) {
		put_cache(out, &tool_simulate.caches.i1);
		put_cache(out, &tool_simulate.caches.d1);
		for (UInt i = 0; i < tool_simulate.caches.n_lower; i++)
			put_cache(out, &tool_simulate.caches.lower[i]);
	}
	if (dropin_name() == DROPIN_NONE)
		put_machine(out, collected);
	out_text(out, "cmd: ");
	out_text(out, VG_(args_the_exename));
	for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_client)); i++) {
		out_char(out, ' ');
		out_text(out, *(HChar **)VG_(indexXA)(VG_(args_for_client), i));
	}
	out_text(out, "\nevents:");
	for (UInt i = 0; i < events->n; i++) {
		out_char(out, ' ');
		out_text(out, event_table[events->events[i]].name);
	}
	out_text(out, options->cache_sim && !options->branch_sim ? " \n" : "\n");
}

static void put_counts(struct out *out, const struct event_set *events, const ULong *counts)
{
	for (UInt i = 0; i < events->n; i++) {
		out_char(out, ' ');
		out_decimal(out, counts[events->events[i]]);
	}
	out_char(out, '\n');
}

/* Lines of costs; costs of the same place are added up. */
static void put_body(struct out *out, const struct event_set *events, const struct cost *costs,
		     UInt n)
{
	struct source_location last = { .file = NULL };

	for (UInt i = 0; i < n;) {
		const struct source_location place = site_place(costs[i].site);
		ULong counts[N_EVENTS] = { 0 };

		if (last.file == NULL || !same_text(last.file, place.file)) {
			out_text(out, "fl=");
			out_text(out, place.file->chars);
			out_char(out, '\n');
			last.file = NULL;
		}
		if (last.file == NULL || !same_text(last.function->name, place.function->name)) {
			out_text(out, "fn=");
			out_text(out, place.function->name->chars);
			out_char(out, '\n');
		}
		last = place;
		for (UInt first = i; i < n && compare(&costs[first], &costs[i]) == 0; i++)
			cell_sum(&tool_counts.sites, costs[i].cell, counts);
		out_decimal(out, place.line);
		put_counts(out, events, counts);
	}
}

Int flatfile_write(struct output_file *file, const struct graph *graph)
{
	const struct env env = output_env(file);
	SizeT size = graph->n_costs * sizeof(graph->costs[0]);
	struct cost *costs = VG_(malloc)("costgrind.costs", size + 1);
	struct event_set events;
	ULong totals[N_EVENTS];
	struct out out;
	Int error;

	VG_(memcpy)(costs, graph->costs, size);
	VG_(ssort)(costs, graph->n_costs, sizeof(costs[0]), compare);
	order_events(&tool_counts.events, &events);
	graph_totals(graph, totals);
	out_init(&out, &env);
	put_header(&out, &events, totals[EVENT_IR]);
	put_body(&out, &events, costs, graph->n_costs);
	out_text(&out, "summary:");
	put_counts(&out, &events, totals);
	error = out_flush(&out);
	out_release(&out);
	VG_(free)(costs);
	tl_assert(error >= 0); /* memory does not run out here */
	return error;
}
