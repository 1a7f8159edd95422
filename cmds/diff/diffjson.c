/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report of costgrind diff as JSON, docs/DIFF.md: all of it, whatever was
 * not below the threshold, one row a line.  All numbers are integers.
 */
#include "cmds/diff/diffreport.h"
#include "cmds/text/json.h"

enum { JSON_VERSION = 1 };

static void put_text(struct json *json, const char *key, struct name name)
{
	json_text(json, key, name.text, name.len);
}

/* {"old": 1, "new": 2} */
static void put_pair(struct json *json, const char *key, amount old, amount new)
{
	json_object(json, key, true);
	json_amount(json, "old", old);
	json_amount(json, "new", new);
	json_close(json);
}

static void put_measure(struct json *json, const struct diffreport *report, size_t number,
			const uint64_t *old_costs, const uint64_t *new_costs)
{
	const struct difference *difference = report->difference;
	const struct measure *measure = &report->measures->all[number];

	put_pair(json, measure->name,
		 measure_value(measure, old_costs, difference->old_model->is_signed),
		 measure_value(measure, new_costs, difference->new_model->is_signed));
}

/* {"Ir": {"old": 1, "new": 2}, ...} of the measures shown */
static void put_costs(struct json *json, const char *key, const struct diffreport *report,
		      const uint64_t *old_costs, const uint64_t *new_costs)
{
	json_object(json, key, true);
	for (size_t i = 0; i < report->n_shown; i++)
		put_measure(json, report, report->shown[i], old_costs, new_costs);
	json_close(json);
}

static void put_totals(struct json *json, const struct diffreport *report)
{
	size_t n = report->shows_chosen ? report->n_shown : report->measures->n;

	json_object(json, "totals", false);
	for (size_t i = 0; i < n; i++)
		put_measure(json, report, report->shows_chosen ? report->shown[i] : i,
			    report->difference->old_totals, report->difference->new_totals);
	json_close(json);
}

static void put_name(struct json *json, const struct diffreport *report, size_t row)
{
	put_text(json, "object", difference_name(report->difference, row, NAME_OBJECT));
	put_text(json, "file", difference_name(report->difference, row, NAME_FILE));
	put_text(json, "function", difference_name(report->difference, row, NAME_FUNCTION));
}

static void put_row(struct json *json, const struct diffreport *report, size_t row)
{
	const struct difference *difference = report->difference;
	const char *state = diffreport_state(difference, row);

	json_object(json, NULL, true);
	put_name(json, report, row);
	json_string(json, "state", *state ? state : "both");
	if (difference_renamed(difference, row))
		put_text(json, "old_function", difference_old_name(difference, row, NAME_FUNCTION));
	put_costs(json, "self", report, difference_self(difference, row, false),
		  difference_self(difference, row, true));
	put_costs(json, "inclusive", report, difference_inclusive(difference, row, false),
		  difference_inclusive(difference, row, true));
	json_close(json);
}

static void put_rows(struct json *json, const char *key, const struct diffreport *report,
		     const uint32_t *rows, size_t n)
{
	json_array(json, key, false);
	for (size_t i = 0; i < n; i++)
		put_row(json, report, rows[i]);
	json_close(json);
}

static void put_end(struct json *json, const char *key, const struct diffreport *report, size_t row)
{
	json_object(json, key, true);
	put_name(json, report, row);
	json_close(json);
}

static void put_arcs(struct json *json, const struct diffreport *report)
{
	const struct difference *difference = report->difference;

	json_array(json, "calls", false);
	for (size_t i = 0; i < report->n_arcs; i++) {
		const struct difference_arc *arc = &difference->arcs[report->arcs[i]];

		json_object(json, NULL, true);
		put_end(json, "caller", report, arc->caller);
		put_end(json, "callee", report, arc->callee);
		put_pair(json, "calls", amount_of(arc->old_count, difference->old_model->is_signed),
			 amount_of(arc->new_count, difference->new_model->is_signed));
		put_costs(json, "inclusive", report, arc->old_costs, arc->new_costs);
		json_close(json);
	}
	json_close(json);
}

static void put_lines(struct json *json, const struct diffreport *report)
{
	json_array(json, "lines", false);
	for (size_t i = 0; i < report->n_lines; i++) {
		const struct difference_line *line = report->lines[i].line;

		json_object(json, NULL, true);
		put_name(json, report, report->lines[i].row);
		put_text(json, "source", line->file);
		json_count(json, "line", line->line);
		put_costs(json, "self", report, line->old_costs, line->new_costs);
		json_close(json);
	}
	json_close(json);
}

static void put_verdict(struct json *json, const struct diffreport *report,
			const struct verdict *verdict)
{
	json_object(json, NULL, true);
	json_count(json, "line", verdict->limit->line);
	json_string(json, "limit", verdict->limit->text);
	json_string(json, "state",
		    verdict->n_matched == 0   ? "unmatched"
		    : verdict->n_broken == 0  ? "kept"
		    : verdict->limit->is_soft ? "soft"
					      : "broken");
	json_bool(json, "is_soft", verdict->limit->is_soft);
	json_count(json, "matched", verdict->n_matched);
	json_count(json, "broken", verdict->n_broken);
	if (verdict->n_broken > 0)
		put_pair(json, "worst", verdict->old_value, verdict->new_value);
	if (verdict->n_broken > 0 && verdict->limit->scope != LIMIT_TOTAL)
		put_name(json, report, verdict->row);
	json_close(json);
}

bool diff_render_json(const struct diffreport *report, FILE *out, struct arena *arena)
{
	struct json json;

	(void)arena;
	json_open(&json, out);
	json_object(&json, NULL, false);
	json_string(&json, "format", "costgrind-diff");
	json_count(&json, "version", JSON_VERSION);
	json_string(&json, "old", report->old_path);
	json_string(&json, "new", report->new_path);
	put_totals(&json, report);
	json_count(&json, "changed", report->n_changed);
	json_count(&json, "new_functions", report->n_new);
	json_count(&json, "gone_functions", report->n_gone);
	json_count(&json, "renamed_functions", report->n_renamed);
	put_rows(&json, "functions", report, report->functions, report->n_functions);
	put_rows(&json, "callers", report, report->callers, report->n_callers);
	put_rows(&json, "renamed", report, report->renamed, report->n_renamed_same);
	json_count(&json, "changed_calls", report->n_arcs_all);
	put_arcs(&json, report);
	put_lines(&json, report);
	json_array(&json, "limits", false);
	for (size_t i = 0; i < report->n_verdicts; i++)
		put_verdict(&json, report, &report->verdicts[i]);
	json_close(&json);
	json_close(&json);
	return json_end(&json);
}
