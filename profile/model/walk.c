/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each function is unpacked into a buffer, with ranks in the place of numbers of
 * files and functions, and sorted there; with WALK_AS_READ, ranks are numbers.
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

struct model_walk {
	const struct model *model;
	const struct visitor *visitor;
	bool one_part;
	bool makes_totals;
	struct ranks files, functions, names;
	struct cost_buffer buffer;
	struct part part;
	const char *events[PROFILE_MAX_EVENTS];
	uint64_t summary[PROFILE_MAX_EVENTS];
	uint64_t totals[PROFILE_MAX_EVENTS];
	uint64_t costs[PROFILE_MAX_EVENTS];
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

/* 0..n-1, sorted; NULL if memory ran out. */
static uint32_t *sorted_numbers(const struct model *model, size_t n, compare_fn *compare)
{
	uint32_t *numbers = heap_zeroed(model->env, n, sizeof(*numbers));

	if (!numbers)
		return NULL;
	for (size_t i = 0; i < n; i++)
		numbers[i] = (uint32_t)i;
	qsort_r(numbers, n, sizeof(*numbers), compare, &model);
	return numbers;
}

uint32_t *model_functions_by_name(const struct model *model)
{
	return sorted_numbers(model, model->n_functions, compare_functions);
}

static bool ranks_init(struct ranks *ranks, const struct model *model, size_t n,
		       compare_fn *compare)
{
	ranks->at = sorted_numbers(model, n, compare);
	ranks->rank = heap_zeroed(model->env, n, sizeof(*ranks->rank));
	if (!ranks->at || !ranks->rank)
		return false;
	for (size_t i = 0; i < n; i++)
		ranks->rank[ranks->at[i]] = (uint32_t)i;
	return true;
}

static void ranks_release(struct ranks *ranks, const struct env *env)
{
	env->release(env->ctx, ranks->rank);
	env->release(env->ctx, ranks->at);
}

static uint32_t rank_of(const struct ranks *ranks, uint32_t number)
{
	return ranks->rank ? ranks->rank[number] : number;
}

static uint32_t number_at(const struct ranks *ranks, uint32_t rank)
{
	return ranks->at ? ranks->at[rank] : rank;
}

/* -- a function ------------------------------------------------------------ */

static int unpack(struct model_walk *walk, uint32_t function, uint32_t part)
{
	const struct unpack_ranks ranks = { walk->files.rank, walk->functions.rank,
					    walk->names.rank };

	return unpack_segment(&walk->buffer, walk->model, &walk->model->functions[function],
			      cursor_segment(walk->model, function, part), &ranks);
}

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

/* What is reported of a function, and how far. */
struct function_walk {
	struct model_walk *walk;
	struct place place;
	uint32_t source; /* rank of the file that was reported */
	size_t line, call, jump;
};

/* Visits the place of a key, if it is another one. */
static int visit_source(struct function_walk *at, const struct cost_buffer_key *key)
{
	const struct model_walk *walk = at->walk;

	if (key->file == at->source)
		return PROFILE_OK;
	at->source = key->file;
	at->place.source = model_name(walk->model, NAME_FILE, number_at(&walk->files, key->file));
	return walk->visitor->place ? walk->visitor->place(walk->visitor->ctx, &at->place)
				    : PROFILE_OK;
}

/* All columns of the costs in the buffer, of a line and of a call. */
static const uint64_t *line_costs(struct model_walk *walk, const struct cost_buffer_line *line)
{
	const unsigned char *p = walk->buffer.line_costs + line->start;
	size_t i = 0;

	for (; i < line->n_costs; i++)
		p = varint_read_signed(p, &walk->costs[i]);
	for (; i < walk->model->n_events; i++)
		walk->costs[i] = 0;
	return walk->costs;
}

static const uint64_t *call_costs(struct model_walk *walk, const struct cost_buffer_call *call)
{
	size_t n = call->n_costs;

	memcpy(walk->costs, walk->buffer.costs + call->costs, n * sizeof(*walk->costs));
	memset(walk->costs + n, 0, (walk->model->n_events - n) * sizeof(*walk->costs));
	return walk->costs;
}

static int visit_line(struct function_walk *at)
{
	struct model_walk *walk = at->walk;
	const struct cost_buffer_line *line = &walk->buffer.lines[at->line++];
	int status = visit_source(at, &line->key);

	if (status)
		return status;
	return visitor_cost(walk->visitor, &line->key.at, line_costs(walk, line),
			    walk->model->n_events);
}

static int visit_call(struct function_walk *at)
{
	struct model_walk *walk = at->walk;
	const struct cost_buffer_call *known = &walk->buffer.calls[at->call++];
	struct call call = {
		.callee = place_of(walk, number_at(&walk->functions, known->callee)),
		.count = known->count,
		.target = known->target,
		.at = known->key.at,
		.costs = call_costs(walk, known),
		.n_costs = walk->model->n_events,
	};
	int status = visit_source(at, &known->key);

	return status ? status : visitor_call(walk->visitor, &call);
}

static int visit_jump(struct function_walk *at)
{
	struct model_walk *walk = at->walk;
	const struct cost_buffer_jump *known = &walk->buffer.jumps[at->jump++];
	struct jump jump = {
		.is_conditional = known->is_conditional,
		.followed = known->followed,
		.executed = known->executed,
		.file = model_name(walk->model, NAME_FILE,
				   number_at(&walk->files, known->target_file)),
		.function = model_name(walk->model, NAME_FUNCTION,
				       number_at(&walk->names, known->target_function)),
		.has_function = known->has_function,
		.target = known->target,
		.at = known->key.at,
	};
	int status = visit_source(at, &known->key);

	return status ? status : visitor_jump(walk->visitor, &jump);
}

/* Whether a comes before b; NULL is the end. */
static bool is_before(const struct cost_buffer *buffer, const struct cost_buffer_key *a,
		      const struct cost_buffer_key *b)
{
	if (!a || !b)
		return a != NULL;
	return cost_buffer_compare_keys(buffer, a, b) < 0;
}

/* Costs of a position, then its calls, then its jumps. */
static int visit_items(struct function_walk *at)
{
	const struct cost_buffer *buffer = &at->walk->buffer;
	int status = PROFILE_OK;

	while (!status) {
		const struct cost_buffer_key *line =
			at->line < buffer->n_lines ? &buffer->lines[at->line].key : NULL;
		const struct cost_buffer_key *call =
			at->call < buffer->n_calls ? &buffer->calls[at->call].key : NULL;
		const struct cost_buffer_key *jump =
			at->jump < buffer->n_jumps ? &buffer->jumps[at->jump].key : NULL;

		if (!line && !call && !jump)
			break;
		if (is_before(buffer, jump, line) && is_before(buffer, jump, call))
			status = visit_jump(at);
		else if (is_before(buffer, call, line))
			status = visit_call(at);
		else
			status = visit_line(at);
	}
	return status;
}

static int visit_function(struct model_walk *walk, uint32_t function, uint32_t part)
{
	const struct model *model = walk->model;
	const struct model_function *f = &model->functions[function];
	struct function_walk at = { .walk = walk, .source = rank_of(&walk->files, f->file) };
	size_t n_parts = walk->one_part ? model_cost_parts(model) : 1;
	int status = PROFILE_OK;

	cost_buffer_begin(&walk->buffer, at.source, rank_of(&walk->names, f->name),
			  model->is_signed);
	for (size_t i = 0; i < n_parts && !status; i++)
		status = unpack(walk, function, part + (uint32_t)i);
	if (!status)
		status = cost_buffer_merge(&walk->buffer);
	if (status || cost_buffer_is_empty(&walk->buffer))
		return status;
	at.place = place_of(walk, function);
	status = visitor_place(walk->visitor, &at.place);
	return status ? status : visit_items(&at);
}

/* -- parts ----------------------------------------------------------------- */

/* Long names of events, and derived events; false if memory ran out. */
static bool make_definitions(struct model_walk *walk)
{
	const struct model *model = walk->model;
	size_t n = 0;

	walk->definitions = heap_zeroed(model->env, model->n_events + model->n_derived,
					sizeof(*walk->definitions));
	if (!walk->definitions)
		return false;
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
	return true;
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
		status = visit_function(walk, number_at(&walk->functions, (uint32_t)i), part);
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

int model_walk(const struct model *model, const struct walk_options *options,
	       const struct visitor *visitor)
{
	const struct env *env = model->env;
	struct model_walk *walk = heap_zeroed(env, 1, sizeof(*walk));
	bool by_name = options && options->order == WALK_BY_NAME;
	int status = PROFILE_NO_MEMORY;

	if (!walk)
		return status;
	walk->model = model;
	walk->visitor = visitor;
	walk->one_part = !model->separate_parts || (options && options->one_part);
	walk->makes_totals = options && options->makes_totals;
	cost_buffer_init(&walk->buffer, env);
	if (make_definitions(walk) &&
	    (!by_name ||
	     (ranks_init(&walk->files, model, model->names[NAME_FILE].count, compare_files) &&
	      ranks_init(&walk->names, model, model->names[NAME_FUNCTION].count,
			 compare_function_names) &&
	      ranks_init(&walk->functions, model, model->n_functions, compare_functions))))
		status = visit_parts(walk);
	ranks_release(&walk->files, env);
	ranks_release(&walk->names, env);
	ranks_release(&walk->functions, env);
	cost_buffer_release(&walk->buffer);
	env->release(env->ctx, walk->definitions);
	env->release(env->ctx, walk);
	return status;
}
