/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/reportlines.h"

#include "profile/error.h"

struct gathering {
	struct reportlines *to;
	struct reportrows *rows;
	enum report_side side;
	uint32_t row, function;
	uint32_t part;
};

static bool gather_lines(struct gathering *gathering)
{
	struct model_cursor cursor;
	struct model_line line;

	model_lines(gathering->rows->sides[gathering->side].model, gathering->function,
		    gathering->part, &cursor);
	while (model_next_line(&cursor, &line)) {
		const struct report_place place = {
			.row = gathering->row,
			.file = reportrows_file(gathering->rows, gathering->side, line.file),
			.line = line.at.line,
		};

		if (!reporttable_add(&gathering->to->lines, &place, gathering->side, 0, line.costs))
			return false;
	}
	return true;
}

/* Calls of the older profile are not in the report. */
static bool gather_calls(struct gathering *gathering)
{
	const struct reportrows_side *side = &gathering->rows->sides[SIDE_MAIN];
	struct model_cursor cursor;
	struct model_call call;

	model_calls(side->model, gathering->function, gathering->part, &cursor);
	while (model_next_call(&cursor, &call)) {
		struct report_place place = {
			.row = gathering->row,
			.to = side->rows[call.callee],
		};

		if (!reporttable_add(&gathering->to->arcs, &place, SIDE_MAIN, call.count,
				     call.costs))
			return false;
		if (!gathering->rows->is_detailed[gathering->row])
			continue;
		place.file = reportrows_file(gathering->rows, SIDE_MAIN, call.file);
		place.line = call.at.line;
		if (!reporttable_add(&gathering->to->calls, &place, SIDE_MAIN, call.count,
				     call.costs))
			return false;
	}
	return true;
}

/* One row of one side. */
static bool gather(struct gathering *gathering)
{
	const struct reportrows_side *side = &gathering->rows->sides[gathering->side];
	size_t n_parts = model_cost_parts(side->model);

	gathering->function = side->functions[gathering->row];
	if (gathering->function == MODEL_NO_FUNCTION)
		return true;
	for (gathering->part = 0; gathering->part < n_parts; gathering->part++) {
		if (gathering->rows->is_detailed[gathering->row] && !gather_lines(gathering))
			return false;
		if (gathering->side == SIDE_MAIN && !gather_calls(gathering))
			return false;
	}
	return true;
}

int reportlines_init(struct reportlines *lines, struct reportrows *rows)
{
	struct gathering gathering = { .to = lines, .rows = rows };
	int status = PROFILE_OK;

	reporttable_init(&lines->lines, rows);
	reporttable_init(&lines->calls, rows);
	reporttable_init(&lines->arcs, rows);
	for (uint32_t row = 0; !status && row < rows->n; row++) {
		gathering.row = row;
		for (unsigned side = 0; !status && side < reportrows_sides(rows); side++) {
			gathering.side = side;
			if (!gather(&gathering))
				status = PROFILE_NO_MEMORY;
		}
		if (!status)
			status = reporttable_fold(&lines->lines);
		if (!status)
			status = reporttable_fold(&lines->calls);
		if (!status)
			status = reporttable_fold(&lines->arcs);
	}
	return status;
}

void reportlines_release(struct reportlines *lines)
{
	reporttable_release(&lines->lines);
	reporttable_release(&lines->calls);
	reporttable_release(&lines->arcs);
}

void reportlines_write(const struct reportlines *lines, struct jsonstream *json)
{
	jsonstream_open(json, "arcs", '{');
	reporttable_write_column(&lines->arcs, COLUMN_ROW, "d_from", json);
	reporttable_write_column(&lines->arcs, COLUMN_TO, "to", json);
	reporttable_write_column(&lines->arcs, COLUMN_COUNT, "count", json);
	reporttable_write_costs(&lines->arcs, SIDE_MAIN, "costs", json);
	jsonstream_close(json, '}');
	jsonstream_open(json, "lines", '{');
	reporttable_write_column(&lines->lines, COLUMN_ROW, "d_function", json);
	reporttable_write_column(&lines->lines, COLUMN_FILE, "file", json);
	reporttable_write_column(&lines->lines, COLUMN_LINE, "line", json);
	reporttable_write_costs(&lines->lines, SIDE_MAIN, "costs", json);
	jsonstream_close(json, '}');
	jsonstream_open(json, "line_calls", '{');
	reporttable_write_column(&lines->calls, COLUMN_ROW, "d_function", json);
	reporttable_write_column(&lines->calls, COLUMN_FILE, "file", json);
	reporttable_write_column(&lines->calls, COLUMN_LINE, "line", json);
	reporttable_write_column(&lines->calls, COLUMN_TO, "to", json);
	reporttable_write_column(&lines->calls, COLUMN_COUNT, "count", json);
	reporttable_write_costs(&lines->calls, SIDE_MAIN, "costs", json);
	jsonstream_close(json, '}');
}
