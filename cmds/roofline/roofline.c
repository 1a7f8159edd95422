/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind roofline: operations by the bytes that they need, as a table and drawn. */
#include "cmds/roofline/roofline.h"

#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/naming.h"
#include "cmds/cli/printout.h"
#include "cmds/machine/machine.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

static const char command[] = "roofline";

enum {
	USUAL_TOP = 20,
	MOST_TOP = 1000000,
};

struct roofline_command {
	struct option_common common;
	struct loader_options loading;
	struct naming naming;
	const char *machine; /* NULL = that of the profile, if it is built in */
	size_t top;
	const struct document_backend *backend;
	const char *output; /* NULL = standard output */
	const char *svg;    /* NULL = none is wanted */
};

/* -- options --------------------------------------------------------------------------------- */

static const char *set_machine(void *ctx, const char *value)
{
	((struct roofline_command *)ctx)->machine = value;
	return value[0] != '\0' ? NULL : "a machine: its name, a file or host";
}

static const char *set_top(void *ctx, const char *value)
{
	unsigned long long top;

	if (!option_count(value, MOST_TOP, &top))
		return "a number of functions up to 1000000";
	((struct roofline_command *)ctx)->top = (size_t)top;
	return NULL;
}

static const char *set_svg(void *ctx, const char *value)
{
	((struct roofline_command *)ctx)->svg = value;
	return value[0] != '\0' ? NULL : "the name of a file";
}

static const char *set_format(void *ctx, const char *value)
{
	const struct document_backend *backend = document_backend(value);

	((struct roofline_command *)ctx)->backend = backend;
	return backend ? NULL : DOCUMENT_EXPECTED_FORMATS;
}

static const char *set_output(void *ctx, const char *value)
{
	((struct roofline_command *)ctx)->output = value;
	return value[0] != '\0' ? NULL : "the name of a file";
}

const struct option_rule roofline_options[] = {
	{ "--machine", 0, OPTION_VALUE, "NAME|FILE|host",
	  "whose roofs [those of the profile's machine, if it is built in]", set_machine },
	{ "--top", 0, OPTION_VALUE, "N", "show so many functions at most [20]", set_top },
	{ "--svg", 0, OPTION_VALUE, "FILE", "draw it into FILE, too (- is instead)", set_svg },
	{ "--format", 0, OPTION_VALUE, DOCUMENT_FORMATS, "how to print it [text]", set_format },
	{ "--output", 'o', OPTION_VALUE, "FILE", "where to [standard output]", set_output },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};

/* -- machines -------------------------------------------------------------------------------- */

static int find_roofs(const struct roofline_command *roofline, const struct model *model,
		      struct roofs *roofs)
{
	static struct machinesource source;
	int code;

	if (!roofline->machine) {
		roofs_of_profile(roofs, model);
		return EXIT_FINE;
	}
	code = machinesource_read(&source, command, roofline->machine, true);
	if (code == EXIT_FINE)
		roofs_of(roofs, &source.machine);
	machinesource_release(&source);
	return code;
}

/* -- work ------------------------------------------------------------------------------------ */

static int draw(const struct roofline_command *roofline, const struct rooflinereport *report)
{
	struct rooflinereport drawing = *report;
	struct printout printout;

	if (!printout_open(&printout, command, roofline->svg, false))
		return EXIT_FAILED;
	drawing.out = printout.out;
	rooflinedrawing_print(&drawing);
	return printout_close(&printout, command) ? EXIT_FINE : EXIT_FAILED;
}

static int print(const struct roofline_command *roofline, struct rooflinereport *report)
{
	const bool is_text = roofline->backend == &document_text;
	struct printout printout;

	if (!printout_open(&printout, command, roofline->output,
			   is_text && !roofline->common.no_pager))
		return EXIT_FAILED;
	report->out = printout.out;
	report->backend = roofline->backend;
	report->color = is_text && !roofline->output && option_wants_color(&roofline->common);
	if (!rooflinereport_print(report)) {
		printout_abandon(&printout);
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	}
	return printout_close(&printout, command) ? EXIT_FINE : EXIT_FAILED;
}

static int show_traffic(const struct roofline_command *roofline, const struct model *model,
			struct arena *arena)
{
	struct traffic traffic;
	struct roofs roofs;
	struct rooflinereport report = { .traffic = &traffic, .roofs = &roofs };
	int status, code = find_roofs(roofline, model, &roofs);

	if (code != EXIT_FINE)
		return code;
	status = traffic_find(&traffic, model, arena);
	if (status != PROFILE_OK)
		return complain_status(command, NULL, status);
	report.shown = traffic.n < roofline->top ? traffic.n : roofline->top;
	if (roofline->svg)
		code = draw(roofline, &report);
	if (code == EXIT_FINE && !(roofline->svg && strcmp(roofline->svg, "-") == 0))
		code = print(roofline, &report);
	return code;
}

static int show(const struct roofline_command *roofline, const struct model *model,
		const char *path)
{
	const char *lacks = traffic_lacks(model);
	struct arena arena;
	int code;

	if (model->is_signed) {
		complain(command, "%s: expected what a program cost, found a difference", path);
		return EXIT_FAILED;
	}
	if (lacks) {
		complain(command, "%s: expected %s", path, lacks);
		return EXIT_FAILED;
	}
	arena_init(&arena, &heap_env);
	code = show_traffic(roofline, model, &arena);
	arena_release(&arena);
	return code;
}

static int show_file(struct roofline_command *roofline, const char *const *path)
{
	struct loader_options *loading = &roofline->loading;
	struct loaded loaded;
	struct model model;
	int code;

	loading->quiet = roofline->common.quiet;
	loading->verbose = roofline->common.verbose > 0;
	loading->rules = &roofline->naming.rules;
	if (!model_init(&model, &heap_env)) {
		model_release(&model);
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	}
	code = loader_read(&model, loading, path, 1, &loaded);
	if (code == EXIT_FINE && !naming_is_fine(&roofline->naming.rules, command))
		code = EXIT_FAILED;
	if (code == EXIT_FINE)
		code = show(roofline, &model, path[0]);
	model_release(&model);
	return code;
}

int roofline_main(int argc, char **argv)
{
	struct roofline_command roofline = {
		.loading = { .command = command },
		.top = USUAL_TOP,
		.backend = &document_text,
	};
	int n = 0, code;

	(void)argc;
	naming_init(&roofline.naming);
	roofline.common.groups[0] = (struct option_group){ loading_options, &roofline.loading };
	roofline.common.groups[1] =
		(struct option_group){ lenient_options, &roofline.loading.lenient };
	roofline.common.groups[2] = (struct option_group){ naming_options, &roofline.naming };
	code = options_read(roofline_options, &roofline.common, argv, &n, &roofline);
	if (code == OPTIONS_GO_ON && n != 1) {
		complain(command,
			 "expected a profile, found %d words, try 'costgrind help roofline'", n);
		code = EXIT_USAGE;
	}
	if (code == OPTIONS_GO_ON)
		code = show_file(&roofline, (const char *const *)argv + 1);
	naming_release(&roofline.naming);
	return code;
}
