/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a command's output goes: standard output, through a pager on a
 * terminal, or a file, which appears under its name when it is whole.
 */
#ifndef CMDS_CLI_PRINTOUT_H
#define CMDS_CLI_PRINTOUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "cmds/cli/outfile.h"

/* Fields but out are private.  Not to be moved. */
struct printout {
	FILE *out;        /* to write to; errors may be ignored until printout_close() */
	const char *path; /* NULL = standard output */
	pid_t pager;      /* 0 = none */
	struct outfile file;
};

/*
 * Opens it; path NULL or "-" is standard output, for which pages asks for a pager
 * ($COSTGRIND_PAGER, $PAGER, else less) if it is a terminal with a keyboard.  False, with a message by the command's
 * name, if that failed.
 */
bool printout_open(struct printout *printout, const char *command, const char *path, bool pages);

/* Ends it: true if all was written, and is in place.  Prints a message if not. */
bool printout_close(struct printout *printout, const char *command);

/* Gives up: what was written to a file is removed. */
void printout_abandon(struct printout *printout);

#endif
