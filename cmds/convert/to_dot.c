/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dot: the call graph, for graphviz: boxes are functions, the redder the more they cost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/convert/formats.h"
#include "cmds/emit/visible.h"
#include "profile/analysis/callgraph.h"
#include "profile/common/cost.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"

/* Bytes: Graphviz refuses strings of over 16,384, and edges past boxes that wide, of over 65,535 points. */
enum { MAX_TEXT = 1000 };

struct dot {
	struct out out;
	struct callgraph graph;
	uint64_t total;
	unsigned decimals; /* of costs */
	bool is_inclusive; /* calls have costs of the event */
	uint32_t *order;   /* functions by name */
	uint32_t *rank;    /* by function: place there */
};

/*
 * Text within quotes, where "&amp;" is "&": valid UTF-8, control characters as blanks; "..." for what
 * is beyond MAX_TEXT.
 */
static void put_text(struct out *out, const char *text, size_t len)
{
	size_t used = 0; /* bytes written */

	for (size_t i = 0; i < len;) {
		size_t n = unicode_len(text + i, len - i);
		char c = text[i];

		if (n != 1)
			used += n > 1 ? n : strlen(UNICODE_REPLACEMENT);
		else if (c == '&')
			used += strlen("&amp;");
		else
			used += c == '"' || c == '\\' ? 2 : 1;
		if (used > MAX_TEXT) {
			out_text(out, "...");
			return;
		}
		if (n == 0) {
			out_text(out, UNICODE_REPLACEMENT);
		} else if (visible_control(text + i, len - i)) {
			out_char(out, ' ');
		} else if (n > 1) {
			out_bytes(out, text + i, n);
		} else if (c == '&') {
			out_text(out, "&amp;");
		} else {
			if (c == '"' || c == '\\')
				out_char(out, '\\');
			out_char(out, c);
		}
		i += n > 0 ? n : 1;
	}
}

static double share(const struct dot *dot, uint64_t cost)
{
	return dot->total > 0 ? (double)cost / (double)dot->total : 0;
}

static void put_count(struct dot *dot, uint64_t cost)
{
	char text[INT128_TEXT];

	int128_print_decimal(text, cost, false, dot->decimals);
	out_text(&dot->out, text);
}

/* "12.50 % (1000)" */
static void put_cost(struct dot *dot, uint64_t cost)
{
	char text[32];

	snprintf(text, sizeof(text), "%.2f %% (", 100 * share(dot, cost));
	out_text(&dot->out, text);
	put_count(dot, cost);
	out_char(&dot->out, ')');
}

static void put_function(struct dot *dot, size_t place)
{
	const struct model *model = dot->graph.model;
	uint32_t function = dot->order[place];
	const struct model_function *f = &model->functions[function];
	const struct name name = model_name(model, NAME_FUNCTION, f->name);
	const struct name file = model_name(model, NAME_FILE, f->file);
	uint64_t inclusive = callgraph_inclusive(&dot->graph, function);
	double heat = share(dot, inclusive);
	struct out *out = &dot->out;
	char color[64];

	out_text(out, "\tf");
	out_decimal(out, place);
	out_text(out, " [label=\"");
	put_text(out, name.text, name.len);
	out_text(out, "\\n");
	if (dot->is_inclusive) {
		put_cost(dot, inclusive);
		out_text(out, "\\n");
	}
	out_text(out, "self ");
	put_cost(dot, callgraph_self(&dot->graph, function));
	out_text(out, "\", tooltip=\"");
	put_text(out, file.text, file.len);
	/* From light blue over yellow to red. */
	snprintf(color, sizeof(color), "\", fillcolor=\"%.3f %.3f 1.000\"];\n",
		 heat >= 1 ? 0.0 : 0.6 * (1 - heat), heat >= 1 ? 0.7 : 0.15 + 0.55 * heat);
	out_text(out, color);
}

/* Calls of one function by another one, from all lines; returns the next arc. */
static size_t put_calls(struct dot *dot, size_t first, int *status)
{
	const struct callgraph_arc *arcs = dot->graph.arcs;
	const uint64_t *bound =
		inclusive_bound(&dot->graph.sums, arcs[first].caller, arcs[first].callee);
	uint64_t count = 0, cost = 0;
	struct out *out = &dot->out;
	size_t i = first;

	for (; i < dot->graph.n_arcs && arcs[i].caller == arcs[first].caller &&
	       arcs[i].callee == arcs[first].callee;
	     i++) {
		cost_add_nested(&cost, arcs[i].cost, false);
		if (!cost_add(&count, arcs[i].count, false))
			*status = PROFILE_RANGE;
	}
	out_text(out, "\tf");
	out_decimal(out, dot->rank[arcs[first].caller]);
	out_text(out, " -> f");
	out_decimal(out, dot->rank[arcs[first].callee]);
	out_text(out, " [label=\"");
	out_decimal(out, count);
	out_text(out, dot->is_inclusive ? " x\\n" : " x\"];\n");
	if (!dot->is_inclusive)
		return i;
	if (bound && cost > *bound) {
		out_text(out, "recursive, ");
		cost = *bound;
	}
	put_cost(dot, cost);
	out_text(out, "\"];\n");
	return i;
}

static int write_all(struct dot *dot, const struct conversion *conversion)
{
	const struct model *model = conversion->model;
	const struct part *part = model->n_parts > 0 ? &model->parts[0].header : NULL;
	const char *title = part && part->cmd ? part->cmd : "???";
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct out *out = &dot->out;
	int status = PROFILE_OK;

	dot->order = model_functions_by_name(model);
	dot->rank = heap_zeroed(model->n_functions, sizeof(*dot->rank));
	if (!model_totals(model, totals))
		return PROFILE_RANGE;
	dot->total = totals[0];
	dot->decimals = format_decimals(conversion);
	dot->is_inclusive = event_is_inclusive(format_event(conversion));
	out_text(out, "digraph \"");
	put_text(out, title, strlen(title));
	out_text(out, "\" {\n\tlabel=\"");
	put_text(out, format_event(conversion), strlen(format_event(conversion)));
	out_text(out, ": ");
	put_count(dot, dot->total);
	out_text(out, dot->decimals ? " cycles" : "");
	out_text(out, "\";\n\tnode [shape=box, style=filled, fontname=\"Helvetica\"];\n"
		      "\tedge [fontname=\"Helvetica\"];\n");
	for (size_t i = 0; i < model->n_functions; i++) {
		dot->rank[dot->order[i]] = (uint32_t)i;
		put_function(dot, i);
	}
	for (size_t i = 0; i < dot->graph.n_arcs && !status;)
		i = put_calls(dot, i, &status);
	out_text(out, "}\n");
	return status;
}

int to_dot(struct conversion *conversion)
{
	struct dot dot = { .order = NULL };
	int status = callgraph_init(&dot.graph, conversion->model);

	out_init(&dot.out, conversion->env);
	if (!status)
		status = write_all(&dot, conversion);
	format_close(conversion, &dot.out);
	callgraph_release(&dot.graph);
	free(dot.order);
	free(dot.rank);
	return status;
}
