/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind curve: data misses by size of cache, as a table and drawn. */
#include "cmds/curve/curve.h"

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/viewcommand.h"
#include "profile/common/heap.h"

static const char command[] = "curve";

struct curve_command {
	struct view_command view;
	struct curvescope scope;
	bool is_inclusive;
	struct option_list machines; /* CURVELEVELS_MACHINES at most; none: all that are built in */
};

static const char *set_machine(void *ctx, const char *value)
{
	struct curve_command *curve = ctx;

	if (value[0] != '\0' && curve->machines.n == CURVELEVELS_MACHINES)
		return "at most 32 machines";
	return option_list_add(&curve->machines, value, "a machine: its name, a file or host");
}

const struct option_rule curve_options[] = {
	{ "--inclusive", 0, OPTION_YES_NO, NULL, "Count what a function calls, too [no]",
	  OPTION_BOOL(struct curve_command, is_inclusive) },
	{ "--machine", 0, OPTION_VALUE, "NAME|FILE|host",
	  "Show the levels of this machine; can be repeated [all machines that are built in]",
	  OPTION_CALL(set_machine) },
	{ "--svg", 0, OPTION_VALUE, "FILE",
	  "Draw the curve into FILE, too; -: write the drawing instead of the text",
	  VIEW_COMMAND_SVG },
	VIEW_COMMAND_OPTIONS,
	{ .name = NULL },
};

static void put(struct document *document, void *ctx)
{
	curveview_put(document, ctx);
}

static void draw(FILE *out, void *ctx)
{
	curveview_draw(out, ctx);
}

static int show(struct curve_command *curve, const struct model *model, const char *path)
{
	uint64_t costs[PROFILE_MAX_EVENTS];
	struct misscurve misses;
	struct curvelevels levels;
	struct curveview view = { &misses, &curve->scope, &levels };
	const struct view_command_view printed = { curveview_fields, N_CURVEVIEW_FIELDS, put, draw,
						   &view };
	struct arena arena;
	int code;

	if (misscurve_find(&misses, model) == 0) {
		complain(
			command,
			"%s: expected misses by size of cache (events M64K to M256M), found none: they are "
			"recorded with --miss-curve=sampled",
			path);
		return EXIT_FAILED;
	}
	arena_init(&arena);
	code = curvescope_add(&curve->scope, command, model, costs, &arena);
	if (code == EXIT_FINE)
		code = curvelevels_find(&levels, command, curve->machines.all, curve->machines.n,
					&arena);
	if (code == EXIT_FINE) {
		misscurve_fill(&misses, model, costs);
		code = view_command_print(&curve->view, &printed);
	}
	arena_release(&arena);
	return code;
}

static int check_words(const struct curve_command *curve, int n)
{
	if (n == 0)
		complain(command, "expected a profile, try 'costgrind help curve'");
	else if (n > 2)
		complain(command,
			 "expected a profile and one FUNCTION or FILE:LINE, found %d words", n);
	else if (curve->is_inclusive && curve->scope.kind == SCOPE_LINE)
		complain(command, "expected a function with --inclusive, found the line %s",
			 curve->scope.word);
	else
		return OPTIONS_GO_ON;
	return EXIT_USAGE;
}

int curve_main(int argc, char **argv)
{
	struct curve_command curve = { .is_inclusive = false };
	int n = 0, code;

	(void)argc;
	view_command_init(&curve.view, command);
	code = options_read(curve_options, &curve.view.common, argv, &n, &curve);
	if (code == OPTIONS_GO_ON) {
		curvescope_init(&curve.scope, n > 1 ? argv[2] : NULL, curve.is_inclusive);
		code = check_words(&curve, n);
	}
	if (code == OPTIONS_GO_ON) {
		struct model model;

		curve.view.loading.positions = curve.scope.kind == SCOPE_LINE;
		code = view_command_read(&curve.view, &model, (const char *const *)argv + 1, 1);
		if (code == EXIT_FINE)
			code = show(&curve, &model, argv[1]);
		model_release(&model);
	}
	view_command_release(&curve.view);
	return code;
}
