/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input is what two monitors answer, one after the other with a NUL between.  What is
 * read holds together, and can be compared.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/control/control.h"
#include "profile/common/heap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check(const struct runstate *state)
{
	require(!state->instrumenting || state->n_events > 0);
	require(state->n_events <= RUNSTATE_EVENTS);
	for (size_t i = 0; i < state->n_events; i++)
		require(runstate_event(state, state->events[i], strlen(state->events[i])) <= i);
	for (size_t i = 0; i < state->n_threads; i++) {
		const struct runthread *thread = &state->threads[i];

		require(!thread->totals || thread->totals[state->n_events] <= state->n_events);
		for (size_t j = 0; j < thread->n_frames; j++)
			require(strlen(thread->frames[j].function) < SIZE_MAX &&
				(!thread->frames[j].costs ||
				 thread->frames[j].costs[state->n_events] <= state->n_events));
	}
}

static void compare(const struct runstate *before, const struct runstate *now)
{
	struct hotlist list;

	hotlist_make(&list, before, now, 0);
	require(list.n <= now->n_hottest);
	for (size_t i = 1; i < list.n; i++)
		require(list.functions[i - 1].costs[0] >= list.functions[i].costs[0]);
	hotlist_release(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *first = (const char *)data;
	const char *end = size > 0 ? memchr(first, 0, size) : NULL;
	size_t len = end ? (size_t)(end - first) : size;
	struct runstate before, now;
	bool has_before = !runstate_read(&before, first, len);
	bool has_now = end && !runstate_read(&now, end + 1, size - len - 1);

	if (has_before)
		check(&before);
	if (has_now)
		check(&now);
	if (has_before && before.instrumenting)
		compare(NULL, &before);
	if (has_before && has_now && before.instrumenting && now.instrumenting)
		compare(&before, &now);
	runstate_release(&before);
	if (end)
		runstate_release(&now);
	return 0;
}
