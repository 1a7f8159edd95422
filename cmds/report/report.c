/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind report: its options, its profiles, and the way from them to a page. */
#include "cmds/report/report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/inputs.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/outfile.h"
#include "cmds/convert/formats.h"
#include "cmds/convert/treefile.h"
#include "cmds/data/objects.h"
#include "cmds/diff/diff.h"
#include "cmds/emit/visible.h"
#include "cmds/listing/column.h"
#include "cmds/source/sources.h"
#include "profile/analysis/callgraph.h"
#include "profile/common/cost.h"
#include "profile/common/heap.h"
#include "profile/model/build.h"
#include "profile/model/model.h"

static const char command[] = "report";

/* -- a profile with its call tree and objects of data ---------------------------------- */

/* How a profile is read. */
struct reading {
	struct loader_options loading;
	bool wants_parts;      /* and what each of them cost */
	bool wants_data;       /* and the objects of data, if it names a file of them */
	const char *tree_path; /* its call tree; NULL = the one next to it, if it fits */
	const char *event;     /* of a trace's tree; NULL = the first one */
};

/* A profile that was read.  Not to be moved. */
struct reportprofile {
	struct model model;      /* all parts added up */
	struct model apart;      /* the same with its parts apart, if there are several */
	struct model tree_model; /* of the tree, if it is from a file of its own */
	struct model data_model; /* of the data profile */
	struct pathtree tree;    /* its model is NULL if there is none */
	struct importer trace;   /* has the tree, if the file is a trace */
	bool has_parts, has_trace, has_data;
	struct loaded loaded;
};

/* The call tree, or NULL. */
static const struct pathtree *reportprofile_tree(const struct reportprofile *profile)
{
	if (profile->has_trace && profile->trace.tree.model)
		return &profile->trace.tree;
	return profile->tree.model ? &profile->tree : NULL;
}

static int read_profile_file(struct reportprofile *profile, const struct reading *reading,
			     const char *path)
{
	struct loader_options loading = reading->loading;
	struct builder builder;
	int code, status;

	loading.positions = loading.jumps = true;
	loading.parts_apart = reading->wants_parts;
	code = loader_read(&profile->model, &loading, &path, 1, &profile->loaded);
	if (code != EXIT_FINE || !reading->wants_parts || profile->model.n_parts < 2)
		return code;
	profile->apart = profile->model;
	profile->has_parts = true;
	model_init(&profile->model);
	builder_init(&builder, &profile->model, NULL);
	builder_begin_file(&builder, NULL, profile->apart.names);
	status = model_walk(&profile->apart, NULL, &builder.visitor);
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	return status ? complain_status(command, path, status) : EXIT_FINE;
}

/* The profile with its objects of data, which may be itself; or NULL. */
static const struct model *reportprofile_data(const struct reportprofile *profile)
{
	if (profile->has_data)
		return &profile->data_model;
	return objectcosts_are_in(&profile->model) ? &profile->model : NULL;
}

/*
 * Xdebug writes each invocation: the tree of one event is in the file, which is read once more
 * for it.
 */
static int read_trace(struct reportprofile *profile, const struct reading *reading,
		      const char *path)
{
	const struct model *model = &profile->model;
	const struct part *header = model->n_parts == 1 ? &model->parts[0].header : NULL;
	struct importer_options importing = {
		.loading = reading->loading,
		.event = reading->event,
		.traits = FORMAT_ONE_EVENT | FORMAT_EXACT | FORMAT_NEGATIVE,
	};
	struct stat file;
	char *copy;
	int code;

	/* What is no regular file can be read only once. */
	if (stat(path, &file) != 0 || !S_ISREG(file.st_mode))
		return EXIT_FINE;
	if (!header || !header->creator ||
	    strncmp(header->creator, "xdebug", strlen("xdebug")) != 0)
		return EXIT_FINE;
	/* What there is to say was said. */
	importing.loading.quiet = true;
	importing.loading.verbose = false;
	copy = heap_copy(path);
	profile->has_trace = true;
	code = importer_read(&profile->trace, &importing, copy);
	free(copy);
	return code;
}

/*
 * Reads a file: a profile, or a call tree.  Returns an exit code.  To be released in any case, and also
 * if it is {0}.
 */
static int reportprofile_read(struct reportprofile *profile, const struct reading *reading,
			      const char *path)
{
	int code;

	*profile = (struct reportprofile){ .has_trace = false };
	model_init(&profile->model);
	model_init(&profile->tree_model);
	model_init(&profile->data_model);
	if (wholefile_begins(path, FROM_TREE_HEAD))
		return treefile_read(&profile->tree, &profile->model, path, command);
	code = read_profile_file(profile, reading, path);
	if (code == EXIT_FINE && reading->wants_data)
		code = datafile_read(&profile->data_model, &profile->has_data,
				     profile->has_parts ? &profile->apart : &profile->model, path,
				     &reading->loading, command);
	if (code == EXIT_FINE && !reading->tree_path)
		code = read_trace(profile, reading, path);
	if (code != EXIT_FINE || reportprofile_tree(profile))
		return code;
	return reading->tree_path ? treefile_read(&profile->tree, &profile->tree_model,
						  reading->tree_path, command)
				  : treefile_find(&profile->tree, &profile->tree_model,
						  &profile->model, path, command);
}

static void reportprofile_release(struct reportprofile *profile)
{
	if (profile->has_trace)
		importer_release(&profile->trace);
	if (profile->tree.model)
		pathtree_release(&profile->tree);
	if (profile->has_parts)
		model_release(&profile->apart);
	model_release(&profile->data_model);
	model_release(&profile->tree_model);
	model_release(&profile->model);
}

/* -- the command ----------------------------------------------------------------------- */

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
	bool has_source, has_code, has_data;
	bool is_json; /* the data without the page */
	const char *
		older_name; /* of profiles that will be gone, and so are in no command that is proposed; else NULL */
	struct searchpath path;
	struct read_policy policy; /* by them */
	bool has_read_policy;
	struct reportprofile profile, older;
	struct difference difference;
	bool has_difference;
	struct report_taken taken;
	struct outfile file;
};

/* -- options ---------------------------------------------------------------------------- */

static const char *set_cycles(void *ctx, const char *value)
{
	struct report_command *report = ctx;

	return cycleformula_read(value, &report->cycles, &report->input.estimate);
}

const struct option_rule report_options[] = {
	{ "--format", 0, OPTION_VALUE, "html|json",
	  "Write the page, or its data as one JSON document, findings included [html]",
	  OPTION_IS_LAST(struct report_command, is_json) },
	{ "--output", 'o', OPTION_VALUE, "OUT",
	  "Write to OUT; - is standard output [the last profile's name and .html or .json, here]",
	  OPTION_TEXT(struct report_command, output, "the name of a file") },
	{ "--title", 0, OPTION_VALUE, "TEXT", "Title of the page [the program]",
	  OPTION_TEXT(struct report_command, input.title, "a text") },
	{ "--event", 0, OPTION_VALUE, "NAME",
	  "Show this event first; derived ones, too [cycles, or instructions]",
	  OPTION_TEXT(struct report_command, input.event, "the name of an event") },
	{ "--cycles", 0, OPTION_VALUE, CYCLEFORMULA_VALUE, CYCLEFORMULA_HELP,
	  OPTION_CALL(set_cycles) },
	{ "--detail", 0, OPTION_VALUE, "N",
	  "Include lines, source and machine code of functions with N % or more of the self cost of any\n"
	  "event, or of the inclusive cost of the first event shown [0.05]",
	  OPTION_DECIMAL(struct report_command, input.detail, "a percentage of 0 to 100", 0, 100) },
	{ "--call-tree", 0, OPTION_VALUE, "FILE",
	  "Call tree of the run, or of OTHER's if there are two [tree.<pid>.costgrind next to\n"
	  "each, if it exists]",
	  OPTION_TEXT(struct report_command, tree_path, "the name of a file") },
	{ "--source", 0, OPTION_YES_NO, "yes|no",
	  "Include source lines, where sources are found [yes]",
	  OPTION_BOOL(struct report_command, has_source) },
	{ "--asm", 0, OPTION_YES_NO, "yes|no",
	  "Include machine code, if the profile has costs of instructions (--dump-instr=yes) [yes]",
	  OPTION_BOOL(struct report_command, has_code) },
	{ "--data", 0, OPTION_YES_NO, "yes|no",
	  "Include types of data, if the profile has data references of instructions, and objects of\n"
	  "data, if it names a file of them [yes]",
	  OPTION_BOOL(struct report_command, has_data) },
	{ .name = NULL },
};

/* -- names ------------------------------------------------------------------------ */

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
		char *program, *title;

		if (len == 0)
			continue;
		program = heap_copy_part(cmd, len);
		title = heap_copy(path_base(program));
		free(program);
		return title;
	}
	return heap_copy(strcmp(path, "-") == 0 ? "standard input" : path_base(path));
}

/* -- writing ---------------------------------------------------------------------- */

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
	struct outfile *file = &report->file;
	struct reportpage *page = NULL;
	struct out json, *data = &json;
	int error = outfile_open(file, command, output), status, code = EXIT_FINE;

	if (error) {
		complain(command, "%s: %s", output, outfile_reason(error));
		return EXIT_FAILED;
	}
	if (report->is_json)
		out_init(&json, &file->env);
	else
		page = reportpage_new(&file->env, report->input.title, &data);
	status = reportdata_write(&report->input, &report->taken, data);
	if (page) {
		error = reportpage_end(page);
	} else {
		out_text(&json, "\n");
		error = out_flush(&json);
		out_release(&json);
	}
	if (status == PROFILE_EVENTS) {
		complain(command, "%s: expected an event '%s', found none with that name", path,
			 report->input.event);
		code = EXIT_FAILED;
	} else if (status) {
		code = complain_status(command, path, status);
	} else if (error) {
		complain(command, "%s: %s", outfile_name(file), outfile_reason(error));
		code = EXIT_FAILED;
	}
	if (code != EXIT_FINE) {
		outfile_discard(file);
		return code;
	}
	error = outfile_commit(file);
	if (error) {
		complain(command, "%s: %s", output, outfile_reason(error));
		return EXIT_FAILED;
	}
	if (!report->common.quiet) {
		read_policy_report(&report->policy, command, report->input.verbose);
		print_outcome(report, output);
	}
	return EXIT_FINE;
}

static int write_report(struct report_command *report, const char *path)
{
	const char *output = report->output;
	char *title = NULL, *named = NULL;
	int code;

	if (!report->input.title)
		report->input.title = title = make_title(&report->profile.model, path);
	if (!output)
		output = named = heap_print("%s.%s",
					    strcmp(path, "-") == 0 ? "costgrind" : path_base(path),
					    report->is_json ? "json" : "html");
	code = write_to(report, output, path);
	free(title);
	free(named);
	return code;
}

/* -- reading ---------------------------------------------------------------------- */

/*
 * Two profiles of one run are no older and newer one; they may be compared all the same.  They are of one run by what the
 * parts of each say: pid and command are the same, and no part and thread is in both, which would be two runs that happen to
 * have one pid (of --stable, or in containers).
 */
static void warn_of_one_run(const struct report_command *report)
{
	const struct model *old_model = &report->older.model, *new_model = &report->profile.model;
	const struct part *a, *b;
	bool are_parts = false; /* else threads of the same parts */

	if (old_model->n_parts == 0 || new_model->n_parts == 0 || report->common.quiet)
		return;
	a = &old_model->parts[0].header;
	b = &new_model->parts[0].header;
	if (!a->has_pid || !b->has_pid || a->pid != b->pid || !a->cmd || !b->cmd ||
	    strcmp(a->cmd, b->cmd) != 0)
		return;
	for (size_t i = 0; i < old_model->n_parts; i++) {
		for (size_t j = 0; j < new_model->n_parts; j++) {
			a = &old_model->parts[i].header;
			b = &new_model->parts[j].header;
			if (a->has_number && b->has_number && a->number != b->number)
				are_parts = true;
			else if (a->has_number != b->has_number || !a->has_thread ||
				 !b->has_thread || a->thread == b->thread)
				return;
		}
	}
	warn(command,
	     "these are %s of one run, not an older and a newer one; to have them side by "
	     "side: " MERGE_FORM,
	     are_parts ? "parts" : "threads");
}

static int compare(struct report_command *report)
{
	int code = diffpair_check(&report->older.model, &report->profile.model, command, true, true,
				  &report->common);
	int status;

	if (code != EXIT_FINE)
		return code;
	warn_of_one_run(report);
	report->has_difference = true;
	status = difference_init(&report->difference, &report->older.model, &report->profile.model,
				 SYMBOLNAME_ALIKE);
	if (status)
		return complain_status(command, NULL, status);
	if (report->difference.n_events == 0) {
		complain(command, "the profiles have no event in common");
		return EXIT_FAILED;
	}
	if (!report->common.quiet)
		moved_folder_warn(&report->difference, command);
	return EXIT_FINE;
}

/* Fails unless the newer profile has what --cycles names. */
static int check_estimate(const struct report_command *report)
{
	const struct model *model = &report->profile.model;
	const char *estimate = report->input.estimate, *wrong;
	const struct metric_source source = metric_source_of(model, estimate);
	uint64_t totals[PROFILE_MAX_EVENTS];
	struct metrics metrics;
	struct arena arena;
	int code = EXIT_FINE;
	bool has_totals;

	if (!estimate)
		return code;
	has_totals = !model->is_signed && model_totals(model, totals);
	arena_init(&arena);
	metrics_init(&metrics, &source, &arena);
	wrong = metrics_estimate_wrong(&metrics, estimate, has_totals ? totals : NULL, &arena);
	if (wrong) {
		complain(command, "--cycles: %s", wrong);
		code = EXIT_USAGE;
	}
	arena_release(&arena);
	return code;
}

static int report_files(struct report_command *report, char **paths, int n)
{
	struct reading reading = {
		.loading = report->loading,
		.wants_parts = true,
		.wants_data = report->has_data,
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
	input->no_source = !report->has_source;
	input->no_code = !report->has_code;
	input->no_data = !report->has_data;
	if (n == 2) {
		const struct reading older = {
			.loading = reading.loading,
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
	input->policy = input->no_source ? NULL : &report->policy;
	input->model = &report->profile.model;
	input->path = strcmp(path, "-") != 0 && !report->older_name ? path : NULL;
	input->parts = report->profile.has_parts ? &report->profile.apart : NULL;
	input->difference = report->has_difference ? &report->difference : NULL;
	if (!input->no_data)
		input->data = reportprofile_data(&report->profile);
	input->tree = reportprofile_tree(&report->profile);
	if (n == 2)
		input->other_tree = reportprofile_tree(&report->older);
	input->other_title = n == 2 ? told_apart(paths[0], path) : "";
	if (report->older_name)
		input->other_title = report->older_name;
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

static int make_report(char **argv, const char *older_name)
{
	struct report_command *report = heap_zeroed(1, sizeof(*report));
	int n = 0, code;

	report->older_name = older_name;
	report->loading.command = report->input.command = command;
	report->input.detail = REPORT_DETAIL;
	report->has_source = report->has_code = report->has_data = true;
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

int report_main(int argc, char **argv)
{
	(void)argc;
	return make_report(argv, NULL);
}

int report_temporary(char **argv, const char *older_name)
{
	return make_report(argv, older_name);
}
