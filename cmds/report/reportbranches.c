/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/report/reportbranches.h"

#include "cmds/branches/branchlist.h"

/* More than anybody looks at; what is left out is said. */
#define BRANCHES_THRESHOLD 0.1
enum { MOST_BRANCHES = 100 };

static void write_known(struct json *json, const char *key, bool is_known, uint64_t count)
{
	if (is_known)
		json_count(json, key, count);
	else
		json_null(json, key);
}

static void write_loads(const struct branch_row *row, struct json *json)
{
	json_array(json, "loads", true);
	for (size_t i = 0; i < row->n_loads; i++) {
		const struct branch_load *load = &row->loads[i];

		json_object(json, NULL, true);
		json_string(json, "file", load->file);
		json_count(json, "line", load->line);
		json_address(json, "address", load->address);
		json_string(json, "operand", load->operand);
		json_string(json, "name", load->name);
		json_close(json);
	}
	json_close(json);
}

static void write_targets(const struct branch_row *row, struct json *json)
{
	json_count(json, "targets", row->n_targets);
	json_count(json, "arrived", row->n_arrived);
	json_array(json, "first_targets", true);
	for (size_t i = 0; i < row->n_first; i++) {
		json_object(json, NULL, true);
		json_string(json, "name", row->targets[i].name);
		json_count(json, "count", row->targets[i].count);
		json_close(json);
	}
	json_close(json);
}

static void write_row(const struct branch_row *row, struct reportrows *rows, struct json *json)
{
	const struct branch_counts *counts = &row->counts;
	const struct branch_place *place = row->place;

	json_object(json, NULL, true);
	json_count(json, "function", rows->sides[SIDE_MAIN].rows[row->number]);
	json_count(json, "file", reportrows_file(rows, SIDE_MAIN, place->file));
	json_count(json, "line", place->line);
	if (place->address != 0)
		json_address(json, "address", place->address);
	else
		json_null(json, "address");
	json_string(json, "class", branch_class_name(row->of));
	json_count(json, "executed", counts->executed);
	json_count(json, "missed", counts->missed);
	write_known(json, "taken", counts->has_taken, counts->taken);
	write_known(json, "by_counter", counts->has_detail, counts->by_counter);
	write_known(json, "by_history", counts->has_detail, counts->by_history);
	json_string(json, "kind", branchkind_name(row->kind));
	json_bool(json, "hard", row->is_hard);
	json_string(json, "instruction", row->instruction);
	json_string(json, "call", row->call_text);
	write_loads(row, json);
	write_targets(row, json);
	json_close(json);
}

int reportbranches_write(const struct report_input *input, struct reportrows *rows,
			 struct json *json)
{
	const struct branchlist_options options = {
		.threshold = BRANCHES_THRESHOLD,
		.most = MOST_BRANCHES,
		.objects = input->objects,
		.no_code = input->no_code,
		.oldest = input->oldest,
	};
	const struct model *model = input->model;
	struct branch_list list;
	int status;

	if (model->is_signed || model_event(model, "Bc") == model->n_events) {
		json_null(json, "branches");
		return PROFILE_OK;
	}
	status = branchlist_make(&list, model, &options);
	if (!status) {
		json_object(json, "branches", true);
		json_decimal(json, "missed", branchset_total(&list.set, true), 0);
		json_bool(json, "has_taken", list.has_taken);
		json_bool(json, "has_detail", list.has_detail);
		json_count(json, "left", list.n_left);
		json_count(json, "left_missed", list.left_missed);
		json_array(json, "rows", true);
		for (size_t i = 0; i < list.n; i++)
			write_row(&list.rows[i], rows, json);
		json_close(json);
		json_close(json);
	}
	branchlist_release(&list);
	return status;
}
