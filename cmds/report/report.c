/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind report: its options, and the way from profiles to a page. */
#define _GNU_SOURCE /* asprintf */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/naming.h"
#include "cmds/cli/outfile.h"
#include "cmds/diff/diff.h"
#include "cmds/listing/column.h"
#include "cmds/report/reportdata.h"
#include "cmds/report/reportpage.h"
#include "cmds/report/reportprofile.h"
#include "cmds/source/read_policy.h"
#include "cmds/source/searchpath.h"
#include "profile/common/heap.h"
#include "profile/common/int128.h"

static const char command[] = "report";

/* Keeps what distinguishes threads, parts and processes, which --as=threads and the sum do not. */
#define MERGE_FORM "costgrind merge --as=parts -o ALL FILE..."

struct report_command {
	struct option_common common;
	struct naming naming;
	struct report_input input;
	struct loader_options loading;
	struct cycleformula cycles;
	const char *tree_path;
	const char *output; /* NULL = called after the profile */
	struct searchpath path;
	struct read_policy policy; /* by them */
	bool has_read_policy;
	struct reportprofile profile, older;
	struct difference difference;
	bool has_difference;
	struct report_taken taken;
	struct reportpage page;
	struct outfile file;
};

/* -- one function for each option -------------------------------------------- */

static const char *set_output(void *ctx, const char *value)
{
	((struct report_command *)ctx)->output = value;
	return value[0] != '\0' ? NULL : "the name of a file";
}

static const char *set_title(void *ctx, const char *value)
{
	((struct report_command *)ctx)->input.title = value;
	return value[0] != '\0' ? NULL : "a text";
}

static const char *set_event(void *ctx, const char *value)
{
	((struct report_command *)ctx)->input.event = value;
	return value[0] != '\0' ? NULL : "the name of an event";
}

static const char *set_cycles(void *ctx, const char *value)
{
	struct report_command *report = ctx;

	return cycleformula_read(value, &report->cycles, &report->input.estimate);
}

static const char *set_detail(void *ctx, const char *value)
{
	return option_decimal(value, 0, 100, &((struct report_command *)ctx)->input.detail)
		       ? NULL
		       : "a percentage of 0 to 100";
}

static const char *set_call_tree(void *ctx, const char *value)
{
	((struct report_command *)ctx)->tree_path = value;
	return value[0] != '\0' ? NULL : "the name of a file";
}

static const char *set_source(void *ctx, const char *value)
{
	((struct report_command *)ctx)->input.no_source = !option_yes(value);
	return NULL;
}

static const char *set_asm(void *ctx, const char *value)
{
	((struct report_command *)ctx)->input.no_code = !option_yes(value);
	return NULL;
}

static const char *set_data(void *ctx, const char *value)
{
	((struct report_command *)ctx)->input.no_data = !option_yes(value);
	return NULL;
}

const struct option_rule report_options[] = {
	{ "--output", 'o', OPTION_VALUE, "OUT.html",
	  "where to; - is standard output [the last profile's name and .html, here]", set_output },
	{ "--title", 0, OPTION_VALUE, "TEXT", "what the page is called [the program]", set_title },
	{ "--event", 0, OPTION_VALUE, "NAME",
	  "what is shown first; derived ones, too [cycles, or instructions]", set_event },
	{ "--cycles", 0, OPTION_VALUE, CYCLEFORMULA_VALUE, CYCLEFORMULA_HELP, set_cycles },
	{ "--detail", 0, OPTION_VALUE, "N",
	  "lines, source and machine code of functions that have N % or more of any event\n"
	  "themselves, or of what is shown first with all they call [0.05]",
	  set_detail },
	{ "--call-tree", 0, OPTION_VALUE, "FILE",
	  "the call tree of the run, of OTHER's if there are two [tree.<pid>.costgrind beside\n"
	  "each, if it is there]",
	  set_call_tree },
	{ "--source", 0, OPTION_YES_NO, "yes|no", "source lines, where sources are found [yes]",
	  set_source },
	{ "--asm", 0, OPTION_YES_NO, "yes|no",
	  "machine code, if the profile has costs of instructions (--dump-instr=yes) [yes]",
	  set_asm },
	{ "--data", 0, OPTION_YES_NO, "yes|no",
	  "types of data, if the profile has data references of instructions, and objects of\n"
	  "data, if it names a file of them [yes]",
	  set_data },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};

/* -- names ------------------------------------------------------------------------ */

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] != '\0' ? slash + 1 : path;
}

/* The base name of path, with as many of its folders as distinguish it from other, if any do. */
static const char *told_apart(const char *path, const char *other)
{
	size_t i = strlen(path), j = strlen(other);

	for (; i && j && path[i - 1] == other[j - 1]; j--)
		i--;
	if (!j && i && path[i - 1] == '/')
		i--;
	while (i && path[i - 1] != '/')
		i--;
	return path + i;
}

/* The program of a profile, by its command line, else the file's name; the caller's to free. */
static char *make_title(const struct model *model, const char *path)
{
	for (size_t i = 0; i < model->n_parts; i++) {
		const char *cmd = model->parts[i].header.cmd;
		size_t len = cmd ? strcspn(cmd, " ") : 0;
		char *program = len > 0 ? strndup(cmd, len) : NULL;
		char *title;

		if (len == 0)
			continue;
		if (!program)
			return NULL;
		title = strdup(base_of(program));
		free(program);
		return title;
	}
	return strdup(strcmp(path, "-") == 0 ? "standard input" : base_of(path));
}

/* -- writing ---------------------------------------------------------------------- */

static int fail_status(const char *path, int status)
{
	return complain_status(command, path, status);
}

static void complain_of_output(const char *name, int error)
{
	complain(command, "%s: %s", name,
		 error > 0 ? outfile_reason(error) : profile_status_text(PROFILE_NO_MEMORY));
}

/* Writes the page to a file that is open; an exit code. */
static int write_page(struct report_command *report, const char *path)
{
	const char *title = report->input.title;
	int status, error;

	reportpage_begin(&report->page, &report->file.env, title, strlen(title));
	status = reportdata_write(&report->input, &report->taken, &report->page.data);
	error = reportpage_end(&report->page);
	if (status == PROFILE_EVENTS) {
		complain(command, "%s: expected an event '%s', found none of that name", path,
			 report->input.event);
		return EXIT_FAILED;
	}
	if (status)
		return fail_status(path, status);
	if (error)
		complain_of_output(outfile_name(&report->file), error);
	return error ? EXIT_FAILED : EXIT_FINE;
}

/* What was written where; what it has of other files is listed: whoever sends the page should know. */
static void print_outcome(const struct report_command *report, const char *output)
{
	const struct report_taken *taken = &report->taken;
	const char *files = taken->n_files == 1 ? "file" : "files";
	const char *lines = taken->n_lines == 1 ? "line" : "lines";
	bool is_named = strcmp(output, "-") != 0;
	char n_lines[INT128_TEXT];

	int128_print(n_lines, (int128)taken->n_lines, true);
	if (taken->n_files > 0)
		complain(command, "wrote %s, with %zu source %s (%s %s)",
			 is_named ? output : "to standard output", taken->n_files, files, n_lines,
			 lines);
	else if (is_named)
		complain(command, "wrote %s", output);
}

static int write_to(struct report_command *report, const char *output, const char *path)
{
	int error = outfile_open(&report->file, command, output);
	int code;

	if (error) {
		complain_of_output(output, error);
		return EXIT_FAILED;
	}
	code = write_page(report, path);
	if (code != EXIT_FINE) {
		outfile_discard(&report->file);
		return code;
	}
	error = outfile_commit(&report->file);
	if (error) {
		complain_of_output(output, error);
		return EXIT_FAILED;
	}
	if (report->common.quiet)
		return EXIT_FINE;
	read_policy_report(&report->policy, command, report->input.verbose);
	print_outcome(report, output);
	return EXIT_FINE;
}

static int write_report(struct report_command *report, const char *path)
{
	char *title = NULL, *named = NULL;
	int code;

	if (!report->input.title)
		report->input.title = title = make_title(&report->profile.model, path);
	if (!report->output &&
	    asprintf(&named, "%s.html", strcmp(path, "-") == 0 ? "costgrind" : base_of(path)) < 0)
		named = NULL;
	if (!report->input.title || !(report->output || named))
		code = fail_status(path, PROFILE_NO_MEMORY);
	else
		code = write_to(report, report->output ? report->output : named, path);
	free(title);
	free(named);
	return code;
}

/* Whether two profiles are threads or parts of one run, and so none the older version of the other. */
enum onerun {
	ONERUN_NO,      /* or it is not said */
	ONERUN_THREADS, /* the same part of it, other threads */
	ONERUN_PARTS,
};

static bool is_same_run(const struct part *a, const struct part *b)
{
	return a->has_pid && b->has_pid && a->pid == b->pid && a->cmd && b->cmd &&
	       strcmp(a->cmd, b->cmd) == 0;
}

static enum onerun compare_parts(const struct part *a, const struct part *b)
{
	if (a->has_number && b->has_number && a->number != b->number)
		return ONERUN_PARTS;
	if (a->has_number == b->has_number && a->has_thread && b->has_thread &&
	    a->thread != b->thread)
		return ONERUN_THREADS;
	return ONERUN_NO;
}

/*
 * By what the parts of each say: pid and command are the same, and no part and thread is in
 * both, which would be two runs that happen to have one pid (of --stable, or in containers).
 */
static enum onerun onerun_find(const struct model *a, const struct model *b)
{
	enum onerun found = ONERUN_NO;

	if (a->n_parts == 0 || b->n_parts == 0 ||
	    !is_same_run(&a->parts[0].header, &b->parts[0].header))
		return ONERUN_NO;
	for (size_t i = 0; i < a->n_parts; i++) {
		for (size_t j = 0; j < b->n_parts; j++) {
			enum onerun pair = compare_parts(&a->parts[i].header, &b->parts[j].header);

			if (pair == ONERUN_NO)
				return ONERUN_NO;
			if (found != ONERUN_PARTS)
				found = pair;
		}
	}
	return found;
}

/* -- reading ---------------------------------------------------------------------- */

/* Two profiles of one run are no older and newer one; they may be compared all the same. */
static void warn_of_one_run(const struct report_command *report)
{
	enum onerun found = onerun_find(&report->older.model, &report->profile.model);

	if (found != ONERUN_NO && !report->common.quiet)
		warn(command,
		     "these are %s of one run, not an older and a newer one; to have them beside each "
		     "other: " MERGE_FORM,
		     found == ONERUN_THREADS ? "threads" : "parts");
}

static int compare(struct report_command *report)
{
	int code = diffpair_check(&report->older.model, &report->profile.model, command, true, true,
				  report->common.quiet);
	int status;

	if (code != EXIT_FINE)
		return code;
	warn_of_one_run(report);
	report->has_difference = true;
	status = difference_init(&report->difference, &report->older.model, &report->profile.model,
				 SYMBOLNAME_ALIKE, &heap_env);
	if (status)
		return fail_status(NULL, status);
	if (report->difference.n_events == 0) {
		complain(command, "the profiles have no event in common");
		return EXIT_FAILED;
	}
	if (!report->common.quiet)
		moved_folder_warn(&report->difference, command);
	return EXIT_FINE;
}

/* Whether the newer profile has what --cycles names. */
static int check_estimate(const struct report_command *report)
{
	const struct model *model = &report->profile.model;
	const char *estimate = report->input.estimate, *wrong = NULL;
	const struct metric_source source = {
		.events = model->events,
		.n_events = model->n_events,
		.derived = model->derived,
		.n_derived = model->n_derived,
		.estimate = estimate,
	};
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct metrics metrics;
	struct arena arena;
	int code = EXIT_FINE;
	bool has_totals;

	if (!estimate)
		return code;
	has_totals = !model->is_signed && model_totals(model, totals);
	arena_init(&arena, &heap_env);
	if (!metrics_init(&metrics, &source, &arena))
		code = fail_status(NULL, PROFILE_NO_MEMORY);
	else
		wrong = metrics_estimate_wrong(&metrics, estimate, has_totals ? totals : NULL,
					       &arena);
	if (wrong) {
		complain(command, "--cycles: %s", wrong);
		code = EXIT_USAGE;
	}
	arena_release(&arena);
	return code;
}

static int report_files(struct report_command *report, char **paths, int n)
{
	struct reportprofile_options reading = {
		.loading = report->loading,
		.wants_parts = true,
		.wants_tree = true,
		.wants_data = !report->input.no_data,
		.tree_path = report->tree_path,
		.event = report->input.event,
	};
	struct report_input *input = &report->input;
	const char *path = paths[n - 1];
	int code = EXIT_FINE;

	reading.loading.quiet = input->quiet = report->common.quiet;
	reading.loading.verbose = input->verbose = report->common.verbose > 0;
	reading.loading.rules = input->rules = &report->naming.rules;
	report->path.fetcher.is_quiet = report->common.quiet;
	input->objects = report->path.objects;
	if (n == 2) {
		const struct reportprofile_options older = {
			.loading = reading.loading,
			.wants_tree = true,
			.event = report->input.event,
		};

		code = reportprofile_read(&report->older, &older, paths[0]);
	}
	if (code == EXIT_FINE)
		code = reportprofile_read(&report->profile, &reading, path);
	if (code == EXIT_FINE)
		code = check_estimate(report);
	if (code == EXIT_FINE && n == 2)
		code = compare(report);
	if (code != EXIT_FINE)
		return code;
	report->has_read_policy = true;
	read_policy_init(&report->policy, &report->path, &report->naming.rules);
	read_policy_add_profile(&report->policy, &report->profile.model);
	if (n == 2)
		read_policy_add_profile(&report->policy, &report->older.model);
	input->policy = &report->policy;
	input->model = &report->profile.model;
	input->parts = report->profile.has_parts ? &report->profile.apart : NULL;
	input->difference = report->has_difference ? &report->difference : NULL;
	if (!input->no_data)
		input->data = reportprofile_data(&report->profile);
	input->tree = reportprofile_tree(&report->profile);
	if (n == 2)
		input->other_tree = reportprofile_tree(&report->older);
	input->other_title = n == 2 ? told_apart(paths[0], path) : "";
	if (report->profile.loaded.has_time)
		input->oldest = &report->profile.loaded.oldest;
	if (n == 2 && report->older.loaded.has_time)
		input->other_oldest = &report->older.loaded.oldest;
	return write_report(report, path);
}

static int check_operands(char **paths, int n)
{
	if (n > 2)
		complain(
			command,
			"expected one profile or two, found %d; threads, parts or processes of a run "
			"become one: " MERGE_FORM,
			n);
	else if (n < 1)
		complain(command, "expected one profile or two, try 'costgrind help report'");
	else if (n == 2 && strcmp(paths[0], "-") == 0 && strcmp(paths[1], "-") == 0)
		complain(command, "only one of FILE and OTHER can be standard input");
	else
		return EXIT_FINE;
	return EXIT_USAGE;
}

int report_main(int argc, char **argv)
{
	struct report_command *report = calloc(1, sizeof(*report));
	int n = 0, code;

	(void)argc;
	if (!report)
		return fail_status(NULL, PROFILE_NO_MEMORY);
	report->loading.command = report->input.command = command;
	report->input.detail = REPORT_DETAIL;
	report->common.groups[0] = (struct option_group){ searchpath_options, &report->path };
	report->common.groups[1] = (struct option_group){ loading_options, &report->loading };
	report->common.groups[2] =
		(struct option_group){ lenient_options, &report->loading.lenient };
	report->common.groups[3] = (struct option_group){ naming_options, &report->naming };
	report->path.fetcher.command = command;
	naming_init(&report->naming);
	code = searchpath_read_rc(&report->path);
	if (code == OPTIONS_GO_ON)
		code = options_read(report_options, &report->common, argv, &n, report);
	if (code == OPTIONS_GO_ON) {
		code = check_operands(argv + 1, n);
		if (code == EXIT_FINE)
			code = report_files(report, argv + 1, n);
	}
	if (report->has_read_policy)
		read_policy_release(&report->policy);
	if (report->has_difference)
		difference_release(&report->difference);
	reportprofile_release(&report->profile);
	reportprofile_release(&report->older);
	searchpath_release(&report->path);
	naming_release(&report->naming);
	free(report);
	return code;
}
