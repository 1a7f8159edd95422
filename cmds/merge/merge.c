/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind merge: its options, what is said of inputs, and the ways to make one file of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cli/cachegrind.h"
#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/inputs.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/naming.h"
#include "cmds/cli/outfile.h"
#include "cmds/merge/merger.h"
#include "profile/common/heap.h"
#include "profile/filters/event_remap.h"
#include "profile/format/emit.h"

/* -- the output ------------------------------------------------------------ */

/* Where a profile is written to, in one of two formats. */

enum profile_writer_format {
	PROFILE_WRITER_CALLGRIND,
	PROFILE_WRITER_CACHEGRIND,
};

/* Fields are private, but visitor and what is below it, to be read.  Not to be moved. */
struct profile_writer {
	const struct visitor *visitor; /* what is reported here is written */
	enum profile_writer_format format;
	struct outfile *file;
	struct emitter emitter;
	struct cachegrind cachegrind;
};

/*
 * Writes to a file that is open; names is the dictionaries of what will be reported.  Returns
 * a status (release it all the same).
 */
static int profile_writer_init(struct profile_writer *writer, enum profile_writer_format format,
			       struct outfile *file, const struct dictionary *names)
{
	const struct writer_options options = { .compress_names = true,
						.compress_positions = true };

	writer->format = format;
	writer->file = file;
	if (format == PROFILE_WRITER_CACHEGRIND) {
		writer->visitor = &writer->cachegrind.filter.visitor;
		return cachegrind_init(&writer->cachegrind, &file->env, names);
	}
	writer->visitor = &writer->emitter.visitor;
	emitter_init(&writer->emitter, &file->env, &options);
	return PROFILE_OK;
}

static void profile_writer_release(struct profile_writer *writer)
{
	if (writer->format == PROFILE_WRITER_CACHEGRIND)
		cachegrind_release(&writer->cachegrind);
	else
		emitter_release(&writer->emitter);
}

/* Ends the profile.  Returns what writer_finish() does. */
static int profile_writer_finish(struct profile_writer *writer)
{
	return writer->format == PROFILE_WRITER_CACHEGRIND ? cachegrind_finish(&writer->cachegrind)
							   : emitter_finish(&writer->emitter);
}

/* -- what was asked for ---------------------------------------------------------------- */

enum merge_kind {
	MERGE_SUM,
	MERGE_PARTS,   /* each input becomes a part */
	MERGE_THREADS, /* each input becomes a thread */
};

struct merge {
	const char *command; /* for messages */
	struct option_common common;
	struct naming naming;
	bool lenient;
	bool common_events;  /* only events that all inputs have */
	bool no_positions;   /* costs of functions only */
	unsigned statistics; /* see column_stats.h */
	enum merge_kind kind;
	enum profile_writer_format format;
	const char *output; /* NULL = standard output */
	struct inputs inputs;
	struct outfile file;
	struct progress progress;
	const char *ranks; /* list of those of which a profile is expected; NULL = as files say */
	struct rank_set present;  /* whose profiles there are, as far as they say it */
	struct rank_set expected; /* of which there should be one, as files say */
};

/* -- messages ------------------------------------------------------------------ */

/* The message for a status that says it all; returns false. */
static bool merge_fail(const struct merge *merge, int status)
{
	complain_status(merge->command, NULL, status);
	return false;
}

/* Of a file that ends otherwise than its writer ends it; false after a message. */
static bool check_end(const struct merge *merge, const char *path,
		      const struct reader_report *report)
{
	enum reader_trait fault = reader_end_fault(report);
	unsigned long long line;
	const char *text;

	if (fault == N_READER_TRAITS)
		return true;
	line = report->traits[fault].line;
	text = reader_end_text(fault);
	if (!merge->lenient)
		complain(merge->command, "%s:%llu: %s (--lenient takes it)", path, line, text);
	else if (!merge->common.quiet)
		warn(merge->command, "%s:%llu: %s", path, line, text);
	return merge->lenient;
}

/*
 * Warns of what was skipped or is strange in a file that was read.  False, and a message, if it is no
 * profile or, unless lenient, one that is cut short, or if its names could not be changed.
 */
static bool merge_judge_report(const struct merge *merge, const char *path,
			       const struct reader_report *report)
{
	if (!naming_is_fine(&merge->naming.rules, merge->command))
		return false;
	if (report->skipped > 0 && !merge->common.quiet) {
		char line[PROFILE_ERROR_LINE];

		profile_error_line(&report->first_skipped, line, sizeof(line));
		warn(merge->command, "%s; lines skipped: %llu", line,
		     (unsigned long long)report->skipped);
	}
	if (report->n_parts == 0) {
		complain(merge->command, "%s: " COMPLAINT_NO_PROFILE, path);
		return false;
	}
	return check_end(merge, path, report);
}

/* What a file says of its totals cannot be right. */
static void merge_warn_corrected(const struct merge *merge, const char *path)
{
	if (!merge->common.quiet)
		warn(merge->command,
		     "%s: totals in it cannot be right, as its functions cost more or a number "
		     "wrapped: using the sum of what they cost",
		     path);
}

/* Formulas of events that were left out, which were left out too. */
static void merge_warn_lost(const struct merge *merge, size_t n_formulas)
{
	if (!merge->common.quiet)
		warn_of_formulas(merge->command, n_formulas);
}

/* Says that an input is about to be read, if that was asked for. */
static void merge_print_progress(const struct merge *merge, size_t input)
{
	if (merge->common.verbose)
		complain(merge->command, "parsing %s", merge->inputs.paths[input]);
}

/* The names of events into a text, cut if it is too small. */
static void list_events(const struct merged_header *header, bool missing, char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < header->n_events && len < size; i++) {
		int n = 0;

		if ((header->n_having[i] != header->n_parts) == missing)
			n = snprintf(text + len, size - len, "%s%s", len > 0 ? " " : "",
				     header->events[i]);
		len += (size_t)n;
	}
}

/* Of a file whose events are not those of the first one. */
static bool merge_events_fit(const struct merge *merge, const struct merged_header *header,
			     const char *path)
{
	char missing[256], common[256];

	list_events(header, true, missing, sizeof(missing));
	list_events(header, false, common, sizeof(common));
	if (merge->common_events) {
		if (common[0] || header->n_parts == 0)
			return true;
		complain(merge->command, "%s: expected an event that all files before it have",
			 path);
		return false;
	}
	if (merged_header_events_agree(header))
		return true;
	complain(merge->command,
		 "%s: expected the events of the files before it; not in all of them: %s "
		 "(--events=common takes the others)",
		 path, missing);
	return false;
}

/* -- ranks ------------------------------------------------------------------- */

/* Warns of unlike machines or caches; false, and a message, if memory ran out. */
static bool merge_note_unlike(const struct merge *merge, struct merged_header *header)
{
	bool failed = false;
	const char *unlike = merged_header_unlike(header, &failed);

	if (failed)
		return merge_fail(merge, PROFILE_NO_MEMORY);
	if (unlike && !merge->common.quiet)
		warn(merge->command, "the files are of different %s", unlike);
	return true;
}

/* Takes what a header says of ranks into merge; false, and a message, if memory ran out. */
static bool merge_note_ranks(struct merge *merge, const struct merged_header *header)
{
	if (rank_set_add_set(&merge->present, &header->ranks) &&
	    rank_set_add_set(&merge->expected, &header->expected))
		return true;
	return merge_fail(merge, PROFILE_NO_MEMORY);
}

/* Says which of the expected ranks are missing, as an error if the user has said which they are. */
static bool tell_missing(const struct merge *merge, const struct rank_set *missing)
{
	struct bytes list;
	bool fine;

	bytes_init(&list, &heap_env);
	rank_set_print(missing, &list);
	bytes_add_char(&list, '\0');
	fine = !list.failed;
	if (!fine)
		merge_fail(merge, PROFILE_NO_MEMORY);
	else if (merge->ranks)
		complain(merge->command, "--ranks=%s: %llu of %llu ranks without a profile: %s",
			 merge->ranks, (unsigned long long)rank_set_count(missing),
			 (unsigned long long)rank_set_count(&merge->expected), list.text);
	else if (!merge->common.quiet)
		warn(merge->command, "no profile of %llu of %llu ranks: %s",
		     (unsigned long long)rank_set_count(missing),
		     (unsigned long long)rank_set_count(&merge->expected), list.text);
	bytes_release(&list);
	return fine && !merge->ranks;
}

/* Whether what is expected is there, or only to be warned of. */
static bool check_ranks(struct merge *merge)
{
	struct rank_set missing;
	bool fine = true;

	if (merge->ranks) {
		rank_set_release(&merge->expected);
		fine = rank_set_add_list(&merge->expected, merge->ranks);
	}
	rank_set_init(&missing, &heap_env);
	fine = fine && rank_set_add_difference(&missing, &merge->expected, &merge->present);
	if (!fine)
		merge_fail(merge, PROFILE_NO_MEMORY);
	else if (missing.n > 0)
		fine = tell_missing(merge, &missing);
	rank_set_release(&missing);
	return fine;
}

/*
 * Ends a profile that was passed to a profile writer with this status; false, and a message, if it
 * failed.
 */
static bool merge_close(const struct merge *merge, struct profile_writer *writer, int status)
{
	int error = profile_writer_finish(writer);

	if (error > 0) {
		complain(merge->command, "%s: %s", outfile_name(&merge->file),
			 outfile_reason(error));
		return false;
	}
	if (!status && error)
		status = error == OUT_NO_MEMORY ? PROFILE_NO_MEMORY : PROFILE_RANGE;
	if (!status)
		return true;
	return merge_fail(merge, status);
}

/* -- the sum ------------------------------------------------------------------- */

static bool read_all(struct merge *merge, struct merger *merger)
{
	for (size_t i = 0; i < merge->inputs.n; i++) {
		const char *path = merge->inputs.paths[i];
		struct reader_report report;
		struct profile_error error;

		merge_print_progress(merge, i);
		if (merger_add(merger, path, &report, &error) != PROFILE_OK) {
			complain_of(merge->command, &error);
			return false;
		}
		if (!merge_judge_report(merge, path, &report))
			return false;
		if (merger->corrected)
			merge_warn_corrected(merge, path);
		if (!merge_events_fit(merge, &merger->header, path))
			return false;
	}
	if (!merge_note_ranks(merge, &merger->header))
		return false;
	return merge_note_unlike(merge, &merger->header);
}

static bool write_sum(struct merge *merge, struct merger *merger)
{
	struct profile_writer *writer = calloc(1, sizeof(*writer));
	bool fine;
	int status;

	if (!writer)
		return merge_fail(merge, PROFILE_NO_MEMORY);
	status = profile_writer_init(writer, merge->format, &merge->file, merger->model->names);
	if (!status)
		status = merger_report(merger, merge->common_events, writer->visitor);
	fine = merge_close(merge, writer, status);
	if (fine)
		merge_warn_lost(merge, merger->n_lost);
	if (fine && merge->format == PROFILE_WRITER_CACHEGRIND &&
	    writer->cachegrind.n_dropped > 0 && !merge->common.quiet)
		warn(merge->command,
		     "Cachegrind's format has no calls and jumps, they are left out");
	profile_writer_release(writer);
	free(writer);
	return fine;
}

static bool merge_sum(struct merge *merge)
{
	const struct merger_options options = { .no_positions = merge->no_positions,
						.rules = &merge->naming.rules,
						.lenient = merge->lenient,
						.progress = &merge->progress };
	struct merger *merger = malloc(sizeof(*merger));
	bool fine = false;
	int status;

	if (!merger)
		return merge_fail(merge, PROFILE_NO_MEMORY);
	status = merger_init(merger, &heap_env, &options);
	if (!status && read_all(merge, merger)) {
		status = merger_finish(merger);
		fine = !status && write_sum(merge, merger);
	}
	if (status)
		merge_fail(merge, status);
	merger_release(merger);
	free(merger);
	return fine;
}

/* -- statistics: minimum, average and maximum over the inputs ------------------------------- */

static bool read_for_statistics(struct merge *merge, struct column_stats *stats)
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

static bool write_statistics(struct merge *merge, const struct column_stats *stats)
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

static bool merge_statistics(struct merge *merge)
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
		fine = read_for_statistics(merge, stats) && write_statistics(merge, stats);
	column_stats_release(stats);
	free(stats);
	return fine;
}

/* -- parts and threads -------------------------------------------------------------------- */

/*
 * The inputs stand in one file, one after the other, each as one part.  Only one of them is in memory
 * at a time.
 */
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

static bool merge_series(struct merge *merge)
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

/* -- the command ------------------------------------------------------------------ */

static bool merge_inputs(struct merge *merge)
{
	switch (merge->kind) {
	case MERGE_PARTS:
	case MERGE_THREADS:
		return merge_series(merge);
	case MERGE_SUM:
	default:
		return merge->statistics == COLUMN_STATS_SUM ? merge_sum(merge)
							     : merge_statistics(merge);
	}
}

static int merge_run(struct merge *merge)
{
	bool fine;
	int error;

	if (!merge->common.quiet &&
	    !inputs_warn_repeated(merge->command, merge->inputs.paths, merge->inputs.n)) {
		complain_status(merge->command, NULL, PROFILE_NO_MEMORY);
		return EXIT_FAILED;
	}
	progress_init(&merge->progress, merge->common.quiet, merge->inputs.n);
	error = outfile_open(&merge->file, merge->command, merge->output);
	if (error) {
		complain(merge->command, "%s: %s", merge->output, outfile_reason(error));
		return EXIT_FAILED;
	}
	rank_set_init(&merge->present, &heap_env);
	rank_set_init(&merge->expected, &heap_env);
	fine = merge_inputs(merge) && check_ranks(merge);
	rank_set_release(&merge->present);
	rank_set_release(&merge->expected);
	if (!fine) {
		outfile_discard(&merge->file);
		return EXIT_FAILED;
	}
	error = outfile_commit(&merge->file);
	if (error) {
		complain(merge->command, "%s: %s", merge->output, outfile_reason(error));
		return EXIT_FAILED;
	}
	return EXIT_FINE;
}

/* -- one function for each option ---------------------------------------------------- */

static const char *set_output(void *ctx, const char *value)
{
	((struct merge *)ctx)->output = strcmp(value, "-") == 0 ? NULL : value;
	return value[0] ? NULL : "the name of a file";
}

static const char *set_as(void *ctx, const char *value)
{
	static const char *const words[] = { "sum", "parts", "threads", NULL };
	int word = option_word(value, words);

	((struct merge *)ctx)->kind = (enum merge_kind)word;
	return word >= 0 ? NULL : "sum, parts or threads";
}

static const char *set_events(void *ctx, const char *value)
{
	static const char *const words[] = { "equal", "common", NULL };
	int word = option_word(value, words);

	((struct merge *)ctx)->common_events = word == 1;
	return word >= 0 ? NULL : "equal or common";
}

static const char *set_by(void *ctx, const char *value)
{
	static const char *const words[] = { "position", "function", NULL };
	int word = option_word(value, words);

	((struct merge *)ctx)->no_positions = word == 1;
	return word >= 0 ? NULL : "position or function";
}

static const char *set_statistics(void *ctx, const char *value)
{
	static const char *const words[] = { "sum", "min", "avg", "max", "all", NULL };
	static const unsigned sets[] = { COLUMN_STATS_SUM, COLUMN_STATS_MIN, COLUMN_STATS_AVG,
					 COLUMN_STATS_MAX, COLUMN_STATS_ALL };
	struct merge *merge = ctx;

	merge->statistics = 0;
	do {
		size_t len = strcspn(value, ",");
		char given[8] = "";
		int word;

		if (len < sizeof(given))
			memcpy(given, value, len);
		word = option_word(given, words);
		if (word < 0)
			return "sum, min, avg, max, with commas between, or all";
		merge->statistics |= sets[word];
		value += len + (value[len] == ',' && value[len + 1] != '\0');
	} while (*value != '\0');
	return NULL;
}

static const char *set_to(void *ctx, const char *value)
{
	static const char *const words[] = { "callgrind", "cachegrind", NULL };
	int word = option_word(value, words);

	((struct merge *)ctx)->format = (enum profile_writer_format)word;
	return word >= 0 ? NULL : "callgrind or cachegrind";
}

static const char *set_ranks(void *ctx, const char *value)
{
	((struct merge *)ctx)->ranks = value;
	return rank_set_is_list(value) ? NULL : RANK_LIST_FORM;
}

static const char *set_files_from(void *ctx, const char *value)
{
	return inputs_defer_list(&((struct merge *)ctx)->inputs, value);
}

const struct option_rule merge_options[] = {
	{ "--output", 'o', OPTION_VALUE, "FILE",
	  "where to; the file appears when it is whole [standard output]", set_output },
	{ "--as", 0, OPTION_VALUE, "sum|parts|threads",
	  "one profile, the sum; or one file in which each input is a part, or a thread with\n"
	  "the number of its rank [sum]",
	  set_as },
	{ "--events", 0, OPTION_VALUE, "equal|common",
	  "fail if the inputs have different events, or leave out events that some input\n"
	  "lacks [equal]",
	  set_events },
	{ "--by", 0, OPTION_VALUE, "position|function",
	  "keep costs by line and instruction, or by function only [position]", set_by },
	{ "--statistics", 0, OPTION_VALUE, "sum,min,avg,max",
	  "columns Ir, IrMin, IrAvg, IrMax [sum]; all means all four; costs that an input\n"
	  "lacks count as 0",
	  set_statistics },
	{ "--to", 0, OPTION_VALUE, "callgrind|cachegrind",
	  "the format; Cachegrind's, for cg_annotate, has no calls and no instructions\n"
	  "[callgrind]",
	  set_to },
	{ "--ranks", 0, OPTION_VALUE, "0,17,100-110",
	  "fail if there is no profile of some of these ranks [warn of those that are missing,\n"
	  "as far as the profiles say which there are]",
	  set_ranks },
	{ "--files-from", 0, OPTION_VALUE, "LIST",
	  "read names of files from LIST, one a line (- is standard input); they come before\n"
	  "those that are named",
	  set_files_from },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};

/* What the options say together; what is wrong with it, or NULL. */
static const char *find_contradiction(const struct merge *merge)
{
	if (merge->inputs.n == 0)
		return "expected profiles to merge";
	if (inputs_standard(&merge->inputs) > 1)
		return "-: expected standard input once";
	if (merge->format == PROFILE_WRITER_CACHEGRIND && merge->kind != MERGE_SUM)
		return "expected --to=callgrind, Cachegrind's format has no parts";
	if (merge->statistics != COLUMN_STATS_SUM && merge->kind != MERGE_SUM)
		return "expected --as=sum with --statistics";
	return NULL;
}

int merge_main(int argc, char **argv)
{
	struct merge merge = { .command = "merge", .statistics = COLUMN_STATS_SUM };
	int n = 0, code;

	(void)argc;
	naming_init(&merge.naming);
	merge.naming.rules.maps_objects = true;
	merge.common.groups[0] = (struct option_group){ lenient_options, &merge.lenient };
	merge.common.groups[1] = (struct option_group){ naming_options, &merge.naming };
	code = options_read(merge_options, &merge.common, argv, &n, &merge);
	if (code == OPTIONS_GO_ON && !inputs_collect(&merge.inputs, merge.command, argv + 1, n))
		code = EXIT_FAILED;
	if (code == OPTIONS_GO_ON) {
		const char *wrong = find_contradiction(&merge);

		if (wrong)
			complain(merge.command, "%s", wrong);
		code = wrong ? EXIT_USAGE : merge_run(&merge);
	}
	inputs_release(&merge.inputs);
	naming_release(&merge.naming);
	return code;
}
