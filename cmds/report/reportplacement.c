/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/report/reportplacement.h"

#include "cmds/placement/placement.h"

static void write_windows(struct json *json, const char *key, const uint64_t windows[N_WINDOWS])
{
	json_array(json, key, true);
	for (unsigned window = 0; window < N_WINDOWS; window++)
		json_count(json, NULL, windows[window]);
	json_close(json);
}

static void write_row(const struct placement_row *row, int128 whole, struct reportrows *rows,
		      struct json *json)
{
	json_object(json, NULL, true);
	json_count(json, "function", rows->sides[SIDE_MAIN].rows[row->number]);
	json_count(json, "file", reportrows_file(rows, SIDE_MAIN, row->file_number));
	json_count(json, "line", row->line);
	json_address(json, "begin", row->loop.begin);
	json_address(json, "end", row->loop.end);
	json_count(json, "bytes", row->loop.end - row->loop.begin);
	json_count(json, "turns", row->loop.turns);
	json_number(json, "share", (double)row->cost / (double)whole, 6);
	write_windows(json, "touched", row->touched);
	write_windows(json, "needed", row->needed);
	json_string(json, "advice", row->remedy.text);
	json_close(json);
}

int reportplacement_write(const struct report_input *input, struct reportrows *rows,
			  struct json *json)
{
	const struct placement_options options = {
		.estimate = input->estimate,
		.objects = input->objects,
		.oldest = input->oldest,
	};
	struct placement placement;
	int status;

	if (input->no_code || placement_missing(input->model)) {
		json_null(json, "placement");
		return PROFILE_OK;
	}
	status = placement_make(&placement, input->model, &options);
	if (!status) {
		json_object(json, "placement", true);
		json_string(json, "event", placement.metric->name);
		json_count(json, "hot_loops", placement.n_hot);
		json_array(json, "rows", true);
		for (size_t i = 0; i < placement.n; i++)
			write_row(&placement.rows[i], placement.whole, rows, json);
		json_close(json);
		json_close(json);
	}
	placement_release(&placement);
	return status;
}
