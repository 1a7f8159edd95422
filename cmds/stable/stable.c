/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind stable: a stable run (stablerun.h) as it is, then others, each with one thing
 * shifted, all compared with the first (stability.h).
 */
#include "cmds/stable/stable.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/launch.h"
#include "cmds/cli/printout.h"
#include "cmds/stable/fixedenv.h"
#include "cmds/stable/trials.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

static const char command[] = "stable";

enum {
	MAX_JOBS = 16,
	OWN_OPTIONS = 4,
	MORE_RUNS = 6, /* with nothing changed, where there may be chance in it */
};

struct stable_choice {
	stable_items keep;
	const char **kept; /* lists of variables */
	size_t n_kept;
	const char *event;  /* NULL = as every view has it */
	uint64_t threshold; /* millionths of the total */
	unsigned causes;    /* bits of those to try */
	unsigned long long jobs;
	const struct document_backend *backend;
	const char *output; /* NULL = standard output */
};

/* -- options --------------------------------------------------------------------------- */

static const char *set_keep(void *ctx, const char *value)
{
	return stable_items_add(&((struct stable_choice *)ctx)->keep, value) ? NULL
									     : stable_items_form;
}

static const char *set_keep_env(void *ctx, const char *value)
{
	struct stable_choice *choice = ctx;

	choice->kept[choice->n_kept++] = value;
	return fixedenv_is_list(value) ? NULL : "names of variables, A,B";
}

static const char *set_event(void *ctx, const char *value)
{
	((struct stable_choice *)ctx)->event = value;
	return *value ? NULL : "the name of an event";
}

static const char *set_threshold(void *ctx, const char *value)
{
	double percent;

	if (!option_decimal(value, 0, 100, &percent))
		return "a percentage from 0 to 100";
	((struct stable_choice *)ctx)->threshold = (uint64_t)(percent * 10000 + 0.5);
	return NULL;
}

static const char *set_causes(void *ctx, const char *value)
{
	struct stable_choice *choice = ctx;

	choice->causes = 1U << CAUSE_RUN;
	return causes_add(&choice->causes, value)
		       ? NULL
		       : "run, stack, environment, heap, load, time, clock, pid, threads, random";
}

static const char *set_jobs(void *ctx, const char *value)
{
	struct stable_choice *choice = ctx;

	return option_count(value, MAX_JOBS, &choice->jobs) && choice->jobs > 0
		       ? NULL
		       : "a number from 1 to 16";
}

static const char *set_format(void *ctx, const char *value)
{
	static const char *const words[] = { "text", "json", NULL };
	int word = option_word(value, words);

	((struct stable_choice *)ctx)->backend = word == 1 ? &document_json : &document_text;
	return word >= 0 ? NULL : "text or json";
}

static const char *set_output(void *ctx, const char *value)
{
	((struct stable_choice *)ctx)->output = value;
	return *value ? NULL : "the name of a file";
}

const struct option_rule stable_options[] = {
	{ "--causes", 0, OPTION_VALUE, "A,B",
	  "what to shift, in one or a few runs each [all]: stack, environment, heap, load,\n"
	  "time, clock, pid, threads, random; run: nothing, which is always tried",
	  set_causes },
	{ "--event", 0, OPTION_VALUE, "A",
	  "compare counts of this event, recorded or derived [Ir; EstCyc with --cache-sim=yes,\n"
	  "which cache events need, too]",
	  set_event },
	{ "--threshold", 0, OPTION_VALUE, "N",
	  "list what differs by at least N percent of the total, ignore the rest [0.02]",
	  set_threshold },
	{ "--format", 0, OPTION_VALUE, "text|json", "the form of the report [text]", set_format },
	{ "--output", 'o', OPTION_VALUE, "FILE", "write the report to FILE", set_output },
	{ "--jobs", 'j', OPTION_VALUE, "N", "number of runs at a time [2]", set_jobs },
	{ "--keep", 0, OPTION_VALUE, "A,B", "as of costgrind run --stable", set_keep },
	{ "--keep-env", 0, OPTION_VALUE, "NAME,NAME", "as of costgrind run --stable",
	  set_keep_env },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};

/* -- work ------------------------------------------------------------------------------ */

/* What is passed around. */
struct stabling {
	const struct stable_choice *choice;
	struct runwords words; /* with options of our own */
	bool is_quiet;
	struct trials trials;
	enum cause causes[TRIALS_MAX]; /* by trial */
	struct arena arena;
	const char *paths[TRIALS_THREADS]; /* of the profiles of one trial */
	bool has_begun;                    /* stability is to be released */
	struct stability stability;
	struct stable_report report;
};

static int out_of_memory(void)
{
	return complain_status(command, NULL, PROFILE_NO_MEMORY);
}

/* The user's options, and those by which runs are quick and say nothing of themselves. */
static bool add_options(struct stabling *stabling, const struct runwords *words)
{
	static char quiet[] = "-q", no_caches[] = "--cache-sim=no";
	static char heap[] = PERTURBATION_HEAP, threads[] = PERTURBATION_THREADS;
	struct runwords *own = &stabling->words;

	*own = *words;
	own->options = calloc(words->n_options + OWN_OPTIONS, sizeof(*own->options));
	if (!own->options)
		return false;
	if (words->n_options > 0)
		memcpy(own->options, words->options, words->n_options * sizeof(*own->options));
	own->options[own->n_options++] = quiet;
	own->options[own->n_options++] = heap;
	own->options[own->n_options++] = threads;
	if (!runwords_has(words, "--cache-sim"))
		own->options[own->n_options++] = no_caches;
	own->quiet = true;
	return true;
}

static bool start(struct stabling *stabling, const struct perturbation *perturbation)
{
	const struct stable_choice *choice = stabling->choice;
	bool is_first = stabling->trials.n == 0;
	const struct stablerun run = {
		.command = command,
		.words = &stabling->words,
		.keep = choice->keep,
		.kept = choice->kept,
		.n_kept = choice->n_kept,
		.quiet = stabling->is_quiet || !is_first,
		.shift = perturbation->shift,
	};

	stabling->causes[stabling->trials.n] = perturbation->cause;
	return trials_start(&stabling->trials, &run, is_first);
}

/* The exit status after a run that wrote no profile: its own if it has said why, else ours, with a message. */
static int explain_absence(const struct stabling *stabling, size_t trial)
{
	int status = stabling->trials.statuses[trial];

	if (trial > 0 && trial < TRIALS_MAX)
		complain(command, "no profile of the run with another %s: expected one",
			 cause_texts[stabling->causes[trial]].word);
	else if (WIFSIGNALED(status) || WEXITSTATUS(status) == EXIT_FINE)
		complain(command, "%s: no profile was written", stabling->words.program[0]);
	else
		return WEXITSTATUS(status);
	return EXIT_FAILED;
}

/* The names of a trial's profiles, of all threads; returns how many. */
static size_t list_profiles(struct stabling *stabling, size_t trial)
{
	size_t n = 0;

	for (unsigned thread = 1; thread < TRIALS_THREADS; thread++) {
		char path[LAUNCH_PATH];

		if (!trials_thread(&stabling->trials, trial, thread, path))
			continue;
		stabling->paths[n] = arena_copy(&stabling->arena, path, strlen(path));
		n += stabling->paths[n] != NULL;
	}
	return n;
}

/* A program that fails may do so for want of what a stable run takes away. */
static void warn_of_failure(int status)
{
	if (WIFSIGNALED(status))
		warn(command, "the program was killed by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		warn(command,
		     "the program exited with %d (if it needs a variable: --keep-env=NAME; "
		     "run --stable --print lists what it is given)",
		     WEXITSTATUS(status));
}

static void warn_of_schedule(void)
{
	char path[LAUNCH_PATH], version[128];

	if (launch_find(launch_valgrind(), path, sizeof(path)) &&
	    launch_version(path, version, sizeof(version)) && launch_lacks_fair_sched(version))
		warn(command,
		     "threads take turns as they like: --fair-sched=yes does not work in %s, but "
		     "in 3.28",
		     version);
}

static int take_profile(struct stabling *stabling, size_t trial)
{
	size_t n = list_profiles(stabling, trial);

	if (n == 0)
		return explain_absence(stabling, trial);
	if (stabling->trials.statuses[trial] != stabling->trials.statuses[0])
		stabling->report.exits_differ = true;
	if (trial > 0 && trial < TRIALS_MAX)
		return stability_add(&stabling->stability, command, stabling->causes[trial],
				     stabling->paths, n);
	stabling->has_begun = true;
	warn_of_failure(stabling->trials.statuses[0]);
	if (n > 1 && !stable_items_have(stabling->choice->keep, STABLE_ITEM_THREADS))
		warn_of_schedule();
	return stability_begin(&stabling->stability, command, stabling->choice->event,
			       stabling->paths, n);
}

/* Why a cause cannot be tried; NULL = it can. */
static const char *obstacle(const struct stabling *stabling, enum cause cause)
{
	const struct model *base = &stabling->stability.base;
	const char *deterministic = runwords_value(&stabling->words, "--deterministic");
	bool is_machine = !stable_items_have(stabling->choice->keep, STABLE_ITEM_MACHINE) &&
			  !(deterministic && strcmp(deterministic, "no") == 0);

	if (cause_texts[cause].needs_machine && !is_machine)
		return "it is the system's (--keep=machine)";
	if (cause == CAUSE_PID && !(base->n_parts > 0 && base->parts[0].header.has_pid &&
				    base->parts[0].header.pid == STABLERUN_PID))
		return "there is no namespace of pids, so each run has another one";
	return NULL;
}

static bool start_others(struct stabling *stabling)
{
	const struct stable_choice *choice = stabling->choice;

	for (size_t i = 1; i < n_perturbations; i++) {
		enum cause cause = perturbations[i].cause;
		const char *reason = obstacle(stabling, cause);

		if (!(choice->causes >> cause & 1))
			continue;
		if (reason) {
			stabling->report.skipped |= 1U << cause;
			stabling->report.reasons[cause] = reason;
			continue;
		}
		if (!trials_wait(&stabling->trials, (size_t)choice->jobs - 1) ||
		    !start(stabling, &perturbations[i]))
			return false;
	}
	return trials_wait(&stabling->trials, 0);
}

static int print_report(struct stabling *stabling)
{
	const struct stable_choice *choice = stabling->choice;
	struct printout printout;
	bool fine;

	stability_finish(&stabling->stability, choice->threshold);
	stabling->report.stability = &stabling->stability;
	stabling->report.program = stabling->words.program;
	if (!printout_open(&printout, command, choice->output,
			   choice->backend == &document_text && !stabling->words.no_pager))
		return EXIT_FAILED;
	fine = stable_print(&stabling->report, choice->backend, printout.out);
	if (!fine) {
		printout_abandon(&printout);
		return out_of_memory();
	}
	if (!printout_close(&printout, command))
		return EXIT_FAILED;
	return stable_is_stable(&stabling->report) ? EXIT_FINE : EXIT_LIMIT;
}

/* Runs with nothing changed. */
static bool start_more(struct stabling *stabling)
{
	for (unsigned i = 0; i < MORE_RUNS; i++)
		if (!trials_wait(&stabling->trials, (size_t)stabling->choice->jobs - 1) ||
		    !start(stabling, &perturbations[0]))
			return false;
	return trials_wait(&stabling->trials, 0);
}

/* Takes the profiles of trials from this one on. */
static int take_profiles(struct stabling *stabling, size_t trial)
{
	int code = EXIT_FINE;

	while (code == EXIT_FINE && trial < stabling->trials.n)
		code = take_profile(stabling, trial++);
	return code;
}

/* All runs and their comparison. */
static int work(struct stabling *stabling)
{
	size_t n;
	int code;

	if (!start(stabling, &perturbations[0]) || !trials_wait(&stabling->trials, 0))
		return EXIT_FAILED;
	code = take_profile(stabling, 0);
	if (code != EXIT_FINE)
		return code;
	if (!start_others(stabling))
		return EXIT_FAILED;
	code = take_profiles(stabling, 1);
	if (code != EXIT_FINE || !stability_is_doubtful(&stabling->stability))
		return code;
	n = stabling->trials.n;
	return start_more(stabling) ? take_profiles(stabling, n) : EXIT_FAILED;
}

static int check(const struct stable_choice *choice, const struct runwords *words)
{
	struct stabling *stabling = calloc(1, sizeof(*stabling));
	int code;

	if (!stabling)
		return out_of_memory();
	stabling->choice = choice;
	stabling->is_quiet = words->quiet;
	arena_init(&stabling->arena, &heap_env);
	code = add_options(stabling, words) ? trials_init(&stabling->trials, command)
					    : out_of_memory();
	if (code == EXIT_FINE)
		code = work(stabling);
	trials_release(&stabling->trials);
	if (code == EXIT_FINE)
		code = print_report(stabling);
	if (stabling->has_begun)
		stability_release(&stabling->stability);
	arena_release(&stabling->arena);
	free(stabling->words.options);
	free(stabling);
	return code;
}

int stable_main(int argc, char **argv)
{
	struct stable_choice choice = {
		.kept = calloc((size_t)argc, sizeof(*choice.kept)),
		.threshold = 200,
		.causes = ~0U,
		.jobs = 2,
		.backend = &document_text,
	};
	struct runwords words = { .n_options = 0 };
	int code = choice.kept ? runwords_read(&words, stable_options, argv, &choice)
			       : out_of_memory();

	if (code == OPTIONS_GO_ON)
		code = check(&choice, &words);
	runwords_release(&words);
	free(choice.kept);
	return code;
}
