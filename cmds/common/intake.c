/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All but the ends of parts goes to the builder as it comes. */
#include "cmds/common/intake.h"

#include <string.h>

static int visit_place(void *ctx, const struct place *place)
{
	struct intake *intake = ctx;

	intake->n_costs = 0;
	return visitor_place(intake->filter.to, place);
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct intake *intake = ctx;

	intake->n_several += ++intake->n_costs == 2;
	return visitor_cost(intake->filter.to, at, costs, n_costs);
}

/*
 * Adds what the model's newest part cost as a whole.  Whether the part is signed decides, not
 * whether the model is, lest the order of the files matter.
 */
static int add_summary(struct intake *intake, bool is_signed)
{
	const struct model *model = intake->model;
	const struct model_part *part = &model->parts[model->n_parts - 1];
	uint64_t *said = part->summary ? part->summary : part->totals;

	if (!said)
		said = part->sums;
	for (size_t i = 0; i < part->n; i++) {
		/* In the model too, which could not be told if it went beyond 64 bits there. */
		if (!cost_can_be_total(said[i], part->sums[i], is_signed)) {
			intake->corrected = true;
			said[i] = part->sums[i];
		}
		if (!cost_add(&intake->summary[i], said[i], model->is_signed))
			return PROFILE_RANGE;
	}
	return PROFILE_OK;
}

static const char *keep(struct intake *intake, const char *text)
{
	return arena_copy(&intake->texts, text, strlen(text));
}

static struct part_desc *make_descs(struct intake *intake, size_t n)
{
	return arena_alloc(&intake->texts, (n + 1) * sizeof(struct part_desc), 8);
}

static size_t count_caches(const struct part *part)
{
	size_t n = 0;

	for (size_t i = 0; i < part->n_descs; i++)
		n += merged_header_is_cache(&part->descs[i]);
	return n;
}

/* Keeps the part's lines of caches, n of them; false if memory ran out. */
static bool keep_caches(struct intake *intake, const struct part *part, size_t n)
{
	intake->n_caches = 0;
	intake->caches = make_descs(intake, n);
	for (size_t i = 0; intake->caches && i < part->n_descs; i++) {
		struct part_desc desc = part->descs[i];

		if (!merged_header_is_cache(&desc))
			continue;
		desc.type = keep(intake, desc.type);
		desc.value = keep(intake, desc.value);
		if (!desc.type || !desc.value)
			return false;
		intake->caches[intake->n_caches++] = desc;
	}
	return intake->caches != NULL;
}

/* Gives a part without lines of caches those of the parts before; false if memory ran out. */
static bool carry_caches(struct intake *intake, struct part *said)
{
	size_t n = count_caches(said);
	struct part_desc *descs;

	if (n > 0)
		return keep_caches(intake, said, n);
	if (intake->n_caches == 0)
		return true;
	descs = make_descs(intake, intake->n_caches + said->n_descs);
	if (!descs)
		return false;
	memcpy(descs, intake->caches, intake->n_caches * sizeof(*descs));
	if (said->n_descs > 0)
		memcpy(descs + intake->n_caches, said->descs, said->n_descs * sizeof(*descs));
	said->descs = descs;
	said->n_descs += intake->n_caches;
	return true;
}

/* Later parts of a file often leave out what does not change; false if memory ran out. */
static bool carry(struct intake *intake, struct part *said)
{
	if (said->cmd)
		intake->cmd = keep(intake, said->cmd);
	if (said->cmd && !intake->cmd)
		return false;
	said->cmd = intake->cmd;
	if (!said->has_pid) {
		said->has_pid = intake->has_pid;
		said->pid = intake->pid;
	}
	intake->has_pid = said->has_pid;
	intake->pid = said->pid;
	return carry_caches(intake, said);
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct intake *intake = ctx;
	struct part said = *part;
	int status = visitor_part_end(intake->filter.to, part);

	/* Before they are corrected. */
	if (!status && intake->report)
		model_note_totals(intake->model, intake->model->n_parts - 1, intake->report);
	if (!status && intake->header)
		status = carry(intake, &said) ? merged_header_add(intake->header, &said)
					      : PROFILE_NO_MEMORY;
	if (!status && intake->summary)
		status = add_summary(intake, part->is_signed);
	return status;
}

int intake_read(struct intake *intake, const char *path, struct reader_report *report,
		struct profile_error *error)
{
	static const struct visitor changes = { .place = visit_place,
						.cost = visit_cost,
						.part_end = visit_part_end };
	const struct reader_options options = { .lenient = intake->lenient,
						.names = intake->model->names,
						.env = intake->model->env,
						.progress = intake->progress ? progress_show : NULL,
						.progress_ctx = intake->progress };
	int status;

	visitor_filter_init(&intake->filter, &intake->builder->visitor, &changes);
	intake->n_costs = intake->n_several = 0;
	intake->corrected = false;
	intake->report = report;
	intake->cmd = NULL;
	intake->has_pid = false;
	intake->n_caches = 0;
	arena_init(&intake->texts, intake->model->env);
	if (intake->header)
		merged_header_begin_file(intake->header);
	builder_begin_file(intake->builder, path, intake->model->names);
	status = reader_read(path, &options, &intake->filter.visitor, report, error);
	if (intake->progress)
		progress_end_file(intake->progress);
	arena_release(&intake->texts);
	return status;
}
