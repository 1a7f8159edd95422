/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/cli/viewcommand.h"

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/outfile.h"
#include "profile/common/heap.h"

enum {
	JSON_VERSION = 1,
	FORMAT_TEXT = 64,
};

void view_command_init(struct view_command *command, const char *name)
{
	struct option_group *groups = command->common.groups;

	command->name = command->loading.command = name;
	command->backend = &document_text;
	naming_init(&command->naming);
	groups[0] = (struct option_group){ loading_options, &command->loading };
	groups[1] = (struct option_group){ lenient_options, &command->loading.lenient };
	groups[2] = (struct option_group){ naming_options, &command->naming };
}

void view_command_release(struct view_command *command)
{
	naming_release(&command->naming);
}

/* -- input and output ------------------------------------------------------------------------ */

int view_command_read(struct view_command *command, struct model *model, const char *const *paths,
		      size_t n)
{
	struct loader_options *loading = &command->loading;
	int code;

	loading->quiet = command->common.quiet;
	loading->verbose = command->common.verbose > 0;
	loading->rules = &command->naming.rules;
	model_init(model);
	code = loader_read(model, loading, paths, n, &command->loaded);
	if (code != EXIT_FINE)
		return code;
	if (!naming_is_fine(&command->naming.rules, command->name))
		return EXIT_FAILED;
	if (!model->is_signed)
		return EXIT_FINE;
	complain(command->name, "%s: expected what a program cost, found a difference", paths[0]);
	return EXIT_FAILED;
}

int view_command_print(const struct view_command *command, const struct view_command_view *view)
{
	const bool is_text = command->backend == &document_text;
	const bool is_drawing = command->svg && strcmp(command->svg, "-") == 0;
	struct document document;
	struct printout printout;
	char format[FORMAT_TEXT];

	if (command->svg) {
		if (!printout_open(&printout, command->name,
				   is_drawing ? command->output : command->svg, false))
			return EXIT_FAILED;
		view->draw(printout.out, view->ctx);
		if (!printout_close(&printout, command->name))
			return EXIT_FAILED;
	}
	if (is_drawing)
		return EXIT_FINE;
	if (!printout_open(&printout, command->name, command->output,
			   is_text && !command->common.no_pager))
		return EXIT_FAILED;
	document_begin(&document, command->backend, printout.out, view->fields, view->n_fields, 0);
	if (is_text && !command->output && option_wants_color(&command->common))
		document_use_color(&document);
	document_fit(&document, fitted_width(command->width));
	snprintf(format, sizeof(format), "costgrind %s", command->name);
	document_value(&document, "schema", cell_string(format));
	snprintf(format, sizeof(format), "costgrind-%s", command->name);
	document_value(&document, "format", cell_string(format));
	document_value(&document, "version", cell_count(JSON_VERSION));
	view->put(&document, view->ctx);
	document_end(&document);
	return printout_close(&printout, command->name) ? EXIT_FINE : EXIT_FAILED;
}
