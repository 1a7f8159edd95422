/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/report/reportviews.h"

#include <string.h>

#include "cmds/types/typecosts.h"
#include "profile/analysis/metric.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"

enum {
	MOST_TYPES = 200, /* the others are one row */
	MOST_USES = 60,   /* of a type */
	USE_SHARE = 50,   /* what uses it has one of so many of its cost of some event */
	MOST_COLD = 64,   /* members without any cost, of a type */
	DETAIL = 4,       /* so many times the share that functions need is what types need */
};

struct types_writing {
	const struct report_input *input;
	const struct reportrows *rows;
	struct json *json;
	struct type_costs types;
	bool is_made;           /* types are to be released */
	struct metrics metrics; /* of all events of the model */
	size_t main_metric;
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct arena arena;
};

/* By the report's events, of which an older profile may leave few. */
static void write_costs(struct types_writing *writing, const uint64_t *costs)
{
	const struct reportrows *rows = writing->rows;

	json_array(writing->json, "costs", true);
	for (size_t i = 0; i < rows->n_events; i++)
		json_count(writing->json, NULL, costs[rows->sides[SIDE_MAIN].events[i]]);
	json_close(writing->json);
}

static bool is_share(const struct metric *metric, const uint64_t *costs, const uint64_t *whole,
		     double n)
{
	const int128 cost = metric_value(metric, costs, false);

	return cost > 0 && (double)cost * n >= (double)metric_value(metric, whole, false);
}

/*
 * Whether costs are a part of a whole: one of n of references, of misses of data of a level, or of what the profile is first
 * judged by.
 */
static bool is_part(const struct types_writing *writing, const uint64_t *costs,
		    const uint64_t *whole, double n)
{
	static const char *const names[] = { "Drefs", "D1m", "L2dr", "L2dw", "DLm" };
	const struct metrics *metrics = &writing->metrics;

	if (is_share(&metrics->all[writing->main_metric], costs, whole, n))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const size_t number = metrics_find(metrics, names[i], strlen(names[i]));

		if (number < metrics->n && is_share(&metrics->all[number], costs, whole, n))
			return true;
	}
	return false;
}

static bool is_zero(const struct types_writing *writing, const uint64_t *costs)
{
	for (size_t i = 0; i < writing->types.model->n_events; i++)
		if (costs[i] > 0)
			return false;
	return true;
}

/* All members with costs, and so many of the others; the last one is "elsewhere". */
static void write_members(struct types_writing *writing, const struct type_row *row)
{
	struct json *json = writing->json;
	size_t n_cold = 0;

	json_array(json, "members", true);
	for (size_t i = 0; i < row->n_members; i++) {
		const struct type_member *member = &row->members[i];
		bool is_rest = i + 1 == row->n_members;

		if (is_zero(writing, member->costs) && (is_rest || n_cold++ >= MOST_COLD))
			continue;
		json_object(json, NULL, true);
		json_count(json, "number", i);
		json_string(json, "name", member->name);
		if (is_rest) {
			json_null(json, "offset");
			json_null(json, "size");
		} else {
			json_count(json, "offset", member->offset);
			json_count(json, "size", member->size);
		}
		if (member->stride > 0) {
			json_count(json, "stride", member->stride);
			json_count(json, "copies", typemember_copies(member));
		}
		if (is_zero(writing, member->costs))
			json_null(json, "costs");
		else
			write_costs(writing, member->costs);
		json_close(json);
	}
	json_close(json);
	json_count(json, "cold", n_cold > MOST_COLD ? n_cold - MOST_COLD : 0);
}

static int write_layout(struct types_writing *writing, const struct type_row *row)
{
	struct json *json = writing->json;
	const struct type_layout *layout;
	struct type_advice advice;

	if (!typeadvice_make(&advice, &writing->types, row, &writing->arena))
		return PROFILE_NO_MEMORY;
	layout = &advice.layout;
	if (!advice.is_known || layout->lines == 0) {
		json_null(json, "layout");
		return PROFILE_OK;
	}
	json_object(json, "layout", true);
	json_count(json, "holes", layout->holes);
	json_number(json, "lines", (double)layout->lines / LAYOUT_PLACES, 2);
	json_bool(json, "better", layout->is_worthwhile);
	json_count(json, "new_size", layout->new_size);
	json_number(json, "new_lines", (double)layout->new_lines / LAYOUT_PLACES, 2);
	json_array(json, "members", true);
	for (size_t i = 0; i < layout->n; i++) {
		const struct layout_member *member = &layout->members[i];

		json_object(json, NULL, true);
		json_string(json, "name", advice.names[i]);
		json_count(json, "offset", member->offset);
		json_count(json, "size", member->size);
		json_count(json, "new_offset", member->new_offset);
		json_count(json, "hole", member->hole);
		json_bool(json, "hot", member->is_hot);
		json_close(json);
	}
	json_close(json);
	json_close(json);
	return PROFILE_OK;
}

static int128 cost_of(const struct types_writing *writing, const uint64_t *costs)
{
	return metric_value(&writing->metrics.all[writing->main_metric], costs, false);
}

/* Numbers of the uses of a row that have a share in it, of more than MOST_USES those that cost most. */
static size_t choose_uses(const struct types_writing *writing, size_t number, size_t at[MOST_USES])
{
	const struct type_costs *types = &writing->types;
	size_t n = 0;

	for (size_t i = 0; i < types->n_uses; i++) {
		const struct type_use *use = &types->uses[i];
		size_t least = 0;

		if (use->row != number ||
		    !is_part(writing, use->costs, types->rows[number].costs, USE_SHARE))
			continue;
		if (n < MOST_USES) {
			at[n++] = i;
			continue;
		}
		for (size_t k = 1; k < n; k++)
			if (cost_of(writing, types->uses[at[k]].costs) <
			    cost_of(writing, types->uses[at[least]].costs))
				least = k;
		if (cost_of(writing, types->uses[at[least]].costs) < cost_of(writing, use->costs))
			at[least] = i;
	}
	return n;
}

static void write_uses(struct types_writing *writing, size_t number)
{
	struct json *json = writing->json;
	size_t at[MOST_USES], n = choose_uses(writing, number, at);

	json_array(json, "uses", true);
	for (size_t i = 0; i < n; i++) {
		const struct type_use *use = &writing->types.uses[at[i]];

		json_object(json, NULL, true);
		json_count(json, "function", writing->rows->sides[SIDE_MAIN].rows[use->function]);
		json_count(json, "member", use->member);
		write_costs(writing, use->costs);
		json_close(json);
	}
	json_close(json);
}

static int write_type(struct types_writing *writing, size_t number)
{
	const struct type_row *row = &writing->types.rows[number];
	struct json *json = writing->json;
	int status = PROFILE_OK;

	json_object(json, NULL, true);
	json_string(json, "name", row->name);
	json_string(json, "kind", typecosts_kind_word(row->kind));
	json_count(json, "size", row->type ? row->type->size : 0);
	write_costs(writing, row->costs);
	if (row->n_members > 0) {
		write_members(writing, row);
		status = write_layout(writing, row);
	}
	if (row->kind != ROW_NO_DATA)
		write_uses(writing, number);
	json_close(json);
	return status;
}

/* Types that are not listed, as one row, so that rows add up to totals. */
static int write_rest(struct types_writing *writing, const bool *is_listed)
{
	uint64_t sums[PROFILE_MAX_EVENTS] = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < writing->types.n; i++) {
		if (is_listed[i])
			continue;
		for (size_t event = 0; event < writing->types.model->n_events; event++)
			if (!cost_add(&sums[event], writing->types.rows[i].costs[event], false))
				return PROFILE_RANGE;
		n++;
	}
	json_count(writing->json, "left", n);
	json_object(writing->json, "rest", true);
	write_costs(writing, sums);
	json_close(writing->json);
	return PROFILE_OK;
}

static int write_types(struct types_writing *writing)
{
	struct type_costs *types = &writing->types;
	const double detail = writing->input->detail * DETAIL;
	const double least = 100 / (detail > 0 ? detail : 1e-9);
	bool *is_listed = arena_alloc(&writing->arena, types->n + 1, 1);
	size_t n_types = 0;
	int status = PROFILE_OK;

	if (!is_listed)
		return PROFILE_NO_MEMORY;
	json_object(writing->json, "types", true);
	json_count(writing->json, "line", LAYOUT_LINE);
	json_array(writing->json, "rows", true);
	for (size_t i = 0; i < types->n && !status; i++) {
		is_listed[i] = types->rows[i].kind != ROW_TYPE ||
			       (n_types < MOST_TYPES &&
				is_part(writing, types->rows[i].costs, writing->totals, least));
		n_types += is_listed[i] && types->rows[i].kind == ROW_TYPE;
		if (is_listed[i])
			status = write_type(writing, i);
	}
	json_close(writing->json);
	if (!status)
		status = write_rest(writing, is_listed);
	json_close(writing->json);
	return status;
}

/* Types are first: rows are sorted. */
static bool has_types(const struct type_costs *types)
{
	return types->n > 0 && types->rows[0].kind == ROW_TYPE;
}

static int make(struct types_writing *writing)
{
	const struct report_input *input = writing->input;
	const struct model *model = input->model;
	const struct metric_source source = {
		.events = model->events,
		.n_events = model->n_events,
		.derived = model->derived,
		.n_derived = model->n_derived,
		.estimate = input->estimate,
	};
	const struct typecosts_options options = {
		.objects = input->objects,
		.oldest = input->oldest,
	};

	if (!metrics_init(&writing->metrics, &source, &writing->arena))
		return PROFILE_NO_MEMORY;
	if (!model_totals(model, writing->totals))
		return PROFILE_RANGE;
	writing->main_metric = metrics_main(&writing->metrics);
	writing->is_made = true;
	return typecosts_make(&writing->types, model, &writing->metrics,
			      &writing->metrics.all[writing->main_metric], &options);
}

int reporttypes_write(const struct report_input *input, const struct reportrows *rows,
		      struct json *json)
{
	struct types_writing writing = { .input = input, .rows = rows, .json = json };
	char message[TYPECOSTS_MESSAGE];
	int status;

	if (input->no_data || typecosts_missing(input->model, message))
		return PROFILE_OK;
	arena_init(&writing.arena, &heap_env);
	status = make(&writing);
	if (!status && has_types(&writing.types))
		status = write_types(&writing);
	if (writing.is_made)
		typecosts_release(&writing.types);
	arena_release(&writing.arena);
	return status;
}
