/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind run: becomes valgrind --tool=costgrind or, on a rank that is not to be profiled, the
 * program itself.  costgrind PROG ARGS: does so in a
 * child, and shows a table of what was found.
 */
#include "cmds/cli/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmds/annotate/annotate.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/launch.h"
#include "cmds/cli/option.h"
#include "cmds/machine/machine.h"
#include "cmds/stable/stable.h"
#include "profile/common/desc.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

enum {
	MAX_OWN = 3,
	LONG_RUN = 10, /* seconds; the same as in tool/common/self.c */
};

static const char full_option[] = "--full";
static const char python_option[] = "--python=";
static const char out_file[] = "--costgrind-out-file";

/* What the options of the command say. */
struct run_choice {
	struct stable_keep keep; /* first: the context of --keep and --keep-env */
	bool full;
	bool stable;
	bool print;
	const char *ranks;  /* list of those that are profiled; NULL = all */
	char *own[MAX_OWN]; /* options for Valgrind that are ours; on the heap */
	size_t n_own;
};

static const char *set_print(void *ctx, const char *value)
{
	struct run_choice *choice = ctx;

	(void)value;
	choice->keep.option = "--print";
	choice->print = true;
	return NULL;
}

const struct option_rule run_options[] = {
	{ "--ranks", 0, OPTION_VALUE, "0,17,100-110",
	  "Profile only these ranks of a job of many processes (MPI, Slurm, Kubernetes, CI);\n"
	  "the others run PROG itself, without Valgrind",
	  OPTION_CHECKED(struct run_choice, ranks, RANK_LIST_FORM, rank_set_is_list) },
	{ full_option, 0, OPTION_FLAG, NULL,
	  "Record everything that explains the cost, in one run: besides cycles, prefetchers,\n"
	  "reasons of misses and of mispredictions, misses by data, allocations, system calls,\n"
	  "first touches of pages, and chains of callers. Other options override parts of it:\n"
	  "--full --data=no",
	  OPTION_BOOL(struct run_choice, full) },
	{ "--stable", 0, OPTION_FLAG, NULL,
	  "Run PROG in the same surroundings every time, so that its counts repeat (docs/TRUST.md\n"
	  "lists what still varies): a fixed environment, fixed paths, pid, limits, streams;\n"
	  "and the tool's --deterministic=yes",
	  OPTION_BOOL(struct run_choice, stable) },
	{ "--keep", 0, OPTION_VALUE, "A,B", stable_keep_help, OPTION_CALL(stable_set_keep) },
	{ "--keep-env", 0, OPTION_VALUE, "NAME,NAME",
	  "With --stable, keep these environment variables; can be repeated",
	  OPTION_CALL(stable_set_keep_env) },
	{ "--print", 'n', OPTION_FLAG, NULL,
	  "With --stable, print what would be done, without running", OPTION_CALL(set_print) },
	{ .name = NULL },
};

static int launch_words(const struct runwords *words)
{
	static char end[] = "--";
	char **args;
	size_t n = words->n_options;
	int code;

	if (words->tool_help) {
		static char help[] = "--help";

		return launch("run", (char *[]){ help }, 1);
	}
	args = heap_alloc((n + 1 + words->n_program) * sizeof(*args));
	memcpy(args, words->options, n * sizeof(*args));
	/* Valgrind takes "--" too: it ends the options, and keeps PROG from being one. */
	args[n] = end;
	memcpy(args + n + 1, words->program, words->n_program * sizeof(*args));
	code = launch("run", args, n + 1 + words->n_program);
	free(args);
	return code;
}

/* True if the last option of this name has the value, wherever it was given; a stable run reads the command line only. */
static bool is_given(const struct runwords *words, bool is_stable, const char *name,
		     const char *value)
{
	char *configured = is_stable ? NULL : launch_configured(name);
	const char *given = runwords_value(words, name);
	bool is_it;

	if (!given)
		given = configured;
	is_it = given && strcmp(given, value) == 0;
	free(configured);
	return is_it;
}

/* --branch-detail=yes switches the predictors on, and is refused with Cachegrind's. */
static bool allows_branch_detail(const struct runwords *words, bool is_stable)
{
	return !is_given(words, is_stable, "--branch-sim", "no") &&
	       !is_given(words, is_stable, "--branch-model", "cachegrind");
}

/*
 * --full: options of the tool, put before all others because the last one wins.  Cycles are not among them: they are counted
 * anyway, where the machine has a core.
 */
static void add_full(struct runwords *words, bool is_stable)
{
	/* The last one can be left out. */
	static char full[][32] = {
		"--prefetch=yes",      "--miss-classes=yes",  "--data=yes",
		"--collect-alloc=yes", "--syscall-calls=yes", "--collect-faults=yes",
		"--call-tree=yes",     "--branch-detail=yes",
	};
	const size_t n = sizeof(full) / sizeof(full[0]) - !allows_branch_detail(words, is_stable);

	words->options =
		heap_resize(words->options, (words->n_options + n) * sizeof(*words->options));
	memmove(words->options + n, words->options, words->n_options * sizeof(*words->options));
	for (size_t i = 0; i < n; i++)
		words->options[i] = full[i];
	words->n_options += n;
}

/* Measured (docs/PERFORMANCE.md).  Before the run: who does not want to wait that long may still end it. */
static void tell_price(void)
{
	fprintf(stderr, "costgrind run: %s takes 1.3 to 3.3 times as long as a plain run\n",
		full_option);
}

/* -- ranks of a job -------------------------------------------------------- */

static const char *lookup(const char *name)
{
	return getenv(name);
}

/* Finds the rank of this process; false after a message that begins with the option that needs it. */
static bool find_rank(struct rank *rank, const char *option)
{
	rank_find(rank, lookup);
	if (!rank->variable)
		complain("run", "%s: expected " RANK_VARIABLE_NAMES, option);
	else if (!rank->is_number)
		complain("run", "%s: %s is '%s', expected a number from 0 to %d", option,
			 rank->variable, rank->text, RANK_MAX);
	return rank->is_number;
}

/* Becomes the program itself; returns an exit code, after a message, if it cannot. */
static int run_plainly(const struct runwords *words)
{
	int error;

	execvp(words->program[0], words->program);
	error = errno;
	complain("run", "%s: %s", words->program[0], strerror(error));
	return error == ENOENT ? 127 : 126; /* as shells end */
}

/* "--desc=type: value", as the last option for Valgrind. */
static void add_desc(struct runwords *words, struct run_choice *choice, const char *type,
		     const char *value)
{
	char *text = heap_print("--desc=%s: %s", type, value);

	choice->own[choice->n_own++] = text;
	words->options =
		heap_resize(words->options, (words->n_options + 1) * sizeof(*words->options));
	words->options[words->n_options++] = text;
}

/* Makes the profile say from which ranks there will be one: those that are both chosen and in the job. */
static void add_expected(struct runwords *words, struct run_choice *choice,
			 const struct rank_set *job, const struct rank_set *chosen)
{
	struct rank_set expected;
	struct bytes text;

	rank_set_init(&expected);
	bytes_init(&text);
	rank_set_add_common(&expected, chosen, job);
	rank_set_print(&expected, &text);
	bytes_add_char(&text, '\0');
	add_desc(words, choice, RANK_EXPECTED_DESC, text.text);
	bytes_release(&text);
	rank_set_release(&expected);
}

/* Warns of ranks that are chosen and not in the job; of its processes, the first one does. */
static void warn_of_absent(const struct rank *rank, const struct rank_set *job,
			   const struct rank_set *chosen)
{
	struct rank_set absent;
	struct bytes text;

	if (rank->n == 0 || rank->number != rank->first)
		return;
	rank_set_init(&absent);
	bytes_init(&text);
	rank_set_add_difference(&absent, chosen, job);
	rank_set_print(&absent, &text);
	bytes_add_char(&text, '\0');
	if (absent.n > 0)
		warn("run", "--ranks: the job has no %s: its ranks are %" PRIu32 " to %" PRIu32,
		     text.text, rank->first, rank->first + rank->n - 1);
	bytes_release(&text);
	rank_set_release(&absent);
}

/* A rank that is chosen notes in its profile which are.  Returns OPTIONS_GO_ON, or an exit code. */
static int choose_rank(struct runwords *words, struct run_choice *choice)
{
	struct rank_set chosen, job;
	struct rank rank;
	int code = OPTIONS_GO_ON;

	if (!find_rank(&rank, "--ranks"))
		return EXIT_FAILED;
	rank_set_init(&chosen);
	rank_set_init(&job);
	rank_set_add_list(&chosen, choice->ranks);
	rank_set_add(&job, rank.n > 0 ? rank.first : 0,
		     rank.n > 0 ? rank.first + rank.n - 1 : RANK_MAX);
	if (!words->quiet)
		warn_of_absent(&rank, &job, &chosen);
	if (rank_set_has(&chosen, rank.number))
		add_expected(words, choice, &job, &chosen);
	else
		code = run_plainly(words);
	rank_set_release(&chosen);
	rank_set_release(&job);
	return code;
}

/* Replaces the last name of the profile by one with the rank in it. */
static void name_by_rank(struct runwords *words, struct run_choice *choice, const char *number)
{
	size_t i = words->n_options;
	char *text;

	while (strncmp(words->options[--i], out_file, sizeof(out_file) - 1) != 0)
		;
	text = heap_alloc(rank_expand(NULL, words->options[i], number) + 1);
	rank_expand(text, words->options[i], number);
	choice->own[choice->n_own++] = text;
	words->options[i] = text;
}

/*
 * A stable run does not see the variables that say its rank, so options do.  Returns OPTIONS_GO_ON, or an
 * exit code.
 */
static int tell_rank(struct runwords *words, struct run_choice *choice)
{
	const char *name = runwords_value(words, out_file);
	bool is_named = name && rank_is_in(name);
	char text[RANK_LIST_SIZE];
	struct rank rank;

	rank_find(&rank, lookup);
	if (is_named && !find_rank(&rank, out_file))
		return EXIT_FAILED;
	if (!rank.is_number)
		return OPTIONS_GO_ON;
	rank_list(text, rank.number, rank.number);
	if (is_named)
		name_by_rank(words, choice, text);
	add_desc(words, choice, RANK_DESC, text);
	if (!choice->ranks && rank.n > 0) {
		rank_list(text, rank.first, rank.first + rank.n - 1);
		add_desc(words, choice, RANK_EXPECTED_DESC, text);
	}
	return OPTIONS_GO_ON;
}

/* -- the command ----------------------------------------------------------- */

int run_main(int argc, char **argv)
{
	struct run_choice choice = {
		.keep.vars = heap_alloc((size_t)argc * sizeof(*choice.keep.vars)),
	};
	struct runwords words = { .n_options = 0 };
	bool is_stable;
	int code;

	code = runwords_read(&words, run_options, argv, &choice, NULL);
	is_stable = choice.stable && !words.tool_help;
	if (code == OPTIONS_GO_ON && choice.keep.option && !choice.stable) {
		complain("run", "%s: expected --stable, too", choice.keep.option);
		code = EXIT_USAGE;
	}
	if (code == OPTIONS_GO_ON && choice.ranks && !words.tool_help)
		code = choose_rank(&words, &choice);
	if (code == OPTIONS_GO_ON && is_stable)
		code = tell_rank(&words, &choice);
	if (code == OPTIONS_GO_ON && choice.full) {
		add_full(&words, is_stable);
		if (!words.quiet && !words.tool_help && !choice.print)
			tell_price();
	}
	if (code == OPTIONS_GO_ON && is_stable)
		code = stablerun(&(struct stablerun){ .command = "run",
						      .words = &words,
						      .keep = &choice.keep,
						      .print = choice.print,
						      .quiet = words.quiet });
	else if (code == OPTIONS_GO_ON)
		code = launch_words(&words);
	runwords_release(&words);
	for (size_t i = 0; i < choice.n_own; i++)
		free(choice.own[i]);
	free(choice.keep.vars);
	return code;
}

/* What has a slash is no word for a command; Valgrind says what is wrong with it. */
static bool is_program(const char *word)
{
	char path[LAUNCH_PATH];

	return strchr(word, '/') != NULL || launch_find(word, path, sizeof(path));
}

/* --full and --python=WORD are all the options that PROG may follow. */
static bool is_leading(const char *word)
{
	return strcmp(word, full_option) == 0 ||
	       strncmp(word, python_option, strlen(python_option)) == 0;
}

bool run_takes(char *const *words)
{
	while (is_leading(words[0]) && words[1])
		words++;
	return is_program(words[0]);
}

/* -- Python --------------------------------------------------------------------------------- */

/* True for "python3" and "python3.11", with a folder before it. */
static bool is_python_name(const char *path)
{
	static const char python[] = "python3";
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	return strncmp(base, python, strlen(python)) == 0 &&
	       base[strlen(python) + strspn(base + strlen(python), ".0123456789")] == '\0';
}

/*
 * True if a program is CPython, by its name or by the name of the file that a link leads to, as of "python"; or if it is a script whose
 * first line has that run it.  If it has env do so, which would execute Python in its own place, `by_env` is the word for
 * Python, to be freed; else NULL.  A script by the name of an interpreter starts one in its place.
 */
static bool is_python(const char *program, char **by_env)
{
	char path[LAUNCH_PATH], line[LAUNCH_PATH] = "", *rest, *word;
	bool is_env, is_it;
	FILE *in;

	*by_env = NULL;
	in = launch_find(program, path, sizeof(path)) ? fopen(path, "re") : NULL;
	if (!in)
		return false;
	if (!fgets(line, sizeof(line), in))
		line[0] = '\0';
	fclose(in);
	if (strncmp(line, "#!", 2) != 0) {
		char *real = realpath(path, NULL);

		is_it = is_python_name(path) || (real && is_python_name(real));
		free(real);
		return is_it;
	}
	word = strtok_r(line + 2, " \t\n", &rest);
	is_env = word && strrchr(word, '/') && strcmp(strrchr(word, '/'), "/env") == 0;
	if (is_env)
		word = strtok_r(NULL, " \t\n", &rest);
	is_it = word && is_python_name(word);
	if (is_it && is_env)
		*by_env = heap_copy(word);
	return is_it;
}

/*
 * Has the functions of a Python program told apart, and says so; unless the user said whether they are to be.  Returns the
 * words of the program, if they are others: python3 SCRIPT for what env starts; to be freed, as the first two of them.
 */
static char **add_python(struct runwords *words)
{
	static char yes[] = "--python=yes", no_tree[] = "--call-tree=no";
	char *python = launch_configured("--python"), *tree = launch_configured("--call-tree");
	char *by_env = NULL, **program = NULL;
	char path[LAUNCH_PATH];

	if (!python && !runwords_has(words, "--python") && is_python(words->program[0], &by_env)) {
		words->options = heap_resize(words->options,
					     (words->n_options + 2) * sizeof(*words->options));
		words->options[words->n_options++] = yes;
		/* Chains of callers triple what is written: who wants them asks for them. */
		if (!tree && !runwords_has(words, "--call-tree"))
			words->options[words->n_options++] = no_tree;
		fputs("costgrind: a Python program, so --python=yes is on; --python=no is faster\n",
		      stderr);
	}
	/* A script in PATH is found there. */
	if (by_env && launch_find(words->program[0], path, sizeof(path))) {
		program = heap_alloc((words->n_program + 2) * sizeof(*program));
		program[0] = by_env;
		/* With NULL. */
		memcpy(program + 1, words->program, (words->n_program + 1) * sizeof(*program));
		program[1] = heap_copy(path);
		words->program = program;
		words->n_program++;
	}
	free(python);
	free(tree);
	return program;
}

/*
 * Waits until the child ends, or says on a terminal how to watch it: the tool itself, which says so elsewhere, is
 * quiet.
 */
static void wait_long(const sigset_t *ending, pid_t child)
{
	const struct timespec long_run = { .tv_sec = LONG_RUN };

	if (!isatty(STDERR_FILENO))
		return;
	while (sigtimedwait(ending, NULL, &long_run) < 0)
		if (errno != EINTR) {
			fprintf(stderr,
				"costgrind: still running; watch it: costgrind control --watch %ld\n",
				(long)child);
			return;
		}
}

/* -- where its profile is ------------------------------------------------------------------- */

/* Puts the rank of this process into a format that has one; false if it has none. */
static bool expand_rank(char **format)
{
	char text[RANK_LIST_SIZE], *expanded;
	struct rank rank;

	if (!rank_is_in(*format))
		return true;
	rank_find(&rank, lookup);
	if (!rank.is_number)
		return false;
	rank_list(text, rank.number, rank.number);
	expanded = heap_alloc(rank_expand(NULL, *format, text) + 1);
	rank_expand(expanded, *format, text);
	free(*format);
	*format = expanded;
	return true;
}

/* The name that a format gives the profile of a process, as Valgrind does; false if that cannot be known, as of %n. */
static bool expand(struct bytes *name, const char *format, pid_t pid)
{
	for (const char *at = format; *at; at++) {
		if (*at != '%') {
			bytes_add_char(name, *at);
		} else if (*++at == '%') {
			bytes_add_char(name, '%');
		} else if (*at == 'p') {
			char number[24];

			snprintf(number, sizeof(number), "%ld", (long)pid);
			bytes_add_text(name, number);
		} else if (at[0] == 'q' && at[1] == '{' && strchr(at, '}')) {
			const char *end = strchr(at, '}');
			char *variable = heap_print("%.*s", (int)(end - at - 2), at + 2);
			const char *value = getenv(variable);

			bytes_add_text(name, value ? value : "");
			free(variable);
			at = end;
		} else {
			return false;
		}
	}
	bytes_add_char(name, '\0');
	return true;
}

/*
 * Finds the profile that a child has written since `start`; an older one of the name is of another run.  False if there
 * is none, after a message if options have it elsewhere, and the program was started.
 */
static bool find_profile(struct bytes *name, pid_t child, const struct timespec *start,
			 bool has_run)
{
	char *format = launch_configured(out_file);
	const bool is_named = format != NULL;
	struct stat stat_of;
	bool is_found;

	if (!format)
		format = heap_copy("costgrind.out.%p");
	is_found = expand_rank(&format) && expand(name, format, child) &&
		   stat(name->text, &stat_of) == 0 && S_ISREG(stat_of.st_mode) &&
		   (stat_of.st_mtim.tv_sec > start->tv_sec ||
		    (stat_of.st_mtim.tv_sec == start->tv_sec &&
		     stat_of.st_mtim.tv_nsec >= start->tv_nsec));
	if (!is_found && is_named && has_run)
		complain("run", "found no profile to show; look where %s=%s puts it", out_file,
			 format);
	free(format);
	return is_found;
}

/* What to do next. */
static void tell_more(const char *file)
{
	char *machine = launch_configured("--machine"), *cycles = launch_configured("--cycles");

	/* The tool says so, too, but is quiet. */
	if (!machine && !(cycles && strcmp(cycles, "no") == 0) && machine_should_be_measured())
		puts("memory may cost more here: costgrind machine --measure finds out, once\n");
	free(machine);
	free(cycles);
	printf("more: costgrind why %s   (or annotate, or report)\n", file);
}

int run_and_show(int argc, char **argv)
{
	static char quiet[] = "-q";
	struct runwords words = { .options = heap_alloc((size_t)argc * sizeof(char *)) };
	struct timespec start;
	struct bytes file;
	sigset_t ending, before;
	void (*interrupt)(int), (*quit)(int);
	pid_t child;
	bool is_full = false;
	char **program;
	int code, status = 0, n = 1;

	/* The answer comes first, so no banner and table: -v in COSTGRIND_OPTS has them. */
	words.options[words.n_options++] = quiet;
	for (; is_leading(argv[n]) && n + 1 < argc; n++)
		if (strcmp(argv[n], full_option) == 0)
			is_full = true;
		else
			words.options[words.n_options++] = argv[n];
	words.program = argv + n;
	words.n_program = (size_t)(argc - n);
	if (is_full) {
		tell_price();
		add_full(&words, false);
	}
	program = add_python(&words);
	clock_gettime(CLOCK_REALTIME_COARSE, &start); /* by which files are dated */
	sigemptyset(&ending);
	sigaddset(&ending, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ending, &before);
	child = fork();

	if (child < 0) {
		complain("run", "%s", strerror(errno));
		return EXIT_FAILED;
	}
	if (child == 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		_exit(launch_words(&words));
	}
	/* What the program is sent from the terminal is its own affair. */
	interrupt = signal(SIGINT, SIG_IGN);
	quit = signal(SIGQUIT, SIG_IGN);
	wait_long(&ending, child);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	signal(SIGINT, interrupt);
	signal(SIGQUIT, quit);
	sigprocmask(SIG_SETMASK, &before, NULL);
	code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	bytes_init(&file);
	/* If there is none, the tool has said why. */
	if (find_profile(&file, child, &start, code != 126 && code != 127)) {
		fputc('\n', stdout);
		if (annotate_briefly(file.text) == EXIT_FINE)
			tell_more(file.text);
	}
	bytes_release(&file);
	runwords_release(&words);
	if (program) {
		free(program[0]);
		free(program[1]);
	}
	free(program);
	return code;
}
