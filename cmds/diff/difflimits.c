/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits of costgrind diff: read, checked, reported. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/diff/diff.h"
#include "cmds/object/codeobject.h"
#include "profile/analysis/difference.h"
#include "profile/common/desc.h"
#include "profile/common/error.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"

static const char command[] = "diff";

/* Of a summary: lines in addition to the limits, and how many limits it has at most. */
enum { SUMMARY_LINES = 3, SUMMARY_ROWS = 6 };

/* -- what a run says about itself --------------------------------------------------------- */

static bool costs_nothing(const struct model *model)
{
	uint64_t totals[PROFILE_MAX_EVENTS];

	if (model->is_signed || !model_totals(model, totals))
		return false; /* a difference may add up to 0 */
	for (size_t i = 0; i < model->n_events; i++)
		if (totals[i] != 0)
			return false;
	return true;
}

const char *difflimits_no_result(const struct model *old_model, const struct model *new_model,
				 struct arena *arena)
{
	struct run_facts old_facts, new_facts;
	struct part_desc lines[RUN_FACTS_LINES];
	const char *old_text, *new_text;
	char text[COMPLAINT_TEXT];

	comparability_facts(old_model, arena, &old_facts);
	comparability_facts(new_model, arena, &new_facts);
	if (!run_facts_know_collected(&new_facts))
		return costs_nothing(new_model) ? "NEW collected nothing" : NULL;
	/* "3 of 7,012,334 instructions", of a run that says so. */
	new_text = run_facts_print(&new_facts, lines, arena) > 0 ? lines[0].value : "";
	old_text = run_facts_print(&old_facts, lines, arena) > 0 ? lines[0].value : "";
	if (new_facts.collected == 0)
		snprintf(text, sizeof(text), "NEW collected nothing: %s", new_text);
	else if (run_facts_share_fell(&old_facts, &new_facts))
		snprintf(text, sizeof(text),
			 "NEW collected %s, less than 1 %% of the share that OLD did, %s", new_text,
			 old_text);
	else
		return NULL;
	return arena_copy(arena, text, strlen(text));
}

enum { MOST_WARNINGS = 3 };

/* What limits do not see in a run, in the words of its desc line; NULL = no such line. */
static const char *find_unseen(const struct model *model, const char *type, struct arena *arena)
{
	struct run_facts facts;
	struct part_desc lines[RUN_FACTS_LINES];
	const char *value;
	size_t n;

	comparability_facts(model, arena, &facts);
	n = run_facts_print(&facts, lines, arena);
	value = desc_value(lines, n, type);
	return value && strcmp(value, "exit 0") != 0 ? value : NULL;
}

const char *difflimits_failed_end(const struct model *model, struct arena *arena)
{
	return find_unseen(model, ENDED_DESC, arena);
}

/* Warnings of what limits do not see, of NEW or else of OLD; returns how many. */
static size_t find_warnings(const struct difference *difference, struct arena *arena,
			    const char *warnings[MOST_WARNINGS])
{
	static const struct {
		const char *type, *before, *after;
	} unseen[MOST_WARNINGS] = {
		{ NOT_PROFILED_DESC, "limits do not see what was started and not profiled, ",
		  "; --trace-children=yes profiles it" },
		{ TIME_ASKED_DESC, "the program asked for the time ",
		  ", and time is a count of instructions: if it runs until some time is over, fix "
		  "the number of iterations" },
		{ ENDED_DESC, "the program failed (", ")" },
	};
	size_t n = 0;

	for (size_t i = 0; i < MOST_WARNINGS; i++) {
		const char *of_new = find_unseen(difference->new_model, unseen[i].type, arena);
		const char *value =
			of_new ? of_new : find_unseen(difference->old_model, unseen[i].type, arena);
		char text[COMPLAINT_TEXT];

		if (!value)
			continue;
		snprintf(text, sizeof(text), "%s: %s%s%s", of_new ? "NEW" : "OLD", unseen[i].before,
			 value, unseen[i].after);
		warnings[n++] = arena_copy(arena, text, strlen(text));
	}
	return n;
}

/* -- checked --------------------------------------------------------------------------- */

static bool fails(const struct limit_verdict *verdict)
{
	return verdict->state != LIMIT_KEPT;
}

/* The metric of a limit; NULL after a message if it cannot be checked. */
static const struct metric *metric_of(const struct limit *limit, const char *path,
				      const struct difference *difference,
				      const struct metrics *metrics)
{
	/* Without calls, inclusive costs would be self costs by another name. */
	bool old_lacks = difference->old_model->n_functions > 0 && !difference->old_has_calls;
	bool new_lacks = difference->new_model->n_functions > 0 && !difference->new_has_calls;
	size_t number = metrics_find(metrics, limit->event, strlen(limit->event));
	/* What is in regions is known without calls. */
	bool needs_calls = limit->scope == LIMIT_INCLUSIVE;
	bool is_inclusive = needs_calls || limit->scope == LIMIT_REGION;
	unsigned long long line = limit->line, column = limit->event_column;

	if (number == metrics->n) {
		const char *option = event_option(limit->event);

		complain(
			command,
			"%s:%llu:%llu: expected an event of both profiles, or derived from them, found '%s'%s%s%s",
			path, line, column, limit->event, option ? ": it needs " : "",
			option ? option : "", !option || strchr(option, '=') ? "" : "=yes");
	} else if (needs_calls && (old_lacks || new_lacks)) {
		complain(command, "%s:%llu: inclusive costs need calls, and %s none", path, line,
			 old_lacks && new_lacks ? "the profiles have"
			 : old_lacks            ? "OLD has"
						: "NEW has");
	} else if (is_inclusive && metrics->all[number].is_self_only) {
		complain(command,
			 "%s:%llu:%llu: expected an event that has inclusive costs, found '%s'",
			 path, line, column, limit->event);
	} else {
		return &metrics->all[number];
	}
	return NULL;
}

/* "crc/64 is gone, and 2 more" */
static const char *print_failures(const struct region_pair *first, size_t n, const char *what,
				  struct arena *arena)
{
	char text[COMPLAINT_TEXT], more[64] = "";
	int len;

	if (n > 1)
		snprintf(more, sizeof(more), ", and %zu more", n - 1);
	len = snprintf(text, sizeof(text), "%.240s %s%s", first->name, what, more);
	return arena_copy(arena, text, (size_t)len);
}

/* True if a region that is in NEW was never entered there, or is not over. */
static bool says_nothing(const struct region_pair *region)
{
	return region->new_side.is_there &&
	       (region->new_side.is_open || region->new_side.times == 0);
}

static struct limit_region region_of(const struct region_pair *pair,
				     const struct difference *difference,
				     const struct metric *metric)
{
	const int128 old_value = metric_value(metric, pair->old_side.costs, false);

	return (struct limit_region){
		.name = pair->name,
		.old_value = old_value,
		.new_value = old_value + difference_change(difference, metric, pair->old_side.costs,
							   pair->new_side.costs),
		.in_old = pair->old_side.is_there,
		.in_new = pair->new_side.is_there,
		.is_unmatched = says_nothing(pair),
	};
}

/* Why a limit of regions is gone or unmatched; NULL = it is neither. */
static const char *find_region_failure(const struct limit_verdict *verdict,
				       const struct region_pairs *regions, struct arena *arena)
{
	const struct region_pair *gone = NULL, *unmatched = NULL;
	size_t n_unmatched = 0;

	if (verdict->n_matched == 0)
		return "fits no region";
	for (size_t i = 0; i < regions->n; i++) {
		const struct region_pair *region = &regions->all[i];

		if (!limit_matches(verdict->limit->pattern, region->name, strlen(region->name)))
			continue;
		if (!region->new_side.is_there) {
			gone = gone ? gone : region;
		} else if (says_nothing(region)) {
			unmatched = unmatched ? unmatched : region;
			n_unmatched++;
		}
	}
	if (unmatched)
		return print_failures(
			unmatched, n_unmatched,
			unmatched->new_side.is_open ? "is not over" : "was never entered", arena);
	return gone ? print_failures(gone, verdict->n_gone, "is gone", arena) : NULL;
}

/* Checks the limit of that number, which is of regions. */
static void check_regions(struct difflimits *limits, size_t number,
			  const struct difference *difference, const struct metric *metric,
			  struct arena *arena)
{
	const struct region_pairs *pairs = &limits->regions;
	struct limit_verdict *verdict = &limits->verdicts[number];
	struct limit_region *regions =
		arena_alloc(arena, (pairs->n + 1) * sizeof(*regions), sizeof(int128));

	for (size_t i = 0; i < pairs->n; i++)
		regions[i] = region_of(&pairs->all[i], difference, metric);
	limit_check_regions(verdict, &limits->limits.all[number], metric, regions, pairs->n);
	limits->region_failures[number] = find_region_failure(verdict, pairs, arena);
	/* Regions have their costs even where nothing was collected, but not of a run whose profile is cut short. */
	if (difference->new_model->is_cut || difference->old_model->is_cut)
		verdict->state = LIMIT_NO_RESULT;
}

/* What is missing of a limit of functions. */
static const char *missing_words(enum limit_state state)
{
	return state == LIMIT_UNMATCHED ? "fits no function"
					: "every function it matched has disappeared";
}

/* A function that a limit is of by another name of it. */
struct alias_search {
	const struct model *model;
	const char *pattern;
	const char *alias; /* that the pattern fits; the arena's */
	struct arena *arena;
};

static bool is_of_limit(void *ctx, uint32_t function, struct name alias)
{
	struct alias_search *search = ctx;
	const struct model_function *names = &search->model->functions[function];

	if (!limit_fits_function(search->pattern, alias,
				 model_name(search->model, NAME_FILE, names->file)))
		return false;
	search->alias = arena_copy(search->arena, alias.text, alias.len);
	return true;
}

/*
 * Why functions that limits are of are missing in NEW: the profile has one name of each piece of code, and the
 * linker may have folded equal ones.  The objects, if they are here, know all names.
 */
static void find_aliases(struct difflimits *limits, const struct model *model, struct arena *arena)
{
	const struct objectfile_options options = { .sysroot = NULL };
	struct code_objects objects = { .model = model,
					.options = &options,
					.refuses_stale = true };

	code_objects_init(&objects, model);
	for (size_t i = 0; i < limits->n; i++) {
		const struct limit_verdict *verdict = &limits->verdicts[i];
		struct alias_search search = { .model = model,
					       .pattern = verdict->limit->pattern,
					       .arena = arena };

		limits->runs_as[i] = NULL;
		if (verdict->limit->scope == LIMIT_REGION ||
		    (verdict->state != LIMIT_UNMATCHED && verdict->state != LIMIT_GONE))
			continue;
		for (uint32_t object = 0; object < model->names[NAME_OBJECT].count; object++) {
			uint32_t function = code_object_find_alias(
				code_objects_get(&objects, object), model, is_of_limit, &search);
			char *text;

			if (function == MODEL_NO_FUNCTION)
				continue;
			text = heap_print(
				"%s: %s runs as %s", missing_words(verdict->state), search.alias,
				model_name(model, NAME_FUNCTION, model->functions[function].name)
					.text);
			limits->runs_as[i] = arena_copy(arena, text, strlen(text));
			free(text);
			break;
		}
	}
	code_objects_release(&objects);
}

int difflimits_check(struct difflimits *limits, const char *path,
		     const struct difference *difference, const struct metrics *metrics,
		     bool is_first, struct arena *arena)
{
	struct profile_error error = { .status = PROFILE_OK };
	bool has_regions = false;

	*limits = (struct difflimits){ .n = 0 };
	if (limits_read(&limits->limits, path, &error)) {
		complain_of(command, &error);
		return EXIT_FAILED;
	}
	/* A single run can break only those with absolute bounds. */
	for (size_t i = 0; i < limits->limits.n; i++) {
		const struct limit *limit = &limits->limits.all[i];

		if (!is_first ||
		    (!limit->has_percent && !limit->has_change && !limit->must_improve))
			limits->limits.all[limits->n++] = *limit;
	}
	limits->limits.n = limits->n;
	limits->verdicts =
		arena_alloc(arena, (limits->n + 1) * sizeof(*limits->verdicts), sizeof(int128));
	limits->region_failures = arena_alloc(
		arena, (limits->n + 1) * sizeof(*limits->region_failures), sizeof(void *));
	limits->runs_as =
		arena_alloc(arena, (limits->n + 1) * sizeof(*limits->runs_as), sizeof(void *));
	for (size_t i = 0; i < limits->n; i++)
		has_regions |= limits->limits.all[i].scope == LIMIT_REGION;
	if (has_regions && regionpairs_of_difference(&limits->regions, difference, arena))
		return complain_status(command, NULL, PROFILE_RANGE);
	limits->no_result =
		difflimits_no_result(difference->old_model, difference->new_model, arena);
	if (difference->new_model->is_cut)
		limits->no_result = "NEW is cut short";
	else if (difference->old_model->is_cut)
		limits->no_result = "OLD is cut short";
	for (size_t i = 0; i < limits->n; i++) {
		const struct limit *limit = &limits->limits.all[i];
		const struct metric *metric = metric_of(limit, path, difference, metrics);

		if (!metric)
			return EXIT_FAILED;
		if (limit->scope == LIMIT_REGION)
			check_regions(limits, i, difference, metric, arena);
		else
			limit_check(&limits->verdicts[i], difference, limit, metric,
				    !limits->no_result);
		limits->n_broken += !limit->is_soft && fails(&limits->verdicts[i]);
	}
	find_aliases(limits, difference->new_model, arena);
	return EXIT_FINE;
}

void difflimits_release(struct difflimits *limits)
{
	limits_release(&limits->limits);
}

/* "a.c:f: 100 to 150 (+50.00%)" of a row, a region's by its name, or without a name of totals. */
static void print_row(const struct difflimits *limits, const struct difference *difference,
		      const struct limit_verdict *verdict, const struct limit_violation *row,
		      char *buffer, size_t size)
{
	unsigned decimals = verdict->metric->decimals.people;
	char old_text[INT128_TEXT], new_text[INT128_TEXT], percent[INT128_TEXT];
	char name[512] = "";

	int128_print_decimal(old_text, row->old_value, true, decimals);
	int128_print_decimal(new_text, row->new_value, true, decimals);
	int128_print_percent(percent, row->new_value - row->old_value, row->old_value);
	if (verdict->limit->scope == LIMIT_REGION)
		snprintf(name, sizeof(name), "%.480s: ", limits->regions.all[row->row].name);
	else if (verdict->limit->scope != LIMIT_TOTAL)
		snprintf(name, sizeof(name),
			 "%.240s:%.240s: ", difference_name(difference, row->row, NAME_FILE).text,
			 difference_name(difference, row->row, NAME_FUNCTION).text);
	snprintf(buffer, size, "%s%s to %s%s%s%s", name, old_text, new_text, *percent ? " (" : "",
		 percent, *percent ? ")" : "");
}

/* "a.c:f: 100 to 150 (+50.00%), and 2 more" of a broken limit. */
static void print_verdict(const struct difflimits *limits, const struct limit_verdict *verdict,
			  const struct difference *difference, char *buffer, size_t size)
{
	const struct limit_violation row = { verdict->row, verdict->old_value, verdict->new_value };
	char text[COMPLAINT_TEXT], more[64] = "";

	print_row(limits, difference, verdict, &row, text, sizeof(text));
	if (verdict->n_broken > 1)
		snprintf(more, sizeof(more), ", and %zu more", verdict->n_broken - 1);
	snprintf(buffer, size, "%.*s%s", (int)(size - sizeof(more)), text, more);
}

static const char *const state_words[] = {
	[LIMIT_NO_RESULT] = "unmatched", [LIMIT_UNMATCHED] = "unmatched", [LIMIT_GONE] = "gone",
	[LIMIT_BROKEN] = "broken",       [LIMIT_KEPT] = "kept",
};

/* Why a limit fails, unless it is broken; else NULL. */
static const char *reason_of(const struct limit_verdict *verdict, const struct difflimits *limits)
{
	const size_t number = (size_t)(verdict - limits->verdicts);
	const char *region = verdict->limit->scope == LIMIT_REGION ? limits->region_failures[number]
								   : NULL;

	if (limits->runs_as[number])
		return limits->runs_as[number];
	if (verdict->state == LIMIT_NO_RESULT)
		return limits->no_result;
	if (verdict->limit->scope == LIMIT_REGION)
		return region;
	return verdict->state == LIMIT_UNMATCHED || verdict->state == LIMIT_GONE
		       ? missing_words(verdict->state)
		       : NULL;
}

/* The regions that break a limit, the one that does most first, DIFFLIMITS_FUNCTIONS at most; returns how many. */
static size_t list_regions(const struct difflimits *limits, const struct limit_verdict *verdict,
			   const struct difference *difference, struct limit_violation *rows)
{
	size_t n = 0;

	rows[n++] =
		(struct limit_violation){ verdict->row, verdict->old_value, verdict->new_value };
	for (size_t i = 0; i < limits->regions.n && n < DIFFLIMITS_FUNCTIONS; i++) {
		const struct limit_region region =
			region_of(&limits->regions.all[i], difference, verdict->metric);

		if (i != verdict->row &&
		    limit_matches(verdict->limit->pattern, region.name, strlen(region.name)) &&
		    limit_region_is_broken(verdict->limit, &region,
					   verdict->metric->decimals.people))
			rows[n++] =
				(struct limit_violation){ i, region.old_value, region.new_value };
	}
	return n;
}

static void report_verdict(const struct difflimits *limits, const struct limit_verdict *verdict,
			   const char *path, const struct difference *difference,
			   const struct option_common *common)
{
	const struct limit *limit = verdict->limit;
	unsigned long long line = limit->line;
	const char *reason = reason_of(verdict, limits);
	struct limit_violation rows[DIFFLIMITS_FUNCTIONS];
	char text[COMPLAINT_TEXT];
	bool quiet = common->quiet;
	size_t n = 0;

	if (!fails(verdict)) {
		if (verdict->n_gone > 0 && !quiet)
			warn(command,
			     "%s:%llu: %s: %zu of the %zu functions it fits have disappeared", path,
			     line, limit->text, verdict->n_gone, verdict->n_matched);
		return;
	}
	if (verdict->state == LIMIT_BROKEN) {
		print_verdict(limits, verdict, difference, text, sizeof(text));
		reason = text;
	}
	if (!limit->is_soft)
		complain(command, "%s:%llu: %s: %s: %s", path, line, state_words[verdict->state],
			 limit->text, reason);
	else if (!quiet)
		warn(command, "%s:%llu: %s: %s", path, line, limit->text, reason);
	if (common->verbose > 0 && verdict->state == LIMIT_BROKEN && verdict->n_broken > 1 &&
	    !(limit->is_soft && quiet))
		n = limit->scope == LIMIT_REGION
			    ? list_regions(limits, verdict, difference, rows)
			    : limit_check_list(verdict, difference, rows, DIFFLIMITS_FUNCTIONS);
	/* The other functions, or regions, that break it, one line each. */
	for (size_t i = 1; i < n; i++) {
		print_row(limits, difference, verdict, &rows[i], text, sizeof(text));
		(limit->is_soft ? warn : complain)(command, "%s:%llu: also %s", path, line, text);
	}
}

void difflimits_print(const struct difflimits *limits, const char *path,
		      const struct difference *difference, const struct option_common *common)
{
	const char *warnings[MOST_WARNINGS];
	struct arena arena;
	size_t n;

	arena_init(&arena);
	n = common->quiet || limits->n == 0 ? 0 : find_warnings(difference, &arena, warnings);
	for (size_t i = 0; i < n; i++)
		warn(command, "%s", warnings[i]);
	for (size_t i = 0; i < limits->n; i++)
		report_verdict(limits, &limits->verdicts[i], path, difference, common);
	arena_release(&arena);
}

/* -- in a report --------------------------------------------------------------------------- */

/* How much more than OLD, in millionths of it; INT64_MAX where OLD is 0.  Or less, where that breaks the limit. */
static int64_t excess(const struct limit_verdict *verdict)
{
	bool both_ways = verdict->limit->is_both_ways || verdict->limit->has_least;
	int128 change = verdict->new_value - verdict->old_value;
	int128 old = int128_magnitude(verdict->old_value);

	if (both_ways)
		change = int128_magnitude(change);
	if (old == 0 || int128_magnitude(change) / old >= INT64_MAX / 1000000)
		return change < 0 ? -INT64_MAX : INT64_MAX;
	return (int64_t)(change * 1000000 / old);
}

/* Hard ones first, of them those that say nothing, then the largest increase in percent first. */
static int compare_failures(const void *left, const void *right)
{
	const struct limit_verdict *a = *(const struct limit_verdict *const *)left;
	const struct limit_verdict *b = *(const struct limit_verdict *const *)right;
	int64_t of_a = a->state == LIMIT_BROKEN ? excess(a) : 0;
	int64_t of_b = b->state == LIMIT_BROKEN ? excess(b) : 0;

	if (a->limit->is_soft != b->limit->is_soft)
		return a->limit->is_soft ? 1 : -1;
	if (a->state != b->state)
		return a->state < b->state ? -1 : 1;
	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return a->limit->line < b->limit->line ? -1 : a->limit->line > b->limit->line;
}

/* How many hard limits are in one of two states. */
static size_t count_hard(const struct difflimits *limits, enum limit_state state,
			 enum limit_state or_state)
{
	size_t n = 0;

	for (size_t i = 0; i < limits->n; i++)
		n += !limits->verdicts[i].limit->is_soft &&
		     (limits->verdicts[i].state == state || limits->verdicts[i].state == or_state);
	return n;
}

size_t difflimits_summarize(struct document *document, const struct difflimits *limits,
			    const struct difference *difference)
{
	size_t n_unmatched = count_hard(limits, LIMIT_NO_RESULT, LIMIT_UNMATCHED);
	size_t n_gone = count_hard(limits, LIMIT_GONE, LIMIT_GONE);
	size_t n_soft = 0, n_failing = 0, listed = 0, n_warnings;
	const struct limit_verdict **failing;
	const char *warnings[MOST_WARNINGS];
	char text[COMPLAINT_TEXT];
	struct arena arena;

	if (limits->n == 0)
		return 0;
	arena_init(&arena);
	failing = arena_alloc(&arena, limits->n * sizeof(void *), sizeof(void *));
	n_warnings = find_warnings(difference, &arena, warnings);
	for (size_t i = 0; i < limits->n; i++) {
		const struct limit_verdict *verdict = &limits->verdicts[i];

		if (fails(verdict))
			failing[n_failing++] = verdict;
		n_soft += fails(verdict) && verdict->limit->is_soft;
	}
	qsort(failing, n_failing, sizeof(void *), compare_failures);
	document_prose(document, "**Limits**: %zu of %zu broken",
		       count_hard(limits, LIMIT_BROKEN, LIMIT_BROKEN), limits->n);
	if (n_unmatched > 0)
		document_prose(document, ", %zu unmatched", n_unmatched);
	if (n_gone > 0)
		document_prose(document, ", %zu gone", n_gone);
	document_prose(document, ", %zu warning%s", n_soft + n_warnings,
		       n_soft + n_warnings == 1 ? "" : "s");
	if (limits->n_broken + n_soft > SUMMARY_ROWS)
		document_prose(document, ", the first %d", SUMMARY_ROWS);
	document_prose(document, "\n\n");
	for (; listed < SUMMARY_ROWS && listed < n_failing; listed++) {
		const struct limit_verdict *verdict = failing[listed];
		const char *reason = reason_of(verdict, limits);

		if (verdict->limit->is_soft)
			document_prose(document, "- warning: ");
		else
			document_prose(document, "- **%s**: ", state_words[verdict->state]);
		document_name(document, verdict->limit->text);
		document_prose(document, ": ");
		if (reason) {
			document_prose(document, "%s\n", reason);
			continue;
		}
		print_verdict(limits, verdict, difference, text, sizeof(text));
		document_name(document, text);
		document_prose(document, "\n");
	}
	for (size_t i = 0; i < n_warnings; i++, listed++) {
		document_prose(document, "- warning: ");
		document_name(document, warnings[i]);
		document_prose(document, "\n");
	}
	arena_release(&arena);
	if (listed == 0)
		return SUMMARY_LINES - 1;
	document_prose(document, "\n");
	return SUMMARY_LINES + listed;
}

/* What difflimits_list() lists. */
struct listing {
	const struct difflimits *limits;
	const struct difference *difference;
};

static void put_name(struct document *document, const struct listing *listing,
		     const struct limit_verdict *verdict, enum name_kind kind)
{
	bool has_name = verdict->n_broken > 0 && verdict->limit->scope != LIMIT_TOTAL &&
			verdict->limit->scope != LIMIT_REGION;
	struct name name = { "", 0, NAME_NO_KEY };

	if (has_name)
		name = difference_name(listing->difference, verdict->row, kind);
	document_cell(document, has_name ? cell_text(name.text, name.len) : cell_none);
}

static void put_verdict(struct document *document, void *ctx, size_t i)
{
	const struct listing *listing = ctx;
	const struct limit_verdict *verdict = &listing->limits->verdicts[i];
	const struct limit *limit = verdict->limit;
	bool is_broken = verdict->n_broken > 0;
	/* Of totals that are kept, too, and so of rows of CSV. */
	bool has_values = is_broken || limit->scope == LIMIT_TOTAL;
	const struct cell_pairs worst = { 1, NULL, &verdict->old_value, &verdict->new_value,
					  &verdict->metric->decimals };
	const struct decimals decimals = verdict->metric->decimals;
	const char *state = verdict->state == LIMIT_BROKEN && limit->is_soft
				    ? "soft"
				    : state_words[verdict->state];
	const char *reason = reason_of(verdict, listing->limits);
	const char *region = limit->scope == LIMIT_REGION && is_broken
				     ? listing->limits->regions.all[verdict->row].name
				     : NULL;
	const int128 values[] = { verdict->old_value, verdict->new_value,
				  verdict->new_value - verdict->old_value };

	document_cell(document, cell_count(limit->line));
	document_cell(document, cell_string(limit->text));
	document_cell(document, cell_string(state));
	document_cell(document, cell_bool(limit->is_soft));
	document_cell(document, reason ? cell_string(reason) : cell_none);
	document_cell(document, cell_count((int128)verdict->n_matched));
	document_cell(document, cell_count((int128)verdict->n_gone));
	document_cell(document, cell_count((int128)verdict->n_broken));
	document_cell(document, is_broken ? cell_pairs(worst) : cell_none);
	put_name(document, listing, verdict, NAME_OBJECT);
	put_name(document, listing, verdict, NAME_FILE);
	put_name(document, listing, verdict, NAME_FUNCTION);
	document_cell(document, region ? cell_string(region) : cell_none);
	if (region)
		document_cell(document, cell_string(region));
	else
		put_name(document, listing, verdict, NAME_FUNCTION);
	document_cell(document, cell_string(verdict->metric->name));
	for (size_t j = 0; j < 3; j++)
		document_cell(document, has_values ? cell_decimal(cell_count(values[j]), decimals)
						   : cell_none);
}

void difflimits_list(struct document *document, const struct difflimits *limits,
		     const struct difference *difference)
{
	static const struct document_column columns[] = {
		{ .key = "line", .field = "line" },
		{ .key = "limit" },
		{ .key = "state", .field = "state" },
		{ .key = "is_soft" },
		{ .key = "reason" },
		{ .key = "matched" },
		{ .key = "gone" },
		{ .key = "broken" },
		{ .key = "worst" },
		{ .key = "object", .field = "object" },
		{ .key = "file", .field = "file" },
		{ .key = "function" },
		{ .key = "region" },
		{ .field = "function" },
		{ .field = "event" },
		{ .field = "old" },
		{ .field = "new" },
		{ .field = "change" },
	};
	struct listing listing = { limits, difference };
	const struct document_view view = {
		.table = { .key = "limits",
			   .record = "limit",
			   .columns = columns,
			   .n = sizeof(columns) / sizeof(columns[0]) },
		.n_rows = limits->n,
		.put_row = put_verdict,
		.ctx = &listing,
	};

	document_view(document, &view);
}
