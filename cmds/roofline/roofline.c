/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind roofline: operations by the bytes that they need, as a table and drawn. */
#include "cmds/roofline/roofline.h"

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
	const char *machine; /* NULL = the profile's, if it is built in */
	uint64_t top;
};

/* -- options --------------------------------------------------------------------------------- */

const struct option_rule roofline_options[] = {
	{ "--machine", 0, OPTION_VALUE, "NAME|FILE|host",
	  "Show the roofs of this machine [the profile's, if it is built in]",
	  OPTION_TEXT(struct roofline_command, machine, "a machine: its name, a file or host") },
	{ "--top", 0, OPTION_VALUE, "N", "Show N functions at most [20]",
	  OPTION_COUNT(struct roofline_command, top, "a number of functions up to 1000000", 0,
		       MOST_TOP) },
	{ "--svg", 0, OPTION_VALUE, "FILE",
	  "Draw it into FILE, too; -: write the drawing instead of the text", VIEW_COMMAND_SVG },
	VIEW_COMMAND_OPTIONS,
	{ .name = NULL },
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

static int show(const struct roofline_command *roofline, const struct model *model,
		struct arena *arena)
{
	static struct machinesource source;
	struct traffic traffic;
	struct roofs roofs;
	struct rooflineview view = { .traffic = &traffic, .roofs = &roofs };
	const struct view_command_view printed = { rooflineview_fields, N_ROOFLINEVIEW_FIELDS, put,
						   draw, &view };
	int status, code = EXIT_FINE;

	if (roofline->machine)
		code = machinesource_read(&source, command, roofline->machine, true);
	if (code == EXIT_FINE && roofline->machine)
		roofs_of(&roofs, &source.machine);
	else if (code == EXIT_FINE)
		roofs_of_profile(&roofs, model);
	if (roofline->machine)
		machinesource_release(&source);
	if (code != EXIT_FINE)
		return code;
	status = traffic_find(&traffic, model, arena);
	if (status != PROFILE_OK)
		return complain_status(command, NULL, status);
	view.shown = traffic.n < roofline->top ? traffic.n : (size_t)roofline->top;
	return view_command_print(&roofline->view, &printed);
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
