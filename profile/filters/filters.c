/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/filters/filters.h"

#include <stddef.h>
#include <stdint.h>

#include "profile/analysis/inclusive.h"

/* -- scaling ----------------------------------------------------------------- */

__extension__ typedef unsigned __int128 product_t; /* of two 64-bit numbers */

/* count * factor / divisor, rounded; false if it is beyond 64 bits. */
static bool scale(const struct scaling *scaling, uint64_t count, uint64_t *scaled)
{
	bool minus = (scaling->is_signed && count >> 63) != (scaling->factor < 0);
	uint64_t factor = scaling->factor < 0 ? -(uint64_t)scaling->factor
					      : (uint64_t)scaling->factor;
	uint64_t limit = !scaling->told_negative ? UINT64_MAX
			 : minus                 ? UINT64_C(1) << 63
						 : INT64_MAX;
	product_t product = (product_t)cost_magnitude(count, scaling->is_signed) * factor;

	product = (product + scaling->divisor / 2) / scaling->divisor;
	if (product > limit)
		return false;
	*scaled = minus ? -(uint64_t)product : (uint64_t)product;
	return true;
}

static bool scale_all(const struct scaling *scaling, const uint64_t *counts, size_t n,
		      uint64_t *scaled)
{
	for (size_t i = 0; i < n; i++)
		if (!scale(scaling, counts[i], &scaled[i]))
			return false;
	return true;
}

static bool scale_part(struct scaling *scaling, const struct part *part)
{
	scaling->part = *part;
	scaling->part.summary = scaling->summary;
	scaling->part.totals = scaling->totals;
	scaling->part.is_signed = scaling->told_negative;
	return scale_all(scaling, part->summary, part->n_summary, scaling->summary) &&
	       scale_all(scaling, part->totals, part->n_totals, scaling->totals);
}

static int scaling_part(void *ctx, const struct part *part)
{
	struct scaling *scaling = ctx;
	int status = scaling->factor < 0
			     ? visitor_negative_once(scaling->filter.to, &scaling->told_negative)
			     : PROFILE_OK;

	if (status)
		return status;
	if (!scale_part(scaling, part))
		return PROFILE_RANGE;
	return visitor_part(scaling->filter.to, &scaling->part);
}

static int scaling_part_end(void *ctx, const struct part *part)
{
	struct scaling *scaling = ctx;

	if (!scale_part(scaling, part))
		return PROFILE_RANGE;
	return visitor_part_end(scaling->filter.to, &scaling->part);
}

static int scaling_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct scaling *scaling = ctx;

	if (!scale_all(scaling, costs, n_costs, scaling->costs))
		return PROFILE_RANGE;
	return visitor_cost(scaling->filter.to, at, scaling->costs, n_costs);
}

static int scaling_call(void *ctx, const struct call *call)
{
	struct scaling *scaling = ctx;
	struct call scaled = *call;

	if (!scale(scaling, call->count, &scaled.count) ||
	    !scale_all(scaling, call->costs, call->n_costs, scaling->costs))
		return PROFILE_RANGE;
	scaled.costs = scaling->costs;
	return visitor_call(scaling->filter.to, &scaled);
}

static int scaling_jump(void *ctx, const struct jump *jump)
{
	struct scaling *scaling = ctx;
	struct jump scaled = *jump;

	if (!scale(scaling, jump->followed, &scaled.followed) ||
	    !scale(scaling, jump->executed, &scaled.executed))
		return PROFILE_RANGE;
	return visitor_jump(scaling->filter.to, &scaled);
}

static int scaling_negative(void *ctx)
{
	struct scaling *scaling = ctx;

	scaling->is_signed = true;
	return visitor_negative_once(scaling->filter.to, &scaling->told_negative);
}

void scaling_init(struct scaling *scaling, const struct visitor *to, int64_t factor,
		  uint64_t divisor)
{
	static const struct visitor changes = {
		.part = scaling_part,
		.cost = scaling_cost,
		.call = scaling_call,
		.jump = scaling_jump,
		.part_end = scaling_part_end,
		.negative = scaling_negative,
	};

	*scaling = (struct scaling){ .factor = factor, .divisor = divisor };
	visitor_filter_init(&scaling->filter, to, &changes);
}

/* -- folding ----------------------------------------------------------------- */

static bool keeps(const struct folding *folding, const struct place *place)
{
	return folding->keeps(folding->ctx, place);
}

/* What a function that is not kept becomes.  Key 0 is "???" everywhere (reader.h). */
static void fold_place(struct place *place)
{
	const struct name unknown = { "???", 3, DICTIONARY_UNKNOWN };

	place->object = place->file = place->source = unknown;
	place->function = (struct name){ "<rest>", 6, NAME_NO_KEY };
}

static int folding_place(void *ctx, const struct place *place)
{
	struct folding *folding = ctx;

	folding->place = *place;
	folding->kept = keeps(folding, place);
	if (!folding->kept)
		fold_place(&folding->place);
	return visitor_place(folding->filter.to, &folding->place);
}

static int folding_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	static const struct position nowhere = { 0, 0 };
	struct folding *folding = ctx;

	if (!folding->kept && folding->drops)
		return PROFILE_OK;
	return visitor_cost(folding->filter.to, folding->kept ? at : &nowhere, costs, n_costs);
}

static int folding_call(void *ctx, const struct call *call)
{
	struct folding *folding = ctx;
	struct call folded = *call;
	bool callee_kept = keeps(folding, &call->callee);

	if (!folding->kept && (folding->drops || !callee_kept))
		return PROFILE_OK;
	if (!folding->kept)
		folded.at = (struct position){ 0, 0 };
	if (!callee_kept) {
		fold_place(&folded.callee);
		folded.target = (struct position){ 0, 0 };
	}
	return visitor_call(folding->filter.to, &folded);
}

static int folding_jump(void *ctx, const struct jump *jump)
{
	struct folding *folding = ctx;

	return folding->kept ? visitor_jump(folding->filter.to, jump) : PROFILE_OK;
}

void folding_init(struct folding *folding, const struct visitor *to,
		  bool (*keeps_function)(void *ctx, const struct place *place), void *ctx,
		  bool drops)
{
	static const struct visitor changes = {
		.place = folding_place,
		.cost = folding_cost,
		.call = folding_call,
		.jump = folding_jump,
	};

	*folding = (struct folding){ .keeps = keeps_function, .ctx = ctx, .drops = drops };
	visitor_filter_init(&folding->filter, to, &changes);
}

bool folding_keeps_above(void *threshold, const struct place *place)
{
	const struct folding_threshold *t = threshold;
	uint32_t function = model_find_function(t->model, place->object.key, place->file.key,
						place->function.key);
	uint64_t cost = inclusive_of(t->inclusive, function)[t->event];

	return cost_magnitude(cost, t->model->is_signed) >= t->least;
}

/* -- filter_nonzero ------------------------------------------------------------------------ */

static const struct part *filter_nonzero_header(struct filter_nonzero *nonzero,
						const struct part *part)
{
	const struct part *header = nonzero->header;

	if (!header)
		return part;
	nonzero->part = *part;
	nonzero->part.creator = header->creator;
	nonzero->part.cmd = header->cmd;
	nonzero->part.pid = header->pid;
	nonzero->part.number = header->number;
	nonzero->part.thread = header->thread;
	nonzero->part.has_pid = header->has_pid;
	nonzero->part.has_number = header->has_number;
	nonzero->part.has_thread = header->has_thread;
	nonzero->part.descs = header->descs;
	nonzero->part.n_descs = header->n_descs;
	return &nonzero->part;
}

static bool is_zero(const uint64_t *costs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (costs[i] != 0)
			return false;
	return true;
}

static int filter_nonzero_part(void *ctx, const struct part *part)
{
	struct filter_nonzero *nonzero = ctx;

	return visitor_part(nonzero->filter.to, filter_nonzero_header(nonzero, part));
}

static int filter_nonzero_part_end(void *ctx, const struct part *part)
{
	struct filter_nonzero *nonzero = ctx;

	return visitor_part_end(nonzero->filter.to, filter_nonzero_header(nonzero, part));
}

static int filter_nonzero_cost(void *ctx, const struct position *at, const uint64_t *costs,
			       size_t n_costs)
{
	struct filter_nonzero *nonzero = ctx;

	if (!nonzero->keeps_zeros && is_zero(costs, n_costs))
		return PROFILE_OK;
	return visitor_cost(nonzero->filter.to, at, costs, n_costs);
}

static int filter_nonzero_call(void *ctx, const struct call *call)
{
	struct filter_nonzero *nonzero = ctx;

	if (!nonzero->keeps_zeros && call->count == 0 && is_zero(call->costs, call->n_costs))
		return PROFILE_OK;
	return visitor_call(nonzero->filter.to, call);
}

static int filter_nonzero_jump(void *ctx, const struct jump *jump)
{
	struct filter_nonzero *nonzero = ctx;

	if (!nonzero->keeps_zeros && jump->followed == 0 && jump->executed == 0)
		return PROFILE_OK;
	return visitor_jump(nonzero->filter.to, jump);
}

void filter_nonzero_init(struct filter_nonzero *nonzero, const struct visitor *to, bool keeps_zeros,
			 const struct part *header)
{
	static const struct visitor changes = {
		.part = filter_nonzero_part,
		.cost = filter_nonzero_cost,
		.call = filter_nonzero_call,
		.jump = filter_nonzero_jump,
		.part_end = filter_nonzero_part_end,
	};

	*nonzero = (struct filter_nonzero){ .keeps_zeros = keeps_zeros, .header = header };
	visitor_filter_init(&nonzero->filter, to, &changes);
}

/* -- filter_renamed ------------------------------------------------------------------------ */

/* A name as NEW has it, unless it is OLD's too; keys of OLD count in what is forwarded. */
static void rename(const struct difference *difference, enum name_kind kind, uint32_t number,
		   struct name *name)
{
	if (difference->old_number[kind][number] == name->key)
		return;
	*name = model_name(difference->new_model, kind, number);
	name->key = NAME_NO_KEY;
}

/* The place, in NEW's object and by NEW's name. */
static struct place in_new(const struct filter_renamed *moved, const struct place *place)
{
	const struct difference *difference = moved->difference;
	uint32_t function = model_find_function(difference->old_model, place->object.key,
						place->file.key, place->function.key);
	uint32_t other = function == MODEL_NO_FUNCTION ? MODEL_NO_FUNCTION
						       : difference->rows[function].new_function;
	struct place result = *place;

	if (other == MODEL_NO_FUNCTION)
		return result;
	rename(difference, NAME_OBJECT, difference->new_model->functions[other].object,
	       &result.object);
	rename(difference, NAME_FUNCTION, difference->new_model->functions[other].name,
	       &result.function);
	return result;
}

static int filter_renamed_place(void *ctx, const struct place *place)
{
	const struct filter_renamed *moved = ctx;
	const struct place other = in_new(moved, place);

	return visitor_place(moved->filter.to, &other);
}

static int filter_renamed_call(void *ctx, const struct call *call)
{
	const struct filter_renamed *moved = ctx;
	struct call other = *call;

	other.callee = in_new(moved, &call->callee);
	return visitor_call(moved->filter.to, &other);
}

void filter_renamed_init(struct filter_renamed *moved, const struct difference *difference,
			 const struct visitor *to)
{
	static const struct visitor changes = { .place = filter_renamed_place,
						.call = filter_renamed_call };

	visitor_filter_init(&moved->filter, to, &changes);
	moved->difference = difference;
}

/* -- lines only --------------------------------------------------------------------------- */

static struct position line_of(const struct position *at)
{
	return (struct position){ .instr = 0, .line = at->line };
}

static int line_part(void *ctx, const struct part *part)
{
	struct lineview *view = ctx;

	view->part = *part;
	view->part.positions = POSITION_LINE;
	return visitor_part(view->filter.to, &view->part);
}

static int line_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct lineview *view = ctx;
	const struct position line = line_of(at);

	return visitor_cost(view->filter.to, &line, costs, n_costs);
}

static int line_call(void *ctx, const struct call *call)
{
	struct lineview *view = ctx;
	struct call flat = *call;

	flat.target = line_of(&call->target);
	flat.at = line_of(&call->at);
	return visitor_call(view->filter.to, &flat);
}

static int line_part_end(void *ctx, const struct part *part)
{
	struct lineview *view = ctx;

	view->part = *part;
	view->part.positions = POSITION_LINE;
	return visitor_part_end(view->filter.to, &view->part);
}

void lineview_init(struct lineview *view, const struct visitor *to)
{
	static const struct visitor changes = {
		.part = line_part,
		.cost = line_cost,
		.call = line_call,
		.part_end = line_part_end,
	};

	visitor_filter_init(&view->filter, to, &changes);
	view->filter.visitor.jump = NULL;
}
