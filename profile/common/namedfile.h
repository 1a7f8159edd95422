/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that a profile names, or that a file named by it names in turn: sources, objects, debug
 * files, data profiles.  A profile may be anybody's, so what it names is opened here and nowhere
 * else: only regular files of a bounded size.  A FIFO would block the reader for ever, a device
 * may do something when it is opened, and files of /proc and /sys are whatever the kernel makes up.
 * A file that the user names is opened as it is: it may be a pipe.
 */
#ifndef PROFILE_COMMON_NAMEDFILE_H
#define PROFILE_COMMON_NAMEDFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* Bytes of an object, a debug file or a data profile. */
#define NAMEDFILE_MOST ((uint64_t)16 << 30)

/*
 * True if a path leads to a regular file of at most `most` bytes that no kernel makes up; its status
 * goes to *status.  Nothing is opened.  Otherwise errno says why not: EINVAL if it is
 * something else, EFBIG if it is larger.
 */
bool namedfile_look(const char *path, uint64_t most, struct stat *status);

/*
 * Opens such a file for reading.  *status is what the descriptor leads to.  Returns
 * the descriptor, or -1 and errno as above.
 */
int namedfile_open(const char *path, uint64_t most, struct stat *status);

#endif
