/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All but the ends of parts goes to the builder as it comes. */
#include "cmds/cli/merge_reader.h"

#include <string.h>

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

static struct part_desc *make_descs(struct merge_reader *reader, size_t n)
{
	return arena_alloc(&reader->texts, (n + 1) * sizeof(struct part_desc), 8);
}

/* Keeps the part's lines of caches, n of them. */
static void keep_caches(struct merge_reader *reader, const struct part *part, size_t n)
{
	reader->n_caches = 0;
	reader->caches = make_descs(reader, n);
	for (size_t i = 0; i < part->n_descs; i++) {
		struct part_desc desc = part->descs[i];

		if (!merged_header_is_cache(&desc))
			continue;
		desc.type = keep(reader, desc.type);
		desc.value = keep(reader, desc.value);
		reader->caches[reader->n_caches++] = desc;
	}
}

/* Keeps the lines of caches; a part without any has those of the parts before. */
static void carry_caches(struct merge_reader *reader, struct part *said)
{
	struct part_desc *descs;
	size_t n = 0;

	for (size_t i = 0; i < said->n_descs; i++)
		n += merged_header_is_cache(&said->descs[i]);
	if (n > 0)
		keep_caches(reader, said, n);
	if (n > 0 || reader->n_caches == 0)
		return;
	descs = make_descs(reader, reader->n_caches + said->n_descs);
	memcpy(descs, reader->caches, reader->n_caches * sizeof(*descs));
	if (said->n_descs > 0)
		memcpy(descs + reader->n_caches, said->descs, said->n_descs * sizeof(*descs));
	said->descs = descs;
	said->n_descs += reader->n_caches;
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

/* A sum must not look like one of whole profiles. */
static void note_cut(struct merge_reader *reader)
{
	struct merged_header *header = reader->header;
	char text[CUT_TEXT];

	if (header && reader->report && reader_describe_end(text, sizeof(text), reader->report))
		run_facts_add_salvaged(&header->facts, text, &header->arena);
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
	if (!status)
		note_cut(reader);
	if (reader->progress)
		progress_end_file(reader->progress);
	arena_release(&reader->texts);
	return status;
}
