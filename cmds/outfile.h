/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that appears under its name when it is whole, or standard output.
 *
 * Until then it has no name, so that nothing is left of it however the program
 * ends; where the file system cannot do that, its name begins with a dot, has the
 * process's id, so that no two of them write to one file, and ends in ".partial", and it is
 * removed on failure.  What is there and is no regular file (a pipe, /dev/null) is
 * written directly, and so is a descriptor by its name (/dev/stdout).  A link stays: what it
 * leads to is replaced.
 */
#ifndef CMDS_OUTFILE_H
#define CMDS_OUTFILE_H

#include <stdbool.h>

#include "writer/env.h"

/* Fields are private, but env; not to be moved. */
struct outfile {
	struct env env;   /* malloc() and free(), and writes to the file */
	const char *path; /* borrowed; NULL = standard output */
	char *target;     /* owned; where links of path lead to */
	char *temporary;  /* owned; a name in the same folder */
	char *folder;     /* owned */
	int fd;
	bool has_name;  /* the temporary one */
	bool is_direct; /* written under its own name */
};

/*
 * Opens what is to become path; "-" or NULL is standard output.  Returns 0, or an
 * errno; after that there is nothing to close.
 */
int outfile_open(struct outfile *file, const char *path);

/* What path is called in messages. */
const char *outfile_name(const struct outfile *file);

/* Closes it and gives it its name, in place of what had it.  Returns 0, or an errno. */
int outfile_commit(struct outfile *file);

/* Closes it; what had the name stays as it was. */
void outfile_discard(struct outfile *file);

#endif
