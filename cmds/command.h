/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands of the costgrind program: one row of a table and one file
 * each.
 */
#ifndef CMDS_COMMAND_H
#define CMDS_COMMAND_H

#include <stddef.h>

struct option_rule;

struct command {
	const char *name;
	const char *form;    /* what follows the name, for the help */
	const char *summary; /* one line, in the imperative: "Show what a profile says" */
	const char *help;    /* the rest of the help, lines that end in a line feed */
	/* argv[0] is the command's name; argv ends in NULL.  Returns an exit code. */
	int (*run)(int argc, char **argv);
	const struct option_rule *options; /* for the help; NULL = help says it all */
	/* Tables that it shares with others, in the order of its groups, ended by NULL; NULL = none. */
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

/* costgrind help [COMMAND|events] */
int help_main(int argc, char **argv);

/* -- completion (completion.c) ------------------------------------------------- */

/*
 * What a shell offers when a word is to be completed: from the tables of commands and of their
 * options, and the tool's list of options (writer/shared/optionlist.h).  data/completions/ has the
 * shells' side, which only asks:
 *
 *	costgrind --complete WORD...
 *
 * The words are what follows "costgrind", as far as they are typed; the last one, which may be
 * empty, is to be completed.  One candidate a line: all of the word, and if there is one, a tab and
 * what it does.  A word that goes on ends in '=' or ','.  Other lines say what else can be there,
 * instead of its value if the word is an option with a '=':
 *
 *	:file	:directory	:program
 */

/* argv are the words, ended by NULL. */
int completion_main(char **argv);

#endif
