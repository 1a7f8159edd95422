/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Xdebug's traces: of one that is read, the call tree; and one that is written, which readers of PHP's
 * profiles want.
 */
#define _GNU_SOURCE /* qsort_r */
#include "cmds/convert/formats.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/analysis/callgraph.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"
#include "profile/common/visitor.h"
#include "writer/escape.h"

/* -- a trace, read ------------------------------------------------------------------------- */

/*
 * Invocations come in the order of their ends.  Those that nobody has claimed yet are
 * roots; a block with n calls claims the last n of them, if they are what it says it
 * called.  Below a root, all nodes come right before it.
 */

/* A call of the block at work.  Xdebug 2 does not give the file of what is called. */
struct call_note {
	uint32_t function;
	uint64_t line, cost;
};

/* An invocation, after those that it called. */
struct trace_node {
	uint32_t object, file, function; /* keys of names */
	uint32_t size;                   /* nodes: itself and those below it */
	uint32_t n_children;
	uint64_t line; /* in the caller */
	uint64_t self, inclusive;
};

struct trace {
	struct visitor_filter filter;
	struct trace_node *nodes;
	size_t n, capacity;
	uint32_t *roots; /* nodes that nobody called so far */
	size_t n_roots, roots_capacity;
	struct call_note *calls; /* of the block at work */
	size_t n_calls, calls_capacity;
	struct trace_node block;
	bool in_block;
	size_t n_parts;
	bool failed; /* it is no such trace */
};

/* Makes the last roots the block's children, and it a root; it is no trace if they are not what it called. */
static void end_block(struct trace *trace)
{
	struct trace_node *block = &trace->block;

	if (trace->failed || !trace->in_block)
		return;
	trace->in_block = false;
	trace->failed = trace->n_calls > trace->n_roots || trace->n >= PATHTREE_NONE - 1;
	block->size = 1;
	block->n_children = (uint32_t)trace->n_calls;
	block->inclusive = block->self;
	for (size_t i = 0; i < trace->n_calls && !trace->failed; i++) {
		const struct call_note *call = &trace->calls[i];
		struct trace_node *child =
			&trace->nodes[trace->roots[trace->n_roots - trace->n_calls + i]];

		trace->failed = call->function != child->function ||
				call->cost != child->inclusive ||
				!cost_add(&block->inclusive, child->inclusive, false);
		child->line = call->line;
		block->size += child->size;
	}
	if (trace->failed)
		return;
	trace->n_roots -= trace->n_calls;
	trace->nodes =
		heap_grow(trace->nodes, &trace->capacity, trace->n + 1, sizeof(*trace->nodes));
	trace->roots = heap_grow(trace->roots, &trace->roots_capacity, trace->n_roots + 1,
				 sizeof(*trace->roots));
	trace->roots[trace->n_roots++] = (uint32_t)trace->n;
	trace->nodes[trace->n++] = *block;
	trace->n_calls = 0;
}

/* -- what is reported -------------------------------------------------------------------- */

static int visit_part(void *ctx, const struct part *part)
{
	struct trace *trace = ctx;

	trace->failed |= trace->n_parts++ > 0;
	return visitor_part(trace->filter.to, part);
}

static int visit_place(void *ctx, const struct place *place)
{
	struct trace *trace = ctx;

	end_block(trace);
	trace->in_block = true;
	trace->block = (struct trace_node){ .object = place->object.key,
					    .file = place->file.key,
					    .function = place->function.key };
	return visitor_place(trace->filter.to, place);
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct trace *trace = ctx;

	if (n_costs > 0 && !cost_add(&trace->block.self, costs[0], false))
		trace->failed = true;
	return visitor_cost(trace->filter.to, at, costs, n_costs);
}

static int visit_call(void *ctx, const struct call *call)
{
	struct trace *trace = ctx;

	trace->failed |= call->count != 1;
	if (!trace->failed) {
		trace->calls = heap_grow(trace->calls, &trace->calls_capacity, trace->n_calls + 1,
					 sizeof(*trace->calls));
		trace->calls[trace->n_calls++] = (struct call_note){
			.function = call->callee.function.key,
			.line = call->at.line,
			.cost = call->n_costs > 0 ? call->costs[0] : 0,
		};
	}
	return visitor_call(trace->filter.to, call);
}

/* Old versions of Xdebug do not name themselves. */
static int visit_part_end(void *ctx, const struct part *part)
{
	struct trace *trace = ctx;

	end_block(trace);
	if (part->creator && strncmp(part->creator, "xdebug", strlen("xdebug")) != 0)
		trace->failed = true;
	return visitor_part_end(trace->filter.to, part);
}

static int visit_negative(void *ctx)
{
	struct trace *trace = ctx;

	trace->failed = true;
	return visitor_negative(trace->filter.to);
}

struct trace *trace_new(const struct visitor *to, const struct visitor **visitor)
{
	static const struct visitor changes = {
		.part = visit_part,
		.place = visit_place,
		.cost = visit_cost,
		.call = visit_call,
		.part_end = visit_part_end,
		.negative = visit_negative,
	};
	struct trace *trace = heap_alloc(sizeof(*trace));

	*trace = (struct trace){ .failed = false };
	visitor_filter_init(&trace->filter, to, &changes);
	trace->filter.visitor.jump = NULL;
	*visitor = &trace->filter.visitor;
	return trace;
}

void trace_free(struct trace *trace)
{
	if (!trace)
		return;
	free(trace->nodes);
	free(trace->roots);
	free(trace->calls);
	free(trace);
}

/* -- the tree ------------------------------------------------------------------------------ */

/* Sets where each node is in pre-order, by its place here; the children of one stay in order. */
static void order_nodes(const struct trace *trace, uint32_t *at, uint32_t *parent)
{
	uint32_t end = (uint32_t)trace->n; /* of the places left for roots */

	for (size_t i = trace->n_roots; i > 0; i--) {
		uint32_t root = trace->roots[i - 1];

		end -= trace->nodes[root].size;
		at[root] = end;
		parent[root] = PATHTREE_NONE;
	}
	/* The last child comes right before its parent; each of the others before the next one. */
	for (size_t i = trace->n; i > 0; i--) {
		const struct trace_node *node = &trace->nodes[i - 1];
		uint32_t child = (uint32_t)i - 1;
		uint32_t place = at[i - 1] + node->size;

		for (uint32_t j = 0; j < node->n_children; j++) {
			child -= j == 0 ? 1 : trace->nodes[child].size;
			place -= trace->nodes[child].size;
			at[child] = place;
			parent[child] = at[i - 1];
		}
	}
}

void trace_finish(struct trace *trace, struct pathtree *tree)
{
	uint32_t *at, *parent, *source;

	/* Where nothing was called, that is not known. */
	if (trace->failed || trace->n == trace->n_roots)
		return;
	at = heap_zeroed(trace->n, sizeof(*at));
	parent = heap_zeroed(trace->n, sizeof(*parent));
	source = heap_zeroed(trace->n, sizeof(*source));
	order_nodes(trace, at, parent);
	for (size_t i = 0; i < trace->n; i++)
		source[at[i]] = (uint32_t)i;
	tree->is_exact = true;
	for (size_t i = 0; i < trace->n && tree->is_exact; i++) {
		const struct trace_node *node = &trace->nodes[source[i]];
		struct pathtree_node made = { .parent = parent[source[i]],
					      .line = node->line,
					      .count = 1 };

		made.function =
			pathtree_function(tree->model, node->object, node->file, node->function);
		if (made.function == MODEL_NO_FUNCTION) {
			tree->n = 0;
			tree->is_exact = false;
		} else {
			pathtree_costs(tree, pathtree_add(tree, &made))[0] = node->self;
		}
	}
	free(at);
	free(parent);
	free(source);
}

/* -- single invocations ----------------------------------------------------------------- */

/*
 * Single invocations, made up from a call graph, for formats that count them: a forest in which
 * each call that the graph counts is a node.  Who called the caller is not known, so what a
 * function called is divided evenly among its invocations:
 *
 *	main ---2---> f ---5---> g	main( f(g g) f(g g g) )
 *
 * Calls that close a cycle are invocations that call nothing: what the function called is
 * below those that were called from outside of the cycle.  So a function that called itself
 * 9 times has one invocation with 9 below it, not a chain of 10.
 */

#define INVOCATION_NO_ARC SIZE_MAX /* of those that nobody called */

struct invocation_node {
	uint32_t function;
	uint32_t first, n_calls; /* those that it called are first, first + 1 ... */
	uint32_t next;           /* of the same function that calls something; private */
	size_t arc;              /* of the graph, that it is a call of */
};

/* Fields are for reading. */
struct invocation_tree {
	const struct callgraph *graph; /* sorted; outlives the tree */
	struct invocation_node *nodes;
	size_t n, capacity;
	uint64_t *counts; /* by arc: how many nodes it has */
	uint64_t *totals; /* by function: the same */
	/*
	 * All calls, roots included; n is how many are nodes.  It is less if there are more than were
	 * wanted: of each arc then as many as are in proportion, 1 at least.
	 */
	uint64_t n_calls;
};

/*
 * Functions are taken in the order in which callers come before callees, so all
 * invocations of one that shall call something are there when its turn comes.  What each of
 * them calls is then made at once, and is contiguous.
 */

__extension__ typedef unsigned __int128 product;

#define NO_NODE UINT32_MAX

struct growing {
	struct invocation_tree *tree;
	uint32_t *first, *last; /* by function: its nodes that call something */
	size_t *arcs;           /* of the function at work, by line */
};

static uint64_t count_of(const struct callgraph_arc *arc)
{
	return arc->count > 0 ? arc->count : 1;
}

static bool is_kept(const struct callgraph_arc *arc, bool keeps_cycles)
{
	return keeps_cycles || !arc->is_back;
}

/* -- how many there are ------------------------------------------------------------------ */

static bool is_root(const struct callgraph *graph, uint32_t function)
{
	for (size_t i = graph->first_in[function]; i < graph->first_in[function + 1]; i++)
		if (!graph->arcs[graph->incoming[i]].is_back)
			return false;
	return true;
}

/* Sets how many nodes arcs and functions have. */
static int count_nodes(struct invocation_tree *tree, uint64_t most, bool keeps_cycles)
{
	const struct callgraph *graph = tree->graph;
	uint64_t needed = 0;    /* roots, and one for each arc */
	uint64_t spare, wanted; /* nodes beyond these */

	for (uint32_t i = 0; i < graph->n; i++)
		tree->totals[i] = is_root(graph, i);
	for (size_t i = 0; i < graph->n; i++)
		needed += tree->totals[i];
	tree->n_calls = needed;
	for (size_t i = 0; i < graph->n_arcs; i++) {
		if (!is_kept(&graph->arcs[i], keeps_cycles))
			continue;
		needed++;
		if (!cost_add(&tree->n_calls, count_of(&graph->arcs[i]), false))
			return PROFILE_RANGE;
	}
	if (needed >= NO_NODE)
		return PROFILE_RANGE;
	spare = most > needed ? most - needed : 0;
	wanted = tree->n_calls - needed;
	for (size_t i = 0; i < graph->n_arcs; i++) {
		uint64_t more = count_of(&graph->arcs[i]) - 1;

		if (!is_kept(&graph->arcs[i], keeps_cycles))
			continue;
		if (wanted > spare)
			more = (uint64_t)((product)more * spare / wanted);
		tree->counts[i] = 1 + more;
		tree->totals[graph->arcs[i].callee] += 1 + more;
	}
	return PROFILE_OK;
}

/* -- nodes ------------------------------------------------------------------------------- */

static void add_node(struct growing *growing, uint32_t function, size_t arc)
{
	struct invocation_tree *tree = growing->tree;
	uint32_t number = (uint32_t)tree->n;

	tree->nodes = heap_grow(tree->nodes, &tree->capacity, tree->n + 1, sizeof(*tree->nodes));
	tree->nodes[tree->n++] =
		(struct invocation_node){ .function = function, .next = NO_NODE, .arc = arc };
	if (arc != INVOCATION_NO_ARC && tree->graph->arcs[arc].is_back)
		return;
	if (growing->first[function] == NO_NODE)
		growing->first[function] = number;
	else
		tree->nodes[growing->last[function]].next = number;
	growing->last[function] = number;
}

static int compare_lines(const void *a, const void *b, void *ctx)
{
	const struct callgraph *graph = *(const struct callgraph *const *)ctx;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	uint64_t line_x = graph->arcs[x].line, line_y = graph->arcs[y].line;

	if (line_x != line_y)
		return line_x < line_y ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void grow_function(struct growing *growing, uint32_t function)
{
	struct invocation_tree *tree = growing->tree;
	const struct callgraph *graph = tree->graph;
	size_t n_arcs = 0;
	uint64_t n = 0, i = 0;

	if (growing->first[function] == NO_NODE)
		add_node(growing, function, INVOCATION_NO_ARC);
	for (size_t arc = graph->first[function]; arc < graph->first[function + 1]; arc++)
		if (tree->counts[arc] > 0)
			growing->arcs[n_arcs++] = arc;
	qsort_r(growing->arcs, n_arcs, sizeof(*growing->arcs), compare_lines, &graph);
	for (uint32_t node = growing->first[function]; node != NO_NODE;
	     node = tree->nodes[node].next)
		n++;
	for (uint32_t node = growing->first[function]; i < n; node = tree->nodes[node].next, i++) {
		size_t first = tree->n;

		/* What number i of n invocations calls. */
		for (size_t j = 0; j < n_arcs; j++) {
			size_t arc = growing->arcs[j];
			uint64_t from = (uint64_t)((product)tree->counts[arc] * i / n);
			uint64_t to = (uint64_t)((product)tree->counts[arc] * (i + 1) / n);

			for (; from < to; from++)
				add_node(growing, graph->arcs[arc].callee, arc);
		}
		tree->nodes[node].first = (uint32_t)first;
		tree->nodes[node].n_calls = (uint32_t)(tree->n - first);
	}
}

static int invocation_tree_init(struct invocation_tree *tree, const struct callgraph *graph,
				uint64_t most, bool keeps_cycles)
{
	struct growing growing = { .tree = tree };
	int status;

	*tree = (struct invocation_tree){
		.graph = graph,
		.counts = heap_zeroed(graph->n_arcs, sizeof(*tree->counts)),
		.totals = heap_zeroed(graph->n, sizeof(*tree->totals)),
	};
	status = count_nodes(tree, most, keeps_cycles);
	if (status)
		return status;
	growing.first = heap_zeroed(graph->n, sizeof(*growing.first));
	growing.last = heap_zeroed(graph->n, sizeof(*growing.last));
	growing.arcs = heap_zeroed(graph->n_arcs, sizeof(*growing.arcs));
	for (size_t i = 0; i < graph->n; i++)
		growing.first[i] = NO_NODE;
	for (size_t i = 0; i < graph->n; i++)
		grow_function(&growing, graph->order[i]);
	free(growing.first);
	free(growing.last);
	free(growing.arcs);
	return PROFILE_OK;
}

static void invocation_tree_release(struct invocation_tree *tree)
{
	free(tree->nodes);
	free(tree->counts);
	free(tree->totals);
	*tree = (struct invocation_tree){ 0 };
}

/* -- a trace, written ------------------------------------------------------------------- */

/*
 * xdebug: a trace as Xdebug writes them, which readers of PHP's profiles want: a block for each
 * invocation, when it has ended, with its own cost in one line and each call that it made.  Webgrind
 * counts blocks and calls, whatever "calls=" says.  Invocations are made up; what a
 * function cost is divided evenly among them, and what its calls cost among the calls from one line.
 */

/* How far an open invocation is. */
struct open_block {
	uint32_t node;
	uint32_t next; /* of its calls */
};

struct xdebug {
	struct conversion *conversion;
	struct callgraph graph;
	struct invocation_tree tree;
	struct out out;
	uint32_t *file_ids;      /* by number of a file's name, 0 = none yet */
	uint32_t *ids;           /* by function; the same */
	uint64_t *lines;         /* by function: where it is */
	uint64_t *ended;         /* by function: blocks that were written */
	uint64_t *called;        /* by arc: calls that were written */
	struct open_block *open; /* the chain of invocations at work */
	size_t n_open, open_capacity;
	uint32_t n_files, n_functions;
};

/* "fl=(1) name", then "fl=(1)"; without ids "fl=name". */
static void put_name(struct xdebug *xdebug, const char *spec, uint32_t *id, uint32_t *n,
		     const struct name *name)
{
	struct out *out = &xdebug->out;
	bool is_new = *id == 0;

	out_text(out, spec);
	if (xdebug->conversion->ids) {
		if (is_new)
			*id = ++*n;
		out_char(out, '(');
		out_decimal(out, *id);
		out_char(out, ')');
		if (is_new)
			out_char(out, ' ');
	}
	if (is_new || !xdebug->conversion->ids)
		out_bytes(out, name->text, name->len);
	out_char(out, '\n');
}

static void put_function(struct xdebug *xdebug, uint32_t function, const char *fl, const char *fn)
{
	const struct model *model = xdebug->graph.model;
	const struct model_function *f = &model->functions[function];
	const struct name file = model_name(model, NAME_FILE, f->file);
	const struct name name = model_name(model, NAME_FUNCTION, f->name);

	put_name(xdebug, fl, &xdebug->file_ids[f->file], &xdebug->n_files, &file);
	put_name(xdebug, fn, &xdebug->ids[function], &xdebug->n_functions, &name);
}

static void put_line(struct xdebug *xdebug, uint64_t line, uint64_t cost)
{
	out_decimal(&xdebug->out, line);
	out_char(&xdebug->out, ' ');
	out_decimal(&xdebug->out, cost);
	out_char(&xdebug->out, '\n');
}

/* What number i of n equal parts of a cost is; all parts add up to it. */
static uint64_t part_of(uint64_t cost, uint64_t i, uint64_t n)
{
	return (uint64_t)((product)cost * (i + 1) / n - (product)cost * i / n);
}

static void put_call(struct xdebug *xdebug, const struct invocation_node *call)
{
	const struct callgraph_arc *arc = &xdebug->graph.arcs[call->arc];
	uint64_t i = xdebug->called[call->arc]++;

	put_function(xdebug, call->function, "cfl=", "cfn=");
	out_text(&xdebug->out, "calls=1 0 0\n");
	put_line(xdebug, arc->line, part_of(arc->cost, i, xdebug->tree.counts[call->arc]));
}

static void put_block(struct xdebug *xdebug, const struct invocation_node *node)
{
	uint32_t function = node->function;
	uint64_t i = xdebug->ended[function]++;

	put_function(xdebug, function, "fl=", "fn=");
	put_line(xdebug, xdebug->lines[function],
		 part_of(callgraph_self(&xdebug->graph, function), i,
			 xdebug->tree.totals[function]));
	for (uint32_t j = 0; j < node->n_calls; j++)
		put_call(xdebug, &xdebug->tree.nodes[node->first + j]);
	out_char(&xdebug->out, '\n');
}

static void open_node(struct xdebug *xdebug, uint32_t node)
{
	xdebug->open = heap_grow(xdebug->open, &xdebug->open_capacity, xdebug->n_open + 1,
				 sizeof(*xdebug->open));
	xdebug->open[xdebug->n_open++] = (struct open_block){ .node = node };
}

/* Writes all that a root called, each after what it called itself, and the root. */
static void put_root(struct xdebug *xdebug, uint32_t root)
{
	open_node(xdebug, root);
	while (xdebug->n_open > 0) {
		struct open_block *block = &xdebug->open[xdebug->n_open - 1];
		const struct invocation_node *node = &xdebug->tree.nodes[block->node];

		if (block->next < node->n_calls) {
			open_node(xdebug, node->first + block->next++);
		} else {
			put_block(xdebug, node);
			xdebug->n_open--;
		}
	}
}

static void put_header(struct xdebug *xdebug)
{
	const struct model *model = xdebug->graph.model;
	const struct part *part = model->n_parts > 0 ? &model->parts[0].header : NULL;
	const char *cmd = part && part->cmd && part->cmd[0] ? part->cmd : "???";
	struct out *out = &xdebug->out;

	out_text(out, "version: 1\ncreator: costgrind-" COSTGRIND_VERSION "\ncmd: ");
	escape_text(out, cmd, strlen(cmd));
	out_text(out, "\npart: 1\n");
	if (xdebug->graph.n_back > 0 && xdebug->conversion->break_cycles) {
		out_text(out, "desc: Calls left out that close a cycle: ");
		out_decimal(out, xdebug->graph.n_back);
		out_char(out, '\n');
	}
	if (xdebug->tree.n < xdebug->tree.n_calls) {
		out_text(out, "desc: Calls: ");
		out_decimal(out, xdebug->tree.n);
		out_text(out, " of ");
		out_decimal(out, xdebug->tree.n_calls);
		out_text(out, ", in proportion; costs are of all\n");
	}
	out_text(out, "positions: line\n\nevents: ");
	out_text(out, format_event(xdebug->conversion));
	out_text(out, "\n\n");
}

static int write_all(struct xdebug *xdebug)
{
	struct conversion *conversion = xdebug->conversion;
	const struct callgraph *graph = &xdebug->graph;
	const struct model *model = graph->model;
	struct invocation_tree *tree = &xdebug->tree;
	size_t n = model->n_functions;
	uint64_t totals[PROFILE_MAX_EVENTS];
	int status;

	callgraph_sort(&xdebug->graph);
	xdebug->file_ids = heap_zeroed(model->names[NAME_FILE].count, sizeof(*xdebug->file_ids));
	xdebug->ids = heap_zeroed(n, sizeof(*xdebug->ids));
	xdebug->lines = heap_zeroed(n, sizeof(*xdebug->lines));
	xdebug->ended = heap_zeroed(n, sizeof(*xdebug->ended));
	xdebug->called = heap_zeroed(graph->n_arcs, sizeof(*xdebug->called));
	if (!model_totals(model, totals))
		return PROFILE_RANGE;
	status =
		invocation_tree_init(tree, graph, conversion->max_calls, !conversion->break_cycles);
	if (status)
		return status;
	if (tree->n < tree->n_calls)
		snprintf(conversion->note, sizeof(conversion->note),
			 "%" PRIu64
			 " calls are written as %zu, in proportion, one at least for each "
			 "caller, callee and line (--max-calls=%" PRIu64
			 "); costs are as they were",
			 tree->n_calls, tree->n, conversion->max_calls);
	for (uint32_t i = 0; i < graph->n; i++)
		xdebug->lines[i] = callgraph_line(graph, i);
	put_header(xdebug);
	for (uint32_t i = 0; i < tree->n; i++)
		if (tree->nodes[i].arc == INVOCATION_NO_ARC)
			put_root(xdebug, i);
	out_text(&xdebug->out, "summary: ");
	out_decimal(&xdebug->out, totals[0]);
	out_text(&xdebug->out, "\n\n");
	return PROFILE_OK;
}

int to_xdebug(struct conversion *conversion)
{
	struct xdebug xdebug = { .conversion = conversion };
	int status = callgraph_init(&xdebug.graph, conversion->model);

	out_init(&xdebug.out, conversion->env);
	if (!status)
		status = write_all(&xdebug);
	format_close(conversion, &xdebug.out);
	invocation_tree_release(&xdebug.tree);
	callgraph_release(&xdebug.graph);
	free(xdebug.file_ids);
	free(xdebug.ids);
	free(xdebug.lines);
	free(xdebug.ended);
	free(xdebug.called);
	free(xdebug.open);
	return status;
}
