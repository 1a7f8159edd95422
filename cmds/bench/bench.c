/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costgrind bench: options, and the order of work. */
#define _GNU_SOURCE /* sched_getaffinity() */
#include "cmds/bench/bench.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/outfile.h"
#include "cmds/diff/diff.h"
#include "profile/common/error.h"

static const char command[] = "bench";

enum {
	MOST_JOBS = 1024,
	MOST_PLACES = 8,      /* regions whose place is looked for: each takes another run */
	MOST_COMPLAINTS = 20, /* lines on standard error about benchmarks */
};

struct bench_choice {
	struct stable_keep keep; /* first: the context of --keep and --keep-env */
	struct option_common common;
	struct runwords words;
	bool saves, compares;
	const char *save, *against; /* NULL = the usual file */
	const char *limits;         /* NULL = usual_limits */
	bool force;
	bool is_several;
	const char *each;
	const char *events;
	uint64_t jobs; /* 0 = as many as there are processors */
	/* cppcheck-suppress unusedStructMember ; by OPTION_BOOL() */
	bool is_history;
	const char *format; /* a word of FORMATS */
	const char *output; /* NULL = standard output */
	size_t width;
};

/* Instructions do not move when a program is linked anew; cycles and misses do (docs/CI.md). */
static const char usual_limits[] = "region * Ir +1%\n"
				   "region * Cyc +5% soft\n";

/* -- options ------------------------------------------------------------------------------------- */

static const char *set_file(bool *is_wanted, const char **file, const char *value)
{
	*is_wanted = true;
	*file = value;
	return value && value[0] == '\0' ? "the name of a file" : NULL;
}

static const char *set_save(void *ctx, const char *value)
{
	struct bench_choice *choice = ctx;

	return set_file(&choice->saves, &choice->save, value);
}

static const char *set_against(void *ctx, const char *value)
{
	struct bench_choice *choice = ctx;

	return set_file(&choice->compares, &choice->against, value);
}

#define FORMATS BENCH_FORMATS "|svg|html"

static const char *set_format(void *ctx, const char *value)
{
	struct bench_choice *choice = ctx;

	choice->format = value;
	return bench_form_find(value) || strcmp(value, "svg") == 0 || strcmp(value, "html") == 0
		       ? NULL
		       : FORMATS;
}

static const char history_option[] = "--history";

const struct option_rule bench_options[] = {
	{ "--save", 0, OPTION_MAYBE, "FILE",
	  "Keep the results as the baseline FILE [.costgrind/bench.txt, at the top of the\n"
	  "repository]; with --against, only if nothing fails",
	  OPTION_CALL(set_save) },
	{ "--against", 0, OPTION_MAYBE, "FILE",
	  "Compare with the baseline FILE [the same]; if --save names it, too, it need not be\n"
	  "there yet",
	  OPTION_CALL(set_against) },
	{ "--limits", 0, OPTION_VALUE, "FILE",
	  "Limits of regions that fail if they are broken, one a line (docs/DIFF.md)\n"
	  "['region * Ir +1%' and 'region * Cyc +5% soft', which is a warning]",
	  OPTION_TEXT(struct bench_choice, limits, "the name of a file") },
	{ "--force", 0, OPTION_FLAG, NULL,
	  "Compare even if the baseline was made with another machine, compiler or C library",
	  OPTION_BOOL(struct bench_choice, force) },
	{ "--programs", 0, OPTION_FLAG, NULL,
	  "Each word is a program of its own, without arguments: --programs ./bench-*",
	  OPTION_BOOL(struct bench_choice, is_several) },
	{ "--each", 0, OPTION_VALUE, "COMMAND",
	  "Run PROG once for each name that the shell command COMMAND prints, one a line; the name\n"
	  "replaces {} in ARGS, or comes last",
	  OPTION_TEXT(struct bench_choice, each, "a command") },
	{ "--jobs", 'j', OPTION_VALUE, "N",
	  "Number of programs that run at a time [one for each processor]",
	  OPTION_COUNT(struct bench_choice, jobs, "a number from 1 to 1024", 1, MOST_JOBS) },
	{ "--show", 0, OPTION_VALUE, "A,B",
	  "Events, recorded or derived, to show and keep; a benchmark has changed if the first one\n"
	  "differs by more than 0.5 % [Ir,Cyc,D1m,Bm,allocSize]",
	  OPTION_TEXT(struct bench_choice, events, "names of events") },
	{ history_option, 0, OPTION_FLAG, NULL,
	  "Run nothing, but show how the counts of each benchmark changed between versions of the\n"
	  "baseline (see --against) in git; a word after it is a pattern of names, and --show is\n"
	  "the event",
	  OPTION_BOOL(struct bench_choice, is_history) },
	{ "--format", 0, OPTION_VALUE, FORMATS,
	  "Output format: for people, programs, CI [text]; with --history text, markdown,\n"
	  "json, svg (a drawing) or html (a page)",
	  OPTION_CALL(set_format) },
	{ "--output", 'o', OPTION_VALUE, "FILE", "Write the report to FILE",
	  OPTION_TEXT(struct bench_choice, output, "the name of a file") },
	OPTION_WIDTH(struct bench_choice, width),
	{ "--keep", 0, OPTION_VALUE, "A,B", "Same as in costgrind run --stable",
	  OPTION_CALL(stable_set_keep) },
	{ "--keep-env", 0, OPTION_VALUE, "NAME,NAME", "Same as in costgrind run --stable",
	  OPTION_CALL(stable_set_keep_env) },
	{ .name = NULL },
};

/* -- the baseline's file ---------------------------------------------------------------------------- */

/* The file, to be freed, from this folder on if it is below; the usual one's folder is made, if that is asked for. */
static char *find_file(const char *file, bool creates)
{
	char *folder, *here, *path;
	size_t len;

	if (file)
		return heap_copy(file);
	folder = baseline_folder(NULL);
	here = getcwd(NULL, 0);
	len = here ? strlen(here) : 0;
	/* If that fails, opening the file says why. */
	if (creates)
		mkdir(folder, 0777);
	path = heap_print("%s/bench.txt",
			  here && strncmp(folder, here, len) == 0 && folder[len] == '/'
				  ? folder + len + 1
				  : folder);
	free(here);
	free(folder);
	return path;
}

/* -- comparability ------------------------------------------------------------------------------------ */

/* All facts of a kind, to be freed; NULL = there are none. */
static char *facts_of(const struct bench_set *set, const char *what)
{
	char *text = NULL;

	for (size_t i = 0; i < set->n_facts; i++) {
		char *before = text;

		if (strcmp(set->facts[i].what, what) != 0)
			continue;
		text = heap_print("%s%s%s", before ? before : "", before ? "; " : "",
				  set->facts[i].text);
		free(before);
	}
	return text;
}

/*
 * Says in what one of the kinds of facts of a set differs in both; true if it does, and that matters.  Another version
 * of costgrind is warned of.
 */
static bool differs(const struct bench_choice *choice, const char *path, const char *what,
		    const struct bench_set *old_set, const struct bench_set *new_set)
{
	char *old_text = facts_of(old_set, what), *new_text = facts_of(new_set, what);
	const bool is_same = old_text && new_text && strcmp(old_text, new_text) == 0;
	const bool is_minor = choice->force || strcmp(what, "costgrind") == 0;

	if (!is_same && is_minor && !choice->words.quiet)
		warn(command, "%s: %s was %s, now %s", path, what, old_text ? old_text : "not said",
		     new_text ? new_text : "not said");
	else if (!is_same && !is_minor)
		complain(command, "%s: %s was %s, now %s: expected the same (--force compares)",
			 path, what, old_text ? old_text : "not said",
			 new_text ? new_text : "not said");
	free(old_text);
	free(new_text);
	return !is_same && !is_minor;
}

/* The kind of a fact; NULL = there are no more. */
static const char *kind_at(const struct bench_set *set, size_t i)
{
	return set->facts && i < set->n_facts ? set->facts[i].what : NULL;
}

/* True if a baseline can be compared with the run, or is to be; else messages say why not. */
static bool is_comparable(const struct bench_choice *choice, const char *path,
			  const struct bench_set *old_set, const struct bench_set *new_set)
{
	size_t n_differing = 0, i = 0, j = 0;

	/* Both are by kind: each kind once. */
	while (true) {
		const char *a = kind_at(old_set, i), *b = kind_at(new_set, j);
		const char *what = !a || (b && strcmp(b, a) < 0) ? b : a;

		if (!what)
			break;
		n_differing += differs(choice, path, what, old_set, new_set);
		while ((a = kind_at(old_set, i)) != NULL && strcmp(a, what) == 0)
			i++;
		while ((b = kind_at(new_set, j)) != NULL && strcmp(b, what) == 0)
			j++;
	}
	return n_differing == 0;
}

/* -- work --------------------------------------------------------------------------------------------- */

struct benching {
	const struct bench_choice *choice;
	struct bench_request request;
	struct bench_jobs jobs;
	struct bench_set old_set, new_set;
	struct limits limits;
	struct bench_comparison comparison;
	char *save, *against; /* owned paths; NULL = none */
	bool is_first;        /* the baseline is made by this run */
};

static int read_limits(struct benching *benching)
{
	const char *path = benching->choice->limits;
	struct profile_error error;
	int status = path ? limits_read(&benching->limits, path, &error)
			  : limits_parse(&benching->limits, usual_limits, strlen(usual_limits),
					 "usual limits", &error);

	if (status)
		complain_of(command, &error);
	return status ? EXIT_FAILED : EXIT_FINE;
}

/*
 * True if a file can be written, or is not wanted; nothing is left of the attempt.  A pipe is not tried: who reads it would
 * see its end.
 */
static bool can_write(const char *path)
{
	struct stat found;
	struct outfile file;
	int error;

	if (!path || strcmp(path, "-") == 0 || (stat(path, &found) == 0 && !S_ISREG(found.st_mode)))
		return true;
	error = outfile_open(&file, command, path);
	if (error)
		complain(command, "%s: %s", path, outfile_reason(error));
	else
		outfile_discard(&file);
	return error == 0;
}

/* Before anything is run: what is wrong with files is said at once. */
static int read_files(struct benching *benching)
{
	const struct bench_choice *choice = benching->choice;
	int code = read_limits(benching);

	if (choice->saves)
		benching->save = find_file(choice->save, true);
	if (code == EXIT_FINE && (!can_write(benching->save) || !can_write(choice->output)))
		code = EXIT_FAILED;
	if (code != EXIT_FINE || !choice->compares)
		return code;
	benching->against = find_file(choice->against, false);
	if (benching->save && strcmp(benching->save, benching->against) == 0) {
		struct stat found;

		benching->is_first = stat(benching->against, &found) != 0 && errno == ENOENT;
	}
	return benching->is_first ? EXIT_FINE
				  : benchfile_read(&benching->old_set, benching->against, command);
}

/* Where most of what the first broken rows are broken by is spent. */
static void find_places(struct benching *benching)
{
	struct bench_comparison *comparison = &benching->comparison;
	struct bench_question questions[MOST_PLACES];
	size_t n = 0;

	for (size_t i = 0; i < comparison->n && n < MOST_PLACES; i++) {
		struct bench_row *row = &comparison->rows[i];

		if (row->state == BENCH_BROKEN)
			questions[n++] = (struct bench_question){
				.result = row->new_result,
				.event = benching->new_set.events[row->event].name,
				.hottest = &row->hottest,
				.growth = &row->growth,
			};
		else
			continue;
		/* What is kept of functions is Ir. */
		if (strcmp(questions[n - 1].event, "Ir") == 0) {
			bool has_old;

			questions[n - 1].old_ir =
				bench_row_old(comparison, row, row->event, &has_old);
			questions[n - 1].old_result = has_old ? row->old_result : NULL;
		}
	}
	if (n > 0)
		bench_ask(&benching->new_set, &benching->request, &benching->jobs, questions, n);
}

/* Says what fails, a line each, and what is only soft. */
static void tell(const struct benching *benching)
{
	const struct bench_comparison *comparison = &benching->comparison;
	const struct bench_set *set = &benching->new_set;
	size_t n_failing = 0;

	/* A program's end is why benchmarks are gone. */
	for (size_t i = 0; i < set->n_failures; i++)
		complain(command, "%s %s", set->failures[i].program, set->failures[i].text);
	for (size_t i = 0; i < comparison->n && comparison->rows[i].state <= BENCH_SOFT; i++) {
		const struct bench_row *row = &comparison->rows[i];
		char text[COMPLAINT_TEXT];

		bench_row_print(comparison, row, text, sizeof(text));
		if (row->state == BENCH_SOFT && !benching->choice->words.quiet)
			warn(command, "%s: %s", row->name, text);
		else if (row->state != BENCH_SOFT && n_failing++ < MOST_COMPLAINTS)
			complain(command, "%s: %s", row->name, text);
	}
	if (n_failing > MOST_COMPLAINTS)
		complain(command, "%zu more fail", n_failing - MOST_COMPLAINTS);
	for (size_t i = 0; i < comparison->n_unmatched; i++)
		complain(command, "unmatched: no benchmark for the limit '%s'",
			 comparison->unmatched[i]->text);
}

/* Writes the report, and then, if nothing fails, the baseline. */
static int write_results(const struct benching *benching)
{
	const struct bench_choice *choice = benching->choice;
	const bool fails = bench_comparison_fails(&benching->comparison);
	struct printout printout;

	if (!printout_open(&printout, command, choice->output, false))
		return EXIT_FAILED;
	bench_print(&benching->comparison, bench_form_find(choice->format),
		    fitted_width(choice->width), printout.out);
	if (!printout_close(&printout, command))
		return EXIT_FAILED;
	tell(benching);
	if (!benching->save || fails) {
		if (benching->save)
			complain(command, "%s: not saved", benching->save);
		return fails ? EXIT_LIMIT : EXIT_FINE;
	}
	if (!printout_open(&printout, command, benching->save, false))
		return EXIT_FAILED;
	benchfile_write(&benching->new_set, printout.out);
	return printout_close(&printout, command) ? EXIT_FINE : EXIT_FAILED;
}

static int run_all(struct benching *benching)
{
	const bool compares = benching->choice->compares && !benching->is_first;
	const struct bench_set *old_set = compares ? &benching->old_set : NULL;
	const char *limits_path = benching->choice->limits;
	int code = bench_jobs_find(&benching->jobs, &benching->request);

	if (code == EXIT_FINE)
		code = bench_run(&benching->new_set, &benching->request, &benching->jobs);
	if (code != EXIT_FINE)
		return code;
	if (benching->new_set.n + benching->new_set.n_failures == 0 &&
	    (!old_set || old_set->n == 0)) {
		complain(command,
			 "%s: expected benchmarks, found none: the program began no region "
			 "(COSTGRIND_REGION_BEGIN)",
			 benching->jobs.all[0].text);
		return EXIT_FAILED;
	}
	if (old_set &&
	    !is_comparable(benching->choice, benching->against, old_set, &benching->new_set))
		return EXIT_FAILED;
	code = bench_compare(&benching->comparison, old_set, &benching->new_set, &benching->limits,
			     limits_path, command);
	benching->comparison.against = compares ? benching->against : NULL;
	if (code == EXIT_FINE) {
		if (bench_comparison_fails(&benching->comparison))
			find_places(benching);
		else if (benching->save)
			bench_find_functions(&benching->new_set, &benching->request,
					     &benching->jobs);
		code = write_results(benching);
	}
	bench_comparison_release(&benching->comparison);
	return code;
}

static size_t count_processors(void)
{
	cpu_set_t allowed;
	int n = sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;

	return n > 0 ? (size_t)n : 1;
}

static int work(const struct bench_choice *choice)
{
	struct benching *benching = heap_zeroed(1, sizeof(*benching));
	int code;

	benching->choice = choice;
	benching->request = (struct bench_request){
		.command = command,
		.keep = &choice->keep,
		.words = &choice->words,
		.is_several = choice->is_several,
		.each = choice->each,
		.events = choice->events,
		.jobs = choice->jobs > 0 ? (size_t)choice->jobs : count_processors(),
		.is_quiet = choice->words.quiet,
	};
	bench_set_init(&benching->old_set);
	bench_set_init(&benching->new_set);
	code = read_files(benching);
	if (code == EXIT_FINE) {
		code = run_all(benching);
		bench_jobs_release(&benching->jobs);
	}
	limits_release(&benching->limits);
	bench_set_release(&benching->old_set);
	bench_set_release(&benching->new_set);
	free(benching->save);
	free(benching->against);
	free(benching);
	return code;
}

/* -- history -------------------------------------------------------------------------------------------- */

/* Options only, and perhaps a pattern: nothing is run. */
static int show_history(struct bench_choice *choice, char **argv)
{
	struct bench_history_request request = { 0 };
	int n = 0, code = options_read(bench_options, &choice->common, argv, &n, choice);
	char *path;

	if (code != OPTIONS_GO_ON)
		return code;
	if (n > 1 || strcmp(choice->format, "junit") == 0 ||
	    strcmp(choice->format, "github") == 0 || strcmp(choice->format, "bmf") == 0 ||
	    strcmp(choice->format, "customSmallerIsBetter") == 0) {
		complain(command, n > 1 ? "expected one pattern with --history"
					: "expected --format=" BENCH_HISTORY_FORMATS
					  " with --history");
		return EXIT_USAGE;
	}
	path = find_file(choice->against, false);
	request = (struct bench_history_request){
		.path = path,
		.event = choice->events,
		.pattern = n > 0 ? argv[1] : NULL,
		.format = choice->format,
		.width = fitted_width(choice->width),
		.output = choice->output,
	};
	code = bench_history(&request, command);
	free(path);
	return code;
}

/* True if the option is among those before the program. */
static bool asks_for_history(char **argv)
{
	for (size_t i = 1; argv[i] && argv[i][0] == '-' && strcmp(argv[i], "--") != 0; i++) {
		const struct option_rule *rule = launch_find_option(bench_options, argv[i]);

		if (strcmp(argv[i], history_option) == 0)
			return true;
		/* Its value is the next word. */
		if (rule && rule->kind == OPTION_VALUE && !strchr(argv[i], '=') && argv[i + 1])
			i++;
	}
	return false;
}

/* What the options say together; what is wrong with it, or NULL. */
static const char *find_contradiction(const struct bench_choice *choice)
{
	if (!bench_form_find(choice->format))
		return "expected --history with --format=svg or html";
	if (choice->limits && !choice->compares)
		return "expected --against with --limits";
	if (choice->each && choice->is_several)
		return "expected --each or --programs, found both";
	return NULL;
}

int bench_main(int argc, char **argv)
{
	struct bench_choice *choice = heap_zeroed(1, sizeof(*choice));
	int code;

	choice->keep.vars = heap_alloc((size_t)argc * sizeof(*choice->keep.vars));
	choice->format = "text";
	if (asks_for_history(argv))
		code = show_history(choice, argv);
	else
		code = runwords_read(&choice->words, bench_options, argv, choice, NULL);
	if (code == OPTIONS_GO_ON) {
		const char *wrong = find_contradiction(choice);

		if (wrong)
			complain(command, "%s", wrong);
		code = wrong ? EXIT_USAGE : work(choice);
	}
	runwords_release(&choice->words);
	free(choice->keep.vars);
	free(choice);
	return code;
}
