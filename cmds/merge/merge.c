/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind merge: options, what is said about inputs, and the ways to make one file of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/inputs.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/outfile.h"
#include "cmds/cli/profileio.h"
#include "cmds/merge/merger.h"
#include "profile/common/heap.h"
#include "profile/filters/filters.h"
#include "profile/format/emit.h"

static const char command[] = "merge";

enum merge_kind {
	MERGE_SUM,
	MERGE_PARTS,   /* each input becomes a part */
	MERGE_THREADS, /* each input becomes a thread */
};

struct merge {
	struct option_common common;
	struct naming naming;
	bool lenient;
	bool common_events;  /* only events that all inputs have */
	bool no_positions;   /* costs of functions only */
	unsigned statistics; /* see merger.h */
	enum merge_kind kind;
	bool is_for_cachegrind; /* the format */
	const char *output;     /* NULL or "-" = standard output */
	struct inputs inputs;
	struct outfile file;
	struct progress progress;
	const char *ranks; /* that must have a profile, a list; NULL = those that the files expect */
	struct rank_set present;  /* whose profiles there are, as far as they say it */
	struct rank_set expected; /* that should have one, as files say */
};

/* -- the output ------------------------------------------------------------------------ */

/* Writes a profile in one of two formats.  Not to be moved. */
struct profile_writer {
	const struct visitor *visitor; /* what is reported here is written */
	bool is_for_cachegrind;
	struct emitter emitter;
	struct cachegrind cachegrind;
};

/* names is the dictionaries of what will be reported. */
static void profile_writer_init(struct profile_writer *writer, struct merge *merge,
				const struct dictionary *names)
{
	const struct writer_options options = { .compress_names = true,
						.compress_positions = true };

	writer->is_for_cachegrind = merge->is_for_cachegrind;
	if (merge->is_for_cachegrind) {
		writer->visitor = &writer->cachegrind.filter.visitor;
		cachegrind_init(&writer->cachegrind, &merge->file.env, names);
	} else {
		writer->visitor = &writer->emitter.visitor;
		emitter_init(&writer->emitter, &merge->file.env, &options);
	}
}

static void profile_writer_release(struct profile_writer *writer)
{
	if (writer->is_for_cachegrind)
		cachegrind_release(&writer->cachegrind);
	else
		emitter_release(&writer->emitter);
}

/* -- messages -------------------------------------------------------------------------- */

/* The message for a status that says it all; returns false. */
static bool fail(int status)
{
	complain_status(command, NULL, status);
	return false;
}

/* Ends a profile that was reported with this status; false, and a message, if it failed. */
static bool finish_profile(const struct merge *merge, struct profile_writer *writer, int status)
{
	int error = writer->is_for_cachegrind ? cachegrind_finish(&writer->cachegrind)
					      : emitter_finish(&writer->emitter);

	if (error > 0) {
		complain(command, "%s: %s", outfile_name(&merge->file), outfile_reason(error));
		return false;
	}
	if (!status && error)
		status = PROFILE_RANGE;
	return status ? fail(status) : true;
}

/*
 * Warns of what was skipped or is strange in a file that was read.  False, and a message, if it is no
 * profile or, unless lenient, one that is cut short, or if its names could not be changed.
 */
static bool judge_report(const struct merge *merge, const char *path,
			 const struct reader_report *report)
{
	enum reader_trait fault;
	unsigned long long fault_line;

	if (!naming_is_fine(&merge->naming.rules, command))
		return false;
	if (report->skipped > 0 && !merge->common.quiet) {
		char line[PROFILE_ERROR_LINE];

		profile_error_line(&report->first_skipped, line, sizeof(line));
		warn(command, "%s; lines skipped: %llu", line, (unsigned long long)report->skipped);
	}
	if (report->n_parts == 0) {
		complain(command, "%s: %s", path, complaint_no_profile(report->bytes));
		return false;
	}
	fault = reader_end_fault(report);
	if (fault == N_READER_TRAITS)
		return true;
	fault_line = report->traits[fault].line;
	if (!merge->lenient)
		complain(command, "%s:%llu: %s (--lenient takes it)", path, fault_line,
			 reader_end_text(fault));
	else if (!merge->common.quiet)
		warn(command, "%s:%llu: %s", path, fault_line, reader_end_text(fault));
	return merge->lenient;
}

static void warn_of_totals(const struct merge *merge, const char *path)
{
	if (!merge->common.quiet)
		warn(command,
		     "%s: totals in it cannot be right, as its functions cost more or a number "
		     "wrapped: using the sum of what they cost",
		     path);
}

static void warn_of_lost(const struct merge *merge, size_t n_formulas)
{
	if (!merge->common.quiet)
		warn_of_formulas(command, n_formulas);
}

static void print_progress(const struct merge *merge, size_t input)
{
	if (merge->common.verbose)
		complain(command, "parsing %s", merge->inputs.paths[input]);
}

/* Judges a file whose events differ from the first file's; false after a message. */
static bool check_events(const struct merge *merge, const struct merged_header *header,
			 const char *path)
{
	char missing[256] = ""; /* their names, cut if it is too small */
	size_t len = 0, n_missing = 0;

	for (size_t i = 0; i < header->n_events; i++) {
		if (header->n_having[i] == header->n_parts)
			continue;
		if (len < sizeof(missing))
			len += (size_t)snprintf(missing + len, sizeof(missing) - len, "%s%s",
						len > 0 ? " " : "", header->events[i]);
		n_missing++;
	}
	if (merge->common_events) {
		if (n_missing < header->n_events || header->n_parts == 0)
			return true;
		complain(command, "%s: expected an event that all files before it have", path);
		return false;
	}
	if (merged_header_events_agree(header))
		return true;
	complain(command,
		 "%s: expected the events of the files before it; not in all of them: %s "
		 "(--events=common takes the others)",
		 path, missing);
	return false;
}

/* -- ranks ----------------------------------------------------------------------------- */

static void note_ranks(struct merge *merge, const struct merged_header *header)
{
	rank_set_add_set(&merge->present, &header->ranks);
	rank_set_add_set(&merge->expected, &header->expected);
}

/* Complains of ranks that are missing if the user has said which there are; else warns, and returns true. */
static bool check_ranks(struct merge *merge)
{
	struct rank_set missing;
	struct bytes list;
	unsigned long long n, n_expected;

	if (merge->ranks) {
		rank_set_release(&merge->expected);
		rank_set_add_list(&merge->expected, merge->ranks);
	}
	rank_set_init(&missing);
	rank_set_add_difference(&missing, &merge->expected, &merge->present);
	n = rank_set_count(&missing);
	n_expected = rank_set_count(&merge->expected);
	bytes_init(&list);
	rank_set_print(&missing, &list);
	bytes_add_char(&list, '\0');
	if (n > 0 && merge->ranks)
		complain(command, "--ranks=%s: %llu of %llu ranks without a profile: %s",
			 merge->ranks, n, n_expected, list.text);
	else if (n > 0 && !merge->common.quiet)
		warn(command, "no profile of %llu of %llu ranks: %s", n, n_expected, list.text);
	bytes_release(&list);
	rank_set_release(&missing);
	return n == 0 || !merge->ranks;
}

/* -- the sum, and statistics ------------------------------------------------------------- */

/* Reads all inputs into a sum, or statistics. */
static bool read_all(struct merge *merge, struct merger *merger, struct column_stats *stats)
{
	struct merged_header *header = merger ? &merger->header : &stats->header;
	const char *unlike;

	for (size_t i = 0; i < merge->inputs.n; i++) {
		const char *path = merge->inputs.paths[i];
		struct reader_report report;
		struct profile_error error;
		int status;

		print_progress(merge, i);
		status = merger ? merger_add(merger, path, &report, &error)
				: column_stats_add(stats, path, &report, &error);
		if (status) {
			complain_of(command, &error);
			return false;
		}
		if (!judge_report(merge, path, &report))
			return false;
		if (merger && merger->corrected)
			warn_of_totals(merge, path);
		if (!check_events(merge, header, path))
			return false;
	}
	note_ranks(merge, header);
	unlike = merged_header_unlike(header);
	if (unlike && !merge->common.quiet)
		warn(command, "the files are of different %s", unlike);
	return true;
}

static struct merger_options options_of(struct merge *merge)
{
	return (struct merger_options){ .no_positions = merge->no_positions,
					.rules = &merge->naming.rules,
					.lenient = merge->lenient,
					.progress = &merge->progress };
}

static bool merge_sum(struct merge *merge)
{
	const struct merger_options options = options_of(merge);
	struct merger merger;
	struct profile_writer writer;
	bool fine;
	int status;

	merger_init(&merger, &options);
	fine = read_all(merge, &merger, NULL);
	status = fine ? merger_finish(&merger) : PROFILE_OK;
	if (status)
		fine = fail(status);
	if (fine) {
		profile_writer_init(&writer, merge, merger.model->names);
		fine = finish_profile(merge, &writer,
				      merger_report(&merger, merge->common_events, writer.visitor));
		if (fine)
			warn_of_lost(merge, merger.n_lost);
		if (fine && merge->is_for_cachegrind && writer.cachegrind.n_dropped > 0 &&
		    !merge->common.quiet)
			warn(command,
			     "Cachegrind's format has no calls and jumps, they are left out");
		profile_writer_release(&writer);
	}
	merger_release(&merger);
	return fine;
}

static bool merge_statistics(struct merge *merge)
{
	const struct merger_options options = options_of(merge);
	const struct walk_options walking = { .order = WALK_BY_NAME, .one_part = true };
	struct column_stats stats;
	struct profile_writer writer;
	struct event_remap remap;
	struct model model;
	bool fine;
	int status = PROFILE_OK;

	column_stats_init(&stats, &options);
	model_init(&model);
	fine = read_all(merge, NULL, &stats);
	if (fine)
		status = column_stats_report(&stats, merge->statistics, merge->common_events,
					     &model);
	if (status)
		fine = fail(status);
	if (fine) {
		profile_writer_init(&writer, merge, model.names);
		event_remap_init(&remap, writer.visitor, &stats.header);
		remap.only_lines = merge->no_positions;
		status = model_walk(&model, &walking, &remap.filter.visitor);
		event_remap_release(&remap);
		fine = finish_profile(merge, &writer, status);
		profile_writer_release(&writer);
	}
	model_release(&model);
	column_stats_release(&stats);
	return fine;
}

/* -- parts and threads ------------------------------------------------------------------- */

/*
 * The inputs become parts of one file, one after the other.  Only one of them is in memory at a time.
 */
struct series {
	struct merge *merge;
	struct merged_header all; /* of all headers, which are read first, with --events=common */
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

static int note_part(void *ctx, const struct part *part)
{
	return merged_header_add(ctx, part);
}

/* Reads the headers of all inputs into series->all. */
static bool read_headers(struct series *series)
{
	const struct merge *merge = series->merge;
	const struct reader_options options = { .lenient = merge->lenient };
	const struct visitor visitor = { .ctx = &series->all, .part_end = note_part };
	size_t order[PROFILE_MAX_EVENTS];

	/* A pipe cannot be read twice.  Where a file is missing, reading it will say so. */
	for (size_t i = 0; i < merge->inputs.n; i++) {
		const char *path = merge->inputs.paths[i];
		struct stat status;

		if (strcmp(path, "-") != 0 && (stat(path, &status) != 0 || S_ISREG(status.st_mode)))
			continue;
		complain(command, "%s: expected a regular file, --events=common reads it twice",
			 path);
		return false;
	}
	for (size_t i = 0; i < merge->inputs.n; i++) {
		const char *path = merge->inputs.paths[i];
		struct profile_error error;

		merged_header_begin_file(&series->all);
		if (reader_read(path, &options, &visitor, NULL, &error) != PROFILE_OK) {
			complain_of(command, &error);
			return false;
		}
		if (!check_events(merge, &series->all, path))
			return false;
	}
	series->n_events = merged_header_order(&series->all, true, order);
	for (size_t i = 0; i < series->n_events; i++)
		series->events[i] = series->all.events[order[i]];
	return true;
}

/* The first input says which events all parts must have. */
static bool check_series_events(struct series *series, const char *path)
{
	const struct merged_header *header = &series->header;
	bool fine = true;

	if (series->merge->common_events || header->n_parts == 0)
		return true;
	if (!check_events(series->merge, header, path))
		return false;
	if (series->n_events == 0) {
		for (size_t i = 0; i < header->n_events; i++)
			series->events[i] = arena_copy(&series->texts, header->events[i],
						       strlen(header->events[i]));
		series->n_events = header->n_events;
		return true;
	}
	for (size_t i = 0; i < series->n_events; i++)
		fine = fine && header->n_events == series->n_events &&
		       merged_header_find(header, series->events[i]) < header->n_events;
	if (!fine)
		complain(command,
			 "%s: expected the events of the files before it "
			 "(--events=common takes those of all)",
			 path);
	return fine;
}

static bool read_input(struct series *series, size_t input)
{
	struct merge *merge = series->merge;
	struct name_rules *rules = &merge->naming.rules;
	const char *path = merge->inputs.paths[input];
	const struct builder_options building = {
		.no_positions = merge->no_positions,
		.rename = name_rules_is_empty(rules) ? NULL : name_rules_rename,
		.ctx = rules,
		.events = series->n_events > 0 ? series->events : NULL,
		.n_events = series->n_events,
	};
	struct merge_reader reader = { .builder = &series->builder,
				       .model = &series->model,
				       .header = &series->header,
				       .summary = series->summary,
				       .progress = &merge->progress,
				       .lenient = merge->lenient };
	struct reader_report report;
	struct profile_error error;
	int status;

	memset(series->summary, 0, sizeof(series->summary));
	merged_header_init(&series->header);
	model_init(&series->model);
	builder_init(&series->builder, &series->model, &building);
	print_progress(merge, input);
	if (merge_reader_read(&reader, path, &report, &error) != PROFILE_OK) {
		complain_of(command, &error);
		return false;
	}
	if (!judge_report(merge, path, &report))
		return false;
	if (reader.corrected)
		warn_of_totals(merge, path);
	note_ranks(merge, &series->header);
	status = builder_finish(&series->builder);
	return status ? fail(status) : check_series_events(series, path);
}

/* The last number of a set; 0 if it has none. */
static uint32_t last_of(const struct rank_set *set)
{
	return set->n > 0 ? set->ranges[set->n - 1].last : 0;
}

/*
 * The number of the thread that the input becomes: its rank, if it is the first one of a single rank; else
 * one beyond those that were there and that are expected.
 */
static struct header_number number_thread(struct series *series)
{
	const struct rank_set *ranks = &series->header.ranks;
	uint32_t last = last_of(&series->threads), expected = last_of(&series->merge->expected);
	uint32_t thread = (last > expected ? last : expected) + 1;

	if (rank_set_count(ranks) == 1 && !rank_set_has(&series->threads, last_of(ranks)))
		thread = last_of(ranks);
	rank_set_add(&series->threads, thread, thread);
	return (struct header_number){ true, thread };
}

/* Writes the input's part, with its number and the name of its file. */
static int write_input(struct series *series, size_t input)
{
	const struct walk_options walking = { .order = WALK_BY_NAME, .one_part = true };
	struct event_remap *remap = &series->remap;
	const char *cmd = series->header.cmd;
	int status;

	if (!series->has_cmd && series->header.n_parts > 0) {
		series->has_cmd = true;
		series->cmd = cmd ? arena_copy(&series->texts, cmd, strlen(cmd)) : NULL;
	}
	event_remap_init(remap, series->writer.visitor, &series->header);
	remap->input = series->merge->inputs.paths[input];
	remap->only_lines = series->merge->no_positions;
	remap->summary = series->summary;
	remap->cmd_as_desc = remap->cmd && (!series->cmd || strcmp(remap->cmd, series->cmd) != 0);
	if (series->merge->kind == MERGE_THREADS) {
		remap->pid.has = remap->number.has = false;
		remap->thread = number_thread(series);
	} else {
		remap->number = (struct header_number){ true, input + 1 };
	}
	status = model_walk(&series->model, &walking, &remap->filter.visitor);
	warn_of_lost(series->merge, remap->definitions.n_lost);
	event_remap_release(remap);
	return status;
}

static bool merge_series(struct merge *merge)
{
	struct series series = { .merge = merge };
	bool fine;
	int status = PROFILE_OK;

	merged_header_init(&series.all);
	rank_set_init(&series.threads);
	arena_init(&series.texts);
	profile_writer_init(&series.writer, merge, NULL);
	fine = !merge->common_events || read_headers(&series);
	for (size_t i = 0; i < merge->inputs.n && fine && !status; i++) {
		fine = read_input(&series, i);
		if (fine)
			status = write_input(&series, i);
		builder_release(&series.builder);
		model_release(&series.model);
		merged_header_release(&series.header);
	}
	if (fine)
		fine = finish_profile(merge, &series.writer, status);
	profile_writer_release(&series.writer);
	arena_release(&series.texts);
	merged_header_release(&series.all);
	rank_set_release(&series.threads);
	return fine;
}

/* -- the command ------------------------------------------------------------------------- */

static int merge_run(struct merge *merge)
{
	bool fine;
	int error;

	if (!merge->common.quiet)
		inputs_warn_repeated(command, merge->inputs.paths, merge->inputs.n);
	progress_init(&merge->progress, merge->common.quiet, merge->inputs.n);
	error = outfile_open(&merge->file, command, merge->output);
	if (error) {
		complain(command, "%s: %s", merge->output, outfile_reason(error));
		return EXIT_FAILED;
	}
	rank_set_init(&merge->present);
	rank_set_init(&merge->expected);
	if (merge->kind != MERGE_SUM)
		fine = merge_series(merge);
	else if (merge->statistics != COLUMN_STATS_SUM)
		fine = merge_statistics(merge);
	else
		fine = merge_sum(merge);
	fine = fine && check_ranks(merge);
	rank_set_release(&merge->present);
	rank_set_release(&merge->expected);
	if (!fine) {
		outfile_discard(&merge->file);
		return EXIT_FAILED;
	}
	error = outfile_commit(&merge->file);
	if (error)
		complain(command, "%s: %s", outfile_name(&merge->file), outfile_reason(error));
	return error ? EXIT_FAILED : EXIT_FINE;
}

/* -- one function for each option ---------------------------------------------------- */

/* Bit i of the words is enumerator i of the statistics (merger.h). */
static const char *set_statistics(void *ctx, const char *value)
{
	static const char *const words[] = { "sum", "min", "avg", "max", "all", NULL };
	struct merge *merge = ctx;

	if (!option_words(value, words, &merge->statistics))
		return "sum, min, avg, max, with commas between, or all";
	if (merge->statistics > COLUMN_STATS_ALL)
		merge->statistics = COLUMN_STATS_ALL;
	return NULL;
}

const struct option_rule merge_options[] = {
	{ "--output", 'o', OPTION_VALUE, "FILE",
	  "Write to FILE, which appears when it is whole [standard output]",
	  OPTION_TEXT(struct merge, output, "the name of a file") },
	{ "--as", 0, OPTION_VALUE, "sum|parts|threads",
	  "Write one profile, the sum; or one file in which each input is a part, or a thread with\n"
	  "the number of its rank [sum]",
	  OPTION_WORD(struct merge, kind) },
	{ "--events", 0, OPTION_VALUE, "equal|common",
	  "Fail if the inputs have different events, or leave out events that some input\n"
	  "lacks [equal]",
	  OPTION_IS_LAST(struct merge, common_events) },
	{ "--by", 0, OPTION_VALUE, "position|function",
	  "Keep costs by line and instruction, or by function only [position]",
	  OPTION_IS_LAST(struct merge, no_positions) },
	{ "--statistics", 0, OPTION_VALUE, "sum,min,avg,max",
	  "Write columns Ir, IrMin, IrAvg, IrMax [sum]; all means all four; costs that an input\n"
	  "lacks count as 0",
	  OPTION_CALL(set_statistics) },
	{ "--to", 0, OPTION_VALUE, "callgrind|cachegrind",
	  "Output format; Cachegrind's, for cg_annotate, has no calls and no instructions\n"
	  "[callgrind]",
	  OPTION_IS_LAST(struct merge, is_for_cachegrind) },
	{ "--ranks", 0, OPTION_VALUE, "0,17,100-110",
	  "Fail if there is no profile of some of these ranks [warn of those that are missing,\n"
	  "as far as the profiles say which there are]",
	  OPTION_CHECKED(struct merge, ranks, RANK_LIST_FORM, rank_set_is_list) },
	{ "--files-from", 0, OPTION_VALUE, "LIST",
	  "Read names of files from LIST, one a line (- is standard input); they come before\n"
	  "those that are named",
	  OPTION_EACH(struct merge, inputs.lists, "the name of a file") },
	{ .name = NULL },
};

/* What the options say together; what is wrong with it, or NULL. */
static const char *find_contradiction(const struct merge *merge)
{
	if (merge->inputs.n == 0)
		return "expected profiles to merge";
	if (inputs_standard(&merge->inputs) > 1)
		return "-: expected standard input once";
	if (merge->is_for_cachegrind && merge->kind != MERGE_SUM)
		return "expected --to=callgrind, Cachegrind's format has no parts";
	if (merge->statistics != COLUMN_STATS_SUM && merge->kind != MERGE_SUM)
		return "expected --as=sum with --statistics";
	return NULL;
}

int merge_main(int argc, char **argv)
{
	struct merge merge = { .statistics = COLUMN_STATS_SUM };
	int n = 0, code;

	(void)argc;
	naming_init(&merge.naming);
	merge.naming.rules.maps_objects = true;
	merge.common.groups[0] = (struct option_group){ lenient_options, &merge.lenient };
	merge.common.groups[1] = (struct option_group){ naming_options, &merge.naming };
	code = options_read(merge_options, &merge.common, argv, &n, &merge);
	if (code == OPTIONS_GO_ON && !inputs_collect(&merge.inputs, command, argv + 1, n))
		code = EXIT_FAILED;
	if (code == OPTIONS_GO_ON) {
		const char *wrong = find_contradiction(&merge);

		if (wrong)
			complain(command, "%s", wrong);
		code = wrong ? EXIT_USAGE : merge_run(&merge);
	}
	inputs_release(&merge.inputs);
	naming_release(&merge.naming);
	return code;
}
