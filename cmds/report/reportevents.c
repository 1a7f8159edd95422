/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/report/reportevents.h"

#include <stdint.h>

#include "profile/common/event_names.h"

/* Of values as people see them; most have none. */
static void write_decimals(const struct metric *metric, struct json *json)
{
	if (metric->decimals.people > 0)
		json_count(json, "decimals", metric->decimals.people);
}

static void write_event(const struct model_event *event, const struct metric *metric,
			struct json *json)
{
	const struct event_info *info = event_find(event->name);
	const char *long_name = event->long_name;

	if (!long_name)
		long_name = info ? info->long_name : "";
	json_object(json, NULL, true);
	json_string(json, "name", event->name);
	json_string(json, "long", long_name);
	write_decimals(metric, json);
	json_close(json);
}

static void write_derived(const struct metric *metric, size_t n_events, struct json *json)
{
	int64_t weights[PROFILE_MAX_EVENTS] = { 0 };

	for (size_t i = 0; i < metric->n_terms; i++)
		weights[metric->terms[i].event] = metric->terms[i].factor;
	json_object(json, NULL, true);
	json_string(json, "name", metric->name);
	json_string(json, "long", metric->long_name ? metric->long_name : "");
	write_decimals(metric, json);
	json_array(json, "weights", true);
	for (size_t i = 0; i < n_events; i++)
		json_cost(json, NULL, (uint64_t)weights[i], true);
	json_close(json);
	json_close(json);
}

void reportevents_write(const struct model_event *const *events, const struct metrics *metrics,
			size_t main_metric, struct json *json)
{
	json_array(json, "events", true);
	for (size_t i = 0; i < metrics->n_events; i++)
		write_event(events[i], &metrics->all[i], json);
	json_close(json);
	json_count(json, "event", main_metric);
	json_array(json, "derived", true);
	for (size_t i = metrics->n_events; i < metrics->n; i++)
		write_derived(&metrics->all[i], metrics->n_events, json);
	json_close(json);
}
