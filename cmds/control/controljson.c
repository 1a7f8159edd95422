/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "cmds/control/controlreport.h"
#include "cmds/control/costcolumns.h"

static void put_costs(struct json *json, const char *key, const struct costcolumns *columns,
		      const uint64_t *costs)
{
	if (!costs) {
		json_null(json, key);
		return;
	}
	json_object(json, key, true);
	for (size_t i = 0; i < columns->n; i++)
		json_count(json, columns->state->events[columns->events[i]],
			   costs[columns->events[i]]);
	json_close(json);
}

static void put_stat(struct json *json, const struct runstate *state)
{
	json_object(json, "stat", false);
	json_count(json, "parts", state->part);
	json_array(json, "events", true);
	for (size_t i = 0; i < state->n_events; i++)
		json_string(json, NULL, state->events[i]);
	json_close(json);
	json_count(json, "functions", state->functions);
	json_count(json, "contexts", state->contexts);
	json_count(json, "calls", state->executed_calls);
	json_count(json, "distinct_calls", state->calls);
	json_count(json, "blocks", state->executed_blocks);
	json_count(json, "distinct_blocks", state->blocks);
	json_close(json);
}

/* The innermost first, as in the text. */
static void put_frames(struct json *json, const struct costcolumns *columns,
		       const struct runthread *thread)
{
	json_array(json, "frames", false);
	for (size_t i = thread->n_frames; i-- > 0;) {
		const struct runframe *caller = i > 0 ? &thread->frames[i - 1] : NULL;

		json_object(json, NULL, true);
		json_string(json, "function", thread->frames[i].function);
		if (caller)
			json_count(json, "calls", caller->calls);
		else
			json_null(json, "calls");
		put_costs(json, "inclusive", columns, caller ? caller->costs : NULL);
		json_close(json);
	}
	json_close(json);
}

/* Those of a profile that is written now: of threads that are over too. */
static void put_totals(struct json *json, const struct control_view *view,
		       const struct runstate *state)
{
	struct costcolumns columns;
	const char *missing;
	size_t len;

	costcolumns_init(&columns, state, view->events, &missing, &len);
	put_costs(json, "totals", &columns, state->totals);
}

static void put_threads(struct json *json, const struct control_view *view,
			const struct runstate *state)
{
	struct costcolumns columns;
	const char *missing;
	size_t len;

	costcolumns_init(&columns, state, view->events, &missing, &len);
	json_array(json, "threads", false);
	for (size_t i = 0; i < state->n_threads; i++) {
		json_object(json, NULL, false);
		json_count(json, "thread", state->threads[i].number);
		if (view->totals)
			put_costs(json, "totals", &columns, state->threads[i].totals);
		if (view->back)
			put_frames(json, &columns, &state->threads[i]);
		json_close(json);
	}
	json_close(json);
}

void control_view_json(struct json *json, const struct control_view *view,
		       const struct guest *guest, const struct runstate *state, const char *why)
{
	json_object(json, NULL, false);
	json_count(json, "pid", (uint64_t)guest->pid);
	json_string(json, "tool", guest_tool_name(guest->tool));
	json_bool(json, "costgrind", guest->is_ours);
	json_string(json, "state", guest_state_name(guest));
	json_array(json, "program", true);
	for (size_t i = 0; i < guest->words_len; i += strlen(guest->words + i) + 1)
		json_string(json, NULL, guest->words + i);
	json_close(json);
	if (why)
		json_string(json, "error", why);
	if (state) {
		json_bool(json, "instrumentation", state->instrumenting);
		if (state->instrumenting && state->collection)
			json_string(json, "collection", state->collection);
		if (view->stat && state->instrumenting)
			put_stat(json, state);
		if (view->totals && state->instrumenting && state->totals)
			put_totals(json, view, state);
		if (state->instrumenting)
			put_threads(json, view, state);
	}
	json_close(json);
}
