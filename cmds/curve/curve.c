/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind curve: data misses by size of cache, as a table and drawn. */
#include "cmds/curve/curve.h"

#include <string.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/naming.h"
#include "cmds/cli/printout.h"
#include "profile/common/heap.h"

static const char command[] = "curve";

struct curve_command {
	struct option_common common;
	struct loader_options loading;
	struct naming naming;
	struct curvescope scope;
	bool is_inclusive;
	const struct document_backend *backend;
	const char *output; /* NULL = standard output */
	const char *svg;    /* NULL = none is wanted */
};

/* -- options --------------------------------------------------------------------------------- */

static const char *set_inclusive(void *ctx, const char *value)
{
	((struct curve_command *)ctx)->is_inclusive = option_yes(value);
	return NULL;
}

static const char *set_svg(void *ctx, const char *value)
{
	((struct curve_command *)ctx)->svg = value;
	return value[0] != '\0' ? NULL : "the name of a file";
}

static const char *set_format(void *ctx, const char *value)
{
	const struct document_backend *backend = document_backend(value);

	((struct curve_command *)ctx)->backend = backend;
	return backend ? NULL : DOCUMENT_EXPECTED_FORMATS;
}

static const char *set_output(void *ctx, const char *value)
{
	((struct curve_command *)ctx)->output = value;
	return value[0] != '\0' ? NULL : "the name of a file";
}

const struct option_rule curve_options[] = {
	{ "--inclusive", 0, OPTION_YES_NO, NULL, "of a function, count what it calls, too [no]",
	  set_inclusive },
	{ "--svg", 0, OPTION_VALUE, "FILE",
	  "draw the curve into FILE, too; -: write the drawing instead of the text", set_svg },
	{ "--format", 0, OPTION_VALUE, DOCUMENT_FORMATS, "how to print it [text]", set_format },
	{ "--output", 'o', OPTION_VALUE, "FILE", "where to [standard output]", set_output },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};

/* -- work ------------------------------------------------------------------------------------ */

/* Whether the drawing stands where the text would. */
static bool is_drawing_only(const struct curve_command *curve)
{
	return curve->svg && strcmp(curve->svg, "-") == 0;
}

static int draw(const struct curve_command *curve, const struct curvereport *report)
{
	struct curvereport drawing = *report;
	struct printout printout;

	if (!printout_open(&printout, command, is_drawing_only(curve) ? curve->output : curve->svg,
			   false))
		return EXIT_FAILED;
	drawing.out = printout.out;
	curvedrawing_print(&drawing);
	return printout_close(&printout, command) ? EXIT_FINE : EXIT_FAILED;
}

static int print(const struct curve_command *curve, struct curvereport *report)
{
	const bool is_text = curve->backend == &document_text;
	struct printout printout;

	if (!printout_open(&printout, command, curve->output, is_text && !curve->common.no_pager))
		return EXIT_FAILED;
	report->out = printout.out;
	report->backend = curve->backend;
	report->color = is_text && !curve->output && option_wants_color(&curve->common);
	if (!curvereport_print(report)) {
		printout_abandon(&printout);
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	}
	return printout_close(&printout, command) ? EXIT_FINE : EXIT_FAILED;
}

static int show(struct curve_command *curve, const struct model *model, const char *path)
{
	uint64_t costs[PROFILE_MAX_EVENTS];
	struct misscurve misses;
	struct curvelevels levels;
	struct curvereport report = { &misses, &curve->scope, &levels, NULL, NULL, false };
	struct arena arena;
	int code;

	if (model->is_signed) {
		complain(command, "%s: expected what a program cost, found a difference", path);
		return EXIT_FAILED;
	}
	if (misscurve_find(&misses, model) == 0) {
		complain(
			command,
			"%s: expected misses by size of cache (events M64K to M256M), found none: they are "
			"recorded with --miss-curve=sampled",
			path);
		return EXIT_FAILED;
	}
	arena_init(&arena, &heap_env);
	code = curvescope_add(&curve->scope, command, model, costs, &arena);
	if (code == EXIT_FINE) {
		misscurve_fill(&misses, model, costs);
		curvelevels_init(&levels);
		if (curve->svg)
			code = draw(curve, &report);
		if (code == EXIT_FINE && !is_drawing_only(curve))
			code = print(curve, &report);
	}
	arena_release(&arena);
	return code;
}

static int show_file(struct curve_command *curve, const char *const *path)
{
	struct loader_options *loading = &curve->loading;
	struct loaded loaded;
	struct model model;
	int code;

	loading->quiet = curve->common.quiet;
	loading->verbose = curve->common.verbose > 0;
	loading->positions = curve->scope.kind == SCOPE_LINE;
	loading->rules = &curve->naming.rules;
	if (!model_init(&model, &heap_env)) {
		model_release(&model);
		return complain_status(command, NULL, PROFILE_NO_MEMORY);
	}
	code = loader_read(&model, loading, path, 1, &loaded);
	if (code == EXIT_FINE && !naming_is_fine(&curve->naming.rules, command))
		code = EXIT_FAILED;
	if (code == EXIT_FINE)
		code = show(curve, &model, path[0]);
	model_release(&model);
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
	struct curve_command curve = {
		.loading = { .command = command },
		.backend = &document_text,
	};
	int n = 0, code;

	(void)argc;
	naming_init(&curve.naming);
	curve.common.groups[0] = (struct option_group){ loading_options, &curve.loading };
	curve.common.groups[1] = (struct option_group){ lenient_options, &curve.loading.lenient };
	curve.common.groups[2] = (struct option_group){ naming_options, &curve.naming };
	code = options_read(curve_options, &curve.common, argv, &n, &curve);
	if (code == OPTIONS_GO_ON) {
		curvescope_init(&curve.scope, n > 1 ? argv[2] : NULL, curve.is_inclusive);
		code = check_words(&curve, n);
	}
	if (code == OPTIONS_GO_ON)
		code = show_file(&curve, (const char *const *)argv + 1);
	naming_release(&curve.naming);
	return code;
}
