/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What costs are measured in, as the page of a report reads it: events, and what is derived from them. */
#ifndef CMDS_REPORT_REPORTEVENTS_H
#define CMDS_REPORT_REPORTEVENTS_H

#include <stddef.h>

#include "cmds/emit/json.h"
#include "profile/analysis/metric.h"
#include "profile/model/model.h"

/*
 * Writes "events", "event" and "derived" of an object: metrics are of these events, metrics->n_events of
 * them; main_metric is the one that is shown first.
 */
void reportevents_write(const struct model_event *const *events, const struct metrics *metrics,
			size_t main_metric, struct json *json);

#endif
