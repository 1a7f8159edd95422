/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of a program one after the other or several at a time, each with a profile of its own in a
 * folder that does not outlive them.
 */
#ifndef CMDS_STABLE_TRIALS_H
#define CMDS_STABLE_TRIALS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cmds/cli/launch.h"
#include "cmds/stable/stablerun.h"

enum { TRIALS_MAX = 32 };

/* Fields are for reading. */
struct trials {
	const char *command; /* for messages */
	char folder[LAUNCH_PATH];
	int input; /* what all of them read, from its beginning; -1 = /dev/null */
	size_t n;
	pid_t pids[TRIALS_MAX];   /* 0 = has ended */
	int statuses[TRIALS_MAX]; /* as of waitpid() */
	int interrupted;          /* by which signal; 0 = not */
	void *signals;            /* private */
};

/*
 * Makes the folder and takes standard input.  Until trials_release() no signal ends this process
 * (the runs and the folder would stay behind): trials_wait() says that one has come.  Returns
 * an exit code, having printed a message.
 */
int trials_init(struct trials *trials, const char *command);

/* Removes everything; ends this process if a signal has come. */
void trials_release(struct trials *trials);

enum { TRIALS_THREADS = 1000 }; /* threads have lower numbers */

/* The name of the profile of one of its threads, 1 to TRIALS_THREADS - 1; false if it has none. */
bool trials_thread(const struct trials *trials, size_t i, unsigned thread, char *path);

/*
 * Starts a run, whose number is trials->n before.  What it writes to standard output is
 * dropped; to standard error too, unless is_heard.  False with a message if that failed.
 */
bool trials_start(struct trials *trials, const struct stablerun *run, bool is_heard);

/* Waits until at most so many runs go on; false if a signal came, and none goes on then. */
bool trials_wait(struct trials *trials, size_t at_most);

#endif
