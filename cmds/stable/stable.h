/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stable runs, whose counts depend on nothing but program, arguments, input and files: all else that
 * a process inherits is made the same in each run.  And costgrind stable, which finds what the counts
 * of a program depend on all the same.
 */
#ifndef CMDS_STABLE_STABLE_H
#define CMDS_STABLE_STABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cmds/cli/launch.h"
#include "cmds/cli/option.h"

/* -- the command (stable.c) ------------------------------------------------------------ */

extern const struct option_rule stable_options[];

int stable_main(int argc, char **argv);

/* What counts may depend on; a run changes one of these in a stable run, to see if they do. */
enum cause {
	CAUSE_RUN, /* nothing was changed: something that no run has under control */
	CAUSE_STACK,
	CAUSE_ENVIRONMENT,
	CAUSE_HEAP,
	CAUSE_LOAD,
	CAUSE_TIME,
	CAUSE_CLOCK,
	CAUSE_PID,
	CAUSE_THREADS,
	CAUSE_RANDOM,
	N_CAUSES,
};

extern const struct cause_text {
	const char *word;    /* for --causes, and tables */
	const char *meaning; /* for the report */
	bool needs_machine;  /* is seen with --deterministic=yes only */
} cause_texts[N_CAUSES];

/* -- stable runs (stablerun.c) ---------------------------------------------------------- */

/*
 * What a stable run makes the same in all runs, and the words by which a user says
 * that something stays as it is.
 */
enum stable_item {
	STABLE_ITEM_ADDRESSES,   /* randomisation of addresses */
	STABLE_ITEM_CACHES,      /* that are simulated */
	STABLE_ITEM_CPU,         /* one processor */
	STABLE_ITEM_CWD,         /* path of the current directory */
	STABLE_ITEM_DESCRIPTORS, /* those beyond 2 */
	STABLE_ITEM_ENVIRONMENT,
	STABLE_ITEM_HOST, /* its name */
	STABLE_ITEM_INPUT,
	STABLE_ITEM_LIMITS,
	STABLE_ITEM_MACHINE, /* what the tool makes the same: --deterministic=yes */
	STABLE_ITEM_OUTPUT,  /* kind of standard output and error */
	STABLE_ITEM_PID,
	STABLE_ITEM_PROGRAM, /* its path */
	STABLE_ITEM_SIGNALS,
	STABLE_ITEM_THREADS, /* their turns */
	STABLE_ITEM_UMASK,
	STABLE_ITEM_USER,
	N_STABLE_ITEMS,
};

/* By enum stable_item: the word for --keep, and what a stable run does about it. */
extern const struct stable_item_text {
	const char *word;
	const char *given;
} stable_item_texts[N_STABLE_ITEMS];

/* A set of items. */
typedef unsigned stable_items;

static inline bool stable_items_have(stable_items set, enum stable_item item)
{
	return (set >> item & 1) != 0;
}

static inline stable_items stable_item_bit(enum stable_item item)
{
	return 1U << item;
}

/* Adds the items of "A,B" to a set; false if a word is none. */
bool stable_items_add(stable_items *set, const char *list);

/* What --keep expects, and what it does, for messages and help. */
extern const char stable_items_form[];
extern const char stable_items_help[];

/* True if text is a list of names of variables: "A,B". */
bool fixedenv_is_list(const char *text);

/* Adds a phrase to a text in a buffer of size bytes, with a comma if it is not the first. */
void stable_note(char *lost, size_t size, const char *phrase);

/* The program's pid, unless it is shifted: the first process of its namespace looks after it. */
enum { STABLERUN_PID = 2 };

/* What is not as it always is, to see what depends on it. */
struct stablerun_shift {
	size_t stack;           /* bytes that the environment is longer */
	bool other_environment; /* other texts in it, of the same lengths */
	pid_t pid;              /* of the program; 0 = the first free one */
	const char *option;     /* one more for Valgrind; NULL = none */
};

struct stablerun {
	const char *command; /* for messages */
	const struct runwords *words;
	stable_items keep;       /* what stays as it is */
	const char *const *kept; /* lists of variables that do */
	size_t n_kept;
	bool print;           /* say what would be done, and do not run */
	bool quiet;           /* do not say what cannot be done here */
	const char *out_file; /* where the profile goes; NULL = as the words say */
	struct stablerun_shift shift;
};

/*
 * Runs the program and ends as it ends: by the same signal, or returns its exit status; or an
 * exit code after a message.  127 = there is no such program.
 */
int stablerun(const struct stablerun *run);

#endif
