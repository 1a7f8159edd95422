/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three cursors step through a function's lines, calls and jumps.  What several parts have of it, or
 * what names sort otherwise than numbers, is first unpacked into a buffer, sorted and
 * packed again; few functions are such.
 */
#define _GNU_SOURCE /* qsort_r */
#include "profile/model/walk.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"
#include "profile/model/cost_buffer.h"
#include "profile/model/segment.h"

/* A permutation; both NULL if it is none. */
struct ranks {
	uint32_t *rank; /* by number, owned */
	uint32_t *at;   /* by rank, owned */
};

/* What is reported of a function, and how far: what comes next, if there is anything. */
struct function_walk {
	const struct model_walk *walk;
	struct place place;
	uint32_t source; /* file that was reported */
	bool has_line, has_call, has_jump;
	struct model_line line;
	struct model_call call;
	struct model_jump jump;
	struct model_cursor lines, calls, jumps;
};

struct model_walk {
	const struct model *model;
	const struct visitor *visitor;
	bool one_part;
	bool makes_totals;
	struct ranks files, functions, names;
	struct cost_buffer_ranks ranks; /* of these */
	struct cost_buffer buffer;
	struct function_walk at; /* the function at work */
	struct arena sorted;     /* the segment of the function at work, if it was sorted again */
	struct part part;
	const char *events[PROFILE_MAX_EVENTS];
	uint64_t summary[PROFILE_MAX_EVENTS];
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct part_event *definitions; /* owned */
};

/* -- order ----------------------------------------------------------------- */

static int compare_files(const void *left, const void *right, void *ctx)
{
	const struct model *const *model = ctx;

	return model_compare_names(*model, NAME_FILE, *(const uint32_t *)left,
				   *(const uint32_t *)right);
}

static int compare_function_names(const void *left, const void *right, void *ctx)
{
	const struct model *const *model = ctx;

	return model_compare_names(*model, NAME_FUNCTION, *(const uint32_t *)left,
				   *(const uint32_t *)right);
}

static int compare_functions(const void *left, const void *right, void *ctx)
{
	const struct model *model = *(const struct model *const *)ctx;
	const struct model_function *a = &model->functions[*(const uint32_t *)left];
	const struct model_function *b = &model->functions[*(const uint32_t *)right];
	int order = model_compare_names(model, NAME_OBJECT, a->object, b->object);

	if (!order)
		order = model_compare_names(model, NAME_FILE, a->file, b->file);
	return order ? order : model_compare_names(model, NAME_FUNCTION, a->name, b->name);
}

/* ctx is the address of a pointer to the model. */
typedef int compare_fn(const void *left, const void *right, void *ctx);

/* 0..n-1, sorted. */
static uint32_t *sorted_numbers(const struct model *model, size_t n, compare_fn *compare)
{
	uint32_t *numbers = heap_array(n, sizeof(*numbers));

	for (size_t i = 0; i < n; i++)
		numbers[i] = (uint32_t)i;
	qsort_r(numbers, n, sizeof(*numbers), compare, &model);
	return numbers;
}

uint32_t *model_functions_by_name(const struct model *model)
{
	return sorted_numbers(model, model->n_functions, compare_functions);
}

static void ranks_init(struct ranks *ranks, const struct model *model, size_t n,
		       compare_fn *compare)
{
	ranks->at = sorted_numbers(model, n, compare);
	ranks->rank = heap_array(n, sizeof(*ranks->rank));
	for (size_t i = 0; i < n; i++)
		ranks->rank[ranks->at[i]] = (uint32_t)i;
}

static void ranks_release(struct ranks *ranks)
{
	free(ranks->rank);
	free(ranks->at);
}

/* -- a function ------------------------------------------------------------ */

static struct place place_of(const struct model_walk *walk, uint32_t function)
{
	const struct model *model = walk->model;
	const struct model_function *f = &model->functions[function];
	struct name file = model_name(model, NAME_FILE, f->file);

	return (struct place){
		.object = model_name(model, NAME_OBJECT, f->object),
		.file = file,
		.function = model_name(model, NAME_FUNCTION, f->name),
		.source = file,
		.has_object = model->has_objects,
	};
}

/* Visits the place of a file, if it is another one. */
static int visit_source(struct function_walk *at, uint32_t file)
{
	const struct model_walk *walk = at->walk;

	if (file == at->source)
		return PROFILE_OK;
	at->source = file;
	at->place.source = model_name(walk->model, NAME_FILE, file);
	return visitor_place(walk->visitor, &at->place);
}

static int visit_line(struct function_walk *at)
{
	const struct model_line *line = &at->line;
	int status = visit_source(at, line->file);

	if (!status)
		status = visitor_cost(at->walk->visitor, &line->at, line->costs,
				      at->walk->model->n_events);
	at->has_line = model_next_line(&at->lines, &at->line);
	return status;
}

static int visit_call(struct function_walk *at)
{
	const struct model_call *known = &at->call;
	struct call call = {
		.callee = place_of(at->walk, known->callee),
		.count = known->count,
		.target = known->target,
		.at = known->at,
		.costs = known->costs,
		.n_costs = at->walk->model->n_events,
	};
	int status = visit_source(at, known->file);

	if (!status)
		status = visitor_call(at->walk->visitor, &call);
	at->has_call = model_next_call(&at->calls, &at->call);
	return status;
}

static int visit_jump(struct function_walk *at)
{
	const struct model *model = at->walk->model;
	const struct model_jump *known = &at->jump;
	struct jump jump = {
		.is_conditional = known->is_conditional,
		.followed = known->followed,
		.executed = known->executed,
		.file = model_name(model, NAME_FILE, known->target_file),
		.function = model_name(model, NAME_FUNCTION, known->target_function),
		.has_function = known->has_function,
		.target = known->target,
		.at = known->at,
	};
	int status = visit_source(at, known->file);

	if (!status)
		status = visitor_jump(at->walk->visitor, &jump);
	at->has_jump = model_next_jump(&at->jumps, &at->jump);
	return status;
}

static bool is_before(const struct function_walk *at, struct cost_buffer_key a,
		      struct cost_buffer_key b)
{
	return cost_buffer_compare_keys(&at->walk->buffer, &a, &b) < 0;
}

static bool is_call_next(const struct function_walk *at)
{
	return at->has_call &&
	       (!at->has_line ||
		is_before(at, (struct cost_buffer_key){ at->call.at, at->call.file },
			  (struct cost_buffer_key){ at->line.at, at->line.file }));
}

static bool is_jump_next(const struct function_walk *at)
{
	const struct cost_buffer_key jump = { at->jump.at, at->jump.file };

	return at->has_jump &&
	       (!at->has_line ||
		is_before(at, jump, (struct cost_buffer_key){ at->line.at, at->line.file })) &&
	       (!at->has_call ||
		is_before(at, jump, (struct cost_buffer_key){ at->call.at, at->call.file }));
}

/* Costs of a position, then its calls, then its jumps. */
static int visit_items(struct function_walk *at)
{
	int status = PROFILE_OK;

	at->has_line = model_next_line(&at->lines, &at->line);
	at->has_call = model_next_call(&at->calls, &at->call);
	at->has_jump = model_next_jump(&at->jumps, &at->jump);
	while (!status && (at->has_line || at->has_call || at->has_jump)) {
		if (is_jump_next(at))
			status = visit_jump(at);
		else if (is_call_next(at))
			status = visit_call(at);
		else
			status = visit_line(at);
	}
	return status;
}

/* One segment of what n_parts parts have of a function, sorted, or NULL if they have nothing. */
static int sort_parts(struct model_walk *walk, uint32_t function, uint32_t first, size_t n_parts,
		      const struct model_segment **sorted)
{
	const struct model *model = walk->model;
	const struct model_function *f = &model->functions[function];
	int status = PROFILE_OK;

	for (size_t i = 0; i < n_parts && !status; i++)
		status = unpack_segment(&walk->buffer, model, f,
					cursor_segment(model, function, first + (uint32_t)i));
	if (!status)
		status = cost_buffer_merge(&walk->buffer);
	if (status || cost_buffer_is_empty(&walk->buffer))
		return status;
	arena_release(&walk->sorted);
	*sorted = cost_buffer_pack(&walk->buffer, &walk->sorted, first);
	return PROFILE_OK;
}

static int visit_function(struct model_walk *walk, uint32_t function, uint32_t part)
{
	const struct model *model = walk->model;
	const struct model_function *f = &model->functions[function];
	struct function_walk *at = &walk->at;
	size_t n_parts = walk->one_part ? model_cost_parts(model) : 1;
	const struct model_segment *segment = cursor_segment(model, function, part);
	int status = PROFILE_OK;

	cost_buffer_begin(&walk->buffer, f->file, f->name, model->is_signed);
	if (n_parts > 1 || (segment && segment->by_numbers && walk->buffer.ranks))
		status = sort_parts(walk, function, part, n_parts, &segment);
	if (status || !segment)
		return status;
	at->walk = walk;
	at->place = place_of(walk, function);
	at->source = f->file;
	cursor_enter_lines(&at->lines, model, f, segment);
	cursor_enter_calls(&at->calls, model, f, segment);
	cursor_enter_jumps(&at->jumps, model, f, segment);
	status = visitor_place(walk->visitor, &at->place);
	return status ? status : visit_items(at);
}

/* -- parts ----------------------------------------------------------------- */

/* Long names of events, and derived events. */
static void make_definitions(struct model_walk *walk)
{
	const struct model *model = walk->model;
	size_t n = 0;

	walk->definitions =
		heap_array(model->n_events + model->n_derived, sizeof(*walk->definitions));
	for (size_t i = 0; i < model->n_events; i++) {
		walk->events[i] = model->events[i].name;
		if (model->events[i].long_name)
			walk->definitions[n++] = (struct part_event){ model->events[i].name, NULL,
								      model->events[i].long_name };
	}
	for (size_t i = 0; i < model->n_derived; i++)
		walk->definitions[n++] = (struct part_event){ model->derived[i].name,
							      model->derived[i].formula,
							      model->derived[i].long_name };
	walk->part.definitions = walk->definitions;
	walk->part.n_definitions = n;
}

static void copy_sums(uint64_t *to, const uint64_t *from, size_t n, size_t n_events)
{
	memcpy(to, from, n * sizeof(*to));
	memset(to + n, 0, (n_events - n) * sizeof(*to));
}

/* Summary and totals of parts from first on; false if a sum is beyond 64 bits. */
static bool make_sums(struct model_walk *walk, size_t first, size_t n_parts)
{
	const struct model *model = walk->model;
	bool has_summary = true, has_totals = true;

	for (size_t i = first; i < first + n_parts; i++) {
		has_summary = has_summary && model->parts[i].summary;
		has_totals = has_totals && model->parts[i].totals;
	}
	if (n_parts == 1) {
		const struct model_part *part = &model->parts[first];

		if (has_summary)
			copy_sums(walk->summary, part->summary, part->n, model->n_events);
		copy_sums(walk->totals, part->sums, part->n, model->n_events);
	} else if (!model_summary(model, walk->summary) || !model_totals(model, walk->totals)) {
		return false;
	}
	walk->part.n_summary = has_summary ? model->n_events : 0;
	walk->part.n_totals = has_totals || walk->makes_totals ? model->n_events : 0;
	return true;
}

/* The header of n_parts parts, from first on, as one. */
static bool make_header(struct model_walk *walk, size_t index, size_t first, size_t n_parts)
{
	const struct part_event *definitions = walk->part.definitions;
	size_t n_definitions = walk->part.n_definitions;

	walk->part = walk->model->parts[first].header;
	walk->part.index = index;
	walk->part.definitions = definitions;
	walk->part.n_definitions = n_definitions;
	walk->part.events = walk->events;
	walk->part.n_events = walk->model->n_events;
	walk->part.positions = walk->model->positions;
	walk->part.summary = walk->summary;
	walk->part.totals = walk->totals;
	walk->part.is_signed = walk->model->is_signed;
	return make_sums(walk, first, n_parts);
}

static int visit_part(struct model_walk *walk, uint32_t part)
{
	int status = visitor_part(walk->visitor, &walk->part);

	for (size_t i = 0; i < walk->model->n_functions && !status; i++)
		status = visit_function(
			walk, walk->functions.at ? walk->functions.at[i] : (uint32_t)i, part);
	if (!status)
		status = visitor_part_end(walk->visitor, &walk->part);
	return status;
}

static int visit_parts(struct model_walk *walk)
{
	const struct model *model = walk->model;
	int status = model->is_signed ? visitor_negative(walk->visitor) : PROFILE_OK;

	if (status || model->n_parts == 0)
		return status;
	if (walk->one_part)
		return make_header(walk, 0, 0, model->n_parts) ? visit_part(walk, 0)
							       : PROFILE_RANGE;
	for (size_t i = 0; i < model->n_parts && !status; i++)
		status = make_header(walk, i, i, 1) ? visit_part(walk, (uint32_t)i) : PROFILE_RANGE;
	return status;
}

static void make_ranks(struct model_walk *walk)
{
	const struct model *model = walk->model;

	ranks_init(&walk->files, model, model->names[NAME_FILE].count, compare_files);
	ranks_init(&walk->names, model, model->names[NAME_FUNCTION].count, compare_function_names);
	ranks_init(&walk->functions, model, model->n_functions, compare_functions);
	walk->ranks = (struct cost_buffer_ranks){ walk->files.rank, walk->functions.rank,
						  walk->names.rank };
}

int model_walk(const struct model *model, const struct walk_options *options,
	       const struct visitor *visitor)
{
	const struct env *env = model->env;
	struct model_walk *walk = heap_array(1, sizeof(*walk));
	bool by_name = options && options->order == WALK_BY_NAME;
	int status;

	walk->model = model;
	walk->visitor = visitor;
	walk->one_part = !model->separate_parts || (options && options->one_part);
	walk->makes_totals = options && options->makes_totals;
	cost_buffer_init(&walk->buffer, env, by_name ? &walk->ranks : NULL);
	arena_init(&walk->sorted, env);
	make_definitions(walk);
	if (by_name)
		make_ranks(walk);
	status = visit_parts(walk);
	ranks_release(&walk->files);
	ranks_release(&walk->names);
	ranks_release(&walk->functions);
	cost_buffer_release(&walk->buffer);
	arena_release(&walk->sorted);
	free(walk->definitions);
	free(walk);
	return status;
}
