/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind diff: options, and the order of work. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/outfile.h"
#include "cmds/data/objects.h"
#include "cmds/diff/diff.h"
#include "profile/common/desc.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

static const char command[] = "diff";

/* Both profiles and what is between them. */
struct diffing {
	const struct diff_choice *choice;
	const char *old_path, *new_path; /* to read; the report has the names they are called by */
	struct model old_model, new_model;
	const struct model *old;       /* which of them OLD is */
	struct difference_scale scale; /* if NEW is scaled */
	struct difference difference;
	struct metrics metrics;
	struct diffreport report;
	bool is_reported; /* the report was printed, or begun */
	struct difflimits limits;
	struct arena arena;
};

/* -- options ------------------------------------------------------------------------ */

static const char *set_output(void *ctx, const char *value)
{
	struct diff_choice *choice = ctx;

	choice->output = value;
	choice->output_typed = choice->common.typed;
	choice->output_typed_len = choice->common.typed_len;
	return *value ? NULL : "the name of a file";
}

static const char *set_normalise(void *ctx, const char *value)
{
	struct diff_choice *choice = ctx;

	choice->normalises = true;
	choice->normalised = value;
	return !value || option_is_one_name(value) ? NULL : "the name of one event";
}

static const char *set_by(void *ctx, const char *value)
{
	struct diffreport_choice *report = &((struct diff_choice *)ctx)->report;

	report->is_by_object = strcmp(value, "object") == 0;
	report->is_by_region = strcmp(value, "region") == 0;
	return report->is_by_object || report->is_by_region ? NULL : "object or region";
}

#define BASELINE_FORM "a name of letters, digits, . _ and -"

const struct option_rule comparing_options[] = {
	{ "--show", 0, OPTION_VALUE, "A,B",
	  "Show these events, or derived ones\n[cycles; except in text, all events]",
	  OPTION_TEXT(struct diff_choice, report.show, "names of events, A,B") },
	{ "--sort", 0, OPTION_VALUE, "A", "Rank by the change of this event [the first shown]",
	  OPTION_CHECKED(struct diff_choice, report.sort, "the name of one event",
			 option_is_one_name) },
	{ "--threshold", 0, OPTION_VALUE, "N",
	  "List what changed by at least N percent of the total, in any event shown [0.1]",
	  OPTION_PERCENT(struct diff_choice, report.threshold) },
	{ "--format", 0, OPTION_VALUE, DOCUMENT_FORMATS, "Output format [text]",
	  OPTION_FORMAT(struct diff_choice, backend) },
	OPTION_WIDTH(struct diff_choice, report.width),
	{ "--by", 0, OPTION_VALUE, "object|region",
	  "Compare data objects that are missed on, from the data profiles that OLD and NEW name,\n"
	  "or are (blocks are the same if the same functions allocated them); or inclusive costs\n"
	  "of regions that the program named",
	  OPTION_CALL(set_by) },
	{ "--calls", 0, OPTION_YES_NO, "yes|no", "List calls that changed [yes]",
	  OPTION_BOOL(struct diff_choice, report.calls) },
	{ "--lines", 0, OPTION_YES_NO, "yes|no", "List lines of functions that changed [no]",
	  OPTION_BOOL(struct diff_choice, report.lines) },
	{ "--renames", 0, OPTION_YES_NO, "yes|no",
	  "Match a function that has gone with a new one if their names differ only in clones,\n"
	  "hashes or numbers ({lambda()#2}), or if only their files differ [yes]",
	  OPTION_BOOL(struct diff_choice, renames) },
	{ "--limits", 0, OPTION_VALUE, "FILE",
	  "Exit with 3 if a limit in FILE is broken, or matches no function or region, or only gone\n"
	  "ones, one line for each; or if NEW collected nothing, or ended differently from OLD",
	  OPTION_TEXT(struct diff_choice, limits, "the name of a file") },
	{ "--force", 0, OPTION_FLAG, NULL,
	  "Compare runs that are not comparable, by their common events",
	  OPTION_BOOL(struct diff_choice, force) },
	{ .name = NULL },
};

const struct option_rule diff_options[] = {
	{ "--output", 'o', OPTION_VALUE, "FILE",
	  "Write NEW - OLD to FILE, as a profile; with - to standard output, without report",
	  OPTION_CALL(set_output) },
	{ "--flat", 0, OPTION_YES_NO, "yes|no", "Write that in the format of cg_diff [no]",
	  OPTION_BOOL(struct diff_choice, flat) },
	{ "--join", 0, OPTION_YES_NO, "yes|no",
	  "In FILE, put functions of OLD that are renamed or in another object where they are in\n"
	  "NEW, so that differences are in one place [no]",
	  OPTION_BOOL(struct diff_choice, joins) },
	{ "--for", 0, OPTION_VALUE, "kcachegrind",
	  "In FILE, write two columns for each event, IrUp and IrDown: it knows no counts below 0",
	  OPTION_IS_LAST(struct diff_choice, apart) },
	{ "--normalise", 0, OPTION_MAYBE, "EVENT",
	  "Scale NEW so that its total of EVENT is OLD's, and round to integers: for parts of\n"
	  "runs of other lengths [the first event]",
	  OPTION_CALL(set_normalise) },
	{ "--save", 0, OPTION_VALUE, "NAME",
	  "Keep NEW as the baseline NAME, unless a limit is broken; OLD can be left out",
	  OPTION_CHECKED(struct diff_choice, save, BASELINE_FORM, baseline_name_is_valid) },
	{ "--against", 0, OPTION_VALUE, "NAME",
	  "Take the baseline NAME as OLD; if --save names it, too, it need not be there yet",
	  OPTION_CHECKED(struct diff_choice, against, BASELINE_FORM, baseline_name_is_valid) },
	{ "--baselines", 0, OPTION_VALUE, "DIR",
	  "Keep baselines in DIR [.costgrind, at the top of the repository]",
	  OPTION_TEXT(struct diff_choice, baselines, "the name of a folder") },
	{ "--baselines-complete", 0, OPTION_FLAG, NULL,
	  "Exit with 3 if there is a baseline that is not compared: with --against, any other\n"
	  "one; by itself, one that no FILE is named after (NAME, NAME.*)",
	  OPTION_BOOL(struct diff_choice, completes) },
	{ .name = NULL },
};

/* -- work ------------------------------------------------------------------------------ */

static bool is_standard(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

static int fail_status(int status)
{
	complain_status(command, NULL, status);
	return EXIT_FAILED;
}

static const struct visitor *view_objects(void *ctx, const struct visitor *to)
{
	return objectnames_to(ctx, to);
}

/* Reads the objects of data in files.  profile: the one that names them, NULL if it is the file itself. */
static int read_objects(struct diffing *diffing, struct model *model,
			const struct objectfiles *files, const struct model *profile)
{
	struct loader_options loading = diffing->choice->loading;
	struct object_names view;
	struct loaded loaded;
	const char *wrong = NULL;
	bool are_others = false;
	int code;

	objectnames_init(&view);
	loading.named_by = files->names;
	loading.through = view_objects;
	loading.through_ctx = &view;
	/* The second reading of the same file repeats no warnings. */
	loading.quiet |= profile && !files->are_named;
	code = loader_read(model, &loading, files->paths, files->n, &loaded);
	objectnames_release(&view);
	if (code == EXIT_FINE && profile)
		wrong = objectfiles_wrong(files, profile, model, &are_others, &diffing->arena);
	if (wrong && are_others) {
		complain(command, "%s", wrong);
		return EXIT_FAILED;
	}
	if (wrong && !loading.quiet)
		warn(command, "%s", wrong);
	if (code == EXIT_FINE && !objectcosts_are_in(model)) {
		complain(command, "%s: --by=object: %s", files->paths[0],
			 objectcosts_missing(model));
		code = EXIT_FAILED;
	}
	return code;
}

/* Reads one of the two profiles. */
static int read_model(struct diffing *diffing, struct model *model, const char *path)
{
	const struct loader_options *loading = &diffing->choice->loading;
	struct objectfiles files = { .paths = &path, .n = 1 };
	struct model profile;
	struct loaded loaded;
	int code;

	if (!diffing->choice->report.is_by_object) {
		code = loader_read(model, loading, &path, 1, &loaded);
	} else if (is_standard(path)) {
		/* A pipe can be read once only. */
		code = read_objects(diffing, model, &files, NULL);
	} else {
		struct loader_options naming = *loading;
		const char *missing = NULL;

		/* The files with the objects that the profile names, or that are in it. */
		naming.positions = naming.jumps = false;
		model_init(&profile);
		code = loader_read(&profile, &naming, &path, 1, &loaded);
		if (code == EXIT_FINE) {
			objectfiles_find(&files, &profile, &path, 1, &diffing->arena);
			missing = objectfiles_missing(&files, &diffing->arena);
		}
		if (missing) {
			complain(command, "%s", missing);
			code = EXIT_FAILED;
		}
		if (code == EXIT_FINE)
			code = read_objects(diffing, model, &files, &profile);
		model_release(&profile);
	}
	if (code == EXIT_FINE)
		naming_note(&diffing->choice->naming, model, &diffing->arena);
	return code;
}

/* What a metric makes of a model's totals; an exit code, after a message if that is not above 0. */
static int find_total(const struct model *model, const struct metric *metric, const size_t *events,
		      const char *which, const char *path, uint64_t *total)
{
	uint64_t totals[PROFILE_MAX_EVENTS];
	int128 sum = 0;

	if (!model_totals(model, totals))
		return fail_status(PROFILE_RANGE);
	for (size_t i = 0; i < metric->n_terms; i++)
		sum += int128_of(totals[events[metric->terms[i].event]], model->is_signed) *
		       metric->terms[i].factor;
	*total = (uint64_t)sum;
	if (sum > (int128)UINT64_MAX)
		return fail_status(PROFILE_RANGE);
	if (sum > 0)
		return EXIT_FINE;
	complain(command, "--normalise: %s: %s has a total of %s of %s, expected more than 0", path,
		 which, sum == 0 ? "0" : "less than 0", metric->name);
	return EXIT_FAILED;
}

/* Finds by what NEW is scaled: by the metric chosen, or the first event. */
static int find_scale(struct diffing *diffing)
{
	const char *name = diffing->choice->normalised;
	const struct metrics *metrics = &diffing->metrics;
	struct difference *difference = &diffing->difference;
	const struct metric *metric;
	size_t number = 0;
	int code;

	difference_match_events(difference, diffing->old, &diffing->new_model);
	difference_metric(difference, &diffing->metrics, &diffing->arena);
	if (name)
		number = metrics_find(metrics, name, strlen(name));
	if (number == metrics->n && name) {
		complain(command, "--normalise: %s",
			 diffreport_no_metric(difference, name, strlen(name), &diffing->arena));
		return EXIT_USAGE;
	}
	/* That they have no event in common is said later. */
	if (number == metrics->n)
		return EXIT_FINE;
	metric = &metrics->all[number];
	code = find_total(diffing->old, metric, difference->old_events, "OLD",
			  diffing->report.old_path, &diffing->scale.to);
	if (code == EXIT_FINE)
		code = find_total(&diffing->new_model, metric, difference->new_events, "NEW",
				  diffing->report.new_path, &diffing->scale.from);
	if (code == EXIT_FINE)
		diffing->report.normalised = metric->name;
	return code;
}

static int compare(struct diffing *diffing)
{
	const char *normalised = diffing->report.normalised;
	int code, status = difference_init_scaled(&diffing->difference, diffing->old,
						  &diffing->new_model,
						  diffing->choice->renames ? SYMBOLNAME_ALIKE : 0,
						  normalised ? &diffing->scale : NULL);

	if (status)
		return fail_status(status);
	if (diffing->difference.n_events == 0) {
		complain(command, "the profiles have no event in common");
		return EXIT_FAILED;
	}
	difference_metric(&diffing->difference, &diffing->metrics, &diffing->arena);
	code = diffreport_init(&diffing->report, &diffing->difference, &diffing->metrics,
			       &diffing->choice->report, &diffing->arena);
	if (code == EXIT_FINE && diffing->report.choice->is_by_region &&
	    diffing->report.regions.n == 0) {
		complain(command, "--by=region: neither profile has regions: " REGIONPAIR_MISSING);
		code = EXIT_FAILED;
	}
	if (code == EXIT_FINE && !diffing->choice->common.quiet)
		moved_folder_warn(&diffing->difference, command);
	return code;
}

/* EXIT_LIMIT if NEW would be a baseline of nothing, or of a crash; a warning if its program failed otherwise. */
static int check_baseline(struct diffing *diffing)
{
	const char *no_result, *end;

	no_result =
		difflimits_no_result(diffing->report.old_path ? diffing->old : &diffing->new_model,
				     &diffing->new_model, &diffing->arena);
	if (no_result) {
		complain(command, "%s: it is not kept as %s", no_result, diffing->choice->save);
		return EXIT_LIMIT;
	}
	end = difflimits_failed_end(&diffing->new_model, &diffing->arena);
	if (run_facts_is_signal(end) && !diffing->choice->force) {
		complain(command,
			 "%s: the program ended by %s: it is not kept as %s; --force keeps it",
			 diffing->report.new_path, end, diffing->choice->save);
		return EXIT_LIMIT;
	}
	if (end && !diffing->choice->common.quiet)
		warn(command, "%s: the program failed (%s), but is kept as %s anyway",
		     diffing->report.new_path, end, diffing->choice->save);
	return EXIT_FINE;
}

/* Reads both, compares, writes and prints; EXIT_LIMIT if a limit is broken. */
static int diff(struct diffing *diffing)
{
	const struct diff_choice *choice = diffing->choice;
	const struct model *new_model = &diffing->new_model;
	const char *no_result = NULL;
	struct printout printout;
	bool is_cut[2];
	int code = EXIT_FINE;

	if (!diffing->report.is_first)
		code = read_model(diffing, &diffing->old_model, diffing->old_path);
	if (code == EXIT_FINE)
		code = read_model(diffing, &diffing->new_model, diffing->new_path);
	if (code == EXIT_FINE)
		code = diffpair_check(diffing->old, new_model, command, choice->force,
				      !choice->limits, &choice->common);
	is_cut[0] = diffing->old_model.is_cut;
	is_cut[1] = new_model->is_cut;
	if (code == EXIT_FINE && diffing->report.is_first)
		code = check_baseline(diffing);
	if (code == EXIT_FINE && choice->normalises)
		code = find_scale(diffing);
	if (code == EXIT_FINE)
		code = compare(diffing);
	if (code == EXIT_FINE && choice->limits) {
		code = difflimits_check(&diffing->limits, choice->limits, &diffing->difference,
					&diffing->metrics, diffing->report.is_first,
					&diffing->arena);
		diffing->report.limits = &diffing->limits;
	}
	if (code != EXIT_FINE)
		return code;
	/* That NEW says nothing, unless limits or --save say so themselves. */
	if (!choice->common.quiet && diffing->limits.n == 0 && !choice->save)
		no_result = difflimits_no_result(diffing->old, new_model, &diffing->arena);
	if (no_result)
		warn(command, "%s", no_result);
	if (choice->output) {
		const struct diffprofile profile = {
			.old_model = diffing->old,
			.new_model = new_model,
			.old_path = diffing->report.old_path,
			.new_path = diffing->report.new_path,
			.difference = choice->joins || choice->apart ? &diffing->difference : NULL,
			.events = diffing->difference.events,
			.n_events = diffing->difference.n_events,
			.flat = choice->flat,
			.apart = choice->apart,
			.quiet = choice->common.quiet,
		};

		code = diffprofile_write(&profile, command, choice->output);
	}
	if (code == EXIT_FINE && !is_standard(choice->output)) {
		diffing->is_reported = true;
		if (!printout_open(&printout, command, NULL,
				   choice->backend == &document_text && !choice->common.no_pager))
			code = EXIT_FAILED;
		else
			diffreport_print(&diffing->report, choice->backend, printout.out,
					 &diffing->arena);
		if (code == EXIT_FINE && !printout_close(&printout, command))
			code = EXIT_FAILED;
	}
	/* Even if the report is lost. */
	difflimits_print(&diffing->limits, choice->limits, &diffing->difference, &choice->common);
	if (!choice->limits)
		return code;
	/* A profile that is cut short keeps no limit, whatever it costs; an empty or soft list passes none either. */
	for (size_t i = 0; i < 2 && diffing->limits.n_broken == 0; i++)
		if (is_cut[i])
			complain(command, "%s: no limit can be held to a profile that is cut short",
				 i == 0 ? diffing->report.old_path : diffing->report.new_path);
	if (code == EXIT_FINE && (diffing->limits.n_broken > 0 || is_cut[0] || is_cut[1]))
		code = EXIT_LIMIT;
	return code;
}

static int work(struct diffing *diffing)
{
	const struct diff_choice *choice = diffing->choice;
	char *path;
	int code = diffing->report.old_path
			   ? diff(diffing)
			   : read_model(diffing, &diffing->new_model, diffing->new_path);

	if (code == EXIT_FINE && choice->save && !diffing->report.is_first)
		code = check_baseline(diffing);
	if (code != EXIT_FINE || !choice->save)
		return code;
	if (diffing->report.is_first && !choice->common.quiet)
		warn(command, "%s: no baseline yet: NEW is kept as it, and nothing was compared",
		     diffing->report.old_path);
	if (diffing->new_model.is_cut) {
		complain(command, "%s: expected a whole profile to save, this one is cut short",
			 diffing->report.new_path);
		return EXIT_FAILED;
	}
	path = baseline_path(choice->baselines, choice->save, true, command);
	code = path ? diffprofile_save(&diffing->new_model, command, path) : EXIT_FAILED;
	free(path);
	return code;
}

/*
 * Prints in place of a report why there is none: where a short document is the summary of a job, nobody
 * looks elsewhere.
 */
static void print_reasons(const struct diffing *diffing, const char *reasons)
{
	struct document document;
	struct printout printout;

	if (!printout_open(&printout, command, NULL, false))
		return;
	document_begin(&document, diffing->choice->backend, printout.out, NULL, 0, 0);
	document_prose(&document, "### No comparison of ");
	document_name(&document, diffing->report.new_path);
	document_prose(&document, " with ");
	document_name(&document, diffing->report.old_path);
	document_prose(&document, "\n\n");
	while (*reasons) {
		size_t len = strcspn(reasons, "\n");
		char reason[COMPLAINT_TEXT];

		snprintf(reason, sizeof(reason), "%.*s", (int)len, reasons);
		document_prose(&document, "- ");
		document_name(&document, reason);
		document_prose(&document, "\n");
		reasons += len + (reasons[len] == '\n');
	}
	document_end(&document);
	printout_close(&printout, command);
}

/* In Markdown, a failure without a report still makes a document, which says why. */
static int work_or_explain(struct diffing *diffing)
{
	const struct diff_choice *choice = diffing->choice;
	bool is_wanted = choice->backend->is_short && diffing->report.old_path &&
			 !is_standard(choice->output);
	char *reasons = NULL;
	size_t size;
	FILE *stream = is_wanted ? heap_stream(&reasons, &size) : NULL;
	int code;

	complaint_copy_to(stream);
	code = work(diffing);
	complaint_copy_to(NULL);
	if (stream)
		heap_stream_close(stream, &reasons);
	if (stream && code != EXIT_FINE && !diffing->is_reported)
		print_reasons(diffing, reasons);
	free(reasons);
	return code;
}

static int run(const struct diff_choice *choice, const char *old_path, const char *new_path,
	       bool is_first)
{
	const struct diffreport_maker *maker = &choice->maker;
	struct diffing diffing = {
		.choice = choice,
		.old_path = old_path,
		.new_path = new_path,
		.report = { .old_path = maker->old_name ? maker->old_name : old_path,
			    .new_path = maker->new_name ? maker->new_name : new_path,
			    .maker = maker->old_name ? maker : NULL,
			    .is_first = is_first },
		.old = is_first ? &diffing.new_model : &diffing.old_model,
		.difference = { .n_events = 0 },
	};
	int code;

	arena_init(&diffing.arena);
	arena_init(&diffing.difference.arena);
	model_init(&diffing.old_model);
	model_init(&diffing.new_model);
	code = work_or_explain(&diffing);
	diffreport_release(&diffing.report);
	difflimits_release(&diffing.limits);
	difference_release(&diffing.difference);
	arena_release(&diffing.arena);
	model_release(&diffing.old_model);
	model_release(&diffing.new_model);
	return code;
}

static int check_operands(const struct diff_choice *choice, char **argv, int n_operands)
{
	bool needs_old = !choice->against &&
			 (!choice->save || choice->limits || choice->output || choice->normalises);

	if (choice->completes && !choice->against && !choice->save && !choice->limits &&
	    !choice->output && !choice->normalises)
		return EXIT_FINE;
	if (choice->normalises && choice->output)
		complain(command,
			 "expected --normalise without %.*s: a profile is of counts, not of scaled "
			 "ones",
			 choice->output_typed_len, choice->output_typed);
	else if (choice->completes && !choice->against)
		complain(command,
			 "expected --baselines-complete with --against, or with FILEs alone");
	else if (choice->against && n_operands != 1)
		complain(command, "expected one file, NEW, with --against");
	else if (needs_old && n_operands != 2)
		complain(command, "expected two files, OLD and NEW");
	else if (n_operands < 1 || n_operands > 2)
		complain(command, "expected one file or two, NEW or OLD and NEW");
	else if (choice->apart && !choice->output)
		complain(command, "--for=kcachegrind needs -o FILE, the profile to write");
	else if (choice->apart && choice->flat)
		complain(command, "expected --for=kcachegrind or --flat, not both");
	else if (n_operands == 2 && is_standard(argv[1]) && is_standard(argv[2]))
		complain(command, "only one of OLD and NEW can be standard input");
	else if (is_standard(choice->limits) &&
		 (is_standard(argv[1]) || (n_operands == 2 && is_standard(argv[2]))))
		complain(command, "only one of --limits, OLD and NEW can be standard input");
	else
		return EXIT_FINE;
	return EXIT_USAGE;
}

static int diff_files(const struct diff_choice *choice, char **argv, int n_operands)
{
	int code = check_operands(choice, argv, n_operands), complete = EXIT_FINE;
	bool is_alone = choice->completes && !choice->against;

	if (code != EXIT_FINE)
		return code;
	if (choice->against) {
		char *old_path = baseline_path(choice->baselines, choice->against, false, command);
		bool is_first = old_path && choice->save &&
				strcmp(choice->save, choice->against) == 0 &&
				access(old_path, F_OK) != 0 && errno == ENOENT;

		code = old_path ? run(choice, old_path, argv[1], is_first) : EXIT_FAILED;
		free(old_path);
	} else if (!is_alone) {
		code = run(choice, n_operands == 2 ? argv[1] : NULL, argv[n_operands], false);
	}
	if (choice->completes)
		complete = baselines_check_complete(choice->baselines, choice->against, argv + 1,
						    is_alone ? (size_t)n_operands : 0, command);
	return code != EXIT_FINE ? code : complete;
}

void diff_choice_init(struct diff_choice *choice)
{
	*choice = (struct diff_choice){
		.report = { .threshold = 1000, .calls = true },
		.renames = true,
		.backend = &document_text,
		.loading = { .command = command, .positions = true, .jumps = true },
	};
	naming_init(&choice->naming);
	choice->naming.rules.maps_objects = true;
}

void diff_choice_release(struct diff_choice *choice)
{
	naming_release(&choice->naming);
}

/* When the options were read: what follows from them. */
static void settle(struct diff_choice *choice)
{
	choice->report.is_prose = choice->backend->is_prose;
	choice->report.is_narrow = choice->backend == &document_text;
	choice->report.width = fitted_width(choice->report.width);
	choice->report.has_head = choice->common.verbose > 0;
	choice->loading.rules = &choice->naming.rules;
	choice->loading.quiet = choice->common.quiet;
	choice->loading.verbose = choice->common.verbose > 0;
}

int diff_profiles(struct diff_choice *choice, const char *old_path, const char *new_path)
{
	settle(choice);
	return run(choice, old_path, new_path, false);
}

int diff_main(int argc, char **argv)
{
	struct diff_choice choice;
	int n_operands = 0, code;

	(void)argc;
	diff_choice_init(&choice);
	choice.common.groups[0] = (struct option_group){ diff_options, &choice };
	choice.common.groups[1] = (struct option_group){ lenient_options, &choice.loading.lenient };
	choice.common.groups[2] = (struct option_group){ naming_options, &choice.naming };
	code = options_read(comparing_options, &choice.common, argv, &n_operands, &choice);
	if (code == OPTIONS_GO_ON) {
		settle(&choice);
		code = diff_files(&choice, argv, n_operands);
	}
	diff_choice_release(&choice);
	return code;
}
