/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells and arcs are sorted in the same order, by context and place.  Those of
 * one place are added up to one line of cost and one of each callee; calls
 * come behind the costs of the place that makes them.  The order depends on
 * names and addresses only, so that the same run gives the same bytes.
 */
#include "tool/graph.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/client.h"
#include "tool/progress.h"
#include "tool/tool.h"
#include "writer/writer.h"

enum {
	LINES_A_LOOK = 1024, /* at the clock */
};

/* How far a graph is written. */
struct body {
	struct writer *writer;
	const struct tool *state;
	const struct graph *graph;
	UInt next_cost, next_arc;
	const struct context *context; /* being written, NULL at first */
	const struct text *file;       /* that positions are in */
};

void graph_make(struct graph *graph, struct tool *state)
{
	Bool by_address = state->options.dump_instr;

	client_settle();
	symbols_rank(&state->symbols);
	contexts_rank(&state->contexts);
	graph->costs = sites_sorted(&state->sites, by_address, &graph->n_costs);
	graph->arcs = arcs_sorted(&state->arcs, by_address, &graph->n_arcs);
}

void graph_free(struct graph *graph)
{
	if (graph->costs != NULL)
		VG_(free)(graph->costs);
	if (graph->arcs != NULL)
		VG_(free)(graph->arcs);
}

/* Contexts are ranked by threads first, so what is of one lies together. */
struct graph graph_of_thread(const struct graph *graph, UInt thread)
{
	struct graph part = { .costs = graph->costs, .arcs = graph->arcs };
	UInt first_cost = 0, first_arc = 0;

	while (first_cost < graph->n_costs &&
	       graph->costs[first_cost].cell->context->thread < thread)
		first_cost++;
	while (first_arc < graph->n_arcs && graph->arcs[first_arc]->ends.from->thread < thread)
		first_arc++;
	part.costs += first_cost;
	part.arcs += first_arc;
	while (first_cost + part.n_costs < graph->n_costs &&
	       part.costs[part.n_costs].cell->context->thread == thread)
		part.n_costs++;
	while (first_arc + part.n_arcs < graph->n_arcs &&
	       part.arcs[part.n_arcs]->ends.from->thread == thread)
		part.n_arcs++;
	return part;
}

void graph_totals(const struct graph *graph, ULong totals[N_EVENTS])
{
	VG_(memset)(totals, 0, N_EVENTS * sizeof(totals[0]));
	for (UInt i = 0; i < graph->n_costs; i++)
		cell_sum(graph->costs[i].cell, totals);
}

void graph_columns(const struct event_set *events, const ULong *counts, uint64_t columns[N_EVENTS])
{
	for (UInt i = 0; i < events->n; i++)
		columns[i] = counts[events->events[i]];
}

static struct name name_of(const struct text *text)
{
	return (struct name){ text->chars, text->len, text->id };
}

static struct name name_of_context(const struct context *context)
{
	return (struct name){ context->name, context->name_len, context->id };
}

/* ob= if it changes, fl= and fn= */
static void write_function(struct body *body, const struct context *context)
{
	const struct function *function = context->function;
	struct name object = name_of(function->object);
	struct name file = name_of(function->file);
	struct name name = name_of_context(context);

	writer_blank(body->writer);
	if (body->context == NULL || body->context->function->object != function->object)
		writer_position(body->writer, SPEC_OB, &object);
	writer_position(body->writer, SPEC_FL, &file);
	writer_position(body->writer, SPEC_FN, &name);
	body->context = context;
	body->file = function->file;
}

/* Has lines that follow belong to a place in a context. */
static void go_to(struct body *body, const struct context *context, const struct place *place)
{
	struct name file = name_of(place->file);

	if (body->context != context)
		write_function(body, context);
	if (place->file != body->file)
		writer_position(body->writer,
				place->file == context->function->file ? SPEC_FE : SPEC_FI, &file);
	body->file = place->file;
}

static struct position position_of(const struct place *place)
{
	return (struct position){ place->address, place->line };
}

/* Whether two places are written in one line. */
static Bool same_position(const struct options *options, const struct place *a,
			  const struct place *b)
{
	return a->file == b->file && (!options->dump_line || a->line == b->line) &&
	       (!options->dump_instr || a->address == b->address);
}

/* The costs at the place of the next cell. */
static void write_costs(struct body *body)
{
	const struct cost *first = &body->graph->costs[body->next_cost];
	const struct place *place = &first->site->place;
	const struct position position = position_of(place);
	ULong counts[N_EVENTS] = { 0 };
	uint64_t columns[N_EVENTS];

	for (; body->next_cost < body->graph->n_costs; body->next_cost++) {
		const struct cost *cost = &body->graph->costs[body->next_cost];

		if (cost->cell->context != first->cell->context ||
		    !same_position(&body->state->options, place, &cost->site->place))
			break;
		cell_sum(cost->cell, counts);
	}
	go_to(body, first->cell->context, place);
	graph_columns(&body->state->events, counts, columns);
	writer_cost(body->writer, &position, columns, body->state->events.n);
}

/* cob=, cfi= where a reader could take it for another one, and cfn= */
static void write_callee(struct body *body, const struct context *callee)
{
	const struct function *caller = body->context->function;
	struct name object = name_of(callee->function->object);
	struct name file = name_of(callee->function->file);
	struct name name = name_of_context(callee);

	if (callee->function->object != caller->object)
		writer_position(body->writer, SPEC_COB, &object);
	if (callee->function->file != body->file || callee->function->file != caller->file)
		writer_position(body->writer, SPEC_CFI, &file);
	writer_position(body->writer, SPEC_CFN, &name);
}

/* The calls of one callee at the place of the next arc. */
static void write_calls(struct body *body)
{
	const struct arc *first = body->graph->arcs[body->next_arc];
	const struct place *place = &first->ends.site->place;
	const struct position source = position_of(place);
	const struct position target = position_of(&first->target->place);
	ULong count = 0;
	ULong sums[N_EVENTS] = { 0 };
	uint64_t columns[N_EVENTS];

	for (; body->next_arc < body->graph->n_arcs; body->next_arc++) {
		const struct arc *arc = body->graph->arcs[body->next_arc];

		if (arc->ends.from != first->ends.from || arc->ends.to != first->ends.to ||
		    !same_position(&body->state->options, place, &arc->ends.site->place))
			break;
		count += arc->count;
		for (UInt event = 0; event < body->state->arcs.n_counted; event++)
			sums[event] += arc->costs[event];
	}
	go_to(body, first->ends.from, place);
	write_callee(body, first->ends.to);
	writer_calls(body->writer, count, &target);
	graph_columns(&body->state->events, sums, columns);
	writer_cost(body->writer, &source, columns, body->state->events.n);
}

/* Whether the next arc comes before the next cell; calls come behind costs of the same place. */
static Bool arc_is_next(const struct body *body)
{
	const struct arc *arc;
	const struct cost *cost;

	if (body->next_cost == body->graph->n_costs)
		return True;
	if (body->next_arc == body->graph->n_arcs)
		return False;
	arc = body->graph->arcs[body->next_arc];
	cost = &body->graph->costs[body->next_cost];
	if (arc->ends.from != cost->cell->context)
		return arc->ends.from->rank < cost->cell->context->rank;
	return place_order(arc->ends.from->function, &arc->ends.site->place, &cost->site->place,
			   body->state->options.dump_instr) < 0;
}

void graph_write(struct writer *writer, const struct tool *state, const struct graph *graph)
{
	struct body body = { .writer = writer, .state = state, .graph = graph };
	struct progress progress;
	ULong n_lines = 0;

	progress_begin(&progress, state->process.sealed);
	while (body.next_cost < graph->n_costs || body.next_arc < graph->n_arcs) {
		if (arc_is_next(&body))
			write_calls(&body);
		else
			write_costs(&body);
		if (++n_lines % LINES_A_LOOK == 0)
			progress_at(&progress, body.next_cost + (ULong)body.next_arc,
				    graph->n_costs + (ULong)graph->n_arcs);
	}
}
