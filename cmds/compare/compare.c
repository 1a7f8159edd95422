/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind compare: runs two programs, or one as it is in two revisions, under the same stable surroundings, and shows
 * what changed, as costgrind diff does.  With --time, both run natively, too.
 *
 * Each process is a job: git, a build, a run.  They run one after another, since runs may write to the same files.
 * All is in one temporary folder: worktrees, profiles, and the log, which is what the last job wrote, shown if it
 * failed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/cli/launch.h"
#include "cmds/cli/loader.h"
#include "cmds/cli/option.h"
#include "cmds/compare/pairtimes.h"
#include "cmds/diff/diff.h"
#include "cmds/stable/stable.h"
#include "profile/common/heap.h"

static const char command[] = "compare";

static char shell[] = "sh", shell_option[] = "-c";

/* OLD or NEW. */
struct side {
	const char *label; /* "OLD" */
	const char *name;  /* what is shown: its command line, or revision */
	char **words;      /* of the program, ended by NULL */
	size_t n_words;
	char *line;   /* owned; has the words if they were split, ended by NUL each */
	char **split; /* owned; NULL = words are argv's */
	char *tree;   /* owned; its worktree in the temporary folder, to be removed; NULL = none */
	char *folder; /* owned; where it is built and runs; NULL = here */
	char *profiles; /* owned; the folder of its profiles */
	char *profile;  /* owned */
};

struct comparing {
	struct stable_keep keep; /* first: the context of --keep and --keep-env */
	const char *revisions[2];
	const char *build;
	bool has_shell, is_shown, ignores_failure, has_page, has_time;
	uint64_t n_pairs; /* 0 = as many as it takes */
	const char *page;
	struct runwords words; /* with options of our own */
	struct trials trials;
	struct side sides[2];
	char *top,
		*prefix; /* owned; the user's worktree, and the current directory in it: "" or "a/b/" */
	struct pairtimes *times;
	struct diff_choice choice;
};

/* -- options ---------------------------------------------------------------------------- */

static const char *set_time(void *ctx, const char *value)
{
	struct comparing *comparing = ctx;
	unsigned long long n = 0;

	comparing->has_time = true;
	if (value && (!option_count(value, PAIRTIMES_MOST, &n) || n == 0))
		return "a number from 1 to 1000";
	comparing->n_pairs = n;
	return NULL;
}

static bool is_page(const char *name)
{
	static const char end[] = ".html";
	const size_t len = strlen(name);

	return len > strlen(end) && strcmp(name + len - strlen(end), end) == 0;
}

const struct option_rule compare_options[] = {
	{ "--old", 0, OPTION_VALUE, "GITREV",
	  "Compare PROG ARGS as it is in this revision, in a worktree of its own, which is\n"
	  "removed at the end",
	  OPTION_TEXT(struct comparing, revisions[0], "a revision, as git takes it") },
	{ "--new", 0, OPTION_VALUE, "GITREV", "With this revision [the working tree as it is]",
	  OPTION_TEXT(struct comparing, revisions[1], "a revision, as git takes it") },
	{ "--build", 0, OPTION_VALUE, "COMMAND",
	  "With --old, build each revision by this command of the shell",
	  OPTION_TEXT(struct comparing, build, "a command") },
	{ "--shell", 0, OPTION_FLAG, NULL,
	  "Have sh -c run each command, and add up what all its processes cost [a command is\n"
	  "split at blanks; quotes and backslashes are as in a shell, but nothing is expanded]",
	  OPTION_BOOL(struct comparing, has_shell) },
	{ "--time", 0, OPTION_MAYBE, "N",
	  "Also time N pairs of native runs, in the order OLD NEW NEW OLD [10 or more, until the\n"
	  "interval is narrower than 1 %, or 10 s have passed]",
	  OPTION_CALL(set_time) },
	{ "--report", 0, OPTION_FLAG, NULL, "Also write the page of both profiles, compare.html",
	  OPTION_BOOL(struct comparing, has_page) },
	{ "--output", 'o', OPTION_VALUE, "OUT.html", "Write the page to this file",
	  OPTION_CHECKED(struct comparing, page, "a name that ends in .html", is_page) },
	{ "--show-output", 0, OPTION_FLAG, NULL,
	  "Show the output of programs and builds on standard error, as -v does [dropped, except\n"
	  "the end of the standard error of a program that fails]",
	  OPTION_BOOL(struct comparing, is_shown) },
	{ "--ignore-failure", 'i', OPTION_FLAG, NULL, "Compare programs that fail, too",
	  OPTION_BOOL(struct comparing, ignores_failure) },
	{ "--keep", 0, OPTION_VALUE, "A,B", "Same as in costgrind run --stable",
	  OPTION_CALL(stable_set_keep) },
	{ "--keep-env", 0, OPTION_VALUE, "NAME,NAME", "Same as in costgrind run --stable",
	  OPTION_CALL(stable_set_keep_env) },
	{ .name = NULL },
};

/* -- command lines ---------------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/*
 * Splits a side's command line into its words, as a shell does, but expands nothing.  What a shell would expand
 * or obey is refused, rather than passed on as it is.
 */
static int split_line(struct side *side)
{
	static const char for_shell[] = "|&;<>()$`*?[";
	char *to = side->line = heap_copy(side->name);
	const char *from = side->name, *wrong = NULL;
	char quote = '\0';

	side->split = heap_alloc((strlen(from) / 2 + 2) * sizeof(*side->split));
	side->words = side->split;
	while (!wrong) {
		while (is_blank(*from))
			from++;
		if (*from == '\0')
			break;
		side->split[side->n_words++] = to;
		for (; *from && !wrong && (quote || !is_blank(*from)); from++) {
			if (quote ? *from == quote : *from == '\'' || *from == '"') {
				quote = (char)(quote ? 0 : *from);
			} else if (*from == '\\' && quote != '\'' &&
				   (!quote || (from[1] && strchr("\"\\$`", from[1])))) {
				if (*++from == '\0')
					wrong = "a character after the backslash";
				else
					*to++ = *from;
			} else if (!quote ? strchr(for_shell, *from) != NULL
					  : quote == '"' && (*from == '$' || *from == '`')) {
				complain(
					command,
					"%s: '%s': '%c' needs a shell: expected it in single quotes, or "
					"--shell",
					side->label, side->name, *from);
				return EXIT_USAGE;
			} else {
				*to++ = *from;
			}
			if (wrong)
				break;
		}
		if (quote)
			wrong = quote == '"' ? "another \"" : "another '";
		*to++ = '\0';
	}
	if (side->n_words == 0)
		wrong = "a command";
	if (!wrong) {
		side->split[side->n_words] = NULL;
		return EXIT_FINE;
	}
	complain(command, "%s: '%s': expected %s", side->label, side->name, wrong);
	return EXIT_USAGE;
}

/* The words "sh", "-c", line. */
static void take_shell(struct side *side, const char *line)
{
	side->line = heap_copy(line);
	side->split = side->words = heap_alloc(4 * sizeof(*side->split));
	side->words[0] = shell;
	side->words[1] = shell_option;
	side->words[2] = side->line;
	side->words[3] = NULL;
	side->n_words = 3;
}

/* Finds what both sides run; an exit code. */
static int find_commands(struct comparing *comparing)
{
	struct runwords *words = &comparing->words;
	const bool is_git = comparing->revisions[0] != NULL;
	const char *lacking = comparing->revisions[1] ? "--new" : "--build";

	if (!is_git && (comparing->revisions[1] || comparing->build)) {
		complain(command, "%s: expected --old=GITREV, too", lacking);
		return EXIT_USAGE;
	}
	if (!is_git && words->n_program != 2) {
		complain(command,
			 "expected two commands, each quoted as one word, 'OLD ARGS' 'NEW ARGS'");
		return EXIT_USAGE;
	}
	if (is_git && comparing->has_shell && words->n_program != 1) {
		complain(command, "--shell: expected one command, quoted as one word");
		return EXIT_USAGE;
	}
	for (int i = 0; i < 2; i++) {
		struct side *side = &comparing->sides[i];
		int code = EXIT_FINE;

		side->name = is_git ? comparing->revisions[i] : words->program[i];
		if (!side->name)
			side->name = "the working tree";
		if (comparing->has_shell) {
			take_shell(side, words->program[is_git ? 0 : i]);
		} else if (is_git) {
			side->words = words->program;
			side->n_words = words->n_program;
		} else {
			code = split_line(side);
		}
		if (code != EXIT_FINE)
			return code;
	}
	return EXIT_FINE;
}

/* A copy of words that end in NULL, as a program or a command takes them; one block. */
static char **copy_words(const char *const *words)
{
	size_t n = 0, size = 0;
	char **copy, *to;

	for (; words[n]; n++)
		size += strlen(words[n]) + 1;
	copy = heap_alloc((n + 1) * sizeof(*copy) + size);
	to = (char *)(copy + n + 1);
	for (size_t i = 0; i < n; i++) {
		copy[i] = to;
		to = stpcpy(to, words[i]) + 1;
	}
	copy[n] = NULL;
	return copy;
}

/* -- jobs ------------------------------------------------------------------------------- */

struct job {
	char *const *words; /* to be executed; NULL = it is a run under the tool */
	const struct stablerun *run;
	const char *folder; /* where; NULL = here */
	bool is_program;    /* its standard output is dropped, not kept in the log */
	bool is_shown;      /* all that it writes is shown at once */
};

struct job_end {
	int status;       /* as of waitpid() */
	double cpu, wall; /* seconds */
};

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double seconds_of(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

/* Owned. */
static char *log_path(const struct comparing *comparing)
{
	return heap_print("%s/log", comparing->trials.folder);
}

/* In the process of a job. */
_Noreturn static void do_job(const struct comparing *comparing, const struct job *job)
{
	char *path = log_path(comparing);
	int log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
	int out = job->is_program ? -1 : log, err = log, error;

	if (job->is_shown)
		out = err = STDERR_FILENO;
	if (log < 0 || !trials_redirect(&comparing->trials, out, err)) {
		complain(command, "%s: %s", path, strerror(errno));
		_exit(EXIT_FAILED);
	}
	if (job->folder && chdir(job->folder) != 0) {
		complain(command, "%s: %s", job->folder, strerror(errno));
		_exit(EXIT_FAILED);
	}
	if (!job->words)
		_exit(stablerun(job->run));
	execvp(job->words[0], job->words);
	error = errno;
	complain(command, "%s: %s", job->words[0], strerror(error));
	_exit(error == ENOENT ? 127 : 126);
}

/* Does a job, and waits for its end; false if a signal came, or after a message. */
static bool run_job(struct comparing *comparing, const struct job *job, struct job_end *end)
{
	struct trials *trials = &comparing->trials;
	double start;
	pid_t child;

	trials->n = 0;
	start = seconds_now();
	child = trials_fork(trials);
	if (child == 0)
		do_job(comparing, job);
	if (child < 0 || !trials_wait(trials, 0))
		return false;
	*end = (struct job_end){
		.status = trials->all[0].status,
		.cpu = seconds_of(&trials->all[0].usage.ru_utime) +
		       seconds_of(&trials->all[0].usage.ru_stime),
		.wall = seconds_now() - start,
	};
	return true;
}

/* Shows the end of the log. */
static void show_log(const struct comparing *comparing)
{
	enum { SHOWN = 16384 };
	char *path = log_path(comparing), text[SHOWN], *begin = text;
	int log = open(path, O_RDONLY | O_CLOEXEC);
	off_t size = log >= 0 ? lseek(log, 0, SEEK_END) : 0;
	ssize_t len = 0;

	if (size > 0)
		len = pread(log, text, SHOWN, size > SHOWN ? size - SHOWN : 0);
	if (size > SHOWN && len > 0) {
		char *line = memchr(text, '\n', (size_t)len);

		/* From the beginning of a line. */
		if (line)
			begin = line + 1;
		fputs("...\n", stderr);
	}
	if (len > 0) {
		fwrite(begin, 1, (size_t)(text + len - begin), stderr);
		if (text[len - 1] != '\n')
			fputc('\n', stderr);
	}
	if (log >= 0)
		close(log);
	free(path);
}

/* True if a job of a side ended well; else shows the log, and says how it ended, and the hint. */
static bool has_ended_well(const struct comparing *comparing, const struct side *side,
			   const char *what, int status, const char *hint)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	show_log(comparing);
	if (WIFSIGNALED(status))
		complain(command, "%s: %s: killed by signal %d%s", side->label, what,
			 WTERMSIG(status), hint);
	else
		complain(command, "%s: %s: exited with %d%s", side->label, what,
			 WEXITSTATUS(status), hint);
	return false;
}

/* The same of a run of the program, natively or not; failures may be ignored. */
static bool has_run_well(const struct comparing *comparing, const struct side *side, int status)
{
	return comparing->ignores_failure ||
	       has_ended_well(comparing, side, side->words[0], status,
			      " (--ignore-failure compares them anyway)");
}

/* -- revisions -------------------------------------------------------------------------- */

static bool run_git(struct comparing *comparing, const char *const *words, bool is_shown,
		    struct job_end *end)
{
	char **copy = copy_words(words);
	const struct job job = { .words = copy, .is_shown = is_shown };
	const bool fine = run_job(comparing, &job, end);

	free(copy);
	return fine;
}

/* What git prints, its line feeds as they are; NULL if it failed, or a signal came.  Owned. */
static char *ask_git(struct comparing *comparing, const char *const *words)
{
	struct job_end end;
	char *path, *text = NULL;
	FILE *log;
	size_t size = 0;

	if (!run_git(comparing, words, false, &end) || end.status != 0)
		return NULL;
	path = log_path(comparing);
	log = fopen(path, "re");
	if (log && getdelim(&text, &size, '\0', log) < 0) {
		free(text);
		text = NULL;
	}
	if (log)
		fclose(log);
	free(path);
	return text;
}

/* The name of the commit that a revision is; NULL after a message.  Owned. */
static char *find_commit(struct comparing *comparing, const char *option, const char *revision)
{
	char *named = heap_print("%s^{commit}", revision);
	char *commit =
		ask_git(comparing, (const char *const[]){ "git", "rev-parse", "--verify", "--quiet",
							  "--end-of-options", named, NULL });

	free(named);
	if (commit)
		commit[strcspn(commit, "\n")] = '\0';
	else if (!comparing->trials.interrupted)
		complain(command, "%s=%s: expected a revision of this repository", option,
			 revision);
	return commit;
}

/* Finds where in the user's worktree this is; false after a message. */
static bool find_top(struct comparing *comparing)
{
	char *text =
		ask_git(comparing, (const char *const[]){ "git", "rev-parse", "--show-toplevel",
							  "--show-prefix", NULL });
	char *end = text ? strchr(text, '\n') : NULL;

	if (!end) {
		if (!comparing->trials.interrupted) {
			show_log(comparing);
			complain(command, "--old: expected to be in a git repository");
		}
		free(text);
		return false;
	}
	comparing->top = heap_copy_part(text, (size_t)(end - text));
	comparing->prefix = heap_copy_part(end + 1, strcspn(end + 1, "\n"));
	free(text);
	return true;
}

static bool add_tree(struct comparing *comparing, struct side *side, const char *option,
		     const char *revision)
{
	char *commit = find_commit(comparing, option, revision);
	char *tree = heap_print("%s/tree-%s", comparing->trials.folder, side->label);
	struct job_end end;
	bool fine = false;

	if (commit) {
		/* To be removed, even if it ends halfway. */
		side->tree = tree;
		side->folder = heap_print("%s/%s", tree, comparing->prefix);
		fine = run_git(comparing,
			       (const char *const[]){ "git", "worktree", "add", "--quiet",
						      "--detach", tree, commit, NULL },
			       comparing->is_shown, &end) &&
		       has_ended_well(comparing, side, "git worktree add", end.status, "");
	} else {
		free(tree);
	}
	free(commit);
	return fine;
}

static void remove_tree(struct comparing *comparing, const struct side *side)
{
	const int interrupted = comparing->trials.interrupted;
	struct job_end end;
	bool fine;

	/* A signal that has come does not end this job, too. */
	comparing->trials.interrupted = 0;
	fine = run_git(comparing,
		       (const char *const[]){ "git", "worktree", "remove", "--force", "--force",
					      side->tree, NULL },
		       false, &end) &&
	       end.status == 0;
	if (interrupted)
		comparing->trials.interrupted = interrupted;
	if (!fine)
		warn(command, "%s: not known to git any more once you say: git worktree prune",
		     side->tree);
}

static bool build(struct comparing *comparing, struct side *side)
{
	char *line = heap_copy(comparing->build);
	const struct job job = {
		.words = (char *[]){ shell, shell_option, line, NULL },
		.folder = side->folder,
		.is_shown = comparing->is_shown,
	};
	struct job_end end;
	const bool fine = run_job(comparing, &job, &end) &&
			  has_ended_well(comparing, side, "--build", end.status, "");

	free(line);
	return fine;
}

/* Makes worktrees and builds; false after a message, or if a signal came. */
static bool prepare_revisions(struct comparing *comparing)
{
	static const char *const options[] = { "--old", "--new" };
	const char *program = comparing->words.program[0];
	size_t len;

	if (!find_top(comparing))
		return false;
	len = strlen(comparing->top);
	if (!comparing->has_shell && strncmp(program, comparing->top, len) == 0 &&
	    program[len] == '/') {
		complain(command,
			 "%s: expected a path from the current directory, which is another "
			 "one for each revision",
			 program);
		return false;
	}
	for (int i = 0; i < 2; i++)
		if (comparing->revisions[i] &&
		    !add_tree(comparing, &comparing->sides[i], options[i], comparing->revisions[i]))
			return false;
	for (int i = 0; i < 2; i++)
		if (comparing->build && !build(comparing, &comparing->sides[i]))
			return false;
	return true;
}

/* "--source-map=" and what maps a tree's sources to those in `to`; owned. */
static char *map_option(const struct side *side, const char *to)
{
	char *real = realpath(side->tree, NULL);
	char *option = heap_print("--source-map=%s=%s", real ? real : side->tree, to);

	free(real);
	return option;
}

/* -- runs ------------------------------------------------------------------------------- */

static int is_profile(const struct dirent *entry)
{
	return strncmp(entry->d_name, "profile.", strlen("profile.")) == 0;
}

/*
 * Finds the profile that a run has written, or the sum of several: of processes, threads, parts.  False if there is
 * none, or after a message; *is_there tells which.
 */
static bool find_profile(struct side *side, bool *is_there)
{
	struct dirent **entries;
	const int n = scandir(side->profiles, &entries, is_profile, alphasort);
	const size_t n_options = 4, n_profiles = n > 0 ? (size_t)n : 0;
	char *sum = heap_print("%s/sum", side->profiles);
	const char **words = heap_alloc((n_options + n_profiles + 1) * sizeof(*words));
	char **paths = heap_alloc((n_profiles + 1) * sizeof(*paths));
	bool fine = n > 0;

	*is_there = n > 0;
	words[0] = "merge";
	words[1] = "-q";
	words[2] = "-o";
	words[3] = sum;
	for (size_t i = 0; i < n_profiles; i++) {
		words[n_options + i] = paths[i] =
			heap_print("%s/%s", side->profiles, entries[i]->d_name);
		free(entries[i]);
	}
	words[n_options + n_profiles] = NULL;
	if (n > 1) {
		char **copy = copy_words(words);

		fine = merge_main((int)(n_options + n_profiles), copy) == EXIT_FINE;
		free(copy);
	}
	side->profile = heap_copy(n == 1 ? paths[0] : sum);
	for (size_t i = 0; i < n_profiles; i++)
		free(paths[i]);
	free(paths);
	free(words);
	free(sum);
	if (n >= 0)
		free(entries);
	return fine;
}

/* True if there is a program to run; if not, prints a message. */
static bool has_program(const struct side *side)
{
	const char *name = side->words[0];
	const bool is_here = side->folder && strchr(name, '/') && name[0] != '/';
	char *path = is_here ? heap_print("%s/%s", side->folder, name) : heap_copy(name);
	char found[LAUNCH_PATH];
	bool fine;

	errno = ENOENT;
	fine = launch_find(path, found, sizeof(found));
	if (!fine)
		complain(command, "%s: %s: %s", side->label, name, strerror(errno));
	free(path);
	return fine;
}

/* Runs a side under the tool; false after a message, or if a signal came. */
static bool count(struct comparing *comparing, struct side *side)
{
	char literal[LAUNCH_PATH * 2];
	struct runwords words = comparing->words;
	const struct stablerun run = {
		.command = command,
		.words = &words,
		.keep = &comparing->keep,
		.quiet = true,
	};
	const struct job job = {
		.run = &run,
		.folder = side->folder,
		.is_program = true,
		.is_shown = comparing->is_shown,
	};
	struct job_end end;
	bool is_there = false, fine;
	char *option;

	side->profiles = heap_print("%s/%s", comparing->trials.folder, side->label);
	if (mkdir(side->profiles, S_IRWXU) != 0) {
		complain(command, "%s: %s", side->profiles, strerror(errno));
		return false;
	}
	launch_literal(literal, sizeof(literal), side->profiles);
	option = heap_print("--costgrind-out-file=%s/profile.%%p", literal);
	words.options[words.n_options++] = option; /* there is room */
	/* cppcheck-suppress unreadVariable ; by run_job() */
	words.program = side->words;
	/* cppcheck-suppress unreadVariable ; the same */
	words.n_program = side->n_words;
	fine = run_job(comparing, &job, &end);
	free(option);
	fine = fine && has_run_well(comparing, side, end.status);
	if (!fine || !find_profile(side, &is_there))
		return false;
	if (!is_there && has_ended_well(comparing, side, side->words[0], end.status, ""))
		complain(command, "%s: %s: no profile was written", side->label, side->words[0]);
	return is_there;
}

/* Times one native run, as number `pair`; false after a message, or if a signal came. */
static bool time_run(struct comparing *comparing, int i, size_t pair)
{
	const double least = 1e-6; /* the resolution */
	const struct side *side = &comparing->sides[i];
	const struct job job = {
		.words = side->words,
		.folder = side->folder,
		.is_program = true,
		.is_shown = comparing->is_shown,
	};
	struct job_end end;

	if (!run_job(comparing, &job, &end) || !has_run_well(comparing, side, end.status))
		return false;
	comparing->times->seconds[PAIRTIMES_CPU][i][pair] = end.cpu > least ? end.cpu : least;
	comparing->times->seconds[PAIRTIMES_WALL][i][pair] = end.wall > least ? end.wall : least;
	return true;
}

/* True if more pairs would tell little more, or would take too long. */
static bool is_enough(const struct comparing *comparing, double seconds)
{
	enum { LEAST = 10 };
	const double most_seconds = 10, narrow = 0.01;
	struct pairtimes_summary summary;

	if (comparing->n_pairs > 0)
		return comparing->times->n == comparing->n_pairs;
	if (comparing->times->n == PAIRTIMES_MOST || seconds > most_seconds)
		return true;
	if (comparing->times->n < LEAST)
		return false;
	summary = pairtimes_summarize(comparing->times, PAIRTIMES_CPU);
	return summary.high - summary.low < narrow;
}

/* Times both, natively: OLD NEW NEW OLD, so that what drifts, such as the clock rate, does not favor one of them. */
static bool time_both(struct comparing *comparing)
{
	struct pairtimes *times = comparing->times = heap_zeroed(1, sizeof(*times));
	const double start = seconds_now();

	do {
		const int first = (int)(times->n % 2);

		if (!time_run(comparing, first, times->n) || !time_run(comparing, !first, times->n))
			return false;
		times->n++;
	} while (!is_enough(comparing, seconds_now() - start));
	return true;
}

/* -- the result ------------------------------------------------------------------------- */

static int write_page(const struct comparing *comparing)
{
	const struct side *old = &comparing->sides[0], *new = &comparing->sides[1];
	char *title = heap_print("--title=%s, against %s", new->name, old->name);
	/* Sources are NEW's, which are there as long as its worktree is. */
	char *map = old->tree ? map_option(old, new->tree ? new->tree : comparing->top) : NULL;
	char **words = copy_words((const char *const[]){
		"report", "-o", comparing->page ? comparing->page : "compare.html", title,
		map ? map : "--source=yes", comparing->words.quiet ? "-q" : "--no-pager",
		old->profile, new->profile, NULL });
	const int code = report_temporary(words, old->name);

	free(words);
	free(title);
	free(map);
	return code;
}

static int print_difference(struct comparing *comparing)
{
	struct diff_choice *choice = &comparing->choice;
	int code = EXIT_FINE;

	for (int i = 0; i < 2 && code == EXIT_FINE; i++) {
		char *map = comparing->sides[i].tree
				    ? map_option(&comparing->sides[i], comparing->top)
				    : NULL;

		if (map && option_set(naming_options, map, &choice->naming))
			code = EXIT_FAILED;
		free(map);
	}
	choice->common.quiet = comparing->words.quiet;
	choice->common.no_pager = comparing->words.no_pager;
	choice->common.verbose = runwords_has(&comparing->words, "-v");
	choice->maker = (struct diffreport_maker){
		.old_name = comparing->sides[0].name,
		.new_name = comparing->sides[1].name,
		.put = comparing->times ? pairtimes_put : NULL,
		.ctx = comparing->times,
	};
	return diff_profiles(choice, comparing->sides[0].profile, comparing->sides[1].profile);
}

/* -- the command ------------------------------------------------------------------------ */

/* The tool says nothing, and there is room for the name of the profile. */
static void add_options(struct comparing *comparing)
{
	static char quiet[] = "-q", children[] = "--trace-children=yes";
	struct runwords *words = &comparing->words;
	enum { OWN = 3 };

	words->options =
		heap_resize(words->options, (words->n_options + OWN) * sizeof(*words->options));
	if (!comparing->is_shown)
		words->options[words->n_options++] = quiet;
	if (comparing->has_shell)
		words->options[words->n_options++] = children;
}

/* All that needs the temporary folder; an exit code. */
static int run_all(struct comparing *comparing)
{
	struct trouble trouble;
	int code;

	if (comparing->revisions[0] && !prepare_revisions(comparing))
		return EXIT_FAILED;
	if (!comparing->words.quiet && !sandbox_is_allowed(&trouble))
		warn(command, "no namespaces here (%s): paths and pids are left as they are",
		     strerror(trouble.error));
	for (int i = 0; i < 2; i++)
		if (!has_program(&comparing->sides[i]))
			return EXIT_FAILED;
	for (int i = 0; i < 2; i++)
		if (!count(comparing, &comparing->sides[i]))
			return EXIT_FAILED;
	if (comparing->has_time && !time_both(comparing))
		return EXIT_FAILED;
	code = print_difference(comparing);
	if (code != EXIT_FAILED && code != EXIT_USAGE && (comparing->has_page || comparing->page)) {
		const int written = write_page(comparing);

		if (written != EXIT_FINE)
			code = written;
	}
	return code;
}

static int compare(struct comparing *comparing)
{
	int code;

	if (runwords_has(&comparing->words, "--costgrind-out-file")) {
		complain(command, "--costgrind-out-file: expected none, the profiles are removed");
		return EXIT_USAGE;
	}
	code = find_commands(comparing);
	if (code != EXIT_FINE)
		return code;
	comparing->is_shown |= runwords_has(&comparing->words, "-v");
	add_options(comparing);
	code = trials_init(&comparing->trials, command);
	if (code == EXIT_FINE)
		code = run_all(comparing);
	for (int i = 0; i < 2; i++)
		if (comparing->sides[i].tree)
			remove_tree(comparing, &comparing->sides[i]);
	trials_release(&comparing->trials);
	return code;
}

int compare_main(int argc, char **argv)
{
	struct comparing *comparing = heap_zeroed(1, sizeof(*comparing));
	const struct option_group groups[] = {
		{ comparing_options, &comparing->choice },
		{ lenient_options, &comparing->choice.loading.lenient },
		{ naming_options, &comparing->choice.naming },
		{ NULL, NULL },
	};
	int code;

	complaint_speak_for(command);
	comparing->keep.vars = heap_alloc((size_t)argc * sizeof(*comparing->keep.vars));
	comparing->sides[0].label = "OLD";
	comparing->sides[1].label = "NEW";
	diff_choice_init(&comparing->choice);
	code = runwords_read(&comparing->words, compare_options, argv, comparing, groups);
	if (code == OPTIONS_GO_ON)
		code = compare(comparing);
	diff_choice_release(&comparing->choice);
	for (int i = 0; i < 2; i++) {
		struct side *side = &comparing->sides[i];

		free(side->line);
		free(side->split);
		free(side->tree);
		free(side->folder);
		free(side->profiles);
		free(side->profile);
	}
	free(comparing->top);
	free(comparing->prefix);
	free(comparing->times);
	runwords_release(&comparing->words);
	free(comparing->keep.vars);
	free(comparing);
	return code;
}
