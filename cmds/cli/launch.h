/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starting Valgrind with the tool.
 *
 * Valgrind looks for its tools in one directory.  Where costgrind is not
 * installed but run from the directory in which it was built, that is
 * valgrind-lib/ next to the program, which has links to Valgrind's own files.
 */
#ifndef CMDS_CLI_LAUNCH_H
#define CMDS_CLI_LAUNCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct bytes;

/*
 * Below it a stable run (cmds/stable/stable.h) has the program and what goes with it, unless it keeps their paths.
 * Outside of that run nothing is there.
 */
#define LAUNCH_STABLE_FOLDER "/costgrind"

/* -- words before the program ---------------------------------------------- */

/*
 * The words of a command that starts a program: options of the command, options of the
 * tool and of Valgrind, the program, its arguments.
 *
 * Options end at "--" or at the first word that does not begin with '-'.  What is no option
 * of the command is one for Valgrind, whose values always follow a '='.
 */

struct option_group;
struct option_rule;

struct runwords {
	char **options; /* for Valgrind; owned, what they point to is argv's */
	size_t n_options;
	char **program;   /* PROG and ARGS, ended by NULL; part of argv */
	size_t n_program; /* 0 = none is named */
	bool quiet;       /* -q is among the options */
	bool no_pager;
	bool tool_help; /* --tool-help was given: nothing else counts */
};

/* The row of an option that a word is, perhaps with "=" and a value; NULL = it is no option. */
const struct option_rule *launch_find_option(const struct option_rule *rules, const char *word);

/*
 * Sorts argv, argv[0] being the command's name.  Options of the command are in rules, with ctx, and in groups, ended
 * by one without rules; NULL = none.  Returns OPTIONS_GO_ON, or an exit code when there is nothing more to do: help
 * was asked for and printed, or a message was.  Release it in any case.
 */
int runwords_read(struct runwords *words, const struct option_rule *rules, char **argv, void *ctx,
		  const struct option_group *groups);
void runwords_release(struct runwords *words);

/* True if an option of this name ("--vgdb") is among those for Valgrind. */
bool runwords_has(const struct runwords *words, const char *name);

/* The value of the last option of this name among those for Valgrind; NULL = none. */
const char *runwords_value(const struct runwords *words, const char *name);

/*
 * The value of the last option of this name ("--branch-sim") that the user has set for all runs: in ~/.valgrindrc, VALGRIND_OPTS,
 * ./.valgrindrc or COSTGRIND_OPTS, in this order, also as "--costgrind:branch-sim".  NULL if there is none; the
 * caller frees it.  An option of the command line overrides it.
 */
char *launch_configured(const char *name);

/* -- pytest's plugin --------------------------------------------------------- */

/*
 * pytest --costgrind measures its tests (harness/pytest_costgrind.py), if it finds the plugin that knows the option: the
 * word among PROG and ARGS has two variables set in the program's environment.
 */
enum { LAUNCH_PLUGIN_VARS = 2 };

/* True if the word is among these, which NULL ends, and the plugin is installed. */
bool launch_wants_plugin(char *const *program);

const char *launch_plugin_name(size_t i);

/*
 * Variable i as "NAME=value", on the heap; old, which may be NULL, is what it was, and stays part of it.  cache is the
 * folder in which pytest keeps what it remembers from run to run; NULL = the usual one.
 */
char *launch_plugin_var(size_t i, const char *old, const char *cache);

/* -- starting it ----------------------------------------------------------- */

enum { LAUNCH_PATH = PATH_MAX + 64, LAUNCH_TOOL = 2 * LAUNCH_PATH };

/* The valgrind to be started: $VALGRIND, else the one costgrind was built for. */
const char *launch_valgrind(void);

/*
 * Runs a program, found as execvp() does, and adds what it prints to output.  Returns its status as wait() has it, or -1, with
 * errno, if it cannot be started.
 */
int launch_read(char *const *words, struct bytes *output);

/*
 * The first line that a program prints when asked for its version ("valgrind-3.19.0"), cut to size
 * bytes; false if there is none.
 */
bool launch_version(const char *program, char *text, int size);

/* True if --fair-sched does nothing in this version of Valgrind: bug 519574 of 3.27, fixed in 3.28. */
bool launch_lacks_fair_sched(const char *version);

/*
 * The directory in which Valgrind will look for the tool: $VALGRIND_LIB, or valgrind-lib/
 * next to this program; false if that is Valgrind's own.  size is LAUNCH_PATH.
 */
bool launch_library(char *path, size_t size);

enum { LAUNCH_TOOL_PATH = LAUNCH_PATH + 64 }; /* a library, and the tool in it */

/* Finds where the tool is, or would be; false, with errno, if it is not there. */
bool launch_find_tool(char path[LAUNCH_TOOL_PATH]);

/* True if the tool is where Valgrind will look for it; if not, a message by the command's name says where. */
bool launch_has_tool(const char *command);

/*
 * Writes the option that names the tool in library, which launch_library() filled, LAUNCH_PATH bytes;
 * option has LAUNCH_TOOL bytes.  As a rule it is --tool=costgrind.
 *
 * Valgrind puts a file of the library's into LD_PRELOAD, which the dynamic linker divides at blanks
 * and colons.  If library has any, it becomes the directory that its links lead to, Valgrind's own,
 * and the option names the tool by the way to it from there: as an argument, it may have blanks.
 */
void launch_tool(char *option, char *library);

/* Finds a program as a shell does; false if there is none.  size is LAUNCH_PATH. */
bool launch_find(const char *name, char *path, size_t size);

/*
 * Writes a name for --costgrind-out-file that is taken as it is: each % of it doubled.  Returns the length; the
 * name is cut to size bytes, at least 1.
 */
size_t launch_literal(char *to, size_t size, const char *name);

/*
 * How many threads a program may have at a time, less one; Valgrind's own default is 500.  Its table
 * takes 7 kB a thread (5,000: 32 MB and 10 ms; 100,000: 700 MB and 1 s), and each that runs another MB.
 */
#define LAUNCH_MAX_THREADS "--max-threads=5000"

/*
 * Threads take turns in the order in which they ask: by Valgrind's own default, the one that gives up its turn usually gets the
 * next one, too.  "try" is "yes" without an error where that is not possible.
 */
#define LAUNCH_FAIR_SCHED "--fair-sched=try"

/*
 * Becomes valgrind --tool=costgrind LAUNCH_MAX_THREADS LAUNCH_FAIR_SCHED with these n arguments, unless environment or files
 * have other values.  Returns an exit code, after
 * a message by the command's name, if that failed.
 */
int launch(const char *command, char **argv, size_t n);

#endif
