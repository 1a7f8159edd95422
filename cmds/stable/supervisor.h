/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts a program in a sandbox and sees it through: passes signals on to it, its output
 * out, and says how it ended.
 *
 * There are up to three processes: the supervisor, outside; the first process of the
 * sandbox, which reaps those that have lost their parent; and the program.
 */
#ifndef CMDS_STABLE_SUPERVISOR_H
#define CMDS_STABLE_SUPERVISOR_H

#include <signal.h>
#include <stdbool.h>

#include "cmds/stable/relay.h"
#include "cmds/stable/sandbox.h"

enum { SUPERVISOR_TEXT = 512 };

struct supervisor {
	struct relay *relay; /* NULL = the program writes to where this process does */
	/*
	 * Becomes the program, in its process, where the sandbox was built as it says; NULL =
	 * no sandbox.  First it calls supervisor_ready().  Returns if that failed, having
	 * filled trouble.
	 */
	void (*become)(void *ctx, const struct sandbox *sandbox, struct trouble *trouble);
	/* Reports to the user, before the program begins, what become() said. */
	void (*reported)(void *ctx, const char *text);
	void *ctx;
	/* Private: */
	int reports[2];
	sigset_t blocked;             /* as it was before */
	struct sigaction child_ended; /* likewise, what SIGCHLD does */
};

/* The program is about to be started; text, of SUPERVISOR_TEXT bytes at most, is for reported(). */
void supervisor_ready(const struct supervisor *supervisor, const char *text);

/*
 * Starts the program in a sandbox, or in none (NULL).  Returns 0; EPERM and the like,
 * with trouble, if the sandbox is not allowed, in which case another one may be tried; and
 * *status, as of waitpid(), or trouble with *failed if the program did not start.
 */
int supervisor_run(struct supervisor *supervisor, const struct sandbox *sandbox, int *status,
		   bool *failed, struct trouble *trouble);

/* Ends this process as the program ended: by its signal, or returns its exit status. */
int supervisor_end(int status);

#endif
