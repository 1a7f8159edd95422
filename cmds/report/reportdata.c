/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table after the other, texts last, since all others add to them. */
#include "cmds/report/report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/emit/json.h"
#include "cmds/listing/listing.h"
#include "profile/analysis/metric.h"
#include "profile/analysis/mostly.h"
#include "profile/common/desc.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "writer/origin.h"

/* -- events ---------------------------------------------------------------------------- */

/* "Cycles of AMD EPYC (tenths)" of "Cycles of host (tenths)", as "host" is another processor elsewhere; the caller frees it. */
static char *name_processor(const struct model *model, const char *long_name)
{
	static const char cycles_of[] = "Cycles of ", host[] = "host";
	const size_t len = strlen(cycles_of);
	const struct name name = processor_name(model);

	if (!long_name)
		return heap_copy("");
	if (!name.text || strncmp(long_name, cycles_of, len) != 0 ||
	    strncmp(long_name + len, host, strlen(host)) != 0)
		return heap_copy(long_name);
	return heap_print("%s%.*s%s", cycles_of, (int)name.len, name.text,
			  long_name + len + strlen(host));
}

/* Begins the object of one. */
static void begin_metric(const char *name, const char *long_name, const struct metric *metric,
			 struct json *json)
{
	json_object(json, NULL, true);
	json_string(json, "name", name);
	json_string(json, "long", long_name ? long_name : "");
	/* Of values as people see them; most have none. */
	if (metric->decimals.people > 0)
		json_count(json, "decimals", metric->decimals.people);
}

void reportevents_write(const struct model *model, const size_t *events,
			const struct metrics *metrics, size_t main_metric, struct json *json)
{
	json_array(json, "events", true);
	for (size_t i = 0; i < metrics->n_events; i++) {
		const struct model_event *event = &model->events[events ? events[i] : i];
		const struct event_info *info = event_find(event->name);
		const char *usual = info ? info->long_name : NULL;

		begin_metric(event->name, event->long_name ? event->long_name : usual,
			     &metrics->all[i], json);
		json_close(json);
	}
	json_close(json);
	json_count(json, "event", main_metric);
	json_array(json, "derived", true);
	for (size_t i = metrics->n_events; i < metrics->n; i++) {
		const struct metric *metric = &metrics->all[i];
		char *long_name = name_processor(model, metric->long_name);
		int64_t weights[PROFILE_MAX_EVENTS] = { 0 };

		for (size_t j = 0; j < metric->n_terms; j++)
			weights[metric->terms[j].event] = metric->terms[j].factor;
		begin_metric(metric->name, long_name, metric, json);
		free(long_name);
		json_array(json, "weights", true);
		for (size_t j = 0; j < metrics->n_events; j++)
			json_cost(json, NULL, (uint64_t)weights[j], true);
		json_close(json);
		json_close(json);
	}
	json_close(json);
}

/* Numbers of functions' costs by part at most; with more, only the totals are in the report. */
enum { MOST_PART_COSTS = 20 * 1000 * 1000 };

/* -- headers ---------------------------------------------------------------------------- */

/* True unless a part says something else; all but the first one may say nothing. */
static bool agrees(const struct part *part, const struct part_desc *desc)
{
	bool says = false;

	/* There may be several of a type. */
	for (size_t i = 0; i < part->n_descs; i++) {
		if (strcmp(part->descs[i].type, desc->type) != 0)
			continue;
		if (strcmp(part->descs[i].value, desc->value) == 0)
			return true;
		says = true;
	}
	return !says;
}

/*
 * "headers": lines that the parts of a model agree on, except lines about one part, and the folder with its seal.
 */
static void write_headers(const struct model *model, struct json *json)
{
	const struct part *first = model->n_parts > 0 ? &model->parts[0].header : NULL;
	struct bytes line;

	bytes_init(&line);
	json_array(json, "headers", true);
	for (size_t i = 0; first && i < first->n_descs; i++) {
		const struct part_desc *desc = &first->descs[i];
		bool is_common = strcmp(desc->type, "Trigger") != 0 &&
				 strcmp(desc->type, "Timerange") != 0 &&
				 strcmp(desc->type, ORIGIN_DESC) != 0;

		for (size_t j = 1; j < model->n_parts && is_common; j++)
			is_common = agrees(&model->parts[j].header, desc);
		if (!is_common)
			continue;
		bytes_reset(&line);
		bytes_add_text(&line, desc->type);
		bytes_add_text(&line, ": ");
		bytes_add_text(&line, desc->value);
		json_text(json, NULL, line.text, line.len);
	}
	json_close(json);
	bytes_release(&line);
}

/* -- parts ------------------------------------------------------------------------------ */

static void write_number(struct json *json, const char *key, bool has, uint64_t number)
{
	if (has)
		json_count(json, key, number);
	else
		json_null(json, key);
}

static void write_part(const struct reportrows *rows, size_t i, struct json *json)
{
	const struct reportrows_side *side = &rows->sides[SIDE_MAIN];
	const struct model_part *part = &side->model->parts[i];
	const struct part *header = &part->header;
	const char *trigger = part_desc_of(header, "Trigger"),
		   *range = part_desc_of(header, "Timerange");
	const char *rank =
		part_desc_of(header, "Rank"); /* of a thread that a merge made of a profile */
	char name[96];
	int len = snprintf(name, sizeof(name), "part %" PRIu64,
			   header->has_number ? header->number : (uint64_t)i + 1);

	if (header->has_thread && rank && part_desc_of(header, "Input") &&
	    strtoull(rank, NULL, 10) == header->thread)
		snprintf(name + len, sizeof(name) - (size_t)len, ", rank %.40s", rank);
	else if (header->has_thread)
		snprintf(name + len, sizeof(name) - (size_t)len, ", thread %" PRIu64,
			 header->thread);
	json_object(json, NULL, true);
	json_string(json, "name", name);
	write_number(json, "pid", header->has_pid, header->pid);
	write_number(json, "part", header->has_number, header->number);
	write_number(json, "thread", header->has_thread, header->thread);
	json_string(json, "trigger", trigger ? trigger : "");
	json_string(json, "range", range ? range : "");
	json_array(json, "totals", true);
	for (size_t e = 0; e < rows->n_events; e++) {
		size_t event = side->events[e];

		json_cost(json, NULL, event < part->n ? part->sums[event] : 0,
			  side->model->is_signed);
	}
	json_close(json);
	json_close(json);
}

/* What functions cost in a part. */
struct part_costs {
	struct inclusive sums;
	const uint32_t *functions; /* of the model with its parts apart, by row */
	bool is_inclusive;
};

static uint64_t part_cost(const void *ctx, size_t row, size_t event)
{
	const struct part_costs *part = ctx;
	const uint32_t function = part->functions[row];

	if (function == MODEL_NO_FUNCTION)
		return 0;
	return (part->is_inclusive ? inclusive_of(&part->sums, function)
				   : inclusive_self(&part->sums, function))[event];
}

static int write_part_costs(const struct reportrows *rows, const struct model *apart,
			    const uint32_t *functions, bool is_inclusive, struct json *json)
{
	const struct reportrows_side *side = &rows->sides[SIDE_MAIN];
	int status = PROFILE_OK;

	json_array(json, is_inclusive ? "parts_inclusive" : "parts_self", true);
	for (uint32_t part = 0; !status && part < apart->n_parts; part++) {
		const struct inclusive_options options = {
			.part = part,
			.events = side->events,
			.n_events = rows->n_events,
		};
		struct part_costs costs = { .functions = functions, .is_inclusive = is_inclusive };
		const struct reporttable table = { part_cost, &costs, rows->n,
						   side->model->is_signed };

		status = inclusive_compute(&costs.sums, apart, &options);
		if (!status)
			reporttable_costs(&table, NULL, rows->n_events, json);
		inclusive_release(&costs.sums);
	}
	json_close(json);
	return status;
}

/*
 * "headers", "parts", "parts_self" and "parts_inclusive" of the data; apart is the model with its
 * parts apart, NULL if it has one.  Returns a status.
 */
static int write_parts(const struct reportrows *rows, const struct model *apart, struct json *json)
{
	const struct model *model = rows->sides[SIDE_MAIN].model;
	uint32_t *functions; /* of apart, by row */
	int status;

	write_headers(model, json);
	json_array(json, "parts", true);
	for (size_t i = 0; i < model->n_parts; i++)
		write_part(rows, i, json);
	json_close(json);
	if (!apart || apart->n_parts * rows->n * rows->n_events > MOST_PART_COSTS) {
		json_null(json, "parts_self");
		json_null(json, "parts_inclusive");
		return PROFILE_OK;
	}
	functions = heap_zeroed(rows->n, sizeof(*functions));
	memset(functions, 0xff, rows->n * sizeof(*functions)); /* MODEL_NO_FUNCTION */
	for (uint32_t i = 0; i < apart->n_functions; i++) {
		uint32_t row = reportrows_find(rows, SIDE_MAIN, apart, i);

		if (row != MODEL_NO_FUNCTION)
			functions[row] = i;
	}
	status = write_part_costs(rows, apart, functions, false, json);
	if (!status)
		status = write_part_costs(rows, apart, functions, true, json);
	free(functions);
	return status;
}

/* -- what a function belongs to, by its name ----------------------------------- */

/* True if a word is followed by something. */
static bool begins(const char *text, size_t len, const char *word)
{
	return len > strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

/*
 * The part of a demangled name (C++, Rust, PHP) before the last "::" or "->" that is not within
 * brackets or parameters: "ns::list<int>" of "void ns::list<int>::add<char>(ns::x)", without callers and level of
 * recursion ("f'main'2").  Returns it as a piece of the name, *len bytes; none if it is 0.
 */
static const char *classname_find(const char *name, size_t name_len, size_t *len)
{
	size_t start = 0, end = 0, depth = 0;

	for (size_t i = 0; i < name_len; i++) {
		char c = name[i];
		size_t left = name_len - i;

		/* "(anonymous namespace)::f" */
		if (c == '(' && depth == 0 && i > start && !begins(name + i, left, "(anonymous "))
			break;
		/* Of operators, which may be brackets, only the first letters count. */
		if (depth == 0 &&
		    (c == '\'' ||
		     ((i == start || i == end + 2) && begins(name + i, left, "operator") &&
		      strchr("<>=!+-*/%^&|~,()[] ", name[i + strlen("operator")]))))
			break;
		if (depth == 0 && left > 1 &&
		    (memcmp(name + i, "::", 2) == 0 || memcmp(name + i, "->", 2) == 0))
			end = i++;
		else if (c == '<' || c == '(' || c == '{' || c == '[')
			depth++;
		else if ((c == '>' || c == ')' || c == '}' || c == ']') && depth > 0)
			depth--;
		else if (c == ' ' && depth == 0)
			start = end = i + 1; /* what was before is the type that is returned */
	}
	*len = end > start ? end - start : 0;
	return name + start;
}

/* -- the data ------------------------------------------------------------------ */

struct data_writing {
	const struct report_input *input;
	struct report_taken *taken;
	struct json json;
	struct reportnames names;
	struct reportrows rows;
	struct reportlines *lines;
	bool is_packed; /* lines are */
	struct reportsources sources;
	struct reportcode *code;
	struct reporttree *tree;
	struct metrics metrics; /* of the report's events */
	size_t main_metric;     /* that is shown first */
	struct arena arena;
};

/* -- what was recorded -------------------------------------------------------------------- */

/* The first text that a part says: of the command, or of what made the profile. */
static const char *find_text(const struct model *model, bool is_command)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *header = &model->parts[i].header;
		const char *text = is_command ? header->cmd : header->creator;

		if (text)
			return text;
	}
	return "";
}

static void write_totals(struct data_writing *writing, enum report_side i)
{
	const struct reportrows_side *side = &writing->rows.sides[i];

	json_array(&writing->json, "totals", true);
	for (size_t e = 0; e < writing->rows.n_events; e++)
		json_cost(&writing->json, NULL, side->totals[e], side->model->is_signed);
	json_close(&writing->json);
}

/* How many functions are without lines and code, and what they cost. */
static int write_left_out(struct data_writing *writing)
{
	const struct reportrows *rows = &writing->rows;
	bool is_signed = writing->input->model->is_signed;
	uint64_t sums[PROFILE_MAX_EVENTS] = { 0 }, n = 0;
	char share[32];

	for (size_t row = 0; row < rows->n; row++) {
		const uint64_t *self = reportrows_self(rows, SIDE_MAIN, row);

		n += !rows->is_detailed[row];
		if (rows->is_detailed[row] || !self)
			continue;
		for (size_t e = 0; e < rows->n_events; e++)
			if (!cost_add(&sums[e], self[e], is_signed))
				return PROFILE_RANGE;
	}
	snprintf(share, sizeof(share), "%.10g", writing->input->detail / 100);
	json_word(&writing->json, "detail", share);
	json_object(&writing->json, "left_out", true);
	json_count(&writing->json, "functions", n);
	json_array(&writing->json, "costs", true);
	for (size_t e = 0; e < rows->n_events; e++)
		json_cost(&writing->json, NULL, sums[e], is_signed);
	json_close(&writing->json);
	json_close(&writing->json);
	return PROFILE_OK;
}

/* -- functions ---------------------------------------------------------------------------- */

/*
 * What rows cost on a side; of the older side, if numbers are packed, what has to be added to what they cost on the main
 * one.
 */
struct row_costs {
	const struct reportrows *rows;
	enum report_side side;
	bool is_inclusive, is_related;
};

static uint64_t row_cost(const struct row_costs *of, enum report_side side, size_t row,
			 size_t event)
{
	const uint64_t *costs = of->is_inclusive ? reportrows_inclusive(of->rows, side, row)
						 : reportrows_self(of->rows, side, row);

	return costs ? costs[event] : 0;
}

static uint64_t row_cost_at(const void *ctx, size_t row, size_t event)
{
	const struct row_costs *of = ctx;

	return row_cost(of, of->side, row, event) -
	       (of->is_related ? row_cost(of, SIDE_MAIN, row, event) : 0);
}

static void write_row_costs(struct data_writing *writing, enum report_side side, bool is_inclusive)
{
	const bool is_related = side == SIDE_OTHER && writing->is_packed;
	const struct row_costs costs = { &writing->rows, side, is_inclusive, is_related };
	const struct reporttable table = { row_cost_at, &costs, writing->rows.n,
					   is_related ||
						   writing->rows.sides[side].model->is_signed };
	const char *key = is_inclusive ? "p_inclusive" : "p_self";

	reporttable_costs(&table, is_related ? key : key + strlen("p_"), writing->rows.n_events,
			  &writing->json);
}

enum row_column { ROW_NAME, ROW_FILE, ROW_OBJECT, ROW_CLASS, ROW_CYCLE, ROW_CALLS, N_ROW_COLUMNS };

static uint64_t value_of(struct data_writing *writing, size_t row, enum row_column column)
{
	const struct reportrows_side *main_side = &writing->rows.sides[SIDE_MAIN];
	/* The side that names are of. */
	const enum report_side side = main_side->functions[row] != MODEL_NO_FUNCTION ? SIDE_MAIN
										     : SIDE_OTHER;
	const struct reportrows_side *named = &writing->rows.sides[side];
	const struct model_function *function = &named->model->functions[named->functions[row]];
	const struct name name = model_name(named->model, NAME_FUNCTION, function->name);
	const char *class_text;
	size_t class_len;

	switch (column) {
	case ROW_NAME:
		return reportnames_function(&writing->names, name.text, name.len);
	case ROW_FILE:
		return reportrows_file(&writing->rows, side, function->file);
	case ROW_OBJECT:
		return reportnames_object(&writing->names,
					  model_name(named->model, NAME_OBJECT, function->object));
	case ROW_CLASS:
		class_text = classname_find(name.text, name.len, &class_len);
		return reportnames_text(&writing->names, class_text, class_len);
	case ROW_CYCLE:
		return side == SIDE_MAIN ? main_side->sums->cycle[main_side->functions[row]] : 0;
	case ROW_CALLS:
		return reportrows_calls(&writing->rows, SIDE_MAIN, row);
	case N_ROW_COLUMNS:
		break;
	}
	return 0;
}

static void write_functions(struct data_writing *writing)
{
	static const char *const keys[N_ROW_COLUMNS] = { "name",  "file",  "object",
							 "class", "cycle", "calls" };
	const struct reportrows_side *side = &writing->rows.sides[SIDE_MAIN];
	const size_t n = writing->rows.n;
	struct json *json = &writing->json;
	bool *is_whole = heap_zeroed(n, sizeof(*is_whole)), is_any = false;

	json_object(json, "functions", true);
	for (int column = 0; column < N_ROW_COLUMNS; column++) {
		json_array(json, keys[column], true);
		for (size_t row = 0; row < n; row++)
			json_cost(json, NULL, value_of(writing, row, column),
				  side->model->is_signed);
		json_close(json);
	}
	/* Those in cycles whose inclusive cost has all their calls. */
	for (size_t row = 0; row < n; row++) {
		const uint32_t function = side->functions[row];

		is_whole[row] = function != MODEL_NO_FUNCTION && side->sums->is_whole[function];
		is_any |= is_whole[row];
	}
	if (is_any) {
		json_array(json, "whole", true);
		for (size_t row = 0; row < n; row++)
			json_count(json, NULL, is_whole[row]);
		json_close(json);
	}
	free(is_whole);
	write_row_costs(writing, SIDE_MAIN, false);
	/* Else it is what the functions and their calls cost. */
	if (!writing->is_packed)
		write_row_costs(writing, SIDE_MAIN, true);
	json_close(json);
}

static void write_other(struct data_writing *writing)
{
	struct json *json = &writing->json;
	const struct reportrows *rows = &writing->rows;
	const struct model *model = rows->sides[SIDE_OTHER].model;

	if (!model) {
		json_null(json, "other");
		return;
	}
	json_object(json, "other", true);
	json_string(json, "title", writing->input->other_title);
	json_string(json, "command", find_text(model, true));
	json_string(json, "creator", find_text(model, false));
	write_headers(model, json);
	write_totals(writing, SIDE_OTHER);
	json_object(json, "functions", true);
	write_row_costs(writing, SIDE_OTHER, false);
	write_row_costs(writing, SIDE_OTHER, true);
	json_array(json, writing->is_packed ? "p_calls" : "calls", true);
	for (size_t row = 0; row < rows->n; row++)
		json_cost(json, NULL,
			  reportrows_calls(rows, SIDE_OTHER, row) -
				  (writing->is_packed ? reportrows_calls(rows, SIDE_MAIN, row) : 0),
			  writing->is_packed || model->is_signed);
	json_close(json);
	json_close(json);
	reportlines_write_other(writing->lines, json);
	reportcode_write_other(writing->code, writing->is_packed, json);
	reporttree_write_other(writing->tree, writing->is_packed, json);
	json_close(json);
}

/* -- all of it ---------------------------------------------------------------------------- */

/* Of the model's own events, which may be more than the report's. */
static int write_lineless(struct data_writing *writing)
{
	const struct model *model = writing->input->model;
	const char *name = writing->metrics.all[writing->main_metric].name, *note;
	const struct metric_source source = metric_source_of(model, writing->input->estimate);
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct metrics metrics;

	metrics_init(&metrics, &source, &writing->arena);
	if (!model_totals(model, totals))
		return PROFILE_RANGE;
	note = lineless_note(model, &metrics.all[metrics_find(&metrics, name, strlen(name))],
			     totals, &writing->arena);
	if (note)
		json_string(&writing->json, "lineless", note);
	else
		json_null(&writing->json, "lineless");
	return PROFILE_OK;
}

/* The number of a model's event among the report's; their number if it is not among them. */
static size_t event_of(const struct data_writing *writing, size_t event)
{
	const size_t *events = writing->rows.sides[SIDE_MAIN].events;
	size_t i = 0;

	while (i < writing->rows.n_events && events[i] != event)
		i++;
	return i;
}

/* The events of reads and of writes; null: there is none. */
static void write_level_events(struct data_writing *writing, const char *key,
			       const size_t events[2])
{
	json_array(&writing->json, key, true);
	for (int k = 0; k < 2; k++) {
		const size_t event = event_of(writing, events[k]);

		if (event < writing->rows.n_events)
			json_count(&writing->json, NULL, event);
		else
			json_null(&writing->json, NULL);
	}
	json_close(&writing->json);
}

/* "memory_levels": what says which level of memory costs are of, where they have parts of cycles. */
static void write_levels(struct data_writing *writing)
{
	const struct model *model = writing->input->model;
	const size_t n = writing->rows.n_events;
	struct json *json = &writing->json;
	struct mostly mostly;

	if (model->is_signed || !mostly_init(&mostly, model) || mostly.n_levels == 0)
		return;
	for (size_t i = 0; i < mostly.n_levels; i++)
		if (event_of(writing, mostly.levels[i].asked[0]) == n)
			return;
	json_array(json, "memory_levels", true);
	for (size_t i = 0; i < mostly.n_levels; i++) {
		json_object(json, NULL, true);
		json_string(json, "name", mostly.levels[i].word);
		write_level_events(writing, "asked", mostly.levels[i].asked);
		write_level_events(writing, "missed", mostly.levels[i].missed);
		json_count(json, "cycles", mostly.levels[i].cycles);
		json_close(json);
	}
	json_close(json);
}

static int write_head(struct data_writing *writing)
{
	const struct report_input *input = writing->input;
	struct json *json = &writing->json;
	int status;

	json_count(json, "report", 1);
	json_string(json, "schema", "costgrind report");
	json_string(json, "title", input->title);
	json_string(json, "command", find_text(input->model, true));
	json_string(json, "creator", find_text(input->model, false));
	reportevents_write(input->model, writing->rows.sides[SIDE_MAIN].events, &writing->metrics,
			   writing->main_metric, json);
	write_levels(writing);
	write_totals(writing, SIDE_MAIN);
	status = write_left_out(writing);
	if (!status)
		status = write_lineless(writing);
	return status ? status : write_parts(&writing->rows, input->parts, json);
}

/*
 * Chains that cost less than this share of the whole are folded, unless --detail asks for less or more. They
 * are many: folded below 0.05 %, they were a fifth to half of the runs of interpreters.
 */
static const double tree_share = 0.00001;

static int write_tables(struct data_writing *writing)
{
	const struct report_input *input = writing->input;
	struct reportrows *rows = &writing->rows;
	struct json *json = &writing->json;
	int status;

	status = reportlines_make(&writing->lines, rows, &writing->is_packed);
	if (status)
		return status;
	write_functions(writing);
	status = reportcharges_write(rows, input->tree, &writing->metrics.all[writing->main_metric],
				     json);
	if (status)
		return status;
	reportlines_write(writing->lines, json);
	status = reportcode_make(&writing->code, input, rows, &writing->sources);
	if (status)
		return status;
	reportcode_write(writing->code, json);
	status = reportviews_write(input, rows, &writing->metrics,
				   &writing->metrics.all[writing->main_metric], json);
	if (status)
		return status;
	reportlines_add_sources(writing->lines, &writing->sources);
	reportsources_write(&writing->sources, input, &writing->names, writing->taken, json);
	if (input->tree) {
		double share = input->detail / 100;

		if (input->detail <= REPORT_DETAIL && share > tree_share)
			share = tree_share;
		writing->tree = reporttree_new(rows, input->tree, input->other_tree, share);
	}
	reporttree_write(writing->tree, json);
	write_other(writing);
	reportnames_write(&writing->names, json);
	return PROFILE_OK;
}

/* What costs are measured by, and which of it is shown first; a status. */
static int make_metrics(struct data_writing *writing)
{
	const struct report_input *input = writing->input;
	const struct model *model = input->model;
	struct model_event events[PROFILE_MAX_EVENTS];
	struct metric_source source = {
		.n_events = writing->rows.n_events,
		.derived = model->derived,
		.n_derived = model->n_derived,
		.is_strict = writing->rows.n_events < model->n_events,
		.estimate = input->estimate,
	};
	const char *wanted = input->event;

	for (size_t i = 0; i < source.n_events; i++)
		events[i] = model->events[writing->rows.sides[SIDE_MAIN].events[i]];
	source.events = events;
	metrics_init(&writing->metrics, &source, &writing->arena);
	writing->main_metric = wanted ? metrics_find(&writing->metrics, wanted, strlen(wanted))
				      : metrics_main(&writing->metrics);
	return writing->main_metric < writing->metrics.n ? PROFILE_OK : PROFILE_EVENTS;
}

int reportdata_write(const struct report_input *input, struct report_taken *taken, struct out *out)
{
	struct data_writing writing = { .input = input, .taken = taken };
	int status;

	arena_init(&writing.arena);
	reportnames_init(&writing.names);
	status = reportrows_init(&writing.rows, input->model, input->difference, &writing.names);
	json_init(&writing.json, out, JSON_COMPACT);
	if (!status)
		status = make_metrics(&writing);
	if (!status) {
		reportrows_choose(&writing.rows, input->detail / 100,
				  &writing.metrics.all[writing.main_metric]);
		json_object(&writing.json, NULL, true);
		status = write_head(&writing);
	}
	if (!status)
		status = write_tables(&writing);
	if (!status)
		json_close(&writing.json);
	reporttree_free(writing.tree);
	reportcode_free(writing.code);
	reportsources_release(&writing.sources);
	reportlines_free(writing.lines);
	reportrows_release(&writing.rows);
	reportnames_release(&writing.names);
	arena_release(&writing.arena);
	return status;
}
