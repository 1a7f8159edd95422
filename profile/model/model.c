/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model's beginning and end, its names and sums, and the walk of all that it has. */
#define _GNU_SOURCE /* qsort_r */
#include "profile/model/model.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/desc.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "profile/model/segment.h"

void model_init(struct model *model)
{
	*model = (struct model){ 0 };
	arena_init(&model->arena);
	reader_dictionaries_init(model->names);
}

void model_release(struct model *model)
{
	for (int kind = 0; kind < N_NAME_KINDS; kind++)
		free(model->shown[kind]);
	free(model->functions);
	free(model->function_slots);
	free(model->derived);
	free(model->parts);
	reader_dictionaries_release(model->names);
	arena_release(&model->arena);
	*model = (struct model){ 0 };
}

size_t model_bytes(const struct model *model)
{
	size_t bytes = sizeof(*model) + model->arena.bytes;

	for (int kind = 0; kind < N_NAME_KINDS; kind++) {
		const struct dictionary *names = &model->names[kind];

		bytes += names->texts.bytes + names->capacity * sizeof(*names->entries) +
			 names->n_slots * sizeof(*names->slots) +
			 model->n_shown[kind] * sizeof(*model->shown[kind]);
	}
	return bytes + model->functions_capacity * sizeof(*model->functions) +
	       model->n_function_slots * sizeof(*model->function_slots) +
	       model->derived_capacity * sizeof(*model->derived) +
	       model->parts_capacity * sizeof(*model->parts);
}

struct name model_name(const struct model *model, enum name_kind kind, uint32_t number)
{
	uint32_t key = number;
	struct name name;

	if (number < model->n_shown[kind] && model->shown[kind][number] != DICTIONARY_NONE)
		key = model->shown[kind][number];
	name = dictionary_name(&model->names[kind], key);
	name.key = number;
	return name;
}

int model_compare_names(const struct model *model, enum name_kind kind, uint32_t a, uint32_t b)
{
	struct name of_a, of_b;

	if (a == b)
		return 0;
	of_a = model_name(model, kind, a);
	of_b = model_name(model, kind, b);
	return dictionary_compare(&of_a, &of_b);
}

/*
 * The build-id that a desc line "<build-id> <path>" (docs/FORMAT.md) says about an object, *len
 * digits; NULL if it says none of this one.
 */
static const char *said_build(const struct part_desc *desc, const char *object, size_t *len)
{
	const char *path = strchr(desc->value, ' ');

	if (strcmp(desc->type, "Build-id") != 0 && strcmp(desc->type, "Program") != 0)
		return NULL;
	if (!path || strcmp(path + 1, object) != 0 || strncmp(desc->value, "none ", 5) == 0)
		return NULL;
	*len = (size_t)(path - desc->value);
	return desc->value;
}

bool model_has_build(const struct model *model, const char *object, const char *build)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs; j++) {
			size_t len;
			const char *said = said_build(&part->descs[j], object, &len);

			if (said && (strlen(build) != len || memcmp(build, said, len) != 0))
				return false;
		}
	}
	return true;
}

bool model_build(const struct model *model, const char *object, char build[MODEL_BUILD])
{
	build[0] = '\0';
	for (size_t i = 0; i < model->n_parts && build[0] == '\0'; i++) {
		const struct part *part = &model->parts[i].header;

		for (size_t j = 0; j < part->n_descs && build[0] == '\0'; j++) {
			size_t len;
			const char *said = said_build(&part->descs[j], object, &len);

			if (!said || len >= MODEL_BUILD)
				continue;
			memcpy(build, said, len);
			build[len] = '\0';
		}
	}
	return build[0] != '\0' && model_has_build(model, object, build);
}

size_t model_event(const struct model *model, const char *name)
{
	size_t i = 0;

	while (i < model->n_events && strcmp(model->events[i].name, name) != 0)
		i++;
	if (i < model->n_events)
		return i;
	for (i = 0; i < model->n_events; i++)
		if (strcmp(event_name(model->events[i].name), event_name(name)) == 0)
			break;
	return i;
}

/*
 * Sums over parts of what each cost, as it was said, or as its costs add up; on the way they may well be
 * beyond 64 bits, if some are below 0.
 */
static bool sum_parts(const struct model *model, bool as_said, uint64_t *sums)
{
	int128 least = model->is_signed ? INT64_MIN : 0;
	int128 most = model->is_signed ? INT64_MAX : (int128)UINT64_MAX;

	for (size_t event = 0; event < model->n_events; event++) {
		int128 sum = 0;

		for (size_t i = 0; i < model->n_parts; i++) {
			const struct model_part *part = &model->parts[i];
			const uint64_t *costs = !as_said        ? part->sums
						: part->summary ? part->summary
						: part->totals  ? part->totals
								: part->sums;

			if (event < part->n)
				sum += int128_of(costs[event], model->is_signed);
		}
		if (sum < least || sum > most)
			return false;
		sums[event] = (uint64_t)sum;
	}
	return true;
}

bool model_totals(const struct model *model, uint64_t *totals)
{
	return sum_parts(model, false, totals);
}

void model_note_totals(const struct model *model, size_t first, struct reader_report *report)
{
	struct trait_note *note = &report->traits[TRAIT_WRONG_TOTALS];

	for (size_t i = first; i < model->n_parts; i++) {
		const struct model_part *part = &model->parts[i];

		if (!part->totals ||
		    memcmp(part->totals, part->sums, part->n * sizeof(*part->sums)) == 0)
			continue;
		if (note->count++ == 0)
			note->line = part->header.totals_line;
	}
}

const char *model_desc(const struct model *model, const char *type)
{
	const char *value = NULL;

	for (size_t i = 0; !value && model->parts && i < model->n_parts; i++)
		value = part_desc_of(&model->parts[i].header, type);
	return value;
}

int model_regions(const struct model *model, struct regions *regions)
{
	int status = PROFILE_OK;

	for (size_t i = 0; i < model->n_parts && !status; i++) {
		if (i == 0 || model->parts[i].file != model->parts[i - 1].file)
			regions_begin_file(regions);
		status = regions_add(regions, &model->parts[i].header, NULL);
	}
	return status;
}

bool model_summary(const struct model *model, uint64_t *summary)
{
	return sum_parts(model, true, summary);
}

/* -- functions ----------------------------------------------------------------- */

/* Open addressing with linear probing, as in dictionary.c. */

static size_t find_slot(const struct model *model, const uint32_t *slots, size_t n_slots,
			const struct model_function *wanted)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t hash = (wanted->name * odd) ^ ((uint64_t)wanted->file << 32 | wanted->object);
	size_t i;

	hash = (hash ^ hash >> 31) * odd;
	for (i = (hash >> 32) & (n_slots - 1); slots[i] != MODEL_NO_FUNCTION;
	     i = (i + 1) & (n_slots - 1)) {
		const struct model_function *function = &model->functions[slots[i]];

		if (function->name == wanted->name && function->file == wanted->file &&
		    function->object == wanted->object)
			break;
	}
	return i;
}

uint32_t model_find_function(const struct model *model, uint32_t object, uint32_t file,
			     uint32_t name)
{
	const struct model_function wanted = { .object = object, .file = file, .name = name };

	if (model->n_function_slots == 0)
		return MODEL_NO_FUNCTION;
	return model->function_slots[find_slot(model, model->function_slots,
					       model->n_function_slots, &wanted)];
}

uint32_t model_intern_function(struct model *model, uint32_t object, uint32_t file, uint32_t name)
{
	const struct model_function wanted = { .object = object, .file = file, .name = name };
	uint32_t found = model_find_function(model, object, file, name);

	if (found != MODEL_NO_FUNCTION)
		return found;
	if (model->n_functions + 1 >= MODEL_NO_FUNCTION)
		heap_exhausted(); /* numbers have 32 bits */
	if (4 * (model->n_functions + 1) > 3 * model->n_function_slots) {
		size_t n_slots = model->n_function_slots ? 2 * model->n_function_slots : 64;
		uint32_t *slots = heap_alloc(n_slots * sizeof(*slots));

		memset(slots, 0xff, n_slots * sizeof(*slots));
		for (size_t i = 0; i < model->n_functions; i++)
			slots[find_slot(model, slots, n_slots, &model->functions[i])] = (uint32_t)i;
		free(model->function_slots);
		model->function_slots = slots;
		model->n_function_slots = n_slots;
	}
	model->functions = heap_grow(model->functions, &model->functions_capacity,
				     model->n_functions + 1, sizeof(*model->functions));
	model->function_slots[find_slot(model, model->function_slots, model->n_function_slots,
					&wanted)] = (uint32_t)model->n_functions;
	model->functions[model->n_functions] = wanted;
	return (uint32_t)model->n_functions++;
}

/* -- walk ---------------------------------------------------------------------- */

/*
 * Three cursors step through a function's lines, calls and jumps.  What several parts have of it, or
 * what names sort otherwise than numbers, is first unpacked into a buffer, sorted and
 * packed again; few functions are such.
 */

struct model_walk {
	const struct model *model;
	const struct visitor *visitor;
	bool one_part;
	bool makes_totals;
	uint32_t *order;           /* of functions, owned; NULL: by number */
	struct cost_buffer buffer; /* its ranks are owned */
	/* The function at work, and what comes next of it, if there is anything. */
	struct place place;
	uint32_t source; /* file that was reported */
	bool has_line, has_call, has_jump;
	struct model_line line;
	struct model_call call;
	struct model_jump jump;
	struct model_cursor lines, calls, jumps;
	struct arena sorted; /* its segment, if it was sorted again */
	struct part part;
	const char *events[PROFILE_MAX_EVENTS];
	uint64_t summary[PROFILE_MAX_EVENTS];
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct part_event *definitions; /* owned */
	struct regions regions;         /* of all parts, where they are one */
};

/* -- order ----------------------------------------------------------------- */

/* ctx is the address of a pointer to the model. */
typedef int compare_fn(const void *left, const void *right, void *ctx);

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

/* 0..n-1, sorted. */
static uint32_t *sorted_numbers(const struct model *model, size_t n, compare_fn *compare)
{
	uint32_t *numbers = heap_zeroed(n, sizeof(*numbers));

	for (size_t i = 0; i < n; i++)
		numbers[i] = (uint32_t)i;
	qsort_r(numbers, n, sizeof(*numbers), compare, &model);
	return numbers;
}

uint32_t *model_functions_by_name(const struct model *model)
{
	return sorted_numbers(model, model->n_functions, compare_functions);
}

/* By number, where it is in an order of n numbers. */
static uint32_t *ranks_in(const uint32_t *order, size_t n)
{
	uint32_t *ranks = heap_zeroed(n, sizeof(*ranks));

	for (size_t i = 0; i < n; i++)
		ranks[order[i]] = (uint32_t)i;
	return ranks;
}

static uint32_t *ranks_of_names(const struct model *model, enum name_kind kind, compare_fn *compare)
{
	uint32_t *order = sorted_numbers(model, model->names[kind].count, compare);
	uint32_t *ranks = ranks_in(order, model->names[kind].count);

	free(order);
	return ranks;
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
static int visit_source(struct model_walk *walk, uint32_t file)
{
	if (file == walk->source)
		return PROFILE_OK;
	walk->source = file;
	walk->place.source = model_name(walk->model, NAME_FILE, file);
	return visitor_place(walk->visitor, &walk->place);
}

static int visit_line(struct model_walk *walk)
{
	const struct model_line *line = &walk->line;
	int status = visit_source(walk, line->file);

	if (!status)
		status = visitor_cost(walk->visitor, &line->at, line->costs, walk->model->n_events);
	walk->has_line = model_next_line(&walk->lines, &walk->line);
	return status;
}

static int visit_call(struct model_walk *walk)
{
	const struct model_call *known = &walk->call;
	struct call call = {
		.callee = place_of(walk, known->callee),
		.count = known->count,
		.target = known->target,
		.at = known->at,
		.costs = known->costs,
		.n_costs = walk->model->n_events,
	};
	int status = visit_source(walk, known->file);

	if (!status)
		status = visitor_call(walk->visitor, &call);
	walk->has_call = model_next_call(&walk->calls, &walk->call);
	return status;
}

static int visit_jump(struct model_walk *walk)
{
	const struct model *model = walk->model;
	const struct model_jump *known = &walk->jump;
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
	int status = visit_source(walk, known->file);

	if (!status)
		status = visitor_jump(walk->visitor, &jump);
	walk->has_jump = model_next_jump(&walk->jumps, &walk->jump);
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
	const struct cost_buffer *buffer = &walk->buffer;
	size_t n_parts = walk->one_part ? model_cost_parts(model) : 1;
	const struct model_segment *segment = cursor_segment(model, function, part);
	int status = PROFILE_OK;

	cost_buffer_begin(&walk->buffer, f->file, f->name, model->is_signed);
	if (n_parts > 1 || (segment && segment->by_numbers && walk->order))
		status = sort_parts(walk, function, part, n_parts, &segment);
	if (status || !segment)
		return status;
	walk->place = place_of(walk, function);
	walk->source = f->file;
	cursor_enter(&walk->lines, model, f, segment, SECTION_LINES);
	cursor_enter(&walk->calls, model, f, segment, SECTION_CALLS);
	cursor_enter(&walk->jumps, model, f, segment, SECTION_JUMPS);
	status = visitor_place(walk->visitor, &walk->place);
	/* Costs of a position, then its calls, then its jumps. */
	walk->has_line = model_next_line(&walk->lines, &walk->line);
	walk->has_call = model_next_call(&walk->calls, &walk->call);
	walk->has_jump = model_next_jump(&walk->jumps, &walk->jump);
	while (!status && (walk->has_line || walk->has_call || walk->has_jump)) {
		const struct cost_buffer_key line = { walk->line.at, walk->line.file };
		const struct cost_buffer_key call = { walk->call.at, walk->call.file };
		const struct cost_buffer_key jump = { walk->jump.at, walk->jump.file };

		if (walk->has_jump &&
		    (!walk->has_line || cost_buffer_compare_keys(buffer, &jump, &line) < 0) &&
		    (!walk->has_call || cost_buffer_compare_keys(buffer, &jump, &call) < 0))
			status = visit_jump(walk);
		else if (walk->has_call &&
			 (!walk->has_line || cost_buffer_compare_keys(buffer, &call, &line) < 0))
			status = visit_call(walk);
		else
			status = visit_line(walk);
	}
	return status;
}

/* -- parts ----------------------------------------------------------------- */

/* Long names of events, and derived events. */
static void make_definitions(struct model_walk *walk)
{
	const struct model *model = walk->model;
	size_t n = 0;

	walk->definitions =
		heap_zeroed(model->n_events + model->n_derived, sizeof(*walk->definitions));
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

/* The header of n_parts parts, from first on, as one; false if a sum is beyond 64 bits. */
static bool make_header(struct model_walk *walk, size_t first, size_t n_parts)
{
	const struct model *model = walk->model;
	const struct part_event *definitions = walk->part.definitions;
	size_t n_definitions = walk->part.n_definitions;
	bool has_summary = true, has_totals = true;

	walk->part = model->parts[first].header;
	walk->part.index = first;
	walk->part.definitions = definitions;
	walk->part.n_definitions = n_definitions;
	walk->part.events = walk->events;
	walk->part.n_events = model->n_events;
	walk->part.positions = model->positions;
	walk->part.summary = walk->summary;
	walk->part.totals = walk->totals;
	walk->part.is_signed = model->is_signed;

	for (size_t i = first; i < first + n_parts; i++) {
		has_summary = has_summary && model->parts[i].summary;
		has_totals = has_totals && model->parts[i].totals;
	}
	if (n_parts == 1) {
		const struct model_part *part = &model->parts[first];

		if (has_summary)
			copy_sums(walk->summary, part->summary, part->n, model->n_events);
		copy_sums(walk->totals, part->sums, part->n, model->n_events);
	} else if (!model_summary(model, walk->summary) || !model_totals(model, walk->totals) ||
		   model_regions(model, &walk->regions) != PROFILE_OK) {
		return false;
	} else {
		walk->part.regions = walk->regions.all;
		walk->part.n_regions = walk->regions.n;
	}
	walk->part.n_summary = has_summary ? model->n_events : 0;
	walk->part.n_totals = has_totals || walk->makes_totals ? model->n_events : 0;
	return true;
}

/* n_parts parts as one, from first on. */
static int visit_part(struct model_walk *walk, size_t first, size_t n_parts)
{
	int status;

	if (!make_header(walk, first, n_parts))
		return PROFILE_RANGE;
	status = visitor_part(walk->visitor, &walk->part);
	for (size_t i = 0; i < walk->model->n_functions && !status; i++)
		status = visit_function(walk, walk->order ? walk->order[i] : (uint32_t)i,
					(uint32_t)first);
	return status ? status : visitor_part_end(walk->visitor, &walk->part);
}

int model_walk(const struct model *model, const struct walk_options *options,
	       const struct visitor *visitor)
{
	struct model_walk *walk = heap_zeroed(1, sizeof(*walk));
	struct cost_buffer_ranks *ranks = &walk->buffer.ranks;
	int status = PROFILE_OK;

	walk->model = model;
	walk->visitor = visitor;
	walk->one_part = !model->separate_parts || (options && options->one_part);
	walk->makes_totals = options && options->makes_totals;
	arena_init(&walk->sorted);
	regions_init(&walk->regions);
	make_definitions(walk);
	if (options && options->order == WALK_BY_NAME) {
		walk->order = model_functions_by_name(model);
		ranks->functions = ranks_in(walk->order, model->n_functions);
		ranks->files = ranks_of_names(model, NAME_FILE, compare_files);
		ranks->names = ranks_of_names(model, NAME_FUNCTION, compare_function_names);
	}
	if (model->is_signed)
		status = visitor_negative(visitor);
	if (!status && walk->one_part && model->n_parts > 0)
		status = visit_part(walk, 0, model->n_parts);
	for (size_t i = 0; i < model->n_parts && !status && !walk->one_part; i++)
		status = visit_part(walk, i, 1);
	free(walk->order);
	free(ranks->files);
	free(ranks->functions);
	free(ranks->names);
	cost_buffer_release(&walk->buffer);
	arena_release(&walk->sorted);
	regions_release(&walk->regions);
	free(walk->definitions);
	free(walk);
	return status;
}
