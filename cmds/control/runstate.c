/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What targets answer: their states, what is derived from them, and what functions cost between two of them. */
#define _GNU_SOURCE /* qsort_r */
#include "cmds/control/control.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/emit/visible.h"
#include "profile/analysis/metric.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"

enum {
	MOST_THREADS = 1 << 20,
	MOST_NUMBER = 999999999, /* of a thread or frame */
};

static const char bad_line[] = "a line is not of its form";

/* A line, or what is left of it. */
struct rest {
	const char *at, *end;
};

/* -- pieces of a line -------------------------------------------------------------------- */

/* Skips a word; false if another one is there. */
static bool take_text(struct rest *rest, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(rest->end - rest->at) < len || memcmp(rest->at, text, len) != 0)
		return false;
	rest->at += len;
	return true;
}

static void skip_blanks(struct rest *rest)
{
	while (rest->at < rest->end && *rest->at == ' ')
		rest->at++;
}

static bool take_number(struct rest *rest, uint64_t *number)
{
	const char *begin = rest->at;

	*number = 0;
	for (; rest->at < rest->end; rest->at++) {
		unsigned digit = (unsigned)(*rest->at - '0');

		if (digit > 9)
			break;
		if (*number > (UINT64_MAX - digit) / 10)
			return false;
		*number = *number * 10 + digit;
	}
	return rest->at > begin;
}

/* A number, after blanks, that ends the line. */
static const char *take_last(struct rest *rest, uint64_t *number)
{
	skip_blanks(rest);
	if (!take_number(rest, number))
		return bad_line;
	skip_blanks(rest);
	return rest->at == rest->end ? NULL : bad_line;
}

/* Counts by event; those that are left out at the end are 0.  A tab may end them. */
static const char *take_counts(struct runstate *state, struct rest *rest, uint64_t **counts)
{
	uint64_t read[RUNSTATE_EVENTS] = { 0 };
	size_t n = 0;

	if (state->n_events == 0)
		return bad_line; /* how many there would be is not known yet */
	for (skip_blanks(rest); rest->at < rest->end && *rest->at != '\t'; skip_blanks(rest)) {
		if (n == state->n_events || !take_number(rest, &read[n++]))
			return bad_line;
		if (rest->at < rest->end && *rest->at != ' ' && *rest->at != '\t')
			return bad_line;
	}
	*counts = arena_alloc(&state->arena, (state->n_events + 1) * sizeof(**counts),
			      sizeof(**counts));
	memcpy(*counts, read, state->n_events * sizeof(**counts));
	(*counts)[state->n_events] = n;
	return NULL;
}

/* -- lines ------------------------------------------------------------------------------- */

static const char *read_events(struct runstate *state, struct rest *rest)
{
	state->n_events = 0;
	for (skip_blanks(rest); rest->at < rest->end; skip_blanks(rest)) {
		const char *begin = rest->at;

		while (rest->at < rest->end && *rest->at != ' ')
			rest->at++;
		if (state->n_events == RUNSTATE_EVENTS)
			return bad_line;
		state->events[state->n_events++] =
			arena_copy(&state->arena, begin, (size_t)(rest->at - begin));
	}
	state->n_recorded = state->n_events;
	return state->n_events > 0 ? NULL : bad_line;
}

/* The thread of a number, made if it is not there; NULL if there are too many. */
static struct runthread *find_thread(struct runstate *state, unsigned number)
{
	/* What is reported of one comes together. */
	for (size_t i = state->n_threads; i-- > 0;)
		if (state->threads[i].number == number)
			return &state->threads[i];
	if (state->n_threads == MOST_THREADS)
		return NULL;
	state->threads = heap_grow(state->threads, &state->threads_room, state->n_threads + 1,
				   sizeof(*state->threads));
	state->threads[state->n_threads] = (struct runthread){ .number = number };
	return &state->threads[state->n_threads++];
}

enum line_kind {
	LINE_FUNCTION,
	LINE_CALLS,
	LINE_EVENTS,
};

/* After "function-", "calls-" or "events-": of a thread, or a frame of one. */
static const char *read_of_thread(struct runstate *state, struct rest *rest, enum line_kind kind)
{
	struct runthread *thread;
	uint64_t number, frame = 0, *counts;
	bool is_frame;
	const char *wrong;

	if (!take_number(rest, &number) || number > MOST_NUMBER)
		return bad_line;
	is_frame = take_text(rest, "-");
	if ((is_frame && (!take_number(rest, &frame) || frame > MOST_NUMBER)) ||
	    !take_text(rest, ":"))
		return bad_line;
	thread = find_thread(state, (unsigned)number);
	if (!thread)
		return "too many threads";
	/* Callgrind leaves out numbers of frames that nobody called. */
	if (kind == LINE_FUNCTION) {
		if (!is_frame || frame < thread->next)
			return bad_line;
		thread->next = (size_t)frame + 1;
		skip_blanks(rest);
		thread->frames = heap_grow(thread->frames, &thread->room, thread->n_frames + 1,
					   sizeof(*thread->frames));
		thread->frames[thread->n_frames++] =
			(struct runframe){ .function = arena_copy(&state->arena, rest->at,
								  (size_t)(rest->end - rest->at)) };
		return NULL;
	}
	if (is_frame && frame + 1 != thread->next)
		return bad_line;
	if (kind == LINE_CALLS)
		return is_frame ? take_last(rest, &thread->frames[thread->n_frames - 1].calls)
				: bad_line;
	wrong = take_counts(state, rest, &counts);
	if (wrong || rest->at != rest->end)
		return wrong ? wrong : bad_line;
	if (is_frame)
		thread->frames[thread->n_frames - 1].costs = counts;
	else
		thread->totals = counts;
	return NULL;
}

/* "function: 1 2 <tab> object <tab> name" */
static const char *read_hottest(struct runstate *state, struct rest *rest)
{
	struct runfunction function;
	uint64_t *counts;
	const char *wrong = take_counts(state, rest, &counts);
	const char *tab;

	if (wrong)
		return wrong;
	if (!take_text(rest, "\t"))
		return bad_line;
	tab = memchr(rest->at, '\t', (size_t)(rest->end - rest->at));
	if (!tab)
		return bad_line;
	function.costs = counts;
	function.object = arena_copy(&state->arena, rest->at, (size_t)(tab - rest->at));
	function.name = arena_copy(&state->arena, tab + 1, (size_t)(rest->end - tab - 1));
	state->hottest = heap_grow(state->hottest, &state->hottest_room, state->n_hottest + 1,
				   sizeof(function));
	state->hottest[state->n_hottest++] = function;
	return NULL;
}

static const char *read_instrumentation(struct runstate *state, struct rest *rest)
{
	skip_blanks(rest);
	if (rest->end - rest->at == 2 && memcmp(rest->at, "on", 2) == 0)
		state->instrumenting = true;
	else if (rest->end - rest->at != 3 || memcmp(rest->at, "off", 3) != 0)
		return bad_line;
	return NULL;
}

static const char *read_collection(struct runstate *state, struct rest *rest)
{
	struct rest said;

	skip_blanks(rest);
	said = *rest;
	if (!take_text(&said, "on")) {
		if (!take_text(&said, "off"))
			return bad_line;
		if (take_text(&said, " in threads") || take_text(&said, " in thread"))
			while (said.at < said.end &&
			       (*said.at == ' ' || (*said.at >= '0' && *said.at <= '9')))
				said.at++;
	}
	if (said.at != said.end)
		return bad_line;
	state->collection = arena_copy(&state->arena, rest->at, (size_t)(rest->end - rest->at));
	return NULL;
}

static const char *read_line(struct runstate *state, struct rest *rest)
{
	const struct {
		const char *name;
		uint64_t *number;
	} numbers[] = {
		{ "executed-bbs:", &state->executed_blocks },
		{ "executed-calls:", &state->executed_calls },
		{ "distinct-bbs:", &state->blocks },
		{ "distinct-calls:", &state->calls },
		{ "distinct-functions:", &state->functions },
		{ "distinct-contexts:", &state->contexts },
	};
	const char *wrong = NULL;
	uint64_t number;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (take_text(rest, numbers[i].name))
			return take_last(rest, numbers[i].number);
	if (take_text(rest, "function-"))
		return read_of_thread(state, rest, LINE_FUNCTION);
	if (take_text(rest, "calls-"))
		return read_of_thread(state, rest, LINE_CALLS);
	if (take_text(rest, "events-"))
		return read_of_thread(state, rest, LINE_EVENTS);
	if (take_text(rest, "function:"))
		return read_hottest(state, rest);
	if (take_text(rest, "collection:"))
		return read_collection(state, rest);
	if (take_text(rest, "events:")) /* before all counts: they would not fit others */
		return state->n_events == 0 ? read_events(state, rest) : bad_line;
	if (take_text(rest, "totals:"))
		return take_counts(state, rest, &state->totals);
	if (take_text(rest, "part:")) {
		wrong = take_last(rest, &number);
		state->part = number <= MOST_NUMBER ? (unsigned)number : MOST_NUMBER;
	}
	return wrong;
}

const char *runstate_read(struct runstate *state, const char *text, size_t len)
{
	const char *end = text + len;
	bool is_known = false;

	*state = (struct runstate){ .n_events = 0 };
	arena_init(&state->arena);
	while (text < end) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		struct rest rest = { text, line_end ? line_end : end };
		const char *wrong;

		if (take_text(&rest, "instrumentation:")) {
			is_known = true;
			wrong = read_instrumentation(state, &rest);
		} else {
			wrong = read_line(state, &rest);
		}
		if (wrong)
			return wrong;
		text = line_end ? line_end + 1 : end;
	}
	if (!is_known)
		return "expected the state of a run";
	return state->instrumenting && state->n_events == 0 ? "expected events" : NULL;
}

void runstate_release(struct runstate *state)
{
	for (size_t i = 0; i < state->n_threads; i++)
		free(state->threads[i].frames);
	free(state->threads);
	free(state->hottest);
	arena_release(&state->arena);
	state->threads = NULL;
	state->hottest = NULL;
	state->n_threads = state->n_hottest = 0;
}

bool runstate_drops(const struct runstate *state)
{
	return state->instrumenting && state->collection && strcmp(state->collection, "on") != 0;
}

size_t runstate_event(const struct runstate *state, const char *name, size_t len)
{
	size_t i = 0;

	while (i < state->n_events &&
	       (strlen(state->events[i]) != len || memcmp(state->events[i], name, len) != 0))
		i++;
	return i;
}

/* -- what is derived -------------------------------------------------------------------- */

/* A longer row for one of costs, of n events once; NULL for NULL. */
static uint64_t *lengthen(struct runstate *state, const struct metrics *metrics,
			  const uint64_t *costs)
{
	uint64_t *row;

	if (!costs)
		return NULL;
	row = arena_alloc(&state->arena, (metrics->n + 1) * sizeof(*row), sizeof(*row));
	memcpy(row, costs, metrics->n_events * sizeof(*row));
	for (size_t i = metrics->n_events; i < metrics->n; i++) {
		int128 value = metric_value(&metrics->all[i], costs, false);

		row[i] = value < 0 ? 0 : value > (int128)UINT64_MAX ? UINT64_MAX : (uint64_t)value;
	}
	/* Of a call that cost nothing, Callgrind reports nothing. */
	row[metrics->n] = costs[metrics->n_events] > 0 ? metrics->n : 0;
	return row;
}

void derivedcosts_add(struct runstate *state)
{
	struct model_event events[RUNSTATE_EVENTS];
	struct metric_source source = { .n_events = state->n_events };
	struct metrics metrics;

	for (size_t i = 0; i < state->n_events; i++)
		events[i] = (struct model_event){ .name = state->events[i] };
	source.events = events;
	metrics_init(&metrics, &source, &state->arena);
	for (size_t i = 0; i < state->n_events; i++)
		state->decimals[i] = metrics.all[i].decimals;
	if (metrics.n == metrics.n_events || metrics.n > RUNSTATE_EVENTS)
		return;
	state->totals = lengthen(state, &metrics, state->totals);
	for (size_t i = 0; i < state->n_threads; i++) {
		struct runthread *thread = &state->threads[i];

		thread->totals = lengthen(state, &metrics, thread->totals);
		for (size_t j = 0; j < thread->n_frames; j++)
			thread->frames[j].costs =
				lengthen(state, &metrics, thread->frames[j].costs);
	}
	for (size_t i = 0; i < state->n_hottest; i++)
		state->hottest[i].costs = lengthen(state, &metrics, state->hottest[i].costs);
	for (size_t i = metrics.n_events; i < metrics.n; i++) {
		state->events[i] = metrics.all[i].name;
		state->decimals[i] = metrics.all[i].decimals;
	}
	state->n_events = metrics.n;
	state->main_event = metrics_main(&metrics);
}

/* -- between two looks ------------------------------------------------------------------ */

/*
 * Both states' functions are sorted by object and name, and functions of one name added up.  Then
 * one pass subtracts the earlier ones.
 */

/* Functions in order, each name once. */
struct sorted {
	struct hotfunction *functions;
	size_t n;
};

static int by_name(const void *a, const void *b)
{
	const struct hotfunction *left = a, *right = b;
	int order = strcmp(left->object, right->object);

	return order != 0 ? order : strcmp(left->name, right->name);
}

static uint64_t *new_costs(struct arena *arena, size_t n_events)
{
	uint64_t *costs = arena_alloc(arena, (n_events + 1) * sizeof(*costs), sizeof(*costs));

	memset(costs, 0, n_events * sizeof(*costs));
	costs[n_events] = n_events;
	return costs;
}

static void add(uint64_t *sums, const uint64_t *costs, size_t n_events)
{
	for (size_t i = 0; i < n_events; i++)
		sums[i] += costs[i];
}

/* The functions of a state, with costs of their own. */
static struct sorted sort(struct arena *arena, const struct runstate *state)
{
	struct hotfunction *functions = heap_alloc(state->n_hottest * sizeof(*functions));
	size_t n = 0;

	for (size_t i = 0; i < state->n_hottest; i++) {
		uint64_t *costs = new_costs(arena, state->n_events);

		memcpy(costs, state->hottest[i].costs, state->n_events * sizeof(*costs));
		functions[i] = (struct hotfunction){ state->hottest[i].object,
						     state->hottest[i].name, costs };
	}
	qsort(functions, state->n_hottest, sizeof(*functions), by_name);
	for (size_t i = 0; i < state->n_hottest; i++)
		if (n > 0 && by_name(&functions[n - 1], &functions[i]) == 0)
			add(functions[n - 1].costs, functions[i].costs, state->n_events);
		else
			functions[n++] = functions[i];
	return (struct sorted){ functions, n };
}

/* Counts only grow, unless they were set to zero: by a part, or as somebody wished. */
static bool has_shrunk(const struct sorted *before, const struct sorted *now, size_t n_events)
{
	size_t j = 0;

	for (size_t i = 0; i < before->n; i++) {
		while (j < now->n && by_name(&now->functions[j], &before->functions[i]) < 0)
			j++;
		if (j == now->n || by_name(&now->functions[j], &before->functions[i]) != 0)
			return true;
		for (size_t event = 0; event < n_events; event++)
			if (now->functions[j].costs[event] < before->functions[i].costs[event])
				return true;
	}
	return false;
}

static void subtract(struct sorted *now, const struct sorted *before, size_t n_events)
{
	size_t j = 0;

	for (size_t i = 0; i < before->n; i++) {
		while (by_name(&now->functions[j], &before->functions[i]) != 0)
			j++;
		for (size_t event = 0; event < n_events; event++)
			now->functions[j].costs[event] -= before->functions[i].costs[event];
	}
}

static bool is_comparable(const struct runstate *before, const struct runstate *now)
{
	if (!before || before->part != now->part || before->n_events != now->n_events)
		return false;
	for (size_t i = 0; i < now->n_events; i++)
		if (strcmp(before->events[i], now->events[i]) != 0)
			return false;
	return true;
}

/* The context is the number of an event. */
static int by_cost(const void *a, const void *b, void *ctx)
{
	const struct hotfunction *left = a, *right = b;
	size_t event = *(const size_t *)ctx;

	if (left->costs[event] != right->costs[event])
		return left->costs[event] > right->costs[event] ? -1 : 1;
	return by_name(a, b);
}

static bool has_cost(const struct hotfunction *function, size_t n_events)
{
	for (size_t i = 0; i < n_events; i++)
		if (function->costs[i] != 0)
			return true;
	return false;
}

void hotlist_make(struct hotlist *list, const struct runstate *before, const struct runstate *now,
		  size_t sort_by)
{
	struct sorted old = { NULL, 0 }, new;

	*list = (struct hotlist){ .is_anew = !is_comparable(before, now) };
	arena_init(&list->arena);
	list->totals = new_costs(&list->arena, now->n_events);
	new = sort(&list->arena, now);
	if (!list->is_anew) {
		old = sort(&list->arena, before);
		list->is_anew = has_shrunk(&old, &new, now->n_events);
	}
	if (!list->is_anew)
		subtract(&new, &old, now->n_events);
	free(old.functions);
	list->functions = new.functions;
	for (size_t i = 0; i < new.n; i++)
		if (has_cost(&new.functions[i], now->n_events)) {
			add(list->totals, new.functions[i].costs, now->n_events);
			list->functions[list->n++] = new.functions[i];
		}
	qsort_r(list->functions, list->n, sizeof(*list->functions), by_cost, &sort_by);
}

void hotlist_release(struct hotlist *list)
{
	free(list->functions);
	list->functions = NULL;
	arena_release(&list->arena);
}

/* -- columns ---------------------------------------------------------------------------- */

enum { EVENT_NAME = 64 }; /* bytes shown; more is cut */

/* A name made safe to show; returns its length. */
static size_t visible_name(char shown[EVENT_NAME], const char *name)
{
	return visible_copy(shown, EVENT_NAME, name, strlen(name));
}

bool costcolumns_init(struct costcolumns *columns, const struct runstate *state, const char *list,
		      char *missing, size_t size)
{
	bool has_all = true;
	char name[EVENT_NAME];

	*columns = (struct costcolumns){ .state = state };
	while (list && *list) {
		size_t len = strcspn(list, ",");
		size_t i = runstate_event(state, list, len);

		if (i < state->n_events && columns->n < RUNSTATE_EVENTS) {
			columns->events[columns->n++] = i;
		} else if (has_all) {
			snprintf(missing, size, "%.*s: no such event is recorded",
				 len < 200 ? (int)len : 200, list);
			has_all = false;
		}
		list += len + (list[len] == ',');
	}
	if (columns->n == 0) {
		columns->events[columns->n++] = state->main_event;
		for (size_t i = 0; i < state->n_recorded; i++)
			if (i != state->main_event)
				columns->events[columns->n++] = i;
	}
	if (state->n_events == 0)
		columns->n = 0;
	for (size_t i = 0; i < state->n_events; i++)
		columns->widths[i] = visible_name(name, state->events[i]);
	return has_all;
}

void costcolumns_measure(struct costcolumns *columns, const uint64_t *costs)
{
	char text[INT128_TEXT];

	for (size_t i = 0; costs && i < columns->state->n_events; i++) {
		size_t len = int128_print_whole(text, int128_of(costs[i], false),
						columns->state->decimals[i].people);

		if (len > columns->widths[i])
			columns->widths[i] = len;
	}
}

void costcolumns_fit(struct costcolumns *columns, size_t width)
{
	size_t used = 0, n = 0;

	while (n < columns->n && (used += columns->widths[columns->events[n]] + 1) <= width)
		n++;
	columns->n = n > 0 ? n : 1;
}

void costcolumns_names(const struct costcolumns *columns, FILE *out)
{
	for (size_t i = 0; i < columns->n; i++) {
		size_t event = columns->events[i];

		char name[EVENT_NAME];
		size_t len = visible_name(name, columns->state->events[event]);

		fprintf(out, "%*s%s ", (int)(columns->widths[event] - len), "", name);
	}
}

void costcolumns_row(const struct costcolumns *columns, FILE *out, const uint64_t *costs)
{
	size_t n_told = costs ? costs[columns->state->n_events] : 0;

	for (size_t i = 0; i < columns->n; i++) {
		size_t event = columns->events[i];
		char text[INT128_TEXT] = ".";

		if (event < n_told)
			int128_print_whole(text, int128_of(costs[event], false),
					   columns->state->decimals[event].people);
		fprintf(out, "%*s ", (int)columns->widths[event], text);
	}
}
