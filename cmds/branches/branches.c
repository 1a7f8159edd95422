/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind branches: which branches are mispredicted, and why. */
#include "cmds/branches/branchlist.h"
#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/viewcommand.h"
#include "cmds/source/sources.h"

static const char command[] = "branches";

#define DEFAULT_THRESHOLD 1 /* percent */
enum { DEFAULT_TOP = 20 };

struct branches_command {
	struct view_command view;
	struct searchpath path;
	struct branchlist_options options;
	struct read_policy policy;
};

/* -- options --------------------------------------------------------------------------------- */

const struct option_rule branches_options[] = {
	{ "--sort", 0, OPTION_VALUE, "missed|rate|executed",
	  "Sort by mispredictions, by how many of its executions these are, or by executions\n"
	  "[missed]",
	  OPTION_WORD(struct branches_command, options.sort) },
	{ "--threshold", 0, OPTION_VALUE, "N",
	  "Show what has N % or more of all mispredictions (of executions with\n"
	  "--sort=executed) [1]",
	  OPTION_DECIMAL(struct branches_command, options.threshold, "a percentage of 0 to 100", 0,
			 100) },
	{ "--top", 0, OPTION_VALUE, "N", "Show N branches at most [20]",
	  OPTION_COUNT(struct branches_command, options.most, "a number of branches, 1 or more", 1,
		       SIZE_MAX) },
	{ "--asm-syntax", 0, OPTION_VALUE, "att|intel", "Syntax of x86 code [att]",
	  OPTION_WORD(struct branches_command, options.syntax) },
	VIEW_COMMAND_OPTIONS,
	{ .name = NULL },
};

/* -- work ------------------------------------------------------------------------------------ */

/* Warns of code that is not shown. */
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

static void put(struct document *document, void *ctx)
{
	branchview_put(document, ctx);
}

static int show(struct branches_command *branches, const struct model *model)
{
	struct branchlist_options *options = &branches->options;
	const struct option_common *common = &branches->view.common;
	struct branch_list list;
	const struct view_command_view view = { branchview_fields, N_BRANCHVIEW_FIELDS, put, NULL,
						&list };
	int status, code;

	options->objects = branches->path.objects;
	options->policy = &branches->policy;
	if (branches->view.loaded.has_time)
		options->oldest = &branches->view.loaded.oldest;
	read_policy_init(&branches->policy, &branches->path, &branches->view.naming.rules);
	read_policy_add_profile(&branches->policy, model);
	status = branchlist_make(&list, model, options);
	code = status ? complain_status(command, NULL, status)
		      : view_command_print(&branches->view, &view);
	if (code == EXIT_FINE && !common->quiet) {
		warn_of_objects(&list);
		read_policy_report(&branches->policy, command, common->verbose > 0);
	}
	branchlist_release(&list);
	read_policy_release(&branches->policy);
	return code;
}

static int show_files(struct branches_command *branches, const char *const *paths, size_t n)
{
	struct model model;
	int code;

	branches->path.fetcher.is_quiet = branches->view.common.quiet;
	code = view_command_read(&branches->view, &model, paths, n);
	if (code == EXIT_FINE && model_event(&model, "Bc") == model.n_events) {
		complain(command,
			 "%s: expected conditional branches (event Bc), found none: they are "
			 "recorded with --branch-sim=yes",
			 paths[0]);
		code = EXIT_FAILED;
	}
	if (n == 1)
		branches->options.profile = paths[0];
	if (code == EXIT_FINE)
		code = show(branches, &model);
	model_release(&model);
	return code;
}

int branches_main(int argc, char **argv)
{
	struct branches_command branches = {
		.view.loading = { .positions = true, .jumps = true },
		.options = { .threshold = DEFAULT_THRESHOLD, .most = DEFAULT_TOP },
	};
	struct option_common *common = &branches.view.common;
	int n = 0, code;

	(void)argc;
	view_command_init(&branches.view, command);
	common->groups[3] = (struct option_group){ searchpath_options, &branches.path };
	branches.path.fetcher.command = command;
	code = searchpath_read_rc(&branches.path);
	if (code == OPTIONS_GO_ON)
		code = options_read(branches_options, common, argv, &n, &branches);
	if (code == OPTIONS_GO_ON && n == 0) {
		complain(command, "expected a profile, try 'costgrind help branches'");
		code = EXIT_USAGE;
	}
	if (code == OPTIONS_GO_ON)
		code = show_files(&branches, (const char *const *)argv + 1, (size_t)n);
	searchpath_release(&branches.path);
	view_command_release(&branches.view);
	return code;
}
