/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a program is, and under which path a stable run starts it.
 *
 * A program of the system keeps its path, which is the same for all users of the
 * system, and from which some find out what they are (busybox) and where their files are
 * (Python).  Any other one is moved to a fixed path, with as much around it as it
 * says that it looks for from where it is.
 */
#ifndef CMDS_STABLE_PROGPATH_H
#define CMDS_STABLE_PROGPATH_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/cli/launch.h"

enum progpath_move {
	PROGPATH_STAYS,
	PROGPATH_FILE,   /* the file alone: its name is fixed, too */
	PROGPATH_FOLDER, /* its folder: a script, or it has $ORIGIN or .gnu_debuglink */
	PROGPATH_PARENT, /* that of its folder: it has $ORIGIN/.. */
};

struct progpath {
	enum progpath_move move;
	char path[LAUNCH_PATH];  /* absolute, as it was named: links are not followed */
	char real[LAUNCH_PATH];  /* links followed */
	char moved[LAUNCH_PATH]; /* where it is in a sandbox */
	char top[LAUNCH_PATH];   /* what is mounted there: file or folder */
};

/*
 * Finds it as a shell does, in PATH; stays says that it is not to be moved.  Returns 0, or
 * an errno: it is not there, or cannot be run.
 */
int progpath_find(struct progpath *program, const char *name, bool stays);

#endif
