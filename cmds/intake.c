/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All but the ends of parts goes to the builder as it comes. */
#include "cmds/intake.h"

static int visit_part(void *ctx, const struct part *part)
{
	const struct visitor *to = &((struct intake *)ctx)->builder->visitor;

	return to->part(to->ctx, part);
}

static int visit_place(void *ctx, const struct place *place)
{
	struct intake *intake = ctx;
	const struct visitor *to = &intake->builder->visitor;

	intake->n_costs = 0;
	return to->place(to->ctx, place);
}

static int visit_cost(void *ctx, const struct position *at, const uint64_t *costs, size_t n_costs)
{
	struct intake *intake = ctx;
	const struct visitor *to = &intake->builder->visitor;

	intake->n_several += ++intake->n_costs == 2;
	return to->cost(to->ctx, at, costs, n_costs);
}

static int visit_call(void *ctx, const struct call *call)
{
	const struct visitor *to = &((struct intake *)ctx)->builder->visitor;

	return to->call(to->ctx, call);
}

static int visit_jump(void *ctx, const struct jump *jump)
{
	const struct visitor *to = &((struct intake *)ctx)->builder->visitor;

	return to->jump(to->ctx, jump);
}

static int visit_negative(void *ctx)
{
	const struct visitor *to = &((struct intake *)ctx)->builder->visitor;

	return to->negative(to->ctx);
}

/* Adds what the model's newest part cost as a whole. */
static int add_summary(const struct intake *intake)
{
	const struct model *model = intake->model;
	const struct model_part *part = &model->parts[model->n_parts - 1];
	const uint64_t *said = part->summary ? part->summary : part->totals;

	if (!said)
		said = part->sums;
	for (size_t i = 0; i < part->n; i++)
		if (!cost_add(&intake->summary[i], said[i], model->is_signed))
			return PROFILE_RANGE;
	return PROFILE_OK;
}

static int visit_part_end(void *ctx, const struct part *part)
{
	struct intake *intake = ctx;
	const struct visitor *to = &intake->builder->visitor;
	struct part said = *part;
	int status = to->part_end(to->ctx, part);

	/* Later parts of a file often leave out what does not change. */
	if (!said.cmd)
		said.cmd = intake->cmd;
	if (!said.has_pid) {
		said.has_pid = intake->has_pid;
		said.pid = intake->pid;
	}
	intake->cmd = said.cmd;
	intake->has_pid = said.has_pid;
	intake->pid = said.pid;
	if (!status && intake->heading)
		status = heading_add(intake->heading, &said);
	if (!status && intake->summary)
		status = add_summary(intake);
	return status;
}

int intake_read(struct intake *intake, const char *path, struct reader_report *report,
		struct profile_error *error)
{
	const struct reader_options options = { .lenient = intake->lenient,
						.names = intake->model->names,
						.env = intake->model->env,
						.progress = intake->progress ? progress_show : NULL,
						.progress_ctx = intake->progress };
	int status;

	intake->visitor = (struct visitor){ intake,         visit_part,     visit_place,
					    visit_cost,     visit_call,     visit_jump,
					    visit_part_end, visit_negative, NULL };
	intake->n_costs = intake->n_several = 0;
	intake->cmd = NULL;
	intake->has_pid = false;
	if (intake->heading)
		heading_begin_file(intake->heading);
	builder_begin_file(intake->builder, path, intake->model->names);
	status = reader_read(path, &options, &intake->visitor, report, error);
	if (intake->progress)
		progress_end_file(intake->progress);
	return status;
}
