/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of a command that starts a program: options of the command, options of the
 * tool and of Valgrind, the program, its arguments.
 *
 * Options end at "--" or at the first word that does not begin with '-'.  What is no option
 * of the command is one for Valgrind, whose values always stand behind a '='.
 */
#ifndef CMDS_COMMON_RUNWORDS_H
#define CMDS_COMMON_RUNWORDS_H

#include <stdbool.h>
#include <stddef.h>

struct option_rule;

struct runwords {
	char **options; /* for Valgrind; owned, what they point to is argv's */
	size_t n_options;
	char **program;   /* PROG and ARGS, ended by NULL; part of argv */
	size_t n_program; /* 0 = none is named */
	bool quiet;       /* -q is among the options */
	bool tool_help;   /* --tool-help was given: nothing else counts */
};

/*
 * Sorts argv, argv[0] being the command's name.  Returns OPTIONS_GO_ON, or an exit code
 * when there is nothing more to do: help was asked for and printed, or a message was.
 * Release it in any case.
 */
int runwords_read(struct runwords *words, const struct option_rule *rules, char **argv, void *ctx);
void runwords_release(struct runwords *words);

/* Whether an option of this name ("--vgdb") is among those for Valgrind. */
bool runwords_has(const struct runwords *words, const char *name);

/* The value of the last option of this name among those for Valgrind; NULL = none. */
const char *runwords_value(const struct runwords *words, const char *name);

#endif
