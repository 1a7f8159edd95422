/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts a program in an enclosure and sees it through: passes signals on to it, its output
 * out, and says how it ended.
 *
 * There are up to three processes: the supervisor, outside; the first process of the
 * enclosure, which reaps those that have lost their parent; and the program.
 */
#ifndef CMDS_STABLE_SUPERVISOR_H
#define CMDS_STABLE_SUPERVISOR_H

#include <signal.h>
#include <stdbool.h>

#include "cmds/stable/enclosure.h"
#include "cmds/stable/relay.h"

enum { SUPERVISOR_TEXT = 512 };

struct supervisor {
	struct relay *relay; /* NULL = the program writes to where this process does */
	/*
	 * Becomes the program, in its process, where the enclosure was built as it says; NULL =
	 * no enclosure.  First it calls supervisor_ready().  Returns if that failed, having
	 * filled trouble.
	 */
	void (*become)(void *ctx, const struct enclosure *enclosure, struct trouble *trouble);
	/* Tells the user, before the program begins, what become() said. */
	void (*told)(void *ctx, const char *text);
	void *ctx;
	/* Private: */
	int reports[2];
	sigset_t blocked;             /* as it was before */
	struct sigaction child_ended; /* likewise, what SIGCHLD does */
};

/* The program is about to be started; text, of SUPERVISOR_TEXT bytes at most, is for told(). */
void supervisor_ready(const struct supervisor *supervisor, const char *text);

/*
 * Starts the program in an enclosure, or in none (NULL).  Returns 0; EPERM and the like,
 * with trouble, if the enclosure is not allowed, in which case another one may be tried; and
 * *status, as of waitpid(), or trouble with *failed if the program did not start.
 */
int supervisor_run(struct supervisor *supervisor, const struct enclosure *enclosure, int *status,
		   bool *failed, struct trouble *trouble);

/* Ends this process as the program ended: by its signal, or returns its exit status. */
int supervisor_end(int status);

#endif
