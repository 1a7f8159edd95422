/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMDS_RUN_RUN_H
#define CMDS_RUN_RUN_H

#include <stdbool.h>

#include "cmds/cli/option.h"

/* The options of costgrind run that are not for Valgrind. */
extern const struct option_rule run_options[];

/*
 * costgrind run: starts the program under the tool, or prints the tool's help,
 * in the place of this process; returns, with an exit code, only if that failed.
 */
int run_main(int argc, char **argv);

/* Whether a word names a program that could be run. */
bool run_is_program(const char *word);

/*
 * costgrind PROG ARGS, argv[1] being the program: runs it under the tool, and then
 * prints the functions that cost most.  Returns the program's exit code.
 */
int run_and_show(int argc, char **argv);

#endif
