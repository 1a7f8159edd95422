/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/control/costcolumns.h"

#include <string.h>

#include "cmds/emit/visible.h"
#include "profile/common/int128.h"

enum { EVENT_NAME = 64 }; /* bytes shown; more is cut */

/* A name made safe to show; returns its length. */
static size_t visible_name(char shown[EVENT_NAME], const char *name)
{
	return visible_copy(shown, EVENT_NAME, name, strlen(name));
}

static void choose(struct costcolumns *columns, const char *list, const char **missing,
		   size_t *missing_len)
{
	while (*list) {
		size_t len = strcspn(list, ",");
		size_t i = runstate_event(columns->state, list, len);

		if (i < columns->state->n_events && columns->n < RUNSTATE_EVENTS) {
			columns->events[columns->n++] = i;
		} else if (!*missing) {
			*missing = list;
			*missing_len = len;
		}
		list += len + (list[len] == ',');
	}
}

void costcolumns_init(struct costcolumns *columns, const struct runstate *state, const char *list,
		      const char **missing, size_t *missing_len)
{
	char name[EVENT_NAME];

	*columns = (struct costcolumns){ .state = state };
	*missing = NULL;
	if (list)
		choose(columns, list, missing, missing_len);
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
}

void costcolumns_measure(struct costcolumns *columns, const uint64_t *costs)
{
	char text[INT128_TEXT];

	for (size_t i = 0; costs && i < columns->state->n_events; i++) {
		size_t len = int128_print_decimal(text, int128_of(costs[i], false), true,
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
			int128_print_decimal(text, int128_of(costs[event], false), true,
					     columns->state->decimals[event].people);
		fprintf(out, "%*s ", (int)columns->widths[event], text);
	}
}
