/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Webgrind's versions 5, 6 and 7: the cost of each function, and by line its
 * callers and (from 6 on) its callees.
 */
#include "cmds/convert/webgrind.h"
#include "profile/common/cost.h"

/* Of the function at a place of the order; there may be none at all. */
static uint32_t function_at(const struct webgrind *webgrind, size_t i)
{
	return i < webgrind->graph.n ? webgrind->order[i] : MODEL_NO_FUNCTION;
}

static size_t n_from(const struct callgraph *graph, uint32_t function)
{
	if (function == MODEL_NO_FUNCTION)
		return 0;
	return graph->first_in[function + 1] - graph->first_in[function];
}

static size_t n_sub(const struct callgraph *graph, uint32_t function)
{
	return function == MODEL_NO_FUNCTION ? 0
					     : graph->first[function + 1] - graph->first[function];
}

static uint64_t record_size(const struct webgrind *webgrind, size_t i)
{
	uint32_t function = function_at(webgrind, i);
	uint64_t numbers = webgrind->version == 5 ? 4 : webgrind->version == 6 ? 5 : 6;
	uint64_t calls = n_from(&webgrind->graph, function);

	if (webgrind->version > 5)
		calls += n_sub(&webgrind->graph, function);
	return 4 * numbers + WEBGRIND_CALL * calls + webgrind_names_size(webgrind, i);
}

/* How often it ran: what nobody calls has been called by somebody once. */
static uint64_t invocations(const struct callgraph *graph, uint32_t function)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n_from(graph, function); i++) {
		const struct callgraph_arc *arc =
			&graph->arcs[graph->incoming[graph->first_in[function] + i]];

		if (!cost_add(&sum, arc->count, false))
			return UINT64_MAX;
	}
	return sum > 0 ? sum : 1;
}

static void put_call(struct webgrind *webgrind, uint32_t other, const struct callgraph_arc *arc)
{
	webgrind_put(webgrind, webgrind->rank[other]);
	webgrind_put_count(webgrind, arc->line);
	webgrind_put_count(webgrind, arc->count);
	webgrind_put_cost(webgrind, arc->cost);
}

static void put_record(struct webgrind *webgrind, size_t place)
{
	const struct callgraph *graph = &webgrind->graph;
	uint32_t function = function_at(webgrind, place);
	bool is_there = function != MODEL_NO_FUNCTION;

	if (webgrind->version == 7)
		webgrind_put_count(webgrind, is_there ? callgraph_line(graph, function) : 0);
	webgrind_put_cost(webgrind, is_there ? callgraph_self(graph, function) : 0);
	webgrind_put_cost(webgrind, is_there ? callgraph_inclusive(graph, function) : 0);
	webgrind_put_count(webgrind, invocations(graph, function));
	webgrind_put(webgrind, n_from(graph, function));
	if (webgrind->version > 5)
		webgrind_put(webgrind, n_sub(graph, function));
	for (size_t i = 0; i < n_from(graph, function); i++) {
		const struct callgraph_arc *arc =
			&graph->arcs[graph->incoming[graph->first_in[function] + i]];

		put_call(webgrind, arc->caller, arc);
	}
	for (size_t i = 0; i < n_sub(graph, function) && webgrind->version > 5; i++) {
		const struct callgraph_arc *arc = &graph->arcs[graph->first[function] + i];

		put_call(webgrind, arc->callee, arc);
	}
	webgrind_put_names(webgrind, place);
}

static int write_version(struct conversion *conversion, unsigned version)
{
	struct webgrind webgrind;
	int status = webgrind_init(&webgrind, conversion, version);

	if (!status) {
		webgrind.size = record_size;
		webgrind.put_record = put_record;
		webgrind.n_records += webgrind.graph.n_arcs * (version > 5 ? 2 : 1);
		status = webgrind_write(&webgrind);
	}
	webgrind_release(&webgrind);
	return status;
}

int to_webgrind5(struct conversion *conversion)
{
	return write_version(conversion, 5);
}

int to_webgrind6(struct conversion *conversion)
{
	return write_version(conversion, 6);
}

int to_webgrind7(struct conversion *conversion)
{
	return write_version(conversion, 7);
}

/* The newest. */
int to_webgrind(struct conversion *conversion)
{
	return to_webgrind7(conversion);
}
