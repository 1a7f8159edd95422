/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells, arcs and jumps are sorted in the same order, by context and place.  Everything at one place is added up: to one
 * line of cost, one for each callee and one for each target.  Calls follow the costs of their place, and jumps the calls.
 * The order depends only on names and addresses, so that the same run gives the same bytes.
 */
#include "tool/output/graph.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/counts/state.h"
#include "tool/instrument/client.h"
#include "tool/output/state.h"
#include "tool/symbols/symbol.h"
#include "writer/writer.h"

enum {
	LINES_A_LOOK = 1024, /* at the clock */
};

/* A graph while it is written. */
struct graph_body {
	struct writer *writer;
	const struct graph *graph;
	UInt next_cost, next_arc, next_jump;
	const struct context *context; /* being written, NULL at first */
	const struct text *file;       /* that positions are in */
};

void graph_make(struct graph *graph)
{
	Bool by_address = tool_output.options.dump_instr;

	client_settle();
	symbols_rank(&tool_symbols);
	contexts_rank(&tool_counts.contexts);
	graph->costs = sites_sorted(&tool_counts.sites, by_address, &graph->n_costs);
	graph->arcs = arcs_sorted(&tool_calls.arcs, by_address, &graph->n_arcs);
	graph->jumps = jumps_sorted(&tool_counts.jumps, by_address, &graph->n_jumps);
	graph->unfolding = tool_symbols.options->inlined == INLINED_CALLS ? unfold(graph) : NULL;
}

void graph_free(struct graph *graph)
{
	if (graph->costs != NULL)
		VG_(free)(graph->costs);
	if (graph->arcs != NULL)
		VG_(free)(graph->arcs);
	if (graph->jumps != NULL)
		VG_(free)(graph->jumps);
	if (graph->unfolding != NULL)
		unfolding_free(graph->unfolding);
}

static UInt thread_of_cost(const void *element)
{
	return ((const struct cost *)element)->cell->context->thread;
}

static UInt thread_of_arc(const void *element)
{
	return (*(struct arc *const *)element)->ends.from->thread;
}

static UInt thread_of_jump(const void *element)
{
	return (*(struct jump_count *const *)element)->context->thread;
}

/* The first of n sorted elements that belongs to this thread or a later one. */
static UInt first_of_thread(const void *elements, UInt n, SizeT size,
			    UInt (*thread_of)(const void *element), UInt thread)
{
	UInt low = 0;

	while (low < n) {
		UInt middle = low + (n - low) / 2;

		if (thread_of((const HChar *)elements + middle * size) < thread)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* Contexts are ranked by thread first, so everything of one thread is contiguous. */
struct graph graph_of_thread(const struct graph *graph, UInt thread)
{
	UInt cost = first_of_thread(graph->costs, graph->n_costs, sizeof(*graph->costs),
				    thread_of_cost, thread);
	UInt arc = first_of_thread(graph->arcs, graph->n_arcs, sizeof(*graph->arcs), thread_of_arc,
				   thread);
	UInt jump = first_of_thread(graph->jumps, graph->n_jumps, sizeof(*graph->jumps),
				    thread_of_jump, thread);
	struct graph part = {
		.costs = graph->costs + cost,
		.arcs = graph->arcs + arc,
		.jumps = graph->jumps + jump,
	};

	part.n_costs = first_of_thread(part.costs, graph->n_costs - cost, sizeof(*part.costs),
				       thread_of_cost, thread + 1);
	part.n_arcs = first_of_thread(part.arcs, graph->n_arcs - arc, sizeof(*part.arcs),
				      thread_of_arc, thread + 1);
	part.n_jumps = first_of_thread(part.jumps, graph->n_jumps - jump, sizeof(*part.jumps),
				       thread_of_jump, thread + 1);
	return part;
}

void graph_totals(const struct graph *graph, ULong totals[N_EVENTS])
{
	VG_(memset)(totals, 0, N_EVENTS * sizeof(totals[0]));
	for (UInt i = 0; i < graph->n_costs; i++)
		cell_sum(&tool_counts.sites, graph->costs[i].cell, totals);
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
static void write_function(struct graph_body *body, const struct context *context)
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

/* Makes the lines that follow belong to a place in a context. */
static void go_to(struct graph_body *body, const struct context *context,
		  struct source_location place)
{
	struct name file = name_of(place.file);

	if (body->context != context)
		write_function(body, context);
	if (place.file != body->file)
		writer_position(body->writer,
				place.file == context->function->file ? SPEC_FE : SPEC_FI, &file);
	body->file = place.file;
}

static struct position position_of(struct source_location place)
{
	return (struct position){ place.address, place.line };
}

/* True if two places are written as one line. */
static Bool same_position(struct source_location a, struct source_location b)
{
	return a.file == b.file && (!tool_output.options.dump_line || a.line == b.line) &&
	       (!tool_output.options.dump_instr || a.address == b.address);
}

/* The costs at the place of the next cell. */
static void write_costs(struct graph_body *body)
{
	const struct cost *first = &body->graph->costs[body->next_cost];
	const struct source_location place = site_place(first->site);
	const struct position position = position_of(place);
	ULong counts[N_EVENTS] = { 0 };
	uint64_t columns[N_EVENTS];

	for (; body->next_cost < body->graph->n_costs; body->next_cost++) {
		const struct cost *cost = &body->graph->costs[body->next_cost];

		if (cost->cell->context != first->cell->context ||
		    !same_position(place, site_place(cost->site)))
			break;
		cell_sum(&tool_counts.sites, cost->cell, counts);
	}
	go_to(body, first->cell->context, place);
	graph_columns(&tool_counts.events, counts, columns);
	writer_cost(body->writer, &position, columns, tool_counts.events.n);
}

/* cob= and cfi= where a reader would assume another one, and cfn= */
static void write_callee(struct graph_body *body, const struct context *callee)
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
static void write_calls(struct graph_body *body)
{
	const struct arc *first = body->graph->arcs[body->next_arc];
	const struct source_location place = site_place(first->ends.site);
	const struct position source = position_of(place);
	const struct position target = position_of(site_place(first->target));
	ULong count = 0;
	ULong sums[N_EVENTS] = { 0 };
	uint64_t columns[N_EVENTS];

	for (; body->next_arc < body->graph->n_arcs; body->next_arc++) {
		const struct arc *arc = body->graph->arcs[body->next_arc];

		if (arc->ends.from != first->ends.from || arc->ends.to != first->ends.to ||
		    !same_position(place, site_place(arc->ends.site)))
			break;
		count += arc->count;
		arc_sum(&tool_calls.arcs, arc, sums);
	}
	go_to(body, first->ends.from, place);
	write_callee(body, first->ends.to);
	writer_calls(body->writer, count, &target);
	graph_columns(&tool_counts.events, sums, columns);
	writer_cost(body->writer, &source, columns, tool_counts.events.n);
}

/* Without addresses, line 0 means nothing. */
static Bool is_jump_shown(const struct jump_edge *jump)
{
	return tool_output.options.dump_instr || (jump->site->line != 0 && jump->target.line != 0);
}

static void write_jump(struct graph_body *body, const struct jump_edge *jump, ULong taken,
		       ULong executed)
{
	const struct position source = position_of(site_place(jump->site));
	const struct position target = position_of(jump->target);
	struct name file = name_of(jump->target.file);

	if (jump->target.file != body->file)
		writer_position(body->writer, SPEC_JFI, &file);
	if (jump->conditional)
		writer_conditional_jump(body->writer, taken, executed, &target, &source);
	else
		writer_jump(body->writer, taken, &target, &source);
}

/* The jumps to one target at the place of the next one. */
static void write_jumps(struct graph_body *body)
{
	const struct jump_count *first = body->graph->jumps[body->next_jump];
	const struct jump_edge *jump = first->jump;
	ULong taken = 0, executed = 0;

	for (; body->next_jump < body->graph->n_jumps; body->next_jump++) {
		const struct jump_count *count = body->graph->jumps[body->next_jump];

		if (count->context != first->context ||
		    count->jump->conditional != jump->conditional ||
		    !same_position(site_place(jump->site), site_place(count->jump->site)) ||
		    !same_position(jump->target, count->jump->target))
			break;
		taken += count->taken;
		executed += count->executed;
	}
	if (!is_jump_shown(jump))
		return;
	go_to(body, first->context, site_place(jump->site));
	write_jump(body, jump, taken, executed);
}

/* Where something belongs; without a context it is the end. */
struct graph_spot {
	const struct context *context;
	struct source_location place;
};

static const struct graph_spot no_spot = { .context = NULL };

/* True if a comes before b. */
static Bool is_before(const struct graph_spot *a, const struct graph_spot *b)
{
	if (a->context == NULL || b->context == NULL)
		return a->context != NULL;
	if (a->context != b->context)
		return a->context->rank < b->context->rank;
	return place_order(a->context->function, a->place, b->place,
			   tool_output.options.dump_instr) < 0;
}

static struct graph_spot next_cost(const struct graph_body *body)
{
	const struct cost *cost = &body->graph->costs[body->next_cost];

	if (body->next_cost == body->graph->n_costs)
		return no_spot;
	return (struct graph_spot){ cost->cell->context, site_place(cost->site) };
}

static struct graph_spot next_arc(const struct graph_body *body)
{
	const struct arc_key *ends;

	if (body->next_arc == body->graph->n_arcs)
		return no_spot;
	ends = &body->graph->arcs[body->next_arc]->ends;
	return (struct graph_spot){ ends->from, site_place(ends->site) };
}

static struct graph_spot next_jump(const struct graph_body *body)
{
	const struct jump_count *count;

	if (body->next_jump == body->graph->n_jumps)
		return no_spot;
	count = body->graph->jumps[body->next_jump];
	return (struct graph_spot){ count->context, site_place(count->jump->site) };
}

/* Writes what comes next; False at the end. */
static Bool write_next(struct graph_body *body)
{
	struct graph_spot cost = next_cost(body), arc = next_arc(body), jump = next_jump(body);

	if (cost.context == NULL && arc.context == NULL && jump.context == NULL)
		return False;
	if (is_before(&jump, &cost) && is_before(&jump, &arc))
		write_jumps(body);
	else if (is_before(&arc, &cost))
		write_calls(body);
	else
		write_costs(body);
	return True;
}

/* --- how far it has come ----------------------------------------------------------------- */

enum {
	PATIENCE = 2000, /* milliseconds until a user wants to know what takes so long */
};

struct graph_progress {
	Bool silent;
	UInt said; /* milliseconds: the time of the last message, or of the start */
};

static void progress_begin(struct graph_progress *progress, Bool silent)
{
	*progress = (struct graph_progress){ .silent = silent };
	if (!silent)
		progress->said = VG_(read_millisecond_timer)();
}

/* Reports every two seconds how much is done, if file descriptor 2 is a terminal. */
static void progress_at(struct graph_progress *progress, ULong done, ULong all)
{
	UInt now;

	if (progress->silent)
		return;
	now = VG_(read_millisecond_timer)();
	if (now - progress->said < PATIENCE)
		return;
	progress->said = now;
	if (syscall_is_terminal(2))
		message_note("writing the profile: %llu %%", done * 100 / all);
}

/* --- all of it --------------------------------------------------------------------------- */

void graph_write(struct writer *writer, const struct graph *graph)
{
	struct graph_body body = { .writer = writer, .graph = graph };
	struct graph_progress progress;
	ULong n_lines = 0;

	progress_begin(&progress, tool_self.sealed);
	while (write_next(&body))
		if (++n_lines % LINES_A_LOOK == 0)
			progress_at(&progress,
				    body.next_cost + (ULong)body.next_arc + body.next_jump,
				    graph->n_costs + (ULong)graph->n_arcs + graph->n_jumps);
}
