/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind merge --statistics: minimum, average and maximum over the inputs. */
#include <stdlib.h>

#include "cmds/cli/complaint.h"
#include "cmds/merge/column_stats.h"
#include "cmds/merge/merge.h"
#include "profile/common/heap.h"
#include "profile/filters/event_remap.h"
#include "profile/model/walk.h"

static bool read_all(struct merge *merge, struct column_stats *stats)
{
	for (size_t i = 0; i < merge->inputs.n; i++) {
		const char *path = merge->inputs.paths[i];
		struct reader_report report;
		struct profile_error error;

		merge_print_progress(merge, i);
		if (column_stats_add(stats, path, &report, &error) != PROFILE_OK) {
			complain_of(merge->command, &error);
			return false;
		}
		if (!merge_judge_report(merge, path, &report) ||
		    !merge_events_fit(merge, &stats->header, path))
			return false;
	}
	if (!merge_note_ranks(merge, &stats->header))
		return false;
	return merge_note_unlike(merge, &stats->header);
}

static int write_model(struct merge *merge, const struct column_stats *stats,
		       const struct model *model, struct profile_writer *writer)
{
	const struct walk_options walking = { .order = WALK_BY_NAME, .one_part = true };
	struct event_remap *remap = malloc(sizeof(*remap));
	int status;

	if (!remap)
		return PROFILE_NO_MEMORY;
	event_remap_init(remap, writer->visitor, &stats->header);
	remap->only_lines = merge->no_positions;
	status = model_walk(model, &walking, &remap->filter.visitor);
	event_remap_release(remap);
	free(remap);
	return status;
}

static bool write_all(struct merge *merge, const struct column_stats *stats)
{
	struct profile_writer *writer = calloc(1, sizeof(*writer));
	struct model model;
	int status = PROFILE_NO_MEMORY;
	bool fine = false;

	if (!writer)
		return merge_fail(merge, PROFILE_NO_MEMORY);
	if (model_init(&model, &heap_env))
		status =
			column_stats_report(stats, merge->statistics, merge->common_events, &model);
	if (!status) {
		status = profile_writer_init(writer, merge->format, &merge->file, model.names);
		if (!status)
			status = write_model(merge, stats, &model, writer);
		fine = merge_close(merge, writer, status);
		profile_writer_release(writer);
	} else {
		merge_fail(merge, status);
	}
	model_release(&model);
	free(writer);
	return fine;
}

bool merge_statistics(struct merge *merge)
{
	const struct column_stats_options options = { .no_positions = merge->no_positions,
						      .rules = &merge->naming.rules,
						      .lenient = merge->lenient,
						      .progress = &merge->progress };
	struct column_stats *stats = malloc(sizeof(*stats));
	bool fine = false;
	int status;

	if (!stats)
		return merge_fail(merge, PROFILE_NO_MEMORY);
	status = column_stats_init(stats, &heap_env, &options);
	if (status)
		merge_fail(merge, status);
	else
		fine = read_all(merge, stats) && write_all(merge, stats);
	column_stats_release(stats);
	free(stats);
	return fine;
}
