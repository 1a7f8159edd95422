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

static int visit_place(void *ctx, const struct place *place)
{
	const struct moved *moved = ctx;
	const struct place other = in_new(moved, place);

	return visitor_place(moved->filter.to, &other);
}

static int visit_call(void *ctx, const struct call *call)
{
	const struct moved *moved = ctx;
	struct call other = *call;

	other.callee = in_new(moved, &call->callee);
	return visitor_call(moved->filter.to, &other);
}

void moved_init(struct moved *moved, const struct difference *difference, const struct visitor *to)
{
	static const struct visitor changes = { .place = visit_place, .call = visit_call };

	visitor_filter_init(&moved->filter, to, &changes);
	moved->difference = difference;
}
