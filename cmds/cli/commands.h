/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exit codes, and the entry point of each command. */
#ifndef CMDS_CLI_COMMANDS_H
#define CMDS_CLI_COMMANDS_H

#include <stdbool.h>

#include "cmds/cli/option.h"

/* Exit codes of all commands. */
enum {
	EXIT_FINE = 0,
	EXIT_FAILED = 1, /* bad input, or the world failed */
	EXIT_USAGE = 2,  /* bad usage */
	EXIT_LIMIT = 3,  /* a check failed */
};

/*
 * Commands that offer nothing but themselves, each in the .c file of its name; the others are
 * in their own headers.  argv and what is returned are as of struct command's run().
 */
int branches_main(int argc, char **argv); /* which branches are mispredicted, and why */
int check_main(int argc, char **argv); /* checks that profiles are sound, and who can read them */
int compare_main(int argc,
		 char **argv); /* what changed from one program to another, by running both */
int convert_main(int argc, char **argv); /* a profile in another format */
int curve_main(int argc, char **argv);   /* data misses by size of cache */
int doctor_main(int argc, char **argv);  /* what costgrind needs and what of it is there */
int machine_main(int argc, char **argv); /* a machine and where its numbers come from */
int merge_main(int argc, char **argv);   /* several profiles as one file */
int report_main(int argc, char **argv);  /* a profile as one HTML file */
/* report_main() of two profiles that will be removed: no command on the page has their names; FILE is called older_name. */
int report_temporary(char **argv, const char *older_name);
int roofline_main(int argc, char **argv); /* operations and bytes below the roofs of a machine */
int sharing_main(int argc, char **argv);  /* which lines threads fight over */
int why_main(int argc, char **argv);      /* what stands out in a profile, and why */
int view_main(int argc, char **argv);     /* becomes a viewer of profiles, or shows them as text */
/*
 * costgrind run: starts the program under the tool, or prints the tool's help,
 * in place of this process; returns, with an exit code, only if that failed.
 */
int run_main(int argc, char **argv);
extern const struct option_rule branches_options[];
extern const struct option_rule check_options[];
extern const struct option_rule compare_options[];
extern const struct option_rule convert_options[];
extern const struct option_rule curve_options[];
extern const struct option_rule doctor_options[];
extern const struct option_rule machine_options[];
extern const struct option_rule merge_options[];
extern const struct option_rule report_options[];
extern const struct option_rule roofline_options[];
extern const struct option_rule run_options[]; /* those that are not for Valgrind */
extern const struct option_rule sharing_options[];
extern const struct option_rule view_options[];
extern const struct option_rule why_options[];

/* True if these words, ended by NULL, are what run_and_show() takes: [--full] [--python=WORD] PROG ARGS. */
bool run_takes(char *const *words);

/*
 * costgrind [--full] [--python=WORD] PROG ARGS, with these words from argv[1] on: runs PROG under the tool, which tells
 * the functions of a Python program apart unless told not to, and then prints the functions that cost most.  Returns the program's exit code.
 */
int run_and_show(int argc, char **argv);

#endif
