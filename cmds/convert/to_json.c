/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json: the model as it is, for programs.  docs/FORMAT.md has the schema. */
#include <stdlib.h>

#include "cmds/convert/formats.h"
#include "cmds/emit/json.h"
#include "profile/analysis/inclusive.h"
#include "profile/common/heap.h"
#include "profile/model/model.h"

struct printing {
	struct json json;
	const struct model *model;
	struct inclusive inclusive;
	uint32_t *order; /* functions by name */
	uint32_t *rank;  /* by function: place in order */
};

static void put_name(struct printing *printing, const char *key, enum name_kind kind,
		     uint32_t number)
{
	const struct name name = model_name(printing->model, kind, number);

	json_text(&printing->json, key, name.text, name.len);
}

static void put_costs(struct printing *printing, const char *key, const uint64_t *costs)
{
	json_costs(&printing->json, key, costs, printing->model->n_events,
		   printing->model->is_signed);
}

static void put_count(struct printing *printing, const char *key, uint64_t count)
{
	json_cost(&printing->json, key, count, printing->model->is_signed);
}

/* Addresses as text: many readers keep numbers in 53 bits. */
static void put_position(struct printing *printing, const struct position *at)
{
	if (printing->model->positions & POSITION_INSTR)
		json_address(&printing->json, "address", at->instr);
	if (printing->model->positions & POSITION_LINE)
		json_count(&printing->json, "line", at->line);
}

static void put_source(struct printing *printing, uint32_t function, uint32_t file)
{
	if (file != printing->model->functions[function].file)
		put_name(printing, "source", NAME_FILE, file);
}

static void print_lines(struct printing *printing, uint32_t function)
{
	struct model_cursor cursor;
	struct model_line line;

	json_array(&printing->json, "costs", false);
	model_lines(printing->model, function, 0, &cursor);
	while (model_next_line(&cursor, &line)) {
		json_object(&printing->json, NULL, true);
		put_source(printing, function, line.file);
		put_position(printing, &line.at);
		put_costs(printing, "costs", line.costs);
		json_close(&printing->json);
	}
	json_close(&printing->json);
}

static void print_calls(struct printing *printing, uint32_t function)
{
	struct model_cursor cursor;
	struct model_call call;

	json_array(&printing->json, "calls", false);
	model_calls(printing->model, function, 0, &cursor);
	while (model_next_call(&cursor, &call)) {
		json_object(&printing->json, NULL, true);
		put_source(printing, function, call.file);
		put_position(printing, &call.at);
		json_count(&printing->json, "callee", printing->rank[call.callee]);
		put_count(printing, "count", call.count);
		put_costs(printing, "costs", call.costs);
		json_close(&printing->json);
	}
	json_close(&printing->json);
}

static void print_jumps(struct printing *printing, uint32_t function)
{
	struct json *json = &printing->json;
	struct model_cursor cursor;
	struct model_jump jump;
	bool any = false;

	model_jumps(printing->model, function, 0, &cursor);
	while (model_next_jump(&cursor, &jump)) {
		if (!any)
			json_array(json, "jumps", false);
		any = true;
		json_object(json, NULL, true);
		put_source(printing, function, jump.file);
		put_position(printing, &jump.at);
		json_bool(json, "conditional", jump.is_conditional);
		put_count(printing, "followed", jump.followed);
		put_count(printing, "executed", jump.executed);
		json_object(json, "target", true);
		put_source(printing, function, jump.target_file);
		put_position(printing, &jump.target);
		json_close(json);
		json_close(json);
	}
	if (any)
		json_close(json);
}

static void print_function(struct printing *printing, uint32_t function)
{
	const struct model_function *f = &printing->model->functions[function];
	struct json *json = &printing->json;

	json_object(json, NULL, false);
	put_name(printing, "function", NAME_FUNCTION, f->name);
	put_name(printing, "file", NAME_FILE, f->file);
	if (printing->model->has_objects)
		put_name(printing, "object", NAME_OBJECT, f->object);
	put_costs(printing, "self", inclusive_self(&printing->inclusive, function));
	put_costs(printing, "inclusive", inclusive_of(&printing->inclusive, function));
	put_count(printing, "called", printing->inclusive.called[function]);
	if (printing->inclusive.cycle[function] > 0)
		json_count(json, "cycle", printing->inclusive.cycle[function]);
	print_lines(printing, function);
	print_calls(printing, function);
	print_jumps(printing, function);
	json_close(json);
}

static void print_regions(struct printing *printing, const struct part *part)
{
	struct json *json = &printing->json;

	if (part->n_regions == 0)
		return;
	json_array(json, "regions", false);
	for (size_t i = 0; i < part->n_regions; i++) {
		const struct part_region *region = &part->regions[i];

		json_object(json, NULL, true);
		json_string(json, "name", region->name);
		json_count(json, "times", region->times);
		json_count(json, "threads", region->threads);
		json_bool(json, "open", region->is_open);
		json_costs(json, "costs", region->costs, region->n_costs, false);
		json_close(json);
	}
	json_close(json);
}

static void print_parts(struct printing *printing)
{
	const struct model *model = printing->model;
	struct json *json = &printing->json;

	json_array(json, "parts", false);
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		json_object(json, NULL, false);
		json_string(json, "creator", part->creator);
		json_string(json, "command", part->cmd);
		if (part->has_pid)
			json_count(json, "pid", part->pid);
		if (part->has_number)
			json_count(json, "part", part->number);
		if (part->has_thread)
			json_count(json, "thread", part->thread);
		json_array(json, "descriptions", false);
		for (size_t j = 0; j < part->n_descs; j++) {
			json_object(json, NULL, true);
			json_string(json, "type", part->descs[j].type);
			json_string(json, "value", part->descs[j].value);
			json_close(json);
		}
		json_close(json);
		print_regions(printing, part);
		json_close(json);
	}
	json_close(json);
}

static void print_events(struct printing *printing)
{
	const struct model *model = printing->model;
	struct json *json = &printing->json;

	json_array(json, "events", false);
	for (size_t i = 0; i < model->n_events; i++) {
		json_object(json, NULL, true);
		json_string(json, "name", model->events[i].name);
		json_string(json, "long_name", model->events[i].long_name);
		json_close(json);
	}
	json_close(json);
	json_array(json, "derived_events", false);
	for (size_t i = 0; i < model->n_derived; i++) {
		json_object(json, NULL, true);
		json_string(json, "name", model->derived[i].name);
		json_string(json, "formula", model->derived[i].formula);
		json_string(json, "long_name", model->derived[i].long_name);
		json_close(json);
	}
	json_close(json);
}

static int print_all(struct printing *printing)
{
	const struct model *model = printing->model;
	uint64_t summary[PROFILE_MAX_EVENTS], totals[PROFILE_MAX_EVENTS];
	struct json *json = &printing->json;

	if (!model_summary(model, summary) || !model_totals(model, totals))
		return PROFILE_RANGE;
	json_object(json, NULL, false);
	json_string(json, "schema", "costgrind profile");
	json_count(json, "version", 1);
	print_parts(printing);
	print_events(printing);
	put_costs(printing, "summary", summary);
	put_costs(printing, "totals", totals);
	json_array(json, "functions", false);
	for (size_t i = 0; i < model->n_functions; i++)
		print_function(printing, printing->order[i]);
	json_close(json);
	json_close(json);
	json_end(json);
	return PROFILE_OK;
}

int to_json(struct conversion *conversion)
{
	const struct model *model = conversion->model;
	struct printing printing = { .model = model };
	int status = inclusive_compute(&printing.inclusive, model, NULL);
	struct out out;

	if (!status) {
		printing.order = model_functions_by_name(model);
		printing.rank = heap_zeroed(model->n_functions, sizeof(*printing.rank));
		for (size_t i = 0; i < model->n_functions; i++)
			printing.rank[printing.order[i]] = (uint32_t)i;
		out_init(&out, conversion->env);
		json_init(&printing.json, &out, JSON_READABLE);
		status = print_all(&printing);
		format_close(conversion, &out);
	}
	inclusive_release(&printing.inclusive);
	free(printing.order);
	free(printing.rank);
	return status;
}
