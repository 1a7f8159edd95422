/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind merge --as=parts and --as=threads: the inputs stand in one file, one
 * behind the other, each as one part.  Only one of them is in memory at a time.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cli/complaint.h"
#include "cmds/cli/merge_reader.h"
#include "cmds/merge/merge.h"
#include "profile/common/heap.h"
#include "profile/filters/event_remap.h"
#include "profile/model/walk.h"

struct series {
	struct merge *merge;
	struct merged_header all; /* of the headers that were read before, with --events=common */
	struct arena texts;
	const char *events[PROFILE_MAX_EVENTS]; /* of each part, in this order */
	size_t n_events;                        /* 0 = not known yet */
	const char *cmd;                        /* of the first part; NULL = none */
	bool has_cmd;                           /* there was a first part */
	struct rank_set threads;                /* numbers of those that were written */
	struct profile_writer writer;
	/* The input at work. */
	struct model model;
	struct builder builder;
	struct merged_header header;
	uint64_t summary[PROFILE_MAX_EVENTS];
	struct event_remap remap;
};

/* -- events -------------------------------------------------------------------- */

static int note_part(void *ctx, const struct part *part)
{
	return merged_header_add(ctx, part);
}

/* What is read from a pipe is gone the second time; reading it will show that a file is missing. */
static bool can_read_twice(const struct merge *merge)
{
	for (size_t i = 0; i < merge->inputs.n; i++) {
		const char *path = merge->inputs.paths[i];
		struct stat status;

		if (strcmp(path, "-") != 0 && (stat(path, &status) != 0 || S_ISREG(status.st_mode)))
			continue;
		complain(merge->command,
			 "%s: expected a regular file, --events=common reads it twice", path);
		return false;
	}
	return true;
}

/* Reads the headers of all inputs into series->all. */
static bool read_headers(struct series *series)
{
	const struct merge *merge = series->merge;
	const struct reader_options options = { .lenient = merge->lenient };
	const struct visitor visitor = { .ctx = &series->all, .part_end = note_part };
	size_t order[PROFILE_MAX_EVENTS];

	for (size_t i = 0; i < merge->inputs.n; i++) {
		const char *path = merge->inputs.paths[i];
		struct profile_error error;

		merged_header_begin_file(&series->all);
		if (reader_read(path, &options, &visitor, NULL, &error) != PROFILE_OK) {
			complain_of(merge->command, &error);
			return false;
		}
		if (!merge_events_fit(merge, &series->all, path))
			return false;
	}
	series->n_events = merged_header_order(&series->all, true, order);
	for (size_t i = 0; i < series->n_events; i++)
		series->events[i] = series->all.events[order[i]];
	return true;
}

/* The parts that follow must have the events of this input. */
static bool take_events(struct series *series)
{
	const struct merged_header *header = &series->header;

	for (size_t i = 0; i < header->n_events; i++) {
		series->events[i] =
			arena_copy(&series->texts, header->events[i], strlen(header->events[i]));
		if (!series->events[i])
			return merge_fail(series->merge, PROFILE_NO_MEMORY);
	}
	series->n_events = header->n_events;
	return true;
}

static bool check_events(struct series *series, const char *path)
{
	const struct merged_header *header = &series->header;

	if (series->merge->common_events || header->n_parts == 0)
		return true;
	if (!merge_events_fit(series->merge, header, path))
		return false;
	if (series->n_events == 0)
		return take_events(series);
	for (size_t i = 0; i < series->n_events; i++) {
		if (merged_header_find(header, series->events[i]) < header->n_events &&
		    header->n_events == series->n_events)
			continue;
		complain(series->merge->command,
			 "%s: expected the events of the files before it "
			 "(--events=common takes those of all)",
			 path);
		return false;
	}
	return true;
}

/* -- inputs -------------------------------------------------------------------- */

static int begin_input(struct series *series)
{
	struct name_rules *rules = &series->merge->naming.rules;
	const struct builder_options building = {
		.no_positions = series->merge->no_positions,
		.rename = name_rules_is_empty(rules) ? NULL : name_rules_rename,
		.ctx = rules,
		.events = series->n_events > 0 ? series->events : NULL,
		.n_events = series->n_events,
	};

	memset(series->summary, 0, sizeof(series->summary));
	merged_header_init(&series->header, &heap_env);
	if (!model_init(&series->model, &heap_env))
		return PROFILE_NO_MEMORY;
	return builder_init(&series->builder, &series->model, &building);
}

static void end_input(struct series *series)
{
	if (series->builder.model)
		builder_release(&series->builder);
	model_release(&series->model);
	merged_header_release(&series->header);
	memset(&series->builder, 0, sizeof(series->builder));
}

static bool read_input(struct series *series, size_t input)
{
	struct merge *merge = series->merge;
	const char *path = merge->inputs.paths[input];
	struct merge_reader reader = { .builder = &series->builder,
				       .model = &series->model,
				       .header = &series->header,
				       .summary = series->summary,
				       .progress = &merge->progress,
				       .lenient = merge->lenient };
	struct reader_report report;
	struct profile_error error;
	int status;

	merge_print_progress(merge, input);
	if (merge_reader_read(&reader, path, &report, &error) != PROFILE_OK) {
		complain_of(merge->command, &error);
		return false;
	}
	if (!merge_judge_report(merge, path, &report))
		return false;
	if (reader.corrected)
		merge_warn_corrected(merge, path);
	if (!merge_note_ranks(merge, &series->header))
		return false;
	status = builder_finish(&series->builder);
	return status ? merge_fail(merge, status) : check_events(series, path);
}

/* Keeps the first part's command line; false if memory ran out. */
static bool keep_cmd(struct series *series)
{
	const char *cmd = series->header.cmd;

	if (series->has_cmd || series->header.n_parts == 0)
		return true;
	series->has_cmd = true;
	if (!cmd)
		return true;
	series->cmd = arena_copy(&series->texts, cmd, strlen(cmd));
	return series->cmd != NULL;
}

/* The last number of a set; 0 if it has none. */
static uint32_t last_of(const struct rank_set *set)
{
	return set->n > 0 ? set->ranges[set->n - 1].last : 0;
}

/*
 * The number of the thread that the input becomes: its rank, if it is the first one of a single rank; else
 * one beyond those that were there and that are expected.  False if memory ran out.
 */
static bool number_thread(struct series *series, struct header_number *number)
{
	const struct rank_set *ranks = &series->header.ranks;
	uint32_t last = last_of(&series->threads), expected = last_of(&series->merge->expected);
	uint32_t thread = (last > expected ? last : expected) + 1;

	if (rank_set_count(ranks) == 1 && !rank_set_has(&series->threads, last_of(ranks)))
		thread = last_of(ranks);
	*number = (struct header_number){ true, thread };
	return rank_set_add(&series->threads, thread, thread);
}

/* Writes the input's part, with its number and the name of its file. */
static int write_input(struct series *series, size_t input)
{
	const struct walk_options walking = { .order = WALK_BY_NAME, .one_part = true };
	struct header_number number = { true, input + 1 };
	struct event_remap *remap = &series->remap;
	int status;

	if (!keep_cmd(series) ||
	    (series->merge->kind == MERGE_THREADS && !number_thread(series, &number)))
		return PROFILE_NO_MEMORY;
	event_remap_init(remap, series->writer.visitor, &series->header);
	remap->input = series->merge->inputs.paths[input];
	remap->only_lines = series->merge->no_positions;
	remap->summary = series->summary;
	remap->cmd_as_desc = remap->cmd && (!series->cmd || strcmp(remap->cmd, series->cmd) != 0);
	if (series->merge->kind == MERGE_THREADS) {
		remap->pid.has = remap->number.has = false;
		remap->thread = number;
	} else {
		remap->number = number;
	}
	status = model_walk(&series->model, &walking, &remap->filter.visitor);
	merge_warn_lost(series->merge, remap->definitions.n_lost);
	event_remap_release(remap);
	return status;
}

/* Returns false after a message; *status is what telling ended in. */
static bool add_inputs(struct series *series, int *status)
{
	bool fine = true;

	for (size_t i = 0; i < series->merge->inputs.n && fine && !*status; i++) {
		*status = begin_input(series);
		fine = *status == PROFILE_OK && read_input(series, i);
		if (fine)
			*status = write_input(series, i);
		end_input(series);
	}
	return fine;
}

bool merge_series(struct merge *merge)
{
	struct series *series = calloc(1, sizeof(*series));
	int status;
	bool fine;

	if (!series)
		return merge_fail(merge, PROFILE_NO_MEMORY);
	series->merge = merge;
	merged_header_init(&series->all, &heap_env);
	rank_set_init(&series->threads, &heap_env);
	arena_init(&series->texts, &heap_env);
	status = profile_writer_init(&series->writer, PROFILE_WRITER_CALLGRIND, &merge->file, NULL);
	fine = !merge->common_events || (can_read_twice(merge) && read_headers(series));
	if (fine)
		fine = add_inputs(series, &status);
	if (fine || status)
		fine = merge_close(merge, &series->writer, status) && fine;
	profile_writer_release(&series->writer);
	arena_release(&series->texts);
	merged_header_release(&series->all);
	rank_set_release(&series->threads);
	free(series);
	return fine;
}
