/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/convert/importer.h"

#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/wholefile.h"
#include "cmds/convert/formats.h"
#include "cmds/convert/from_tree.h"
#include "cmds/convert/from_webgrind.h"
#include "profile/analysis/inclusive.h"
#include "profile/common/event_names.h"
#include "profile/common/heap.h"
#include "profile/filters/filters.h"
#include "profile/model/build.h"
#include "profile/model/walk.h"

/* What the format wants to be given, from behind to the front. */
static const struct visitor *view(void *ctx, const struct visitor *to)
{
	struct importer *importer = ctx;

	if (importer->traits & (FORMAT_TREE | FORMAT_EXACT)) {
		trace_init(&importer->trace, to, &heap_env);
		importer->has_trace = true;
		to = &importer->trace.filter.visitor;
	}
	if (importer->traits & FORMAT_LINES) {
		lineview_init(&importer->lines, to);
		to = &importer->lines.filter.visitor;
	}
	if (importer->event || (importer->traits & FORMAT_ONE_EVENT)) {
		eventview_init(&importer->events, to, importer->event);
		importer->has_events = true;
		to = &importer->events.filter.visitor;
	}
	return to;
}

/* -- threshold ------------------------------------------------------------------------ */

/* Passes the model to the builder, without the functions below the threshold. */
static int pass_folded(const struct model *model, double threshold, struct builder *builder)
{
	struct folding_threshold limit = { .model = model };
	struct inclusive inclusive;
	struct folding folding;
	uint64_t totals[PROFILE_MAX_EVENTS];
	int status = inclusive_compute(&inclusive, model, NULL);

	if (!status && !model_totals(model, totals))
		status = PROFILE_RANGE;
	if (!status) {
		double total = (double)cost_magnitude(totals[0], model->is_signed);

		limit.inclusive = &inclusive;
		limit.least = (uint64_t)(total * threshold / 100);
		folding_init(&folding, &builder->visitor, folding_keeps_above, &limit, false);
		status = model_walk(model, NULL, &folding.filter.visitor);
	}
	inclusive_release(&inclusive);
	return status;
}

/* Has the model be one without the functions below the threshold. */
static int fold(struct importer *importer, double threshold)
{
	const struct builder_options options = { .separate_parts = importer->model.separate_parts };
	struct builder builder;
	struct model folded;
	int status = model_init(&folded, importer->model.env) ? PROFILE_OK : PROFILE_NO_MEMORY;

	if (!status) {
		status = builder_init(&builder, &folded, &options);
		if (!status) {
			builder_begin_file(&builder, NULL, importer->model.names);
			status = pass_folded(&importer->model, threshold, &builder);
		}
		if (!status)
			status = builder_finish(&builder);
		builder_release(&builder);
	}
	if (status) {
		model_release(&folded);
		return status;
	}
	model_release(&importer->model);
	importer->model = folded;
	return PROFILE_OK;
}

/* -- reading --------------------------------------------------------------------------- */

/* What the format asks for besides the model. */
static int prepare(struct importer *importer, const struct importer_options *options)
{
	int status = PROFILE_OK;

	if (options->threshold > 0) {
		/* What is folded has lost its callers. */
		pathtree_release(&importer->tree);
		status = fold(importer, options->threshold);
	}
	if (status || !(options->traits & (FORMAT_TREE | FORMAT_EXACT)))
		return status;
	if (importer->tree.is_exact && options->threshold == 0)
		return PROFILE_OK;
	pathtree_init(&importer->tree, &importer->model, &heap_env);
	if (importer->has_trace && options->threshold == 0)
		status = trace_finish(&importer->trace, &importer->tree);
	if (status || importer->tree.is_exact)
		return status;
	if (options->traits & FORMAT_EXACT) {
		importer->tree.model = NULL;
		return PROFILE_OK;
	}
	return pathtree_spread(&importer->tree);
}

/* Whether the profile is as it was asked for, and as the format can have it; an exit code. */
static int check(const struct importer *importer, const struct importer_options *options,
		 const char *path)
{
	const char *command = options->loading.command;
	bool found = !importer->has_events || importer->events.found;

	if (options->from == IMPORTER_WEBGRIND && options->event)
		found = strcmp(event_name(importer->model.events[0].name), options->event) == 0;
	if (importer->event && !found) {
		complain(command, "%s: expected an event '%s', found none of that name", path,
			 options->event);
		return EXIT_FAILED;
	}
	if (importer->model.is_signed && !(options->traits & FORMAT_NEGATIVE)) {
		complain(command, "%s: --to=%s: expected no counts below 0", path, options->to);
		return EXIT_FAILED;
	}
	return EXIT_FINE;
}

/* Reads webgrind's file into the model; a status. */
static int read_webgrind(struct importer *importer, const struct reader_text *text,
			 struct profile_error *error)
{
	struct model *model = &importer->model;
	struct builder builder;
	int status = builder_init(&builder, model, NULL);

	if (!status) {
		builder_begin_file(&builder, text->name, model->names);
		status =
			from_webgrind_text(text, model->names, &builder.visitor, model->env, error);
	}
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	return status;
}

/* Reads a file that the reader of profiles does not read; an exit code. */
static int read_whole(struct importer *importer, const struct importer_options *options,
		      enum importer_from from, const char *path)
{
	const struct from_tree_options of_tree = {
		.event = options->event,
		.first_only = options->traits & FORMAT_ONE_EVENT,
	};
	struct profile_error error = { .file = path };
	struct wholefile file;
	int status = wholefile_read(
		&file, path, &heap_env,
		from == IMPORTER_WEBGRIND ? from_webgrind_check : wholefile_check_lines, &error);
	const struct reader_text text = { file.data, file.len, path };

	if (!status && from == IMPORTER_WEBGRIND)
		status = read_webgrind(importer, &text, &error);
	else if (!status)
		status = from_tree_text(&text, &of_tree, &importer->model, &importer->tree, &error);
	wholefile_release(&file);
	if (status && error.status == PROFILE_OK)
		return complain_status(options->loading.command, path, status);
	error.file = path;
	if (status)
		complain_of(options->loading.command, &error);
	return status ? EXIT_FAILED : EXIT_FINE;
}

int importer_read(struct importer *importer, const struct importer_options *options, char *path)
{
	struct loader_options loading = options->loading;
	struct loaded loaded;
	enum importer_from from = options->from;
	const char *const paths[] = { path };
	int code, status;

	*importer = (struct importer){ .tree = { .env = &heap_env },
				       .traits = options->traits,
				       .event = options->event };
	if (!model_init(&importer->model, &heap_env))
		return complain_status(loading.command, path, PROFILE_NO_MEMORY);
	loading.positions = !(options->traits & FORMAT_FUNCTIONS);
	loading.jumps = options->traits & FORMAT_JUMPS;
	loading.parts_apart = options->traits & FORMAT_PARTS;
	loading.through = view;
	loading.through_ctx = importer;
	if (from == IMPORTER_TEXT && wholefile_begins(path, FROM_TREE_HEAD))
		from = IMPORTER_TREE;
	if (from != IMPORTER_TEXT)
		code = read_whole(importer, options, from, path);
	else
		code = loader_read(&importer->model, &loading, paths, 1, &loaded);
	if (code == EXIT_FINE)
		code = check(importer, options, path);
	if (code != EXIT_FINE)
		return code;
	status = prepare(importer, options);
	return status ? complain_status(loading.command, path, status) : EXIT_FINE;
}

void importer_release(struct importer *importer)
{
	if (importer->has_events)
		eventview_release(&importer->events);
	if (importer->has_trace)
		trace_release(&importer->trace);
	pathtree_release(&importer->tree);
	model_release(&importer->model);
}
