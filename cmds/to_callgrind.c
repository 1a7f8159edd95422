/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * callgrind: all that was read, for KCachegrind and whatever reads all of the format.
 * callgrind-portable: one part, lines, full rows, absolute positions, each id
 * defined once, or none; for speedscope, Qt Creator, gprof2dot, gungraun too.
 * cachegrind: for cg_annotate, cg_diff and cg_merge.
 */
#include <string.h>

#include "cmds/cachegrind.h"
#include "cmds/formats.h"
#include "profile/emit.h"
#include "profile/walk.h"

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

/* Between the walk and the writer: the part says its sums. */
struct summing {
	const struct visitor *to;
	const struct model *model;
	struct part part;
	uint64_t totals[PROFILE_MAX_EVENTS];
};

static int summing_part(void *ctx, const struct part *part)
{
	struct summing *summing = ctx;

	summing->part = *part;
	if (!model_totals(summing->model, summing->totals))
		return PROFILE_RANGE;
	summing->part.totals = summing->totals;
	summing->part.n_totals = part->n_events;
	if (part->n_summary == 0) {
		summing->part.summary = summing->totals;
		summing->part.n_summary = part->n_events;
	}
	return summing->to->part(summing->to->ctx, &summing->part);
}

static int summing_part_end(void *ctx, const struct part *part)
{
	struct summing *summing = ctx;

	(void)part;
	return summing->to->part_end(summing->to->ctx, &summing->part);
}

static int summing_place(void *ctx, const struct place *place)
{
	const struct visitor *to = ((struct summing *)ctx)->to;

	return to->place(to->ctx, place);
}

static int summing_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	const struct visitor *to = ((struct summing *)ctx)->to;

	return to->cost(to->ctx, at, costs, n_costs);
}

/* callgrind_annotate takes what follows calls=0 for the caller's own cost. */
static int summing_call(void *ctx, const struct call *call)
{
	const struct visitor *to = ((struct summing *)ctx)->to;
	struct call counted = *call;

	if (counted.count == 0)
		counted.count = 1;
	return to->call(to->ctx, &counted);
}

static int summing_negative(void *ctx)
{
	const struct visitor *to = ((struct summing *)ctx)->to;

	return to->negative(to->ctx);
}

int to_callgrind_portable(struct conversion *conversion)
{
	const struct writer_options options = { .compress_names = conversion->ids };
	const struct walk_options walking = { .order = WALK_BY_NAME, .one_part = true };
	struct emitter emitter;
	struct summing summing = { .to = &emitter.visitor, .model = conversion->model };
	const struct visitor visitor = { &summing,         summing_part,     summing_place,
					 summing_cost,     summing_call,     NULL,
					 summing_part_end, summing_negative, NULL };
	int status;

	emitter_init(&emitter, conversion->env, &options);
	emitter.full_rows = true;
	status = model_walk(conversion->model, &walking, &visitor);
	conversion->output_error = emitter_finish(&emitter);
	emitter_release(&emitter);
	return conversion->output_error ? PROFILE_OK : status;
}

int to_cachegrind(struct conversion *conversion)
{
	const struct walk_options walking = { .order = WALK_BY_NAME, .one_part = true };
	struct cachegrind cachegrind;
	int status = cachegrind_init(&cachegrind, conversion->env, conversion->model->names);

	if (!status)
		status = model_walk(conversion->model, &walking, &cachegrind.visitor);
	if (!status)
		conversion->output_error = cachegrind_finish(&cachegrind);
	cachegrind_release(&cachegrind);
	return status;
}
