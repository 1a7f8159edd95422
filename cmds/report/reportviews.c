/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/report/reportviews.h"

#include "cmds/data/objects.h"
#include "cmds/emit/document.h"
#include "cmds/listing/column.h"
#include "cmds/types/typecosts.h"
#include "profile/analysis/inclusive.h"
#include "profile/common/heap.h"

/* The costs of a page's rows: counts of some events of a model, in their order. */
struct page_costs {
	const size_t *events; /* NULL = all */
	size_t n;
	int128 values[PROFILE_MAX_EVENTS];
};

static struct cell page_counts(void *ctx, const void *costs)
{
	struct page_costs *shown = ctx;

	for (size_t i = 0; i < shown->n; i++)
		shown->values[i] = ((const uint64_t *)costs)[shown->events ? shown->events[i] : i];
	return cell_counts((struct cell_counts){ .n = shown->n, .values = shown->values });
}

static void put_types(const struct typeview *view, const struct reportrows *rows, struct json *json)
{
	/* By the report's events, which an older profile may limit. */
	struct page_costs shown = { rows->sides[SIDE_MAIN].events, rows->n_events, { 0 } };
	const struct document_costs costs = { .counts = page_counts, .ctx = &shown };
	struct document document;

	json_object(json, "types", true);
	document_begin_part(&document, json);
	document_use_costs(&document, &costs);
	typeview_put(&document, view);
	document_end(&document);
	json_close(json);
}

int reporttypes_write(const struct report_input *input, const struct reportrows *rows,
		      struct json *json)
{
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
	const struct typeview_page page = { rows->sides[SIDE_MAIN].rows };
	uint64_t totals[PROFILE_MAX_EVENTS];
	char message[TYPECOSTS_MESSAGE];
	struct type_costs types;
	struct metrics metrics;
	struct typeview view = {
		.costs = &types,
		.metrics = &metrics,
		.totals = totals,
		.threshold = input->detail,
		.page = &page,
	};
	struct arena arena;
	int status;

	if (input->no_data || typecosts_missing(model, message))
		return PROFILE_OK;
	if (!model_totals(model, totals))
		return PROFILE_RANGE;
	arena_init(&arena);
	view.arena = &arena;
	metrics_init(&metrics, &source, &arena);
	view.sort = &metrics.all[metrics_main(&metrics)];
	status = typecosts_make(&types, model, &metrics, view.sort, &options);
	/* Types are first: rows are sorted. */
	if (!status && types.n > 0 && types.rows[0].kind == ROW_TYPE)
		put_types(&view, rows, json);
	typecosts_release(&types);
	arena_release(&arena);
	return status;
}

/* -- objects --------------------------------------------------------------------------------- */

struct finding_rows {
	const struct reportrows *rows;
	const struct model *model; /* the data profile */
};

/* The function of the report, which has it unless it costs nothing there. */
static uint32_t find_row(void *ctx, uint32_t function)
{
	const struct finding_rows *finding = ctx;

	return reportrows_find(finding->rows, SIDE_MAIN, finding->model, function);
}

static void put_objects(const struct objectview *view, struct json *json)
{
	const struct model *model = view->model;
	const struct columns *columns = view->columns;
	struct page_costs shown = { .n = model->n_events };
	const struct document_costs costs = { .counts = page_counts, .ctx = &shown };
	struct document document;

	json_object(json, "data_objects", true);
	reportevents_write(model, NULL, &columns->metrics, columns->keys[0].metric, json);
	document_begin_part(&document, json);
	document_use_costs(&document, &costs);
	document_costs_value(&document, "totals", view->totals);
	objectview_put(&document, view);
	document_end(&document);
	json_close(json);
}

int reportobjects_write(const struct report_input *input, const struct reportrows *rows,
			struct json *json)
{
	const struct model *model = input->data;
	const struct column_choice choice = { .estimate = input->estimate };
	const struct typecosts_options options = {
		.objects = input->objects,
		.oldest = input->oldest,
	};
	struct finding_rows finding = { rows, model };
	const struct objectview_page page = { input->detail, find_row, &finding };
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
		objecttypes_make(&types, &objects, model, &options);
		put_objects(&(struct objectview){ .objects = &objects,
						  .model = model,
						  .columns = &columns,
						  .totals = totals,
						  .page = &page,
						  .arena = &arena },
			    json);
	}
	objecttypes_release(&types);
	self_costs_release(&self_costs);
	arena_release(&arena);
	return status;
}
