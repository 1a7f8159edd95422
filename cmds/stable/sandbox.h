/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A private view of the file system and of processes, by Linux's namespaces: all that was
 * there is where it was, and in /costgrind are the current directory, the program and
 * Valgrind's files under paths that are always the same.  The program's pid is always the
 * same, too.  Nothing of it can be seen from outside, and nothing is left of it.
 *
 * An ordinary user needs a user namespace for that, in which the user is number 0
 * and has no more rights than outside.
 */
#ifndef CMDS_STABLE_SANDBOX_H
#define CMDS_STABLE_SANDBOX_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cmds/cli/launch.h"

#define SANDBOX_FOLDER  LAUNCH_STABLE_FOLDER
#define SANDBOX_WORK    SANDBOX_FOLDER "/work"
#define SANDBOX_PROGRAM SANDBOX_FOLDER "/bin/program"
#define SANDBOX_TREE    SANDBOX_FOLDER "/tree"
#define SANDBOX_LIBRARY SANDBOX_FOLDER "/lib"

/* What went wrong; passed through a pipe, so it has no pointers. */
struct trouble {
	char what[96]; /* "mount /proc" */
	int error;     /* errno */
};

struct sandbox {
	bool has_user;   /* a user namespace */
	bool keeps_user; /* ... in which the user has the number that it has outside */
	bool has_files;  /* a view of the file system */
	bool has_pids;
	bool has_host;
	pid_t first_pid;     /* of the program; 0 = the first free one */
	const char *work;    /* folder to be SANDBOX_WORK; NULL = none; all paths are absolute */
	const char *program; /* file to be SANDBOX_PROGRAM, or folder, SANDBOX_TREE; or NULL */
	bool program_is_file;
	const char *library; /* folder to be SANDBOX_LIBRARY, or NULL */
};

/*
 * As fork(), into the namespaces.  With pids, the child is their first process: when it ends,
 * all of them do.
 */
pid_t sandbox_fork(const struct sandbox *sandbox);

/*
 * In the child: builds the view.  False if something is not allowed here; the child then
 * is of no use.  ids are those of the user outside.
 */
bool sandbox_build(const struct sandbox *sandbox, uid_t uid, gid_t gid, struct trouble *trouble);

/* True if one with all but another first pid can be built here; else trouble says why not. */
bool sandbox_is_allowed(struct trouble *trouble);

/*
 * Standard streams of a program that are of the same kind wherever the user's
 * lead: a library writes line by line to a terminal and in blocks to anything else, and
 * takes another way for a device.
 */

enum {
	RELAY_STREAMS = 2,
	RELAY_POLLS = RELAY_STREAMS,
};

struct relay_stream {
	int from; /* end of a pipe to read from; -1 = at its end */
	int to;
	char *data; /* owned; what is not yet written */
	size_t begin, end;
};

/* Passes on what the program writes.  Fields are private. */
struct relay {
	struct relay_stream streams[RELAY_STREAMS];
	int ends[RELAY_STREAMS]; /* for the program, as its 1 and 2 */
};

/*
 * Makes pipes: one if standard output and error are one file, so that the order stays.
 * Returns 0, or an errno; release it in any case.
 */
int relay_init(struct relay *relay);
void relay_release(struct relay *relay);

/* In the program's process: puts the pipes into the place of its 1 and 2. */
bool relay_connect(const struct relay *relay);
/* In the other one: drops those ends. */
void relay_part(struct relay *relay);

/* What to wait for, RELAY_POLLS entries, some of them -1; and what came of it. */
void relay_prepare(const struct relay *relay, struct pollfd *polls);
void relay_move(struct relay *relay, const struct pollfd *polls);

/* Passes on what is in the pipes now; true if they are at their ends. */
bool relay_drain(struct relay *relay);

/* Passes on until all pipes are at their ends. */
void relay_finish(struct relay *relay);

/*
 * A descriptor of what standard input is to be: a file with all that a pipe or socket holds
 * until its end, /dev/null for a terminal, and otherwise itself.  *is_open says
 * that it is a pipe from which nothing came for a while, which is left as it is.
 * Returns -1 with errno on failure.
 */
int relay_input(bool *is_open);

/*
 * Starts a program in a sandbox and sees it through: passes signals on to it, its output
 * out, and says how it ended.
 *
 * There are up to three processes: the supervisor, outside; the first process of the
 * sandbox, which reaps those that have lost their parent; and the program.
 */

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
	struct sigaction child_ended; /* and what SIGCHLD did */
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
