/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/diff/diffgate.h"

#include <stdio.h>
#include <string.h>

#include "cmds/common/commands.h"
#include "cmds/common/complaint.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

static const char command[] = "diff";

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

static int check(struct diffgate *gate, const char *path, const struct difference *difference,
		 const struct measures *measures)
{
	for (size_t i = 0; i < gate->n; i++) {
		const struct limit *limit = &gate->limits.all[i];
		size_t number = measures_find(measures, limit->event, strlen(limit->event));

		if (number == measures->n) {
			complain(
				command,
				"%s:%llu:%llu: expected an event of both profiles, or derived from "
				"them, found '%s'",
				path, (unsigned long long)limit->line,
				(unsigned long long)limit->event_column, limit->event);
			return EXIT_FAILED;
		}
		if (!can_check(limit, path, difference))
			return EXIT_FAILED;
		gate_check(&gate->verdicts[i], difference, limit, &measures->all[number]);
		gate->n_broken += !limit->is_soft && (gate->verdicts[i].n_broken > 0 ||
						      gate->verdicts[i].n_matched == 0);
	}
	return EXIT_FINE;
}

int diffgate_check(struct diffgate *gate, const char *path, const struct difference *difference,
		   const struct measures *measures, struct arena *arena)
{
	struct profile_error error = { .status = PROFILE_OK };

	*gate = (struct diffgate){ .n = 0 };
	if (limits_read(&gate->limits, path, &heap_env, &error)) {
		complain_of(command, &error);
		return EXIT_FAILED;
	}
	gate->n = gate->limits.n;
	gate->verdicts =
		arena_alloc(arena, (gate->n + 1) * sizeof(*gate->verdicts), sizeof(amount));
	if (!gate->verdicts) {
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	}
	return check(gate, path, difference, measures);
}

void diffgate_release(struct diffgate *gate)
{
	if (gate->limits.arena.env)
		limits_release(&gate->limits);
}

/* "a.c:f: 100 to 150 (+50.00%)" of a row, or without a name of totals. */
static void print_row(const struct difference *difference, const struct gate_row *row,
		      bool has_name, char *buffer, size_t size)
{
	char old_text[AMOUNT_TEXT], new_text[AMOUNT_TEXT], percent[AMOUNT_TEXT];
	char name[512] = "";

	amount_print(old_text, row->old_value, true);
	amount_print(new_text, row->new_value, true);
	amount_print_percent(percent, row->new_value - row->old_value, row->old_value);
	if (has_name)
		snprintf(name, sizeof(name),
			 "%.240s:%.240s: ", difference_name(difference, row->row, NAME_FILE).text,
			 difference_name(difference, row->row, NAME_FUNCTION).text);
	snprintf(buffer, size, "%s%s to %s%s%s%s", name, old_text, new_text, *percent ? " (" : "",
		 percent, *percent ? ")" : "");
}

void diffgate_print(const struct verdict *verdict, const struct difference *difference,
		    char *buffer, size_t size)
{
	const struct gate_row row = { verdict->row, verdict->old_value, verdict->new_value };
	char text[COMPLAINT_TEXT], more[64] = "";

	print_row(difference, &row, verdict->limit->scope != LIMIT_TOTAL, text, sizeof(text));
	if (verdict->n_broken > 1)
		snprintf(more, sizeof(more), ", and %zu more", verdict->n_broken - 1);
	snprintf(buffer, size, "%.*s%s", (int)(size - sizeof(more)), text, more);
}

/* The other functions that break a limit, one line each. */
static void tell_others(const struct verdict *verdict, const char *path,
			const struct difference *difference)
{
	struct gate_row rows[DIFFGATE_FUNCTIONS];
	size_t n = gate_list(verdict, difference, rows, DIFFGATE_FUNCTIONS);

	for (size_t i = 1; i < n; i++) {
		char text[COMPLAINT_TEXT];

		print_row(difference, &rows[i], true, text, sizeof(text));
		if (verdict->limit->is_soft)
			warn(command, "%s:%llu: also %s", path,
			     (unsigned long long)verdict->limit->line, text);
		else
			complain(command, "%s:%llu: also %s", path,
				 (unsigned long long)verdict->limit->line, text);
	}
}

static void tell(const struct verdict *verdict, const char *path,
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
		diffgate_print(verdict, difference, text, sizeof(text));
	if (!limit->is_soft)
		complain(command, "%s:%llu: %s: %s: %s", path, line, what, limit->text, text);
	else if (!quiet)
		warn(command, "%s:%llu: %s: %s", path, line, limit->text, text);
	if (common->verbose > 0 && verdict->n_broken > 1 && !(limit->is_soft && quiet))
		tell_others(verdict, path, difference);
}

void diffgate_tell(const struct diffgate *gate, const char *path,
		   const struct difference *difference, const struct option_common *common)
{
	for (size_t i = 0; i < gate->n; i++)
		tell(&gate->verdicts[i], path, difference, common);
}
