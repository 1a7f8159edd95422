/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of a command, as a table from which they are read and explained.
 *
 * "--name=value" and "--name value" are the same; so are "-Ndir", "-N dir" and
 * "-N=dir".  Operands may stand between options; "--" ends options; "-" is an
 * operand.  All commands take -h, --help, --version, -q, -v, --color and --no-pager.
 */
#ifndef CMDS_CLI_OPTION_H
#define CMDS_CLI_OPTION_H

#include <stdbool.h>

enum option_kind {
	OPTION_FLAG,   /* no value: set() is given NULL */
	OPTION_VALUE,  /* needs one */
	OPTION_MAYBE,  /* may have one, by "=": set() is given it, or NULL */
	OPTION_YES_NO, /* "yes", "no"; "--name" is yes, "--no-name" no: set() is given the word */
};

struct option_rule {
	const char *name; /* "--sort"; NULL ends a table */
	char letter;      /* 'I' of -I; 0 = none */
	enum option_kind kind;
	const char *form; /* of the value, for the help: "A,B"; NULL if there is none */
	const char *help; /* may be several lines, each but the last ended by a line feed */
	/*
	 * Takes the option, whose value lives as long as argv.  Returns NULL, or what
	 * was expected ("a number"), for the message.
	 */
	const char *(*set)(void *ctx, const char *value);
};

enum option_color {
	COLOR_AUTO,
	COLOR_ALWAYS,
	COLOR_NEVER,
};

/* A table of options that several commands have, and its context. */
struct option_group {
	const struct option_rule *rules; /* NULL = no such group */
	void *ctx;
};

enum { OPTION_GROUPS = 4 };

/* What all commands take. */
struct option_common {
	bool quiet;
	bool no_pager;
	int verbose; /* how often */
	enum option_color color;
	/* For set(): the option at work as it was typed, "-o" or "--output", typed_len bytes of argv. */
	const char *typed;
	int typed_len;
	struct option_group groups[OPTION_GROUPS]; /* behind the command's own */
};

/* Prints the help of the command of this name; main() sets it. */
extern void (*option_print_help)(const char *command);

/* What all commands have, handled by options_read(): for the help, and for shells. */
extern const struct option_rule option_common_rules[];

#define OPTIONS_GO_ON (-1)

/*
 * Reads the options in argv, argv[0] being the command's name, and moves the
 * operands to argv[1] and on; *n_operands is how many there are.  Returns
 * OPTIONS_GO_ON, or the exit code when there is nothing more to do: help or version was
 * asked for and printed, or a message was.
 */
int options_read(const struct option_rule *rules, struct option_common *common, char **argv,
		 int *n_operands, void *ctx);

extern const char option_unknown[];

/*
 * Takes one option of a table, a word that is in no argv: "--name=value"; where a value is missing,
 * the next word is not asked for.  Returns NULL, or what was expected: option_unknown if no option is
 * called so.
 */
const char *option_set(const struct option_rule *rules, const char *word, void *ctx);

/* Prints a table and shared ones (NULL ends them, or is none), with what all commands take. */
void options_print(const struct option_rule *rules, const struct option_rule *const *shared);

/* Whether the word that a rule of kind OPTION_YES_NO is given is "yes". */
bool option_yes(const char *word);

/* Which of the words, which NULL ends, the text is; -1 = none. */
int option_word(const char *text, const char *const *words);
/* Numbers for set(): all of the text, in a range; false if it is none. */
bool option_count(const char *text, unsigned long long most, unsigned long long *number);
/* A plain decimal number such as 0.1, perhaps with a % behind it, in [least, most]. */
bool option_decimal(const char *text, double least, double most, double *number);

/* Whether standard output shall be coloured: by the option, NO_COLOR, and what it is. */
bool option_wants_color(const struct option_common *common);

#endif
