/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything is passed to a builder, and written from the model that this gives. */
#include "cmds/cli/cachegrind.h"

#include <stdlib.h>
#include <string.h>

#include "profile/model/model.h"
#include "writer/out.h"

static int visit_part(void *ctx, const struct part *part)
{
	struct cachegrind *cachegrind = ctx;

	cachegrind->part = *part;
	cachegrind->part.positions = POSITION_LINE;
	return visitor_part(cachegrind->filter.to, &cachegrind->part);
}

static int visit_place(void *ctx, const struct place *place)
{
	struct cachegrind *cachegrind = ctx;
	struct name unknown =
		dictionary_name(&cachegrind->builder.source[NAME_OBJECT], DICTIONARY_UNKNOWN);
	const struct place flat = { unknown, place->source, place->function, place->source, false };

	return visitor_place(cachegrind->filter.to, &flat);
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct cachegrind *cachegrind = ctx;
	const struct position line = { 0, at->line };

	return visitor_cost(cachegrind->filter.to, &line, costs, n_costs);
}

static int visit_call(void *ctx, const struct call *call)
{
	(void)call;
	((struct cachegrind *)ctx)->n_dropped++;
	return PROFILE_OK;
}

static int visit_jump(void *ctx, const struct jump *jump)
{
	(void)jump;
	((struct cachegrind *)ctx)->n_dropped++;
	return PROFILE_OK;
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct cachegrind *cachegrind = ctx;

	(void)part;
	return visitor_part_end(cachegrind->filter.to, &cachegrind->part);
}

void cachegrind_init(struct cachegrind *cachegrind, const struct env *env,
		     const struct dictionary *names)
{
	static const struct visitor changes = {
		.part = visit_part,
		.place = visit_place,
		.cost = visit_cost,
		.call = visit_call,
		.jump = visit_jump,
		.part_end = visit_part_end,
	};

	*cachegrind = (struct cachegrind){ .env = env };
	visitor_filter_init(&cachegrind->filter, &cachegrind->builder.visitor, &changes);
	model_init(&cachegrind->model);
	builder_init(&cachegrind->builder, &cachegrind->model, NULL);
	builder_begin_file(&cachegrind->builder, NULL, names);
}

void cachegrind_release(struct cachegrind *cachegrind)
{
	builder_release(&cachegrind->builder);
	model_release(&cachegrind->model);
}

/* -- writing ------------------------------------------------------------------- */

static void write_count(struct out *out, uint64_t count, bool is_signed)
{
	if (is_signed)
		out_signed(out, count);
	else
		out_decimal(out, count);
}

/* The blanks that Cachegrind writes, for looks. */
static void write_desc(struct out *out, const struct part_desc *desc)
{
	bool is_cache = strcmp(desc->type, "I1 cache") == 0 ||
			strcmp(desc->type, "D1 cache") == 0 || strcmp(desc->type, "LL cache") == 0;

	out_text(out, "desc: ");
	out_text(out, desc->type);
	if (desc->value[0]) {
		out_text(out, is_cache ? ":         " : ": ");
		out_text(out, desc->value);
	}
	out_char(out, '\n');
}

static void write_header(struct out *out, const struct model *model)
{
	static const struct part_desc creator = { "Creator", "costgrind-" COSTGRIND_VERSION };
	const struct part *part = model->n_parts > 0 ? &model->parts[0].header : NULL;

	for (size_t i = 0; part && i < part->n_descs; i++)
		write_desc(out, &part->descs[i]);
	if (!part || part->n_descs == 0)
		write_desc(out, &creator); /* cg_merge wants one */
	out_text(out, "cmd: ");
	out_text(out, part && part->cmd ? part->cmd : "???");
	out_text(out, "\nevents:");
	for (size_t i = 0; i < model->n_events; i++) {
		out_char(out, ' ');
		out_text(out, model->events[i].name);
	}
	out_char(out, '\n');
}

static void write_name(struct out *out, const char *spec, const struct name *name)
{
	out_text(out, spec);
	out_bytes(out, name->text, name->len);
	out_char(out, '\n');
}

static void write_line(struct out *out, const struct model *model, const struct model_line *line)
{
	out_decimal(out, line->at.line);
	out_text(out, "  ");
	for (size_t i = 0; i < model->n_events; i++) {
		out_char(out, ' ');
		write_count(out, line->costs[i], model->is_signed);
	}
	out_text(out, " \n");
}

static void write_function(struct out *out, const struct model *model, uint32_t function)
{
	const struct name file = model_name(model, NAME_FILE, model->functions[function].file);
	const struct name name = model_name(model, NAME_FUNCTION, model->functions[function].name);
	struct model_cursor cursor;
	struct model_line line;

	if (!model_has(model, function, 0))
		return;
	write_name(out, "fl=", &file);
	write_name(out, "fn=", &name);
	model_lines(model, function, 0, &cursor);
	while (model_next_line(&cursor, &line))
		write_line(out, model, &line);
}

static void write_summary(struct out *out, const struct model *model)
{
	uint64_t totals[PROFILE_MAX_EVENTS];

	if (!model_totals(model, totals))
		out_fail(out, OUT_MISUSE);
	out_text(out, "summary:");
	for (size_t i = 0; i < model->n_events; i++) {
		out_char(out, ' ');
		write_count(out, totals[i], model->is_signed);
	}
	out_char(out, '\n');
}

int cachegrind_finish(struct cachegrind *cachegrind)
{
	const struct model *model = &cachegrind->model;
	int status = builder_finish(&cachegrind->builder);
	struct out out;
	int error;

	if (status)
		return OUT_MISUSE;
	out_init(&out, cachegrind->env);
	if (model->n_events > 0) { /* an empty profile is an empty file */
		uint32_t *order = model_functions_by_name(model);

		write_header(&out, model);
		for (size_t i = 0; i < model->n_functions; i++)
			write_function(&out, model, order[i]);
		write_summary(&out, model);
		free(order);
	}
	error = out_flush(&out);
	out_release(&out);
	return error;
}
