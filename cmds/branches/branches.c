/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind branches: which branches are mispredicted, and why. */
#include <string.h>

#include "cmds/branches/branchlist.h"
#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/naming.h"
#include "cmds/cli/printout.h"
#include "cmds/source/searchpath.h"
#include "profile/common/heap.h"

static const char command[] = "branches";

#define DEFAULT_THRESHOLD 1 /* percent */
enum { DEFAULT_TOP = 20 };

struct branches_command {
	struct option_common common;
	struct loader_options loading;
	struct naming naming;
	struct searchpath path;
	struct branchlist_options options;
	struct read_policy policy;
	struct loaded loaded;
	const struct document_backend *backend;
	const char *output;
};

/* -- options --------------------------------------------------------------------------------- */

static const char *set_top(void *ctx, const char *value)
{
	unsigned long long n;

	if (!option_count(value, SIZE_MAX, &n) || n == 0)
		return "a number of branches, 1 or more";
	((struct branches_command *)ctx)->options.most = (size_t)n;
	return NULL;
}

static const char *set_threshold(void *ctx, const char *value)
{
	return option_decimal(value, 0, 100, &((struct branches_command *)ctx)->options.threshold)
		       ? NULL
		       : "a percentage of 0 to 100";
}

static const char *set_sort(void *ctx, const char *value)
{
	static const char *const words[] = {
		[BRANCH_SORT_MISSED] = "missed",
		[BRANCH_SORT_RATE] = "rate",
		[BRANCH_SORT_EXECUTED] = "executed",
		NULL,
	};
	int word = option_word(value, words);

	if (word < 0)
		return "missed, rate or executed";
	((struct branches_command *)ctx)->options.sort = (enum branch_sort)word;
	return NULL;
}

static const char *set_asm_syntax(void *ctx, const char *value)
{
	return assembly_syntax_read(value, &((struct branches_command *)ctx)->options.syntax);
}

static const char *set_format(void *ctx, const char *value)
{
	const struct document_backend *backend = document_backend(value);

	((struct branches_command *)ctx)->backend = backend;
	return backend ? NULL : DOCUMENT_EXPECTED_FORMATS;
}

static const char *set_output(void *ctx, const char *value)
{
	((struct branches_command *)ctx)->output = value;
	return value[0] != '\0' ? NULL : "the name of a file";
}

const struct option_rule branches_options[] = {
	{ "--sort", 0, OPTION_VALUE, "missed|rate|executed",
	  "by mispredictions, by how many of its executions these are, or by executions\n"
	  "[missed]",
	  set_sort },
	{ "--threshold", 0, OPTION_VALUE, "N",
	  "show what has N % or more of all mispredictions (of executions with\n"
	  "--sort=executed) [1]",
	  set_threshold },
	{ "--top", 0, OPTION_VALUE, "N", "show N branches at most [20]", set_top },
	{ "--asm-syntax", 0, OPTION_VALUE, "att|intel", "of x86 code [att]", set_asm_syntax },
	{ "--format", 0, OPTION_VALUE, DOCUMENT_FORMATS, "how to print it [text]", set_format },
	{ "--output", 'o', OPTION_VALUE, "FILE", "where to [standard output]", set_output },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};

/* -- work ------------------------------------------------------------------------------------ */

/* What of the code is not shown, and why. */
static void warn_of_objects(const struct branch_list *list)
{
	for (size_t i = 0; i < list->model->names[NAME_OBJECT].count; i++) {
		const struct code_object *object = list->objects.by_number[i];

		if (object)
			code_object_warn(command, object,
					 "instructions of its branches, and the loads that they "
					 "depend on, are not shown");
	}
}

static int print(struct branches_command *branches, const struct branch_list *list)
{
	const bool is_text = branches->backend == &document_text;
	struct branchreport report = { .list = list, .backend = branches->backend };
	struct printout printout;

	if (!printout_open(&printout, command, branches->output,
			   is_text && !branches->common.no_pager))
		return EXIT_FAILED;
	report.out = printout.out;
	report.color = is_text && !branches->output && option_wants_color(&branches->common);
	if (!branchreport_print(&report)) {
		printout_abandon(&printout);
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	}
	return printout_close(&printout, command) ? EXIT_FINE : EXIT_FAILED;
}

/* Whether it has what is to be shown; if not, prints a message. */
static bool has_branches(const struct model *model, const char *path)
{
	if (model->is_signed)
		complain(command, "%s: expected what a program cost, found a difference", path);
	else if (model_event(model, "Bc") == model->n_events)
		complain(command,
			 "%s: expected conditional branches (event Bc), found none: they are "
			 "recorded with --branch-sim=yes",
			 path);
	else
		return true;
	return false;
}

static int show(struct branches_command *branches, const struct model *model)
{
	struct branchlist_options *options = &branches->options;
	struct branch_list list;
	int status, code = EXIT_FAILED;

	options->objects = branches->path.objects;
	options->policy = &branches->policy;
	if (branches->loaded.has_time)
		options->oldest = &branches->loaded.oldest;
	read_policy_init(&branches->policy, &branches->path, &branches->naming.rules);
	read_policy_add_profile(&branches->policy, model);
	status = branchlist_make(&list, model, options);
	if (status) {
		complain_status(command, NULL, status);
	} else {
		code = print(branches, &list);
		if (code == EXIT_FINE && !branches->common.quiet) {
			warn_of_objects(&list);
			read_policy_report(&branches->policy, command,
					   branches->common.verbose > 0);
		}
	}
	branchlist_release(&list);
	read_policy_release(&branches->policy);
	return code;
}

static int show_files(struct branches_command *branches, const char *const *paths, size_t n)
{
	struct loader_options *loading = &branches->loading;
	struct model model;
	int code;

	loading->quiet = branches->path.fetcher.is_quiet = branches->common.quiet;
	loading->verbose = branches->common.verbose > 0;
	loading->positions = loading->jumps = true;
	loading->rules = &branches->naming.rules;
	if (!model_init(&model, &heap_env)) {
		model_release(&model);
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	}
	code = loader_read(&model, loading, paths, n, &branches->loaded);
	if (code == EXIT_FINE)
		code = has_branches(&model, paths[0]) ? show(branches, &model) : EXIT_FAILED;
	model_release(&model);
	return code;
}

int branches_main(int argc, char **argv)
{
	struct branches_command branches = {
		.loading = { .command = command },
		.options = { .threshold = DEFAULT_THRESHOLD, .most = DEFAULT_TOP },
		.backend = &document_text,
	};
	int n = 0, code;

	(void)argc;
	naming_init(&branches.naming);
	branches.common.groups[0] = (struct option_group){ searchpath_options, &branches.path };
	branches.common.groups[1] = (struct option_group){ loading_options, &branches.loading };
	branches.common.groups[2] =
		(struct option_group){ lenient_options, &branches.loading.lenient };
	branches.common.groups[3] = (struct option_group){ naming_options, &branches.naming };
	branches.path.fetcher.command = command;
	code = searchpath_read_rc(&branches.path);
	if (code == OPTIONS_GO_ON)
		code = options_read(branches_options, &branches.common, argv, &n, &branches);
	if (code == OPTIONS_GO_ON && n == 0) {
		complain(command, "expected a profile, try 'costgrind help branches'");
		code = EXIT_USAGE;
	}
	if (code == OPTIONS_GO_ON)
		code = show_files(&branches, (const char *const *)argv + 1, (size_t)n);
	searchpath_release(&branches.path);
	naming_release(&branches.naming);
	return code;
}
