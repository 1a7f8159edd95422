/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind run: becomes valgrind --tool=costgrind.  costgrind PROG ARGS: does so in a
 * child, and shows a table of what was found.
 */
#include "cmds/run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/annotate.h"
#include "cmds/command.h"
#include "cmds/complaint.h"
#include "cmds/launch.h"

int run_main(int argc, char **argv)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
			command_print_help(command_find("run"));
			return EXIT_FINE;
		}
		if (strcmp(argv[i], "--tool-help") == 0) {
			char help[] = "--help";

			return launch("run", (char *[]){ help }, 1);
		}
		if (strcmp(argv[i], "--") == 0)
			break;
	}
	if (i + (i < argc && strcmp(argv[i], "--") == 0) >= argc) {
		complain("run", "expected a program to run");
		return EXIT_USAGE;
	}
	/* Valgrind takes "--" too: it ends the options, and keeps PROG from being one. */
	return launch("run", argv + 1, (size_t)(argc - 1));
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
		printf("All of it: costgrind annotate %s\n", file);
	return code;
}
