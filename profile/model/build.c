/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is reported of a function is gathered in a buffer, and packed into a segment
 * when another function comes.  A function that comes again gets another segment;
 * builder_finish() makes one of them, for each part.
 */
#include "profile/model/build.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/dictionary.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "profile/model/segment.h"

/* -- names ----------------------------------------------------------------- */

/* Makes room for a number in an array that it is an index of; all that is new is DICTIONARY_NONE. */
static void reserve_number(uint32_t **array, size_t *n, uint32_t number)
{
	size_t old = *n;

	*array = heap_grow(*array, n, (size_t)number + 1, sizeof(**array));
	if (*n > old)
		memset(*array + old, 0xff, (*n - old) * sizeof(**array));
}

/* The number of a file or object that is spelled as the text of a key; of its spellings, the least is shown. */
static uint32_t clean_number(struct model *model, enum name_kind kind, uint32_t key)
{
	struct dictionary *names = &model->names[kind];
	struct name name = dictionary_name(names, key), shown;
	uint32_t number = key;

	if (filename_is_unclean(name.text, name.len)) {
		char *buffer = heap_alloc(name.len);

		number = dictionary_intern(names, buffer,
					   filename_clean(name.text, name.len, buffer));
		free(buffer);
	}
	reserve_number(&model->shown[kind], &model->n_shown[kind], number);
	shown = model_name(model, kind, number);
	if (model->shown[kind][number] == DICTIONARY_NONE || dictionary_compare(&name, &shown) < 0)
		model->shown[kind][number] = key;
	return number;
}

/* The number of a name that came for the first time. */
static uint32_t new_number(struct builder *builder, enum name_kind kind, const struct name *name)
{
	struct dictionary *names = &builder->model->names[kind];
	const char *text = name->text;
	size_t len = name->len;
	bool renamed = builder->options.rename &&
		       builder->options.rename(builder->options.ctx, kind, &text, &len);
	uint32_t key = name->key;

	if (renamed && len == 0)
		key = DICTIONARY_UNKNOWN;
	else if (renamed || key == NAME_NO_KEY || builder->source != builder->model->names)
		key = dictionary_intern(names, text, len);
	return kind == NAME_FUNCTION ? key : clean_number(builder->model, kind, key);
}

/* The number of a name of the source. */
static uint32_t number_of(struct builder *builder, enum name_kind kind, const struct name *name)
{
	if (name->key < builder->n_numbers[kind] &&
	    builder->numbers[kind][name->key] != DICTIONARY_NONE)
		return builder->numbers[kind][name->key];
	if (name->key == NAME_NO_KEY)
		return new_number(builder, kind, name);
	reserve_number(&builder->numbers[kind], &builder->n_numbers[kind], name->key);
	builder->numbers[kind][name->key] = new_number(builder, kind, name);
	return builder->numbers[kind][name->key];
}

/* The number of a function, which is made if there is none; by a look at one place, as most names are of one function. */
static uint32_t function_of(struct builder *builder, const struct place *place)
{
	uint32_t key = place->function.key;
	bool has_keys = key != NAME_NO_KEY && place->object.key != NAME_NO_KEY &&
			place->file.key != NAME_NO_KEY;
	size_t old = builder->n_known;
	uint32_t object, file, name, function;

	if (has_keys && key < builder->n_known) {
		const struct builder_function *known = &builder->known[key];

		if (known->object == place->object.key && known->file == place->file.key)
			return known->function;
	}
	object = number_of(builder, NAME_OBJECT, &place->object);
	file = number_of(builder, NAME_FILE, &place->file);
	name = number_of(builder, NAME_FUNCTION, &place->function);
	function = model_intern_function(builder->model, object, file, name);
	if (!has_keys)
		return function;
	builder->known = heap_grow(builder->known, &builder->n_known, (size_t)key + 1,
				   sizeof(*builder->known));
	if (builder->n_known > old)
		memset(builder->known + old, 0xff,
		       (builder->n_known - old) * sizeof(*builder->known));
	builder->known[key] =
		(struct builder_function){ place->object.key, place->file.key, function };
	return function;
}

/* -- the function at work -------------------------------------------------- */

/* Packs what was gathered of the function at work; the buffer is then empty. */
static int flush(struct builder *builder)
{
	struct model *model = builder->model;
	struct cost_buffer *buffer = builder->buffer;
	struct model_function *function;
	struct model_segment *segment;
	int status;

	if (cost_buffer_is_empty(buffer))
		return PROFILE_OK;
	if (!cost_buffer_sum(buffer, builder->header->sums, model->n_events))
		return PROFILE_RANGE;
	status = cost_buffer_merge(buffer);
	if (status)
		return status;
	segment = cost_buffer_pack(buffer, &model->arena, builder->part);
	function = &model->functions[builder->function];
	segment->next = function->segments;
	function->segments = segment;
	for (size_t i = 0; i < model->n_events; i++)
		buffer->all_costs |= builder->header->sums[i];
	model->has_large |= !model->is_signed && buffer->all_costs >> 63;
	cost_buffer_begin(buffer, function->file, function->name, model->is_signed);
	return PROFILE_OK;
}

/* Has what follows belong to the place that was reported last. */
static int enter_place(struct builder *builder)
{
	const struct model_function *entered;
	uint32_t function;
	int status;

	builder->place_is_new = false;
	builder->model->has_objects |= builder->place.has_object;
	function = function_of(builder, &builder->place);
	builder->source_file = number_of(builder, NAME_FILE, &builder->place.source);
	if (function == builder->function)
		return PROFILE_OK;
	status = flush(builder);
	if (status)
		return status;
	builder->function = function;
	entered = &builder->model->functions[function];
	cost_buffer_begin(builder->buffer, entered->file, entered->name, builder->model->is_signed);
	return PROFILE_OK;
}

/* Before anything is added; of nearly all lines there is nothing to do. */
static inline int prepare(struct builder *builder)
{
	if (builder->place_is_new)
		return enter_place(builder);
	return cost_buffer_is_full(builder->buffer) ? flush(builder) : PROFILE_OK;
}

/* Costs by the model's events, instead of by columns. */
static inline const uint64_t *map_costs(struct builder *builder, const uint64_t *costs, size_t *n)
{
	size_t n_events = builder->model->n_events;

	if (builder->identity)
		return costs;
	memset(builder->mapped, 0, n_events * sizeof(*builder->mapped));
	for (size_t i = 0; i < *n; i++)
		if (builder->columns[i] != PROFILE_MAX_EVENTS)
			builder->mapped[builder->columns[i]] = costs[i];
	*n = n_events;
	return builder->mapped;
}

static struct cost_buffer_key key_of(const struct builder *builder, const struct position *at)
{
	if (builder->options.no_positions)
		return (struct cost_buffer_key){ { 0, 0 }, builder->buffer->own_file };
	return (struct cost_buffer_key){ *at, builder->source_file };
}

/* -- the visitor ----------------------------------------------------------- */

static int visit_place(void *ctx, const struct place *place)
{
	struct builder *builder = ctx;

	builder->place = *place;
	builder->place_is_new = true;
	return PROFILE_OK;
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct builder *builder = ctx;
	struct cost_buffer_key key;
	int status;

	if (builder->skips_part)
		return PROFILE_OK;
	status = prepare(builder);
	if (status)
		return status;
	costs = map_costs(builder, costs, &n_costs);
	if (builder->options.no_positions)
		return cost_buffer_add_self(builder->buffer, costs, n_costs);
	key = key_of(builder, at);
	return cost_buffer_add_line(builder->buffer, &key, costs, n_costs);
}

static int visit_call(void *ctx, const struct call *call)
{
	struct builder *builder = ctx;
	size_t n_costs = call->n_costs;
	struct cost_buffer_key key;
	struct model_call added;
	int status;

	if (builder->skips_part)
		return PROFILE_OK;
	status = prepare(builder);
	if (status)
		return status;
	builder->model->has_objects |= call->callee.has_object;
	key = key_of(builder, &call->at);
	added.at = key.at;
	added.file = key.file;
	added.callee = function_of(builder, &call->callee);
	added.count = call->count;
	added.target = call->target;
	if (builder->options.no_positions)
		added.target = (struct position){ 0, 0 };
	added.costs = map_costs(builder, call->costs, &n_costs);
	added.n_costs = (uint32_t)n_costs;
	cost_buffer_add_call(builder->buffer, &added);
	return PROFILE_OK;
}

static int visit_jump(void *ctx, const struct jump *jump)
{
	struct builder *builder = ctx;
	struct model_jump added = {
		.at = jump->at,
		.is_conditional = jump->is_conditional,
		.has_function = jump->has_function,
		.target = jump->target,
		.followed = jump->followed,
		.executed = jump->executed,
	};
	int status;

	if (builder->skips_part || builder->options.no_jumps || builder->options.no_positions)
		return PROFILE_OK;
	status = prepare(builder);
	if (status)
		return status;
	added.file = builder->source_file;
	added.target_file = number_of(builder, NAME_FILE, &jump->file);
	added.target_function = builder->buffer->own_name;
	if (jump->has_function)
		added.target_function = number_of(builder, NAME_FUNCTION, &jump->function);
	cost_buffer_add_jump(builder->buffer, &added);
	return PROFILE_OK;
}

static int visit_negative(void *ctx)
{
	struct builder *builder = ctx;
	int status = flush(builder);

	if (status)
		return status;
	/* Large counts of this file are numbers below 0 too; in files before they were not. */
	if (builder->had_large || builder->buffer->left_signed)
		return PROFILE_RANGE;
	builder->model->is_signed = true;
	builder->buffer->is_signed = true;
	builder->buffer->may_be_signed = false;
	return PROFILE_OK;
}

/* -- parts ----------------------------------------------------------------- */

/* A copy in the model's memory; NULL stays NULL. */
static const char *copy_text(struct builder *builder, const char *text)
{
	return text ? arena_copy(&builder->model->arena, text, strlen(text)) : NULL;
}

/* The model's event of a name, which is added if there is none; PROFILE_MAX_EVENTS if there are too many. */
static size_t intern_event(struct builder *builder, const char *name)
{
	struct model *model = builder->model;
	size_t event = model_event(model, name);

	if (event == model->n_events && event < PROFILE_MAX_EVENTS)
		model->events[model->n_events++] =
			(struct model_event){ copy_text(builder, name), NULL };
	return event;
}

/* n zeros in the model's memory. */
static uint64_t *zero_sums(struct model *model, size_t n)
{
	uint64_t *sums = arena_alloc(&model->arena, (n + 1) * sizeof(*sums), _Alignof(uint64_t));

	memset(sums, 0, n * sizeof(*sums));
	return sums;
}

static int visit_part(void *ctx, const struct part *part)
{
	struct builder *builder = ctx;
	struct model *model = builder->model;

	builder->place_is_new = true;
	builder->function = MODEL_NO_FUNCTION;
	builder->skips_part = builder->options.wants_part &&
			      !builder->options.wants_part(builder->options.ctx, part);
	if (builder->skips_part)
		return PROFILE_OK;
	builder->identity = true;
	builder->n_columns = part->n_events;
	for (size_t i = 0; i < part->n_events; i++) {
		size_t event = builder->options.events ? model_event(model, part->events[i])
						       : intern_event(builder, part->events[i]);

		if (builder->options.events && event == model->n_events)
			event = PROFILE_MAX_EVENTS;
		builder->columns[i] = (uint16_t)event;
		builder->identity &= event == i;
		if (event == PROFILE_MAX_EVENTS && !builder->options.events)
			return PROFILE_EVENTS;
	}
	if (builder->file && !builder->copied_file)
		builder->copied_file = copy_text(builder, builder->file);
	model->parts = heap_grow(model->parts, &model->parts_capacity, model->n_parts + 1,
				 sizeof(*model->parts));
	builder->header = &model->parts[model->n_parts++];
	*builder->header = (struct model_part){
		.file = builder->copied_file,
		.sums = zero_sums(model, model->n_events),
		.n = model->n_events,
	};
	model->positions |= part->positions;
	builder->part = model->separate_parts ? (uint32_t)(model->n_parts - 1) : 0;
	return PROFILE_OK;
}

/* What was said about a sum, by the model's events, in the model's memory. */
static uint64_t *copy_sums(struct builder *builder, const uint64_t *said, size_t n_said)
{
	size_t n = builder->header->n;
	uint64_t *sums = zero_sums(builder->model, n);

	for (size_t i = 0; i < n_said && i < builder->n_columns; i++)
		if (builder->columns[i] < n)
			sums[builder->columns[i]] = said[i];
	return sums;
}

/* Long names and formulas; of several for one event, the first counts. */
static void add_definitions(struct builder *builder, const struct part *part)
{
	struct model *model = builder->model;

	for (size_t i = 0; i < part->n_definitions; i++) {
		const struct part_event *definition = &part->definitions[i];
		size_t event = model_event(model, definition->name), known = 0;

		if (event < model->n_events && definition->long_name &&
		    !model->events[event].long_name)
			model->events[event].long_name = copy_text(builder, definition->long_name);
		if (event < model->n_events || !definition->formula)
			continue;
		while (known < model->n_derived &&
		       strcmp(model->derived[known].name, definition->name) != 0)
			known++;
		if (known < model->n_derived)
			continue;
		model->derived = heap_grow(model->derived, &model->derived_capacity, known + 1,
					   sizeof(*model->derived));
		model->derived[model->n_derived++] = (struct model_derived){
			copy_text(builder, definition->name),
			copy_text(builder, definition->formula),
			copy_text(builder, definition->long_name),
		};
	}
}

/* Copies the regions into the model, by its events. */
static void copy_regions(struct builder *builder, const struct part *part)
{
	struct part_region *regions = arena_alloc(&builder->model->arena,
						  part->n_regions * sizeof(*regions),
						  _Alignof(struct part_region));

	for (size_t i = 0; i < part->n_regions; i++) {
		regions[i] = part->regions[i];
		regions[i].name = copy_text(builder, part->regions[i].name);
		regions[i].costs =
			copy_sums(builder, part->regions[i].costs, part->regions[i].n_costs);
		regions[i].n_costs = builder->header->n;
	}
	builder->header->header.regions = regions;
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct builder *builder = ctx;
	struct model_part *header = builder->header;
	struct part_desc *descs;
	int status;

	if (builder->skips_part)
		return PROFILE_OK;
	status = flush(builder);
	if (!status && !builder->model->is_signed && builder->buffer->left_unsigned)
		status = PROFILE_RANGE;
	if (status)
		return status;
	add_definitions(builder, part);
	descs = arena_alloc(&builder->model->arena, part->n_descs * sizeof(*descs),
			    _Alignof(struct part_desc));
	for (size_t i = 0; i < part->n_descs; i++)
		descs[i] = (struct part_desc){ copy_text(builder, part->descs[i].type),
					       copy_text(builder, part->descs[i].value) };
	header->header = *part;
	header->header.definitions = NULL;
	header->header.n_definitions = 0;
	header->header.events = NULL;
	header->header.n_events = 0;
	header->header.summary = header->header.totals = NULL;
	header->header.creator = copy_text(builder, part->creator);
	header->header.cmd = copy_text(builder, part->cmd);
	header->header.descs = descs;
	copy_regions(builder, part);
	if (part->n_summary > 0)
		header->summary = copy_sums(builder, part->summary, part->n_summary);
	/* A line without numbers, as of a file that is cut short, says 0. */
	if (part->n_totals > 0 || part->totals_line > 0)
		header->totals = copy_sums(builder, part->totals, part->n_totals);
	builder->function = MODEL_NO_FUNCTION;
	builder->place_is_new = true;
	return PROFILE_OK;
}

/* -- beginning and end ----------------------------------------------------- */

void builder_init(struct builder *builder, struct model *model,
		  const struct builder_options *options)
{
	*builder = (struct builder){
		.visitor = { builder, visit_part, visit_place, visit_cost, visit_call, visit_jump,
			     visit_part_end, visit_negative },
		.model = model,
		.source = model->names,
		.function = MODEL_NO_FUNCTION,
	};
	if (options)
		builder->options = *options;
	model->separate_parts |= builder->options.separate_parts;
	builder->buffer = heap_zeroed(1, sizeof(*builder->buffer));
	cost_buffer_begin(builder->buffer, 0, 0, model->is_signed);
	builder->buffer->may_be_signed = !model->is_signed;
	builder->had_large = model->has_large;
	for (size_t i = 0; i < builder->options.n_events; i++)
		intern_event(builder, builder->options.events[i]);
}

static void forget_numbers(struct builder *builder)
{
	for (int kind = 0; kind < N_NAME_KINDS; kind++) {
		free(builder->numbers[kind]);
		builder->numbers[kind] = NULL;
		builder->n_numbers[kind] = 0;
	}
	free(builder->known);
	builder->known = NULL;
	builder->n_known = 0;
}

void builder_release(struct builder *builder)
{
	forget_numbers(builder);
	if (builder->buffer) {
		cost_buffer_release(builder->buffer);
		free(builder->buffer);
	}
	builder->buffer = NULL;
}

void builder_begin_file(struct builder *builder, const char *file, const struct dictionary *source)
{
	/* Another file's keys may be the same numbers, even at the same address. */
	if (source != builder->source || source != builder->model->names)
		forget_numbers(builder);
	builder->source = source;
	builder->file = file;
	builder->had_large = builder->model->has_large;
	builder->buffer->left_unsigned = builder->buffer->left_signed = false;
	builder->copied_file = NULL;
}

/* Makes one segment of those that a function has of each part.  Newest are first, so those in one part lie together. */
static int join(struct builder *builder, struct model_function *function)
{
	struct model_segment **link = &function->segments;

	for (; *link; link = &(*link)->next) {
		struct model_segment *next = *link;
		const uint32_t part = next->part;
		struct model_segment *joined;
		int status = PROFILE_OK;

		if (!next->next || next->next->part != part)
			continue;
		cost_buffer_begin(builder->buffer, function->file, function->name,
				  builder->model->is_signed);
		for (; next && next->part == part && !status; next = next->next)
			status = unpack_segment(builder->buffer, builder->model, function, next);
		if (!status)
			status = cost_buffer_merge(builder->buffer);
		if (status)
			return status;
		joined = cost_buffer_pack(builder->buffer, &builder->model->arena, part);
		joined->next = next;
		*link = joined;
	}
	return PROFILE_OK;
}

int builder_finish(struct builder *builder)
{
	struct model *model = builder->model;
	int status = PROFILE_OK;

	cost_buffer_begin(builder->buffer, 0, 0, model->is_signed);
	builder->buffer->may_be_signed = false;
	for (size_t i = 0; i < model->n_functions && !status; i++)
		status = join(builder, &model->functions[i]);
	cost_buffer_begin(builder->buffer, 0, 0, model->is_signed);
	builder->buffer->may_be_signed = !model->is_signed;
	return status;
}
