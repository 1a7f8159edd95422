/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands of the costgrind program: one row of a table and one file
 * each.
 */
#ifndef CMDS_COMMAND_H
#define CMDS_COMMAND_H

#include <stddef.h>

#include "cmds/common/option.h"

/* Exit codes of all commands. */
enum {
	EXIT_FINE = 0,
	EXIT_FAILED = 1, /* bad input, or the world failed */
	EXIT_USAGE = 2,  /* bad usage */
	EXIT_GATE = 3,   /* what was to be checked is not so */
	EXIT_DIED = 255, /* what a Perl script ends with that dies, in the place of one */
};

struct command {
	const char *name;
	const char *form;    /* what follows the name, for the help */
	const char *summary; /* one line */
	const char *help;    /* the rest of the help, lines that end in a line feed */
	/* argv[0] is the command's name; argv ends in NULL.  Returns an exit code. */
	int (*run)(int argc, char **argv);
	const struct option_rule *options; /* for the help; NULL = help says it all */
	/* Tables that it shares with others, in the order of its groups, NULL behind them; NULL = none. */
	const struct option_rule *const *shared;
};

/* All commands, ended by a row without a name; in the order of the help. */
extern const struct command command_table[];

/* The command of this name, or NULL. */
const struct command *command_find(const char *name);

/* The command that was probably meant by a word, or NULL if none is near. */
const struct command *command_suggest(const char *word);

/* Prints a command's help, or the list of commands if command is NULL. */
void command_print_help(const struct command *command);

/*
 * Commands that offer nothing but themselves, each in the .c file of its name; those of the others
 * are in their own headers.  argv and what is returned are as of struct command's run().
 */
int check_main(int argc, char **argv);   /* whether profiles are sound, and who can read them */
int convert_main(int argc, char **argv); /* a profile in another format */
int doctor_main(int argc, char **argv);  /* what costgrind needs and what of it is there */
int report_main(int argc, char **argv);  /* a profile as one HTML file */
int view_main(int argc, char **argv);    /* becomes a viewer of profiles, or shows them as text */
extern const struct option_rule check_options[];
extern const struct option_rule convert_options[];
extern const struct option_rule doctor_options[];
extern const struct option_rule report_options[];
extern const struct option_rule view_options[];

/* costgrind help [COMMAND|events] */
int help_main(int argc, char **argv);

#endif
