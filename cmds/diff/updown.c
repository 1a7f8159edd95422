/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* mempcpy() */
#include "cmds/diff/updown.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "profile/analysis/metric.h"
#include "profile/common/bytes.h"
#include "profile/common/cost.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"

enum { UP, DOWN, N_WAYS };

static const char *const suffixes[N_WAYS] = { METRIC_UP, METRIC_DOWN };
static const char *const words[N_WAYS] = { ", increase", ", decrease" };

/* -- the header ------------------------------------------------------------------------ */

static const char *join(struct updown *updown, const char *text, const char *more)
{
	size_t len = strlen(text), more_len = strlen(more);
	char *joined = arena_alloc(&updown->arena, len + more_len + 1, 1);

	if (joined)
		memcpy(mempcpy(joined, text, len), more, more_len + 1);
	return joined;
}

/* A formula of the columns that go one way; NULL if memory ran out. */
static const char *formula_of(struct updown *updown, const char *formula, int way)
{
	/* Each name is longer by a suffix. */
	size_t suffix_len = strlen(suffixes[way]);
	char *text = arena_alloc(&updown->arena, strlen(formula) * (1 + suffix_len) + 1, 1);
	struct formula_term term;
	const char *rest = formula, *from = formula;
	char *end = text;

	if (!text)
		return NULL;
	for (bool first = true; formula_next(&rest, first, &term) == 1; first = false) {
		end = mempcpy(end, from, (size_t)(term.name + term.len - from));
		end = mempcpy(end, suffixes[way], suffix_len);
		from = term.name + term.len;
	}
	memcpy(end, from, strlen(from) + 1);
	return text;
}

static bool is_name(const char *name, const struct formula_term *term)
{
	return strlen(name) == term->len && memcmp(name, term->name, term->len) == 0;
}

/* Whether a term is a column, or one of the first n definitions that were taken. */
static bool is_known(const struct part *part, const struct part_event *taken, size_t n,
		     const struct formula_term *term)
{
	for (size_t i = 0; i < part->n_events; i++)
		if (is_name(part->events[i], term))
			return true;
	for (size_t i = 0; i < n; i++)
		if (is_name(taken[i].name, term))
			return true;
	return false;
}

/* Whether a definition is a sum of what is known: then more of each term is more of it. */
static bool is_sum(const struct part *part, const struct part_event *taken, size_t n,
		   const char *formula)
{
	struct formula_term term;
	const char *rest = formula;
	int found;

	for (bool first = true; (found = formula_next(&rest, first, &term)) == 1; first = false)
		if (term.factor < 0 || !is_known(part, taken, n, &term))
			return false;
	return found == 0;
}

static bool define(struct updown *updown, const struct part_event *event,
		   struct part_event definitions[N_WAYS])
{
	const char *long_name = event->long_name ? event->long_name : event->name;

	for (int way = 0; way < N_WAYS; way++) {
		struct part_event *definition = &definitions[way];

		definition->name = join(updown, event->name, suffixes[way]);
		definition->long_name = join(updown, long_name, words[way]);
		definition->formula = event->formula ? formula_of(updown, event->formula, way)
						     : NULL;
		if (!definition->name || !definition->long_name ||
		    (event->formula && !definition->formula))
			return false;
	}
	return true;
}

static const char *known_long_name(const struct part *part, const char *name)
{
	const struct event_info *info = event_find(name);

	for (size_t i = 0; i < part->n_definitions; i++)
		if (!part->definitions[i].formula && strcmp(part->definitions[i].name, name) == 0)
			return part->definitions[i].long_name;
	return info ? info->long_name : NULL;
}

/* Prints a metric as a sum of columns; NULL if memory ran out. */
static const char *print_sum(struct updown *updown, const struct part *part,
			     const struct metric *metric)
{
	struct bytes text;
	const char *copy = NULL;
	char factor[32];

	bytes_init(&text, &heap_env);
	for (size_t i = 0; i < metric->n_terms; i++) {
		const char *name = part->events[metric->terms[i].event];

		if (metric->terms[i].factor == 0)
			continue;
		factor[0] = '\0';
		if (metric->terms[i].factor != 1)
			snprintf(factor, sizeof(factor), "%lld ",
				 (long long)metric->terms[i].factor);
		bytes_add_text(&text, text.len > 0 ? " + " : "");
		bytes_add_text(&text, factor);
		bytes_add_text(&text, name);
	}
	if (!text.failed)
		copy = arena_copy(&updown->arena, text.text, text.len);
	bytes_release(&text);
	return copy;
}

/*
 * Estimated cycles as a sum of columns, as all commands compute them, whatever the profile's own
 * formula is; its formula is NULL if they cannot be.  False if memory ran out.
 */
static bool make_estimate(struct updown *updown, const struct part *part,
			  struct part_event *estimate)
{
	const struct metric_source source = { .n_derived = 0 };
	const struct metric *metric;
	struct metrics metrics;
	size_t number;

	if (!metrics_init_names(&metrics, part->events, part->n_events, &source, &updown->arena))
		return false;
	/* Without definitions, no other derived event is the main one. */
	number = metrics_main(&metrics);
	if (number < metrics.n_events)
		return true;
	metric = &metrics.all[number];
	for (size_t i = 0; i < metric->n_terms; i++)
		if (metric->terms[i].factor < 0)
			return true;
	*estimate = (struct part_event){ metric->name, print_sum(updown, part, metric),
					 metric->long_name };
	return estimate->formula != NULL;
}

/* Columns first, then what is derived from them. */
static bool make_definitions(struct updown *updown, const struct part *part)
{
	size_t most = N_WAYS * (part->n_events + part->n_definitions + 1), n = 0, n_taken = 0;
	struct part_event estimate = { .formula = NULL };
	struct part_event *definitions =
		arena_alloc(&updown->arena, most * sizeof(*definitions), sizeof(const char *));
	struct part_event *taken = arena_alloc(
		&updown->arena, (part->n_definitions + 2) * sizeof(*taken), sizeof(const char *));

	if (!definitions || !taken || !make_estimate(updown, part, &estimate))
		return false;
	for (size_t i = 0; i < part->n_events; i++, n += N_WAYS) {
		const struct part_event event = { part->events[i], NULL,
						  known_long_name(part, part->events[i]) };

		if (!define(updown, &event, &definitions[n]))
			return false;
		for (int way = 0; way < N_WAYS; way++)
			updown->events[n + (size_t)way] = definitions[n + (size_t)way].name;
	}
	if (estimate.formula) {
		if (!define(updown, &estimate, &definitions[n]))
			return false;
		taken[n_taken++] = estimate;
		n += N_WAYS;
	}
	for (size_t i = 0; i < part->n_definitions; i++) {
		const struct part_event *event = &part->definitions[i];

		if (!event->formula || !is_sum(part, taken, n_taken, event->formula) ||
		    (estimate.formula && strcmp(event->name, estimate.name) == 0))
			continue;
		if (!define(updown, event, &definitions[n]))
			return false;
		taken[n_taken++] = *event;
		n += N_WAYS;
	}
	updown->part.definitions = definitions;
	updown->part.n_definitions = n;
	return true;
}

static int updown_part(void *ctx, const struct part *part)
{
	struct updown *updown = ctx;

	if (part->n_events > UPDOWN_MAX_EVENTS)
		return PROFILE_EVENTS;
	updown->part = *part;
	if (!make_definitions(updown, part))
		return PROFILE_NO_MEMORY;
	updown->part.events = updown->events;
	updown->part.n_events = N_WAYS * part->n_events;
	updown->part.n_summary = updown->part.n_totals = 0;
	updown->part.is_signed = false;
	memset(updown->totals, 0, sizeof(updown->totals));
	return visitor_part(updown->filter.to, &updown->part);
}

/* -- the body -------------------------------------------------------------------------- */

/* Makes two counts of each; false if all are 0. */
static bool split(struct updown *updown, const uint64_t *costs, size_t n)
{
	uint64_t any = 0;

	for (size_t i = 0; i < n; i++) {
		int way = costs[i] >> 63 ? DOWN : UP;

		updown->costs[N_WAYS * i + UP] = updown->costs[N_WAYS * i + DOWN] = 0;
		updown->costs[N_WAYS * i + (size_t)way] = cost_magnitude(costs[i], true);
		any |= costs[i];
	}
	return any != 0;
}

static int updown_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct updown *updown = ctx;

	if (!split(updown, costs, n_costs))
		return PROFILE_OK;
	for (size_t i = 0; i < N_WAYS * n_costs; i++)
		if (!cost_add(&updown->totals[i], updown->costs[i], false))
			return PROFILE_RANGE;
	return visitor_cost(updown->filter.to, at, updown->costs, N_WAYS * n_costs);
}

static int updown_call(void *ctx, const struct call *call)
{
	struct updown *updown = ctx;
	struct call apart = *call;

	if (!split(updown, call->costs, call->n_costs))
		return PROFILE_OK;
	if (apart.count == 0)
		apart.count = 1;
	apart.costs = updown->costs;
	apart.n_costs = N_WAYS * call->n_costs;
	return visitor_call(updown->filter.to, &apart);
}

static int updown_part_end(void *ctx, const struct part *part)
{
	struct updown *updown = ctx;

	(void)part;
	updown->part.totals = updown->totals;
	updown->part.n_totals = updown->part.n_events;
	return visitor_part_end(updown->filter.to, &updown->part);
}

static int updown_negative(void *ctx)
{
	(void)ctx;
	return PROFILE_OK;
}

void updown_init(struct updown *updown, const struct visitor *to)
{
	static const struct visitor changes = {
		.part = updown_part,
		.cost = updown_cost,
		.call = updown_call,
		.part_end = updown_part_end,
		.negative = updown_negative,
	};

	arena_init(&updown->arena, &heap_env);
	visitor_filter_init(&updown->filter, to, &changes);
	updown->filter.visitor.jump = NULL;
}

void updown_release(struct updown *updown)
{
	arena_release(&updown->arena);
}
