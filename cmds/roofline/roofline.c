/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind roofline: operations by the bytes that they need, as a table and drawn. */
#include "cmds/roofline/roofline.h"

#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/viewcommand.h"
#include "cmds/machine/machine.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

static const char command[] = "roofline";

enum {
	USUAL_TOP = 20,
	MOST_TOP = 1000000,
};

struct roofline_command {
	struct view_command view;
	const char *machine; /* NULL = that of the profile, if it is built in */
	size_t top;
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

const struct option_rule roofline_options[] = {
	{ "--machine", 0, OPTION_VALUE, "NAME|FILE|host",
	  "whose roofs [those of the profile's machine, if it is built in]", set_machine },
	{ "--top", 0, OPTION_VALUE, "N", "show so many functions at most [20]", set_top },
	{ "--svg", 0, OPTION_VALUE, "FILE", "draw it into FILE, too (- is instead)",
	  view_command_set_svg },
	VIEW_COMMAND_OPTIONS,
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};

/* -- work ------------------------------------------------------------------------------------ */

static void put(struct document *document, void *ctx)
{
	rooflineview_put(document, ctx);
}

static void draw(FILE *out, void *ctx)
{
	rooflineview_draw(out, ctx);
}

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

static int show(const struct roofline_command *roofline, const struct model *model,
		struct arena *arena)
{
	const struct view_command *options = &roofline->view;
	struct traffic traffic;
	struct roofs roofs;
	struct rooflineview view = { .traffic = &traffic, .roofs = &roofs };
	const struct view_command_view printed = { rooflineview_fields, N_ROOFLINEVIEW_FIELDS, put,
						   &view };
	int status, code = find_roofs(roofline, model, &roofs);

	if (code != EXIT_FINE)
		return code;
	status = traffic_find(&traffic, model, arena);
	if (status != PROFILE_OK)
		return complain_status(command, NULL, status);
	view.shown = traffic.n < roofline->top ? traffic.n : roofline->top;
	if (options->svg)
		code = view_command_draw(options, options->svg, draw, &view);
	if (code == EXIT_FINE && !(options->svg && strcmp(options->svg, "-") == 0))
		code = view_command_print(options, &printed);
	return code;
}

static int show_file(struct roofline_command *roofline, const char *const *path)
{
	struct model model;
	struct arena arena;
	int code = view_command_read(&roofline->view, &model, path, 1);

	arena_init(&arena);
	if (code == EXIT_FINE && traffic_lacks(&model)) {
		complain(command, "%s: expected %s", path[0], traffic_lacks(&model));
		code = EXIT_FAILED;
	}
	if (code == EXIT_FINE)
		code = show(roofline, &model, &arena);
	arena_release(&arena);
	model_release(&model);
	return code;
}

int roofline_main(int argc, char **argv)
{
	struct roofline_command roofline = { .top = USUAL_TOP };
	int n = 0, code;

	(void)argc;
	view_command_init(&roofline.view, command);
	code = options_read(roofline_options, &roofline.view.common, argv, &n, &roofline);
	if (code == OPTIONS_GO_ON && n != 1) {
		complain(command,
			 "expected a profile, found %d words, try 'costgrind help roofline'", n);
		code = EXIT_USAGE;
	}
	if (code == OPTIONS_GO_ON)
		code = show_file(&roofline, (const char *const *)argv + 1);
	view_command_release(&roofline.view);
	return code;
}
