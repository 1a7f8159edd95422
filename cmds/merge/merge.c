/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind merge: its options, what is said of inputs, and the sum. */
#include "cmds/merge/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/option.h"
#include "cmds/merge/column_stats.h"
#include "cmds/merge/merger.h"
#include "profile/common/heap.h"

/* -- the output ------------------------------------------------------------ */

int profile_writer_init(struct profile_writer *writer, enum profile_writer_format format,
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

void profile_writer_release(struct profile_writer *writer)
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

/* -- merging ----------------------------------------------------------------- */

/* -- messages ------------------------------------------------------------------ */

bool merge_fail(const struct merge *merge, int status)
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

bool merge_judge_report(const struct merge *merge, const char *path,
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

void merge_warn_corrected(const struct merge *merge, const char *path)
{
	if (!merge->common.quiet)
		warn(merge->command,
		     "%s: totals in it cannot be right, as its functions cost more or a number "
		     "wrapped: using the sum of what they cost",
		     path);
}

void merge_warn_lost(const struct merge *merge, size_t n_formulas)
{
	if (!merge->common.quiet)
		warn_of_formulas(merge->command, n_formulas);
}

void merge_print_progress(const struct merge *merge, size_t input)
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

bool merge_events_fit(const struct merge *merge, const struct merged_header *header,
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

bool merge_note_unlike(const struct merge *merge, struct merged_header *header)
{
	bool failed = false;
	const char *unlike = merged_header_unlike(header, &failed);

	if (failed)
		return merge_fail(merge, PROFILE_NO_MEMORY);
	if (unlike && !merge->common.quiet)
		warn(merge->command, "the files are of different %s", unlike);
	return true;
}

bool merge_note_ranks(struct merge *merge, const struct merged_header *header)
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

bool merge_close(const struct merge *merge, struct profile_writer *writer, int status)
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
