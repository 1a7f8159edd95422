/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The costgrind command: finds the command that the first word names and
 * hands over to it.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/option.h"
#include "cmds/command.h"
#include "cmds/emit/visible.h"

static int unknown_command(const char *word)
{
	const struct command *meant = command_suggest(word);

	if (meant != NULL)
		fprintf(stderr, "costgrind: no command '%s', did you mean '%s'?\n", word,
			meant->name);
	else
		fprintf(stderr, "costgrind: no command '%s', try 'costgrind help'\n", word);
	return EXIT_USAGE;
}

/* A file that cannot be run: who names it wants to see what is in it. */
static bool is_data(const char *word)
{
	struct stat status;

	return stat(word, &status) == 0 && S_ISREG(status.st_mode) &&
	       (status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0;
}

static int propose_annotate(const char *word)
{
	fprintf(stderr, "costgrind: ");
	visible_text(stderr, word);
	fprintf(stderr,
		": expected a command or a program; profiles are shown by 'costgrind annotate ");
	visible_text(stderr, word);
	fprintf(stderr, "'\n");
	return EXIT_USAGE;
}

/*
 * Options before any command: in `costgrind PROG` the command is missing, since the options are
 * run's; a command that is there is in front of its own.  False if neither is there.
 */
static bool propose_order(char *const *words)
{
	size_t n = 0;
	bool is_command;

	while (words[n] && words[n][0] == '-' && strcmp(words[n], "--") != 0)
		n++;
	if (n == 0 || !words[n] || (strcmp(words[n], "--") == 0 && !words[n + 1]))
		return false;
	is_command = command_find(words[n]) != NULL;
	fprintf(stderr, "costgrind: ");
	visible_text(stderr, words[0]);
	fprintf(stderr, ": expected a command before options, as in 'costgrind %s",
		is_command ? words[n] : "run");
	/* Arguments may be in need of quotes, which are gone. */
	n += is_command ? 0 : 1 + (strcmp(words[n], "--") == 0);
	for (size_t i = 0; i < n; i++) {
		fputc(' ', stderr);
		visible_text(stderr, words[i]);
	}
	fputs(words[n] ? " ...'\n" : "'\n", stderr);
	return true;
}

static int run_command(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		fprintf(stderr, "costgrind: expected a command, try 'costgrind help'\n");
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("costgrind-" COSTGRIND_VERSION TOOL_NOTE);
		return EXIT_FINE;
	}
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0) {
		command_print_help(NULL);
		return EXIT_FINE;
	}
	if (strcmp(argv[1], "--complete") == 0)
		return completion_main(argv + 2);
	command = command_find(argv[1]);
	if (command == NULL && is_data(argv[1]))
		return propose_annotate(argv[1]);
	if (command == NULL && run_takes(argv + 1))
		return run_and_show(argc, argv);
	if (command == NULL && propose_order(argv + 1))
		return EXIT_USAGE;
	if (command == NULL)
		return unknown_command(argv[1]);
	return command->run(argc - 1, argv + 1);
}

static void print_help(const char *command)
{
	command_print_help(command_find(command));
}

int main(int argc, char **argv)
{
	int code;

	option_print_help = print_help;
	code = run_command(argc, argv);

	/* Help, too, is written or it is not. */
	if ((fflush(stdout) == 0 && !ferror(stdout)) || code != EXIT_FINE)
		return code;
	fprintf(stderr, "costgrind: standard output: %s\n", strerror(errno));
	return EXIT_FAILED;
}
