/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/cli/profileio.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/region.h"
#include "writer/out.h"

/* -- reading: all but the ends of parts goes to the builder as it comes ------------------- */

enum {
	CUT_TEXT = 256, /* bytes of what was wrong with a file that is cut short, with the NUL */
};

static int visit_place(void *ctx, const struct place *place)
{
	struct merge_reader *reader = ctx;

	reader->n_costs = 0;
	return visitor_place(reader->filter.to, place);
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct merge_reader *reader = ctx;

	reader->n_several += ++reader->n_costs == 2;
	return visitor_cost(reader->filter.to, at, costs, n_costs);
}

/*
 * Adds what the model's newest part cost as a whole.  The part's sign decides, not the model's, so
 * that the order of the files does not matter.
 */
static int add_summary(struct merge_reader *reader, bool is_signed)
{
	const struct model *model = reader->model;
	const struct model_part *part = &model->parts[model->n_parts - 1];
	uint64_t *said = part->summary ? part->summary : part->totals;

	if (!said)
		said = part->sums;
	for (size_t i = 0; i < part->n; i++) {
		/* In the model too, which could not be reported if it went beyond 64 bits there. */
		if (!cost_can_be_total(said[i], part->sums[i], is_signed)) {
			reader->corrected = true;
			said[i] = part->sums[i];
		}
		if (!cost_add(&reader->summary[i], said[i], model->is_signed))
			return PROFILE_RANGE;
	}
	return PROFILE_OK;
}

static const char *keep(struct merge_reader *reader, const char *text)
{
	return arena_copy(&reader->texts, text, strlen(text));
}

/* Keeps the lines of caches; a part without any has the ones of the parts before. */
static void carry_caches(struct merge_reader *reader, struct part *said)
{
	struct part_desc *descs;
	size_t n = 0;

	for (size_t i = 0; i < said->n_descs; i++)
		n += merged_header_is_cache(&said->descs[i]);
	if (n == 0 && reader->n_caches == 0)
		return;
	descs = arena_alloc(&reader->texts, (n + reader->n_caches + said->n_descs) * sizeof(*descs),
			    sizeof(void *));
	if (n == 0) {
		memcpy(descs, reader->caches, reader->n_caches * sizeof(*descs));
		if (said->n_descs > 0)
			memcpy(descs + reader->n_caches, said->descs,
			       said->n_descs * sizeof(*descs));
		said->descs = descs;
		said->n_descs += reader->n_caches;
		return;
	}
	reader->caches = descs;
	reader->n_caches = 0;
	for (size_t i = 0; i < said->n_descs; i++)
		if (merged_header_is_cache(&said->descs[i]))
			descs[reader->n_caches++] =
				(struct part_desc){ keep(reader, said->descs[i].type),
						    keep(reader, said->descs[i].value) };
}

/* Later parts of a file often leave out what does not change. */
static void carry(struct merge_reader *reader, struct part *said)
{
	if (said->cmd)
		reader->cmd = keep(reader, said->cmd);
	said->cmd = reader->cmd;
	if (!said->has_pid) {
		said->has_pid = reader->has_pid;
		said->pid = reader->pid;
	}
	reader->has_pid = said->has_pid;
	reader->pid = said->pid;
	carry_caches(reader, said);
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct merge_reader *reader = ctx;
	struct part said = *part;
	int status = visitor_part_end(reader->filter.to, part);

	/* Before they are corrected. */
	if (!status && reader->report)
		model_note_totals(reader->model, reader->model->n_parts - 1, reader->report);
	if (!status && reader->header) {
		carry(reader, &said);
		status = merged_header_add(reader->header, &said);
	}
	if (!status && reader->summary)
		status = add_summary(reader, part->is_signed);
	return status;
}

int merge_reader_read(struct merge_reader *reader, const char *path, struct reader_report *report,
		      struct profile_error *error)
{
	static const struct visitor changes = { .place = visit_place,
						.cost = visit_cost,
						.part_end = visit_part_end };
	const struct reader_options options = { .lenient = reader->lenient,
						.names = reader->model->names,
						.progress = reader->progress ? progress_show : NULL,
						.progress_ctx = reader->progress };
	char text[CUT_TEXT];
	int status;

	visitor_filter_init(&reader->filter, &reader->builder->visitor, &changes);
	reader->n_costs = reader->n_several = 0;
	reader->corrected = false;
	reader->report = report;
	reader->cmd = NULL;
	reader->has_pid = false;
	reader->n_caches = 0;
	arena_init(&reader->texts);
	if (reader->header)
		merged_header_begin_file(reader->header);
	builder_begin_file(reader->builder, path, reader->model->names);
	status = reader_read(path, &options, &reader->filter.visitor, report, error);
	/* A sum must not look like one of whole profiles. */
	if (!status && reader->header && report && reader_describe_end(text, sizeof(text), report))
		run_facts_add_salvaged(&reader->header->facts, text, &reader->header->arena);
	if (reader->progress)
		progress_end_file(reader->progress);
	arena_release(&reader->texts);
	return status;
}

/* -- Cachegrind's format: everything is passed to a builder, and written from the model --- */

static int flatten_part(void *ctx, const struct part *part)
{
	struct cachegrind *cachegrind = ctx;

	cachegrind->part = *part;
	cachegrind->part.positions = POSITION_LINE;
	return visitor_part(cachegrind->filter.to, &cachegrind->part);
}

static int flatten_place(void *ctx, const struct place *place)
{
	struct cachegrind *cachegrind = ctx;
	struct name unknown =
		dictionary_name(&cachegrind->builder.source[NAME_OBJECT], DICTIONARY_UNKNOWN);
	const struct place flat = { unknown, place->source, place->function, place->source, false };

	return visitor_place(cachegrind->filter.to, &flat);
}

static int flatten_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct cachegrind *cachegrind = ctx;
	const struct position line = { 0, at->line };

	return visitor_cost(cachegrind->filter.to, &line, costs, n_costs);
}

static int flatten_call(void *ctx, const struct call *call)
{
	(void)call;
	((struct cachegrind *)ctx)->n_dropped++;
	return PROFILE_OK;
}

static int flatten_jump(void *ctx, const struct jump *jump)
{
	(void)jump;
	((struct cachegrind *)ctx)->n_dropped++;
	return PROFILE_OK;
}

static int flatten_part_end(void *ctx, const struct part *part)
{
	struct cachegrind *cachegrind = ctx;

	(void)part;
	return visitor_part_end(cachegrind->filter.to, &cachegrind->part);
}

void cachegrind_init(struct cachegrind *cachegrind, const struct env *env,
		     const struct dictionary *names)
{
	static const struct visitor changes = {
		.part = flatten_part,
		.place = flatten_place,
		.cost = flatten_cost,
		.call = flatten_call,
		.jump = flatten_jump,
		.part_end = flatten_part_end,
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

/* The first part's, as for its other lines: what is written is one part. */
static void write_regions(struct out *out, const struct model *model)
{
	const struct part *part = model->n_parts > 0 ? &model->parts[0].header : NULL;
	struct bytes text;

	bytes_init(&text);
	for (size_t i = 0; part && i < part->n_regions; i++) {
		bytes_reset(&text);
		region_print(&part->regions[i], &text);
		bytes_add_char(&text, '\0');
		write_desc(out, &(struct part_desc){ REGION_DESC, text.text });
	}
	bytes_release(&text);
}

static void write_header(struct out *out, const struct model *model)
{
	static const struct part_desc creator = { "Creator", "costgrind-" COSTGRIND_VERSION };
	const struct part *part = model->n_parts > 0 ? &model->parts[0].header : NULL;

	for (size_t i = 0; part && i < part->n_descs; i++)
		write_desc(out, &part->descs[i]);
	write_regions(out, model);
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
