/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/control/derivedcosts.h"

#include <string.h>

#include "profile/analysis/metric.h"

/* A longer row for one of costs, of n events once; NULL if memory ran out. */
static uint64_t *lengthen(struct runstate *state, const struct metrics *metrics,
			  const uint64_t *costs)
{
	uint64_t *row = arena_alloc(&state->arena, (metrics->n + 1) * sizeof(*row), sizeof(*row));

	if (!row)
		return NULL;
	memcpy(row, costs, metrics->n_events * sizeof(*row));
	for (size_t i = metrics->n_events; i < metrics->n; i++) {
		int128 value = metric_value(&metrics->all[i], costs, false);

		row[i] = value < 0 ? 0 : value > (int128)UINT64_MAX ? UINT64_MAX : (uint64_t)value;
	}
	/* Of a call that cost nothing, Callgrind reports nothing. */
	row[metrics->n] = costs[metrics->n_events] > 0 ? metrics->n : 0;
	return row;
}

static bool lengthen_thread(struct runstate *state, const struct metrics *metrics,
			    struct runthread *thread)
{
	if (thread->totals) {
		thread->totals = lengthen(state, metrics, thread->totals);
		if (!thread->totals)
			return false;
	}
	for (size_t i = 0; i < thread->n_frames; i++) {
		struct runframe *frame = &thread->frames[i];

		if (!frame->costs)
			continue;
		frame->costs = lengthen(state, metrics, frame->costs);
		if (!frame->costs)
			return false;
	}
	return true;
}

static bool lengthen_all(struct runstate *state, const struct metrics *metrics)
{
	if (state->totals) {
		state->totals = lengthen(state, metrics, state->totals);
		if (!state->totals)
			return false;
	}
	for (size_t i = 0; i < state->n_threads; i++)
		if (!lengthen_thread(state, metrics, &state->threads[i]))
			return false;
	for (size_t i = 0; i < state->n_hottest; i++) {
		state->hottest[i].costs = lengthen(state, metrics, state->hottest[i].costs);
		if (!state->hottest[i].costs)
			return false;
	}
	return true;
}

bool derivedcosts_add(struct runstate *state)
{
	struct model_event events[RUNSTATE_EVENTS];
	struct metric_source source = { .n_events = state->n_events };
	struct metrics metrics;

	for (size_t i = 0; i < state->n_events; i++)
		events[i] = (struct model_event){ .name = state->events[i] };
	source.events = events;
	if (!metrics_init(&metrics, &source, &state->arena))
		return false;
	for (size_t i = 0; i < state->n_events; i++)
		state->decimals[i] = metrics.all[i].decimals;
	if (metrics.n == metrics.n_events || metrics.n > RUNSTATE_EVENTS)
		return true;
	if (!lengthen_all(state, &metrics))
		return false;
	for (size_t i = metrics.n_events; i < metrics.n; i++) {
		state->events[i] = metrics.all[i].name;
		state->decimals[i] = metrics.all[i].decimals;
	}
	state->n_events = metrics.n;
	state->main_event = metrics_main(&metrics);
	return true;
}
