/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run of benchmarks compared with a baseline, and held to limits. */
#define _GNU_SOURCE /* qsort_r() */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/bench/bench.h"
#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "profile/analysis/metric.h"

const char *const bench_states[N_BENCH_STATES] = {
	"gone", "unmatched", "empty", "broken", "soft", "changed", "new", "same",
};

int128 bench_row_new(const struct bench_row *row, size_t event, bool *has)
{
	const struct bench_result *result = row->new_result;

	*has = result && result->has[event];
	return *has ? result->values[event] : 0;
}

int128 bench_row_old(const struct bench_comparison *comparison, const struct bench_row *row,
		     size_t event, bool *has)
{
	const struct bench_result *result = row->old_result;
	const size_t old_event = comparison->old_events[event];

	*has = result && old_event < BENCH_EVENTS && result->has[old_event];
	return *has ? result->values[old_event] : 0;
}

/* NEW - OLD; 0 where one of them is not there. */
static int128 change_of(const struct bench_comparison *comparison, const struct bench_row *row,
			size_t event)
{
	bool has_old, has_new;
	const int128 old_value = bench_row_old(comparison, row, event, &has_old);
	const int128 new_value = bench_row_new(row, event, &has_new);

	return has_old && has_new ? new_value - old_value : 0;
}

/* -- limits ------------------------------------------------------------------------------------- */

/* Holds all rows to a limit. */
static void hold(struct bench_comparison *comparison, const struct limit *limit, size_t event)
{
	const unsigned decimals = comparison->new_set->events[event].decimals;
	bool is_matched = false;

	for (size_t i = 0; i < comparison->n; i++) {
		struct bench_row *row = &comparison->rows[i];
		struct limit_region region = { .name = row->name,
					       .is_unmatched = row->state <= BENCH_EMPTY };

		if (!limit_matches(limit->pattern, row->name, strlen(row->name)))
			continue;
		is_matched = true;
		region.old_value = bench_row_old(comparison, row, event, &region.in_old);
		region.new_value = bench_row_new(row, event, &region.in_new);
		if (!limit_region_is_broken(limit, &region, decimals))
			continue;
		/* Of several limits the first counts, but a hard one before a soft one. */
		if (row->limit && (limit->is_soft || !row->limit->is_soft))
			continue;
		row->limit = limit;
		row->event = event;
		row->state = limit->is_soft ? BENCH_SOFT : BENCH_BROKEN;
	}
	if (is_matched)
		return;
	comparison->unmatched =
		heap_resize(comparison->unmatched, (comparison->n_unmatched + 1) * sizeof(void *));
	comparison->unmatched[comparison->n_unmatched++] = limit;
}

static int hold_to_all(struct bench_comparison *comparison, const struct limits *limits,
		       const char *path, const char *command)
{
	size_t n_others = 0;

	for (size_t i = 0; i < limits->n; i++) {
		const struct limit *limit = &limits->all[i];
		const size_t event = bench_set_event(comparison->new_set, limit->event);

		if (limit->scope != LIMIT_REGION) {
			n_others++;
			continue;
		}
		if (event == comparison->new_set->n_events && !path) {
			if (!limit->is_soft)
				warn(command,
				     "'%s' is not checked: --show has no %s, and there is no --limits",
				     limit->text, limit->event);
			continue;
		}
		if (event == comparison->new_set->n_events) {
			complain(
				command,
				"%s:%llu:%llu: expected an event of --show, found '%s': add it there",
				path, (unsigned long long)limit->line,
				(unsigned long long)limit->event_column, limit->event);
			return EXIT_FAILED;
		}
		/* No row would break it, whatever has changed. */
		if (comparison->old_set->n > 0 && limit_is_relative(limit) &&
		    comparison->old_events[event] == BENCH_EVENTS) {
			if (!path && limit->is_soft)
				continue;
			complain(command,
				 "the baseline has no counts of %s, which the limit '%s' compares: "
				 "expected one that was saved with the same --show",
				 limit->event, limit->text);
			return EXIT_FAILED;
		}
		hold(comparison, limit, event);
	}
	if (n_others < limits->n) {
		if (n_others > 0)
			warn(command,
			     "%s: limits that are not of regions are for costgrind diff: %zu", path,
			     n_others);
		return EXIT_FINE;
	}
	complain(command, "%s: expected a limit of regions, such as 'region * Ir +1%%'", path);
	return EXIT_FAILED;
}

/* -- rows --------------------------------------------------------------------------------------- */

static void add_row(struct bench_comparison *comparison, const char *name,
		    const struct bench_result *old_result, const struct bench_result *new_result)
{
	comparison->rows[comparison->n++] = (struct bench_row){
		.name = name,
		.old_result = old_result,
		.new_result = new_result,
		.state = BENCH_SAME,
	};
}

/* Both sets are in order. */
static void make_rows(struct bench_comparison *comparison)
{
	const struct bench_set *old_set = comparison->old_set, *new_set = comparison->new_set;
	size_t i = 0, j = 0, n_old = old_set ? old_set->n : 0;

	comparison->rows = heap_zeroed(n_old + new_set->n, sizeof(*comparison->rows));
	while (i < n_old || j < new_set->n) {
		int order = i == n_old        ? 1
			    : j == new_set->n ? -1
					      : strcmp(old_set->all[i].name, new_set->all[j].name);

		add_row(comparison, order <= 0 ? old_set->all[i].name : new_set->all[j].name,
			order <= 0 ? &old_set->all[i] : NULL, order >= 0 ? &new_set->all[j] : NULL);
		i += order <= 0;
		j += order >= 0;
	}
}

/*
 * True if a benchmark has so few of the instructions it had that they are only the harness's, whose own are in the
 * region (3 to 30, docs/BENCH.md): the compiler has removed the rest.
 */
static bool is_emptied(int128 old_ir, int128 new_ir)
{
	enum { HARNESS = 64, FALL = 8 };

	return new_ir <= HARNESS && old_ir >= new_ir * FALL;
}

/* What is so of a row whatever the limits. */
static void judge(struct bench_comparison *comparison, struct bench_row *row)
{
	const size_t ir = bench_set_event(comparison->new_set, "Ir");
	const bool has_ir = ir < comparison->new_set->n_events;
	bool has_old, has_new = false;
	const int128 new_ir = has_ir ? bench_row_new(row, ir, &has_new) : 0;

	if (!row->new_result)
		row->state = BENCH_GONE;
	else if (row->new_result->is_unmatched)
		row->state = BENCH_UNMATCHED;
	else if (row->new_result->is_empty ||
		 (has_new && is_emptied(bench_row_old(comparison, row, ir, &has_old), new_ir))) {
		row->state = BENCH_EMPTY;
		row->event = has_new ? ir : 0;
	} else if (comparison->old_set && !row->old_result)
		row->state = BENCH_NEW;
}

/* A row that no limit says anything of. */
static void judge_change(struct bench_comparison *comparison, struct bench_row *row)
{
	bool has;
	const int128 old_value = bench_row_old(comparison, row, 0, &has);
	const int128 change = int128_magnitude(change_of(comparison, row, 0));

	if (row->state == BENCH_SAME &&
	    change * 1000000 > int128_magnitude(old_value) * BENCH_TOLERANCE)
		row->state = BENCH_CHANGED;
}

/* How much of OLD a row has changed by, in millionths, in the event that its state is by. */
static int128 extent_of(const struct bench_comparison *comparison, const struct bench_row *row)
{
	bool has;
	const int128 old_value = bench_row_old(comparison, row, row->event, &has);
	const int128 change = int128_magnitude(change_of(comparison, row, row->event));

	return old_value != 0 ? change * 1000000 / int128_magnitude(old_value)
	       : change > 0   ? INT64_MAX
			      : 0;
}

static int compare_rows(const void *left, const void *right, void *ctx)
{
	const struct bench_comparison *comparison = ctx;
	const struct bench_row *a = left, *b = right;
	int128 extent_a, extent_b;

	if (a->state != b->state)
		return a->state < b->state ? -1 : 1;
	extent_a = a->state == BENCH_SAME ? 0 : extent_of(comparison, a);
	extent_b = b->state == BENCH_SAME ? 0 : extent_of(comparison, b);
	if (extent_a != extent_b)
		return extent_a > extent_b ? -1 : 1;
	return strcmp(a->name, b->name);
}

int bench_compare(struct bench_comparison *comparison, const struct bench_set *old_set,
		  const struct bench_set *new_set, const struct limits *limits, const char *path,
		  const char *command)
{
	int code = EXIT_FINE;

	*comparison = (struct bench_comparison){ .old_set = old_set, .new_set = new_set };
	for (size_t i = 0; i < new_set->n_events; i++) {
		size_t event = old_set ? bench_set_event(old_set, new_set->events[i].name) : 0;

		comparison->old_events[i] = old_set && event < old_set->n_events &&
							    old_set->events[event].decimals ==
								    new_set->events[i].decimals
						    ? event
						    : (size_t)BENCH_EVENTS;
	}
	make_rows(comparison);
	for (size_t i = 0; i < comparison->n; i++)
		judge(comparison, &comparison->rows[i]);
	if (old_set)
		code = hold_to_all(comparison, limits, path, command);
	for (size_t i = 0; i < comparison->n; i++)
		judge_change(comparison, &comparison->rows[i]);
	if (comparison->n > 0)
		qsort_r(comparison->rows, comparison->n, sizeof(*comparison->rows), compare_rows,
			comparison);
	for (size_t i = 0; i < comparison->n; i++)
		comparison->n_states[comparison->rows[i].state]++;
	comparison->n_shown = comparison->n - (old_set ? comparison->n_states[BENCH_SAME] : 0);
	return code;
}

void bench_comparison_release(struct bench_comparison *comparison)
{
	free(comparison->rows);
	free(comparison->unmatched);
}

bool bench_comparison_fails(const struct bench_comparison *comparison)
{
	size_t n = comparison->n_unmatched + comparison->new_set->n_failures;

	for (size_t state = 0; state <= BENCH_BROKEN; state++)
		n += comparison->n_states[state];
	return n > 0;
}

/* -- functions ---------------------------------------------------------------------------------- */

/* What a function that is not among the kept ones can have cost at most. */
static int128 bound_of(const struct bench_result *result, int128 ir)
{
	int128 least = ir / 100;

	/* If there is room for more, the others are below 1 %. */
	if (result->n_functions < BENCH_FUNCTIONS)
		return least;
	least = result->functions[0].ir;
	for (size_t i = 1; i < BENCH_FUNCTIONS; i++)
		if (result->functions[i].ir < least)
			least = result->functions[i].ir;
	return least;
}

static const struct bench_function *kept_function(const struct bench_result *result,
						  const char *name)
{
	for (size_t i = 0; i < result->n_functions; i++)
		if (strcmp(result->functions[i].name, name) == 0)
			return &result->functions[i];
	return NULL;
}

size_t bench_find_growth(struct bench_growth *growth, const struct bench_result *old_result,
			 int128 old_ir, const struct bench_function *now, size_t n)
{
	const int128 bound = bound_of(old_result, old_ir);
	size_t most = n;

	growth->change = 0;
	for (size_t i = 0; old_result->n_functions > 0 && i < n; i++) {
		const struct bench_function *kept = kept_function(old_result, now[i].name);
		const int128 was = kept ? kept->ir : bound;

		if (now[i].ir - was <= growth->change)
			continue;
		most = i;
		growth->change = now[i].ir - was;
		growth->was = was;
		growth->is_bound = !kept && was > 0;
	}
	/* Another one that is not kept may have cost nothing, and have grown more. */
	for (size_t i = 0; most < n && i < n; i++)
		if (i != most && now[i].ir > growth->change &&
		    !kept_function(old_result, now[i].name))
			most = n;
	return most;
}

/* -- in words ------------------------------------------------------------------------------------ */

void bench_row_print(const struct bench_comparison *comparison, const struct bench_row *row,
		     char *text, size_t size)
{
	static const char *const reasons[] = {
		[BENCH_GONE] = "gone: it is in the baseline, and no program has it",
		[BENCH_UNMATCHED] = "unmatched: it was never entered, or is not over",
		[BENCH_EMPTY] = "empty: no instruction was executed in it",
		[BENCH_NEW] = "new: it is not in the baseline",
		[N_BENCH_STATES] = NULL,
	};
	const struct bench_event *event = &comparison->new_set->events[row->event];
	char old_text[INT128_TEXT], new_text[INT128_TEXT], percent[INT128_TEXT];
	bool has_old, has_new;
	const int128 old_value = bench_row_old(comparison, row, row->event, &has_old);
	const int128 new_value = bench_row_new(row, row->event, &has_new);

	int128_print_decimal(old_text, old_value, true, event->decimals);
	int128_print_decimal(new_text, new_value, true, event->decimals);
	if (row->state == BENCH_EMPTY && !row->new_result->is_empty) {
		snprintf(text, size, "empty: of %s instructions %s are left", old_text, new_text);
		return;
	}
	if (reasons[row->state]) {
		snprintf(text, size, "%s", reasons[row->state]);
		return;
	}
	int128_print_percent(percent, new_value - old_value, old_value);
	if (!has_old)
		snprintf(text, size, "%s %s", event->name, new_text);
	else
		snprintf(text, size, "%s %s to %s%s%s%s", event->name, old_text, new_text,
			 *percent ? " (" : "", percent, *percent ? ")" : "");
	if (row->limit)
		snprintf(text + strlen(text), size - strlen(text), ", limit: %s", row->limit->text);
}

void bench_row_print_place(const struct bench_comparison *comparison, const struct bench_row *row,
			   char *text, size_t size)
{
	const char *event = comparison->new_set->events[row->event].name;
	const bool has_grown = row->growth.place.function != NULL;
	const struct bench_place *place = has_grown ? &row->growth.place : &row->hottest;
	const char *slash = place->file ? strrchr(place->file, '/') : NULL;
	char change[INT128_TEXT], was[INT128_TEXT], line[512] = "";

	text[0] = '\0';
	if (!place->function)
		return;
	if (place->line > 0)
		snprintf(line, sizeof(line), ", line %" PRIu64 " of %.256s", place->line,
			 slash ? slash + 1 : place->file);
	int128_print(change, row->growth.change, true);
	int128_print(was, row->growth.was, true);
	if (has_grown)
		snprintf(text, size, "changed most: %.256s, %s+%s Ir (was %s%s)%s", place->function,
			 row->growth.is_bound ? "at least " : "", change,
			 row->growth.is_bound ? "at most " : "", was, line);
	else
		snprintf(text, size, "most %s now: %.256s%s (%.0f %%)", event, place->function,
			 line, int128_percent(place->part, place->whole));
}
