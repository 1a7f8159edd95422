/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/diff/difflimits.h"

#include <stdio.h>
#include <string.h>

#include "cmds/common/commands.h"
#include "cmds/common/complaint.h"
#include "profile/common/error.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"

static const char command[] = "diff";

/* Of a summary: lines besides the limits, and how many of these there are at most. */
enum { SUMMARY_LINES = 3, SUMMARY_ROWS = 6 };

/* Without calls, inclusive costs would be self costs under another name. */
static bool can_check(const struct limit *limit, const char *path,
		      const struct difference *difference)
{
	bool old_lacks = difference->old_model->n_functions > 0 && !difference->old_has_calls;
	bool new_lacks = difference->new_model->n_functions > 0 && !difference->new_has_calls;

	if (limit->scope != LIMIT_INCLUSIVE || (!old_lacks && !new_lacks))
		return true;
	complain(command, "%s:%llu: inclusive costs need calls, of which %s none", path,
		 (unsigned long long)limit->line,
		 old_lacks && new_lacks ? "the profiles have"
		 : old_lacks            ? "OLD has"
					: "NEW has");
	return false;
}

static void complain_of_event(const char *path, const struct limit *limit)
{
	const char *option = event_option(limit->event);

	complain(
		command,
		"%s:%llu:%llu: expected an event of both profiles, or derived from them, found '%s'%s%s%s",
		path, (unsigned long long)limit->line, (unsigned long long)limit->event_column,
		limit->event, option ? ": it needs " : "", option ? option : "",
		!option || strchr(option, '=') ? "" : "=yes");
}

static int check(struct difflimits *limits, const char *path, const struct difference *difference,
		 const struct metrics *metrics)
{
	for (size_t i = 0; i < limits->n; i++) {
		const struct limit *limit = &limits->limits.all[i];
		size_t number = metrics_find(metrics, limit->event, strlen(limit->event));

		if (number == metrics->n) {
			complain_of_event(path, limit);
			return EXIT_FAILED;
		}
		if (!can_check(limit, path, difference))
			return EXIT_FAILED;
		limit_check(&limits->verdicts[i], difference, limit, &metrics->all[number]);
		limits->n_broken += !limit->is_soft && (limits->verdicts[i].n_broken > 0 ||
							limits->verdicts[i].n_matched == 0);
	}
	return EXIT_FINE;
}

int difflimits_check(struct difflimits *limits, const char *path,
		     const struct difference *difference, const struct metrics *metrics,
		     struct arena *arena)
{
	struct profile_error error = { .status = PROFILE_OK };

	*limits = (struct difflimits){ .n = 0 };
	if (limits_read(&limits->limits, path, &heap_env, &error)) {
		complain_of(command, &error);
		return EXIT_FAILED;
	}
	limits->n = limits->limits.n;
	limits->verdicts =
		arena_alloc(arena, (limits->n + 1) * sizeof(*limits->verdicts), sizeof(int128));
	if (!limits->verdicts) {
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	}
	return check(limits, path, difference, metrics);
}

void difflimits_release(struct difflimits *limits)
{
	if (limits->limits.arena.env)
		limits_release(&limits->limits);
}

/* "a.c:f: 100 to 150 (+50.00%)" of a row, or without a name of totals. */
static void print_row(const struct difference *difference, const struct limit_verdict *verdict,
		      const struct limit_violation *row, char *buffer, size_t size)
{
	unsigned decimals = verdict->metric->decimals.people;
	char old_text[INT128_TEXT], new_text[INT128_TEXT], percent[INT128_TEXT];
	char name[512] = "";

	int128_print_decimal(old_text, row->old_value, true, decimals);
	int128_print_decimal(new_text, row->new_value, true, decimals);
	int128_print_percent(percent, row->new_value - row->old_value, row->old_value);
	if (verdict->limit->scope != LIMIT_TOTAL)
		snprintf(name, sizeof(name),
			 "%.240s:%.240s: ", difference_name(difference, row->row, NAME_FILE).text,
			 difference_name(difference, row->row, NAME_FUNCTION).text);
	snprintf(buffer, size, "%s%s to %s%s%s%s", name, old_text, new_text, *percent ? " (" : "",
		 percent, *percent ? ")" : "");
}

/* "a.c:f: 100 to 150 (+50.00%), and 2 more" of a broken limit. */
static void print_verdict(const struct limit_verdict *verdict, const struct difference *difference,
			  char *buffer, size_t size)
{
	const struct limit_violation row = { verdict->row, verdict->old_value, verdict->new_value };
	char text[COMPLAINT_TEXT], more[64] = "";

	print_row(difference, verdict, &row, text, sizeof(text));
	if (verdict->n_broken > 1)
		snprintf(more, sizeof(more), ", and %zu more", verdict->n_broken - 1);
	snprintf(buffer, size, "%.*s%s", (int)(size - sizeof(more)), text, more);
}

/* The other functions that break a limit, one line each. */
static void warn_of_others(const struct limit_verdict *verdict, const char *path,
			   const struct difference *difference)
{
	struct limit_violation rows[DIFFLIMITS_FUNCTIONS];
	size_t n = limit_check_list(verdict, difference, rows, DIFFLIMITS_FUNCTIONS);

	for (size_t i = 1; i < n; i++) {
		char text[COMPLAINT_TEXT];

		print_row(difference, verdict, &rows[i], text, sizeof(text));
		if (verdict->limit->is_soft)
			warn(command, "%s:%llu: also %s", path,
			     (unsigned long long)verdict->limit->line, text);
		else
			complain(command, "%s:%llu: also %s", path,
				 (unsigned long long)verdict->limit->line, text);
	}
}

static void report_verdict(const struct limit_verdict *verdict, const char *path,
			   const struct difference *difference, const struct option_common *common)
{
	const struct limit *limit = verdict->limit;
	unsigned long long line = limit->line;
	const char *what = verdict->n_matched == 0 ? "unmatched" : "broken";
	char text[COMPLAINT_TEXT] = "fits no function";
	bool quiet = common->quiet;

	if (verdict->n_matched > 0 && verdict->n_gone == verdict->n_matched && !quiet)
		warn(command, "%s:%llu: %s: all that it fits are gone", path, line, limit->text);
	if (verdict->n_matched > 0 && verdict->n_broken == 0)
		return;
	if (verdict->n_matched > 0)
		print_verdict(verdict, difference, text, sizeof(text));
	if (!limit->is_soft)
		complain(command, "%s:%llu: %s: %s: %s", path, line, what, limit->text, text);
	else if (!quiet)
		warn(command, "%s:%llu: %s: %s", path, line, limit->text, text);
	if (common->verbose > 0 && verdict->n_broken > 1 && !(limit->is_soft && quiet))
		warn_of_others(verdict, path, difference);
}

void difflimits_print(const struct difflimits *limits, const char *path,
		      const struct difference *difference, const struct option_common *common)
{
	for (size_t i = 0; i < limits->n; i++)
		report_verdict(&limits->verdicts[i], path, difference, common);
}

/* -- in a report --------------------------------------------------------------------------- */

static bool fails(const struct limit_verdict *verdict)
{
	return verdict->n_broken > 0 || verdict->n_matched == 0;
}

/* How much more than OLD, in millionths of it; INT64_MAX where OLD is 0. */
static int64_t excess(const struct limit_verdict *verdict)
{
	int128 change = verdict->new_value - verdict->old_value;
	int128 old = int128_magnitude(verdict->old_value);

	if (old == 0 || int128_magnitude(change) / old >= INT64_MAX / 1000000)
		return change < 0 ? -INT64_MAX : INT64_MAX;
	return (int64_t)(change * 1000000 / old);
}

/* Hard ones first, of them those that fit nothing, then the largest increase in percent first. */
static bool is_before(const struct limit_verdict *a, const struct limit_verdict *b)
{
	if (a->limit->is_soft != b->limit->is_soft)
		return b->limit->is_soft;
	if ((a->n_matched == 0) != (b->n_matched == 0))
		return a->n_matched == 0;
	if (a->n_matched > 0 && excess(a) != excess(b))
		return excess(a) > excess(b);
	return a->limit->line < b->limit->line;
}

/* The first of the verdicts that fail, behind another one; NULL = none. */
static const struct limit_verdict *next_failure(const struct limit_verdict *verdicts, size_t n,
						const struct limit_verdict *behind)
{
	const struct limit_verdict *next = NULL;

	for (size_t i = 0; i < n; i++)
		if (fails(&verdicts[i]) && (!behind || is_before(behind, &verdicts[i])) &&
		    (!next || is_before(&verdicts[i], next)))
			next = &verdicts[i];
	return next;
}

static void put_failure(struct document *document, const struct limit_verdict *verdict,
			const struct difference *difference)
{
	char text[COMPLAINT_TEXT];

	document_prose(document, "- %s: ",
		       verdict->limit->is_soft   ? "warning"
		       : verdict->n_matched == 0 ? "**unmatched**"
						 : "**broken**");
	document_name(document, verdict->limit->text);
	if (verdict->n_matched == 0) {
		document_prose(document, ": fits no function\n");
		return;
	}
	print_verdict(verdict, difference, text, sizeof(text));
	document_prose(document, ": ");
	document_name(document, text);
	document_prose(document, "\n");
}

size_t difflimits_summarize(struct document *document, const struct limit_verdict *verdicts,
			    size_t n, const struct difference *difference)
{
	size_t n_broken = 0, n_unmatched = 0, n_soft = 0, listed = 0, n_all;
	const struct limit_verdict *verdict = NULL;

	if (n == 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		n_soft += fails(&verdicts[i]) && verdicts[i].limit->is_soft;
		n_broken += verdicts[i].n_broken > 0 && !verdicts[i].limit->is_soft;
		n_unmatched += verdicts[i].n_matched == 0 && !verdicts[i].limit->is_soft;
	}
	n_all = n_broken + n_unmatched + n_soft;
	document_prose(document, "**Limits**: %zu of %zu broken", n_broken, n);
	if (n_unmatched > 0)
		document_prose(document, ", %zu unmatched", n_unmatched);
	document_prose(document, ", %zu warnings", n_soft);
	if (n_all > SUMMARY_ROWS)
		document_prose(document, ", the first %d", SUMMARY_ROWS);
	document_prose(document, "\n\n");
	while (listed < SUMMARY_ROWS && (verdict = next_failure(verdicts, n, verdict)) != NULL) {
		put_failure(document, verdict, difference);
		listed++;
	}
	if (listed == 0)
		return SUMMARY_LINES - 1;
	document_prose(document, "\n");
	return SUMMARY_LINES + listed;
}

/* What difflimits_list() lists. */
struct listing {
	const struct limit_verdict *verdicts;
	size_t n;
	const struct difference *difference;
};

static void put_name(struct document *document, const struct listing *listing,
		     const struct limit_verdict *verdict, enum name_kind kind)
{
	bool has_name = verdict->n_broken > 0 && verdict->limit->scope != LIMIT_TOTAL;
	struct name name = { "", 0, NAME_NO_KEY };

	if (has_name)
		name = difference_name(listing->difference, verdict->row, kind);
	document_cell(document, has_name ? cell_text(name.text, name.len) : cell_none);
}

static void put_verdicts(struct document *document, void *ctx)
{
	const struct listing *listing = ctx;

	for (size_t i = 0; i < listing->n; i++) {
		const struct limit_verdict *verdict = &listing->verdicts[i];
		const struct cell_pairs worst = { 1, NULL, &verdict->old_value, &verdict->new_value,
						  &verdict->metric->decimals };

		document_cell(document, cell_count(verdict->limit->line));
		document_cell(document, cell_string(verdict->limit->text));
		document_cell(document, cell_string(verdict->n_matched == 0   ? "unmatched"
						    : verdict->n_broken == 0  ? "kept"
						    : verdict->limit->is_soft ? "soft"
									      : "broken"));
		document_cell(document, cell_bool(verdict->limit->is_soft));
		document_cell(document, cell_count((int128)verdict->n_matched));
		document_cell(document, cell_count((int128)verdict->n_broken));
		document_cell(document, verdict->n_broken > 0 ? cell_pairs(worst) : cell_none);
		put_name(document, listing, verdict, NAME_OBJECT);
		put_name(document, listing, verdict, NAME_FILE);
		put_name(document, listing, verdict, NAME_FUNCTION);
	}
}

void difflimits_list(struct document *document, const struct limit_verdict *verdicts, size_t n,
		     const struct difference *difference)
{
	static const struct document_column columns[] = {
		{ .key = "line" },     { .key = "limit" },   { .key = "state" },
		{ .key = "is_soft" },  { .key = "matched" }, { .key = "broken" },
		{ .key = "worst" },    { .key = "object" },  { .key = "file" },
		{ .key = "function" },
	};
	struct listing listing = { verdicts, n, difference };
	const struct document_table table = {
		.key = "limits",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.put_rows = put_verdicts,
		.ctx = &listing,
	};

	document_table(document, &table);
}
