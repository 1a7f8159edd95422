/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What people read first: what ran, on which machine, what it cost in all and what that went into; and below the list
 * of functions, which calls of libraries own code makes, since a function of a library is not where to begin.
 */
#define _GNU_SOURCE /* memrchr() */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/annotate/annotate.h"
#include "cmds/emit/visible.h"
#include "profile/analysis/mostly.h"
#include "profile/analysis/owncode.h"
#include "profile/common/desc.h"
#include "profile/common/heap.h"

/* -- what ran, and what it cost ---------------------------------------------------------------- */

/* ", on AMD EPYC (zen5)", of "Machine: host, AMD EPYC (AMD, family 26, model 2)" and "Core: zen5, width 8". */
static void put_machine(struct document *document, const struct model *model)
{
	const char *machine = model_desc(model, "Machine"), *core = model_desc(model, "Core");
	const struct name name = processor_name(model);

	if (!machine)
		return;
	document_prose(document, ", on ");
	document_styled(document, STYLE_PLAIN, name.text, name.len);
	if (!core || lacks_core(model) || strncmp(machine, "host,", 5) != 0)
		return;
	document_prose(document, " (");
	document_styled(document, STYLE_PLAIN, core, strcspn(core, ","));
	document_prose(document, ")");
}

static int128 total_of(const struct annotation *annotation, const struct metric *metric)
{
	return metric_value(metric, annotation->totals.costs, annotation->model->is_signed);
}

/* "40.3 M cycles", "40,312,345 cycles" */
static void put_number(struct rendering *rendering, const struct metric *metric, const char *unit)
{
	const struct annotation *annotation = rendering->annotation;
	struct document *document = &rendering->document;
	char text[COSTCELLS_TEXT];
	const int128 value = total_of(annotation, metric);

	if (annotation->options->is_run)
		int128_print_scaled(text, value, metric->decimals.people, COSTCELLS_SCALED_FROM);
	else
		int128_print_whole(text, value, metric->decimals.people);
	document_prose(document, "%s ", text);
	/* "Estimated cycles of misses", but no "TLB misses". */
	if (unit[0] >= 'A' && unit[0] <= 'Z' && unit[1] >= 'a' && unit[1] <= 'z' &&
	    strchr(unit, ' ')) {
		document_prose(document, "%c", unit[0] - 'A' + 'a');
		unit++;
	}
	document_words(document, unit);
}

/* "memory bound 63 % (L3), core bound 19 %": what is more than a hundredth of all cycles; lines break after a comma only. */
static void put_parts_of_cycles(struct rendering *rendering, const struct metric *cycles)
{
	const struct annotation *annotation = rendering->annotation;
	const uint64_t *totals = annotation->totals.costs;
	struct document *document = &rendering->document;
	double whole = (double)total_of(annotation, cycles);
	size_t order[MOSTLY_PARTS], n, used = 0;
	const size_t width = document_width(document);
	struct mostly mostly;

	if (annotation->model->is_signed || !mostly_init(&mostly, annotation->model))
		return;
	n = mostly_order(&mostly, totals, order);
	for (size_t i = 0; i < n; i++) {
		const struct cycle_part *part = mostly.parts[order[i]];
		double share = 100.0 * (double)totals[mostly.events[order[i]]] / whole;
		const char *level = strcmp(part->name, "CyMem") == 0 ? mostly_level(&mostly, totals)
								     : NULL;
		char text[COSTCELLS_TEXT];
		size_t len;

		if (i > 0 && share < 1.5)
			break;
		len = (size_t)snprintf(text, sizeof(text), "%s %.0f %%%s%s%s", part->term, share,
				       level ? " (" : "", level ? level : "", level ? ")" : "");
		/* A comma may follow. */
		if (i > 0 && width > 0 && used + strlen(", ") + len + 1 > width) {
			document_prose(document, ",\n%s", text);
			used = len;
		} else {
			document_prose(document, "%s%s", i > 0 ? ", " : "", text);
			used += (i > 0 ? strlen(", ") : 0) + len;
		}
	}
	document_prose(document, "%s", n > 0 ? "\n" : "");
}

/* Without cycles: the rates that are not 0, "D1 miss rate 3.2 %". */
static void put_rates_briefly(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	struct document *document = &rendering->document;
	const char *separator = "";

	for (size_t i = 0; i < annotation->n_rates; i++) {
		const struct run_rate *rate = &annotation->rates[i];

		if (rate->kind != RUN_RATE_PERCENT || !(rate->ratio >= 0.05))
			continue;
		document_prose(document, "%s%s %.1f %%", separator, rate->label, rate->ratio);
		separator = ", ";
	}
	document_prose(document, "%s", separator[0] != '\0' ? "\n" : "");
}

/* How threads were mapped to simulated cores, since what their misses say depends on it; and that cycles are a sum. */
static void put_threads(struct rendering *rendering, bool has_cycles)
{
	const struct model *model = rendering->annotation->model;
	const char *threads = model_desc(model, "Threads"), *cores = model_desc(model, "Cores");
	struct document *document = &rendering->document;

	if (!threads || (!has_cycles && !model_desc(model, "D1 cache")))
		return;
	document_prose(document, "%s threads", threads);
	if (cores)
		document_prose(document, " on %.*s simulated cores", (int)strcspn(cores, ","),
			       cores);
	else
		document_prose(document, " took turns on one simulated core%s",
			       model_desc(model, "L2 cache") ? " (--cores)" : "");
	document_prose(document, "%s\n", has_cycles ? ", cycles are their sum" : "");
}

void summary_put(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct model *model = annotation->model;
	const struct metric *cycles = metrics_named(&annotation->columns.metrics, EVENT_CYCLES);
	const struct metric *instructions = metrics_named(&annotation->columns.metrics, "Ir");
	const struct metric *sort =
		&annotation->columns.metrics.all[annotation->columns.keys[0].metric];
	const struct model_part *part = model->n_parts > 0 ? &model->parts[0] : NULL;
	const bool is_estimated = strcmp(sort->name, EVENT_ESTIMATE) == 0;
	const bool has_cycles = cycles && !annotation->columns.metrics.has_own_estimate;
	const char *trigger = model_desc(model, "Trigger");
	struct document *document = &rendering->document;

	if (annotation->options->difference) {
		document_prose(document, "NEW - OLD of ");
		document_words(document, model->parts[0].file);
		document_prose(document, " and ");
		document_words(document, model->parts[model->n_parts - 1].file);
		document_prose(document, ": ");
	} else if (part && !annotation->options->is_run) {
		document_words(document, part->header.cmd ? part->header.cmd
					 : part->file     ? part->file
							  : "???");
		if (model->n_parts > 1)
			document_prose(document, " (%zu parts)", model->n_parts);
		document_prose(document, ": ");
	}
	if (has_cycles) {
		int128 of_cycles = total_of(annotation, cycles);

		put_number(rendering, cycles, "cycles");
		if (instructions && of_cycles > 0 && !model->is_signed)
			document_prose(document, ", %.2f instructions per cycle",
				       10.0 * (double)total_of(annotation, instructions) /
					       (double)of_cycles);
	} else if (instructions) {
		put_number(rendering, instructions, "instructions");
		if (sort != instructions) {
			document_prose(document, ", ");
			put_number(rendering, sort, sort->name);
		}
	} else {
		put_number(rendering, sort, sort->long_name ? sort->long_name : sort->name);
	}
	put_machine(document, model);
	if (annotation->totals.kind == TOTALS_CORRECTED)
		document_prose(document,
			       " (the sum of all costs, as what the profile says cannot be right)");
	document_prose(document, "\n");
	if (has_cycles)
		put_parts_of_cycles(rendering, cycles);
	else
		put_rates_briefly(rendering);
	if (is_estimated && instructions && !cycles &&
	    !annotation->columns.metrics.has_own_estimate)
		document_prose(document, "%s, so the order is by EstCyc, an estimate%s\n",
			       lacks_core(model) ? "this machine has no core table"
						 : "no cycles were recorded (--cycles=yes)",
			       lacks_core(model) ? " (--machine=NAME simulates one that has)" : "");
	put_threads(rendering, has_cycles);
	/* As env and wrappers do: what costs is what they start. */
	if (model->n_parts == 1 && trigger && strcmp(trigger, "exec") == 0)
		document_prose(document, "it executed another program in its place; costgrind run "
					 "--trace-children=yes profiles that, too\n");
	document_prose(document, "\n");
}

/* -- places ------------------------------------------------------------------------------------ */

/* What a line costs, of all its instructions. */
struct line_cost {
	uint64_t line;
	int128 value;
};

static int compare_lines(const void *left, const void *right)
{
	const struct line_cost *a = left, *b = right;

	return a->line < b->line ? -1 : a->line > b->line;
}

uint64_t function_line(const struct annotation *annotation, uint32_t function)
{
	const struct model *model = annotation->model;
	const struct metric *sort =
		&annotation->columns.metrics.all[annotation->columns.keys[0].metric];
	struct line_cost *all = NULL, most = { 0, 0 }, sum = { 0, 0 };
	size_t n = 0, capacity = 0;
	struct model_cursor cursor;
	struct model_line line;

	for (uint32_t part = 0; part < model_cost_parts(model); part++) {
		model_lines(model, function, part, &cursor);
		while (model_next_line(&cursor, &line)) {
			if (line.file != model->functions[function].file || line.at.line == 0)
				continue;
			all = heap_grow(all, &capacity, n + 1, sizeof(*all));
			all[n++] = (struct line_cost){
				line.at.line, metric_value(sort, line.costs, model->is_signed)
			};
		}
	}
	if (n > 0)
		qsort(all, n, sizeof(*all), compare_lines);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || all[i].line != sum.line)
			sum = (struct line_cost){ all[i].line, 0 };
		sum.value += all[i].value;
		if (most.line == 0 || sum.value > most.value)
			most = sum;
	}
	free(all);
	return most.line;
}

const char *function_place(const struct model *model, uint32_t function, uint64_t line,
			   struct arena *arena)
{
	const struct model_function *names = &model->functions[function];
	struct name name;
	const char *end;

	if (names->file != DICTIONARY_UNKNOWN) {
		char number[32] = "", *text;

		name = filename_base(model_name(model, NAME_FILE, names->file));
		if (line != 0)
			snprintf(number, sizeof(number), ":%" PRIu64, line);
		text = arena_alloc(arena, name.len + strlen(number) + 1, 1);
		memcpy(text, name.text, name.len);
		memcpy(text + name.len, number, strlen(number) + 1);
		return text;
	}
	if (names->object == DICTIONARY_UNKNOWN)
		return "";
	/* "libc" of "/usr/lib/libc.so.6" */
	name = filename_base(model_name(model, NAME_OBJECT, names->object));
	end = memmem(name.text, name.len, ".so", 3);
	if (end && end > name.text && (end + 3 == name.text + name.len || end[3] == '.'))
		name.len = (size_t)(end - name.text);
	return arena_copy(arena, name.text, name.len);
}

/* -- calls of libraries ------------------------------------------------------------------------ */

/* Finds from which lines of the caller's file the callee is called, and which of them costs most. */
static void find_lines_of_call(const struct annotation *annotation, struct own_call *own)
{
	const struct model *model = annotation->model;
	const struct metric *sort =
		&annotation->columns.metrics.all[annotation->columns.keys[0].metric];
	struct line_cost *all = NULL, sum = { 0, 0 }, most = { 0, 0 };
	size_t n = 0, capacity = 0;
	struct model_cursor cursor;
	struct model_call call;

	/* Of Python, the line is where the caller begins. */
	if (owncode_is_python(model, own->caller))
		return;
	model_calls(model, own->caller, 0, &cursor);
	while (model_next_call(&cursor, &call)) {
		if (call.callee != own->callee || call.at.line == 0 ||
		    call.file != model->functions[own->caller].file)
			continue;
		all = heap_grow(all, &capacity, n + 1, sizeof(*all));
		all[n++] =
			(struct line_cost){ call.at.line, metric_value(sort, call.costs, false) };
	}
	if (n > 0)
		qsort(all, n, sizeof(*all), compare_lines);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || all[i].line != sum.line) {
			sum = (struct line_cost){ all[i].line, 0 };
			own->n_lines++;
		}
		sum.value += all[i].value;
		if (most.line == 0 || sum.value > most.value)
			most = sum;
	}
	own->line = most.line;
	free(all);
}

/* Calls within a recursion are in each other: they cost no more than the function, or the cycle, does. */
static const uint64_t *bounded(const struct annotation *annotation, const struct call_edge *edge)
{
	const size_t n = annotation->model->n_events;
	const uint64_t *bound = annotation->has_bounds ? inclusive_bound(&annotation->inclusive,
									 edge->caller, edge->callee)
						       : NULL;

	for (size_t i = 0; bound && i < n; i++)
		edge->costs[i] = edge->costs[i] < bound[i] ? edge->costs[i] : bound[i];
	return edge->costs;
}

/* Where there is no own code: who calls the function that costs most, if that is much. */
static int calls_of_hottest(struct annotation *annotation)
{
	enum { LEAST_SHARE = 10, MOST = 2 };
	const struct model *model = annotation->model;
	const struct metric *sort =
		&annotation->columns.metrics.all[annotation->columns.keys[0].metric];
	const uint32_t hottest = annotation->listing.n > 0 ? annotation->listing.entries[0].function
							   : MODEL_NO_FUNCTION;
	const uint64_t *self = hottest == MODEL_NO_FUNCTION ? NULL
							    : annotation->self_costs.self[hottest];
	struct own_call *calls = annotation->own_calls;
	struct call_edge_list edges;
	uint32_t *wanted;
	int status;

	if (!self || annotation->n_python > 0 || owncode_is_own(model, hottest) ||
	    100 * metric_value(sort, self, false) < LEAST_SHARE * total_of(annotation, sort))
		return PROFILE_OK;
	wanted = heap_zeroed(model->n_functions + 1, sizeof(*wanted));
	wanted[hottest] = 1;
	status = call_edges_collect(&edges, model, wanted, TREE_CALLERS, &annotation->arena);
	for (size_t i = 0; !status && i < edges.n; i++) {
		const struct call_edge *edge = &edges.all[i];
		const int128 cost = metric_value(sort, bounded(annotation, edge), false);
		size_t at = annotation->n_own_calls;

		if (edge->callee != hottest || edge->caller == hottest ||
		    cost * 100 < total_of(annotation, sort))
			continue;
		while (at > 0 && metric_value(sort, calls[at - 1].costs, false) < cost)
			at--;
		if (at == MOST)
			continue;
		if (annotation->n_own_calls < MOST)
			annotation->n_own_calls++;
		memmove(&calls[at + 1], &calls[at],
			(annotation->n_own_calls - 1 - at) * sizeof(*calls));
		calls[at] = (struct own_call){ .caller = edge->caller,
					       .callee = edge->callee,
					       .count = edge->count,
					       .costs = edge->costs };
	}
	annotation->has_no_own_calls = true;
	call_edges_release(&edges);
	free(wanted);
	return status;
}

int own_calls_make(struct annotation *annotation)
{
	const struct model *model = annotation->model;
	const struct metric *sort =
		&annotation->columns.metrics.all[annotation->columns.keys[0].metric];
	const int128 whole = total_of(annotation, sort);
	struct own_call *own = annotation->own_calls;
	uint32_t *is_own = heap_zeroed(model->n_functions + 1, sizeof(*is_own));
	struct call_edge_list edges;
	int status;

	if (model->is_signed) {
		free(is_own);
		return PROFILE_OK;
	}
	for (uint32_t i = 0; i < model->n_functions; i++)
		is_own[i] = owncode_is_own(model, i);
	status = call_edges_collect(&edges, model, is_own, TREE_CALLEES, &annotation->arena);
	for (size_t i = 0; !status && i < edges.n; i++) {
		const struct call_edge *edge = &edges.all[i];
		int128 cost = metric_value(sort, bounded(annotation, edge), false);
		size_t at = annotation->n_own_calls;

		if (!is_own[edge->caller] || is_own[edge->callee] || cost * 100 < whole ||
		    cost == 0)
			continue;
		while (at > 0 && metric_value(sort, own[at - 1].costs, false) < cost)
			at--;
		if (at == OWN_CALLS_MAX)
			continue;
		if (annotation->n_own_calls < OWN_CALLS_MAX)
			annotation->n_own_calls++;
		memmove(&own[at + 1], &own[at], (annotation->n_own_calls - 1 - at) * sizeof(*own));
		own[at] = (struct own_call){ .caller = edge->caller,
					     .callee = edge->callee,
					     .count = edge->count,
					     .costs = edge->costs };
	}
	call_edges_release(&edges);
	free(is_own);
	if (!status && annotation->n_own_calls == 0)
		status = calls_of_hottest(annotation);
	for (size_t i = 0; i < annotation->n_own_calls; i++)
		find_lines_of_call(annotation, &own[i]);
	return status;
}

/* A function's name, of at most `room` columns, or of any if that is 0. */
static void make_short_name(struct bytes *text, const struct model *model, uint32_t function,
			    size_t room)
{
	struct name name = model_name(model, NAME_FUNCTION, model->functions[function].name);

	shortname_make(text, name.text, name.len, room > 0 ? room : SIZE_MAX);
}

/* " d.c:32 (360,000 calls)", ", 3 lines, most :32 (7 calls)": what follows a caller's name.  The text is the arena's. */
static const char *after_caller(struct rendering *rendering, const struct own_call *own)
{
	const struct model *model = rendering->annotation->model;
	char count[INT128_TEXT];
	struct bytes text;
	const char *copy;
	char *end;

	bytes_init(&text);
	if (own->n_lines > 1) {
		end = heap_print(", %zu lines, most :%" PRIu64, own->n_lines, own->line);
		bytes_add_text(&text, end);
		free(end);
	} else {
		bytes_add_text(&text, " ");
		bytes_add_text(&text,
			       function_place(model, own->caller, own->line, &rendering->arena));
	}
	int128_print(count, own->count, true);
	end = heap_print(" (%s call%s)", count, own->count == 1 ? "" : "s");
	bytes_add_text(&text, end);
	free(end);
	copy = arena_copy(&rendering->arena, text.text, text.len);
	bytes_release(&text);
	return copy;
}

void own_calls_put(struct rendering *rendering)
{
	const struct annotation *annotation = rendering->annotation;
	const struct model *model = annotation->model;
	const struct metric *sort =
		&annotation->columns.metrics.all[annotation->columns.keys[0].metric];
	struct document *document = &rendering->document;
	enum { OF_LABEL = 17, LEAST = 20 }; /* of both names */
	struct bytes caller, callee;

	if (!document_is_prose(document) || document_is_short(document) || !annotation->is_few)
		return;
	bytes_init(&caller);
	bytes_init(&callee);
	for (size_t i = 0; i < annotation->n_own_calls; i++) {
		const struct own_call *own = &annotation->own_calls[i];
		char share[COSTCELLS_TEXT];

		costcells_percent(share, metric_value(sort, own->costs, false),
				  total_of(annotation, sort));
		const char *end = after_caller(rendering, own);
		size_t used = OF_LABEL + visible_width(end, strlen(end)), width, room;

		used += strlen("   <- ") + costcells_percent(share,
							     metric_value(sort, own->costs, false),
							     total_of(annotation, sort));
		width = document_width(document);
		room = width == 0 ? 0 : width > used + LEAST ? width - used : LEAST;
		/* A caller with a short name leaves the rest to the callee. */
		make_short_name(&caller, model, own->caller, room / 2);
		make_short_name(&callee, model, own->callee,
				room > 0 ? room - visible_width(caller.text, caller.len) : 0);
		document_prose(document, "%-*s", OF_LABEL,
			       i > 0                          ? ""
			       : annotation->has_no_own_calls ? "called by:"
							      : "from your code:");
		document_styled(document, STYLE_STRONG, callee.text, callee.len);
		document_prose(document, " %s  <- ", share);
		document_styled(document, STYLE_STRONG, caller.text, caller.len);
		document_words(document, end);
		document_prose(document, "\n");
	}
	bytes_release(&caller);
	bytes_release(&callee);
	document_prose(document, "%s", annotation->n_own_calls > 0 ? "\n" : "");
}

void first_finding_put(struct rendering *rendering)
{
	const struct findings *findings = &rendering->annotation->findings;
	struct document *document = &rendering->document;

	if (findings->n == 0)
		return;
	document_prose(document, "why: ");
	document_words(document, findings->all[0].claim);
	document_prose(document, "\n\n");
}
