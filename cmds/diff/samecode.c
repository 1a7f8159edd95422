/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function is looked at when its first place comes: its lines on both sides, for the first
 * and the last in each source file.
 */
#include "cmds/diff/samecode.h"

#include <string.h>

#include "profile/common/heap.h"

struct samecode_extent {
	uint32_t file;              /* as shared_file() numbers it */
	uint64_t first[2], last[2]; /* in OLD, in NEW; 0 = it has no line there */
};

/* -- builds ---------------------------------------------------------------------------- */

static struct name object_of(const struct model *model, uint32_t function)
{
	return model_name(model, NAME_OBJECT, model->functions[function].object);
}

static bool compare_builds(const struct difference *difference, const struct difference_row *row)
{
	char old_build[MODEL_BUILD], new_build[MODEL_BUILD];

	return model_build(difference->old_model,
			   object_of(difference->old_model, row->old_function).text, old_build) &&
	       model_build(difference->new_model,
			   object_of(difference->new_model, row->new_function).text, new_build) &&
	       strcmp(old_build, new_build) == 0;
}

/* Whether a row's addresses are the same code in both. */
static bool shares_addresses(struct samecode *same, const struct difference_row *row)
{
	const struct difference *difference = same->difference;
	const struct model *old_model = difference->old_model, *new_model = difference->new_model;
	uint32_t old_object, new_object;

	if (row->old_function == MODEL_NO_FUNCTION || row->new_function == MODEL_NO_FUNCTION ||
	    !(old_model->positions & new_model->positions & POSITION_INSTR))
		return false;
	old_object = old_model->functions[row->old_function].object;
	new_object = new_model->functions[row->new_function].object;
	if (same->objects[0] != old_object || same->objects[1] != new_object)
		same->is_same_build = compare_builds(difference, row);
	same->objects[0] = old_object;
	same->objects[1] = new_object;
	return same->is_same_build;
}

/* -- lines ----------------------------------------------------------------------------- */

/* The same number for the same file of both profiles. */
static uint32_t shared_file(const struct difference *difference, uint32_t file, bool is_new)
{
	uint32_t old_file = is_new ? difference->old_number[NAME_FILE][file] : file;

	return old_file != DICTIONARY_NONE
		       ? old_file
		       : file + (uint32_t)difference->old_model->names[NAME_FILE].count;
}

static struct samecode_extent *find_extent(const struct samecode *same, uint32_t file)
{
	for (size_t i = 0; i < same->n_extents; i++)
		if (same->extents[i].file == file)
			return &same->extents[i];
	return NULL;
}

static struct samecode_extent *make_extent(struct samecode *same, uint32_t file)
{
	struct samecode_extent *extent = find_extent(same, file);
	void *extents = same->extents;

	if (extent)
		return extent;
	if (!heap_reserve(same->difference->env, &extents, &same->capacity, same->n_extents + 1,
			  sizeof(*extent)))
		return NULL;
	same->extents = extents;
	extent = &same->extents[same->n_extents++];
	*extent = (struct samecode_extent){ .file = file };
	return extent;
}

static bool measure_side(struct samecode *same, uint32_t function, bool is_new)
{
	const struct difference *difference = same->difference;
	const struct model *model = is_new ? difference->new_model : difference->old_model;

	for (uint32_t part = 0; part < model_cost_parts(model); part++) {
		struct samecode_extent *extent = NULL;
		struct model_cursor cursor;
		struct model_line line;

		model_lines(model, function, part, &cursor);
		while (model_next_line(&cursor, &line)) {
			uint32_t file = shared_file(difference, line.file, is_new);

			if (line.at.line == 0)
				continue;
			if (!extent || extent->file != file)
				extent = make_extent(same, file);
			if (!extent)
				return false;
			if (extent->first[is_new] == 0 || line.at.line < extent->first[is_new])
				extent->first[is_new] = line.at.line;
			if (line.at.line > extent->last[is_new])
				extent->last[is_new] = line.at.line;
		}
	}
	return true;
}

static bool has_moved(const struct samecode_extent *extent)
{
	return extent->first[0] > 0 && extent->first[1] > 0 &&
	       (extent->first[0] != extent->first[1] || extent->last[0] != extent->last[1]);
}

static bool begin_function(struct samecode *same, uint32_t function)
{
	const struct difference *difference = same->difference;
	const struct difference_row *row =
		&difference->rows[same->is_new ? difference->row_of_new[function] : function];

	same->function = function;
	same->n_extents = 0;
	same->keeps_addresses = shares_addresses(same, row);
	if (same->keeps_addresses || row->old_function == MODEL_NO_FUNCTION ||
	    row->new_function == MODEL_NO_FUNCTION)
		return true;
	return measure_side(same, row->old_function, false) &&
	       measure_side(same, row->new_function, true);
}

/* -- the visitor ----------------------------------------------------------------------- */

static int samecode_place(void *ctx, const struct place *place)
{
	struct samecode *same = ctx;
	const struct difference *difference = same->difference;
	const struct model *model = same->is_new ? difference->new_model : difference->old_model;
	uint32_t function =
		model_find_function(model, place->object.key, place->file.key, place->function.key);

	if (function != same->function && !begin_function(same, function))
		return PROFILE_NO_MEMORY;
	same->extent = find_extent(same, shared_file(difference, place->source.key, same->is_new));
	if (same->extent && !has_moved(same->extent))
		same->extent = NULL;
	return visitor_place(same->filter.to, place);
}

static struct position shared_position(const struct samecode *same, const struct position *at)
{
	return (struct position){
		.instr = same->keeps_addresses ? at->instr : 0,
		.line = same->extent && at->line > 0 ? same->extent->first[1] : at->line,
	};
}

static int samecode_cost(void *ctx, const struct position *at, const uint64_t *costs,
			 size_t n_costs)
{
	struct samecode *same = ctx;
	const struct position shared = shared_position(same, at);

	return visitor_cost(same->filter.to, &shared, costs, n_costs);
}

static int samecode_call(void *ctx, const struct call *call)
{
	struct samecode *same = ctx;
	struct call shared = *call;

	shared.at = shared_position(same, &call->at);
	shared.target = (struct position){ 0 }; /* the callee may have moved */
	if (!same->is_new)
		shared.count = 0;
	return visitor_call(same->filter.to, &shared);
}

static const struct part *shared_part(struct samecode *same, const struct part *part)
{
	same->part = *part;
	same->part.positions = POSITION_LINE | (same->has_addresses ? POSITION_INSTR : 0);
	return &same->part;
}

static int samecode_part(void *ctx, const struct part *part)
{
	struct samecode *same = ctx;

	return visitor_part(same->filter.to, shared_part(same, part));
}

static int samecode_part_end(void *ctx, const struct part *part)
{
	struct samecode *same = ctx;

	return visitor_part_end(same->filter.to, shared_part(same, part));
}

void samecode_init(struct samecode *same, const struct difference *difference, bool is_new,
		   const struct visitor *to)
{
	static const struct visitor changes = {
		.part = samecode_part,
		.place = samecode_place,
		.cost = samecode_cost,
		.call = samecode_call,
		.part_end = samecode_part_end,
	};

	*same = (struct samecode){
		.difference = difference,
		.is_new = is_new,
		.objects = { DICTIONARY_NONE, DICTIONARY_NONE },
		.function = MODEL_NO_FUNCTION,
	};
	visitor_filter_init(&same->filter, to, &changes);
	same->filter.visitor.jump = NULL;
	for (size_t i = 0; i < difference->n_rows && !same->has_addresses; i++)
		same->has_addresses = shares_addresses(same, &difference->rows[i]);
}

void samecode_release(struct samecode *same)
{
	const struct env *env = same->difference ? same->difference->env : NULL;

	if (env)
		env->release(env->ctx, same->extents);
	same->extents = NULL;
}
