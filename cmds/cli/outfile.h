/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that appears under its name when it is whole, or standard output.
 *
 * Until then it has no name, so that nothing is left of it however the program
 * ends; where the file system cannot do that, its name begins with a dot, has the
 * process's id, so that no two of them write to one file, and ends in ".partial", and it is
 * removed on failure.  What is there and is no regular file (a pipe, /dev/null) is
 * written directly, and so is a descriptor by its name (/dev/stdout).
 *
 * New files follow the umask.  For others the rule of profiles holds (tool/output/output.h): one that is
 * replaced leaves its mode and owner to the new one; one that is empty, reached by a link, has
 * several names, or cannot be renamed over is overwritten, once its disk has room for all, and while
 * the temporary file is there; if the folder cannot be written, from memory.  Another user's file or
 * link in a folder that all may write is not touched, nor is one followed on the way to it.
 */
#ifndef CMDS_CLI_OUTFILE_H
#define CMDS_CLI_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "writer/out.h"

/* Fields are private, but env; not to be moved. */
struct outfile {
	struct env env;      /* the heap, and writes to the file */
	const char *command; /* borrowed; who warns */
	const char *path;    /* borrowed; NULL = standard output */
	char *target;        /* owned; where links of path lead to */
	char *temporary;     /* owned; a name in the same folder */
	char *folder;        /* owned */
	int fd;
	bool has_name;   /* the temporary one */
	bool linked;     /* path is a link */
	bool overwrites; /* what is there stays the same file */
	bool is_direct;  /* written under its own name */
	int denied;      /* why there is no temporary file; an errno */
	pid_t opener;
	struct outfile *before; /* the one that was opened before it */
};

/*
 * Opens what is to become path; "-" or NULL is standard output.  Returns 0, or an error for
 * outfile_reason(); after that there is nothing to close.  command: who warns, if the
 * file is overwritten without another one next to it.  SIGXFSZ is ignored from then on.
 */
int outfile_open(struct outfile *file, const char *command, const char *path);

/* An error besides errno's: another user's file or link, in a folder that all may write. */
enum { OUTFILE_FOREIGN = 4096 };

/* Why opening or committing failed, in words. */
const char *outfile_reason(int error);

/* write() of all of it, signals or not; 0 or an errno. */
int write_all(int fd, const void *data, size_t len);

/* What path is called in messages. */
const char *outfile_name(const struct outfile *file);

/*
 * Closes it and gives it its name, in place of what had it.  Returns 0, or an error as outfile_open(); if that came in
 * the midst of overwriting a file, the temporary one stays, since no other is whole.
 */
int outfile_commit(struct outfile *file);

/* Closes it; what had the name stays as it was. */
void outfile_discard(struct outfile *file);

/*
 * Where a command's output goes: standard output, through a pager on a
 * terminal, or a file, which appears under its name when it is whole.
 */

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

#endif
