/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/control/runstate.h"

#include <string.h>

#include "profile/common/heap.h"

enum {
	MOST_THREADS = 1 << 20,
	MOST_NUMBER = 999999999, /* of a thread or frame */
};

static const char no_memory[] = "out of memory";
static const char bad_line[] = "a line is not of its form";

/* A line, or what is left of it. */
struct rest {
	const char *at, *end;
};

/* -- pieces of a line -------------------------------------------------------------------- */

/* Passes over a word that stands there; false if another does. */
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

/* A number, behind blanks, that ends the line. */
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
	if (!*counts)
		return no_memory;
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
		state->events[state->n_events] =
			arena_copy(&state->arena, begin, (size_t)(rest->at - begin));
		if (!state->events[state->n_events++])
			return no_memory;
	}
	state->n_recorded = state->n_events;
	return state->n_events > 0 ? NULL : bad_line;
}

/* The thread of a number, made if it is not there; NULL if memory ran out. */
static struct runthread *find_thread(struct runstate *state, unsigned number)
{
	void *grown = state->threads;

	/* What is reported of one comes together. */
	for (size_t i = state->n_threads; i-- > 0;)
		if (state->threads[i].number == number)
			return &state->threads[i];
	if (state->n_threads == MOST_THREADS ||
	    !heap_reserve(state->env, &grown, &state->threads_room, state->n_threads + 1,
			  sizeof(*state->threads)))
		return NULL;
	state->threads = grown;
	state->threads[state->n_threads] = (struct runthread){ .number = number };
	return &state->threads[state->n_threads++];
}

static const char *read_function(struct runstate *state, struct runthread *thread,
				 struct rest *rest)
{
	void *grown = thread->frames;
	struct runframe frame = { NULL, 0, NULL };

	skip_blanks(rest);
	frame.function = arena_copy(&state->arena, rest->at, (size_t)(rest->end - rest->at));
	if (!frame.function || !heap_reserve(state->env, &grown, &thread->room,
					     thread->n_frames + 1, sizeof(*thread->frames)))
		return no_memory;
	thread->frames = grown;
	thread->frames[thread->n_frames++] = frame;
	return NULL;
}

enum line_kind {
	LINE_FUNCTION,
	LINE_CALLS,
	LINE_EVENTS,
};

/* Behind "function-", "calls-" or "events-": of a thread, or a frame of one. */
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
		return no_memory;
	/* Callgrind leaves out numbers of frames that nobody called. */
	if (kind == LINE_FUNCTION) {
		if (!is_frame || frame < thread->next)
			return bad_line;
		thread->next = (size_t)frame + 1;
		return read_function(state, thread, rest);
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
	void *grown = state->hottest;
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
	if (!function.object || !function.name ||
	    !heap_reserve(state->env, &grown, &state->hottest_room, state->n_hottest + 1,
			  sizeof(function)))
		return no_memory;
	state->hottest = grown;
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
	return state->collection ? NULL : no_memory;
}

/* Numbers of things; false if the line is no such. */
static bool read_numbers(struct runstate *state, struct rest *rest, const char **wrong)
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

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (take_text(rest, numbers[i].name)) {
			*wrong = take_last(rest, numbers[i].number);
			return true;
		}
	return false;
}

static const char *read_line(struct runstate *state, struct rest *rest)
{
	const char *wrong = NULL;
	uint64_t number;

	if (read_numbers(state, rest, &wrong))
		return wrong;
	if (take_text(rest, "function-"))
		return read_of_thread(state, rest, LINE_FUNCTION);
	if (take_text(rest, "calls-"))
		return read_of_thread(state, rest, LINE_CALLS);
	if (take_text(rest, "events-"))
		return read_of_thread(state, rest, LINE_EVENTS);
	if (take_text(rest, "function:"))
		return read_hottest(state, rest);
	if (take_text(rest, "instrumentation:"))
		return read_instrumentation(state, rest);
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

const char *runstate_read(struct runstate *state, const char *text, size_t len,
			  const struct env *env)
{
	const char *end = text + len;
	bool is_known = false;

	*state = (struct runstate){ .env = env };
	arena_init(&state->arena, env);
	while (text < end) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		struct rest rest = { text, line_end ? line_end : end };
		const char *wrong;

		is_known |= take_text(&rest, "instrumentation:");
		rest.at = text;
		wrong = read_line(state, &rest);
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
	const struct env *env = state->env;

	for (size_t i = 0; i < state->n_threads; i++)
		env->release(env->ctx, state->threads[i].frames);
	env->release(env->ctx, state->threads);
	env->release(env->ctx, state->hottest);
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
