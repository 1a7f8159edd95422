/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/curve/misscurve.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "profile/common/curve_desc.h"
#include "profile/common/event_names.h"
#include "writer/shared/size_event.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)

void misscurve_size_text(char text[MISSCURVE_SIZE_TEXT], uint64_t size)
{
	if (size < MIB)
		snprintf(text, MISSCURVE_SIZE_TEXT, "%" PRIu64 " KiB", size / KIB);
	else
		snprintf(text, MISSCURVE_SIZE_TEXT, "%.4g MiB", (double)size / (double)MIB);
}

static uint64_t weight_of(const struct model *model)
{
	uint64_t weight = 0;

	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			uint64_t of_part = 0;

			if (strcmp(part->descs[j].type, CURVE_DESC) == 0)
				of_part = curve_desc_weight(part->descs[j].value);
			if (of_part > weight)
				weight = of_part;
		}
	}
	return weight;
}

/* In the table of events, sizes ascend. */
size_t misscurve_find(struct misscurve *curve, const struct model *model)
{
	size_t n;
	const struct event_info *all = event_all(&n);

	*curve = (struct misscurve){ .weight = weight_of(model) };
	for (size_t i = 0; i < n && curve->n < MISSCURVE_MOST; i++) {
		size_t event;

		if (all[i].origin != EVENT_ORIGIN_SIZE)
			continue;
		event = model_event(model, all[i].name);
		if (event < model->n_events)
			curve->points[curve->n++] = (struct misscurve_point){
				.size = size_event_bytes(all[i].name),
				.event = event,
			};
	}
	return curve->n;
}

/* The sum of events, false if they were not all recorded. */
static bool add_events(const struct model *model, const uint64_t *costs, const char *const *names,
		       uint64_t *sum)
{
	*sum = 0;
	for (; *names; names++) {
		size_t event = model_event(model, *names);

		if (event == model->n_events)
			return false;
		*sum += costs[event];
	}
	return true;
}

static void find_knees(struct misscurve *curve)
{
	bool was_drop = false;

	for (size_t i = 1; i < curve->n; i++) {
		const uint64_t before = curve->points[i - 1].misses, now = curve->points[i].misses;
		const bool is_drop = before > now &&
				     (double)(before - now) >=
					     MISSCURVE_DROP / 100.0 * (double)curve->most;

		if (is_drop && !was_drop)
			curve->knees[curve->n_knees++].before = i - 1;
		if (is_drop)
			curve->knees[curve->n_knees - 1].at = i;
		was_drop = is_drop;
	}
}

static void find_fit(struct misscurve *curve)
{
	const double most = MISSCURVE_LEFT / 100.0 * (double)curve->points[0].misses;

	for (curve->fits = 0; curve->fits < curve->n; curve->fits++) {
		/* What the largest size misses may be cold, but need not. */
		const bool is_guess = !curve->has_cold && curve->fits == curve->n - 1;
		const double cold = is_guess ? 0 : (double)curve->cold;

		if ((double)curve->points[curve->fits].misses - cold <= most)
			return;
	}
}

void misscurve_fill(struct misscurve *curve, const struct model *model, const uint64_t *costs)
{
	curve->most = 0;
	curve->n_knees = 0;
	for (size_t i = 0; i < curve->n; i++) {
		struct misscurve_point *point = &curve->points[i];

		point->misses = costs[point->event];
		if (point->misses > curve->most)
			curve->most = point->misses;
	}
	curve->has_references = add_events(model, costs, (const char *const[]){ "Dr", "Dw", NULL },
					   &curve->references);
	/* Lines that a prefetcher brought are in D1 when they are used for the first time. */
	curve->has_cold =
		model_event(model, "Pf") == model->n_events &&
		add_events(model, costs, (const char *const[]){ "D1cold", NULL }, &curve->cold);
	if (!curve->has_cold)
		curve->cold = curve->points[curve->n - 1].misses;
	find_knees(curve);
	find_fit(curve);
}
