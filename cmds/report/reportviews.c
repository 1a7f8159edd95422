/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the data that are views, which commands print, too: of the profile, not of an older one, but for regions.  Each is an
 * object with the view's own members, left out if the profile has nothing to show in it.
 */
#include "cmds/branches/branchlist.h"
#include "cmds/data/objects.h"
#include "cmds/emit/document.h"
#include "cmds/listing/column.h"
#include "cmds/placement/placement.h"
#include "cmds/report/report.h"
#include "cmds/roofline/roofline.h"
#include "cmds/types/typecosts.h"
#include "cmds/why/findings.h"
#include "profile/analysis/inclusive.h"
#include "profile/analysis/regionpair.h"
#include "profile/common/heap.h"

/* More than anybody looks at; what is left out is said. */
#define BRANCHES_THRESHOLD 0.1
enum {
	MOST_BRANCHES = 100,
	MOST_FUNCTIONS = 200, /* of the roofline: those with most operations */
};

/* A part that is being written. */
struct putting {
	const struct report_input *input;
	struct reportrows *rows;
	struct json *json;
	struct document document;
	struct document_numbers numbers;
	struct document_costs costs;
	/* Costs of a row are counts of these events of a model, in their order. */
	const size_t *events; /* NULL = all */
	size_t n_events;
	int128 values[PROFILE_MAX_EVENTS];
	/* Findings and "types" are made of the same. */
	struct metrics metrics;
	struct type_costs types;
	struct typecosts_options type_options;
	bool has_types;
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct arena arena;
};

static struct cell row_counts(void *ctx, const void *costs)
{
	struct putting *putting = ctx;

	for (size_t i = 0; i < putting->n_events; i++)
		putting->values[i] =
			((const uint64_t *)costs)[putting->events ? putting->events[i] : i];
	return cell_counts(
		(struct cell_counts){ .n = putting->n_events, .values = putting->values });
}

static uint64_t row_number(void *ctx, uint32_t function)
{
	return ((const struct putting *)ctx)->rows->sides[SIDE_MAIN].rows[function];
}

/* The row of a function of the data profile, which the report has unless it costs nothing there. */
static uint64_t data_row_number(void *ctx, uint32_t function)
{
	const struct putting *putting = ctx;
	uint32_t row = reportrows_find(putting->rows, SIDE_MAIN, putting->input->data, function);

	return row == MODEL_NO_FUNCTION ? UINT64_MAX : row;
}

static uint64_t file_number(void *ctx, uint32_t file)
{
	return reportrows_file(((const struct putting *)ctx)->rows, SIDE_MAIN, file);
}

/* Begins the document that a view is put into; without a key, the view opens its object itself. */
static struct document *begin(struct putting *putting, const char *key)
{
	putting->numbers = (struct document_numbers){ row_number, file_number, putting };
	putting->costs = (struct document_costs){ .counts = row_counts, .ctx = putting };
	document_begin_part(&putting->document, putting->json);
	document_use_numbers(&putting->document, &putting->numbers);
	document_use_costs(&putting->document, &putting->costs);
	if (key)
		document_object(&putting->document, key, true);
	return &putting->document;
}

static void end(struct putting *putting, const char *key)
{
	if (key)
		document_close(&putting->document);
	document_end(&putting->document);
}

/* "branches" */
static int write_branches(struct putting *putting)
{
	const struct report_input *input = putting->input;
	const struct branchlist_options options = {
		.threshold = BRANCHES_THRESHOLD,
		.most = MOST_BRANCHES,
		.objects = input->objects,
		.no_code = input->no_code,
		.oldest = input->oldest,
	};
	const struct model *model = input->model;
	struct branch_list list;
	int status;

	if (model->is_signed || model_event(model, "Bc") == model->n_events)
		return PROFILE_OK;
	status = branchlist_make(&list, model, &options);
	if (!status) {
		branchview_put(begin(putting, "branches"), &list);
		end(putting, "branches");
	}
	branchlist_release(&list);
	return status;
}

/* "layout": loops that could be placed better. */
static int write_placement(struct putting *putting)
{
	const struct report_input *input = putting->input;
	const struct placement_options options = {
		.estimate = input->estimate,
		.objects = input->objects,
		.oldest = input->oldest,
	};
	struct placement placement;
	int status;

	if (input->no_code || placement_missing(input->model))
		return PROFILE_OK;
	status = placement_make(&placement, input->model, &options);
	if (!status) {
		placementview_put(begin(putting, NULL), &placement);
		end(putting, NULL);
	}
	placement_release(&placement);
	return status;
}

/* "why": findings. */
static int write_findings(struct putting *putting)
{
	const struct report_input *input = putting->input;
	const struct findings_options options = {
		.profile = input->path,
		.objects = input->objects,
		.estimate = input->estimate,
		.no_code = input->no_code,
		.has_data = !input->no_data,
		.types = putting->has_types ? &putting->types : NULL,
		.data = input->data,
		.tree = input->tree,
		.policy = input->policy,
		.rules = input->rules,
		.oldest = input->oldest,
	};
	struct findings findings;
	int status;

	if (input->model->is_signed)
		return PROFILE_OK;
	status = findings_make(&findings, input->model, &options);
	if (!status) {
		whyview_put(begin(putting, "why"), &findings);
		end(putting, "why");
	}
	findings_release(&findings);
	return status;
}

/* Types of data, if the profile has what is needed. */
static int make_types(struct putting *putting)
{
	const struct report_input *input = putting->input;
	const struct model *model = input->model;
	const struct metric_source source = metric_source_of(model, input->estimate);
	char message[TYPECOSTS_MESSAGE];

	if (input->no_data || typecosts_missing(model, message))
		return PROFILE_OK;
	if (!model_totals(model, putting->totals))
		return PROFILE_RANGE;
	putting->type_options = (struct typecosts_options){
		.objects = input->objects,
		.oldest = input->oldest,
	};
	metrics_init(&putting->metrics, &source, &putting->arena);
	putting->has_types = true;
	return typecosts_make(&putting->types, model, &putting->metrics,
			      &putting->metrics.all[metrics_main(&putting->metrics)],
			      &putting->type_options);
}

/* "types": of data and members of structs, by what instructions refer to.  */
static int write_types(struct putting *putting)
{
	const struct typeview view = {
		.costs = &putting->types,
		.metrics = &putting->metrics,
		.sort = &putting->metrics.all[metrics_main(&putting->metrics)],
		.totals = putting->totals,
		.threshold = putting->input->detail,
		.is_page = true,
		.arena = &putting->arena,
	};

	/* Types are first: rows are sorted. */
	if (!putting->has_types || putting->types.n == 0 || putting->types.rows[0].kind != ROW_TYPE)
		return PROFILE_OK;
	/* By the report's events, which an older profile may limit. */
	putting->events = putting->rows->sides[SIDE_MAIN].events;
	putting->n_events = putting->rows->n_events;
	typeview_put(begin(putting, "types"), &view);
	end(putting, "types");
	return PROFILE_OK;
}

/* "data_objects", by the data profile (docs/FORMAT.md).  */
static int write_objects(struct putting *putting)
{
	const struct report_input *input = putting->input;
	const struct model *model = input->data;
	const struct column_choice choice = { .estimate = input->estimate };
	const struct typecosts_options options = {
		.objects = input->objects,
		.oldest = input->oldest,
	};
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct self_costs self_costs;
	struct object_types types = { .model = NULL };
	struct object_costs objects;
	struct columns columns;
	struct arena arena;
	const struct basis basis = {
		.model = model,
		.self_costs = &self_costs,
		.columns = &columns,
		.totals = totals,
		.arena = &arena,
	};
	int status;

	if (!model || !objectcosts_are_in(model))
		return PROFILE_OK;
	if (!model_totals(model, totals))
		return PROFILE_RANGE;
	arena_init(&arena);
	columns_init(&columns, model, &choice, &arena);
	status = self_costs_compute(&self_costs, model, &arena);
	if (!status)
		status = objectcosts_make(&objects, &basis);
	if (!status && objects.n > 0) {
		struct document *document;

		objecttypes_make(&types, &objects, model, &options);
		putting->events = NULL;
		putting->n_events = model->n_events;
		document = begin(putting, "data_objects");
		putting->numbers.function = data_row_number;
		reportevents_write(model, NULL, &columns.metrics, columns.keys[0].metric,
				   putting->json);
		document_costs_value(document, "totals", totals);
		objectview_put(document, &(struct objectview){ .objects = &objects,
							       .model = model,
							       .columns = &columns,
							       .totals = totals,
							       .is_page = true,
							       .detail = input->detail,
							       .arena = &arena });
		end(putting, "data_objects");
	}
	objecttypes_release(&types);
	self_costs_release(&self_costs);
	arena_release(&arena);
	return status;
}

/* What the picture of a roofline needs besides the view: places that have bytes, and the roofs. */
static void write_roofs(const struct traffic *traffic, const struct roofs *roofs, struct json *json)
{
	json_bool(json, "has_prefetches", traffic->has_prefetches);
	json_array(json, "peak", true);
	for (unsigned i = 0; i < N_TRAFFIC_KINDS; i++)
		json_number(json, NULL, roofs->peak[i], 6);
	json_close(json);
	json_array(json, "places", true);
	for (unsigned i = 0; i < N_TRAFFIC_PLACES; i++) {
		if (!traffic->has[i])
			continue;
		json_object(json, NULL, true);
		json_string(json, "name", traffic_place_name(traffic, (enum traffic_place)i));
		json_number(json, "roof", roofs->bytes[i], 6);
		json_close(json);
	}
	json_close(json);
}

/* "roofline", with the roofs of the machine that the profile names, if it is built in. */
static int write_roofline(struct putting *putting)
{
	const struct model *model = putting->input->model;
	struct traffic traffic;
	struct roofs roofs;
	struct arena arena;
	bool has_bytes = false;
	int status;

	if (model->is_signed || traffic_lacks(model))
		return PROFILE_OK;
	arena_init(&arena);
	status = traffic_find(&traffic, model, &arena);
	for (unsigned i = 0; !status && i < N_TRAFFIC_PLACES; i++)
		has_bytes |= traffic.has[i];
	if (!status && traffic.n > 0 && has_bytes) {
		const size_t shown = traffic.n < MOST_FUNCTIONS ? traffic.n : MOST_FUNCTIONS;
		const struct rooflineview view = { &traffic, &roofs, shown };

		roofs_of_profile(&roofs, model);
		rooflineview_put(begin(putting, "roofline"), &view);
		write_roofs(&traffic, &roofs, putting->json);
		json_count(putting->json, "not_shown", traffic.n - shown);
		end(putting, "roofline");
	}
	arena_release(&arena);
	return status;
}

static void write_side(const struct region_side *side, size_t n_events, struct json *json)
{
	json_count(json, "times", side->times);
	json_count(json, "threads", side->threads);
	json_bool(json, "open", side->is_open);
	json_array(json, "costs", true);
	for (size_t i = 0; i < n_events; i++)
		json_count(json, NULL, side->costs[i]);
	json_close(json);
}

/* "regions", and what they were in an older profile. */
static int write_regions(struct putting *putting)
{
	const struct report_input *input = putting->input;
	const size_t n_events = putting->rows->n_events;
	struct json *json = putting->json;
	struct region_pairs pairs;
	struct arena arena;
	int status;

	arena_init(&arena);
	status = input->difference ? regionpairs_of_difference(&pairs, input->difference, &arena)
				   : regionpairs_of_model(&pairs, input->model, &arena);
	if (!status && pairs.n > 0) {
		json_array(json, "regions", false);
		for (size_t i = 0; i < pairs.n; i++) {
			const struct region_pair *pair = &pairs.all[i];

			json_object(json, NULL, true);
			json_string(json, "name", pair->name);
			json_bool(json, "gone", !pair->new_side.is_there);
			write_side(&pair->new_side, n_events, json);
			if (pair->old_side.is_there) {
				json_object(json, "older", true);
				write_side(&pair->old_side, n_events, json);
				json_close(json);
			}
			json_close(json);
		}
		json_close(json);
	}
	arena_release(&arena);
	return status;
}

int reportviews_write(const struct report_input *input, struct reportrows *rows,
		      const struct metrics *metrics, const struct metric *metric, struct json *json)
{
	static int (*const parts[])(struct putting *) = {
		write_branches, write_placement, write_findings, write_types,
		write_objects,  write_roofline,  write_regions,
	};
	struct putting putting = { .input = input, .rows = rows, .json = json };
	int status;

	arena_init(&putting.arena);
	status = make_types(&putting);
	for (size_t i = 0; !status && i < sizeof(parts) / sizeof(parts[0]); i++)
		status = parts[i](&putting);
	if (!status && input->difference)
		status = reportchanges_write(rows, input->difference, metrics, metric, json);
	if (putting.has_types)
		typecosts_release(&putting.types);
	arena_release(&putting.arena);
	return status;
}
