/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind annotate: its options, and the way from files to output. */
#include "cmds/annotate/annotate.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/outfile.h"
#include "cmds/data/objects.h"
#include "cmds/listing/column.h"
#include "cmds/source/sources.h"
#include "profile/common/heap.h"

/* In text with few columns: functions that are listed, if nobody says how many. */
enum { USUAL_MOST = 25, RUN_MOST = 12, RUN_MOST_C = 3 };

struct annotate {
	struct annotation_options options;
	struct loader_options loading;
	struct loaded taken;
	struct option_common common;
	struct naming naming;
	struct searchpath path;
	struct read_policy policy; /* by path and naming */
	struct cycleformula cycles;
	struct option_list sources, functions; /* --source, --asm */
	bool is_auto_set, is_list_set, is_threshold_set;
	const struct document_backend *backend;
	const char *output;
	size_t width;
	char type_columns[64]; /* names of columns, with commas between */
};

/* -- one function for each option -------------------------------------------- */

static const char *set_threshold(void *ctx, const char *value)
{
	struct annotate *annotate = ctx;

	annotate->options.listing.coverage = -1;
	annotate->is_threshold_set = true;
	return option_decimal(value, 0, 100, &annotate->options.choice.threshold)
		       ? NULL
		       : "a percentage of 0 to 100";
}

static const char *set_list(void *ctx, const char *value)
{
	static const char *const words[] = { "function", "file:function", "function:file", "none",
					     NULL };
	struct annotate *annotate = ctx;
	struct annotation_options *options = &annotate->options;
	unsigned lists = 0;

	annotate->is_list_set = true;
	if (value[0] != '\0' && !option_words(value, words, &lists))
		return "function, file:function, function:file or none, with commas between";
	options->list_functions = lists & 1;
	options->list_by_file = lists & 2;
	options->list_by_function = lists & 4;
	return NULL;
}

static const char *set_auto(void *ctx, const char *value)
{
	struct annotate *annotate = ctx;

	annotate->options.annotated.automatic = option_yes(value);
	annotate->is_auto_set = true;
	return NULL;
}

static const char *set_asm(void *ctx, const char *value)
{
	struct annotate *annotate = ctx;

	annotate->options.shows_code = true;
	annotate->options.code.automatic |= !value;
	return value ? option_list_add(&annotate->functions, value,
				       "a function, an address or FILE:LINE")
		     : NULL;
}

static const char *set_region(void *ctx, const char *value)
{
	struct annotate *annotate = ctx;

	annotate->options.by = BY_REGION;
	annotate->options.region = value;
	return *value ? NULL : "a pattern of names";
}

static const char *set_cycles(void *ctx, const char *value)
{
	return cycleformula_read(value, &((struct annotate *)ctx)->cycles,
				 &((struct annotate *)ctx)->options.choice.estimate);
}

/* Each text begins with its separator; the first one's is skipped. */
#define BY_FORM(name, word, put, help) "|" word
#define BY_HELP(name, word, put, help) help

const struct option_rule annotate_options[] = {
	{ "--show", 0, OPTION_VALUE, "A,B,...",
	  "Show these columns, in this order [text: cycles, shares, what they are mostly spent on,\n"
	  "instructions; else all recorded events]; 'costgrind help events' lists all",
	  OPTION_TEXT(struct annotate, options.choice.show,
		      "names of events, as in --show=Ir,DLmr") },
	{ "--sort", 0, OPTION_VALUE, "A[:N],B[:N],...",
	  "Sort by A, then by B...; show what has N % or more of A, or of B... [the columns, in order]",
	  OPTION_TEXT(struct annotate, options.choice.sort,
		      "names of events, as in --sort=DLmr:1,DLmw:1") },
	{ "--threshold", 0, OPTION_VALUE, "N",
	  "Show what has N % or more of the first event sorted by [0.1]",
	  OPTION_CALL(set_threshold) },
	{ "--coverage", 0, OPTION_VALUE, "N",
	  "Instead, show the costliest functions that together have N % of it",
	  OPTION_DECIMAL(struct annotate, options.listing.coverage, "a percentage of 0 to 100", 0,
			 100) },
	{ "--top", 0, OPTION_VALUE, "N",
	  "Show at most the N costliest functions [25 in text; else all]",
	  OPTION_COUNT(struct annotate, options.listing.most, "a number of functions, 1 or more", 1,
		       SIZE_MAX) },
	{ "--inclusive", 0, OPTION_YES_NO, "yes|no",
	  "Show inclusive costs, with everything that functions call [no]",
	  OPTION_BOOL(struct annotate, options.listing.inclusive) },
	{ "--tree", 0, OPTION_VALUE, "none|caller|calling|both",
	  "Show the callers (<) and callees (>) of each function [none]",
	  OPTION_WORD(struct annotate, options.listing.tree) },
	{ "--list", 0, OPTION_VALUE, "WHAT,...",
	  "List functions (function), source files with their functions (file:function), functions\n"
	  "with their files (function:file), or none [function; none with --asm=FUNCTION, in text\n"
	  "and Markdown]",
	  OPTION_CALL(set_list) },
	{ "--auto", 0, OPTION_YES_NO, "yes|no",
	  "Annotate the source files of what is listed [of own functions with 1 % inclusive cost; of\n"
	  "libraries if there are none]",
	  OPTION_CALL(set_auto) },
	{ "--annotate", 0, OPTION_YES_NO, "yes|no", "Same as --auto", OPTION_CALL(set_auto) },
	{ "--diff", 0, OPTION_FLAG, NULL,
	  "Show NEW - OLD of two profiles, OLD and NEW, with the same events, line by line; costgrind\n"
	  "diff shows which functions changed",
	  OPTION_BOOL(struct annotate, loading.difference) },
	{ "--asm", 0, OPTION_MAYBE, "FUNCTION",
	  "Show machine code of the listed functions, or of FUNCTION: a name (* and ? are wild),\n"
	  "0xADDRESS, OBJECT:0xADDRESS or FILE:LINE; sources are then annotated only with\n"
	  "--auto=yes",
	  OPTION_CALL(set_asm) },
	{ "--asm-syntax", 0, OPTION_VALUE, "att|intel", "Syntax of x86 code [att]",
	  OPTION_WORD(struct annotate, options.code.syntax) },
	{ "--asm-bytes", 0, OPTION_YES_NO, "yes|no", "Show the bytes of each instruction [no]",
	  OPTION_BOOL(struct annotate, options.shows_bytes) },
	{ "--layout", 0, OPTION_FLAG, NULL,
	  "Show hot loops that touch more fetch windows than they would if aligned; functions and\n"
	  "sources are then shown only if options ask for them",
	  OPTION_BOOL(struct annotate, options.shows_layout) },
	{ "--by", 0, OPTION_VALUE, &("" ANNOTATION_BY(BY_FORM))[1], "Show:" ANNOTATION_BY(BY_HELP),
	  OPTION_WORD(struct annotate, options.by) },
	{ "--region", 0, OPTION_VALUE, "PATTERN",
	  "Show only matching regions (* and ? are wild), as --by=region does",
	  OPTION_CALL(set_region) },
	{ "--source", 0, OPTION_VALUE, "FILE",
	  "Also annotate this source file, named as in the profile or by its last components",
	  OPTION_EACH(struct annotate, sources, "the name of a source file") },
	{ "--context", 0, OPTION_VALUE, "N",
	  "Show N lines, or instructions, around each that has costs [8]",
	  OPTION_COUNT(struct annotate, options.annotated.context, "a number of lines", 0,
		       1000000000) },
	{ "--show-percs", 0, OPTION_YES_NO, "yes|no", "Show percentages after counts [yes]",
	  OPTION_BOOL(struct annotate, options.percents) },
	{ "--brief", 0, OPTION_YES_NO, "yes|no",
	  "Leave out the lines of text that say what ran and what it cost [no]",
	  OPTION_BOOL(struct annotate, options.brief) },
	{ "--cycles", 0, OPTION_VALUE, CYCLEFORMULA_VALUE, CYCLEFORMULA_HELP,
	  OPTION_CALL(set_cycles) },
	{ "--format", 0, OPTION_VALUE, DOCUMENT_FORMATS, "Output format [text]",
	  OPTION_FORMAT(struct annotate, backend) },
	OPTION_WIDTH(struct annotate, width),
	{ "--output", 'o', OPTION_VALUE, "FILE", "Write to FILE [standard output]",
	  OPTION_TEXT(struct annotate, output, "the name of a file") },
	{ .name = NULL },
};

/* Opens the output; false, with a message, if that failed. */
static bool open_output(const struct annotate *annotate, struct printout *printout)
{
	return printout_open(printout, annotate->options.command, annotate->output,
			     annotate->backend == &document_text && !annotate->common.no_pager);
}

static int close_output(const struct annotate *annotate, struct printout *printout)
{
	return printout_close(printout, annotate->options.command) ? EXIT_FINE : EXIT_FAILED;
}

/* True if what is printed is text on standard output. */
static bool is_text(const struct annotate *annotate)
{
	return annotate->backend == &document_text && !annotate->output;
}

static int print(const struct annotate *annotate, const struct annotation *annotation)
{
	struct rendering rendering = {
		.annotation = annotation,
		.backend = annotate->backend,
		.color = is_text(annotate) && option_wants_color(&annotate->common),
		.width = fitted_width(annotate->width),
	};
	struct printout printout;
	if (!open_output(annotate, &printout))
		return EXIT_FAILED;
	rendering.out = printout.out;
	render(&rendering);
	return close_output(annotate, &printout);
}

/* True if a person asks for the code of a function, or anybody for loops, and for nothing that lists have. */
static bool wants_no_list(const struct annotate *annotate)
{
	const struct annotation_options *options = &annotate->options;
	bool is_of_function = options->code.n_wanted > 0 && !options->code.automatic &&
			      annotate->backend->is_prose;

	if (annotate->is_list_set || options->listing.inclusive ||
	    options->listing.tree != TREE_NONE)
		return false;
	return options->by != BY_FUNCTION ||
	       (options->listing.most == 0 &&
		(is_of_function || (options->shows_layout && !options->shows_code)));
}

/* What is shown of types, if nothing else is asked for: misses of each level, references, cycles of the machine. */
static void choose_type_columns(struct annotate *annotate, const struct model *model)
{
	static const struct {
		const char *needs, *column;
	} columns[] = {
		{ "D1mr", "D1m" }, { "L2dr", "L2dr,L2dw" }, { "DLmr", "DLm" },
		{ "Dr", "Dr" },    { "Dw", "Dw" },          { "CyMem", "Cyc" },
	};
	struct column_choice *choice = &annotate->options.choice;
	char *text = annotate->type_columns;
	const size_t size = sizeof(annotate->type_columns);

	if (choice->show)
		return;
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		size_t len = strlen(text);

		if (model_event(model, columns[i].needs) < model->n_events)
			snprintf(text + len, size - len, "%s%s", len > 0 ? "," : "",
				 columns[i].column);
	}
	if (text[0] != '\0')
		choice->show = text;
	choice->is_show_usual = text[0] != '\0';
}

/* Reads the data profiles that the profiles name; what waiting for objects costs is shown first. */
static int read_objects(struct annotate *annotate, struct model *model, const char *const *paths,
			size_t n)
{
	const char *command = annotate->options.command, *wrong = NULL;
	struct loader_options loading = annotate->loading;
	struct column_choice *choice = &annotate->options.choice;
	struct objectfiles files = { .n = 0 };
	struct model naming;
	struct arena arena;
	bool are_others = true;
	int code;

	loading.positions = loading.jumps = false;
	arena_init(&arena);
	model_init(&naming);
	code = loader_read(&naming, &loading, paths, n, &annotate->taken);
	if (code == EXIT_FINE) {
		objectfiles_find(&files, &naming, paths, n, &arena);
		wrong = objectfiles_missing(&files, &arena);
	}
	if (code == EXIT_FINE && !wrong) {
		loading = annotate->loading;
		/* Objects are of all threads and parts, whichever of them are chosen; that they are is said. */
		if (files.are_named)
			loading.parts = loading.threads = NULL;
		/* What there is to say about profiles that are read once more was said. */
		loading.quiet |= !files.are_named;
		loading.named_by = files.names;
		code = loader_read(model, &loading, files.paths, files.n, &annotate->taken);
		if (code == EXIT_FINE)
			wrong = objectfiles_wrong(&files, &naming, model, &are_others, &arena);
	}
	if (wrong && are_others) {
		complain(command, "%s", wrong);
		code = EXIT_FAILED;
	} else if (wrong && !loading.quiet) {
		warn(command, "%s", wrong);
	}
	if (code == EXIT_FINE && !choice->show && !choice->sort) {
		choice->show = "EstCyc,D1m,DLm";
		choice->is_show_usual = true;
	}
	model_release(&naming);
	arena_release(&arena);
	return code;
}

/* How evenly ranks share the work, and nothing else. */
static int annotate_ranks(struct annotate *annotate, const char *const *paths, size_t n)
{
	const struct annotation_options *options = &annotate->options;
	const struct rankbalance *balance = NULL;
	struct printout printout;
	struct arena arena;
	struct model model;
	const char *wrong = NULL;
	bool is_usage;
	int code;

	annotate->loading.quiet = annotate->common.quiet;
	annotate->loading.verbose = annotate->common.verbose > 0;
	annotate->loading.rules = &annotate->naming.rules;
	annotate->loading.parts_apart = true;
	arena_init(&arena);
	model_init(&model);
	code = loader_read(&model, &annotate->loading, paths, n, &annotate->taken);
	if (code == EXIT_FINE)
		balance = rankbalance_make(&model, &options->choice, options->listing.most, &arena,
					   &wrong, &is_usage);
	if (wrong) {
		complain(options->command, is_usage ? "%s" : "--by=rank: %s", wrong);
		code = is_usage ? EXIT_USAGE : EXIT_FAILED;
	} else if (balance && !open_output(annotate, &printout)) {
		code = EXIT_FAILED;
	} else if (balance) {
		rankbalance_print(balance, annotate->backend, printout.out,
				  is_text(annotate) && option_wants_color(&annotate->common),
				  fitted_width(annotate->width));
		code = close_output(annotate, &printout);
	}
	model_release(&model);
	arena_release(&arena);
	return code;
}

static int annotate_files(struct annotate *annotate, const char *const *paths, size_t n)
{
	struct annotation_options *options = &annotate->options;
	struct annotation annotation;
	struct model model;
	int code;

	options->quiet = annotate->loading.quiet = annotate->common.quiet;
	options->difference = annotate->loading.difference;
	annotate->path.fetcher.is_quiet = annotate->common.quiet;
	annotate->loading.verbose = options->verbose = annotate->common.verbose > 0;
	options->annotated.named = annotate->sources.all;
	options->annotated.n_named = annotate->sources.n;
	options->annotated.policy = options->code.policy = &annotate->policy;
	options->code.context = options->annotated.context;
	options->code.rules = &annotate->naming.rules;
	options->code.wanted = annotate->functions.all;
	options->code.n_wanted = annotate->functions.n;
	options->code.objects = options->placement.objects = options->types.objects =
		annotate->path.objects;
	options->placement.estimate = options->choice.estimate;
	options->choice.is_prose = annotate->backend->is_prose;
	options->choice.is_few = annotate->backend == &document_text;
	options->annotated.is_few = options->choice.is_few && !options->choice.show &&
				    !options->choice.sort && !annotate->is_threshold_set &&
				    !annotate->is_auto_set && options->listing.coverage < 0;
	if ((options->shows_code || options->shows_layout || options->by != BY_FUNCTION) &&
	    !annotate->is_auto_set)
		options->annotated.automatic = false;
	if (wants_no_list(annotate))
		options->list_functions = false;
	if (options->choice.is_few && options->listing.most == 0 && !options->choice.show &&
	    options->listing.coverage < 0 && !annotate->is_threshold_set && !options->choice.sort &&
	    options->by != BY_REGION) {
		options->listing.most = USUAL_MOST;
		options->most_c = USUAL_MOST;
	}
	/* Another formula of cycles leads to other shares than these. */
	options->wants_findings = (annotate->backend == &document_json || options->is_run) &&
				  options->by == BY_FUNCTION && !options->choice.estimate;
	options->findings = (struct findings_options){
		.profile = n == 1 && strcmp(paths[0], "-") != 0 ? paths[0] : NULL,
		.objects = annotate->path.objects,
		.has_data = true,
		.policy = &annotate->policy,
		.rules = &annotate->naming.rules,
	};
	annotate->loading.jumps = options->shows_code || options->shows_layout ||
				  options->wants_findings;
	annotate->loading.rules = &annotate->naming.rules;
	/* A list with few columns has the line of each function, and pointer chases. */
	annotate->loading.positions =
		(options->choice.is_few && !options->choice.show && options->list_functions) ||
		annotate->loading.jumps ||
		(options->by != BY_FUNCTION && options->by != BY_REGION) ||
		options->annotated.automatic || options->annotated.n_named > 0 ||
		options->list_by_file || options->list_by_function;
	model_init(&model);
	code = options->by == BY_OBJECT
		       ? read_objects(annotate, &model, paths, n)
		       : loader_read(&model, &annotate->loading, paths, n, &annotate->taken);
	if (code == EXIT_FINE && options->by == BY_TYPE)
		choose_type_columns(annotate, &model);
	if (code == EXIT_FINE) {
		/* Which sources may be read. */
		read_policy_init(&annotate->policy, &annotate->path, &annotate->naming.rules);
		for (size_t i = 0; i < annotate->sources.n; i++)
			read_policy_add_file(&annotate->policy, annotate->sources.all[i]);
		read_policy_add_profile(&annotate->policy, &model);
		if (annotate->taken.has_time)
			options->annotated.oldest = options->code.oldest =
				options->placement.oldest = options->types.oldest =
					options->findings.oldest = &annotate->taken.oldest;
		code = annotation_make(&annotation, &model, options);
		if (code == EXIT_FINE)
			code = print(annotate, &annotation);
		if (code == EXIT_FINE && !options->quiet)
			moved_sources_warn(&annotation.annotated, options->command);
		annotation_release(&annotation);
		read_policy_release(&annotate->policy);
	}
	model_release(&model);
	return code;
}

/* What is wrong with the options together, or NULL. */
static const char *find_contradiction(const struct annotate *annotate, int n_operands)
{
	const struct annotation_options *options = &annotate->options;

	if (n_operands == 0)
		return "expected a profile, try 'costgrind help annotate'";
	if (!annotate->loading.difference)
		return NULL;
	if (n_operands != 2)
		return "--diff: expected two profiles, OLD and NEW";
	/* Instructions and objects of two builds are not the same. */
	if (options->shows_code || options->shows_layout || options->by != BY_FUNCTION)
		return "--diff: expected no --asm, --layout or --by with it";
	return NULL;
}

/* As if no option were given. */
static void begin(struct annotate *annotate)
{
	static const char command[] = "annotate";

	*annotate = (struct annotate){
		.options = {
			.command = command,
			.choice = { .threshold = 0.1 },
			.listing = { .coverage = -1 },
			.annotated = { .automatic = true, .context = 8 },
			.by = BY_FUNCTION,
			.list_functions = true,
			.percents = true,
		},
		.loading = { .command = command, .source_option = "--source" },
		.backend = &document_text,
	};
	naming_init(&annotate->naming);
}

int annotate_main(int argc, char **argv)
{
	struct annotate annotate;
	struct listing_options *listing = &annotate.options.listing;
	const char *wrong;
	int n = 0, code;

	(void)argc;
	begin(&annotate);
	annotate.common.groups[0] = (struct option_group){ searchpath_options, &annotate.path };
	annotate.common.groups[1] = (struct option_group){ loading_options, &annotate.loading };
	annotate.common.groups[2] =
		(struct option_group){ lenient_options, &annotate.loading.lenient };
	annotate.common.groups[3] = (struct option_group){ naming_options, &annotate.naming };
	annotate.path.fetcher.command = annotate.options.command;
	code = searchpath_read_rc(&annotate.path);
	if (code == OPTIONS_GO_ON)
		code = options_read(annotate_options, &annotate.common, argv, &n, &annotate);
	wrong = code == OPTIONS_GO_ON ? find_contradiction(&annotate, n) : NULL;
	if (wrong) {
		complain(annotate.options.command, "%s", wrong);
		code = EXIT_USAGE;
	}
	if (listing->coverage >= 0)
		annotate.options.choice.threshold = listing->coverage;
	if (code == OPTIONS_GO_ON)
		code = (annotate.options.by == BY_RANK ? annotate_ranks : annotate_files)(
			&annotate, (const char *const *)argv + 1, (size_t)n);
	searchpath_release(&annotate.path);
	naming_release(&annotate.naming);
	return code;
}

int annotate_briefly(const char *path)
{
	struct annotate annotate;
	int code;

	begin(&annotate);
	annotate.common.quiet = annotate.common.no_pager = true;
	annotate.options.is_run = true;
	annotate.options.listing.most = RUN_MOST;
	annotate.options.most_c = RUN_MOST_C;
	annotate.options.annotated.automatic = false;
	code = annotate_files(&annotate, &path, 1);
	naming_release(&annotate.naming);
	return code;
}
