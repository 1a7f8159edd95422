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

#include <stdbool.h>
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

/* Whether one with all but another first pid can be built here; else trouble says why not. */
bool sandbox_is_allowed(struct trouble *trouble);

#endif
