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
#ifndef CMDS_STABLE_ENCLOSURE_H
#define CMDS_STABLE_ENCLOSURE_H

#include <stdbool.h>
#include <sys/types.h>

#define ENCLOSURE_FOLDER  "/costgrind"
#define ENCLOSURE_WORK    ENCLOSURE_FOLDER "/work"
#define ENCLOSURE_PROGRAM ENCLOSURE_FOLDER "/bin/program"
#define ENCLOSURE_TREE    ENCLOSURE_FOLDER "/tree"
#define ENCLOSURE_LIBRARY ENCLOSURE_FOLDER "/lib"

/* What went wrong; passed through a pipe, so it has no pointers. */
struct trouble {
	char what[96]; /* "mount /proc" */
	int error;     /* errno */
};

struct enclosure {
	bool has_user;   /* a user namespace */
	bool keeps_user; /* ... in which the user has the number that it has outside */
	bool has_files;  /* a view of the file system */
	bool has_pids;
	bool has_host;
	pid_t first_pid;     /* of the program; 0 = the first free one */
	const char *work;    /* folder to be ENCLOSURE_WORK; NULL = none; all paths are absolute */
	const char *program; /* file to be ENCLOSURE_PROGRAM, or folder, ENCLOSURE_TREE; or NULL */
	bool program_is_file;
	const char *library; /* folder to be ENCLOSURE_LIBRARY, or NULL */
};

/*
 * As fork(), into the namespaces.  With pids, the child is their first process: when it ends,
 * all of them do.
 */
pid_t enclosure_fork(const struct enclosure *enclosure);

/*
 * In the child: builds the view.  False if something is not allowed here; the child then
 * is of no use.  ids are those of the user outside.
 */
bool enclosure_build(const struct enclosure *enclosure, uid_t uid, gid_t gid,
		     struct trouble *trouble);

/* Whether one with all but another first pid can be built here; else trouble says why not. */
bool enclosure_is_allowed(struct trouble *trouble);

#endif
