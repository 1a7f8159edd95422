/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/filters/filters.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/analysis/inclusive.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"

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
	/* What one run spent in a region is no multiple, and no difference. */
	scaling->part.n_regions = 0;
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
	folding->kept = folding->keeps(folding->ctx, place);
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
	bool callee_kept = folding->keeps(folding->ctx, &call->callee);

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

/* A name of NEW's, unless it is OLD's too; keys of OLD count in what is forwarded. */
static void take_new_name(const struct difference *difference, enum name_kind kind, uint32_t number,
			  struct name *name)
{
	if (difference->old_number[kind][number] == name->key)
		return;
	*name = model_name(difference->new_model, kind, number);
	name->key = NAME_NO_KEY;
}

/* The place, in NEW's object and file, and by NEW's name. */
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
	take_new_name(difference, NAME_OBJECT, difference->new_model->functions[other].object,
		      &result.object);
	take_new_name(difference, NAME_FUNCTION, difference->new_model->functions[other].name,
		      &result.function);
	take_new_name(difference, NAME_FILE, difference->new_model->functions[other].file,
		      &result.file);
	/* Lines of the function's own file have moved with it. */
	if (place->source.key == place->file.key)
		result.source = result.file;
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

/* -- definitions of events ------------------------------------------------------- */

/* The index among n names of a formula's term; n if it is none. */
static size_t find_term(const char *const *names, size_t n, const struct formula_term *term)
{
	size_t i = 0;

	while (i < n &&
	       (strlen(names[i]) != term->len || memcmp(names[i], term->name, term->len) != 0))
		i++;
	return i;
}

/* True if a formula names a column that does not stay, or a lost formula. */
static bool has_left_out(const char *formula, const struct definitions_columns *columns,
			 const char *const *lost, size_t n_lost)
{
	struct formula_term term;

	for (bool first = true; formula_next(&formula, first, &term) == 1; first = false) {
		size_t column = find_term(columns->before, columns->n_before, &term);

		if (column < columns->n_before ? !columns->stays[column]
					       : find_term(lost, n_lost, &term) < n_lost)
			return true;
	}
	return false;
}

static bool is_column(const struct definitions_columns *columns, const char *name)
{
	return event_index(columns->after, columns->n_after, name) < columns->n_after;
}

void definitions_keep(struct definitions *definitions, const struct part_event *from, size_t n,
		      const struct definitions_columns *columns)
{
	struct part_event *all = heap_zeroed(n, sizeof(*all));
	const char **lost = heap_zeroed(n, sizeof(*lost)); /* they have no column either */
	size_t n_lost = 0, before, kept = 0;

	if (n > 0)
		memcpy(all, from, n * sizeof(*from));
	/* Again until nothing more is lost, since formulas may be of others. */
	do {
		before = n_lost;
		for (size_t i = 0; i < n; i++) {
			if (!all[i].formula || !has_left_out(all[i].formula, columns, lost, n_lost))
				continue;
			all[i].formula = NULL;
			if (!is_column(columns, all[i].name))
				lost[n_lost++] = all[i].name;
		}
	} while (n_lost > before);
	/* Long names of events that are not there would be of no event. */
	for (size_t i = 0; i < n; i++)
		if (all[i].formula || is_column(columns, all[i].name))
			all[kept++] = all[i];
	free(lost);
	*definitions = (struct definitions){ all, kept, n_lost };
}

void definitions_release(struct definitions *definitions)
{
	free(definitions->all);
	*definitions = (struct definitions){ .n = 0 };
}

/* -- one event ------------------------------------------------------------------- */

/* Finds how the event is derived from the part's columns, if it is. */
static void find_derived(struct eventview *view, const struct part *part)
{
	struct model_derived *derived = arena_alloc(
		&view->arena, (part->n_definitions + 1) * sizeof(*derived), sizeof(void *));
	struct metric_source source = { .derived = derived };
	struct metrics metrics;
	size_t number;

	for (size_t i = 0; i < part->n_definitions; i++) {
		const struct part_event *from = &part->definitions[i];

		if (from->formula)
			derived[source.n_derived++] = (struct model_derived){ from->name,
									      from->formula,
									      from->long_name };
	}
	metrics_init_names(&metrics, part->events, part->n_events, &source, &view->arena);
	number = metrics_find(&metrics, view->event, strlen(view->event));
	if (number < metrics.n)
		/* cppcheck-suppress autoVariables ; all lies in the arena */
		view->derived = &metrics.all[number];
}

/* The derived event of n counts; the rest is 0. */
static int derive(struct eventview *view, const uint64_t *counts, size_t n, uint64_t *value)
{
	const struct metric *metric = view->derived;
	int128 sum = 0;
	int status;

	for (size_t i = 0; i < metric->n_terms; i++)
		if (metric->terms[i].event < n)
			sum += int128_of(counts[metric->terms[i].event], view->is_signed) *
			       metric->terms[i].factor;
	status = sum < 0 ? visitor_negative_once(view->filter.to, &view->told_negative)
			 : PROFILE_OK;
	if (status)
		return status;
	if (view->told_negative ? sum < INT64_MIN || sum > INT64_MAX : sum > (int128)UINT64_MAX)
		return PROFILE_RANGE;
	*value = (uint64_t)sum;
	return PROFILE_OK;
}

/* What is said about the event, and formulas of it. */
static void view_definitions(struct eventview *view, const struct part *part)
{
	struct part_event *from = heap_zeroed(part->n_definitions + 1, sizeof(*from));
	size_t n = part->n_definitions;
	bool stays[PROFILE_MAX_EVENTS];
	const struct definitions_columns columns = { .before = part->events,
						     .stays = stays,
						     .n_before = part->n_events,
						     .after = &view->name,
						     .n_after = 1 };

	for (size_t i = 0; i < part->n_events; i++)
		/* cppcheck-suppress unreadVariable ; through columns */
		stays[i] = i == view->column;
	if (n > 0)
		memcpy(from, part->definitions, n * sizeof(*from));
	if (view->derived && view->derived->long_name)
		from[n++] = (struct part_event){ view->name, NULL, view->derived->long_name };
	definitions_release(&view->definitions);
	definitions_keep(&view->definitions, from, n, &columns);
	free(from);
	view->part.definitions = view->definitions.all;
	view->part.n_definitions = view->definitions.n;
	if (view->n_lost < view->definitions.n_lost)
		view->n_lost = view->definitions.n_lost;
}

/* A sum of the part, of n counts. */
static int view_sum(struct eventview *view, const uint64_t *counts, size_t n, uint64_t *sum)
{
	*sum = 0;
	if (view->derived)
		return derive(view, counts, n, sum);
	if (view->column < n)
		*sum = counts[view->column];
	return PROFILE_OK;
}

/* The event's cost of each region; nothing for a derived event, which may be below 0. */
static void view_regions(struct eventview *view, const struct part *part)
{
	static const uint64_t zero = 0;
	const size_t n = view->column < part->n_events ? part->n_regions : 0;
	struct part_region *regions = arena_alloc(&view->arena, n * sizeof(*regions), 8);

	for (size_t i = 0; i < n; i++) {
		regions[i] = part->regions[i];
		regions[i].costs =
			view->column < regions[i].n_costs ? &regions[i].costs[view->column] : &zero;
		regions[i].n_costs = 1;
	}
	view->part.regions = regions;
	view->part.n_regions = n;
}

/* Makes the part as it is forwarded. */
static int view_part(struct eventview *view, const struct part *part)
{
	bool is_there = view->derived || view->column < part->n_events;
	int status;

	view->part = *part;
	view->part.events = &view->name;
	view->part.n_events = 1;
	view->part.n_summary = is_there && part->n_summary > 0;
	view->part.n_totals = is_there && part->n_totals > 0;
	view->part.summary = &view->summary;
	view->part.totals = &view->totals;
	status = view_sum(view, part->summary, part->n_summary, &view->summary);
	if (!status)
		status = view_sum(view, part->totals, part->n_totals, &view->totals);
	view->part.is_signed = view->told_negative;
	view_definitions(view, part);
	view_regions(view, part);
	return status;
}

static int event_part(void *ctx, const struct part *part)
{
	struct eventview *view = ctx;
	int status;

	if (!view->event)
		view->event = view->first = heap_copy(part->events[0]);
	view->derived = NULL;
	arena_release(&view->arena);
	view->column = event_index(part->events, part->n_events, view->event);
	view->name = view->event;
	if (view->column < part->n_events)
		view->name = part->events[view->column];
	else
		find_derived(view, part);
	view->found |= view->derived || view->column < part->n_events;
	status = view_part(view, part);
	return status ? status : visitor_part(view->filter.to, &view->part);
}

/* The cost of the event; what is below 0 is announced. */
static int take(struct eventview *view, const uint64_t *costs, size_t n_costs, uint64_t *cost)
{
	if (view->derived)
		return derive(view, costs, n_costs, cost);
	*cost = view->column < n_costs ? costs[view->column] : 0;
	return view->is_signed && *cost >> 63
		       ? visitor_negative_once(view->filter.to, &view->told_negative)
		       : PROFILE_OK;
}

static int event_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct eventview *view = ctx;
	uint64_t cost;
	int status = take(view, costs, n_costs, &cost);

	return status ? status : visitor_cost(view->filter.to, at, &cost, 1);
}

static int event_call(void *ctx, const struct call *call)
{
	struct eventview *view = ctx;
	struct call changed = *call;
	uint64_t cost;
	int status = take(view, call->costs, call->n_costs, &cost);

	changed.costs = &cost;
	changed.n_costs = 1;
	return status ? status : visitor_call(view->filter.to, &changed);
}

static int event_part_end(void *ctx, const struct part *part)
{
	struct eventview *view = ctx;
	int status = view_part(view, part);

	return status ? status : visitor_part_end(view->filter.to, &view->part);
}

static int event_negative(void *ctx)
{
	((struct eventview *)ctx)->is_signed = true;
	return PROFILE_OK;
}

void eventview_init(struct eventview *view, const struct visitor *to, const char *event)
{
	static const struct visitor changes = {
		.part = event_part,
		.cost = event_cost,
		.call = event_call,
		.part_end = event_part_end,
		.negative = event_negative,
	};

	*view = (struct eventview){ .event = event };
	arena_init(&view->arena);
	visitor_filter_init(&view->filter, to, &changes);
}

void eventview_release(struct eventview *view)
{
	definitions_release(&view->definitions);
	arena_release(&view->arena);
	free(view->first);
	view->first = NULL;
}

/* -- other events and another header --------------------------------------------- */

/* The columns that are wanted, of n. */
static const uint64_t *select_costs(struct event_remap *remap, const uint64_t *costs, size_t *n,
				    uint64_t *selected)
{
	if (!remap->selects)
		return costs;
	if (remap->selects_first && remap->n_columns <= *n) {
		*n = remap->n_columns;
		return costs;
	}
	for (size_t i = 0; i < remap->n_columns; i++)
		selected[i] = remap->columns[i] < *n ? costs[remap->columns[i]] : 0;
	*n = remap->n_columns;
	return selected;
}

enum { OWN_DESCS = 5 + RUN_FACTS_LINES }; /* besides the header's */

static void add_desc(struct event_remap *remap, const char *type, const char *value)
{
	remap->descs[remap->part.n_descs++] = (struct part_desc){ type, value };
}

/* What the sum has of ranks, if it has any. */
static void add_ranks(struct event_remap *remap, const char *type, const struct rank_set *ranks)
{
	struct bytes list;

	bytes_init(&list);
	rank_set_print(ranks, &list);
	if (list.len > 0)
		add_desc(remap, type, arena_copy(&remap->texts, list.text, list.len));
	bytes_release(&list);
}

static void make_descs(struct event_remap *remap)
{
	const struct merged_header *header = remap->header;
	size_t n = header->n_descs;

	remap->descs = heap_zeroed(n + OWN_DESCS, sizeof(*remap->descs));
	if (n > 0)
		memcpy(remap->descs, header->descs, n * sizeof(*remap->descs));
	n += run_facts_print(&header->facts, &remap->descs[n], &remap->texts);
	remap->part.descs = remap->descs;
	remap->part.n_descs = n;
	add_ranks(remap, RANK_DESC, &header->ranks);
	add_ranks(remap, RANK_EXPECTED_DESC, &header->expected);
	if (merged_header_count(header) > 1) {
		char count[24];
		int len = snprintf(count, sizeof(count), "%" PRIu64, merged_header_count(header));

		add_desc(remap, MERGED_HEADER_DESC, arena_copy(&remap->texts, count, (size_t)len));
	}
	if (remap->input)
		add_desc(remap, EVENT_REMAP_INPUT, remap->input);
	if (remap->cmd_as_desc && remap->cmd)
		add_desc(remap, EVENT_REMAP_COMMAND, remap->cmd);
}

/* Regions of the header, by the columns that are wanted. */
static void select_regions(struct event_remap *remap)
{
	const struct regions *from = &remap->header->regions;
	struct part_region *regions = arena_alloc(&remap->texts, from->n * sizeof(*regions), 8);

	for (size_t i = 0; i < from->n; i++) {
		uint64_t *costs = arena_alloc(&remap->texts, remap->n_columns * sizeof(*costs), 8);

		regions[i] = from->all[i];
		for (size_t j = 0; j < remap->n_columns; j++)
			costs[j] = remap->columns[j] < regions[i].n_costs
					   ? regions[i].costs[remap->columns[j]]
					   : 0;
		regions[i].costs = costs;
		regions[i].n_costs = remap->n_columns;
	}
	remap->part.regions = regions;
	remap->part.n_regions = from->n;
}

/* What is said about events, from n definitions. */
static void make_definitions(struct event_remap *remap, const struct part_event *from, size_t n)
{
	const struct merged_header *header = remap->header;
	bool stays[PROFILE_MAX_EVENTS];
	const struct definitions_columns columns = {
		.before = header->events,
		.stays = stays,
		.n_before = header->n_events,
		.after = remap->part.events,
		.n_after = remap->part.n_events,
	};

	for (size_t i = 0; i < header->n_events; i++)
		/* cppcheck-suppress unreadVariable ; through columns */
		stays[i] = event_index(remap->part.events, remap->part.n_events,
				       header->events[i]) < remap->part.n_events;
	definitions_keep(&remap->definitions, from, n, &columns);
	remap->part.definitions = remap->definitions.all;
	remap->part.n_definitions = remap->definitions.n;
}

static int visit_part(void *ctx, const struct part *part)
{
	struct event_remap *remap = ctx;
	const struct merged_header *header = remap->header;
	size_t n_totals = part->n_events, n_summary = n_totals;

	remap->part = *part;
	remap->part.creator = "costgrind-" COSTGRIND_VERSION;
	remap->part.cmd = remap->cmd_as_desc ? NULL : remap->cmd;
	remap->part.has_pid = remap->pid.has;
	remap->part.pid = remap->pid.value;
	remap->part.has_number = remap->number.has;
	remap->part.number = remap->number.value;
	remap->part.has_thread = remap->thread.has;
	remap->part.thread = remap->thread.value;
	if (remap->only_lines)
		remap->part.positions = POSITION_LINE;
	event_remap_release(remap);
	make_descs(remap);
	if (remap->selects) {
		for (size_t i = 0; i < remap->n_columns; i++)
			remap->events[i] = header->events[remap->columns[i]];
		remap->part.events = remap->events;
		remap->part.n_events = remap->n_columns;
		make_definitions(remap, header->definitions, header->n_definitions);
		select_regions(remap);
	} else {
		make_definitions(remap, part->definitions, part->n_definitions);
	}
	remap->part.totals = select_costs(remap, part->totals, &n_totals, remap->changed_totals);
	remap->part.summary = remap->summary ? select_costs(remap, remap->summary, &n_summary,
							    remap->told_summary)
					     : remap->part.totals;
	remap->part.n_totals = remap->part.n_summary = n_totals;
	return visitor_part(remap->filter.to, &remap->part);
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct event_remap *remap = ctx;

	costs = select_costs(remap, costs, &n_costs, remap->costs);
	return visitor_cost(remap->filter.to, at, costs, n_costs);
}

static int visit_call(void *ctx, const struct call *call)
{
	struct event_remap *remap = ctx;
	struct call changed = *call;

	changed.costs = select_costs(remap, call->costs, &changed.n_costs, remap->costs);
	return visitor_call(remap->filter.to, &changed);
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct event_remap *remap = ctx;

	(void)part;
	return visitor_part_end(remap->filter.to, &remap->part);
}

void event_remap_init(struct event_remap *remap, const struct visitor *to,
		      const struct merged_header *header)
{
	static const struct visitor changes = {
		.part = visit_part,
		.cost = visit_cost,
		.call = visit_call,
		.part_end = visit_part_end,
	};

	*remap = (struct event_remap){
		.header = header,
		.cmd = header->cmd,
		.pid = header->pid,
		.number = header->number,
		.thread = header->thread,
	};
	arena_init(&remap->texts);
	visitor_filter_init(&remap->filter, to, &changes);
}

void event_remap_release(struct event_remap *remap)
{
	free(remap->descs);
	arena_release(&remap->texts);
	definitions_release(&remap->definitions);
	remap->descs = NULL;
}

void event_remap_select(struct event_remap *remap, bool common)
{
	remap->selects = remap->selects_first = true;
	remap->n_columns = merged_header_order(remap->header, common, remap->columns);
	for (size_t i = 0; i < remap->n_columns; i++)
		remap->selects_first &= remap->columns[i] == i;
}
