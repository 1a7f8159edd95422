/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of a program under the tool whose counts depend on nothing but program, arguments,
 * input and files: all else that a process inherits is brought to what it always is.
 */
#ifndef CMDS_STABLE_STABLERUN_H
#define CMDS_STABLE_STABLERUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cmds/cli/launch.h"
#include "cmds/stable/stable_items.h"

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
