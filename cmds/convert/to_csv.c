/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv (RFC 4180): a visitor that prints a row for each cost and each call. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmds/convert/formats.h"
#include "cmds/emit/visible.h"
#include "profile/model/model.h"

struct csv {
	struct out out;
	const struct model *model;
	struct metrics metrics; /* those that the profile defines have columns after its events */
	struct arena arena;
	struct place place;
};

/* Text as a field: quoted if it must be, and with a "'" in front where a spreadsheet would calculate. */
static void put_text(struct csv *csv, const char *text, size_t len)
{
	struct out *out = &csv->out;
	const char *mark = visible_needs_quote(text, len) ? "'" : "";
	bool quoted = false;

	for (size_t i = 0; i < len && !quoted; i++)
		quoted = strchr(",\"\r\n", text[i]) != NULL && text[i] != '\0';
	if (!quoted) {
		out_text(out, mark);
		out_bytes(out, text, len);
		return;
	}
	out_char(out, '"');
	out_text(out, mark);
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			out_char(out, '"');
		out_char(out, text[i]);
	}
	out_char(out, '"');
}

static void put_name(struct csv *csv, const struct name *name)
{
	out_char(&csv->out, ',');
	put_text(csv, name->text, name->len);
}

static void put_count(struct csv *csv, uint64_t count)
{
	if (csv->model->is_signed)
		out_signed(&csv->out, count);
	else
		out_decimal(&csv->out, count);
}

static void put_costs(struct csv *csv, const uint64_t *costs, size_t n)
{
	uint64_t all[PROFILE_MAX_EVENTS] = { 0 };

	memcpy(all, costs, n * sizeof(*costs));
	for (size_t i = 0; i < csv->model->n_events; i++) {
		out_char(&csv->out, ',');
		put_count(csv, all[i]);
	}
	for (size_t i = csv->metrics.n_events; i < csv->metrics.n; i++) {
		const struct metric *metric = &csv->metrics.all[i];
		char text[INT128_TEXT];

		if (!metrics_is_defined(csv->model, metric->name))
			continue;
		int128_print(text, metric_value(metric, all, csv->model->is_signed), false);
		out_char(&csv->out, ',');
		out_text(&csv->out, text);
	}
	out_text(&csv->out, "\r\n");
}

/* record,object,file,function,source,address,line */
static void begin_row(struct csv *csv, const char *record, const struct position *at)
{
	out_text(&csv->out, record);
	put_name(csv, &csv->place.object);
	put_name(csv, &csv->place.file);
	put_name(csv, &csv->place.function);
	put_name(csv, &csv->place.source);
	out_char(&csv->out, ',');
	if (csv->model->positions & POSITION_INSTR)
		out_hex(&csv->out, at->instr);
	out_char(&csv->out, ',');
	if (csv->model->positions & POSITION_LINE)
		out_decimal(&csv->out, at->line);
}

static int status_of(const struct csv *csv)
{
	return csv->out.error ? PROFILE_STOPPED : PROFILE_OK;
}

static int visit_place(void *ctx, const struct place *place)
{
	((struct csv *)ctx)->place = *place;
	return PROFILE_OK;
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct csv *csv = ctx;

	begin_row(csv, "cost", at);
	out_text(&csv->out, ",,,,");
	put_costs(csv, costs, n_costs);
	return status_of(csv);
}

static int visit_call(void *ctx, const struct call *call)
{
	struct csv *csv = ctx;

	begin_row(csv, "call", &call->at);
	put_name(csv, &call->callee.object);
	put_name(csv, &call->callee.file);
	put_name(csv, &call->callee.function);
	out_char(&csv->out, ',');
	put_count(csv, call->count);
	put_costs(csv, call->costs, call->n_costs);
	return status_of(csv);
}

int to_csv(struct conversion *conversion)
{
	const struct walk_options walking = { .order = WALK_BY_NAME, .one_part = true };
	struct csv csv = { .model = conversion->model };
	const struct visitor visitor = {
		.ctx = &csv, .place = visit_place, .cost = visit_cost, .call = visit_call
	};
	const struct metric_source source = metric_source_of(csv.model, NULL);
	int status;

	arena_init(&csv.arena);
	metrics_init(&csv.metrics, &source, &csv.arena);
	out_init(&csv.out, conversion->env);
	out_text(&csv.out, "record,object,file,function,source,address,line,"
			   "callee_object,callee_file,callee,calls");
	for (size_t i = 0; i < csv.metrics.n; i++) {
		const char *name = csv.metrics.all[i].name;

		if (i >= csv.metrics.n_events && !metrics_is_defined(csv.model, name))
			continue;
		out_char(&csv.out, ',');
		put_text(&csv, name, strlen(name));
	}
	out_text(&csv.out, "\r\n");
	status = model_walk(conversion->model, &walking, &visitor);
	format_close(conversion, &csv.out);
	arena_release(&csv.arena);
	return conversion->output_error ? PROFILE_OK : status;
}
