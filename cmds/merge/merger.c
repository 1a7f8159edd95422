/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/merge/merger.h"

#include <stdio.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "profile/filters/filters.h"

/* -- the sum ------------------------------------------------------------------------------ */

/*
 * A builder keeps what each file adds to a function next to what is there, and sums it up in the end.
 * So that it does not all pile up, a model that has grown to more than twice the size of the last copy
 * (of the first file, while there is none) is summed up and copied into an empty one before another file
 * is added.  Each copy then costs no more than reading what was added since.
 */
enum { SLACK = 16 << 20 };

/* Once only: an expression may change what it has made. */
static bool rename_name(void *ctx, enum name_kind kind, const char **text, size_t *len)
{
	struct merger *merger = ctx;

	return !merger->copies && name_rules_rename(merger->options.rules, kind, text, len);
}

static void begin_model(struct merger *merger, struct model *model)
{
	const struct name_rules *rules = merger->options.rules;
	const struct builder_options options = {
		.no_positions = merger->options.no_positions,
		.rename = rules && !name_rules_is_empty(rules) ? rename_name : NULL,
		.ctx = merger,
	};

	merger->model = model;
	model_init(model);
	builder_init(&merger->builder, model, &options);
}

void merger_init(struct merger *merger, const struct merger_options *options)
{
	*merger = (struct merger){ .options = *options };
	if (merger->options.slack == 0)
		merger->options.slack = SLACK;
	merged_header_init(&merger->header);
	begin_model(merger, &merger->models[0]);
}

void merger_release(struct merger *merger)
{
	builder_release(&merger->builder);
	model_release(merger->model);
	merged_header_release(&merger->header);
}

/* Makes the sum anew, in the other model. */
static int compact(struct merger *merger)
{
	const struct walk_options walking = { .one_part = true };
	struct model *old = merger->model;
	int status = builder_finish(&merger->builder);

	if (status)
		return status;
	builder_release(&merger->builder);
	begin_model(merger, old == merger->models ? merger->models + 1 : merger->models);
	builder_begin_file(&merger->builder, NULL, old->names);
	merger->copies = true;
	status = model_walk(old, &walking, &merger->builder.visitor);
	merger->copies = false;
	model_release(old);
	merger->sum_bytes = model_bytes(merger->model);
	return status;
}

int merger_add(struct merger *merger, const char *path, struct reader_report *report,
	       struct profile_error *error)
{
	bool is_overgrown = merger->last_path &&
			    model_bytes(merger->model) >
				    2 * merger->sum_bytes + merger->options.slack;
	int status = is_overgrown ? compact(merger) : PROFILE_OK;
	struct merge_reader reader = {
		.builder = &merger->builder,
		.model = merger->model,
		.header = &merger->header,
		.summary = merger->summary,
		.progress = merger->options.progress,
		.lenient = merger->options.lenient,
	};

	if (status) {
		*error = (struct profile_error){ .file = merger->last_path };
		return profile_error_status(error, status);
	}
	status = merge_reader_read(&reader, path, report, error);
	merger->corrected = reader.corrected;
	if (!merger->last_path)
		merger->sum_bytes = model_bytes(merger->model);
	merger->last_path = path;
	return status;
}

int merger_finish(struct merger *merger)
{
	return builder_finish(&merger->builder);
}

int merger_report(struct merger *merger, bool common, const struct visitor *visitor)
{
	const struct walk_options walking = { .order = WALK_BY_NAME, .one_part = true };
	struct event_remap remap;
	int status;

	event_remap_init(&remap, visitor, &merger->header);
	event_remap_select(&remap, common);
	remap.only_lines = merger->options.no_positions;
	remap.summary = merger->summary;
	status = model_walk(merger->model, &walking, &remap.filter.visitor);
	merger->n_lost = remap.definitions.n_lost;
	event_remap_release(&remap);
	return status;
}

/* -- statistics --------------------------------------------------------------------------- */

/*
 * What is known about the inputs so far and the next input are put into one model as two parts, so that names
 * have the same numbers in both.  Then their lines are merged as sorted lists are, and reported to the model
 * that becomes what is known.  Columns have no names but "0s", "0m", "0x" (sum,
 * minimum, maximum of event 0), "0i" (event 0 of the input), "1s"...
 */
/* Kinds of columns; all of one kind are together, COLUMN_STATS_MAX_EVENTS of them. */
enum column_kind {
	COLUMN_SUM,
	COLUMN_MIN,
	COLUMN_MAX,
	N_SUMS,
	COLUMN_INPUT = N_SUMS,
	N_COLUMN_KINDS,
};

static size_t name_index(size_t event, enum column_kind kind)
{
	return event * N_COLUMN_KINDS + kind;
}

/* -- a model with other names of its columns --------------------------------------- */

struct retitle {
	struct visitor_filter filter;
	const char *events[PROFILE_MAX_EVENTS]; /* of the columns */
	struct part part;
};

static int retitle_part(void *ctx, const struct part *part)
{
	struct retitle *retitle = ctx;

	retitle->part = (struct part){ .events = retitle->events,
				       .n_events = part->n_events,
				       .positions = part->positions,
				       .is_signed = part->is_signed };
	return visitor_part(retitle->filter.to, &retitle->part);
}

static int retitle_part_end(void *ctx, const struct part *part)
{
	struct retitle *retitle = ctx;

	(void)part;
	return visitor_part_end(retitle->filter.to, &retitle->part);
}

/* Reports a model as one part to a builder, which has seen other names. */
static int report_model(const struct model *model, struct retitle *retitle, struct builder *builder)
{
	static const struct visitor changes = { .part = retitle_part,
						.part_end = retitle_part_end };
	const struct walk_options walking = { .one_part = true };

	visitor_filter_init(&retitle->filter, &builder->visitor, &changes);
	builder_begin_file(builder, NULL, model->names);
	return model_walk(model, &walking, &retitle->filter.visitor);
}

/* -- both side by side ------------------------------------------------------------ */

struct side_by_side {
	const struct column_stats *stats;
	const struct model *both; /* part 0: what is known, part 1: the input */
	const struct visitor *to;
	size_t n_events;
	size_t columns[N_COLUMN_KINDS][COLUMN_STATS_MAX_EVENTS]; /* of both; n_events = none */
	uint64_t costs[PROFILE_MAX_EVENTS];
	struct place place;
	uint32_t source;
};

/* Sums, minima and maxima of what is known (NULL = nothing) and the input (NULL = nothing). */
static const uint64_t *combine(struct side_by_side *pair, const uint64_t *known,
			       const uint64_t *input)
{
	bool is_signed = pair->both->is_signed;
	bool is_first = pair->stats->n_inputs == 0;

	for (size_t i = 0; i < pair->n_events; i++) {
		uint64_t values[N_COLUMN_KINDS], cost, sum, min, max;

		for (size_t kind = 0; kind < N_COLUMN_KINDS; kind++) {
			const uint64_t *costs = kind == COLUMN_INPUT ? input : known;
			size_t column = pair->columns[kind][i];

			values[kind] = costs && column < pair->both->n_events ? costs[column] : 0;
		}
		cost = values[COLUMN_INPUT];
		sum = values[COLUMN_SUM];
		min = values[COLUMN_MIN];
		max = values[COLUMN_MAX];

		if (!cost_add(&sum, cost, is_signed))
			return NULL;
		if (is_first || cost_less(cost, min, is_signed))
			min = cost;
		if (is_first || cost_less(max, cost, is_signed))
			max = cost;
		pair->costs[i * N_SUMS + COLUMN_SUM] = sum;
		pair->costs[i * N_SUMS + COLUMN_MIN] = min;
		pair->costs[i * N_SUMS + COLUMN_MAX] = max;
	}
	return pair->costs;
}

static struct place place_of(const struct model *model, uint32_t function)
{
	const struct model_function *f = &model->functions[function];
	struct name file = model_name(model, NAME_FILE, f->file);

	return (struct place){ model_name(model, NAME_OBJECT, f->object), file,
			       model_name(model, NAME_FUNCTION, f->name), file,
			       model->has_objects };
}

static int enter_source(struct side_by_side *pair, uint32_t file)
{
	if (pair->source == file)
		return PROFILE_OK;
	pair->source = file;
	pair->place.source = model_name(pair->both, NAME_FILE, file);
	return visitor_place(pair->to, &pair->place);
}

/* The order of lines in a function (model.h): by instruction, file (its own first), line. */
static int compare_places(uint32_t own, const struct position *a, uint32_t file_a,
			  const struct position *b, uint32_t file_b)
{
	if (a->instr != b->instr)
		return a->instr < b->instr ? -1 : 1;
	if (file_a != file_b) {
		if (file_a == own || file_b == own)
			return file_a == own ? -1 : 1;
		return file_a < file_b ? -1 : 1;
	}
	return (a->line > b->line) - (a->line < b->line);
}

static int join_lines(struct side_by_side *pair, uint32_t function)
{
	uint32_t own = pair->both->functions[function].file;
	struct model_cursor cursors[2];
	struct model_line lines[2];
	bool has[2];
	int status = PROFILE_OK;

	for (uint32_t i = 0; i < 2; i++) {
		model_lines(pair->both, function, i, &cursors[i]);
		has[i] = model_next_line(&cursors[i], &lines[i]);
	}
	while (!status && (has[0] || has[1])) {
		int order = has[0] && has[1] ? compare_places(own, &lines[0].at, lines[0].file,
							      &lines[1].at, lines[1].file)
					     : has[1] - has[0];
		const struct model_line *first = order <= 0 ? &lines[0] : &lines[1];
		const struct position at = first->at;
		const uint64_t *costs = combine(pair, order <= 0 ? lines[0].costs : NULL,
						order >= 0 ? lines[1].costs : NULL);

		status = costs ? enter_source(pair, first->file) : PROFILE_RANGE;
		if (!status)
			status = visitor_cost(pair->to, &at, costs, pair->n_events * N_SUMS);
		if (order <= 0)
			has[0] = model_next_line(&cursors[0], &lines[0]);
		if (order >= 0)
			has[1] = model_next_line(&cursors[1], &lines[1]);
	}
	return status;
}

static int join_calls(struct side_by_side *pair, uint32_t function)
{
	uint32_t own = pair->both->functions[function].file;
	struct model_cursor cursors[2];
	struct model_call calls[2];
	bool has[2];
	int status = PROFILE_OK;

	for (uint32_t i = 0; i < 2; i++) {
		model_calls(pair->both, function, i, &cursors[i]);
		has[i] = model_next_call(&cursors[i], &calls[i]);
	}
	while (!status && (has[0] || has[1])) {
		int order = has[1] - has[0];
		const struct model_call *first;
		struct call call;
		uint64_t count;

		if (has[0] && has[1])
			order = compare_places(own, &calls[0].at, calls[0].file, &calls[1].at,
					       calls[1].file);
		if (has[0] && has[1] && order == 0)
			order = (calls[0].callee > calls[1].callee) -
				(calls[0].callee < calls[1].callee);
		first = &calls[order > 0];
		count = first->count;
		if (order == 0 && !cost_add(&count, calls[1].count, pair->both->is_signed))
			return PROFILE_RANGE;
		/* Two calls of one function from one place are one. */
		if (order == 0 && (calls[1].target.instr != calls[0].target.instr
					   ? calls[1].target.instr < calls[0].target.instr
					   : calls[1].target.line < calls[0].target.line))
			calls[0].target = calls[1].target;
		call = (struct call){
			.callee = place_of(pair->both, first->callee),
			.count = count,
			.target = first->target,
			.at = first->at,
			.costs = combine(pair, order <= 0 ? calls[0].costs : NULL,
					 order >= 0 ? calls[1].costs : NULL),
			.n_costs = pair->n_events * N_SUMS,
		};
		status = call.costs ? enter_source(pair, first->file) : PROFILE_RANGE;
		if (!status)
			status = visitor_call(pair->to, &call);
		if (order <= 0)
			has[0] = model_next_call(&cursors[0], &calls[0]);
		if (order >= 0)
			has[1] = model_next_call(&cursors[1], &calls[1]);
	}
	return status;
}

/* The listener adds jumps of both up. */
static int report_jumps(struct side_by_side *pair, uint32_t function)
{
	int status = PROFILE_OK;

	for (uint32_t part = 0; part < 2; part++) {
		struct model_cursor cursor;
		struct model_jump known;

		model_jumps(pair->both, function, part, &cursor);
		while (!status && model_next_jump(&cursor, &known)) {
			const struct jump jump = {
				.is_conditional = known.is_conditional,
				.followed = known.followed,
				.executed = known.executed,
				.file = model_name(pair->both, NAME_FILE, known.target_file),
				.function = model_name(pair->both, NAME_FUNCTION,
						       known.target_function),
				.has_function = known.has_function,
				.target = known.target,
				.at = known.at,
			};

			status = enter_source(pair, known.file);
			if (!status)
				status = visitor_jump(pair->to, &jump);
		}
	}
	return status;
}

/* -- inputs ------------------------------------------------------------------------ */

void column_stats_init(struct column_stats *stats, const struct merger_options *options)
{
	static const char kinds[] = "smxi";

	*stats = (struct column_stats){ .options = *options };
	for (size_t i = 0; i < COLUMN_STATS_MAX_EVENTS; i++)
		for (size_t kind = 0; kind < N_COLUMN_KINDS; kind++) {
			size_t name = name_index(i, (enum column_kind)kind);

			snprintf(stats->names[name], sizeof(stats->names[name]), "%zu%c", i,
				 kinds[kind]);
			stats->columns[name] = stats->names[name];
		}
	merged_header_init(&stats->header);
	model_init(&stats->sums);
}

void column_stats_release(struct column_stats *stats)
{
	model_release(&stats->sums);
	merged_header_release(&stats->header);
}

/* Puts what is known and the input into one model, as two parts. */
static int put_together(const struct column_stats *stats, const struct model *input,
			struct model *both)
{
	const struct builder_options options = { .separate_parts = true };
	const struct part none = { .positions = input->positions };
	struct retitle retitle;
	struct builder builder;
	int status;

	builder_init(&builder, both, &options);
	for (size_t i = 0; i < stats->sums.n_events; i++)
		retitle.events[i] = stats->sums.events[i].name;
	status = report_model(&stats->sums, &retitle, &builder);
	if (!status && stats->sums.n_parts == 0) {
		status = visitor_part(&builder.visitor, &none);
		if (!status)
			status = visitor_part_end(&builder.visitor, &none);
	}
	for (size_t i = 0; i < input->n_events; i++)
		retitle.events[i] = stats->columns[name_index(
			merged_header_find(&stats->header, input->events[i].name), COLUMN_INPUT)];
	if (!status)
		status = report_model(input, &retitle, &builder);
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	return status;
}

/* Makes sums what is known with the input. */
static int join(const struct column_stats *stats, const struct model *both, struct model *sums)
{
	const char *events[N_SUMS * COLUMN_STATS_MAX_EVENTS];
	struct part part = { .events = events,
			     .positions = both->positions,
			     .is_signed = both->is_signed };
	struct builder builder;
	struct side_by_side pair = { .stats = stats,
				     .both = both,
				     .to = &builder.visitor,
				     .n_events = stats->header.n_events };
	int status = PROFILE_OK;

	builder_init(&builder, sums, NULL);
	for (size_t i = 0; i < pair.n_events; i++)
		for (size_t kind = 0; kind < N_COLUMN_KINDS; kind++) {
			size_t name = name_index(i, (enum column_kind)kind);

			pair.columns[kind][i] = model_event(both, stats->columns[name]);
			if (kind < N_SUMS)
				events[part.n_events++] = stats->columns[name];
		}
	builder_begin_file(&builder, NULL, both->names);
	if (both->is_signed)
		status = visitor_negative(&builder.visitor);
	if (!status)
		status = visitor_part(&builder.visitor, &part);
	for (uint32_t i = 0; i < both->n_functions && !status; i++) {
		pair.place = place_of(both, i);
		pair.source = both->functions[i].file;
		status = visitor_place(pair.to, &pair.place);
		if (!status)
			status = join_lines(&pair, i);
		if (!status)
			status = join_calls(&pair, i);
		if (!status)
			status = report_jumps(&pair, i);
	}
	if (!status)
		status = visitor_part_end(&builder.visitor, &part);
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	return status;
}

int column_stats_add(struct column_stats *stats, const char *path, struct reader_report *report,
		     struct profile_error *error)
{
	struct name_rules *rules = stats->options.rules;
	const struct builder_options building = {
		.no_positions = stats->options.no_positions,
		.rename = rules && !name_rules_is_empty(rules) ? name_rules_rename : NULL,
		.ctx = rules,
	};
	struct model input, both, sums;
	struct builder builder;
	struct merge_reader reader = { .builder = &builder,
				       .model = &input,
				       .header = &stats->header,
				       .progress = stats->options.progress,
				       .lenient = stats->options.lenient };
	int status;

	*error = (struct profile_error){ .file = path };
	model_init(&input);
	builder_init(&builder, &input, &building);
	status = merge_reader_read(&reader, path, report, error);
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	if (!status && stats->header.n_events > COLUMN_STATS_MAX_EVENTS)
		status = profile_error_set(error, PROFILE_EVENTS,
					   "expected at most %d events in all, for statistics",
					   COLUMN_STATS_MAX_EVENTS);
	if (!status && input.n_parts > 0) {
		model_init(&both);
		model_init(&sums);
		status = put_together(stats, &input, &both);
		if (!status)
			status = join(stats, &both, &sums);
		model_release(&both);
		model_release(status ? &sums : &stats->sums);
		if (!status) {
			stats->sums = sums;
			stats->n_inputs++;
		}
	}
	model_release(&input);
	profile_error_complete(error, status);
	return status;
}

/* -- the columns that are asked for -------------------------------------------------- */

/* Where a column of the result comes from. */
struct choice {
	size_t event;       /* of the header */
	unsigned statistic; /* COLUMN_STATS_SUM... */
	size_t column;      /* of spread->sums */
};

struct column_choosing {
	struct visitor_filter filter;
	const struct column_stats *stats;
	struct choice choices[PROFILE_MAX_EVENTS];
	size_t n_choices;
	struct part part;
	const char *events[PROFILE_MAX_EVENTS];
	struct part_event definitions[PROFILE_MAX_EVENTS];
	size_t n_definitions;
	struct arena texts;
	uint64_t costs[PROFILE_MAX_EVENTS];
};

static const struct {
	unsigned statistic;
	enum column_kind kind;
	const char *suffix, *text;
} statistics_table[] = {
	{ COLUMN_STATS_SUM, COLUMN_SUM, "", "" },
	{ COLUMN_STATS_MIN, COLUMN_MIN, "Min", ", minimum of the inputs" },
	{ COLUMN_STATS_AVG, COLUMN_SUM, "Avg", ", average of the inputs" },
	{ COLUMN_STATS_MAX, COLUMN_MAX, "Max", ", maximum of the inputs" },
};

static const uint64_t *choose(struct column_choosing *choosing, const uint64_t *costs,
			      size_t n_costs)
{
	const struct column_stats *stats = choosing->stats;
	bool is_signed = stats->sums.is_signed;

	for (size_t i = 0; i < choosing->n_choices; i++) {
		const struct choice *choice = &choosing->choices[i];
		uint64_t cost = choice->column < n_costs ? costs[choice->column] : 0;
		uint64_t magnitude = cost_magnitude(cost, is_signed), n = stats->n_inputs;

		/* To the nearest number, halves away from 0. */
		if (choice->statistic == COLUMN_STATS_AVG) {
			magnitude = magnitude / n + (magnitude % n >= n - magnitude % n);
			cost = is_signed && cost >> 63 ? -magnitude : magnitude;
		}
		choosing->costs[i] = cost;
	}
	return choosing->costs;
}

static int choose_part(void *ctx, const struct part *part)
{
	struct column_choosing *choosing = ctx;

	choosing->part = (struct part){ .events = choosing->events,
					.n_events = choosing->n_choices,
					.definitions = choosing->definitions,
					.n_definitions = choosing->n_definitions,
					.positions = part->positions,
					.is_signed = part->is_signed };
	return visitor_part(choosing->filter.to, &choosing->part);
}

static int choose_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n)
{
	struct column_choosing *choosing = ctx;

	costs = choose(choosing, costs, n);
	return visitor_cost(choosing->filter.to, at, costs, choosing->n_choices);
}

static int choose_call(void *ctx, const struct call *call)
{
	struct column_choosing *choosing = ctx;
	struct call known = *call;

	known.costs = choose(choosing, call->costs, call->n_costs);
	known.n_costs = choosing->n_choices;
	return visitor_call(choosing->filter.to, &known);
}

static int choose_part_end(void *ctx, const struct part *part)
{
	struct column_choosing *choosing = ctx;

	(void)part;
	return visitor_part_end(choosing->filter.to, &choosing->part);
}

static const char *join_texts(struct column_choosing *choosing, const char *a, const char *b)
{
	size_t size = strlen(a) + strlen(b) + 1;
	char *text = arena_alloc(&choosing->texts, size, 1);

	snprintf(text, size, "%s%s", a, b);
	return text;
}

static void add_choice(struct column_choosing *choosing, size_t event, size_t statistic)
{
	const struct column_stats *stats = choosing->stats;
	const char *name = stats->header.events[event];
	const struct event_info *info = event_find(name);
	const char *title = info ? info->long_name : NULL;
	size_t n = choosing->n_choices++;

	/* As the inputs say, else as is known. */
	for (size_t i = stats->header.n_definitions; i-- > 0;)
		if (strcmp(stats->header.definitions[i].name, name) == 0 &&
		    stats->header.definitions[i].long_name)
			title = stats->header.definitions[i].long_name;
	choosing->choices[n] = (struct choice){
		event, statistics_table[statistic].statistic,
		model_event(&stats->sums,
			    stats->columns[name_index(event, statistics_table[statistic].kind)])
	};
	choosing->events[n] = join_texts(choosing, name, statistics_table[statistic].suffix);
	/* A column may be named "a:b", but such a name cannot be defined. */
	if (!strpbrk(name, ":="))
		choosing->definitions[choosing->n_definitions++] = (struct part_event){
			choosing->events[n], NULL,
			join_texts(choosing, title ? title : name, statistics_table[statistic].text)
		};
}

int column_stats_report(const struct column_stats *stats, unsigned statistics, bool common,
			struct model *model)
{
	static const struct visitor changes = { .part = choose_part,
						.cost = choose_cost,
						.call = choose_call,
						.part_end = choose_part_end };
	struct column_choosing choosing = { .stats = stats };
	size_t order[PROFILE_MAX_EVENTS];
	size_t n = merged_header_order(&stats->header, common, order);
	struct builder builder;
	int status;

	arena_init(&choosing.texts);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < sizeof(statistics_table) / sizeof(statistics_table[0]); j++)
			if (statistics & statistics_table[j].statistic)
				add_choice(&choosing, order[i], j);
	builder_init(&builder, model, NULL);
	visitor_filter_init(&choosing.filter, &builder.visitor, &changes);
	builder_begin_file(&builder, NULL, stats->sums.names);
	status = model_walk(&stats->sums, NULL, &choosing.filter.visitor);
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	arena_release(&choosing.texts);
	return status;
}
