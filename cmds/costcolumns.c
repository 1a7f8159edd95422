/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/costcolumns.h"

#include <string.h>

#include "profile/amount.h"

static void choose(struct costcolumns *columns, const char *list, const char **missing,
		   size_t *missing_len)
{
	while (*list) {
		size_t len = strcspn(list, ",");
		size_t i = 0;

		while (i < columns->state->n_events &&
		       (strlen(columns->state->events[i]) != len ||
			memcmp(columns->state->events[i], list, len) != 0))
			i++;
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
	*columns = (struct costcolumns){ .state = state };
	*missing = NULL;
	if (list)
		choose(columns, list, missing, missing_len);
	if (columns->n == 0)
		while (columns->n < state->n_events) {
			columns->events[columns->n] = columns->n;
			columns->n++;
		}
	for (size_t i = 0; i < state->n_events; i++)
		columns->widths[i] = strlen(state->events[i]);
}

void costcolumns_measure(struct costcolumns *columns, const uint64_t *costs)
{
	char text[AMOUNT_TEXT];

	for (size_t i = 0; costs && i < columns->state->n_events; i++) {
		size_t len = amount_print(text, amount_of(costs[i], false), true);

		if (len > columns->widths[i])
			columns->widths[i] = len;
	}
}

void costcolumns_names(const struct costcolumns *columns, FILE *out)
{
	for (size_t i = 0; i < columns->n; i++) {
		size_t event = columns->events[i];

		fprintf(out, "%*s ", (int)columns->widths[event], columns->state->events[event]);
	}
}

void costcolumns_row(const struct costcolumns *columns, FILE *out, const uint64_t *costs)
{
	size_t n_told = costs ? costs[columns->state->n_events] : 0;

	for (size_t i = 0; i < columns->n; i++) {
		size_t event = columns->events[i];
		char text[AMOUNT_TEXT] = ".";

		if (event < n_told)
			amount_print(text, amount_of(costs[event], false), true);
		fprintf(out, "%*s ", (int)columns->widths[event], text);
	}
}
