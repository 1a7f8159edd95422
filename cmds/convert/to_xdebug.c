/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * xdebug: a trace as Xdebug writes them, which readers of PHP's profiles want: a block for each
 * invocation, when it has ended, with its own cost in one line and each call that it made.  Webgrind
 * counts blocks and calls, whatever "calls=" says.  Invocations are made up (invocation_tree.h); what a
 * function cost is divided evenly among them, and what its calls cost among the calls from one line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmds/convert/formats.h"
#include "cmds/convert/invocation_tree.h"
#include "profile/analysis/callgraph.h"
#include "profile/common/heap.h"
#include "writer/escape.h"

__extension__ typedef unsigned __int128 product;

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
	uint32_t *ids;           /* by function; likewise */
	uint64_t *lines;         /* by function: where it is */
	uint64_t *ended;         /* by function: blocks that were written */
	uint64_t *called;        /* by arc: calls likewise */
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

static bool open_node(struct xdebug *xdebug, uint32_t node)
{
	if (!heap_reserve(xdebug->graph.env, (void **)&xdebug->open, &xdebug->open_capacity,
			  xdebug->n_open + 1, sizeof(*xdebug->open)))
		return false;
	xdebug->open[xdebug->n_open++] = (struct open_block){ .node = node };
	return true;
}

/* Writes all that a root called, each behind what it called itself, and the root. */
static bool put_root(struct xdebug *xdebug, uint32_t root)
{
	bool fine = open_node(xdebug, root);

	while (fine && xdebug->n_open > 0) {
		struct open_block *block = &xdebug->open[xdebug->n_open - 1];
		const struct invocation_node *node = &xdebug->tree.nodes[block->node];

		if (block->next < node->n_calls) {
			fine = open_node(xdebug, node->first + block->next++);
		} else {
			put_block(xdebug, node);
			xdebug->n_open--;
		}
	}
	return fine;
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

/* Makes the invocations; notes if they are not all. */
static int make_tree(struct xdebug *xdebug)
{
	struct conversion *conversion = xdebug->conversion;
	struct invocation_tree *tree = &xdebug->tree;
	int status = invocation_tree_init(tree, &xdebug->graph, conversion->max_calls,
					  !conversion->break_cycles);

	if (!status && tree->n < tree->n_calls)
		snprintf(conversion->note, sizeof(conversion->note),
			 "%" PRIu64
			 " calls are written as %zu, in proportion, one at least for each "
			 "caller, callee and line (--max-calls=%" PRIu64
			 "); costs are as they were",
			 tree->n_calls, tree->n, conversion->max_calls);
	return status;
}

static bool allocate(struct xdebug *xdebug)
{
	const struct model *model = xdebug->graph.model;
	const struct env *env = model->env;
	size_t n = model->n_functions;

	xdebug->file_ids =
		heap_zeroed(env, model->names[NAME_FILE].count, sizeof(*xdebug->file_ids));
	xdebug->ids = heap_zeroed(env, n, sizeof(*xdebug->ids));
	xdebug->lines = heap_zeroed(env, n, sizeof(*xdebug->lines));
	xdebug->ended = heap_zeroed(env, n, sizeof(*xdebug->ended));
	xdebug->called = heap_zeroed(env, xdebug->graph.n_arcs, sizeof(*xdebug->called));
	return xdebug->file_ids && xdebug->ids && xdebug->lines && xdebug->ended && xdebug->called;
}

static int write_all(struct xdebug *xdebug)
{
	const struct callgraph *graph = &xdebug->graph;
	const struct invocation_tree *tree = &xdebug->tree;
	uint64_t totals[PROFILE_MAX_EVENTS];
	int status;

	if (!callgraph_sort(&xdebug->graph) || !allocate(xdebug))
		return PROFILE_NO_MEMORY;
	if (!model_totals(graph->model, totals))
		return PROFILE_RANGE;
	status = make_tree(xdebug);
	if (status)
		return status;
	for (uint32_t i = 0; i < graph->n; i++)
		xdebug->lines[i] = callgraph_line(graph, i);
	put_header(xdebug);
	for (uint32_t i = 0; i < tree->n; i++)
		if (tree->nodes[i].arc == INVOCATION_NO_ARC && !put_root(xdebug, i))
			return PROFILE_NO_MEMORY;
	out_text(&xdebug->out, "summary: ");
	out_decimal(&xdebug->out, totals[0]);
	out_text(&xdebug->out, "\n\n");
	return PROFILE_OK;
}

int to_xdebug(struct conversion *conversion)
{
	const struct env *env = conversion->model->env;
	struct xdebug xdebug = { .conversion = conversion };
	int status = callgraph_init(&xdebug.graph, conversion->model);

	out_init(&xdebug.out, conversion->env);
	if (!status)
		status = write_all(&xdebug);
	format_close(conversion, &xdebug.out);
	invocation_tree_release(&xdebug.tree);
	callgraph_release(&xdebug.graph);
	env->release(env->ctx, xdebug.file_ids);
	env->release(env->ctx, xdebug.ids);
	env->release(env->ctx, xdebug.lines);
	env->release(env->ctx, xdebug.ended);
	env->release(env->ctx, xdebug.called);
	env->release(env->ctx, xdebug.open);
	return status;
}
