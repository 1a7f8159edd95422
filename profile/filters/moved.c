/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/filters/moved.h"

/* A name as NEW has it, unless it is OLD's too; keys of OLD count in what is told. */
static void rename(const struct difference *difference, enum name_kind kind, uint32_t number,
		   struct name *name)
{
	if (difference->old_number[kind][number] == name->key)
		return;
	*name = model_name(difference->new_model, kind, number);
	name->key = NAME_NO_KEY;
}

/* The place, in NEW's object and by NEW's name. */
static struct place in_new(const struct moved *moved, const struct place *place)
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

static int visit_part(void *ctx, const struct part *part)
{
	const struct moved *moved = ctx;

	return moved->to->part ? moved->to->part(moved->to->ctx, part) : PROFILE_OK;
}

static int visit_part_end(void *ctx, const struct part *part)
{
	const struct moved *moved = ctx;

	return moved->to->part_end ? moved->to->part_end(moved->to->ctx, part) : PROFILE_OK;
}

static int visit_place(void *ctx, const struct place *place)
{
	const struct moved *moved = ctx;
	const struct place other = in_new(moved, place);

	return moved->to->place ? moved->to->place(moved->to->ctx, &other) : PROFILE_OK;
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	const struct moved *moved = ctx;

	return moved->to->cost ? moved->to->cost(moved->to->ctx, at, costs, n_costs) : PROFILE_OK;
}

static int visit_call(void *ctx, const struct call *call)
{
	const struct moved *moved = ctx;
	struct call other = *call;

	other.callee = in_new(moved, &call->callee);
	return moved->to->call ? moved->to->call(moved->to->ctx, &other) : PROFILE_OK;
}

static int visit_jump(void *ctx, const struct jump *jump)
{
	const struct moved *moved = ctx;

	return moved->to->jump ? moved->to->jump(moved->to->ctx, jump) : PROFILE_OK;
}

static int visit_negative(void *ctx)
{
	const struct moved *moved = ctx;

	return moved->to->negative ? moved->to->negative(moved->to->ctx) : PROFILE_OK;
}

void moved_init(struct moved *moved, const struct difference *difference, const struct visitor *to)
{
	*moved = (struct moved){
		.visitor = { moved, visit_part, visit_place, visit_cost, visit_call, visit_jump,
			     visit_part_end, visit_negative, NULL },
		.to = to,
		.difference = difference,
	};
}
