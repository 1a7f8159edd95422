/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * xdebug: a trace as Xdebug writes them, which readers of PHP's profiles want: one cost
 * line for a function, and functions behind all that they call.  That cannot be where functions
 * call each other in a circle, or themselves.
 */
#include <string.h>

#include "cmds/convert/formats.h"
#include "profile/analysis/callgraph.h"
#include "profile/common/heap.h"

struct xdebug {
	struct conversion *conversion;
	struct callgraph graph;
	struct out out;
	uint32_t *file_ids; /* by number of a file's name, 0 = none yet */
	uint32_t *ids;      /* by function; likewise */
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

static void put_block(struct xdebug *xdebug, uint32_t function)
{
	const struct callgraph *graph = &xdebug->graph;

	put_function(xdebug, function, "fl=", "fn=");
	put_line(xdebug, callgraph_line(graph, function), callgraph_self(graph, function));
	for (size_t i = graph->first[function]; i < graph->first[function + 1]; i++) {
		const struct callgraph_arc *arc = &graph->arcs[i];

		if (arc->is_back)
			continue;
		put_function(xdebug, arc->callee, "cfl=", "cfn=");
		out_text(&xdebug->out, "calls=");
		out_decimal(&xdebug->out, arc->count);
		out_text(&xdebug->out, " 0 0\n");
		put_line(xdebug, arc->line, arc->cost);
	}
	out_char(&xdebug->out, '\n');
}

static void put_header(struct xdebug *xdebug)
{
	const struct model *model = xdebug->graph.model;
	const struct part *part = model->n_parts > 0 ? &model->parts[0].header : NULL;
	struct out *out = &xdebug->out;

	out_text(out, "version: 1\ncreator: costgrind-" COSTGRIND_VERSION "\ncmd: ");
	out_text(out, part && part->cmd && part->cmd[0] ? part->cmd : "???");
	out_text(out, "\npart: 1\n");
	if (xdebug->graph.n_back > 0) {
		out_text(out, "desc: Calls left out that close a cycle: ");
		out_decimal(out, xdebug->graph.n_back);
		out_char(out, '\n');
	}
	out_text(out, "positions: line\n\nevents: ");
	out_text(out, format_event(xdebug->conversion));
	out_text(out, "\n\n");
}

/* Says which call closes a cycle. */
static int refuse(struct xdebug *xdebug)
{
	const struct callgraph *graph = &xdebug->graph;
	const struct callgraph_arc *arc = graph->arcs;
	struct name caller, callee;

	while (!arc->is_back)
		arc++;
	caller = model_name(graph->model, NAME_FUNCTION, graph->model->functions[arc->caller].name);
	callee = model_name(graph->model, NAME_FUNCTION, graph->model->functions[arc->callee].name);
	return profile_error_set(&xdebug->conversion->error, PROFILE_STOPPED,
				 "--to=xdebug: expected no cycles, but '%.60s' calls '%.60s'; "
				 "--break-cycles leaves such calls out",
				 caller.text, callee.text);
}

static int write_all(struct xdebug *xdebug)
{
	const struct callgraph *graph = &xdebug->graph;
	uint64_t totals[PROFILE_MAX_EVENTS];

	if (!callgraph_sort(&xdebug->graph))
		return PROFILE_NO_MEMORY;
	if (graph->n_back > 0 && !xdebug->conversion->break_cycles)
		return refuse(xdebug);
	if (!model_totals(graph->model, totals))
		return PROFILE_RANGE;
	put_header(xdebug);
	for (size_t i = graph->n; i > 0; i--)
		put_block(xdebug, graph->order[i - 1]);
	out_text(&xdebug->out, "summary: ");
	out_decimal(&xdebug->out, totals[0]);
	out_text(&xdebug->out, "\n\n");
	return PROFILE_OK;
}

int to_xdebug(struct conversion *conversion)
{
	const struct model *model = conversion->model;
	const struct env *env = model->env;
	struct xdebug xdebug = { .conversion = conversion };
	int status = callgraph_init(&xdebug.graph, model);

	out_init(&xdebug.out, conversion->env);
	if (!status) {
		xdebug.file_ids =
			heap_zeroed(env, model->names[NAME_FILE].count, sizeof(*xdebug.file_ids));
		xdebug.ids = heap_zeroed(env, model->n_functions, sizeof(*xdebug.ids));
		status = xdebug.file_ids && xdebug.ids ? write_all(&xdebug) : PROFILE_NO_MEMORY;
	}
	format_close(conversion, &xdebug.out);
	callgraph_release(&xdebug.graph);
	env->release(env->ctx, xdebug.file_ids);
	env->release(env->ctx, xdebug.ids);
	return status;
}
