/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that the program, or a helper of it, is writing: what has been added since it was looked at
 * last.  It is opened for as long as that takes, so that the program's descriptors stay its own.
 *
 * Only files of the user, or of root, are read, and only regular ones: anybody can put
 * anything in /tmp.
 */
#ifndef TOOL_GENERATED_GROWINGFILE_H
#define TOOL_GENERATED_GROWINGFILE_H

#include "pub_tool_basics.h"

struct growingfile {
	HChar *path; /* NULL: there is none; owned */
	ULong device, inode;
	ULong seen; /* its size, in bytes, when it was looked at last */
	ULong read; /* bytes that have been read for good, from its beginning */
};

/* The file is the one of that name from now on, of which nothing has been read; NULL: none. */
void growingfile_set(struct growingfile *file, const HChar *path);

/*
 * Opens the file if it has grown, or is another one by now, of which nothing has been read.  A descriptor, or -1;
 * size: up to where to read.  not_before: seconds since 1970; a file not written since is
 * left alone, as that of another process that had the same number.
 */
Int growingfile_open(struct growingfile *file, ULong not_before, ULong *size);

/* Reads len bytes at an offset; returns how many there are. */
SizeT growingfile_read(Int fd, void *to, SizeT len, ULong offset);

void growingfile_close(Int fd);

#endif
