/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/report/reportviews.h"

#include "cmds/roofline/roofline.h"
#include "profile/common/heap.h"

enum { MOST_FUNCTIONS = 200 }; /* those with most operations */

struct roofline_writing {
	const struct reportrows *rows;
	struct json *json;
	struct traffic traffic;
	struct roofs roofs;
};

static void write_row(struct roofline_writing *writing, const struct traffic_row *row)
{
	const struct traffic *traffic = &writing->traffic;
	struct json *json = writing->json;
	double attainable;
	int bound;

	json_object(json, row->name ? NULL : "total", true);
	if (row->name)
		json_count(json, "function", writing->rows->sides[SIDE_MAIN].rows[row->function]);
	json_array(json, "operations", true);
	for (unsigned i = 0; i < N_TRAFFIC_KINDS; i++)
		json_count(json, NULL, row->operations[i]);
	json_close(json);
	json_array(json, "bytes", true);
	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++)
		if (traffic->has[i])
			json_decimal(json, NULL, row->bytes[i], 0);
	json_close(json);
	if (traffic->has_cycles)
		json_count(json, "cycles", row->cycles);
	attainable = roofs_attainable(&writing->roofs, traffic, row, &bound);
	if (bound != BOUND_BY_NOTHING) {
		json_number(json, "attainable", attainable, 6);
		json_string(json, "bound",
			    bound == BOUND_BY_OPERATIONS
				    ? "operations"
				    : traffic_place_name(traffic, (enum traffic_place)(
									  bound - BOUND_BY_PLACE)));
	}
	json_close(json);
}

static void write_places(struct roofline_writing *writing)
{
	const struct traffic *traffic = &writing->traffic;
	struct json *json = writing->json;

	json_array(json, "places", true);
	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++) {
		if (!traffic->has[i])
			continue;
		json_object(json, NULL, true);
		json_string(json, "name", traffic_place_name(traffic, (enum traffic_place)i));
		json_number(json, "roof", writing->roofs.bytes[i], 6);
		json_close(json);
	}
	json_close(json);
}

static void write_roofline(struct roofline_writing *writing)
{
	const struct traffic *traffic = &writing->traffic;
	struct json *json = writing->json;
	size_t n = 0;

	json_object(json, "roofline", true);
	json_string(json, "machine", writing->roofs.machine);
	json_count(json, "line", traffic->line);
	json_bool(json, "has_cycles", traffic->has_cycles);
	json_bool(json, "has_prefetches", traffic->has_prefetches);
	json_array(json, "peak", true);
	for (unsigned i = 0; i < N_TRAFFIC_KINDS; i++)
		json_number(json, NULL, writing->roofs.peak[i], 6);
	json_close(json);
	write_places(writing);
	write_row(writing, &traffic->total);
	json_array(json, "rows", true);
	for (; n < traffic->n && n < MOST_FUNCTIONS; n++)
		write_row(writing, &traffic->rows[n]);
	json_close(json);
	json_count(json, "left", traffic->n - n);
	json_close(json);
}

/* Whether there is anything that operations can be set against. */
static bool has_bytes(const struct traffic *traffic)
{
	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++)
		if (traffic->has[i])
			return true;
	return false;
}

int reportroofline_write(const struct report_input *input, const struct reportrows *rows,
			 struct json *json)
{
	struct roofline_writing writing = { .rows = rows, .json = json };
	struct arena arena;
	int status;

	if (input->model->is_signed || traffic_lacks(input->model))
		return PROFILE_OK;
	arena_init(&arena);
	status = traffic_find(&writing.traffic, input->model, &arena);
	roofs_of_profile(&writing.roofs, input->model);
	if (!status && writing.traffic.n > 0 && has_bytes(&writing.traffic))
		write_roofline(&writing);
	arena_release(&arena);
	return status;
}
