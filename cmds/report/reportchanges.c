/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What changed most from an older profile: the rows of costgrind diff, as cards. */
#include <inttypes.h>
#include <stdio.h>

#include "cmds/cli/commands.h"
#include "cmds/diff/diff.h"
#include "cmds/emit/visible.h"
#include "cmds/report/report.h"
#include "profile/common/dictionary.h"
#include "profile/common/error.h"

enum {
	MOST_CHANGES = 4,
	MOST_LINES = 3,
	MOST_NAME = 60,
	LEAST_CHANGE = 1000, /* millionths of the total */
};

struct changes {
	const struct diffreport *report;
	struct reportrows *rows;
	const struct metric *metric;
	struct json *json;
	struct arena *arena;
};

/* A line's change in the direction of its function's: 1 or -1. */
static int128 line_change(const struct changes *changes, const struct difference_line *line,
			  int sign)
{
	return sign * difference_change(changes->report->difference, changes->metric,
					line->old_costs, line->new_costs);
}

/*
 * The lines that changed most in a direction, into an array of MOST_LINES; returns how many.  None if lines have moved, so that
 * they seem to cost less in one place and more in another, or the function is on one side only.
 */
static size_t find_lines(const struct changes *changes, const struct diffreport_item *item,
			 int sign, const struct difference_line **best)
{
	const struct difference *difference = changes->report->difference;
	const struct difference_row *row = &difference->rows[item->row];
	struct difference_line *lines;
	int128 with = 0, against = 0;
	size_t n, n_best = 0;

	if (row->old_function == MODEL_NO_FUNCTION || row->new_function == MODEL_NO_FUNCTION ||
	    difference_lines(difference, item->row, changes->arena, &lines, &n) != PROFILE_OK)
		return 0;
	for (size_t i = 0; i < n; i++) {
		const int128 change = line_change(changes, &lines[i], sign);
		size_t at = n_best;

		if (change <= 0) {
			against -= change;
			continue;
		}
		with += change;
		if (lines[i].line == 0)
			continue;
		while (at > 0 && line_change(changes, best[at - 1], sign) < change)
			at--;
		if (at == MOST_LINES)
			continue;
		n_best += n_best < MOST_LINES;
		for (size_t k = n_best - 1; k > at; k--)
			best[k] = best[k - 1];
		best[at] = &lines[i];
	}
	return against * 2 > with ? 0 : n_best;
}

static void put_text(struct json *json, const char *key, struct bytes *text)
{
	json_text(json, key, text->text, text->len);
	bytes_reset(text);
}

/* People's units. */
static void add_number(const struct changes *changes, struct bytes *text, int128 value)
{
	char number[INT128_TEXT];
	int128 scale = 1;

	for (unsigned i = 0; i < changes->metric->decimals.people; i++)
		scale *= 10;
	int128_print(number, (int128_magnitude(value) + scale / 2) / scale, true);
	bytes_add_text(text, number);
}

/* "work costs 5,000 cycles more than before, 12.5 % of the older total, mostly memory waiting." */
static void put_claim(const struct changes *changes, const struct diffreport_item *item,
		      int128 change)
{
	const struct difference *difference = changes->report->difference;
	const struct difference_row *row = &difference->rows[item->row];
	const struct name name = difference_name(difference, item->row, NAME_FUNCTION);
	const bool is_new = row->old_function == MODEL_NO_FUNCTION,
		   is_gone = row->new_function == MODEL_NO_FUNCTION;
	const int128 before = metric_value(changes->metric, difference->old_totals,
					   difference->old_model->is_signed);
	const char *part = diffreport_part(changes->report, item);
	struct bytes text;

	bytes_init(&text);
	shortname_make(&text, name.text, name.len, MOST_NAME);
	bytes_add_text(&text, is_new    ? " is new and costs "
			      : is_gone ? " is gone, and with it "
					: " costs ");
	add_number(changes, &text, change);
	bytes_add_char(&text, ' ');
	bytes_add_text(&text, diffreport_noun(changes->metric->name));
	if (!is_new && !is_gone)
		bytes_add_text(&text, change > 0 ? " more than before" : " less than before");
	if (before > 0) {
		char share[64];

		snprintf(share, sizeof(share), ", %.1f %% of the older total",
			 int128_percent(int128_magnitude(change), before));
		bytes_add_text(&text, share);
	}
	if (part) {
		bytes_add_text(&text, ", mostly ");
		bytes_add_text(&text, part);
	}
	bytes_add_char(&text, '.');
	put_text(changes->json, "claim", &text);
	bytes_release(&text);
}

static void put_facts(const struct changes *changes, const struct diffreport_item *item,
		      const struct difference_line *const *lines, size_t n_lines, int sign)
{
	const struct difference *difference = changes->report->difference;
	const int128 old =
		metric_value(changes->metric, item->old_costs, difference->old_model->is_signed);
	struct json *json = changes->json;
	struct bytes text;

	bytes_init(&text);
	json_object(json, "evidence", true);
	json_array(json, "facts", true);
	add_number(changes, &text, old);
	bytes_add_text(&text, " before, ");
	add_number(changes, &text,
		   old + difference_change(difference, changes->metric, item->old_costs,
					   item->new_costs));
	bytes_add_text(&text, " now.");
	put_text(json, NULL, &text);
	for (size_t i = 0; i < n_lines; i++) {
		char line[32];

		bytes_add_text(&text, "At ");
		bytes_add_text(&text, path_base(lines[i]->file.text));
		snprintf(line, sizeof(line), ":%" PRIu64 ", ", lines[i]->line);
		bytes_add_text(&text, line);
		add_number(changes, &text, line_change(changes, lines[i], sign));
		bytes_add_text(&text, sign > 0 ? " more." : " fewer.");
		put_text(json, NULL, &text);
	}
	json_close(json);
	json_close(json);
	bytes_release(&text);
}

static void put_change(const struct changes *changes, const struct diffreport_item *item)
{
	const struct difference *difference = changes->report->difference;
	const int128 change =
		difference_change(difference, changes->metric, item->old_costs, item->new_costs);
	const int sign = change < 0 ? -1 : 1;
	const struct reportrows_side *side = &changes->rows->sides[SIDE_MAIN];
	const struct difference_line *lines[MOST_LINES];
	const size_t n_lines = find_lines(changes, item, sign, lines);
	struct json *json = changes->json;
	uint32_t file = DICTIONARY_NONE;

	json_object(json, NULL, true);
	json_string(json, "class", change > 0 ? "change" : "gain");
	json_string(json, "title",
		    change > 0 ? "Costs more than before" : "Costs less than before");
	put_claim(changes, item, change);
	json_count(json, "function", item->row);
	if (n_lines > 0)
		file = dictionary_find(&side->model->names[NAME_FILE], lines[0]->file.text,
				       lines[0]->file.len);
	if (file != DICTIONARY_NONE) {
		json_count(json, "file", reportrows_file(changes->rows, SIDE_MAIN, file));
		json_count(json, "line", lines[0]->line);
	}
	put_facts(changes, item, lines, n_lines, sign);
	json_close(json);
}

int reportchanges_write(struct reportrows *rows, const struct difference *difference,
			const struct metrics *metrics, const struct metric *metric,
			struct json *json)
{
	const struct diffreport_choice choice = {
		.show = metric->name,
		.threshold = LEAST_CHANGE,
	};
	struct diffreport report = { .difference = NULL };
	const struct diffreport_list *functions = &report.lists[DIFFREPORT_FUNCTIONS];
	struct arena arena;
	struct changes changes = { &report, rows, metric, json, &arena };
	int status = PROFILE_OK;

	arena_init(&arena);
	if (diffreport_init(&report, difference, metrics, &choice, &arena) != EXIT_FINE) {
		status = PROFILE_EVENTS;
	} else {
		json_array(json, "changes", true);
		for (size_t i = 0; i < functions->n && i < MOST_CHANGES; i++)
			put_change(&changes, &functions->items[i]);
		json_close(json);
	}
	diffreport_release(&report);
	arena_release(&arena);
	return status;
}
