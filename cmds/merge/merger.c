/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A builder keeps what each file adds to a function beside what is there, and
 * sums it up in the end.  So that it does not all pile up, the model is summed
 * up and copied into an empty one, and released, before another file is added to one that has grown
 * to more than twice the size of the last copy (of the first file, while there is none).  Each
 * copy then costs no more than reading what was added since.
 */
#include "cmds/merge/merger.h"

#include "profile/filters/event_remap.h"

enum { SLACK = 16 << 20 };

/* Once only: an expression may change what it has made. */
static bool rename_name(void *ctx, enum name_kind kind, const char **text, size_t *len)
{
	struct merger *merger = ctx;

	return !merger->copies && name_rules_rename(merger->options.rules, kind, text, len);
}

static int begin_model(struct merger *merger, struct model *model)
{
	const struct name_rules *rules = merger->options.rules;
	const struct builder_options options = {
		.no_positions = merger->options.no_positions,
		.rename = rules && !name_rules_is_empty(rules) ? rename_name : NULL,
		.ctx = merger,
	};

	merger->model = model;
	if (!model_init(model, merger->env))
		return PROFILE_NO_MEMORY;
	return builder_init(&merger->builder, model, &options);
}

int merger_init(struct merger *merger, const struct env *env, const struct merger_options *options)
{
	*merger = (struct merger){ .env = env, .options = *options };
	if (merger->options.slack == 0)
		merger->options.slack = SLACK;
	merged_header_init(&merger->header, env);
	return begin_model(merger, &merger->models[0]);
}

void merger_release(struct merger *merger)
{
	if (merger->builder.model) /* else there was no memory for the model */
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
	status = begin_model(merger, old == merger->models ? merger->models + 1 : merger->models);
	if (!status) {
		builder_begin_file(&merger->builder, NULL, old->names);
		merger->copies = true;
		status = model_walk(old, &walking, &merger->builder.visitor);
		merger->copies = false;
	}
	model_release(old);
	merger->sum_bytes = model_bytes(merger->model);
	return status;
}

static bool is_overgrown(const struct merger *merger)
{
	return merger->last_path &&
	       model_bytes(merger->model) > 2 * merger->sum_bytes + merger->options.slack;
}

int merger_add(struct merger *merger, const char *path, struct reader_report *report,
	       struct profile_error *error)
{
	int status = is_overgrown(merger) ? compact(merger) : PROFILE_OK;
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
