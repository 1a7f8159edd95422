/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind why: what stands out in a profile, and why. */
#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/viewcommand.h"
#include "cmds/convert/treefile.h"
#include "cmds/data/objects.h"
#include "cmds/source/sources.h"
#include "cmds/why/findings.h"

static const char command[] = "why";

struct why_command {
	struct view_command view;
	struct searchpath path;
	struct findings_options options;
	struct read_policy policy;
	bool has_source, has_code;
	struct model tree_model;
	struct pathtree tree; /* its model is NULL = there is none */
	struct model data;    /* the data profile */
	bool has_data_profile;
};

const struct option_rule why_options[] = {
	{ "--source", 0, OPTION_YES_NO, "yes|no", "Quote source lines, where they are found [yes]",
	  OPTION_BOOL(struct why_command, has_source) },
	{ "--asm", 0, OPTION_YES_NO, "yes|no",
	  "Look at machine code, if the profile has costs of instructions [yes]",
	  OPTION_BOOL(struct why_command, has_code) },
	VIEW_COMMAND_OPTIONS,
	{ .name = NULL },
};

/* Warns of code that nothing could be said about. */
static void warn_of_objects(const struct findings *findings)
{
	for (size_t i = 0; i < findings->model->names[NAME_OBJECT].count; i++) {
		const struct code_object *object = findings->objects.by_number[i];

		if (object)
			code_object_warn(command, object, "what its instructions say is not known");
	}
}

static void put(struct document *document, void *ctx)
{
	whyview_put(document, ctx);
}

static int print(const struct why_command *why, struct findings *findings, const char *path)
{
	const struct view_command_view view = { whyview_fields, N_WHYVIEW_FIELDS, put, NULL,
						findings };

	if (!findings->is_known) {
		complain(command, "%s: expected a function '%s', found none with that name", path,
			 why->options.function);
		return EXIT_FAILED;
	}
	return view_command_print(&why->view, &view);
}

static int show(struct why_command *why, const struct model *model, const char *path)
{
	struct findings_options *options = &why->options;
	const struct option_common *common = &why->view.common;
	struct findings findings;
	int status, code;

	options->profile = strcmp(path, "-") == 0 ? NULL : path;
	options->objects = why->path.objects;
	options->no_code = !why->has_code;
	options->has_data = true;
	options->data = why->has_data_profile ? &why->data : NULL;
	options->rules = &why->view.naming.rules;
	options->tree = why->tree.model ? &why->tree : NULL;
	if (why->has_source)
		options->policy = &why->policy;
	if (why->view.loaded.has_time)
		options->oldest = &why->view.loaded.oldest;
	read_policy_init(&why->policy, &why->path, &why->view.naming.rules);
	read_policy_add_profile(&why->policy, model);
	status = findings_make(&findings, model, options);
	code = status ? complain_status(command, path, status) : print(why, &findings, path);
	if (code == EXIT_FINE && !common->quiet) {
		warn_of_objects(&findings);
		read_policy_report(&why->policy, command, common->verbose > 0);
	}
	findings_release(&findings);
	read_policy_release(&why->policy);
	return code;
}

static int check_operands(int n)
{
	if (n == 0)
		complain(command, "expected a profile, try 'costgrind help why'");
	else if (n > 2)
		complain(command, "expected a profile and one FUNCTION, found %d words", n);
	else
		return OPTIONS_GO_ON;
	return EXIT_USAGE;
}

int why_main(int argc, char **argv)
{
	struct why_command why = {
		.view.loading = { .positions = true, .jumps = true },
		.has_source = true,
		.has_code = true,
	};
	struct option_common *common = &why.view.common;
	int n = 0, code;

	(void)argc;
	view_command_init(&why.view, command);
	common->groups[3] = (struct option_group){ searchpath_options, &why.path };
	why.path.fetcher.command = command;
	code = searchpath_read_rc(&why.path);
	if (code == OPTIONS_GO_ON)
		code = options_read(why_options, common, argv, &n, &why);
	if (code == OPTIONS_GO_ON)
		code = check_operands(n);
	if (code == OPTIONS_GO_ON) {
		struct model model;

		why.options.function = n > 1 ? argv[2] : NULL;
		why.path.fetcher.is_quiet = common->quiet;
		code = view_command_read(&why.view, &model, (const char *const *)argv + 1, 1);
		model_init(&why.tree_model);
		model_init(&why.data);
		if (code == EXIT_FINE && !why.options.function && strcmp(argv[1], "-") != 0)
			code = datafile_read(&why.data, &why.has_data_profile, &model, argv[1],
					     &why.view.loading, command);
		if (code == EXIT_FINE)
			code = treefile_find(&why.tree, &why.tree_model, &model, argv[1], command);
		if (code == EXIT_FINE)
			code = show(&why, &model, argv[1]);
		if (why.tree.model)
			pathtree_release(&why.tree);
		model_release(&why.data);
		model_release(&why.tree_model);
		model_release(&model);
	}
	searchpath_release(&why.path);
	view_command_release(&why.view);
	return code;
}
