/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of a command, as a table from which they are read, explained and completed.  A row says how the
 * option is given, and which member of the command's struct its value becomes:
 *
 *	static const struct option_rule rules[] = {
 *		{ "--ids", 0, OPTION_YES_NO, "yes|no", "number names [yes]",
 *		  OPTION_BOOL(struct convert, ids) },
 *		{ "--output", 'o', OPTION_VALUE, "FILE", "where to [standard output]",
 *		  OPTION_TEXT(struct convert, output, "the name of a file") },
 *		{ "--to", 0, OPTION_VALUE, "FORMAT", "what to write", OPTION_CALL(set_to) },
 *		{ .name = NULL },
 *	};
 *
 * What no member can hold as it is goes to a function, as --to here.
 *
 * "--name=value" and "--name value" are the same; so are "-Ndir", "-N dir" and
 * "-N=dir".  Operands may appear between options; "--" ends options; "-" is an
 * operand.  All commands take -h, --help, --version, -q, -v, --color and --no-pager.
 */
#ifndef CMDS_CLI_OPTION_H
#define CMDS_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/emit/document.h"
#include "cmds/emit/fitted.h"

enum option_kind {
	OPTION_FLAG,   /* no value: set() receives NULL */
	OPTION_VALUE,  /* needs one */
	OPTION_MAYBE,  /* may have one, by "=": set() receives it, or NULL */
	OPTION_YES_NO, /* "yes", "no"; "--name" is yes, "--no-name" no: set() receives the word */
};

/* What becomes of the value; the macros below name the member. */
enum option_store {
	STORE_BY_CALL, /* set() takes it */
	STORE_BOOL,    /* true, or what the word of OPTION_YES_NO says */
	STORE_TEXT,    /* a const char *, which lives as long as argv: not empty */
	STORE_COUNT,   /* 64 bits */
	STORE_DECIMAL, /* a double */
	STORE_WORD,    /* an enum: which of the words of the form "a|b|c" it is */
	STORE_IS_LAST, /* a bool: if it is the last of these words */
	STORE_FORMAT,  /* the back end that one of these words names; NULL if none is called so */
	STORE_PERCENT, /* a uint64_t: millionths */
	STORE_WIDTH,   /* a size_t: columns of text; FITTED_UNLIMITED of cmds/emit/fitted.h */
	STORE_EACH,    /* a struct option_list: one more text, not empty */
};

enum { OPTION_LIST_MOST = 256 };

/* The texts of an option that can be repeated. */
struct option_list {
	const char *all[OPTION_LIST_MOST];
	size_t n;
};

struct option_rule {
	const char *name; /* "--sort"; NULL ends a table */
	char letter;      /* 'I' of -I; 0 = none */
	enum option_kind kind;
	const char *form; /* of the value, for the help: "A,B"; NULL if there is none */
	/*
	 * What it has the command do, in the imperative, or what its value is, as a noun phrase: sentence case, the default in
	 * brackets, no full stop at the end.  May be several lines, each but the last ended by a line feed.
	 */
	const char *help;
	/*
	 * Takes the option, whose value lives as long as argv.  Returns NULL, or what
	 * was expected ("a number"), for the message.
	 */
	const char *(*set)(void *ctx, const char *value);
	enum option_store store;
	size_t offset;                  /* of the member, from the context */
	const char *expected;           /* for the message; NULL = the words of the form */
	bool (*accepts)(const char *);  /* of a text; NULL = any that is not empty */
	unsigned long long least, most; /* of a number */
};

/* The place of a member of this type. */
#define OPTION_AT(type, member, wanted) \
 (offsetof(type, member) + 0 * sizeof(&((type *)0)->member == (wanted *)0))
/* The same for one of any type with a size of its own. */
#define OPTION_SIZED(type, member, size) \
 (offsetof(type, member) + 0 * sizeof(char[sizeof(((type *)0)->member) == (size) ? 1 : -1]))

/* The ends of rows. */
#define OPTION_CALL(set)                    set, STORE_BY_CALL, 0, NULL, NULL, 0, 0
#define OPTION_BOOL(type, member)           NULL, STORE_BOOL, OPTION_AT(type, member, bool), NULL, NULL, 0, 0
#define OPTION_TEXT(type, member, expected) OPTION_CHECKED(type, member, expected, NULL)
#define OPTION_CHECKED(type, member, expected, accepts) \
 NULL, STORE_TEXT, OPTION_AT(type, member, const char *), expected, accepts, 0, 0
#define OPTION_COUNT(type, member, expected, least, most) \
 NULL, STORE_COUNT, OPTION_SIZED(type, member, 8), expected, NULL, least, most
#define OPTION_DECIMAL(type, member, expected, least, most) \
 NULL, STORE_DECIMAL, OPTION_AT(type, member, double), expected, NULL, least, most
#define OPTION_WORD(type, member) \
 NULL, STORE_WORD, OPTION_SIZED(type, member, sizeof(int)), NULL, NULL, 0, 0
#define OPTION_IS_LAST(type, member) \
 NULL, STORE_IS_LAST, OPTION_AT(type, member, bool), NULL, NULL, 0, 0
#define OPTION_FORMAT(type, member) \
 NULL, STORE_FORMAT, OPTION_AT(type, member, const struct document_backend *), NULL, NULL, 0, 0
#define OPTION_PERCENT(type, member) \
 NULL, STORE_PERCENT, OPTION_AT(type, member, uint64_t), "a percentage from 0 to 100", NULL, 0, 100
#define OPTION_EACH(type, member, expected) \
 NULL, STORE_EACH, OPTION_AT(type, member, struct option_list), expected, NULL, 0, 0

/*
 * The row of an option for the width of text: a size_t, 0 if it was not given.  What fitted_width() makes of it is for
 * document_fit().
 */
#define OPTION_WIDTH(type, member)                                                                \
 {                                                                                                \
  "--width", 0, OPTION_VALUE, "N|unlimited",                                                      \
	  "Fit lines of text into N columns [the terminal's, or 120]", NULL, STORE_WIDTH,         \
	  OPTION_AT(type, member, size_t), "a number of columns, 40 or more, or unlimited", NULL, \
	  FITTED_LEAST, SIZE_MAX                                                                  \
 }

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
	struct option_group groups[OPTION_GROUPS]; /* after the command's own */
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
 * the next word is not asked for.  Returns NULL, or what was expected: option_unknown if no option has
 * that name.
 */
const char *option_set(const struct option_rule *rules, const char *word, void *ctx);

/* Adds a text to a list.  Returns NULL, or what was expected. */
const char *option_list_add(struct option_list *list, const char *text, const char *expected);

/* For OPTION_CHECKED(): a name that is not empty and no list. */
bool option_is_one_name(const char *text);

/* Stores the value of an option that is well formed.  Returns NULL, or what was expected. */
const char *option_take(const struct option_rule *rule, void *ctx, const char *value);

/* Prints a table and shared ones (NULL ends them, or is none), with what all commands take. */
void options_print(const struct option_rule *rules, const struct option_rule *const *shared);

/* True if the word that a rule of kind OPTION_YES_NO is given is "yes". */
bool option_yes(const char *word);

/* Which of the words, ended by NULL, the text is; -1 = none. */
int option_word(const char *text, const char *const *words);
/* True if a list, with commas between, is of these words: the bits of those that it has are set, others cleared. */
bool option_words(const char *list, const char *const *words, unsigned *set);
/* Numbers for set(): all of the text, in a range; false if it is none. */
bool option_count(const char *text, unsigned long long most, unsigned long long *number);
/* A plain decimal number such as 0.1, perhaps followed by a %, in [least, most]. */
bool option_decimal(const char *text, double least, double most, double *number);

/* True if standard output shall be coloured: by the option, NO_COLOR, and what it is. */
bool option_wants_color(const struct option_common *common);

#endif
