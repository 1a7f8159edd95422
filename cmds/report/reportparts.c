/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/report/reportparts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/bytes.h"
#include "profile/common/heap.h"
#include "writer/origin.h"

/* -- headers ---------------------------------------------------------------------------- */

/* The value of a part's desc line; NULL if it has none of that type. */
static const char *find_desc(const struct part *part, const char *type)
{
	for (size_t i = 0; i < part->n_descs; i++)
		if (strcmp(part->descs[i].type, type) == 0)
			return part->descs[i].value;
	return NULL;
}

/* Whether a part does not say something else; all but the first one may say nothing. */
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

int reportparts_write_headers(const struct model *model, struct json *json)
{
	const struct part *first = model->n_parts > 0 ? &model->parts[0].header : NULL;
	struct bytes line;
	bool failed;

	bytes_init(&line, &heap_env);
	json_array(json, "headers", true);
	for (size_t i = 0; first && i < first->n_descs && !line.failed; i++) {
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
		if (!line.failed)
			json_text(json, NULL, line.text, line.len);
	}
	json_close(json);
	failed = line.failed;
	bytes_release(&line);
	return failed ? PROFILE_NO_MEMORY : PROFILE_OK;
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
	const char *trigger = find_desc(header, "Trigger"), *range = find_desc(header, "Timerange");
	const char *rank =
		find_desc(header, "Rank"); /* of a thread that a merge made of a profile */
	char name[96];
	int len = snprintf(name, sizeof(name), "part %" PRIu64,
			   header->has_number ? header->number : (uint64_t)i + 1);

	if (header->has_thread && rank && find_desc(header, "Input") &&
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

/* What functions cost in a part: one event, in all rows; 0 if all of it is. */
static void write_column(const struct reportrows *rows, const struct inclusive *sums,
			 const uint32_t *functions, bool is_inclusive, size_t event,
			 struct json *json)
{
	bool is_signed = rows->sides[SIDE_MAIN].model->is_signed;
	const uint64_t *costs = (is_inclusive ? sums->inclusive : sums->self) + event;
	bool is_zero = true;

	for (size_t i = 0; i < sums->n_functions && is_zero; i++)
		is_zero = costs[i * sums->n_events] == 0;
	if (is_zero) {
		json_count(json, NULL, 0);
		return;
	}
	json_array(json, NULL, true);
	for (size_t row = 0; row < rows->n; row++)
		json_cost(json, NULL,
			  functions[row] == MODEL_NO_FUNCTION
				  ? 0
				  : costs[functions[row] * sums->n_events],
			  is_signed);
	json_close(json);
}

static int write_costs(const struct reportrows *rows, const struct model *apart,
		       const uint32_t *functions, bool is_inclusive, struct json *json)
{
	int status = PROFILE_OK;

	json_array(json, is_inclusive ? "parts_inclusive" : "parts_self", true);
	for (uint32_t part = 0; !status && part < apart->n_parts; part++) {
		const struct inclusive_options options = {
			.part = part,
			.events = rows->sides[SIDE_MAIN].events,
			.n_events = rows->n_events,
		};
		struct inclusive sums;

		status = inclusive_compute(&sums, apart, &options);
		json_array(json, NULL, true);
		for (size_t event = 0; !status && event < rows->n_events; event++)
			write_column(rows, &sums, functions, is_inclusive, event, json);
		json_close(json);
		inclusive_release(&sums);
	}
	json_close(json);
	return status;
}

/* Functions of the model with parts apart, by row; NULL if memory ran out. */
static uint32_t *map_functions(const struct reportrows *rows, const struct model *apart)
{
	uint32_t *functions = heap_zeroed(&heap_env, rows->n, sizeof(*functions));

	if (!functions)
		return NULL;
	memset(functions, 0xff, rows->n * sizeof(*functions)); /* MODEL_NO_FUNCTION */
	for (uint32_t i = 0; i < apart->n_functions; i++) {
		uint32_t row = reportrows_find(rows, SIDE_MAIN, apart, i);

		if (row != MODEL_NO_FUNCTION)
			functions[row] = i;
	}
	return functions;
}

int reportparts_write(const struct reportrows *rows, const struct model *apart, struct json *json)
{
	const struct model *model = rows->sides[SIDE_MAIN].model;
	uint32_t *functions;
	int status = reportparts_write_headers(model, json);

	if (status)
		return status;
	json_array(json, "parts", true);
	for (size_t i = 0; i < model->n_parts; i++)
		write_part(rows, i, json);
	json_close(json);
	if (!apart || apart->n_parts * rows->n * rows->n_events > REPORTPARTS_MOST) {
		json_null(json, "parts_self");
		json_null(json, "parts_inclusive");
		return PROFILE_OK;
	}
	functions = map_functions(rows, apart);
	if (!functions)
		return PROFILE_NO_MEMORY;
	status = write_costs(rows, apart, functions, false, json);
	if (!status)
		status = write_costs(rows, apart, functions, true, json);
	heap_env.release(heap_env.ctx, functions);
	return status;
}
