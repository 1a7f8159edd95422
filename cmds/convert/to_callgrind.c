/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * callgrind: all that was read, for KCachegrind and whatever reads all of the format.
 * callgrind-portable: one part, lines, full rows, absolute positions, each id defined once, or
 * none, only Valgrind's events; for speedscope, Qt Creator, gprof2dot, gungraun too.
 * cachegrind: for cg_annotate, cg_diff and cg_merge.
 */
#include <stdio.h>
#include <string.h>

#include "cmds/cli/profileio.h"
#include "cmds/convert/formats.h"
#include "profile/common/event_names.h"
#include "profile/filters/filters.h"
#include "profile/format/emit.h"
#include "profile/model/model.h"

int to_callgrind(struct conversion *conversion)
{
	const struct writer_options options = { .compress_names = conversion->ids,
						.compress_positions = true };
	const struct walk_options walking = { .order = WALK_BY_NAME };
	struct emitter emitter;
	int status;

	emitter_init(&emitter, conversion->env, &options);
	status = model_walk(conversion->model, &walking, &emitter.visitor);
	conversion->output_error = emitter_finish(&emitter);
	emitter_release(&emitter);
	return conversion->output_error ? PROFILE_OK : status;
}

/* -- callgrind-portable ------------------------------------------------------------------- */

/*
 * Between the walk and the writer: the part says its sums, and has only the events that the tools of
 * Valgrind have, by today's names, since gungraun refuses all others.  A profile that has none of
 * these keeps what it has.
 */
struct portable {
	struct visitor_filter filter;
	struct conversion *conversion;
	struct part part;                   /* as it is reported */
	size_t columns[PROFILE_MAX_EVENTS]; /* of its events, in what comes */
	const char *events[PROFILE_MAX_EVENTS];
	struct definitions definitions;
	uint64_t totals[PROFILE_MAX_EVENTS], summary[PROFILE_MAX_EVENTS];
	uint64_t costs[PROFILE_MAX_EVENTS];
};

static void choose_events(struct portable *portable, const struct part *part)
{
	size_t n = 0;

	for (size_t i = 0; i < part->n_events; i++)
		n += event_is_of_valgrind(part->events[i]);
	portable->part.n_events = 0;
	for (size_t i = 0; i < part->n_events; i++) {
		if (n > 0 && !event_is_of_valgrind(part->events[i])) {
			/* What will be said about it, as far as there is room. */
			char *left_out = portable->conversion->left_out;
			size_t len = strlen(left_out);

			snprintf(left_out + len, sizeof(portable->conversion->left_out) - len,
				 "%s%s", len > 0 ? " " : "", part->events[i]);
			continue;
		}
		portable->columns[portable->part.n_events] = i;
		portable->events[portable->part.n_events++] = event_name(part->events[i]);
	}
	portable->part.events = portable->events;
}

static const uint64_t *choose_costs(const struct portable *portable, const uint64_t *from, size_t n,
				    uint64_t *chosen)
{
	for (size_t i = 0; i < portable->part.n_events; i++)
		chosen[i] = portable->columns[i] < n ? from[portable->columns[i]] : 0;
	return chosen;
}

/* Long names and formulas, except for events that are left out. */
static void choose_definitions(struct portable *portable, const struct part *part)
{
	bool stays[PROFILE_MAX_EVENTS];
	const struct definitions_columns columns = {
		.before = part->events,
		.stays = stays,
		.n_before = part->n_events,
		.after = portable->events,
		.n_after = portable->part.n_events,
	};
	struct definitions *definitions = &portable->definitions;

	/* Other readers do not know an old name in a formula. */
	for (size_t i = 0; i < part->n_events; i++) {
		/* cppcheck-suppress unreadVariable ; through columns */
		stays[i] = false;
		for (size_t j = 0; j < portable->part.n_events; j++)
			/* cppcheck-suppress unreadVariable ; through columns */
			stays[i] |= strcmp(portable->events[j], part->events[i]) == 0;
	}
	definitions_keep(definitions, part->definitions, part->n_definitions, &columns);
	for (size_t i = 0; i < definitions->n; i++)
		definitions->all[i].name = event_name(definitions->all[i].name);
	portable->part.definitions = definitions->all;
	portable->part.n_definitions = definitions->n;
}

static int portable_part(void *ctx, const struct part *part)
{
	struct portable *portable = ctx;
	uint64_t totals[PROFILE_MAX_EVENTS];

	portable->part = *part;
	if (!model_totals(portable->conversion->model, totals))
		return PROFILE_RANGE;
	choose_events(portable, part);
	definitions_release(&portable->definitions);
	if (part->n_definitions > 0)
		choose_definitions(portable, part);
	portable->part.totals = choose_costs(portable, totals, part->n_events, portable->totals);
	portable->part.summary = portable->totals;
	if (part->n_summary > 0)
		portable->part.summary =
			choose_costs(portable, part->summary, part->n_summary, portable->summary);
	portable->part.n_totals = portable->part.n_summary = portable->part.n_events;
	return visitor_part(portable->filter.to, &portable->part);
}

static int portable_part_end(void *ctx, const struct part *part)
{
	struct portable *portable = ctx;

	(void)part;
	return visitor_part_end(portable->filter.to, &portable->part);
}

static int portable_cost(void *ctx, const struct position *at, const uint64_t *costs,
			 size_t n_costs)
{
	struct portable *portable = ctx;

	return visitor_cost(portable->filter.to, at,
			    choose_costs(portable, costs, n_costs, portable->costs),
			    portable->part.n_events);
}

/* callgrind_annotate takes what follows calls=0 for the caller's own cost. */
static int portable_call(void *ctx, const struct call *call)
{
	struct portable *portable = ctx;
	struct call counted = *call;

	if (counted.count == 0)
		counted.count = 1;
	counted.costs = choose_costs(portable, call->costs, call->n_costs, portable->costs);
	counted.n_costs = portable->part.n_events;
	return visitor_call(portable->filter.to, &counted);
}

int to_callgrind_portable(struct conversion *conversion)
{
	static const struct visitor changes = {
		.part = portable_part,
		.cost = portable_cost,
		.call = portable_call,
		.part_end = portable_part_end,
	};
	const struct writer_options options = { .compress_names = conversion->ids };
	const struct walk_options walking = { .order = WALK_BY_NAME, .one_part = true };
	struct emitter emitter;
	struct portable portable = { .conversion = conversion };
	int status;

	emitter_init(&emitter, conversion->env, &options);
	emitter.full_rows = true;
	visitor_filter_init(&portable.filter, &emitter.visitor, &changes);
	portable.filter.visitor.jump = NULL;
	status = model_walk(conversion->model, &walking, &portable.filter.visitor);
	conversion->output_error = emitter_finish(&emitter);
	emitter_release(&emitter);
	definitions_release(&portable.definitions);
	return conversion->output_error ? PROFILE_OK : status;
}

/* -- cachegrind ----------------------------------------------------------------------------- */

int to_cachegrind(struct conversion *conversion)
{
	const struct walk_options walking = { .order = WALK_BY_NAME, .one_part = true };
	struct cachegrind cachegrind;
	int status;

	cachegrind_init(&cachegrind, conversion->env, conversion->model->names);
	status = model_walk(conversion->model, &walking, &cachegrind.filter.visitor);
	if (!status)
		conversion->output_error = cachegrind_finish(&cachegrind);
	cachegrind_release(&cachegrind);
	return status;
}
