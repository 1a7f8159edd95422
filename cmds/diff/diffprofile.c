/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles that costgrind diff writes: differences, and baselines. */
#define _GNU_SOURCE /* mempcpy() */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/outfile.h"
#include "cmds/diff/diff.h"
#include "profile/analysis/difference.h"
#include "profile/analysis/inclusive.h"
#include "profile/common/cost.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "profile/filters/filters.h"
#include "profile/format/emit.h"
#include "profile/model/build.h"
#include "profile/model/model.h"
#include "writer/out.h"

/* -- same code ------------------------------------------------------------------------- */

/*
 * Positions that mean the same code in both profiles of a difference: a visitor that takes
 * off of positions what code that was built again does not share, so that a subtraction
 * meets at what is left.
 *
 * Addresses are the same code where both have the object in the same build, by its build-id.
 * Elsewhere lines are, of a function in a source file, if the first line that has a cost is
 * the same in both, and the last one is too.  If either is another one, lines were added or
 * removed, or all have moved: the function's costs and calls are then of one line, the first
 * that NEW has.  (Lines between them that moved without moving an end go unnoticed.)
 */
struct samecode_extent {
	uint32_t file;              /* as shared_file() numbers it */
	uint64_t first[2], last[2]; /* in OLD, in NEW; 0 = it has no line there */
};

/* Fields are private, but filter.visitor; not to be moved. */
struct samecode {
	struct visitor_filter filter;
	const struct difference *difference;
	bool is_new;                     /* which model is walked */
	bool has_addresses;              /* some object is the same build in both */
	uint32_t objects[2];             /* the numbers in OLD and NEW that were compared last */
	bool is_same_build;              /* what came out */
	uint32_t function;               /* at work, of the model that is walked */
	bool keeps_addresses;            /* of it */
	struct samecode_extent *extents; /* of it, owned */
	size_t n_extents, capacity;
	const struct samecode_extent *extent; /* of the source at work; NULL = positions stay */
	struct part part;
};

/* -- builds ---------------------------------------------------------------------------- */

/* True if a row's addresses are the same code in both. */
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
	if (same->objects[0] != old_object || same->objects[1] != new_object) {
		char old_build[MODEL_BUILD], new_build[MODEL_BUILD];

		same->is_same_build =
			model_build(old_model, model_name(old_model, NAME_OBJECT, old_object).text,
				    old_build) &&
			model_build(new_model, model_name(new_model, NAME_OBJECT, new_object).text,
				    new_build) &&
			strcmp(old_build, new_build) == 0;
	}
	same->objects[0] = old_object;
	same->objects[1] = new_object;
	return same->is_same_build;
}

/* -- lines ----------------------------------------------------------------------------- */

/* The same number for the same file of both profiles; a file that a function has moved to is the one that it had. */
static uint32_t shared_file(const struct difference *difference, uint32_t function, uint32_t file,
			    bool is_new)
{
	uint32_t old_file = is_new ? difference->old_number[NAME_FILE][file] : file;
	uint32_t row = is_new ? difference->row_of_new[function] : function;

	if (is_new && difference_moved(difference, row) &&
	    difference->new_model->functions[function].file == file)
		old_file =
			difference->old_model->functions[difference->rows[row].old_function].file;

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

static void measure_side(struct samecode *same, uint32_t function, bool is_new)
{
	const struct difference *difference = same->difference;
	const struct model *model = is_new ? difference->new_model : difference->old_model;

	for (uint32_t part = 0; part < model_cost_parts(model); part++) {
		struct samecode_extent *extent = NULL;
		struct model_cursor cursor;
		struct model_line line;

		model_lines(model, function, part, &cursor);
		while (model_next_line(&cursor, &line)) {
			uint32_t file = shared_file(difference, function, line.file, is_new);

			if (line.at.line == 0)
				continue;
			if (!extent || extent->file != file)
				extent = find_extent(same, file);
			if (!extent) {
				same->extents = heap_grow(same->extents, &same->capacity,
							  same->n_extents + 1, sizeof(*extent));
				extent = &same->extents[same->n_extents++];
				*extent = (struct samecode_extent){ .file = file };
			}
			if (extent->first[is_new] == 0 || line.at.line < extent->first[is_new])
				extent->first[is_new] = line.at.line;
			if (line.at.line > extent->last[is_new])
				extent->last[is_new] = line.at.line;
		}
	}
}

static void begin_function(struct samecode *same, uint32_t function)
{
	const struct difference *difference = same->difference;
	const struct difference_row *row =
		&difference->rows[same->is_new ? difference->row_of_new[function] : function];

	same->function = function;
	same->n_extents = 0;
	same->keeps_addresses = shares_addresses(same, row);
	if (same->keeps_addresses || row->old_function == MODEL_NO_FUNCTION ||
	    row->new_function == MODEL_NO_FUNCTION)
		return;
	measure_side(same, row->old_function, false);
	measure_side(same, row->new_function, true);
}

/* -- the visitor ----------------------------------------------------------------------- */

static int samecode_place(void *ctx, const struct place *place)
{
	struct samecode *same = ctx;
	const struct difference *difference = same->difference;
	const struct model *model = same->is_new ? difference->new_model : difference->old_model;
	const struct samecode_extent *extent;
	uint32_t function =
		model_find_function(model, place->object.key, place->file.key, place->function.key);

	if (function != same->function)
		begin_function(same, function);
	extent = find_extent(same,
			     shared_file(difference, function, place->source.key, same->is_new));
	same->extent = extent && extent->first[0] > 0 && extent->first[1] > 0 &&
				       (extent->first[0] != extent->first[1] ||
					extent->last[0] != extent->last[1])
			       ? extent
			       : NULL;
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

static void samecode_init(struct samecode *same, const struct difference *difference, bool is_new,
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

/* -- increases and decreases ------------------------------------------------------------ */

/*
 * A difference as increases and decreases: a visitor that makes two columns of each event, IrUp and
 * IrDown of Ir: one has what was above 0, and the other what was below, without its
 * sign.  For readers that know no counts below 0 (KCachegrind takes them for 0).
 *
 * Up - Down is the difference, of each record and so of each sum of them.
 */
enum { UPDOWN_MAX_EVENTS = PROFILE_MAX_EVENTS / 2 };

/* Fields are private, but filter.visitor; not to be moved. */
struct updown {
	struct visitor_filter filter;
	struct arena arena; /* of texts in the header */
	struct part part;
	const char *events[PROFILE_MAX_EVENTS];
	uint64_t costs[PROFILE_MAX_EVENTS];
	uint64_t totals[PROFILE_MAX_EVENTS];
};

enum { UP, DOWN, N_WAYS };

static const char *const suffixes[N_WAYS] = { METRIC_UP, METRIC_DOWN };
static const char *const words[N_WAYS] = { ", increase", ", decrease" };

/* -- the header ------------------------------------------------------------------------ */

static const char *join(struct updown *updown, const char *text, const char *more)
{
	size_t len = strlen(text), more_len = strlen(more);
	char *joined = arena_alloc(&updown->arena, len + more_len + 1, 1);

	memcpy(mempcpy(joined, text, len), more, more_len + 1);
	return joined;
}

/* A formula of the columns that go one way. */
static const char *formula_of(struct updown *updown, const char *formula, int way)
{
	/* Each name is longer by a suffix. */
	size_t suffix_len = strlen(suffixes[way]);
	char *text = arena_alloc(&updown->arena, strlen(formula) * (1 + suffix_len) + 1, 1);
	struct formula_term term;
	const char *rest = formula, *from = formula;
	char *end = text;

	for (bool first = true; formula_next(&rest, first, &term) == 1; first = false) {
		end = mempcpy(end, from, (size_t)(term.name + term.len - from));
		end = mempcpy(end, suffixes[way], suffix_len);
		from = term.name + term.len;
	}
	memcpy(end, from, strlen(from) + 1);
	return text;
}

static bool is_name(const char *name, const struct formula_term *term)
{
	return strlen(name) == term->len && memcmp(name, term->name, term->len) == 0;
}

/*
 * True if a definition is a sum of columns, or of some of the first n definitions that were taken: then more of
 * each term is more of it.
 */
static bool is_sum(const struct part *part, const struct part_event *taken, size_t n,
		   const char *formula)
{
	struct formula_term term;
	const char *rest = formula;
	int found;

	for (bool first = true; (found = formula_next(&rest, first, &term)) == 1; first = false) {
		bool is_known = false;

		for (size_t i = 0; i < part->n_events; i++)
			is_known |= is_name(part->events[i], &term);
		for (size_t i = 0; i < n; i++)
			is_known |= is_name(taken[i].name, &term);
		if (term.factor < 0 || !is_known)
			return false;
	}
	return found == 0;
}

static void define(struct updown *updown, const struct part_event *event,
		   struct part_event definitions[N_WAYS])
{
	const char *long_name = event->long_name ? event->long_name : event->name;

	for (int way = 0; way < N_WAYS; way++)
		definitions[way] = (struct part_event){
			.name = join(updown, event->name, suffixes[way]),
			.formula = event->formula ? formula_of(updown, event->formula, way) : NULL,
			.long_name = join(updown, long_name, words[way]),
		};
}

/*
 * Estimated cycles as a sum of columns, as all commands compute them, whatever the profile's own
 * formula is; no formula if there is none.
 */
static struct part_event make_estimate(struct updown *updown, const struct part *part)
{
	static const struct part_event none = { .formula = NULL };
	const struct metric_source source = { .n_derived = 0 };
	const struct metric *metric;
	struct part_event estimate;
	struct metrics metrics;
	struct bytes text;
	size_t number;

	metrics_init_names(&metrics, part->events, part->n_events, &source, &updown->arena);
	/* Without definitions, no other derived event is the main one. */
	number = metrics_main(&metrics);
	if (number < metrics.n_events)
		return none;
	metric = &metrics.all[number];
	for (size_t i = 0; i < metric->n_terms; i++)
		if (metric->terms[i].factor < 0)
			return none;
	bytes_init(&text);
	for (size_t i = 0; i < metric->n_terms; i++) {
		const struct metric_term *term = &metric->terms[i];
		char factor[32] = "";

		if (term->factor == 0)
			continue;
		if (term->factor != 1)
			snprintf(factor, sizeof(factor), "%lld ", (long long)term->factor);
		bytes_add_text(&text, text.len > 0 ? " + " : "");
		bytes_add_text(&text, factor);
		bytes_add_text(&text, part->events[term->event]);
	}
	estimate = (struct part_event){ metric->name,
					arena_copy(&updown->arena, text.text, text.len),
					metric->long_name };
	bytes_release(&text);
	return estimate;
}

/* Columns first, then what is derived from them. */
static void make_definitions(struct updown *updown, const struct part *part)
{
	size_t most = N_WAYS * (part->n_events + part->n_definitions + 1), n = 0, n_taken = 0;
	const struct part_event estimate = make_estimate(updown, part);
	struct part_event *definitions =
		arena_alloc(&updown->arena, most * sizeof(*definitions), sizeof(const char *));
	struct part_event *taken = arena_alloc(
		&updown->arena, (part->n_definitions + 2) * sizeof(*taken), sizeof(const char *));

	for (size_t i = 0; i < part->n_events; i++, n += N_WAYS) {
		const struct event_info *info = event_find(part->events[i]);
		struct part_event event = { part->events[i], NULL, info ? info->long_name : NULL };

		for (size_t j = part->n_definitions; j-- > 0;)
			if (!part->definitions[j].formula &&
			    strcmp(part->definitions[j].name, event.name) == 0)
				event.long_name = part->definitions[j].long_name;
		define(updown, &event, &definitions[n]);
		for (int way = 0; way < N_WAYS; way++)
			updown->events[n + (size_t)way] = definitions[n + (size_t)way].name;
	}
	if (estimate.formula)
		taken[n_taken++] = estimate;
	for (size_t i = 0; i < part->n_definitions; i++) {
		const struct part_event *event = &part->definitions[i];

		if (event->formula && is_sum(part, taken, n_taken, event->formula) &&
		    !(estimate.formula && strcmp(event->name, estimate.name) == 0))
			taken[n_taken++] = *event;
	}
	for (size_t i = 0; i < n_taken; i++, n += N_WAYS)
		define(updown, &taken[i], &definitions[n]);
	updown->part.definitions = definitions;
	updown->part.n_definitions = n;
}

static int updown_part(void *ctx, const struct part *part)
{
	struct updown *updown = ctx;

	if (part->n_events > UPDOWN_MAX_EVENTS)
		return PROFILE_EVENTS;
	updown->part = *part;
	make_definitions(updown, part);
	updown->part.events = updown->events;
	updown->part.n_events = N_WAYS * part->n_events;
	updown->part.n_summary = updown->part.n_totals = 0;
	updown->part.is_signed = false;
	memset(updown->totals, 0, sizeof(updown->totals));
	return visitor_part(updown->filter.to, &updown->part);
}

/* -- the body -------------------------------------------------------------------------- */

/* Makes two counts of each; false if all are 0. */
static bool split(struct updown *updown, const uint64_t *costs, size_t n)
{
	uint64_t any = 0;

	for (size_t i = 0; i < n; i++) {
		int way = costs[i] >> 63 ? DOWN : UP;

		updown->costs[N_WAYS * i + UP] = updown->costs[N_WAYS * i + DOWN] = 0;
		updown->costs[N_WAYS * i + (size_t)way] = cost_magnitude(costs[i], true);
		any |= costs[i];
	}
	return any != 0;
}

static int updown_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct updown *updown = ctx;

	if (!split(updown, costs, n_costs))
		return PROFILE_OK;
	for (size_t i = 0; i < N_WAYS * n_costs; i++)
		if (!cost_add(&updown->totals[i], updown->costs[i], false))
			return PROFILE_RANGE;
	return visitor_cost(updown->filter.to, at, updown->costs, N_WAYS * n_costs);
}

static int updown_call(void *ctx, const struct call *call)
{
	struct updown *updown = ctx;
	struct call apart = *call;

	if (!split(updown, call->costs, call->n_costs))
		return PROFILE_OK;
	if (apart.count == 0)
		apart.count = 1;
	apart.costs = updown->costs;
	apart.n_costs = N_WAYS * call->n_costs;
	return visitor_call(updown->filter.to, &apart);
}

static int updown_part_end(void *ctx, const struct part *part)
{
	struct updown *updown = ctx;

	(void)part;
	updown->part.totals = updown->totals;
	updown->part.n_totals = updown->part.n_events;
	return visitor_part_end(updown->filter.to, &updown->part);
}

static int updown_negative(void *ctx)
{
	(void)ctx;
	return PROFILE_OK;
}

static void updown_init(struct updown *updown, const struct visitor *to)
{
	static const struct visitor changes = {
		.part = updown_part,
		.cost = updown_cost,
		.call = updown_call,
		.part_end = updown_part_end,
		.negative = updown_negative,
	};

	arena_init(&updown->arena);
	visitor_filter_init(&updown->filter, to, &changes);
	updown->filter.visitor.jump = NULL;
}

/* -- headers ------------------------------------------------------------------------ */

/* What a profile was made by: "cmd:" of its first part. */
static const char *cmd_of(const struct model *model)
{
	const struct model_part *parts = model->parts;
	const char *cmd = parts && model->n_parts > 0 ? parts[0].header.cmd : NULL;

	return cmd ? cmd : "???";
}

/* -- the Callgrind format -------------------------------------------------------------- */

static const struct writer_options compressed = {
	.positions = POSITION_LINE,
	.compress_names = true,
	.compress_positions = true,
};

/*
 * Passes a model, through a filter_nonzero, to the writer; apart: as increases and decreases.
 * Returns what outfile_commit() takes as error.
 */
static int emit(const struct model *model, bool keeps_zeros, bool apart, const struct part *header,
		struct outfile *file)
{
	const struct walk_options walking = { .order = WALK_BY_NAME,
					      .one_part = true,
					      .makes_totals = true };
	struct emitter emitter;
	struct filter_nonzero nonzero;
	struct updown updown;
	int status, error;

	emitter_init(&emitter, &file->env, &compressed);
	filter_nonzero_init(&nonzero, &emitter.visitor, keeps_zeros, header);
	updown_init(&updown, &nonzero.filter.visitor);
	status = model_walk(model, &walking,
			    apart ? &updown.filter.visitor : &nonzero.filter.visitor);
	error = emitter_finish(&emitter);
	arena_release(&updown.arena);
	emitter_release(&emitter);
	return status && !error ? OUT_MISUSE : error;
}

/* -- the form of cg_diff ----------------------------------------------------------------- */

/* Makes functions of (file, name) of what is reported to it. */
struct flattening {
	struct visitor_filter filter;
	const struct dictionary *names;
};

static int flatten_place(void *ctx, const struct place *place)
{
	const struct flattening *flattening = ctx;
	const struct place flat = {
		.object = dictionary_name(&flattening->names[NAME_OBJECT], DICTIONARY_UNKNOWN),
		.file = place->source,
		.function = place->function,
		.source = place->source,
	};

	return visitor_place(flattening->filter.to, &flat);
}

static int flatten(struct model *flat, const struct model *model)
{
	static const struct builder_options options = { .no_positions = true, .no_jumps = true };
	struct builder builder;
	struct flattening flattening = { .names = model->names };
	int status;

	builder_init(&builder, flat, &options);
	visitor_filter_init(&flattening.filter, &builder.visitor,
			    &(struct visitor){ .place = flatten_place });
	flattening.filter.visitor.call = NULL;
	flattening.filter.visitor.jump = NULL;
	builder_begin_file(&builder, NULL, model->names);
	status = model_walk(model, NULL, &flattening.filter.visitor);
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	return status;
}

static void put_name(struct out *out, const char *spec, struct name name)
{
	out_text(out, spec);
	out_bytes(out, name.text, name.len);
	out_char(out, '\n');
}

static void put_counts(struct out *out, const uint64_t *counts, size_t n, bool is_signed)
{
	for (size_t i = 0; i < n; i++) {
		out_char(out, ' ');
		if (is_signed)
			out_signed(out, counts[i]);
		else
			out_decimal(out, counts[i]);
	}
	out_char(out, '\n');
}

/* In the form of cg_diff. */
static int write_flat(const struct diffprofile *profile, const struct model *sum,
		      struct outfile *file)
{
	const char *paths[] = { profile->old_path, "; ", profile->new_path };
	uint64_t costs[PROFILE_MAX_EVENTS];
	struct inclusive inclusive;
	struct model flat;
	uint32_t *order;
	struct out out;
	int status, error = OUT_MISUSE;

	model_init(&flat);
	if (!model_summary(sum, costs) || flatten(&flat, sum)) {
		model_release(&flat);
		return OUT_MISUSE;
	}
	out_init(&out, &file->env);
	out_text(&out, "desc: Files compared:   ");
	/* A line feed in a name would begin another line of the header. */
	for (size_t i = 0; i < 3; i++)
		for (const char *c = paths[i]; *c; c++) {
			if (*c == '\n')
				out_char(&out, ' ');
			else
				out_char(&out, *c);
		}
	out_text(&out, "\ncmd:  ");
	out_text(&out, cmd_of(profile->old_model));
	out_text(&out, "; ");
	out_text(&out, cmd_of(profile->new_model));
	out_text(&out, "\nevents: ");
	for (size_t i = 0; i < flat.n_events; i++) {
		out_char(&out, ' ');
		out_text(&out, flat.events[i].name);
	}
	out_char(&out, '\n');
	status = inclusive_compute(&inclusive, &flat, NULL);
	order = model_functions_by_name(&flat);
	for (size_t i = 0; !status && i < flat.n_functions; i++) {
		const struct model_function *function = &flat.functions[order[i]];
		const uint64_t *self = inclusive_self(&inclusive, order[i]);
		bool is_zero = true;

		for (size_t event = 0; event < flat.n_events; event++)
			is_zero &= self[event] == 0;
		if (!model_has(&flat, order[i], 0) || is_zero)
			continue;
		put_name(&out, "fl=", model_name(&flat, NAME_FILE, function->file));
		put_name(&out, "fn=", model_name(&flat, NAME_FUNCTION, function->name));
		out_char(&out, '0');
		put_counts(&out, self, flat.n_events, flat.is_signed);
	}
	free(order);
	inclusive_release(&inclusive);
	out_text(&out, "summary:");
	put_counts(&out, costs, sum->n_events, sum->is_signed);
	if (!status)
		error = out_flush(&out);
	out_release(&out);
	model_release(&flat);
	return error;
}

/* -- both -------------------------------------------------------------------------------- */

/* Commits or discards the file, by the error. */
static int end_file(struct outfile *file, const char *command, int error)
{
	const char *name = outfile_name(file);

	if (error)
		outfile_discard(file);
	else
		error = outfile_commit(file);
	if (!error)
		return EXIT_FINE;
	complain(command, "%s: %s", name,
		 error == OUT_MISUSE ? "a count is beyond 64 bits" : outfile_reason(error));
	return EXIT_FAILED;
}

/* In the Callgrind format, with a header by both profiles. */
static int write_difference(const struct diffprofile *profile, const struct model *sum,
			    struct outfile *file)
{
	const struct model *new_model = profile->new_model;
	const struct part *from = new_model->n_parts > 0 ? &new_model->parts[0].header : NULL;
	size_t n_from = from ? from->n_descs : 0, n = 0;
	struct part_desc *descs = heap_alloc((n_from + 2) * sizeof(*descs));
	char *cmd = heap_print("%s; %s", cmd_of(profile->old_model), cmd_of(new_model));
	char *files = heap_print("%s; %s", profile->old_path, profile->new_path);
	struct part header = {
		.creator = "costgrind-" COSTGRIND_VERSION,
		.cmd = cmd,
		.descs = descs,
	};
	int error;

	descs[n++] = (struct part_desc){ DESC_FILES_COMPARED, files };
	if (profile->apart)
		descs[n++] = (struct part_desc){
			"Columns",
			"Up is what NEW has more than OLD, Down what it has less",
		};
	for (size_t i = 0; i < n_from; i++)
		if (!comparability_ignores(from->descs[i].type))
			descs[n++] = from->descs[i];
	header.n_descs = n;
	error = emit(sum, false, profile->apart, &header, file);
	free(descs);
	free(cmd);
	free(files);
	return error;
}

/* Appends the names of a model's events to n others, and which of them the sum has; returns how many there are then. */
static size_t note_columns(const struct model *sum, const struct model *model, const char **names,
			   bool *stays, size_t n)
{
	for (size_t i = 0; i < model->n_events; i++, n++) {
		names[n] = model->events[i].name;
		stays[n] = model_event(sum, names[n]) < sum->n_events;
	}
	return n;
}

/* Drops formulas of events that are not in both profiles, and so not in the sum; returns how many. */
static size_t drop_formulas(const struct diffprofile *profile, struct model *sum)
{
	const char *names[2 * PROFILE_MAX_EVENTS];
	bool stays[2 * PROFILE_MAX_EVENTS];
	struct definitions_columns columns = { .before = names, .stays = stays };
	struct part_event *all = heap_alloc(sum->n_derived * sizeof(*all));
	struct definitions kept = { .n = 0 };
	size_t n_lost;

	columns.n_before = note_columns(sum, profile->new_model, names, stays, 0);
	columns.n_before = note_columns(sum, profile->old_model, names, stays, columns.n_before);
	for (size_t i = 0; i < sum->n_derived; i++)
		all[i] = (struct part_event){ sum->derived[i].name, sum->derived[i].formula,
					      sum->derived[i].long_name };
	definitions_keep(&kept, all, sum->n_derived, &columns);
	for (size_t i = 0; i < kept.n; i++)
		sum->derived[i] = (struct model_derived){ kept.all[i].name, kept.all[i].formula,
							  kept.all[i].long_name };
	sum->n_derived = kept.n;
	n_lost = kept.n_lost;
	definitions_release(&kept);
	free(all);
	return n_lost;
}

/* Adds NEW to the sum, or takes OLD off it, its functions where NEW has them if they are joined. */
static int add(const struct diffprofile *profile, struct model *sum, bool is_new)
{
	const struct builder_options options = { .events = profile->events,
						 .n_events = profile->n_events };
	const struct model *model = is_new ? profile->new_model : profile->old_model;
	struct builder builder;
	struct scaling scaling;
	struct filter_renamed moved;
	struct samecode same = { 0 };
	const struct visitor *first = &scaling.filter.visitor;
	int status;

	builder_init(&builder, sum, &options);
	scaling_init(&scaling, &builder.visitor, is_new ? 1 : -1, 1);
	if (profile->difference && !is_new) {
		filter_renamed_init(&moved, profile->difference, first);
		first = &moved.filter.visitor;
	}
	if (profile->apart && profile->difference) {
		samecode_init(&same, profile->difference, is_new, first);
		first = &same.filter.visitor;
	}
	builder_begin_file(&builder, NULL, model->names);
	status = model_walk(model, NULL, first);
	if (!status)
		status = builder_finish(&builder);
	free(same.extents);
	builder_release(&builder);
	return status;
}

static int find_negative_cost(void *ctx, const struct position *at, const uint64_t *costs,
			      size_t n_costs)
{
	(void)ctx;
	(void)at;
	for (size_t i = 0; i < n_costs; i++)
		if (costs[i] >> 63)
			return PROFILE_STOPPED;
	return PROFILE_OK;
}

static int find_negative_call(void *ctx, const struct call *call)
{
	return find_negative_cost(ctx, &call->at, call->costs, call->n_costs);
}

int diffprofile_write(const struct diffprofile *profile, const char *command, const char *path)
{
	static const struct visitor finder = { .cost = find_negative_cost,
					       .call = find_negative_call };
	struct outfile file;
	struct model sum;
	size_t n_formulas = 0;
	int status, error, code = EXIT_FAILED;

	if (profile->apart && profile->n_events > UPDOWN_MAX_EVENTS) {
		complain(command,
			 "%s: expected at most %d events with --for=kcachegrind, found %zu", path,
			 UPDOWN_MAX_EVENTS, profile->n_events);
		return EXIT_FAILED;
	}
	model_init(&sum);
	status = add(profile, &sum, true);
	if (!status)
		status = add(profile, &sum, false);
	if (!status && profile->events)
		n_formulas = drop_formulas(profile, &sum);
	error = status ? 0 : outfile_open(&file, command, path);
	if (status)
		code = complain_status(command, NULL, status);
	else if (error)
		complain(command, "%s: %s", path, outfile_reason(error));
	else
		code = end_file(&file, command,
				profile->flat ? write_flat(profile, &sum, &file)
					      : write_difference(profile, &sum, &file));
	if (code == EXIT_FINE && !profile->quiet && !profile->flat)
		warn_of_formulas(command, n_formulas);
	/* Of a file, not of what another program is given at once. */
	if (code == EXIT_FINE && !profile->quiet && !profile->flat && !profile->apart &&
	    strcmp(path, "-") != 0 && model_walk(&sum, NULL, &finder) == PROFILE_STOPPED)
		warn(command,
		     "%s: has counts below 0, which KCachegrind takes for 0; for a look at it "
		     "there, use --for=kcachegrind",
		     path);
	model_release(&sum);
	return code;
}

int diffprofile_save(const struct model *model, const char *command, const char *path)
{
	struct part header = { 0 };
	struct outfile file;
	struct arena arena;
	int error, code = EXIT_FAILED;

	arena_init(&arena);
	if (model->n_parts > 0)
		header = model->parts[0].header;
	header.has_pid = header.has_number = header.has_thread = false;
	/* The first of several parts says about the run what all do. */
	if (model->n_parts > 1) {
		struct part_desc *descs =
			arena_alloc(&arena, (header.n_descs + RUN_FACTS_LINES) * sizeof(*descs), 8);
		struct run_facts facts;
		size_t n = 0;

		comparability_facts(model, &arena, &facts);
		for (size_t i = 0; i < header.n_descs; i++)
			if (!run_facts_has(&header.descs[i]))
				descs[n++] = header.descs[i];
		header.n_descs = n + run_facts_print(&facts, &descs[n], &arena);
		header.descs = descs;
	}
	error = outfile_open(&file, command, path);
	if (error)
		complain(command, "%s: %s", path, outfile_reason(error));
	else
		code = end_file(&file, command, emit(model, true, false, &header, &file));
	arena_release(&arena);
	return code;
}
