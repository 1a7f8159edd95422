/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind run: becomes valgrind --tool=costgrind.  costgrind PROG ARGS: does so in a
 * child, and shows a table of what was found.
 */
#include "cmds/run/run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/annotate/annotate.h"
#include "cmds/common/commands.h"
#include "cmds/common/complaint.h"
#include "cmds/common/launch.h"
#include "cmds/common/option.h"
#include "cmds/stable/fixedenv.h"
#include "cmds/stable/stable_items.h"
#include "cmds/stable/stablerun.h"
#include "profile/common/error.h"

/* What the options of the command say. */
struct run_choice {
	bool stable;
	bool print;
	stable_items keep;
	const char **kept; /* lists of variables */
	size_t n_kept;
	const char *needs_stable; /* an option that says nothing without --stable; NULL = none */
};

static const char *set_stable(void *ctx, const char *value)
{
	(void)value;
	((struct run_choice *)ctx)->stable = true;
	return NULL;
}

static const char *set_keep(void *ctx, const char *value)
{
	struct run_choice *choice = ctx;

	choice->needs_stable = "--keep";
	return stable_items_add(&choice->keep, value) ? NULL : stable_items_form;
}

static const char *set_keep_env(void *ctx, const char *value)
{
	struct run_choice *choice = ctx;

	choice->needs_stable = "--keep-env";
	choice->kept[choice->n_kept++] = value;
	return fixedenv_is_list(value) ? NULL : "names of variables, A,B";
}

static const char *set_print(void *ctx, const char *value)
{
	struct run_choice *choice = ctx;

	(void)value;
	choice->needs_stable = "--print";
	choice->print = true;
	return NULL;
}

const struct option_rule run_options[] = {
	{ "--stable", 0, OPTION_FLAG, NULL,
	  "run it in the same surroundings every time, so that its counts repeat (docs/TRUST.md\n"
	  "lists what still varies): a fixed environment, fixed paths, pid, limits, streams;\n"
	  "and the tool's --deterministic=yes",
	  set_stable },
	{ "--keep", 0, OPTION_VALUE, "A,B", stable_items_help, set_keep },
	{ "--keep-env", 0, OPTION_VALUE, "NAME,NAME",
	  "with --stable, keep these variables of the environment; may be given again",
	  set_keep_env },
	{ "--print", 'n', OPTION_FLAG, NULL,
	  "with --stable, print what would be done, without running", set_print },
	{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
};

static int launch_words(const struct runwords *words)
{
	char end[] = "--";
	char **args;
	size_t n = words->n_options;
	int code;

	if (words->tool_help) {
		char help[] = "--help";

		return launch("run", (char *[]){ help }, 1);
	}
	args = calloc(n + 1 + words->n_program, sizeof(*args));
	if (!args) {
		return complain_status("run", NULL, PROFILE_NO_MEMORY);
	}
	for (size_t i = 0; i < n; i++)
		args[i] = words->options[i];
	/* Valgrind takes "--" too: it ends the options, and keeps PROG from being one. */
	args[n] = end;
	for (size_t i = 0; i < words->n_program; i++)
		args[n + 1 + i] = words->program[i];
	code = launch("run", args, n + 1 + words->n_program);
	free(args);
	return code;
}

static int run_stably(const struct runwords *words, const struct run_choice *choice)
{
	const struct stablerun run = {
		.command = "run",
		.words = words,
		.keep = choice->keep,
		.kept = choice->kept,
		.n_kept = choice->n_kept,
		.print = choice->print,
		.quiet = words->quiet,
	};

	return stablerun(&run);
}

int run_main(int argc, char **argv)
{
	struct run_choice choice = { .kept = calloc((size_t)argc, sizeof(*choice.kept)) };
	struct runwords words = { .n_options = 0 };
	int code;

	if (!choice.kept) {
		return complain_status("run", NULL, PROFILE_NO_MEMORY);
	}
	code = runwords_read(&words, run_options, argv, &choice);
	if (code == OPTIONS_GO_ON && choice.needs_stable && !choice.stable) {
		complain("run", "%s: expected --stable, too", choice.needs_stable);
		code = EXIT_USAGE;
	}
	if (code == OPTIONS_GO_ON)
		code = choice.stable && !words.tool_help ? run_stably(&words, &choice)
							 : launch_words(&words);
	runwords_release(&words);
	free(choice.kept);
	return code;
}

/* What has a slash is no word for a command; Valgrind says what is wrong with it. */
bool run_is_program(const char *word)
{
	char path[LAUNCH_PATH];

	return strchr(word, '/') != NULL || launch_find(word, path, sizeof(path));
}

/* Waits for the program; what it is sent from the terminal is its own affair. */
static int wait_for(pid_t child)
{
	int status = 0;

	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int run_and_show(int argc, char **argv)
{
	char file[64];
	char name[] = "annotate", brief[] = "--brief", sources[] = "--auto=no";
	char events[] = "--show=Ir", most[] = "--top=15", quiet[] = "-q";
	char *words[] = { name, brief, sources, events, most, quiet, file, NULL };
	pid_t child = fork();
	int code;

	if (child < 0) {
		complain("run", "%s", strerror(errno));
		return EXIT_FAILED;
	}
	if (child == 0) {
		char end[] = "--";

		argv[0] = end;
		_exit(launch("run", argv, (size_t)argc));
	}
	code = wait_for(child);
	snprintf(file, sizeof(file), "costgrind.out.%ld", (long)child);
	if (access(file, R_OK) != 0)
		return code; /* the tool has said why */
	fputc('\n', stdout);
	if (annotate_as(NULL, words) == EXIT_FINE)
		printf("All of it: costgrind annotate %s; as a page: costgrind report %s\n", file,
		       file);
	return code;
}
